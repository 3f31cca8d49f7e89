use serde_json::json;

use super::*;
use hanok_base::{Error, Kind};
use hanok_calc::lottery::import::built_in;

fn now() -> DateTime<Utc> {
    "2026-10-12T03:00:00Z".parse().unwrap()
}

fn new(body: serde_json::Value) -> Result<Purchase> {
    let new: NewPurchase = serde_path_to_error::deserialize(body)
        .map_err(|error| Error::field(error.path().to_string(), error.inner().to_string()))?;
    new.into_purchase(7, now())
}

fn refused(body: serde_json::Value) -> Vec<String> {
    new(body).unwrap_err().fields.into_keys().collect()
}

#[test]
fn sets_one_set_and_a_count_are_written_down_for_the_coming_draw_at_1000_won_a_game() {
    let sets = new(json!({"sets": [[6, 5, 4, 3, 2, 1], [40, 41, 42, 43, 44, 45]]})).unwrap();
    assert_eq!((sets.draw_no, sets.count, sets.amount, sets.numbers_known), (1246, 2, 2_000, true));
    assert_eq!(sets.sets[0].as_array(), &[1, 2, 3, 4, 5, 6]);
    let one = new(json!({"numbers": [1, 2, 3, 4, 5, 6], "note": " 동네 가게 "})).unwrap();
    assert_eq!((one.count, one.amount, one.note.as_str()), (1, 1_000, "동네 가게"));
    for count in [json!({"sets": 5, "amount": 4_500}), json!({"count": 5, "amount": 4_500})] {
        let count = new(count).unwrap();
        assert_eq!((count.count, count.amount, count.numbers_known, count.sets.len()), (5, 4_500, false, 0));
    }
}

#[test]
fn a_refused_number_is_named_by_its_place() {
    assert_eq!(refused(json!({"sets": [[1, 2, 3, 4, 5, 6], [1, 2, 3, 46, 5, 6]]})), ["sets[1][3]"]);
    assert_eq!(refused(json!({"sets": [[1, 2, 3, 4, 5, 6], [1, 2, 3, "four", 5, 6]]})), ["sets[1][3]"]);
    assert_eq!(refused(json!({"sets": [[1, 2, 3, 4, 5, 6], 7]})), ["sets[1]"]);
    assert_eq!(refused(json!({"sets": "five"})), ["sets"]);
    assert_eq!(refused(json!({"numbers": [1, 2, 3, 4, 5, 5]})), ["numbers[5]"]);
    assert_eq!(
        refused(json!({"draw_no": 0, "amount": -1, "note": "x".repeat(501)})),
        ["amount", "draw_no", "note", "sets"]
    );
}

#[test]
fn what_is_out_of_bounds_is_refused() {
    assert_eq!(refused(json!({"sets": []})), ["sets"]);
    assert_eq!(refused(json!({"sets": vec![[1, 2, 3, 4, 5, 6]; 101]})), ["sets"]);
    assert_eq!(refused(json!({"sets": 1_001})), ["sets"]);
    assert_eq!(refused(json!({"count": 0})), ["count"]);
    assert_eq!(refused(json!({"count": 1, "numbers": [1, 2, 3, 4, 5, 6]})), ["sets"]);
    assert_eq!(refused(json!({"count": 1, "draw_no": 10_000})), ["draw_no"]);
    assert_eq!(new(json!({"count": 1, "draw_no": 1_299})).unwrap_err().kind, Kind::Conflict);
    assert!(new(json!({"count": 1, "draw_no": 1_298})).is_ok());
    assert_eq!(refused(json!({"count": 1, "amount": 10_000_001})), ["amount"]);
    assert_eq!(refused(json!({"numbers": [1, 2, 3, 4, 5, 6], "prize": 5_000})), ["prize"]);
}

#[test]
fn sets_are_checked_when_the_draw_is_known_and_a_prize_is_unknown_until_it_is_published() {
    let draw = &built_in()[1244];
    let mut purchase = new(json!({"sets": [[4, 5, 25, 1, 2, 3], [10, 11, 13, 14, 15, 16]]})).unwrap();
    purchase.check(None);
    assert_eq!((purchase.status, purchase.prize, purchase.net), (PurchaseStatus::Waiting, None, None));
    purchase.check(Some(&Draw::with_numbers_only(1245, draw.numbers, draw.bonus).unwrap()));
    assert_eq!((purchase.status, purchase.prize), (PurchaseStatus::Checked, None));
    assert_eq!(purchase.results[0].rank, Some(5));
    purchase.check(Some(draw));
    assert_eq!((purchase.prize, purchase.net), (Some(5_000), Some(3_000)));
}

#[test]
fn without_numbers_the_prize_is_entered_by_hand_and_given_up_when_they_come() {
    let draw = &built_in()[1244];
    let mut purchase = new(json!({"count": 5, "prize": 50_000})).unwrap();
    purchase.check(Some(draw));
    assert_eq!((purchase.status, purchase.prize, purchase.net), (PurchaseStatus::Manual, Some(50_000), Some(45_000)));
    let known = new(json!({"numbers": [1, 2, 3, 4, 5, 6]})).unwrap();
    let by_hand = |prize: i64| serde_json::from_value::<PurchaseChanges>(json!({"prize": prize})).unwrap();
    assert_eq!(by_hand(5_000).apply(known.clone(), now()).unwrap_err().kind, Kind::Conflict);
    assert_eq!(by_hand(-1).apply(known, now()).unwrap_err().kind, Kind::InvalidInput);
    let cleared: PurchaseChanges = serde_json::from_value(json!({"prize": null})).unwrap();
    assert_eq!(cleared.apply(purchase.clone(), now()).unwrap().prize, None);
    let known: PurchaseChanges = serde_json::from_value(json!({"numbers": [1, 2, 3, 6, 7, 8]})).unwrap();
    let mut known = known.apply(purchase, now()).unwrap();
    known.check(Some(draw));
    assert_eq!((known.status, known.prize, known.count, known.amount), (PurchaseStatus::Checked, Some(0), 1, 5_000));
}

#[test]
fn a_bulk_of_a_count_takes_the_picks_of_the_briefing_when_there_are_any() {
    let picks = [built_in()[0].numbers, built_in()[1].numbers, built_in()[2].numbers];
    let core = || Sent::taken(TierMode::Core);
    let bulk = |sets| NewBulk { draw_no: None, tier_mode: core(), sets, amount: None, note: None };
    let taken = bulk(Some(Sent::taken(Games::counted(2)))).into_purchase(&picks, 1, now()).unwrap();
    assert_eq!((taken.sets.as_slice(), taken.amount), (&picks[..2], 2_000));
    let without = bulk(None).into_purchase(&[], 1, now()).unwrap();
    assert_eq!((without.count, without.numbers_known), (3, false));
}

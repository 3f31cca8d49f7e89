use serde_json::json;

use super::super::totals::Totals;
use super::*;
use hanok_base::{Error, Kind, Message};
use hanok_calc::lottery::import::built_in;

fn now() -> DateTime<Utc> {
    "2026-10-12T03:00:00Z".parse().unwrap()
}

fn new(body: serde_json::Value) -> Result<Purchase> {
    let new: NewPurchase = serde_path_to_error::deserialize(body)
        .map_err(|error| Error::field(error.path().to_string(), Message::english(error.inner().to_string())))?;
    new.into_purchase(now())
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
    assert_eq!((purchase.status, purchase.prize), (PurchaseStatus::Checked, Some(5_000)), "the fifth prize is fixed");
    assert_eq!(purchase.results[0].rank, Some(5));
    let mut third = new(json!({"sets": [[4, 5, 25, 28, 32, 1]]})).unwrap();
    third.check(Some(&Draw::with_numbers_only(1245, draw.numbers, draw.bonus).unwrap()));
    assert_eq!((third.status, third.prize, third.is_settled()), (PurchaseStatus::Checked, None, false));
    purchase.check(Some(draw));
    assert_eq!((purchase.prize, purchase.net), (Some(5_000), Some(3_000)));
}

#[test]
fn without_numbers_the_prize_is_entered_by_hand_and_given_up_when_they_come() {
    let draw = &built_in()[1244];
    let mut purchase = new(json!({"count": 5, "draw_no": 1_245, "prize": 50_000})).unwrap();
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
fn a_bulk_takes_the_picks_of_the_briefing_when_there_are_any() {
    let picks = [built_in()[0].numbers, built_in()[1].numbers, built_in()[2].numbers];
    let core = || Validated::taken(TierMode::Core);
    let bulk = |sets| NewBulk { draw_no: None, tier_mode: core(), sets, amount: None, note: None };
    for sets in [None, Some(Validated::taken(Games::counted(3)))] {
        let taken = bulk(sets).into_purchase(&picks, now()).unwrap();
        assert_eq!((taken.sets.as_slice(), taken.amount, taken.tier_mode), (&picks[..], 3_000, Some(TierMode::Core)));
    }
    let without = bulk(None).into_purchase(&[], now()).unwrap();
    assert_eq!((without.count, without.numbers_known), (3, false));
}

#[test]
fn a_bulk_that_does_not_fit_its_tier_is_refused_and_never_cut() {
    let picks = [built_in()[0].numbers, built_in()[1].numbers, built_in()[2].numbers];
    for games in
        [Games::counted(2), Games::counted(5), Games::known(picks[..2].to_vec()), Games::known([picks, picks].concat())]
    {
        let amount = Some(Validated::of((-1).into()));
        let tier_mode = Validated::taken(TierMode::Core);
        let bulk = NewBulk { draw_no: None, tier_mode, sets: Some(Validated::taken(games)), amount, note: None };
        let refused = bulk.into_purchase(&picks, now()).unwrap_err();
        assert_eq!(refused.fields.keys().collect::<Vec<_>>(), ["amount", "sets"]);
        assert_eq!(refused.fields["sets"], "must be 3, as many as the tiers have");
    }
}

#[test]
fn the_first_draws_cost_2000_won_a_game() {
    let amount = |draw_no| new(json!({"count": 3, "draw_no": draw_no})).unwrap().amount;
    assert_eq!((amount(1), amount(87), amount(88), amount(1_246)), (6_000, 6_000, 3_000, 3_000));
}

#[test]
fn a_prize_of_a_draw_that_has_not_been_held_is_refused() {
    assert_eq!(new(json!({"count": 1, "prize": 5_000})).unwrap_err().kind, Kind::Conflict);
    assert_eq!(new(json!({"count": 1, "draw_no": 1_246, "prize": 0})).unwrap_err().kind, Kind::Conflict);
    let held = new(json!({"count": 1, "draw_no": 1_245, "prize": 5_000})).unwrap();
    let change = |body: serde_json::Value| serde_json::from_value::<PurchaseChanges>(body).unwrap();
    let lost = change(json!({"draw_no": 1_246})).apply(held.clone(), now()).unwrap_err();
    let said = "a prize of 5000 won was entered for draw 1245; for another draw enter its own, or take it out";
    assert_eq!((lost.kind, lost.message.text()), (Kind::Conflict, said));
    let moved = change(json!({"draw_no": 1_246, "prize": null})).apply(held.clone(), now()).unwrap();
    assert_eq!((moved.draw_no, moved.prize), (1_246, None), "the prize was of the other draw");
    let of_the_other = change(json!({"draw_no": 1_244, "prize": 6_000})).apply(held.clone(), now()).unwrap();
    assert_eq!(of_the_other.prize, Some(6_000));
    assert_eq!(change(json!({"draw_no": 1_245})).apply(held.clone(), now()).unwrap().prize, Some(5_000));
    let refused = change(json!({"draw_no": 1_246, "prize": 5_000})).apply(held, now()).unwrap_err();
    assert_eq!(refused.kind, Kind::Conflict);
}

#[test]
fn a_null_clears_the_note() {
    let noted = new(json!({"count": 1, "note": "동네 가게"})).unwrap();
    let change = |body: serde_json::Value| serde_json::from_value::<PurchaseChanges>(body).unwrap();
    assert_eq!(change(json!({"amount": 900})).apply(noted.clone(), now()).unwrap().note, "동네 가게");
    assert_eq!(change(json!({"note": null})).apply(noted, now()).unwrap().note, "");
}

#[test]
fn the_tax_stands_beside_the_prize() {
    let draw = &built_in()[1244];
    let mut purchase = new(json!({"sets": [[4, 5, 25, 28, 32, 12], [4, 5, 25, 1, 2, 3]]})).unwrap();
    purchase.check(Some(draw));
    // 22 % of 55,064,392 less the ticket; nothing of 5,000.
    assert_eq!((purchase.prize, purchase.tax, purchase.is_settled()), (Some(55_069_392), Some(12_113_946), true));
    purchase.check(None);
    assert_eq!((purchase.tax, purchase.is_settled()), (None, false));
    let mut by_hand = new(json!({"count": 5, "draw_no": 1_245, "prize": 3_000_000})).unwrap();
    by_hand.check(Some(draw));
    assert_eq!(by_hand.tax, Some(659_780));
}

#[test]
fn the_tax_on_a_sum_of_several_games_is_the_most_it_can_be() {
    let draw = &built_in()[1244];
    let of = |count: u64, prize: u64| {
        let mut by_hand = new(json!({"count": count, "draw_no": 1_245, "prize": prize})).unwrap();
        by_hand.check(Some(draw));
        (by_hand.tax, by_hand.tax_at_most)
    };
    assert_eq!(of(1, 3_000_000), (Some(659_780), false), "one game has one prize");
    assert_eq!(of(2, 3_000_000), (Some(659_780), true), "two of 1,500,000 are free");
    assert_eq!(of(2, 2_000_000), (Some(0), false), "whatever it is made of, it is free");
    for parts in [[1_500_000, 1_500_000], [2_900_000, 100_000], [400_000_000, 300_500_000]] {
        let one_by_one: u64 = parts.iter().map(|prize| draw.tax_on(*prize)).sum();
        assert!(one_by_one <= draw.tax_on(parts.iter().sum()), "{parts:?}");
    }
    let mut kept = new(json!({"sets": [[4, 5, 25, 28, 32, 12], [4, 5, 25, 1, 2, 3]]})).unwrap();
    kept.check(Some(draw));
    assert!(kept.tax.is_some() && !kept.tax_at_most, "each prize is known");

    let by_hand = |count: u64| {
        let mut bought = new(json!({"count": count, "draw_no": 1_245, "prize": 3_000_000})).unwrap();
        bought.check(Some(draw));
        bought
    };
    let mut totals = Totals::default();
    totals.count(&by_hand(1), |before, more| before + more);
    assert!(!totals.statistics(3_000_000, 0.5, &[]).tax_at_most);
    totals.count(&by_hand(2), |before, more| before + more);
    let both = totals.statistics(3_000_000, 0.5, &[]);
    assert_eq!(
        (both.total_tax, both.tax_at_most, both.net_after_tax),
        (1_319_560, true, 6_000_000 - 3_000 - 1_319_560)
    );
}

#[test]
fn a_ticket_is_of_its_draw_and_its_purchase_stays_there() {
    let of_another = "the ticket is of another draw than 1246";
    for other in ["0000-0000000000", "1245-1288760331", "9999-1288760331"] {
        let refused = new(json!({"count": 1, "draw_no": 1246, "ticket": other})).unwrap_err();
        assert_eq!((refused.kind, refused.message.text()), (Kind::Conflict, of_another), "{other}");
    }
    let coming = new(json!({"count": 1, "ticket": "1247-1288760331"})).unwrap_err();
    assert_eq!(coming.message, of_another, "the coming draw is 1246");
    assert_eq!(refused(json!({"count": 1, "ticket": "1247"})), ["ticket"]);
    let read = new(json!({"count": 1, "ticket": "1246-1288760331"})).unwrap();
    let change = |body: serde_json::Value| serde_json::from_value::<PurchaseChanges>(body).unwrap();
    let moved = change(json!({"draw_no": 1247})).apply(read.clone(), now()).unwrap_err();
    assert_eq!((moved.kind, moved.message.text()), (Kind::Conflict, "the ticket is of another draw than 1247"));
    let stays = change(json!({"draw_no": 1246, "note": "동네"})).apply(read, now()).unwrap();
    assert_eq!((stays.draw_no, stays.ticket.as_deref()), (1246, Some("1246-1288760331")));
    let by_hand = new(json!({"count": 1})).unwrap();
    assert_eq!(change(json!({"draw_no": 1247})).apply(by_hand, now()).unwrap().draw_no, 1247);
}

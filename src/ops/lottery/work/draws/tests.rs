use super::super::super::model::{CorrectedBy, Decisions, NewPurchase, ReceivedDraw};
use super::*;
use hanok_base::{Clock, Kind};
use hanok_calc::lottery::{Draw, Numbers};
use hanok_platform::events::Events;
use hanok_platform::store::Store;

async fn store_with(known: &'static [Draw]) -> Store {
    let sunday = "2026-10-18T03:00:00Z".parse().unwrap();
    let store = Store::memory(Clock::fixed(sunday), Events::default()).unwrap();
    store.write(move |tx| draws::receive(tx, known, DrawSource::BuiltIn)).await.unwrap();
    store
}

fn received(draw: Draw) -> ReceivedDraw {
    ReceivedDraw { dated: draw.date, draw }
}

/// Draw 1200 as it was published at the three stages.
fn stages() -> [Draw; 3] {
    let complete = built_in()[1199].clone();
    let numbers = Draw::with_numbers_only(1200, complete.numbers, complete.bonus).unwrap();
    let mut prizes = Draw { first_prize_methods: None, ..complete.clone() };
    prizes.settle().unwrap();
    [numbers, prizes, complete]
}

#[tokio::test]
async fn a_draw_night_completes_the_draw_stage_by_stage_and_raises_the_revision_each_time() {
    let store = store_with(&built_in()[..1199]).await;
    let mut revisions = vec![store.read(|tx| draws::state(tx)).await.unwrap().revision];
    for (place, draw) in stages().into_iter().enumerate() {
        for again in [false, true] {
            let one = received(draw.clone());
            let outcome = store.write(move |tx| take_from_operator(tx, vec![one])).await.unwrap();
            let counted = (outcome.added, outcome.completed, outcome.unchanged, outcome.conflicts);
            let expected = match (again, place) {
                (true, _) => (0, 0, 1, 0),
                (false, 0) => (1, 0, 0, 0),
                (false, _) => (0, 1, 0, 0),
            };
            assert_eq!(counted, expected);
        }
        let (stored, state) = store.read(|tx| Ok((draws::find(tx, 1200)?, draws::state(tx)?))).await.unwrap();
        assert_eq!(stored, Some(draw));
        assert!(!revisions.contains(&state.revision) && state.last_contact_at.is_some());
        revisions.push(state.revision);
    }
}

#[tokio::test]
async fn a_contradiction_is_kept_aside_once_and_forgotten_when_it_is_taken_back() {
    let store = store_with(built_in()).await;
    let mut other = built_in()[1244].clone();
    other.numbers = Numbers::new([1, 2, 3, 6, 7, 8]).unwrap();
    for new in [1, 0] {
        let one = received(other.clone());
        assert_eq!(store.write(move |tx| take_from_operator(tx, vec![one])).await.unwrap().conflicts, new);
    }
    let latest = store.read(|tx| draws::latest(tx)).await.unwrap();
    assert_eq!(latest.draw, built_in()[1244]);
    assert_eq!(latest.conflicts.len(), 1);
    assert_eq!((latest.conflicts[0].field.as_str(), latest.conflicts[0].draw_no), ("numbers", 1245));
    let right = received(built_in()[1244].clone());
    store.write(move |tx| take_from_operator(tx, vec![right])).await.unwrap();
    assert_eq!(store.read(|tx| draws::latest(tx)).await.unwrap().conflicts, []);
}

#[tokio::test]
async fn a_draw_on_another_day_is_kept_aside_whole() {
    let store = store_with(&built_in()[..1199]).await;
    let draw = built_in()[1199].clone();
    let wrong = ReceivedDraw { dated: draw.date.succ_opt().unwrap(), draw };
    for new in [1, 0] {
        let wrong = wrong.clone();
        let outcome = store.write(move |tx| take_from_operator(tx, vec![wrong])).await.unwrap();
        assert_eq!((outcome.added, outcome.conflicts), (0, new));
    }
    let (stored, latest) = store.read(|tx| Ok((draws::find(tx, 1200)?, draws::latest(tx)?))).await.unwrap();
    assert_eq!((stored, latest.conflicts[0].field.as_str()), (None, "date"));
}

fn stored(draws: &[Draw], source: DrawSource) -> Vec<StoredDraw> {
    draws.iter().map(|draw| StoredDraw::new(draw.clone(), source)).collect()
}

#[test]
fn asking_begins_where_something_is_missing_but_with_a_draw_that_is_known() {
    let sunday = "2026-10-18".parse().unwrap();
    let draws = stored(built_in(), DrawSource::BuiltIn);
    let complete = &draws[..1239];
    assert_eq!(first_to_ask(complete, 1239, sunday), 1239);
    assert_eq!(first_to_ask(complete, 1245, sunday), 1239);
    assert_eq!(first_to_ask(&draws, 1246, sunday), 1240, "the split of 1240 is not known");
    let mut gap = complete.to_vec();
    gap.remove(99);
    assert_eq!(first_to_ask(&gap, 1245, sunday), 99);
    assert_eq!(first_to_ask(&[], 1245, sunday), 1);
}

#[test]
fn complete_draws_are_asked_for_once_more_some_weeks_later_and_imported_ones_at_once() {
    let mut draws = stored(&built_in()[..1238], DrawSource::BuiltIn);
    draws.extend(stored(&built_in()[1238..1239], DrawSource::Operator));
    // Draw 1239 was held on 29 August 2026.
    let first = |draws: &[StoredDraw], day: &str| first_to_ask(draws, 1239, day.parse().unwrap());
    assert_eq!(first(&draws[..1238], "2026-09-26"), 1238);
    assert!(!draws[1238].is_asked_for("2026-09-25".parse().unwrap()));
    assert!(draws[1238].is_asked_for("2026-09-26".parse().unwrap()));
    draws[1238].confirmed = true;
    assert!(!draws[1238].is_asked_for("2026-12-26".parse().unwrap()));
    draws[49].source = DrawSource::Import;
    assert_eq!(first(&draws, "2026-08-30"), 50);
    draws[49].confirmed = true;
    assert_eq!(first(&draws, "2026-08-30"), 1239);
}

#[tokio::test]
async fn the_operator_says_a_complete_draw_once_more_and_then_is_asked_no_more() {
    let clock = Clock::fixed("2026-08-30T03:00:00Z".parse().unwrap());
    let store = Store::memory(clock.clone(), Events::default()).unwrap();
    let says = |draw: &Draw| {
        let one = received(draw.clone());
        store.write(move |tx| take_from_operator(tx, vec![one]))
    };
    let asked_for = || store.read_now(|tx| Ok(draws::all_stored(tx)?[0].is_asked_for(day::of(tx.now())))).unwrap();
    let draw = &built_in()[1238];
    says(draw).await.unwrap();
    says(draw).await.unwrap();
    assert!(!asked_for());
    clock.set("2026-09-27T03:00:00Z".parse().unwrap());
    assert!(asked_for());
    says(draw).await.unwrap();
    assert!(!asked_for());
}

#[tokio::test]
async fn what_could_not_be_a_draw_is_forgotten_as_soon_as_the_right_row_comes() {
    let store = store_with(&built_in()[..1244]).await;
    let draw = built_in()[1244].clone();
    let wrong = ReceivedDraw { dated: draw.date.succ_opt().unwrap(), draw: draw.clone() };
    store.write(move |tx| take_from_operator(tx, vec![wrong])).await.unwrap();
    let conflicts = async || store.read(|tx| draws::latest(tx)).await.unwrap().conflicts.len();
    assert_eq!(conflicts().await, 1);
    store.write(move |tx| take_from_operator(tx, vec![received(draw)])).await.unwrap();
    assert_eq!(conflicts().await, 0);
}

/// Draw 1245 with other numbers.
fn another_1245() -> Draw {
    let mut other = built_in()[1244].clone();
    other.numbers = Numbers::new([1, 2, 3, 6, 7, 8]).unwrap();
    other
}

fn decision(source: DrawSource, accept: bool) -> Decision {
    Decision { source, accept }
}

#[tokio::test]
async fn a_draw_that_was_kept_aside_can_be_accepted_and_everything_follows() {
    let store = store_with(built_in()).await;
    let ticket = serde_json::from_value(serde_json::json!({"draw_no": 1245, "sets": [[1, 2, 3, 6, 7, 8]]})).unwrap();
    let bought =
        store.write(move |tx| purchases::add(tx, NewPurchase::into_purchase(ticket, tx.now())?)).await.unwrap();
    assert_eq!(bought.prize, Some(0));
    let before = store.read_now(|tx| draws::state(tx)).unwrap().revision;
    let one = received(another_1245());
    store.write(move |tx| take_from_operator(tx, vec![one])).await.unwrap();
    let latest = store.read_now(|tx| draws::latest(tx)).unwrap();
    assert_eq!((latest.draw.numbers, latest.conflicts[0].can_be_accepted), (built_in()[1244].numbers, true));

    let decided = store.write(|tx| decide(tx, 1245, decision(DrawSource::Operator, true))).await.unwrap();
    assert_eq!(decided.corrected, 1);
    let latest = store.read_now(|tx| draws::latest(tx)).unwrap();
    assert_eq!((latest.draw.numbers, latest.source), (another_1245().numbers, DrawSource::Operator));
    assert_eq!(latest.conflicts, []);
    let note = &latest.corrections[0];
    assert_eq!((note.draw_no, note.by, note.before.numbers), (1245, CorrectedBy::Household, built_in()[1244].numbers));
    let (after, totals, revision) = store
        .read_now(|tx| Ok((purchases::find(tx, bought.id)?, purchases::totals(tx)?, draws::state(tx)?.revision)))
        .unwrap();
    assert_eq!((after.prize, totals.prize), (Some(3_006_515_775), 3_006_515_775));
    assert_ne!(revision, before);
    let one = received(another_1245());
    let again = store.write(move |tx| take_from_operator(tx, vec![one])).await.unwrap();
    assert_eq!((again.unchanged, again.conflicts), (1, 0));
}

#[tokio::test]
async fn a_draw_that_was_refused_is_not_shown_again_until_another_one_is_said() {
    let store = store_with(built_in()).await;
    let says = |draw: Draw| store.write(move |tx| take_from_operator(tx, vec![received(draw)]));
    says(another_1245()).await.unwrap();
    let refused = store.write(|tx| decide(tx, 1245, decision(DrawSource::Operator, false))).await.unwrap();
    assert_eq!(refused.corrected, 0);
    assert_eq!(says(another_1245()).await.unwrap().conflicts, 0);
    let latest = store.read_now(|tx| draws::latest(tx)).unwrap();
    assert_eq!((latest.draw, latest.conflicts.len()), (built_in()[1244].clone(), 0));
    let mut third = another_1245();
    third.numbers = Numbers::new([1, 2, 3, 6, 7, 9]).unwrap();
    assert_eq!(says(third).await.unwrap().conflicts, 1);
}

/// What an imported line says of draw 1245: its numbers and no more.
fn numbers_of_1245(numbers: [u8; 6], bonus: u8) -> Draw {
    Draw::with_numbers_only(1245, Numbers::new(numbers).unwrap(), bonus).unwrap()
}

#[tokio::test]
async fn what_the_household_has_taken_from_a_file_stands_against_the_operator() {
    let store = store_with(built_in()).await;
    let says = |draw: &Draw| {
        let one = received(draw.clone());
        store.write(move |tx| take_from_operator(tx, vec![one]))
    };
    let taken = numbers_of_1245([4, 5, 25, 28, 32, 43], 12);
    let imported = Draw { total_sales: built_in()[1244].total_sales, ..taken.clone() };
    store.write(move |tx| draws::receive(tx, &[taken], DrawSource::Import)).await.unwrap();
    store.write(|tx| decide(tx, 1245, decision(DrawSource::Import, true))).await.unwrap();
    for _ in 0..2 {
        assert_eq!(says(&built_in()[1244]).await.unwrap().conflicts, 0, "it was decided about what was stored before");
        let latest = store.read_now(|tx| draws::latest(tx)).unwrap();
        assert_eq!((&latest.draw, latest.conflicts.len(), latest.corrections.len()), (&imported, 0, 1));
    }
    assert_eq!(says(&another_1245()).await.unwrap().conflicts, 1, "something else is kept aside");
    assert_eq!(store.read_now(|tx| draws::latest(tx)).unwrap().draw, imported);
    let stored = store.read_now(|tx| draws::all_stored(tx)).unwrap().pop().unwrap();
    assert!(stored.is_asked_for("2026-10-20".parse().unwrap()));
    assert!(!stored.is_asked_for("2026-12-20".parse().unwrap()), "the operator never completes it");
}

#[tokio::test]
async fn accepting_a_draw_loses_only_what_cannot_be_true_any_more_and_says_so_before() {
    let store = store_with(built_in()).await;
    let before = built_in()[1244].clone();
    let imported = numbers_of_1245([4, 5, 25, 28, 32, 42], 13);
    store.write(move |tx| draws::receive(tx, &[imported], DrawSource::Import)).await.unwrap();
    let asked = store.read_now(|tx| draws::latest(tx)).unwrap().undecided.remove(0);
    assert_eq!((asked.draw_no, asked.source, &asked.stored), (1245, DrawSource::Import, &before));
    store.write(|tx| decide(tx, 1245, decision(DrawSource::Import, true))).await.unwrap();
    let after = store.read_now(|tx| draws::latest(tx)).unwrap();
    assert_eq!(after.draw, asked.accepted);
    assert_eq!((after.draw.bonus, after.draw.total_sales, after.undecided.len()), (13, before.total_sales, 0));
    assert_eq!((after.draw.prizes[0], after.draw.prizes[1].winners), (before.prizes[0], None));
}

#[tokio::test]
async fn a_correction_can_be_taken_back_with_everything_that_followed() {
    let store = store_with(built_in()).await;
    let ticket =
        serde_json::from_value(serde_json::json!({"draw_no": 1245, "sets": [[4, 5, 25, 28, 32, 42]]})).unwrap();
    let bought =
        store.write(move |tx| purchases::add(tx, NewPurchase::into_purchase(ticket, tx.now())?)).await.unwrap();
    let undo = || store.write(|tx| take_back(tx, 1245, None));
    assert_eq!(undo().await.unwrap_err().kind, Kind::NotFound);
    let other = received(another_1245());
    store.write(move |tx| take_from_operator(tx, vec![other])).await.unwrap();
    store.write(|tx| decide(tx, 1245, decision(DrawSource::Operator, true))).await.unwrap();
    let revision = store.read_now(|tx| draws::state(tx)).unwrap().revision;
    assert_eq!(undo().await.unwrap().corrected, 1);
    let latest = store.read_now(|tx| draws::latest(tx)).unwrap();
    assert_eq!((&latest.draw, latest.source), (&built_in()[1244], DrawSource::BuiltIn));
    assert_eq!(latest.corrections, []);
    assert_eq!(latest.undecided[0].accepted, another_1245(), "it can still be taken");
    let after = store.read_now(|tx| purchases::find(tx, bought.id)).unwrap();
    assert_eq!(after.prize, bought.prize);
    assert_ne!(store.read_now(|tx| draws::state(tx)).unwrap().revision, revision);
    assert_eq!(undo().await.unwrap_err().kind, Kind::NotFound);
}

#[tokio::test]
async fn what_the_rule_corrected_can_be_taken_back_and_stays_so() {
    let store = store_with(&built_in()[..1244]).await;
    store.write(|tx| draws::receive(tx, &[another_1245()], DrawSource::Import)).await.unwrap();
    let says = || store.write(|tx| take_from_operator(tx, vec![received(built_in()[1244].clone())]));
    says().await.unwrap();
    store.write(|tx| take_back(tx, 1245, None)).await.unwrap();
    says().await.unwrap();
    let latest = store.read_now(|tx| draws::latest(tx)).unwrap();
    assert_eq!((latest.draw, latest.source), (another_1245(), DrawSource::Import));
    assert_eq!((latest.undecided.len(), latest.corrections.len()), (1, 0));
}

#[tokio::test]
async fn only_what_was_kept_aside_can_be_decided_about() {
    let store = store_with(built_in()).await;
    let decides = |accept| store.write(move |tx| decide(tx, 1245, decision(DrawSource::Operator, accept)));
    assert_eq!(decides(true).await.unwrap_err().kind, Kind::NotFound);
    let draw = built_in()[1244].clone();
    let wrong_day = ReceivedDraw { dated: draw.date.succ_opt().unwrap(), draw };
    store.write(move |tx| take_from_operator(tx, vec![wrong_day])).await.unwrap();
    assert_eq!(decides(true).await.unwrap_err().kind, Kind::Conflict);
    decides(false).await.unwrap();
    assert_eq!(store.read_now(|tx| draws::latest(tx)).unwrap().conflicts, []);
}

#[tokio::test]
async fn a_draw_brought_by_hand_gives_way_to_the_operators_with_a_note() {
    let store = store_with(&built_in()[..1244]).await;
    store.write(|tx| draws::receive(tx, &[another_1245()], DrawSource::Import)).await.unwrap();
    let one = received(built_in()[1244].clone());
    let outcome = store.write(move |tx| take_from_operator(tx, vec![one])).await.unwrap();
    assert_eq!((outcome.corrected, outcome.conflicts), (1, 0));
    let latest = store.read_now(|tx| draws::latest(tx)).unwrap();
    assert_eq!((latest.draw.clone(), latest.source), (built_in()[1244].clone(), DrawSource::Operator));
    assert_eq!(
        (latest.corrections[0].by, latest.corrections[0].before.numbers),
        (CorrectedBy::Rule, another_1245().numbers)
    );
}

#[tokio::test]
async fn the_built_in_draws_are_put_in_once_and_never_over_stored_ones() {
    let sunday = "2026-10-18T03:00:00Z".parse().unwrap();
    let store = Store::memory(Clock::fixed(sunday), Events::default()).unwrap();
    let mut kept = built_in()[6].clone();
    kept.bonus = if kept.numbers.contains(1) { 45 } else { 1 };
    let before = kept.clone();
    store.write(move |tx| draws::receive(tx, &[kept], DrawSource::Import)).await.unwrap();
    let first = store.write(put_in_built_in).await.unwrap().unwrap();
    assert!(first.starts_with("1244 "), "{first}");
    assert_eq!(store.write(put_in_built_in).await.unwrap(), None);
    let (stored, latest) = store.read(|tx| Ok((draws::find(tx, 7)?, draws::latest(tx)?))).await.unwrap();
    assert_eq!(stored, Some(before));
    assert_eq!((latest.draw.draw_no, latest.missing, latest.stale), (1245, 1, true));
    assert_eq!(latest.conflicts.len(), 1);
}

#[tokio::test]
async fn draws_that_are_missing_are_named_wherever_they_are() {
    let missing = async |known: &dyn Fn(u32) -> bool, now: &str| {
        let store = Store::memory(Clock::fixed(now.parse().unwrap()), Events::default()).unwrap();
        let stored: Vec<Draw> = built_in().iter().filter(|draw| known(draw.draw_no)).cloned().collect();
        store.write(move |tx| draws::receive(tx, &stored, DrawSource::BuiltIn)).await.unwrap();
        let latest = store.read(|tx| draws::latest(tx)).await.unwrap();
        let ranges: Vec<_> = latest.missing_ranges.iter().map(|range| (range.from, range.to)).collect();
        (latest.missing, ranges)
    };
    // Draw 1245 is of 2026-10-10.
    let sunday = "2026-10-11T03:00:00Z";
    assert_eq!(missing(&|_| true, sunday).await, (0, vec![]));
    assert_eq!(missing(&|draw| draw != 812, sunday).await, (1, vec![(812, 812)]));
    let late = "2026-10-25T03:00:00Z";
    assert_eq!(missing(&|_| true, late).await, (2, vec![(1246, 1247)]));
    let some = |draw| draw > 2 && !(811..=813).contains(&draw);
    assert_eq!(missing(&some, late).await, (7, vec![(1, 2), (811, 813), (1246, 1247)]));
    // What was stored while the clock ran ahead hides nothing.
    assert_eq!(missing(&|draw| draw != 812, "2026-10-03T03:00:00Z").await, (1, vec![(812, 812)]));
    let (count, ranges) = missing(&|draw| draw % 2 == 0, late).await;
    assert_eq!((count, ranges.len(), ranges[0], ranges[19]), (625, 20, (1, 1), (39, 39)));
}

#[test]
fn data_that_ship_with_the_program_have_another_revision_when_they_change() {
    let every: Vec<u8> = built_in().iter().flat_map(|draw| serde_json::to_vec(draw).unwrap()).collect();
    // Whoever changes the draws that ship raises the revision beside this seal: houses that have the earlier ones get
    // these.
    let seal = every.iter().fold(0xcbf2_9ce4_8422_2325_u64, |seal, byte| {
        (seal ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3) // FNV-1a
    });
    assert_eq!((BUILT_IN.revision, format!("{seal:x}").as_str()), (1, "8d6d6dbad7566999"));
}

#[tokio::test]
async fn a_stored_draw_that_the_household_has_stood_by_is_asked_for_no_more() {
    let store = store_with(built_in()).await;
    store.write(|tx| take_from_operator(tx, vec![received(another_1245())])).await.unwrap();
    let is_confirmed = || store.read_now(|tx| Ok(draws::all_stored(tx)?[1244].confirmed)).unwrap();
    assert!(!is_confirmed());
    store.write(|tx| decide(tx, 1245, decision(DrawSource::Operator, false))).await.unwrap();
    assert!(is_confirmed());
}

#[tokio::test]
async fn of_several_that_are_kept_aside_against_one_draw_one_must_be_named() {
    let store = store_with(built_in()).await;
    store.write(|tx| take_from_operator(tx, vec![received(another_1245())])).await.unwrap();
    store.write(|tx| draws::receive(tx, &[another_1245()], DrawSource::Import)).await.unwrap();
    let refused = store.write(|tx| decide_about(tx, 1245, None, true)).await.unwrap_err();
    assert_eq!(refused.kind, Kind::Conflict);
    assert_eq!(refused.message, "several are kept aside; name one: operator, import");
    store.write(|tx| decide_about(tx, 1245, Some(DrawSource::Import), false)).await.unwrap();
    assert_eq!(store.write(|tx| decide_about(tx, 1245, None, true)).await.unwrap().corrected, 1);
    let nothing = store.write(|tx| decide_about(tx, 1245, None, true)).await.unwrap_err();
    assert_eq!(nothing.kind, Kind::NotFound);
}

mod decisions;

use super::super::super::model::ReceivedDraw;
use super::*;
use hanok_base::Clock;
use hanok_calc::lottery::{Draw, Numbers};
use hanok_platform::events::Events;
use hanok_platform::store::Store;

async fn store_with(known: &'static [Draw]) -> Store {
    let sunday = "2026-10-18T03:00:00Z".parse().unwrap();
    let store = Store::memory(Clock::held(sunday), Events::default()).unwrap();
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
    for _ in 0..2 {
        let one = received(other.clone());
        assert_eq!(store.write(move |tx| take_from_operator(tx, vec![one])).await.unwrap().conflicts, 1);
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
    let outcome = store.write(move |tx| take_from_operator(tx, vec![wrong])).await.unwrap();
    assert_eq!((outcome.added, outcome.conflicts), (0, 1));
    let (stored, latest) = store.read(|tx| Ok((draws::find(tx, 1200)?, draws::latest(tx)?))).await.unwrap();
    assert_eq!((stored, latest.conflicts[0].field.as_str()), (None, "date"));
}

#[test]
fn asking_begins_where_something_is_missing_but_with_a_draw_that_is_known() {
    let draws = built_in();
    let complete = &draws[..1239];
    assert_eq!(first_to_ask(complete, 1239), 1239);
    assert_eq!(first_to_ask(complete, 1245), 1239);
    assert_eq!(first_to_ask(draws, 1246), 1240, "the split of 1240 is not known");
    let mut gap = complete.to_vec();
    gap.remove(99);
    assert_eq!(first_to_ask(&gap, 1245), 99);
    assert_eq!(first_to_ask(&[], 1245), 1);
}

#[tokio::test]
async fn the_built_in_draws_are_put_in_once_and_never_over_stored_ones() {
    let sunday = "2026-10-18T03:00:00Z".parse().unwrap();
    let store = Store::memory(Clock::held(sunday), Events::default()).unwrap();
    let mut kept = built_in()[6].clone();
    kept.bonus = if kept.numbers.contains(1) { 45 } else { 1 };
    let before = kept.clone();
    store.write(move |tx| draws::receive(tx, &[kept], DrawSource::Import)).await.unwrap();
    let first = store.write(|tx| draws::add_built_in(tx, built_in)).await.unwrap().unwrap();
    assert_eq!((first.added.len(), first.conflicts), (1244, 1));
    assert_eq!(store.write(|tx| draws::add_built_in(tx, built_in)).await.unwrap(), None);
    let (stored, latest) = store.read(|tx| Ok((draws::find(tx, 7)?, draws::latest(tx)?))).await.unwrap();
    assert_eq!(stored, Some(before));
    assert_eq!((latest.draw.draw_no, latest.missing, latest.stale), (1245, 1, true));
}

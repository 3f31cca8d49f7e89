//! What waits for the household's decision, and what it has decided and takes back.

use super::*;
use crate::lottery::LotteryToday;
use hanok_base::Page;
use hanok_calc::lottery::draw::FirstPrizeMethods;
use hanok_platform::config::Config;
use hanok_platform::domain::Today;

const ALL: Page = Page { limit: 500, offset: 0 };

async fn import(store: &Store, draw: Draw) {
    store.write(move |tx| take_in(tx, &[draw], DrawSource::Import)).await.unwrap();
}

async fn accept(store: &Store) -> Outcome {
    store.write(|tx| decide_about(tx, 1245, None, true)).await.unwrap()
}

fn draw_1245(store: &Store) -> Draw {
    store.read_now(|tx| draws::find(tx, 1245)).unwrap().unwrap()
}

#[tokio::test]
async fn what_completed_a_draw_since_its_correction_is_there_after_it_is_taken_back_and_taken_again() {
    let store = store_with(&built_in()[..1244]).await;
    let complete = built_in()[1244].clone();
    let numbers_only = |bonus| Draw::with_numbers_only(1245, complete.numbers, bonus).unwrap();
    import(&store, numbers_only(13)).await;
    import(&store, numbers_only(complete.bonus)).await;
    assert_eq!(accept(&store).await.corrected, 1);
    import(&store, complete.clone()).await;
    assert_eq!(draw_1245(&store), complete);

    store.write(|tx| take_back(tx, 1245, None)).await.unwrap();
    let before = draw_1245(&store);
    assert_eq!((before.bonus, before.total_sales, before.prizes[0]), (13, complete.total_sales, complete.prizes[0]));
    assert_eq!((before.prizes[1].winners, before.prizes[2].winners), (None, None), "they belong to the other bonus");
    let asked = store.read_now(|tx| draws::latest(tx)).unwrap().undecided.remove(0);
    assert_eq!((asked.source, &asked.accepted), (DrawSource::Import, &complete));
    accept(&store).await;
    assert_eq!(draw_1245(&store), complete);
}

/// Draw 1246 as a file says it: its numbers and no more.
fn numbers_of_1246(bonus: u8) -> Draw {
    Draw::with_numbers_only(1246, Numbers::new([3, 11, 17, 24, 38, 44]).unwrap(), bonus).unwrap()
}

#[tokio::test]
async fn nothing_that_a_correction_brought_outlasts_it_and_all_of_it_is_there_again_when_it_is_taken_again() {
    let store = store_with(built_in()).await;
    import(&store, numbers_of_1246(9)).await;
    let ticket = serde_json::json!({"draw_no": 1246, "sets": [[3, 11, 17, 24, 38, 44]]});
    let ticket = serde_json::from_value(ticket).unwrap();
    let bought =
        store.write(move |tx| purchases::add(tx, NewPurchase::into_purchase(ticket, tx.now())?)).await.unwrap();
    let stands =
        || store.read_now(|tx| Ok((draws::find(tx, 1246)?.unwrap(), purchases::find(tx, bought.id)?))).unwrap();
    let before = stands();
    assert_eq!((&before.0, before.1.prize), (&numbers_of_1246(9), None), "it waits");

    let mut wrong = Draw { total_sales: Some(999_999_999), prizes: built_in()[1244].prizes, ..numbers_of_1246(10) };
    (wrong.prizes[0].winners, wrong.prizes[0].prize_each) = (Some(1), Some(2_000_000_000));
    wrong.first_prize_methods = Some(FirstPrizeMethods { auto: 1, manual: 0, semi_auto: 0 });
    wrong.settle().unwrap();
    import(&store, wrong.clone()).await;
    let accept = || store.write(|tx| decide_about(tx, 1246, None, true));
    for _ in 0..2 {
        accept().await.unwrap();
        let after = stands();
        assert_eq!((&after.0, after.1.prize), (&wrong, Some(2_000_000_000)));
        store.write(|tx| take_back(tx, 1246, None)).await.unwrap();
        assert_eq!(stands(), before);
    }
}

#[tokio::test]
async fn what_came_since_a_correction_stays_and_what_it_brought_goes_when_it_is_taken_back() {
    let store = store_with(&built_in()[..1244]).await;
    let complete = built_in()[1244].clone();
    let numbers_only = |bonus| Draw::with_numbers_only(1245, complete.numbers, bonus).unwrap();
    import(&store, numbers_only(13)).await;
    import(&store, Draw { total_sales: complete.total_sales, ..numbers_only(complete.bonus) }).await;
    accept(&store).await;
    import(&store, complete.clone()).await;
    assert_eq!(draw_1245(&store), complete);

    store.write(|tx| take_back(tx, 1245, None)).await.unwrap();
    let before = draw_1245(&store);
    assert_eq!((before.bonus, before.total_sales), (13, None));
    assert_eq!((before.prizes[0], before.prizes[3]), (complete.prizes[0], complete.prizes[3]));
    assert_eq!(before.first_prize_methods, complete.first_prize_methods);
    accept(&store).await;
    assert_eq!(draw_1245(&store), complete);
}

#[tokio::test]
async fn the_sales_of_a_draw_outlast_its_numbers() {
    let store = store_with(built_in()).await;
    let complete = built_in()[1244].clone();
    import(&store, numbers_of_1245([1, 2, 3, 6, 7, 8], 9)).await;
    accept(&store).await;
    let other = draw_1245(&store);
    assert_eq!((other.total_sales, other.prizes[0].winners), (complete.total_sales, None));
    store.write(|tx| take_back(tx, 1245, None)).await.unwrap();
    assert_eq!(draw_1245(&store), complete);
}

#[tokio::test]
async fn a_correction_that_is_not_the_newest_any_more_cannot_be_taken_back_by_its_number() {
    let store = store_with(built_in()).await;
    for bonus in [13, 14] {
        import(&store, Draw { bonus, ..built_in()[1244].clone() }).await;
        accept(&store).await;
    }
    let corrections = store.read_now(|tx| corrections::corrections(tx, ALL)).unwrap().0;
    let ids: Vec<u64> = corrections.iter().map(|correction| correction.id).collect();
    assert_eq!((ids.as_slice(), corrections[0].after.bonus), ([2, 1].as_slice(), 14));
    let stale = store.write(|tx| take_back(tx, 1245, Some(1))).await.unwrap_err();
    assert_eq!(stale.kind, Kind::Conflict);
    assert_eq!(draw_1245(&store).bonus, 14, "nothing was taken back");
    store.write(|tx| take_back(tx, 1245, Some(2))).await.unwrap();
    store.write(|tx| take_back(tx, 1245, Some(1))).await.unwrap();
    assert_eq!(draw_1245(&store).bonus, built_in()[1244].bonus);
}

#[tokio::test]
async fn sixty_decisions_are_sixty_and_every_one_of_them_can_be_reached() {
    let store = store_with(built_in()).await;
    for draw in &built_in()[1185..] {
        let bonus = (1..=45).find(|bonus| *bonus != draw.bonus && !draw.numbers.contains(*bonus)).unwrap();
        import(&store, Draw { bonus, ..draw.clone() }).await;
    }
    store.write(|tx| take_from_operator(tx, vec![received(another_1245())])).await.unwrap();
    let latest = store.read_now(|tx| draws::latest(tx)).unwrap();
    assert_eq!((latest.decisions, latest.undecided.len()), (61, 10));
    let today = store.read_now(|tx| LotteryToday::read(tx, &Config::default())).unwrap();
    assert_eq!(today.draw.undecided, 61);
    let page = |limit, offset| store.read_now(move |tx| corrections::decisions(tx, Page { limit, offset })).unwrap();
    let of = |page: &Decisions| page.undecided.iter().map(|one| (one.draw_no, one.source)).collect::<Vec<_>>();
    let mut reached = Vec::new();
    for offset in [0, 25, 50, 75] {
        let part = page(25, offset);
        assert_eq!(part.total, 61);
        reached.extend(of(&part));
    }
    assert_eq!(reached, of(&page(500, 0)));
    assert_eq!((reached.len(), reached[0], reached[1].0), (61, (1245, DrawSource::Operator), 1245));

    for draw in built_in()[1185..].iter().rev() {
        let draw_no = draw.draw_no;
        store.write(move |tx| decide_about(tx, draw_no, Some(DrawSource::Import), true)).await.unwrap();
    }
    let latest = store.read_now(|tx| draws::latest(tx)).unwrap();
    assert_eq!((latest.corrections.len(), latest.corrected), (10, 60));
    let (rest, total) = store.read_now(|tx| corrections::corrections(tx, Page { limit: 500, offset: 10 })).unwrap();
    assert_eq!((rest.len(), total, rest.last().unwrap().draw_no), (50, 60, 1245));
}

/// Whose draws against 1245 wait for the household, and with which bonus.
fn waiting(store: &Store) -> Vec<(DrawSource, u8)> {
    let undecided = store.read_now(|tx| draws::latest(tx)).unwrap().undecided;
    let mut waiting: Vec<_> = undecided.into_iter().map(|one| (one.source, one.accepted.bonus)).collect();
    waiting.sort_by_key(|(_, bonus)| *bonus);
    waiting
}

#[tokio::test]
async fn a_correction_that_is_taken_back_takes_no_question_of_another_source_with_it() {
    let with_bonus = |bonus| Draw { bonus, ..built_in()[1244].clone() };
    let (operator, file) = ((DrawSource::Operator, 13), (DrawSource::Import, 14));
    let decides = |accept, source| move |tx: &WriteTx| decide_about(tx, 1245, Some(source), accept);
    let says = |bonus| move |tx: &WriteTx| take_from_operator(tx, vec![received(with_bonus(bonus))]);
    let both = || async {
        let store = store_with(built_in()).await;
        store.write(says(13)).await.unwrap();
        import(&store, with_bonus(14)).await;
        assert_eq!(waiting(&store), [operator, file]);
        store
    };
    let undo = |tx: &WriteTx| take_back(tx, 1245, None);

    let store = both().await;
    store.write(decides(true, DrawSource::Import)).await.unwrap();
    assert_eq!(waiting(&store), []);
    store.write(undo).await.unwrap();
    assert_eq!(waiting(&store), [operator, file], "nobody has decided about the operator's");

    // What was refused before stays so, and what was said since is asked about instead of what was said before.
    store.write(decides(false, DrawSource::Operator)).await.unwrap();
    store.write(decides(true, DrawSource::Import)).await.unwrap();
    store.write(undo).await.unwrap();
    store.write(says(13)).await.unwrap();
    assert_eq!(waiting(&store), [file]);
    let store = both().await;
    store.write(decides(true, DrawSource::Import)).await.unwrap();
    store.write(says(15)).await.unwrap();
    store.write(undo).await.unwrap();
    assert_eq!(waiting(&store), [file, (DrawSource::Operator, 15)]);
}

/// What the operator says of draw `draw_no`, dated so many days after it was held.
fn late(draw_no: u32, days: i64) -> ReceivedDraw {
    let draw = Draw { draw_no, ..numbers_of_1246(9) };
    let held = hanok_calc::lottery::draw::date_of(draw_no).unwrap();
    ReceivedDraw { dated: held + chrono::Duration::days(days), draw: Draw { date: held, ..draw } }
}

/// How many decisions are new with what the operator says, and how many wait then.
async fn asked(store: &Store, said: ReceivedDraw) -> (u64, u64) {
    let new = store.write(move |tx| take_from_operator(tx, vec![said])).await.unwrap().conflicts;
    (new, store.read_now(|tx| corrections::count_decisions(tx)).unwrap())
}

async fn refuse(store: &Store, draw_no: u32) {
    store.write(move |tx| decide_about(tx, draw_no, Some(DrawSource::Operator), false)).await.unwrap();
}

#[tokio::test]
async fn what_cannot_be_a_draw_and_was_refused_is_asked_about_again_only_after_something_else_was_sent() {
    let store = store_with(built_in()).await;
    assert_eq!(asked(&store, late(1246, 1)).await, (1, 1));
    assert_eq!(asked(&store, late(1246, 1)).await, (0, 1), "it waits");
    refuse(&store, 1246).await;
    for _ in 0..2 {
        assert_eq!(asked(&store, late(1246, 1)).await, (0, 0));
    }
    assert_eq!(asked(&store, late(1245, 1)).await, (1, 1), "of another draw nobody has decided");
    refuse(&store, 1245).await;
    assert_eq!(asked(&store, late(1246, 2)).await, (1, 1));
    assert_eq!(asked(&store, late(1246, 1)).await, (1, 1), "in the place of what was said between");
    refuse(&store, 1246).await;
    assert_eq!(asked(&store, late(1246, 0)).await, (0, 0));
    assert_eq!(asked(&store, late(1246, 1)).await, (1, 1), "the right row was sent between");
}

#[tokio::test]
async fn a_refusal_of_what_cannot_be_a_draw_outlasts_a_decision_about_another_source_and_its_undoing() {
    let store = store_with(built_in()).await;
    assert_eq!(asked(&store, late(1245, 1)).await, (1, 1));
    refuse(&store, 1245).await;
    import(&store, Draw { bonus: 14, ..built_in()[1244].clone() }).await;
    accept(&store).await;
    assert_eq!(asked(&store, late(1245, 1)).await, (0, 0));
    store.write(|tx| take_back(tx, 1245, None)).await.unwrap();
    assert_eq!(asked(&store, late(1245, 1)).await, (0, 1), "what was taken back waits, and nothing else");
    assert_eq!(waiting(&store), [(DrawSource::Import, 14)]);
}

#[tokio::test]
async fn what_cannot_be_a_draw_takes_no_draw_in_that_was_sent_before_it() {
    let store = store_with(built_in()).await;
    for is_refused in [false, true] {
        assert_eq!(asked(&store, received(another_1245())).await, (1, 1));
        if is_refused {
            refuse(&store, 1245).await;
        }
        assert_eq!(asked(&store, late(1245, 1)).await, (1, 1));
        let latest = store.read_now(|tx| draws::latest(tx)).unwrap();
        assert_eq!((latest.undecided.len(), latest.conflicts[0].can_be_accepted), (0, false));
        let taken = store.write(|tx| decide_about(tx, 1245, None, true)).await.unwrap_err();
        assert_eq!((taken.kind, draw_1245(&store)), (Kind::Conflict, built_in()[1244].clone()));
    }
    assert_eq!(
        asked(&store, received(another_1245())).await,
        (0, 0),
        "that was refused, and the other is not said any more"
    );
}

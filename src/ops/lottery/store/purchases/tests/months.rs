//! Months end at midnight in Seoul; what is changed, removed, drawn and paid out later moves between them.

use super::*;

/// Each month, newest first: won paid, waiting and won, and paid and won so far.
fn listed(store: &Store) -> Vec<(String, [u64; 5])> {
    let months = store.read_now(|tx| months(tx)).unwrap();
    let figures =
        |one: &MonthStatistics| [one.invested, one.waiting_invested, one.prize, one.invested_so_far, one.prize_so_far];
    months.iter().map(|one| (one.month.clone(), figures(one))).collect()
}

fn month(name: &str, figures: [u64; 5]) -> (String, [u64; 5]) {
    (name.to_owned(), figures)
}

struct Household {
    store: Store,
    clock: Clock,
}

impl Household {
    fn new() -> Household {
        let clock = Clock::fixed("2026-09-01T00:00:00Z".parse().unwrap());
        Household { store: Store::memory(clock.clone(), Events::default()).unwrap(), clock }
    }

    async fn writes_down(&self, at: &str, draw_no: i64, games: i64, prize: Option<i64>) -> Purchase {
        self.clock.set(at.parse().unwrap());
        let new = NewPurchase {
            draw_no: Some(Validated::of(draw_no.into())),
            count: Some(Validated::of(games.into())),
            prize: prize.map(|prize| Validated::of(prize.into())),
            ..NewPurchase::default()
        };
        self.store.write(move |tx| add(tx, new.into_purchase(tx.now())?)).await.unwrap()
    }
}

#[tokio::test]
async fn a_purchase_counts_in_the_month_of_seoul_in_which_it_was_written_down() {
    let house = Household::new();
    // 23:59:59 on 31 October in Seoul, and the second after: in Greenwich both are of the 31st.
    house.writes_down("2026-10-31T14:59:59Z", 1_249, 5, None).await;
    house.writes_down("2026-10-31T15:00:00Z", 1_249, 3, None).await;
    let expected = [month("2026-11", [3_000, 3_000, 0, 8_000, 0]), month("2026-10", [5_000, 5_000, 0, 5_000, 0])];
    assert_eq!(listed(&house.store), expected);
    let this_month = |at: &str| {
        house.clock.set(at.parse().unwrap());
        let ThisMonth { month, invested, limit } = house.store.read_now(|tx| spent_this_month(tx, 0)).unwrap();
        assert_eq!(limit, None, "0 is no limit");
        (month, invested)
    };
    assert_eq!(this_month("2026-11-30T14:59:59Z"), ("2026-11".to_owned(), 3_000));
    assert_eq!(this_month("2026-11-30T15:00:00Z"), ("2026-12".to_owned(), 0));
    assert_eq!(listed(&house.store)[0], month("2026-12", [0, 0, 0, 8_000, 0]), "a month without any is a month");
}

#[tokio::test]
async fn what_is_written_down_after_its_draw_counts_in_the_month_of_the_draw() {
    let house = Household::new();
    house.store.write(|tx| draws::receive(tx, &built_in()[1_244..], DrawSource::BuiltIn)).await.unwrap();
    // Held on 10 October 2026 and on 7 December 2002, when a game cost 2,000 won.
    house.writes_down("2026-12-31T14:59:59Z", 1_245, 2, Some(5_000)).await;
    assert_eq!(listed(&house.store).last(), Some(&month("2026-10", [2_000, 0, 5_000, 2_000, 5_000])));
    house.writes_down("2026-12-31T14:59:59Z", 1, 1, None).await;
    let months = listed(&house.store);
    assert_eq!(months.len(), 289, "December 2002 to December 2026");
    assert_eq!(months.last(), Some(&month("2002-12", [2_000, 2_000, 0, 2_000, 0])));
    assert_eq!(months[0], month("2026-12", [0, 0, 0, 4_000, 5_000]));
}

#[tokio::test]
async fn prizes_that_arrive_later_count_in_the_month_of_the_draw_and_what_they_were_paid_for_stops_waiting() {
    let house = Household::new();
    house.clock.set("2026-09-30T14:59:59Z".parse().unwrap());
    // Five numbers and the bonus of draw 1245: 55,064,392 won, which are published after the numbers.
    let new = NewPurchase {
        draw_no: Some(Validated::of(1_245.into())),
        sets: Some(Validated::of(sent_sets(vec![vec![4, 5, 25, 28, 32, 12]]))),
        ..NewPurchase::default()
    };
    house.store.write(move |tx| add(tx, new.into_purchase(tx.now())?)).await.unwrap();
    house.clock.set("2026-10-10T12:00:00Z".parse().unwrap());
    let waits = [month("2026-10", [0, 0, 0, 1_000, 0]), month("2026-09", [1_000, 1_000, 0, 1_000, 0])];
    assert_eq!(listed(&house.store), waits);
    for with_prizes in [false, true] {
        let drawn = Happening::Drawn { draw_no: 1_245, with_prizes };
        assert_eq!(listed(&house.store), waits, "the numbers alone tell no prize");
        house.store.write(move |tx| happen(tx, drawn)).await.unwrap();
    }
    let won = [month("2026-10", [0, 0, 55_064_392, 1_000, 55_064_392]), month("2026-09", [1_000, 0, 0, 1_000, 0])];
    assert_eq!(listed(&house.store), won);
}

#[tokio::test]
async fn a_purchase_that_is_changed_or_removed_leaves_nothing_in_its_month() {
    let house = Household::new();
    let first = house.writes_down("2026-10-30T03:00:00Z", 1_248, 4, None).await;
    let second = house.writes_down("2026-11-02T03:00:00Z", 1_249, 2, None).await;
    let october = |figures| month("2026-10", figures);
    let changes = PurchaseChanges {
        draw_no: Patch::to(Validated::of(1_247.into())),
        amount: Patch::to(Validated::of(7_500.into())),
        ..PurchaseChanges::default()
    };
    let id = second.id;
    // Bought for a draw that was held on 24 October, so not in November.
    house.store.write(move |tx| change(tx, id, changes)).await.unwrap();
    let both = [month("2026-11", [0, 0, 0, 11_500, 0]), october([11_500, 11_500, 0, 11_500, 0])];
    assert_eq!(listed(&house.store), both);
    house.store.write(move |tx| remove(tx, first.id)).await.unwrap();
    assert_eq!(listed(&house.store)[1], october([7_500, 7_500, 0, 7_500, 0]));
    house.store.write(move |tx| remove(tx, id)).await.unwrap();
    assert_eq!(listed(&house.store), []);
}

#[tokio::test]
async fn a_store_from_before_the_months_gets_them() {
    let house = Household::new();
    house.writes_down("2026-10-30T03:00:00Z", 1_248, 4, None).await;
    let before = listed(&house.store);
    const MONTH_TOTALS: Table<u64, Paid> = Table::new("lottery_purchase_month_totals-1");
    house.store.write(|tx| tx.clear(&MONTH_TOTALS)).await.unwrap();
    let add_up = step("each month");
    assert!(house.store.read_now(|tx| add_up.is_needed(tx)).unwrap());
    house.store.write(move |tx| add_up.apply(tx)).await.unwrap();
    assert_eq!(listed(&house.store), before);
}

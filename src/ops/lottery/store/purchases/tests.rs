use hanok_base::Sent;
use proptest::prelude::*;
use tokio::runtime::Runtime;

use super::super::super::model::{DrawSource, SentGames};
use super::super::MIGRATIONS;
use super::*;
use hanok_base::Clock;
use hanok_calc::lottery::import::built_in;
use hanok_platform::events::Events;
use hanok_platform::store::{Declared, Store, Table};

fn store() -> Store {
    let sunday = "2026-10-11T03:00:00Z".parse().unwrap();
    Store::memory(Clock::held(sunday), Events::default()).unwrap()
}

fn page() -> Page {
    Page { limit: 500, offset: 0 }
}

/// One thing that may happen to the purchases.
#[derive(Debug, Clone)]
enum Happening {
    Bought { draw_no: i64, sets: Option<Vec<Vec<i64>>>, count: i64, prize: Option<i64> },
    Changed { which: usize, draw_no: i64, sets: Option<Vec<Vec<i64>>>, amount: i64 },
    Removed { which: usize },
    Drawn { draw_no: usize, with_prizes: bool },
}

fn sets() -> impl Strategy<Value = Option<Vec<Vec<i64>>>> {
    // Numbers of draw 1245 and few others, so that prizes are won.
    let near = proptest::sample::subsequence(vec![4i64, 5, 12, 25, 28, 32, 42, 1, 2], 6);
    proptest::option::of(proptest::collection::vec(near, 1..4))
}

fn happening() -> impl Strategy<Value = Happening> {
    let draw_no = 1244i64..1248;
    prop_oneof![
        3 => (draw_no.clone(), sets(), 1i64..6, proptest::option::of(0i64..100_000))
            .prop_map(|(draw_no, sets, count, prize)| Happening::Bought { draw_no, sets, count, prize }),
        2 => (0usize..20, draw_no, sets(), 0i64..9_000)
            .prop_map(|(which, draw_no, sets, amount)| Happening::Changed { which, draw_no, sets, amount }),
        1 => (0usize..20).prop_map(|which| Happening::Removed { which }),
        2 => (1244usize..1246, any::<bool>()).prop_map(|(draw_no, with_prizes)| Happening::Drawn { draw_no, with_prizes }),
    ]
}

fn sent_sets(sets: Vec<Vec<i64>>) -> SentGames {
    let set = |set: Vec<i64>| Sent::of(set.into_iter().map(|number| Sent::of(number.into())).collect());
    SentGames::Sets(sets.into_iter().map(set).collect())
}

fn happen(tx: &WriteTx, happening: Happening) -> Result<()> {
    let ids = by_draw(tx, None, page())?.0;
    let chosen = |which: usize| ids.get(which % ids.len().max(1)).copied();
    match happening {
        Happening::Bought { draw_no, sets, count, prize } => {
            let prize = prize.filter(|_| sets.is_none());
            let games = sets.map_or(SentGames::Count(count.into()), sent_sets);
            let new = NewPurchase {
                draw_no: Some(Sent::of(draw_no.into())),
                sets: Some(Sent::of(games)),
                prize: prize.map(|prize| Sent::of(prize.into())),
                ..NewPurchase::default()
            };
            add(tx, new).map(drop)
        }
        Happening::Changed { which, draw_no, sets, amount } => {
            let Some(id) = chosen(which) else { return Ok(()) };
            let (draw_no, sets, amount) = (Some(draw_no), sets.map(sent_sets).map(Sent::of), Some(amount));
            change(
                tx,
                id,
                PurchaseChanges {
                    draw_no: draw_no.map(|no| Sent::of(no.into())),
                    sets,
                    amount: amount.map(|won| Sent::of(won.into())),
                    ..PurchaseChanges::default()
                },
            )
            .map(drop)
        }
        Happening::Removed { which } => chosen(which).map_or(Ok(()), |id| remove(tx, id).map(drop)),
        Happening::Drawn { draw_no, with_prizes } => {
            let whole = built_in()[draw_no - 1].clone();
            let numbers = Draw::with_numbers_only(whole.draw_no, whole.numbers, whole.bonus)?;
            draws::receive(tx, &[if with_prizes { whole } else { numbers }], DrawSource::Operator)?;
            let known = draws::find(tx, draw_no as u32)?.ok_or_else(|| Error::not_found("draw"))?;
            check_against(tx, &known).map(drop)
        }
    }
}

fn recomputed(tx: &impl Reads) -> Result<(Totals, u64, Vec<DrawTotals>)> {
    let rows = tx.values(&PURCHASES, 0.., Order::Ascending, 0, usize::MAX)?;
    let mut all = Totals::default();
    let mut by_draw: std::collections::BTreeMap<u32, DrawTotals> = Default::default();
    for row in &rows {
        let mut again = row.clone();
        again.check(draws::find(tx, row.draw_no)?.as_ref());
        assert_eq!(&again, row, "what is stored is what its draw says");
        all.add(row);
        by_draw.entry(row.draw_no).or_default().add(row);
    }
    let largest = rows.iter().filter_map(|row| row.prize).max().unwrap_or(0);
    Ok((all, largest, by_draw.into_values().rev().collect()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_running_totals_are_what_adding_up_all_rows_gives(
        happenings in proptest::collection::vec(happening(), 1..25),
    ) {
        Runtime::new().unwrap().block_on(async {
            let store = store();
            for happening in happenings {
                store.write(move |tx| happen(tx, happening)).await.unwrap();
                let (kept, expected) = store
                    .read(|tx| Ok(((totals(tx)?, largest_prize(tx)?, newest_draw_totals(tx, 52)?), recomputed(tx)?)))
                    .await
                    .unwrap();
                assert_eq!(kept, expected);
                assert_eq!(store.read(|tx| PURCHASES.flaws(tx)).await.unwrap(), [""; 0]);
            }
        });
    }
}

async fn bought(store: &Store, draw_no: i64) -> Purchase {
    let new = NewPurchase {
        draw_no: Some(Sent::of(draw_no.into())),
        count: Some(Sent::of(5.into())),
        ..NewPurchase::default()
    };
    store.write(move |tx| add(tx, new)).await.unwrap()
}

#[tokio::test]
async fn a_list_is_ordered_by_draw_and_age_and_counts_what_it_filters() {
    let store = store();
    for draw_no in [1246, 1250, 1246, 1245] {
        bought(&store, draw_no).await;
    }
    let ids = |filter, page| {
        let store = store.clone();
        async move {
            let (purchases, total) = store.read(move |tx| list(tx, filter, page)).await.unwrap();
            (purchases.iter().map(|purchase| purchase.id).collect::<Vec<_>>(), total)
        }
    };
    let all = Filter::default();
    assert_eq!(ids(all, page()).await, (vec![2, 3, 1, 4], 4));
    assert_eq!(ids(all, Page { limit: 2, offset: 1 }).await, (vec![3, 1], 4));
    assert_eq!(ids(Filter { draw_no: Some(1246), ..all }, page()).await, (vec![3, 1], 2));
    assert_eq!(ids(Filter { draw_no: Some(1), ..all }, page()).await, (vec![], 0));
    assert_eq!(ids(Filter { days: Some(7), draw_no: Some(1246) }, page()).await, (vec![3, 1], 2));
    assert_eq!(ids(Filter { days: Some(7), ..all }, Page { limit: 1, offset: 1 }).await, (vec![3], 4));
}

#[tokio::test]
async fn only_purchases_of_the_last_days_are_listed() {
    let (clock, events) = (Clock::held("2026-10-11T03:00:00Z".parse().unwrap()), Events::default());
    let store = Store::memory(clock.clone(), events).unwrap();
    bought(&store, 1246).await;
    clock.set("2026-10-21T03:00:00Z".parse().unwrap());
    let recent = bought(&store, 1247).await;
    let week = Filter { days: Some(7), draw_no: None };
    let (purchases, total) = store.read(move |tx| list(tx, week, page())).await.unwrap();
    assert_eq!((purchases, total), (vec![recent], 1));
}

#[tokio::test]
async fn a_store_from_before_the_counts_gets_them() {
    let store = store();
    for draw_no in [1246, 1250, 1246] {
        bought(&store, draw_no).await;
    }
    let counted = |store: &Store| store.read_now(|tx| BY_DAY.total(tx)).unwrap();
    const COUNTS: Table<(u64, u64), u64> = Table::new("lottery_purchases_by_day-1");
    store.write(|tx| tx.clear(&COUNTS)).await.unwrap();
    assert_eq!(counted(&store), 0);
    let count = MIGRATIONS.iter().find(|step| step.name.contains("purchases")).unwrap();
    assert!(store.read_now(count.needed).unwrap());
    store.write(count.apply).await.unwrap();
    assert_eq!(counted(&store), 3);
    assert!(!store.read_now(count.needed).unwrap(), "once is enough");
}

#[tokio::test]
async fn whichever_way_the_last_days_are_walked_the_page_is_the_same() {
    let clock = Clock::held("2026-10-11T03:00:00Z".parse().unwrap());
    let store = Store::memory(clock.clone(), Events::default()).unwrap();
    for hours in 0..120 {
        clock.set("2026-10-11T03:00:00Z".parse::<DateTime<Utc>>().unwrap() + Duration::hours(hours));
        bought(&store, 1240 + hours * 7 % 11).await;
    }
    let read = |filter, page| store.read_now(|tx| list(tx, filter, page)).unwrap();
    let everything = read(Filter::default(), page()).0;
    for days in 1..6 {
        let since = clock.now() - Duration::days(i64::from(days));
        let young: Vec<Purchase> = everything.iter().filter(|one| one.created_at >= since).cloned().collect();
        for (offset, limit) in [(0, 1), (0, 30), (5, 3), (40, 500), (200, 10)] {
            let (purchases, total) = read(Filter { days: Some(days), draw_no: None }, Page { limit, offset });
            let expected: Vec<Purchase> = young.iter().skip(offset).take(limit).cloned().collect();
            assert_eq!((purchases, total), (expected, young.len() as u64), "{days} days, {limit} from {offset}");
        }
    }
}

#[tokio::test]
async fn a_refused_change_leaves_everything_as_it_was() {
    let store = store();
    let before = bought(&store, 1246).await;
    let wrong = PurchaseChanges { amount: Some(Sent::of((-1).into())), ..PurchaseChanges::default() };
    assert!(store.write(move |tx| change(tx, 1, wrong)).await.is_err());
    let (rows, totals) = store.read(|tx| Ok((list(tx, Filter::default(), page())?.0, totals(tx)?))).await.unwrap();
    assert_eq!((rows, totals.records), (vec![before], 1));
    assert!(store.write(|tx| remove(tx, 99)).await.is_err());
}

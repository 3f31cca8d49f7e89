mod entered;
mod months;

use hanok_base::Validated;
use hanok_base::patch::Patch;
use proptest::prelude::*;
use tokio::runtime::Runtime;

use super::super::super::model::{DrawSource, NewPurchase, SentGames};
use super::super::DERIVATIONS;
use super::*;
use hanok_base::Clock;
use hanok_calc::lottery::import::built_in;
use hanok_platform::events::Events;
use hanok_platform::store::{Declared, Schema, Step, Store, Table};

fn store() -> Store {
    let sunday = "2026-10-11T03:00:00Z".parse().unwrap();
    Store::memory(Clock::fixed(sunday), Events::default()).unwrap()
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
    let set = |set: Vec<i64>| Validated::of(set.into_iter().map(|number| Validated::of(number.into())).collect());
    SentGames::Sets(sets.into_iter().map(set).collect())
}

fn happen(tx: &WriteTx, happening: Happening) -> Result<()> {
    let ids: Vec<u64> = list(tx, Filter::default(), page())?.0.into_iter().map(|purchase| purchase.id).collect();
    let chosen = |which: usize| ids.get(which % ids.len().max(1)).copied();
    match happening {
        Happening::Bought { draw_no, sets, count, prize } => {
            // A prize of a draw that has not been held is refused.
            let prize = prize.filter(|_| sets.is_none() && draw_no <= 1_245);
            let games = sets.map_or(SentGames::Count(count.into()), sent_sets);
            let new = NewPurchase {
                draw_no: Some(Validated::of(draw_no.into())),
                sets: Some(Validated::of(games)),
                prize: prize.map(|prize| Validated::of(prize.into())),
                ..NewPurchase::default()
            };
            add(tx, new.into_purchase(tx.now())?).map(drop)
        }
        Happening::Changed { which, draw_no, sets, amount } => {
            let Some(id) = chosen(which) else { return Ok(()) };
            let changes = PurchaseChanges {
                draw_no: Patch::to(Validated::of(draw_no.into())),
                sets: sets.map(sent_sets).map(Validated::of).map(Patch::to).unwrap_or_default(),
                amount: Patch::to(Validated::of(amount.into())),
                // A prize that was entered is given up with its draw.
                prize: serde_json::from_value(serde_json::Value::Null).unwrap(),
                ..PurchaseChanges::default()
            };
            change(tx, id, changes).map(drop)
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

fn recomputed(tx: &impl ReadTransaction) -> Result<(Totals, u64, Vec<DrawTotals>)> {
    let rows = tx.values(&PURCHASES, 0.., Order::Ascending, 0, usize::MAX)?;
    let mut all = Totals::default();
    let mut by_draw: std::collections::BTreeMap<u32, DrawTotals> = Default::default();
    for row in &rows {
        let mut again = row.clone();
        again.check(draws::find(tx, row.draw_no)?.as_ref());
        assert_eq!(&again, row, "what is stored is what its draw says");
        all.count(row, u64::saturating_add);
        by_draw.entry(row.draw_no).or_default().count(row, u64::saturating_add);
    }
    let largest = rows.iter().filter(|row| row.is_settled()).filter_map(|row| row.prize).max().unwrap_or(0);
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
                assert_eq!(store.read(|tx| PURCHASES.flaws(tx)).await.unwrap().all(), [""; 0]);
            }
        });
    }
}

async fn bought(store: &Store, draw_no: i64) -> Purchase {
    let new = NewPurchase {
        draw_no: Some(Validated::of(draw_no.into())),
        count: Some(Validated::of(5.into())),
        ..NewPurchase::default()
    };
    store.write(move |tx| add(tx, new.into_purchase(tx.now())?)).await.unwrap()
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
async fn days_count_the_days_of_draws_and_not_when_it_was_written_down() {
    let clock = Clock::fixed("2026-10-22T03:00:00Z".parse().unwrap());
    let store = Store::memory(clock.clone(), Events::default()).unwrap();
    // Held on 3, 10 and 17 October; 1247 is held on the 24th. All are written down on the 22nd.
    for draw_no in [1244, 1245, 1246, 1247] {
        bought(&store, draw_no).await;
    }
    let draws = |days, draw_no| {
        let (purchases, total) = store.read_now(|tx| list(tx, Filter { days: Some(days), draw_no }, page())).unwrap();
        assert_eq!(total, purchases.len() as u64);
        purchases.iter().map(|purchase| purchase.draw_no).collect::<Vec<_>>()
    };
    assert_eq!(draws(5, None), [1247]);
    assert_eq!(draws(6, None), [1247, 1246], "the day of the draw is the sixth, today the first");
    assert_eq!(draws(13, None), [1247, 1246, 1245]);
    assert_eq!(draws(36_500, None), [1247, 1246, 1245, 1244]);
    assert_eq!((draws(6, Some(1246)), draws(5, Some(1246))), (vec![1246], vec![]));
    let second = store.read_now(|tx| list(tx, Filter { days: Some(13), draw_no: None }, Page { limit: 1, offset: 1 }));
    let (purchases, total) = second.unwrap();
    assert_eq!((purchases[0].draw_no, total), (1246, 3));
}

#[tokio::test]
async fn four_weeks_hold_four_draws_on_whichever_day_one_asks() {
    let clock = Clock::fixed("2026-10-24T14:00:00Z".parse().unwrap());
    let store = Store::memory(clock.clone(), Events::default()).unwrap();
    for draw_no in 1241..=1247 {
        bought(&store, draw_no).await;
    }
    for hours in 0..7 * 24 {
        clock.set("2026-10-23T15:00:00Z".parse::<DateTime<Utc>>().unwrap() + Duration::hours(hours));
        let four_weeks = Filter { days: Some(28), draw_no: None };
        let (purchases, total) = store.read_now(|tx| list(tx, four_weeks, page())).unwrap();
        assert_eq!((purchases[0].draw_no, total), (1247, 4), "{hours} hours on");
    }
    clock.set("2026-10-24T14:00:00Z".parse().unwrap());
    let (_, total) = store.read_now(|tx| list(tx, Filter { days: Some(1), draw_no: None }, page())).unwrap();
    assert_eq!(total, 1, "one day is today");
}

#[tokio::test]
async fn games_that_wait_are_no_losses() {
    let store = store();
    store.write(|tx| draws::receive(tx, &built_in()[1_244..], DrawSource::BuiltIn)).await.unwrap();
    bought(&store, 1246).await;
    let by_hand = |prize: Option<i64>| NewPurchase {
        draw_no: Some(Validated::of(1245.into())),
        count: Some(Validated::of(2.into())),
        prize: prize.map(|prize| Validated::of(prize.into())),
        ..NewPurchase::default()
    };
    store.write(move |tx| add(tx, by_hand(None).into_purchase(tx.now())?)).await.unwrap();
    store.write(move |tx| add(tx, by_hand(Some(5_000)).into_purchase(tx.now())?)).await.unwrap();
    let read = |tx: &hanok_platform::store::ReadTx| Ok((totals(tx)?, newest_draw_totals(tx, 9)?));
    let (totals, by_draw) = store.read(read).await.unwrap();
    let statistics = totals.statistics(0, 0.5, &by_draw);
    assert_eq!((statistics.total_games, statistics.settled_games, statistics.waiting_games), (9, 2, 7));
    assert_eq!(
        (statistics.total_invested, statistics.settled_invested, statistics.waiting_invested),
        (9_000, 2_000, 7_000)
    );
    assert_eq!((statistics.net, statistics.return_rate, statistics.waiting), (3_000, 250.0, 1));
    assert_eq!((statistics.chance.games, statistics.chance.by_hand), (0, 2));
    let of_draws: Vec<_> =
        statistics.by_draw.iter().map(|draw| (draw.draw_no, draw.settled_invested, draw.prize)).collect();
    assert_eq!(of_draws, [(1246, 0, 0), (1245, 2_000, 5_000)]);
}

#[tokio::test]
async fn purchases_of_an_earlier_program_are_checked_by_the_rules_of_this_one() {
    let store = store();
    store.write(|tx| draws::receive(tx, &built_in()[..1_245], DrawSource::BuiltIn)).await.unwrap();
    let sets = vec![vec![4, 5, 25, 28, 32, 12]];
    let new = NewPurchase {
        draw_no: Some(Validated::of(1_245.into())),
        sets: Some(Validated::of(sent_sets(sets))),
        ..NewPurchase::default()
    };
    let now = store.write(|tx| add(tx, new.into_purchase(tx.now())?)).await.unwrap();
    assert_eq!((now.prize, now.tax), (Some(55_064_392), Some(12_113_946)));
    let mut before = now.clone();
    before.tax = None;
    before.results[0].tax = None;
    store.write(move |tx| PURCHASES.put(tx, &before)).await.unwrap();
    let step = step("settled games");
    assert!(store.read_now(|tx| step.is_needed(tx)).unwrap());
    store.write(move |tx| step.apply(tx)).await.unwrap();
    let (after, totals) = store.read_now(|tx| Ok((find(tx, now.id)?, totals(tx)?))).unwrap();
    assert_eq!((after, totals.tax, totals.paid.settled_invested), (now, 12_113_946, 1_000));
    assert_eq!(store.read_now(|tx| PURCHASES.flaws(tx)).unwrap().all(), [""; 0]);
}

#[tokio::test]
async fn the_tax_on_a_sum_that_an_earlier_program_took_for_one_prize_is_the_most_it_can_be() {
    let store = store();
    store.write(|tx| draws::receive(tx, &built_in()[..1_245], DrawSource::BuiltIn)).await.unwrap();
    let new = NewPurchase {
        draw_no: Some(Validated::of(1_245.into())),
        count: Some(Validated::of(2.into())),
        prize: Some(Validated::of(3_000_000.into())),
        ..NewPurchase::default()
    };
    let now = store.write(|tx| add(tx, new.into_purchase(tx.now())?)).await.unwrap();
    let before = Purchase { tax_at_most: false, ..now.clone() };
    store.write(move |tx| PURCHASES.put(tx, &before)).await.unwrap();
    assert_eq!(store.read_now(|tx| totals(tx)).unwrap().tax_at_most, 0);
    let step = step("most it can be");
    assert!(store.read_now(|tx| step.is_needed(tx)).unwrap());
    store.write(move |tx| step.apply(tx)).await.unwrap();
    let (after, totals) = store.read_now(|tx| Ok((find(tx, now.id)?, totals(tx)?))).unwrap();
    assert!(after.tax_at_most && after == now);
    assert_eq!((totals.tax, totals.tax_at_most), (659_780, 659_780));
    assert_eq!(store.read_now(|tx| PURCHASES.flaws(tx)).unwrap().all(), [""; 0]);
}

#[tokio::test]
async fn the_largest_prize_is_that_of_a_settled_purchase() {
    let store = store();
    store.write(|tx| draws::receive(tx, &built_in()[1_243..1_244], DrawSource::BuiltIn)).await.unwrap();
    // Draw 1245 is held, and not received yet.
    for (draw_no, prize) in [(1_244, 5_000), (1_245, 2_000_000)] {
        let new = NewPurchase {
            draw_no: Some(Validated::of(draw_no.into())),
            count: Some(Validated::of(2.into())),
            prize: Some(Validated::of(prize.into())),
            ..NewPurchase::default()
        };
        store.write(move |tx| add(tx, new.into_purchase(tx.now())?)).await.unwrap();
    }
    let largest = || store.read_now(|tx| Ok((totals(tx)?.prize, largest_prize(tx)?))).unwrap();
    assert_eq!(largest(), (2_005_000, 2_000_000));

    // A list of an earlier program that does not fit the rows.
    const BY_PRIZE: Table<(u64, u64), ()> = Table::new("lottery_purchases_by_prize-1");
    store.write(|tx| tx.put(&BY_PRIZE, (3_000_000, 2), &())).await.unwrap();
    assert_eq!(largest(), (2_005_000, 3_000_000));
    let step = step("largest prize");
    assert!(store.read_now(|tx| step.is_needed(tx)).unwrap());
    store.write(move |tx| step.apply(tx)).await.unwrap();
    assert_eq!(largest(), (2_005_000, 2_000_000));

    store.write(|tx| draws::receive(tx, &built_in()[1_244..1_245], DrawSource::BuiltIn)).await.unwrap();
    store.write(|tx| check_against(tx, &built_in()[1_244])).await.unwrap();
    assert_eq!(largest(), (2_005_000, 2_000_000));
}

#[tokio::test]
async fn a_store_from_before_the_counts_gets_them() {
    let store = store();
    for draw_no in [1246, 1250, 1246] {
        bought(&store, draw_no).await;
    }
    let counted = |store: &Store| store.read_now(|tx| totals(tx)).unwrap().paid.records;
    const TOTALS: Table<&str, Totals> = Table::new("lottery_purchase_totals-1");
    store.write(|tx| tx.clear(&TOTALS)).await.unwrap();
    assert_eq!(counted(&store), 0);
    let count = step("purchases");
    assert!(store.read_now(|tx| count.is_needed(tx)).unwrap());
    store.write(move |tx| count.apply(tx)).await.unwrap();
    assert_eq!(counted(&store), 3);
    assert!(!store.read_now(|tx| count.is_needed(tx)).unwrap(), "once is enough");
}

fn step(part: &str) -> Step {
    let schema = Schema::default().deriving(DERIVATIONS);
    schema.steps().iter().find(|step| step.name.contains(part)).copied().unwrap()
}

#[tokio::test]
async fn a_refused_change_leaves_everything_as_it_was() {
    let store = store();
    let before = bought(&store, 1246).await;
    let wrong = PurchaseChanges { amount: Patch::to(Validated::of((-1).into())), ..PurchaseChanges::default() };
    assert!(store.write(move |tx| change(tx, 1, wrong)).await.is_err());
    let (rows, totals) = store.read(|tx| Ok((list(tx, Filter::default(), page())?.0, totals(tx)?))).await.unwrap();
    assert_eq!((rows, totals.paid.records), (vec![before], 1));
    assert!(store.write(|tx| remove(tx, 99)).await.is_err());
}

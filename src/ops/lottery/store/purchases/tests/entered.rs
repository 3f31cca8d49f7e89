//! A prize that was entered by hand counts from then on, whether its draw is fetched or not.

use super::super::super::super::model::{PurchaseStatus, write_table};
use super::*;

/// Eight games of draw 1245, which is held and not received yet, and won 400,000,000 won.
fn new() -> NewPurchase {
    NewPurchase {
        draw_no: Some(Validated::of(1_245.into())),
        count: Some(Validated::of(8.into())),
        prize: Some(Validated::of(400_000_000.into())),
        ..NewPurchase::default()
    }
}

/// What the totals, the draw, the month and the table say of it.
fn told(store: &Store) -> (Totals, Vec<DrawTotals>, Vec<MonthStatistics>, u64, String) {
    let read = |tx: &hanok_platform::store::ReadTx| {
        let table = write_table(all(tx)?.iter(), false)?;
        Ok((totals(tx)?, newest_draw_totals(tx, 9)?, months(tx)?, largest_prize(tx)?, table))
    };
    store.read_now(read).unwrap()
}

#[tokio::test]
async fn a_prize_of_a_draw_that_is_held_but_not_received_counts_wherever_prizes_are_counted() {
    let store = store();
    let row = store.write(|tx| add(tx, new().into_purchase(tx.now())?)).await.unwrap();
    // 22 % of 300,000,000 and 33 % of 99,999,000 won.
    let (tax, net) = (66_000_000 + 32_999_670, 399_992_000);
    assert_eq!((row.status, row.net, row.tax), (PurchaseStatus::Manual, Some(net), Some(tax)));
    let (totals, draws, months, largest, table) = told(&store);
    let statistics = totals.statistics(largest, 0.5, &draws);
    assert_eq!((statistics.net, statistics.total_prize, statistics.total_tax), (net, 400_000_000, tax));
    assert_eq!((statistics.settled_games, statistics.waiting_games, statistics.waiting), (8, 0, 0));
    assert_eq!((draws[0].prize, draws[0].waiting, largest), (400_000_000, 0, 400_000_000));
    assert_eq!((months[0].prize, months[0].waiting_invested), (400_000_000, 0));
    assert!(table.contains(",400000000,,,manual,"), "{table}");

    // The draw says nothing new of it.
    store.write(|tx| draws::receive(tx, &built_in()[1_244..1_245], DrawSource::Operator)).await.unwrap();
    store.write(|tx| check_against(tx, &built_in()[1_244])).await.unwrap();
    assert_eq!(store.read_now(|tx| find(tx, row.id)).unwrap(), row);

    // A prize that is taken back is waited for again.
    let cleared: PurchaseChanges = serde_json::from_str(r#"{"prize": null}"#).unwrap();
    let (id, other) = (row.id, store_without_draws(&row).await);
    let cleared = other.write(move |tx| change(tx, id, cleared)).await.unwrap();
    assert_eq!((cleared.status, cleared.net, cleared.tax), (PurchaseStatus::Waiting, None, None));
}

async fn store_without_draws(row: &Purchase) -> Store {
    let (store, row) = (store(), row.clone());
    store.write(move |tx| PURCHASES.put(tx, &row)).await.unwrap();
    store
}

#[tokio::test]
async fn a_prize_that_an_earlier_program_left_out_until_its_draw_came_is_counted() {
    let store = store();
    let now = store.write(|tx| add(tx, new().into_purchase(tx.now())?)).await.unwrap();
    let counted = told(&store);
    let before = Purchase { status: PurchaseStatus::Waiting, tax: None, tax_at_most: false, ..now.clone() };
    store.write(move |tx| PURCHASES.put(tx, &before)).await.unwrap();
    let step = step("entered before its draw");
    assert!(store.read_now(|tx| step.is_needed(tx)).unwrap());
    store.write(move |tx| step.apply(tx)).await.unwrap();
    assert_eq!((store.read_now(|tx| find(tx, now.id)).unwrap(), told(&store)), (now, counted));
    assert_eq!(store.read_now(|tx| PURCHASES.flaws(tx)).unwrap().all(), [""; 0]);
}

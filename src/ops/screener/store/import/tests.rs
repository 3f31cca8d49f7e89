use chrono::NaiveDate;
use tokio::runtime::Runtime;

use super::super::super::model::demo;
use super::super::super::model::table::read_table;
use super::super::bars::{state, universe};
use super::*;
use hanok_base::Clock;
use hanok_calc::exchange::Market;
use hanok_platform::events::Events;
use hanok_platform::store::Store;

const TITLES: &str =
    "Date,Code,Name,Market,Dept,Close,ChangeCode,Changes,ChagesRatio,Open,High,Low,Volume,Amount,Stocks\n";

fn table(rows: &str) -> ListedDays {
    let today = NaiveDate::from_ymd_opt(2026, 10, 11).unwrap();
    read_table("rows.csv", (TITLES.to_owned() + rows).as_bytes(), today, || Ok(())).unwrap()
}

fn with_store(work: impl FnOnce(&Runtime, &Store)) {
    let runtime = Runtime::new().unwrap();
    let inside = runtime.enter();
    let store = Store::memory(Clock::fixed("2026-10-11T03:00:00Z".parse().unwrap()), Events::default()).unwrap();
    work(&runtime, &store);
    drop(inside);
}

/// By hand: five for one on 5 January, when the base is 50,000 / 5; over the turn of the year, in two tables.
#[test]
fn days_of_two_tables_are_one_series_and_a_split_between_them_is_adjusted() {
    let old = "2025-12-29,123450,가나다,KOSPI,,48000,1,1000,2.1,47500,48500,47000,10,480000,100\n\
               2025-12-30,123450,가나다,KOSPI,,50000,1,2000,4.2,48000,50500,48000,20,1000000,100\n";
    let new = "2026-01-05,123450,가나다라,KOSPI,,10500,1,500,5.0,10000,10600,9900,100,1050000,500\n\
               2026-01-06,123450,가나다라,KOSPI,,10500,0,0,0,0,0,0,0,0,500\n";
    with_store(|runtime, store| {
        let take = |rows: &'static str| {
            runtime.block_on(store.write(move |tx| import_bars(tx, &table(rows), Source::Exchange))).unwrap()
        };
        // The newer first: the order in which tables come makes no difference.
        assert_eq!(take(new).changed, 1);
        let taken = take(old);
        assert_eq!((taken.days, taken.rows, taken.changed, taken.symbols), (2, 2, 1, 1));
        let revision = store.read_now(|tx| Ok(state(tx)?.revision)).unwrap();
        assert_eq!((take(old).changed, take(new).changed), (0, 0));
        assert_eq!(store.read_now(|tx| Ok(state(tx)?.revision)).unwrap(), revision);

        let found = store.read_now(|tx| universe(tx)).unwrap().unwrap();
        let stock = &found.stocks[0];
        assert_eq!(stock.close, [9_600.0, 10_000.0, 10_500.0]);
        assert_eq!(
            (stock.volume[0], stock.instrument.name.as_str(), stock.instrument.halted),
            (50.0, "가나다라", true)
        );
        assert_eq!(stock.instrument.first_day, NaiveDate::from_ymd_opt(2025, 12, 29).unwrap());
        let price = store.read_now(|tx| market::price(tx, Market::Kospi, "123450")).unwrap().unwrap();
        assert_eq!(
            (price.price.to_string().as_str(), price.as_of.to_string().as_str()),
            ("10500", "2026-01-06 06:30:00 UTC")
        );
    });
}

#[test]
fn a_demo_gives_no_prices_and_goes_when_days_of_the_exchange_come() {
    let real = "2026-10-08,005930,삼성전자,KOSPI,,100,1,1,1,99,100,99,10,1000,100\n";
    with_store(|runtime, store| {
        let demo = || demo::companies(NaiveDate::from_ymd_opt(2026, 10, 10).unwrap());
        let take =
            |listed: ListedDays, source| runtime.block_on(store.write(move |tx| import_bars(tx, &listed, source)));
        assert_eq!(take(demo(), Source::Demo).unwrap().symbols, 60);
        assert_eq!(take(demo(), Source::Demo).unwrap().symbols, 60);
        assert_eq!(store.read_now(|tx| market::price(tx, Market::Kospi, "9D0001")).unwrap(), None);
        assert!(store.read_now(|tx| extent(tx)).unwrap().is_demo);
        take(table(real), Source::Exchange).unwrap();
        let found = store.read_now(|tx| universe(tx)).unwrap().unwrap();
        assert_eq!((found.stocks.len(), found.is_demo), (1, false));
        assert_eq!(take(demo(), Source::Demo).unwrap_err().code(), "CONFLICT");
        assert_eq!(runtime.block_on(store.write(remove_demo)).unwrap_err().code(), "NOT_FOUND");
    });
}

#[test]
fn a_close_of_today_is_of_no_instant_that_is_not_here_yet() {
    let today = "2026-10-11,005930,삼성전자,KOSPI,,100,1,1,1,99,100,99,10,1000,100\n";
    with_store(|runtime, store| {
        runtime.block_on(store.write(move |tx| import_bars(tx, &table(today), Source::Exchange))).unwrap();
        let price = store.read_now(|tx| market::price(tx, Market::Kospi, "005930")).unwrap().unwrap();
        assert_eq!(price.as_of.to_string(), "2026-10-11 03:00:00 UTC");
    });
}

#[test]
fn the_house_keeps_so_many_stocks_and_a_table_that_brings_more_changes_nothing() {
    let rows = |codes: std::ops::Range<u64>| -> String {
        codes.map(|code| format!("2026-10-08,{code:06},A,KOSPI,,100,1,1,1,99,100,99,10,1000,100\n")).collect()
    };
    with_store(|runtime, store| {
        let take =
            |rows: String| runtime.block_on(store.write(move |tx| import_bars(tx, &table(&rows), Source::Exchange)));
        assert_eq!(take(rows(0..MOST_STOCKS - 1)).unwrap().symbols, MOST_STOCKS - 1);
        let before = store.read_now(|tx| state(tx)).unwrap();
        assert_eq!(take(rows(MOST_STOCKS..MOST_STOCKS + 2)).unwrap_err().code(), "INVALID_INPUT");
        assert_eq!(store.read_now(|tx| state(tx)).unwrap(), before);
        assert_eq!(store.read_now(|tx| tx.count(&INSTRUMENTS)).unwrap(), MOST_STOCKS - 1);
    });
}

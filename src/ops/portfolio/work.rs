//! The snapshot of each day, the table of all items, and `hanok portfolio`.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::model::{PortfolioToday, ReadTable, SnapshotSource, decode, read_table, write_table};
use super::store::{items, snapshots};
use crate::market::{self, PriceSource};
use hanok_base::{Error, Language, Result, day};
use hanok_platform::app::App;
use hanok_platform::blocking;
use hanok_platform::config::Config;
use hanok_platform::domain::{Column, Command, Today, Verb, View};
use hanok_platform::jobs::{Job, Lane, Progress, Registry, ScheduleEntry, Timing};
use hanok_platform::store::{ReadTransaction, ReadTx};

/// Takes a snapshot after the exchange has closed.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct TakeSnapshot {}

impl Job for TakeSnapshot {
    const KIND: &'static str = "portfolio_snapshot";
    const TITLE: (&'static str, &'static str) = ("자산 기록", "Record of the assets");
    const LANE: Lane = Lane::Quick;
    const UNIQUE: bool = true;

    async fn run(self, app: App, _progress: Progress) -> Result<()> {
        app.data.store.write(|tx| snapshots::make_by_schedule(tx).map(drop)).await
    }
}

/// The kinds of job of the portfolio, added to those that are known.
pub fn jobs(registry: Registry) -> Registry {
    registry.with::<TakeSnapshot>()
}

/// After the close of each weekday, also of those on which the exchange begins and ends an hour later.
pub fn schedule() -> Vec<ScheduleEntry> {
    vec![ScheduleEntry::of::<TakeSnapshot>("portfolio_snapshot", Timing::Cron("45 16 * * 1-5"))]
}

/// The items that a file of a table says, read off the threads that answer.
///
/// # Errors
/// Those of [`decode`] and [`read_table`].
pub async fn read_items(file: Vec<u8>) -> Result<ReadTable> {
    blocking::run(move |abandoned| read_table(&decode(&file)?, || blocking::go_on(abandoned))).await
}

/// The items as a table, and the name of its file.
///
/// # Errors
/// Those of the store.
pub async fn exported(app: &App, language: Language) -> Result<(String, String)> {
    app.data.store.read(move |tx| export(tx, language)).await
}

fn export(tx: &impl ReadTransaction, language: Language) -> Result<(String, String)> {
    let held = items::all(tx)?;
    let price = |item: &super::model::Holding| {
        let price = market::price(tx, item.market, &item.symbol)?;
        let by_hand = |price: &market::Price| price.source == PriceSource::Manual && price.currency == item.currency;
        Ok::<_, Error>(price.filter(by_hand).map(|price| price.price))
    };
    let prices = held.iter().map(price).collect::<Result<Vec<_>>>()?;
    let name = format!("hanok-portfolio-{}.csv", day::of(tx.now()));
    Ok((name, write_table(held.iter().zip(prices), language == Language::Ko)?))
}

/// `hanok portfolio`.
pub const COMMAND: Command = Command {
    name: "portfolio",
    about: "What the household holds, and what it is worth",
    example: "hanok portfolio show",
    verbs: &[
        Verb {
            name: "show",
            about: "Show the items and what all of them come to",
            example: "hanok portfolio show --json",
            takes: &[],
            run: |app, _| Box::pin(async move { json(app.data.store.read(|tx| items::portfolio(tx)).await?) }),
            shows: &[
                View::Thing(&[
                    Column::count("assets", "/totals/total_assets"),
                    Column::text("profit", "/totals/total_profit"),
                    Column::text("cash", "/totals/total_cash"),
                    Column::text("some left out", "/totals/partial"),
                ]),
                View::List(
                    "items",
                    &[
                        Column::text("broker", "/broker"),
                        Column::text("symbol", "/symbol"),
                        Column::text("name", "/name"),
                        Column::text("quantity", "/quantity"),
                        Column::count("won", "/value_krw"),
                    ],
                ),
            ],
        },
        Verb {
            name: "snapshot",
            about: "Take today's snapshot of all assets",
            example: "hanok portfolio snapshot",
            takes: &[],
            run: |app, _| {
                Box::pin(async move {
                    json(app.data.store.write(|tx| snapshots::make(tx, None, SnapshotSource::Computed)).await?)
                })
            },
            shows: &[View::Thing(&[
                Column::text("day", "/date"),
                Column::count("assets", "/total_assets"),
                Column::text("some left out", "/partial"),
            ])],
        },
    ],
};

fn json(what: impl Serialize) -> Result<Value> {
    serde_json::to_value(what).map_err(Error::internal)
}

impl Today for PortfolioToday {
    fn read(tx: &ReadTx, _config: &Config) -> Result<PortfolioToday> {
        snapshots::today(tx)
    }
}

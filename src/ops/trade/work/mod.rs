//! What the orders do by themselves: they are done when prices change, and end with their session.

pub mod command;
pub mod kis;
mod settings;

use chrono::{DateTime, Utc};
use hanok_base::schema::ToSchema;
use hanok_base::{Error, MessageTemplate, Result};
use hanok_platform::app::App;
use hanok_platform::config::Config;
use hanok_platform::domain::Today;
use hanok_platform::events::Change;
use hanok_platform::jobs::{Job, Lane, Progress, Registry, ScheduleEntry, Timely};
use hanok_platform::store::{ReadTransaction, ReadTx, WriteTx};
use hanok_platform::upstream::Provider;
use hanok_platform::writes::SendJob;
use serde::{Deserialize, Serialize};
use tracing::warn;

use super::model::{Balance, Broker, Mode, NewOrder, Order, OrderType, Preview};
use super::store::{self, paper, paper::PaperRules};
use crate::market;
use kis::cancel::CancelOrder;
use kis::follow::FollowOrders;
use kis::send::SendOrder;
use kis::{KIS, Kis};
pub use settings::TradeSettings;

const NOT_PAPER: MessageTemplate = MessageTemplate::new(
    "trade.not_paper",
    "orders go to a real broker: the paper account is begun anew only while trade.broker is paper",
);

/// Takes an order for the broker that the settings name.
///
/// # Errors
/// `TRADING_STOPPED`; `CONFIRMATION_REQUIRED`; `INVALID_INPUT`; of the paper broker `ORDER_LACKS_PRICE`, `ORDER_LACKS_CASH` and
/// `ORDER_LACKS_SHARES`.
pub fn place(tx: &WriteTx, new: &NewOrder, settings: &TradeSettings) -> Result<Order> {
    match settings.broker {
        Broker::Paper => paper::place(tx, new, settings.paper()),
        Broker::Kis => kis::send::place(tx, new, settings.mode()),
    }
}

/// That the broker of the settings can be asked at all.
///
/// # Errors
/// `NOT_CONFIGURED` naming the setting that is missing.
pub fn must_be_configured(app: &App) -> Result<()> {
    match app.config.section::<TradeSettings>().broker {
        Broker::Paper => Ok(()),
        Broker::Kis => Kis::of(app).map(drop),
    }
}

/// That the paper broker takes the orders.
///
/// # Errors
/// `CONFLICT` while a real one does.
pub fn must_be_paper(app: &App) -> Result<()> {
    match app.config.section::<TradeSettings>().broker {
        Broker::Paper => Ok(()),
        Broker::Kis => Err(Error::conflict(NOT_PAPER)),
    }
}

/// Asks for the price that a market order at the paper broker is done at, where none is known or it is old. What cannot be had
/// is no failure: the order is then taken by what is known.
pub async fn look_at_price(app: &App, new: &NewOrder) {
    let settings = app.config.section::<TradeSettings>();
    if settings.broker != Broker::Paper || new.kind() != OrderType::Market {
        return;
    }
    let asked = (new.market.unwrap_or_else(|| market::market_of(&new.symbol)), new.symbol.clone());
    let (at, symbol) = asked.clone();
    let known = app.data.store.read(move |tx| store::known_price(tx, at, &symbol)).await;
    if known.is_ok_and(|known| known.is_some_and(|price| !price.stale)) {
        return;
    }
    if let Err(error) = market::refresh(app, vec![asked]).await {
        warn!(%error, "a price was not asked for");
    }
}

/// Cancels an open order, wherever it is.
///
/// # Errors
/// `NOT_FOUND`; `ORDER_NOT_OPEN`.
pub fn cancel(tx: &WriteTx, id: u64) -> Result<Order> {
    let order = store::find(tx, id)?;
    match order.broker {
        Broker::Paper => paper::cancel(tx, order),
        Broker::Kis => kis::cancel::begin(tx, order),
    }
}

/// What the account at the broker holds and is worth.
///
/// # Errors
/// Those of a real broker.
pub async fn balance(app: &App) -> Result<Balance> {
    let settings = app.config.section::<TradeSettings>();
    match settings.broker {
        Broker::Paper => {
            let rules = settings.paper();
            app.data.store.read(move |tx| paper::read(tx, rules)).await
        }
        Broker::Kis => kis::balance::read(app, settings.mode()).await,
    }
}

/// What an order would come to; of an account at a real broker nothing is said.
///
/// # Errors
/// `INVALID_INPUT`.
pub fn preview(tx: &impl ReadTransaction, new: &NewOrder, settings: &TradeSettings) -> Result<Preview> {
    let seen = match settings.broker {
        Broker::Paper => paper::preview(tx, new, settings.paper())?,
        Broker::Kis => {
            let terms = store::terms(tx, new, None, settings.paper().fee_percent)?;
            terms.preview((settings.mode(), Broker::Kis), new, None, None)?
        }
    };
    let stopped = store::must_go_on(tx).err().map(|error| error.message);
    Ok(seen.warning_first(stopped))
}

/// The providers of the room, and whether each is asked at all.
pub fn providers(config: &Config) -> Vec<(&'static Provider, bool)> {
    vec![(&KIS, config.section::<TradeSettings>().broker == Broker::Kis)]
}

/// What the settings in force say of the paper broker.
pub fn rules(app: &App) -> PaperRules {
    app.config.section::<TradeSettings>().paper()
}

async fn settle(app: &App) -> Result<()> {
    let rules = rules(app);
    app.data.store.write(move |tx| paper::settle(tx, rules)).await
}

/// Does and ends open orders when their session begins or ends.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct SettleOrders {}

impl Job for SettleOrders {
    const KIND: &'static str = "trade_settle_orders";
    const TITLE: (&'static str, &'static str) = ("모의 주문 처리", "Settle paper orders");
    const LANE: Lane = Lane::Quick;
    const UNIQUE: bool = true;

    async fn run(self, app: App, _progress: Progress) -> Result<()> {
        settle(&app).await
    }
}

impl Timely for SettleOrders {
    const ON: Change = store::CHANGED;

    fn next(tx: &impl ReadTransaction) -> Result<Option<DateTime<Utc>>> {
        paper::next(tx)
    }
}

/// Does open orders when a price has come to their limit.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct FollowPrices {}

impl Job for FollowPrices {
    const KIND: &'static str = "trade_follow_prices";
    const TITLE: (&'static str, &'static str) = ("시세에 따른 모의 체결", "Fill paper orders by their prices");
    const LANE: Lane = Lane::Quick;
    const UNIQUE: bool = true;
    const SUBJECT: Option<&'static str> = Some(SettleOrders::KIND);

    async fn run(self, app: App, _progress: Progress) -> Result<()> {
        settle(&app).await
    }
}

impl Timely for FollowPrices {
    const ON: Change = market::CHANGED;

    fn next(tx: &impl ReadTransaction) -> Result<Option<DateTime<Utc>>> {
        paper::next(tx)
    }
}

/// The kinds of job of the room, added to those that are known.
pub fn jobs(registry: Registry) -> Registry {
    registry
        .with::<SettleOrders>()
        .with::<FollowPrices>()
        .with::<FollowOrders>()
        .with::<SendJob<SendOrder>>()
        .with::<SendJob<CancelOrder>>()
}

/// Its part of the schedule.
pub fn schedule(config: &Config) -> Vec<ScheduleEntry> {
    let followed = (config.section::<TradeSettings>().broker == Broker::Kis)
        .then(|| ScheduleEntry::when_due::<FollowOrders>("trade_follow_orders"));
    let mut entries = vec![
        ScheduleEntry::when_due::<SettleOrders>("trade_settle_orders"),
        ScheduleEntry::when_due::<FollowPrices>("trade_follow_prices"),
    ];
    entries.extend(followed);
    entries
}

/// The part of the orders in Today.
#[derive(Debug, Serialize, ToSchema)]
pub struct TradeToday {
    /// What Today shows of the orders.
    pub trade: TradeSummary,
}

/// What Today shows of the orders.
#[derive(Debug, Serialize, ToSchema)]
pub struct TradeSummary {
    /// Whether money is at stake with new orders.
    pub mode: Mode,
    /// Of how many orders something may still be done.
    pub open_orders: u64,
    /// Whether new orders are refused.
    pub stopped: bool,
}

impl Today for TradeToday {
    fn read(tx: &ReadTx, config: &Config) -> Result<TradeToday> {
        let mode = config.section::<TradeSettings>().mode();
        let (open_orders, stopped) = (store::count_open(tx)?, store::is_stopped(tx)?);
        Ok(TradeToday { trade: TradeSummary { mode, open_orders, stopped } })
    }
}

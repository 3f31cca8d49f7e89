//! Orders at the Korean exchange: a paper broker of the house, or a real one by settings.
//!
//! The paper broker is the default and needs no network: cash, holdings and orders stand in the store (`trade_account-1`,
//! `trade_holdings-1`, `trade_orders-1`), and an order, the cash and the holdings that it changes are written in one
//! transaction. An order is done at the known price of the market room, within the regular session alone, all of it at once;
//! what waits is tried when prices change and ends with its session. Ticks, limits, sessions, fees and tax come from
//! `calc/exchange`.
//!
//! Deliberately not here: the after-market and other exchanges, orders of part of a share, credit, and orders that amend one.

pub mod http;
mod model;
mod store;
mod work;

use hanok_platform::config::SectionKind;
use hanok_platform::domain::{Domain, TodayPart};

pub use model::Broker;
pub use work::TradeSettings;

/// What the room says of itself.
pub const DOMAIN: Domain = Domain {
    tables: store::TABLES,
    codes: &[
        model::TRADING_STOPPED,
        model::CONFIRMATION_REQUIRED,
        model::NOT_OPEN,
        model::ORDER_LACKS_PRICE,
        model::ORDER_LACKS_CASH,
        model::ORDER_LACKS_SHARES,
        model::TOO_MANY_ORDERS,
    ],
    changes: &[store::CHANGED],
    settings: Some(SectionKind::of::<TradeSettings>()),
    providers: work::providers,
    jobs: work::jobs,
    schedule: work::schedule,
    today: Some(TodayPart::of::<work::TradeToday>()),
    command: Some(work::command::COMMAND),
    reaches: &[work::kis::IN_REACH],
    document_rules: http::document_rules,
    pages: &["trade"],
    ..Domain::EMPTY
};

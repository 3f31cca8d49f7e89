//! The Korean exchange: where something is listed, ticks, price limits, sessions, fees and tax, by dated data.
//!
//! Prices and sums are whole won. Days are those of Asia/Seoul. The dated data (closed and late days, rates of the sale tax) stand
//! in `assets/data/krx-calendar`; for days beyond them weekdays count, and it is said that they are provisional.

mod calendar;
mod costs;
mod prices;

use std::fmt;

use hanok_base::schema::ToSchema;
use serde::{Deserialize, Serialize};

pub use calendar::{Session, current_or_next_session, is_provisional, session, settlement_day};
pub use costs::{SaleTax, fee, sale_tax};
pub use prices::{PriceLimits, price_limits, tick_size};

/// Where something is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Market {
    /// The main board of the Korean exchange.
    Kospi,
    /// Its board for growing companies.
    Kosdaq,
    /// Its board for small companies.
    Konex,
    /// Funds and notes that are traded there (ETF, ETN).
    Etf,
    /// An exchange of the United States.
    Us,
    /// Anything else, with a price that is kept by hand.
    Other,
}

impl Market {
    /// Whether it belongs to the Korean exchange.
    pub fn is_korean(self) -> bool {
        matches!(self, Market::Kospi | Market::Kosdaq | Market::Konex | Market::Etf)
    }
}

impl fmt::Display for Market {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Market::Kospi => "KOSPI",
            Market::Kosdaq => "KOSDAQ",
            Market::Konex => "KONEX",
            Market::Etf => "ETF",
            Market::Us => "US",
            Market::Other => "OTHER",
        })
    }
}

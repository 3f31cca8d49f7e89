//! All stocks of the newest day, each with its adjusted series: what a run looks at.

use std::collections::BTreeSet;

use chrono::{Datelike, NaiveDate};
use serde::{Deserialize, Serialize};

use super::adjust::{Gaps, adjusted};
use super::day::StoredDay;
use hanok_calc::exchange::Market;

/// Bars of a stock that are held in memory: two years, and what the longest average needs before the first of them.
pub const BARS: usize = 520;

/// A stock that the house knows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instrument {
    /// Its code.
    pub symbol: String,
    /// What it is called, by its newest day.
    pub name: String,
    /// Where it is listed.
    pub market: Market,
    /// The division it belongs to there; empty on the main board.
    #[serde(default)]
    pub dept: String,
    /// How many shares there are.
    #[serde(default)]
    pub stocks: i64,
    /// The first day of which there are data.
    pub first_day: NaiveDate,
    /// The last one.
    pub last_day: NaiveDate,
    /// Whether it was not traded on the last day.
    #[serde(default)]
    pub halted: bool,
    /// Its close on the last day, in won as they were then.
    pub close: i64,
    /// What the exchange reckoned the change of that day from.
    pub base: i64,
}

impl Instrument {
    /// The change of its last day, in percent.
    pub fn change_pct(&self) -> f64 {
        (self.close as f64 / self.base.max(1) as f64 - 1.0) * 100.0
    }

    /// Whether its shares have preference instead of a vote. Names alone do not say so.
    pub fn is_preferred(&self) -> bool {
        let ends = self.symbol.ends_with(['5', '7', '9', 'K', 'L']);
        let name = self.name.trim_end_matches("(전환)");
        ends && (name.ends_with('우') || ["우B", "우C"].iter().any(|end| name.ends_with(end)))
    }

    /// Whether it is a company that only looks for another to merge with.
    pub fn is_spac(&self) -> bool {
        self.name.contains("스팩") || self.dept.contains("SPAC")
    }

    /// Whether the exchange watches it; none where the data do not say, as on the main board.
    pub fn is_administrative(&self) -> Option<bool> {
        let is_watched = ["관리종목", "투자주의환기"].iter().any(|word| self.dept.contains(word));
        if self.dept.is_empty() { None } else { Some(is_watched) }
    }
}

/// A stock with its series, the oldest bar first, in won of today's shares.
#[derive(Debug, Clone)]
pub struct Stock {
    /// What it is.
    pub instrument: Instrument,
    /// What it does, where somebody says so.
    pub sector: Option<String>,
    /// Its closes.
    pub close: Vec<f64>,
    /// Its highest prices.
    pub high: Vec<f64>,
    /// Its lowest.
    pub low: Vec<f64>,
    /// Shares traded.
    pub volume: Vec<f64>,
    /// Won traded.
    pub amount: Vec<f64>,
}

impl Stock {
    /// What it is all worth, in won.
    pub fn market_cap(&self) -> f64 {
        self.instrument.close as f64 * self.instrument.stocks as f64
    }

    /// The last `count` of a series; none where it is shorter, or the newest day has no bar: what was is not how it is.
    pub fn last<'s>(&self, series: &'s [f64], count: usize) -> Option<&'s [f64]> {
        let from = series.len().checked_sub(count).filter(|_| !self.instrument.halted)?;
        Some(&series[from..])
    }
}

/// All stocks of the newest day.
#[derive(Debug)]
pub struct Universe {
    /// The newest day.
    pub data_day: NaiveDate,
    /// The first day of which there are data.
    pub first_day: NaiveDate,
    /// Whether they are made up.
    pub is_demo: bool,
    /// The stocks, by their codes.
    pub stocks: Vec<Stock>,
    /// Days of which those before are missing.
    pub behind_gaps: BTreeSet<i32>,
}

/// What is loaded for a stock: what it is, its sector, and its days, which ascend.
pub type Loaded = (Instrument, Option<String>, Vec<StoredDay>);

impl Universe {
    /// Those of `loaded` that are listed on `data_day`.
    pub fn of(data_day: NaiveDate, first_day: NaiveDate, is_demo: bool, loaded: Vec<Loaded>) -> Universe {
        let mut gaps = Gaps::default();
        loaded.iter().for_each(|(_, _, days)| gaps.count(days));
        let behind_gaps = gaps.days();
        let is_listed = |(instrument, ..): &Loaded| instrument.last_day == data_day;
        let stocks = loaded.into_iter().filter(is_listed).map(|loaded| stock(loaded, &behind_gaps)).collect();
        Universe { data_day, first_day, is_demo, stocks, behind_gaps }
    }

    /// The stock with this code.
    pub fn find(&self, symbol: &str) -> Option<&Stock> {
        let place = self.stocks.binary_search_by(|stock| stock.instrument.symbol.as_str().cmp(symbol));
        self.stocks.get(place.ok()?)
    }

    /// For how many days it has been listed: as far as the data go back, or none where they go back no farther.
    pub fn age(&self, stock: &Stock) -> (i64, bool) {
        let first = stock.instrument.first_day;
        let days = i64::from(self.data_day.num_days_from_ce() - first.num_days_from_ce());
        (days, first > self.first_day)
    }
}

fn stock((instrument, sector, days): Loaded, behind_gaps: &BTreeSet<i32>) -> Stock {
    let bars = adjusted(&days, behind_gaps);
    let bars = &bars[bars.len().saturating_sub(BARS)..];
    Stock {
        instrument,
        sector,
        close: bars.iter().map(|bar| bar.close).collect(),
        high: bars.iter().map(|bar| bar.high).collect(),
        low: bars.iter().map(|bar| bar.low).collect(),
        volume: bars.iter().map(|bar| bar.volume).collect(),
        amount: bars.iter().map(|bar| bar.amount).collect(),
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::screener::model::demo;
    use crate::screener::model::table::ListedStock;

    /// The demo as a universe.
    pub fn demo_universe() -> Universe {
        let found = demo::companies(NaiveDate::from_ymd_opt(2026, 10, 10).unwrap());
        let of = |day: &i32| NaiveDate::from_num_days_from_ce_opt(*day).unwrap();
        let counts = found.counts();
        let (first_day, data_day) = (of(counts.keys().next().unwrap()), of(counts.keys().last().unwrap()));
        let loaded = found.stocks.into_iter().map(|(symbol, stock)| {
            let days: Vec<StoredDay> = stock.days.into_values().collect();
            let (first, last) = (days[0], days[days.len() - 1]);
            let sector = demo::sector(&symbol).map(str::to_owned);
            let ListedStock { name, market, dept, .. } = stock;
            let instrument = Instrument {
                symbol,
                name,
                market,
                dept,
                stocks: last.stocks,
                first_day: of(&first.day),
                last_day: of(&last.day),
                halted: !last.traded,
                close: last.close,
                base: last.base,
            };
            (instrument, sector, days)
        });
        Universe::of(data_day, first_day, true, loaded.collect())
    }

    #[test]
    fn a_preferred_share_is_known_by_its_code_and_its_name_together() {
        let of = |symbol: &str, name: &str| Instrument {
            symbol: symbol.to_owned(),
            name: name.to_owned(),
            ..demo_universe().stocks[0].instrument.clone()
        };
        let preferred = [("005935", "삼성전자우"), ("00088K", "한화3우B"), ("066979", "엘앤에프2우(전환)")];
        assert!(preferred.iter().all(|(symbol, name)| of(symbol, name).is_preferred()));
        let common = [("458650", "성우"), ("005930", "삼성전자"), ("159910", "에코글로우")];
        assert!(common.iter().all(|(symbol, name)| !of(symbol, name).is_preferred()));
        assert!(of("460870", "한국스팩12호").is_spac());
    }
}

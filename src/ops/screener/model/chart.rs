//! The bars of a stock with its indicators, as its page draws them.

use chrono::NaiveDate;
use serde::Serialize;

use super::adjust::Bar;
use hanok_base::schema::ToSchema;
use hanok_calc::exchange::Market;
use hanok_calc::indicators::{self, Bands, Macd};

/// The bars of a stock.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Chart {
    /// Its code.
    pub symbol: String,
    /// What it is called.
    pub name: String,
    /// Where it is listed.
    pub market: Market,
    /// What it does; null where nobody says so.
    pub sector: Option<String>,
    /// Whether the company is made up.
    pub is_demo: bool,
    /// The bars, the oldest first, in won of today's shares.
    pub bars: Vec<ChartBar>,
    /// One value for each bar.
    pub indicators: ChartIndicators,
}

/// A day.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ChartBar {
    /// Which.
    pub date: NaiveDate,
    /// The first price.
    pub open: f64,
    /// The highest.
    pub high: f64,
    /// The lowest.
    pub low: f64,
    /// The last.
    pub close: f64,
    /// How many were traded, in today's shares.
    pub volume: f64,
}

/// Indicators, a value for each bar, null where too few bars go before.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ChartIndicators {
    /// The mean of 5 closes.
    pub ma5: Vec<Option<f64>>,
    /// Of 20.
    pub ma20: Vec<Option<f64>>,
    /// Of 60.
    pub ma60: Vec<Option<f64>>,
    /// Of 120.
    pub ma120: Vec<Option<f64>>,
    /// Bollinger's upper band (20, 2).
    pub bollinger_upper: Vec<Option<f64>>,
    /// And the lower one.
    pub bollinger_lower: Vec<Option<f64>>,
    /// Wilder's RSI of 14.
    pub rsi14: Vec<Option<f64>>,
    /// MACD (12, 26, 9).
    pub macd: Vec<Option<f64>>,
    /// Its signal.
    pub macd_signal: Vec<Option<f64>>,
    /// The one without the other.
    pub macd_histogram: Vec<Option<f64>>,
    /// Wilder's average true range of 14.
    pub atr14: Vec<Option<f64>>,
}

/// What a chart is of.
#[derive(Debug, Clone)]
pub struct ChartSubject {
    /// Its code.
    pub symbol: String,
    /// What it is called.
    pub name: String,
    /// Where it is listed.
    pub market: Market,
    /// What it does.
    pub sector: Option<String>,
    /// Whether the company is made up.
    pub is_demo: bool,
}

impl Chart {
    /// The last `days` of `bars`, with indicators over all of them.
    pub fn of(subject: ChartSubject, bars: &[Bar], days: usize) -> Chart {
        let column = |value: fn(&Bar) -> f64| -> Vec<f64> { bars.iter().map(value).collect() };
        let (high, low, close) = (column(|bar| bar.high), column(|bar| bar.low), column(|bar| bar.close));
        let from = bars.len().saturating_sub(days);
        let shown = |series: Vec<Option<f64>>| -> Vec<Option<f64>> {
            series[from..].iter().map(|value| value.map(rounded)).collect()
        };
        let Bands { upper, lower, .. } = indicators::bollinger(&close, 20, 2.0);
        let Macd { line, signal, histogram } = indicators::macd(&close, 12, 26, 9);
        let indicators = ChartIndicators {
            ma5: shown(indicators::sma(&close, 5)),
            ma20: shown(indicators::sma(&close, 20)),
            ma60: shown(indicators::sma(&close, 60)),
            ma120: shown(indicators::sma(&close, 120)),
            bollinger_upper: shown(upper),
            bollinger_lower: shown(lower),
            rsi14: shown(indicators::rsi(&close, 14)),
            macd: shown(line),
            macd_signal: shown(signal),
            macd_histogram: shown(histogram),
            atr14: shown(indicators::atr(&high, &low, &close, 14)),
        };
        let ChartSubject { symbol, name, market, sector, is_demo } = subject;
        Chart { symbol, name, market, sector, is_demo, bars: bars[from..].iter().filter_map(day).collect(), indicators }
    }
}

fn day(bar: &Bar) -> Option<ChartBar> {
    let date = NaiveDate::from_num_days_from_ce_opt(bar.day)?;
    let [open, high, low, close, volume] = [bar.open, bar.high, bar.low, bar.close, bar.volume].map(rounded);
    Some(ChartBar { date, open, high, low, close, volume })
}

fn rounded(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

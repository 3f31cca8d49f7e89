//! Indicators over daily bars, bar by bar, with their warm-up.
//!
//! Each takes a series, the oldest bar first, and gives one of the same length: none where too few bars went before, or where
//! the value would be no number. They agree with TA-Lib bar by bar, warm-up included (`fixture.csv`, made by `make_fixture.py`),
//! but for one thing: where nothing moved, TA-Lib says that RSI is 0, and here it is none.
//! These are statistics, not money: binary floats will do.

mod averages;
mod oscillators;
mod spread;
#[cfg(test)]
mod tests;

pub use averages::{Bands, Macd, bollinger, ema, macd, sma};
pub use oscillators::{atr, rate_of_change, rsi};
pub use spread::{above_lowest, below_highest, drawdown, median, relative_strength, volatility, volume_surge};

/// Trading days that a year is reckoned with, as the field does.
pub const DAYS_OF_YEAR: usize = 252;

/// A value that is a number.
fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

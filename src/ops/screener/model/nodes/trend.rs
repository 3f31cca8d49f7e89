//! Where prices go.

use super::{Arguments, Context, Measured};
use crate::screener::model::universe::Stock;
use hanok_calc::indicators::{self, Macd};

/// The change over `days` bars, which end `skipped` bars before the last, in percent.
pub(super) fn change_over(stock: &Stock, days: usize, skipped: usize) -> Option<f64> {
    let closes = stock.last(&stock.close, days + skipped + 1)?;
    let (first, last) = (closes.first()?, closes.get(days)?);
    (*first > 0.0).then(|| (last / first - 1.0) * 100.0)
}

fn mean(stock: &Stock, days: usize) -> Option<f64> {
    let closes = stock.last(&stock.close, days)?;
    Some(closes.iter().sum::<f64>() / days as f64).filter(|mean| *mean > 0.0)
}

pub(super) fn change(stock: &Stock, _arguments: &Arguments, _context: &Context) -> Measured {
    Some(stock.instrument.change_pct()).filter(|_| !stock.instrument.halted).into()
}

pub(super) fn momentum(stock: &Stock, arguments: &Arguments, _context: &Context) -> Measured {
    change_over(stock, arguments.count(0), arguments.count(1)).into()
}

/// How far the close lies from its average, in percent.
pub(super) fn price_and_average(stock: &Stock, arguments: &Arguments, _context: &Context) -> Measured {
    let of = || Some((stock.close.last()? / mean(stock, arguments.count(0))? - 1.0) * 100.0);
    of().into()
}

/// How far the fast average lies from the slow one, in percent.
pub(super) fn averages(stock: &Stock, arguments: &Arguments, _context: &Context) -> Measured {
    let of = || Some((mean(stock, arguments.count(0))? / mean(stock, arguments.count(1))? - 1.0) * 100.0);
    of().into()
}

/// How many bars ago the fast average has crossed the slow one.
pub(super) fn averages_crossed(stock: &Stock, arguments: &Arguments, _context: &Context) -> Measured {
    let (fast, slow, within) = (arguments.count(0), arguments.count(1), arguments.count(2));
    let Some(closes) = stock.last(&stock.close, fast.max(slow) + within + 1) else { return Measured::Missing };
    let averages = indicators::sma(closes, fast).into_iter().zip(indicators::sma(closes, slow));
    let between: Vec<Option<f64>> = averages.map(|(fast, slow)| Some(fast? - slow?)).collect();
    crossed(&between, within, arguments.flag(3))
}

pub(super) fn rsi(stock: &Stock, arguments: &Arguments, _context: &Context) -> Measured {
    last_of(stock, |stock| indicators::rsi(&stock.close, arguments.count(0)))
}

/// The histogram in percent of the price, or how many bars ago it has changed its sign.
pub(super) fn macd(stock: &Stock, arguments: &Arguments, _context: &Context) -> Measured {
    let state = arguments.count(3);
    let (Some(last), false) = (stock.close.last().filter(|close| **close > 0.0), stock.instrument.halted) else {
        return Measured::Missing;
    };
    let Macd { line, histogram, .. } =
        indicators::macd(&stock.close, arguments.count(0), arguments.count(1), arguments.count(2));
    let percent = |series: &[Option<f64>]| Measured::from(series.last().copied().flatten().map(|of| of / last * 100.0));
    match state {
        0 | 1 => percent(&histogram),
        2 | 3 => crossed(&histogram, arguments.count(4), state == 3),
        _ => percent(&line),
    }
}

/// Where the close stands between the bands, 0 at the lower and 100 at the upper one.
pub(super) fn bollinger(stock: &Stock, arguments: &Arguments, _context: &Context) -> Measured {
    let days = arguments.count(0);
    let of = || {
        let closes = stock.last(&stock.close, days)?;
        let bands = indicators::bollinger(closes, days, arguments.number(1));
        let (upper, lower) = ((*bands.upper.last()?)?, (*bands.lower.last()?)?);
        (upper > lower).then_some((closes.last()? - lower) / (upper - lower) * 100.0)
    };
    of().into()
}

/// The last value of a series that needs all bars.
pub(super) fn last_of(stock: &Stock, series: impl Fn(&Stock) -> Vec<Option<f64>>) -> Measured {
    if stock.instrument.halted { Measured::Missing } else { series(stock).last().copied().flatten().into() }
}

/// How many bars ago, at most `within`, a series has changed from below 0 to above it, or the other way: 0 is today.
fn crossed(series: &[Option<f64>], within: usize, down: bool) -> Measured {
    let Some(from) = series.len().checked_sub(within + 2) else { return Measured::Missing };
    let Some(last) = series[from..].iter().copied().collect::<Option<Vec<f64>>>() else { return Measured::Missing };
    let turned = |pair: &&[f64]| if down { pair[0] >= 0.0 && pair[1] < 0.0 } else { pair[0] <= 0.0 && pair[1] > 0.0 };
    let ago = last.windows(2).rev().position(|pair| turned(&pair));
    ago.map_or(Measured::Absent, |ago| Measured::Value(ago as f64))
}

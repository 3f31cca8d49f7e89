//! How prices swing, and how they stand against others.

use super::trend::{change_over, last_of};
use super::{Arguments, Context, Measured};
use crate::screener::model::universe::Stock;
use hanok_calc::indicators;

/// The one rule that needs all stocks.
pub(super) const RELATIVE_STRENGTH: &str = "relative_strength";

/// The true range in percent of the price.
pub(super) fn atr(stock: &Stock, arguments: &Arguments, _context: &Context) -> Measured {
    let Some(close) = stock.close.last().copied().filter(|close| *close > 0.0) else { return Measured::Missing };
    last_of(stock, |stock| {
        let ranges = indicators::atr(&stock.high, &stock.low, &stock.close, arguments.count(0));
        vec![ranges.last().copied().flatten().map(|range| range / close * 100.0)]
    })
}

pub(super) fn below_highest(stock: &Stock, arguments: &Arguments, _context: &Context) -> Measured {
    let days = arguments.count(0);
    let of = || {
        let (highs, closes) = (stock.last(&stock.high, days)?, stock.last(&stock.close, days)?);
        from_extreme(*closes.last()?, highs.iter().copied().reduce(f64::max)?)
    };
    of().into()
}

pub(super) fn above_lowest(stock: &Stock, arguments: &Arguments, _context: &Context) -> Measured {
    let days = arguments.count(0);
    let of = || {
        let (lows, closes) = (stock.last(&stock.low, days)?, stock.last(&stock.close, days)?);
        from_extreme(*closes.last()?, lows.iter().copied().reduce(f64::min)?)
    };
    of().into()
}

pub(super) fn drawdown(stock: &Stock, arguments: &Arguments, _context: &Context) -> Measured {
    let of = || {
        let closes = stock.last(&stock.close, arguments.count(0))?;
        from_extreme(*closes.last()?, closes.iter().copied().reduce(f64::max)?)
    };
    of().into()
}

fn from_extreme(close: f64, extreme: f64) -> Option<f64> {
    (extreme > 0.0).then(|| (close / extreme - 1.0) * 100.0)
}

pub(super) fn volatility(stock: &Stock, arguments: &Arguments, _context: &Context) -> Measured {
    let days = arguments.count(0);
    let closes = stock.last(&stock.close, days + 1);
    closes.and_then(|closes| *indicators::volatility(closes, days).last()?).into()
}

/// The change without that of the stock in the middle of all, or of its market, in points of percent.
pub(super) fn relative_strength(stock: &Stock, arguments: &Arguments, context: &Context) -> Measured {
    let days = arguments.count(0);
    let market = arguments.flag(1).then(|| stock.instrument.market.to_string());
    let of = || Some(change_over(stock, days, 0)? - context.middle(days, market)?);
    of().into()
}

//! Price, size, and how much is traded.

use super::{Arguments, Context, Measured};
use crate::screener::model::universe::Stock;

const MILLION: f64 = 1e6;
const HUNDRED_MILLION: f64 = 1e8;

pub(super) fn liquidity(stock: &Stock, arguments: &Arguments, _context: &Context) -> Measured {
    let days = arguments.count(0);
    let amounts = stock.last(&stock.amount, days);
    amounts.map(|amounts| amounts.iter().sum::<f64>() / days as f64 / MILLION).into()
}

pub(super) fn price(stock: &Stock, _arguments: &Arguments, _context: &Context) -> Measured {
    Measured::Value(stock.instrument.close as f64)
}

pub(super) fn market_cap(stock: &Stock, _arguments: &Arguments, _context: &Context) -> Measured {
    let cap = stock.market_cap();
    Some(cap / HUNDRED_MILLION).filter(|_| cap > 0.0).into()
}

pub(super) fn volume_surge(stock: &Stock, arguments: &Arguments, _context: &Context) -> Measured {
    let days = arguments.count(0);
    let volumes = stock.last(&stock.volume, days + 1);
    volumes.and_then(|volumes| *hanok_calc::indicators::volume_surge(volumes, days).last()?).into()
}

//! What a stock is, and where it is listed.

use super::{Arguments, Context, Measured};
use crate::screener::model::universe::Stock;
use hanok_calc::exchange::Market;

pub(super) fn market(stock: &Stock, arguments: &Arguments, _context: &Context) -> Measured {
    let place = match stock.instrument.market {
        Market::Kospi => 0,
        Market::Kosdaq => 1,
        Market::Konex => 2,
        _ => return Measured::Word(false),
    };
    Measured::Word(arguments.flag(place))
}

/// Words with commas between them, of which one has to stand in the sector.
pub(super) fn sector(stock: &Stock, arguments: &Arguments, _context: &Context) -> Measured {
    let words = arguments.words.first().map(String::as_str).unwrap_or_default();
    let mut words = words.split(',').map(str::trim).filter(|word| !word.is_empty()).peekable();
    if words.peek().is_none() {
        return Measured::Word(true);
    }
    let Some(sector) = &stock.sector else { return Measured::Missing };
    let sector = sector.to_lowercase();
    Measured::Word(words.any(|word| sector.contains(&word.to_lowercase())) != arguments.flag(1))
}

pub(super) fn tradable(stock: &Stock, _arguments: &Arguments, _context: &Context) -> Measured {
    flag(stock.instrument.halted)
}

pub(super) fn administrative(stock: &Stock, arguments: &Arguments, _context: &Context) -> Measured {
    match stock.instrument.is_administrative() {
        Some(watched) => flag(watched),
        None if arguments.flag(0) => Measured::Word(true),
        None => Measured::Missing,
    }
}

pub(super) fn kind(stock: &Stock, arguments: &Arguments, _context: &Context) -> Measured {
    let instrument = &stock.instrument;
    flag(arguments.flag(0) && instrument.is_preferred() || arguments.flag(1) && instrument.is_spac())
}

/// Where the data go back no farther than the stock, it is at least as old as they are: enough, or nobody knows.
pub(super) fn age(stock: &Stock, arguments: &Arguments, context: &Context) -> Measured {
    let (days, is_exact) = context.universe.age(stock);
    let days = days as f64;
    if is_exact || days >= arguments.number(0) { Measured::Value(days) } else { Measured::Missing }
}

fn flag(holds: bool) -> Measured {
    Measured::Value(f64::from(u8::from(holds)))
}

//! The rules that a stock is judged by: each with its parameters, and what it measures.

mod catalogue;
mod liquid;
mod listing;
mod trend;
mod wide;

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::universe::{Stock, Universe};
use hanok_base::schema::ToSchema;
use hanok_calc::indicators;

pub use catalogue::{all, find};

/// A rule.
#[derive(Debug)]
pub struct Node {
    /// What it is called in settings and runs.
    pub id: &'static str,
    /// Its name, in Korean and in English.
    pub title: (&'static str, &'static str),
    /// What it looks at.
    pub about: (&'static str, &'static str),
    /// What it stands with.
    pub group: Group,
    /// In what its value is measured.
    pub unit: Unit,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// How many bars it needs.
    pub warm_up: fn(&Arguments) -> usize,
    /// Between which bounds its value passes.
    pub bounds: fn(&Arguments) -> Bounds,
    /// What it measures of a stock.
    pub measure: fn(&Stock, &Arguments, &Context) -> Measured,
}

/// What rules stand together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// What it is and where it is listed.
    Listing,
    /// Its price, its size, how much of it is traded.
    Size,
    /// Where its price goes.
    Trend,
    /// How its price swings.
    Swing,
}

/// In what a value is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Won.
    Won,
    /// Millions of won.
    MillionWon,
    /// Hundreds of millions of won.
    HundredMillionWon,
    /// Percent, or points of percent.
    Percent,
    /// So many times as much.
    Times,
    /// Days.
    Days,
    /// A number of 0 to 100 or so.
    Points,
    /// 1 where it is so, 0 where not.
    Flag,
    /// A word.
    Word,
}

/// A parameter of a rule.
#[derive(Debug)]
pub struct Parameter {
    /// What it is called in settings.
    pub name: &'static str,
    /// Its name, in Korean and in English.
    pub title: (&'static str, &'static str),
    /// What it may be.
    pub kind: ParameterKind,
}

/// What a parameter may be, and what it is where it is left out.
#[derive(Debug, Clone, Copy)]
pub enum ParameterKind {
    /// A number: the usual one, the least, the most, and the step of a field for it.
    Number(f64, f64, f64, f64),
    /// One of these words, the first where it is left out.
    Choice(&'static [Choice]),
    /// Yes or no.
    Flag(bool),
    /// Words of at most 200 characters.
    Words,
}

/// One of the words of a choice, with its names.
pub type Choice = (&'static str, (&'static str, &'static str));

/// The parameters of a rule in their order: a flag as 1 or 0, a choice by its place.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Arguments {
    /// Every number.
    pub numbers: Vec<f64>,
    /// The words, where it has such a parameter.
    pub words: Vec<String>,
}

impl Arguments {
    /// The number at this place.
    pub fn number(&self, place: usize) -> f64 {
        self.numbers.get(place).copied().unwrap_or_default()
    }

    /// The same as a count.
    pub fn count(&self, place: usize) -> usize {
        self.number(place) as usize
    }

    /// Whether the flag at this place is set.
    pub fn flag(&self, place: usize) -> bool {
        self.number(place) > 0.0
    }
}

/// Between which bounds a value passes, both included; none is no bound.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Bounds {
    /// The least.
    pub minimum: Option<f64>,
    /// The most.
    pub maximum: Option<f64>,
}

impl Bounds {
    fn least(minimum: f64) -> Bounds {
        Bounds { minimum: Some(minimum), maximum: None }
    }

    fn most(maximum: f64) -> Bounds {
        Bounds { minimum: None, maximum: Some(maximum) }
    }

    fn between(minimum: f64, maximum: f64) -> Bounds {
        Bounds { minimum: Some(minimum), maximum: Some(maximum) }
    }

    /// Whether a value lies between.
    pub fn hold(&self, value: f64) -> bool {
        self.minimum.is_none_or(|minimum| value >= minimum) && self.maximum.is_none_or(|maximum| value <= maximum)
    }
}

/// What a rule has measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Measured {
    /// A value, which passes between the bounds.
    Value(f64),
    /// That what it looks for is not there.
    Absent,
    /// Whether a word of the stock is among those that are looked for.
    Word(bool),
    /// That the data for it are missing.
    Missing,
}

impl From<Option<f64>> for Measured {
    fn from(value: Option<f64>) -> Measured {
        value.filter(|value| value.is_finite()).map_or(Measured::Missing, Measured::Value)
    }
}

/// What a rule says of a stock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It is so.
    Pass,
    /// It is not.
    Fail,
    /// Nobody knows: the data for it are missing. That is no pass.
    Missing,
}

impl Measured {
    /// The value, and what follows from it.
    pub fn judged(self, bounds: &Bounds) -> (Option<f64>, Verdict) {
        let verdict = |passes: bool| if passes { Verdict::Pass } else { Verdict::Fail };
        match self {
            Measured::Value(value) => {
                // What is shown is what is judged.
                let value = (value * 10_000.0).round() / 10_000.0;
                (Some(value), verdict(bounds.hold(value)))
            }
            Measured::Word(passes) => (None, verdict(passes)),
            Measured::Absent => (None, Verdict::Fail),
            Measured::Missing => (None, Verdict::Missing),
        }
    }
}

/// What rules know of all stocks together.
pub struct Context<'u> {
    universe: &'u Universe,
    /// The change of the stock in the middle, in percent, by days and market.
    middles: HashMap<(usize, String), Option<f64>>,
}

/// All markets together.
const ALL: &str = "all";

impl<'u> Context<'u> {
    /// What the rules with these arguments have to know.
    pub fn of<'n>(universe: &'u Universe, nodes: impl Iterator<Item = (&'n Node, &'n Arguments)>) -> Context<'u> {
        let mut middles = HashMap::new();
        for (_, arguments) in nodes.filter(|(node, _)| node.id == wide::RELATIVE_STRENGTH) {
            let days = arguments.count(0);
            let mut changes: HashMap<String, Vec<f64>> = HashMap::new();
            for stock in &universe.stocks {
                if let Some(change) = trend::change_over(stock, days, 0) {
                    changes.entry(ALL.to_owned()).or_default().push(change);
                    changes.entry(stock.instrument.market.to_string()).or_default().push(change);
                }
            }
            for (market, changes) in changes {
                middles.insert((days, market), indicators::median(changes));
            }
        }
        Context { universe, middles }
    }

    fn middle(&self, days: usize, market: Option<String>) -> Option<f64> {
        *self.middles.get(&(days, market.unwrap_or_else(|| ALL.to_owned())))?
    }
}

//! Every rule, in the order in which they are shown.

mod moving;
mod standing;

use super::ParameterKind::{Choice, Flag, Number};
use super::{Arguments, Bounds, Node, Parameter};

/// Every rule.
pub fn all() -> impl Iterator<Item = &'static Node> {
    standing::STANDING.iter().chain(moving::MOVING)
}

/// The rule with this id.
pub fn find(id: &str) -> Option<&'static Node> {
    all().find(|node| node.id == id)
}

const MINIMUM: (&str, &str) = ("최소", "At least");
const MAXIMUM: (&str, &str) = ("최대", "At most");
const DAYS: (&str, &str) = ("기간(거래일)", "Window (trading days)");
const FAST: (&str, &str) = ("단기", "Fast");
const SLOW: (&str, &str) = ("장기", "Slow");

/// A window of trading days.
const fn days(usual: f64, least: f64, most: f64) -> Parameter {
    Parameter { name: "days", title: DAYS, kind: Number(usual, least, most, 1.0) }
}

const fn number(name: &'static str, title: (&'static str, &'static str), of: (f64, f64, f64, f64)) -> Parameter {
    Parameter { name, title, kind: Number(of.0, of.1, of.2, of.3) }
}

const fn flag(name: &'static str, title: (&'static str, &'static str), usual: bool) -> Parameter {
    Parameter { name, title, kind: Flag(usual) }
}

const SIDE: Parameter = Parameter {
    name: "side",
    title: ("위치", "Side"),
    kind: Choice(&[("above", ("위", "Above")), ("below", ("아래", "Below"))]),
};

const DIRECTION: Parameter = Parameter {
    name: "direction",
    title: ("방향", "Direction"),
    kind: Choice(&[("up", ("상향 돌파", "Upwards")), ("down", ("하향 돌파", "Downwards"))]),
};

const MACD_STATE: Parameter = Parameter {
    name: "state",
    title: ("상태", "State"),
    kind: Choice(&[
        ("above_signal", ("시그널 위", "Above its signal")),
        ("below_signal", ("시그널 아래", "Below its signal")),
        ("crossed_up", ("시그널 상향 돌파", "Crossed its signal upwards")),
        ("crossed_down", ("시그널 하향 돌파", "Crossed its signal downwards")),
        ("above_zero", ("0선 위", "Above zero")),
    ]),
};

const AGAINST: Parameter = Parameter {
    name: "against",
    title: ("비교 대상", "Against"),
    kind: Choice(&[
        ("all", ("전체 중앙값", "The median of all")),
        ("market", ("같은 시장 중앙값", "The median of its market")),
    ]),
};

fn none(_: &Arguments) -> usize {
    0
}

fn first(arguments: &Arguments) -> usize {
    arguments.count(0)
}

fn after_first(arguments: &Arguments) -> usize {
    arguments.count(0) + 1
}

fn is_not(_: &Arguments) -> Bounds {
    Bounds::most(0.0)
}

fn word(_: &Arguments) -> Bounds {
    Bounds::default()
}

/// Between the parameters at these two places.
fn second_to_third(arguments: &Arguments) -> Bounds {
    Bounds::between(arguments.number(1), arguments.number(2))
}

fn sided(below: bool) -> Bounds {
    if below { Bounds::most(0.0) } else { Bounds::least(0.0) }
}

fn macd_bounds(arguments: &Arguments) -> Bounds {
    match arguments.count(3) {
        0 | 4 => Bounds::least(0.0),
        1 => Bounds::most(0.0),
        _ => Bounds::between(0.0, arguments.number(4)),
    }
}

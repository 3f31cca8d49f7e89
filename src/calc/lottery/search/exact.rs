//! Every combination, in the order of the dictionary.
//!
//! Six nested choices a < b < … < f. What the first choices add is carried along: points so far, and
//! a row with what each further number would add (its own points and those of its pairs with what is
//! chosen). The shape terms come from tables by the state of the first five (sum, odd, low,
//! neighbours). The last choice is then a sum of four short rows, compared eight at a time with the
//! points that are needed to enter, before anything else is done.

use super::super::odds::binomial;
use super::super::scoring::{Scoring, is_low, pair_index};
use super::Search;
use super::sample::Members;
use super::top::{Best, NEVER, Top};

/// Rows are indexed by the number itself and padded, so that eight may be read from any of them.
const ROW: usize = 64;
const LANES: usize = 8;
const END: usize = 46;
type Row = [i32; ROW];

/// Looks at part `part` of `parts` of all combinations. Of a search that asks for a sample only those that belong to it
/// enter, and its candidates are shared among the parts as the combinations are.
pub(super) fn run(search: &Search, part: usize, parts: usize, cancelled: &dyn Fn() -> bool) -> Option<Top> {
    let tables = Tables::new(search);
    let members = (!search.is_exact()).then(|| Members::of(search));
    let mut walk = Walk { tables: &tables, members, best: Best::new(search.top_k), candidates: 0 };
    let Beginnings { chosen, before } = beginnings(search, part, parts);
    for (a, b) in chosen {
        if cancelled() {
            return None;
        }
        walk.beginning(a, b);
    }
    let share = |combinations: u64| combinations * search.candidates.min(search.combinations()) / search.combinations();
    let candidates = share(before + walk.candidates) - share(before);
    Some(walk.best.into_top(candidates))
}

/// The first two numbers of the combinations of a part: an equal share of all combinations each.
struct Beginnings {
    chosen: Vec<(usize, usize)>,
    /// How many combinations belong to the parts before.
    before: u64,
}

fn beginnings(search: &Search, part: usize, parts: usize) -> Beginnings {
    let allowed: Vec<usize> = (1..END).filter(|&number| search.is_allowed(number)).collect();
    let mut beginnings = Beginnings { chosen: Vec::new(), before: 0 };
    let mut before = 0;
    for (place, &a) in allowed.iter().enumerate() {
        for (further, &b) in allowed.iter().enumerate().skip(place + 1) {
            let with_these = binomial((allowed.len() - further - 1) as u64, 4);
            if with_these > 0 && (before * parts as u64 / search.combinations()) as usize == part {
                if beginnings.chosen.is_empty() {
                    beginnings.before = before;
                }
                beginnings.chosen.push((a, b));
            }
            before += with_these;
        }
    }
    beginnings
}

struct Tables {
    /// Points of each number, [`NEVER`] where it must not be used.
    numbers: Row,
    /// Points of each pair, lower number first.
    pairs: Box<[Row; END]>,
    /// Points by sum.
    sums: Box<[i32; 512]>,
    /// Points of odd and low ones by how many of the first five are odd and low, for each last number.
    parity: Box<[[Row; 8]; 8]>,
    consecutive: [i32; 8],
    allowed: [bool; ROW],
}

impl Tables {
    fn new(search: &Search) -> Self {
        let Scoring { numbers, pairs, sums, odd, low, consecutive } = &search.scoring;
        let allowed: [bool; ROW] = std::array::from_fn(|number| number < END && search.is_allowed(number));
        let entry = |table: &[i32], place: usize| table.get(place).copied().unwrap_or(0);
        let mut tables = Tables {
            numbers: std::array::from_fn(|number| if allowed[number] { entry(numbers, number - 1) } else { NEVER }),
            pairs: Box::new([[0; ROW]; END]),
            sums: Box::new(std::array::from_fn(|sum| entry(sums, sum))),
            parity: Box::new([[[0; ROW]; 8]; 8]),
            consecutive: std::array::from_fn(|pairs| entry(consecutive, pairs)),
            allowed,
        };
        for lower in 1..END {
            for higher in lower + 1..END {
                tables.pairs[lower][higher] = entry(pairs, pair_index(lower as u8, higher as u8));
            }
        }
        for odd_before in 0..6 {
            for low_before in 0..6 {
                tables.parity[odd_before][low_before] = std::array::from_fn(|last| {
                    odd[odd_before + last % 2] + low[low_before + usize::from(is_low(last))]
                });
            }
        }
        tables
    }
}

/// What is known of the numbers that are chosen so far.
#[derive(Clone, Copy)]
struct State {
    last: usize,
    mask: u64,
    points: i32,
    sum: usize,
    odd: usize,
    low: usize,
    neighbours: usize,
}

const NOTHING: State = State { last: 0, mask: 0, points: 0, sum: 0, odd: 0, low: 0, neighbours: 0 };

struct Walk<'a> {
    tables: &'a Tables,
    /// The sample, none when all are looked at.
    members: Option<Members>,
    best: Best,
    candidates: u64,
}

impl Walk<'_> {
    /// All combinations that begin with `a` and `b`.
    fn beginning(&mut self, a: usize, b: usize) {
        let (first, row) = self.choose(NOTHING, &self.tables.numbers, a);
        let (second, row) = self.choose(first, &row, b);
        for c in b + 1..END - 3 {
            if !self.tables.allowed[c] {
                continue;
            }
            let (third, row) = self.choose(second, &row, c);
            for d in c + 1..END - 2 {
                if self.tables.allowed[d] {
                    let (fourth, row) = self.choose(third, &row, d);
                    self.ends(fourth, &row);
                }
            }
        }
    }

    /// Adds `number` to what is chosen, and its pairs to what each further number would add.
    fn choose(&self, state: State, row: &Row, number: usize) -> (State, Row) {
        let pairs = &self.tables.pairs[number];
        let longer = std::array::from_fn(|further| row[further] + pairs[further]);
        (self.with(state, row[number], number), longer)
    }

    fn with(&self, state: State, points: i32, number: usize) -> State {
        State {
            last: number,
            mask: state.mask | 1 << number,
            points: state.points + points,
            sum: state.sum + number,
            odd: state.odd + number % 2,
            low: state.low + usize::from(is_low(number)),
            neighbours: state.neighbours + usize::from(state.mask != 0 && number == state.last + 1),
        }
    }

    /// The last two numbers.
    fn ends(&mut self, fourth: State, row: &Row) {
        let tables = self.tables;
        let mut usable = tables.allowed[fourth.last + 1..END].iter().filter(|allowed| **allowed).count() as u64;
        for e in fourth.last + 1..END - 1 {
            if !tables.allowed[e] {
                continue;
            }
            usable -= 1;
            self.candidates += usable;
            let five = self.with(fourth, row[e], e);
            let parity = &tables.parity[five.odd & 7][five.low & 7];
            let base = five.points + tables.consecutive[five.neighbours & 7];
            let neighbour = tables.consecutive[(five.neighbours + 1) & 7] - tables.consecutive[five.neighbours & 7];
            let mut first = e + 1;
            let mut bump = neighbour;
            while first < END {
                let mut points = lanes(first, base, row, &tables.pairs[e], parity, &tables.sums, five.sum);
                points[0] += bump;
                bump = 0;
                let enter = self.best.threshold();
                if points.iter().fold(false, |any, &points| any | (points > enter)) {
                    self.enter(five, first, &points);
                }
                first += LANES;
            }
        }
    }

    /// Offers those of the eight that have enough points. Equal points do not enter: what comes later
    /// in the dictionary is worse.
    #[cold]
    fn enter(&mut self, five: State, first: usize, points: &[i32; LANES]) {
        for (lane, &points) in points.iter().enumerate() {
            let mask = five.mask | 1 << (first + lane);
            if points > self.best.threshold() && self.members.as_ref().is_none_or(|members| members.has(mask)) {
                self.best.offer(points, mask);
            }
        }
    }
}

/// The points of eight combinations that differ in their last number only, `first` to `first` + 7.
#[inline(always)]
fn lanes(first: usize, base: i32, row: &Row, pairs: &Row, parity: &Row, sums: &[i32; 512], sum: usize) -> [i32; LANES] {
    let eight = |row: &[i32], from: usize| -> [i32; LANES] {
        match row.get(from..).and_then(|rest| rest.first_chunk::<LANES>()) {
            Some(chunk) => *chunk,
            None => [NEVER; LANES],
        }
    };
    let (row, pairs, parity, sums) =
        (eight(row, first), eight(pairs, first), eight(parity, first), eight(sums, sum + first));
    std::array::from_fn(|lane| base + row[lane] + pairs[lane] + parity[lane] + sums[lane])
}

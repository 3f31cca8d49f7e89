//! The scoring model: a number of points for every combination of six.
//!
//! It orders combinations by how well they fit the past and by how few others play them. It cannot
//! and does not claim to find combinations that win more often: there are none. The points are whole
//! numbers, so that every machine gives the same order; 10,000 points are one unit.
//!
//! The sum of these terms, each documented at its function in [`terms`]:
//!
//! | term | per | units |
//! |---|---|---|
//! | `recent_frequency` | number | `recent_weight` × 0.3 × z of its count in the last `recent_window` draws |
//! | `long_run_frequency` | number | (1 − `recent_weight`) × 0.3 × z of its count in all draws |
//! | `gap` | number | 0.2 × (2 × chance of a shorter gap − 1) |
//! | `pairs` | pair | 0.05 × z of how often both came up together |
//! | `sum` | combination | 0.5 × ln(chance of its sum / chance of the likeliest sum) |
//! | `odd`, `low`, `consecutive` | combination | 0.25 × ln(chance of that many / of the likeliest) |
//! | `co_winners` | number | −3 × what it adds to ln(expected co-winners) |
//!
//! `avoid_recent_k` is not a term: see [`avoided`]. The tables know no popular patterns: a recommendation with one is told
//! without what `co_winners` added to it.

mod parameters;
mod reasons;
pub(crate) mod terms;

use serde::{Deserialize, Serialize};

pub use parameters::{AvoidedDraws, Parameters, RecentWeight, RecentWindow};
pub(crate) use reasons::listed;
pub use reasons::{put_right, reasons};
pub use terms::{ScoreTerm, ScoringTerm, Terms, descriptions};

use super::history::History;
use super::metrics::{HIGHEST_LOW, Metrics};
use super::numbers::{ALL, HIGHEST, Numbers, SET_SIZE};
use hanok_base::error::Check;
use hanok_base::{Message, Result};

/// Points in one unit of score.
pub const POINTS_PER_UNIT: f64 = 10_000.0;
/// Beyond this no table entry may go, so that sums of them stay far inside 32 bits.
const LARGEST_ENTRY: i32 = 1 << 22;
/// Numbers that must remain when others are left out: those of one set.
pub const FEWEST_LEFT: u32 = SET_SIZE as u32;
const PAIRS: usize = 45 * 44 / 2;
const SUMS: usize = 256;

/// The whole model as small tables of points; this is what travels to the compute host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scoring {
    /// Points of the numbers 1..=45.
    pub numbers: Vec<i32>,
    /// Points of the pairs 1-2, 1-3, …, 1-45, 2-3, …, 44-45.
    pub pairs: Vec<i32>,
    /// Points by sum, from 0 to 255.
    pub sums: Vec<i32>,
    /// Points by how many are odd.
    pub odd: [i32; 7],
    /// Points by how many are 1..=22.
    pub low: [i32; 7],
    /// Points by how many pairs of neighbours there are.
    pub consecutive: [i32; 6],
}

impl Scoring {
    /// Checks tables that came from elsewhere: their sizes, and that no entry is beyond 2^22.
    pub fn check(&self) -> Result<()> {
        let shapes = self.odd.iter().chain(&self.low).chain(&self.consecutive);
        let mut entries = self.numbers.iter().chain(&self.pairs).chain(&self.sums).chain(shapes);
        let bounded = entries.all(|entry| entry.unsigned_abs() <= LARGEST_ENTRY as u32);
        Check::of(|check| {
            check.require(
                self.numbers.len() == usize::from(HIGHEST),
                "scoring.numbers",
                Message::english("must be 45 weights"),
            );
            check.require(self.pairs.len() == PAIRS, "scoring.pairs", Message::english("must be 990 weights"));
            check.require(self.sums.len() == SUMS, "scoring.sums", Message::english("must be 256 weights"));
            check.require(bounded, "scoring", Message::english("must have no entry beyond 2^22"));
        })
    }

    /// The points of `numbers`; call only on checked tables (missing entries count 0).
    pub fn points(&self, numbers: &Numbers) -> i32 {
        let six = numbers.as_array();
        let metrics = Metrics::of(numbers);
        let at = |table: &[i32], place: usize| table.get(place).copied().unwrap_or(0);
        let mut points = at(&self.sums, usize::from(metrics.sum))
            + self.odd[usize::from(metrics.odd)]
            + self.low[usize::from(metrics.low)]
            + self.consecutive[usize::from(metrics.consecutive_pairs)];
        for (place, &lower) in six.iter().enumerate() {
            points += at(&self.numbers, usize::from(lower) - 1);
            for &higher in &six[place + 1..] {
                points += at(&self.pairs, pair_index(lower, higher));
            }
        }
        points
    }

    /// The score of `numbers` in units.
    pub fn score(&self, numbers: &Numbers) -> f64 {
        units(self.points(numbers))
    }
}

/// Points as units of score.
pub fn units(points: i32) -> f64 {
    f64::from(points) / POINTS_PER_UNIT
}

/// Units of score as points, bounded far inside 32 bits.
pub(crate) fn points(units: f64) -> i32 {
    let bound = f64::from(LARGEST_ENTRY / 4);
    (units * POINTS_PER_UNIT).round().clamp(-bound, bound) as i32
}

/// The place of a pair (lower < higher) in [`Scoring::pairs`].
pub(crate) fn pair_index(lower: u8, higher: u8) -> usize {
    let (lower, higher) = (usize::from(lower), usize::from(higher));
    (lower - 1) * (90 - lower) / 2 + higher - lower - 1
}

/// Whether `number` counts as low.
pub(crate) fn is_low(number: usize) -> bool {
    number <= usize::from(HIGHEST_LOW)
}

/// The numbers that are avoided, and how many of the last draws they are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Avoided {
    /// The bits of the numbers.
    pub mask: u64,
    /// How many of the last draws had them.
    pub draws: usize,
    /// How many of those are known.
    pub known: usize,
}

/// The numbers that came up in the last `avoid_recent_k` draws, newest first, as long as a set can be made of the
/// others: a draw that would leave fewer than six is not avoided, nor are older ones.
pub fn avoided(history: &History, avoid_recent_k: u32) -> Avoided {
    let window = avoid_recent_k as usize;
    let mut avoided = Avoided { draws: history.held(window), ..Avoided::default() };
    for draw in history.recent(window).iter().rev() {
        let mask = avoided.mask | draw.numbers.mask();
        if (ALL & !mask).count_ones() < FEWEST_LEFT {
            let newer = history.latest().map_or(0, |latest| latest.draw_no - draw.draw_no);
            return Avoided { draws: newer as usize, ..avoided };
        }
        avoided = Avoided { mask, known: avoided.known + 1, ..avoided };
    }
    avoided
}

#[cfg(test)]
mod tests {
    use super::super::co_winners::CoWinners;
    use super::super::import::built_in;
    use super::super::random::SplitMix64;
    use super::*;

    fn model(parameters: &Parameters) -> (History<'static>, Terms) {
        let history = History::of(built_in());
        let terms = Terms::new(&history, parameters, &CoWinners::fit(built_in()));
        (history, terms)
    }

    #[test]
    fn the_terms_of_a_combination_add_up_to_its_score() {
        let (_, terms) = model(&Parameters::default());
        let scoring = terms.scoring();
        scoring.check().unwrap();
        let mut generator = SplitMix64::new(3);
        for _ in 0..200 {
            let numbers = generator.numbers();
            let sum: f64 = terms.score_terms(&numbers).iter().map(|term| term.value).sum();
            assert!((sum - scoring.score(&numbers)).abs() < 1e-9);
        }
    }

    #[test]
    fn the_terms_of_two_sets_are_those_of_another_program() {
        // Worked out from the file of draws in another language: counts and gaps of the numbers and pairs, the sums of
        // all combinations one number after the other. The co-winners follow from four ratios that a second program
        // gave: each number up to 12 adds 0.15880 to the logarithm of 31 % of them, each from 40 on takes 0.12630 away.
        let names = "recent_frequency long_run_frequency gap pairs sum odd low consecutive co_winners";
        for (numbers, expected) in [
            (
                [3, 8, 17, 27, 30, 45],
                [-0.124_81, 0.237_61, 1.005_36, 0.603_75, -0.016_18, -0.071_92, 0.0, 0.0, -0.177_77],
            ),
            (
                [1, 2, 3, 13, 38, 40],
                [0.436_83, 0.450_21, -0.274_46, 0.290_54, -0.434_62, 0.0, -0.096_94, -0.358_77, -0.325_33],
            ),
        ] {
            let terms = model(&Parameters::default()).1.score_terms(&Numbers::new(numbers).unwrap());
            assert!(terms.iter().map(|term| term.term.as_str()).eq(names.split(' ')), "{terms:?}");
            for (term, expected) in terms.iter().zip(expected) {
                // Each entry of a table is rounded to a ten-thousandth, and up to fifteen of them add up.
                assert!((term.value - expected).abs() < 8e-4, "{term:?} of {numbers:?} is not {expected}");
            }
        }
    }

    #[test]
    fn every_pair_has_its_own_place() {
        let mut places: Vec<usize> =
            (1..=45u8).flat_map(|lower| (lower + 1..=45).map(move |higher| pair_index(lower, higher))).collect();
        assert!(places.is_sorted(), "in the order of the documentation");
        places.dedup();
        assert_eq!((places.len(), places.first(), places.last()), (990, Some(&0), Some(&989)));
    }

    #[test]
    fn recent_weight_moves_the_score_between_the_recent_and_the_long_run() {
        let numbers = Numbers::new([1, 13, 18, 26, 34, 38]).unwrap();
        let term = |weight, name: &str| {
            let parameters = Parameters { recent_weight: weight, ..Parameters::default() };
            let terms = model(&parameters).1.score_terms(&numbers);
            terms.into_iter().find(|term| term.term == name).unwrap().value
        };
        assert_eq!(term(0.0, "recent_frequency"), 0.0);
        assert_eq!(term(1.0, "long_run_frequency"), 0.0);
        assert!((term(1.0, "recent_frequency") - 2.0 * term(0.5, "recent_frequency")).abs() < 1e-3);
    }

    #[test]
    fn recent_window_decides_which_draws_are_recent() {
        let scores = |window| {
            let parameters = Parameters { recent_window: window, ..Parameters::default() };
            model(&parameters).1.scoring().numbers
        };
        assert_ne!(scores(10), scores(100));
    }

    #[test]
    fn ten_draws_are_avoided_as_long_as_a_set_remains() {
        let history = History::of(built_in());
        let last_three: u64 = history.recent(3).iter().fold(0, |mask, draw| mask | draw.numbers.mask());
        assert_eq!(avoided(&history, 0), Avoided::default());
        assert_eq!(avoided(&history, 3), Avoided { mask: last_three, draws: 3, known: 3 });
        assert_eq!(avoided(&history, 10).draws, 10);
        for end in 1..built_in().len() {
            let draws = &built_in()[end.saturating_sub(10)..end];
            let avoided = avoided(&History::of(draws), 10);
            assert!((ALL & !avoided.mask).count_ones() >= FEWEST_LEFT);
            let of_all = draws.iter().fold(0, |mask, draw| mask | draw.numbers.mask());
            let can_avoid_all = (ALL & !of_all).count_ones() >= FEWEST_LEFT;
            assert_eq!(avoided.draws == draws.len(), can_avoid_all, "before draw {}", end + 1);
        }
    }

    #[test]
    fn a_unit_of_score_is_ten_thousand_points() {
        assert_eq!((points(1.0), points(-0.25), points(0.000_04), points(0.000_06)), (10_000, -2_500, 0, 1));
        assert_eq!((points(1e9), points(-1e9)), (1 << 20, -(1 << 20)));
        assert_eq!((units(10_000), units(-2_500)), (1.0, -0.25));
    }

    #[test]
    fn the_places_that_the_tables_name() {
        // 44 pairs begin with 1, so 2-3 is the 45th; 44-45 is the last of 990.
        let place = |lower, higher| pair_index(lower, higher);
        assert_eq!((place(1, 2), place(1, 45), place(2, 3), place(44, 45)), (0, 43, 44, 989));
        assert!(is_low(22) && !is_low(23));
    }

    #[test]
    fn broken_tables_are_refused() {
        let scoring = model(&Parameters::default()).1.scoring();
        let mut short = scoring.clone();
        short.pairs.pop();
        assert!(short.check().unwrap_err().fields.contains_key("scoring.pairs"));
        let mut huge = scoring;
        huge.numbers[0] = i32::MIN;
        assert!(huge.check().is_err());
    }
}

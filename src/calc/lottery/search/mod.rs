//! The kernel: the best combinations under a [`Scoring`], by looking at all of them or at a seeded
//! sample.
//!
//! A [`Search`] is small and serialisable. It is cut into parts that depend only on the search, never
//! on the machine: whoever runs it may spread [`Search::parts`] over any number of threads or hosts,
//! stop it, report progress, and gets the same answer. Points are whole numbers; equal points are
//! ordered by the numbers, the smaller first.

mod exact;
mod sample;
mod top;

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

pub use top::{Scored, Top};

use super::numbers::{ALL, Numbers};
use super::odds::{TOTAL_COMBINATIONS, binomial};
use super::random::LARGEST_SEED;
use super::said;
use super::scoring::{FEWEST_LEFT, Scoring};
use hanok_base::Result;
use hanok_base::error::Check;
use hanok_base::validation_messages;

/// How many parts an exact search has; each is a few milliseconds of one core at most.
const EXACT_PARTS: usize = 32;
/// From which part of all combinations on a sample is found by walking all of them: both ways take as long there, some 25 ms on
/// one core.
const DENSE_FROM_ONE_IN: u64 = 32;
/// How many candidates of a sample make one part.
const SAMPLE_PART: u64 = 16_384;
/// The most combinations a search may keep.
pub const LARGEST_TOP: usize = 10_000;

/// A search for the best combinations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Search {
    /// The points of every combination.
    pub scoring: Scoring,
    /// Bits of the numbers that must not be used; at least twelve numbers must be left.
    pub exclude: u64,
    /// Decides which combinations a sample looks at; at most 2^53 − 1.
    pub seed: u64,
    /// How many different combinations to look at; as many as there are (8,145,060 when nothing is
    /// excluded) or more means all of them.
    pub candidates: u64,
    /// How many of the best to keep.
    pub top_k: usize,
}

impl Search {
    /// Checks a search that came from elsewhere. [`Search::run_part`] relies on it.
    pub fn check(&self) -> Result<()> {
        Check::of(|check| {
            let left = (ALL & !self.exclude).count_ones();
            check.require(left >= FEWEST_LEFT, "exclude", said::LEAVE.with([("least", FEWEST_LEFT.into())]));
            check.require(self.seed <= LARGEST_SEED, "seed", validation_messages::between(0, LARGEST_SEED));
            check.require(
                (1..=TOTAL_COMBINATIONS).contains(&self.candidates),
                "candidates",
                validation_messages::between(1, TOTAL_COMBINATIONS),
            );
            let top_k = validation_messages::between(1, LARGEST_TOP as u64);
            check.require((1..=LARGEST_TOP).contains(&self.top_k), "top_k", top_k);
            check.keep(self.scoring.check());
        })
    }

    /// How many combinations the numbers that are not excluded have.
    pub fn combinations(&self) -> u64 {
        binomial(u64::from((ALL & !self.exclude).count_ones()), 6)
    }

    /// Whether all of them are looked at.
    pub fn is_exact(&self) -> bool {
        self.candidates >= self.combinations()
    }

    /// Whether all combinations are walked: for all of them, and for a sample so large that finding its combinations one
    /// by one costs more than walking all and passing over those that do not belong to it. The answer is the same.
    fn walks_all(&self) -> bool {
        self.candidates >= self.combinations() / DENSE_FROM_ONE_IN
    }

    /// How many parts the search has; the same on every machine.
    pub fn parts(&self) -> usize {
        if self.walks_all() { EXACT_PARTS } else { self.candidates.div_ceil(SAMPLE_PART) as usize }
    }

    /// Runs one part (0 to [`Search::parts`] − 1). `cancelled` is asked every few thousand
    /// combinations; none when it said yes.
    pub fn run_part(&self, part: usize, cancelled: &dyn Fn() -> bool) -> Option<Top> {
        if self.walks_all() {
            exact::run(self, part, EXACT_PARTS, cancelled)
        } else {
            let start = part as u64 * SAMPLE_PART;
            let end = self.candidates.min(start + SAMPLE_PART);
            sample::run(self, start..end, cancelled)
        }
    }

    /// Puts the answers of all parts together, in whatever order they came.
    pub fn merge(&self, parts: Vec<Top>) -> Top {
        Top::merge(self.top_k, parts)
    }

    /// Runs all parts one after another on this thread.
    pub fn run(&self) -> Top {
        let parts = (0..self.parts()).filter_map(|part| self.run_part(part, &|| false)).collect();
        self.merge(parts)
    }

    /// Whether `top`, which came from elsewhere, can be the answer: as many combinations as were asked for, none of
    /// them twice or excluded, in their order and with the points they have.
    pub fn admits(&self, top: &Top) -> bool {
        let candidates = self.candidates.min(self.combinations());
        let is_real = |scored: &Scored| {
            scored.numbers.mask() & self.exclude == 0 && scored.points == self.scoring.points(&scored.numbers)
        };
        top.candidates == candidates
            && top.best.len() as u64 == candidates.min(self.top_k as u64)
            && top.best.iter().all(is_real)
            && top.best.is_sorted_by(|a, b| (Reverse(a.points), a.numbers) < (Reverse(b.points), b.numbers))
    }

    fn is_allowed(&self, number: usize) -> bool {
        ALL & !self.exclude & (1 << number) != 0
    }
}

/// The sets of `top`, best first.
pub fn numbers_of(top: &Top) -> Vec<Numbers> {
    top.best.iter().map(|scored| scored.numbers).collect()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::super::co_winners::CoWinners;
    use super::super::history::History;
    use super::super::import::built_in;
    use super::super::scoring::{Parameters, Terms};
    use super::*;

    fn scoring() -> Scoring {
        Terms::new(&History::of(built_in()), &Parameters::default(), &CoWinners::fit(built_in())).scoring()
    }

    /// Everything but seventeen numbers, so that all 12,376 combinations can be scored one by one.
    fn small(candidates: u64, top_k: usize) -> Search {
        let exclude = ALL & !0b11_0011_0000_0110_0111_0000_0110_0000_0001_0011_0001_0110;
        Search { scoring: scoring(), exclude, seed: 42, candidates, top_k }
    }

    fn one_by_one(search: &Search) -> Vec<Scored> {
        let allowed: Vec<usize> = (1..=45).filter(|&number| search.is_allowed(number)).collect();
        let mut all: Vec<Scored> = (0u64..1 << allowed.len())
            .filter(|bits| bits.count_ones() == 6)
            .filter_map(|bits| {
                let chosen = allowed.iter().enumerate().filter(|(place, _)| bits & (1 << place) != 0);
                Numbers::from_mask(chosen.fold(0, |mask, (_, &number)| mask | 1 << number))
            })
            .map(|numbers| Scored { numbers, points: search.scoring.points(&numbers) })
            .collect();
        all.sort_by_key(|scored| (-scored.points, scored.numbers));
        all
    }

    #[test]
    fn the_exact_search_gives_what_scoring_one_by_one_gives() {
        let search = small(TOTAL_COMBINATIONS, 300);
        search.check().unwrap();
        assert!(search.is_exact());
        let top = search.run();
        let all = one_by_one(&search);
        assert_eq!(top.candidates, all.len() as u64);
        assert_eq!(top.best, all[..300]);
    }

    #[test]
    fn all_combinations_are_looked_at_and_the_best_is_the_best() {
        let search = Search { exclude: 0, ..small(TOTAL_COMBINATIONS, 5) };
        let top = search.run();
        assert_eq!(top.candidates, TOTAL_COMBINATIONS);
        assert!(top.best.iter().all(|scored| scored.points == search.scoring.points(&scored.numbers)));
        let mut generator = super::super::random::SplitMix64::new(5);
        assert!((0..20_000).all(|_| search.scoring.points(&generator.numbers()) <= top.best[0].points));
    }

    #[test]
    fn equal_points_are_ordered_by_the_numbers() {
        let mut search = Search { exclude: 0, ..small(TOTAL_COMBINATIONS, 4) };
        search.scoring = Scoring {
            numbers: vec![0; 45],
            pairs: vec![0; 990],
            sums: vec![0; 256],
            odd: [0; 7],
            low: [0; 7],
            consecutive: [0; 6],
        };
        let best: Vec<[u8; 6]> = search.run().best.iter().map(|scored| scored.numbers.into()).collect();
        assert_eq!(best, [[1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 7], [1, 2, 3, 4, 5, 8], [1, 2, 3, 4, 5, 9]]);
    }

    #[test]
    fn a_sample_looks_at_different_combinations_and_scores_them_right() {
        let search = small(8_007, 8_007);
        assert!(!search.is_exact());
        let top = search.run();
        assert_eq!(top.candidates, 8_007);
        let mut expected = one_by_one(&search);
        expected.retain(|scored| top.best.contains(scored));
        assert_eq!(expected.len(), 8_007, "all different, all scored like one by one");
        assert_eq!(top.best, expected);
    }

    #[test]
    fn a_large_sample_is_the_same_however_it_is_found() {
        for candidates in [386, 2_000, 12_375] {
            let search = small(candidates, 300);
            assert!(search.walks_all() && !search.is_exact());
            let found_one_by_one = sample::run(&search, 0..candidates, &|| false).unwrap();
            assert_eq!(search.run(), found_one_by_one, "{candidates} of 12,376");
        }
        assert!(!small(385, 300).walks_all());
    }

    #[test]
    fn nearly_all_combinations_cost_no_more_than_all() {
        let search = |candidates| Search { exclude: 0, ..small(candidates, 5) };
        let (nearly, all) = (search(TOTAL_COMBINATIONS - 1), search(TOTAL_COMBINATIONS));
        assert_eq!((nearly.parts(), nearly.walks_all()), (all.parts(), true));
        let top = nearly.run();
        assert!(nearly.admits(&top) && top.candidates == TOTAL_COMBINATIONS - 1);
    }

    #[test]
    fn no_part_of_an_exact_search_holds_more_than_its_share_and_the_combinations_of_one_beginning() {
        // 45 numbers and the 17 of the small search; what begins with their lowest two is the most of any beginning.
        for (exclude, all, beginning) in [(0, 8_145_060, 123_410), (small(1, 1).exclude, 12_376, 1_365)] {
            let search = Search { exclude, ..small(TOTAL_COMBINATIONS, 1) };
            let parts: Vec<u64> = (0..32).map(|part| search.run_part(part, &|| false).unwrap().candidates).collect();
            assert!(parts.iter().all(|&part| part <= all / 32 + beginning), "{parts:?}");
            assert_eq!((search.parts(), parts.iter().sum::<u64>()), (32, all));
        }
    }

    #[test]
    fn the_order_of_the_parts_does_not_matter() {
        for candidates in [50_000, 2_000_000, TOTAL_COMBINATIONS] {
            let search = Search { exclude: 0, ..small(candidates, 50) };
            let mut parts: Vec<Top> =
                (0..search.parts()).rev().filter_map(|part| search.run_part(part, &|| false)).collect();
            let half = search.merge(parts.split_off(parts.len() / 2));
            parts.push(half);
            assert_eq!(search.merge(parts), search.run());
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_bytes_and_another_seed_others() {
        let answer = |seed| {
            let search = Search { seed, exclude: 0, ..small(20_000, 100) };
            serde_json::to_string(&search.run()).unwrap()
        };
        assert_eq!(answer(42), answer(42));
        assert_ne!(answer(42), answer(43));
    }

    #[test]
    fn a_search_stops_when_it_is_told_to() {
        for candidates in [1_000_000, TOTAL_COMBINATIONS] {
            let asked = Cell::new(0);
            let stop_later = || {
                asked.set(asked.get() + 1);
                asked.get() > 2
            };
            let search = Search { exclude: 0, ..small(candidates, 10) };
            assert_eq!(search.run_part(0, &stop_later), None);
            assert_eq!(asked.get(), 3);
        }
    }

    #[test]
    fn an_answer_is_known_from_what_is_none() {
        for candidates in [8_007, TOTAL_COMBINATIONS] {
            let search = small(candidates, 300);
            let top = search.run();
            assert!(search.admits(&top));
            let changes: [fn(&mut Top); 7] = [
                |top| top.candidates += 1,
                |top| top.best.truncate(299),
                |top| top.best.swap(0, 1),
                |top| top.best[1] = top.best[0],
                |top| top.best[7].points += 1,
                |top| top.best[0].numbers = Numbers::from_mask(0b111_1110).unwrap(),
                |top| top.best.clear(),
            ];
            for (number, change) in changes.into_iter().enumerate() {
                let mut wrong = top.clone();
                change(&mut wrong);
                assert!(!search.admits(&wrong), "{number}");
            }
            assert!(!Search { exclude: search.exclude | top.best[0].numbers.mask(), ..search }.admits(&top));
        }
    }

    #[test]
    fn a_search_survives_the_way_to_another_host_and_a_broken_one_is_refused() {
        let search = small(20_000, 100);
        let sent = serde_json::to_string(&search).unwrap();
        assert_eq!(serde_json::from_str::<Search>(&sent).unwrap(), search);
        let broken = Search { exclude: ALL, seed: u64::MAX, candidates: 0, top_k: 0, ..search };
        assert_eq!(broken.check().unwrap_err().fields.len(), 4);
    }
}

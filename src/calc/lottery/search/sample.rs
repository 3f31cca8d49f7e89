//! A seeded sample of different combinations (Monte Carlo).
//!
//! Place i of the seeded order of all ranks gives the rank of candidate i, and the rank its
//! combination (combinatorial number system; Knuth, The Art of Computer Programming 4A, 7.2.1.3,
//! theorem L). No list of what was already seen is needed, and every part can start anywhere.

use std::ops::Range;

use super::super::odds::binomial;
use super::super::random::Shuffle;
use super::super::scoring::{Scoring, is_low, pair_index};
use super::Search;
use super::top::{Best, Top};

/// Candidates between two questions whether to stop.
const STRIDE: u64 = 4_096;

/// Looks at the candidates `range` of the sample.
pub(super) fn run(search: &Search, range: Range<u64>, cancelled: &dyn Fn() -> bool) -> Option<Top> {
    let candidates = range.end.saturating_sub(range.start);
    let shuffle = Shuffle::new(search.seed, search.combinations());
    let ranks = Ranks::new(search);
    let tables = Tables::new(&search.scoring);
    let mut best = Best::new(search.top_k);
    for place in range {
        if place % STRIDE == 0 && cancelled() {
            return None;
        }
        let six = ranks.combination(shuffle.at(place));
        let points = tables.points(&six);
        if points >= best.threshold() {
            best.offer(points, six.iter().fold(0, |mask, &number| mask | 1 << number));
        }
    }
    Some(best.into_top(candidates))
}

/// Which combinations belong to the sample of a search.
pub(super) struct Members {
    shuffle: Shuffle,
    ranks: Ranks,
    candidates: u64,
}

impl Members {
    pub fn of(search: &Search) -> Members {
        let shuffle = Shuffle::new(search.seed, search.combinations());
        Members { shuffle, ranks: Ranks::new(search), candidates: search.candidates }
    }

    /// Whether the combination with these bits, all of them allowed, is one that the sample looks at.
    pub fn has(&self, mask: u64) -> bool {
        self.shuffle.place(self.ranks.rank(mask)) < self.candidates
    }
}

/// Combinations of the allowed numbers by rank.
struct Ranks {
    allowed: Vec<u8>,
    /// The place of each number among the allowed ones.
    places: [u8; 46],
    /// C(n, k) at k, n.
    ways: [[u32; 48]; 7],
}

impl Ranks {
    fn new(search: &Search) -> Self {
        let allowed: Vec<u8> = (1..=45u8).filter(|&number| search.is_allowed(usize::from(number))).collect();
        let mut places = [0; 46];
        for (place, &number) in (0..).zip(&allowed) {
            places[usize::from(number)] = place;
        }
        Ranks {
            allowed,
            places,
            ways: std::array::from_fn(|chosen| std::array::from_fn(|from| binomial(from as u64, chosen as u64) as u32)),
        }
    }

    /// The rank of the combination with these bits.
    fn rank(&self, mask: u64) -> u64 {
        let (mut rest, mut chosen, mut rank) = (mask, 1, 0);
        while rest != 0 {
            let place = self.places[rest.trailing_zeros() as usize];
            rank += u64::from(self.ways[chosen][usize::from(place)]);
            (rest, chosen) = (rest & (rest - 1), chosen + 1);
        }
        rank
    }

    /// The combination of `rank` in the order by the largest number first.
    fn combination(&self, rank: u64) -> [u8; 6] {
        let mut rest = rank as u32;
        let mut place = self.allowed.len();
        let mut six = [0; 6];
        for chosen in (1..=6).rev() {
            let ways = &self.ways[chosen];
            place -= 1;
            while ways[place] > rest {
                place -= 1;
            }
            rest -= ways[place];
            six[chosen - 1] = self.allowed[place];
        }
        six
    }
}

/// The scoring as tables that are indexed by the numbers themselves.
struct Tables {
    numbers: [i32; 64],
    pairs: Box<[[i32; 64]; 64]>,
    sums: [i32; 512],
    odd: [i32; 8],
    low: [i32; 8],
    consecutive: [i32; 8],
}

impl Tables {
    fn new(scoring: &Scoring) -> Self {
        let entry = |table: &[i32], place: usize| table.get(place).copied().unwrap_or(0);
        let mut pairs = Box::new([[0; 64]; 64]);
        for lower in 1..=45u8 {
            for higher in lower + 1..=45 {
                pairs[usize::from(lower)][usize::from(higher)] = entry(&scoring.pairs, pair_index(lower, higher));
            }
        }
        Tables {
            numbers: std::array::from_fn(|number| if number == 0 { 0 } else { entry(&scoring.numbers, number - 1) }),
            pairs,
            sums: std::array::from_fn(|sum| entry(&scoring.sums, sum)),
            odd: std::array::from_fn(|count| entry(&scoring.odd, count)),
            low: std::array::from_fn(|count| entry(&scoring.low, count)),
            consecutive: std::array::from_fn(|count| entry(&scoring.consecutive, count)),
        }
    }

    /// The same points as [`Scoring::points`], for ascending numbers.
    fn points(&self, six: &[u8; 6]) -> i32 {
        let six = six.map(|number| usize::from(number) & 63);
        let (mut points, mut sum, mut odd, mut low, mut neighbours) = (0, 0, 0, 0, 0);
        for (place, &number) in six.iter().enumerate() {
            points += self.numbers[number];
            sum += number;
            odd += number & 1;
            low += usize::from(is_low(number));
            for &lower in &six[..place] {
                points += self.pairs[lower][number];
            }
            neighbours += usize::from(place > 0 && six[place - 1] + 1 == number);
        }
        points + self.sums[sum & 511] + self.odd[odd & 7] + self.low[low & 7] + self.consecutive[neighbours & 7]
    }
}

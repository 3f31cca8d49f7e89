//! Pairs, sums and the other shapes of the drawn combinations, next to their exact expectations.

use serde::{Deserialize, Serialize};

use super::super::draw::Draw;
use super::super::history::{History, PAIR_IN_DRAW, SLOTS, count_numbers, standard_score};
use super::super::metrics::{Metrics, ZONES};
use super::shapes::{
    MEAN_SUM, SUM_DEVIATION, consecutive_probabilities, low_probabilities, odd_probabilities, sum_probabilities,
};
use hanok_base::schema::ToSchema;

/// The most and least frequent pairs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Pairs {
    /// In how many draws a given pair is to be expected: 15/990 of them.
    pub expected: f64,
    /// In how many draws the most frequent of 990 pairs came up together by chance.
    pub chance_most: ChanceExtreme,
    /// In how many draws the least frequent of 990 pairs came up together by chance.
    pub chance_least: ChanceExtreme,
    /// The 20 most frequent, most frequent first.
    pub most: Vec<PairCount>,
    /// The 20 least frequent, least frequent first.
    pub least: Vec<PairCount>,
}

/// What chance gives the extreme of all 990 pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChanceExtreme {
    /// Half of fair histories have at most so many.
    pub median: u32,
    /// 95 of 100 fair histories have at least so many.
    pub low: u32,
    /// 95 of 100 fair histories have at most so many.
    pub high: u32,
}

/// How often two numbers came up together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PairCount {
    /// The two numbers, the lower first.
    pub numbers: [u8; 2],
    /// In how many draws they came up together.
    pub count: u32,
    /// The standard score of that count.
    pub z: f64,
}

/// The sums of the six numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Sums {
    /// The mean of the drawn sums, 0 without draws.
    pub mean: f64,
    /// Their standard deviation (of a sample), 0 with fewer than two draws.
    pub standard_deviation: f64,
    /// 138.
    pub expected_mean: f64,
    /// 29.95.
    pub expected_standard_deviation: f64,
    /// Draws by sum in steps of ten, with the exact expectation.
    pub histogram: Vec<SumBin>,
}

/// Draws whose sum lies in a range.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SumBin {
    /// The smallest sum.
    pub from: u16,
    /// The largest sum.
    pub to: u16,
    /// Draws in it.
    pub count: u32,
    /// Draws that were to be expected.
    pub expected: f64,
}

/// Draws that have a certain count of something.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CountOfDraws {
    /// 0 to 6.
    pub count: u8,
    /// Draws that have it.
    pub draws: u32,
    /// Draws that were to be expected.
    pub expected: f64,
}

/// Draws by pairs of neighbours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ConsecutiveCount {
    /// 0 to 5.
    pub pairs: u8,
    /// Draws that have so many.
    pub draws: u32,
    /// Draws that were to be expected.
    pub expected: f64,
}

/// Numbers in a zone of ten.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ZoneShare {
    /// `1-10`, `11-20`, `21-30`, `31-40` or `41-45`.
    pub zone: String,
    /// How many drawn numbers lie in it.
    pub numbers: u32,
    /// Their share of all drawn numbers, 0 to 1.
    pub share: f64,
    /// The zone's share of the 45 numbers.
    pub expected_share: f64,
}

/// Numbers with a last digit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DigitCount {
    /// 0 to 9.
    pub digit: u8,
    /// How many drawn numbers end in it.
    pub count: u32,
    /// How many were to be expected.
    pub expected: f64,
}

/// All 990 pairs, the most frequent first, equal ones by their numbers.
pub fn pair_counts(history: &History) -> Vec<PairCount> {
    let draws = history.draws().len();
    let mut pairs: Vec<PairCount> = (1..SLOTS as u8)
        .flat_map(|lower| (lower + 1..SLOTS as u8).map(move |higher| [lower, higher]))
        .map(|[lower, higher]| {
            let count = history.pair_count(lower, higher);
            PairCount { numbers: [lower, higher], count, z: standard_score(count, draws, PAIR_IN_DRAW) }
        })
        .collect();
    pairs.sort_by_key(|pair| (std::cmp::Reverse(pair.count), pair.numbers));
    pairs
}

pub(super) fn pairs(history: &History) -> Pairs {
    let mut all = pair_counts(history);
    let most = all[..20].to_vec();
    all.sort_by_key(|pair| (pair.count, pair.numbers));
    all.truncate(20);
    let draws = history.draws().len();
    let (chance_most, chance_least) = chance_extremes(draws);
    Pairs { expected: draws as f64 * PAIR_IN_DRAW, chance_most, chance_least, most, least: all }
}

/// The most and the least frequent of 990 pairs by chance. Each count is binomial; the pairs are taken as independent,
/// which they nearly are (two of them share a draw's numbers too rarely to matter; a simulation of 400 histories
/// gives the same figures).
fn chance_extremes(draws: usize) -> (ChanceExtreme, ChanceExtreme) {
    let at_most = binomial_at_most(draws);
    let first = |holds: &dyn Fn(f64) -> bool| at_most.iter().position(|&share| holds(share)).unwrap_or(draws) as u32;
    // P(all at most k) = F(k)^990; P(the least at most k) = 1 − (1 − F(k))^990.
    let most = |share: f64| first(&|at_most| at_most.powi(ALL_PAIRS) >= share);
    let least = |share: f64| first(&|at_most| 1.0 - (1.0 - at_most).powi(ALL_PAIRS) >= share);
    (
        ChanceExtreme { median: most(0.5), low: most(0.05), high: most(0.95) },
        ChanceExtreme { median: least(0.5), low: least(0.05), high: least(0.95) },
    )
}

const ALL_PAIRS: i32 = 990;

/// P(count ≤ k) of one pair for k = 0, 1, … up to `draws`.
fn binomial_at_most(draws: usize) -> Vec<f64> {
    let odds = PAIR_IN_DRAW / (1.0 - PAIR_IN_DRAW);
    let mut chance = (1.0 - PAIR_IN_DRAW).powf(draws as f64);
    let mut sum = 0.0;
    (0..=draws)
        .map(|count| {
            sum += chance;
            chance *= (draws - count) as f64 / (count + 1) as f64 * odds;
            sum
        })
        .collect()
}

/// The width of a bar of the histogram of sums.
const BIN: u16 = 10;

/// The sums of `draws` next to their exact distribution.
pub fn sums(draws: &[Draw]) -> Sums {
    let sums: Vec<u16> = draws.iter().map(|draw| Metrics::of(&draw.numbers).sum).collect();
    let count = sums.len() as f64;
    let mean = if sums.is_empty() { 0.0 } else { sums.iter().map(|&sum| f64::from(sum)).sum::<f64>() / count };
    let squares: f64 = sums.iter().map(|&sum| (f64::from(sum) - mean).powi(2)).sum();
    let probabilities = sum_probabilities();
    let bin = |from: u16| {
        let to = (from + BIN - 1).min(255);
        SumBin {
            from,
            to,
            count: sums.iter().filter(|sum| (from..=to).contains(sum)).count() as u32,
            expected: count * probabilities[usize::from(from)..=usize::from(to)].iter().sum::<f64>(),
        }
    };
    Sums {
        mean,
        standard_deviation: if sums.len() < 2 { 0.0 } else { (squares / (count - 1.0)).sqrt() },
        expected_mean: MEAN_SUM,
        expected_standard_deviation: SUM_DEVIATION,
        histogram: (21..=255).step_by(usize::from(BIN)).map(bin).collect(),
    }
}

pub(super) fn odd(draws: &[Draw]) -> Vec<CountOfDraws> {
    count_of_draws(draws, |metrics| metrics.odd, odd_probabilities())
}

pub(super) fn low(draws: &[Draw]) -> Vec<CountOfDraws> {
    count_of_draws(draws, |metrics| metrics.low, low_probabilities())
}

fn count_of_draws(draws: &[Draw], of: fn(&Metrics) -> u8, probabilities: [f64; 7]) -> Vec<CountOfDraws> {
    let row = |(count, probability): (u8, f64)| CountOfDraws {
        count,
        draws: draws.iter().filter(|draw| of(&Metrics::of(&draw.numbers)) == count).count() as u32,
        expected: draws.len() as f64 * probability,
    };
    (0..).zip(probabilities).map(row).collect()
}

pub(super) fn consecutive(draws: &[Draw]) -> Vec<ConsecutiveCount> {
    let pairs_of = |draw: &Draw| Metrics::of(&draw.numbers).consecutive_pairs;
    let row = |(pairs, probability): (u8, f64)| ConsecutiveCount {
        pairs,
        draws: draws.iter().filter(|draw| pairs_of(draw) == pairs).count() as u32,
        expected: draws.len() as f64 * probability,
    };
    (0..).zip(consecutive_probabilities()).map(row).collect()
}

pub(super) fn zones(draws: &[Draw]) -> Vec<ZoneShare> {
    let counts = count_numbers(draws);
    let all = (6 * draws.len()).max(1) as f64;
    let zone = |(from, to): (u8, u8)| {
        let numbers: u32 = counts[usize::from(from)..=usize::from(to)].iter().sum();
        ZoneShare {
            zone: format!("{from}-{to}"),
            numbers,
            share: f64::from(numbers) / all,
            expected_share: f64::from(to - from + 1) / 45.0,
        }
    };
    ZONES.map(zone).into()
}

pub(super) fn last_digits(draws: &[Draw]) -> Vec<DigitCount> {
    let counts = count_numbers(draws);
    let row = |digit: u8| {
        let ending: Vec<usize> = (1..SLOTS).filter(|number| number % 10 == usize::from(digit)).collect();
        DigitCount {
            digit,
            count: ending.iter().map(|&number| counts[number]).sum(),
            expected: draws.len() as f64 * 6.0 * ending.len() as f64 / 45.0,
        }
    };
    (0..10).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::import::built_in;
    use super::*;

    #[test]
    fn real_draws_lie_near_their_expectations() {
        let draws = built_in();
        let sums = sums(draws);
        assert!((sums.mean - 138.0).abs() < 3.0 * 29.95 / (1245f64).sqrt(), "{}", sums.mean);
        assert!((sums.standard_deviation - 29.95).abs() < 2.0);
        for row in odd(draws).iter().chain(&low(draws)) {
            assert!((f64::from(row.draws) - row.expected).abs() < 4.0 * row.expected.sqrt() + 4.0, "{row:?}");
        }
        for row in consecutive(draws) {
            assert!((f64::from(row.draws) - row.expected).abs() < 4.0 * row.expected.sqrt() + 4.0, "{row:?}");
        }
        assert_eq!(last_digits(draws).iter().map(|row| (row.expected * 100.0).round()).sum::<f64>(), 747_000.0);
    }

    #[test]
    fn two_draws_have_a_deviation_of_their_sums_and_one_has_none() {
        // 10, 23, 29, 33, 37, 40 make 172, and 9, 13, 21, 25, 32, 42 make 142: the sample's variance is 15² + 15².
        let of_two = sums(&built_in()[..2]);
        assert_eq!((of_two.mean, of_two.standard_deviation), (157.0, 450f64.sqrt()));
        assert_eq!(sums(&built_in()[..1]).standard_deviation, 0.0);
    }

    #[test]
    fn the_zones_of_the_first_five_draws_counted_by_hand() {
        // Of 10 23 29 33 37 40, 9 13 21 25 32 42, 11 16 19 21 27 31, 14 27 30 31 40 42 and 16 24 29 40 41 42.
        let zones = zones(&built_in()[..5]);
        let numbers: Vec<_> = zones.iter().map(|zone| (zone.zone.as_str(), zone.numbers)).collect();
        assert_eq!(numbers, [("1-10", 2), ("11-20", 6), ("21-30", 10), ("31-40", 8), ("41-45", 4)]);
        for (zone, (of_thirty, of_all)) in
            zones.iter().zip([(2.0, 10.0), (6.0, 10.0), (10.0, 10.0), (8.0, 10.0), (4.0, 5.0)])
        {
            assert!((zone.share - of_thirty / 30.0).abs() < 1e-12, "{zone:?}");
            assert!((zone.expected_share - of_all / 45.0).abs() < 1e-12, "{zone:?}");
        }
    }

    #[test]
    fn the_strongest_pair_stands_beside_what_chance_gives_the_strongest() {
        let pairs = pairs(&History::of(built_in()));
        // A simulation of 400 fair histories of 1,245 draws, apart from this code.
        assert_eq!((pairs.chance_most.low, pairs.chance_most.median, pairs.chance_most.high), (32, 34, 38));
        assert_eq!((pairs.chance_least.low, pairs.chance_least.median, pairs.chance_least.high), (5, 7, 8));
        assert!((pairs.chance_most.low..=pairs.chance_most.high).contains(&pairs.most[0].count), "{:?}", pairs.most[0]);
        assert_eq!(chance_extremes(0).0, ChanceExtreme { median: 0, low: 0, high: 0 });
    }

    #[test]
    fn the_counts_of_a_known_pair() {
        let history = History::of(built_in());
        let together = built_in().iter().filter(|d| d.numbers.contains(4) && d.numbers.contains(5)).count() as u32;
        let pair = pair_counts(&history).into_iter().find(|pair| pair.numbers == [4, 5]).unwrap();
        assert_eq!(pair.count, together);
    }
}

//! What about a combination makes it popular with those who choose by hand.
//!
//! They like months (and the days they share with them) and dislike the far end of the ticket; see Henze and Riedwyl,
//! How to Win More (1998), chapters 3 and 4, and Farrell, Lanot, Hartley and Walker, "The demand for lotto: the role of
//! conscious selection" (2000). Two terms are enough: with more of them (the sum, days to 31, neighbours, even steps)
//! the draws that were held out are described worse, and the terms explain each other away.

use libm::exp;

use super::super::numbers::Numbers;
use super::super::odds::{TOTAL_COMBINATIONS, binomial};

/// One value a term: numbers up to 12, and numbers from 40 on.
pub(super) type Features = [f64; TERMS];
/// How many terms there are.
pub(super) const TERMS: usize = 2;

/// The last month.
const MONTHS: u8 = 12;
/// Where the far end of the ticket begins.
const FAR_END: u8 = 40;
/// More numbers than these of a kind count no further: too few draws tell what they do.
const MOST_COUNTED: [u64; TERMS] = [4, 2];

/// The terms of `numbers`.
pub(super) fn features(numbers: &Numbers) -> Features {
    let count = |kind: usize| numbers.iter().filter(|&number| number_features(number)[kind] > 0.0).count() as u64;
    counted([count(0), count(1)])
}

/// What one number adds to the terms by itself, where it counts.
pub(super) fn number_features(number: u8) -> Features {
    [f64::from(u8::from(number <= MONTHS)), f64::from(u8::from(number >= FAR_END))]
}

/// Where the average combination lies.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub(super) struct Average {
    /// ln of the mean of exp(Σ b x) over all combinations.
    pub log_mean: f64,
    /// The mean terms over all combinations, each weighted by exp(Σ b x).
    pub terms: Features,
}

/// The average over all 8,145,060 combinations for these coefficients, by how many combinations have so many numbers
/// of each kind.
pub(super) fn over_all_combinations(coefficients: &Features) -> Average {
    let (mut whole, mut terms) = (0.0, [0.0; TERMS]);
    let (months, far_end) = (u64::from(MONTHS), u64::from(45 - FAR_END + 1));
    for of_months in 0..=6 {
        for of_far_end in 0..=6 - of_months {
            let others = binomial(45 - months - far_end, 6 - of_months - of_far_end);
            let ways = binomial(months, of_months) * binomial(far_end, of_far_end) * others;
            let counted = counted([of_months, of_far_end]);
            let played = ways as f64 * exp(dot(coefficients, &counted));
            whole += played;
            terms.iter_mut().zip(counted).for_each(|(sum, term)| *sum += played * term);
        }
    }
    Average { log_mean: libm::log(whole / TOTAL_COMBINATIONS as f64), terms: terms.map(|sum| sum / whole) }
}

/// Σ b x.
pub(super) fn dot(left: &Features, right: &Features) -> f64 {
    left.iter().zip(right).map(|(a, b)| a * b).sum::<f64>() + 0.0
}

fn counted(counts: [u64; TERMS]) -> Features {
    std::array::from_fn(|kind| counts[kind].min(MOST_COUNTED[kind]) as f64)
}

#[cfg(test)]
mod tests {
    use super::super::super::random::SplitMix64;
    use super::*;

    #[test]
    fn months_and_the_far_end_are_counted_as_far_as_draws_tell() {
        let terms = |numbers: [u8; 6]| features(&Numbers::new(numbers).unwrap());
        assert_eq!(terms([5, 10, 15, 40, 41, 42]), [2.0, 2.0]);
        assert_eq!(terms([1, 2, 3, 11, 12, 13]), [4.0, 0.0]);
        assert_eq!(terms([13, 20, 27, 33, 39, 40]), [0.0, 1.0]);
    }

    #[test]
    fn the_mean_over_all_combinations_is_that_of_many_random_ones() {
        let plain = over_all_combinations(&[0.0; TERMS]);
        assert!(plain.log_mean.abs() < 1e-12);
        let coefficients = [0.16, -0.12];
        let average = over_all_combinations(&coefficients);
        let mut generator = SplitMix64::new(6);
        let (mut whole, mut months) = (0.0, 0.0);
        for _ in 0..100_000 {
            let terms = features(&generator.numbers());
            let played = exp(dot(&coefficients, &terms));
            whole += played;
            months += played * terms[0];
        }
        assert!((exp(average.log_mean) - whole / 100_000.0).abs() < 0.005, "{average:?}");
        assert!((average.terms[0] - months / whole).abs() < 0.02, "{average:?}");
    }
}

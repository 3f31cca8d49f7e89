//! Exact distributions of the shape of a combination, by counting all 8,145,060 of them.

use super::super::numbers::{HIGHEST, SET_SIZE};
use super::super::odds::{TOTAL_COMBINATIONS, binomial, hypergeometric};

/// The mean sum of six numbers: 6 × 46 / 2.
pub const MEAN_SUM: f64 = 138.0;
/// The standard deviation of the sum, √897: the variance of a sum of n drawn without replacement
/// from 1..=N is n (N − n) (N + 1) / 12 (the rank-sum statistic; Wilcoxon 1945).
pub const SUM_DEVIATION: f64 = 29.949_958_263_743_873;
/// One more than the largest sum, 40 + 41 + … + 45.
pub const SUMS: usize = 256;

/// How many combinations have each sum, from 0 to 255: a subset-sum recurrence over the numbers.
pub fn sum_combinations() -> [u64; SUMS] {
    let mut ways = [[0u64; SUMS]; SET_SIZE + 1];
    ways[0][0] = 1;
    for number in 1..=usize::from(HIGHEST) {
        for chosen in (1..=SET_SIZE).rev() {
            for sum in (number..SUMS).rev() {
                ways[chosen][sum] += ways[chosen - 1][sum - number];
            }
        }
    }
    ways[SET_SIZE]
}

/// The chance of each sum, from 0 to 255.
pub fn sum_probabilities() -> [f64; SUMS] {
    sum_combinations().map(|ways| ways as f64 / TOTAL_COMBINATIONS as f64)
}

/// The chance of 0 to 6 odd numbers; 23 of the 45 are odd.
pub fn odd_probabilities() -> [f64; 7] {
    std::array::from_fn(|count| hypergeometric(45, 23, 6, count as u64))
}

/// The chance of 0 to 6 low numbers; 22 of the 45 are low.
pub fn low_probabilities() -> [f64; 7] {
    std::array::from_fn(|count| hypergeometric(45, 22, 6, count as u64))
}

/// The chance of 0 to 5 pairs of neighbours. Six numbers in r runs leave 6 − r pairs; there are
/// C(40, r) ways to place r runs among the 39 others and C(5, r − 1) ways to cut six into r
/// (Riordan, An Introduction to Combinatorial Analysis, 1958, chapter 1).
pub fn consecutive_probabilities() -> [f64; 6] {
    std::array::from_fn(|pairs| {
        let runs = 6 - pairs as u64;
        (binomial(40, runs) * binomial(5, runs - 1)) as f64 / TOTAL_COMBINATIONS as f64
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::metrics::Metrics;
    use super::super::super::random::SplitMix64;
    use super::*;

    fn close(value: f64, expected: f64, within: f64) {
        assert!((value - expected).abs() < within, "{value} is not {expected}");
    }

    #[test]
    fn every_distribution_counts_every_combination_once() {
        assert_eq!(sum_combinations().iter().sum::<u64>(), TOTAL_COMBINATIONS);
        close(odd_probabilities().iter().sum(), 1.0, 1e-12);
        close(low_probabilities().iter().sum(), 1.0, 1e-12);
        close(consecutive_probabilities().iter().sum(), 1.0, 1e-12);
        assert_eq!((sum_combinations()[21], sum_combinations()[20], sum_combinations()[255]), (1, 0, 1));
    }

    #[test]
    fn mean_and_deviation_of_the_sum_are_the_known_ones() {
        let probabilities = sum_probabilities();
        let moment = |power: i32| -> f64 {
            probabilities.iter().enumerate().map(|(sum, chance)| (sum as f64 - MEAN_SUM).powi(power) * chance).sum()
        };
        close(moment(1), 0.0, 1e-9);
        close(moment(2).sqrt(), SUM_DEVIATION, 1e-9);
    }

    #[test]
    fn random_combinations_follow_the_distributions() {
        let mut generator = SplitMix64::new(11);
        let (mut odd, mut low, mut consecutive) = ([0u32; 7], [0u32; 7], [0u32; 6]);
        for _ in 0..40_000 {
            let metrics = Metrics::of(&generator.numbers());
            odd[usize::from(metrics.odd)] += 1;
            low[usize::from(metrics.low)] += 1;
            consecutive[usize::from(metrics.consecutive_pairs)] += 1;
        }
        let agrees = |counts: &[u32], chances: &[f64]| {
            counts.iter().zip(chances).for_each(|(&count, chance)| close(f64::from(count) / 40_000.0, *chance, 0.012));
        };
        agrees(&odd, &odd_probabilities());
        agrees(&low, &low_probabilities());
        agrees(&consecutive, &consecutive_probabilities());
    }
}

//! How far the winning numbers of several sets together may stray by chance alone, exactly.
//!
//! Sets that share numbers win and lose together, so their spread follows from how often each number is used,
//! never from how many sets there are. A draw takes six of the 45 numbers, each combination equally likely; with
//! c(n) sets using number n, the sets have Σ c(n) over the six drawn numbers together. Its distribution is counted
//! over all 8,145,060 draws; its variance is that of a sample without replacement (Cochran, Sampling Techniques,
//! 3rd ed., theorem 2.2).

use super::history::SLOTS;
use super::numbers::{HIGHEST, Numbers, SET_SIZE};
use super::odds::TOTAL_COMBINATIONS;

/// How often each number is used by a group of different sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Usage {
    counts: [usize; SLOTS],
}

impl Usage {
    /// The usage of `sets`; a set that is there twice counts twice.
    pub fn of<'a>(sets: impl IntoIterator<Item = &'a Numbers>) -> Usage {
        let mut counts = [0; SLOTS];
        for number in sets.into_iter().flat_map(Numbers::iter) {
            counts[usize::from(number)] += 1;
        }
        Usage { counts }
    }

    /// The range in which the winning numbers of the sets together lie in at least 95 of 100 fair draws: beyond
    /// each of its ends lie at most 2.5 % of all draws.
    pub fn range_95(&self) -> (usize, usize) {
        let draws = self.draws_by_total();
        let most_beyond = TOTAL_COMBINATIONS / 40;
        (first_beyond(draws.iter(), most_beyond), draws.len() - 1 - first_beyond(draws.iter().rev(), most_beyond))
    }

    /// The variance of the winning numbers of the sets together: 6 (1 − 6/45) S², where S² is the variance of the 45
    /// counts (with 44 degrees of freedom). One set alone has 0.61455.
    pub fn variance(&self) -> f64 {
        let (highest, drawn) = (f64::from(HIGHEST), SET_SIZE as f64);
        let counts = self.counts[1..].iter().map(|&count| count as f64);
        let mean = counts.clone().sum::<f64>() / highest;
        let squares: f64 = counts.map(|count| (count - mean).powi(2)).sum();
        drawn * (1.0 - drawn / highest) * squares / (highest - 1.0)
    }

    /// How many of the 8,145,060 possible draws give each total of winning numbers: a subset-sum recurrence over
    /// the numbers, of which each draw takes six.
    fn draws_by_total(&self) -> Vec<u64> {
        let mut largest = self.counts;
        largest.sort_unstable();
        let totals = largest[SLOTS - SET_SIZE..].iter().sum::<usize>() + 1;
        let mut ways = vec![vec![0u64; totals]; SET_SIZE + 1];
        ways[0][0] = 1;
        for &count in &self.counts[1..] {
            for drawn in (1..=SET_SIZE).rev() {
                let (fewer, more) = ways.split_at_mut(drawn);
                let (fewer, more) = (&fewer[drawn - 1], &mut more[0]);
                for (total, ways) in more.iter_mut().enumerate().skip(count) {
                    *ways += fewer[total - count];
                }
            }
        }
        ways.swap_remove(SET_SIZE)
    }
}

/// The first place at which `draws` add up to more than `most`.
fn first_beyond<'a>(mut draws: impl Iterator<Item = &'a u64>, most: u64) -> usize {
    let mut sum = 0;
    let is_beyond = |draws: &u64| {
        sum += draws;
        sum > most
    };
    draws.position(is_beyond).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::odds::{MATCHED_VARIANCE, matched_probability};
    use super::super::random::SplitMix64;
    use super::*;

    #[test]
    fn one_set_has_the_hypergeometric_distribution() {
        let one = Usage::of([&Numbers::new([1, 2, 3, 4, 5, 6]).unwrap()]);
        let draws = one.draws_by_total();
        assert_eq!(draws.iter().sum::<u64>(), TOTAL_COMBINATIONS);
        for (matched, draws) in draws.iter().enumerate() {
            let expected = matched_probability(matched as u64) * TOTAL_COMBINATIONS as f64;
            assert!((*draws as f64 - expected).abs() < 1e-3, "{matched}");
        }
        // Three and more have 2.38 %, two and more 15.6 %; none has 40 %.
        assert_eq!(one.range_95(), (0, 2));
    }

    #[test]
    fn thirty_times_nearly_the_same_set_strays_as_far_as_one_set_and_not_as_thirty() {
        let alike: Vec<Numbers> = (7..=36).map(|last| Numbers::new([1, 2, 3, 4, 5, last]).unwrap()).collect();
        // Worked out apart from this code by adding up C(5, k) C(30, j) C(10, 6 − k − j) over k of the five shared
        // numbers and j of the thirty others: the total is 30 k + j.
        assert_eq!(Usage::of(&alike).range_95(), (3, 64));
    }

    #[test]
    fn the_variance_is_that_of_the_distribution() {
        let mut generator = SplitMix64::new(4);
        for sets in [1, 2, 7, 40] {
            let sets: Vec<Numbers> = (0..sets).map(|_| generator.numbers()).collect();
            let usage = Usage::of(&sets);
            let draws = usage.draws_by_total();
            let mean_of = |figure: &dyn Fn(f64) -> f64| {
                let sum: f64 =
                    draws.iter().enumerate().map(|(total, &draws)| figure(total as f64) * draws as f64).sum();
                sum / TOTAL_COMBINATIONS as f64
            };
            let mean = mean_of(&|total| total);
            assert!((mean - 0.8 * sets.len() as f64).abs() < 1e-9);
            let exact = mean_of(&|total| (total - mean).powi(2));
            assert!((usage.variance() - exact).abs() < 1e-9 * exact, "{exact}");
        }
        let one = Usage::of([&Numbers::new([1, 2, 3, 4, 5, 6]).unwrap()]);
        assert!((one.variance() - MATCHED_VARIANCE).abs() < 1e-12);
    }
}

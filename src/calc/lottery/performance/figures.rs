//! Intervals, and how many games a proof needs.

use super::super::co_winners::Ratio;
use super::super::interval::{Interval, Z_95};
use super::super::odds::{ANY_PRIZE, EXPECTED_MATCHED, MATCHED_VARIANCE};

/// The normal quantile of a power of 80 %.
const Z_80: f64 = 0.841_621_233_572_914_2;

/// The mean of `values` and its 95 % interval by the central limit theorem, 0 without values.
pub(super) fn mean_interval(values: &[f64]) -> (f64, Interval) {
    let count = values.len() as f64;
    if values.is_empty() {
        return (0.0, Interval { low: 0.0, high: 0.0 });
    }
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let half_width = Z_95 * (squares / (count - 1.0).max(1.0) / count).sqrt();
    (mean, Interval { low: (mean - half_width).max(0.0), high: mean + half_width })
}

/// The mean of `values`, one a draw, and its 95 % interval, when `variance` is what the values have together over all
/// possible draws. What was chosen for a draw follows from the draws before, and the draw from nothing, so the values
/// less 0.8 are martingale differences and their conditional variances add up (Brown, "Martingale central limit
/// theorems", Annals of Mathematical Statistics 42, 1971, 59–66).
pub(super) fn mean_of_draws(values: &[f64], variance: f64) -> (f64, Interval) {
    let count = values.len() as f64;
    if values.is_empty() {
        return (0.0, Interval { low: 0.0, high: 0.0 });
    }
    let mean = values.iter().sum::<f64>() / count;
    let half_width = Z_95 * variance.sqrt() / count;
    (mean, Interval { low: mean - half_width, high: mean + half_width })
}

/// `mean` and its interval times `factor`.
pub(super) fn scaled(mean: f64, interval: Interval, factor: f64) -> Ratio {
    Ratio { ratio: mean * factor, low: interval.low * factor, high: interval.high * factor, single_set: None }
}

/// How many games it takes to show that the rate of any prize is `edge` (0.1 = 10 %) better than
/// chance, with 95 % confidence and a power of 80 %:
/// n = ((z₀.₉₇₅ √(p₀ q₀) + z₀.₈ √(p₁ q₁)) / (p₁ − p₀))², the one-sample test of a proportion
/// (Fleiss, Levin, Paik, Statistical Methods for Rates and Proportions, 3rd ed., section 2.5), rounded
/// up.
pub fn games_needed(edge: f64) -> u64 {
    let deviation = |rate: f64| (rate * (1.0 - rate)).sqrt();
    let better = ANY_PRIZE * (1.0 + edge);
    ((Z_95 * deviation(ANY_PRIZE) + Z_80 * deviation(better)) / (better - ANY_PRIZE)).powi(2).ceil() as u64
}

/// How many games it takes to show that the mean number of winning numbers is `edge` better than chance, with 95 %
/// confidence and a power of 80 %: n = ((z₀.₉₇₅ + z₀.₈) σ / (0.8 edge))² with σ² = 0.61455, rounded up.
pub fn games_needed_by_matches(edge: f64) -> u64 {
    (((Z_95 + Z_80) / (EXPECTED_MATCHED * edge)).powi(2) * MATCHED_VARIANCE).ceil() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_number_of_matches_needs_fewer_games_than_the_rate_of_prizes() {
        // (1.959964 + 0.841621)² × 0.614545 / 0.08² = 753.7.
        assert_eq!(games_needed_by_matches(0.10), 754);
    }

    #[test]
    fn the_interval_of_a_mean_of_draws_follows_from_its_variance() {
        let (mean, interval) = mean_of_draws(&[0.5, 1.0, 0.9], 0.36);
        assert!((mean - 0.8).abs() < 1e-12 && (interval.high - 0.8 - Z_95 * 0.2).abs() < 1e-12, "{interval:?}");
        assert_eq!(mean_of_draws(&[], 0.0).0, 0.0);
    }

    #[test]
    fn the_published_numbers_of_games_come_out() {
        assert_eq!(games_needed(0.10), 33_071);
        assert!((1_459..=1_460).contains(&games_needed(0.50)), "{}", games_needed(0.50));
    }

    #[test]
    fn the_interval_of_a_mean() {
        let (mean, interval) = mean_interval(&[1.0, 2.0, 3.0]);
        assert_eq!(mean, 2.0);
        assert!((interval.high - 2.0 - Z_95 / 3f64.sqrt()).abs() < 1e-12);
        assert_eq!(mean_interval(&[]).0, 0.0);
    }
}

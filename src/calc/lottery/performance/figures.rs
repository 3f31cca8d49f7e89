//! Intervals, and how many games a proof needs.

use serde::{Deserialize, Serialize};

use super::super::co_winners::{Ratio, Z_95};
use super::super::odds::ANY_PRIZE;
use hanok_base::schema::ToSchema;

/// A 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

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

/// `mean` and its interval times `factor`.
pub(super) fn scaled(mean: f64, interval: Interval, factor: f64) -> Ratio {
    Ratio { ratio: mean * factor, low: interval.low * factor, high: interval.high * factor }
}

/// The 95 % score interval of a rate of `successes` in `trials` (E. B. Wilson, Journal of the American
/// Statistical Association 22, 1927, 209–212); from 0 to 1 without trials.
pub fn wilson(successes: u64, trials: u64) -> Interval {
    if trials == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let (n, z2) = (trials as f64, Z_95 * Z_95);
    let rate = successes as f64 / n;
    let centre = (rate + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half_width = Z_95 / (1.0 + z2 / n) * (rate * (1.0 - rate) / n + z2 / (4.0 * n * n)).sqrt();
    Interval { low: (centre - half_width).max(0.0), high: (centre + half_width).min(1.0) }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_numbers_of_games_come_out() {
        assert_eq!(games_needed(0.10), 33_071);
        assert!((1_459..=1_460).contains(&games_needed(0.50)), "{}", games_needed(0.50));
    }

    #[test]
    fn wilsons_interval_of_a_textbook_case() {
        // 15 of 148: 0.0624 to 0.1605 (Newcombe, Statistics in Medicine 17, 1998, 857–872: 0.0624, 0.1605).
        let interval = wilson(15, 148);
        assert!((interval.low - 0.0624).abs() < 5e-5 && (interval.high - 0.1605).abs() < 5e-5, "{interval:?}");
        assert_eq!(wilson(0, 20).low, 0.0);
        assert_eq!(wilson(0, 0), Interval { low: 0.0, high: 1.0 });
    }

    #[test]
    fn the_interval_of_a_mean() {
        let (mean, interval) = mean_interval(&[1.0, 2.0, 3.0]);
        assert_eq!(mean, 2.0);
        assert!((interval.high - 2.0 - Z_95 / 3f64.sqrt()).abs() < 1e-12);
        assert_eq!(mean_interval(&[]).0, 0.0);
    }
}

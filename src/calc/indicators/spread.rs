//! How far prices go: volatility, drawdown, distance from the highest and the lowest, and against others.

use super::{DAYS_OF_YEAR, finite, rate_of_change};

/// The standard deviation (of a sample) of the last `period` logarithmic returns, for a year, in percent.
pub fn volatility(closes: &[f64], period: usize) -> Vec<Option<f64>> {
    let of = |at: usize| {
        let first = at.checked_sub(period).filter(|_| period >= 2)?;
        let window = &closes[first..=at];
        if window.iter().any(|close| *close <= 0.0) {
            return None;
        }
        let returns = || window.windows(2).map(|pair| libm::log(pair[1] / pair[0]));
        let mean = returns().sum::<f64>() / period as f64;
        let variance = returns().map(|value| (value - mean).powi(2)).sum::<f64>() / (period as f64 - 1.0);
        finite((variance * DAYS_OF_YEAR as f64).sqrt() * 100.0)
    };
    (0..closes.len()).map(of).collect()
}

/// How far each close lies below the highest close of the last `period`, in percent: 0 or less.
pub fn drawdown(closes: &[f64], period: usize) -> Vec<Option<f64>> {
    below_highest(closes, closes, period)
}

/// How far each close lies from the highest of the last `period` highs, in percent. None where the two are not of one length.
pub fn below_highest(highs: &[f64], closes: &[f64], period: usize) -> Vec<Option<f64>> {
    from_extreme(highs, closes, period, f64::max)
}

/// How far each close lies from the lowest of the last `period` lows, in percent. None where the two are not of one length.
pub fn above_lowest(lows: &[f64], closes: &[f64], period: usize) -> Vec<Option<f64>> {
    from_extreme(lows, closes, period, f64::min)
}

fn from_extreme(values: &[f64], closes: &[f64], period: usize, of: fn(f64, f64) -> f64) -> Vec<Option<f64>> {
    let distance = |at: usize| {
        let first = (at + 1).checked_sub(period).filter(|_| period > 0 && values.len() == closes.len())?;
        let extreme = values[first..=at].iter().copied().reduce(of)?;
        if extreme <= 0.0 { None } else { finite((closes[at] / extreme - 1.0) * 100.0) }
    };
    (0..closes.len()).map(distance).collect()
}

/// Each volume as a multiple of the mean of the `period` before it. None where nothing was traded then.
pub fn volume_surge(volumes: &[f64], period: usize) -> Vec<Option<f64>> {
    let surge = |at: usize| {
        let before = &volumes[at.checked_sub(period).filter(|_| period > 0)?..at];
        let mean = before.iter().sum::<f64>() / period as f64;
        if mean <= 0.0 { None } else { finite(volumes[at] / mean) }
    };
    (0..volumes.len()).map(surge).collect()
}

/// The change over `period` bars without that of `others` (an index, or the median of all), bar by bar, in points of percent.
/// None where the two are not of one length.
pub fn relative_strength(closes: &[f64], others: &[f64], period: usize) -> Vec<Option<f64>> {
    if closes.len() != others.len() {
        return vec![None; closes.len()];
    }
    let changes = rate_of_change(closes, period).into_iter().zip(rate_of_change(others, period));
    changes.map(|(own, other)| finite(own? - other?)).collect()
}

/// The value in the middle, or the mean of the two there; none of nothing.
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.retain(|value| value.is_finite());
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() % 2 {
        _ if values.is_empty() => None,
        0 => Some((values[middle - 1] + values[middle]) / 2.0),
        _ => Some(values[middle]),
    }
}

//! Moving averages, and what is made of them.

use super::finite;

/// The mean of the last `period` values.
pub fn sma(values: &[f64], period: usize) -> Vec<Option<f64>> {
    let mut means = vec![None; values.len()];
    if period == 0 || values.len() < period {
        return means;
    }
    let mut sum: f64 = values[..period - 1].iter().sum();
    for at in period - 1..values.len() {
        sum += values[at];
        means[at] = finite(sum / period as f64);
        sum -= values[at + 1 - period];
    }
    means
}

/// The exponential average with the weight 2/(`period` + 1), which begins with the mean of the first `period` values.
pub fn ema(values: &[f64], period: usize) -> Vec<Option<f64>> {
    ema_from(values, period, period.saturating_sub(1))
}

/// [`ema`] whose first value stands at `first`, as the mean of the `period` values up to it.
fn ema_from(values: &[f64], period: usize, first: usize) -> Vec<Option<f64>> {
    let mut averages = vec![None; values.len()];
    if period == 0 || values.len() <= first || first + 1 < period {
        return averages;
    }
    let weight = 2.0 / (period as f64 + 1.0);
    let mut average = values[first + 1 - period..=first].iter().sum::<f64>() / period as f64;
    averages[first] = finite(average);
    for at in first + 1..values.len() {
        average += weight * (values[at] - average);
        averages[at] = finite(average);
    }
    averages
}

/// Moving average convergence and divergence.
#[derive(Debug, Clone, PartialEq)]
pub struct Macd {
    /// The fast average without the slow one.
    pub line: Vec<Option<f64>>,
    /// The average of that line.
    pub signal: Vec<Option<f64>>,
    /// The line without its signal.
    pub histogram: Vec<Option<f64>>,
}

/// MACD of averages over `fast` and `slow` values with a signal over `signal`, usually 12, 26 and 9. All three begin with the
/// first signal, and both averages at the same value, as TA-Lib has it.
pub fn macd(values: &[f64], fast: usize, slow: usize, signal: usize) -> Macd {
    let none = || vec![None; values.len()];
    let (fast, slow) = (fast.min(slow), fast.max(slow));
    let Some(first) = slow.checked_sub(1) else { return Macd { line: none(), signal: none(), histogram: none() } };
    let averages = ema_from(values, fast, first).into_iter().zip(ema_from(values, slow, first));
    let line: Vec<f64> = averages.filter_map(|(fast, slow)| Some(fast? - slow?)).collect();
    let (mut lines, mut signals, mut histogram) = (none(), none(), none());
    for (at, (value, signal)) in line.iter().zip(ema(&line, signal)).enumerate() {
        let Some(signal) = signal else { continue };
        lines[first + at] = finite(*value);
        signals[first + at] = Some(signal);
        histogram[first + at] = finite(value - signal);
    }
    Macd { line: lines, signal: signals, histogram }
}

/// Bands around a moving average.
#[derive(Debug, Clone, PartialEq)]
pub struct Bands {
    /// The average and so many deviations.
    pub upper: Vec<Option<f64>>,
    /// The average.
    pub middle: Vec<Option<f64>>,
    /// The average without as many.
    pub lower: Vec<Option<f64>>,
}

/// Bollinger's bands: the mean of the last `period` values and `deviations` of their standard deviations (of the whole, not of
/// a sample), usually 20 and 2.
pub fn bollinger(values: &[f64], period: usize, deviations: f64) -> Bands {
    let middle = sma(values, period);
    let spread = |at: usize| {
        let mean = middle[at]?;
        let window = &values[at + 1 - period..=at];
        finite((window.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / period as f64).sqrt())
    };
    let spreads: Vec<Option<f64>> = (0..values.len()).map(spread).collect();
    let band = |sign: f64| {
        let of = |(mean, spread): (&Option<f64>, &Option<f64>)| finite((*mean)? + sign * deviations * (*spread)?);
        middle.iter().zip(&spreads).map(of).collect()
    };
    Bands { upper: band(1.0), lower: band(-1.0), middle }
}

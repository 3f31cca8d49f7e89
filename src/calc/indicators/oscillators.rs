//! How fast prices move, by Wilder's smoothing and by plain change.

use super::finite;

/// Wilder's relative strength index over `period` changes, 0 to 100. None where nothing moved.
pub fn rsi(closes: &[f64], period: usize) -> Vec<Option<f64>> {
    let mut values = vec![None; closes.len()];
    if period == 0 || closes.len() <= period {
        return values;
    }
    let (mut gain, mut loss) = (0.0, 0.0);
    for at in 1..closes.len() {
        let change = closes[at] - closes[at - 1];
        let (up, down) = (change.max(0.0), (-change).max(0.0));
        if at <= period {
            gain += up / period as f64;
            loss += down / period as f64;
        } else {
            gain = smoothed(gain, up, period);
            loss = smoothed(loss, down, period);
        }
        if at >= period && gain + loss > 0.0 {
            values[at] = finite(100.0 * gain / (gain + loss));
        }
    }
    values
}

/// Wilder's average true range over `period` ranges: how far a price goes in a day, the way from the last close included.
/// None where the three are not of one length.
pub fn atr(highs: &[f64], lows: &[f64], closes: &[f64], period: usize) -> Vec<Option<f64>> {
    let mut values = vec![None; closes.len()];
    let is_even = highs.len() == closes.len() && lows.len() == closes.len();
    if period == 0 || closes.len() <= period || !is_even {
        return values;
    }
    let mut average = 0.0;
    for at in 1..closes.len() {
        let before = closes[at - 1];
        let range = (highs[at] - lows[at]).max((highs[at] - before).abs()).max((lows[at] - before).abs());
        average = if at <= period { average + range / period as f64 } else { smoothed(average, range, period) };
        if at >= period {
            values[at] = finite(average);
        }
    }
    values
}

/// Change against the value `period` bars before, in percent: the momentum of that window.
pub fn rate_of_change(values: &[f64], period: usize) -> Vec<Option<f64>> {
    let change = |at: usize| {
        let before = values[at.checked_sub(period)?];
        if period == 0 || before <= 0.0 { None } else { finite((values[at] / before - 1.0) * 100.0) }
    };
    (0..values.len()).map(change).collect()
}

fn smoothed(average: f64, value: f64, period: usize) -> f64 {
    (average * (period as f64 - 1.0) + value) / period as f64
}

use proptest::prelude::*;

use super::*;

/// A column of the fixture; an empty cell is none.
fn column(name: &str) -> Vec<Option<f64>> {
    let mut lines = include_str!("fixture.csv").lines();
    let place = lines.next().unwrap().split(',').position(|title| title == name).unwrap();
    lines.map(|line| line.split(',').nth(place).unwrap().parse().ok()).collect()
}

const VOLATILITY: f64 = 166.73936015386053;

fn whole(name: &str) -> Vec<f64> {
    column(name).into_iter().map(Option::unwrap).collect()
}

#[track_caller]
fn agrees(name: &str, ours: &[Option<f64>]) {
    let theirs = column(name);
    assert_eq!(ours.len(), theirs.len());
    for (bar, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
        match (ours, theirs) {
            (Some(ours), Some(theirs)) => assert!((ours - theirs).abs() < 1e-6, "{name} at {bar}: {ours} {theirs}"),
            (ours, theirs) => assert_eq!(ours, theirs, "{name} at {bar}"),
        }
    }
}

#[track_caller]
fn is_near(found: Option<f64>, expected: f64) {
    assert!(found.is_some_and(|found| (found - expected).abs() < 1e-9), "{found:?} {expected}");
}

#[test]
fn each_bar_of_each_indicator_is_what_ta_lib_says_with_the_same_warm_up() {
    let (high, low, close) = (whole("high"), whole("low"), whole("close"));
    assert_eq!(close.len(), 300);
    agrees("sma20", &sma(&close, 20));
    agrees("ema20", &ema(&close, 20));
    agrees("rsi14", &rsi(&close, 14));
    agrees("atr14", &atr(&high, &low, &close, 14));
    agrees("roc20", &rate_of_change(&close, 20));
    let Macd { line, signal, histogram } = macd(&close, 12, 26, 9);
    agrees("macd", &line);
    agrees("signal", &signal);
    agrees("histogram", &histogram);
    let Bands { upper, middle, lower } = bollinger(&close, 20, 2.0);
    agrees("upper", &upper);
    agrees("middle", &middle);
    agrees("lower", &lower);
}

/// Worked out by hand.
#[test]
fn distances_and_surges_are_what_they_are_by_hand() {
    let closes = [100.0, 120.0, 90.0, 108.0];
    is_near(drawdown(&closes, 3)[2], -25.0);
    is_near(drawdown(&closes, 3)[3], -10.0);
    assert_eq!(drawdown(&closes, 3)[1], None);
    is_near(below_highest(&[101.0, 125.0, 95.0, 110.0], &closes, 2)[2], -28.0);
    is_near(above_lowest(&[99.0, 100.0, 80.0, 90.0], &closes, 2)[3], 35.0);
    is_near(volume_surge(&[10.0, 30.0, 60.0], 2)[2], 3.0);
    assert_eq!(volume_surge(&[0.0, 0.0, 60.0], 2)[2], None);
    is_near(relative_strength(&closes, &[10.0, 11.0, 12.0, 13.0], 3)[3], 8.0 - 30.0);
    is_near(median(vec![3.0, 1.0, 2.0]), 2.0);
    is_near(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
    assert_eq!(median(vec![]), None);
}

/// `statistics.stdev([log(1.1), log(0.9), log(1.05)]) * 252 ** 0.5 * 100` in Python.
#[test]
fn volatility_is_the_deviation_of_logarithmic_returns_for_a_year() {
    let closes = [100.0, 110.0, 99.0, 103.95];
    let found = volatility(&closes, 3)[3].unwrap();
    assert!((found - VOLATILITY).abs() < 1e-9, "{found}");
    assert_eq!(volatility(&closes, 3)[2], None);
}

#[test]
fn where_nothing_moves_there_is_no_strength_and_no_number_is_made_up() {
    let flat = [50.0; 40];
    assert_eq!(rsi(&flat, 14)[39], None);
    is_near(volatility(&flat, 20)[39], 0.0);
    is_near(bollinger(&flat, 20, 2.0).upper[39], 50.0);
    is_near(rsi(&(1..=40).map(f64::from).collect::<Vec<_>>(), 14)[39], 100.0);
}

proptest! {
    #[test]
    fn whatever_comes_in_a_series_of_the_same_length_comes_out_without_what_is_no_number(
        closes in prop::collection::vec(prop_oneof![0.0..1e9f64, Just(0.0), any::<f64>()], 0..80),
        period in 0usize..40,
    ) {
        let macd = macd(&closes, period, period + 7, 9);
        let bands = bollinger(&closes, period, 2.0);
        let all = [
            sma(&closes, period), ema(&closes, period), rsi(&closes, period), atr(&closes, &closes, &closes, period),
            rate_of_change(&closes, period), volatility(&closes, period), drawdown(&closes, period),
            above_lowest(&closes, &closes, period), volume_surge(&closes, period),
            relative_strength(&closes, &closes, period), macd.line, macd.signal, macd.histogram, bands.upper, bands.middle,
            bands.lower,
        ];
        for series in all {
            prop_assert_eq!(series.len(), closes.len());
            prop_assert!(series.iter().flatten().all(|value| value.is_finite()));
        }
    }
}

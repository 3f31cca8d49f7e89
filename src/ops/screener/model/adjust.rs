//! Prices adjusted for splits and the like, by the base prices of the exchange.
//!
//! The exchange reckons the change of a day from its base price, which is the close before unless shares were split, merged
//! or given out. Their quotient is the factor of that day, by which all prices before it are multiplied.

use std::collections::{BTreeMap, BTreeSet};

use super::day::StoredDay;
use hanok_calc::exchange::{Market, tick_size};

/// A bar whose prices are those of today's shares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bar {
    /// The day, counted from 1 January of the year 1.
    pub day: i32,
    /// The first price.
    pub open: f64,
    /// The highest.
    pub high: f64,
    /// The lowest.
    pub low: f64,
    /// The last.
    pub close: f64,
    /// How many were traded, in today's shares.
    pub volume: f64,
    /// For how much, in won.
    pub amount: f64,
}

/// A day that fewer stocks follow than this is judged by no count.
const LEAST_TO_JUDGE: usize = 10;
/// A quotient of shares that a base price may differ from by the move of some days that are missing.
const AROUND: std::ops::Range<f64> = 0.65..1.5;
/// Factors of all splits of a stock together that can be.
const POSSIBLE: std::ops::Range<f64> = 1e-9..1e9;

/// Which days stand behind a gap in the data: on most of their stocks the base is another price than the close that is stored
/// before, which then is of an earlier day than the exchange means.
#[derive(Debug, Clone, Default)]
pub struct Gaps(BTreeMap<i32, (usize, usize)>);

impl Gaps {
    /// Counts the days of a stock, which ascend.
    pub fn count(&mut self, days: &[StoredDay]) {
        for pair in days.windows(2) {
            let (follow, all) = self.0.entry(pair[1].day).or_default();
            *all += 1;
            *follow += usize::from(is_same(pair[1].base, pair[0].close));
        }
    }

    /// The days behind a gap.
    pub fn days(&self) -> BTreeSet<i32> {
        let is_gap = |(_, (follow, all)): &(&i32, &(usize, usize))| *all >= LEAST_TO_JUDGE && follow * 2 < *all;
        self.0.iter().filter(is_gap).map(|(day, _)| *day).collect()
    }
}

/// The bars of `days`, which ascend, in today's shares; days without trade are none. Behind a gap in the data a base price says
/// nothing of the close before, so only a split that the number of shares shows is taken. What was before a factor that cannot be
/// is left out.
pub fn adjusted(days: &[StoredDay], behind_gaps: &BTreeSet<i32>) -> Vec<Bar> {
    let mut factors = vec![1.0; days.len()];
    let mut shares = days.first().map_or(0, |first| first.stocks);
    for at in 1..days.len() {
        let (before, of) = (&days[at - 1], &days[at]);
        if before.traded {
            shares = before.stocks;
        }
        factors[at] = factor(before, of, shares, behind_gaps.contains(&of.day));
    }
    let mut bars = Vec::with_capacity(days.len());
    let mut by = 1.0;
    for (of, factor) in days.iter().zip(&factors).rev() {
        if !POSSIBLE.contains(&by) {
            break;
        }
        if of.traded {
            let price = |won: i64| won as f64 * by;
            bars.push(Bar {
                day: of.day,
                open: price(of.open),
                high: price(of.high),
                low: price(of.low),
                close: price(of.close),
                volume: of.volume as f64 / by,
                amount: of.won_traded(),
            });
        }
        by *= factor;
    }
    bars.reverse();
    bars
}

/// The factor of the day `of`, whose day before is `before`; `shares` are those of the last day with trade.
fn factor(before: &StoredDay, of: &StoredDay, shares: i64, is_behind_gap: bool) -> f64 {
    if is_same(of.base, before.close) || of.base <= 0 || before.close <= 0 {
        return 1.0;
    }
    let by_base = of.base as f64 / before.close as f64;
    let by_shares = if of.stocks > 0 && shares > 0 { shares as f64 / of.stocks as f64 } else { 1.0 };
    if is_behind_gap {
        let is_split = !AROUND.contains(&by_shares) && AROUND.contains(&(by_base / by_shares));
        return if is_split { by_shares } else { 1.0 };
    }
    // After a halt the base may come from an auction, and then says what the shares were worth and not how many they became.
    if !before.traded && shares != of.stocks { by_shares } else { by_base }
}

/// Whether a base price is the close before: a close between two ticks is rounded up to the next one.
fn is_same(base: i64, close: i64) -> bool {
    (base - close).abs() < tick_size(Market::Kospi, close)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(day: i32, close: i64, base: i64, stocks: i64) -> StoredDay {
        let (high, low) = (close.max(base), close.min(base));
        StoredDay { day, traded: true, open: base, high, low, close, base, volume: 1_000, amount: 1, stocks }
    }

    fn halted(of: i32, close: i64, stocks: i64) -> StoredDay {
        StoredDay { traded: false, open: 0, high: 0, low: 0, volume: 0, amount: 0, ..day(of, close, close, stocks) }
    }

    fn closes(days: &[StoredDay]) -> Vec<f64> {
        adjusted(days, &BTreeSet::new()).iter().map(|bar| bar.close).collect()
    }

    /// By hand: five for one, the base of the day is 50,000 / 5.
    #[test]
    fn prices_before_a_split_are_divided_and_volumes_multiplied() {
        let days = [day(1, 48_000, 47_000, 100), day(2, 50_000, 48_000, 100), day(3, 10_500, 10_000, 500)];
        let bars = adjusted(&days, &BTreeSet::new());
        assert_eq!(closes(&days), [9_600.0, 10_000.0, 10_500.0]);
        assert_eq!((bars[0].open, bars[0].volume, bars[2].volume), (9_400.0, 5_000.0, 1_000.0));
    }

    /// By hand: ten became one during a halt, and an auction found 1,199 where 140 times ten is 1,400.
    #[test]
    fn after_a_halt_the_number_of_shares_counts_and_not_what_the_auction_found() {
        let days = [day(1, 140, 139, 1_000), halted(2, 140, 1_000), halted(3, 140, 100), day(4, 1_250, 1_199, 100)];
        assert_eq!(closes(&days), [1_400.0, 1_250.0]);
    }

    /// Of the two days of the exchange in March 2026: a close between two ticks, whose base is rounded up.
    #[test]
    fn a_base_within_a_tick_changes_nothing_and_neither_do_new_shares_alone() {
        assert_eq!(closes(&[day(1, 20_025, 20_000, 100), day(2, 20_100, 20_050, 130)]), [20_025.0, 20_100.0]);
    }

    #[test]
    fn behind_a_gap_in_the_data_no_move_of_a_missing_day_is_taken_for_a_split() {
        let missing = [day(1, 10_000, 10_000, 100), day(5, 11_500, 11_000, 100)];
        let split = [day(1, 10_000, 10_000, 100), day(5, 2_300, 2_200, 500)];
        let mut gaps = Gaps::default();
        (0..10).for_each(|_| gaps.count(&missing));
        assert_eq!(gaps.days(), BTreeSet::from([5]));
        let first = |days: &[StoredDay]| adjusted(days, &gaps.days())[0].close;
        assert_eq!((first(&missing), first(&split)), (10_000.0, 2_000.0));
    }
}

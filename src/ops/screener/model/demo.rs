//! Made-up companies, for whoever wants to see the screener before there are data. Their names say so, and their codes are
//! those of no stock: a code of the exchange has its letter at the fifth place.

use chrono::{Datelike, Days, NaiveDate, Weekday};

use super::day::{ListedDay, StoredDay};
use super::table::ListedDays;
use hanok_calc::exchange::Market;

/// How many companies there are.
pub const COMPANIES: usize = 60;
/// How many days each has; the youngest have fewer.
pub const DAYS: usize = 500;
/// The same companies each time.
const SEED: u64 = 20_261_010;

const TRADES: [&str; 12] =
    ["전자", "화학", "바이오", "식품", "건설", "조선", "게임", "금융", "유통", "소재", "로봇", "에너지"];

/// The sector of a company of the demo; none of another symbol.
pub fn sector(symbol: &str) -> Option<&'static str> {
    let number: usize = symbol.strip_prefix("9D").and_then(|number| number.parse().ok())?;
    TRADES.get((number.checked_sub(1)?) % TRADES.len()).copied()
}

/// The companies on the last [`DAYS`] weekdays up to `last`.
pub fn companies(last: NaiveDate) -> ListedDays {
    let is_weekday = |day: &NaiveDate| !matches!(day.weekday(), Weekday::Sat | Weekday::Sun);
    let back = (0..).map_while(|days| last.checked_sub_days(Days::new(days))).filter(is_weekday);
    let mut days: Vec<i32> = back.take(DAYS).map(|day| day.num_days_from_ce()).collect();
    days.reverse();
    let mut found = ListedDays::default();
    (1..=COMPANIES).flat_map(|number| company(number, &days)).for_each(|row| found.add(Ok(row)));
    found
}

fn company(number: usize, days: &[i32]) -> Vec<ListedDay> {
    let mut random = Random(SEED + number as u64);
    let market = if number.is_multiple_of(3) { Market::Kosdaq } else { Market::Kospi };
    let dept = match (market, number % 12) {
        (Market::Kosdaq, 0) => "관리종목",
        (Market::Kosdaq, _) => "우량기업부",
        _ => "",
    };
    let name = format!("데모{} {}", TRADES[(number - 1) % TRADES.len()], (number - 1) / TRADES.len() + 1);
    let (mut stocks, mut close) = (1_000_000 * (1 + random.below(80)), 2_000 + 500 * random.below(160));
    let (drift, swing) = (random.signed() * 0.0012, 0.008 + 0.022 * random.fraction());
    let first = if number.is_multiple_of(15) { days.len().saturating_sub(60 * (number / 15)) } else { 0 };
    let mut rows = Vec::new();
    for (place, day) in days.iter().enumerate().skip(first) {
        let mut base = close;
        if number == 20 && place == days.len() / 2 && close > 5_000 {
            // Five for one, as a split is.
            (base, stocks) = (close / 5, stocks * 5);
        }
        let halted = number == 30 && place + 5 >= days.len();
        let bar = if halted {
            StoredDay { day: *day, traded: false, open: 0, high: 0, low: 0, close, base, volume: 0, amount: 0, stocks }
        } else {
            random.bar(*day, base, stocks, drift, swing)
        };
        close = bar.close;
        let (symbol, dept) = (format!("9D{number:04}"), dept.to_owned());
        rows.push(ListedDay { symbol, name: name.clone(), market, dept, bar });
    }
    rows
}

/// A small generator of random numbers (SplitMix64), the same on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, most: u64) -> i64 {
        (self.next() % most) as i64
    }

    /// From 0 to 1.
    fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// From −1 to 1.
    fn signed(&mut self) -> f64 {
        self.fraction() * 2.0 - 1.0
    }

    /// A day after `base`, which moves about `swing` and never beyond a fifth.
    fn bar(&mut self, day: i32, base: i64, stocks: i64, drift: f64, swing: f64) -> StoredDay {
        // The sum of three is near enough to a bell.
        let bell = self.signed() + self.signed() + self.signed();
        let won = |price: f64| (price.round() as i64).max(100);
        let close = won(base as f64 * (1.0 + (drift + swing * bell).clamp(-0.2, 0.2)));
        let open = won(base as f64 * (1.0 + swing * 0.3 * self.signed()));
        let high = won(open.max(close) as f64 * (1.0 + swing * 0.5 * self.fraction()));
        let low = won(open.min(close) as f64 * (1.0 - swing * 0.5 * self.fraction())).min(open.min(close));
        let surge = if self.below(40) == 0 { 4.0 } else { 1.0 };
        let volume = (stocks as f64 * (0.002 + 0.004 * self.fraction()) * surge) as i64 + 1;
        let amount = (close as f64 * volume as f64 / 1000.0) as i64;
        StoredDay { day, traded: true, open, high, low, close, base, volume, amount, stocks }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_demo_is_the_same_each_time_marked_as_one_and_possible() {
        let last = NaiveDate::from_ymd_opt(2026, 10, 10).unwrap();
        let found = companies(last);
        assert_eq!(found, companies(last));
        let friday = NaiveDate::from_ymd_opt(2026, 10, 9).unwrap().num_days_from_ce();
        let counts = found.counts();
        assert_eq!((counts.len(), counts.last_key_value()), (DAYS, Some((&friday, &(COMPANIES as u64)))));
        let bars = || found.stocks.values().flat_map(|stock| stock.days.values());
        assert!(bars().all(StoredDay::is_possible) && bars().any(|bar| !bar.traded));
        assert!(found.stocks.iter().all(|(symbol, stock)| symbol.starts_with("9D") && stock.name.starts_with("데모")));
        assert_eq!((sector("9D0001"), sector("9D0013"), sector("005930")), (Some("전자"), Some("전자"), None));
    }
}

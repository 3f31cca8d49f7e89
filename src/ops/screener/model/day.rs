//! A stock on one day, and a year of them in a compact text.

use serde::{Deserialize, Serialize};

use hanok_calc::exchange::Market;

/// The highest price in won that is taken.
pub const MOST_PRICE: i64 = 1_000_000_000;
/// The most shares, traded or listed, that are taken.
pub const MOST_SHARES: i64 = 1_000_000_000_000;
/// The largest sum in won that is taken: ten times what all that is listed is worth.
pub const MOST_AMOUNT: i64 = 100_000_000_000_000_000;

/// A stock as a table of the exchange lists it on a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedDay {
    /// Its code.
    pub symbol: String,
    /// What it is called on that day.
    pub name: String,
    /// Where it is listed.
    pub market: Market,
    /// The division it belongs to there; empty on the main board.
    pub dept: String,
    /// What it was worth.
    pub bar: StoredDay,
}

/// What a stock was worth on a day, in won as they were then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredDay {
    /// The day, counted from 1 January of the year 1.
    pub day: i32,
    /// Whether it was traded; where not, only its close, base and shares say anything.
    pub traded: bool,
    /// The first price.
    pub open: i64,
    /// The highest.
    pub high: i64,
    /// The lowest.
    pub low: i64,
    /// The last; without trade what it was before.
    pub close: i64,
    /// What the exchange reckons the change of the day from: the close before, unless a split or the like has come between.
    pub base: i64,
    /// How many were traded.
    pub volume: i64,
    /// For how much, in thousands of won.
    pub amount: i64,
    /// How many there are.
    pub stocks: i64,
}

impl StoredDay {
    /// Whether it can have been: prices in order and within bounds.
    pub fn is_possible(&self) -> bool {
        let prices = [self.close, self.base];
        let is_price = |price: &i64| (1..=MOST_PRICE).contains(price);
        let is_bar = || {
            [self.open, self.high, self.low].iter().all(is_price)
                && (self.low..=self.high).contains(&self.open)
                && (self.low..=self.high).contains(&self.close)
                && self.volume > 0
        };
        prices.iter().all(is_price)
            && (0..=MOST_SHARES).contains(&self.volume)
            && (0..=MOST_SHARES).contains(&self.stocks)
            && (0..=MOST_AMOUNT / 1000).contains(&self.amount)
            && (!self.traded || is_bar())
    }

    /// How much was traded, in won.
    pub fn won_traded(&self) -> f64 {
        self.amount as f64 * 1000.0
    }

    /// What all of it is worth, in won.
    pub fn market_cap(&self) -> i64 {
        self.close.saturating_mul(self.stocks)
    }
}

/// The days of a year in one text: each as the difference from the day before in numbers of base 64 with a variable length, as
/// source maps have them, about twenty letters a day. The first letter is the version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PackedYear(String);

const VERSION: char = '1';
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/// Five bits of a number are in each letter; this one says that more follow.
const MORE: u64 = 32;

impl PackedYear {
    /// The text of `days`, which ascend.
    pub fn of(days: &[StoredDay]) -> PackedYear {
        let mut text = String::with_capacity(1 + days.len() * 24);
        text.push(VERSION);
        let (mut day, mut close, mut stocks) = (0, 0, 0);
        for of in days {
            let gap = i64::from(of.day - day) * 2 + i64::from(of.traded);
            let always = [gap, of.close - close, of.base - close, of.stocks - stocks];
            always.into_iter().for_each(|number| push(&mut text, number));
            if of.traded {
                let (top, bottom) = (of.open.max(of.close), of.open.min(of.close));
                let amount = of.amount - of.close.saturating_mul(of.volume) / 1000;
                let bar = [of.open - of.base, of.high - top, bottom - of.low, of.volume, amount];
                bar.into_iter().for_each(|number| push(&mut text, number));
            }
            (day, close, stocks) = (of.day, of.close, of.stocks);
        }
        PackedYear(text)
    }

    /// The days again; none where the text is damaged.
    pub fn days(&self) -> Option<Vec<StoredDay>> {
        let mut letters = self.0.strip_prefix(VERSION)?.bytes().peekable();
        let mut days = Vec::with_capacity(self.0.len() / 20);
        let (mut day, mut close, mut stocks) = (0i32, 0i64, 0i64);
        while letters.peek().is_some() {
            let mut next = || number(&mut letters);
            let gap = next()?;
            day = day.checked_add(i32::try_from(gap >> 1).ok()?)?;
            let traded = gap & 1 == 1;
            let before = close;
            close = before.checked_add(next()?)?;
            let base = before.checked_add(next()?)?;
            stocks = stocks.checked_add(next()?)?;
            let mut of = StoredDay { day, traded, open: 0, high: 0, low: 0, close, base, volume: 0, amount: 0, stocks };
            if traded {
                of.open = base.checked_add(next()?)?;
                of.high = of.open.max(close).checked_add(next()?)?;
                of.low = of.open.min(close).checked_sub(next()?)?;
                of.volume = next()?;
                of.amount = next()?.checked_add(close.saturating_mul(of.volume) / 1000)?;
            }
            days.push(of);
        }
        Some(days)
    }
}

fn push(text: &mut String, number: i64) {
    let mut left = ((number << 1) ^ (number >> 63)) as u64;
    loop {
        let more = if left >= MORE { MORE } else { 0 };
        text.push(char::from(LETTERS[(left % MORE + more) as usize]));
        left /= MORE;
        if more == 0 {
            return;
        }
    }
}

fn number(letters: &mut impl Iterator<Item = u8>) -> Option<i64> {
    let (mut value, mut shift) = (0u64, 0);
    loop {
        let place = u64::from(place_of(letters.next()?)?);
        value |= (place % MORE).checked_shl(shift).filter(|_| shift < 64)?;
        shift += 5;
        if place < MORE {
            return Some((value >> 1) as i64 ^ -((value & 1) as i64));
        }
    }
}

fn place_of(letter: u8) -> Option<u8> {
    match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'-' => Some(62),
        b'_' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_day() -> impl Strategy<Value = StoredDay> {
        let price = 1i64..MOST_PRICE;
        let prices = (price.clone(), price.clone(), price.clone(), price.clone(), price);
        (prices, any::<bool>(), 0..100_000i64, 0..MOST_AMOUNT / 1000, 0..MOST_SHARES).prop_map(
            |((one, two, open, close, base), traded, volume, amount, stocks)| {
                let (low, high) = (one.min(two).min(open).min(close), one.max(two).max(open).max(close));
                let bar = StoredDay { day: 0, traded, open, high, low, close, base, volume, amount, stocks };
                if traded { bar } else { StoredDay { open: 0, high: 0, low: 0, volume: 0, amount: 0, ..bar } }
            },
        )
    }

    proptest! {
        #[test]
        fn a_year_comes_out_of_its_text_as_it_went_in(days in prop::collection::vec(any_day(), 0..40)) {
            let days: Vec<StoredDay> =
                (738_000..).zip(days).map(|(day, of)| StoredDay { day, ..of }).collect();
            prop_assert_eq!(PackedYear::of(&days).days(), Some(days));
        }

        #[test]
        fn a_damaged_text_is_none_or_other_days_and_no_panic(text in "1[A-Za-z0-9_-]{0,60}|.{0,9}") {
            let _ = PackedYear(text).days();
        }
    }

    #[test]
    fn a_day_of_a_usual_stock_takes_about_twenty_letters() {
        let of = |day: i32| StoredDay {
            day: 738_000 + day,
            traded: true,
            open: 70_000 + i64::from(day % 7) * 100,
            high: 71_500,
            low: 69_400,
            close: 70_300 + i64::from(day % 5) * 100,
            base: 70_300 + i64::from((day + 4) % 5) * 100,
            volume: 12_876_540,
            amount: 905_000_000,
            stocks: 5_919_637_922,
        };
        let year: Vec<StoredDay> = (0..250).map(of).collect();
        assert!(year.iter().all(StoredDay::is_possible));
        let text = serde_json::to_string(&PackedYear::of(&year)).unwrap();
        assert!(text.len() < 250 * 24, "{}", text.len());
    }
}

//! The plain figures of one combination.

use serde::{Deserialize, Serialize};

use super::numbers::Numbers;
use hanok_base::schema::ToSchema;

/// The zones of ten on a ticket, the last one of five.
pub const ZONES: [(u8, u8); 5] = [(1, 10), (11, 20), (21, 30), (31, 40), (41, 45)];
/// The numbers 1..=22 count as low, 23..=45 as high.
pub const HIGHEST_LOW: u8 = 22;

/// The plain figures of one combination.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Metrics {
    /// Sum of the six numbers, 21..=255.
    pub sum: u16,
    /// How many are odd.
    pub odd: u8,
    /// How many are even.
    pub even: u8,
    /// How many are 1..=22.
    pub low: u8,
    /// How many are 23..=45.
    pub high: u8,
    /// The smallest number.
    pub min: u8,
    /// The largest number.
    pub max: u8,
    /// Largest minus smallest.
    pub range: u8,
    /// Pairs of neighbours such as 7 and 8.
    pub consecutive_pairs: u8,
    /// How many different last digits there are.
    pub last_digits: u8,
    /// How many numbers fall into 1-10, 11-20, 21-30, 31-40, 41-45.
    pub zones: [u8; 5],
}

impl Metrics {
    /// The figures of `numbers`.
    pub fn of(numbers: &Numbers) -> Self {
        let count = |keep: fn(u8) -> bool| numbers.iter().filter(|&number| keep(number)).count() as u8;
        let odd = count(|number| number % 2 == 1);
        let low = count(|number| number <= HIGHEST_LOW);
        let [min, .., max] = *numbers.as_array();
        let digits = numbers.iter().fold(0u16, |digits, number| digits | 1 << (number % 10));
        Metrics {
            sum: numbers.iter().map(u16::from).sum(),
            odd,
            even: 6 - odd,
            low,
            high: 6 - low,
            min,
            max,
            range: max - min,
            consecutive_pairs: (numbers.mask() & (numbers.mask() >> 1)).count_ones() as u8,
            last_digits: digits.count_ones() as u8,
            zones: ZONES.map(|(from, to)| numbers.iter().filter(|number| (from..=to).contains(number)).count() as u8),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_of_draw_1245() {
        let metrics = Metrics::of(&Numbers::new([4, 5, 25, 28, 32, 42]).unwrap());
        let expected = Metrics {
            sum: 136,
            odd: 2,
            even: 4,
            low: 2,
            high: 4,
            min: 4,
            max: 42,
            range: 38,
            consecutive_pairs: 1,
            last_digits: 4,
            zones: [2, 0, 2, 1, 1],
        };
        assert_eq!(metrics, expected);
    }
}

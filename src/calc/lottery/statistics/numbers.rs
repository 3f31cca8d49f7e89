//! Each of the 45 numbers: how often, and how long ago.

use serde::{Deserialize, Serialize};

use super::super::history::{History, NUMBER_IN_DRAW, SLOTS, count_numbers, standard_score};
use hanok_base::schema::ToSchema;

/// How many draws count as recent here.
pub const RECENT_DRAWS: usize = 50;

/// One number over all draws.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct NumberStatistics {
    /// 1 to 45.
    pub number: u8,
    /// In how many draws it came up (not as the bonus).
    pub count: u32,
    /// In how many it was to be expected: 6/45 of the draws.
    pub expected: f64,
    /// The standard score of its count.
    pub z: f64,
    /// Known draws since it came up last in one; 0 when it is in the latest. One that never came up has been away for all
    /// of them. Draws that are not known do not count: it may have come up in them.
    pub gap: u32,
    /// The mean number of known draws between two of its known appearances (without them), 0 when it came up
    /// less than twice; 6.5 is to be expected.
    pub average_gap: f64,
    /// The longest it was away, in known draws, the present gap included.
    pub longest_gap: u32,
    /// The draw in which it came up last; null when never.
    pub last_seen: Option<u32>,
    /// In how many of the last 50 draws it came up, as far as they are known.
    pub recent_count: u32,
    /// In how many draws it was the bonus.
    pub as_bonus: u32,
}

/// Each of the 45 numbers over everything that `history` knows.
pub fn number_statistics(history: &History) -> Vec<NumberStatistics> {
    let draws = history.draws();
    let recent = count_numbers(history.recent(RECENT_DRAWS));
    let mut as_bonus = [0u32; SLOTS];
    let mut seen_in: [Vec<usize>; SLOTS] = std::array::from_fn(|_| Vec::new());
    for (place, draw) in draws.iter().enumerate() {
        as_bonus[usize::from(draw.bonus)] += 1;
        draw.numbers.iter().for_each(|number| seen_in[usize::from(number)].push(place));
    }
    (1..SLOTS as u8)
        .map(|number| {
            let seen = &seen_in[usize::from(number)];
            let gaps = seen.windows(2).map(|pair| (pair[1] - pair[0] - 1) as u32);
            let before_first = seen.first().map_or(0, |&place| place as u32);
            let average_gap = match gaps.len() {
                0 => 0.0,
                between => f64::from(gaps.clone().sum::<u32>()) / between as f64,
            };
            NumberStatistics {
                number,
                count: history.count(number),
                expected: draws.len() as f64 * NUMBER_IN_DRAW,
                z: standard_score(history.count(number), draws.len(), NUMBER_IN_DRAW),
                gap: history.gap(number),
                average_gap,
                longest_gap: gaps.max().unwrap_or(0).max(before_first).max(history.gap(number)),
                last_seen: seen.last().map(|&place| draws[place].draw_no),
                recent_count: recent[usize::from(number)],
                as_bonus: as_bonus[usize::from(number)],
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::draw::Draw;
    use super::super::super::import::built_in;
    use super::*;

    #[test]
    fn a_number_of_the_latest_draw_has_no_gap() {
        let all = number_statistics(&History::of(built_in()));
        let five = &all[4];
        assert_eq!((five.number, five.gap, five.last_seen), (5, 0, Some(1245)));
        assert!(all.iter().all(|number| number.longest_gap >= number.gap));
        assert_eq!(all.iter().map(|number| number.as_bonus).sum::<u32>(), 1245);
        assert!((all.iter().map(|number| number.z).sum::<f64>()).abs() < 1e-9);
        assert!(all.iter().all(|number| (4.0..10.0).contains(&number.average_gap)));
    }

    #[test]
    fn gaps_are_counted_between_appearances() {
        // 40 is in draws 1, 4, 5, 6, 7, 14, 16 and 19 of the first twenty.
        let all = number_statistics(&History::of(&built_in()[..20]));
        let seen: Vec<u32> = built_in()[..20].iter().filter(|d| d.numbers.contains(40)).map(|d| d.draw_no).collect();
        let between: Vec<u32> = seen.windows(2).map(|pair| pair[1] - pair[0] - 1).collect();
        let forty = &all[39];
        assert_eq!(forty.count as usize, seen.len());
        assert!((forty.average_gap - f64::from(between.iter().sum::<u32>()) / between.len() as f64).abs() < 1e-12);
        assert_eq!(forty.last_seen, seen.last().copied());
        assert_eq!(forty.gap, 20 - seen[seen.len() - 1]);
    }

    #[test]
    fn gaps_leave_out_the_draws_that_are_not_known() {
        // 40 is in draws 1, 4, 5, 6, 7, 14, 16 and 19 of the first twenty; it may be in any that is not known.
        let known = |draw_no: u32| ![2, 5, 8, 9, 10, 12, 18].contains(&draw_no);
        let draws: Vec<_> = built_in()[..20].iter().filter(|draw| known(draw.draw_no)).cloned().collect();
        let of = |draws: &[Draw]| number_statistics(&History::of(draws)).remove(39);
        let forty = of(&draws);
        assert_eq!((forty.count, forty.gap, forty.longest_gap, forty.last_seen), (7, 1, 2, Some(19)));
        // Known between them are 3; none; none; 11 and 13; 15; 17.
        assert_eq!(forty.average_gap, 5.0 / 6.0);
        // Last in 7, with 11 and 13 known after it; never in these two; first in 14, after them.
        assert_eq!((of(&draws[..7]).gap, of(&draws[5..7]).gap, of(&draws[5..9]).longest_gap), (2, 2, 2));
    }
}

//! What a household's own sets look like.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::co_winners::{CoWinners, Ratio};
use super::metrics::{Metrics, ZONES};
use super::numbers::{HIGHEST, Numbers};
use super::statistics::shapes::MEAN_SUM;
use hanok_base::schema::ToSchema;

/// How many of the newest sets are looked at.
pub const SETS: usize = 500;

/// From so many sets on a difference from the average draw is called a tendency: the mean sum of ten sets strays by about 10
/// by chance alone, and their mean of odd numbers by about 0.36, which is as much as the bounds of a tendency.
pub const SETS_FOR_A_TENDENCY: usize = 10;

/// So many numbers are named at most as played most, and as played least.
const NAMED: usize = 10;

/// What a household's own sets look like; zeros when there are none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Personal {
    /// How many sets were looked at: the newest 500 that were kept, or all when there are fewer.
    pub total_analyzed: usize,
    /// Whether there are older sets, which were not looked at.
    pub is_cut: bool,
    /// How often each number was played, keys `1` to `45`.
    pub number_frequency: BTreeMap<u8, u32>,
    /// The numbers played most, most first: at most ten, each played at least once.
    pub top_picks: Vec<u8>,
    /// The numbers played least, least first: at most ten, none of them among those played most. Empty while more than ten
    /// were never played: which ten of them would be named is nobody's habit.
    pub least_picks: Vec<u8>,
    /// The mean shape of the sets.
    pub pattern: PersonalPattern,
    /// That shape against the average draw.
    pub vs_draw_avg: VersusDraws,
    /// The share of numbers up to 31, 0 to 1 (0.69 is the share of the ticket).
    pub birthday_share: f64,
    /// The mean expected co-winners of the sets.
    pub co_winners: Ratio,
}

/// The mean shape of the sets.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PersonalPattern {
    /// Odd numbers in a set, to one decimal.
    pub avg_odd_count: f64,
    /// Sum of a set, to the whole.
    pub avg_sum: u32,
    /// Largest minus smallest number, to the whole.
    pub avg_range: u32,
    /// The share of sets with neighbours such as 7 and 8, to two decimals.
    pub consecutive_rate: f64,
    /// Numbers of a set in each zone of ten, to two decimals.
    pub zone_avg: BTreeMap<String, f64>,
}

/// A household's sets against the average draw.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct VersusDraws {
    /// Odd numbers more than 3, to one decimal.
    pub odd_diff: f64,
    /// Sum more than 138.
    pub sum_diff: i32,
    /// `홀수 선호` above 0.3, `짝수 선호` below −0.3, else and with fewer than ten sets `보통`.
    pub odd_tendency: String,
    /// `고합계 선호` above 10, `저합계 선호` below −10, else and with fewer than ten sets `보통`.
    pub sum_tendency: String,
}

/// What `sets` (newest first; at most the first 500 count) look like.
pub fn personal(sets: &[Numbers], co_winners: &CoWinners) -> Personal {
    let is_cut = sets.len() > SETS;
    let sets = &sets[..sets.len().min(SETS)];
    let mut number_frequency: BTreeMap<u8, u32> = (1..=HIGHEST).map(|number| (number, 0)).collect();
    for number in sets.iter().flat_map(Numbers::iter) {
        *number_frequency.entry(number).or_default() += 1;
    }
    let pattern = pattern(sets);
    let top_picks = played_most(&number_frequency);
    Personal {
        total_analyzed: sets.len(),
        is_cut,
        least_picks: played_least(&number_frequency, &top_picks),
        top_picks,
        vs_draw_avg: versus_draws(sets, &pattern),
        birthday_share: birthday_share(&number_frequency),
        co_winners: mean_ratio(sets, co_winners),
        number_frequency,
        pattern,
    }
}

/// Counted whole and divided once: a sum of shares strays from what it is.
fn birthday_share(frequency: &BTreeMap<u8, u32>) -> f64 {
    let days: u32 = frequency.range(..=31).map(|(_, times)| times).sum();
    f64::from(days) / f64::from(frequency.values().sum::<u32>().max(1))
}

fn pattern(sets: &[Numbers]) -> PersonalPattern {
    let figure = |of: fn(Metrics) -> f64| mean(sets, |numbers| of(Metrics::of(numbers)));
    let zone = |place: usize| {
        let (from, to) = ZONES[place];
        (format!("{from}-{to}"), rounded(mean(sets, |numbers| f64::from(Metrics::of(numbers).zones[place])), 2))
    };
    PersonalPattern {
        avg_odd_count: rounded(figure(|metrics| f64::from(metrics.odd)), 1),
        avg_sum: figure(|metrics| f64::from(metrics.sum)).round() as u32,
        avg_range: figure(|metrics| f64::from(metrics.range)).round() as u32,
        consecutive_rate: rounded(figure(|metrics| f64::from(u8::from(metrics.consecutive_pairs > 0))), 2),
        zone_avg: (0..ZONES.len()).map(zone).collect(),
    }
}

fn versus_draws(sets: &[Numbers], pattern: &PersonalPattern) -> VersusDraws {
    let tendency = |difference: f64, bound: f64, above: &str, below: &str| {
        if sets.len() < SETS_FOR_A_TENDENCY {
            "보통".to_string()
        } else if difference > bound {
            above.to_string()
        } else if difference < -bound {
            below.to_string()
        } else {
            "보통".to_string()
        }
    };
    let (odd_diff, sum_diff) = match sets.is_empty() {
        true => (0.0, 0),
        false => (rounded(pattern.avg_odd_count - 3.0, 1), pattern.avg_sum as i32 - MEAN_SUM as i32),
    };
    VersusDraws {
        odd_diff,
        sum_diff,
        odd_tendency: tendency(odd_diff, 0.3, "홀수 선호", "짝수 선호"),
        sum_tendency: tendency(f64::from(sum_diff), 10.0, "고합계 선호", "저합계 선호"),
    }
}

fn played_most(frequency: &BTreeMap<u8, u32>) -> Vec<u8> {
    let mut played: Vec<u8> = frequency.iter().filter(|&(_, &count)| count > 0).map(|(&number, _)| number).collect();
    played.sort_by_key(|number| std::cmp::Reverse(frequency[number]));
    played.truncate(NAMED);
    played
}

fn played_least(frequency: &BTreeMap<u8, u32>, most: &[u8]) -> Vec<u8> {
    if frequency.values().filter(|&&count| count == 0).count() > NAMED {
        return Vec::new();
    }
    let mut others: Vec<u8> = frequency.keys().copied().filter(|number| !most.contains(number)).collect();
    others.sort_by_key(|number| frequency[number]);
    others.truncate(NAMED);
    others
}

/// The mean ratio of the sets; its interval takes the errors of all sets as going together, which is
/// the widest they can make it. Average without sets.
fn mean_ratio(sets: &[Numbers], co_winners: &CoWinners) -> Ratio {
    if sets.is_empty() {
        return Ratio { ratio: 1.0, low: 1.0, high: 1.0, single_set: None };
    }
    let ratio = |of: fn(Ratio) -> f64| mean(sets, |numbers| of(co_winners.ratio(numbers)));
    Ratio { ratio: ratio(|one| one.ratio), low: ratio(|one| one.low), high: ratio(|one| one.high), single_set: None }
}

fn mean(sets: &[Numbers], of: impl Fn(&Numbers) -> f64) -> f64 {
    // A sum of nothing is -0; readers expect 0.
    sets.iter().map(of).sum::<f64>() / sets.len().max(1) as f64 + 0.0
}

fn rounded(value: f64, decimals: i32) -> f64 {
    let scale = 10f64.powi(decimals);
    // What is rounded from below is -0; readers expect 0.
    (value * scale).round() / scale + 0.0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::import::built_in;
    use super::super::random::SplitMix64;
    use super::*;

    fn set(numbers: [u8; 6]) -> Numbers {
        Numbers::new(numbers).unwrap()
    }

    #[test]
    fn birthdays_are_recognised() {
        let sets = [set([1, 3, 5, 7, 9, 11]), set([1, 3, 5, 7, 8, 21])];
        let personal = personal(&sets, &CoWinners::fit(built_in()));
        assert_eq!((personal.total_analyzed, personal.birthday_share), (2, 1.0));
        assert_eq!(personal.top_picks[..4], [1, 3, 5, 7]);
        assert_eq!(personal.pattern.avg_odd_count, 5.5);
        assert_eq!((personal.pattern.avg_sum, personal.pattern.avg_range), (41, 15));
        assert_eq!(personal.pattern.consecutive_rate, 0.5);
        assert_eq!(personal.pattern.zone_avg["1-10"], 5.0);
        assert_eq!(personal.vs_draw_avg.odd_diff, 2.5);
        assert_eq!(personal.vs_draw_avg.sum_diff, -97);
        assert!(personal.co_winners.ratio > 1.0);
    }

    #[test]
    fn a_quarter_of_a_number_in_a_zone_is_told_as_a_quarter() {
        // 16, 3, 4 and 1 numbers of the first four zones in four sets.
        let four = [[1, 2, 3, 4, 5, 11], [1, 2, 3, 4, 11, 21], [1, 2, 3, 12, 21, 22], [1, 2, 3, 4, 21, 31]];
        let zones = personal(&four.map(set), &CoWinners::fit(&[])).pattern.zone_avg;
        assert_eq!(zones.values().copied().collect::<Vec<_>>(), [4.0, 0.75, 1.0, 0.25, 0.0]);
    }

    #[test]
    fn a_sum_within_ten_of_the_mean_of_all_combinations_is_no_tendency() {
        let tendency = |numbers| personal(&[set(numbers); SETS_FOR_A_TENDENCY], &CoWinners::fit(&[])).vs_draw_avg;
        let of = |versus: VersusDraws| (versus.sum_diff, versus.sum_tendency);
        assert_eq!(of(tendency([1, 2, 3, 38, 40, 44])), (-10, "보통".into()));
        assert_eq!(of(tendency([1, 2, 3, 38, 39, 44])), (-11, "저합계 선호".into()));
        assert_eq!(of(tendency([10, 13, 20, 25, 37, 43])), (10, "보통".into()));
        assert_eq!(of(tendency([10, 13, 20, 25, 38, 43])), (11, "고합계 선호".into()));
    }

    #[test]
    fn what_was_never_played_is_not_among_what_was_played_most_and_nothing_is_among_both() {
        let of = |sets: &[Numbers]| {
            let personal = personal(sets, &CoWinners::fit(&[]));
            (personal.top_picks, personal.least_picks)
        };
        assert_eq!(of(&[set([3, 8, 21, 30, 38, 44])]), (vec![3, 8, 21, 30, 38, 44], vec![]));
        // All but 41 to 45, and 1 to 6 twice.
        let mut sets: Vec<Numbers> =
            (0..6).map(|row| std::array::from_fn(|at| row * 6 + at as u8 + 1)).map(set).collect();
        sets.extend([set([1, 2, 3, 4, 5, 6]), set([1, 37, 38, 39, 40, 2])]);
        let (most, least) = of(&sets);
        assert_eq!(most[..6], [1, 2, 3, 4, 5, 6]);
        assert_eq!(least[..6], [41, 42, 43, 44, 45, 11]);
        assert!(least.iter().all(|number| !most.contains(number)));
    }

    #[test]
    fn few_sets_have_no_tendency_however_far_from_the_average_they_lie() {
        let tendency = |count: usize| {
            let versus = personal(&vec![set([35, 37, 39, 41, 43, 45]); count], &CoWinners::fit(&[])).vs_draw_avg;
            (versus.odd_tendency, versus.sum_tendency)
        };
        assert_eq!(tendency(SETS_FOR_A_TENDENCY - 1), ("보통".into(), "보통".into()));
        assert_eq!(tendency(SETS_FOR_A_TENDENCY), ("홀수 선호".into(), "고합계 선호".into()));
    }

    #[test]
    fn nothing_played_is_all_zeros() {
        let personal = personal(&[], &CoWinners::fit(&[]));
        let json = serde_json::to_value(&personal).unwrap();
        assert_eq!(json["number_frequency"].as_object().map(|all| all.len()), Some(45));
        assert_eq!(json["number_frequency"]["45"], 0);
        assert_eq!((personal.total_analyzed, personal.pattern.avg_sum, personal.vs_draw_avg.sum_diff), (0, 0, 0));
        assert_eq!(personal.vs_draw_avg.sum_tendency, "보통");
        assert!(personal.top_picks.is_empty());
    }

    proptest! {
        #[test]
        fn every_number_played_is_counted_once(seed in any::<u64>(), count in 0usize..700) {
            let mut generator = SplitMix64::new(seed);
            let sets: Vec<Numbers> = (0..count).map(|_| generator.numbers()).collect();
            let personal = personal(&sets, &CoWinners::fit(&[]));
            let counted: u32 = personal.number_frequency.values().sum();
            prop_assert_eq!(counted as usize, 6 * count.min(SETS));
            prop_assert_eq!((personal.total_analyzed, personal.is_cut), (count.min(500), count > 500));
            let days: u32 = personal.number_frequency.range(..=31).map(|(_, times)| times).sum();
            prop_assert_eq!(personal.birthday_share, f64::from(days) / f64::from(counted.max(1)), "and so is its share");
        }
    }
}

//! What a household's own sets look like.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::co_winners::{CoWinners, Ratio};
use super::draw::Draw;
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
    /// The mean expected co-winners of the sets without a popular pattern; null without any.
    pub co_winners: Option<Ratio>,
    /// How many sets have a popular pattern: these are played far more often than their kind, and no mean tells of them.
    pub popular_sets: usize,
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
    /// Which way the odd numbers stray from chance, where chance alone would hardly do it.
    pub odd_habit: Habit,
    /// Which way the sums do.
    pub sum_habit: Habit,
}

/// Which way a household's sets stray from sets of a draw. Of households that choose by chance at most one in twenty is told
/// that it has a habit, in odd numbers, sums or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Habit {
    /// More than chance.
    More,
    /// Less than chance.
    Less,
    /// No further than chance strays.
    None,
    /// Fewer than ten different sets say nothing.
    TooFew,
}

/// Odd numbers of a set that is drawn at random, and their variance: of the hypergeometric distribution.
const ODD_BY_CHANCE: (f64, f64) = {
    let (size, all, odd) = (6.0, 45.0, 23.0);
    (size * odd / all, size * (odd / all) * (1.0 - odd / all) * (all - size) / (all - 1.0))
};
/// Its sum, and the variance: k(n + 1)/2 and k(n + 1)(n − k)/12.
const SUM_BY_CHANCE: (f64, f64) = (138.0, 897.0);
/// So many standard deviations are passed by the odd numbers and by the sum together in at most 4.9 % of cases, whatever they
/// have to do with each other: of ten sets or more, by their exact distributions. Those of odd numbers go by whole numbers,
/// so that the 2.2365 of a normal distribution would be passed in up to 5.7 %.
const BEYOND_CHANCE: f64 = 2.3;

/// The same set played again says nothing new of chance, but weighs as often as it was played.
fn habit(sets: &[Numbers], of: fn(Metrics) -> f64, (by_chance, variance): (f64, f64)) -> Habit {
    let mut played: BTreeMap<&Numbers, f64> = BTreeMap::new();
    sets.iter().for_each(|numbers| *played.entry(numbers).or_default() += 1.0);
    if played.len() < SETS_FOR_A_TENDENCY {
        return Habit::TooFew;
    }
    let difference = mean(sets, |numbers| of(Metrics::of(numbers))) - by_chance;
    let weight = played.values().map(|times| times * times).sum::<f64>().sqrt() / sets.len() as f64;
    match difference / (variance.sqrt() * weight) {
        deviations if deviations > BEYOND_CHANCE => Habit::More,
        deviations if deviations < -BEYOND_CHANCE => Habit::Less,
        _ => Habit::None,
    }
}

/// What `sets` (newest first; at most the first 500 count) look like, knowing `draws`.
pub fn personal(sets: &[Numbers], co_winners: &CoWinners, draws: &[Draw]) -> Personal {
    let is_cut = sets.len() > SETS;
    let sets = &sets[..sets.len().min(SETS)];
    let mut number_frequency: BTreeMap<u8, u32> = (1..=HIGHEST).map(|number| (number, 0)).collect();
    for number in sets.iter().flat_map(Numbers::iter) {
        *number_frequency.entry(number).or_default() += 1;
    }
    let pattern = pattern(sets);
    let top_picks = played_most(&number_frequency);
    let estimates: Vec<Ratio> = sets.iter().filter_map(|numbers| co_winners.estimate(numbers, draws)).collect();
    Personal {
        total_analyzed: sets.len(),
        is_cut,
        least_picks: played_least(&number_frequency, &top_picks),
        top_picks,
        vs_draw_avg: versus_draws(sets, &pattern),
        birthday_share: birthday_share(&number_frequency),
        co_winners: mean_ratio(&estimates),
        popular_sets: sets.len() - estimates.len(),
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
        odd_habit: habit(sets, |metrics| f64::from(metrics.odd), ODD_BY_CHANCE),
        sum_habit: habit(sets, |metrics| f64::from(metrics.sum), SUM_BY_CHANCE),
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

/// The mean of the ratios; its interval takes the errors of all sets as going together, which is
/// the widest they can make it. None without any.
fn mean_ratio(ratios: &[Ratio]) -> Option<Ratio> {
    let of = |figure: fn(&Ratio) -> f64| mean(ratios, figure);
    let mean =
        || Ratio { ratio: of(|one| one.ratio), low: of(|one| one.low), high: of(|one| one.high), single_set: None };
    (!ratios.is_empty()).then(mean)
}

fn mean<T>(all: &[T], of: impl Fn(&T) -> f64) -> f64 {
    // A sum of nothing is -0; readers expect 0.
    all.iter().map(of).sum::<f64>() / all.len().max(1) as f64 + 0.0
}

fn rounded(value: f64, decimals: i32) -> f64 {
    let scale = 10f64.powi(decimals);
    (value * scale).round() / scale
}

#[cfg(test)]
mod tests;

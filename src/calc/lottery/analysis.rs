//! The latest state of the numbers: hot, cold, overdue, the recent pattern, and what the models hold.

use serde::{Deserialize, Serialize};

use super::co_winners::{CoWinnerSummary, CoWinners};
use super::draw::Draw;
use super::history::{History, NUMBER_IN_DRAW, count_numbers, standard_score};
use super::honesty::{SENTENCE_EN, SENTENCE_KO};
use super::metrics::Metrics;
use super::numbers::Numbers;
use super::scoring::{ScoringTerm, descriptions};
use super::statistics::{NumberStatistics, PairCount, number_statistics, pair_counts, sums};
use hanok_base::schema::ToSchema;

/// The latest state of the numbers and models.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Analysis {
    /// How many draws were looked at.
    pub draws: usize,
    /// The newest of them; null without any.
    pub latest: Option<Draw>,
    /// The eight numbers that came up most often in the last 50 draws, as far as they are known.
    pub hot: Vec<NumberHeat>,
    /// The eight that came up least often in them.
    pub cold: Vec<NumberHeat>,
    /// The eight that have been away longest, by the known draws.
    pub overdue: Vec<OverdueNumber>,
    /// The pattern of the last draws.
    pub recent_pattern: RecentPattern,
    /// Mean of all sums.
    pub mean_sum: f64,
    /// Standard deviation of all sums.
    pub std_sum: f64,
    /// Each of the 45 numbers.
    pub number_stats: Vec<NumberShare>,
    /// The 20 most frequent pairs.
    pub pairs_hot: Vec<PairCount>,
    /// The co-winner model.
    pub co_winner_model: CoWinnerSummary,
    /// The terms of the scoring model.
    pub scoring: Vec<ScoringTerm>,
    /// What this cannot do, in Korean.
    pub note_ko: String,
    /// What this cannot do, in English.
    pub note_en: String,
}

/// How often a number came up in the last 50 draws.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct NumberHeat {
    /// 1 to 45.
    pub number: u8,
    /// The standard score of its count in the last 50 draws.
    pub z: f64,
    /// That count.
    pub recent_count: u32,
}

/// A number that has been away for long.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct OverdueNumber {
    /// 1 to 45.
    pub number: u8,
    /// Known draws since it came up last.
    pub gap: u32,
    /// Its mean gap.
    pub average_gap: f64,
}

/// One number over all draws, in brief.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct NumberShare {
    /// 1 to 45.
    pub number: u8,
    /// In how many percent of the draws it came up (13.3 are to be expected).
    pub frequency_pct: f64,
    /// The standard score of its count.
    pub z_score: f64,
    /// Known draws since it came up last.
    pub gap: u32,
}

/// The pattern of the last draws.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RecentPattern {
    /// The numbers of the last three draws, newest first.
    pub last3_numbers: Vec<Numbers>,
    /// How many of the last ten draws are known, which all that follows is of; null in a report that was made before this
    /// was said.
    #[serde(default)]
    pub known_draws: Option<usize>,
    /// Numbers that came up at least three times in the last ten draws, as far as they are known.
    pub triple_appear: Vec<u8>,
    /// Mean sum of those that are known, 0 without any.
    pub recent_sum_avg: f64,
    /// Mean number of odd ones in those that are known, 0 without any.
    pub recent_odd_avg: f64,
}

/// How many numbers are called hot, cold or overdue.
const LISTED: usize = 8;
/// How many draws the recent pattern looks at.
pub(super) const PATTERN_DRAWS: usize = 10;
/// How many draws the numbers that are called hot or cold are counted in.
pub(super) const HEAT_DRAWS: usize = 50;

/// The state after `draws` (ascending) with a fitted co-winner model.
pub fn analysis(draws: &[Draw], co_winners: &CoWinners) -> Analysis {
    let history = History::of(draws);
    let numbers = number_statistics(&history);
    let sums = sums(draws);
    let mut pairs_hot = pair_counts(&history);
    pairs_hot.truncate(20);
    let share = |number: &NumberStatistics| NumberShare {
        number: number.number,
        frequency_pct: 100.0 * f64::from(number.count) / draws.len().max(1) as f64,
        z_score: number.z,
        gap: number.gap,
    };
    Analysis {
        draws: draws.len(),
        latest: draws.last().cloned(),
        hot: hot(&history),
        cold: cold(&history),
        overdue: overdue(&numbers),
        recent_pattern: recent_pattern(&history),
        mean_sum: sums.mean,
        std_sum: sums.standard_deviation,
        number_stats: numbers.iter().map(share).collect(),
        pairs_hot,
        co_winner_model: co_winners.summary(),
        scoring: descriptions(),
        note_ko: SENTENCE_KO.into(),
        note_en: SENTENCE_EN.into(),
    }
}

/// The eight numbers that came up most often in the last 50 draws, equal ones by number.
pub fn hot(history: &History) -> Vec<NumberHeat> {
    let mut all = heats(history);
    all.sort_by_key(|heat| (std::cmp::Reverse(heat.recent_count), heat.number));
    all.truncate(LISTED);
    all
}

/// The eight numbers that came up least often in the last 50 draws, longest away first among equals.
pub fn cold(history: &History) -> Vec<NumberHeat> {
    let mut all = heats(history);
    all.sort_by_key(|heat| (heat.recent_count, std::cmp::Reverse(history.gap(heat.number)), heat.number));
    all.truncate(LISTED);
    all
}

/// The eight numbers that have been away longest, equal ones by number.
pub fn overdue(numbers: &[NumberStatistics]) -> Vec<OverdueNumber> {
    let mut all: Vec<OverdueNumber> = numbers
        .iter()
        .map(|number| OverdueNumber { number: number.number, gap: number.gap, average_gap: number.average_gap })
        .collect();
    all.sort_by_key(|number| (std::cmp::Reverse(number.gap), number.number));
    all.truncate(LISTED);
    all
}

/// The pattern of the last draws of `history`.
pub fn recent_pattern(history: &History) -> RecentPattern {
    let last_ten = history.recent(PATTERN_DRAWS);
    let counts = count_numbers(last_ten);
    let mean = |figure: fn(Metrics) -> f64| {
        // A sum of nothing is -0; readers expect 0.
        last_ten.iter().map(|draw| figure(Metrics::of(&draw.numbers))).sum::<f64>() / last_ten.len().max(1) as f64 + 0.0
    };
    RecentPattern {
        known_draws: Some(last_ten.len()),
        last3_numbers: history.recent(3).iter().rev().map(|draw| draw.numbers).collect(),
        triple_appear: (1..=45u8).filter(|&number| counts[usize::from(number)] >= 3).collect(),
        recent_sum_avg: mean(|metrics| f64::from(metrics.sum)),
        recent_odd_avg: mean(|metrics| f64::from(metrics.odd)),
    }
}

fn heats(history: &History) -> Vec<NumberHeat> {
    let window = history.recent(HEAT_DRAWS);
    let counts = count_numbers(window);
    let heat = |number: u8| {
        let recent_count = counts[usize::from(number)];
        NumberHeat { number, z: standard_score(recent_count, window.len(), NUMBER_IN_DRAW), recent_count }
    };
    (1..=45).map(heat).collect()
}

#[cfg(test)]
mod tests {
    use super::super::import::built_in;
    use super::*;

    #[test]
    fn hot_cold_and_overdue_are_what_they_say() {
        let analysis = analysis(built_in(), &CoWinners::fit(built_in()));
        assert_eq!((analysis.hot.len(), analysis.cold.len(), analysis.overdue.len()), (8, 8, 8));
        assert!(analysis.hot.iter().all(|hot| analysis.cold.iter().all(|cold| hot.recent_count >= cold.recent_count)));
        assert!(analysis.overdue.windows(2).all(|pair| pair[0].gap >= pair[1].gap));
        assert_eq!(analysis.latest.as_ref().map(|draw| draw.draw_no), Some(1245));
        assert_eq!(analysis.recent_pattern.last3_numbers[0], built_in()[1244].numbers);
        assert_eq!(analysis.number_stats.len(), 45);
        assert_eq!(analysis.co_winner_model.calibration.len(), 5);
    }

    #[test]
    fn the_recent_pattern_counts_the_last_ten_draws() {
        let pattern = recent_pattern(&History::of(built_in()));
        let sums: u32 = built_in()[1235..].iter().map(|draw| u32::from(Metrics::of(&draw.numbers).sum)).sum();
        assert!((pattern.recent_sum_avg - f64::from(sums) / 10.0).abs() < 1e-9);
        // Counted by hand in the file of draws.
        assert_eq!((pattern.recent_sum_avg, pattern.recent_odd_avg), (141.8, 2.4));
        assert_eq!(pattern.triple_appear, [13, 18, 32, 34, 38]);
        let holed: Vec<_> = built_in().iter().filter(|d| !(1_239..1_245).contains(&d.draw_no)).cloned().collect();
        let of = |draws: &[Draw]| recent_pattern(&History::of(draws)).known_draws;
        assert_eq!([of(built_in()), of(&holed), of(&holed[..3]), of(&[])], [10, 4, 3, 0].map(Some));
    }

    #[test]
    fn the_numbers_that_are_called_frequent_or_away_for_long_are_those_of_the_file_of_draws() {
        let history = History::of(built_in());
        let hot: Vec<_> = hot(&history).iter().map(|heat| (heat.number, heat.recent_count)).collect();
        assert_eq!(hot, [(31, 11), (38, 11), (13, 10), (1, 9), (15, 9), (18, 9), (27, 9), (28, 9)]);
        let overdue: Vec<_> =
            overdue(&number_statistics(&history)).iter().map(|number| (number.number, number.gap)).collect();
        assert_eq!(overdue, [(27, 21), (45, 21), (17, 19), (30, 17), (3, 15), (8, 15), (14, 14), (35, 11)]);
    }

    #[test]
    fn the_share_of_a_number_is_in_how_many_of_a_hundred_draws_it_came_up() {
        let shares = |draws: &[Draw]| analysis(draws, &CoWinners::fit(draws)).number_stats;
        let of_eight = shares(&built_in()[..8]);
        let of = |number: u8| of_eight.iter().find(|share| share.number == number).unwrap().frequency_pct;
        let counted = |number: u8| built_in()[..8].iter().filter(|draw| draw.numbers.contains(number)).count();
        // By hand, of the first eight draws: 40 came up in 1, 4, 5, 6 and 7, 42 in 2, 4, 5 and 6, 7 in none.
        assert_eq!([40, 42, 7].map(of), [62.5, 50.0, 0.0]);
        for number in 1..=45 {
            assert_eq!(of(number), 12.5 * counted(number) as f64, "{number}");
        }
        // Six numbers a draw: all shares together are 600 of a hundred, of however many draws.
        let all: f64 = shares(built_in()).iter().map(|share| share.frequency_pct).sum();
        assert!((all - 600.0).abs() < 1e-9, "{all}");
    }

    #[test]
    fn no_draws_make_an_empty_analysis() {
        let analysis = analysis(&[], &CoWinners::fit(&[]));
        assert_eq!((analysis.draws, analysis.latest, analysis.mean_sum), (0, None, 0.0));
    }
}

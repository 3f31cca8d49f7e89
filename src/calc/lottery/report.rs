//! The weekly report for the coming draw.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::analysis::{PATTERN_DRAWS, RecentPattern, cold, hot, overdue, recent_pattern};
use super::co_winners::{CoWinners, Ratio, popular_patterns};
use super::draw::{Draw, ticket_price};
use super::history::History;
use super::honesty::{SENTENCE_EN, SENTENCE_KO};
use super::methods::{Method, MethodInputs};
use super::metrics::Metrics;
use super::numbers::Numbers;
use super::odds::TOTAL_COMBINATIONS;
use super::statistics::number_statistics;
use super::statistics::shapes::{MEAN_SUM, SUM_DEVIATION};
use hanok_base::schema::ToSchema;
use hanok_base::text::thousands;

/// The weekly report for the coming draw.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Report {
    /// The draw it is for.
    pub drw_no: u32,
    /// The same, by its older name.
    pub target_drw_no: u32,
    /// The newest draw that was known.
    pub based_on_draw: u32,
    /// When it was made.
    #[salvo(schema(value_type = String))]
    pub generated_at: DateTime<Utc>,
    /// The eight numbers that came up most often in the last 50 draws.
    pub hot_numbers: Vec<u8>,
    /// The eight that came up least often in them.
    pub cold_numbers: Vec<u8>,
    /// The eight that have been away longest, by the known draws.
    pub overdue_numbers: Vec<u8>,
    /// The known draw in which each of those came up last, null where none did; empty in a report that was made before this
    /// was said.
    #[serde(default)]
    pub overdue_last_seen: Vec<Option<u32>>,
    /// The pattern of the last draws.
    pub recent_pattern: RecentPattern,
    /// One set a method.
    pub recommended_sets: Vec<RecommendedSet>,
    /// 0 to 100: how much data there is and how ordinary the last draws look. It is no probability and
    /// says nothing about winning.
    pub confidence_score: u8,
    /// What the score is made of.
    pub confidence_factors: ConfidenceFactors,
    /// What is to be expected of the coming draw's first prize.
    pub jackpot: Jackpot,
    /// No method beats chance, in Korean.
    pub sentence_ko: String,
    /// No method beats chance, in English.
    pub sentence_en: String,
    /// The seed that makes it again.
    pub seed: u64,
}

/// The set of one method in the report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RecommendedSet {
    /// The method.
    pub strategy: Method,
    /// Its name in Korean.
    pub name_ko: String,
    /// Its name in English.
    pub name_en: String,
    /// The set.
    pub numbers: Numbers,
    /// Why it, in Korean.
    pub description_ko: String,
    /// Why it, in English.
    pub description_en: String,
    /// Its figures.
    pub metrics: Metrics,
    /// Its expected co-winners; null for a set with a popular pattern, which is played far more often than its kind.
    pub co_winners: Option<Ratio>,
}

/// What the confidence score is made of, each 0 to 100.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ConfidenceFactors {
    /// How many draws there are; 100 from a thousand on.
    pub data_volume: u8,
    /// How near the mean sum of those of the last ten draws that are known is to 138: 100 at 138, 0 at three standard errors.
    pub pattern_consistency: u8,
    /// The share of those with an ordinary shape: a sum of 108 to 168 and two to four odd
    /// numbers.
    pub recent_trend: u8,
}

/// What is to be expected of the coming draw's first prize.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Jackpot {
    /// Won, the mean sales of the last ten draws, as far as they are known; null when none is published.
    pub expected_sales: Option<u64>,
    /// A sentence about it in Korean.
    pub note: String,
    /// The same sentence in English.
    pub note_en: String,
}

/// The report for draw `draw_no`, knowing `history`; the same seed gives the same report.
pub fn report(
    history: &History,
    co_winners: &CoWinners,
    draw_no: u32,
    seed: u64,
    generated_at: DateTime<Utc>,
) -> Report {
    let inputs = MethodInputs::new(history, co_winners);
    let recommended_sets = Method::ALL.map(|method| recommended_set(method, &inputs, seed)).into();
    Report { recommended_sets, ..Report::telling_of(history, draw_no, seed, generated_at) }
}

impl Report {
    /// This report with what it tells of the draws told anew from `history`, the draws that it knew as they have been
    /// corrected since. Its sets stay: they were given. What an earlier program told of those that many people play is put
    /// right.
    pub fn retold(self, history: &History) -> Report {
        let Report { drw_no, seed, generated_at, mut recommended_sets, .. } = self;
        recommended_sets.iter_mut().for_each(|set| set.put_right(history.draws()));
        Report { recommended_sets, ..Report::telling_of(history, drw_no, seed, generated_at) }
    }

    /// The report for draw `draw_no` without any sets.
    fn telling_of(history: &History, draw_no: u32, seed: u64, generated_at: DateTime<Utc>) -> Report {
        let confidence_factors = confidence_factors(history);
        let numbers = number_statistics(history);
        let overdue_numbers: Vec<u8> = overdue(&numbers).iter().map(|number| number.number).collect();
        let last_seen = |number: &u8| numbers[usize::from(*number) - 1].last_seen;
        Report {
            drw_no: draw_no,
            target_drw_no: draw_no,
            based_on_draw: history.latest().map_or(0, |draw| draw.draw_no),
            generated_at,
            hot_numbers: hot(history).iter().map(|heat| heat.number).collect(),
            cold_numbers: cold(history).iter().map(|heat| heat.number).collect(),
            overdue_last_seen: overdue_numbers.iter().map(last_seen).collect(),
            overdue_numbers,
            recent_pattern: recent_pattern(history),
            recommended_sets: Vec::new(),
            confidence_score: score(&confidence_factors),
            confidence_factors,
            jackpot: jackpot(history, draw_no),
            sentence_ko: SENTENCE_KO.into(),
            sentence_en: SENTENCE_EN.into(),
            seed,
        }
    }
}

impl RecommendedSet {
    fn put_right(&mut self, draws: &[Draw]) {
        let Some(pattern) = popular_patterns(&self.numbers, draws).into_iter().next() else { return };
        self.co_winners = None;
        // The other methods promise nothing.
        if self.strategy == Method::CoWinners {
            (self.description_ko, self.description_en) = (pattern.text_ko, pattern.text_en);
        }
    }
}

fn recommended_set(method: Method, inputs: &MethodInputs, seed: u64) -> RecommendedSet {
    let numbers = method.choose(inputs, seed);
    let reason = method.reason(inputs, &numbers);
    RecommendedSet {
        strategy: method,
        name_ko: method.name_ko().into(),
        name_en: method.name_en().into(),
        numbers,
        description_ko: reason.text_ko,
        description_en: reason.text_en,
        metrics: Metrics::of(&numbers),
        co_winners: inputs.co_winners.estimate(&numbers, inputs.history.draws()),
    }
}

fn confidence_factors(history: &History) -> ConfidenceFactors {
    let recent = history.recent(PATTERN_DRAWS);
    let percent = |share: f64| (100.0 * share.clamp(0.0, 1.0)).round() as u8;
    let ordinary = |draw: &&Draw| {
        let Metrics { sum, odd, .. } = Metrics::of(&draw.numbers);
        (108..=168).contains(&sum) && (2..=4).contains(&odd)
    };
    if recent.is_empty() {
        return ConfidenceFactors { data_volume: 0, pattern_consistency: 0, recent_trend: 0 };
    }
    let count = recent.len() as f64;
    let standard_errors = (recent_pattern(history).recent_sum_avg - MEAN_SUM).abs() / (SUM_DEVIATION / count.sqrt());
    ConfidenceFactors {
        data_volume: percent(history.draws().len() as f64 / 1_000.0),
        pattern_consistency: percent(1.0 - standard_errors / 3.0),
        recent_trend: percent(recent.iter().filter(ordinary).count() as f64 / count),
    }
}

/// Four tenths for the data, three for each of the others.
fn score(factors: &ConfidenceFactors) -> u8 {
    let weighted = 4 * u32::from(factors.data_volume)
        + 3 * u32::from(factors.pattern_consistency)
        + 3 * u32::from(factors.recent_trend);
    (weighted / 10) as u8
}

fn jackpot(history: &History, draw_no: u32) -> Jackpot {
    let sales: Vec<u64> = history.recent(PATTERN_DRAWS).iter().filter_map(|draw| draw.total_sales).collect();
    let Some(expected_sales) = sales.iter().sum::<u64>().checked_div(sales.len() as u64) else {
        return Jackpot {
            expected_sales: None,
            note: "판매액이 아직 발표되지 않았습니다".into(),
            note_en: "No sales are published yet".into(),
        };
    };
    let games = expected_sales as f64 / ticket_price(draw_no) as f64;
    let winners = games / TOTAL_COMBINATIONS as f64;
    let (ko, en) = history.in_words(PATTERN_DRAWS, sales.len());
    Jackpot {
        expected_sales: Some(expected_sales),
        note: format!(
            "{ko} 평균 판매액은 {}억 원이며, 이만큼 팔리면 1등은 평균 {winners:.1}게임 나옵니다",
            thousands((expected_sales as f64 / 1e8).round() as i64)
        ),
        note_en: format!(
            "Mean sales of {en} are {:.1} billion won; at that, {winners:.1} games win the first prize on average",
            expected_sales as f64 / 1e9
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::super::import::built_in;
    use super::*;

    fn make(draws: &[Draw], seed: u64) -> Report {
        let at = "2026-10-11T00:00:00Z".parse().unwrap();
        report(&History::of(draws), &CoWinners::fit(draws), draws.len() as u32 + 1, seed, at)
    }

    #[test]
    fn the_same_seed_gives_the_same_bytes() {
        let bytes = |seed| serde_json::to_string(&make(built_in(), seed)).unwrap();
        assert_eq!(bytes(3), bytes(3));
        assert_ne!(bytes(3), bytes(4));
    }

    #[test]
    fn a_report_that_is_told_anew_keeps_the_sets_that_were_given_and_tells_of_the_draws_as_they_are_now() {
        let given = make(&built_in()[..400], 3);
        let retold = given.clone().retold(&History::of(&built_in()[..399]));
        assert_eq!((retold.drw_no, retold.seed, retold.generated_at), (given.drw_no, given.seed, given.generated_at));
        assert_eq!((retold.based_on_draw, given.based_on_draw), (399, 400));
        assert!(!retold.recommended_sets.is_empty() && retold.recommended_sets == given.recommended_sets);
    }

    #[test]
    fn the_report_is_for_the_coming_draw() {
        let report = make(built_in(), 3);
        assert_eq!((report.drw_no, report.target_drw_no, report.based_on_draw), (1246, 1246, 1245));
        assert_eq!(report.recommended_sets.len(), 6);
        assert_eq!((report.hot_numbers.len(), report.cold_numbers.len(), report.overdue_numbers.len()), (8, 8, 8));
        assert_eq!(report.confidence_factors.data_volume, 100);
        assert!(report.confidence_score <= 100);
        assert!(report.jackpot.expected_sales.is_some_and(|sales| sales > 100_000_000_000));
        assert!(report.sentence_en.contains("1 in 8,145,060"));
    }

    #[test]
    fn the_draw_in_which_an_overdue_number_came_up_last_is_that_of_the_file_of_draws() {
        let holed: Vec<_> = built_in().iter().filter(|d| !(1_239..1_245).contains(&d.draw_no)).cloned().collect();
        for draws in [built_in(), &holed, &built_in()[..3], &[]] {
            let report = make(draws, 3);
            assert_eq!(report.overdue_last_seen.len(), report.overdue_numbers.len());
            for (number, last_seen) in report.overdue_numbers.iter().zip(report.overdue_last_seen) {
                let with = draws.iter().filter(|draw| draw.numbers.contains(*number)).map(|draw| draw.draw_no);
                assert_eq!(last_seen, with.max(), "{number}");
            }
        }
    }

    #[test]
    fn the_data_score_is_made_of_its_three_parts() {
        // Worked out apart from this code: how many draws, how near the mean sum of the last ten, how ordinary they are.
        for (draws, parts, score) in
            [(1_245, (100, 87, 70), 87), (400, (40, 95, 50), 59), (37, (4, 70, 70), 43), (4, (0, 60, 25), 25)]
        {
            let report = make(&built_in()[..draws], 3);
            let ConfidenceFactors { data_volume, pattern_consistency, recent_trend } = report.confidence_factors;
            assert_eq!(
                ((data_volume, pattern_consistency, recent_trend), report.confidence_score),
                (parts, score),
                "{draws}"
            );
        }
    }

    #[test]
    fn the_expected_winners_are_the_games_sold_by_the_combinations() {
        // Mean sales of draws 1236 to 1245: 120,411,758,800 won, or 120,411,758 games; by 8,145,060 that is 14.8.
        let jackpot = make(built_in(), 3).jackpot;
        assert_eq!(jackpot.expected_sales, Some(120_411_758_800));
        assert!(jackpot.note.contains("1,204억 원이며, 이만큼 팔리면 1등은 평균 14.8게임"), "{}", jackpot.note);
        let said = "Mean sales of the last 10 draws are 120.4 billion won; at that, 14.8 games win the first prize";
        assert!(jackpot.note_en.starts_with(said), "{}", jackpot.note_en);
        // 120,370,000,000 won are nearer to 1,204 than to 1,203 hundred millions.
        let mut draws = built_in()[..1245].to_vec();
        draws[1235..].iter_mut().for_each(|draw| draw.total_sales = Some(120_370_000_000));
        let rounded = make(&draws, 3).jackpot;
        assert!(
            rounded.note.contains(" 1,204억 원이며") && rounded.note_en.contains(" 120.4 billion won"),
            "{rounded:?}"
        );
        // Where the sales of one of them are not published, it is not one of those that were counted.
        let mut draws = built_in()[..1245].to_vec();
        draws[1244].total_sales = None;
        let jackpot_of_nine = make(&draws, 3).jackpot;
        assert!(jackpot_of_nine.note_en.starts_with("Mean sales of the 9 known of the last 10 draws are"));
        assert!(
            jackpot_of_nine.note.starts_with("최근 10회 가운데 알려진 9회 평균 판매액은"),
            "{}",
            jackpot_of_nine.note
        );
        // Draw 51 cost 2,000 won a game: its report counts half as many games for as much money.
        let early = make(&built_in()[..50], 3).jackpot;
        assert!(early.note_en.contains("4.5 games win the first prize"), "{}", early.note_en);
    }

    #[test]
    fn no_figure_is_a_minus_zero() {
        use super::super::{analysis, briefing, performance, personal, statistics};
        let at: DateTime<Utc> = "2026-10-11T00:00:00Z".parse().unwrap();
        for draws in [&built_in()[..0], &built_in()[..1], &built_in()[..101], &built_in()[..300]] {
            let co_winners = CoWinners::fit(draws);
            let (history, draw_no) = (History::of(draws), draws.len() as u32 + 1);
            let performance = performance::performance(draws, at, performance::PicksChecked::default());
            let answers = [
                serde_json::to_string(&statistics::statistics(draws)),
                serde_json::to_string(&analysis::analysis(draws, &co_winners)),
                serde_json::to_string(&report(&history, &co_winners, draw_no, 1, at)),
                serde_json::to_string(&briefing::briefing(&history, &co_winners, draw_no, 1, at)),
                serde_json::to_string(&performance),
                serde_json::to_string(&personal::personal(&[], &co_winners, draws)),
            ];
            for answer in answers.map(Result::unwrap) {
                let at = ["-0.0,", "-0.0}", "-0.0]"].iter().find_map(|zero| answer.find(zero));
                assert!(at.is_none(), "{}", &answer[at.unwrap().saturating_sub(80)..at.unwrap() + 4]);
            }
        }
    }

    #[test]
    fn without_draws_the_score_is_zero() {
        let report = make(&[], 3);
        assert_eq!((report.drw_no, report.confidence_score, report.jackpot.expected_sales), (1, 0, None));
    }
}

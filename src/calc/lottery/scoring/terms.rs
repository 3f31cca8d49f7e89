//! The terms of the scoring model, one table each; their sums are the tables of [`Scoring`].

use std::sync::LazyLock;

use libm::{log, pow};
use serde::{Deserialize, Serialize};

use super::super::co_winners::CoWinners;
use super::super::history::{History, NUMBER_IN_DRAW, PAIR_IN_DRAW, SLOTS, count_numbers, standard_score};
use super::super::metrics::Metrics;
use super::super::numbers::Numbers;
use super::super::statistics::shapes;
use super::{PAIRS, Parameters, SUMS, Scoring, pair_index, points, units};
use hanok_base::schema::ToSchema;

/// What one term adds to the score of a combination.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ScoreTerm {
    /// The term's name.
    pub term: String,
    /// What it adds, in units of score.
    pub value: f64,
}

/// One term as a person reads it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ScoringTerm {
    /// Its name.
    pub term: String,
    /// What it measures, in Korean.
    pub text_ko: String,
    /// What it measures, in English.
    pub text_en: String,
    /// The factor of its measure, in units of score.
    pub weight: f64,
}

const FREQUENCY: f64 = 0.3;
const GAP: f64 = 0.2;
const PAIR: f64 = 0.05;
const SUM: f64 = 0.5;
const SHAPE: f64 = 0.25;
const CO_WINNERS: f64 = 3.0;

/// Every term of the scoring model, for the analysis page.
pub fn descriptions() -> Vec<ScoringTerm> {
    let term = |term: &str, weight, text_ko: &str, text_en: &str| ScoringTerm {
        term: term.into(),
        text_ko: text_ko.into(),
        text_en: text_en.into(),
        weight,
    };
    vec![
        term(
            "recent_frequency",
            FREQUENCY,
            "최근 구간에서 나온 횟수의 표준점수 × 최근 비중",
            "standard score of its count in the recent draws × recent weight",
        ),
        term(
            "long_run_frequency",
            FREQUENCY,
            "전체 회차에서 나온 횟수의 표준점수 × (1 − 최근 비중)",
            "standard score of its count in all draws × (1 − recent weight)",
        ),
        term("gap", GAP, "나오지 않은 기간이 얼마나 드문지", "how rare its present gap is"),
        term("pairs", PAIR, "두 번호가 함께 나온 횟수의 표준점수", "standard score of how often both came up together"),
        term("sum", SUM, "합계의 흔한 정도 (로그)", "how common its sum is (logarithm)"),
        term("odd", SHAPE, "홀수 개수의 흔한 정도 (로그)", "how common its number of odd ones is (logarithm)"),
        term("low", SHAPE, "낮은 번호 개수의 흔한 정도 (로그)", "how common its number of low ones is (logarithm)"),
        term(
            "consecutive",
            SHAPE,
            "연속 번호 쌍의 흔한 정도 (로그)",
            "how common its pairs of neighbours are (logarithm)",
        ),
        term(
            "co_winners",
            CO_WINNERS,
            "예상 공동 당첨자가 적을수록 높음. 많은 사람이 고르는 조합에는 더하지 않음",
            "higher with fewer expected co-winners; nothing is added to a set that many people play",
        ),
    ]
}

/// The tables of every term, in points.
#[derive(Debug, Clone)]
pub struct Terms {
    recent: [i32; SLOTS],
    long_run: [i32; SLOTS],
    gap: [i32; SLOTS],
    pairs: Vec<i32>,
    shapes: &'static Shapes,
    co_winners: [i32; SLOTS],
}

impl Terms {
    /// The terms after `history`.
    pub fn new(history: &History, parameters: &Parameters, co_winners: &CoWinners) -> Self {
        let window = history.recent(parameters.recent_window as usize);
        let recent_counts = count_numbers(window);
        Terms {
            recent: by_number(|number| {
                parameters.recent_weight * frequency(recent_counts[usize::from(number)], window.len())
            }),
            long_run: by_number(|number| {
                (1.0 - parameters.recent_weight) * frequency(history.count(number), history.draws().len())
            }),
            gap: by_number(|number| gap(history.gap(number))),
            pairs: pairs(history),
            shapes: &SHAPES,
            co_winners: by_number(|number| -CO_WINNERS * co_winners.number(number)),
        }
    }

    /// The terms added up into the tables of the kernel.
    pub fn scoring(&self) -> Scoring {
        let number =
            |number: usize| self.recent[number] + self.long_run[number] + self.gap[number] + self.co_winners[number];
        Scoring {
            numbers: (1..SLOTS).map(number).collect(),
            pairs: self.pairs.clone(),
            sums: self.shapes.sums.clone(),
            odd: self.shapes.odd,
            low: self.shapes.low,
            consecutive: self.shapes.consecutive,
        }
    }

    /// What each term adds to the score of `numbers`; their sum is the score.
    pub fn score_terms(&self, numbers: &Numbers) -> Vec<ScoreTerm> {
        let metrics = Metrics::of(numbers);
        let neighbours = usize::from(metrics.consecutive_pairs);
        let six = numbers.as_array();
        let over = |table: &[i32; SLOTS]| numbers.iter().map(|number| table[usize::from(number)]).sum::<i32>();
        let pairs: i32 = six
            .iter()
            .enumerate()
            .flat_map(|(place, &lower)| six[place + 1..].iter().map(move |&higher| pair_index(lower, higher)))
            .map(|pair| self.pairs[pair])
            .sum();
        [
            ("recent_frequency", over(&self.recent)),
            ("long_run_frequency", over(&self.long_run)),
            ("gap", over(&self.gap)),
            ("pairs", pairs),
            ("sum", self.shapes.sums[usize::from(metrics.sum)]),
            ("odd", self.shapes.odd[usize::from(metrics.odd)]),
            ("low", self.shapes.low[usize::from(metrics.low)]),
            ("consecutive", self.shapes.consecutive[neighbours]),
            ("co_winners", over(&self.co_winners)),
        ]
        .map(|(term, points)| ScoreTerm { term: term.into(), value: units(points) })
        .into()
    }
}

/// 0.3 × the standard score of `count` in `draws` draws.
fn frequency(count: u32, draws: usize) -> f64 {
    FREQUENCY * standard_score(count, draws, NUMBER_IN_DRAW)
}

/// 0.2 × (2 × chance of a shorter gap − 1): from −0.2 for a number that has just come up to 0.2 for
/// one that has been away for long. Gaps are geometric with success 6/45.
fn gap(draws: u32) -> f64 {
    let shorter = 1.0 - pow(1.0 - NUMBER_IN_DRAW, f64::from(draws));
    GAP * (2.0 * shorter - 1.0)
}

/// 0.05 × the standard score of each pair's count.
fn pairs(history: &History) -> Vec<i32> {
    let draws = history.draws().len();
    let mut table = Vec::with_capacity(PAIRS);
    for lower in 1..SLOTS as u8 {
        for higher in lower + 1..SLOTS as u8 {
            table.push(points(PAIR * standard_score(history.pair_count(lower, higher), draws, PAIR_IN_DRAW)));
        }
    }
    table
}

/// The shape terms, which depend on no draw.
#[derive(Debug)]
struct Shapes {
    sums: Vec<i32>,
    odd: [i32; 7],
    low: [i32; 7],
    consecutive: [i32; 6],
}

static SHAPES: LazyLock<Shapes> = LazyLock::new(|| {
    let sums = shapes::sum_probabilities();
    Shapes {
        sums: rareness(SUM, &sums[..SUMS]),
        odd: std::array::from_fn(|count| rareness(SHAPE, &shapes::odd_probabilities())[count]),
        low: std::array::from_fn(|count| rareness(SHAPE, &shapes::low_probabilities())[count]),
        consecutive: std::array::from_fn(|pairs| rareness(SHAPE, &shapes::consecutive_probabilities())[pairs]),
    }
});

/// `weight` × ln(chance / largest chance) for each entry; impossible ones get the lowest of all.
fn rareness(weight: f64, probabilities: &[f64]) -> Vec<i32> {
    let largest = probabilities.iter().copied().fold(0.0, f64::max);
    let smallest = probabilities.iter().copied().filter(|chance| *chance > 0.0).fold(1.0, f64::min);
    probabilities.iter().map(|chance| points(weight * log(chance.max(smallest) / largest))).collect()
}

fn by_number(units: impl Fn(u8) -> f64) -> [i32; SLOTS] {
    std::array::from_fn(|number| if number == 0 { 0 } else { points(units(number as u8)) })
}

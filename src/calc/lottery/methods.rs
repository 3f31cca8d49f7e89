//! The named methods: each chooses a set from what was known before a draw, and a seed.
//!
//! They are what players do. None is better than the last of them, `random`; the replay of
//! [`super::performance`] shows it.

use std::iter;

use serde::{Deserialize, Serialize};

use super::co_winners::{CoWinners, popular_patterns};
use super::history::History;
use super::numbers::{Numbers, bit};
use super::random::{LARGEST_SEED, SplitMix64};
use super::reason::Reason;
use super::scoring::{Parameters, Scoring, Terms, avoided, listed, points};
use super::search::{Search, numbers_of};
use super::statistics::pair_counts;
use hanok_base::schema::ToSchema;

/// A named way to choose a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// The best of 2,000 seeded combinations under the scoring model.
    Weighted,
    /// Six of the twelve numbers that came up most often, by the seed.
    Frequency,
    /// Six of the twelve numbers that have been away longest, by the seed.
    Overdue,
    /// One of the ten most frequent pairs by the seed, then always the number that came up most often
    /// together with those already chosen.
    Pairs,
    /// The one of 500 seeded combinations with the fewest expected co-winners, or any while nothing is known of them; none
    /// with a popular pattern.
    CoWinners,
    /// Any combination, by the seed.
    Random,
}

/// How many combinations the weighted method looks at.
const WEIGHTED_CANDIDATES: u64 = 2_000;
/// How many combinations the co-winner method looks at.
const CO_WINNER_CANDIDATES: u64 = 500;
/// From how many leading numbers the seed chooses six.
const LEADING_NUMBERS: usize = 12;
/// From how many leading pairs the seed chooses one.
const LEADING_PAIRS: usize = 10;

impl Method {
    /// All methods, in the order in which they are shown.
    pub const ALL: [Method; 6] =
        [Method::Weighted, Method::Frequency, Method::Overdue, Method::Pairs, Method::CoWinners, Method::Random];

    /// Its name in Korean.
    pub fn name_ko(self) -> &'static str {
        match self {
            Method::Weighted => "점수 모형",
            Method::Frequency => "자주 나온 번호",
            Method::Overdue => "오래 안 나온 번호",
            Method::Pairs => "함께 나온 짝",
            Method::CoWinners => "덜 나누는 조합",
            Method::Random => "무작위",
        }
    }

    /// Its name in English.
    pub fn name_en(self) -> &'static str {
        match self {
            Method::Weighted => "Scoring model",
            Method::Frequency => "Frequent numbers",
            Method::Overdue => "Overdue numbers",
            Method::Pairs => "Frequent pairs",
            Method::CoWinners => "Fewer to share with",
            Method::Random => "Random",
        }
    }

    /// The set this method chooses from these `inputs`; the same seed gives the same set.
    pub fn choose(self, inputs: &MethodInputs, seed: u64) -> Numbers {
        let mut generator = SplitMix64::stream(seed, 16 + self as u64);
        let chosen = match self {
            Method::Weighted => {
                let best = inputs.best_of_sample(inputs.scoring.clone(), inputs.exclude, WEIGHTED_CANDIDATES, seed, 1);
                best.first().copied()
            }
            Method::Frequency => six_of(&mut generator, inputs.leading(|number| inputs.history.count(number))),
            Method::Overdue => six_of(&mut generator, inputs.leading(|number| inputs.history.gap(number))),
            Method::Pairs => inputs.around_a_pair(&mut generator),
            Method::CoWinners => inputs.fewest_to_share_with(&mut generator),
            Method::Random => None,
        };
        chosen.unwrap_or_else(|| generator.numbers())
    }

    /// Why this method chose `numbers`, with the figures behind it.
    pub fn reason(self, inputs: &MethodInputs, numbers: &Numbers) -> Reason {
        let all: Vec<u8> = numbers.iter().collect();
        let list = listed(&all);
        match self {
            Method::Weighted => {
                let score = inputs.scoring.score(numbers);
                Reason::new(
                    "best_score",
                    format!("조합 {WEIGHTED_CANDIDATES}개 가운데 점수가 가장 높습니다 ({score:.2})"),
                    format!("The highest score of {WEIGHTED_CANDIDATES} combinations ({score:.2})"),
                )
            }
            Method::Frequency => {
                let mean = mean(all.iter().map(|&number| inputs.history.count(number)));
                let expected = inputs.history.draws().len() as f64 * 6.0 / 45.0;
                Reason::new(
                    "frequent",
                    format!("평균 {mean:.0}회 나온 번호들입니다 (기댓값 {expected:.0}회): {list}"),
                    format!("Drawn {mean:.0} times on average ({expected:.0} expected): {list}"),
                )
            }
            Method::Overdue => {
                let mean = mean(all.iter().map(|&number| inputs.history.gap(number)));
                let (ko, en) = match inputs.history.gaps_are_certain(&all) {
                    true => ("", format!("Not drawn for {mean:.0} draws on average")),
                    false => ("알려진 추첨만 세어 ", format!("Not in the last {mean:.0} known draws on average")),
                };
                Reason::new(
                    "long_gap",
                    format!("{ko}평균 {mean:.0}회 동안 나오지 않은 번호들입니다: {list}"),
                    format!("{en}: {list}"),
                )
            }
            Method::Pairs => {
                let [lower, higher] = inputs.most_frequent_pair_of(numbers);
                let times = inputs.history.pair_count(lower, higher);
                Reason::new(
                    "frequent_pairs",
                    format!("{lower}번과 {higher}번은 {times}번 함께 나왔습니다"),
                    format!("{lower} and {higher} came up together {times} times"),
                )
            }
            Method::CoWinners => {
                let ratio = inputs.co_winners.ratio(numbers).ratio;
                Reason::new(
                    "fewer_co_winners",
                    format!("1등이 되면 나눌 사람이 평균의 {ratio:.2}배로 추정됩니다"),
                    format!("A first prize would be shared with {ratio:.2} times the average number of people"),
                )
            }
            Method::Random => Reason::new(
                "random",
                "무작위로 골랐습니다. 다른 방법과 당첨 확률이 같습니다",
                "Chosen at random, with the same chance as every other method",
            ),
        }
    }
}

/// What is known before a draw, prepared once for all methods.
pub struct MethodInputs<'a> {
    /// The draws so far.
    pub history: &'a History<'a>,
    /// The co-winner model.
    pub co_winners: &'a CoWinners,
    /// The scoring model with its default parameters.
    pub scoring: Scoring,
    exclude: u64,
    leading_pairs: Vec<[u8; 2]>,
}

impl<'a> MethodInputs<'a> {
    /// What `history` and `co_winners` tell.
    pub fn new(history: &'a History<'a>, co_winners: &'a CoWinners) -> Self {
        let parameters = Parameters::default();
        let scoring = Terms::new(history, &parameters, co_winners).scoring();
        let exclude = avoided(history, parameters.avoid_recent_k).mask;
        let leading_pairs = pair_counts(history).iter().take(LEADING_PAIRS).map(|pair| pair.numbers).collect();
        MethodInputs { history, co_winners, scoring, exclude, leading_pairs }
    }

    fn best_of_sample(&self, scoring: Scoring, exclude: u64, candidates: u64, seed: u64, top_k: usize) -> Vec<Numbers> {
        numbers_of(&Search { scoring, exclude, seed, candidates, top_k }.run())
    }

    /// The model knows nothing of popular patterns, so that it finds sets with few co-winners among those that thousands
    /// play: the best without one is taken.
    fn fewest_to_share_with(&self, generator: &mut SplitMix64) -> Option<Numbers> {
        let is_ordinary = |numbers: &Numbers| popular_patterns(numbers, self.history.draws()).is_empty();
        let seed = generator.below(LARGEST_SEED + 1);
        let best = |top_k| {
            let scoring = co_winner_scoring(self.co_winners);
            self.best_of_sample(scoring, 0, CO_WINNER_CANDIDATES, seed, top_k).into_iter().find(is_ordinary)
        };
        // Mostly the very best is one; all of them are put in order only where it is not.
        let known = (!self.co_winners.is_flat()).then(|| best(1).or_else(|| best(CO_WINNER_CANDIDATES as usize)));
        known.flatten().or_else(|| iter::repeat_with(|| generator.numbers()).find(is_ordinary))
    }

    /// The twelve numbers with the largest `value`, equal ones by number.
    fn leading(&self, value: impl Fn(u8) -> u32) -> Vec<u8> {
        let mut numbers: Vec<u8> = (1..=45).collect();
        numbers.sort_by_key(|&number| (std::cmp::Reverse(value(number)), number));
        numbers.truncate(LEADING_NUMBERS);
        numbers
    }

    fn around_a_pair(&self, generator: &mut SplitMix64) -> Option<Numbers> {
        let start = self.leading_pairs.get(generator.below(LEADING_PAIRS as u64) as usize)?;
        let mut chosen = start.to_vec();
        while chosen.len() < 6 {
            let together = |number: u8| chosen.iter().map(|&other| self.pair_count(number, other)).sum::<u32>();
            let free = (1..=45u8).filter(|number| !chosen.contains(number));
            let next = free.max_by_key(|&number| (together(number), std::cmp::Reverse(number)))?;
            chosen.push(next);
        }
        Numbers::from_mask(chosen.iter().fold(0, |mask, &number| mask | bit(number)))
    }

    fn pair_count(&self, one: u8, other: u8) -> u32 {
        self.history.pair_count(one.min(other), one.max(other))
    }

    fn most_frequent_pair_of(&self, numbers: &Numbers) -> [u8; 2] {
        let six = numbers.as_array();
        let pairs = six.iter().enumerate().flat_map(|(at, &lower)| six[at + 1..].iter().map(move |&h| [lower, h]));
        let most =
            pairs.max_by_key(|&[lower, higher]| (self.history.pair_count(lower, higher), std::cmp::Reverse(lower)));
        most.unwrap_or([six[0], six[1]])
    }
}

/// Points that only count the expected co-winners, fewer being better.
fn co_winner_scoring(co_winners: &CoWinners) -> Scoring {
    Scoring {
        numbers: (1..=45).map(|number| points(-co_winners.number(number))).collect(),
        pairs: vec![0; 990],
        sums: vec![0; 256],
        odd: [0; 7],
        low: [0; 7],
        consecutive: [0; 6],
    }
}

fn six_of(generator: &mut SplitMix64, leading: Vec<u8>) -> Option<Numbers> {
    let six = generator.choose(&leading, 6);
    Numbers::from_mask(six.iter().fold(0, |mask, &number| mask | bit(number)))
}

fn mean(values: impl ExactSizeIterator<Item = u32>) -> f64 {
    let count = values.len().max(1) as f64;
    f64::from(values.sum::<u32>()) / count
}

#[cfg(test)]
mod tests {
    use super::super::import::built_in;
    use super::*;

    #[test]
    fn every_method_gives_the_same_set_for_the_same_seed_and_reasons_in_both_languages() {
        let history = History::of(built_in());
        let co_winners = CoWinners::fit(built_in());
        let inputs = MethodInputs::new(&history, &co_winners);
        for method in Method::ALL {
            let numbers = method.choose(&inputs, 20_261_010);
            assert_eq!(numbers, method.choose(&inputs, 20_261_010));
            let others: Vec<Numbers> = (0..20).map(|seed| method.choose(&inputs, seed)).collect();
            assert!(others.iter().any(|other| *other != numbers), "{method:?} listens to its seed");
            let reason = method.reason(&inputs, &numbers);
            assert!(!reason.text_ko.is_empty() && !reason.text_en.is_empty());
        }
    }

    #[test]
    fn methods_do_what_their_names_say() {
        let history = History::of(built_in());
        let co_winners = CoWinners::fit(built_in());
        let inputs = MethodInputs::new(&history, &co_winners);
        let frequent = Method::Frequency.choose(&inputs, 1);
        assert!(frequent.iter().all(|number| history.count(number) >= 166));
        let overdue = Method::Overdue.choose(&inputs, 1);
        assert!(overdue.iter().all(|number| history.gap(number) >= 6));
        assert!(co_winners.ratio(&Method::CoWinners.choose(&inputs, 1)).ratio < 0.91);
    }

    #[test]
    fn fewer_to_share_with_never_is_a_set_that_thousands_play() {
        let history = History::of(built_in());
        let fewest = |inputs: &MethodInputs, seed: u64| {
            let chosen = Method::CoWinners.choose(inputs, seed);
            assert!(popular_patterns(&chosen, built_in()).is_empty(), "{chosen} with seed {seed}");
            chosen
        };
        let (fitted, flat) = (CoWinners::fit(built_in()), CoWinners::fit(&[]));
        let (inputs, of_nothing) = (MethodInputs::new(&history, &fitted), MethodInputs::new(&history, &flat));
        let mut passed_over = 0;
        for seed in 0..150 {
            let chosen = fewest(&inputs, seed);
            fewest(&of_nothing, seed);
            // Only sets that are played far too often have fewer expected co-winners in the sample.
            let mut generator = SplitMix64::stream(seed, 16 + Method::CoWinners as u64);
            let sample = generator.below(LARGEST_SEED + 1);
            let all = inputs.best_of_sample(co_winner_scoring(&fitted), 0, CO_WINNER_CANDIDATES, sample, 500);
            let place = all.iter().position(|numbers| *numbers == chosen).unwrap();
            assert!(all[..place].iter().all(|better| !popular_patterns(better, built_in()).is_empty()), "seed {seed}");
            passed_over += usize::from(place > 0);
        }
        assert!((3..30).contains(&passed_over), "about one in twelve, {passed_over} of 150");
    }

    #[test]
    fn what_is_built_around_a_frequent_pair_is_what_the_file_of_draws_gives() {
        let history = History::of(built_in());
        let co_winners = CoWinners::fit(built_in());
        let inputs = MethodInputs::new(&history, &co_winners);
        // The ten most frequent pairs, each grown by the number that came with those chosen most often: done by hand.
        let grown = [
            [11, 17, 18, 21, 34, 44],
            [7, 13, 33, 37, 38, 40],
            [6, 7, 13, 18, 37, 38],
            [10, 16, 31, 37, 38, 40],
            [1, 3, 12, 20, 24, 27],
            [1, 12, 13, 28, 34, 42],
            [12, 15, 19, 34, 42, 45],
            [3, 12, 13, 20, 24, 33],
        ];
        let mut made: Vec<[u8; 6]> = (0..200).map(|seed| *Method::Pairs.choose(&inputs, seed).as_array()).collect();
        made.sort_unstable();
        made.dedup();
        let mut expected = grown.to_vec();
        expected.sort_unstable();
        assert_eq!(made, expected);
    }

    #[test]
    fn the_figures_of_a_reason_are_those_of_the_file_of_draws() {
        let history = History::of(built_in());
        let co_winners = CoWinners::fit(built_in());
        let inputs = MethodInputs::new(&history, &co_winners);
        let numbers = Numbers::new([3, 8, 17, 27, 30, 45]).unwrap();
        let said = |method: Method| method.reason(&inputs, &numbers).text_en;
        assert_eq!(said(Method::Frequency), "Drawn 169 times on average (166 expected): 3, 8, 17, 27, 30, 45");
        assert_eq!(said(Method::Overdue), "Not drawn for 18 draws on average: 3, 8, 17, 27, 30, 45");
        assert_eq!(said(Method::Pairs), "3 and 27 came up together 28 times");
        // Without draws 1240 to 1244, each of the six has been away for five known draws less.
        let holed: Vec<_> = built_in().iter().filter(|d| !(1_240..1_245).contains(&d.draw_no)).cloned().collect();
        let history = History::of(&holed);
        let reason = Method::Overdue.reason(&MethodInputs::new(&history, &co_winners), &numbers);
        assert_eq!(reason.text_en, "Not in the last 13 known draws on average: 3, 8, 17, 27, 30, 45");
        assert_eq!(reason.text_ko, "알려진 추첨만 세어 평균 13회 동안 나오지 않은 번호들입니다: 3, 8, 17, 27, 30, 45");
    }

    #[test]
    fn methods_work_before_the_first_draw() {
        let history = History::before_all(built_in());
        let co_winners = CoWinners::fit(&[]);
        let inputs = MethodInputs::new(&history, &co_winners);
        for method in Method::ALL {
            let numbers = method.choose(&inputs, 7);
            assert!(!method.reason(&inputs, &numbers).text_en.is_empty());
        }
    }
}

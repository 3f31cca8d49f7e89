//! Several named methods, each with its own set, merged into five sets by a documented rule.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::co_winners::{CoWinners, Ratio};
use super::diverse::diverse;
use super::draw::Draw;
use super::history::History;
use super::methods::{Method, MethodInputs};
use super::metrics::Metrics;
use super::numbers::{ALL, Numbers, bit};
use super::odds::TOTAL_COMBINATIONS;
use super::reason::Reason;
use super::scoring::{POINTS_PER_UNIT, Parameters, put_right, reasons, units};
use super::search::{Scored, Search};
use super::versions::{Versions, versions};
use hanok_base::schema::ToSchema;

/// The sets of all methods and what was made of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CombinedRecommendation {
    /// Its id in the history, 0 until it is kept.
    pub id: u64,
    /// The seed that makes it again.
    pub seed: u64,
    /// The newest draw that was known.
    pub based_on_draw: u32,
    /// The draw it is for.
    pub for_draw: u32,
    /// When it was asked for.
    #[salvo(schema(value_type = String))]
    pub created_at: DateTime<Utc>,
    /// One set a method.
    pub methods: Vec<MethodPick>,
    /// Five sets, best first.
    pub merged: Vec<MergedPick>,
    /// How the five were made.
    pub rule: Rule,
    /// What it was computed with.
    pub versions: Versions,
}

/// The set of one method.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MethodPick {
    /// The method.
    pub method: Method,
    /// Its name in Korean.
    pub name_ko: String,
    /// Its name in English.
    pub name_en: String,
    /// Its set.
    pub numbers: Numbers,
    /// The set's score under the scoring model.
    pub score: f64,
    /// Why the method chose it.
    pub reason: Reason,
    /// The set's figures.
    pub metrics: Metrics,
    /// The set's expected co-winners; null for a set with a popular pattern, which is played far more often than its kind.
    pub co_winners: Option<Ratio>,
}

/// One of the merged sets.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MergedPick {
    /// The set.
    pub numbers: Numbers,
    /// Its score under the scoring model, without the votes.
    pub score: f64,
    /// For each of its numbers the methods that chose it, added up.
    pub votes: u32,
    /// The methods that chose at least two of its numbers.
    pub from: Vec<Method>,
    /// Why it.
    pub reasons: Vec<Reason>,
    /// Its figures.
    pub metrics: Metrics,
    /// Its expected co-winners; null for a set with a popular pattern, which is played far more often than its kind.
    pub co_winners: Option<Ratio>,
}

/// The rule of merging in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Rule {
    /// In Korean.
    pub text_ko: String,
    /// In English.
    pub text_en: String,
}

/// How many sets come out.
const MERGED: usize = 5;
/// Chosen numbers of which sets can be made that differ.
const FEWEST_CHOSEN: u32 = 12;
/// From how many of the best the five are picked.
const KEPT: usize = 5_000;

/// Asks every method for a set for draw `for_draw` and merges them: a number has one vote for each method that chose it;
/// among all combinations of the chosen numbers, the best by votes (one unit of score each) plus the
/// score of the model are taken, spread by [`diverse`], so that no two of the five share more than three
/// numbers as long as that can be. When the methods chose fewer than twelve numbers, all 45 take part.
pub fn combined(
    history: &History,
    co_winners: &CoWinners,
    for_draw: u32,
    seed: u64,
    created_at: DateTime<Utc>,
) -> CombinedRecommendation {
    let inputs = MethodInputs::new(history, co_winners);
    let methods: Vec<MethodPick> = Method::ALL.into_iter().map(|method| ask(method, &inputs, seed)).collect();
    let merged =
        merge(&inputs, &methods, seed).into_iter().map(|set| explain(&inputs, &methods, &set.numbers)).collect();
    let based_on_draw = history.latest().map_or(0, |draw| draw.draw_no);
    CombinedRecommendation {
        id: 0,
        seed,
        based_on_draw,
        for_draw,
        created_at,
        methods,
        merged,
        rule: rule(),
        versions: versions(),
    }
}

impl CombinedRecommendation {
    /// This recommendation with what an earlier program told of its sets put right, which knew these `draws`. The sets stay:
    /// they were given.
    pub fn put_right(mut self, draws: &[Draw]) -> CombinedRecommendation {
        for pick in &mut self.methods {
            let mut reasons = vec![pick.reason.clone()];
            put_right(&pick.numbers, draws, &mut pick.co_winners, &mut reasons);
            // The other methods promise nothing.
            if pick.method == Method::CoWinners {
                pick.reason = reasons.swap_remove(0);
            }
        }
        for pick in &mut self.merged {
            put_right(&pick.numbers, draws, &mut pick.co_winners, &mut pick.reasons);
        }
        self
    }
}

fn ask(method: Method, inputs: &MethodInputs, seed: u64) -> MethodPick {
    let numbers = method.choose(inputs, seed);
    MethodPick {
        method,
        name_ko: method.name_ko().into(),
        name_en: method.name_en().into(),
        numbers,
        score: inputs.scoring.score(&numbers),
        reason: method.reason(inputs, &numbers),
        metrics: Metrics::of(&numbers),
        co_winners: inputs.co_winners.estimate(&numbers, inputs.history.draws()),
    }
}

fn merge(inputs: &MethodInputs, methods: &[MethodPick], seed: u64) -> Vec<Scored> {
    let mut scoring = inputs.scoring.clone();
    for (number, weight) in (1..).zip(&mut scoring.numbers) {
        *weight += votes(methods, number) as i32 * POINTS_PER_UNIT as i32;
    }
    let chosen = methods.iter().fold(0, |mask, pick| mask | pick.numbers.mask());
    let exclude = if chosen.count_ones() < FEWEST_CHOSEN { 0 } else { ALL & !chosen };
    let search = Search { scoring, exclude, seed, candidates: TOTAL_COMBINATIONS, top_k: KEPT };
    diverse(&search.run().best, MERGED)
}

fn explain(inputs: &MethodInputs, methods: &[MethodPick], numbers: &Numbers) -> MergedPick {
    let co_winners = inputs.co_winners.estimate(numbers, inputs.history.draws());
    let gave_two = methods.iter().filter(|pick| pick.numbers.shared(numbers) >= 2);
    MergedPick {
        numbers: *numbers,
        score: units(inputs.scoring.points(numbers)),
        votes: numbers.iter().map(|number| votes(methods, number)).sum(),
        from: gave_two.map(|pick| pick.method).collect(),
        reasons: reasons(
            numbers,
            inputs.history,
            &Parameters { avoid_recent_k: 0, ..Parameters::default() },
            co_winners.as_ref(),
        ),
        metrics: Metrics::of(numbers),
        co_winners,
    }
}

fn votes(methods: &[MethodPick], number: u8) -> u32 {
    methods.iter().filter(|pick| pick.numbers.mask() & bit(number) != 0).count() as u32
}

fn rule() -> Rule {
    Rule {
        text_ko: "번호마다 그 번호를 고른 방법의 수만큼 표를 줍니다. 고른 번호로 만들 수 있는 모든 조합 가운데 \
                  (표 × 1점 + 점수 모형)이 높은 순으로 5조합을 뽑되, 되도록 서로 4개 이상 겹치지 않고 같은 번호가 \
                  몰리지 않게 합니다."
            .into(),
        text_en: "A number has one vote for each method that chose it. Of all combinations of the chosen numbers, the \
                  five with the most votes (one point each) plus model score are taken, spread so that, where it \
                  can be, no two share four numbers and no number is in most of them."
            .into(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::import::built_in;
    use super::*;

    fn answer(seed: u64) -> CombinedRecommendation {
        let history = History::of(built_in());
        combined(&history, &CoWinners::fit(built_in()), 1246, seed, "2026-10-11T00:00:00Z".parse().unwrap())
    }

    #[test]
    fn the_same_seed_gives_the_same_bytes() {
        let bytes = |seed| serde_json::to_string(&answer(seed)).unwrap();
        assert_eq!(bytes(11), bytes(11));
        assert_ne!(bytes(11), bytes(12));
    }

    #[test]
    fn the_merged_sets_follow_the_rule() {
        let answer = answer(11);
        assert_eq!((answer.methods.len(), answer.merged.len()), (6, 5));
        let chosen = answer.methods.iter().fold(0, |mask, pick| mask | pick.numbers.mask());
        let value = |pick: &MergedPick| f64::from(pick.votes) + pick.score;
        for (place, pick) in answer.merged.iter().enumerate() {
            assert_eq!(pick.numbers.mask() & !chosen, 0, "only numbers that a method chose");
            assert!(pick.votes >= 6);
            assert!(answer.merged[..place].iter().all(|better| value(better) >= value(pick)));
            assert!(answer.merged[..place].iter().all(|other| other.numbers.shared(&pick.numbers) <= 3));
        }
    }

    /// Every set of six of `chosen`: the places of six, counted up to the next number with six bits.
    fn sixes(chosen: &[u8]) -> impl Iterator<Item = Numbers> {
        let next = |places: &u64| {
            let lowest = places & places.wrapping_neg();
            let risen = places + lowest;
            Some(risen | (((places ^ risen) / lowest) >> 2))
        };
        let all = std::iter::successors(Some(0b11_1111), next).take_while(|places| places >> chosen.len() == 0);
        all.filter_map(|places| {
            let picked = chosen.iter().enumerate().filter(|(place, _)| places >> place & 1 == 1);
            Numbers::from_mask(picked.fold(0, |mask, (_, &number)| mask | bit(number)))
        })
    }

    #[test]
    fn the_first_merged_set_is_the_best_of_all_that_the_chosen_numbers_make() {
        let history = History::of(built_in());
        let co_winners = CoWinners::fit(built_in());
        let MethodInputs { scoring, .. } = MethodInputs::new(&history, &co_winners);
        let answer = combined(&history, &co_winners, 1246, 11, "2026-10-11T00:00:00Z".parse().unwrap());
        let chosen: Vec<u8> = (1..=45).filter(|&number| votes(&answer.methods, number) > 0).collect();
        assert!(chosen.iter().any(|&number| votes(&answer.methods, number) == 2));
        let worth = |numbers: &Numbers| {
            let given: u32 = numbers.iter().map(|number| votes(&answer.methods, number)).sum();
            f64::from(scoring.points(numbers)) + f64::from(given) * POINTS_PER_UNIT
        };
        let best = sixes(&chosen).map(|numbers| worth(&numbers)).fold(f64::MIN, f64::max);
        assert_eq!(worth(&answer.merged[0].numbers), best);
    }

    #[test]
    fn no_merged_set_is_said_to_avoid_draws_that_nobody_avoided() {
        let history = History::of(built_in());
        let co_winners = CoWinners::fit(built_in());
        let inputs = MethodInputs::new(&history, &co_winners);
        let recent = built_in().iter().rev().take(3).fold(0, |mask, draw| mask | draw.numbers.mask());
        let left: Vec<u8> = (1..=45).filter(|&number| recent & bit(number) == 0).collect();
        let numbers = sixes(&left).next().unwrap();
        let reasons = explain(&inputs, &[], &numbers).reasons;
        assert!(!reasons.is_empty() && reasons.iter().all(|reason| reason.code != "avoids_recent"), "{reasons:?}");
    }

    #[test]
    fn a_merged_set_with_a_popular_pattern_warns_of_it_first_and_is_not_said_to_be_shared_with_fewer() {
        let history = History::of(built_in());
        let co_winners = CoWinners::fit(built_in());
        let inputs = MethodInputs::new(&history, &co_winners);
        let told = |numbers| explain(&inputs, &[], &Numbers::new(numbers).unwrap());
        let MergedPick { reasons, co_winners, .. } = told([7, 14, 21, 28, 35, 42]);
        assert_eq!((reasons[0].code.as_str(), reasons[1].code.as_str(), co_winners), ("even_steps", "column", None));
        let MergedPick { reasons, co_winners, .. } = told([14, 21, 27, 33, 41, 44]);
        assert!(co_winners.is_some() && reasons.iter().any(|reason| reason.code == "fewer_co_winners"), "{reasons:?}");
    }

    #[test]
    fn a_merged_set_names_the_methods_that_chose_two_of_its_numbers() {
        let answer = answer(11);
        for pick in &answer.merged {
            let of_pick: Vec<u8> = pick.numbers.iter().collect();
            let gave =
                |method: &&MethodPick| method.numbers.iter().filter(|number| of_pick.contains(number)).count() >= 2;
            let named: Vec<Method> = answer.methods.iter().filter(gave).map(|method| method.method).collect();
            assert!(!named.is_empty() && pick.from == named, "{:?}", pick.from);
        }
    }
}

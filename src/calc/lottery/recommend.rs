//! One recommended set, with everything that explains it and makes it again.

use serde::{Deserialize, Serialize};

use super::co_winners::{CoWinners, Ratio};
use super::history::{History, count_numbers};
use super::methods::Method;
use super::metrics::Metrics;
use super::numbers::Numbers;
use super::reason::Reason;
use super::scoring::{Parameters, ScoreTerm, Terms, avoided, points, reasons, units};
use super::search::{Search, Top};
use super::versions::{Versions, versions};
use hanok_base::schema::ToSchema;

/// How many combinations a recommendation looks at.
pub const CANDIDATES: u64 = 20_000;
/// In how many of the last draws repeated numbers are looked for.
pub const OVERLAP_WINDOW: u32 = 5;

/// One recommended set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Recommendation {
    /// The set.
    pub numbers: Numbers,
    /// Its score in units.
    pub score: f64,
    /// The seed that makes it again.
    pub seed: u64,
    /// The newest draw that was known.
    pub based_on_draw: u32,
    /// Why it.
    pub reasons: Vec<Reason>,
    /// Its figures.
    pub metrics: Metrics,
    /// Its expected co-winners; null for a set with a popular pattern, which is played far more often than its kind.
    pub co_winners: Option<Ratio>,
    /// Which of its numbers came up lately.
    pub recent_overlap: RecentOverlap,
    /// The parameters it was made with.
    pub parameters: Parameters,
    /// Its id in the history, 0 until it is kept.
    pub history_id: u64,
    /// The draw it is for.
    pub for_draw: u32,
    /// Always `weighted`.
    pub method: Method,
    /// What each term adds to the score.
    pub score_terms: Vec<ScoreTerm>,
    /// What it was computed with.
    pub versions: Versions,
    /// Whether all combinations were looked at.
    pub exact: bool,
    /// How long the search took.
    pub elapsed_ms: u64,
}

/// Which numbers of a set came up lately.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RecentOverlap {
    /// How many draws back were looked at.
    pub window: u32,
    /// The numbers of the set that came up in them.
    pub repeated_numbers: Vec<u8>,
}

/// The search behind a recommendation: the best of 20,000 seeded combinations without the avoided
/// numbers. Its answer goes into [`recommendation`].
pub fn recommendation_search(history: &History, parameters: &Parameters, co_winners: &CoWinners, seed: u64) -> Search {
    Search {
        scoring: Terms::new(history, parameters, co_winners).scoring(),
        exclude: avoided(history, parameters.avoid_recent_k).mask,
        seed,
        candidates: CANDIDATES,
        top_k: 1,
    }
}

/// The search behind a simulation: the best `top_k` of `candidates` seeded combinations of all 45 numbers
/// under the default parameters; 8,145,060 candidates are all of them.
pub fn simulation_search(
    history: &History,
    co_winners: &CoWinners,
    seed: u64,
    candidates: u64,
    top_k: usize,
) -> Search {
    let scoring = Terms::new(history, &Parameters::default(), co_winners).scoring();
    Search { scoring, exclude: 0, seed, candidates, top_k }
}

/// The recommendation for draw `for_draw` that follows from the answer `top` of `search`; none when `top` is empty.
/// `elapsed_ms` is 0 and `history_id` is 0: both are the caller's to know.
pub fn recommendation(
    history: &History,
    parameters: &Parameters,
    co_winners: &CoWinners,
    for_draw: u32,
    search: &Search,
    top: &Top,
) -> Option<Recommendation> {
    let best = top.best.first()?;
    let estimate = co_winners.estimate(&best.numbers, history.draws());
    let mut score_terms = Terms::new(history, parameters, co_winners).score_terms(&best.numbers);
    let withheld = if estimate.is_none() { withhold_co_winners(&mut score_terms) } else { 0 };
    let based_on_draw = history.latest().map_or(0, |draw| draw.draw_no);
    Some(Recommendation {
        numbers: best.numbers,
        score: units(best.points - withheld),
        seed: search.seed,
        based_on_draw,
        reasons: reasons(&best.numbers, history, parameters, estimate.as_ref()),
        metrics: Metrics::of(&best.numbers),
        co_winners: estimate,
        recent_overlap: recent_overlap(history, &best.numbers),
        parameters: *parameters,
        history_id: 0,
        for_draw,
        method: Method::Weighted,
        score_terms,
        versions: versions(),
        exact: search.is_exact(),
        elapsed_ms: 0,
    })
}

/// Takes away what the expected co-winners add to the score of a set of which there is no estimate, and gives the points.
fn withhold_co_winners(terms: &mut [ScoreTerm]) -> i32 {
    let added = terms.iter_mut().find(|term| term.term == "co_winners" && term.value > 0.0);
    added.map_or(0, |term| points(std::mem::take(&mut term.value)))
}

/// Which of `numbers` came up in the last five draws.
pub fn recent_overlap(history: &History, numbers: &Numbers) -> RecentOverlap {
    let counts = count_numbers(history.recent(OVERLAP_WINDOW as usize));
    let repeated_numbers = numbers.iter().filter(|&number| counts[usize::from(number)] > 0).collect();
    RecentOverlap { window: OVERLAP_WINDOW, repeated_numbers }
}

#[cfg(test)]
mod tests {
    use hanok_base::Validated;
    use hanok_base::validated::Integer;
    use proptest::prelude::*;

    use super::super::co_winners::popular_patterns;
    use super::super::diverse::diverse;
    use super::super::import::built_in;
    use super::super::search::{LARGEST_TOP, Scored};
    use super::*;

    fn recommend(parameters: &Parameters, seed: u64) -> Recommendation {
        let history = History::of(built_in());
        let co_winners = CoWinners::fit(built_in());
        let search = recommendation_search(&history, parameters, &co_winners, seed);
        recommendation(&history, parameters, &co_winners, 1246, &search, &search.run()).unwrap()
    }

    #[test]
    fn the_same_seed_gives_the_same_bytes() {
        let bytes = |seed| serde_json::to_string(&recommend(&Parameters::default(), seed)).unwrap();
        assert_eq!(bytes(7), bytes(7));
        assert_ne!(bytes(7), bytes(8));
    }

    /// When this changes on purpose, raise `versions::MODEL`.
    #[test]
    fn a_seed_means_the_same_for_ever() {
        let shuffle = super::super::random::Shuffle::new(42, 8_145_060);
        assert_eq!([0, 1, 2].map(|place| shuffle.at(place)), [1_869_263, 3_853_560, 2_597_524]);
        let answer = recommend(&Parameters::default(), 42);
        assert_eq!((answer.numbers.as_array(), answer.score), (&[3, 12, 15, 27, 30, 45], 1.5717));
        let history = History::of(built_in());
        let all = simulation_search(&history, &CoWinners::fit(built_in()), 42, 8_145_060, 1).run();
        assert_eq!((all.best[0].numbers.as_array(), all.best[0].points), (&[3, 13, 18, 27, 38, 45], 22_861));
        assert_eq!(super::super::versions::MODEL, "lottery-5");
    }

    #[test]
    fn a_recommendation_avoids_what_it_should_and_explains_itself() {
        let answer = recommend(&Parameters::default(), 7);
        assert_eq!((answer.based_on_draw, answer.for_draw, answer.exact), (1245, 1246, false));
        let avoided: u64 = built_in()[1242..].iter().fold(0, |mask, draw| mask | draw.numbers.mask());
        assert_eq!(answer.numbers.mask() & avoided, 0);
        let sum: f64 = answer.score_terms.iter().map(|term| term.value).sum();
        assert!((sum - answer.score).abs() < 1e-9);
        assert!(answer.reasons.iter().any(|reason| reason.code == "avoids_recent"));
        let has_pattern = !popular_patterns(&answer.numbers, built_in()).is_empty();
        assert_eq!(answer.co_winners.is_none(), has_pattern, "{:?}", answer.reasons);
        assert!(answer.co_winners.is_none_or(|co_winners| co_winners.ratio < 1.0));
    }

    #[test]
    fn fewer_co_winners_add_no_points_to_a_set_that_many_people_play() {
        let (history, parameters, co_winners) =
            (History::of(built_in()), Parameters::default(), CoWinners::fit(built_in()));
        let search = recommendation_search(&history, &parameters, &co_winners, 7);
        let told = |numbers: [u8; 6]| {
            let numbers = Numbers::new(numbers).unwrap();
            let best = vec![Scored { numbers, points: search.scoring.points(&numbers) }];
            let top = Top { candidates: CANDIDATES, best };
            let answer = recommendation(&history, &parameters, &co_winners, 1246, &search, &top).unwrap();
            let sum: f64 = answer.score_terms.iter().map(|term| term.value).sum();
            assert!((sum - answer.score).abs() < 1e-9, "{answer:?}");
            let by_tables = search.scoring.score(&numbers) - answer.score;
            let added = answer.score_terms.iter().find(|term| term.term == "co_winners").unwrap().value;
            (answer.co_winners.is_some(), added, by_tables)
        };
        let (is_estimated, added, withheld) = told([38, 40, 42, 43, 44, 45]);
        assert!(!is_estimated && added == 0.0 && withheld > 0.1, "{withheld}");
        let (is_estimated, added, withheld) = told([14, 21, 27, 33, 41, 44]);
        assert!(is_estimated && added > 0.1 && withheld.abs() < 1e-9, "{added} {withheld}");
        let (is_estimated, added, _) = told([1, 2, 3, 4, 5, 6]);
        assert!(!is_estimated && added < 0.0, "what more of them take away stays: {added}");
    }

    #[test]
    fn the_picks_of_a_simulation_differ() {
        let history = History::of(built_in());
        let co_winners = CoWinners::fit(built_in());
        for candidates in [CANDIDATES, super::super::odds::TOTAL_COMBINATIONS] {
            let top = simulation_search(&history, &co_winners, 5, candidates, LARGEST_TOP).run();
            let picks = diverse(&top.best, 20);
            assert_eq!(picks.len(), 20);
            for (place, pick) in picks.iter().enumerate() {
                let alike = picks[..place].iter().filter(|other| other.numbers.shared(&pick.numbers) >= 4).count();
                assert_eq!(alike, 0, "{pick:?} of {candidates}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn no_figure_of_a_recommendation_is_a_minus_zero(
            draws in 0..400_usize,
            window in 5..=500_u64,
            weight in prop_oneof![Just(-0.0), Just(0.0), Just(1.0), 0.0..=1.0],
            avoided in 0..=10_u64,
            seed in any::<u32>(),
        ) {
            let [window, avoided] = [window, avoided].map(Integer::from);
            let parameters = Parameters::parse(Some(Validated::of(window)), Some(Validated::of(weight)), Some(Validated::of(avoided))).unwrap();
            let (history, co_winners) = (History::of(&built_in()[..draws]), CoWinners::fit(&built_in()[..draws]));
            let search = recommendation_search(&history, &parameters, &co_winners, seed.into());
            let top = search.run();
            let answer = recommendation(&history, &parameters, &co_winners, draws as u32 + 1, &search, &top).unwrap();
            let answer = serde_json::to_string(&answer).unwrap();
            prop_assert!(!answer.contains("-0.0,") && !answer.contains("-0.0}"), "{answer}");
        }
    }

    #[test]
    fn without_avoiding_recent_numbers_may_come_back() {
        let parameters = Parameters { avoid_recent_k: 0, ..Parameters::default() };
        let repeated = (0..10).any(|seed| !recommend(&parameters, seed).recent_overlap.repeated_numbers.is_empty());
        assert!(repeated);
    }
}

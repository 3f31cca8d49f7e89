//! What was recommended: the history of single recommendations, and the runs of the simulation with their best picks.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::said;
use hanok_base::error::Check;
use hanok_base::schema::{BasicType, Components, Object, RefOr, Schema, ToSchema};
use hanok_base::validated::{Constraint, IntRange, ValidationErrors};
use hanok_base::{Result, Validated};
use hanok_calc::lottery::methods::Method;
use hanok_calc::lottery::numbers::SET_SIZE;
use hanok_calc::lottery::odds::TOTAL_COMBINATIONS;
use hanok_calc::lottery::random::LARGEST_SEED;
use hanok_calc::lottery::recommend::Recommendation;
use hanok_calc::lottery::versions::Versions;
use hanok_calc::lottery::{Draw, Metrics, Numbers, Parameters, Ratio, Reason};

/// A recommendation that was given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct HistoryEntry {
    /// Ever increasing, never reused.
    pub id: u64,
    /// The set.
    pub numbers: Numbers,
    /// Its score.
    pub score: f64,
    /// The seed that makes it again.
    pub seed: u64,
    /// The newest draw that was known.
    pub based_on_draw: u32,
    /// The draw it is for.
    pub for_draw: u32,
    /// How it was chosen.
    pub method: Method,
    /// When it was given.
    pub created_at: DateTime<Utc>,
    /// What it was made with.
    pub parameters: Parameters,
    /// Its figures.
    pub metrics: Metrics,
    /// Its expected co-winners; null for a set with a popular pattern, which is played far more often than its kind.
    pub co_winners: Option<Ratio>,
    /// Why it.
    pub reasons: Vec<Reason>,
    /// How it fared; null until its draw is known.
    #[serde(default)]
    pub result: Option<PickResult>,
}

/// How a pick fared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PickResult {
    /// 1 to 5; null when it would have won nothing.
    pub rank: Option<u8>,
    /// How many winning numbers it has.
    pub matched: u8,
    /// Whether it has the bonus number.
    pub bonus: bool,
}

/// One of the best picks of a simulation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Pick {
    /// Ever increasing, never reused.
    pub id: u64,
    /// The set.
    pub numbers: Numbers,
    /// Its score.
    pub score: f64,
    /// Its place among the best picks of its run, from 1.
    pub rank_in_run: u32,
    /// The run.
    pub run_id: u64,
    /// The newest draw that was known.
    pub based_on_draw: u32,
    /// The draw it is for.
    pub for_draw: u32,
    /// When it was found.
    pub created_at: DateTime<Utc>,
    /// Its figures.
    pub metrics: Metrics,
    /// Its expected co-winners; null for a set with a popular pattern, which is played far more often than its kind.
    pub co_winners: Option<Ratio>,
    /// Why it.
    pub reasons: Vec<Reason>,
}

/// A run of the simulation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Simulation {
    /// Ever increasing, never reused.
    pub run_id: u64,
    /// The seed that makes it again.
    pub seed: u64,
    /// The newest draw that was known.
    pub based_on_draw: u32,
    /// The draw it is for.
    pub for_draw: u32,
    /// How many different combinations were looked at.
    pub candidates: u64,
    /// Whether all 8,145,060 were.
    pub exact: bool,
    /// How long the compute host worked.
    pub elapsed_ms: u64,
    /// The best of them, best first.
    pub top: Vec<ScoredSet>,
    /// A few of those that differ from each other.
    pub best: Vec<Pick>,
    /// What it was computed with.
    pub versions: Versions,
    /// On how many threads.
    pub threads: usize,
}

/// A set with its score.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ScoredSet {
    /// The set.
    pub numbers: Numbers,
    /// Its score.
    pub score: f64,
}

/// What a simulation is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SimulationOrder {
    /// How many combinations to look at; 8,145,060 are all of them.
    pub candidates: u64,
    /// How many of the best to give.
    pub top_k: usize,
    /// How many to keep as best picks.
    pub best_n: usize,
    /// The seed; none when it is to be chosen at random.
    pub seed: Option<u64>,
}

/// A set with commas between its numbers, as it stands in an address.
pub enum SixNumbers {}

impl Constraint for SixNumbers {
    type Input = String;
    type Value = Numbers;

    fn check(sent: String) -> Result<Numbers, ValidationErrors> {
        let typed = sent.split(',').take(SET_SIZE + 1).map(|number| {
            let is_written_plainly = number.len() <= 2 && number.bytes().all(|byte| byte.is_ascii_digit());
            number.parse().ok().filter(|_: &i64| is_written_plainly)
        });
        let typed: Option<Vec<i64>> = typed.collect();
        let typed = typed.ok_or_else(|| ValidationErrors::from(said::SIX_WITH_COMMAS))?;
        <Numbers as Constraint>::check(typed.into_iter().map(|number| Validated::of(number.into())).collect())
    }

    fn schema(_components: &mut Components) -> RefOr<Schema> {
        const DIFFERENT: &str = "(?!(?:[0-9]+,)*0?([1-9][0-9]?),(?:[0-9]+,)*0?\\1(?:,|$))";
        const NUMBER: &str = "(?:0?[1-9]|[1-3][0-9]|4[0-5])";
        let pattern = format!("^{DIFFERENT}{NUMBER}(?:,{NUMBER}){{5}}$");
        Object::with_type(BasicType::String).pattern(pattern).examples(["1,9,17,25,33,41"]).into()
    }
}

/// A seed: a browser can send back no larger one.
pub type Seed = IntRange<0, LARGEST_SEED>;
/// How many combinations a simulation may look at.
pub type Candidates = IntRange<100, TOTAL_COMBINATIONS>;
/// How many of the best a simulation may give.
pub type TopCount = IntRange<1, 1_000>;
/// How many picks a simulation may keep.
pub type BestCount = IntRange<1, 100>;

impl Default for SimulationOrder {
    fn default() -> Self {
        SimulationOrder { candidates: 20_000, top_k: 100, best_n: 20, seed: None }
    }
}

impl SimulationOrder {
    /// Checks what was asked for; left out it is 20,000 candidates, the best 100, and 20 picks.
    ///
    /// # Errors
    /// `INVALID_INPUT` naming each refused parameter.
    pub fn parse(
        n_candidates: Option<Validated<Candidates>>,
        top_k: Option<Validated<TopCount>>,
        best_n: Option<Validated<BestCount>>,
        seed: Option<Validated<Seed>>,
    ) -> Result<SimulationOrder> {
        let usual = SimulationOrder::default();
        Check::of(|check| SimulationOrder {
            candidates: n_candidates.map_or(usual.candidates, |sent| check.take("n_candidates", sent)),
            top_k: top_k.map_or(usual.top_k, |sent| check.take("top_k", sent) as usize),
            best_n: best_n.map_or(usual.best_n, |sent| check.take("best_n", sent) as usize),
            seed: check.keep(check_seed(seed)).flatten(),
        })
    }
}

/// Checks a seed that was sent.
///
/// # Errors
/// `INVALID_INPUT` above 2^53 − 1, which a browser could not send back.
pub fn check_seed(seed: Option<Validated<Seed>>) -> Result<Option<u64>> {
    Check::of(|check| seed.map(|seed| check.take("seed", seed)))
}

impl HistoryEntry {
    /// The entry of `given`, which was kept under its `history_id` at `created_at`.
    pub fn of(given: &Recommendation, created_at: DateTime<Utc>) -> HistoryEntry {
        HistoryEntry {
            id: given.history_id,
            numbers: given.numbers,
            score: given.score,
            seed: given.seed,
            based_on_draw: given.based_on_draw,
            for_draw: given.for_draw,
            method: given.method,
            created_at,
            parameters: given.parameters,
            metrics: given.metrics,
            co_winners: given.co_winners,
            reasons: given.reasons.clone(),
            result: None,
        }
    }
}

impl PickResult {
    /// How `numbers` fared in `draw`.
    pub fn of(numbers: &Numbers, draw: &Draw) -> PickResult {
        PickResult { rank: draw.rank(numbers), matched: draw.matched(numbers), bonus: numbers.contains(draw.bonus) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hanok_base::validated::Integer;

    #[test]
    fn a_simulation_out_of_bounds_is_refused_and_not_cut() {
        let parse = |n: Option<u64>, k: Option<u64>, b: Option<u64>| {
            let sent = |number: u64| Integer::from(number);
            let (n, k, b) =
                (n.map(sent).map(Validated::of), k.map(sent).map(Validated::of), b.map(sent).map(Validated::of));
            SimulationOrder::parse(n, k, b, None)
        };
        let parsed = parse(None, None, None).unwrap();
        assert_eq!((parsed.candidates, parsed.top_k, parsed.best_n), (20_000, 100, 20));
        assert_eq!(parse(None, Some(5), None).unwrap().best_n, 20, "picks are taken from far more than are given");
        assert!(parse(Some(8_145_060), Some(1_000), Some(100)).is_ok());
        let refused = |n, k, b| parse(n, k, b).unwrap_err().fields.into_keys().collect::<Vec<_>>();
        assert_eq!(refused(Some(99), Some(0), Some(0)), ["best_n", "n_candidates", "top_k"]);
        assert_eq!(refused(Some(8_145_061), Some(1_001), Some(101)), ["best_n", "n_candidates", "top_k"]);
        let seed = |seed: u64| check_seed(Some(Validated::of(Integer::from(seed))));
        assert!(seed(1 << 53).is_err() && seed((1 << 53) - 1).is_ok());
    }
}

//! How the methods would have done: a causal replay, next to what chance gives.
//!
//! Every method is replayed draw by draw from draw 101 on, knowing only the draws before, with several seeds
//! that follow from the draw's number: the average over them says what the method does, not what one seed brought.
//! The co-winner model is fitted again every 52 draws, on what was known then. The intervals are those of fair
//! histories: how far the same picks stray when every draw is equally likely, exactly.

mod figures;
mod replay;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

pub use figures::{games_needed, games_needed_by_matches};
use figures::{mean_interval, mean_of_draws, scaled};
use replay::Tally;
pub use replay::{FIRST_REPLAYED, Replay, SEEDS, replay};

use super::co_winners::Ratio;
use super::draw::Draw;
use super::honesty::{SENTENCE_EN, SENTENCE_KO};
use super::interval::Interval;
use super::methods::Method;
use super::odds::{ANY_PRIZE, EXPECTED_MATCHED, TOTAL_COMBINATIONS};
use hanok_base::schema::ToSchema;

/// What every method achieved, next to chance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Performance {
    /// Sets that were checked: all methods but `random`, all replayed draws.
    pub total_checked: u64,
    /// Mean number of winning numbers in a set.
    pub avg_correct: f64,
    /// Its 95 % interval.
    pub avg_correct_interval: Interval,
    /// What chance gives: 0.8.
    pub expected_correct: f64,
    /// Share of sets with three or more winning numbers.
    pub rate_3plus: f64,
    /// Its 95 % interval.
    pub rate_3plus_interval: Interval,
    /// What chance gives: 0.0238341.
    pub expected_rate_3plus: f64,
    /// The mean against chance.
    pub vs_random: VersusRandom,
    /// With how many seeds each method chose for each draw.
    pub seeds: u64,
    /// How many percent the mean of 95 of 100 fair histories strays from chance to either side.
    pub fair_band_pct: f64,
    /// In fair histories, how often none, one, or more of the six methods have an interval that misses chance.
    pub fair_misses: FairMisses,
    /// What is to be expected of the replayed games by chance, as a share of what they cost, by whatever method: the chance of
    /// each rank times what it paid in each draw. It is more than the half of the sales that comes back to all players, for
    /// what a replayed game wins is shared with nobody.
    pub expected_return: f64,
    /// Each method.
    pub methods: Vec<MethodPerformance>,
    /// How many games it would take to prove an edge.
    pub games_needed: GamesNeeded,
    /// The first replayed draw, 0 without any.
    pub from_draw: u32,
    /// The last replayed draw, 0 without any.
    pub to_draw: u32,
    /// No method beats chance, in Korean.
    pub sentence_ko: String,
    /// No method beats chance, in English.
    pub sentence_en: String,
    /// When this was computed.
    #[salvo(schema(value_type = String))]
    pub computed_at: DateTime<Utc>,
    /// 8,145,060.
    pub total_combinations: u64,
    /// The picks that were really given, as far as they are kept.
    pub picks: PicksChecked,
}

/// How much better than chance, in percent of the mean number of winning numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct VersusRandom {
    /// 100 × (mean / 0.8 − 1).
    pub improvement_pct: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end of the 95 % interval.
    pub high: f64,
}

/// How many of the six intervals miss chance in fair histories, as shares of the histories.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct FairMisses {
    /// None of them.
    pub none: f64,
    /// One.
    pub one: f64,
    /// Two or more.
    pub more: f64,
}

/// By what the picks of all replayed draws have to do with each other: 74.1 to 74.5, 21.4 to 21.8 and 4.0 to 4.1 of 100. Of
/// the whole numbers near these, 74, 22 and 4 add up to 100 and leave 30 misses in 100 histories, as six lines do that miss
/// 5 % each. A simulation of 2,457 fair histories of 1,245 draws, each replayed whole, gave 74.2, 21.3 and 4.5, with standard
/// errors of 0.9, 0.8 and 0.4; in 5.5 of 100 of them the mean of all methods lay beyond the band.
const FAIR_MISSES: FairMisses = FairMisses { none: 0.74, one: 0.22, more: 0.04 };

/// What one method achieved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MethodPerformance {
    /// The method.
    pub method: Method,
    /// Its name in Korean.
    pub name_ko: String,
    /// Its name in English.
    pub name_en: String,
    /// Sets that were checked, one a draw and seed.
    pub checked: u64,
    /// Mean number of winning numbers in a set.
    pub avg_correct: f64,
    /// Its 95 % interval.
    pub avg_correct_interval: Interval,
    /// Share of sets with three or more winning numbers.
    pub rate_3plus: f64,
    /// Its 95 % interval.
    pub rate_3plus_interval: Interval,
    /// The mean as a multiple of what chance gives.
    pub ratio_to_chance: Ratio,
    /// Sets that won a prize.
    pub any_prize: u64,
    /// How many chance would have given.
    pub any_prize_expected: f64,
    /// Won from each draw's own table.
    pub prize_won: u64,
    /// Won paid for the games, at each draw's own price.
    pub spent: u64,
}

/// How many games it would take to prove an edge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GamesNeeded {
    /// The edge in percent: of the rate of any prize, or of the mean number of winning numbers.
    pub edge_pct: u32,
    /// The confidence of the test (two-sided).
    pub confidence: f64,
    /// The chance to see the edge if it is there.
    pub power: f64,
    /// Games, by the rate of any prize.
    pub games: u64,
    /// Years of them at five games a week.
    pub years_at_five_a_week: u64,
    /// Games, by the mean number of winning numbers, which the picture shows.
    pub games_by_matches: u64,
}

/// The picks that were really given and whose draws are known, as far as they are kept: earlier programs did not keep those
/// of a report or briefing that was replaced by a newer one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PicksChecked {
    /// How many.
    pub checked: u64,
    /// Mean number of winning numbers in them, 0 without any.
    pub avg_correct: f64,
    /// Of how many replaced reports and briefings for a draw the sets are kept and counted, those that were replaced last.
    pub most_replaced: u64,
}

impl PicksChecked {
    /// The figures of picks of which each entry tells its winning numbers.
    pub fn of(matched: &[u8]) -> Self {
        let sum: u64 = matched.iter().copied().map(u64::from).sum();
        let checked = matched.len() as u64;
        let avg_correct = if checked == 0 { 0.0 } else { sum as f64 / checked as f64 };
        PicksChecked { checked, avg_correct, ..PicksChecked::default() }
    }
}

/// Replays all methods over `draws` (ascending) and puts them next to chance. Takes a second or two; `computed_at` and
/// `picks` are passed through.
pub fn performance(draws: &[Draw], computed_at: DateTime<Utc>, picks: PicksChecked) -> Performance {
    summarise(&replay(draws), computed_at, picks)
}

/// The performance report of a finished replay.
pub fn summarise(replay: &Replay, computed_at: DateTime<Utc>, picks: PicksChecked) -> Performance {
    // Sets of one draw depend on each other, so the intervals are those of the means of the draws.
    let (avg_correct, avg_correct_interval) = mean_of_draws(&replay.together.matched, replay.together.variance);
    let (rate_3plus, rate_3plus_interval) = mean_interval(&replay.together.three_plus);
    let improvement = |mean: f64| if mean > 0.0 { 100.0 * (mean / EXPECTED_MATCHED - 1.0) } else { 0.0 };
    Performance {
        total_checked: replay.together.sets,
        avg_correct,
        avg_correct_interval,
        expected_correct: EXPECTED_MATCHED,
        rate_3plus,
        rate_3plus_interval,
        expected_rate_3plus: ANY_PRIZE,
        vs_random: VersusRandom {
            improvement_pct: improvement(avg_correct),
            low: improvement(avg_correct_interval.low),
            high: improvement(avg_correct_interval.high),
        },
        seeds: SEEDS,
        fair_band_pct: 100.0 * (avg_correct_interval.high - avg_correct) / EXPECTED_MATCHED,
        fair_misses: FAIR_MISSES,
        expected_return: replay.by_chance.share(),
        methods: replay.tallies.iter().map(method_performance).collect(),
        games_needed: proof_of_ten_percent(),
        from_draw: replay.from_draw,
        to_draw: replay.to_draw,
        sentence_ko: SENTENCE_KO.into(),
        sentence_en: SENTENCE_EN.into(),
        computed_at,
        total_combinations: TOTAL_COMBINATIONS,
        picks,
    }
}

fn method_performance(tally: &Tally) -> MethodPerformance {
    let Tally { method, track, prizes, won, spent } = tally;
    let (avg_correct, interval) = mean_of_draws(&track.matched, track.variance);
    let (rate_3plus, rate_3plus_interval) = mean_interval(&track.three_plus);
    MethodPerformance {
        method: *method,
        name_ko: method.name_ko().into(),
        name_en: method.name_en().into(),
        checked: track.sets,
        avg_correct,
        avg_correct_interval: interval,
        rate_3plus,
        rate_3plus_interval,
        ratio_to_chance: scaled(avg_correct, interval, 1.0 / EXPECTED_MATCHED),
        any_prize: *prizes,
        any_prize_expected: track.sets as f64 * ANY_PRIZE,
        prize_won: *won,
        spent: *spent,
    }
}

fn proof_of_ten_percent() -> GamesNeeded {
    let games = games_needed(0.10);
    GamesNeeded {
        edge_pct: 10,
        confidence: 0.95,
        power: 0.8,
        games,
        years_at_five_a_week: games / (5 * 52),
        games_by_matches: games_needed_by_matches(0.10),
    }
}

#[cfg(test)]
mod tests;

//! Exact chances of one game, by counting combinations.
//!
//! Source: the rules of the game (six of 45 and one bonus number of the remaining 39) and the
//! hypergeometric distribution (Feller, An Introduction to Probability Theory and Its Applications
//! I, II.6). Nothing here is estimated.

use serde::{Deserialize, Serialize};

use hanok_base::schema::ToSchema;

/// How many combinations of six out of 45 there are.
pub const TOTAL_COMBINATIONS: u64 = binomial(45, 6);
/// How many of them win any prize (three or more numbers).
pub const WINNING_COMBINATIONS: u64 =
    rank_combinations(1) + rank_combinations(2) + rank_combinations(3) + rank_combinations(4) + rank_combinations(5);
/// The chance that one game wins any prize: 0.0238341, one in 41.96.
pub const ANY_PRIZE: f64 = WINNING_COMBINATIONS as f64 / TOTAL_COMBINATIONS as f64;
/// The mean number of winning numbers in a set: 6 × 6 / 45.
pub const EXPECTED_MATCHED: f64 = 0.8;
/// The variance of the number of winning numbers in a set: 6 (6/45) (39/45) (39/44).
pub const MATCHED_VARIANCE: f64 = 6.0 * (6.0 / 45.0) * (39.0 / 45.0) * (39.0 / 44.0);

/// The chances of every rank.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Odds {
    /// The five ranks, first rank first.
    pub ranks: Vec<RankOdds>,
    /// Any of the five.
    pub any_prize: AnyPrizeOdds,
    /// All combinations of six out of 45.
    pub total_combinations: u64,
}

/// The chance of one rank.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RankOdds {
    /// 1 to 5.
    pub rank: u8,
    /// One game in so many wins this rank.
    pub one_in: f64,
    /// The same as a probability.
    pub probability: f64,
    /// Combinations that win this rank in a draw.
    pub combinations: u64,
}

/// The chance of winning anything.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AnyPrizeOdds {
    /// One game in so many wins something.
    pub one_in: f64,
    /// The same as a probability.
    pub probability: f64,
}

/// The exact chances of one game.
pub fn odds() -> Odds {
    Odds {
        ranks: (1..=5)
            .map(|rank| {
                let combinations = rank_combinations(rank);
                let probability = combinations as f64 / TOTAL_COMBINATIONS as f64;
                RankOdds { rank, one_in: 1.0 / probability, probability, combinations }
            })
            .collect(),
        any_prize: AnyPrizeOdds { one_in: 1.0 / ANY_PRIZE, probability: ANY_PRIZE },
        total_combinations: TOTAL_COMBINATIONS,
    }
}

/// How many of the 8,145,060 combinations win `rank` (1..=5; any other wins nothing).
pub const fn rank_combinations(rank: u8) -> u64 {
    match rank {
        1 => 1,
        2 => 6,
        3 => 6 * 38,
        4 => binomial(6, 4) * binomial(39, 2),
        5 => binomial(6, 3) * binomial(39, 3),
        _ => 0,
    }
}

/// The chance that exactly `matched` of a set's six numbers are drawn.
pub fn matched_probability(matched: u64) -> f64 {
    hypergeometric(45, 6, 6, matched)
}

/// The chance of `successes` marked ones among `drawn` out of `population`, of which `marked` are
/// marked.
pub fn hypergeometric(population: u64, marked: u64, drawn: u64, successes: u64) -> f64 {
    if successes > drawn || successes > marked || marked > population || drawn > population {
        return 0.0;
    }
    let ways = binomial(marked, successes) * binomial(population - marked, drawn - successes);
    ways as f64 / binomial(population, drawn) as f64
}

/// Ways to choose `chosen` out of `from`, 0 when there are not enough. Exact for `from` up to 60.
pub const fn binomial(from: u64, chosen: u64) -> u64 {
    if chosen > from {
        return 0;
    }
    let mut ways = 1;
    let mut taken = 0;
    while taken < chosen {
        ways = ways * (from - taken) / (taken + 1);
        taken += 1;
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::super::numbers::Numbers;
    use super::*;

    fn near(value: f64, expected: f64, relative: f64) {
        assert!((value / expected - 1.0).abs() < relative, "{value} is not {expected}");
    }

    #[test]
    fn the_ranks_have_their_published_odds() {
        let odds = odds();
        assert_eq!(odds.total_combinations, 8_145_060);
        let combinations: Vec<u64> = odds.ranks.iter().map(|rank| rank.combinations).collect();
        assert_eq!(combinations, [1, 6, 228, 11_115, 182_780]);
        let expected = [8_145_060.0, 1_357_510.0, 35_724.0, 732.8, 44.56];
        odds.ranks.iter().zip(expected).for_each(|(rank, one_in)| near(rank.one_in, one_in, 2e-4));
        near(odds.any_prize.probability, 0.0238341, 1e-5);
        near(odds.any_prize.one_in, 41.96, 1e-4);
        near(matched_probability(3), 0.0224406, 1e-5);
        near(matched_probability(4), 0.00136463, 1e-5);
    }

    #[test]
    fn mean_and_variance_of_the_matches_follow_from_their_distribution() {
        let mean: f64 = (0..=6).map(|matched| matched as f64 * matched_probability(matched)).sum();
        let square: f64 = (0..=6).map(|matched| (matched * matched) as f64 * matched_probability(matched)).sum();
        near(mean, EXPECTED_MATCHED, 1e-12);
        near(square - mean * mean, MATCHED_VARIANCE, 1e-12);
        near(MATCHED_VARIANCE, 0.61455, 1e-5);
    }

    #[test]
    fn counting_matches_over_small_cases_gives_the_same() {
        let draw = Numbers::new([1, 2, 3, 4, 5, 6]).unwrap();
        let mut counted = [0u64; 7];
        for number in 7..=45u8 {
            let set = Numbers::new([1, 2, 3, 4, 5, number]).unwrap();
            counted[usize::from(draw.shared(&set))] += 1;
        }
        assert_eq!(6 * counted[5], rank_combinations(2) + rank_combinations(3));
    }
}

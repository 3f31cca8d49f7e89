//! What the picks and purchases did in a draw, against chance.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use super::co_winners::Z_95;
use super::draw::Draw;
use super::numbers::Numbers;
use super::odds::{EXPECTED_MATCHED, MATCHED_VARIANCE};
use hanok_base::schema::ToSchema;

/// What the picks and purchases did in one draw.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Review {
    /// The draw.
    pub draw_no: u32,
    /// Its day.
    #[salvo(schema(value_type = String))]
    pub date: NaiveDate,
    /// Its numbers.
    pub numbers: Numbers,
    /// Its bonus number.
    pub bonus: u8,
    /// When this was made.
    #[salvo(schema(value_type = String))]
    pub created_at: DateTime<Utc>,
    /// The picks that were given for it.
    pub picks: ReviewedPicks,
    /// The games that were played in it.
    pub purchases: ReviewedPurchases,
    /// The outcome in Korean.
    pub sentence_ko: String,
    /// The outcome in English.
    pub sentence_en: String,
    /// Whether the picks did better or worse than chance explains (95 %).
    pub lucky_or_not: Luck,
}

/// How the picks that were given for a draw did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ReviewedPicks {
    /// How many.
    pub checked: u64,
    /// Mean number of winning numbers in them, 0 without any.
    pub avg_correct: f64,
    /// What chance gives: 0.8.
    pub expected_correct: f64,
    /// The most winning numbers in one of them.
    pub best_matched: u8,
    /// How many would have won each rank; ranks without any are left out.
    pub ranks: Vec<RankCount>,
    /// The 50 that did best, best first.
    pub sets: Vec<ReviewedSet>,
}

/// How many sets won a rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RankCount {
    /// 1 to 5.
    pub rank: u8,
    /// How many.
    pub count: u64,
}

/// How one pick did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReviewedSet {
    /// The pick.
    pub numbers: Numbers,
    /// How many winning numbers it has.
    pub matched: u8,
    /// The rank it would have won; null for none.
    pub rank: Option<u8>,
    /// Where it was given.
    pub from: PickSource,
}

/// Where a pick was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PickSource {
    /// In the curator's briefing.
    Briefing,
    /// In the weekly report.
    Report,
    /// In a combined recommendation.
    Combined,
    /// As a single recommendation.
    Recommend,
    /// Among the best picks of a simulation.
    Best,
}

/// The games that were played in a draw.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ReviewedPurchases {
    /// How many games.
    pub games: u64,
    /// Won paid for them.
    pub amount: u64,
    /// Won by them.
    pub prize: u64,
    /// Prize minus amount.
    pub net: i64,
    /// How many won each rank; ranks without any are left out.
    pub ranks: Vec<RankCount>,
}

/// Whether an outcome is more than chance explains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Luck {
    /// More winning numbers than 97.5 % of random picks would have.
    Above,
    /// Within what chance gives.
    AsExpected,
    /// Fewer winning numbers than 97.5 % of random picks would have.
    Below,
}

/// One purchase as a review needs it.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    /// Its sets, empty when they were not kept.
    pub sets: Vec<Numbers>,
    /// How many games it has.
    pub games: u64,
    /// Won paid for it.
    pub amount: u64,
    /// Won by it as entered by hand; counts only when the sets were not kept.
    pub prize_by_hand: Option<u64>,
}

/// How many sets a review keeps.
const SETS: usize = 50;

/// What `picks` and `purchases` did in `draw`, whose prizes should be published (an unknown prize
/// counts 0).
pub fn review(draw: &Draw, picks: &[(Numbers, PickSource)], purchases: &[Played], created_at: DateTime<Utc>) -> Review {
    let picks = reviewed_picks(draw, picks);
    let purchases = reviewed_purchases(draw, purchases);
    let lucky_or_not = luck(picks.avg_correct, picks.checked);
    let (sentence_ko, sentence_en) = sentences(&picks, &purchases, lucky_or_not);
    Review {
        draw_no: draw.draw_no,
        date: draw.date,
        numbers: draw.numbers,
        bonus: draw.bonus,
        created_at,
        picks,
        purchases,
        sentence_ko,
        sentence_en,
        lucky_or_not,
    }
}

fn reviewed_picks(draw: &Draw, picks: &[(Numbers, PickSource)]) -> ReviewedPicks {
    let mut sets: Vec<ReviewedSet> = picks
        .iter()
        .map(|&(numbers, from)| ReviewedSet {
            numbers,
            matched: draw.matched(&numbers),
            rank: draw.rank(&numbers),
            from,
        })
        .collect();
    let matched: u64 = sets.iter().map(|set| u64::from(set.matched)).sum();
    let checked = sets.len() as u64;
    let ranks = count_ranks(sets.iter().filter_map(|set| set.rank));
    sets.sort_by_key(|set| (set.rank.unwrap_or(u8::MAX), std::cmp::Reverse(set.matched), set.from, set.numbers));
    sets.truncate(SETS);
    ReviewedPicks {
        checked,
        avg_correct: if checked == 0 { 0.0 } else { matched as f64 / checked as f64 },
        expected_correct: EXPECTED_MATCHED,
        best_matched: sets.iter().map(|set| set.matched).max().unwrap_or(0),
        ranks,
        sets,
    }
}

fn reviewed_purchases(draw: &Draw, purchases: &[Played]) -> ReviewedPurchases {
    let results: Vec<_> = purchases.iter().flat_map(|played| &played.sets).map(|set| draw.result(set)).collect();
    let by_hand = purchases.iter().filter(|played| played.sets.is_empty()).filter_map(|played| played.prize_by_hand);
    let prize = results.iter().filter_map(|result| result.prize).chain(by_hand).sum::<u64>();
    let amount = purchases.iter().map(|played| played.amount).sum::<u64>();
    ReviewedPurchases {
        games: purchases.iter().map(|played| played.games).sum(),
        amount,
        prize,
        net: prize as i64 - amount as i64,
        ranks: count_ranks(results.iter().filter_map(|result| result.rank)),
    }
}

fn count_ranks(ranks: impl Iterator<Item = u8>) -> Vec<RankCount> {
    let mut counts = [0u64; 6];
    ranks.for_each(|rank| counts[usize::from(rank).min(5)] += 1);
    (1..=5u8).map(|rank| RankCount { rank, count: counts[usize::from(rank)] }).filter(|entry| entry.count > 0).collect()
}

/// Whether a mean of `avg_correct` over `checked` sets lies outside the 95 % range of chance, which
/// has mean 0.8 and variance 0.61455 a set.
fn luck(avg_correct: f64, checked: u64) -> Luck {
    let half_width = Z_95 * (MATCHED_VARIANCE / checked.max(1) as f64).sqrt();
    if checked > 0 && avg_correct > EXPECTED_MATCHED + half_width {
        Luck::Above
    } else if checked > 0 && avg_correct < EXPECTED_MATCHED - half_width {
        Luck::Below
    } else {
        Luck::AsExpected
    }
}

fn sentences(picks: &ReviewedPicks, purchases: &ReviewedPurchases, luck: Luck) -> (String, String) {
    let (luck_ko, luck_en) = match luck {
        Luck::Above => ("우연치고는 운이 좋았습니다", "luckier than chance explains"),
        Luck::AsExpected => ("우연의 범위 안입니다", "within what chance gives"),
        Luck::Below => ("우연치고는 운이 나빴습니다", "unluckier than chance explains"),
    };
    let (mut ko, mut en) = match picks.checked {
        0 => ("이 회차에 준 추천이 없습니다.".to_string(), "No picks were given for this draw.".to_string()),
        checked => (
            format!("추천 {checked}세트가 평균 {:.2}개를 맞혔습니다 (우연이면 0.80개). {luck_ko}.", picks.avg_correct),
            format!(
                "{checked} picks had {:.2} winning numbers on average (0.80 by chance): {luck_en}.",
                picks.avg_correct
            ),
        ),
    };
    if purchases.games > 0 {
        let ReviewedPurchases { games, amount, prize, .. } = purchases;
        ko += &format!(" 구매 {games}게임: {amount}원을 쓰고 {prize}원을 받았습니다.");
        en += &format!(" {games} games were played for {amount} won and brought {prize} won.");
    }
    (ko, en)
}

#[cfg(test)]
mod tests {
    use super::super::import::built_in;
    use super::super::random::SplitMix64;
    use super::*;

    fn set(numbers: [u8; 6]) -> Numbers {
        Numbers::new(numbers).unwrap()
    }

    fn at() -> DateTime<Utc> {
        "2026-10-11T00:00:00Z".parse().unwrap()
    }

    #[test]
    fn picks_and_purchases_are_checked_against_the_draw() {
        let draw = &built_in()[1244];
        let picks = [(set([1, 2, 3, 6, 7, 8]), PickSource::Report), (set([4, 5, 25, 28, 1, 2]), PickSource::Briefing)];
        let played = [
            Played { sets: vec![set([4, 5, 25, 1, 2, 3])], games: 1, amount: 1_000, prize_by_hand: Some(9) },
            Played { sets: vec![], games: 5, amount: 5_000, prize_by_hand: Some(50_000) },
        ];
        let review = review(draw, &picks, &played, at());
        assert_eq!((review.picks.checked, review.picks.avg_correct, review.picks.best_matched), (2, 2.0, 4));
        assert_eq!(review.picks.ranks, [RankCount { rank: 4, count: 1 }]);
        assert_eq!(review.picks.sets[0].from, PickSource::Briefing);
        assert_eq!((review.purchases.games, review.purchases.amount), (6, 6_000));
        assert_eq!((review.purchases.prize, review.purchases.net), (55_000, 49_000));
        assert!(review.sentence_ko.contains("6게임") && review.sentence_en.contains("6 games"));
    }

    #[test]
    fn luck_is_called_by_its_name_only_outside_of_chance() {
        let draw = &built_in()[1244];
        let verdict = |sets: Vec<Numbers>| {
            let picks: Vec<_> = sets.into_iter().map(|numbers| (numbers, PickSource::Best)).collect();
            review(draw, &picks, &[], at()).lucky_or_not
        };
        let mut generator = SplitMix64::new(2);
        assert_eq!(verdict((0..100).map(|_| generator.numbers()).collect()), Luck::AsExpected);
        assert_eq!(verdict(vec![draw.numbers; 3]), Luck::Above);
        assert_eq!(verdict(vec![set([1, 2, 3, 6, 7, 8]); 30]), Luck::Below);
        assert_eq!(verdict(vec![]), Luck::AsExpected);
    }

    #[test]
    fn a_review_keeps_the_fifty_that_did_best() {
        let draw = &built_in()[1244];
        let mut generator = SplitMix64::new(9);
        let picks: Vec<_> = (0..200).map(|_| (generator.numbers(), PickSource::Best)).collect();
        let review = review(draw, &picks, &[], at());
        assert_eq!((review.picks.checked, review.picks.sets.len()), (200, 50));
        assert!(review.picks.sets.is_sorted_by_key(|set| std::cmp::Reverse(set.matched)));
    }
}

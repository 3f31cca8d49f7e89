//! What the picks and purchases did in a draw, against chance.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use super::draw::Draw;
use super::interval::Interval;
use super::numbers::Numbers;
use super::odds::EXPECTED_MATCHED;
use super::spread::Usage;
use hanok_base::schema::ToSchema;
use hanok_base::text::thousands;

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
    /// The picks that were given for it, as far as they are kept.
    pub picks: ReviewedPicks,
    /// The games that were played in it.
    pub purchases: ReviewedPurchases,
    /// The outcome in Korean.
    pub sentence_ko: String,
    /// The outcome in English.
    pub sentence_en: String,
    /// Whether the picks did better or worse than chance explains (95 %); null without any.
    pub lucky_or_not: Option<Luck>,
}

/// How the picks that were given for a draw did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ReviewedPicks {
    /// How many different ones.
    pub checked: u64,
    /// Mean number of winning numbers in them; null without any.
    pub avg_correct: Option<f64>,
    /// What chance gives: 0.8.
    pub expected_correct: f64,
    /// Where the mean of these very sets lies in at least 95 of 100 fair draws; null without any.
    #[serde(default)]
    pub chance_range: Option<Interval>,
    /// The most winning numbers in one of them; null without any.
    pub best_matched: Option<u8>,
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
    /// How many of them wait for a prize that is entered by hand.
    #[serde(default)]
    pub waiting_games: u64,
    /// Won by the others, before tax.
    pub prize: u64,
    /// Prize minus what was paid for the others.
    pub net: i64,
    /// How many won each rank; ranks without any are left out.
    pub ranks: Vec<RankCount>,
}

/// Whether an outcome is more than chance explains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Luck {
    /// More winning numbers than the same sets have in 97.5 % of fair draws.
    Above,
    /// Within what chance gives.
    AsExpected,
    /// Fewer winning numbers than the same sets have in 97.5 % of fair draws.
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
/// counts 0). A set that was given more than once counts once, as where it was given first.
pub fn review(draw: &Draw, picks: &[(Numbers, PickSource)], purchases: &[Played], created_at: DateTime<Utc>) -> Review {
    let picks = reviewed_picks(draw, picks);
    let purchases = reviewed_purchases(draw, purchases);
    let lucky_or_not = luck(&picks);
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
    let mut picks = picks.to_vec();
    picks.sort_unstable();
    picks.dedup_by_key(|(numbers, _)| *numbers);
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
    let (low, high) = Usage::of(picks.iter().map(|(numbers, _)| numbers)).range_95();
    let mean = |total: u64| total as f64 / checked as f64;
    let chance_range = (checked > 0).then(|| Interval { low: mean(low as u64), high: mean(high as u64) });
    let ranks = count_ranks(sets.iter().filter_map(|set| set.rank));
    sets.sort_by_key(|set| (set.rank.unwrap_or(u8::MAX), std::cmp::Reverse(set.matched), set.from, set.numbers));
    sets.truncate(SETS);
    ReviewedPicks {
        checked,
        avg_correct: (checked > 0).then(|| mean(matched)),
        expected_correct: EXPECTED_MATCHED,
        chance_range,
        best_matched: sets.iter().map(|set| set.matched).max(),
        ranks,
        sets,
    }
}

fn reviewed_purchases(draw: &Draw, purchases: &[Played]) -> ReviewedPurchases {
    let results: Vec<_> = purchases.iter().flat_map(|played| &played.sets).map(|set| draw.result(set)).collect();
    let (by_hand, waiting): (Vec<_>, Vec<_>) =
        purchases.iter().filter(|played| played.sets.is_empty()).partition(|played| played.prize_by_hand.is_some());
    let entered = by_hand.iter().filter_map(|played| played.prize_by_hand);
    let prize = results.iter().filter_map(|result| result.prize).chain(entered).sum::<u64>();
    let amount = purchases.iter().map(|played| played.amount).sum::<u64>();
    let waiting_amount = waiting.iter().map(|played| played.amount).sum::<u64>();
    ReviewedPurchases {
        games: purchases.iter().map(|played| played.games).sum(),
        amount,
        waiting_games: waiting.iter().map(|played| played.games).sum(),
        prize,
        net: prize as i64 - (amount - waiting_amount) as i64,
        ranks: count_ranks(results.iter().filter_map(|result| result.rank)),
    }
}

fn count_ranks(ranks: impl Iterator<Item = u8>) -> Vec<RankCount> {
    let mut counts = [0u64; 6];
    ranks.for_each(|rank| counts[usize::from(rank).min(5)] += 1);
    (1..=5u8).map(|rank| RankCount { rank, count: counts[usize::from(rank)] }).filter(|entry| entry.count > 0).collect()
}

/// Whether the mean lies outside of what chance gives these very sets; nothing without any.
fn luck(picks: &ReviewedPicks) -> Option<Luck> {
    let (average, range) = picks.avg_correct.zip(picks.chance_range)?;
    Some(match average {
        above if above > range.high => Luck::Above,
        below if below < range.low => Luck::Below,
        _ => Luck::AsExpected,
    })
}

fn sentences(picks: &ReviewedPicks, purchases: &ReviewedPurchases, luck: Option<Luck>) -> (String, String) {
    let (mut ko, mut en) = match (picks.avg_correct, picks.chance_range, luck) {
        (Some(average), Some(range), Some(luck)) => given(picks.checked, average, range, luck),
        _ => {
            ("이 회차의 추천은 남아 있는 것이 없습니다.".to_owned(), "No picks for this draw are on record.".to_owned())
        }
    };
    if purchases.games > 0 {
        let (played_ko, played_en) = played(purchases);
        ko += &played_ko;
        en += &played_en;
    }
    (ko, en)
}

/// How the picks did, next to what chance gives these very sets.
fn given(checked: u64, average: f64, range: Interval, luck: Luck) -> (String, String) {
    let Interval { low, high } = range;
    let (luck_ko, luck_en) = match luck {
        Luck::Above => ("우연치고는 운이 좋았습니다", "luckier than chance explains"),
        Luck::AsExpected => ("우연의 범위 안입니다", "within what chance gives"),
        Luck::Below => ("우연치고는 운이 나빴습니다", "unluckier than chance explains"),
    };
    let ko = format!(
        "추천 {checked}세트가 평균 {average:.2}개를 맞혔습니다. 이 조합들은 우연이면 평균 0.80개이고, 100번 가운데 95번 이상은 \
         {low:.2}–{high:.2}개입니다. {luck_ko}."
    );
    let numbers = if average == 1.0 { "number" } else { "numbers" };
    let en = match checked {
        1 => format!(
            "1 pick had {average:.0} winning {numbers}. By chance it has 0.80 on average, and at least 95 times of 100 from \
             {low:.0} to {high:.0}: {luck_en}."
        ),
        _ => format!(
            "{checked} picks had {average:.2} winning numbers on average. By chance these sets have 0.80, and at least 95 times of \
             100 from {low:.2} to {high:.2}: {luck_en}."
        ),
    };
    (ko, en)
}

/// What the games cost and brought. Those whose prize is not entered have brought nothing that is known: no sum is told
/// while all of them wait, and one so far while some do.
fn played(purchases: &ReviewedPurchases) -> (String, String) {
    let ReviewedPurchases { games, waiting_games, .. } = *purchases;
    let [amount, prize] = [purchases.amount, purchases.prize].map(|won| thousands(won as i64));
    let mut ko = format!(" 구매 {games}게임: {amount}원을 ");
    let mut en = format!(" {games} {} played for {amount} won", if games == 1 { "game was" } else { "games were" });
    if waiting_games == 0 {
        ko += &format!("쓰고 {prize}원을 받았습니다.");
        en += &format!(" and brought {prize} won.");
    } else if waiting_games == games {
        ko += "썼습니다. 당첨금은 아직 적지 않았습니다.";
        en += &format!(". {} prize is not entered yet.", if games == 1 { "Its" } else { "Their" });
    } else {
        ko += &format!(
            "쓰고 지금까지 {prize}원을 받았습니다. 그 가운데 {waiting_games}게임은 당첨금을 아직 적지 않았습니다."
        );
        en += &format!(" and brought {prize} won so far. The prize of {waiting_games} of them is not entered yet.");
    }
    (ko, en)
}

#[cfg(test)]
mod tests;

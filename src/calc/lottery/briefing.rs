//! The curator's briefing for the coming draw: four tiers of picks with their reasons, and a short text
//! composed from templates.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::analysis::{HEAT_DRAWS, PATTERN_DRAWS, RecentPattern, hot, overdue, recent_pattern};
use super::co_winners::{CoWinners, Ratio, popular_patterns};
use super::diverse::diverse;
use super::history::History;
use super::honesty::{SENTENCE_EN, SENTENCE_KO};
use super::metrics::Metrics;
use super::numbers::Numbers;
use super::recommend::recommendation_search;
use super::scoring::{Parameters, listed, reasons};
use super::search::Search;
use super::statistics::number_statistics;
use hanok_base::schema::ToSchema;

/// The curator's briefing for one draw.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Briefing {
    /// The draw it is for.
    pub draw_no: u32,
    /// The newest draw that was known.
    pub based_on_draw: u32,
    /// When it was composed.
    #[salvo(schema(value_type = String))]
    pub created_at: DateTime<Utc>,
    /// One line in Korean.
    pub headline_ko: String,
    /// One line in English.
    pub headline_en: String,
    /// The four tiers; each adds its picks to those before.
    pub tiers: Vec<BriefingTier>,
    /// A few sentences in Korean.
    pub narrative_ko: String,
    /// A few sentences in English.
    pub narrative_en: String,
    /// What composed the text: `template`.
    pub composer: String,
    /// The seed that makes it again.
    pub seed: u64,
    /// What composing it took.
    pub usage: Usage,
}

/// A tier of picks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// The three best by score.
    Core,
    /// Two more, those with the fewest expected co-winners.
    Bonus,
    /// Five more by score.
    Extended,
    /// Ten more by score.
    Full,
}

/// One tier of a briefing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BriefingTier {
    /// Which one.
    pub tier: Tier,
    /// Its name in Korean.
    pub name_ko: String,
    /// Its name in English.
    pub name_en: String,
    /// What it adds.
    pub picks: Vec<BriefingPick>,
}

/// One pick of a briefing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BriefingPick {
    /// The set.
    pub numbers: Numbers,
    /// Why it, in Korean.
    pub reason_ko: String,
    /// Why it, in English.
    pub reason_en: String,
    /// Its figures.
    pub metrics: Metrics,
    /// Its expected co-winners; null for a set with a popular pattern, which is played far more often than its kind.
    pub co_winners: Option<Ratio>,
}

/// What composing a text took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Usage {
    /// Tokens read by a language model; 0 for the embedded composer.
    pub tokens_in: u64,
    /// Tokens written by a language model; 0 for the embedded composer.
    pub tokens_out: u64,
    /// How long it took, 0 until the caller fills it in.
    pub elapsed_ms: u64,
}

/// How many of the best the picks are taken from.
const KEPT: usize = 2_000;
/// All picks of the four tiers.
const PICKS: usize = 20;

impl Tier {
    /// All tiers, the smallest first.
    pub const ALL: [Tier; 4] = [Tier::Core, Tier::Bonus, Tier::Extended, Tier::Full];

    /// How many picks the tier adds: 3, 2, 5, 10.
    pub fn adds(self) -> usize {
        match self {
            Tier::Core => 3,
            Tier::Bonus => 2,
            Tier::Extended => 5,
            Tier::Full => 10,
        }
    }

    /// How many picks there are up to and with this tier: 3, 5, 10, 20.
    pub fn total(self) -> usize {
        Tier::ALL.into_iter().filter(|tier| *tier <= self).map(Tier::adds).sum()
    }

    fn names(self) -> (&'static str, &'static str) {
        match self {
            Tier::Core => ("핵심", "Core"),
            Tier::Bonus => ("보너스", "Bonus"),
            Tier::Extended => ("확장", "Extended"),
            Tier::Full => ("전체", "Full"),
        }
    }
}

impl Briefing {
    /// The picks up to and with `tier`, in order.
    pub fn picks_through(&self, tier: Tier) -> impl Iterator<Item = &BriefingPick> {
        self.tiers.iter().filter(move |entry| entry.tier <= tier).flat_map(|entry| &entry.picks)
    }

    /// This briefing with what it tells of the draws told anew from `history`, the draws that it knew as they have been
    /// corrected since. Its picks stay: they were given. What an earlier program told of those that many people play is put
    /// right.
    pub fn retold(self, history: &History) -> Briefing {
        let Briefing { draw_no, mut tiers, seed, created_at, usage, .. } = self;
        for given in tiers.iter_mut().flat_map(|tier| &mut tier.picks) {
            if given.co_winners.is_some() && !popular_patterns(&given.numbers, history.draws()).is_empty() {
                *given = told(&given.numbers, history, &Parameters::default(), None);
            }
        }
        Briefing { usage, ..Briefing::telling_of(history, draw_no, tiers, seed, created_at) }
    }

    /// The briefing with these picks.
    fn telling_of(
        history: &History,
        draw_no: u32,
        tiers: Vec<BriefingTier>,
        seed: u64,
        created_at: DateTime<Utc>,
    ) -> Briefing {
        let based_on_draw = history.latest().map_or(0, |draw| draw.draw_no);
        let (headline_ko, headline_en) = headlines(history, draw_no);
        Briefing {
            draw_no,
            based_on_draw,
            created_at,
            headline_ko,
            headline_en,
            narrative_ko: narrative_ko(history, &tiers),
            narrative_en: narrative_en(history, &tiers),
            tiers,
            composer: "template".into(),
            seed,
            usage: Usage::default(),
        }
    }
}

/// Composes the briefing for draw `draw_no`, knowing `history`: twenty diverse ones of the best of 20,000
/// seeded combinations. The same seed gives the same briefing.
pub fn briefing(
    history: &History,
    co_winners: &CoWinners,
    draw_no: u32,
    seed: u64,
    created_at: DateTime<Utc>,
) -> Briefing {
    Briefing::telling_of(history, draw_no, tiers(history, co_winners, seed), seed, created_at)
}

fn tiers(history: &History, co_winners: &CoWinners, seed: u64) -> Vec<BriefingTier> {
    let parameters = Parameters::default();
    let search = Search { top_k: KEPT, ..recommendation_search(history, &parameters, co_winners, seed) };
    let by_score: Vec<Numbers> = diverse(&search.run().best, PICKS).iter().map(|scored| scored.numbers).collect();
    let mut left = by_score.clone();
    let mut tiers = Vec::with_capacity(Tier::ALL.len());
    for tier in Tier::ALL {
        let mut order = left.clone();
        if tier == Tier::Bonus {
            let many =
                |numbers: &Numbers| co_winners.estimate(numbers, history.draws()).map_or(f64::MAX, |one| one.ratio);
            order.sort_by(|one, two| many(one).total_cmp(&many(two)));
        }
        order.truncate(tier.adds());
        left.retain(|numbers| !order.contains(numbers));
        let (name_ko, name_en) = tier.names();
        let pick = |numbers: &Numbers| pick(numbers, history, &parameters, co_winners);
        tiers.push(BriefingTier {
            tier,
            name_ko: name_ko.into(),
            name_en: name_en.into(),
            picks: order.iter().map(pick).collect(),
        });
    }
    tiers
}

/// A pick as this program tells of it.
fn pick(numbers: &Numbers, history: &History, parameters: &Parameters, co_winners: &CoWinners) -> BriefingPick {
    told(numbers, history, parameters, co_winners.estimate(numbers, history.draws()))
}

/// A pick with its first two reasons.
fn told(numbers: &Numbers, history: &History, parameters: &Parameters, co_winners: Option<Ratio>) -> BriefingPick {
    let reasons = reasons(numbers, history, parameters, co_winners.as_ref());
    let joined = |texts: Vec<&str>| texts.join(" · ");
    BriefingPick {
        numbers: *numbers,
        reason_ko: joined(reasons.iter().take(2).map(|reason| reason.text_ko.as_str()).collect()),
        reason_en: joined(reasons.iter().take(2).map(|reason| reason.text_en.as_str()).collect()),
        metrics: Metrics::of(numbers),
        co_winners,
    }
}

/// One line in Korean and in English, with how many draws the means are of.
fn headlines(history: &History, draw_no: u32) -> (String, String) {
    let known = history.recent(PATTERN_DRAWS).len();
    let (ko, en) = history.in_words(PATTERN_DRAWS, known);
    let RecentPattern { recent_sum_avg, recent_odd_avg, .. } = recent_pattern(history);
    match known {
        0 => (
            format!("제{draw_no}회 브리핑: 알려진 추첨이 아직 없습니다"),
            format!("Briefing for draw {draw_no}: no draw is known yet"),
        ),
        _ => (
            format!("제{draw_no}회 브리핑: {ko} 평균 합계 {recent_sum_avg:.0}, 홀수 {recent_odd_avg:.1}개"),
            format!(
                "Briefing for draw {draw_no}: {en} average a sum of {recent_sum_avg:.0} and {recent_odd_avg:.1} odd numbers"
            ),
        ),
    }
}

fn narrative_ko(history: &History, tiers: &[BriefingTier]) -> String {
    let of_draws = history.latest().map_or(String::new(), |draw| {
        let (hot, overdue) = (hot_list(history), overdue_list(history));
        let (recent, _) = history.in_words(HEAT_DRAWS, history.recent(HEAT_DRAWS).len());
        let known = if history.gaps_are_certain(&overdue) { "" } else { "알려진 추첨에서 " };
        format!(
            "제{}회 당첨번호는 {} + {}였습니다. {recent}에 자주 나온 번호는 {}, {known}오래 나오지 않은 번호는 {}입니다. ",
            draw.draw_no,
            draw.numbers,
            draw.bonus,
            listed(&hot),
            listed(&overdue)
        )
    });
    let fewer = fewest(tiers).map_or(String::new(), |Fewest { numbers, ratio, alike }| {
        let all = if alike == 1 { String::new() } else { format!(" 등 {alike}개") };
        format!("나눌 사람이 가장 적을 것으로 보이는 조합은 {numbers}{all}이며 평균의 {ratio:.2}배입니다. ")
    });
    format!("{of_draws}{fewer}{SENTENCE_KO}")
}

fn narrative_en(history: &History, tiers: &[BriefingTier]) -> String {
    let of_draws = history.latest().map_or(String::new(), |draw| {
        let (hot, overdue) = (hot_list(history), overdue_list(history));
        let (_, recent) = history.in_words(HEAT_DRAWS, history.recent(HEAT_DRAWS).len());
        let known = if history.gaps_are_certain(&overdue) { "" } else { ", by the known draws" };
        format!(
            "Draw {} brought {} and the bonus {}. Frequent in {recent}: {}. Away for long{known}: {}. ",
            draw.draw_no,
            draw.numbers,
            draw.bonus,
            listed(&hot),
            listed(&overdue)
        )
    });
    let fewer = fewest(tiers).map_or(String::new(), |Fewest { numbers, ratio, alike }| match alike {
        1 => format!("The set with the fewest expected co-winners is {numbers}, {ratio:.2} times the average. "),
        _ => format!(
            "One of the {alike} sets with the fewest expected co-winners is {numbers}, {ratio:.2} times the average. "
        ),
    });
    format!("{of_draws}{fewer}{SENTENCE_EN}")
}

fn hot_list(history: &History) -> Vec<u8> {
    hot(history).iter().take(5).map(|heat| heat.number).collect()
}

fn overdue_list(history: &History) -> Vec<u8> {
    overdue(&number_statistics(history)).iter().take(5).map(|number| number.number).collect()
}

/// The pick with the fewest expected co-winners, the first of those that are alike.
struct Fewest {
    numbers: Numbers,
    ratio: f64,
    /// How many picks have as few.
    alike: usize,
}

/// None where no pick has an estimate.
fn fewest(tiers: &[BriefingTier]) -> Option<Fewest> {
    let picks = || tiers.iter().flat_map(|tier| &tier.picks);
    let estimates = || picks().filter_map(|pick| Some((pick.numbers, pick.co_winners?.ratio)));
    let (numbers, ratio) = estimates().min_by(|(_, one), (_, two)| one.total_cmp(two))?;
    Some(Fewest { numbers, ratio, alike: estimates().filter(|&(_, other)| other == ratio).count() })
}

#[cfg(test)]
mod tests;

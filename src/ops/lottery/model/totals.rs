//! Running totals of the purchases, kept in the transaction of each change: no route adds up all rows.
//!
//! Games that wait for their draw, or whose prize is not known, are neither won nor lost: what was paid for them stands
//! beside the settled ones and never in net, return or rates.

use serde::{Deserialize, Serialize};

use super::purchases::{Purchase, PurchaseStatus};
use hanok_base::schema::ToSchema;
use hanok_calc::lottery::chance::{Played, RandomPlayers, random_players};
use hanok_calc::lottery::draw::FIRST_DRAW_AT_1000_WON;

/// What was paid for purchases: all there is to add up of those of a month, and a part of all other totals.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paid {
    /// Purchases.
    pub records: u64,
    /// Won paid.
    pub invested: u64,
    /// Won paid for the settled games: those whose draw is held and whose prize is known.
    #[serde(default)]
    pub settled_invested: u64,
}

/// The totals over all purchases.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// What was paid.
    #[serde(flatten)]
    pub paid: Paid,
    /// Games.
    pub games: u64,
    /// Won won by the settled games, before tax.
    pub prize: u64,
    /// Purchases that won something.
    pub prize_count: u64,
    /// Purchases whose draw is not known yet.
    pub waiting: u64,
    /// Games whose sets were compared with their draw.
    pub games_checked: u64,
    /// Those of them of draws up to 87, which cost 2,000 won.
    #[serde(default)]
    pub early_games_checked: u64,
    /// Games that won each rank, first rank first, and what they won.
    pub ranks: [RankTotal; 5],
    /// Games whose draw is held and whose prize is known.
    #[serde(default)]
    pub settled_games: u64,
    /// Those of them that were never compared with their draw, as their numbers were not kept.
    #[serde(default)]
    pub games_by_hand: u64,
    /// Won of tax on the prizes.
    #[serde(default)]
    pub tax: u64,
    /// Won of it that are only the most it can be.
    #[serde(default)]
    pub tax_at_most: u64,
}

/// The totals of one rank.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RankTotal {
    /// Games.
    pub count: u64,
    /// Won.
    pub prize: u64,
}

/// The totals of one draw.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawTotals {
    /// The draw.
    pub draw_no: u32,
    /// What was paid.
    #[serde(flatten)]
    pub paid: Paid,
    /// Games.
    pub games: u64,
    /// Won won by the settled games.
    pub prize: u64,
    /// Purchases that wait for the draw.
    pub waiting: u64,
}

/// What the purchases came to. Net and return are over the settled games: those whose draw is held and whose prize is
/// known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PurchaseStatistics {
    /// Purchases.
    pub total_records: u64,
    /// Games.
    pub total_games: u64,
    /// Won paid.
    pub total_invested: u64,
    /// Won won by the settled games, before tax.
    pub total_prize: u64,
    /// Games that are settled.
    pub settled_games: u64,
    /// Won paid for them.
    pub settled_invested: u64,
    /// Games that wait for their draw, or for a prize that is entered by hand.
    pub waiting_games: u64,
    /// Won paid for them.
    pub waiting_invested: u64,
    /// Prize minus what was paid, over the settled games.
    pub net: i64,
    /// Won of tax on the prizes.
    pub total_tax: u64,
    /// The net after tax.
    pub net_after_tax: i64,
    /// Whether `total_tax` is only the most it can be, and `net_after_tax` the least: of several games one sum is known,
    /// which may be several prizes.
    pub tax_at_most: bool,
    /// Prize in percent of what was paid, over the settled games, to one decimal; 0 when nothing is settled.
    pub return_rate: f64,
    /// Settled purchases that won something.
    pub prize_count: u64,
    /// The most that one settled purchase won.
    pub max_prize: u64,
    /// Purchases that wait for their draw.
    pub waiting: u64,
    /// Games that won each rank.
    pub by_rank: Vec<RankStatistics>,
    /// What chance gives.
    pub chance: Chance,
    /// The newest 52 draws that were played.
    pub by_draw: Vec<DrawStatistics>,
}

/// Games that won one rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RankStatistics {
    /// 1 to 5.
    pub rank: u8,
    /// Games.
    pub count: u64,
    /// Won.
    pub prize: u64,
}

/// The household next to random players of as many games, in games.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Chance {
    /// Games whose sets were compared with their draw.
    pub games: u64,
    /// Further games that are settled and were not compared: their prize was entered by hand.
    pub by_hand: u64,
    /// How many of those compared won any prize.
    pub prizes: u64,
    /// How many of them chance gives: 0.0238341 of those compared.
    pub expected_prizes: f64,
    /// The percentage of random players of as many games with fewer winning games, those with as many counted half;
    /// null without games and beyond 20,000.
    pub percentile: Option<f64>,
    /// The percentage of random players of as many games with fewer winning games; null as `percentile` is.
    pub fewer_percent: Option<f64>,
    /// The percentage of them with as many winning games, which most have where all have few; null as `percentile` is.
    pub as_many_percent: Option<f64>,
    /// What half of the random players of as many games get back at most, in percent of what they paid: each game with the
    /// price and the prizes of its time; null without
    /// games and beyond 20,000.
    pub median_return_rate: Option<f64>,
    /// Paid out in percent of what is paid in, over the past draws: the mean over all games that were sold, most of which
    /// goes to a few of them.
    pub expected_return_rate: f64,
}

/// What one draw cost and won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DrawStatistics {
    /// The draw.
    pub draw_no: u32,
    /// Won paid.
    pub invested: u64,
    /// Won won by the settled games.
    pub prize: u64,
    /// Won paid for the settled games.
    pub settled_invested: u64,
}

impl Paid {
    /// Counts what was paid for `purchase`.
    pub fn count(&mut self, purchase: &Purchase, with: fn(u64, u64) -> u64) {
        let settled = if purchase.is_settled() { purchase.amount } else { 0 };
        self.records = with(self.records, 1);
        self.invested = with(self.invested, purchase.amount);
        self.settled_invested = with(self.settled_invested, settled);
    }

    /// Whether nothing is counted.
    pub fn is_empty(&self) -> bool {
        self.records == 0
    }
}

impl Totals {
    /// Counts `purchase`.
    pub fn count(&mut self, purchase: &Purchase, with: fn(u64, u64) -> u64) {
        let Purchase { count, status, results, .. } = purchase;
        let if_so = |holds: bool, figure: u64| if holds { figure } else { 0 };
        let prize = purchase.prize.unwrap_or(0);
        self.paid.count(purchase, with);
        self.games = with(self.games, *count);
        self.prize = with(self.prize, prize);
        self.prize_count = with(self.prize_count, u64::from(prize > 0));
        self.waiting = with(self.waiting, u64::from(*status == PurchaseStatus::Waiting));
        self.games_checked = with(self.games_checked, if_so(*status == PurchaseStatus::Checked, *count));
        let is_early_and_checked = purchase.draw_no < FIRST_DRAW_AT_1000_WON && *status == PurchaseStatus::Checked;
        self.early_games_checked = with(self.early_games_checked, if_so(is_early_and_checked, *count));
        self.settled_games = with(self.settled_games, if_so(purchase.is_settled(), *count));
        let is_by_hand = purchase.is_settled() && *status == PurchaseStatus::Manual;
        self.games_by_hand = with(self.games_by_hand, if_so(is_by_hand, *count));
        self.tax = with(self.tax, purchase.tax.unwrap_or(0));
        self.tax_at_most = with(self.tax_at_most, if_so(purchase.tax_at_most, purchase.tax.unwrap_or(0)));
        for result in results {
            let Some(rank) = result.rank else { continue };
            let Some(total) = self.ranks.get_mut(usize::from(rank).wrapping_sub(1)) else { continue };
            total.count = with(total.count, 1);
            total.prize = with(total.prize, result.prize.unwrap_or(0));
        }
    }

    /// The statistics, with what the totals alone do not tell: the largest prize, the payback of past draws
    /// (a fraction), and the newest draws that were played.
    pub fn statistics(&self, max_prize: u64, payback: f64, by_draw: &[DrawTotals]) -> PurchaseStatistics {
        let percent = |part: f64, whole: f64| if whole > 0.0 { 100.0 * part / whole } else { 0.0 };
        let Paid { records, invested, settled_invested } = self.paid;
        let net = self.prize as i64 - settled_invested as i64;
        PurchaseStatistics {
            total_records: records,
            total_games: self.games,
            total_invested: invested,
            total_prize: self.prize,
            settled_games: self.settled_games,
            settled_invested,
            waiting_games: self.games.saturating_sub(self.settled_games),
            waiting_invested: invested.saturating_sub(settled_invested),
            net,
            total_tax: self.tax,
            net_after_tax: net - self.tax as i64,
            tax_at_most: self.tax_at_most > 0,
            return_rate: to_one_decimal(percent(self.prize as f64, settled_invested as f64)),
            prize_count: self.prize_count,
            max_prize,
            waiting: self.waiting,
            by_rank: (1..)
                .zip(&self.ranks)
                .map(|(rank, total)| RankStatistics { rank, count: total.count, prize: total.prize })
                .collect(),
            chance: self.chance(payback),
            by_draw: by_draw.iter().map(DrawStatistics::from).collect(),
        }
    }

    fn chance(&self, payback: f64) -> Chance {
        let prizes = self.ranks.iter().map(|rank| rank.count).sum();
        let early = self.early_games_checked;
        let played = Played { early, later: self.games_checked.saturating_sub(early) };
        let RandomPlayers { expected_prizes, standing, median_return } = random_players(played, prizes);
        Chance {
            games: self.games_checked,
            by_hand: self.games_by_hand,
            prizes,
            expected_prizes,
            percentile: standing.map(|standing| to_one_decimal(100.0 * standing.percentile())),
            fewer_percent: standing.map(|standing| to_one_decimal(100.0 * standing.fewer)),
            as_many_percent: standing.map(|standing| to_one_decimal(100.0 * standing.as_many)),
            median_return_rate: median_return.map(|share| to_one_decimal(100.0 * share)),
            expected_return_rate: to_one_decimal(100.0 * payback),
        }
    }
}

impl DrawTotals {
    /// Counts `purchase`.
    pub fn count(&mut self, purchase: &Purchase, with: fn(u64, u64) -> u64) {
        self.draw_no = purchase.draw_no;
        self.paid.count(purchase, with);
        self.games = with(self.games, purchase.count);
        self.prize = with(self.prize, purchase.prize.unwrap_or(0));
        self.waiting = with(self.waiting, u64::from(purchase.status == PurchaseStatus::Waiting));
    }
}

impl From<&DrawTotals> for DrawStatistics {
    fn from(totals: &DrawTotals) -> Self {
        let DrawTotals { draw_no, paid: Paid { invested, settled_invested, .. }, prize, .. } = *totals;
        DrawStatistics { draw_no, invested, prize, settled_invested }
    }
}

fn to_one_decimal(percent: f64) -> f64 {
    // What is rounded from below is -0; readers expect 0.
    (percent * 10.0).round() / 10.0 + 0.0
}

#[cfg(test)]
mod tests;

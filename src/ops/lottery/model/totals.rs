//! Running totals of the purchases, kept in the transaction of each change: no route adds up all rows.
//!
//! Games that wait for their draw, or whose prize is not known, are neither won nor lost: what was paid for them stands
//! beside the settled ones and never in net, return or rates.

use serde::{Deserialize, Serialize};

use super::purchases::{Purchase, PurchaseStatus};
use hanok_base::schema::ToSchema;
use hanok_calc::lottery::chance::{RandomPlayers, random_players};

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
    /// Games that won each rank, first rank first, and what they won.
    pub ranks: [RankTotal; 5],
    /// Games whose draw is held and whose prize is known.
    #[serde(default)]
    pub settled_games: u64,
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
    /// How many of them won any prize.
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
    /// What half of the random players of as many games get back at most, in percent of what they paid; null without
    /// games and beyond 20,000.
    pub median_return_rate: Option<f64>,
    /// Paid out in percent of what is paid in, over the past draws: the mean over all players, most of which goes to
    /// a few of them.
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
        self.settled_games = with(self.settled_games, if_so(purchase.is_settled(), *count));
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
        let RandomPlayers { expected_prizes, standing, median_return } = random_players(self.games_checked, prizes);
        Chance {
            games: self.games_checked,
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
mod tests {
    use serde_json::json;

    use super::*;
    use crate::lottery::model::purchases::NewPurchase;

    #[test]
    fn totals_of_earlier_programs_are_read_and_written_as_they_were() {
        let paid = Paid { records: 2, invested: 8_000, settled_invested: 3_000 };
        let stored = json!({
            "draw_no": 1245, "records": 2, "games": 8, "invested": 8_000, "prize": 5_000, "waiting": 1,
            "settled_invested": 3_000,
        });
        let totals = DrawTotals { draw_no: 1245, paid, games: 8, prize: 5_000, waiting: 1 };
        assert_eq!(serde_json::from_value::<DrawTotals>(stored.clone()).unwrap(), totals);
        assert_eq!(serde_json::to_value(totals).unwrap(), stored);
        let of_a_month = json!({ "records": 2, "invested": 8_000, "settled_invested": 3_000 });
        assert_eq!(serde_json::to_value(paid).unwrap(), of_a_month);
        // Before games were told apart by whether they are settled.
        let ranks = vec![json!({ "count": 0, "prize": 0 }); 5];
        let oldest = json!({
            "records": 2, "games": 8, "invested": 8_000, "prize": 5_000, "prize_count": 1, "waiting": 1,
            "games_checked": 3, "ranks": ranks,
        });
        let totals = serde_json::from_value::<Totals>(oldest).unwrap();
        assert_eq!(totals.paid, Paid { settled_invested: 0, ..paid });
        assert_eq!((totals.games, totals.prize_count, totals.settled_games), (8, 1, 0));
    }

    #[test]
    fn each_purchase_counts_by_how_it_stands_and_is_taken_back_as_it_was_counted() {
        let now = "2026-10-12T03:00:00Z".parse().unwrap();
        let bought = |count: u64, status, prize| Purchase {
            status,
            prize,
            ..serde_json::from_value::<NewPurchase>(json!({ "count": count, "draw_no": 1245 }))
                .unwrap()
                .into_purchase(now)
                .unwrap()
        };
        let waiting = bought(2, PurchaseStatus::Waiting, None);
        let checked = bought(5, PurchaseStatus::Checked, Some(5_000));
        let mut totals = Totals::default();
        let mut draw = DrawTotals::default();
        for purchase in [&waiting, &checked] {
            totals.count(purchase, |before, more| before + more);
            draw.count(purchase, |before, more| before + more);
        }
        let paid = Paid { records: 2, invested: 7_000, settled_invested: 5_000 };
        assert_eq!((totals.paid, totals.games, totals.waiting), (paid, 7, 1));
        assert_eq!((totals.games_checked, totals.settled_games), (5, 5));
        assert_eq!((totals.prize, totals.prize_count), (5_000, 1));
        assert_eq!(draw, DrawTotals { draw_no: 1245, paid, games: 7, prize: 5_000, waiting: 1 });
        for purchase in [&waiting, &checked] {
            totals.count(purchase, |before, less| before - less);
        }
        assert_eq!(totals, Totals::default());
    }

    #[test]
    fn without_purchases_every_figure_is_zero() {
        let statistics = Totals::default().statistics(0, 0.5, &[]);
        assert_eq!((statistics.return_rate, statistics.net, statistics.chance.expected_prizes), (0.0, 0, 0.0));
        assert_eq!((statistics.chance.percentile, statistics.chance.median_return_rate), (None, None));
        assert_eq!(statistics.by_rank.len(), 5);
    }

    #[test]
    fn the_return_is_in_percent_to_one_decimal() {
        let totals = Totals {
            paid: Paid { records: 2, invested: 8_000, settled_invested: 3_000 },
            games: 8,
            settled_games: 3,
            prize: 5_000,
            tax: 700,
            games_checked: 100,
            ..Totals::default()
        };
        let statistics = totals.statistics(5_000, 0.500_02, &[]);
        assert_eq!((statistics.return_rate, statistics.net, statistics.net_after_tax), (166.7, 2_000, 1_300));
        assert_eq!((statistics.waiting_games, statistics.waiting_invested), (5, 5_000));
        assert_eq!(statistics.chance.expected_return_rate, 50.0);
        assert!((statistics.chance.expected_prizes - 2.38341).abs() < 1e-4);
    }

    #[test]
    fn a_year_of_five_games_a_week_stands_among_random_players_of_as_many() {
        let rank = |count| RankTotal { count, prize: 0 };
        let ranks = [rank(0), rank(0), rank(0), rank(1), rank(6)];
        let chance = Totals { games_checked: 260, ranks, ..Totals::default() }.statistics(0, 0.5, &[]).chance;
        assert_eq!((chance.games, chance.prizes, chance.median_return_rate), (260, 7, Some(13.5)));
        // Binomial of 260 games and 0.0238341, by fractions: 64.6 % with those of exactly 7 counted half.
        assert_eq!(chance.percentile, Some(64.6));
        let (fewer, as_many) = (chance.fewer_percent.unwrap(), chance.as_many_percent.unwrap());
        assert!((fewer + as_many / 2.0 - 64.6).abs() < 0.1, "{fewer} {as_many}");
    }

    #[test]
    fn one_game_without_a_prize_is_ahead_of_nobody() {
        let chance = Totals { games_checked: 1, ..Totals::default() }.statistics(0, 0.5, &[]).chance;
        assert_eq!((chance.fewer_percent, chance.as_many_percent), (Some(0.0), Some(97.6)));
    }

    #[test]
    fn a_rounded_zero_has_no_sign() {
        assert_eq!(to_one_decimal(-0.04).to_string(), "0");
    }
}

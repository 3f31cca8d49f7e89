//! Running totals of the purchases, kept in the transaction of each change: no route adds up all rows.

use serde::{Deserialize, Serialize};

use super::purchases::{Purchase, PurchaseStatus};
use hanok_base::schema::ToSchema;
use hanok_calc::lottery::odds::ANY_PRIZE;

/// The totals over all purchases.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Purchases.
    pub records: u64,
    /// Games.
    pub games: u64,
    /// Won paid.
    pub invested: u64,
    /// Won won, as far as it is known.
    pub prize: u64,
    /// Purchases that won something.
    pub prize_count: u64,
    /// Purchases whose draw is not known yet.
    pub waiting: u64,
    /// Games whose sets were compared with their draw.
    pub games_checked: u64,
    /// Games that won each rank, first rank first, and what they won.
    pub ranks: [RankTotal; 5],
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
    /// Purchases.
    pub records: u64,
    /// Games.
    pub games: u64,
    /// Won paid.
    pub invested: u64,
    /// Won won, as far as it is known.
    pub prize: u64,
    /// Purchases that wait for the draw.
    pub waiting: u64,
}

/// What the purchases came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PurchaseStatistics {
    /// Purchases.
    pub total_records: u64,
    /// Games.
    pub total_games: u64,
    /// Won paid.
    pub total_invested: u64,
    /// Won won, as far as it is known.
    pub total_prize: u64,
    /// Prize minus invested.
    pub net: i64,
    /// Prize in percent of invested, to one decimal; 0 when nothing was invested.
    pub return_rate: f64,
    /// Purchases that won something.
    pub prize_count: u64,
    /// The most that one purchase won.
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

/// What chance gives for the games that were checked.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Chance {
    /// Games that win any prize: 0.0238341 of those checked.
    pub expected_prizes: f64,
    /// Paid out in percent of what is paid in, over the past draws.
    pub expected_return_rate: f64,
}

/// What one draw cost and won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DrawStatistics {
    /// The draw.
    pub draw_no: u32,
    /// Won paid.
    pub invested: u64,
    /// Won won, as far as it is known.
    pub prize: u64,
}

impl Totals {
    /// With `purchase`.
    pub fn add(&mut self, purchase: &Purchase) {
        self.count(purchase, u64::saturating_add);
    }

    /// Without `purchase`, which was added before.
    pub fn subtract(&mut self, purchase: &Purchase) {
        self.count(purchase, u64::saturating_sub);
    }

    /// Whether nothing is added up.
    pub fn is_empty(&self) -> bool {
        self.records == 0
    }

    fn count(&mut self, purchase: &Purchase, with: fn(u64, u64) -> u64) {
        let Purchase { count, amount, prize, status, results, .. } = purchase;
        let checked = if *status == PurchaseStatus::Checked { *count } else { 0 };
        self.records = with(self.records, 1);
        self.games = with(self.games, *count);
        self.invested = with(self.invested, *amount);
        self.prize = with(self.prize, prize.unwrap_or(0));
        self.prize_count = with(self.prize_count, u64::from(prize.unwrap_or(0) > 0));
        self.waiting = with(self.waiting, u64::from(*status == PurchaseStatus::Waiting));
        self.games_checked = with(self.games_checked, checked);
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
        PurchaseStatistics {
            total_records: self.records,
            total_games: self.games,
            total_invested: self.invested,
            total_prize: self.prize,
            net: self.prize as i64 - self.invested as i64,
            return_rate: to_one_decimal(percent(self.prize as f64, self.invested as f64)),
            prize_count: self.prize_count,
            max_prize,
            waiting: self.waiting,
            by_rank: (1..)
                .zip(&self.ranks)
                .map(|(rank, total)| RankStatistics { rank, count: total.count, prize: total.prize })
                .collect(),
            chance: Chance {
                expected_prizes: self.games_checked as f64 * ANY_PRIZE,
                expected_return_rate: to_one_decimal(100.0 * payback),
            },
            by_draw: by_draw
                .iter()
                .map(|draw| DrawStatistics { draw_no: draw.draw_no, invested: draw.invested, prize: draw.prize })
                .collect(),
        }
    }
}

impl DrawTotals {
    /// With `purchase`.
    pub fn add(&mut self, purchase: &Purchase) {
        self.count(purchase, u64::saturating_add);
    }

    /// Without `purchase`, which was added before.
    pub fn subtract(&mut self, purchase: &Purchase) {
        self.count(purchase, u64::saturating_sub);
    }

    /// Whether nothing is added up.
    pub fn is_empty(&self) -> bool {
        self.records == 0
    }

    fn count(&mut self, purchase: &Purchase, with: fn(u64, u64) -> u64) {
        self.draw_no = purchase.draw_no;
        self.records = with(self.records, 1);
        self.games = with(self.games, purchase.count);
        self.invested = with(self.invested, purchase.amount);
        self.prize = with(self.prize, purchase.prize.unwrap_or(0));
        self.waiting = with(self.waiting, u64::from(purchase.status == PurchaseStatus::Waiting));
    }
}

fn to_one_decimal(percent: f64) -> f64 {
    (percent * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_purchases_every_figure_is_zero() {
        let statistics = Totals::default().statistics(0, 0.5, &[]);
        assert_eq!((statistics.return_rate, statistics.net, statistics.chance.expected_prizes), (0.0, 0, 0.0));
        assert_eq!(statistics.by_rank.len(), 5);
    }

    #[test]
    fn the_return_is_in_percent_to_one_decimal() {
        let totals = Totals { invested: 3_000, prize: 5_000, games_checked: 100, ..Totals::default() };
        let statistics = totals.statistics(5_000, 0.500_02, &[]);
        assert_eq!((statistics.return_rate, statistics.net), (166.7, 2_000));
        assert_eq!(statistics.chance.expected_return_rate, 50.0);
        assert!((statistics.chance.expected_prizes - 2.38341).abs() < 1e-4);
    }
}

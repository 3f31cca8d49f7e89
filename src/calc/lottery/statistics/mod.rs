//! What the draws so far look like, next to what chance would make of them.

mod combinations;
mod numbers;
pub mod shapes;
mod uniformity;

use serde::{Deserialize, Serialize};

pub use combinations::{
    ChanceExtreme, ConsecutiveCount, CountOfDraws, DigitCount, PairCount, Pairs, SumBin, Sums, ZoneShare, pair_counts,
    sums,
};
pub use numbers::{NumberStatistics, number_statistics};
pub use uniformity::{Uniformity, Verdict, uniformity};

use super::draw::{Draw, FIRST_DRAW_AT_1000_WON};
use super::history::History;
use super::odds::{Odds, odds};
use hanok_base::schema::ToSchema;

/// The statistics of many draws.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Statistics {
    /// How many draws were counted.
    pub draws: usize,
    /// The oldest of them, 0 without any.
    pub from_draw: u32,
    /// The newest of them, 0 without any.
    pub to_draw: u32,
    /// Each of the 45 numbers.
    pub numbers: Vec<NumberStatistics>,
    /// Whether the counts look like chance.
    pub uniformity: Uniformity,
    /// How much of the sales was paid out.
    pub payback: Payback,
    /// Pairs of numbers.
    pub pairs: Pairs,
    /// Sums of the six numbers.
    pub sums: Sums,
    /// Draws by how many odd numbers they have.
    pub odd: Vec<CountOfDraws>,
    /// Draws by how many low numbers (1..=22) they have.
    pub low: Vec<CountOfDraws>,
    /// Numbers by zone of ten.
    pub zones: Vec<ZoneShare>,
    /// Numbers by last digit.
    pub last_digits: Vec<DigitCount>,
    /// Draws by pairs of neighbours.
    pub consecutive: Vec<ConsecutiveCount>,
    /// The exact chances of one game.
    pub odds: Odds,
}

/// Prizes paid against games sold, at the price of 1,000 won.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Payback {
    /// The first draw that was counted, 0 without any.
    pub from_draw: u32,
    /// The last draw that was counted, 0 without any.
    pub to_draw: u32,
    /// How many draws were counted: fewer than lie between these two where some are not known or not published.
    pub draws: u32,
    /// Won paid over all ranks.
    pub paid_out: u64,
    /// Won taken.
    pub sold: u64,
    /// Paid out by sold, 0 without sales.
    pub ratio: f64,
}

/// The statistics of `draws` (ascending).
pub fn statistics(draws: &[Draw]) -> Statistics {
    let history = History::of(draws);
    Statistics {
        draws: draws.len(),
        from_draw: draws.first().map_or(0, |draw| draw.draw_no),
        to_draw: draws.last().map_or(0, |draw| draw.draw_no),
        numbers: number_statistics(&history),
        uniformity: uniformity(&history),
        payback: payback(draws),
        pairs: combinations::pairs(&history),
        sums: sums(draws),
        odd: combinations::odd(draws),
        low: combinations::low(draws),
        zones: combinations::zones(draws),
        last_digits: combinations::last_digits(draws),
        consecutive: combinations::consecutive(draws),
        odds: odds(),
    }
}

/// Prizes paid (winners × prize each, over all ranks) against sales, from draw 88 on, over the draws
/// of which both are published. By law half of the sales is prize money.
pub fn payback(draws: &[Draw]) -> Payback {
    let settled = draws.iter().filter(|draw| draw.draw_no >= FIRST_DRAW_AT_1000_WON);
    let mut payback = Payback { from_draw: 0, to_draw: 0, draws: 0, paid_out: 0, sold: 0, ratio: 0.0 };
    for draw in settled {
        let (Some(paid), Some(sold)) = (draw.paid_out(), draw.total_sales) else { continue };
        if payback.from_draw == 0 {
            payback.from_draw = draw.draw_no;
        }
        payback.to_draw = draw.draw_no;
        payback.draws += 1;
        payback.paid_out += paid;
        payback.sold += sold;
    }
    if payback.sold > 0 {
        payback.ratio = payback.paid_out as f64 / payback.sold as f64;
    }
    payback
}

#[cfg(test)]
mod tests {
    use super::super::import::built_in;
    use super::*;

    #[test]
    fn half_of_the_sales_is_paid_out() {
        let payback = payback(&built_in()[..1238]);
        assert_eq!((payback.from_draw, payback.to_draw, payback.draws), (88, 1238, 1151));
        assert_eq!(format!("{:.5}", payback.ratio), "0.50002");
    }

    #[test]
    fn draws_that_are_not_known_or_not_published_are_not_counted_as_paid_back() {
        let known = built_in()[..200].iter().filter(|draw| !(100..110).contains(&draw.draw_no)).cloned();
        let mut draws: Vec<Draw> = known.collect();
        draws.iter_mut().find(|draw| draw.draw_no == 150).unwrap().total_sales = None;
        let payback = payback(&draws);
        // 88 to 200 are 113 draws, of which ten are not known and one has no sales.
        assert_eq!((payback.from_draw, payback.to_draw, payback.draws), (88, 200, 102));
    }

    #[test]
    fn every_draw_is_counted_once_in_every_table() {
        let statistics = statistics(built_in());
        assert_eq!((statistics.draws, statistics.from_draw, statistics.to_draw), (1245, 1, 1245));
        assert_eq!(statistics.numbers.len(), 45);
        assert_eq!(statistics.odd.iter().map(|row| row.draws).sum::<u32>(), 1245);
        assert_eq!(statistics.low.iter().map(|row| row.draws).sum::<u32>(), 1245);
        assert_eq!(statistics.consecutive.iter().map(|row| row.draws).sum::<u32>(), 1245);
        assert_eq!(statistics.sums.histogram.iter().map(|bin| bin.count).sum::<u32>(), 1245);
        assert_eq!(statistics.zones.iter().map(|zone| zone.numbers).sum::<u32>(), 6 * 1245);
        assert_eq!(statistics.last_digits.iter().map(|digit| digit.count).sum::<u32>(), 6 * 1245);
        let expected: f64 = statistics.sums.histogram.iter().map(|bin| bin.expected).sum();
        assert!((expected - 1245.0).abs() < 1e-6);
        assert_eq!((statistics.pairs.most.len(), statistics.pairs.least.len()), (20, 20));
        assert!(statistics.pairs.most[0].count >= statistics.pairs.most[19].count);
        assert!(statistics.pairs.least[0].count <= statistics.pairs.least[19].count);
    }

    #[test]
    fn no_draws_make_no_statistics_but_no_mistake_either() {
        let statistics = statistics(&[]);
        assert_eq!((statistics.draws, statistics.payback.ratio, statistics.sums.mean), (0, 0.0, 0.0));
        let json = serde_json::to_string(&statistics).unwrap();
        assert!(!json.contains(":null,\"expected"), "no figure is undefined");
        assert_eq!(statistics.uniformity.p_value, 1.0);
    }
}

//! What fewer co-winners are worth, in won.

use serde::{Deserialize, Serialize};

use super::super::draw::{Draw, FIRST_DRAW_AT_1000_WON};
use super::super::statistics::payback;
use hanok_base::schema::ToSchema;

/// What came back of the games that were sold, before tax.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GameValue {
    /// All prizes, as a share of the price of a game.
    pub payback: f64,
    /// The first prize's part of it.
    pub first_prize: f64,
}

impl GameValue {
    /// What came back in `draws`, from draw 88 on.
    pub(super) fn of(draws: &[Draw]) -> GameValue {
        let settled = draws.iter().filter(|draw| draw.draw_no >= FIRST_DRAW_AT_1000_WON);
        let (mut first, mut sold) = (0, 0);
        for draw in settled {
            let (Some(winners), Some(each), Some(sales)) =
                (draw.first_prize_winners(), draw.prizes[0].prize_each, draw.total_sales)
            else {
                continue;
            };
            first += winners * each;
            sold += sales;
        }
        let first_prize = if sold == 0 { 0.0 } else { first as f64 / sold as f64 };
        GameValue { payback: payback(draws).ratio, first_prize }
    }

    /// The share of its price that comes back of a further game of a kind whose first prize is shared with `ratio` times
    /// the average number of people: the part of the first prize grows as the others get fewer. The other ranks count as
    /// usual. It is to be compared with a further game of any kind, `ratio` 1, not with the games that were sold: these
    /// crowd on the same sets. The sets of one kind differ by `spread` of it, and where fewer share, each gains more than is lost where more
    /// do: the mean of 1/x is (1 + spread²)/ratio to the second order (delta method). Held out, over 873 draws, the fifth
    /// with the fewest predicted brought 0.267 ± 0.007 of the price as first prize, and all brought 0.2495 ± 0.0036.
    pub fn with(&self, ratio: f64, spread: f64) -> f64 {
        self.payback + self.first_prize * ((1.0 + spread * spread) / ratio.max(0.1) - 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::import::built_in;
    use super::*;

    #[test]
    fn the_first_prize_counts_from_the_first_draw_at_1000_won_on() {
        // Draw 88: four winners of 3,069,709,650 won each, of 51,910,612,000 won in sales. A game of the two before cost more.
        let value = GameValue::of(&built_in()[85..88]);
        assert!((value.first_prize - 0.236_538_1).abs() < 1e-7, "{value:?}");
    }

    #[test]
    fn fewer_co_winners_are_worth_two_to_four_percent_of_the_price() {
        let value = GameValue::of(built_in());
        // Half of the sales is prize money; of it the fixed ranks take 18 points, and three quarters of the rest are
        // the first prize's: (50 − 18) × 3/4 = 24.
        assert!((value.payback - 0.500).abs() < 0.001 && (value.first_prize - 0.24).abs() < 0.005, "{value:?}");
        assert!((value.with(1.0, 0.0) - value.payback).abs() < 1e-12);
        // What held-out draws brought as first prize to a further game: of all, and of the fifth with the fewest predicted,
        // each within two standard errors.
        let first_prize = |ratio| value.with(ratio, 0.2448) - value.payback + value.first_prize;
        assert!((first_prize(1.0) - 0.2495).abs() < 2.0 * 0.0036, "{}", first_prize(1.0));
        assert!((first_prize(0.935) - 0.2669).abs() < 2.0 * 0.0072, "{}", first_prize(0.935));
        assert!((0.52..0.54).contains(&value.with(0.93, 0.2448)), "{}", value.with(0.93, 0.2448));
        // Half as many share it, so each has twice as much; with twice as many each has half.
        let plain = GameValue { payback: 0.5, first_prize: 0.24 };
        for (ratio, expected) in [(0.5, 0.74), (2.0, 0.38), (0.8, 0.56), (0.0, 2.66)] {
            assert!((plain.with(ratio, 0.0) - expected).abs() < 1e-12, "{ratio}: {}", plain.with(ratio, 0.0));
        }
        // Half of a kind with 0.5, half with 1.5 times as many: 1 + 0.25 to the second order.
        assert!((plain.with(1.0, 0.5) - 0.56).abs() < 1e-12, "{}", plain.with(1.0, 0.5));
    }
}

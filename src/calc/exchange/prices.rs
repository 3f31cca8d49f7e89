//! Ticks and price limits, as they hold since 2023-01-25 and 2015-06-15. They are for orders: trades at half a tick are real.

use super::Market;

/// Below so many won, the tick in won; the same for KOSPI, KOSDAQ and KONEX.
const TICKS: [(i64, i64); 6] = [(2_000, 1), (5_000, 5), (20_000, 10), (50_000, 50), (200_000, 100), (500_000, 500)];
const LARGEST_TICK: i64 = 1_000;
/// Funds and notes: from this price on the tick is five won, one below it.
const FUND_TICK_FROM: i64 = 2_000;

/// The step between two prices of an order around `price`, in won.
pub fn tick_size(market: Market, price: i64) -> i64 {
    if market == Market::Etf {
        return if price < FUND_TICK_FROM { 1 } else { 5 };
    }
    TICKS.iter().find(|(below, _)| price < *below).map_or(LARGEST_TICK, |(_, tick)| *tick)
}

/// Between which prices an order of a day may be, in won.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PriceLimits {
    /// The lowest.
    pub lower: i64,
    /// The highest.
    pub upper: i64,
}

/// The limits of the day whose base price is `base`, in won: 30 %, at KONEX 15 %. None for a base that is not above zero or too
/// large to reckon with. Listing days, liquidations and leveraged funds have limits of their own, which are not known here.
pub fn price_limits(market: Market, base: i64) -> Option<PriceLimits> {
    let (parts, of) = if market == Market::Konex { (15, 100) } else { (3, 10) };
    let width = cut(base.checked_mul(parts)? / of, tick_size(market, base));
    let highest = base.checked_add(width)?;
    let upper = cut(highest, tick_size(market, highest));
    (base > 0).then_some(PriceLimits { lower: base - width, upper })
}

/// `price` cut down to a whole number of ticks.
fn cut(price: i64, tick: i64) -> i64 {
    price - price.rem_euclid(tick)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_tick_follows_the_price_and_funds_have_their_own() {
        let stock = |price| tick_size(Market::Kosdaq, price);
        let steps = [1, 1_999, 2_000, 4_999, 5_000, 19_999, 20_000, 49_999, 50_000, 199_999, 200_000, 499_999, 500_000];
        assert_eq!(steps.map(stock), [1, 1, 5, 5, 10, 10, 50, 50, 100, 100, 500, 500, 1_000]);
        assert_eq!([1_999, 2_000, 600_000].map(|price| tick_size(Market::Etf, price)), [1, 5, 5]);
    }

    #[test]
    fn the_limits_are_those_that_the_exchange_has_shown() {
        // Base, lowest, highest, as closes at the limit have shown them in March 2026.
        let seen = [
            (9_995, 7_005, 12_980),
            (1_998, 1_399, 2_595),
            (19_980, 13_990, 25_950),
            (199_500, 139_700, 259_000),
            (499_500, 350_000, 649_000),
            (1_537, 1_076, 1_998),
        ];
        for (base, lower, upper) in seen {
            assert_eq!(price_limits(Market::Kospi, base), Some(PriceLimits { lower, upper }), "{base}");
        }
        // By hand: 15 % of 10,000 is 1,500.
        assert_eq!(price_limits(Market::Konex, 10_000), Some(PriceLimits { lower: 8_500, upper: 11_500 }));
        assert_eq!(price_limits(Market::Kospi, 0), None);
        assert_eq!(price_limits(Market::Kospi, i64::MAX), None);
    }

    proptest! {
        #[test]
        fn limits_lie_around_the_base_within_the_percentage(base in 1_i64..10_000_000) {
            for market in [Market::Kospi, Market::Konex, Market::Etf] {
                let PriceLimits { lower, upper } = price_limits(market, base).unwrap();
                let percent = if market == Market::Konex { 15 } else { 30 };
                prop_assert!(0 < lower && lower <= base && base <= upper + tick_size(market, upper));
                prop_assert!((base - lower) * 100 <= base * percent && (upper - base) * 100 <= base * percent);
                prop_assert_eq!(upper % tick_size(market, upper), 0);
            }
        }
    }
}

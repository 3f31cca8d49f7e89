//! What lines add up to, in won.

use rust_decimal::prelude::ToPrimitive;
use rust_decimal::{Decimal, RoundingStrategy};

use super::{Item, QuoteContent, Totals, Vat};
use hanok_base::money::Krw;
use hanok_base::{Error, Result};

/// What a line costs: quantity times price, rounded half up to whole won. None beyond what a sum may be.
pub fn line_amount(item: &Item) -> Option<Krw> {
    let exact = item.quantity.get().checked_mul(Decimal::from(item.unit_price.get()))?;
    let whole = exact.round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero);
    whole.to_i64().and_then(Krw::new)
}

/// What a quote adds up to with the optional lines of these ids: lines, less the discount, and value added tax of 10 %.
/// Where the prices contain it, it is a eleventh of the total (`round(total / 11)`).
///
/// # Errors
/// `INTERNAL` where a sum does not fit, which what is stored never has.
pub fn totals(content: &QuoteContent, selected: &[String]) -> Result<Totals> {
    sum(content, selected).ok_or_else(|| Error::internal("a quote adds up to no sum"))
}

/// [`totals`]; none where a sum does not fit or the discount is more than the lines.
pub(super) fn sum(content: &QuoteContent, selected: &[String]) -> Option<Totals> {
    let chosen = content.items.iter().filter(|item| !item.optional || selected.contains(&item.id));
    let items = chosen.map(line_amount).try_fold(Krw::ZERO, |sum, line| sum.plus(line?))?;
    let net = items.minus(content.discount).filter(|net| *net >= Krw::ZERO)?;
    let part = |divisor: i64| {
        let exact = Decimal::from(net.get()) / Decimal::from(divisor);
        exact.round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero).to_i64().and_then(Krw::new)
    };
    let (supply, vat, total) = match content.vat {
        Vat::Included => {
            let vat = part(11)?;
            (net.minus(vat)?, vat, net)
        }
        Vat::Excluded => {
            let vat = part(10)?;
            (net, vat, net.plus(vat)?)
        }
        Vat::Exempt => (net, Krw::ZERO, net),
    };
    Some(Totals { items, discount: content.discount, supply, vat, total })
}

#[cfg(test)]
mod tests {
    use super::super::Category;
    use super::*;
    use hanok_platform::mail::Language;

    fn item(id: &str, quantity: &str, price: i64, optional: bool) -> Item {
        Item {
            id: id.to_owned(),
            category: Category::Development,
            name: "개발".to_owned(),
            description: String::new(),
            quantity: quantity.parse().unwrap(),
            unit_price: Krw::new(price).unwrap(),
            optional,
        }
    }

    fn content(items: Vec<Item>, discount: i64, vat: Vat) -> QuoteContent {
        QuoteContent {
            title: "누리집".to_owned(),
            client_name: String::new(),
            language: Language::Ko,
            valid_until: None,
            wbs: Vec::new(),
            items,
            maintenance: Vec::new(),
            discount: Krw::new(discount).unwrap(),
            vat,
            notes: String::new(),
        }
    }

    /// Lines, supply, value added tax and total.
    fn summed(content: &QuoteContent, selected: &[&str]) -> Option<(i64, i64, i64, i64)> {
        let selected: Vec<String> = selected.iter().map(|id| (*id).to_owned()).collect();
        let Totals { items, supply, vat, total, .. } = sum(content, &selected)?;
        Some((items.get(), supply.get(), vat.get(), total.get()))
    }

    // The sums of these tests are worked out by hand.

    #[test]
    fn a_line_is_rounded_half_up_to_whole_won() {
        let of = |quantity: &str, price| line_amount(&item("a", quantity, price, false)).map(Krw::get);
        assert_eq!(of("3", 333_333), Some(999_999));
        assert_eq!(of("0.5", 1_001), Some(501), "500.5");
        assert_eq!(of("0.333", 1_000), Some(333));
        assert_eq!(of("2.345", 1_001), Some(2_347), "2347.345");
        assert_eq!(of("0.001", 400), Some(0), "0.4");
    }

    #[test]
    fn value_added_tax_is_an_eleventh_of_what_contains_it_and_a_tenth_of_what_does_not() {
        let of = |price, vat| summed(&content(vec![item("a", "1", price, false)], 0, vat), &[]).unwrap();
        assert_eq!(of(1_100_000, Vat::Included), (1_100_000, 1_000_000, 100_000, 1_100_000));
        assert_eq!(of(1_000_000, Vat::Included), (1_000_000, 909_091, 90_909, 1_000_000), "90,909.09");
        assert_eq!(of(17, Vat::Included), (17, 15, 2, 17), "1.54");
        assert_eq!(of(16, Vat::Included), (16, 15, 1, 16), "1.45");
        assert_eq!(of(1_005, Vat::Excluded), (1_005, 1_005, 101, 1_106), "100.5");
        assert_eq!(of(1_004, Vat::Excluded), (1_004, 1_004, 100, 1_104), "100.4");
        assert_eq!(of(1_005, Vat::Exempt), (1_005, 1_005, 0, 1_005));
    }

    #[test]
    fn optional_lines_count_when_they_are_chosen_and_a_discount_comes_off_before_the_tax() {
        let items = || vec![item("a", "1", 1_000_000, false), item("b", "2", 150_000, true), item("c", "1", 7, true)];
        let quote = content(items(), 100_000, Vat::Excluded);
        assert_eq!(summed(&quote, &[]), Some((1_000_000, 900_000, 90_000, 990_000)));
        assert_eq!(summed(&quote, &["b"]), Some((1_300_000, 1_200_000, 120_000, 1_320_000)));
        assert_eq!(summed(&quote, &["b", "b", "a"]), Some((1_300_000, 1_200_000, 120_000, 1_320_000)), "none twice");
        let all = content(items(), 1_000_000, Vat::Excluded);
        assert_eq!(summed(&all, &[]), Some((1_000_000, 0, 0, 0)));
    }

    #[test]
    fn a_discount_beyond_the_lines_and_a_sum_beyond_what_a_browser_holds_are_no_sums() {
        assert_eq!(summed(&content(vec![item("a", "1", 99, false)], 100, Vat::Exempt), &[]), None);
        assert_eq!(line_amount(&item("a", "90072", 100_000_000_000, false)), None, "9.0072e15 is beyond 2^53");
        let large = || item("a", "80000", 100_000_000_000, false);
        assert!(summed(&content(vec![large()], 0, Vat::Excluded), &[]).is_some(), "8.8e15");
        assert_eq!(summed(&content(vec![large(), large()], 0, Vat::Exempt), &[]), None, "1.6e16");
        let taxed = content(vec![item("a", "85000", 100_000_000_000, false)], 0, Vat::Excluded);
        assert_eq!(summed(&taxed, &[]), None, "9.35e15 with the tax");
        assert!(totals(&taxed, &[]).is_err());
        assert_eq!(line_amount(&item("a", "999999999999999", 100_000_000_000, false)), None);
    }
}

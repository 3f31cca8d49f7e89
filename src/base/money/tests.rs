//! Amounts by hand, by the samples that the app's tests read too, and for any input.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

const SAMPLES: &str = include_str!("../../../assets/ops/src/lib/money.samples.json");

fn usd(amount: &str) -> Money {
    Money { amount: amount.parse().unwrap(), currency: Currency::USD }
}

#[test]
fn amounts_are_written_as_the_app_writes_them() {
    let samples: Vec<[String; 4]> = serde_json::from_str(SAMPLES).unwrap();
    for [amount, currency, ko, en] in &samples {
        let money: Money = serde_json::from_value(json!({"amount": amount, "currency": currency})).unwrap();
        assert_eq!([&money.said(true), &money.said(false)], [ko, en], "{amount} {currency}");
    }
    for currency in Currency::ALL {
        assert!(samples.iter().any(|sample| sample[1] == currency.code()), "{currency:?} has no sample");
    }
    assert_eq!(Krw::new(-5000).unwrap().said(true), "−5,000원");
}

#[test]
fn what_is_no_plain_decimal_is_refused() {
    for text in [
        "",
        "-",
        ".",
        "1.",
        ".5",
        "+1",
        "1e3",
        "1E3",
        "1,000",
        " 1",
        "1 ",
        "007",
        "00",
        "--1",
        "NaN",
        "inf",
        "0x10",
        "１",
        "1000000000000000",
        "0.12345678901",
        "1_000",
    ] {
        assert_eq!(text.parse::<Amount>(), Err(NoAmount), "{text}");
        assert!(serde_json::from_value::<Amount>(json!(text)).is_err());
    }
    for number in [json!(1391.2), json!(7), json!(null), json!([1])] {
        assert!(serde_json::from_value::<Amount>(number.clone()).is_err(), "{number}");
    }
    assert_eq!("-0".parse::<Amount>().unwrap().to_string(), "0");
    assert_eq!("1391.20".parse::<Amount>().unwrap().to_string(), "1391.20");
}

#[test]
fn won_is_a_whole_number_that_a_browser_holds() {
    for refused in ["1.0", "1e3", "\"1\"", "9007199254740992", "-9007199254740992", "99999999999999999999"] {
        assert!(serde_json::from_str::<Krw>(refused).is_err(), "{refused}");
    }
    let most = Krw::new(MOST_WON).unwrap();
    assert_eq!(serde_json::to_value(most).unwrap(), json!(9_007_199_254_740_991_i64));
    assert_eq!((most.plus(Krw::new(1).unwrap()), most.times(2), most.times(i64::MAX)), (None, None, None));
    assert_eq!(most.minus(most), Some(Krw::ZERO));
    assert_eq!(Krw::sum([most, Krw::new(1).unwrap()]), None);
    // 2,000 won a ticket, five tickets, 10,000 won.
    assert_eq!(Krw::new(2000).unwrap().times(5), Krw::new(10_000));
}

#[test]
fn arithmetic_is_exact_and_of_one_currency() {
    // 0.1 + 0.2 of binary floats is 0.30000000000000004.
    assert_eq!(usd("0.1").plus(usd("0.2")), Some(usd("0.3")));
    // 3 shares at 187.335 dollars.
    let cost = usd("187.335").times("3".parse().unwrap()).unwrap();
    assert_eq!((cost, cost.rounded()), (usd("562.005"), usd("562.01")));
    assert_eq!(usd("-2.345").rounded(), usd("-2.35"));
    assert_eq!(usd("1").plus(Krw::new(1).unwrap().into()), None);
    assert_eq!(usd("999999999999999").plus(usd("1")), None);
    assert_eq!(usd("999999999999999").times("999999999999999".parse().unwrap()), None);
    assert_eq!(usd("0.0000000001").times("0.1".parse().unwrap()), None, "it cannot be held exactly");
    assert_eq!(serde_json::to_value(usd("1391.20")).unwrap(), json!({"amount": "1391.20", "currency": "USD"}));
    let unknown: Result<Money, _> = serde_json::from_value(json!({"amount": "1", "currency": "XXX"}));
    assert!(unknown.is_err());
}

#[test]
fn a_request_sends_an_amount_as_text_or_as_a_number_that_a_float_holds() {
    let sent = |value: Value| Amount::check(serde_json::from_value(value).unwrap()).map(|amount| amount.to_string());
    for (value, amount) in [(json!("0.10"), "0.10"), (json!(0.1), "0.1"), (json!(-70_000), "-70000"), (json!(3.0), "3")]
    {
        assert_eq!(sent(value), Ok(amount.to_owned()));
    }
    for refused in [json!(1e300), json!(0.123_456_789_012_345_67), json!("1e3"), json!("1,000")] {
        assert!(sent(refused.clone()).is_err(), "{refused}");
    }
    assert!(serde_json::from_value::<SentAmount>(json!(true)).is_err());
    let bounded = |value: i64| {
        let of = || serde_json::from_value(json!(value)).unwrap();
        (PositiveAmount::check(of()).is_ok(), NonNegativeAmount::check(of()).is_ok())
    };
    assert_eq!([bounded(-1), bounded(0), bounded(1)], [(false, false), (false, true), (true, true)]);
}

fn amounts() -> impl Strategy<Value = Amount> {
    "-?(0|[1-9][0-9]{0,14})(\\.[0-9]{1,10})?".prop_map(|text| text.parse().unwrap())
}

proptest! {
    #[test]
    fn whatever_is_read_is_written_the_same_or_refused(text in "-?[0-9]{1,17}(\\.[0-9]{0,12})?|\\PC{0,12}") {
        if let Ok(amount) = text.parse::<Amount>() {
            prop_assert_eq!(amount.to_string(), if amount.get().is_zero() { text.replace('-', "") } else { text });
            let sent: Value = serde_json::to_value(amount).unwrap();
            prop_assert_eq!(serde_json::from_value::<Amount>(sent).unwrap(), amount);
        }
    }

    #[test]
    fn what_is_added_can_be_taken_away_again(one in amounts(), other in amounts()) {
        let (one, other) = (Money { amount: one, currency: Currency::EUR }, Money { amount: other, currency: Currency::EUR });
        if let Some(sum) = one.plus(other) {
            prop_assert_eq!(sum.minus(other), Some(one));
            prop_assert_eq!(other.plus(one), Some(sum));
        }
    }

    #[test]
    fn whatever_amount_there_is_it_is_rounded_by_half_a_unit_at_most_and_said(amount in amounts(), at in 0..Currency::ALL.len()) {
        let money = Money { amount, currency: Currency::ALL[at] };
        let rounded = money.rounded();
        let half = Decimal::new(5, money.currency.digits() + 1);
        prop_assert!((rounded.amount.get() - amount.get()).abs() <= half);
        prop_assert_eq!(rounded.rounded(), rounded);
        let digits: String = money.said(false).chars().filter(char::is_ascii_digit).collect();
        let expected: String = rounded.amount.to_string().chars().filter(char::is_ascii_digit).collect();
        prop_assert_eq!(digits, expected);
    }
}

//! Money: won as whole numbers, every other amount as a decimal with its currency. Never a binary float.
//!
//! **JSON.** [`Krw`] is a whole number, within what a browser holds exactly (2^53 − 1). An [`Amount`] is a text such as
//! `"1391.20"`, because a JSON number with a point is a binary float to most who read it. A request may send a number all the
//! same ([`SentAmount`]). Refused are
//! exponents, signs other than a leading `-`, spaces, separators and needless zeros. [`Money`] is
//! `{"amount": "1391.20", "currency": "USD"}`.
//!
//! **Arithmetic** is checked: what does not fit, or would add two currencies, is none. Nothing is rounded on the way;
//! [`Money::rounded`] does it once, at the end, half away from zero, to the decimals of the currency.
//!
//! **Text.** [`Krw::said`] and [`Money::said`] write amounts as the app does (`assets/ops/src/lib/money.ts`): the tests
//! of both read the same samples.

use std::fmt;
use std::str::FromStr;

use rust_decimal::{Decimal, RoundingStrategy};
use serde::de::{Error as _, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::schema::{BasicType, Components, Object, OneOf, RefOr, Schema, ToSchema};
use super::validated::{Constraint, ValidationErrors};
use super::validation_messages;

/// The largest sum in won, either way: what a browser holds exactly.
pub const MOST_WON: i64 = (1 << 53) - 1;
/// Digits before the point of an amount, and behind it, at most.
const DIGITS: (usize, usize) = (15, 10);
/// The sign of what is below zero, as it is shown.
const MINUS: char = '\u{2212}';

/// A sum in won, within ±[`MOST_WON`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Krw(i64);

impl Krw {
    /// Nothing.
    pub const ZERO: Krw = Krw(0);

    /// So many won; none beyond ±[`MOST_WON`].
    pub fn new(won: i64) -> Option<Krw> {
        (-MOST_WON..=MOST_WON).contains(&won).then_some(Krw(won))
    }

    /// How many.
    pub fn get(self) -> i64 {
        self.0
    }

    /// `self` and `other`; none beyond the bounds.
    pub fn plus(self, other: Krw) -> Option<Krw> {
        Krw::new(self.0.checked_add(other.0)?)
    }

    /// `self` without `other`; none beyond the bounds.
    pub fn minus(self, other: Krw) -> Option<Krw> {
        Krw::new(self.0.checked_sub(other.0)?)
    }

    /// `self` so many times; none beyond the bounds.
    pub fn times(self, count: i64) -> Option<Krw> {
        Krw::new(self.0.checked_mul(count)?)
    }

    /// All of them together; none where that goes beyond the bounds on the way.
    pub fn sum(all: impl IntoIterator<Item = Krw>) -> Option<Krw> {
        all.into_iter().try_fold(Krw::ZERO, Krw::plus)
    }

    /// As people write it: `128,450,300원` in Korean, `₩128,450,300` otherwise.
    pub fn said(self, korean: bool) -> String {
        Money { amount: Amount(self.0.into()), currency: Currency::KRW }.said(korean)
    }
}

impl<'de> Deserialize<'de> for Krw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Krw, D::Error> {
        Krw::new(i64::deserialize(deserializer)?).ok_or_else(|| D::Error::custom("is too large a number"))
    }
}

impl Constraint for Krw {
    type Input = i64;
    type Value = Krw;

    fn check(sent: i64) -> Result<Krw, ValidationErrors> {
        Krw::new(sent).ok_or_else(|| validation_messages::SMALLER.into())
    }

    fn schema(components: &mut Components) -> RefOr<Schema> {
        Krw::to_schema(components)
    }
}

impl ToSchema for Krw {
    fn to_schema(_components: &mut Components) -> RefOr<Schema> {
        let most = MOST_WON as f64;
        Object::with_type(BasicType::Integer).minimum(-most).maximum(most).into()
    }
}

/// An exact decimal: at most 15 digits before the point and 10 behind it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(Decimal);

impl Amount {
    /// The form of an amount.
    const FORM: &'static str = r"^-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,10})?$";

    /// `decimal`, if it has no more digits than an amount may have; needless zeros behind the point do not count.
    pub fn new(decimal: Decimal) -> Option<Amount> {
        let plain = decimal.normalize();
        let fits = plain.scale() as usize <= DIGITS.1 && plain.trunc().abs().to_string().len() <= DIGITS.0;
        // There is no zero below zero.
        fits.then_some(Amount(if decimal.is_zero() { decimal.abs() } else { decimal }))
    }

    /// The decimal.
    pub fn get(self) -> Decimal {
        self.0
    }
}

/// What is not an amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoAmount;

impl fmt::Display for NoAmount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("must be an amount such as \"1391.20\"")
    }
}

impl FromStr for Amount {
    type Err = NoAmount;

    fn from_str(text: &str) -> Result<Amount, NoAmount> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let (whole, behind) = digits.split_once('.').map_or((digits, None), |(whole, behind)| (whole, Some(behind)));
        let all_digits =
            |part: &str, most| (1..=most).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        let is_plain = all_digits(whole, DIGITS.0)
            && (whole == "0" || !whole.starts_with('0'))
            && behind.is_none_or(|behind| all_digits(behind, DIGITS.1));
        let decimal = if is_plain { Decimal::from_str_exact(text).ok() } else { None };
        decimal.and_then(Amount::new).ok_or(NoAmount)
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Amount, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl Constraint for Amount {
    type Input = SentAmount;
    type Value = Amount;

    fn check(SentAmount(sent): SentAmount) -> Result<Amount, ValidationErrors> {
        sent.parse().map_err(|NoAmount| validation_messages::AMOUNT.into())
    }

    fn schema(components: &mut Components) -> RefOr<Schema> {
        OneOf::new().item(Amount::to_schema(components)).item(Object::with_type(BasicType::Number)).into()
    }
}

/// An amount above zero, such as a quantity.
#[derive(Debug)]
pub struct PositiveAmount;

impl Constraint for PositiveAmount {
    type Input = SentAmount;
    type Value = Amount;

    fn check(sent: SentAmount) -> Result<Amount, ValidationErrors> {
        let amount = Amount::check(sent)?;
        (amount.get() > Decimal::ZERO).then_some(amount).ok_or_else(|| validation_messages::ABOVE_ZERO.into())
    }

    fn schema(components: &mut Components) -> RefOr<Schema> {
        <Amount as Constraint>::schema(components)
    }
}

/// An amount that is not below zero, such as a price or a fee.
#[derive(Debug)]
pub struct NonNegativeAmount;

impl Constraint for NonNegativeAmount {
    type Input = SentAmount;
    type Value = Amount;

    fn check(sent: SentAmount) -> Result<Amount, ValidationErrors> {
        let amount = Amount::check(sent)?;
        (amount.get() >= Decimal::ZERO).then_some(amount).ok_or_else(|| validation_messages::NOT_NEGATIVE.into())
    }

    fn schema(components: &mut Components) -> RefOr<Schema> {
        <Amount as Constraint>::schema(components)
    }
}

/// An amount as a request sends it: as text, or as a number of JSON, which counts as it is spelled (`0.1` is a tenth). A number
/// of more digits than a binary float holds exactly is no amount: it has to be text.
#[derive(Debug)]
pub struct SentAmount(String);

/// Decimal digits that a binary float gives back as they were.
const DIGITS_OF_FLOAT: usize = 15;

impl<'de> Deserialize<'de> for SentAmount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SentAmount, D::Error> {
        deserializer.deserialize_any(SpelledAmount)
    }
}

struct SpelledAmount;

impl Visitor<'_> for SpelledAmount {
    type Value = SentAmount;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an amount")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<SentAmount, E> {
        Ok(SentAmount(text.to_owned()))
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<SentAmount, E> {
        Ok(SentAmount(number.to_string()))
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<SentAmount, E> {
        Ok(SentAmount(number.to_string()))
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<SentAmount, E> {
        let spelled = number.to_string();
        let digits = spelled.trim_start_matches(['-', '0', '.']).bytes().filter(u8::is_ascii_digit).count();
        Ok(SentAmount(if digits > DIGITS_OF_FLOAT { String::new() } else { spelled }))
    }
}

impl ToSchema for Amount {
    fn to_schema(_components: &mut Components) -> RefOr<Schema> {
        Object::with_type(BasicType::String).max_length(27).pattern(Amount::FORM).examples(["1391.20"]).into()
    }
}

macro_rules! currencies {
    ($($code:ident $digits:literal $symbol:literal $name:literal;)*) => {
        /// A currency of ISO 4217 that the house deals in.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
        #[allow(clippy::upper_case_acronyms, reason = "the codes of ISO 4217")]
        pub enum Currency {
            $(#[doc = $name] $code,)*
        }

        impl Currency {
            /// Every one.
            pub const ALL: &[Currency] = &[$(Currency::$code,)*];

            /// Its code.
            pub fn code(self) -> &'static str {
                match self { $(Currency::$code => stringify!($code),)* }
            }

            /// How many decimals its amounts are paid with.
            pub fn digits(self) -> u32 {
                match self { $(Currency::$code => $digits,)* }
            }

            /// What stands before an amount, as the app writes it in both languages.
            fn symbol(self) -> &'static str {
                match self { $(Currency::$code => $symbol,)* }
            }
        }
    };
}

currencies! {
    KRW 0 "₩" "South Korean won.";
    USD 2 "$" "US dollar.";
    EUR 2 "€" "Euro.";
    JPY 0 "¥" "Japanese yen.";
    GBP 2 "£" "Pound sterling.";
    CNY 2 "CN¥" "Chinese yuan.";
    CAD 2 "CA$" "Canadian dollar.";
    AUD 2 "A$" "Australian dollar.";
    HKD 2 "HK$" "Hong Kong dollar.";
    NZD 2 "NZ$" "New Zealand dollar.";
    TWD 2 "NT$" "New Taiwan dollar.";
    SGD 2 "SGD " "Singapore dollar.";
    CHF 2 "CHF " "Swiss franc.";
    INR 2 "₹" "Indian rupee.";
    VND 0 "₫" "Vietnamese dong.";
    THB 2 "THB " "Thai baht.";
    KWD 3 "KWD " "Kuwaiti dinar.";
}

/// An amount of a currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
pub struct Money {
    /// How much.
    pub amount: Amount,
    /// Of what.
    pub currency: Currency,
}

impl From<Krw> for Money {
    fn from(won: Krw) -> Money {
        Money { amount: Amount(won.0.into()), currency: Currency::KRW }
    }
}

impl Money {
    /// `self` and `other`; none where they are of two currencies, or too much.
    pub fn plus(self, other: Money) -> Option<Money> {
        let same = self.currency == other.currency;
        let sum = if same { self.amount.0.checked_add(other.amount.0) } else { None };
        self.of(sum)
    }

    /// `self` without `other`; none where they are of two currencies, or too much.
    pub fn minus(self, other: Money) -> Option<Money> {
        let same = self.currency == other.currency;
        let rest = if same { self.amount.0.checked_sub(other.amount.0) } else { None };
        self.of(rest)
    }

    /// `self` so many times, as for a quantity or a rate; none where it is too much, or cannot be held exactly.
    pub fn times(self, factor: Amount) -> Option<Money> {
        // Two amounts have 50 digits together and a decimal 28: what it would have to round is none.
        let (one, other) = (self.amount.0.normalize(), factor.0.normalize());
        let product = one.checked_mul(other)?;
        let is_exact = product.is_zero() || product.scale() == one.scale() + other.scale();
        self.of(is_exact.then_some(product))
    }

    /// Half away from zero, to the decimals that the currency is paid with.
    pub fn rounded(self) -> Money {
        let digits = self.currency.digits();
        let mut amount = self.amount.0.round_dp_with_strategy(digits, RoundingStrategy::MidpointAwayFromZero);
        amount.rescale(digits);
        Money { amount: Amount(if amount.is_zero() { amount.abs() } else { amount }), ..self }
    }

    /// As people write it, with the decimals of its currency: `128,450,300원`, `₩128,450,300`, `−$1,391.20`, `¥15,000`.
    pub fn said(self, korean: bool) -> String {
        let amount = self.rounded().amount.0;
        let plain = amount.abs().to_string();
        let (whole, behind) = plain.split_at(plain.find('.').unwrap_or(plain.len()));
        let mut text = String::new();
        if amount.is_sign_negative() {
            text.push(MINUS);
        }
        if !(korean && self.currency == Currency::KRW) {
            text.push_str(self.currency.symbol());
        }
        for (at, digit) in whole.chars().enumerate() {
            if at > 0 && (whole.len() - at).is_multiple_of(3) {
                text.push(',');
            }
            text.push(digit);
        }
        text.push_str(behind);
        if korean && self.currency == Currency::KRW {
            text.push('원');
        }
        text
    }

    fn of(self, amount: Option<Decimal>) -> Option<Money> {
        Some(Money { amount: Amount::new(amount?)?, ..self })
    }
}

#[cfg(test)]
mod tests;

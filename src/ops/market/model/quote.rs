//! What a chart of the provider says of a price: the market quote rule.

use std::str::FromStr;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use rust_decimal::prelude::ToPrimitive;
use rust_decimal::{Decimal, RoundingStrategy};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// Decimals of a quote.
const DECIMALS: u32 = 2;
/// Currencies of which the provider quotes the hundredth part, and what that is a part of.
const HUNDREDTHS: [(&str, &str); 3] = [("GBp", "GBP"), ("ZAc", "ZAR"), ("ILA", "ILS")];

/// A price with its change since the day before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quote {
    /// What it is of, if the chart says so.
    pub symbol: Option<String>,
    /// The price, two decimals.
    pub value: Decimal,
    /// The price as the provider says it.
    pub exact: Decimal,
    /// The close of the day before.
    pub previous_close: Option<Decimal>,
    /// Price minus previous close, two decimals; none without one.
    pub change: Option<Decimal>,
    /// That change in percent of the previous close, two decimals; none without one.
    pub change_percent: Option<Decimal>,
    /// What it is counted in.
    pub currency: Option<String>,
    /// When it was traded last.
    pub as_of: Option<DateTime<Utc>>,
    /// The day of the exchange at that instant.
    pub day: Option<NaiveDate>,
}

/// The numbers of a chart that the rule reads.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Meta {
    symbol: Option<String>,
    currency: Option<String>,
    regular_market_price: Number,
    previous_close: Number,
    chart_previous_close: Number,
    regular_market_time: Number,
    gmtoffset: Number,
}

#[derive(Deserialize)]
struct Answer {
    chart: Chart,
}

#[derive(Deserialize)]
struct Chart {
    result: Option<Vec<Series>>,
}

#[derive(Deserialize)]
struct Series {
    meta: Meta,
}

/// A number as it is spelled, also in quotes; none where it is absent, null or no number.
#[derive(Debug, Clone, Copy, Default)]
struct Number(Option<Decimal>);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spelled = Box::<RawValue>::deserialize(deserializer)?;
        let digits = spelled.get().trim_matches('"');
        Ok(Number(Decimal::from_str(digits).or_else(|_| Decimal::from_scientific(digits)).ok()))
    }
}

/// What a chart says.
///
/// # Errors
/// What is wrong with it, for the log: no chart, none for this symbol, no price.
pub fn read(body: &[u8]) -> Result<Quote, String> {
    let answer: Answer = serde_json::from_slice(body).map_err(|error| error.to_string())?;
    let meta = answer.chart.result.unwrap_or_default().into_iter().next().ok_or("the chart is empty")?.meta;
    quote(&meta)
}

/// What a chart says that was asked for under this symbol.
///
/// # Errors
/// Those of [`read`]; that it is of another symbol.
pub fn read_of(body: &[u8], symbol: &str) -> Result<Quote, String> {
    let quote = read(body)?;
    match quote.symbol.as_deref().filter(|other| !other.eq_ignore_ascii_case(symbol)) {
        Some(other) => Err(format!("the chart is of {other:.20}")),
        None => Ok(quote),
    }
}

/// The rule. The price is rounded to two decimals. The previous close is that of the day before, or else that before the
/// chart; zero is none. The change is the price minus it, and the percentage that change divided by it, each rounded to two
/// decimals, half away from zero. Without a price there is no quote.
fn quote(meta: &Meta) -> Result<Quote, String> {
    let hundredth = HUNDREDTHS.iter().find(|(part, _)| meta.currency.as_deref() == Some(*part));
    let whole = |number: Number| match hundredth {
        Some(_) => number.0.and_then(|number| number.checked_div(Decimal::ONE_HUNDRED)),
        None => number.0,
    };
    let exact = whole(meta.regular_market_price).ok_or("the price is absent")?;
    let value = rounded(exact);
    let not_zero = |number: Number| whole(number).filter(|close| !close.is_zero());
    let previous_close = not_zero(meta.previous_close).or_else(|| not_zero(meta.chart_previous_close));
    let (change, change_percent) = change_since(value, previous_close);
    let currency = hundredth.map(|(_, whole)| (*whole).to_owned()).or_else(|| meta.currency.clone());
    let as_of = meta.regular_market_time.0.and_then(|seconds| DateTime::from_timestamp(seconds.to_i64()?, 0));
    let of_exchange = |at: DateTime<Utc>| at.checked_add_signed(TimeDelta::try_seconds(meta.gmtoffset.0?.to_i64()?)?);
    let day = as_of.and_then(of_exchange).map(|at| at.date_naive());
    let symbol = meta.symbol.clone();
    Ok(Quote { symbol, value, exact, previous_close, change, change_percent, currency, as_of, day })
}

/// The change of `value` since `previous_close`, and what that is in percent of it, each rounded to two decimals.
pub fn change_since(value: Decimal, previous_close: Option<Decimal>) -> (Option<Decimal>, Option<Decimal>) {
    let change = previous_close.and_then(|close| value.checked_sub(close)).map(rounded);
    let percent = previous_close
        .zip(change)
        .and_then(|(close, change)| change.checked_mul(Decimal::ONE_HUNDRED)?.checked_div(close))
        .map(rounded);
    (change, percent)
}

/// Two decimals, half away from zero.
pub fn rounded(number: Decimal) -> Decimal {
    number.round_dp_with_strategy(DECIMALS, RoundingStrategy::MidpointAwayFromZero)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Value, change and percentage of a chart with these fields.
    fn told(meta: &str) -> Result<(String, Option<String>, Option<String>), String> {
        let quote = read(format!(r#"{{"chart":{{"result":[{{"meta":{{{meta}}}}}],"error":null}}}}"#).as_bytes())?;
        let text = |number: Decimal| number.normalize().to_string();
        Ok((text(quote.value), quote.change.map(text), quote.change_percent.map(text)))
    }

    fn all(value: &str, change: &str, percent: &str) -> Result<(String, Option<String>, Option<String>), String> {
        let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        Ok((value.to_owned(), some(change), some(percent)))
    }

    #[test]
    fn the_change_is_since_the_previous_close_in_numbers_worked_out_by_hand() {
        // 4012.37 - 3990.11 = 22.26; 22.26 / 3990.11 = 0.5578793...%
        assert_eq!(told(r#""regularMarketPrice":4012.37,"previousClose":3990.11"#), all("4012.37", "22.26", "0.56"));
        // 97 - 100 = -3; -3%
        assert_eq!(told(r#""regularMarketPrice":97,"previousClose":100"#), all("97", "-3", "-3"));
        assert_eq!(told(r#""regularMarketPrice":100,"previousClose":100"#), all("100", "0", "0"));
    }

    #[test]
    fn each_of_the_three_is_rounded_half_away_from_zero() {
        // 1.005 is below its half as a binary float; in decimals it is 1.01.
        assert_eq!(told(r#""regularMarketPrice":1.005,"previousClose":1"#), all("1.01", "0.01", "1"));
        // 10 - 10.125 = -0.125, which is -0.13; -0.13 / 10.125 = -1.2839...%
        assert_eq!(told(r#""regularMarketPrice":10,"previousClose":10.125"#), all("10", "-0.13", "-1.28"));
        // 201 - 200 = 1; 0.5%. 1 / 800 = 0.125%, which is 0.13.
        assert_eq!(told(r#""regularMarketPrice":801,"previousClose":800"#), all("801", "1", "0.13"));
    }

    #[test]
    fn without_a_previous_close_the_one_before_the_chart_is_taken() {
        let chart_alone = r#""regularMarketPrice":110,"chartPreviousClose":100"#;
        assert_eq!(told(chart_alone), all("110", "10", "10"));
        assert_eq!(told(&format!(r#"{chart_alone},"previousClose":null"#)), all("110", "10", "10"));
        assert_eq!(told(&format!(r#"{chart_alone},"previousClose":0"#)), all("110", "10", "10"));
        assert_eq!(told(&format!(r#"{chart_alone},"previousClose":88"#)), all("110", "22", "25"));
    }

    #[test]
    fn without_any_previous_close_there_is_no_change_and_never_a_zero() {
        assert_eq!(told(r#""regularMarketPrice":110"#), all("110", "", ""));
        assert_eq!(told(r#""regularMarketPrice":110,"previousClose":0,"chartPreviousClose":0.0"#), all("110", "", ""));
        assert_eq!(
            told(r#""regularMarketPrice":110,"previousClose":null,"chartPreviousClose":null"#),
            all("110", "", "")
        );
    }

    #[test]
    fn without_a_price_the_call_fails() {
        assert!(told(r#""previousClose":100"#).is_err());
        assert!(told(r#""regularMarketPrice":null,"previousClose":100"#).is_err());
        for body in [
            r#"{"chart":{"result":null,"error":{"code":"Not Found"}}}"#,
            r#"{"chart":{"result":[],"error":null}}"#,
            r#"{"finance":{}}"#,
            "Too Many Requests",
            "<html>Will be right back</html>",
        ] {
            assert!(read(body.as_bytes()).is_err(), "{body}");
        }
    }

    #[test]
    fn a_chart_of_another_symbol_is_unreadable() {
        let of = |meta: &str| {
            read_of(
                format!(r#"{{"chart":{{"result":[{{"meta":{{{meta}"regularMarketPrice":1}}}}]}}}}"#).as_bytes(),
                "AAPL",
            )
        };
        assert!(of("").is_ok() && of(r#""symbol":null,"#).is_ok() && of(r#""symbol":"aapl","#).is_ok());
        assert_eq!(of(r#""symbol":"MSFT","#), Err("the chart is of MSFT".to_owned()));
    }

    #[test]
    fn the_day_is_that_of_the_exchange() {
        // 2026-10-09 16:00 in New York is 2026-10-10 in Seoul.
        let meta = r#""regularMarketPrice":1,"regularMarketTime":1791576000,"gmtoffset":"-14400""#;
        let quote = read(format!(r#"{{"chart":{{"result":[{{"meta":{{{meta}}}}}]}}}}"#).as_bytes()).unwrap();
        assert_eq!(quote.as_of.unwrap().to_rfc3339(), "2026-10-09T20:00:00+00:00");
        assert_eq!(quote.day.unwrap().to_string(), "2026-10-09");
    }

    #[test]
    fn a_price_in_hundredths_is_one_hundredth_and_a_price_may_be_below_zero() {
        let pence =
            r#"{"chart":{"result":[{"meta":{"currency":"GBp","regularMarketPrice":"250.5","previousClose":250}}]}}"#;
        let quote = read(pence.as_bytes()).unwrap();
        assert_eq!((quote.value.to_string(), quote.currency.as_deref()), ("2.51".to_owned(), Some("GBP")));
        // Crude oil on 2020-04-20: -37.63 after 18.27.
        assert_eq!(told(r#""regularMarketPrice":-37.63,"previousClose":18.27"#), all("-37.63", "-55.9", "-305.97"));
    }
}

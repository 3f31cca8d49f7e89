//! What Korea Investment & Securities answers: pure reading.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use hanok_base::message::MessageArg;
use hanok_base::{Krw, Message, MessageTemplate, day};
use rust_decimal::prelude::ToPrimitive;
use rust_decimal::{Decimal, RoundingStrategy};
use serde_json::Value;

use super::super::super::model::{KnownPrice, Order, Position, Side};

const CLOSED: MessageTemplate = MessageTemplate::new("trade.kis.closed", "the exchange takes no orders now");
const NO_SUCH_STOCK: MessageTemplate =
    MessageTemplate::new("trade.kis.no_such_stock", "the broker knows no such stock");
const TOO_LITTLE_CASH: MessageTemplate =
    MessageTemplate::new("trade.kis.too_little_cash", "there is not enough cash in the account");
const ACCOUNT: MessageTemplate =
    MessageTemplate::new("trade.kis.account", "the broker does not know the account: look at trade.kis_account");
const KEY: MessageTemplate = MessageTemplate::new(
    "trade.kis.key",
    "the broker does not take the key: look at trade.kis_app_key and trade.kis_app_secret",
);
const BUSY: MessageTemplate = MessageTemplate::new("trade.kis.busy", "the broker asks for fewer requests");
const OTHER: MessageTemplate = MessageTemplate::new("trade.kis.refused", "the broker refuses it (code {code})");
/// The access token is not good any more.
pub const TOKEN_REFUSED: MessageTemplate =
    MessageTemplate::new("trade.kis.token", "the broker has ended the access token; another is fetched");
/// It may have been done.
pub const UNCLEAR: MessageTemplate = MessageTemplate::new(
    "trade.kis.unclear",
    "the broker's answer does not say whether it was done; it is looked up and not sent again",
);

/// Something that has to be there is missing, or is there twice.
pub const UNREADABLE: MessageTemplate =
    MessageTemplate::new("trade.kis.unreadable", "what the broker says cannot be read");

/// What an answer means.
#[derive(Debug, Clone, PartialEq)]
pub enum KisResponse {
    /// It is what was asked for.
    Good(Value),
    /// The access token is not good any more; nothing was done.
    TokenRefused,
    /// Nothing was done, and why.
    Refused(Message),
    /// Nothing was done, because of too many requests.
    Busy,
    /// It does not say whether anything was done.
    Unclear,
}

impl KisResponse {
    /// What an answer with this status and body means.
    pub fn of(status: u16, body: &[u8]) -> KisResponse {
        let Ok(answer) = serde_json::from_slice::<Value>(body) else { return KisResponse::Unclear };
        let code = text(&answer, "msg_cd").or(text(&answer, "error_code")).unwrap_or_default();
        let is_success = (200..300).contains(&status);
        match code {
            "IGW00009" => KisResponse::Unclear,
            "EGW00123" | "EGW00121" => KisResponse::TokenRefused,
            "EGW00201" => KisResponse::Busy,
            _ if is_success && text(&answer, "rt_cd") == Some("0") => KisResponse::Good(answer),
            "APBK0919" => KisResponse::Refused(CLOSED.into()),
            "APBK0656" => KisResponse::Refused(NO_SUCH_STOCK.into()),
            "APBK0952" => KisResponse::Refused(TOO_LITTLE_CASH.into()),
            "OPSQ2000" => KisResponse::Refused(ACCOUNT.into()),
            "EGW00103" | "EGW00105" => KisResponse::Refused(KEY.into()),
            // What the gateway refuses by such a code has not gone on to the exchange.
            code if code.starts_with("EGW") || (status < 500 && !code.is_empty()) => {
                KisResponse::Refused(OTHER.with([("code", plain(code))]))
            }
            _ => KisResponse::Unclear,
        }
    }

    /// Why there is nothing, in a sentence; none of a good answer.
    pub fn why_not(&self) -> Option<Message> {
        match self {
            KisResponse::Good(_) => None,
            KisResponse::TokenRefused => Some(TOKEN_REFUSED.into()),
            KisResponse::Refused(why) => Some(why.clone()),
            KisResponse::Busy => Some(BUSY.into()),
            KisResponse::Unclear => Some(UNCLEAR.into()),
        }
    }
}

/// A code of the broker, and nothing else that it may have written there.
fn plain(code: &str) -> MessageArg {
    code.chars().filter(char::is_ascii_alphanumeric).take(12).collect::<String>().into()
}

/// The text under `key`, in small or in capital letters, without what pads it; none where there is none.
pub fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    let found = value.get(key).or_else(|| value.get(key.to_ascii_uppercase()))?;
    found.as_str().map(str::trim).filter(|text| !text.is_empty())
}

/// The number under `key`, as text or as a number.
fn number(value: &Value, key: &str) -> Option<Decimal> {
    match value.get(key) {
        Some(Value::Number(number)) => number.to_string().parse().ok(),
        _ => text(value, key)?.replace(',', "").parse().ok(),
    }
}

fn count(value: &Value, key: &str) -> Option<u64> {
    number(value, key).filter(Decimal::is_integer)?.to_u64()
}

fn won(value: &Value, key: &str) -> Option<Krw> {
    Krw::new(number(value, key)?.round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero).to_i64()?)
}

/// The number and the branch that an order was given; an answer may have them in a list.
pub fn order_number(answer: &Value) -> Option<(String, String)> {
    let output = answer.get("output").or_else(|| answer.get("output1"))?;
    let output = output.as_array().map_or(Some(output), |list| list.first())?;
    let branch = text(output, "krx_fwdg_ord_orgno").unwrap_or_default();
    Some((text(output, "odno")?.to_owned(), branch.to_owned()))
}

/// An order of the day as the broker lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokerOrder {
    /// Its number.
    pub number: String,
    /// The branch that keeps it.
    pub branch: String,
    /// The symbol.
    pub symbol: String,
    /// Which way.
    pub side: Side,
    /// How many shares.
    pub quantity: u64,
    /// When it was taken.
    pub at: NaiveTime,
    /// How many were bought or sold.
    pub filled: u64,
    /// Won for one of them on average.
    pub average: Option<Krw>,
    /// How many are open.
    pub left: u64,
    /// Whether it was cancelled.
    pub cancelled: bool,
}

impl BrokerOrder {
    /// Whether it may be `order`: it says the same, and no less was done of it than was known.
    pub fn is_of(&self, order: &Order) -> bool {
        let is_same = self.symbol == order.symbol && self.side == order.side && self.quantity == order.quantity;
        is_same && (order.filled_quantity..=order.quantity).contains(&self.filled)
    }
}

/// The orders of one page of the day's list. What cannot be read is left out.
pub fn listed(answer: &Value) -> Vec<BrokerOrder> {
    answer.get("output1").and_then(Value::as_array).into_iter().flatten().filter_map(listed_one).collect()
}

fn listed_one(row: &Value) -> Option<BrokerOrder> {
    let filled = count(row, "tot_ccld_qty").unwrap_or_default();
    Some(BrokerOrder {
        number: text(row, "odno")?.to_owned(),
        branch: text(row, "ord_gno_brno").unwrap_or_default().to_owned(),
        symbol: text(row, "pdno")?.to_owned(),
        side: match text(row, "sll_buy_dvsn_cd")? {
            "01" => Side::Sell,
            "02" => Side::Buy,
            _ => return None,
        },
        quantity: count(row, "ord_qty")?,
        at: NaiveTime::parse_from_str(text(row, "ord_tmd")?, "%H%M%S").ok()?,
        filled,
        average: won(row, "avg_prvs").filter(|_| filled > 0),
        left: count(row, "rmn_qty").unwrap_or_default(),
        cancelled: text(row, "cncl_yn").is_some_and(|cancelled| cancelled.eq_ignore_ascii_case("y")),
    })
}

/// Of these, the order that was sent at `sent` and is none of the `known` numbers: the first that says the same. The clocks
/// of both may differ by a few seconds.
pub fn matching<'l>(
    listed: &'l [BrokerOrder],
    order: &Order,
    sent: DateTime<Utc>,
    known: &[String],
) -> Option<&'l BrokerOrder> {
    let tolerance = chrono::Duration::seconds(5);
    let mut fitting: Vec<&BrokerOrder> = listed
        .iter()
        .filter(|one| one.symbol == order.symbol && one.side == order.side && one.quantity == order.quantity)
        .filter(|one| day::at(day::of(sent), one.at) >= sent - tolerance && !known.contains(&one.number))
        .collect();
    fitting.sort_by_key(|one| one.at);
    fitting.first().copied()
}

/// What the holdings of one page of the balance are, without those that were sold out; none where one of them cannot be read.
pub fn holdings(answer: &Value, now: DateTime<Utc>) -> Option<Vec<Position>> {
    let mut found = Vec::new();
    for row in answer.get("output1")?.as_array()? {
        let quantity = count(row, "hldg_qty")?;
        if quantity > 0 {
            found.push(holding(row, quantity, now)?);
        }
    }
    Some(found)
}

fn holding(row: &Value, quantity: u64, now: DateTime<Utc>) -> Option<Position> {
    let symbol = text(row, "pdno")?.to_owned();
    let price = won(row, "prpr").map(Krw::get).filter(|won| *won > 0);
    Some(Position {
        market: None,
        name: text(row, "prdt_name").unwrap_or(&symbol).to_owned(),
        quantity,
        available: count(row, "ord_psbl_qty").unwrap_or_default().min(quantity),
        avg_price: won(row, "pchs_avg_pric").unwrap_or_default(),
        cost: won(row, "pchs_amt"),
        price: price.map(|won| KnownPrice { won, as_of: now, stale: false }),
        symbol,
    })
}

/// The cash once all that was traded has settled; none where it is not said.
pub fn cash(answer: &Value) -> Option<Krw> {
    let sums = answer.get("output2").and_then(|sums| sums.as_array().map_or(Some(sums), |list| list.first()));
    won(sums?, "prvs_rcdl_excc_amt")
}

/// Where the next page begins, when the header line `tr_cont` says that there is one.
pub fn next_page(continues: Option<&str>, answer: &Value) -> Option<(String, String)> {
    let more = continues.is_some_and(|more| matches!(more.trim(), "M" | "F"));
    let key = |key| answer.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    more.then(|| (key("ctx_area_fk100"), key("ctx_area_nk100")))
}

/// A day as the broker writes it.
pub fn written(day: NaiveDate) -> String {
    day.format("%Y%m%d").to_string()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn meaning(status: u16, answer: Value) -> KisResponse {
        KisResponse::of(status, answer.to_string().as_bytes())
    }

    #[test]
    fn an_answer_means_that_it_was_done_or_not_or_that_nobody_knows() {
        let sent = json!({"rt_cd": "0", "msg_cd": "APBK0013", "msg1": "주문 전송 완료 되었습니다."});
        assert_eq!(meaning(200, sent.clone()), KisResponse::Good(sent.clone()));
        for (status, code) in [(500, "EGW00201"), (200, "EGW00201")] {
            assert_eq!(meaning(status, json!({"rt_cd": "1", "msg_cd": code})), KisResponse::Busy);
        }
        assert_eq!(meaning(500, json!({"rt_cd": "1", "msg_cd": "EGW00123"})), KisResponse::TokenRefused);
        assert_eq!(meaning(401, json!({"rt_cd": "1", "msg_cd": "EGW00121 "})), KisResponse::TokenRefused);
        for unclear in [
            (500, json!({"rt_cd": "0", "msg_cd": "IGW00009"})),
            (200, json!({"rt_cd": "1", "msg_cd": "", "msg1": ""})),
            (500, json!({"rt_cd": "1", "msg_cd": "XYZ00001"})),
            (500, sent),
        ] {
            assert_eq!(meaning(unclear.0, unclear.1.clone()), KisResponse::Unclear, "{unclear:?}");
        }
        assert_eq!(KisResponse::of(200, b"<html>"), KisResponse::Unclear);
        let refused =
            |status, code: &str| meaning(status, json!({"rt_cd": "7", "msg_cd": code, "msg1": "비밀"})).why_not();
        assert_eq!(refused(200, "APBK0952").unwrap(), "there is not enough cash in the account");
        assert_eq!(refused(200, "APBK1234").unwrap(), "the broker refuses it (code APBK1234)");
        assert_eq!(refused(500, "EGW00203").unwrap(), "the broker refuses it (code EGW00203)");
    }

    #[test]
    fn the_number_of_an_order_is_found_in_both_forms() {
        let output = json!({"KRX_FWDG_ORD_ORGNO": "06010", "ODNO": "0001569157", "ORD_TMD": "101532"});
        let number = Some(("0001569157".to_owned(), "06010".to_owned()));
        assert_eq!(order_number(&json!({"output": output})), number);
        assert_eq!(order_number(&json!({"output": [{"krx_fwdg_ord_orgno": "06010", "odno": "0001569157"}]})), number);
        assert_eq!(order_number(&json!({"output": []})), None);
    }

    #[test]
    fn holdings_are_trimmed_and_what_is_sold_out_is_left_out() {
        let held = json!({"pdno": "005930", "prdt_name": "삼성전자  ", "hldg_qty": "110", "ord_psbl_qty": "100",
            "pchs_avg_pric": "71250.0000", "pchs_amt": "7837500", "prpr": "98600"});
        let answer = json!({"output1": [held, {"pdno": "000660", "hldg_qty": "0"}],
            "output2": [{"prvs_rcdl_excc_amt": "4517400"}]});
        let seen = holdings(&answer, DateTime::UNIX_EPOCH).unwrap();
        assert_eq!(seen.len(), 1);
        assert_eq!((seen[0].name.as_str(), seen[0].quantity, seen[0].available), ("삼성전자", 110, 100));
        assert_eq!((seen[0].avg_price, seen[0].cost), (Krw::new(71_250).unwrap(), Krw::new(7_837_500)));
        assert_eq!(cash(&answer), Krw::new(4_517_400));
        assert_eq!(cash(&json!({"output2": []})), None);
    }

    #[test]
    fn a_balance_that_lacks_what_it_has_to_say_is_not_read() {
        let read = |rows: Value| holdings(&json!({"output1": rows}), DateTime::UNIX_EPOCH);
        for row in [
            json!({}),
            json!({"pdno": "005930"}),
            json!({"pdno": "005930", "hldg_qty": "-10"}),
            json!({"pdno": "005930", "hldg_qty": "1.5"}),
            json!({"hldg_qty": "1"}),
        ] {
            assert!(read(json!([row])).is_none(), "{row}");
        }
        assert!(holdings(&json!({"output2": []}), DateTime::UNIX_EPOCH).is_none());
        let held = read(json!([{"pdno": "005930", "hldg_qty": 10, "ord_psbl_qty": 9999, "prpr": 70000.5}])).unwrap();
        assert_eq!((held[0].quantity, held[0].available, held[0].cost), (10, 10, None));
        assert_eq!(held[0].price.map(|price| price.won), Some(70_001));
    }

    #[test]
    fn there_is_another_page_while_the_header_says_so() {
        let answer = json!({"ctx_area_fk100": "a^b ", "ctx_area_nk100": "n"});
        let next = Some(("a^b ".to_owned(), "n".to_owned()));
        assert_eq!([Some("M"), Some("F ")].map(|line| next_page(line, &answer)), [next.clone(), next]);
        assert_eq!(
            [None, Some("D"), Some("E"), Some("")].map(|line| next_page(line, &answer)),
            [None, None, None, None]
        );
    }
}

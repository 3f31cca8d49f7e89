//! Symbols and markets, as requests name them and as the provider does.

use hanok_base::MessageTemplate;
use hanok_base::money::Currency;
use hanok_base::schema::{BasicType, Components, Object, RefOr, Schema};
use hanok_base::validated::{Constraint, ValidationErrors};
use hanok_calc::exchange::Market;

/// The form of a symbol.
const FORM: &str = r"^[0-9A-Za-z][0-9A-Za-z.\-]{0,15}$";
/// Characters of a symbol at most.
const LONGEST: usize = 16;

const MUST_BE_SYMBOL: MessageTemplate =
    MessageTemplate::new("market.must.symbol", "must be a symbol such as 005930 or AAPL");
const MUST_BE_MARKET: MessageTemplate =
    MessageTemplate::new("market.must.market", "must be KOSPI, KOSDAQ, KONEX, ETF, US or OTHER");

/// A symbol such as `005930` or `BRK.B`, kept in capitals.
#[derive(Debug)]
pub struct Symbol;

impl Constraint for Symbol {
    type Input = String;
    type Value = String;

    fn check(sent: String) -> Result<String, ValidationErrors> {
        let symbol = sent.trim().to_ascii_uppercase();
        let is_letter = |c: u8| c.is_ascii_uppercase() || c.is_ascii_digit();
        let fits = symbol.len() <= LONGEST
            && symbol.bytes().next().is_some_and(is_letter)
            && symbol.bytes().all(|c| is_letter(c) || c == b'.' || c == b'-');
        if fits { Ok(symbol) } else { Err(MUST_BE_SYMBOL.into()) }
    }

    fn schema(_components: &mut Components) -> RefOr<Schema> {
        Object::with_type(BasicType::String).max_length(LONGEST).pattern(FORM).examples(["005930"]).into()
    }
}

/// Where something is listed, by its name.
#[derive(Debug)]
pub struct MarketName;

impl Constraint for MarketName {
    type Input = String;
    type Value = Market;

    fn check(sent: String) -> Result<Market, ValidationErrors> {
        ALL.into_iter().find(|market| code(*market) == sent).ok_or_else(|| MUST_BE_MARKET.into())
    }

    fn schema(_components: &mut Components) -> RefOr<Schema> {
        Object::with_type(BasicType::String).enum_values(ALL.map(code)).into()
    }
}

/// Every market.
const ALL: [Market; 6] = [Market::Kospi, Market::Kosdaq, Market::Konex, Market::Etf, Market::Us, Market::Other];

/// The name of a market in keys, as in JSON.
pub fn code(market: Market) -> &'static str {
    match market {
        Market::Kospi => "KOSPI",
        Market::Kosdaq => "KOSDAQ",
        Market::Konex => "KONEX",
        Market::Etf => "ETF",
        Market::Us => "US",
        Market::Other => "OTHER",
    }
}

/// The market of this name.
pub fn market(code_: &str) -> Option<Market> {
    ALL.into_iter().find(|market| code(*market) == code_)
}

/// The currency of this code.
pub fn currency(code: &str) -> Option<Currency> {
    Currency::ALL.iter().copied().find(|currency| currency.code() == code)
}

/// What something is traded in, for want of better knowledge.
pub fn currency_of(market: Market) -> Currency {
    if market == Market::Us { Currency::USD } else { Currency::KRW }
}

/// Where a symbol that no list knows is traded: letters alone in the United States, a note of the Korean exchange by its `Q`.
pub fn guessed(symbol: &str) -> Market {
    if is_note(symbol) {
        Market::Etf
    } else if symbol.bytes().all(|c| !c.is_ascii_digit()) {
        Market::Us
    } else {
        Market::Other
    }
}

/// What the provider of quotes calls it; none for what it does not have.
pub fn at_provider(market: Market, symbol: &str) -> Option<String> {
    let korean =
        symbol.len() == 6 && symbol.bytes().next().is_some_and(|c| c.is_ascii_digit()) && !symbol.contains(['.', '-']);
    match market {
        Market::Kospi if korean => Some(format!("{symbol}.KS")),
        Market::Kosdaq if korean => Some(format!("{symbol}.KQ")),
        Market::Etf if is_note(symbol) => Some(format!("{}.KS", symbol.trim_start_matches('Q'))),
        // A fund that the shipped list does not know is on the main board.
        Market::Etf | Market::Other if korean => Some(format!("{symbol}.KS")),
        Market::Us => Some(symbol.replace('.', "-")),
        _ => None,
    }
}

/// What the provider calls the won for one of `currency`; none for the won itself.
pub fn rate_at_provider(currency: Currency) -> Option<String> {
    match currency {
        Currency::KRW => None,
        Currency::USD => Some("KRW=X".to_owned()),
        other => Some(format!("{}KRW=X", other.code())),
    }
}

/// A note (ETN) of the Korean exchange: `Q` and six digits.
fn is_note(symbol: &str) -> bool {
    symbol.len() == 7 && symbol.starts_with('Q') && symbol.bytes().skip(1).all(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symbol_is_kept_in_capitals_and_anything_else_is_none() {
        assert_eq!(Symbol::check(" brk.b ".to_owned()).unwrap(), "BRK.B");
        assert_eq!(Symbol::check("0001A0".to_owned()).unwrap(), "0001A0");
        for wrong in ["", ".KS", "삼성전자", "A B", "A/B", "^KS11", "ABCDEFGHIJKLMNOPQ"] {
            assert!(Symbol::check(wrong.to_owned()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn each_market_has_its_name_at_the_provider_and_what_is_not_there_has_none() {
        let at = |market, symbol: &str| at_provider(market, symbol).unwrap_or_default();
        assert_eq!(at(Market::Kospi, "005930"), "005930.KS");
        assert_eq!(at(Market::Kosdaq, "247540"), "247540.KQ");
        assert_eq!(at(Market::Etf, "Q500001"), "500001.KS");
        assert_eq!(at(Market::Other, "069500"), "069500.KS");
        assert_eq!(at(Market::Us, "BRK.B"), "BRK-B");
        assert_eq!(at(Market::Konex, "279060"), "");
        assert_eq!(at(Market::Other, "GOLD"), "");
    }

    #[test]
    fn a_symbol_that_no_list_knows_is_put_where_its_form_says() {
        assert_eq!(guessed("AAPL"), Market::Us);
        assert_eq!(guessed("BRK.B"), Market::Us);
        assert_eq!(guessed("Q500001"), Market::Etf);
        assert_eq!(guessed("069500"), Market::Other);
        assert_eq!(guessed("0001A0"), Market::Other);
    }
}

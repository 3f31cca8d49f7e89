//! What is listed at the Korean exchange, as the program ships it, and how it is found: by code, by name, by initial
//! consonants (`ㅅㅅㅈㅈ`).

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

use super::symbols;
use hanok_base::schema::ToSchema;
use hanok_base::text::{initials, is_initials};
use hanok_calc::exchange::Market;

/// Code, name, market and sector, in the order of the codes.
const SHIPPED: &str = include_str!("../../../../assets/data/krx/listings.csv");

/// Something that is listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Listing {
    /// Its code at the exchange.
    pub symbol: String,
    /// What it is called.
    pub name: String,
    /// Where it is listed.
    pub market: Market,
    /// What its company does; null where the exchange does not say.
    pub sector: Option<String>,
}

/// A line of the shipped list.
#[derive(Deserialize)]
struct Line {
    code: String,
    name: String,
    market: String,
    sector: String,
}

struct Known {
    listing: Listing,
    folded: String,
    initials: String,
}

fn known() -> &'static [Known] {
    static KNOWN: OnceLock<Vec<Known>> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let lines = csv::Reader::from_reader(SHIPPED.as_bytes()).into_deserialize::<Line>();
        lines.filter_map(|line| of_line(line.ok()?)).collect()
    })
}

fn of_line(line: Line) -> Option<Known> {
    let market = symbols::market(&line.market)?;
    let folded = folded(&line.name);
    let sector = Some(line.sector).filter(|sector| !sector.is_empty());
    let initials = initials(&folded);
    Some(Known { listing: Listing { symbol: line.code, name: line.name, market, sector }, folded, initials })
}

/// Wide and narrow, large and small letters are the same; so are spaces and none. Consonants that stand alone stay what
/// they are, which `NFKC` would not leave them.
fn folded(text: &str) -> String {
    text.nfc().map(narrow).filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect()
}

/// A wide letter or sign of Latin as the narrow one.
fn narrow(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        other => other,
    }
}

/// What the shipped list says of `symbol`.
pub fn listing(symbol: &str) -> Option<Listing> {
    let known = known();
    let at = known.binary_search_by(|one| one.listing.symbol.as_str().cmp(symbol)).ok()?;
    known.get(at).map(|one| one.listing.clone())
}

/// Where `symbol` is traded: as the shipped list says, otherwise by its form.
pub fn market_of(symbol: &str) -> Market {
    listing(symbol).map_or_else(|| symbols::guessed(symbol), |listing| listing.market)
}

/// At most `most` listings that `words` mean, the nearest first: by code, by name, by the initial consonants of the name.
pub fn find_listings(words: &str, most: usize) -> Vec<Listing> {
    let asked = folded(words);
    if asked.is_empty() {
        return Vec::new();
    }
    let code = asked.to_uppercase();
    let by_initials = is_initials(&asked);
    let mut found: Vec<(u8, usize, &Known)> = known()
        .iter()
        .filter_map(|one| Some((rank(one, &asked, &code, by_initials)?, one.folded.chars().count(), one)))
        .collect();
    found.sort_by(|one, other| (one.0, one.1, &one.2.folded).cmp(&(other.0, other.1, &other.2.folded)));
    found.into_iter().take(most).map(|(_, _, one)| one.listing.clone()).collect()
}

/// How near a listing is to what was asked for, 0 the nearest.
fn rank(one: &Known, asked: &str, code: &str, by_initials: bool) -> Option<u8> {
    let rules = [
        one.listing.symbol == code || one.folded == asked,
        one.listing.symbol.starts_with(code),
        one.folded.starts_with(asked),
        one.folded.contains(asked),
        by_initials && one.initials.starts_with(asked),
        by_initials && one.initials.contains(asked),
    ];
    rules.iter().position(|holds| *holds).and_then(|at| u8::try_from(at).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(words: &str) -> Vec<String> {
        find_listings(words, 5).into_iter().map(|listing| listing.name).collect()
    }

    #[test]
    fn every_line_of_the_shipped_list_is_read_and_in_order() {
        assert_eq!(known().len(), SHIPPED.lines().count() - 1);
        assert!(known().is_sorted_by(|one, next| one.listing.symbol < next.listing.symbol));
    }

    #[test]
    fn a_listing_is_found_by_code_name_and_initial_consonants() {
        assert_eq!(names("005930"), ["삼성전자"]);
        assert_eq!(names("삼성전자")[..2], ["삼성전자", "삼성전자우"]);
        assert_eq!(names("ㅅㅅㅈㅈ")[0], "삼성전자");
        assert_eq!(names("ｓｋ하이닉스"), ["SK하이닉스"]);
        assert_eq!(names("sk 하이닉스"), ["SK하이닉스"]);
        assert_eq!(names("없는회사이름"), [""; 0]);
        assert_eq!(names(" "), [""; 0]);
    }

    #[test]
    fn a_preferred_share_has_the_sector_of_its_company() {
        let sector = |symbol| listing(symbol).unwrap().sector;
        assert_eq!(sector("005935"), sector("005930"));
        assert_eq!(listing("999999"), None);
        assert_eq!(market_of("247540"), Market::Kosdaq);
        assert_eq!(market_of("AAPL"), Market::Us);
    }
}

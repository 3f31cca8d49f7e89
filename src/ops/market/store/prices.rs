//! Prices and rates as the rooms of the household read and keep them.
//!
//! Table `market_prices-1` holds beside each other what was kept by hand, what the provider said and what came with imported
//! data; `market_rates-1` the same for currencies; `market_watched-1` what the provider is asked for by schedule.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::super::model::age::{is_old_import, is_stale};
use super::super::model::symbols::{at_provider, code, currency, market};
use hanok_base::schema::ToSchema;
use hanok_base::{Amount, Currency, Error, Result};
use hanok_calc::exchange::Market;
use hanok_platform::events::Change;
use hanok_platform::store::{Order, ReadTransaction, Table, WriteTx};
use rust_decimal::Decimal;

/// Prices, rates, indices or news have changed.
pub const CHANGED: Change = Change::new("market");

/// Table: prices. Key: the market and the symbol. Value: what each source says.
pub const PRICES: Table<(&str, &str), Sources> = Table::new("market_prices-1");
/// Table: rates of the currencies in use. Key: the currency. Value: what each source says, in won.
pub const RATES: Table<&str, Sources> = Table::new("market_rates-1");
/// Table: what is asked for by schedule. Key: the market and the symbol.
pub const WATCHED: Table<(&str, &str), Watched> = Table::new("market_watched-1");

/// Where a price came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PriceSource {
    /// Somebody of the household keeps it.
    Manual,
    /// The provider of quotes.
    Provider,
    /// Data that was imported.
    Import,
}

/// A price.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Price {
    /// The symbol, such as `005930`.
    pub symbol: String,
    /// Where it is listed.
    pub market: Market,
    /// What one costs.
    pub price: Amount,
    /// In what.
    pub currency: Currency,
    /// The close of the day before; null where it is not known.
    pub previous_close: Option<Amount>,
    /// When it was traded at that price, or when somebody wrote it down.
    pub as_of: DateTime<Utc>,
    /// Where it came from.
    pub source: PriceSource,
    /// Whether a newer one should be here.
    pub stale: bool,
}

/// A rate of exchange.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Rate {
    /// Of this currency.
    pub currency: Currency,
    /// Won for one of it.
    pub rate: Amount,
    /// When it was that.
    pub as_of: DateTime<Utc>,
    /// Where it came from.
    pub source: PriceSource,
    /// Whether a newer one should be here.
    pub stale: bool,
}

/// What each source says of a price or a rate.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Sources {
    #[serde(default)]
    manual: Option<StatedPrice>,
    #[serde(default)]
    provider: Option<StatedPrice>,
    #[serde(default)]
    import: Option<StatedPrice>,
}

/// What one source says.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StatedPrice {
    /// The price, or the won for one.
    pub price: Amount,
    /// In what.
    pub currency: Currency,
    /// The close of the day before.
    #[serde(default)]
    pub previous_close: Option<Amount>,
    /// When it was traded at that price.
    pub as_of: DateTime<Utc>,
    /// When it was fetched or written down.
    pub at: DateTime<Utc>,
}

/// What is asked for by schedule.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Watched {
    since: DateTime<Utc>,
    /// When it was asked for last.
    #[serde(default)]
    asked_at: Option<DateTime<Utc>>,
    /// When the provider said last that it does not have it.
    #[serde(default)]
    unknown_at: Option<DateTime<Utc>>,
    /// Whether it is asked for only as long as it is held.
    #[serde(default)]
    while_held: bool,
}

/// For how long nobody asks again for what the provider does not have.
const UNKNOWN_FOR: TimeDelta = TimeDelta::days(1);

impl Sources {
    /// What counts: a price kept by hand until it is cleared, then the newer of the other two.
    fn best(self) -> Option<(StatedPrice, PriceSource)> {
        if let Some(manual) = self.manual {
            return Some((manual, PriceSource::Manual));
        }
        match (self.provider, self.import) {
            (Some(provider), Some(import)) if import.as_of > provider.as_of => Some((import, PriceSource::Import)),
            (Some(provider), _) => Some((provider, PriceSource::Provider)),
            (None, import) => import.map(|import| (import, PriceSource::Import)),
        }
    }
}

fn stale(said: &StatedPrice, source: PriceSource, now: DateTime<Utc>) -> bool {
    match source {
        PriceSource::Manual => false,
        PriceSource::Provider => is_stale(said.at, now),
        PriceSource::Import => is_old_import(said.as_of, now),
    }
}

/// The price that counts; none where nobody has said one.
///
/// # Errors
/// Those of the store.
pub fn price(tx: &impl ReadTransaction, market: Market, symbol: &str) -> Result<Option<Price>> {
    let Some((said, source)) = tx.get(&PRICES, (code(market), symbol))?.and_then(Sources::best) else {
        return Ok(None);
    };
    Ok(Some(Price {
        symbol: symbol.to_owned(),
        market,
        price: said.price,
        currency: said.currency,
        previous_close: said.previous_close,
        as_of: said.as_of,
        source,
        stale: stale(&said, source, tx.now()),
    }))
}

/// Keeps a price by hand, which counts until it is cleared.
///
/// # Errors
/// Those of the store.
pub fn set_manual_price(tx: &WriteTx, market: Market, symbol: &str, price: Amount, currency: Currency) -> Result<()> {
    let said = StatedPrice { price, currency, previous_close: None, as_of: tx.now(), at: tx.now() };
    use_currency(tx, currency)?;
    change_price(tx, market, symbol, |sources| sources.manual = Some(said))
}

/// Forgets the price that was kept by hand, if there is one.
///
/// # Errors
/// Those of the store.
pub fn clear_manual_price(tx: &WriteTx, market: Market, symbol: &str) -> Result<()> {
    if !has_manual_price(tx, market, symbol)? {
        return Ok(());
    }
    change_price(tx, market, symbol, |sources| sources.manual = None)
}

/// Whether a price is kept by hand.
pub fn has_manual_price(tx: &impl ReadTransaction, market: Market, symbol: &str) -> Result<bool> {
    Ok(tx.get(&PRICES, (code(market), symbol))?.is_some_and(|sources| sources.manual.is_some()))
}

/// Keeps the close of imported data, in won; an older one than is here already is passed over.
///
/// # Errors
/// Those of the store.
pub fn set_imported_price(
    tx: &WriteTx,
    market: Market,
    symbol: &str,
    close: Amount,
    previous_close: Option<Amount>,
    as_of: DateTime<Utc>,
) -> Result<()> {
    let said = StatedPrice { price: close, currency: Currency::KRW, previous_close, as_of, at: tx.now() };
    change_price(tx, market, symbol, |sources| {
        if sources.import.as_ref().is_none_or(|known| known.as_of <= as_of) {
            sources.import = Some(said);
        }
    })
}

fn change_price(tx: &WriteTx, market: Market, symbol: &str, change: impl FnOnce(&mut Sources)) -> Result<()> {
    let key = (code(market), symbol);
    let mut sources = tx.get(&PRICES, key)?.unwrap_or_default();
    change(&mut sources);
    tx.put(&PRICES, key, &sources)?;
    tx.announce(CHANGED);
    Ok(())
}

/// Asks for it by schedule from now on; of what the provider does not know at all nothing is noted.
///
/// # Errors
/// Those of the store.
pub fn watch(tx: &WriteTx, market: Market, symbol: &str) -> Result<()> {
    ask_for(tx, market, symbol, false)
}

/// The same until [`unwatch`].
///
/// # Errors
/// Those of the store.
pub fn watch_while_held(tx: &WriteTx, market: Market, symbol: &str) -> Result<()> {
    ask_for(tx, market, symbol, true)
}

fn ask_for(tx: &WriteTx, market: Market, symbol: &str, while_held: bool) -> Result<()> {
    let key = (code(market), symbol);
    if at_provider(market, symbol).is_none() {
        return Ok(());
    }
    match tx.get(&WATCHED, key)? {
        Some(there) if there.while_held && !while_held => tx.put(&WATCHED, key, &Watched { while_held, ..there }),
        Some(_) => Ok(()),
        None => tx.put(&WATCHED, key, &Watched { since: tx.now(), asked_at: None, unknown_at: None, while_held }),
    }
}

/// Asks no more for what was asked for while it is held, and by nobody else; its prices stay.
///
/// # Errors
/// Those of the store.
pub fn unwatch(tx: &WriteTx, market: Market, symbol: &str) -> Result<()> {
    let key = (code(market), symbol);
    if tx.get(&WATCHED, key)?.is_some_and(|there| there.while_held) {
        tx.discard(&WATCHED, key)?;
    }
    Ok(())
}

/// At most `most` of what is asked for by schedule, those that wait longest first.
pub fn watched(tx: &impl ReadTransaction, most: usize) -> Result<Vec<(Market, String)>> {
    let mut found = Vec::new();
    for entry in tx.entries(&WATCHED, ("", "").., Order::Ascending) {
        let entry = entry?;
        let (name, symbol) = entry.key();
        let watched = entry.value()?;
        let is_unknown = watched.unknown_at.is_some_and(|at| tx.now() - at < UNKNOWN_FOR);
        if let Some(market) = market(name).filter(|_| !is_unknown) {
            found.push((watched.asked_at, market, symbol.to_owned()));
        }
    }
    found.sort();
    Ok(found.into_iter().take(most).map(|(_, market, symbol)| (market, symbol)).collect())
}

/// Keeps what the provider said of those that it was asked for: whether it does not have it, or what it costs.
pub fn take_from_provider(tx: &WriteTx, asked: Vec<(Market, String, bool, Option<StatedPrice>)>) -> Result<()> {
    tx.quiet();
    for (market, symbol, is_unknown, said) in asked {
        let key = (code(market), symbol.as_str());
        if let Some(watched) = tx.get(&WATCHED, key)? {
            let unknown_at = is_unknown.then(|| tx.now());
            tx.put(&WATCHED, key, &Watched { asked_at: Some(tx.now()), unknown_at, ..watched })?;
        }
        if let Some(said) = said {
            use_currency(tx, said.currency)?;
            change_price(tx, market, &symbol, |sources| sources.provider = Some(said))?;
        }
    }
    Ok(())
}

/// Won for one of `currency`; of the won itself it is 1. None where nobody has said one.
///
/// # Errors
/// Those of the store.
pub fn rate(tx: &impl ReadTransaction, currency: Currency) -> Result<Option<Rate>> {
    if currency == Currency::KRW {
        let one = Amount::new(Decimal::ONE).ok_or_else(|| Error::internal("one is no amount"))?;
        let (as_of, source) = (tx.now(), PriceSource::Manual);
        return Ok(Some(Rate { currency, rate: one, as_of, source, stale: false }));
    }
    let said = tx.get(&RATES, currency.code())?.and_then(Sources::best);
    Ok(said.map(|(said, source)| Rate {
        currency,
        rate: said.price,
        as_of: said.as_of,
        source,
        stale: stale(&said, source, tx.now()),
    }))
}

/// The rates of every currency in use that has one.
pub fn rates(tx: &impl ReadTransaction) -> Result<Vec<Rate>> {
    currencies(tx)?.into_iter().filter_map(|currency| rate(tx, currency).transpose()).collect()
}

/// The currencies in use but the won.
pub fn currencies(tx: &impl ReadTransaction) -> Result<Vec<Currency>> {
    let keys = tx.entries(&RATES, "".., Order::Ascending).map(|entry| entry.map(|entry| currency(entry.key())));
    Ok(keys.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
}

/// Notes that somebody reckons in `currency`.
fn use_currency(tx: &WriteTx, currency: Currency) -> Result<()> {
    if currency == Currency::KRW || tx.contains(&RATES, currency.code())? {
        return Ok(());
    }
    tx.put(&RATES, currency.code(), &Sources::default())
}

/// Keeps a rate by hand, won for one, which counts until it is cleared. Of the won itself none is kept.
///
/// # Errors
/// Those of the store.
pub fn set_manual_rate(tx: &WriteTx, currency: Currency, rate: Amount) -> Result<()> {
    let said =
        StatedPrice { price: rate, currency: Currency::KRW, previous_close: None, as_of: tx.now(), at: tx.now() };
    change_rate(tx, currency, |sources| sources.manual = Some(said))
}

/// Forgets the rate that was kept by hand, if there is one.
///
/// # Errors
/// Those of the store.
pub fn clear_manual_rate(tx: &WriteTx, currency: Currency) -> Result<()> {
    if !has_manual_rate(tx, currency)? {
        return Ok(());
    }
    change_rate(tx, currency, |sources| sources.manual = None)
}

/// Whether a rate is kept by hand.
pub fn has_manual_rate(tx: &impl ReadTransaction, currency: Currency) -> Result<bool> {
    Ok(tx.get(&RATES, currency.code())?.is_some_and(|sources| sources.manual.is_some()))
}

/// Keeps what the provider said of a rate.
pub fn set_provider_rate(tx: &WriteTx, currency: Currency, said: StatedPrice) -> Result<()> {
    change_rate(tx, currency, |sources| sources.provider = Some(said))
}

fn change_rate(tx: &WriteTx, currency: Currency, change: impl FnOnce(&mut Sources)) -> Result<()> {
    if currency == Currency::KRW {
        return Ok(());
    }
    let mut sources = tx.get(&RATES, currency.code())?.unwrap_or_default();
    change(&mut sources);
    tx.put(&RATES, currency.code(), &sources)?;
    tx.announce(CHANGED);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(price: &str, as_of: &str) -> Option<StatedPrice> {
        let (price, as_of) = (price.parse().unwrap(), as_of.parse().unwrap());
        Some(StatedPrice { price, currency: Currency::KRW, previous_close: None, as_of, at: as_of })
    }

    #[test]
    fn a_price_by_hand_counts_first_and_then_the_newer_of_the_other_two() {
        let (friday, monday) = ("2026-10-09T06:30:00Z", "2026-10-12T06:30:00Z");
        let best = |manual, provider, import| {
            Sources { manual, provider, import }.best().map(|(said, source)| (said.price.to_string(), source))
        };
        let is = |price: &str, source| Some((price.to_owned(), source));
        let [manual, provider, import] = [said("1", friday), said("2", friday), said("3", monday)];
        assert_eq!(best(manual, provider.clone(), import.clone()), is("1", PriceSource::Manual));
        assert_eq!(best(None, provider.clone(), import.clone()), is("3", PriceSource::Import));
        assert_eq!(best(None, said("2", monday), import), is("2", PriceSource::Provider));
        assert_eq!(best(None, provider, said("3", friday)), is("2", PriceSource::Provider));
        assert_eq!(best(None, None, None), None);
    }
}

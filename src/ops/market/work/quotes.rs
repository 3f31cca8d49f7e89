//! The client of the provider of quotes: one chart for each symbol, the last good one kept.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use rust_decimal::{Decimal, RoundingStrategy};
use tracing::warn;

use super::super::model::quote::{self, Quote};
use super::super::model::symbols::{at_provider, currency, rate_at_provider};
use super::super::store::prices::{self, StatedPrice};
use super::settings::MarketSettings;
use hanok_base::{Amount, Currency, Error, Result};
use hanok_calc::exchange::Market;
use hanok_platform::app::App;
use hanok_platform::upstream::{AnswerSet, LastGood, Limits, Provider, ProviderCondition, UpstreamResponse};

/// Who knows indices, prices and rates.
pub const QUOTES: Provider = Provider {
    name: "market_quotes",
    title_ko: "시세 제공처",
    title_en: "The provider of quotes",
    setting: "market.quotes",
};

/// What of a symbol is written otherwise in an address.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'.').remove(b'-');

/// Decimals that are kept of a price and of a rate of exchange.
const DECIMALS: u32 = 6;

/// One chart for each symbol of the provider.
static CHARTS: AnswerSet = AnswerSet {
    name: "market_charts",
    provider: &QUOTES,
    fresh_for: TimeDelta::minutes(5),
    pause: TimeDelta::minutes(5),
    kept_for: TimeDelta::days(7),
    most: 400,
    check: |answer: &UpstreamResponse| quote::read(&answer.body).map(drop),
};

/// What one asks for with: the time limit, and who it is that asks.
pub fn limits(settings: &MarketSettings) -> Limits {
    let headers = match settings.user_agent.as_str() {
        "" => Vec::new(),
        own => vec![("User-Agent", own.to_owned())],
    };
    Limits { headers, ..Limits::json(Duration::from_secs(settings.timeout_seconds)) }
}

/// The chart of one day of a symbol as the provider calls it.
///
/// # Errors
/// `NOT_CONFIGURED` while nobody is asked; those of [`last_good`](hanok_platform::upstream::Upstreams::last_good).
pub async fn chart(app: &App, symbol: &str) -> Result<LastGood> {
    let settings = app.config.section::<MarketSettings>();
    if !settings.sync {
        return Err(Error::not_configured("market.sync"));
    }
    let path = utf8_percent_encode(symbol, ESCAPED);
    // One day: of a longer one the close before the chart is older than the day before.
    let url = format!("{}/v8/finance/chart/{path}?range=1d&interval=1d", settings.quotes);
    app.outside.upstream.last_good(&CHARTS, symbol, &url, limits(&settings)).await
}

/// What the chart of a symbol says, and the answer that it is from.
///
/// # Errors
/// Those of [`chart`]; `INTERNAL` where the chart is of another symbol.
pub async fn quoted(app: &App, symbol: &str) -> Result<(Quote, LastGood)> {
    let good = chart(app, symbol).await?;
    let quote = quote::read_of(good.body.as_bytes(), symbol).map_err(|what| {
        warn!(provider = QUOTES.name, symbol, "an answer is unreadable: {what}");
        Error::internal(what)
    });
    Ok((quote?, good))
}

/// Asks for these prices, and for the rates of the currencies in use; a failure leaves what is there. When the provider asks
/// for fewer requests the rest is left for another time.
///
/// # Errors
/// Those of the store.
pub async fn refresh(app: &App, wanted: Vec<(Market, String)>) -> Result<()> {
    if !app.config.section::<MarketSettings>().sync {
        return Ok(());
    }
    let (mut asked, mut busy) = (Vec::new(), false);
    for (market, symbol) in wanted {
        let Some(name) = at_provider(market, &symbol) else { continue };
        let told = quoted(app, &name).await;
        let unknown = told.as_ref().is_err_and(is_unknown);
        let said = told.ok().filter(|(_, good)| !good.stale).and_then(price_of);
        busy = said.is_none() && is_busy(app);
        asked.push((market, symbol, unknown, said));
        if busy {
            break;
        }
    }
    app.data.store.write(move |tx| prices::take_from_provider(tx, asked)).await?;
    if busy { Ok(()) } else { refresh_rates(app).await }
}

/// Asks for the rates of the currencies in use.
///
/// # Errors
/// Those of the store.
pub async fn refresh_rates(app: &App) -> Result<()> {
    let mut rates = Vec::new();
    for currency in app.data.store.read(|tx| prices::currencies(tx)).await? {
        let Some(name) = rate_at_provider(currency) else { continue };
        let told = quoted(app, &name).await;
        match told.ok().filter(|(_, good)| !good.stale).and_then(rate_of) {
            Some(said) => rates.push((currency, said)),
            None if is_busy(app) => break,
            None => {}
        }
    }
    if rates.is_empty() {
        return Ok(());
    }
    let write = move |tx: &hanok_platform::store::WriteTx| {
        tx.quiet();
        rates.into_iter().try_for_each(|(currency, said)| prices::set_provider_rate(tx, currency, said))
    };
    app.data.store.write(write).await
}

/// A price of the house; none in a currency that it does not know, and none that is not above zero.
fn price_of((quote, good): (Quote, LastGood)) -> Option<StatedPrice> {
    let price = kept(quote.exact).filter(|price| price.get() > Decimal::ZERO)?;
    Some(StatedPrice {
        price,
        currency: currency(quote.currency.as_deref()?)?,
        previous_close: quote.previous_close.and_then(kept),
        as_of: as_of(&quote, &good),
        at: good.as_of,
    })
}

fn rate_of((quote, good): (Quote, LastGood)) -> Option<StatedPrice> {
    let price = kept(quote.exact).filter(|rate| rate.get() > Decimal::ZERO)?;
    let as_of = as_of(&quote, &good);
    Some(StatedPrice { price, currency: Currency::KRW, previous_close: None, as_of, at: good.as_of })
}

/// The number of the provider with the decimals that are kept.
fn kept(exact: Decimal) -> Option<Amount> {
    Amount::new(exact.round_dp_with_strategy(DECIMALS, RoundingStrategy::MidpointAwayFromZero))
}

/// When it was traded, which is not after the answer.
fn as_of(quote: &Quote, good: &LastGood) -> DateTime<Utc> {
    quote.as_of.unwrap_or(good.as_of).min(good.as_of)
}

/// Whether the provider does not have it: asking again soon is in vain.
fn is_unknown(error: &Error) -> bool {
    error.message.text().ends_with("status 404")
}

/// Whether the provider asks for fewer requests, or is left alone.
fn is_busy(app: &App) -> bool {
    let report = app.outside.upstream.report();
    report.iter().any(|provider| {
        let asks_for_fewer = provider.failure_localized.as_ref().is_some_and(|said| said.key == "house.upstream.fewer");
        provider.name == QUOTES.name && (provider.state == ProviderCondition::Open || asks_for_fewer)
    })
}

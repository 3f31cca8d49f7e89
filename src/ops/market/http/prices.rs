//! Prices and rates, as they count and as they are kept by hand.

use salvo::Writer;
use salvo::oapi::endpoint;
use serde::Serialize;

use super::super::model::symbols::{self, MarketName, Symbol, currency_of};
use super::super::store::prices::{self, Price, Rate};
use hanok_base::schema::ToSchema;
use hanok_base::{Amount, Currency, Error, PositiveAmount, Request, Result, Validated};
use hanok_calc::exchange::Market;
use hanok_platform::app::App;
use hanok_platform::http::{Checked, Deleted, HandlerResult, Household, Json, Key};

/// A price that is kept by hand.
#[derive(Debug, Request)]
pub struct NewPrice {
    /// What one costs.
    #[field(PositiveAmount)]
    pub price: Amount,
    /// In what; left out it is that of the market.
    pub currency: Option<Currency>,
}

/// A rate that is kept by hand.
#[derive(Debug, Request)]
pub struct NewRate {
    /// Won for one.
    #[field(PositiveAmount)]
    pub rate: Amount,
}

/// Rates of exchange.
#[derive(Debug, Serialize, ToSchema)]
pub struct Rates {
    /// Of every currency in use that has one, in the order of their codes.
    pub rates: Vec<Rate>,
}

/// The price that counts.
#[endpoint(operation_id = "stock_price", tags("market"))]
pub async fn find(app: App, _caller: Household, market: Key, symbol: Key) -> HandlerResult<Json<Price>> {
    let (market, symbol) = named(market, symbol)?;
    let found = app.data.store.read_inline(move |tx| prices::price(tx, market, &symbol)).await?;
    Ok(Json(found.ok_or_else(|| Error::not_found("price"))?))
}

/// Keeps a price by hand, which counts until it is cleared.
#[endpoint(operation_id = "stock_price_keep", tags("market"))]
pub async fn keep(
    app: App,
    _caller: Household,
    market: Key,
    symbol: Key,
    new: Checked<NewPrice>,
) -> HandlerResult<Json<Price>> {
    let (market, symbol) = named(market, symbol)?;
    let NewPrice { price, currency } = new.0;
    let kept = app.data.store.write(move |tx| {
        prices::set_manual_price(tx, market, &symbol, price, currency.unwrap_or(currency_of(market)))?;
        prices::price(tx, market, &symbol)?.ok_or_else(|| Error::not_found("price"))
    });
    Ok(Json(kept.await?))
}

/// Forgets the price that was kept by hand.
#[endpoint(operation_id = "stock_price_clear", tags("market"))]
pub async fn clear(app: App, _caller: Household, market: Key, symbol: Key) -> HandlerResult<Deleted> {
    let (market, symbol) = named(market, symbol)?;
    let cleared = app.data.store.write(move |tx| {
        if !prices::has_manual_price(tx, market, &symbol)? {
            return Err(Error::not_found("price"));
        }
        prices::clear_manual_price(tx, market, &symbol)
    });
    cleared.await?;
    Ok(Deleted::default())
}

/// The rates of the currencies in use.
#[endpoint(operation_id = "stock_rates", tags("market"))]
pub async fn rates(app: App, _caller: Household) -> HandlerResult<Json<Rates>> {
    Ok(Json(Rates { rates: app.data.store.read_inline(|tx| prices::rates(tx)).await? }))
}

/// Keeps a rate by hand, which counts until it is cleared.
#[endpoint(operation_id = "stock_rate_keep", tags("market"))]
pub async fn keep_rate(
    app: App,
    _caller: Household,
    currency: Key,
    new: Checked<NewRate>,
) -> HandlerResult<Json<Rate>> {
    let currency = foreign(&currency)?;
    let kept = app.data.store.write(move |tx| {
        prices::set_manual_rate(tx, currency, new.0.rate)?;
        prices::rate(tx, currency)?.ok_or_else(|| Error::not_found("rate"))
    });
    Ok(Json(kept.await?))
}

/// Forgets the rate that was kept by hand.
#[endpoint(operation_id = "stock_rate_clear", tags("market"))]
pub async fn clear_rate(app: App, _caller: Household, currency: Key) -> HandlerResult<Deleted> {
    let currency = foreign(&currency)?;
    let cleared = app.data.store.write(move |tx| {
        if !prices::has_manual_rate(tx, currency)? {
            return Err(Error::not_found("rate"));
        }
        prices::clear_manual_rate(tx, currency)
    });
    cleared.await?;
    Ok(Deleted::default())
}

/// The market and the symbol of an address; what cannot be one is not there.
fn named(market: Key, symbol: Key) -> Result<(Market, String)> {
    let market = Validated::<MarketName>::of(market.0).checked().ok();
    let symbol = Validated::<Symbol>::of(symbol.0).checked().ok();
    market.zip(symbol).ok_or_else(|| Error::not_found("symbol"))
}

/// The currency of an address; the won has no rate.
fn foreign(currency: &Key) -> Result<Currency> {
    let known = symbols::currency(&currency.0).filter(|known| *known != Currency::KRW);
    known.ok_or_else(|| Error::not_found("currency"))
}

//! Indices, their closes, and what is listed.

use salvo::Writer;
use salvo::oapi::endpoint;
use serde::Serialize;

use super::super::model::listings::Listing;
use super::super::store::indices::{self, Close, IndexQuote};
use super::super::work;
use hanok_base::page::Limit;
use hanok_base::schema::ToSchema;
use hanok_base::text::Text;
use hanok_base::validated::IntRange;
use hanok_base::{Error, Request};
use hanok_platform::app::App;
use hanok_platform::http::{CheckedQuery, HandlerResult, Household, Json, Key};

/// The indices.
#[derive(Debug, Serialize, ToSchema)]
pub struct Indices {
    /// In the order of their page.
    pub indices: Vec<IndexQuote>,
    /// The symbols of those of which nothing is known.
    pub missing: Vec<String>,
}

/// The closes of an index.
#[derive(Debug, Serialize, ToSchema)]
pub struct History {
    /// Its symbol.
    pub symbol: String,
    /// What it is called.
    pub name: String,
    /// Oldest first.
    pub closes: Vec<Close>,
}

/// How far back.
#[derive(Debug, Request)]
#[request(query)]
pub struct HistoryWanted {
    /// How many closes; left out it is 250.
    #[field(IntRange<1, 1500>)]
    pub days: Option<usize>,
}

/// What to look for.
#[derive(Debug, Request)]
#[request(query)]
pub struct ListingsWanted {
    /// A code, a name or its initial consonants, or their beginning.
    #[field(Text<1, 50>)]
    pub q: String,
    /// How many; left out it is 10.
    #[field(Limit)]
    pub limit: Option<usize>,
}

/// What is listed.
#[derive(Debug, Serialize, ToSchema)]
pub struct Listings {
    /// The nearest first.
    pub symbols: Vec<Listing>,
}

/// The indices with their change since the day before. Without a provider those of the Korean exchange are the last that
/// ship with the program.
#[endpoint(operation_id = "stock_indices", tags("market"))]
pub async fn list_indices(app: App, _caller: Household) -> HandlerResult<Json<Indices>> {
    let (indices, missing) = work::indices::current(&app).await?;
    Ok(Json(Indices { indices, missing }))
}

/// The closes of an index by its code, such as `KOSPI`.
#[endpoint(operation_id = "stock_index_history", tags("market"))]
pub async fn history(
    app: App,
    _caller: Household,
    index: Key,
    wanted: CheckedQuery<HistoryWanted>,
) -> HandlerResult<Json<History>> {
    let known = indices::find(&index.0).ok_or_else(|| Error::not_found("index"))?;
    let most = wanted.0.days.unwrap_or(250);
    let closes = app.data.store.read(move |tx| indices::history(tx, known, most)).await?;
    Ok(Json(History { symbol: known.symbol.to_owned(), name: known.name.to_owned(), closes }))
}

/// Symbols of the Korean exchange by code, name or initial consonants, from the shipped list.
#[endpoint(operation_id = "stock_symbols", tags("market"))]
pub async fn find_symbols(_caller: Household, wanted: CheckedQuery<ListingsWanted>) -> HandlerResult<Json<Listings>> {
    let ListingsWanted { q, limit } = wanted.0;
    let symbols = work::find_listings(q, limit.unwrap_or(10)).await?;
    Ok(Json(Listings { symbols }))
}

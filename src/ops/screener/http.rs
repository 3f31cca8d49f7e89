//! The routes of the screener.

use chrono::NaiveDate;
use salvo::Writer;
use salvo::oapi::endpoint;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::model::chart::Chart;
use super::model::described::{self, NodeList};
use super::model::runs::{Run, RunWithResults};
use super::model::settings::{Settings, SettingsChanges};
use super::store::{self, ImportOutcome, bars, runs};
use super::work::{import, refresh, screening};
use hanok_base::page::Paged;
use hanok_base::schema::ToSchema;
use hanok_base::text::Line;
use hanok_base::validated::IntRange;
use hanok_base::{Error, Request, Result};
use hanok_platform::app::App;
use hanok_platform::http::{
    Checked, CheckedOrEmpty, CheckedQuery, Created, Deleted, FileBody, FileKind, HandlerResult, Household, Id,
    IdempotencyKey, Json, Key, Paging, Query, tx_op,
};
use hanok_platform::store::{ReadTransaction, WriteTx};

/// What is screened by, and what there is to screen.
#[derive(Debug, Serialize, ToSchema)]
pub struct SavedSettings {
    /// What is screened by.
    pub settings: Settings,
    /// The newest day of the data; null before there are any.
    pub data_day: Option<NaiveDate>,
    /// How many stocks it has.
    pub symbols: u64,
    /// Whether the companies are made up.
    pub is_demo: bool,
}

/// Data that came in.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct Snapshot {
    /// Always true.
    pub ok: bool,
    /// The newest day of the data.
    pub data_day: Option<NaiveDate>,
    /// How many stocks it has.
    pub symbols: u64,
    /// How many stocks have changed by it; 0 where the house knew all of it.
    pub changed: u64,
    /// Whether the companies are made up.
    pub is_demo: bool,
}

/// A table of the exchange, as CSV or packed by gzip.
#[derive(Debug)]
pub enum TableFile {}

impl FileKind for TableFile {
    const TYPE: &'static str = "application/octet-stream";
}

/// What the table is called.
#[derive(Debug, Request)]
#[request(query)]
pub struct TableQuery {
    /// The name of the file, which says its day where the table has no column `Date`: `2026-03-18.csv.gz`.
    #[field(Line<0, 200>, default)]
    pub name: String,
}

/// What became of a table.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportedTable {
    /// How many days it has.
    pub days: u64,
    /// How many rows.
    pub rows: u64,
    /// How many rows cannot be right and were left out.
    pub refused: u64,
    /// The first of them, in English, for whoever made the table.
    pub refused_rows: Vec<String>,
    /// How many stocks have changed by it; 0 where the house knew all of it.
    pub changed: u64,
    /// The newest day of the data.
    pub data_day: Option<NaiveDate>,
    /// How many stocks it has.
    pub symbols: u64,
}

/// Of which stock.
#[derive(Debug, Request)]
#[request(query)]
pub struct RunQuery {
    /// The code of a stock: it alone stands in the results, wherever it is in the run.
    #[field(Line<1, 16>)]
    pub symbol: Option<String>,
}

/// How many bars.
#[derive(Debug, Request)]
#[request(query)]
pub struct ChartQuery {
    /// How many of the newest; left out it is 250.
    #[field(IntRange<1, 500>)]
    pub days: Option<usize>,
}

/// The id of a run that was made.
#[derive(Debug, Serialize, Deserialize)]
struct Made {
    id: u64,
}

/// Every rule with its parameters.
#[endpoint(operation_id = "screener_nodes", tags("screener"))]
pub async fn list_nodes(_caller: Household) -> HandlerResult<Json<NodeList>> {
    Ok(Json(described::all()))
}

/// What is screened by.
#[endpoint(operation_id = "screener_settings", tags("screener"))]
pub async fn show_settings(app: App, _caller: Household) -> HandlerResult<Json<SavedSettings>> {
    Ok(Json(app.data.store.read_inline(|tx| saved(tx, runs::settings(tx)?)).await?))
}

/// Saves the fields that are sent.
#[endpoint(operation_id = "screener_settings_change", tags("screener"))]
pub async fn change_settings(
    app: App,
    _caller: Household,
    changes: Checked<SettingsChanges>,
) -> HandlerResult<Json<SavedSettings>> {
    let write = move |tx: &WriteTx| saved(tx, runs::change_settings(tx, changes.0)?);
    Ok(Json(app.data.store.write(write).await?))
}

fn saved(tx: &impl ReadTransaction, settings: Settings) -> Result<SavedSettings> {
    let bars::Extent { data_day, symbols, is_demo, .. } = bars::extent(tx)?;
    Ok(SavedSettings { settings, data_day, symbols, is_demo })
}

/// Screens all stocks; what is left out of the settings is as it is saved.
#[endpoint(operation_id = "screener_run", tags("screener"))]
pub async fn make_run(
    app: App,
    caller: Household,
    key: IdempotencyKey,
    changes: CheckedOrEmpty<SettingsChanges>,
) -> HandlerResult<Created<RunWithResults>> {
    let Made { id } = key
        .once(&app, &caller, move |app| async move {
            let new = screening::run(&app, changes.0).await?;
            Ok(move |tx: &WriteTx| Ok(Made { id: runs::add(tx, new)?.id }))
        })
        .await?;
    Ok(Created(app.data.store.read(move |tx| runs::find(tx, id, None)).await?))
}

/// The runs, newest first, without their results; the newest 100 are kept.
#[endpoint(operation_id = "screener_runs", tags("screener"))]
pub async fn list_runs(app: App, _caller: Household, paging: Query<Paging<30>>) -> HandlerResult<Json<Paged<Run>>> {
    let page = paging.0.page()?;
    Ok(Json(app.data.store.page(page, move |tx| runs::list(tx, page)).await?.into()))
}

/// One run.
#[endpoint(operation_id = "screener_run_show", tags("screener"))]
pub async fn show_run(
    app: App,
    _caller: Household,
    id: Id,
    query: CheckedQuery<RunQuery>,
) -> HandlerResult<Json<RunWithResults>> {
    let symbol = query.0.symbol;
    Ok(Json(app.data.store.read(move |tx| runs::find(tx, id.0, symbol.as_deref())).await?))
}

/// Removes a run.
#[endpoint(operation_id = "screener_run_remove", tags("screener"))]
pub async fn remove_run(app: App, _caller: Household, id: Id) -> HandlerResult<Deleted> {
    app.data.store.write(move |tx| runs::remove(tx, id.0)).await?;
    Ok(Deleted::default())
}

/// Fetches the newest day of all stocks from the exchange. A day that is here already changes nothing. Takes no Idempotency-Key
/// for that reason.
#[endpoint(operation_id = "screener_refresh", tags("screener"))]
pub async fn refresh_snapshot(app: App, _caller: Household) -> HandlerResult<Json<Snapshot>> {
    Ok(Json(snapshot(refresh::refresh(&app).await?, false)))
}

/// Takes a table of the exchange in the columns of marcap, a year or a day; a demo gives way to it. The same table can be
/// brought again, and changes nothing. Takes no Idempotency-Key for that reason.
#[endpoint(operation_id = "screener_import", tags("screener"))]
pub async fn import_table(
    app: App,
    _caller: Household,
    query: CheckedQuery<TableQuery>,
    mut file: FileBody<TableFile>,
) -> HandlerResult<Json<ImportedTable>> {
    let mut table = import::begin(&app, file.body.announced).await?;
    while let Some(piece) = file.body.piece().await? {
        table = table.write(piece).await?;
    }
    let taken = import::imported(&app, query.0.name, table).await?;
    let ImportOutcome { days, rows, refused, refused_rows, changed, data_day, symbols } = taken;
    Ok(Json(ImportedTable { days, rows, refused, refused_rows, changed, data_day, symbols }))
}

/// Makes companies up to try the screener with; an import takes their place.
#[endpoint(operation_id = "screener_demo", tags("screener"))]
pub async fn make_demo(app: App, caller: Household, key: IdempotencyKey) -> HandlerResult<Created<Snapshot>> {
    let write = tx_op(|tx| Ok(snapshot(import::make_demo(tx)?, true)));
    Ok(Created(key.once(&app, &caller, write).await?))
}

/// Removes the made-up companies.
#[endpoint(operation_id = "screener_demo_remove", tags("screener"))]
pub async fn remove_demo(app: App, _caller: Household) -> HandlerResult<Deleted> {
    app.data.store.write(store::remove_demo).await?;
    Ok(Deleted::default())
}

/// Removes all bars, imported, fetched or made up. Runs stay, and so do the prices that the other pages have got from an import
/// until newer ones come.
#[endpoint(operation_id = "screener_data_remove", tags("screener"))]
pub async fn remove_data(app: App, _caller: Household) -> HandlerResult<Deleted> {
    app.data.store.write(store::remove_all).await?;
    Ok(Deleted::default())
}

/// The bars of a stock, adjusted for splits, with its indicators.
#[endpoint(operation_id = "screener_bars", tags("screener"))]
pub async fn show_bars(
    app: App,
    _caller: Household,
    symbol: Key,
    query: CheckedQuery<ChartQuery>,
) -> HandlerResult<Json<Chart>> {
    /// A year of trading days, nearly.
    const USUAL: usize = 250;
    let symbol = symbol.0.to_ascii_uppercase();
    if symbol.len() > 16 {
        return Err(Error::not_found("stock").into());
    }
    Ok(Json(screening::chart(&app, symbol, query.0.days.unwrap_or(USUAL)).await?))
}

fn snapshot(taken: ImportOutcome, is_demo: bool) -> Snapshot {
    let ImportOutcome { data_day, symbols, changed, .. } = taken;
    Snapshot { ok: true, data_day, symbols, changed, is_demo }
}

/// What settings may be, by an example.
pub fn document_rules() -> Value {
    let example = json!({
        "name": "골든크로스",
        "nodes": [{"node": "ma_cross", "parameters": {"fast": 5, "slow": 20}, "enabled": true}],
        "limit": 50,
    });
    json!({"screener.SettingsChanges": {"examples": [example]}})
}

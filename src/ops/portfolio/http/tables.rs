//! Items to and from a table for spreadsheets: first what would be written, then writing it.

use chrono::{DateTime, Utc};
use salvo::Writer;
use salvo::oapi::endpoint;
use serde::{Deserialize, Serialize};

use super::super::model::{ReadRow, ReadTable, RefusedRow, TABLE_TOO_LARGE};
use super::super::store::imports;
use super::super::work;
use hanok_base::schema::ToSchema;
use hanok_base::validated::Unchecked;
use hanok_base::{Error, Kind, Language, Request, Result};
use hanok_platform::app::App;
use hanok_platform::http::{
    CheckedQuery, FileBody, FileKind, HandlerResult, Household, IdempotencyKey, Json, Streamed, tx_op,
};

/// The largest table that is read, in bytes: a thousand rows take a tenth of it.
const MOST_BYTES: usize = 2 << 20;

/// A table for spreadsheets.
#[derive(Debug)]
pub enum Csv {}

impl FileKind for Csv {
    const TYPE: &'static str = "text/csv; charset=utf-8";
}

/// How the table is written.
#[derive(Debug, Request)]
#[request(query)]
pub struct TableQuery {
    /// In which language the columns are named; left out it is Korean.
    #[field(Unchecked<Language>, default)]
    pub language: Language,
}

/// What a table says. Nothing has been written.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemsPreview {
    /// Its rows that are items.
    pub rows: Vec<PreviewRow>,
    /// How many of these are not there yet and would be added.
    pub count: u64,
    /// How many of these are there already and would be left out.
    pub duplicates: u64,
    /// The rows that are refused: as long as there are any, nothing is imported.
    pub refused: Vec<RefusedRow>,
    /// When the import was made that can be undone; null without any.
    pub last_import_at: Option<DateTime<Utc>>,
}

/// A row that is an item.
#[derive(Debug, Serialize, ToSchema)]
pub struct PreviewRow {
    /// What it says.
    #[serde(flatten)]
    pub item: ReadRow,
    /// Whether it is there already: as many rows as there are items of the same broker, symbol, market, currency, quantity and
    /// price.
    pub duplicate: bool,
}

/// What became of a table.
#[derive(Debug, Serialize, ToSchema)]
pub struct ItemsImported {
    /// Always true.
    pub ok: bool,
    /// How many items were added.
    pub added: u64,
    /// How many were there already and were left out.
    pub duplicates: u64,
}

/// What was undone.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ImportUndone {
    /// Always true.
    pub ok: bool,
    /// How many items went.
    pub removed: u64,
}

async fn read(mut file: FileBody<Csv>) -> Result<ReadTable> {
    let too_large = || Error::new(Kind::TooLarge, TABLE_TOO_LARGE.with([("bytes", MOST_BYTES.into())]));
    if file.body.announced.is_some_and(|bytes| bytes > MOST_BYTES as u64) {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    while let Some(piece) = file.body.piece().await? {
        if bytes.len() + piece.len() > MOST_BYTES {
            return Err(too_large());
        }
        bytes.extend_from_slice(&piece);
    }
    work::read_items(bytes).await
}

/// What a table of items says: every row that is refused, with why, and what is there already. The body is the file itself, in
/// UTF-8 or CP949. Takes no Idempotency-Key: nothing is written.
#[endpoint(operation_id = "portfolio_import_preview", tags("portfolio"))]
pub async fn preview(app: App, _caller: Household, file: FileBody<Csv>) -> HandlerResult<Json<ItemsPreview>> {
    let table = read(file).await?;
    let (planned, last) = app.data.store.read(move |tx| Ok((imports::plan(tx, table)?, imports::last(tx)?))).await?;
    let duplicates = planned.rows.iter().filter(|(_, is_there)| *is_there).count() as u64;
    let count = planned.rows.len() as u64 - duplicates;
    let rows = planned.rows.into_iter().map(|(item, duplicate)| PreviewRow { item, duplicate }).collect();
    let last_import_at = last.map(|last| last.at);
    Ok(Json(ItemsPreview { rows, count, duplicates, refused: planned.refused, last_import_at }))
}

/// Adds the items of a table, all of them or none. What is there already is left out, so that the same file can be imported
/// again. Takes no Idempotency-Key for that reason.
#[endpoint(operation_id = "portfolio_import", tags("portfolio"))]
pub async fn import(app: App, _caller: Household, file: FileBody<Csv>) -> HandlerResult<Json<ItemsImported>> {
    let table = read(file).await?;
    let (added, duplicates) = app.data.store.write(move |tx| imports::import(tx, table)).await?;
    Ok(Json(ItemsImported { ok: true, added, duplicates }))
}

/// Undoes the last import, as long as nothing of it was changed.
#[endpoint(operation_id = "portfolio_import_undo", tags("portfolio"))]
pub async fn undo(app: App, caller: Household, key: IdempotencyKey) -> HandlerResult<Json<ImportUndone>> {
    let taken_back = tx_op(|tx| Ok(ImportUndone { ok: true, removed: imports::undo(tx)? }));
    Ok(Json(key.once(&app, &caller, taken_back).await?))
}

/// The items as a table: RFC 4180, with the mark by which Excel knows Unicode.
#[endpoint(operation_id = "portfolio_export", tags("portfolio"))]
pub async fn export(app: App, _caller: Household, how: CheckedQuery<TableQuery>) -> HandlerResult<Streamed<Csv>> {
    let (name, text) = work::exported(&app, how.0.language).await?;
    let bytes = text.into_bytes();
    Ok(Streamed::kept(&name, bytes.len() as u64, bytes.clone(), std::iter::once(Ok(bytes))))
}

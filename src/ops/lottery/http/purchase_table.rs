//! Purchases to and from a table for spreadsheets: first what would be written, then writing it.

use std::sync::Arc;

use salvo::Writer;
use salvo::oapi::{ToParameters, endpoint};
use serde::{Deserialize, Serialize};

use super::super::model::{MOST_CHARACTERS, OfRepeated, RefusedLine, TableLine};
use super::super::work::begin_import as begin;
use super::super::work::purchase_table as work;
use hanok_base::error::Check;
use hanok_base::schema::ToSchema;
use hanok_base::text::Text;
use hanok_base::validated::Unchecked;
use hanok_base::{Language, Validated};
use hanok_platform::app::App;
use hanok_platform::http::{Accepted, Body, HandlerResult, Household, IdempotencyKey, Json, Query, TaskBegun};
use hanok_platform::store::WriteTx;

/// How the table is written.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct HowWritten {
    /// In which language the columns are named; left out it is Korean.
    pub language: Option<Validated<Unchecked<Language>>>,
}

/// The purchases as a table.
#[derive(Debug, Serialize, ToSchema)]
pub struct PurchaseTable {
    /// A name for the file.
    pub name: String,
    /// The table: RFC 4180, with the mark by which Excel knows Unicode.
    pub text: String,
}

/// A table as it stands in a file, the whole of it.
pub type TableText = Text<1, MOST_CHARACTERS>;

/// A table of purchases to be looked at.
#[derive(Debug, Deserialize, ToSchema)]
pub struct TableToRead {
    /// The table.
    pub text: Validated<TableText>,
}

/// A table of purchases to be written down.
#[derive(Debug, Deserialize, ToSchema)]
pub struct TableToImport {
    /// The table.
    pub text: Validated<TableText>,
    /// What becomes of lines that say the same as a purchase or as a line before them; to be said when there are any.
    #[serde(default)]
    pub repeated: Option<Validated<Unchecked<Repeated>>>,
}

/// What becomes of what says the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Repeated {
    /// It is written down all the same, but for tickets that are there already.
    Add,
    /// It is left out.
    #[default]
    LeaveOut,
    /// It is left out, and the prize and the ticket that it names are entered for the purchase that says the same.
    TakePrizes,
}

/// What a table says. Nothing has been written.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct TablePreview {
    /// Lines that are purchases, at most a hundred of them: those that say the same as another first, then those with games
    /// that are known.
    pub lines: Vec<PreviewLine>,
    /// How many lines are purchases.
    pub count: u64,
    /// How many of these say the same as a purchase or as a line before them.
    pub repeated: u64,
    /// How many of these name a prize that the purchase that says the same does not have.
    pub prizes: u64,
    /// How many of these are of a ticket that is there already, and are never written down.
    pub known_tickets: u64,
    /// How many games of lines that say the same as no other are written down for their draw in another purchase, or stand
    /// in a line before.
    pub known_games: u64,
    /// What is paid for in each draw.
    pub draws: Vec<PaidInDraw>,
    /// The lines that are refused, at most a hundred of them.
    pub refused: Vec<RefusedLine>,
    /// How many lines are refused.
    pub refused_count: u64,
}

/// What the lines of a table pay for in one draw.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct PaidInDraw {
    /// The draw.
    pub draw_no: u32,
    /// Won paid by the lines that say the same as no other.
    pub amount: u64,
    /// Won paid by the lines that say the same as another and may be written down all the same.
    pub amount_repeated: u64,
}

/// A line that is a purchase.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct PreviewLine {
    /// Its number in the file.
    pub line: u64,
    /// The draw.
    pub draw_no: u32,
    /// How many games.
    pub count: u64,
    /// Whether the numbers were kept.
    pub numbers_known: bool,
    /// Won paid.
    pub amount: u64,
    /// The prize that it names, of games whose numbers were not kept.
    pub prize: Option<u64>,
    /// The note.
    pub note: String,
    /// The purchase that says the same; no other line goes with it. Where the line names a prize, it is one that has it,
    /// else one that has none, else one that has another.
    pub written_as: Option<u64>,
    /// The prize that was entered for that purchase.
    pub written_prize: Option<u64>,
    /// Whether the line names another prize than that.
    pub gives_prize: bool,
    /// The line before it that says the same.
    pub same_as_line: Option<u64>,
    /// How many of its games are written down for their draw in another purchase, or stand in a line before; none where it
    /// says the same as another as a whole.
    pub known_games: u64,
}

/// A table of as many lines as are read, with what JSON adds to it.
const MOST_BYTES: u64 = 16 << 20;

/// The purchases as a table for spreadsheets.
#[endpoint(operation_id = "lottery_purchase_export", tags("lottery"))]
pub async fn export(app: App, _caller: Household, how: Query<HowWritten>) -> HandlerResult<Json<PurchaseTable>> {
    let language = Check::of(|check| how.0.language.map(|language| check.take("language", language)))?;
    let in_korean = !matches!(language, Some(Language::En));
    let (name, text) = work::exported(&app, in_korean).await?;
    Ok(Json(PurchaseTable { name, text }))
}

/// What a table of purchases says: every line that is refused, with why, and what says the same as another. Takes no
/// Idempotency-Key: nothing is written.
#[endpoint(operation_id = "lottery_purchase_import_preview", tags("lottery"))]
pub async fn preview(
    app: App,
    _caller: Household,
    body: Body<TableToRead, MOST_BYTES>,
) -> HandlerResult<Json<TablePreview>> {
    let text = Check::of(|check| check.take("text", body.0.text))?;
    let work::Preview { lines, count, repeated, prizes, known_tickets, known_games, draws, refused, refused_count } =
        work::preview(&app, text.into()).await?;
    let lines = lines.into_iter().map(PreviewLine::from).collect();
    let paid = |(draw_no, (amount, amount_repeated))| PaidInDraw { draw_no, amount, amount_repeated };
    let draws = draws.into_iter().map(paid).collect();
    Ok(Json(TablePreview { lines, count, repeated, prizes, known_tickets, known_games, draws, refused, refused_count }))
}

/// Writes the purchases of a table down, one part after the other, as a task: it says how far it is, goes on after a
/// restart, and can be stopped. What is written before that stays.
#[endpoint(operation_id = "lottery_purchase_import", tags("lottery"))]
pub async fn import(
    app: App,
    caller: Household,
    key: IdempotencyKey,
    body: Body<TableToImport, MOST_BYTES>,
) -> HandlerResult<Accepted<TaskBegun>> {
    let (text, repeated) = Check::of(|check| {
        let repeated = body.0.repeated.map(|repeated| check.take("repeated", repeated));
        (check.take("text", body.0.text), repeated)
    })?;
    let of_repeated = repeated.map(OfRepeated::from);
    let text = Arc::new(text);
    let begin = move |app: App| async move {
        let lines = work::check(&app, text.clone(), of_repeated).await?;
        Ok(move |tx: &WriteTx| Ok(TaskBegun { task_id: begin(tx, &text, lines, of_repeated)? }))
    };
    Ok(Accepted(key.once(&app, &caller, begin).await?))
}

impl From<Repeated> for OfRepeated {
    fn from(repeated: Repeated) -> OfRepeated {
        match repeated {
            Repeated::Add => OfRepeated::Add,
            Repeated::LeaveOut => OfRepeated::LeaveOut,
            Repeated::TakePrizes => OfRepeated::TakePrizes,
        }
    }
}

impl From<(TableLine, u64)> for PreviewLine {
    fn from((line, known_games): (TableLine, u64)) -> PreviewLine {
        let gives_prize = line.other_prize().is_some();
        let TableLine { line, purchase, written, same_as_line } = line;
        PreviewLine {
            line,
            draw_no: purchase.draw_no,
            count: purchase.count,
            numbers_known: purchase.numbers_known,
            amount: purchase.amount,
            prize: purchase.entered_prize(),
            note: purchase.note,
            written_as: written.map(|written| written.id),
            written_prize: written.and_then(|written| written.prize),
            gives_prize,
            same_as_line,
            known_games,
        }
    }
}

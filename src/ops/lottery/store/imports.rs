//! The table of purchases that is being written down, how far that is, and which purchases its lines went with.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::super::model::{
    self, Finished, OfRepeated, Purchase, ReadLine, TableLine, Tickets, compare, read_table, said,
};
use super::purchases;
use hanok_base::{Error, Result};
use hanok_platform::jobs::{self, TaskId};
use hanok_platform::store::{Order, ReadTransaction, Table, WriteTx};

/// Table: how far the import of a table is. Key: `newest`. Value: the import.
pub(super) const IMPORTS: Table<&'static str, Import> = Table::new("lottery_table_imports-1");
/// Table: the table that is not written down to its end yet, as long as its task is there. Key: `newest`. Value: its text.
pub(super) const TEXTS: Table<&'static str, String> = Table::new("lottery_table_texts-1");

/// Table: the purchases that the finished lines of that table went with or became, until it is written down to its end.
/// Key: how many lines were finished with them. Value: their ids.
pub(super) const TAKEN: Table<u64, BTreeSet<u64>> = Table::new("lottery_table_import_taken-1");

const NEWEST: &str = "newest";

/// A table of purchases on its way in.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// Its number.
    pub id: u64,
    /// The task that writes it down.
    pub task: TaskId,
    /// What becomes of lines that say the same as another.
    pub of_repeated: Option<OfRepeated>,
    /// How many lines it has.
    pub lines: u64,
    /// How many of them are dealt with.
    pub done: u64,
    /// How many purchases were written down.
    pub added: u64,
    /// How many lines were left out.
    pub left_out: u64,
    /// How many of these gave their prize to the purchase that says the same.
    pub prizes: u64,
}

impl Import {
    /// Whether each of its lines is dealt with.
    pub fn is_whole(&self) -> bool {
        self.done >= self.lines
    }
}

/// The newest one, if there was any.
pub fn newest(tx: &impl ReadTransaction) -> Result<Option<Import>> {
    tx.get(&IMPORTS, NEWEST)
}

/// The text of the newest one, until it is written down to its end or its task is cleared away.
pub fn text(tx: &impl ReadTransaction) -> Result<Option<String>> {
    tx.get(&TEXTS, NEWEST)
}

/// Lines of the newest one, all of their draws, of which the first `finished` are dealt with, beside the purchases of these
/// draws; and the tickets that are written down there.
pub fn compared(tx: &impl ReadTransaction, finished: usize, lines: Vec<ReadLine>) -> Result<(Vec<TableLine>, Tickets)> {
    let parts = tx.values(&TAKEN, 0.., Order::Ascending, 0, usize::MAX)?;
    beside_purchases(tx, lines, &Finished { lines: finished, purchases: parts.into_iter().flatten().collect() })
}

/// The lines of a table that is not written down yet, as [`compared`].
pub fn compared_anew(tx: &impl ReadTransaction, lines: Vec<ReadLine>) -> Result<(Vec<TableLine>, Tickets)> {
    beside_purchases(tx, lines, &Finished::default())
}

/// How many games of each line are written down for their draw, or stand before them in the table.
pub fn known_games(tx: &impl ReadTransaction, lines: &[TableLine]) -> Result<Vec<u64>> {
    let written = of_draws(tx, lines.iter().map(|line| line.purchase.draw_no))?;
    Ok(model::known_games(lines, &written))
}

fn beside_purchases(
    tx: &impl ReadTransaction,
    lines: Vec<ReadLine>,
    finished: &Finished,
) -> Result<(Vec<TableLine>, Tickets)> {
    let written = of_draws(tx, lines.iter().map(|line| line.purchase.draw_no))?;
    Ok(compare(lines, written, finished))
}

fn of_draws(tx: &impl ReadTransaction, draws: impl Iterator<Item = u32>) -> Result<Vec<Purchase>> {
    let mut written = Vec::new();
    for draw_no in draws.collect::<BTreeSet<_>>() {
        written.extend(purchases::of_draw(tx, draw_no)?);
    }
    Ok(written)
}

/// Keeps a table until it is written down; one that was kept before gives way.
pub fn keep(tx: &WriteTx, import: &Import, text: &String) -> Result<()> {
    tx.clear(&TAKEN)?;
    tx.put(&TEXTS, NEWEST, text)?;
    tx.put(&IMPORTS, NEWEST, import)
}

/// Notes how far it is, and the purchases that the lines which were finished now went with or became. Of one that has come
/// to its end only that is kept.
pub fn note(tx: &WriteTx, import: &Import, taken: &BTreeSet<u64>) -> Result<()> {
    if import.is_whole() {
        tx.remove(&TEXTS, NEWEST)?;
        tx.clear(&TAKEN)?;
    } else {
        tx.put(&TAKEN, import.done, taken)?;
    }
    tx.put(&IMPORTS, NEWEST, import)
}

/// Lets the text go that was kept for trying the newest one again, where its task is not there any more.
pub fn clear_left(tx: &WriteTx) -> Result<()> {
    let Some(import) = newest(tx)? else { return Ok(()) };
    if !jobs::is_kept(tx, &import.task)? {
        tx.remove(&TEXTS, NEWEST)?;
        tx.clear(&TAKEN)?;
    }
    Ok(())
}

/// Whether an earlier program has begun a table without noting the purchases of its lines.
pub fn is_without_taken(tx: &impl ReadTransaction) -> Result<bool> {
    let is_begun = newest(tx)?.is_some_and(|import| import.done > 0 && !import.is_whole());
    Ok(is_begun && tx.first(&TAKEN, 0.., Order::Ascending)?.is_none() && text(tx)?.is_some())
}

/// Notes the purchases that say the same now as the finished lines.
pub fn take_anew(tx: &WriteTx) -> Result<()> {
    let (Some(import), Some(text)) = (newest(tx)?, text(tx)?) else { return Ok(()) };
    let (lines, _) = compared_anew(tx, read_table(&text, tx.now()).purchases)?;
    let taken = lines.iter().take(import.done as usize).filter_map(|line| Some(line.written?.id)).collect();
    tx.put(&TAKEN, import.done, &taken)
}

/// One table is written after the other.
///
/// # Errors
/// `CONFLICT` while one is written.
pub fn refuse_beside_another(tx: &impl ReadTransaction) -> Result<()> {
    let Some(before) = newest(tx)? else { return Ok(()) };
    match jobs::find(tx, &before.task)? {
        Some(task) if !task.status.has_ended() => Err(Error::conflict(said::IMPORT_UNDER_WAY)),
        _ => Ok(()),
    }
}

//! A table of purchases is written down: in parts, so that nobody else who writes waits long, and to its end, also when
//! the process ends in the middle.
//!
//! What becomes of each line is decided out of the whole table and of what is written down then. Each part says in its own
//! transaction how far it is, and which purchases its lines went with. Where purchases have changed since, by another hand,
//! or the process has begun anew, it is decided anew for the lines that are left and the purchases that no line went with.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::super::model::{ImportAction, OfRepeated, read_table, said};
use super::super::store::imports::{self, Import};
use super::super::store::purchases;
use super::purchase_table::refuse_lines;
use super::purchases::review_again;
use hanok_base::{Error, Result, Said};
use hanok_platform::app::App;
use hanok_platform::jobs::{self, Job, Lane, Progress, TaskId, enqueue};
use hanok_platform::store::{Reads, WriteTx};

/// Writes down the table that is kept.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct ImportTable {
    /// The number of the import.
    #[serde(default)]
    pub import: u64,
}

/// Lines that are written in one transaction, which nobody else who writes waits for longer than a tenth of a second.
const AT_ONCE: usize = 250;

impl Job for ImportTable {
    const KIND: &'static str = "lottery_table_import";
    const TITLE: (&'static str, &'static str) = ("구매 가져오기", "Import purchases");
    const LANE: Lane = Lane::Quick;
    const SUBJECT: Option<&'static str> = None;

    fn example(tx: &WriteTx) -> Result<Self> {
        let (id, lines) = (tx.next_id("lottery_table_imports")?, 2 * AT_ONCE);
        let text = "draw_no,count\n".to_owned() + &"1240,1\n".repeat(lines);
        let of_repeated = Some(OfRepeated::Add);
        imports::keep(tx, &Import { id, of_repeated, lines: lines as u64, ..Import::default() }, &text)?;
        Ok(ImportTable { import: id })
    }

    async fn run(self, app: App, progress: Progress) -> Result<()> {
        write_down(&app, self.import, AT_ONCE, Some(&progress)).await.map(drop)
    }
}

/// Keeps a table to be written down, and queues that.
///
/// # Errors
/// `CONFLICT` while another one is written.
pub fn begin(tx: &WriteTx, text: &String, lines: u64, of_repeated: Option<OfRepeated>) -> Result<TaskId> {
    if let Some(before) = imports::newest(tx)?
        && jobs::find(tx, &before.task)?.is_some_and(|task| !task.status.has_ended())
    {
        return Err(Error::conflict(said::IMPORT_UNDER_WAY));
    }
    let id = tx.next_id("lottery_table_imports")?;
    let task = enqueue(tx, &ImportTable { import: id })?;
    imports::keep(tx, &Import { id, task: task.clone(), of_repeated, lines, ..Import::default() }, text)?;
    Ok(task)
}

/// What is to be done with the lines that are left.
struct Plan {
    import: Import,
    actions: Vec<ImportAction>,
    /// The revision of the purchases that it was made from.
    revision: u64,
}

/// Writes down what is left of a table, at most `at_once` lines at a time.
async fn write_down(app: &App, id: u64, at_once: usize, progress: Option<&Progress>) -> Result<Import> {
    loop {
        let Plan { mut import, actions, mut revision } = app.data.store.read_in_turn(move |tx| plan(tx, id)).await?;
        if import.is_whole()
            && let Some(progress) = progress
        {
            progress.say(100, sentence(&import)).await?;
        }
        let mut is_as_planned = true;
        let mut actions = actions.into_iter().peekable();
        while is_as_planned && actions.peek().is_some() {
            let part = next_part(&mut actions, at_once);
            let step = async {
                let before = import.clone();
                let written = app.data.store.write(move |tx| write_part(tx, before, part, revision)).await?;
                if let (Some((import, _)), Some(progress)) = (&written, progress) {
                    progress.say((100 * import.done / import.lines.max(1)) as u8, sentence(import)).await?;
                }
                Ok::<_, Error>(written)
            };
            let written = match progress {
                Some(progress) => progress.uninterrupted(step).await?,
                None => step.await?,
            };
            match written {
                Some(after) => (import, revision) = after,
                None => is_as_planned = false,
            }
        }
        if is_as_planned {
            return Ok(import);
        }
    }
}

/// As many of the next lines as write at most `at_once` times.
fn next_part(actions: &mut impl Iterator<Item = ImportAction>, at_once: usize) -> Vec<ImportAction> {
    let (mut part, mut writes) = (Vec::new(), 0);
    for action in actions {
        writes += usize::from(!matches!(action, ImportAction::LeaveOut(_)));
        part.push(action);
        if writes >= at_once {
            break;
        }
    }
    part
}

fn plan(tx: &impl Reads, id: u64) -> Result<Plan> {
    let not_kept = || Error::conflict(said::TABLE_NOT_KEPT);
    let import = imports::newest(tx)?.filter(|import| import.id == id).ok_or_else(not_kept)?;
    if import.is_whole() {
        return Ok(Plan { import, actions: Vec::new(), revision: 0 });
    }
    let table = read_table(&imports::text(tx)?.ok_or_else(not_kept)?, tx.now());
    refuse_lines(&table)?;
    let (lines, tickets) = imports::compared(tx, &import, table.purchases)?;
    // Where a purchase that says the same came in between, no prize is lost.
    let of_repeated = import.of_repeated.unwrap_or(OfRepeated::TakePrizes);
    let left = lines.into_iter().skip(import.done as usize);
    let actions = left.map(|line| line.action(&tickets, of_repeated)).collect();
    Ok(Plan { import, actions, revision: purchases::revision(tx)? })
}

/// Writes a part down. None, and nothing is written, when the purchases are not those of the plan any more.
fn write_part(
    tx: &WriteTx,
    mut import: Import,
    part: Vec<ImportAction>,
    revision: u64,
) -> Result<Option<(Import, u64)>> {
    if purchases::revision(tx)? != revision || imports::newest(tx)?.is_none_or(|newest| newest != import) {
        return Ok(None);
    }
    let (mut draws, mut taken) = (BTreeSet::new(), BTreeSet::new());
    import.done += part.len() as u64;
    for action in part {
        match action {
            ImportAction::Add(purchase) => {
                let purchase = purchases::add_read(tx, purchase)?;
                draws.insert(purchase.draw_no);
                taken.insert(purchase.id);
                import.added += 1;
            }
            ImportAction::LeaveOut(written) => {
                taken.extend(written.map(|written| written.id));
                import.left_out += 1;
            }
            ImportAction::Complete { written, prize, ticket } => {
                let after = purchases::complete(tx, written.id, prize, ticket)?;
                taken.insert(written.id);
                import.left_out += 1;
                if prize.is_some() {
                    draws.insert(after.draw_no);
                    import.prizes += 1;
                }
            }
        }
    }
    draws.into_iter().try_for_each(|draw_no| review_again(tx, draw_no))?;
    imports::note(tx, &import, &taken)?;
    Ok(Some((import, purchases::revision(tx)?)))
}

/// How far it is, or what became of it: of that only what happened.
fn sentence(import: &Import) -> Said {
    let Import { lines, done, added, left_out, prizes, .. } = *import;
    if !import.is_whole() {
        return said::IMPORTING.with([("done", done.into()), ("all", lines.into()), ("added", added.into())]);
    }
    let mut parts = Vec::new();
    if added > 0 || left_out == 0 {
        parts.push(said::IMPORTED.with([("added", added.into())]));
    }
    if left_out > 0 {
        parts.push(said::IMPORTED_LEFT_OUT.with([("left_out", left_out.into())]));
    }
    if prizes > 0 {
        parts.push(said::IMPORTED_PRIZES.with([("prizes", prizes.into())]));
    }
    Said::all(parts)
}

#[cfg(test)]
mod tests;

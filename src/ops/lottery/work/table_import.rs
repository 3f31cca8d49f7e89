//! A table of purchases is written down: in parts, so that nobody else who writes waits long, and to its end, also when
//! the process ends in the middle.
//!
//! What becomes of the next lines ([`plan`]) is decided out of all lines of their draws and of what is written down then.
//! Each part says in its own transaction how far it is, and which purchases its lines went with. Where purchases have
//! changed since, by another hand, or the process has begun anew, it is decided anew for the lines that are left and the
//! purchases that no line went with: as long as others write, for a few lines at a time and where they are written, so
//! that nobody can come in between and the table gets on.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::vec;

use serde::{Deserialize, Serialize};

use self::plan::KeptTable;
use super::super::model::{ImportAction, OfRepeated, said};
use super::super::store::imports::{self, Import};
use super::super::store::purchases;
use super::purchases::review_again;
use hanok_base::{Message, Result};
use hanok_platform::app::App;
use hanok_platform::jobs::{Job, Lane, Progress, TaskId, enqueue};
use hanok_platform::store::WriteTx;

mod plan;

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
    const RESUME_AFTER_RESTORE: bool = false;

    fn clear_left(tx: &WriteTx) -> Result<()> {
        imports::clear_left(tx)
    }

    fn example(tx: &WriteTx) -> Result<Self> {
        let (id, lines) = (tx.next_id("lottery_table_imports")?, 2 * AT_ONCE);
        let text = "draw_no,count\n".to_owned() + &"1240,1\n".repeat(lines);
        let of_repeated = Some(OfRepeated::Add);
        imports::keep(tx, &Import { id, of_repeated, lines: lines as u64, ..Import::default() }, &text)?;
        Ok(ImportTable { import: id })
    }

    async fn run(self, app: App, progress: Progress) -> Result<()> {
        Writing::begin(&app, self.import, AT_ONCE).await?.finish(Some(&progress)).await.map(drop)
    }
}

/// Keeps a table to be written down, and queues that.
///
/// # Errors
/// `CONFLICT` while another one is written.
pub fn begin(tx: &WriteTx, text: &String, lines: u64, of_repeated: Option<OfRepeated>) -> Result<TaskId> {
    imports::refuse_beside_another(tx)?;
    let id = tx.next_id("lottery_table_imports")?;
    let task = enqueue(tx, &ImportTable { import: id })?;
    imports::keep(tx, &Import { id, task: task.clone(), of_repeated, lines, ..Import::default() }, text)?;
    Ok(task)
}

/// A table that is on its way in.
struct Writing {
    app: App,
    table: Arc<KeptTable>,
    /// How far it is.
    import: Import,
    /// How many lines are written in one transaction.
    at_once: usize,
    next: Step,
}

/// What is done next.
enum Step {
    /// It is decided, while others write, what becomes of the next lines.
    Plan,
    /// Some of the lines of a plan are written.
    WritePlanned {
        actions: vec::IntoIter<ImportAction>,
        /// The revision of the purchases that it was made from.
        revision: u64,
    },
    /// Others write: it is decided in the transaction that writes them what becomes of a few lines.
    PlanAndWrite {
        /// The revision of the purchases after this hand has written the last time.
        revision: u64,
    },
}

impl Writing {
    async fn begin(app: &App, id: u64, at_once: usize) -> Result<Writing> {
        let (import, table) = app.data.store.read_in_turn(move |tx| KeptTable::read(tx, id)).await?;
        Ok(Writing { app: app.clone(), table: Arc::new(table), import, at_once, next: Step::Plan })
    }

    /// Writes down what is left.
    async fn finish(mut self, progress: Option<&Progress>) -> Result<Import> {
        if self.import.is_whole() {
            self.say(progress).await?;
        }
        while !self.import.is_whole() {
            match progress {
                Some(progress) if !matches!(self.next, Step::Plan) => {
                    let step = async {
                        self.step().await?;
                        self.say(Some(progress)).await
                    };
                    progress.uninterrupted(step).await?;
                }
                _ => self.step().await?,
            }
        }
        Ok(self.import)
    }

    async fn say(&self, progress: Option<&Progress>) -> Result<()> {
        let Some(progress) = progress else { return Ok(()) };
        let Import { done, lines, .. } = self.import;
        progress.say((100 * done.min(lines) / lines.max(1)) as u8, sentence(&self.import)).await
    }

    /// One step on. What was planned and not written is planned again.
    async fn step(&mut self) -> Result<()> {
        let (store, table) = (self.app.data.store.clone(), Arc::clone(&self.table));
        self.next = match std::mem::replace(&mut self.next, Step::Plan) {
            Step::Plan => {
                let planned = store.read(move |tx| table.plan(tx)).await?;
                self.import = planned.import;
                Step::WritePlanned { actions: planned.actions.into_iter(), revision: planned.revision }
            }
            Step::WritePlanned { mut actions, revision } => {
                let (before, part) = (self.import.clone(), next_part(&mut actions, self.at_once));
                let write = move |tx: &WriteTx| {
                    let is_as_planned = purchases::revision(tx)? == revision && table.open(tx)? == before;
                    if is_as_planned { write_part(tx, before, part).map(Some) } else { Ok(None) }
                };
                match store.write(write).await? {
                    None => Step::PlanAndWrite { revision },
                    Some((import, revision)) => {
                        self.import = import;
                        let is_left = !actions.as_slice().is_empty();
                        if is_left { Step::WritePlanned { actions, revision } } else { Step::Plan }
                    }
                }
            }
            Step::PlanAndWrite { revision } => {
                let at_once = self.at_once;
                let write = move |tx: &WriteTx| {
                    let is_alone = purchases::revision(tx)? == revision;
                    let (import, part) = table.plan_few(tx, at_once)?;
                    Ok((is_alone, write_part(tx, import, part)?))
                };
                let (is_alone, (import, revision)) = store.write(write).await?;
                self.import = import;
                if is_alone { Step::Plan } else { Step::PlanAndWrite { revision } }
            }
        };
        Ok(())
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

/// Writes the next lines down. Gives how far it is then, and the revision of the purchases.
fn write_part(tx: &WriteTx, mut import: Import, part: Vec<ImportAction>) -> Result<(Import, u64)> {
    let (mut draws, mut taken) = (BTreeSet::new(), BTreeSet::new());
    import.done += part.len() as u64;
    for action in part {
        match action {
            ImportAction::Add(purchase) => {
                let purchase = purchases::add(tx, purchase)?;
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
    Ok((import, purchases::revision(tx)?))
}

/// How far it is, or what became of it: of that only what happened.
fn sentence(import: &Import) -> Message {
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
    Message::all(parts)
}

#[cfg(test)]
mod tests;

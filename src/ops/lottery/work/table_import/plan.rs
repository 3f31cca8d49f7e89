//! What becomes of the next lines of a table.
//!
//! Lines of different draws never say the same and are of different tickets, so each draw is decided by itself: out of all
//! its lines in the table and all its purchases. No other purchase is read.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::super::super::model::{ImportAction, OfRepeated, ReadLine, read_table_while, said};
use super::super::super::store::imports::{self, Import};
use super::super::super::store::purchases;
use super::super::purchase_table::refuse_lines;
use hanok_base::{Error, Result};
use hanok_platform::jobs::{self, TaskStatus};
use hanok_platform::store::{ReadTransaction, WriteTx};

/// Lines that are planned at a time while others write; more where they are of the same draws.
const PLANNED: usize = 2_000;
/// Lines and purchases that are looked at, at most, where others wait meanwhile; more only for a single draw that has more.
const LOOKED_AT: u64 = 4_000;

/// A table that is kept, as it was read.
pub(super) struct KeptTable {
    /// The number of its import.
    id: u64,
    lines: Vec<ReadLine>,
    /// Where the lines of each draw stand.
    of_draw: BTreeMap<u32, Vec<usize>>,
}

/// What is to be done with the next lines.
pub(super) struct Plan {
    /// How far the import is before them.
    pub import: Import,
    pub actions: Vec<ImportAction>,
    /// The revision of the purchases that it was made from.
    pub revision: u64,
}

impl KeptTable {
    /// Reads what is kept for the import of this number, with how far that is.
    ///
    /// # Errors
    /// `CONFLICT` when it is not kept any more, or other lines of it are refused by now.
    pub fn read(tx: &impl ReadTransaction, id: u64) -> Result<(Import, KeptTable)> {
        let mut kept = KeptTable { id, lines: Vec::new(), of_draw: BTreeMap::new() };
        let import = kept.open(tx)?;
        if !import.is_whole() {
            let text = imports::text(tx)?.ok_or_else(not_kept)?;
            let table = read_table_while(&text, tx.now(), || tx.while_waited_for())?;
            refuse_lines(&table)?;
            kept.lines = table.purchases;
            if kept.lines.len() as u64 != import.lines {
                return Err(not_kept());
            }
        }
        for (place, line) in kept.lines.iter().enumerate() {
            kept.of_draw.entry(line.purchase.draw_no).or_default().push(place);
        }
        Ok((import, kept))
    }

    /// How far its import is.
    ///
    /// # Errors
    /// `CONFLICT` when another table has taken its place, or a restore has called it off.
    pub fn open(&self, tx: &impl ReadTransaction) -> Result<Import> {
        let import = imports::newest(tx)?.filter(|import| import.id == self.id).ok_or_else(not_kept)?;
        let task = jobs::find(tx, &import.task)?;
        if task.is_some_and(|task| task.status != TaskStatus::Running) {
            return Err(not_kept());
        }
        Ok(import)
    }

    /// What becomes of many of the next lines.
    pub fn plan(&self, tx: &impl ReadTransaction) -> Result<Plan> {
        let import = self.open(tx)?;
        let next = self.many(import.done as usize);
        let actions = self.actions(tx, &import, next)?;
        Ok(Plan { import, actions, revision: purchases::revision(tx)? })
    }

    /// What becomes of the next lines, at most `most` of them and so few that nobody who writes waits long; and how far
    /// the import is before them.
    pub fn plan_few(&self, tx: &WriteTx, most: usize) -> Result<(Import, Vec<ImportAction>)> {
        let import = self.open(tx)?;
        let next = self.few(tx, import.done as usize, most)?;
        let actions = self.actions(tx, &import, next)?;
        Ok((import, actions))
    }

    /// [`PLANNED`] lines from `from` on, and those behind them that are of the same draws.
    fn many(&self, from: usize) -> Range<usize> {
        let left = self.lines.get(from..).unwrap_or_default();
        let (planned, behind) = left.split_at(left.len().min(PLANNED));
        let draws: BTreeSet<u32> = planned.iter().map(|line| line.purchase.draw_no).collect();
        let more = behind.iter().take_while(|line| draws.contains(&line.purchase.draw_no)).count();
        from..from + planned.len() + more
    }

    /// At least one line from `from` on and at most `most`, whose draws have no more than [`LOOKED_AT`] lines and purchases.
    fn few(&self, tx: &impl ReadTransaction, from: usize, most: usize) -> Result<Range<usize>> {
        let (mut draws, mut looked_at, mut through) = (BTreeSet::new(), 0, from);
        for line in self.lines.iter().skip(from).take(most) {
            let draw_no = line.purchase.draw_no;
            if draws.insert(draw_no) {
                let written = purchases::totals_of(tx, draw_no)?.map_or(0, |totals| totals.paid.records);
                looked_at += written + self.of_draw.get(&draw_no).map_or(0, |places| places.len() as u64);
            }
            if looked_at > LOOKED_AT && through > from {
                break;
            }
            through += 1;
        }
        Ok(from..through)
    }

    /// What becomes of the `next` lines.
    fn actions(&self, tx: &impl ReadTransaction, import: &Import, next: Range<usize>) -> Result<Vec<ImportAction>> {
        let lines = self.lines.get(next.clone()).unwrap_or_default();
        let draws: BTreeSet<u32> = lines.iter().map(|line| line.purchase.draw_no).collect();
        let mut places: Vec<usize> =
            draws.iter().filter_map(|draw| self.of_draw.get(draw)).flatten().copied().collect();
        places.sort_unstable();
        let finished = places.partition_point(|place| (*place as u64) < import.done);
        let lines = places.iter().filter_map(|place| self.lines.get(*place).cloned()).collect();
        let (compared, tickets) = imports::compared(tx, finished, lines)?;
        // Where a purchase that says the same came in between, no prize is lost.
        let of_repeated = import.of_repeated.unwrap_or(OfRepeated::TakePrizes);
        let of_next = places.iter().zip(compared).filter(|(place, _)| next.contains(place));
        Ok(of_next.map(|(_, line)| line.action(&tickets, of_repeated)).collect())
    }
}

fn not_kept() -> Error {
    Error::conflict(said::TABLE_NOT_KEPT)
}

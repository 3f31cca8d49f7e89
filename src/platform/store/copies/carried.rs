//! What does not go back with a restore: who may enter, and which ids were given. The state before says it to the file
//! that is to take its place. What was under way in that file and belongs to the state before is called off there.

use std::path::Path;

use tracing::warn;

use super::super::file::direct::Direct;
use super::super::file::fault;
use super::super::file::folder::DataFolder;
use super::super::file::source;
use super::super::rows::transaction::SEQUENCES;
use super::super::rows::{Before, Order, PreservedOnRestore, ReadTransaction, Schema, WriteTx};
use super::rehearsal;
use hanok_base::{Clock, Result};

/// The state that is to be replaced: what the house held last. Where its file was taken away and what that held was kept, that
/// is the one, and not what lies in its place.
pub(in crate::store) enum Present<'d, 'f> {
    /// There never was one here.
    NewPlace,
    /// It cannot be opened, or is not there any more.
    Lost,
    /// It is damaged. What of it can be opened is asked all the same: a passphrase that was changed since must not go back
    /// with what is broken elsewhere in the file.
    Damaged(&'d Direct<'f>),
    /// It can be read.
    Sound(&'d Direct<'f>),
}

/// Carries over what `schema` declares from the `present` state of `folder` to the file at `waiting`, and calls off there
/// what is not to go on. Gives whether something could not be read that says who may enter or which ids were given.
pub(in crate::store) fn carry_over(
    waiting: &Path,
    folder: &DataFolder,
    present: Present<'_, '_>,
    schema: &Schema,
    clock: &Clock,
) -> Result<bool> {
    let beside = folder.run();
    rehearsal::on_file(waiting, source::CHECK_CACHE, clock, |restored| {
        restored.write(|to| schema.call_off(to))?;
        let carry = |one: PreservedOnRestore, state: Option<&Direct<'_>>, is_damaged: bool| match state {
            Some(state) => fault::without_panic(|| {
                state.read(|from| {
                    let before = Before { state: Some(from), is_damaged, beside: &beside };
                    restored.write(|to| (one.carry)(before, to))
                })
            }),
            None => restored.write(|to| (one.carry)(Before { state: None, is_damaged, beside: &beside }, to)),
        };
        let mut is_unknown = false;
        for one in schema.carried().chain([IDS]) {
            match &present {
                Present::NewPlace => {}
                Present::Sound(state) => carry(one, Some(state), false)?,
                Present::Lost => {
                    carry(one, None, true)?;
                    is_unknown = true;
                }
                // What cannot be read of one keeps nothing of another back.
                Present::Damaged(state) => carry(one, Some(state), true).or_else(|error| {
                    warn!(%error, "the state before a restore does not say all that is to be carried over");
                    is_unknown = true;
                    carry(one, None, true)
                })?,
            }
        }
        Ok(is_unknown)
    })
}

/// So many ids are passed over where nothing says for sure which were given since the snapshot.
const PASSED_OVER: u64 = 1_000;
/// No house gives more ids between two snapshots: what a damaged state says beyond that is not so.
const MOST_GIVEN: u64 = 1_000_000;

/// Ids that were given are not given again after a restore.
const IDS: PreservedOnRestore = PreservedOnRestore {
    carry: |before, restored| {
        let Some(present) = before.state else {
            return pass_over(restored);
        };
        for entry in present.entries(&SEQUENCES, "".., Order::Ascending) {
            let entry = entry?;
            let (given, known) = (entry.value()?, restored.get(&SEQUENCES, entry.key())?.unwrap_or(0));
            let may_be = !before.is_damaged || given <= known.saturating_add(MOST_GIVEN);
            if known < given && may_be {
                restored.put(&SEQUENCES, entry.key(), &given)?;
            }
        }
        if before.is_damaged { pass_over(restored) } else { Ok(()) }
    },
    forget: |_| Ok(()),
};

fn pass_over(restored: &WriteTx) -> Result<()> {
    for entry in restored.entries(&SEQUENCES, "".., Order::Ascending) {
        let entry = entry?;
        restored.put(&SEQUENCES, entry.key(), &entry.value()?.saturating_add(PASSED_OVER))?;
    }
    Ok(())
}

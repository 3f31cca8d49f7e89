//! What does not go back with a restore: who may enter, and which ids were given. The state before says it to the file
//! that is to take its place. What was under way in that file and belongs to the state before is called off there.

use std::path::Path;

use tracing::warn;

use super::super::file::direct::Direct;
use super::super::file::fault;
use super::super::file::folder::DataFolder;
use super::super::file::source;
use super::super::rows::transaction::SEQUENCES;
use super::super::rows::{Before, CarriedOver, Order, ReadTx, Reads, Schema, WriteTx};
use super::rehearsal;
use hanok_base::{Clock, Kind, Result};

/// The state that is to be replaced.
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
/// what is not to go on, in one transaction. Gives whether nobody who was in is in any more, because nothing says who was.
pub(in crate::store) fn carry_over(
    waiting: &Path,
    folder: &DataFolder,
    present: Present<'_, '_>,
    schema: &Schema,
    clock: &Clock,
) -> Result<bool> {
    let beside = folder.run();
    rehearsal::on_file(waiting, source::CHECK_CACHE, clock, |restored| {
        let all: Vec<CarriedOver> = [IDS].into_iter().chain(schema.carried()).collect();
        let is_damaged = !matches!(present, Present::Sound(_));
        let carry = |state: Option<&ReadTx>, to: &WriteTx| {
            let before = Before { state, is_damaged, beside: &beside };
            all.iter().try_for_each(|one| (one.carry)(before, to))?;
            schema.call_off(to)
        };
        let from_nothing = || restored.write(|to| carry(None, to)).map(|()| true);
        let carried = match present {
            Present::NewPlace => return restored.write(|to| schema.call_off(to)).map(|()| false),
            Present::Lost => return from_nothing(),
            Present::Damaged(present) | Present::Sound(present) => {
                fault::without_panic(|| present.read(|from| restored.write(|to| carry(Some(from), to))))
            }
        };
        match carried {
            Err(error) if is_damaged || error.kind == Kind::Internal => {
                warn!(%error, "the present state does not say who may enter");
                from_nothing()
            }
            carried => carried.map(|()| false),
        }
    })
}

/// Ids that were given are not given again after a restore.
const IDS: CarriedOver = CarriedOver {
    carry: |before, restored| {
        let Some(present) = before.state else { return Ok(()) };
        for entry in present.entries(&SEQUENCES, "".., Order::Ascending) {
            let entry = entry?;
            let given = entry.value()?;
            if restored.get(&SEQUENCES, entry.key())?.unwrap_or(0) < given {
                restored.put(&SEQUENCES, entry.key(), &given)?;
            }
        }
        Ok(())
    },
    forget: |_| Ok(()),
};

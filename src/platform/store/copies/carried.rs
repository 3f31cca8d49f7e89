//! What does not go back with a restore: who may enter, and which ids were given. The present state says it to the file
//! that is to take its place. What was under way in that file and belongs to the state before is called off there.

use std::path::Path;

use tracing::warn;

use super::super::file::direct::Direct;
use super::super::file::fault;
use super::super::file::source;
use super::super::rows::transaction::SEQUENCES;
use super::super::rows::{CarriedOver, Order, ReadTx, Reads, Schema, WriteTx};
use super::rehearsal;
use hanok_base::{Clock, Kind, Result};

/// The state that is to be replaced.
pub(in crate::store) enum Present<'d, 'f> {
    /// There is none.
    Missing,
    /// It is damaged. What of it can be opened is asked all the same: a passphrase that was changed since must not go back
    /// with what is broken elsewhere in the file.
    Damaged(Option<&'d Direct<'f>>),
    /// It can be read.
    Sound(&'d Direct<'f>),
}

/// Carries over what `schema` declares from the `present` state to the file at `waiting`, and calls off there what is not
/// to go on, in one transaction.
pub(in crate::store) fn carry_over(
    waiting: &Path,
    present: Present<'_, '_>,
    schema: &Schema,
    clock: &Clock,
) -> Result<()> {
    rehearsal::on_file(waiting, source::CHECK_CACHE, clock, |restored| {
        let all: Vec<CarriedOver> = [IDS].into_iter().chain(schema.carried()).collect();
        let carry = |from: Option<&ReadTx>, to: &WriteTx| {
            all.iter().try_for_each(|one| (one.carry)(from, to))?;
            schema.call_off(to)
        };
        let is_damaged = matches!(present, Present::Damaged(_));
        let carried = match present {
            Present::Missing => return restored.write(|to| schema.call_off(to)),
            Present::Damaged(None) => return restored.write(|to| carry(None, to)),
            Present::Damaged(Some(present)) | Present::Sound(present) => {
                fault::without_panic(|| present.read(|from| restored.write(|to| carry(Some(from), to))))
            }
        };
        match carried {
            Err(error) if is_damaged || error.kind == Kind::Internal => {
                warn!(%error, "the present state does not say who may enter");
                restored.write(|to| carry(None, to))
            }
            carried => carried,
        }
    })
}

/// Ids that were given are not given again after a restore.
const IDS: CarriedOver = CarriedOver {
    carry: |present, restored| {
        let Some(present) = present else { return Ok(()) };
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

//! What does not go back with a restore: who may enter, and which ids were given. The present state says it to the file
//! that is to take its place.

use std::path::Path;

use tracing::warn;

use super::super::file::direct::Direct;
use super::super::file::source;
use super::super::rows::transaction::SEQUENCES;
use super::super::rows::{CarriedOver, Order, Reads, Schema};
use super::rehearsal;
use hanok_base::{Clock, Kind, Result};

/// Carries over what `schema` declares from the `present` state to the file at `waiting`. None: there is a present state,
/// and it is damaged.
pub(in crate::store) fn carry_over(
    waiting: &Path,
    present: Option<&Direct<'_>>,
    schema: &Schema,
    clock: &Clock,
) -> Result<()> {
    rehearsal::on_file(waiting, source::CHECK_CACHE, clock, |restored| {
        let all: Vec<CarriedOver> = [IDS].into_iter().chain(schema.carried()).collect();
        let carried = present.map(|present| {
            present.read(|from| restored.write(|to| all.iter().try_for_each(|one| (one.carry)(Some(from), to))))
        });
        match carried {
            Some(Err(error)) if error.kind == Kind::Internal => {
                warn!(%error, "the present state does not say who may enter");
            }
            Some(carried) => return carried,
            None => {}
        }
        restored.write(|to| all.iter().try_for_each(|one| (one.carry)(None, to)))
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

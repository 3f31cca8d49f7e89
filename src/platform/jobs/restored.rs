//! What a state that is restored does not go on with by itself: work that somebody had asked for in the state before, and
//! that changes what the household wrote. All else goes on: what follows from the rows that were restored with it, and what
//! the house does for itself.

use super::registry::Registry;
use super::task::{RUNNING, TaskStatus, stored};
use super::{queue, store};
use crate::store::WriteTx;
use hanok_base::{MessageTemplate, Result};

const BEFORE_THE_RESTORE: MessageTemplate = MessageTemplate::new(
    "house.task.before_the_restore",
    "called off by the restore: it was not done yet in the state that was restored; it can be tried again",
);

/// Calls off the open tasks of a restored state whose kind does not go on there, and says why in each. They can be tried
/// again. An attempt at one that is under way in the state before finds that its task has ended. Gives how many.
pub fn call_off(tx: &WriteTx, registry: &Registry) -> Result<usize> {
    let open = store::running(tx)?.into_iter().chain(queue::all_waiting(tx)?);
    let mut called_off = 0;
    for id in open {
        let Some(mut stored) = stored(tx, &id)? else { continue };
        if registry.get(&stored.task.kind).is_none_or(|entry| entry.goes_on_restored) {
            continue;
        }
        if stored.task.status == TaskStatus::Queued {
            queue::leave(tx, stored.lane, stored.task.run_at, &id)?;
        }
        tx.discard(&RUNNING, id.as_str())?;
        stored.task.say(&BEFORE_THE_RESTORE.into());
        store::end_as_cancelled(tx, stored)?;
        called_off += 1;
    }
    Ok(called_off)
}

//! The table of the second steps: for whom a sign-in asks for a code.

use super::super::model::{Proof, SecondStep};
use hanok_base::Result;
use hanok_platform::store::{Before, PreservedOnRestore, ReadTransaction, Table, WriteTx};

/// Table: second steps of sign-ins. Key: name of the admin. Value: the second step.
pub const ROWS: Table<&'static str, SecondStep> = Table::new("admin_second_steps-1");

/// Who may enter, and by what, is what the present says, as with the passwords.
pub const PRESERVED_ON_RESTORE: &[PreservedOnRestore] = &[PreservedOnRestore { carry, forget }];

/// The second step of the admin `name`, when a sign-in asks for one.
///
/// # Errors
/// Those of reading.
pub fn find_second_step(tx: &impl ReadTransaction, name: &str) -> Result<Option<SecondStep>> {
    tx.get(&ROWS, name)
}

/// Asks for this second step from here on.
///
/// # Errors
/// Those of writing.
pub fn put_second_step(tx: &WriteTx, step: &SecondStep) -> Result<()> {
    tx.put(&ROWS, step.name.as_str(), step)
}

/// Asks for no second step of the admin `name` any more. False when none was asked for.
///
/// # Errors
/// Those of writing.
pub fn remove_second_step(tx: &WriteTx, name: &str) -> Result<bool> {
    tx.discard(&ROWS, name)
}

/// Uses `proof` up for the second step `seen`, against which it was looked at. Gives what is left; none where it was used
/// meanwhile, or another second step stands there.
///
/// # Errors
/// Those of writing.
pub fn use_up(tx: &WriteTx, seen: &SecondStep, proof: &Proof) -> Result<Option<SecondStep>> {
    let present = find_second_step(tx, &seen.name)?.filter(|present| present.sealed == seen.sealed);
    let used = present.and_then(|present| present.once_used(proof));
    used.iter().try_for_each(|used| put_second_step(tx, used))?;
    Ok(used)
}

fn carry(before: Before<'_>, restored: &WriteTx) -> Result<()> {
    forget(restored)?;
    let Some(present) = before.state.filter(|_| !before.is_damaged) else { return Ok(()) };
    restored.put_all_of(&ROWS, present)
}

fn forget(tx: &WriteTx) -> Result<()> {
    tx.clear(&ROWS)
}

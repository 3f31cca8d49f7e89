//! The table of the accounts.

use super::model::{Profile, ProfileChanges};
use hanok_base::Result;
use hanok_platform::store::{Declared, ReadTransaction, Table, WriteTx};

/// Table: what customers say of themselves. Key: id of the customer. Value: the profile.
const PROFILES: Table<&'static str, Profile> = Table::new("account_profiles-1");

/// Every table of the accounts.
pub const TABLES: &[&dyn Declared] = &[&PROFILES];

/// What the customer `id` says of itself.
pub fn profile(tx: &impl ReadTransaction, id: &str) -> Result<Profile> {
    Ok(tx.get(&PROFILES, id)?.unwrap_or_default())
}

/// Changes the fields of the profile of the customer `id` that are sent.
pub fn change_profile(tx: &WriteTx, id: &str, changes: ProfileChanges) -> Result<Profile> {
    let mut own = profile(tx, id)?;
    own.name = changes.name.unwrap_or(own.name);
    own.language = changes.language.unwrap_or(own.language);
    tx.put(&PROFILES, id, &own)?;
    Ok(own)
}

/// Stores what the customer `id` says of itself.
pub fn put_profile(tx: &WriteTx, id: &str, own: &Profile) -> Result<()> {
    tx.put(&PROFILES, id, own)
}

/// Forgets what the customer `id` has said of itself.
pub fn remove_profile(tx: &WriteTx, id: &str) -> Result<()> {
    tx.remove(&PROFILES, id).map(drop)
}

//! What the store knows of each file.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::id::BlobId;
use super::kind::MediaKind;
use crate::store::{Index, IndexedTable, Order, PreservedOnRestore, ReadTransaction, RunningTotals, Table, WriteTx};
use hanok_base::Result;
use hanok_base::schema::ToSchema;

/// Table: the files. Key: the SHA-256 of each, which is its name in `blobs/`. Value: [`Blob`].
pub(super) const BLOBS: IndexedTable<&'static str, Blob> =
    IndexedTable::new("blobs-1", |blob| blob.id.as_str(), &[&UNUSED, &SUMS]);
/// Table: files that no row names. Key: since when, in milliseconds, and the name. Value: none.
pub(super) const UNUSED: Index<Blob, (i64, &'static str)> = Index::new("blobs_unused-1", |blob| {
    blob.unused.as_ref().map(|unused| ((unused.since.timestamp_millis(), blob.id.as_str()), ()))
});
/// Table: all files together. Key: `all`. Value: [`Totals`].
const SUMS: RunningTotals<Blob, &'static str, Totals> =
    RunningTotals::new("blobs_sums-1", |_| "all", Totals::count, |sums| *sums == Totals::default());
/// Table: who names which file. Key: its name, and the name of the rows that name it. Value: how many rows do.
pub(super) const NAMED: Table<(&'static str, &'static str), u64> = Table::new("blobs_named-1");

/// In a restored state nobody knows who has named a file since.
pub(super) const SINCE_WHEN: PreservedOnRestore =
    PreservedOnRestore { carry: |_, restored| forget_since_when(restored), forget: |_| Ok(()) };

/// A file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Blob {
    /// Its SHA-256.
    pub id: BlobId,
    /// Its size in bytes.
    pub bytes: u64,
    /// What it is, by its first bytes.
    pub kind: MediaKind,
    /// When it was put there first.
    pub put_at: DateTime<Utc>,
    /// Since when no row names it; null while one does.
    #[serde(default)]
    pub(super) unused: Option<Unused>,
    /// What the last check has found wrong with it; null where nothing is.
    #[serde(default)]
    pub flaw: Option<BlobFlaw>,
}

/// What is wrong with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BlobFlaw {
    /// It is gone.
    Missing,
    /// Its bytes are others than were put there, or cannot be read.
    Changed,
}

/// Since when no row names a file, and what of it may still be returned to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(super) struct Unused {
    /// When the last row that named it went, or it was put.
    pub since: DateTime<Utc>,
    /// Whether a row may ever have named it: then a snapshot may, too.
    pub was_named: bool,
    /// The largest number of a snapshot when it was looked at first: no later one names it. None as long as nobody looked.
    #[serde(default)]
    pub upto: Option<u64>,
}

impl Unused {
    pub(super) fn now(tx: &WriteTx, was_named: bool) -> Unused {
        Unused { since: tx.now(), was_named, upto: None }
    }
}

/// All files together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Totals {
    /// How many there are.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// How many no row names.
    pub unused_files: u64,
    /// The bytes of those.
    pub unused_bytes: u64,
    /// How many the last check of each has found missing or changed.
    pub flawed_files: u64,
}

impl Totals {
    fn count(&mut self, blob: &Blob, count: fn(u64, u64) -> u64) {
        self.files = count(self.files, 1);
        self.bytes = count(self.bytes, blob.bytes);
        if blob.unused.is_some() {
            self.unused_files = count(self.unused_files, 1);
            self.unused_bytes = count(self.unused_bytes, blob.bytes);
        }
        self.flawed_files = count(self.flawed_files, u64::from(blob.flaw.is_some()));
    }
}

/// The file `id`.
///
/// # Errors
/// Those of reading.
pub fn find(tx: &impl ReadTransaction, id: &BlobId) -> Result<Option<Blob>> {
    tx.get(&BLOBS, id.as_str())
}

/// All files together.
///
/// # Errors
/// Those of reading.
pub fn totals(tx: &impl ReadTransaction) -> Result<Totals> {
    Ok(tx.get(&SUMS, "all")?.unwrap_or_default())
}

/// Notes a file that has been put in its place. One that is known already has its day before it once more. One that is not
/// known and lay there all the same (`was_there`) may have been named in a state that was replaced, and can be returned to.
pub(super) fn note_put(tx: &WriteTx, id: BlobId, bytes: u64, kind: MediaKind, was_there: bool) -> Result<Blob> {
    let blob = match find(tx, &id)? {
        Some(known) => {
            let unused = known.unused.map(|unused| Unused { since: tx.now(), ..unused });
            Blob { unused, bytes, kind, flaw: None, ..known }
        }
        None => Blob { id, bytes, kind, put_at: tx.now(), unused: Some(Unused::now(tx, was_there)), flaw: None },
    };
    BLOBS.put(tx, &blob)?;
    Ok(blob)
}

/// Whether any row names the file.
pub(super) fn is_named(tx: &impl ReadTransaction, id: &str) -> Result<bool> {
    let first = tx.first(&NAMED, (id, "").., Order::Ascending)?;
    Ok(first.is_some_and(|entry| entry.key().0 == id))
}

/// Brings what is said of the use of a file to whether rows name it.
pub(super) fn note_use(tx: &WriteTx, id: &str) -> Result<()> {
    let Some(blob) = tx.get(&BLOBS, id)? else { return Ok(()) };
    match (is_named(tx, id)?, blob.unused.is_some()) {
        (true, true) => BLOBS.put(tx, &Blob { unused: None, ..blob }),
        (false, false) => BLOBS.put(tx, &Blob { unused: Some(Unused::now(tx, true)), ..blob }),
        _ => Ok(()),
    }
}

/// The states before and after a restore may have named what nobody named in this one.
fn forget_since_when(restored: &WriteTx) -> Result<()> {
    let unused: Vec<_> = restored
        .entries(&UNUSED, (i64::MIN, "").., Order::Ascending)
        .map(|entry| entry.map(|entry| entry.key().1.to_owned()))
        .collect::<Result<_>>()?;
    for id in unused {
        if let Some(blob) = restored.get(&BLOBS, id.as_str())? {
            BLOBS.put(restored, &Blob { unused: Some(Unused::now(restored, true)), ..blob })?;
        }
    }
    Ok(())
}

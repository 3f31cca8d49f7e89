//! The one embedded store: every record, queue and setting, in a single redb file.
//!
//! `store.read(|tx| …)` and `store.write(|tx| …)` run a synchronous closure off the async threads;
//! `store.read_inline(|tx| …)` reads a few rows without that detour. An error from the closure takes back everything it
//! wrote. An acknowledged write is on disk: many writers share one transaction and its sync.
//!
//! Three rooms, of which each knows only those before it:
//!
//! - `rows`: tables, what a transaction can do, and what is derived from rows and kept with them (indexes, counts,
//!   totals), with the migrations that lead to them.
//! - `file`: the store file of a running appliance: opened, guarded against rot, written by one writer, closed and
//!   opened again after an I/O error, so that a full disk heals by itself; a file that was copied while it was written
//!   is known by its clean-shutdown marker.
//! - `copies`: snapshots that are verified before they count, what is kept of them, restores, and the one file that
//!   moves a house.
//!
//! Above them [`open`]: a start, with every check in its order; and [`mod@dry_run`]: what the next one will do.
//!
//! What is deliberately not here: what the tables hold. Each domain's `store.rs` owns its tables.

mod copies;
pub mod dry_run;
mod file;
pub mod open;
mod rows;
mod start_report;

pub(crate) use copies::KeptStates;
pub use copies::{
    ImportedSetting, ImportedSettings, ImportedSnapshot, LONGEST_TEXT, OWN_TEXTS, Placing, Restores, Snapshot,
    SnapshotKind, SnapshotState, Upload, Uploaded, adopting, by_hand, giving, restore, retention, snapshot, unpack,
};
pub use file::blob_files::{BlobFiles, BlobHold};
pub(crate) use file::fault::{io as file_fault, panic_text};
pub use file::folder::{self, DataFolder};
pub use file::handover::Handover;
pub use file::marker::is_known_damaged;
pub(crate) use file::partial::Partial;
pub use file::space::{Space, StorageState, free as room_left};
pub use file::store::Store;
pub(crate) use file::turn::{slow_reads, watch_slow_reads};
pub use file::versions::{Migrated, SAID_OF_MIGRATIONS};
pub use rows::{
    Before, CountedIndex, CountedRows, DayCounts, Declared, Derivation, Derived, DoneStep, Entries, Entry, Index,
    IndexedTable, IntegrityErrors, ManyIndex, Migration, Order, PreservedOnRestore, ReadTransaction, ReadTx, RowsOf,
    RunningTotals, Schema, ShippedData, Step, Table, WriteTx, last_id,
};
pub use start_report::{StartItem, StartReport, StartStep};

/// The store's own tables: whose version it is, what it has behind it and was given, its last migration, whether it
/// is open, and the last ids given.
pub const TABLES: &[&dyn Declared] = &[
    &file::versions::META,
    &file::versions::MIGRATED,
    &file::versions::SHIPPED,
    &file::versions::LAST_MIGRATION,
    &file::marker::MARKER,
    &rows::transaction::SEQUENCES,
];

#[cfg(test)]
mod tests;

//! Rows: tables and their types, what a transaction can do, and what is derived from rows and kept with them.
//!
//! A plain [`Table`] is the default. An [`IndexedTable`] has its indexes, counts and totals declared beside it as
//! functions of the row, and keeps them by itself. This room knows redb's transactions and nothing of files: what a
//! fault of the storage means is told to whoever opened it ([`Storage`](transaction::Storage)).

mod day_counts;
mod index;
mod indexed;
mod integrity;
mod many_index;
mod opens;
mod ordinal;
mod positions;
mod reading;
mod running_totals;
mod schema;
mod table;
pub(super) mod transaction;
pub(super) mod undo;
mod walk;

pub use day_counts::DayCounts;
pub use index::Index;
pub use indexed::{Declared, Derived, IndexedTable, RowsOf};
pub use integrity::IntegrityErrors;
pub use many_index::ManyIndex;
pub use positions::{CountedIndex, CountedRows};
pub use reading::ReadTransaction;
pub use running_totals::RunningTotals;
pub use schema::{Before, Derivation, DoneStep, Migration, PreservedOnRestore, Schema, ShippedData, Step};
pub use table::{Order, Table};
pub use transaction::{ReadTx, WriteTx, last_id};
pub use walk::{Entries, Entry};

#[cfg(test)]
mod tests;

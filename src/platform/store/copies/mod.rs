//! Copies of the store: snapshots and how many of them are kept, restores, rehearsals of migrations, and the one file
//! that moves a house. What is wrong with a copy is said of that copy; the live store goes on.

pub mod adopting;
mod aside;
mod carried;
mod copy;
mod making;
mod names;
pub mod pack;
mod rehearsal;
pub mod restore;
pub mod retention;
pub mod snapshot;
pub mod unpack;

pub(super) use making::make;
pub(super) use rehearsal::rehearse;
pub use snapshot::{Snapshot, SnapshotKind, SnapshotState};

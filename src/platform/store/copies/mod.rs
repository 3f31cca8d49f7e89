//! Copies of the store: snapshots and how many of them are kept, restores, rehearsals of migrations, and the one file
//! that moves a house. What is wrong with a copy is said of that copy; the live store goes on.

pub mod adopting;
pub mod by_hand;
mod carried;
mod copy;
pub(super) mod downloads;
pub mod giving;
mod kept_states;
mod making;
pub(super) mod pack;
mod partly_copied;
mod placing;
pub(super) mod pre_restore;
mod rehearsal;
mod reserving;
pub mod restore;
mod restores;
pub mod retention;
mod said;
pub mod snapshot;
mod target;
mod texts;
pub mod unpack;
mod uploaded;
pub(super) mod uploads;
mod waiting;

pub use kept_states::KeptStates;
pub(super) use making::make;
pub(super) use partly_copied::put_in_order;
pub use placing::Placing;
pub(super) use rehearsal::rehearse;
pub use restores::Restores;
pub use snapshot::{Snapshot, SnapshotKind, SnapshotState};
pub use texts::{LONGEST_TEXT, OWN_TEXTS};
pub use uploaded::{ImportedSetting, ImportedSettings, ImportedSnapshot, Uploaded};
pub use uploads::Upload;

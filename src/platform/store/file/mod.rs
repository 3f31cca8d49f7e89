//! The store file of a running appliance, and the one handle through which it is read and written.
//!
//! [`store`] is what callers hold. Behind it stands [`open_store`], in which the database can be closed and opened again
//! while the appliance runs; how it is at a moment is one value ([`condition`]). [`writer`] is the only one who writes.
//! [`source`] opens the bytes, [`disk`] stands between them and redb, [`head`] tells what something else has written over,
//! [`marker`] a copied file from the one that was open, [`versions`] says who wrote it. Copies of the file are not made here;
//! [`described`] says which of them lead back.

pub mod blob_files;
mod closing;
mod commit_slot;
pub(super) mod condition;
pub(super) mod described;
pub(super) mod direct;
pub(super) mod disk;
pub(super) mod fault;
pub mod folder;
pub(super) mod handover;
mod head;
pub(super) mod marker;
pub(super) mod names;
pub(super) mod open_store;
pub(super) mod partial;
pub(super) mod source;
pub mod space;
pub mod store;
pub(super) mod turn;
pub(super) mod versions;
mod writer;

//! The web: what a handler gets, what it gives, and what every request passes on its way.
//!
//! A handler's arguments are taken left to right: `App`, the permission as a type ([`Household`]), then
//! path, query and body. Whatever is refused leaves as the one error shape of the contract. The hoops of a
//! door are assembled in [`door`].

mod access;
mod answer;
mod assets;
mod door;
mod guard;
mod input;
mod json;
mod once;
pub mod openapi;
mod peer;
mod shares;
mod watch;
mod wire;

pub use access::Household;
pub use answer::{Accepted, Created, Deleted, ErrorBody, Json, TaskBegun, WithStatus};
pub use assets::{OpsApp, asset, page};
pub use door::{Door, DoorKind, guarded, service};
pub use input::{Body, Id, Key, Query};
pub use once::{Once, purge as purge_answers};
pub use peer::Peer;
pub use shares::Shares;
pub use wire::{Doorway, Rules};

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
mod idempotency;
mod input;
mod json;
pub mod openapi;
mod peer;
mod shares;
mod watch;
mod wire;

pub use access::Household;
pub use answer::{Accepted, Answer, Created, Deleted, ErrorBody, Json, Refusal, TaskBegun, WithStatus};
pub use assets::{asset, page};
pub use door::{Door, DoorKind, guarded, service};
pub use idempotency::{IdempotencyKey, purge as purge_answers};
pub use input::{Body, Id, Key, Query};
pub use peer::Peer;
pub use shares::Shares;
pub use wire::{Doorway, Rules};

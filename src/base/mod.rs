//! Floor 0: the words every room uses: errors, days, won, the clock, pages, secrets, shared handles.
//!
//! Nothing of ours lies below it, and nothing here knows a domain.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "what only the product must not do"))]

pub mod clock;
pub mod command;
pub mod day;
pub mod error;
pub mod expected;
mod fields;
pub mod instant;
mod kind;
pub mod list;
pub mod money;
pub mod must;
pub mod page;
pub mod patch;
pub mod said;
pub mod schema;
pub mod secret;
pub mod sent;
pub mod shared;
pub mod text;
pub mod time_of_day;

pub use clock::{Clock, Moment};
pub use error::{Error, Kind, Result};
pub use money::{Amount, Currency, Money, Won};
pub use page::Page;
pub use said::{Said, Sentence};
pub use secret::Secret;
pub use sent::Sent;
pub use shared::Shared;

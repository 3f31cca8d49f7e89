//! Floor 0: the words every room uses: errors, days, won, the clock, pages, secrets, shared handles.
//!
//! Nothing of ours lies below it, and nothing here knows a domain.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "what only the product must not do"))]

// What `derive(Request)` writes names this crate from outside.
extern crate self as hanok_base;

pub mod clock;
pub mod command;
pub mod day;
pub mod error;
pub mod expected;
mod fields;
pub mod instant;
mod kind;
pub mod korean;
pub mod language;
pub mod list;
pub mod message;
pub mod money;
pub mod page;
pub mod patch;
pub mod request;
pub mod schema;
pub mod secret;
pub mod shared;
pub mod text;
pub mod time_of_day;
pub mod validated;
pub mod validation_messages;

pub use clock::{Clock, Moment};
pub use error::{Error, Kind, Result};
pub use language::Language;
pub use message::{Message, MessageTemplate};
pub use money::{Amount, Currency, Krw, Money, NonNegativeAmount, PositiveAmount};
pub use page::Page;
pub use request::Request;
pub use secret::Secret;
pub use shared::Shared;
pub use validated::Validated;

//! Todos: what the household has to do. The small, complete example of a domain; copy it for the next one.
//!
//! Used by the household's todo page and by Today. Table `todos-1` with its order `todos_order-1` and the
//! counts of open ones, `todos_open_by_day-1`.
//! Deliberately not here: reminders, repetition, sharing between people.

pub mod http;
mod model;
mod store;

use hanok_platform::domain::{Domain, TodayPart};

pub use model::Todo;
pub use store::{TodosToday, list};

/// What the todos say of themselves.
pub const DOMAIN: Domain = Domain {
    tables: store::TABLES,
    derivations: store::DERIVATIONS,
    changes: &[store::CHANGED],
    today: Some(TodayPart::of::<TodosToday>()),
    pages: &["todos"],
    ..Domain::EMPTY
};

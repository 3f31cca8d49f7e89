//! Todos: what the household has to do. The small, complete example of a domain; copy it for the next one.
//!
//! Used by the household's todo page and by Today. Table `todos-1` with its order `todos_order-1` and the
//! counts of open ones, `todos_open_by_day-1`; those to be brought to mind, `todos_reminders-1`, and those that were,
//! `todos_reminded-1`. The job `todo_reminders` brings them to mind, and tells the owner's chat where one is connected, of
//! many at once in one message; the answer to its question `todo_done` ticks one off.
//! Deliberately not here: sharing between people.

pub mod http;
mod model;
mod store;
mod work;

use hanok_platform::domain::{Domain, TodayPart};

pub use model::Todo;
pub use store::{TodosToday, list};

/// What the todos say of themselves.
pub const DOMAIN: Domain = Domain {
    tables: store::TABLES,
    derivations: store::DERIVATIONS,
    changes: &[store::CHANGED, store::REMINDED_NOW],
    jobs: work::jobs,
    schedule: |_| work::schedule(),
    today: Some(TodayPart::of::<TodosToday>()),
    search: store::SEARCH,
    questions: work::QUESTIONS,
    pages: &["todos"],
    ..Domain::EMPTY
};

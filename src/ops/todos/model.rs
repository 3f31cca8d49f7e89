//! A todo and its rules.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use hanok_base::day::Day;
use hanok_base::error::Check;
use hanok_base::patch::{Changed, Clearable};
use hanok_base::schema::ToSchema;
use hanok_base::sent::Any;
use hanok_base::text::Text;
use hanok_base::{Result, Sent};

/// Something to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Todo {
    /// Ever increasing, never reused.
    pub id: u64,
    /// What to do.
    pub title: String,
    /// More about it.
    pub note: String,
    /// The day by which it should be done.
    pub due: Option<NaiveDate>,
    /// Whether it is done.
    pub done: bool,
    /// When it was added.
    pub created_at: DateTime<Utc>,
    /// When it was done.
    pub done_at: Option<DateTime<Utc>>,
}

/// What to do, in at most 500 characters.
pub type Title = Text<1, 500>;
/// More about it, in at most 10,000 characters.
pub type Note = Text<0, 10_000>;

/// A todo to be added.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewTodo {
    /// What to do.
    pub title: Sent<Title>,
    /// More about it.
    #[serde(default)]
    pub note: Option<Sent<Note>>,
    /// The day by which it should be done.
    #[serde(default)]
    pub due: Option<Sent<Day>>,
    /// Whether it is done already.
    #[serde(default)]
    pub done: Option<Sent<Any<bool>>>,
}

/// The fields that change; the others stay.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct TodoChanges {
    /// What to do.
    #[serde(default)]
    pub title: Changed<Title>,
    /// More about it.
    #[serde(default)]
    pub note: Changed<Note>,
    /// The day by which it should be done; null clears it.
    #[serde(default)]
    pub due: Clearable<Day>,
    /// Whether it is done.
    #[serde(default)]
    pub done: Changed<Any<bool>>,
}

impl NewTodo {
    /// The todo with this id, added at `now`.
    ///
    /// # Errors
    /// `INVALID_INPUT` naming each refused field.
    pub fn into_todo(self, id: u64, now: DateTime<Utc>) -> Result<Todo> {
        Check::of(|check| {
            let title = check.take("title", self.title);
            let note = self.note.map(|note| check.take("note", note)).unwrap_or_default();
            let due = self.due.map(|due| check.take("due", due));
            let done = self.done.is_some_and(|done| check.take("done", done));
            Todo { id, title, note, due, done, created_at: now, done_at: done.then_some(now) }
        })
    }
}

impl TodoChanges {
    /// `todo` with the changes made at `now`.
    ///
    /// # Errors
    /// `INVALID_INPUT` naming each refused field.
    pub fn apply(self, mut todo: Todo, now: DateTime<Utc>) -> Result<Todo> {
        let was_done = todo.done;
        Check::of(|check| {
            check.change("title", self.title, &mut todo.title);
            check.change("note", self.note, &mut todo.note);
            check.change_or_clear("due", self.due, &mut todo.due);
            check.change("done", self.done, &mut todo.done);
        })?;
        if todo.done != was_done {
            todo.done_at = todo.done.then_some(now);
        }
        Ok(todo)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> DateTime<Utc> {
        "2026-10-10T12:00:00Z".parse().unwrap()
    }

    fn milk() -> Todo {
        let new = NewTodo { title: Sent::of(" 우유 사기 ".into()), note: None, due: None, done: None };
        new.into_todo(1, now()).unwrap()
    }

    #[test]
    fn the_time_it_was_done_is_set_and_cleared_with_it() {
        let finish = |done| TodoChanges { done: Changed::to(Sent::of(done)), ..TodoChanges::default() };
        let done = finish(true).apply(milk(), now()).unwrap();
        assert_eq!((done.title.as_str(), done.done_at), ("우유 사기", Some(now())));
        let open = finish(false).apply(done, now()).unwrap();
        assert_eq!(open.done_at, None);
    }

    #[test]
    fn every_refused_field_is_named() {
        let new =
            NewTodo { title: Sent::of("  ".into()), note: Some(Sent::of("x".repeat(10_001))), due: None, done: None };
        let error = new.into_todo(1, now()).unwrap_err();
        assert_eq!(error.fields.keys().collect::<Vec<_>>(), ["note", "title"]);
    }

    #[test]
    fn an_absent_day_stays_and_null_clears_it() {
        let mut todo = milk();
        todo.due = NaiveDate::from_ymd_opt(2026, 11, 20);
        let stays: TodoChanges = serde_json::from_str("{}").unwrap();
        assert_eq!(stays.apply(todo.clone(), now()).unwrap().due, todo.due);
        let clears: TodoChanges = serde_json::from_str(r#"{"due": null}"#).unwrap();
        assert_eq!(clears.apply(todo, now()).unwrap().due, None);
    }
}

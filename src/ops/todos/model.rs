//! A todo and its rules.

use chrono::{DateTime, Datelike, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use hanok_base::error::Check;
use hanok_base::schema::ToSchema;
use hanok_base::{Result, day, text};

/// Something to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Todo {
    /// Ever increasing, never reused.
    pub id: u64,
    /// What to do, 1 to 500 characters.
    pub title: String,
    /// More about it, at most 10,000 characters.
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

/// A todo to be added.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewTodo {
    /// What to do, 1 to 500 characters.
    pub title: String,
    /// More about it.
    #[serde(default)]
    pub note: Option<String>,
    /// The day by which it should be done.
    #[serde(default, deserialize_with = "day::given")]
    pub due: Option<NaiveDate>,
    /// Whether it is done already.
    #[serde(default)]
    pub done: Option<bool>,
}

/// The fields that change; the others stay.
#[derive(Debug, Deserialize, ToSchema)]
pub struct TodoChanges {
    /// What to do.
    #[serde(default)]
    pub title: Option<String>,
    /// More about it.
    #[serde(default)]
    pub note: Option<String>,
    /// The day by which it should be done; null clears it.
    #[serde(default, deserialize_with = "day::patched")]
    pub due: Option<Option<NaiveDate>>,
    /// Whether it is done.
    #[serde(default)]
    pub done: Option<bool>,
}

/// Characters of the longest title.
pub const LONGEST_TITLE: usize = 500;
/// Characters of the longest note.
pub const LONGEST_NOTE: usize = 10_000;

impl NewTodo {
    /// The todo with this id, added at `now`.
    ///
    /// # Errors
    /// `INVALID_INPUT` naming each refused field.
    pub fn into_todo(self, id: u64, now: DateTime<Utc>) -> Result<Todo> {
        let mut check = Check::new();
        let title = check.keep(text::bounded("title", &self.title, 1, LONGEST_TITLE)).unwrap_or_default();
        let note = check.keep(text::bounded("note", &self.note.unwrap_or_default(), 0, LONGEST_NOTE));
        check_due(&mut check, self.due);
        check.done()?;
        let done = self.done.unwrap_or(false);
        Ok(Todo {
            id,
            title,
            note: note.unwrap_or_default(),
            due: self.due,
            done,
            created_at: now,
            done_at: done.then_some(now),
        })
    }
}

impl TodoChanges {
    /// `todo` with the changes made at `now`.
    ///
    /// # Errors
    /// `INVALID_INPUT` naming each refused field.
    pub fn apply(self, mut todo: Todo, now: DateTime<Utc>) -> Result<Todo> {
        let mut check = Check::new();
        if let Some(title) = self.title {
            todo.title = check.keep(text::bounded("title", &title, 1, LONGEST_TITLE)).unwrap_or_default();
        }
        if let Some(note) = self.note {
            todo.note = check.keep(text::bounded("note", &note, 0, LONGEST_NOTE)).unwrap_or_default();
        }
        if let Some(due) = self.due {
            check_due(&mut check, due);
            todo.due = due;
        }
        check.done()?;
        if let Some(done) = self.done
            && done != todo.done
        {
            todo.done = done;
            todo.done_at = done.then_some(now);
        }
        Ok(todo)
    }
}

fn check_due(check: &mut Check, due: Option<NaiveDate>) {
    let in_range = due.is_none_or(|day| (1900..=9999).contains(&day.year()));
    check.require(in_range, "due", "must be a day between 1900 and 9999");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> DateTime<Utc> {
        "2026-10-10T12:00:00Z".parse().unwrap()
    }

    fn milk() -> Todo {
        let new = NewTodo { title: " 우유 사기 ".into(), note: None, due: None, done: None };
        new.into_todo(1, now()).unwrap()
    }

    #[test]
    fn the_time_it_was_done_is_set_and_cleared_with_it() {
        let done = TodoChanges { title: None, note: None, due: None, done: Some(true) }.apply(milk(), now()).unwrap();
        assert_eq!((done.title.as_str(), done.done_at), ("우유 사기", Some(now())));
        let open = TodoChanges { title: None, note: None, due: None, done: Some(false) }.apply(done, now()).unwrap();
        assert_eq!(open.done_at, None);
    }

    #[test]
    fn every_refused_field_is_named() {
        let new = NewTodo { title: "  ".into(), note: Some("x".repeat(10_001)), due: None, done: None };
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

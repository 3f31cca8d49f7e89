//! A todo and its rules.

mod reminded;
mod repeat;

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use hanok_base::Request;
use hanok_base::day::{self, Day};
use hanok_base::instant::{self, Timestamp};
use hanok_base::page::Listed;
use hanok_base::schema::ToSchema;
use hanok_base::text::Text;
use hanok_base::time_of_day::TimeOfDay;
use hanok_base::validated::{IntRange, Unchecked};

pub use repeat::Repeat;

impl Listed for Todo {
    const PLURAL: &'static str = "todos";
}

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
    /// The time of its day, in Asia/Seoul.
    #[serde(default)]
    pub time: Option<TimeOfDay>,
    /// How many minutes before its time, or before 09:00 of its day when it has none, it is brought to mind.
    #[serde(default)]
    pub remind_before: Option<u32>,
    /// When it is brought to mind next. One that repeats, is counted from its days (`remind_before`) and is still open is
    /// brought to mind on each day of its repetition, once a day, until it is done: where that of its own day has passed,
    /// this is that of the next day. Of any other it is null once that has happened.
    #[serde(default, deserialize_with = "instant::read_stored")]
    pub remind_at: Option<DateTime<Utc>>,
    /// When it was last brought to mind.
    #[serde(default)]
    pub reminded_at: Option<DateTime<Utc>>,
    /// When it was to be brought to mind that time.
    #[serde(default)]
    pub reminded_for: Option<DateTime<Utc>>,
    /// How it repeats.
    #[serde(default)]
    pub repeat: Option<Repeat>,
    /// The day that its repetition gave it, from which the next is counted: moving it leaves this as it is. Null when it
    /// does not repeat; one of an earlier version that has none is counted from `due`.
    #[serde(default)]
    pub repeat_day: Option<NaiveDate>,
    /// The one that came after it when it was done.
    #[serde(default)]
    pub followed_by: Option<u64>,
    /// The one that it came after.
    #[serde(default)]
    pub follows: Option<u64>,
}

/// What to do, in at most 500 characters.
pub type Title = Text<1, 500>;
/// More about it, in at most 10,000 characters.
pub type Note = Text<0, 10_000>;
/// How many minutes before its time it is brought to mind: at most a year.
pub type RemindBefore = IntRange<0, 527_040>;

/// A todo to be added.
#[derive(Debug, Request)]
pub struct NewTodo {
    /// What to do.
    #[field(Title)]
    pub title: String,
    /// More about it.
    #[field(Note, default)]
    pub note: String,
    /// The day by which it should be done.
    #[field(Day)]
    pub due: Option<NaiveDate>,
    /// Whether it is done already.
    #[field(Unchecked<bool>, default)]
    pub done: bool,
    /// The time of its day, in Asia/Seoul. Without a day it is that of today; so are the next two.
    #[field(TimeOfDay)]
    pub time: Option<TimeOfDay>,
    /// How many minutes before its time, or before 09:00 of its day when it has none, it is brought to mind. One that
    /// repeats is brought to mind on each of its days until it is done.
    #[field(RemindBefore)]
    pub remind_before: Option<u32>,
    /// How it repeats.
    #[field(Repeat)]
    pub repeat: Option<Repeat>,
    /// When it is brought to mind, instead of `remind_before`.
    #[field(Timestamp)]
    pub remind_at: Option<DateTime<Utc>>,
}

/// The fields that change; the others stay.
#[derive(Debug, Clone, Default, Request)]
#[request(changes = Todo)]
pub struct TodoChanges {
    /// What to do.
    #[field(Title, change)]
    pub title: Option<String>,
    /// More about it; null clears it.
    #[field(Note, clear)]
    pub note: Option<Option<String>>,
    /// The day by which it should be done; null clears it, with its time, its repetition and what is counted from it. One
    /// that repeats is moved this once, unless `repeat` is sent with it.
    #[field(Day, clear)]
    pub due: Option<Option<NaiveDate>>,
    /// Whether it is done. One that repeats is followed by the next; taken back, that one goes as long as it is untouched.
    #[field(Unchecked<bool>, change)]
    pub done: Option<bool>,
    /// The time of its day, in Asia/Seoul; null clears it. Without a day it is that of today; so are the next two.
    #[field(TimeOfDay, clear)]
    pub time: Option<Option<TimeOfDay>>,
    /// How many minutes before its time, or before 09:00 of its day when it has none, it is brought to mind; null clears
    /// it.
    #[field(RemindBefore, clear)]
    pub remind_before: Option<Option<u32>>,
    /// How it repeats; null ends that.
    #[field(Repeat, clear)]
    pub repeat: Option<Option<Repeat>>,
    /// When it is brought to mind, instead of the next time; null: not at all any more.
    #[field(Timestamp, clear)]
    pub remind_at: Option<Option<DateTime<Utc>>>,
}

impl NewTodo {
    /// The todo as it is added at `now`; it has no id yet.
    pub fn into_todo(self, now: DateTime<Utc>) -> Todo {
        let NewTodo { title, note, due, done, time, remind_before, repeat, remind_at } = self;
        let done_at = done.then_some(now);
        let new = Todo { title, note, due, done, done_at, time, remind_before, repeat, ..Todo::at(now) };
        Todo { remind_at, ..new.dated(now) }.reminding(remind_at.is_some(), now)
    }
}

impl TodoChanges {
    /// `todo` with the changes made at `now`.
    pub fn apply(self, todo: Todo, now: DateTime<Utc>) -> Todo {
        let before = todo.clone();
        let mut todo = todo;
        let names_instant = self.remind_at.is_some();
        let begins_anew = self.due.is_some() && self.repeat.is_some();
        if self.due.unwrap_or(todo.due).is_none() {
            (todo.time, todo.remind_before, todo.repeat) = (None, None, None);
        }
        self.apply_to(&mut todo);
        if todo.done != before.done {
            todo.done_at = todo.done.then_some(now);
        }
        let goes_on = !begins_anew && todo.repeat == before.repeat;
        todo.repeat_day = before.repeat_day.or(before.due).filter(|_| goes_on);
        let todo = todo.dated(now);
        let is_moved = (todo.due, todo.time, todo.remind_before) != (before.due, before.time, before.remind_before);
        // An instant that was named and is not counted from the day does not go with it.
        let stays = names_instant || (todo.remind_before.is_none() && before.remind_before.is_none());
        if is_moved || names_instant {
            todo.reminding(stays, now)
        } else if todo.repeat != before.repeat {
            todo.repeating_otherwise(&before, now)
        } else {
            todo
        }
    }
}

impl Todo {
    /// Nothing to do yet, at `now`.
    fn at(now: DateTime<Utc>) -> Todo {
        Todo {
            id: 0,
            title: String::new(),
            note: String::new(),
            due: None,
            done: false,
            created_at: now,
            done_at: None,
            time: None,
            remind_before: None,
            remind_at: None,
            reminded_at: None,
            reminded_for: None,
            repeat: None,
            repeat_day: None,
            followed_by: None,
            follows: None,
        }
    }

    /// The same with a day when something of it needs one: then it is today.
    fn dated(mut self, now: DateTime<Utc>) -> Todo {
        if self.time.is_some() || self.remind_before.is_some() || self.repeat.is_some() {
            self.due.get_or_insert(day::of(now));
        }
        self.repeat_day = self.repeat_day.or(self.due).filter(|_| self.repeat.is_some());
        if let Some(day) = self.repeat_day {
            self.repeat = self.repeat.map(|repeat| repeat.fixed_on(day));
        }
        self
    }

    /// The one that follows it once it is done, with this id and made at `now`; none when it does not repeat, or has no
    /// day left.
    pub fn following(&self, id: u64, now: DateTime<Utc>) -> Option<Todo> {
        let (repeat, due, done_at) = (self.repeat.clone()?, self.due?, self.done_at?);
        let next = Some(repeat.next(self.repeat_day.unwrap_or(due), due, day::of(done_at))?);
        let Todo { title, note, time, remind_before, .. } = self.clone();
        let todo = Todo { id, title, note, due: next, time, remind_before, ..Todo::at(now) };
        let todo = Todo { repeat: Some(repeat), repeat_day: next, follows: Some(self.id), ..todo };
        Some(todo.reminding(false, now))
    }

    /// Whether it is as it was when it followed `before`, so that it may go when that is taken back.
    pub fn is_untouched_after(&self, before: &Todo) -> bool {
        let what = |todo: &Todo| {
            let Todo { title, note, due, time, remind_before, repeat, .. } = todo.clone();
            (title, note, due, time, remind_before, repeat)
        };
        let made = before.following(self.id, self.created_at);
        !self.done && made.is_some_and(|made| what(&made) == what(self))
    }
}

#[cfg(test)]
mod tests;

//! When a todo is brought to mind, what was, and what a wrong clock only seems to have.
//!
//! One that repeats and is still open is brought to mind on each day of its repetition, once a day, until it is done: its
//! own day first, and from then on always the first that is still to come. Any other is brought to mind once.

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};

use super::Todo;
use hanok_base::day;
use hanok_base::time_of_day::TimeOfDay;

/// When a todo without a time is brought to mind, in hours of its day.
const MORNING: u32 = 9;

impl Todo {
    /// The same, to be brought to mind anew: at the instant that was named, or else as its days say, as far as they are
    /// still to come.
    pub(super) fn reminding(mut self, is_named: bool, now: DateTime<Utc>) -> Todo {
        if !is_named {
            self.remind_at = self.counted_reminder(now);
        }
        (self.reminded_at, self.reminded_for) = (None, None);
        self
    }

    /// The same as it goes on from `before`, which repeated otherwise. What was put off to an instant stays there.
    pub(super) fn repeating_otherwise(self, before: &Todo, now: DateTime<Utc>) -> Todo {
        if before.is_put_off() {
            return self;
        }
        Todo { remind_at: self.counted_reminder(now), ..self }
    }

    /// The same without its repetition, which goes on from another one.
    pub fn open_this_once(self, now: DateTime<Utc>) -> Todo {
        let once = Todo { repeat: None, repeat_day: None, ..self.clone() };
        once.repeating_otherwise(&self, now)
    }

    /// The same, brought to mind at `now`.
    pub fn reminded(self, now: DateTime<Utc>) -> Todo {
        let next = self.repeated_reminder(now);
        Todo { remind_at: next, reminded_at: Some(now), reminded_for: self.remind_at, ..self }
    }

    /// The same at `now` when a clock that ran ahead has brought it to mind: that is still to come. Where that clock has
    /// done it on several days, the first of them is the next one that it has.
    pub fn still_to_remind(self, now: DateTime<Utc>) -> Todo {
        // An earlier version did not keep when it was to be.
        let planned = self.reminded_for.or(self.remind_at).or_else(|| self.reminder_on(self.due?));
        let next = self.counted_reminder(now).filter(|_| self.repeat.is_some());
        let planned = planned.into_iter().chain(next).min();
        Todo { remind_at: planned, reminded_at: None, reminded_for: None, ..self }
    }

    /// The same, to be brought to mind on its next day, when it is open and repeats and an earlier version, which did so on
    /// its own day only, has left it without a next time.
    pub fn coming_again(self, now: DateTime<Utc>) -> Option<Todo> {
        let is_silent = !self.done && self.repeat.is_some() && self.remind_at.is_none();
        let next = self.counted_reminder(now).filter(|_| is_silent)?;
        Some(Todo { remind_at: Some(next), ..self })
    }

    /// The first time after `now` that its own day or, when it repeats, one behind it brings it to mind.
    fn counted_reminder(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let own = self.reminder_on(self.due?)?;
        if own > now { Some(own) } else { self.repeated_reminder(now) }
    }

    /// The first time after `now` that a day of its repetition behind its own brings it to mind.
    fn repeated_reminder(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let (repeat, due) = (self.repeat.as_ref()?, self.due?);
        let own = self.repeat_day.unwrap_or(due);
        let first = repeat.day_after(own, due, day::of(now + self.ahead()?))?;
        // The time of the first may have passed on its day.
        let days = [Some(first), repeat.day_after(own, first, first)];
        days.into_iter().flatten().filter_map(|day| self.reminder_on(day)).find(|at| *at > now)
    }

    /// Whether it is to be brought to mind at an instant that was named, not at one that is counted from its days.
    fn is_put_off(&self) -> bool {
        self.remind_at.is_some_and(|at| {
            let counted = self.ahead().and_then(|ahead| self.reminder_on(day::of(at + ahead)));
            counted != Some(at)
        })
    }

    /// When `day` brings it to mind.
    fn reminder_on(&self, day: NaiveDate) -> Option<DateTime<Utc>> {
        let time = self.time.map(TimeOfDay::time).or(NaiveTime::from_hms_opt(MORNING, 0, 0))?;
        Some(day::at(day, time) - self.ahead()?)
    }

    /// How long before its time it is brought to mind.
    fn ahead(&self) -> Option<Duration> {
        Some(Duration::minutes(self.remind_before?.into()))
    }
}

#[cfg(test)]
mod tests;

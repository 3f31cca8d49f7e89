//! How far a request is, as its customer and others see it.

use std::cmp::Ordering;

use super::super::super::model::{Status, TrackedStatus};
use crate::frame::Frame;
use hanok_base::day;

/// How far a request is, and how it came there.
pub struct Progress<'a> {
    /// The frame of the page that shows it.
    pub frame: &'a Frame,
    /// How far it is.
    pub status: Status,
    /// Each state it was in, the first one first.
    pub history: &'a [TrackedStatus],
}

/// A state on the way of a request.
pub struct Step {
    /// What it is called.
    pub name: &'static str,
    /// `done`, `now`, or nothing where it is still ahead.
    pub standing: &'static str,
}

/// A state that the request was in.
pub struct Entered<'a> {
    /// What it is called.
    pub name: &'static str,
    /// Whether it was entered again because the step after it was taken back.
    pub is_correction: bool,
    /// What the customer was told with it; may be empty.
    pub message: &'a str,
    /// Since when, as people read it, in Asia/Seoul.
    pub at: String,
    /// The same as machines read it.
    pub instant: String,
}

/// The states of a request that goes well.
const WAY: [Status; 6] =
    [Status::Pending, Status::Reviewing, Status::Quoted, Status::Accepted, Status::InProgress, Status::Completed];

impl Progress<'_> {
    /// What a state is called.
    fn name_of(&self, status: Status) -> &'static str {
        self.frame.say(status.in_korean(), status.in_english())
    }

    /// What its state is called.
    pub fn standing(&self) -> &'static str {
        self.name_of(self.status)
    }

    /// The way of a request that goes well, and how far this one is on it.
    pub fn steps(&self) -> Vec<Step> {
        let place = |status: Status| WAY.iter().position(|known| *known == status);
        let reached = self.history.iter().rev().find_map(|made| place(made.status)).unwrap_or(0);
        let standing = |at: usize| match at.cmp(&reached) {
            Ordering::Less => "done",
            Ordering::Equal if self.status == Status::Completed => "done",
            Ordering::Equal => "now",
            Ordering::Greater => "",
        };
        WAY.into_iter().enumerate().map(|(at, s)| Step { name: self.name_of(s), standing: standing(at) }).collect()
    }

    /// What is to be said of a request that does not go on; empty of one that does.
    pub fn pause(&self) -> &'static str {
        match self.status {
            Status::OnHold => self.frame.say("지금은 보류 중입니다.", "It is on hold at the moment."),
            Status::Cancelled => self.frame.say("이 의뢰는 취소되었습니다.", "This request was cancelled."),
            _ => "",
        }
    }

    /// Each state that it was in, the latest first.
    pub fn entered(&self) -> Vec<Entered<'_>> {
        let form = self.frame.say("%Y년 %-m월 %-d일 %H:%M", "%-d %B %Y, %H:%M");
        let entered = self.history.iter().rev().map(|made| Entered {
            name: self.name_of(made.status),
            is_correction: made.undo,
            message: &made.message,
            at: made.at.with_timezone(&day::ZONE).format(form).to_string(),
            instant: made.at.format("%Y-%m-%dT%H:%M:%SZ").to_string(),
        });
        entered.collect()
    }
}

//! A request and its rules.

mod address;
pub mod choices;
mod share;
mod status;
#[cfg(test)]
mod tests;

use chrono::{DateTime, Months, Utc};
use serde::{Deserialize, Serialize};

use crate::frame::prefers_english;
use hanok_base::schema::ToSchema;
use hanok_base::text::{Line, Text};
use hanok_base::validated::Unchecked;
use hanok_base::{Language, Result};

pub use address::{Address, Phone};
pub use share::{Share, ShareMaker, ShareWanted, SharedRequest};
pub use status::Status;

/// A request as it is sent. Too long a text is refused, never cut.
#[derive(Debug, hanok_base::Request)]
#[serde(deny_unknown_fields)]
pub struct NewRequest {
    /// How the customer is called.
    #[field(Line<1, 50>)]
    pub name: String,
    /// The mail address, to which the receipt goes.
    #[field(Address)]
    pub email: String,
    /// What is to be done.
    #[field(Text<1, 3000>)]
    pub message: String,
    /// The telephone.
    #[field(Phone, default)]
    pub phone: String,
    /// What it is about.
    #[field(Line<0, 100>, default)]
    pub service: String,
    /// What kind of work it is.
    #[serde(alias = "projectType")]
    #[field(Line<0, 100>, default)]
    pub project_type: String,
    /// What it may cost.
    #[field(Line<0, 100>, default)]
    pub budget: String,
    /// By when it should be done.
    #[field(Line<0, 100>, default)]
    pub timeline: String,
    /// The language of the customer; left out it is that of the browser.
    pub language: Option<Language>,
    /// Nothing: people do not see this field.
    pub website: Option<String>,
}

/// What the customer wrote.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RequestDetails {
    /// How the customer is called.
    pub name: String,
    /// The mail address.
    pub email: String,
    /// What is to be done.
    pub message: String,
    /// The telephone; empty where none was given, as with all that follow.
    pub phone: String,
    /// What it is about.
    pub service: String,
    /// What kind of work it is.
    pub project_type: String,
    /// What it may cost.
    pub budget: String,
    /// By when it should be done.
    pub timeline: String,
    /// The language of the customer.
    pub language: Language,
}

/// A request as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Request {
    /// Ever increasing, never reused; for the house only.
    pub number: u64,
    /// By which it is known outside.
    pub id: String,
    /// What the customer wrote.
    pub details: RequestDetails,
    /// How far it is.
    pub status: Status,
    /// How far it was when it was put on hold.
    #[serde(default, alias = "held_from")]
    pub status_before_hold: Option<Status>,
    /// When it came in.
    pub created_at: DateTime<Utc>,
    /// When it was moved last.
    pub updated_at: DateTime<Utc>,
}

/// What the desk changes of a request.
#[derive(Debug, hanok_base::Request)]
#[serde(deny_unknown_fields)]
pub struct RequestChange {
    /// The state that it is moved to.
    pub status: Status,
    /// What the customer is told with it.
    #[field(MoveText, default)]
    pub message: String,
    /// true takes the latest step back: `status` is then the state before it (the field `undo` of the request). Left out it
    /// is false.
    #[field(Unchecked<bool>, default)]
    pub undo: bool,
}

/// What is to be noted of a request.
#[derive(Debug, hanok_base::Request)]
#[serde(deny_unknown_fields)]
pub struct NewNote {
    /// What is noted.
    #[field(NoteText)]
    pub text: String,
}

/// That a request has come in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Received {
    /// Its id.
    pub id: String,
    /// How far it is.
    pub status: Status,
    /// The word that opens it.
    pub public_token: String,
    /// The page on which it can be followed, with that word.
    pub track_url: String,
    /// When it came in.
    pub created_at: DateTime<Utc>,
}

/// A move of a request from one state to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StatusChange {
    /// How far it was; none when it came in.
    pub from: Option<Status>,
    /// How far it was from then on.
    pub to: Status,
    /// Who moved it; empty when it came in.
    pub by: String,
    /// What the customer was told with it; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// Whether it took back the step before it; left out where it did not.
    #[serde(default, skip_serializing_if = "is_false")]
    pub undo: bool,
    /// When.
    pub at: DateTime<Utc>,
}

/// What who keeps the shop has noted of a request. The customer never sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Note {
    /// Ever increasing, never reused.
    pub id: u64,
    /// What is noted.
    pub text: String,
    /// Who noted it.
    pub by: String,
    /// When.
    pub at: DateTime<Utc>,
}

/// What the customer is told with a move, in at most 2,000 characters; may be empty.
pub type MoveText = Text<0, 2000>;

/// What is noted, in at most 2,000 characters.
pub type NoteText = Text<1, 2000>;

/// A request as whoever has its link sees it: nothing by which the customer could be reached, and no note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Tracked {
    /// Its id.
    pub id: String,
    /// How the customer is called.
    pub name: String,
    /// What is to be done, as the customer wrote it.
    pub message: String,
    /// What it is about.
    pub service: String,
    /// How far it is.
    pub status: Status,
    /// What kind of work it is.
    pub project_type: String,
    /// What it may cost.
    pub budget: String,
    /// By when it should be done.
    pub timeline: String,
    /// When it came in.
    pub created_at: DateTime<Utc>,
    /// When it was moved last.
    pub updated_at: DateTime<Utc>,
    /// Each state it was in, the first one first.
    pub history: Vec<TrackedStatus>,
}

/// A state that a request has been in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct TrackedStatus {
    /// Which.
    pub status: Status,
    /// What the customer was told with it; may be empty. Nobody else sees it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// Whether the shop took back the step before it: a correction. Left out where it did not.
    #[serde(default, skip_serializing_if = "is_false")]
    pub undo: bool,
    /// Since when.
    pub at: DateTime<Utc>,
}

impl NewRequest {
    /// What the customer wrote, in `language` where it names none, and whether that is a person: not where the field was filled
    /// in that nobody sees.
    pub fn into_details(self, language: Language) -> (RequestDetails, bool) {
        let NewRequest { name, email, message, phone, service, project_type, budget, timeline, .. } = self;
        let (language, is_person) =
            (self.language.unwrap_or(language), self.website.is_none_or(|text| text.is_empty()));
        (RequestDetails { name, email, message, phone, service, project_type, budget, timeline, language }, is_person)
    }
}

/// The one of the languages in `accepted` (the header `Accept-Language`) that is preferred; else Korean.
pub fn language_of(accepted: &str) -> Language {
    if prefers_english(accepted) { Language::En } else { Language::Ko }
}

impl Request {
    /// It moved to `to` at `now`.
    ///
    /// # Errors
    /// `CONFLICT` naming the states that it may be moved to.
    pub fn moved(self, to: Status, now: DateTime<Utc>) -> Result<Request> {
        self.status.admit(to, self.status_before_hold)?;
        let status_before_hold = (to == Status::OnHold).then_some(self.status);
        Ok(Request { status: to, status_before_hold, updated_at: now, ..self })
    }

    /// Its latest step taken back at `now`, which leads to the state `to` again, and that step. `history` is how it was
    /// moved, the first change first; what was taken back before is no step any more.
    ///
    /// # Errors
    /// `CONFLICT` where nothing was done since it came in, or where its latest step does not lead back to `to`: somebody
    /// else was faster.
    ///
    /// ```text
    /// pending → reviewing → completed   undone(reviewing) → reviewing   undone(pending) → pending   nothing is left
    /// ```
    pub fn undone(self, history: &[StatusChange], to: Status, now: DateTime<Utc>) -> Result<(Request, StatusChange)> {
        let steps = steps_in_force(history);
        let [.., before, last] = steps.as_slice() else { return Err(status::nothing_to_undo()) };
        if before.to != to || last.to != self.status {
            return Err(status::undo_leads_to(self.status, before.to));
        }
        let status_before_hold = if to == Status::OnHold { before.from } else { None };
        Ok((Request { status: to, status_before_hold, updated_at: now, ..self }, (*last).clone()))
    }

    /// Whether it is over at `now` for longer than the `months` for which requests are kept; never where these are 0.
    pub fn is_past(&self, months: u32, now: DateTime<Utc>) -> bool {
        let until = self.updated_at.checked_add_months(Months::new(months));
        months > 0 && self.status.is_over() && until.is_some_and(|until| until <= now)
    }

    /// The states that it may be moved to.
    pub fn next(&self) -> Vec<Status> {
        self.status.next(self.status_before_hold)
    }

    /// It as whoever has its link sees it.
    pub fn tracked(self, history: Vec<StatusChange>) -> Tracked {
        let RequestDetails { name, message, service, project_type, budget, timeline, .. } = self.details;
        Tracked {
            id: self.id,
            name,
            message,
            service,
            status: self.status,
            project_type,
            budget,
            timeline,
            created_at: self.created_at,
            updated_at: self.updated_at,
            history: history.into_iter().map(TrackedStatus::from).collect(),
        }
    }
}

/// The state to which the latest step leads back when it is taken back; none where nothing was done since it came in.
pub fn undo_of(history: &[StatusChange]) -> Option<Status> {
    let steps = steps_in_force(history);
    steps.len().checked_sub(2).map(|before| steps[before].to)
}

/// The changes that were not taken back, the first one first.
fn steps_in_force(history: &[StatusChange]) -> Vec<&StatusChange> {
    let mut steps = Vec::new();
    for change in history {
        if change.undo {
            steps.pop();
        } else {
            steps.push(change);
        }
    }
    steps
}

impl StatusChange {
    /// That a request came in.
    pub fn received(at: DateTime<Utc>) -> StatusChange {
        StatusChange { from: None, to: Status::Pending, by: String::new(), message: String::new(), undo: false, at }
    }
}

impl From<StatusChange> for TrackedStatus {
    fn from(made: StatusChange) -> TrackedStatus {
        TrackedStatus { status: made.to, message: made.message, undo: made.undo, at: made.at }
    }
}

/// Whether a flag is left out of what is stored and answered.
fn is_false(flag: &bool) -> bool {
    !flag
}

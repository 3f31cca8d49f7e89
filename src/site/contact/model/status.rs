//! How far a request is, and where it may go from there.

use serde::{Deserialize, Serialize};

use hanok_base::message::MessageArg;
use hanok_base::schema::ToSchema;
use hanok_base::{Error, MessageTemplate, Result};

const NOT_THAT_WAY: MessageTemplate = MessageTemplate::new(
    "contact.not_that_way",
    "a request that is '{from}' cannot become '{to}'. It can become: {allowed}",
);
const OVER: MessageTemplate = MessageTemplate::new("contact.over", "a request that is '{from}' stays so");
const NOTHING_TO_UNDO: MessageTemplate =
    MessageTemplate::new("contact.nothing_to_undo", "nothing was done to this request yet that could be taken back");
const UNDO_LEADS_TO: MessageTemplate =
    MessageTemplate::new("contact.undo_leads_to", "the request is '{from}' now; taking that back leads to '{to}'");

/// How far a request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It has come in.
    Pending,
    /// Somebody looks at it.
    Reviewing,
    /// A quote was sent.
    Quoted,
    /// The quote was accepted.
    Accepted,
    /// The work is under way.
    InProgress,
    /// It rests.
    OnHold,
    /// The work is done.
    Completed,
    /// Nothing comes of it.
    Cancelled,
}

use Status::*;

impl Status {
    /// Every one, in the order of the work.
    pub const ALL: [Status; 8] = [Pending, Reviewing, Quoted, Accepted, InProgress, OnHold, Completed, Cancelled];

    /// The states that may follow it; `status_before_hold` is the one in which it was put on hold.
    pub fn next(self, status_before_hold: Option<Status>) -> Vec<Status> {
        match self {
            Pending => vec![Reviewing, Cancelled],
            Reviewing => vec![Quoted, OnHold, Cancelled],
            Quoted => vec![Accepted, OnHold, Cancelled],
            Accepted => vec![InProgress, OnHold, Cancelled],
            InProgress => vec![Completed, OnHold, Cancelled],
            OnHold => status_before_hold.into_iter().chain([Cancelled]).collect(),
            Completed | Cancelled => Vec::new(),
        }
    }

    /// Refuses `to` where it may not follow.
    ///
    /// # Errors
    /// `CONFLICT` naming those that may.
    pub fn admit(self, to: Status, status_before_hold: Option<Status>) -> Result<()> {
        let allowed = self.next(status_before_hold);
        if allowed.contains(&to) {
            return Ok(());
        }
        if allowed.is_empty() {
            return Err(Error::conflict(OVER.with([("from", self.given())])));
        }
        let names = |name: fn(Status) -> &'static str| allowed.iter().map(|status| name(*status)).collect::<Vec<_>>();
        let (ko, en) = (names(Status::in_korean).join(", "), names(Status::in_english).join(", "));
        let values = [("from", self.given()), ("to", to.given()), ("allowed", MessageArg::Named { ko, en })];
        Err(Error::conflict(NOT_THAT_WAY.with(values)))
    }

    /// Whether nothing more comes of it.
    pub fn is_over(self) -> bool {
        matches!(self, Completed | Cancelled)
    }

    /// As a number by which it is found; stored, so it stays.
    pub fn number(self) -> u64 {
        match self {
            Pending => 0,
            Reviewing => 1,
            Quoted => 2,
            Accepted => 3,
            InProgress => 4,
            OnHold => 5,
            Completed => 6,
            Cancelled => 7,
        }
    }

    /// As it is spelled in an answer.
    pub fn code(self) -> &'static str {
        match self {
            Pending => "pending",
            Reviewing => "reviewing",
            Quoted => "quoted",
            Accepted => "accepted",
            InProgress => "in_progress",
            OnHold => "on_hold",
            Completed => "completed",
            Cancelled => "cancelled",
        }
    }

    /// What it is called in Korean.
    pub fn in_korean(self) -> &'static str {
        match self {
            Pending => "접수",
            Reviewing => "검토 중",
            Quoted => "견적 발송",
            Accepted => "계약 확정",
            InProgress => "진행 중",
            OnHold => "보류",
            Completed => "완료",
            Cancelled => "취소",
        }
    }

    /// What it is called in English.
    pub fn in_english(self) -> &'static str {
        match self {
            Pending => "Received",
            Reviewing => "Under review",
            Quoted => "Quote sent",
            Accepted => "Quote accepted",
            InProgress => "In progress",
            OnHold => "On hold",
            Completed => "Completed",
            Cancelled => "Cancelled",
        }
    }

    fn given(self) -> MessageArg {
        (self.in_korean(), self.in_english()).into()
    }
}

/// That a request has just come in.
pub fn nothing_to_undo() -> Error {
    Error::conflict(NOTHING_TO_UNDO)
}

/// That taking back the latest step of a request that is `from` leads to `to`, and not where somebody thought.
pub fn undo_leads_to(from: Status, to: Status) -> Error {
    Error::conflict(UNDO_LEADS_TO.with([("from", from.given()), ("to", to.given())]))
}

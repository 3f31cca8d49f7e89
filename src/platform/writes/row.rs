//! A write as it is kept, and as callers see it.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use crate::jobs::TaskId;
use hanok_base::Message;
use hanok_base::message::LocalizedMessage;
use hanok_base::schema::ToSchema;

/// Where a write stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutboxStatus {
    /// Nothing of it has left the house; it is tried.
    Planned,
    /// It is being asked for. Whatever ends here may have been done.
    Sent,
    /// The provider has done it.
    Done,
    /// The provider has not done it and will not.
    Refused,
    /// It may have been done. It is looked up, or somebody decides.
    #[serde(alias = "unknown")]
    DeliveryUnknown,
    /// It was surely not done, and is not tried any more by itself.
    Unsent,
}

impl OutboxStatus {
    /// Whether an attempt may be under way or to come.
    pub fn is_open(self) -> bool {
        matches!(self, OutboxStatus::Planned | OutboxStatus::Sent)
    }

    /// As a number by which it is found.
    pub(super) fn number(self) -> u64 {
        match self {
            OutboxStatus::Planned => 0,
            OutboxStatus::Sent => 1,
            OutboxStatus::Done => 2,
            OutboxStatus::Refused => 3,
            OutboxStatus::DeliveryUnknown => 4,
            OutboxStatus::Unsent => 5,
        }
    }
}

/// A status as rows spell it.
fn as_stored<S: Serializer>(status: &OutboxStatus, serializer: S) -> Result<S::Ok, S::Error> {
    match status {
        OutboxStatus::DeliveryUnknown => serializer.serialize_str("unknown"),
        status => status.serialize(serializer),
    }
}

/// What the household says about a write that nobody else can tell of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// It has been done.
    Done,
    /// It has not been done, and is not to be done any more.
    NotDone,
    /// It has not been done, and is to be asked for anew.
    SendAgain,
    /// It is to be looked up once more or, where it was surely not done, tried once more.
    LookAgain,
}

/// Why a write is not done, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// In English.
    pub message: String,
    /// How a browser says it in its language.
    #[serde(rename = "spoken")]
    pub localized: Option<LocalizedMessage>,
}

impl From<Message> for Problem {
    fn from(said: Message) -> Problem {
        let (message, localized) = said.into_parts();
        Problem { message, localized }
    }
}

/// A write as it is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutboxEntry {
    /// Its number.
    pub id: u64,
    /// Its kind.
    pub kind: String,
    /// The name of the provider.
    pub provider: String,
    /// To whom or to what.
    pub target: String,
    /// What is to be done: the kind's own value.
    pub payload: Value,
    /// 128 random bits by which it is known: the idempotency key where the provider takes one. It stays the same until
    /// somebody who knows that it was not done has it asked for anew.
    pub token: String,
    /// Where it stands.
    #[serde(rename = "standing", serialize_with = "as_stored")]
    pub status: OutboxStatus,
    /// How often it was tried or looked up.
    pub attempts: u32,
    /// Why it is not done.
    #[serde(default)]
    pub problem: Option<Problem>,
    /// What the domain wants to know of what was done.
    #[serde(default)]
    pub answer: Option<Value>,
    /// What the household has decided and the task has not taken up yet.
    #[serde(default)]
    pub decided: Option<Decision>,
    /// The task that carries it.
    pub task: TaskId,
    /// When it was planned.
    pub planned_at: DateTime<Utc>,
    /// When it was sent first under its token.
    #[serde(default)]
    pub first_sent_at: Option<DateTime<Utc>>,
    /// When it was sent last.
    #[serde(default)]
    pub sent_at: Option<DateTime<Utc>>,
    /// When its outcome was written.
    #[serde(default)]
    pub settled_at: Option<DateTime<Utc>>,
}

/// A write as it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WriteSeen {
    /// Its number.
    pub id: u64,
    /// Its kind.
    pub kind: String,
    /// The name of the provider.
    pub provider: String,
    /// To whom or to what.
    pub target: String,
    /// Where it stands.
    pub status: OutboxStatus,
    /// How often it was tried or looked up.
    pub attempts: u32,
    /// Why it is not done.
    pub message: Option<String>,
    /// How a browser says `message` in its language.
    pub localized: Option<LocalizedMessage>,
    /// When it was planned.
    pub planned_at: DateTime<Utc>,
    /// When it was sent last.
    pub sent_at: Option<DateTime<Utc>>,
    /// When its outcome was written.
    pub settled_at: Option<DateTime<Utc>>,
    /// When it is tried or looked up again by itself.
    pub next_attempt_at: Option<DateTime<Utc>>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_write_of_an_earlier_version_is_read_and_written_as_it_was() {
        let row = json!({"id": 1, "kind": "order", "provider": "broker", "target": "x", "payload": {}, "token": "t",
            "standing": "unknown", "attempts": 1, "problem": null, "answer": null, "decided": null, "task": TaskId::new(),
            "planned_at": "2026-10-10T12:30:00Z", "first_sent_at": null, "sent_at": null, "settled_at": null});
        let entry: OutboxEntry = serde_json::from_value(row.clone()).unwrap();
        assert_eq!(entry.status, OutboxStatus::DeliveryUnknown);
        assert_eq!(serde_json::to_value(&entry).unwrap(), row);
        assert_eq!(json!(entry.status), "delivery_unknown", "to callers it has the word of today");
    }
}

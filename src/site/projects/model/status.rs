//! How far a step is, and where it may go from there.

use serde::{Deserialize, Serialize};

use hanok_base::message::MessageArg;
use hanok_base::schema::ToSchema;
use hanok_base::{Error, MessageTemplate, Result};

const NOT_THAT_WAY: MessageTemplate = MessageTemplate::new(
    "projects.not_that_way",
    "a step that is '{from}' cannot become '{to}'. It can become: {allowed}",
);

/// How far a step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MilestoneStatus {
    /// It is still ahead.
    Pending,
    /// It is under way.
    InProgress,
    /// It is done.
    Completed,
}

use MilestoneStatus::*;

impl MilestoneStatus {
    /// Every one, in the order of the work.
    pub const ALL: [MilestoneStatus; 3] = [Pending, InProgress, Completed];

    /// The states that may follow it.
    pub fn next(self) -> &'static [MilestoneStatus] {
        match self {
            Pending => &[InProgress],
            InProgress => &[Completed, Pending],
            Completed => &[InProgress],
        }
    }

    /// The state one step on; none where it is completed.
    pub fn on(self) -> Option<MilestoneStatus> {
        match self {
            Pending => Some(InProgress),
            InProgress => Some(Completed),
            Completed => None,
        }
    }

    /// The state one step back; none where it is pending.
    pub fn back(self) -> Option<MilestoneStatus> {
        match self {
            Pending => None,
            InProgress => Some(Pending),
            Completed => Some(InProgress),
        }
    }

    /// Refuses `to` where it may not follow.
    ///
    /// # Errors
    /// `CONFLICT` naming those that may.
    pub fn admit(self, to: MilestoneStatus) -> Result<()> {
        if self.next().contains(&to) {
            return Ok(());
        }
        let names = |name: fn((&'static str, &'static str)) -> &'static str| {
            self.next().iter().map(|status| name(status.text())).collect::<Vec<_>>().join(", ")
        };
        let allowed = MessageArg::Named { ko: names(|(ko, _)| ko), en: names(|(_, en)| en) };
        let values = [("from", self.text().into()), ("to", to.text().into()), ("allowed", allowed)];
        Err(Error::conflict(NOT_THAT_WAY.with(values)))
    }

    /// The word of the wire.
    pub fn code(self) -> &'static str {
        match self {
            Pending => "pending",
            InProgress => "in_progress",
            Completed => "completed",
        }
    }

    /// Its Korean and its English.
    pub fn text(self) -> (&'static str, &'static str) {
        match self {
            Pending => ("예정", "Pending"),
            InProgress => ("진행 중", "In progress"),
            Completed => ("완료", "Completed"),
        }
    }
}

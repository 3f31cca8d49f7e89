//! A project and its rules: the steps of quoted work, how they are moved, and how far they are.

mod request;
mod status;
#[cfg(test)]
mod tests;
mod usual;

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::quotes::{PublicQuote, QuoteStatus};
use hanok_base::money::Krw;
use hanok_base::schema::ToSchema;

pub use request::{LinkWanted, MilestoneChanges, NewMilestone, NewStep, What, word_in};
pub use status::MilestoneStatus;
pub use usual::usual_steps;

/// The most steps of one project.
pub const MOST_STEPS: usize = 50;

/// A step of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Milestone {
    /// Its id.
    pub id: String,
    /// The quote whose work it is a part of.
    pub quote_id: String,
    /// Its place among the steps of the quote, from 1.
    pub step_number: u32,
    /// What it is called.
    pub title: String,
    /// What is done in it; may be empty.
    pub description: String,
    /// How far it is.
    pub status: MilestoneStatus,
    /// What the shop writes of it to the customer; may be empty.
    pub note: String,
    /// When it was completed; null while it is not.
    pub completed_at: Option<DateTime<Utc>>,
    /// When it was added.
    pub created_at: DateTime<Utc>,
    /// When it was changed last.
    pub updated_at: DateTime<Utc>,
}

/// The step at which a project is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct CurrentStep {
    /// The id of the step.
    pub id: String,
    /// Its place, from 1.
    pub step_number: u32,
    /// What it is called.
    pub title: String,
    /// How far it is.
    pub status: MilestoneStatus,
}

/// A project as its customer sees it: a quote that is linked to the account, with its steps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Project {
    /// The id of the quote.
    pub id: String,
    /// The number of the quote.
    pub number: u64,
    /// What it is about.
    pub title: String,
    /// Where the quote stands: sent or accepted.
    pub status: QuoteStatus,
    /// What is to be paid, in won: as it was accepted, and before that without any optional line.
    pub total: Krw,
    /// When the quote was accepted; null while it is not.
    pub accepted_at: Option<DateTime<Utc>>,
    /// When the quote was begun.
    pub created_at: DateTime<Utc>,
    /// How many of the steps are completed, in percent, rounded; 0 where there are none.
    pub progress: u32,
    /// The first step that is under way, else the first that is pending; null where there is none.
    pub current_step: Option<CurrentStep>,
    /// The steps, in order.
    pub milestones: Vec<Milestone>,
}

/// What the customer has not been told yet of the steps of a quote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Untold {
    /// The quote.
    pub quote_id: String,
    /// When the customer is to be told.
    pub due_at: DateTime<Utc>,
    /// The steps that were moved, each with its state as the customer knows it.
    pub told: BTreeMap<String, MilestoneStatus>,
    /// Where customers reach the site, such as `https://shop.example`; none where nobody has said so.
    pub address: Option<String>,
}

impl Project {
    /// The project of this quote with these steps, in order.
    pub fn of(quote: PublicQuote, milestones: Vec<Milestone>) -> Project {
        let accepted = quote.decision.as_ref().filter(|decision| decision.accepted);
        Project {
            total: accepted.map_or(quote.totals.total, |decision| decision.totals.total),
            accepted_at: accepted.map(|decision| decision.at),
            id: quote.id,
            number: quote.number,
            title: quote.content.title,
            status: quote.status,
            created_at: quote.created_at,
            progress: progress(&milestones),
            current_step: current(&milestones).map(CurrentStep::from),
            milestones,
        }
    }
}

impl From<&Milestone> for CurrentStep {
    fn from(step: &Milestone) -> CurrentStep {
        let Milestone { id, step_number, title, status, .. } = step.clone();
        CurrentStep { id, step_number, title, status }
    }
}

impl Milestone {
    /// It in the state `to` from `now` on; one that is in it already stays as it is.
    ///
    /// # Errors
    /// `CONFLICT` naming the states that may follow.
    pub fn moved(self, to: MilestoneStatus, now: DateTime<Utc>) -> hanok_base::Result<Milestone> {
        if self.status == to {
            return Ok(self);
        }
        self.status.admit(to)?;
        let completed_at = (to == MilestoneStatus::Completed).then_some(now);
        Ok(Milestone { status: to, completed_at, ..self })
    }
}

impl Untold {
    /// Those of `steps` that stand otherwise than the customer knows.
    pub fn moved<'m>(&self, steps: &'m [Milestone]) -> Vec<&'m Milestone> {
        let is_moved = |step: &&Milestone| self.told.get(&step.id).is_some_and(|told| *told != step.status);
        steps.iter().filter(is_moved).collect()
    }
}

/// How many of the steps are completed, in percent, rounded half up; 0 where there are none.
pub fn progress(steps: &[Milestone]) -> u32 {
    let all = u32::try_from(steps.len()).unwrap_or(u32::MAX);
    let done = u32::try_from(completed(steps)).unwrap_or(u32::MAX);
    if all == 0 { 0 } else { done.saturating_mul(200).saturating_add(all) / all.saturating_mul(2) }
}

/// How many of the steps are completed.
pub fn completed(steps: &[Milestone]) -> usize {
    steps.iter().filter(|step| step.status == MilestoneStatus::Completed).count()
}

/// The first step that is under way, else the first that is pending.
pub fn current(steps: &[Milestone]) -> Option<&Milestone> {
    let first = |status| steps.iter().find(|step| step.status == status);
    first(MilestoneStatus::InProgress).or_else(|| first(MilestoneStatus::Pending))
}

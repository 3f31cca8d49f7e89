//! A request that is shown to others: what they see of it, and the links by which they do.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use super::{Request, RequestDetails, Status, StatusChange, TrackedStatus};
use hanok_base::day::Day;
use hanok_base::schema::ToSchema;
use hanok_base::text::Text;

/// A share link as it is asked for.
#[derive(Debug, hanok_base::Request)]
#[serde(deny_unknown_fields)]
pub struct ShareWanted {
    /// The last day on which it opens the request, in Asia/Seoul: from today to a year from now.
    #[field(Day)]
    pub until: NaiveDate,
    /// For whom it is; others never see it.
    #[field(Text<0, 50>, default)]
    pub label: String,
}

/// Who made a share link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ShareMaker {
    /// Whoever has the link of the receipt.
    Customer,
    /// Who keeps the shop.
    Admin,
}

/// A share link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// Its id, which opens nothing.
    pub id: String,
    /// Who made it.
    pub by: ShareMaker,
    /// For whom it is; may be empty.
    pub label: String,
    /// The last day on which it opens the request.
    pub until: NaiveDate,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When it was used last, to the minute; none where it never was.
    pub used_at: Option<DateTime<Utc>>,
    /// The word by which it opens.
    pub word: String,
}

/// A request as others see it by a share link: nothing of who the customer is, how they are reached, what they wrote, or what
/// it may cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct SharedRequest {
    /// What it is about.
    pub service: String,
    /// How far it is.
    pub status: Status,
    /// What kind of work it is.
    pub project_type: String,
    /// By when it should be done.
    pub timeline: String,
    /// When it came in.
    pub created_at: DateTime<Utc>,
    /// When it was moved last.
    pub updated_at: DateTime<Utc>,
    /// Each state it was in, the first one first.
    pub history: Vec<TrackedStatus>,
    /// The last day on which it can be seen by this link.
    pub until: NaiveDate,
}

impl Request {
    /// It as others see it until that day.
    pub fn shared(self, history: Vec<StatusChange>, until: NaiveDate) -> SharedRequest {
        let RequestDetails { service, project_type, timeline, .. } = self.details;
        SharedRequest {
            service,
            status: self.status,
            project_type,
            timeline,
            created_at: self.created_at,
            updated_at: self.updated_at,
            history: history.into_iter().map(|made| TrackedStatus { message: String::new(), ..made.into() }).collect(),
            until,
        }
    }
}

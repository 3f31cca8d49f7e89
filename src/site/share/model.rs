//! A link to the portfolio: as it is asked for, and as the desk sees it.

use chrono::{DateTime, Utc};
use serde::Serialize;

use hanok_base::Request;
use hanok_base::page::Listed;
use hanok_base::schema::ToSchema;
use hanok_base::text::Line;
use hanok_base::validated::IntRange;

/// For how many days a link is good when nobody says otherwise.
pub const USUAL_DAYS: u64 = 30;

/// A link to be made.
#[derive(Debug, Request)]
#[serde(deny_unknown_fields)]
pub struct NewPortfolioLink {
    /// For whom it is, as the page greets them; left out it greets nobody.
    #[field(Line<0, 100>, default)]
    pub memo: String,
    /// For how many days of 24 hours it is good; left out it is 30.
    #[field(IntRange<1, 365>)]
    pub ttl_days: Option<u64>,
}

/// A link that is good.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct PortfolioLink {
    /// Its id, which opens nothing.
    pub id: String,
    /// The word by which it opens the portfolio.
    pub token: String,
    /// The page that it opens.
    pub url: String,
    /// For whom it is; may be empty.
    pub memo: String,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// From when on it opens nothing.
    pub expires_at: DateTime<Utc>,
    /// When it was used last, to the minute; null where it never was.
    pub used_at: Option<DateTime<Utc>>,
}

impl Listed for PortfolioLink {
    const PLURAL: &'static str = "tokens";
}

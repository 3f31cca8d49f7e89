//! Draws as the lottery keeps and shows them.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::calendar::NextDraw;
use hanok_base::schema::ToSchema;
use hanok_calc::lottery::Draw;

/// Where a draw came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DrawSource {
    /// It ships with the program.
    BuiltIn,
    /// The operator's interface.
    Operator,
    /// A file that was brought by hand.
    Import,
}

impl DrawSource {
    /// Its name in keys, as in JSON.
    pub fn name(self) -> &'static str {
        match self {
            DrawSource::BuiltIn => "built_in",
            DrawSource::Operator => "operator",
            DrawSource::Import => "import",
        }
    }
}

/// A draw as it is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredDraw {
    /// The draw.
    pub draw: Draw,
    /// Where it first came from.
    pub source: DrawSource,
}

/// What is known about the draws as a whole.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DrawsState {
    /// Changes with every change of a draw and never comes back, not even after a restore: it is chosen
    /// at random. What was computed from one revision is right for that revision only.
    #[serde(default)]
    pub revision: u64,
    /// When the operator last gave a good answer.
    #[serde(default)]
    pub last_contact_at: Option<DateTime<Utc>>,
    /// Which program version brought its built-in draws last.
    #[serde(default)]
    pub built_in_of: String,
}

/// A value that contradicts the stored draw. It is kept aside and shown; the stored draw stays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Conflict {
    /// The draw.
    pub draw_no: u32,
    /// What differs, such as `numbers` or `prizes[0].winners`.
    pub field: String,
    /// What is stored.
    pub stored: String,
    /// What was received.
    pub received: String,
    /// Who sent it.
    pub source: DrawSource,
    /// When it was seen last.
    pub seen_at: DateTime<Utc>,
}

/// The newest draw, and how old it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LatestDraw {
    /// The draw.
    #[serde(flatten)]
    pub draw: Draw,
    /// The draw that comes next by the calendar.
    pub next_draw: NextDraw,
    /// Days since the draw.
    pub age_days: i64,
    /// How many draws have been held but are not stored.
    pub missing: u64,
    /// Where this draw came from.
    pub source: DrawSource,
    /// When the operator last gave a good answer; null when it never did.
    pub as_of: Option<DateTime<Utc>>,
    /// Whether draws are missing.
    pub stale: bool,
    /// What contradicts stored draws, newest draws first; at most 50.
    pub conflicts: Vec<Conflict>,
}

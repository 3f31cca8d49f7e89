//! Draws as the lottery keeps and shows them.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use super::calendar::NextDraw;
use hanok_base::expected::one_of;
use hanok_base::message::LocalizedMessage;
use hanok_base::schema::{Components, RefOr, Schema, ToSchema};
use hanok_base::validated::{Constraint, IntRange, ValidationErrors};
use hanok_calc::lottery::{Draw, Published};

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
    /// Every source.
    pub const ALL: [DrawSource; 3] = [DrawSource::BuiltIn, DrawSource::Operator, DrawSource::Import];

    /// Their names.
    pub const NAMES: [&str; 3] = [Self::ALL[0].name(), Self::ALL[1].name(), Self::ALL[2].name()];

    /// Its name in keys, as in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            DrawSource::BuiltIn => "built_in",
            DrawSource::Operator => "operator",
            DrawSource::Import => "import",
        }
    }
}

/// It is sent by its name, in an address and on the command line.
impl Constraint for DrawSource {
    type Input = String;
    type Value = DrawSource;

    fn check(sent: String) -> Result<DrawSource, ValidationErrors> {
        let named = DrawSource::ALL.into_iter().find(|source| source.name() == sent);
        named.ok_or_else(|| one_of(&DrawSource::NAMES).into())
    }

    fn schema(components: &mut Components) -> RefOr<Schema> {
        <DrawSource as ToSchema>::to_schema(components)
    }
}

/// A draw as it is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredDraw {
    /// The draw.
    pub draw: Draw,
    /// Where it first came from, or who corrected it last.
    pub source: DrawSource,
    /// Whether the operator has said it again some weeks later, or the household has decided about it.
    #[serde(default)]
    pub confirmed: bool,
}

/// After how many days the operator is asked for a complete draw once more: by then what was corrected is corrected.
const SAID_AGAIN_AFTER_DAYS: i64 = 28;

impl StoredDraw {
    /// A draw from `source` that nobody has said again yet.
    pub fn new(draw: Draw, source: DrawSource) -> StoredDraw {
        StoredDraw { draw, source, confirmed: false }
    }

    /// Whether the operator is to be asked for it on the day `today`: it is not complete, it was brought by hand, or it
    /// is some weeks old and was never asked for again. Those that ship with the program were compared before. What the
    /// household has taken from a file against the operator's last word, the operator never completes.
    pub fn is_asked_for(&self, today: NaiveDate) -> bool {
        let is_settled = self.confirmed && self.source == DrawSource::Import && self.is_old(today);
        let is_incomplete = self.draw.published < Published::Complete && !is_settled;
        is_incomplete
            || match self.source {
                _ if self.confirmed => false,
                DrawSource::BuiltIn => false,
                DrawSource::Import => true,
                DrawSource::Operator => self.is_old(today),
            }
    }

    /// Whether what the operator says of it on the day `today` is the last word.
    pub fn is_old(&self, today: NaiveDate) -> bool {
        (today - self.draw.date).num_days() >= SAID_AGAIN_AFTER_DAYS
    }
}

/// A received draw that contradicts the stored one, kept whole until the household decides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KeptAside {
    /// What was received.
    pub draw: Draw,
    /// Whether the household has refused it: then it says nothing any more.
    #[serde(default)]
    pub refused: bool,
}

/// What a source had sent, and the household had refused or not yet decided about, when a stored draw gave way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AsideBefore {
    /// Who had sent it.
    pub source: DrawSource,
    /// What was kept aside.
    pub kept: KeptAside,
}

/// A stored draw that gave way to another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Correction {
    /// Ever increasing, never reused: a later correction has a higher one.
    #[serde(default)]
    pub id: u64,
    /// The draw.
    pub draw_no: u32,
    /// When.
    pub at: DateTime<Utc>,
    /// What was stored before.
    pub before: Draw,
    /// Who had said that; null for what was noted before this was kept.
    #[serde(default)]
    pub before_source: Option<DrawSource>,
    /// What is stored since.
    pub after: Draw,
    /// Who said so.
    pub source: DrawSource,
    /// Who decided.
    pub by: CorrectedBy,
}

/// The number of a correction.
pub type CorrectionId = IntRange<1, 9_007_199_254_740_991>;

/// Who decided that a stored draw gives way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CorrectedBy {
    /// The household, on the page or by the command.
    Household,
    /// The rule that draws which were brought by hand give way to the operator's.
    Rule,
}

/// What the household decides about a draw that was kept aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// Who sent it.
    pub source: DrawSource,
    /// true takes it in the place of the stored one, false refuses it for good.
    pub accept: bool,
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
    /// Whether the received draw was kept whole, so that it can be accepted.
    #[serde(default)]
    pub can_be_accepted: bool,
}

/// A received draw that waits for the household's decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Undecided {
    /// The draw.
    pub draw_no: u32,
    /// Who sent it.
    pub source: DrawSource,
    /// What is stored, and stays when it is refused.
    pub stored: Draw,
    /// What is stored once it is accepted: what it leaves open stays as far as it can still be true.
    pub accepted: Draw,
}

/// Decisions that wait for the household, newest draws first: one for each draw and source that contradicts it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Decisions {
    /// What contradicts stored draws, all of it for each decision.
    pub conflicts: Vec<Conflict>,
    /// The received draws behind them that can be accepted, in the same order.
    pub undecided: Vec<Undecided>,
    /// How many decisions wait in all.
    pub total: u64,
}

/// An attempt to ask the operator that failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AskingFailed {
    /// When.
    pub at: DateTime<Utc>,
    /// What failed, in one readable sentence.
    pub message: String,
    /// How a browser says `message` in its language.
    pub localized: Option<LocalizedMessage>,
    /// From when on it can be asked again, to the second; null where it can be asked now.
    pub retry_at: Option<DateTime<Utc>>,
}

/// Draws in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DrawRange {
    /// The first of them.
    pub from: u32,
    /// The last of them.
    pub to: u32,
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
    /// Which those are, ascending; the first 20 ranges.
    pub missing_ranges: Vec<DrawRange>,
    /// Where this draw came from.
    pub source: DrawSource,
    /// When the operator last gave a good answer; null when it never did.
    pub as_of: Option<DateTime<Utc>>,
    /// Why the operator gave none when asked since; null where the last attempt succeeded, or none was made since the start.
    pub failure: Option<AskingFailed>,
    /// Whether draws are missing.
    pub stale: bool,
    /// What contradicts stored draws, newest draws first: everything about the first 10 decisions.
    pub conflicts: Vec<Conflict>,
    /// The received draws behind them that can be accepted, newest first.
    pub undecided: Vec<Undecided>,
    /// How many decisions wait in all: one for each draw and source that contradicts it.
    pub decisions: u64,
    /// Stored draws that gave way to others, newest first; the first 10.
    pub corrections: Vec<Correction>,
    /// How many such corrections there are.
    pub corrected: u64,
}

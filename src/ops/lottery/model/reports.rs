//! What the lottery writes: the lists of reports and reviews, and what the curator took.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use hanok_base::schema::ToSchema;
use hanok_base::validated::IntRange;
use hanok_calc::lottery::Numbers;
use hanok_calc::lottery::briefing::Briefing;
use hanok_calc::lottery::report::Report;
use hanok_calc::lottery::review::PickSource;

/// A report in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReportEntry {
    /// The draw it is for.
    pub drw_no: u32,
    /// When it was made.
    pub generated_at: DateTime<Utc>,
    /// The newest draw that was known.
    pub based_on_draw: u32,
}

impl From<Report> for ReportEntry {
    fn from(report: Report) -> Self {
        let Report { drw_no, generated_at, based_on_draw, .. } = report;
        ReportEntry { drw_no, generated_at, based_on_draw }
    }
}

/// Sets that went when a report or briefing was replaced by one without them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplacedSets {
    /// Where they were given.
    pub from: PickSource,
    /// The sets.
    pub sets: Vec<Numbers>,
    /// When it was made; null for what an earlier program replaced, of which only the sets are kept.
    #[serde(default)]
    pub made_at: Option<DateTime<Utc>>,
}

/// A report or briefing as it was given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReplacedText {
    /// A report.
    Report(Report),
    /// A briefing.
    Briefing(Briefing),
}

impl ReplacedText {
    /// Which of both.
    pub fn source(&self) -> PickSource {
        match self {
            ReplacedText::Report(_) => PickSource::Report,
            ReplacedText::Briefing(_) => PickSource::Briefing,
        }
    }

    /// When it was made.
    pub fn made_at(&self) -> DateTime<Utc> {
        match self {
            ReplacedText::Report(report) => report.generated_at,
            ReplacedText::Briefing(briefing) => briefing.created_at,
        }
    }
}

/// A report or briefing that another one has taken the place of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Replaced {
    /// Its number among those of its draw, ever increasing.
    pub id: u64,
    /// When it was made.
    pub made_at: DateTime<Utc>,
}

/// The number of a report or briefing that was replaced.
pub type ReplacedId = IntRange<1, 9_007_199_254_740_991>;

/// A report with those for its draw that were replaced.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ShownReport {
    /// The report.
    #[serde(flatten)]
    pub report: Report,
    /// Those for its draw that others have taken the place of, the last one first; `?replaced=` with an `id` shows one.
    pub replaced: Vec<Replaced>,
}

/// A briefing with those for its draw that were replaced.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ShownBriefing {
    /// The briefing.
    #[serde(flatten)]
    pub briefing: Briefing,
    /// Those for its draw that others have taken the place of, the last one first; `?replaced=` with an `id` shows one.
    pub replaced: Vec<Replaced>,
}

/// What the curator took on one day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DayUsage {
    /// The day in Asia/Seoul.
    pub date: NaiveDate,
    /// Briefings that were composed.
    pub runs: u64,
    /// Briefings that failed.
    #[serde(default)]
    pub failures: u64,
    /// Tokens read by a language model; 0 for the embedded composer.
    pub tokens_in: u64,
    /// Tokens written by a language model; 0 for the embedded composer.
    pub tokens_out: u64,
}

/// What the curator took over some days.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CuratorUsage {
    /// How many days up to today.
    pub days: u32,
    /// Briefings that were composed.
    pub runs: u64,
    /// Briefings that failed.
    pub failures: u64,
    /// Tokens read.
    pub tokens_in: u64,
    /// Tokens written.
    pub tokens_out: u64,
    /// Won paid; the embedded composer costs nothing.
    pub cost_won: u64,
    /// What composes: `template`.
    pub composer: String,
    /// The days on which anything was composed, newest first.
    pub by_day: Vec<DayUsage>,
}

impl CuratorUsage {
    /// The usage of `days` days, of which these had any.
    pub fn of(days: u32, by_day: Vec<DayUsage>) -> CuratorUsage {
        let sum = |figure: fn(&DayUsage) -> u64| by_day.iter().map(figure).sum();
        CuratorUsage {
            days,
            runs: sum(|day| day.runs),
            failures: sum(|day| day.failures),
            tokens_in: sum(|day| day.tokens_in),
            tokens_out: sum(|day| day.tokens_out),
            cost_won: 0,
            composer: "template".to_owned(),
            by_day,
        }
    }
}

/// Picks that were compared with one draw.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckedPicks {
    /// How many.
    pub checked: u64,
    /// Winning numbers in all of them together.
    pub matched: u64,
}

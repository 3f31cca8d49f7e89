//! What a start has done: each thing that was checked, mended or brought up to date, said in the log and kept.

use std::time::Instant;

use serde::{Deserialize, Serialize};
use tracing::info;

use super::file::versions::Migrated;
use hanok_base::schema::ToSchema;

/// What was done at the start, and how long each part took.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct StartReport {
    /// Each thing that was checked, mended or done.
    pub items: Vec<StartItem>,
    /// All of it, in milliseconds.
    pub elapsed_ms: u64,
}

/// One thing of the start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct StartItem {
    /// Which step it was: the screens say it in their language.
    pub step: StartStep,
    /// What was done, in one sentence for the log.
    pub what: String,
    /// In milliseconds.
    pub elapsed_ms: u64,
}

/// The steps of a start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StartStep {
    /// A new store was created.
    Created,
    /// The store was opened; it had been closed cleanly.
    Opened,
    /// The store was opened after an unclean end and repaired.
    Repaired,
    /// The store was opened after an unclean end and repaired, without its last write, which was not there whole.
    RepairedInPart,
    /// Every page was checked.
    Checked,
    /// What an interrupted restore had left was removed.
    RestoreUndone,
    /// What a copy of the folder had brought of snapshots in part was put in order.
    SnapshotsCleared,
    /// A migration was rehearsed on a copy.
    Rehearsed,
    /// The store was migrated.
    Migrated,
    /// Interrupted jobs were put right.
    JobsRecovered,
    /// Open tasks that this version cannot read were laid aside.
    TasksLaidAside,
    /// The data that ships with the program was brought up to date.
    DataAdded,
}

impl StartReport {
    /// Adds what was done since `begun`, and says it in the log: also when the start is refused for something else later.
    pub fn add(&mut self, step: StartStep, what: impl Into<String>, begun: Instant) {
        let what = what.into();
        info!(elapsed_ms = begun.elapsed().as_millis() as u64, "start: {what}");
        self.put(step, what, begun);
    }

    /// Adds a migration, and says it.
    pub(super) fn add_migration(&mut self, migrated: &Migrated, begun: Instant) {
        self.put(StartStep::Migrated, migrated.to_string(), begun);
        migrated.say();
    }

    fn put(&mut self, step: StartStep, what: String, begun: Instant) {
        let elapsed_ms = begun.elapsed().as_millis() as u64;
        self.elapsed_ms += elapsed_ms;
        self.items.push(StartItem { step, what, elapsed_ms });
    }
}

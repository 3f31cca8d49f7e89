//! Lanes: jobs that wait for each other, and never for those of another lane.

use serde::{Deserialize, Deserializer, Serialize};

use crate::config;

/// Where a job waits for its turn. Each lane has workers of its own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Lane {
    /// Short work on what is stored: seconds at most, but for a snapshot.
    #[default]
    Quick,
    /// Long work of this machine: a full check, a render.
    Heavy,
    /// Mostly waits for an outside provider.
    Outside,
    /// Mail, which goes out one after the other and waits for its rate without holding up anything else.
    Mail,
}

impl Lane {
    /// Every lane.
    pub const ALL: [Lane; 4] = [Lane::Quick, Lane::Heavy, Lane::Outside, Lane::Mail];

    /// Its name in the key of the queue.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Lane::Quick => "quick",
            Lane::Heavy => "heavy",
            Lane::Outside => "outside",
            Lane::Mail => "mail",
        }
    }

    /// How many of its jobs run at the same time.
    pub(super) fn workers(self, settings: &config::Jobs) -> usize {
        let workers = match self {
            Lane::Quick => settings.quick_workers,
            Lane::Heavy => settings.heavy_workers,
            Lane::Outside => settings.outside_workers,
            Lane::Mail => 1,
        };
        workers.max(1) as usize
    }
}

impl<'de> Deserialize<'de> for Lane {
    /// A lane that only another version knows is read as the first one: where a kind waits is the registry's to say.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Lane, D::Error> {
        let name = String::deserialize(deserializer)?;
        Ok(Lane::ALL.into_iter().find(|lane| lane.name() == name).unwrap_or_default())
    }
}

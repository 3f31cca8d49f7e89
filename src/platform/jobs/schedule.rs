//! The schedule: what begins by itself, in Asia/Seoul. The last run is stored; what was missed while the
//! machine was off runs once.

use chrono::{DateTime, Duration, Utc};
use croner::Cron;
use serde::{Deserialize, Serialize};

use super::registry::Job;
use super::store;
use super::task::TaskId;
use crate::store::{Reads, Table, WriteTx};
use hanok_base::schema::ToSchema;
use hanok_base::{Error, Result, day};

/// One line of the schedule.
pub struct ScheduleEntry {
    pub(super) name: &'static str,
    title: (&'static str, &'static str),
    timing: Timing,
    at_first_start: bool,
    pub(super) enqueue: fn(&WriteTx) -> Result<TaskId>,
}

impl ScheduleEntry {
    /// Begins a `J` as `timing` says, under a `name` that is unique in the schedule; called what the job is called.
    pub fn of<J: Job + Default>(name: &'static str, timing: Timing) -> ScheduleEntry {
        let enqueue = |tx: &WriteTx| store::enqueue(tx, &J::default());
        ScheduleEntry { name, title: J::TITLE, timing, at_first_start: false, enqueue }
    }

    /// Called this in the schedule, in Korean and English, where the job's own title says too little there.
    pub fn titled(self, korean: &'static str, english: &'static str) -> ScheduleEntry {
        ScheduleEntry { title: (korean, english), ..self }
    }

    /// Runs once at the very first start, too.
    pub fn at_first_start(self) -> ScheduleEntry {
        ScheduleEntry { at_first_start: true, ..self }
    }
}

/// When something begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Timing {
    /// A cron expression of five fields, in Asia/Seoul.
    Cron(&'static str),
    /// So long after the last time.
    Every(Duration),
    /// Never by itself.
    Never,
}

/// One line of the schedule as callers see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ScheduleState {
    /// Unique name, for "run now".
    pub name: String,
    /// What it is, in Korean.
    pub title_ko: String,
    /// What it is, in English.
    pub title_en: String,
    /// The cron expression (Asia/Seoul), or `every N minutes`, or `never`.
    pub cron: String,
    /// When it last began.
    pub last_run_at: Option<DateTime<Utc>>,
    /// When it begins next.
    pub next_run_at: Option<DateTime<Utc>>,
    /// The task of the last run.
    pub last_task_id: Option<String>,
}

/// Table: when each entry last began. Key: its name.
pub(super) const LAST_RUNS: Table<&'static str, LastRun> = Table::new("schedule-1");

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct LastRun {
    at: DateTime<Utc>,
    #[serde(default)]
    task_id: Option<TaskId>,
}

/// Notes entries that are seen for the first time: what they missed counts from now on.
pub(super) fn begin(entries: &[ScheduleEntry], tx: &WriteTx) -> Result<()> {
    for entry in entries {
        if !entry.at_first_start && !tx.contains(&LAST_RUNS, entry.name)? {
            tx.put(&LAST_RUNS, entry.name, &LastRun { at: tx.now(), task_id: None })?;
        }
    }
    Ok(())
}

/// Queues every entry whose time has come, each at most once however often it was missed.
/// Gives when the next one comes.
pub(super) fn enqueue_due(entries: &[ScheduleEntry], tx: &WriteTx) -> Result<Option<DateTime<Utc>>> {
    let now = tx.now();
    let mut next = None;
    for entry in entries {
        let last = match tx.get(&LAST_RUNS, entry.name)? {
            // A clock that was set back: from now on it counts from now, and not from a day that is far away.
            Some(last) if last.at > now => {
                tx.put(&LAST_RUNS, entry.name, &LastRun { at: now, ..last })?;
                now
            }
            Some(last) => last.at,
            None if entry.at_first_start => DateTime::UNIX_EPOCH,
            None => now,
        };
        let Some(due) = due_after(&entry.timing, last)? else { continue };
        let upcoming = if due <= now {
            let task_id = Some((entry.enqueue)(tx)?);
            tx.put(&LAST_RUNS, entry.name, &LastRun { at: now, task_id })?;
            due_after(&entry.timing, now)?
        } else {
            Some(due)
        };
        next = match (next, upcoming) {
            (Some(a), Some(b)) => Some(std::cmp::min(a, b)),
            (a, b) => a.or(b),
        };
    }
    Ok(next)
}

/// When an entry is to be looked at next, without writing.
pub(super) fn next_due(entries: &[ScheduleEntry], tx: &impl Reads) -> Result<Option<DateTime<Utc>>> {
    let mut next: Option<DateTime<Utc>> = None;
    for entry in entries {
        let due = match tx.get(&LAST_RUNS, entry.name)? {
            Some(last) if last.at <= tx.now() => due_after(&entry.timing, last.at)?,
            // Never seen, or last begun by a clock that was ahead.
            _ => Some(tx.now()),
        };
        if let Some(due) = due {
            next = Some(next.map_or(due, |known| known.min(due)));
        }
    }
    Ok(next)
}

pub(super) fn states(entries: &[ScheduleEntry], tx: &impl Reads) -> Result<Vec<ScheduleState>> {
    entries
        .iter()
        .map(|entry| {
            let last = tx.get(&LAST_RUNS, entry.name)?;
            let from = last.as_ref().map_or(tx.now(), |last| last.at.min(tx.now()));
            Ok(ScheduleState {
                name: entry.name.to_owned(),
                title_ko: entry.title.0.to_owned(),
                title_en: entry.title.1.to_owned(),
                cron: match &entry.timing {
                    Timing::Cron(expression) => (*expression).to_owned(),
                    Timing::Every(period) => format!("every {} minutes", period.num_minutes()),
                    Timing::Never => "never".to_owned(),
                },
                next_run_at: due_after(&entry.timing, from)?,
                last_task_id: last.as_ref().and_then(|last| last.task_id.clone()),
                last_run_at: last.map(|last| last.at),
            })
        })
        .collect()
}

/// The first instant after `last` at which `timing` begins.
pub(super) fn due_after(timing: &Timing, last: DateTime<Utc>) -> Result<Option<DateTime<Utc>>> {
    match timing {
        Timing::Never => Ok(None),
        Timing::Every(period) => Ok(last.checked_add_signed(*period)),
        Timing::Cron(expression) => {
            let cron: Cron = expression.parse().map_err(Error::internal)?;
            let next = cron.find_next_occurrence(&last.with_timezone(&day::ZONE), false).map_err(Error::internal)?;
            Ok(Some(next.with_timezone(&Utc)))
        }
    }
}

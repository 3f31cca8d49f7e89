//! The schedule: what begins by itself, in Asia/Seoul. The last run is stored; what was missed while the
//! machine was off runs once.

use std::sync::OnceLock;

use chrono::{DateTime, Duration, Utc};
use croner::Cron;
use serde::{Deserialize, Serialize};

use super::registry::Job;
use super::store;
use super::task::TaskId;
use crate::events::Change;
use crate::store::{ReadTransaction, ReadTx, Table, WriteTx};
use hanok_base::schema::ToSchema;
use hanok_base::{Error, Result, day};

/// When something is due; none when nothing is.
type Next = Result<Option<DateTime<Utc>>>;

/// One line of the schedule.
pub struct ScheduleEntry {
    pub(super) name: &'static str,
    title: (&'static str, &'static str),
    timing: Timing,
    /// The expression of a [`Timing::Cron`], read once: that takes longer than most answers.
    cron: OnceLock<Cron>,
    at_first_start: bool,
    at_each_start: bool,
    pub(super) enqueue: fn(&WriteTx) -> Result<TaskId>,
}

/// A job that begins when something that is stored is due.
pub trait Timely: Job + Default {
    /// What is announced whenever something is stored that may be due earlier: the schedule looks again.
    const ON: Change;

    /// For how long nothing begins again while something stays due.
    const PAUSE: Duration = PAUSE;

    /// When the first of it is due.
    fn next(tx: &impl ReadTransaction) -> Result<Option<DateTime<Utc>>>;
}

/// What cannot be done is not tried again at once.
const PAUSE: Duration = Duration::minutes(1);
/// A house that starts over and over does not begin at each start what it has just begun.
const BETWEEN_STARTS: Duration = Duration::minutes(10);

impl ScheduleEntry {
    /// Begins a `J` as `timing` says, under a `name` that is unique in the schedule; called what the job is called.
    pub fn of<J: Job + Default>(name: &'static str, timing: Timing) -> ScheduleEntry {
        let enqueue = |tx: &WriteTx| store::enqueue(tx, &J::default());
        let at_first_start = matches!(timing, Timing::Once);
        let cron = OnceLock::new();
        ScheduleEntry { name, title: J::TITLE, timing, cron, at_first_start, at_each_start: false, enqueue }
    }

    /// Begins a `J` whenever something is due for it.
    pub fn when_due<J: Timely>(name: &'static str) -> ScheduleEntry {
        let due = WhenDue { read: |tx| J::next(tx), written: |tx| J::next(tx), on: J::ON, pause: J::PAUSE };
        ScheduleEntry::of::<J>(name, Timing::WhenDue(due))
    }

    /// Whether `change` may bring it forward.
    pub(super) fn is_moved_by(&self, change: Change) -> bool {
        matches!(&self.timing, Timing::WhenDue(due) if due.on == change)
    }

    /// The first instant after `last`, or since ever, at which it begins; `stored` asks when what is stored is due.
    fn due_after(&self, last: Option<DateTime<Utc>>, stored: impl FnOnce(&WhenDue) -> Next) -> Next {
        let is_first = last.is_none();
        let last = last.unwrap_or(DateTime::UNIX_EPOCH);
        match &self.timing {
            Timing::Never => Ok(None),
            Timing::Once => Ok(is_first.then_some(last)),
            Timing::WhenDue(due) => Ok(stored(due)?.map(|instant| instant.max(last + due.pause))),
            Timing::Every(period) => Ok(last.checked_add_signed(*period)),
            Timing::Cron(expression) => {
                let cron = match self.cron.get() {
                    Some(cron) => cron,
                    None => {
                        let read = expression.parse().map_err(Error::internal)?;
                        self.cron.get_or_init(|| read)
                    }
                };
                let next =
                    cron.find_next_occurrence(&last.with_timezone(&day::ZONE), false).map_err(Error::internal)?;
                Ok(Some(next.with_timezone(&Utc)))
            }
        }
    }

    /// Called this in the schedule, in Korean and English, where the job's own title says too little there.
    pub fn titled(self, korean: &'static str, english: &'static str) -> ScheduleEntry {
        ScheduleEntry { title: (korean, english), ..self }
    }

    /// Runs once at the very first start, too.
    pub fn at_first_start(self) -> ScheduleEntry {
        ScheduleEntry { at_first_start: true, ..self }
    }

    /// Begins at each start after the first, too, while what is stored names an instant at all, be it a later one.
    pub fn at_each_start(self) -> ScheduleEntry {
        ScheduleEntry { at_each_start: true, ..self }
    }
}

/// When something begins.
#[derive(Debug, Clone)]
pub enum Timing {
    /// A cron expression of five fields, in Asia/Seoul.
    Cron(&'static str),
    /// So long after the last time.
    Every(Duration),
    /// When something that is stored is due, and again only after a pause: see [`ScheduleEntry::when_due`].
    WhenDue(WhenDue),
    /// When it is seen for the first time, and never again by itself.
    Once,
    /// Never by itself.
    Never,
}

/// When something that is stored is due.
#[derive(Debug, Clone)]
pub struct WhenDue {
    /// As one who reads is told.
    read: fn(&ReadTx) -> Next,
    /// As one who writes is told.
    written: fn(&WriteTx) -> Next,
    /// What is announced when it may be earlier.
    on: Change,
    /// At most once in so long.
    pause: Duration,
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
    /// The cron expression (Asia/Seoul), or `every N minutes`, or `when due`, `once` or `never`.
    pub cron: String,
    /// When it last began, by itself or by hand.
    pub last_run_at: Option<DateTime<Utc>>,
    /// When it begins next.
    pub next_run_at: Option<DateTime<Utc>>,
    /// The task of the last run.
    pub last_task_id: Option<String>,
}

/// A timing as [`ScheduleState::cron`] tells it, in English words: `At 03:20` for `20 3 * * *`. What is no cron expression is
/// in words already.
pub fn timing_in_words(timing: &str) -> String {
    let words = timing.parse::<Cron>().map(|cron| cron.describe());
    words.map_or_else(|_| timing.to_owned(), |words| words.trim_end_matches('.').to_owned())
}

/// Table: when each entry last began. Key: its name.
pub(super) const LAST_RUNS: Table<&'static str, LastRun> = Table::new("schedule-1");

/// Table: when each entry was last begun by hand, which changes nothing about when it is due. Key: its name.
pub(super) const HAND_RUNS: Table<&'static str, LastRun> = Table::new("schedule-by-hand-1");

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

/// Queues what begins at each start, where it is wanted and did not begin just now.
pub(super) fn enqueue_at_start(entries: &[ScheduleEntry], tx: &WriteTx) -> Result<()> {
    for entry in entries.iter().filter(|entry| entry.at_each_start) {
        let Timing::WhenDue(due) = &entry.timing else { continue };
        let Some(last) = tx.get(&LAST_RUNS, entry.name)? else { continue };
        if (due.written)(tx)?.is_some() && last.at + BETWEEN_STARTS <= tx.now() {
            let task_id = Some((entry.enqueue)(tx)?);
            tx.put(&LAST_RUNS, entry.name, &LastRun { at: tx.now(), task_id })?;
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
        set_back(tx, &LAST_RUNS, entry.name)?;
        set_back(tx, &HAND_RUNS, entry.name)?;
        let last = counts_from(entry, tx.get(&LAST_RUNS, entry.name)?.as_ref(), now);
        let Some(due) = entry.due_after(last, |due| (due.written)(tx))? else { continue };
        let upcoming = if due <= now {
            let task_id = Some((entry.enqueue)(tx)?);
            tx.put(&LAST_RUNS, entry.name, &LastRun { at: now, task_id })?;
            entry.due_after(Some(now), |due| (due.written)(tx))?
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

/// A clock that was set back: what began by it when it was ahead counts from now, and not from a day that is far away.
fn set_back(tx: &WriteTx, runs: &Table<&'static str, LastRun>, name: &'static str) -> Result<()> {
    match tx.get(runs, name)?.filter(|run| run.at > tx.now()) {
        Some(ahead) => tx.put(runs, name, &LastRun { at: tx.now(), ..ahead }),
        None => Ok(()),
    }
}

/// Begins an entry by hand.
pub(super) fn enqueue_now(entry: &ScheduleEntry, tx: &WriteTx) -> Result<TaskId> {
    let task_id = (entry.enqueue)(tx)?;
    // One that is open already may wait for its next attempt.
    store::hurry(tx, &task_id)?;
    tx.put(&HAND_RUNS, entry.name, &LastRun { at: tx.now(), task_id: Some(task_id.clone()) })?;
    Ok(task_id)
}

/// When one of `entries` is to be looked at next, without writing.
pub(super) fn next_due<'a>(entries: impl IntoIterator<Item = &'a ScheduleEntry>, tx: &ReadTx) -> Next {
    let mut next: Option<DateTime<Utc>> = None;
    for entry in entries {
        let last = tx.get(&LAST_RUNS, entry.name)?;
        let by_hand = tx.get(&HAND_RUNS, entry.name)?;
        let due = if last.iter().chain(&by_hand).any(|run| run.at > tx.now()) {
            // Begun by a clock that was ahead.
            Some(tx.now())
        } else {
            entry.due_after(counts_from(entry, last.as_ref(), tx.now()), |due| (due.read)(tx))?
        };
        if let Some(due) = due {
            next = Some(next.map_or(due, |known| known.min(due)));
        }
    }
    Ok(next)
}

pub(super) fn states(entries: &[ScheduleEntry], tx: &ReadTx) -> Result<Vec<ScheduleState>> {
    entries
        .iter()
        .map(|entry| {
            let last = tx.get(&LAST_RUNS, entry.name)?;
            let next = entry.due_after(counts_from(entry, last.as_ref(), tx.now()), |due| (due.read)(tx))?;
            let is_noted = last.is_some();
            // Without a task it was only seen then.
            let ran = last.filter(|last| last.task_id.is_some());
            let newest = ran.into_iter().chain(tx.get(&HAND_RUNS, entry.name)?).max_by_key(|run| run.at);
            Ok(ScheduleState {
                name: entry.name.to_owned(),
                title_ko: entry.title.0.to_owned(),
                title_en: entry.title.1.to_owned(),
                cron: match &entry.timing {
                    Timing::Cron(expression) => (*expression).to_owned(),
                    Timing::Every(period) => format!("every {} minutes", period.num_minutes()),
                    Timing::WhenDue(_) => "when due".to_owned(),
                    Timing::Once => "once".to_owned(),
                    Timing::Never => "never".to_owned(),
                },
                // What is due since ever begins now.
                next_run_at: if is_noted { next } else { next.map(|due| due.max(tx.now())) },
                last_run_at: newest.as_ref().map(|run| run.at),
                last_task_id: newest.and_then(|run| run.task_id),
            })
        })
        .collect()
}

/// From when on an entry that last began at `last` counts what it has missed; none when since ever.
fn counts_from(entry: &ScheduleEntry, last: Option<&LastRun>, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    match last {
        Some(last) => Some(last.at.min(now)),
        None if entry.at_first_start => None,
        None => Some(now),
    }
}

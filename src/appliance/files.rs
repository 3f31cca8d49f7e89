//! How many files and connections the system lets this process hold open.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tracing::warn;

use hanok_base::{Error, Message, Result};

/// Files that the store, snapshots, jobs and outside providers may need beside the connections.
const RESERVED: u64 = 256;

/// Files that an idle house holds open, and those that each thread that answers adds.
const IDLE: u64 = 32;
const EACH_THREAD: u64 = 8;

/// Files that the runtime of any command takes before it does anything.
const AT_ALL: u64 = 16;

/// Connections that a household needs at each of the two doors: a browser alone holds several.
const EACH_DOOR: u64 = 16;
const DOORS: u64 = 2;

/// What the process is about to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// It begins.
    Beginning,
    /// A command works on the store, and no door is open.
    Command,
    /// The doors are open.
    Doors,
}

impl Use {
    /// How many files it takes at least.
    pub fn needs(self) -> u64 {
        match self {
            Use::Beginning => AT_ALL,
            Use::Command => idle(),
            Use::Doors => reserved() + DOORS * EACH_DOOR,
        }
    }
}

/// Refuses to start where the system lets this process hold too few files open.
///
/// # Errors
/// `CONFLICT` with the cure.
pub fn check(what_for: Use) -> Result<()> {
    refuse_too_few(raised(), what_for.needs())
}

fn refuse_too_few(files: Option<u64>, needed: u64) -> Result<()> {
    match files {
        Some(files) if files < needed => Err(Error::conflict(Message::english(format!(
            "the system lets this process hold {files} files open, and hanok needs {needed} at least: {CURE} and start \
             again; nothing was changed"
        )))),
        _ => Ok(()),
    }
}

/// What gives a process more files.
pub const CURE: &str = "raise the limit (`ulimit -n`, `LimitNOFILE=` of systemd, `--ulimit nofile=` of a container)";

fn idle() -> u64 {
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get() as u64);
    IDLE + EACH_THREAD * threads
}

fn reserved() -> u64 {
    RESERVED.max(idle())
}

/// The limit of open files of this process, raised as far as the system lets it; none when there is none.
pub fn raised() -> Option<u64> {
    let limit = getrlimit(Resource::Nofile);
    match setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum }) {
        Ok(()) => limit.maximum,
        Err(_) => limit.current,
    }
}

/// How many connections each door may hold: `wanted`, or what the system leaves for it. The limit of this
/// process is raised as far as the system lets it first; the usual one, 1,024, is made for other programs.
pub(super) fn most_connections(wanted: u64) -> usize {
    // None means that there is no limit.
    let fitting = raised().map_or(u64::MAX, |files| files.saturating_sub(reserved()) / DOORS).max(1);
    if fitting < wanted {
        warn!(wanted, each_door = fitting, "http.max_connections is more than the system's limit of open files allows");
    }
    usize::try_from(wanted.min(fitting)).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_few_files_are_refused_in_a_sentence_with_the_cure() {
        for (files, is_enough) in
            [(None, true), (Some(1_024), true), (Some(64), true), (Some(63), false), (Some(0), false)]
        {
            assert_eq!(refuse_too_few(files, 64).is_ok(), is_enough, "{files:?}");
        }
        let said = refuse_too_few(Some(20), 64).unwrap_err().message;
        assert!(said.contains("20 files") && said.contains("LimitNOFILE="), "{said}");
    }

    #[test]
    fn what_is_enough_to_open_the_doors_leaves_each_a_household_of_connections() {
        let enough = Use::Doors.needs();
        assert!((enough - reserved()) / DOORS >= EACH_DOOR && Use::Command.needs() < enough);
        assert!(Use::Beginning.needs() < Use::Command.needs());
        assert!(refuse_too_few(Some(enough), Use::Doors.needs()).is_ok());
        for files in [idle(), 256, 258, enough - 1] {
            assert!(refuse_too_few(Some(files), Use::Doors.needs()).is_err(), "{files}");
        }
    }
}

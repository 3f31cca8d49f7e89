//! How many files and connections the system lets this process hold open.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tracing::warn;

/// Files that the store, snapshots, jobs and outside providers may need beside the connections.
const RESERVED: u64 = 256;

/// How many connections each door may hold: `wanted`, or what the system leaves for it. The limit of this
/// process is raised as far as the system lets it first; the usual one, 1,024, is made for other programs.
pub(super) fn most_connections(wanted: u64) -> usize {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
    let files = match setrlimit(Resource::Nofile, raised) {
        Ok(()) => limit.maximum,
        Err(_) => limit.current,
    };
    // None means that there is no limit.
    let fitting = files.map_or(u64::MAX, |files| files.saturating_sub(RESERVED) / 2).max(1);
    if fitting < wanted {
        warn!(wanted, each_door = fitting, "http.max_connections is more than the system's limit of open files allows");
    }
    usize::try_from(wanted.min(fitting)).unwrap_or(usize::MAX)
}

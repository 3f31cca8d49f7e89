//! What has become of the time of a thread, by Linux's own accounts. For watching, not for working: most of it is read
//! from files of the kernel.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// How long the calling thread has computed.
pub(crate) fn computing() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// How long the calling thread was ready to run and had no core: the second number of Linux's account of a thread
/// (Documentation/scheduler/sched-stats.rst, `/proc/<pid>/schedstat`).
pub(crate) fn without_core() -> Option<Duration> {
    let account = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    account.split_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
}

/// How often the calling thread gave up its core by itself, to wait for something: `voluntary_ctxt_switches` of Linux's
/// account of a thread (proc_pid_status(5)).
pub(crate) fn waits() -> Option<u64> {
    let account = std::fs::read_to_string("/proc/thread-self/status").ok()?;
    account.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"))?.trim().parse().ok()
}

/// How many pages of the calling thread's memory had to come from a disk: `majflt`, the tenth number after the name in
/// parentheses (proc_pid_stat(5)). What is read from a file by asking for it is none of them.
pub(crate) fn pages_read() -> Option<u64> {
    let account = std::fs::read_to_string("/proc/thread-self/stat").ok()?;
    account.rsplit_once(')')?.1.split_whitespace().nth(9)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_waits_is_counted_as_waiting() {
        let before = waits();
        std::thread::sleep(Duration::from_millis(5));
        assert!(before.is_some() && waits() > before);
    }

    #[test]
    fn every_account_is_there() {
        assert!(without_core().is_some() && pages_read().is_some());
        assert!(computing() > Duration::ZERO);
    }
}

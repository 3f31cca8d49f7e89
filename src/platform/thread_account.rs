//! What has become of the time of a thread, by Linux's own accounts. For watching, not for working: most of it is read
//! from files of the kernel.

use std::str::FromStr;
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
    after_the_name(9)
}

/// The number of this place after the name in parentheses (proc_pid_stat(5)).
fn after_the_name<N: FromStr>(place: usize) -> Option<N> {
    let account = std::fs::read_to_string("/proc/thread-self/stat").ok()?;
    account.rsplit_once(')')?.1.split_whitespace().nth(place)?.parse().ok()
}

/// What other guests of the same machine took from each processor, and on which of them the calling thread was then. A
/// thread's account of computing goes on while its processor is away.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Stolen {
    processor: usize,
    of_each: Vec<Duration>,
}

/// `USER_HZ`, in which the kernel tells it, is 100 on every machine that Linux runs on today.
const TICK: Duration = Duration::from_millis(10);

impl Stolen {
    /// Until now: `steal`, the eighth number of each processor (proc_stat(5)), and `processor`, the thirty-seventh of the
    /// thread.
    pub(crate) fn now() -> Stolen {
        let told = std::fs::read_to_string("/proc/stat").unwrap_or_default();
        Stolen { processor: after_the_name(36).unwrap_or_default(), of_each: of_each(&told) }
    }

    /// How much was taken since `before` from the processors on which the thread was at both times.
    pub(crate) fn since(&self, before: &Stolen) -> Duration {
        let taken = |processor: usize| {
            let at = |told: &Stolen| told.of_each.get(processor).copied().unwrap_or_default();
            at(self).saturating_sub(at(before))
        };
        let moved = if self.processor == before.processor { Duration::ZERO } else { taken(before.processor) };
        taken(self.processor) + moved
    }

    #[cfg(test)]
    pub(crate) fn of(processor: usize, of_each: Vec<Duration>) -> Stolen {
        Stolen { processor, of_each }
    }
}

/// `steal` of each processor, by its number.
fn of_each(told: &str) -> Vec<Duration> {
    let mut of_each = Vec::new();
    for line in told.lines().filter_map(|line| line.strip_prefix("cpu")) {
        let mut numbers = line.split_whitespace();
        // The line of all of them together has no number.
        let number = line.starts_with(|first: char| first.is_ascii_digit()).then(|| numbers.next()).flatten();
        let Some(processor) = number.and_then(|number| number.parse::<usize>().ok()) else { continue };
        let ticks = numbers.nth(7).and_then(|ticks| ticks.parse::<u32>().ok()).unwrap_or_default();
        // Some may be switched off.
        of_each.resize(of_each.len().max(processor + 1), Duration::ZERO);
        of_each[processor] = TICK * ticks;
    }
    of_each
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
    fn what_is_stolen_is_read_for_each_processor() {
        let told = "cpu  9 9 9 9 9 9 9 99 9 9\ncpu0 1 2 3 4 5 6 7 8 9 10\ncpu2 1 2 3 4 5 6 7 30 9 10\nintr 5\n";
        assert_eq!(of_each(told), [80, 0, 300].map(Duration::from_millis));
        assert!(of_each("").is_empty());
    }

    #[test]
    fn what_is_stolen_counts_where_the_thread_was() {
        let at = |processor, ticks: [u32; 3]| Stolen::of(processor, ticks.map(|ticks| TICK * ticks).to_vec());
        let before = at(1, [1, 10, 100]);
        assert_eq!(at(1, [5, 12, 100]).since(&before), 2 * TICK);
        assert_eq!(at(2, [5, 12, 101]).since(&before), 3 * TICK);
        assert_eq!(at(0, [0, 0, 0]).since(&before), Duration::ZERO);
    }

    #[test]
    fn every_account_is_there() {
        assert!(without_core().is_some() && pages_read().is_some());
        assert!(Stolen::now().processor < Stolen::now().of_each.len());
        assert!(computing() > Duration::ZERO);
    }
}

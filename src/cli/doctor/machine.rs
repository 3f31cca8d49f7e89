//! The machine: its clock, memory, cores, open files and page size.

use std::fs;

use chrono::{DateTime, Utc};

use super::Finding;
use crate::cli::print;
use hanok_appliance::{domains, files};
use hanok_platform::store::{DataFolder, snapshot};

/// Below this much free memory the appliance may be killed under load.
const COMFORTABLE_MEMORY: u64 = 256 << 20;

pub(super) fn examine(data: &DataFolder, now: DateTime<Utc>) -> Vec<Finding> {
    let newest_snapshot = snapshot::list(data).ok().and_then(|all| Some(all.first()?.created_at));
    let mut findings = vec![clock(now, newest_snapshot)];
    findings.extend(fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let limit = fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|limit| limit.trim().parse().ok());
        memory(&text, limit)
    }));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    findings.push(Finding::ok("cores", format!("{cores} for computing (compute.workers)")));
    findings.push(open_files(files::raised(), files::Use::Doors.needs()));
    findings.extend(fs::read_to_string("/proc/self/smaps").ok().and_then(|text| page_size(&text)));
    findings
}

fn clock(now: DateTime<Utc>, newest_snapshot: Option<DateTime<Utc>>) -> Finding {
    const CURE: &str = "set the clock and switch on time synchronisation (timedatectl set-ntp true)";
    let shown = now.with_timezone(&hanok_base::day::ZONE).format("%Y-%m-%d %H:%M:%S in Seoul");
    // No clock is rightly before the last day of which something tells that ships inside the binary.
    let is_of_the_past = domains::newest_shipped().is_some_and(|newest| hanok_base::day::of(now) < newest);
    match newest_snapshot {
        _ if is_of_the_past => Finding::failure("clock", format!("{shown} is before this program was made"), CURE),
        Some(snapshot) if snapshot > now + chrono::Duration::minutes(5) => {
            Finding::failure("clock", format!("{shown} is before the newest snapshot ({snapshot})"), CURE)
        }
        _ => Finding::ok("clock", shown.to_string()),
    }
}

/// From the text of `/proc/meminfo` (kibibytes) and the limit of the container in bytes, if there is one.
fn memory(meminfo: &str, limit: Option<u64>) -> Option<Finding> {
    let of = |name: &str| {
        let line = meminfo.lines().find(|line| line.starts_with(name))?;
        Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
    };
    let total = of("MemTotal:")?.min(limit.unwrap_or(u64::MAX));
    let available = of("MemAvailable:")?.min(total);
    let text = format!("{} free of {}", print::bytes(available), print::bytes(total));
    Some(if available < COMFORTABLE_MEMORY {
        Finding::warning("memory", text, "close something else, or lower store.cache_mib and compute.workers")
    } else {
        Finding::ok("memory", text)
    })
}

/// How many files the system lets a process hold open; none when there is no limit.
fn open_files(most: Option<u64>, needed: u64) -> Finding {
    match most {
        None => Finding::ok("open files", "no limit"),
        Some(most) if most < needed => {
            Finding::failure("open files", format!("{most} at most, and hanok needs {needed}"), files::CURE)
        }
        Some(most) => Finding::ok("open files", format!("{most} at most; hanok needs {needed}")),
    }
}

/// From the text of `/proc/self/smaps`.
fn page_size(smaps: &str) -> Option<Finding> {
    let line = smaps.lines().find(|line| line.starts_with("KernelPageSize:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(Finding::ok("page size", format!("{kibibytes} KiB")))
}

#[cfg(test)]
mod tests {
    use super::super::Verdict;
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    #[test]
    fn a_clock_before_what_is_known_is_a_failure() {
        let verdict = |now: &str, snapshot: Option<&str>| clock(at(now), snapshot.map(at)).verdict;
        assert_eq!(verdict("1970-01-01T00:03:00Z", None), Verdict::Failure);
        assert_eq!(verdict("2026-11-20T03:00:00Z", Some("2026-11-21T03:00:00Z")), Verdict::Failure);
        assert_eq!(verdict("2026-11-20T03:00:00Z", Some("2026-11-20T02:00:00Z")), Verdict::Ok);
    }

    #[test]
    fn too_few_files_are_a_failure_that_says_both_numbers() {
        let finding = open_files(Some(258), 288);
        assert_eq!((finding.verdict, finding.finding.as_str()), (Verdict::Failure, "258 at most, and hanok needs 288"));
        assert_eq!(open_files(Some(288), 288).verdict, Verdict::Ok);
        assert_eq!(open_files(None, 288).verdict, Verdict::Ok);
    }

    #[test]
    fn a_clock_before_the_newest_draw_that_ships_with_the_program_or_before_the_newest_snapshot_is_a_failure() {
        let at = |instant: &str| instant.parse::<DateTime<Utc>>().unwrap();
        assert_eq!(clock(at("2026-10-09T14:59:59Z"), None).verdict, Verdict::Failure);
        assert_eq!(clock(at("2026-10-09T15:00:00Z"), None).verdict, Verdict::Ok);
        let snapshot = Some(at("2026-11-20T00:00:00Z"));
        assert_eq!(clock(at("2026-11-19T23:54:00Z"), snapshot).verdict, Verdict::Failure);
        assert_eq!(clock(at("2026-11-19T23:56:00Z"), snapshot).verdict, Verdict::Ok);
    }

    #[test]
    fn the_container_limit_counts_when_it_is_smaller_than_the_machine() {
        let meminfo = "MemTotal:  8000000 kB\nMemFree: 10 kB\nMemAvailable:  6000000 kB\n";
        assert_eq!(memory(meminfo, None).unwrap().verdict, Verdict::Ok);
        assert_eq!(memory(meminfo, Some(128 << 20)).unwrap().verdict, Verdict::Warning);
        assert_eq!(memory("", None), None);
    }

    #[test]
    fn the_page_size_is_read_where_the_kernel_tells_it() {
        let smaps = "55d0-55d1 r--p 0 fe:00 1 /bin/hanok\nSize: 4 kB\nKernelPageSize:       16 kB\n";
        assert_eq!(page_size(smaps).unwrap().finding, "16 KiB");
    }
}

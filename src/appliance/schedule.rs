//! Every recurring task and every kind of job of the house, on one screen. Times are Asia/Seoul.

use chrono::Duration;

use super::domains;
use super::house::upkeep::{Backup, Purge, Scrub};
use hanok_platform::config::Config;
use hanok_platform::jobs::{Registry, ScheduleEntry, Timing, enqueue};

/// The recurring tasks.
pub fn schedule(config: &Config) -> Vec<ScheduleEntry> {
    let backup_every = match i64::try_from(config.backup.every_minutes) {
        Ok(minutes) if minutes > 0 => Timing::Every(Duration::minutes(minutes)),
        _ => Timing::Never,
    };
    let house = vec![
        ScheduleEntry {
            name: "backup",
            title: ("확인된 백업", "Verified snapshot"),
            timing: backup_every,
            at_first_start: true,
            enqueue: |tx| enqueue(tx, &Backup {}),
        },
        ScheduleEntry {
            name: "purge",
            title: ("지난 기록 정리", "Clear what has run out"),
            timing: Timing::Cron("20 3 * * *"),
            at_first_start: false,
            enqueue: |tx| enqueue(tx, &Purge {}),
        },
        ScheduleEntry {
            name: "scrub",
            title: ("저장소와 백업 전체 검사", "Check every page and every snapshot"),
            timing: Timing::Cron("40 3 * * 0"),
            at_first_start: false,
            enqueue: |tx| enqueue(tx, &Scrub {}),
        },
    ];
    house.into_iter().chain(domains::all().flat_map(|domain| (domain.schedule)(config))).collect()
}

/// The kinds of job.
pub fn jobs() -> Registry {
    let house = Registry::new().with::<Backup>().with::<Purge>().with::<Scrub>();
    domains::all().fold(house, |jobs, domain| (domain.jobs)(jobs))
}

//! Every recurring task and every kind of job of the house, on one screen. Times are Asia/Seoul.

use chrono::Duration;

use super::domains;
use super::house::upkeep::{Backup, Purge, Scrub};
use hanok_platform::config::Config;
use hanok_platform::jobs::{Registry, ScheduleEntry, Timing};

/// The recurring tasks.
pub fn schedule(config: &Config) -> Vec<ScheduleEntry> {
    let backup_every = match i64::try_from(config.backup.every_minutes) {
        Ok(minutes) if minutes > 0 => Timing::Every(Duration::minutes(minutes)),
        _ => Timing::Never,
    };
    // In the list of tasks a backup is one line of many; the schedule says what the house gets of it.
    let house = vec![
        ScheduleEntry::of::<Backup>("backup", backup_every).titled("확인된 백업", "Verified backup").at_first_start(),
        ScheduleEntry::of::<Purge>("purge", Timing::Cron("20 3 * * *")),
        ScheduleEntry::of::<Scrub>("scrub", Timing::Cron("40 3 * * 0")),
    ];
    house.into_iter().chain(domains::all().flat_map(|domain| (domain.schedule)(config))).collect()
}

/// The kinds of job.
pub fn jobs() -> Registry {
    let house = Registry::new().with::<Backup>().with::<Purge>().with::<Scrub>();
    domains::all().fold(house, |jobs, domain| (domain.jobs)(jobs))
}

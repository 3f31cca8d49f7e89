//! Every recurring task and every kind of job of the house, on one screen. Times are Asia/Seoul.

use chrono::Duration;

use super::domains;
use super::house::upkeep::{Backup, Purge, Scrub};
use hanok_platform::config::Config;
use hanok_platform::jobs::{Registry, ScheduleEntry, Timing};
use hanok_platform::mail::{RemoveMailFiles, SendMail};

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
    let house = house.with::<SendMail>().with::<RemoveMailFiles>();
    domains::all().fold(house, |jobs, domain| (domain.jobs)(jobs))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use hanok_base::{Clock, Result};
    use hanok_platform::events::Events;
    use hanok_platform::jobs::{Jobs, Lane, ScheduleState};
    use hanok_platform::store::Store;

    #[test]
    fn what_takes_long_and_what_waits_for_others_holds_no_backup_and_no_reminder_up() {
        let jobs = jobs();
        let in_lane = |lane| jobs.kinds().filter(|kind| jobs.lane(kind) == Some(lane)).collect::<BTreeSet<_>>();
        for kind in ["backup", "purge", "todo_reminders", "lottery_review"] {
            assert!(in_lane(Lane::Quick).contains(kind), "{kind}");
        }
        assert!(in_lane(Lane::Heavy).contains("scrub"));
        for kind in ["lottery_sync", "lottery_sync_first", "lottery_sync_now"] {
            assert!(in_lane(Lane::Outside).contains(kind), "{kind}");
        }
    }

    #[test]
    fn no_two_entries_of_the_schedule_have_the_same_title_in_either_language() -> Result<()> {
        let store = Store::memory(Clock::system(), Events::default())?;
        let entries = Jobs::new(jobs(), schedule(&Config::default()));
        let shown = store.read_now(|tx| entries.schedule(tx))?;
        let called = |of: fn(&ScheduleState) -> &str| shown.iter().map(of).collect::<BTreeSet<_>>().len();
        assert!(shown.len() > 3, "{shown:?}");
        assert_eq!(called(|entry| &entry.title_ko), shown.len(), "in Korean: {shown:#?}");
        assert_eq!(called(|entry| &entry.title_en), shown.len(), "in English: {shown:#?}");
        Ok(())
    }
}

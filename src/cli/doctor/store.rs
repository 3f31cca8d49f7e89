//! The store: whether a check has found it damaged, and where nobody has it open, whether the next start will migrate it.

use super::{Finding, Verdict};
use crate::cli::print;
use hanok_appliance::schema::schema;
use hanok_base::{Clock, Result};
use hanok_platform::config::Config;
use hanok_platform::store::dry_run::{MigrationPlan, dry_run, reads_pages};
use hanok_platform::store::{DataFolder, is_known_damaged};

const CHECK: &str = "store";

pub(super) fn examine(data: &DataFolder, config: &Config, running: bool, clock: &Clock) -> Option<Finding> {
    if is_known_damaged(data) {
        return Some(Finding::failure(
            CHECK,
            "a check has found the store damaged",
            "`hanok verify` says what is wrong; `hanok restore --latest` goes back to the newest verified snapshot",
        ));
    }
    // The store of a running appliance has been migrated.
    if running || !data.store_file().exists() && !data.has_snapshots() {
        return None;
    }
    let found = judge(dry_run(&config.data.dir, config.store.reserved_disk_mib << 20, &schema(), clock));
    Some(match found.verdict {
        Verdict::Ok if !reads_pages(data) => Finding {
            finding: format!("{}; its pages were not read: `hanok verify` reads them", found.finding),
            ..found
        },
        _ => found,
    })
}

fn judge(foreseen: Result<Option<MigrationPlan>>) -> Finding {
    match foreseen {
        Ok(None) => Finding::ok(CHECK, "can be read, and the next start has nothing to migrate"),
        Ok(Some(foreseen)) if foreseen.lacks_room() => Finding::failure(
            CHECK,
            sentence(&foreseen),
            "make room: without it the start is refused and changes nothing",
        ),
        Ok(Some(foreseen)) => Finding::ok(CHECK, sentence(&foreseen)),
        Err(error) => {
            Finding::failure(CHECK, error.message.text(), "the next start is refused until this is put right")
        }
    }
}

fn sentence(foreseen: &MigrationPlan) -> String {
    let MigrationPlan { from, to, steps, needed_bytes, free_bytes } = foreseen;
    let versions = if from == to { format!("in version {to}") } else { format!("from version {from} to {to}") };
    if steps.is_empty() {
        return format!("the next start will migrate {versions}: nothing in it has to be changed");
    }
    let free = free_bytes.map(|free| format!(" ({} are free)", print::bytes(free))).unwrap_or_default();
    format!(
        "the next start will migrate {versions}: {}; this needs {} of room{free}; a snapshot is made before",
        steps.join("; "),
        print::bytes(*needed_bytes)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_migration_without_room_is_a_failure_and_any_other_is_said() {
        let foreseen = |free| MigrationPlan {
            from: 2,
            to: 3,
            steps: vec!["todos: count", "lottery: count"],
            needed_bytes: 3 << 20,
            free_bytes: Some(free),
        };
        let found = judge(Ok(Some(foreseen(4 << 20))));
        assert_eq!(found.verdict, Verdict::Ok);
        let said = "the next start will migrate from version 2 to 3: todos: count; lottery: count; this needs 3.0 MiB of \
                    room (4.0 MiB are free); a snapshot is made before";
        assert_eq!(found.finding, said);
        let found = judge(Ok(Some(foreseen(1 << 20))));
        assert_eq!(found.verdict, Verdict::Failure);
        assert_eq!(found.cure.as_deref(), Some("make room: without it the start is refused and changes nothing"));
    }
}

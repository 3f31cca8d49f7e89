//! The store of a data folder that nobody has open: whether the next start will migrate it.

use super::Finding;
use crate::cli::print;
use hanok_appliance::schema::schema;
use hanok_base::{Clock, Result};
use hanok_platform::config::Config;
use hanok_platform::store::foresee::{Foreseen, foresee};

pub(super) fn examine(config: &Config, clock: &Clock) -> Finding {
    judge(foresee(&config.data.dir, config.store.reserve_mebibytes << 20, &schema(), clock))
}

fn judge(foreseen: Result<Option<Foreseen>>) -> Finding {
    const CHECK: &str = "store";
    match foreseen {
        Ok(None) => Finding::ok(CHECK, "nothing to migrate at the next start"),
        Ok(Some(foreseen)) if foreseen.lacks_room() => Finding::failure(
            CHECK,
            sentence(&foreseen),
            "make room: without it the start is refused and changes nothing",
        ),
        Ok(Some(foreseen)) => Finding::ok(CHECK, sentence(&foreseen)),
        Err(error) => Finding::failure(CHECK, error.message, "the next start is refused until this is put right"),
    }
}

fn sentence(foreseen: &Foreseen) -> String {
    let Foreseen { from, to, steps, needed_bytes, free_bytes } = foreseen;
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
    use super::super::Verdict;
    use super::*;

    #[test]
    fn a_migration_without_room_is_a_failure_and_any_other_is_said() {
        let foreseen = |free| Foreseen {
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
        assert_eq!(judge(Ok(Some(foreseen(1 << 20)))).verdict, Verdict::Failure);
    }
}

//! Every table of the house, gathered from where it is declared.

use super::domains;
use super::house::health::CANARY;
use hanok_platform::store::{self, Schema};
use hanok_platform::{auth, http, jobs};

/// What is declared of the tables of the whole house.
pub fn schema() -> Schema {
    let of_the_platform = Schema::default()
        .with(store::TABLES, &[], &[])
        .with(jobs::TABLES, jobs::MIGRATIONS, &[])
        .with(auth::TABLES, &[], &[])
        .with(http::TABLES, http::MIGRATIONS, &[])
        .with(&[&CANARY], &[], &[])
        .carrying(auth::CARRIED);
    domains::all().fold(of_the_platform, |all, domain| {
        all.with(domain.tables, domain.migrations, domain.shipped_data).deriving(domain.derivations)
    })
}

/// The tables of earlier versions, which a step empties and nothing else reads.
pub fn retired() -> impl Iterator<Item = &'static str> {
    jobs::RETIRED.iter().chain(domains::all().flat_map(|domain| domain.retired)).copied()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use hanok_base::Clock;
    use hanok_platform::events::Events;
    use hanok_platform::store::Store;

    #[test]
    fn what_is_derived_from_rows_reads_those_rows_and_no_others() {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let _inside = runtime.enter();
        let empty = Store::memory(Clock::machine(), Events::default()).unwrap();
        assert_eq!(empty.read_now(|tx| schema().flaws(tx)).unwrap().all(), Vec::<String>::new());
    }

    #[test]
    fn every_step_from_an_earlier_store_has_a_name_of_its_own() {
        let schema = schema();
        let names: BTreeSet<&str> = schema.steps().iter().map(|step| step.name).collect();
        assert_eq!(names.len(), schema.steps().len(), "{names:?}");
    }

    #[test]
    fn every_table_of_the_house_has_a_name_of_its_own_with_a_version() {
        let names = schema().table_names();
        let different: BTreeSet<&str> = names.iter().copied().collect();
        assert_eq!(different.len(), names.len(), "{names:?}");
        let is_versioned =
            |name: &&str| name.rsplit_once('-').is_some_and(|(_, version)| version.parse::<u32>().is_ok());
        assert!(names.iter().all(is_versioned), "{names:?}");
    }
}

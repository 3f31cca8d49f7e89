//! Every table of the house, gathered from where it is declared.

use super::domains;
use super::house::health::CANARY;
use super::schedule;
use hanok_platform::domain::Domain;
use hanok_platform::store::{self, Schema};
use hanok_platform::{auth, blobs, http, jobs, mail, search, tokens, upstream, writes};

/// What is declared of the tables of the whole house.
pub fn schema() -> Schema {
    schema_with(domains::all())
}

/// What the house declares of its tables with these domains.
fn schema_with(domains: impl Iterator<Item = &'static Domain>) -> Schema {
    let of_the_platform = Schema::default()
        .with(store::TABLES, &[], &[])
        .with(jobs::TABLES, jobs::MIGRATIONS, &[])
        .with(auth::TABLES, &[], &[])
        .with(search::TABLES, &[], &[])
        .with(blobs::TABLES, &[], &[])
        .with(http::TABLES, http::MIGRATIONS, &[])
        .with(upstream::TABLES, &[], &[])
        .with(mail::TABLES, &[], &[])
        .with(writes::TABLES, &[], &[])
        .with(tokens::TABLES, &[], &[])
        .with(&[&CANARY], &[], &[])
        .carrying(auth::PRESERVED_ON_RESTORE)
        .carrying(search::PRESERVED_ON_RESTORE)
        .carrying(blobs::PRESERVED_ON_RESTORE)
        .carrying(http::PRESERVED_ON_RESTORE)
        .carrying(mail::PRESERVED_ON_RESTORE)
        .carrying(writes::PRESERVED_ON_RESTORE)
        .carrying(tokens::PRESERVED_ON_RESTORE)
        .calling_off(|restored| jobs::call_off(restored, &schedule::jobs()).map(drop));
    domains.fold(of_the_platform, |all, domain| {
        all.with(domain.tables, domain.migrations, domain.shipped_data)
            .deriving(domain.derivations)
            .carrying(domain.carried)
    })
}

/// The tables of earlier versions, which a step empties and nothing else reads.
pub fn retired() -> impl Iterator<Item = &'static str> {
    jobs::RETIRED.iter().chain(domains::all().flat_map(|domain| domain.retired)).copied()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use tempfile::TempDir;

    use super::*;
    use hanok_base::Clock;
    use hanok_platform::events::Events;
    use hanok_platform::store::open::Options;
    use hanok_platform::store::retention::Retention;
    use hanok_platform::store::{Handover, PreservedOnRestore, ReadTransaction, Restores, SnapshotKind, Store, Table};

    #[test]
    fn what_is_derived_from_rows_reads_those_rows_and_no_others() {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let _inside = runtime.enter();
        let empty = Store::memory(Clock::system(), Events::default()).unwrap();
        assert_eq!(empty.read_now(|tx| schema().flaws(tx)).unwrap().all(), Vec::<String>::new());
    }

    /// Table: keys of the house that are out. Key: the name. Value: who has it.
    const KEYS: Table<&str, String> = Table::new("porch_keys-1");
    /// Table: what is said in the house. Key: the day. Value: the words.
    const WORDS: Table<&str, String> = Table::new("porch_words-1");
    const PORCH: Domain = Domain {
        tables: &[&KEYS, &WORDS],
        carried: &[PreservedOnRestore {
            carry: |before, restored| match before.state.map(|present| present.get(&KEYS, "gate")) {
                Some(holder) => holder?.map_or(Ok(()), |holder| restored.put(&KEYS, "gate", &holder)),
                None => Ok(()),
            },
            forget: |tx| tx.clear(&KEYS),
        }],
        ..Domain::EMPTY
    };

    #[tokio::test]
    async fn what_a_domain_carries_over_is_not_taken_back_by_a_restore() {
        let root = TempDir::new().unwrap();
        let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
        let schema = schema_with([&PORCH].into_iter());
        let (store, _) = Store::open(root.path(), &options, schema, Clock::system(), Events::default()).unwrap();
        let say = |word: &'static str| {
            store.write(move |tx| {
                tx.put(&KEYS, "gate", &word.to_owned())?;
                tx.put(&WORDS, "sunday", &word.to_owned())
            })
        };
        say("before").await.unwrap();
        let made = store.snapshot(SnapshotKind::Manual, Retention { hourly: 1, daily: 1, weekly: 1 }).await.unwrap();
        say("after").await.unwrap();
        let handover = Handover { make_ready: Box::new(|_| Ok(())), go_on: Box::new(|| ()) };
        Restores::new(store.clone(), handover).restore(Some(made.name), |_| ()).await.unwrap();
        let said = store.read_now(|tx| Ok((tx.get(&KEYS, "gate")?, tx.get(&WORDS, "sunday")?))).unwrap();
        assert_eq!(said, (Some("after".to_owned()), Some("before".to_owned())));
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

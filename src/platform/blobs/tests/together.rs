//! Whatever is put, named and collected at once: a file that a row names is there.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;

/// What one of the household does.
#[derive(Debug, Clone)]
enum Deed {
    /// Puts a file and has a song name it.
    Name { song: u64, words: u8 },
    /// Puts a file and leaves it.
    Leave { words: u8 },
    /// Takes a song away.
    Remove { song: u64 },
    /// Makes a snapshot.
    Snapshot,
    /// Goes back to a snapshot.
    Restore { which: usize },
    /// A day passes, and what nobody needs is collected.
    Collect,
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        5 => (0..4u64, 0..5u8).prop_map(|(song, words)| Deed::Name { song, words }),
        2 => (0..5u8).prop_map(|words| Deed::Leave { words }),
        3 => (0..4u64).prop_map(|song| Deed::Remove { song }),
        1 => Just(Deed::Snapshot),
        1 => (0..4usize).prop_map(|which| Deed::Restore { which }),
        4 => Just(Deed::Collect),
    ]
}

async fn done(house: &House, deed: Deed) {
    let words = |number: u8| format!("song number {number}").into_bytes();
    match deed {
        Deed::Name { song, words: number } => {
            let fresh = house.blobs.put(words(number)).await.unwrap();
            let named = house.song(song, &[&fresh.blob.id]).await;
            // A restore that came between has brought a state that does not know it.
            assert!(named.is_ok() || named.is_err_and(|error| error.kind == hanok_base::Kind::Conflict));
        }
        Deed::Leave { words: number } => drop(house.blobs.put(words(number)).await.unwrap()),
        Deed::Remove { song } => drop(house.store.write(move |tx| SONGS.remove(tx, song)).await.unwrap()),
        Deed::Snapshot => {
            let few = Retention { hourly: 1, daily: 1, weekly: 0 };
            house.store.snapshot(SnapshotKind::Hourly, few).await.unwrap();
        }
        Deed::Restore { which } => {
            let listed = crate::store::snapshot::list(house.store.folder().unwrap()).unwrap();
            if let Some(listed) = listed.get(which) {
                // It may go with the next snapshot meanwhile.
                let _ = crate::testing::restores(&house.store).restore(Some(listed.name.clone()), |_| ()).await;
            }
        }
        Deed::Collect => {
            house.hours_pass(25);
            house.blobs.collect().await.unwrap();
        }
    }
}

/// Every file that a row of the present state names, and of each that can be returned to, is there and sound.
async fn nothing_is_missing(house: &House) {
    let present = house.blobs.check(|_| ()).await.unwrap();
    assert_eq!(present.findings.len(), 0, "{:?}", present.findings);
    assert_eq!(house.flaws(), [""; 0]);
    let restores = crate::testing::restores(&house.store);
    for listed in crate::store::snapshot::list(house.store.folder().unwrap()).unwrap().iter().take(3) {
        restores.restore(Some(listed.name.clone()), |_| ()).await.unwrap();
        let back = house.blobs.check(|_| ()).await.unwrap();
        assert_eq!(back.findings.len(), 0, "{}: {:?}", listed.name, back.findings);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn a_file_that_a_row_or_a_kept_snapshot_names_is_there_whatever_is_done_at_once(
        callers in prop::collection::vec(prop::collection::vec(deed(), 1..14), 3),
    ) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(3).enable_all().build().unwrap();
        runtime.block_on(async {
            let house = Arc::new(House::new());
            let tasks: Vec<_> = callers.into_iter().map(|deeds| {
                let house = Arc::clone(&house);
                tokio::spawn(async move {
                    for deed in deeds {
                        done(&house, deed).await;
                    }
                })
            }).collect();
            for task in tasks {
                task.await.unwrap();
            }
            nothing_is_missing(&house).await;
        });
    }
}

//! What nobody needs any more goes; what anybody may still need stays.

use std::io::Read;

use super::*;
use crate::store::{Restores, snapshot};
use crate::testing;

#[tokio::test]
async fn a_file_that_nobody_names_goes_after_a_day_and_one_that_is_named_stays() {
    let house = House::new();
    let (named, left) = (house.put("named").await, house.put("left").await);
    house.song(1, &[&named]).await.unwrap();
    assert_eq!(house.blobs.collect().await.unwrap(), Some(Collected::default()), "a day has not passed");
    assert!(house.is_there(&left));
    let collected = house.days_pass().await;
    assert_eq!((collected.files, house.is_there(&named), house.is_there(&left)), (1, true, false));
    assert_eq!(house.lying(), [named.as_str()]);
}

#[tokio::test]
async fn a_file_that_is_held_until_a_row_names_it_is_not_collected() {
    let house = House::new();
    let fresh = house.blobs.put(b"a song".to_vec()).await.unwrap();
    house.days_pass().await;
    house.song(1, &[&fresh.blob.id]).await.unwrap();
    assert!(house.is_there(&fresh.blob.id));
}

#[tokio::test]
async fn a_file_that_a_kept_snapshot_names_stays_until_that_snapshot_has_gone() {
    let house = House::new();
    let song = house.put("a song").await;
    house.song(1, &[&song]).await.unwrap();
    let made = house.snapshot().await;
    house.no_song(1).await;
    // One that names it no more is no reason to keep it.
    house.snapshot().await;
    house.days_pass().await;
    house.days_pass().await;
    assert!(house.is_there(&song));
    let restores = testing::restores(&house.store);
    restores.restore(Some(made.name.clone()), |_| ()).await.unwrap();
    assert!(house.is_there(&song) && house.flaws().is_empty());
    house.no_song(1).await;
    house.days_pass().await;
    assert!(house.is_there(&song), "the snapshot is still there");
    let folder = house.store.folder().unwrap().clone();
    for listed in snapshot::list(&folder).unwrap() {
        for extension in ["redb", "json"] {
            fs::remove_file(folder.backups().join(format!("{}.{extension}", listed.name))).unwrap();
        }
    }
    house.days_pass().await;
    assert!(!house.is_there(&song));
}

#[tokio::test]
async fn a_file_that_only_the_state_before_a_restore_names_is_there_when_the_restore_is_undone() {
    let house = House::new();
    let before = house.snapshot().await;
    let song = house.put("a song").await;
    house.song(1, &[&song]).await.unwrap();
    let restores: Restores = testing::restores(&house.store);
    restores.restore(Some(before.name), |_| ()).await.unwrap();
    assert!(house.store.read_now(|tx| find(tx, &song)).unwrap().is_none());
    let collected = house.days_pass().await;
    assert_eq!((collected.found, collected.files), (1, 0));
    restores.undo(|_| ()).await.unwrap();
    house.days_pass().await;
    assert!(house.is_there(&song) && house.flaws().is_empty());
}

#[tokio::test]
async fn a_state_in_which_a_file_was_not_named_yet_says_nothing_of_the_one_in_which_it_was() {
    let house = House::new();
    let song = house.put("a song").await;
    let not_yet = house.snapshot().await;
    house.song(1, &[&song]).await.unwrap();
    let restores: Restores = testing::restores(&house.store);
    restores.restore(Some(not_yet.name), |_| ()).await.unwrap();
    house.days_pass().await;
    assert!(house.is_there(&song), "what was replaced names it");
    restores.undo(|_| ()).await.unwrap();
    assert!(house.is_there(&song));
}

#[tokio::test]
async fn while_a_backup_file_is_packed_nothing_is_collected() {
    let house = House::new();
    let left = house.put("left").await;
    let mut noise = vec![0; 4 << 20];
    getrandom::fill(&mut noise).unwrap();
    let large = house.blobs.put(noise).await.unwrap().blob.id.clone();
    house.song(1, &[&large]).await.unwrap();
    let made = house.snapshot().await;
    for with_access in [true, false] {
        house.hours_pass(50);
        // Nobody empties the pipe: it is in the middle of it.
        let (mut out, into) = std::io::pipe().unwrap();
        let (store, made) = (house.store.clone(), made.clone());
        let packing = tokio::spawn(async move {
            let file = fs::File::from(std::os::fd::OwnedFd::from(into));
            store.pack(&made, "", file, with_access).await.map(drop)
        });
        let first = tokio::task::spawn_blocking(move || {
            out.read_exact(&mut [0; 64]).unwrap();
            out
        });
        let mut out = first.await.unwrap();
        assert_eq!(house.blobs.collect().await.unwrap(), None, "{with_access}");
        tokio::task::spawn_blocking(move || std::io::copy(&mut out, &mut std::io::sink()).unwrap()).await.unwrap();
        let _ = packing.await.unwrap();
        assert!(house.is_there(&left));
    }
    house.days_pass().await;
    assert!(!house.is_there(&left) && house.is_there(&large));
}

#[tokio::test]
async fn a_file_that_is_put_once_more_after_a_restore_stays_for_the_state_that_was_replaced() {
    let house = House::new();
    let before = house.snapshot().await;
    let song = house.put("a song").await;
    house.song(1, &[&song]).await.unwrap();
    let restores = crate::testing::restores(&house.store);
    restores.restore(Some(before.name), |_| ()).await.unwrap();
    // The present state knows nothing of it; it comes in again, and no row names it here.
    assert_eq!(house.put("a song").await, song);
    house.days_pass().await;
    house.days_pass().await;
    assert!(house.is_there(&song), "the state that was replaced names it, and can be returned to");
    let replaced = crate::store::snapshot::list(house.store.folder().unwrap()).unwrap();
    let replaced = replaced.into_iter().find(|listed| listed.kind == SnapshotKind::Restore).unwrap();
    restores.restore(Some(replaced.name), |_| ()).await.unwrap();
    assert_eq!(house.blobs.check(|_| ()).await.unwrap().findings.len(), 0);
}

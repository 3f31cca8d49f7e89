//! Files that come in: where they go, and what is said of them.

use std::path::Path;
use std::sync::mpsc;

use futures_util::FutureExt;
use tempfile::TempDir;
use tokio::runtime;

use super::*;
use crate::events::Events;
use crate::store::open::Options;
use crate::store::retention::Retention;
use crate::store::{Schema, SnapshotKind, Store};
use crate::testing::{draw_night, pack, restores};
use hanok_base::Clock;

fn house(root: &Path) -> Restores {
    let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
    let opened = Store::open(root, &options, Schema::default(), Clock::fixed(draw_night()), Events::default());
    restores(&opened.unwrap().0)
}

/// What lies there of files that come in.
fn lying(root: &Path) -> usize {
    let names = fs::read_dir(root.join("run")).unwrap().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_string_lossy().starts_with(NAMED[0])).count()
}

#[test]
fn a_file_that_is_broken_off_goes_on_another_thread_for_which_the_runtime_waits() {
    let root = TempDir::new().unwrap();
    let answers = runtime::Builder::new_current_thread().enable_all().max_blocking_threads(1).build().unwrap();
    let (go_on, waits) = mpsc::channel::<()>();
    answers.block_on(async {
        let upload = house(root.path()).begin_upload(None, 100).await.unwrap().write(vec![1; 100]).await.unwrap();
        // The one thread that may block has no time.
        let busy = blocking::run(move |_| waits.recv().map_err(Error::internal));
        assert!(busy.now_or_never().is_none());
        drop(upload);
        assert_eq!(lying(root.path()), 1, "it went on the thread that answers");
        go_on.send(()).unwrap();
    });
    drop(answers);
    assert_eq!(lying(root.path()), 0);
}

/// A house with its own backup file as bytes.
async fn with_a_file(root: &Path) -> (Restores, Vec<u8>) {
    let restores = house(root);
    let keep = Retention { hourly: 1, daily: 1, weekly: 1 };
    let snapshot = restores.store.snapshot(SnapshotKind::Manual, keep).await.unwrap();
    let target = TempDir::new().unwrap();
    let target = target.path().join("house.tar.gz");
    pack(&restores.store, &snapshot, "", &target, true).await.unwrap();
    (restores, fs::read(target).unwrap())
}

async fn bring(restores: &Restores, file: &[u8]) -> Uploaded {
    let most = 100 << 20;
    restores
        .begin_upload(None, most)
        .await
        .unwrap()
        .write(file.to_vec())
        .await
        .unwrap()
        .finish(|_| ImportedSettings::default())
        .await
        .unwrap()
}

#[tokio::test]
async fn a_file_waits_until_another_is_whole_and_a_refusal_changes_nothing() {
    let root = TempDir::new().unwrap();
    let (restores, file) = with_a_file(root.path()).await;
    assert_eq!(restores.waiting_upload(), None);
    let first = bring(&restores, &file).await;
    let refused = restores.begin_upload(Some((2 << 20) + 1), 2 << 20).await.err().unwrap();
    assert_eq!(refused.kind, Kind::TooLarge);
    assert!(refused.message.contains("may have 2 MiB"), "{refused}");
    let half = restores.begin_upload(None, 2 << 20).await.unwrap().write(file[..100].to_vec()).await.unwrap();
    assert_eq!(restores.waiting_upload().as_ref(), Some(&first), "another comes in");
    assert!(half.finish(|_| ImportedSettings::default()).await.is_err());
    assert_eq!((restores.waiting_upload().as_ref(), lying(root.path())), (Some(&first), 1));
    let second = bring(&restores, &file).await;
    assert_eq!((restores.waiting_upload().as_ref(), lying(root.path())), (Some(&second), 1));
    assert!(restores.restore_uploaded(&first.id, |_| ()).await.is_err());
}

#[tokio::test]
async fn a_file_that_nobody_wants_goes_after_a_day() {
    let root = TempDir::new().unwrap();
    let (restores, file) = with_a_file(root.path()).await;
    let waits = bring(&restores, &file).await;
    restores.clear_uploads(draw_night() + Duration::hours(24)).await.unwrap();
    assert_eq!(restores.waiting_upload(), Some(waits));
    restores.clear_uploads(draw_night() + Duration::hours(25)).await.unwrap();
    assert_eq!((restores.waiting_upload(), lying(root.path())), (None, 0));
}

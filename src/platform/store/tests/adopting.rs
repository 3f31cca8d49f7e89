//! A store file that was copied after a crash: its bytes decide whether it is taken over.

use tempfile::TempDir;

use super::super::adopting;
use super::copies::flip;
use super::*;

fn schema() -> Schema {
    Schema::default().with(&[&NAMES], &[], &[])
}

/// The data folder of a machine that died: copied while its store is marked as open, with nothing written meanwhile.
async fn of_a_dead_machine() -> (TempDir, Store, TempDir) {
    let (root, copy) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let store = open(root.path()).unwrap();
    add(&store, "in the snapshot").await.unwrap();
    store.snapshot(SnapshotKind::Hourly, KEEP).await.unwrap();
    for number in 0..200 {
        add(&store, &format!("xxxxxxxxxxxx {number}")).await.unwrap();
    }
    let mut cp = std::process::Command::new("cp");
    cp.args(["-a", &format!("{}/.", root.path().display()), &copy.path().display().to_string()]);
    assert!(cp.status().unwrap().success());
    (root, store, copy)
}

fn adopt(root: &Path) -> Result<restore::Restored> {
    let folder = DataFolder::take(root).unwrap();
    adopting::offline(&folder, &schema(), &clock(), |_| ())
}

#[tokio::test]
async fn a_folder_copied_after_a_crash_is_taken_over_with_every_acknowledged_row() {
    let (_root, _store, copy) = of_a_dead_machine().await;
    let refused = open(copy.path()).err().unwrap();
    assert!(refused.message.contains("`hanok restore --adopt`"), "{refused}");
    assert!(refused.message.contains("`hanok restore --latest`"), "{refused}");
    let adopted = adopt(copy.path()).unwrap();
    let store = open(copy.path()).unwrap();
    assert_eq!(names(&store).await.len(), 201);
    // What lay there is kept.
    let before = snapshot::find(store.folder().unwrap(), &adopted.undo.unwrap()).unwrap();
    assert_eq!(before.tables["test_names-1"], 201);
}

#[tokio::test]
async fn a_file_with_a_page_or_a_row_that_is_not_sound_is_not_taken_over_and_stays_as_it_is() {
    let (_root, store, copy) = of_a_dead_machine().await;
    flip(&copy.path().join("hanok.redb"), b"xxxxxxxxxxxx 7");
    let torn = std::fs::read(copy.path().join("hanok.redb")).unwrap();
    std::fs::copy(copy.path().join("hanok.redb"), copy.path().join("as-it-was")).unwrap();
    let refused = adopt(copy.path()).unwrap_err();
    assert_eq!(refused.kind, Kind::Conflict);
    assert!(refused.message.contains("nothing was changed") && refused.message.contains("--latest"), "{refused}");
    assert!(std::fs::read(copy.path().join("hanok.redb")).unwrap() == torn, "the file was touched");

    // A row that cannot be read.
    const NUMBERS: Table<u64, u64> = Table::new("test_names-1");
    store.write(|tx| tx.put(&NUMBERS, 999, &7)).await.unwrap();
    let folder = store.folder().unwrap().clone();
    std::fs::copy(folder.store_file(), copy.path().join("hanok.redb")).unwrap();
    let refused = adopt(copy.path()).unwrap_err();
    assert_eq!(refused.kind, Kind::Conflict);
    assert!(refused.message.contains("test_names-1"), "{refused}");
    assert_eq!(adopt(TempDir::new().unwrap().path()).unwrap_err().kind, Kind::Conflict);
}

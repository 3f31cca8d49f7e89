//! A folder that was copied with links: what they lead to belongs to another house, and stays as it is.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use tempfile::TempDir;

use super::super::copies::put_in_order;
use super::*;

/// A closed house with a snapshot, and the place of that snapshot.
async fn house() -> (TempDir, PathBuf, String) {
    let root = TempDir::new().unwrap();
    let store = open(root.path()).unwrap();
    add(&store, "theirs").await.unwrap();
    let name = store.snapshot(SnapshotKind::Manual, KEEP).await.unwrap().name;
    store.close().await.unwrap();
    let path = root.path().join("backups").join(format!("{name}.redb"));
    (root, path, name)
}

/// An empty folder for another house.
fn other() -> (TempDir, DataFolder) {
    let root = TempDir::new().unwrap();
    let folder = DataFolder::at(root.path());
    fs::create_dir_all(folder.backups()).unwrap();
    (root, folder)
}

/// The bytes of the file and its mode.
fn state(path: &Path) -> (Vec<u8>, u32) {
    (fs::read(path).unwrap(), fs::metadata(path).unwrap().permissions().mode())
}

#[tokio::test]
async fn a_snapshot_that_another_house_has_too_is_described_and_not_changed() {
    let (_theirs, path, name) = house().await;
    let (_root, folder) = other();
    fs::hard_link(&path, snapshot::file(&folder, &name)).unwrap();
    let before = state(&path);
    assert_eq!(put_in_order(&folder, &clock()).unwrap().described, 1);
    assert!(state(&path) == before, "it was written");
    let described = snapshot::find(&folder, &name).unwrap();
    snapshot::verify(&folder, &described, described.verified_at, |_| Ok(())).unwrap();
}

#[tokio::test]
async fn one_that_must_be_mended_first_is_mended_as_a_copy() {
    let (theirs, _, name) = house().await;
    // As a kill leaves it: open, and so never closed.
    let store = open(theirs.path()).unwrap();
    add(&store, "more").await.unwrap();
    let unclosed = theirs.path().join("unclosed");
    fs::copy(theirs.path().join("hanok.redb"), &unclosed).unwrap();
    let (_root, folder) = other();
    fs::hard_link(&unclosed, snapshot::file(&folder, &name)).unwrap();
    let before = state(&unclosed);
    assert_eq!(put_in_order(&folder, &clock()).unwrap().described, 1);
    assert!(state(&unclosed) == before, "it was written");
    let described = snapshot::find(&folder, &name).unwrap();
    snapshot::verify(&folder, &described, described.verified_at, |_| Ok(())).unwrap();
    assert_eq!(described.tables["test_names-1"], 2);
    assert_eq!(state(&snapshot::file(&folder, &name)).1 & 0o777, 0o400);
    assert_eq!(fs::read_dir(folder.backups()).unwrap().count(), 2, "nothing half-made stays");
}

#[tokio::test]
async fn a_link_in_the_place_of_a_snapshot_leads_nobody_to_what_lies_elsewhere() {
    let (theirs, _, name) = house().await;
    let store_file = theirs.path().join("hanok.redb");
    fs::set_permissions(&store_file, fs::Permissions::from_mode(0o644)).unwrap();
    let before = state(&store_file);
    for described in [false, true] {
        let (_root, folder) = other();
        symlink(&store_file, snapshot::file(&folder, &name)).unwrap();
        if described {
            let description = DataFolder::at(theirs.path());
            fs::copy(snapshot::description_file(&description, &name), snapshot::description_file(&folder, &name))
                .unwrap();
        }
        let put = put_in_order(&folder, &clock()).unwrap();
        assert_eq!((put.described, put.failed, put.cleared), (0, 0, 0));
        assert_eq!(snapshot::list(&folder).unwrap(), []);
        assert!(state(&store_file) == before, "it was written");
        let [said] = &snapshot::incomplete(&folder).unwrap()[..] else { panic!("one is said") };
        assert!(said.contains("is a link"), "{said}");
        assert!(snapshot::file(&folder, &name).is_symlink(), "nor is the link taken away");
    }
    // Nor by a description that is one.
    let (_root, folder) = other();
    fs::copy(snapshot::file(&DataFolder::at(theirs.path()), &name), snapshot::file(&folder, &name)).unwrap();
    let notes = theirs.path().join("notes");
    fs::write(&notes, "theirs").unwrap();
    symlink(&notes, snapshot::description_file(&folder, &name)).unwrap();
    put_in_order(&folder, &clock()).unwrap();
    assert_eq!(
        (fs::read_to_string(&notes).unwrap(), snapshot::incomplete(&folder).unwrap().len()),
        ("theirs".into(), 1)
    );
}

#[tokio::test]
async fn a_link_where_something_is_written_first_leads_nobody_to_what_lies_elsewhere() {
    let (theirs, path, name) = house().await;
    let (_root, folder) = other();
    fs::copy(&path, snapshot::file(&folder, &name)).unwrap();
    let notes = theirs.path().join("notes");
    fs::write(&notes, "theirs").unwrap();
    for left in [
        snapshot::description_file(&folder, &name).with_extension("json.partial"),
        snapshot::partial_file(&folder, &name),
    ] {
        symlink(&notes, left).unwrap();
    }
    assert_eq!(put_in_order(&folder, &clock()).unwrap().described, 1);
    assert_eq!(fs::read_to_string(&notes).unwrap(), "theirs");
}

#[tokio::test]
async fn what_a_restore_has_left_in_another_house_is_listed_here_and_not_changed_there() {
    let (theirs, ..) = house().await;
    let left = theirs.path().join("hanok.redb.before-restore-1-20261120T050000Z");
    fs::copy(theirs.path().join("hanok.redb"), &left).unwrap();
    let before = state(&left);
    let (_root, folder) = other();
    fs::hard_link(&left, folder.root().join(left.file_name().unwrap())).unwrap();
    let linked = folder.root().join("hanok.redb.before-restore-2-20261120T060000Z");
    symlink(&left, &linked).unwrap();
    restore::tidy(&folder, &clock()).unwrap();
    let listed = snapshot::newest(&folder).unwrap().unwrap();
    assert_eq!(listed.number, 1);
    snapshot::verify(&folder, &listed, listed.verified_at, |_| Ok(())).unwrap();
    assert!(state(&left) == before, "it was written");
    assert!(linked.is_symlink());
}

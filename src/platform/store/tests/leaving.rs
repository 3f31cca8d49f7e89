//! The one file that leaves the house: where it is written, who may read it, and what is not in it.

use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use flate2::read::GzDecoder;
use tempfile::TempDir;

use super::*;

/// Who may enter the house of these tests.
const WORDS: Table<&'static str, String> = Table::new("test_words-1");
const STAY: &[PreservedOnRestore] = &[PreservedOnRestore { carry: |_, _| Ok(()), forget: |tx| tx.clear(&WORDS) }];

fn schema() -> Schema {
    Schema::default().with(&[&WORDS], &[], &[]).carrying(STAY)
}

/// A house in which the word was changed once, a snapshot of it, and a folder beside it.
async fn house() -> (TempDir, TempDir, Store, Snapshot) {
    let (root, beside) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
    let (store, _) = Store::open(root.path(), &options, schema(), clock(), Events::default()).unwrap();
    for word in ["an earlier secret word", "the secret word of now"] {
        let word = word.to_owned();
        store.write(move |tx| tx.put(&WORDS, "passphrase", &word)).await.unwrap();
        for number in 0..40 {
            add(&store, &format!("{number} {}", "x".repeat(2000))).await.unwrap();
        }
    }
    let snapshot = store.snapshot(SnapshotKind::Manual, KEEP).await.unwrap();
    (root, beside, store, snapshot)
}

/// The store in the file at `path`, as its bytes.
fn packed_store(path: &Path) -> Vec<u8> {
    let mut archive = tar::Archive::new(GzDecoder::new(std::fs::File::open(path).unwrap()));
    let mut entries = archive.entries().unwrap().map(Result::unwrap);
    let mut entry = entries.find(|entry| entry.path().unwrap() == Path::new("hanok.redb")).unwrap();
    let mut bytes = Vec::new();
    entry.read_to_end(&mut bytes).unwrap();
    bytes
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

fn files(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()).collect()
}

#[tokio::test]
async fn who_may_enter_stays_at_home_unless_it_is_asked_for_and_no_free_page_tells_it() {
    let (_root, beside, store, snapshot) = house().await;
    let (without, with) = (beside.path().join("without.hanok"), beside.path().join("with.hanok"));
    pack(&store, &snapshot, "", &without, false).await.unwrap();
    pack(&store, &snapshot, "", &with, true).await.unwrap();
    let is_there = |path: &Path| holds(&packed_store(path), "secret word");
    assert_eq!((is_there(&without), is_there(&with)), (false, true));
    let there = TempDir::new().unwrap();
    let moved = open(there.path()).unwrap();
    restores(&moved).restore_from(&without, |_| ()).await.unwrap();
    assert_eq!(names(&moved).await.len(), 80);
    assert_eq!(moved.read(|tx| tx.get(&WORDS, "passphrase")).await.unwrap(), None);
}

#[tokio::test]
async fn the_file_is_for_its_owner_alone_follows_no_link_and_two_at_once_are_both_whole() {
    let (root, beside, store, snapshot) = house().await;
    let target = beside.path().join("house.hanok");
    let foreign = beside.path().join("foreign");
    pack(&store, &snapshot, "", &foreign, true).await.unwrap();
    let before = std::fs::read(&foreign).unwrap();
    std::os::unix::fs::symlink(&foreign, &target).unwrap();
    std::os::unix::fs::symlink(&foreign, target.with_extension("partial")).unwrap();
    let without = beside.path().join("without.hanok");
    let packing = (0..8).map(|number| match number % 2 {
        0 => pack(&store, &snapshot, "", &target, true),
        _ => pack(&store, &snapshot, "", &without, false),
    });
    for packed in futures_util::future::join_all(packing).await {
        packed.unwrap();
    }
    assert!(!holds(&packed_store(&without), "secret word"));
    assert_eq!(std::fs::read(&foreign).unwrap(), before);
    let written = std::fs::symlink_metadata(&target).unwrap();
    assert_eq!((written.is_file(), written.permissions().mode() & 0o777), (true, 0o600));
    assert!(holds(&packed_store(&target), "secret word"));
    assert_eq!(files(beside.path()).len(), 4, "{:?}", files(beside.path()));
    // In the house itself it would be lost with it, also by way of a link.
    std::os::unix::fs::symlink(root.path(), beside.path().join("link")).unwrap();
    for inside in [root.path().join("house.hanok"), root.path().join("backups/a"), beside.path().join("link/a")] {
        let refused = pack(&store, &snapshot, "", &inside, true).await.unwrap_err();
        assert!(refused.fields["path"].contains("outside the data folder"), "{refused:?}");
        assert!(!inside.exists());
    }
}

#[tokio::test]
async fn what_a_killed_taking_over_has_left_is_removed_at_the_next_start_and_nothing_else() {
    let (root, _beside, store, _) = house().await;
    store.close().await.unwrap();
    drop(store);
    let blob = hanok_base::secret::fingerprint("half a song");
    let half = [root.path().join("hanok.redb.partial"), root.path().join(format!("blobs/{blob}.partial"))];
    let foreign = root.path().join("blobs/notes.partial");
    half.iter().chain([&foreign]).for_each(|path| std::fs::write(path, "half").unwrap());
    open(root.path()).unwrap();
    assert!(half.iter().all(|path| !path.exists()));
    assert!(foreign.exists());
}

#[tokio::test]
async fn the_copies_that_a_killed_packing_of_any_version_has_left_are_removed_at_the_next_start_and_nothing_else() {
    let (root, _beside, store, _) = house().await;
    store.close().await.unwrap();
    drop(store);
    let place = |name: &str| root.path().join("backups").join(name);
    let left = [place("packing.partial"), place("packing-tZKd19peVaQa2WCD.partial")];
    let foreign = [place("packing-list.partial"), place("packing-tZKd19peVaQa2WCD.txt"), place("packing-.partial")];
    left.iter().chain(&foreign).for_each(|path| std::fs::write(path, "half").unwrap());
    open(root.path()).unwrap();
    assert!(left.iter().all(|path| !path.exists()));
    assert!(foreign.iter().all(|path| path.exists()));
}

#[tokio::test]
async fn what_was_left_beside_the_file_goes_with_the_next_one_there_but_not_what_is_locked_or_not_ours() {
    let (_root, beside, store, snapshot) = house().await;
    let place = |name: &str| beside.path().join(name);
    let (left, written) = (place(".hanok-AAAAAAAAAAAAAAAA.partial"), place(".hanok-BBBBBBBBBBBBBBBB.partial"));
    let foreign = [place(".hanok-notes.partial"), place(".theirs.partial"), place("hanok-AAAAAAAAAAAAAAAA.partial")];
    [&left, &written].into_iter().chain(&foreign).for_each(|path| std::fs::write(path, "half").unwrap());
    let writing = std::fs::File::open(&written).unwrap();
    writing.lock().unwrap();
    pack(&store, &snapshot, "", &place("house.hanok"), false).await.unwrap();
    assert!(!left.exists() && written.exists() && foreign.iter().all(|path| path.exists()));
    drop(writing);
    pack(&store, &snapshot, "", &place("other.hanok"), false).await.unwrap();
    assert!(!written.exists() && foreign.iter().all(|path| path.exists()));
}

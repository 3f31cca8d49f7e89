//! Backup files that somebody made or damaged: each is refused, and the house stays as it was.

use std::io::Cursor;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use tempfile::TempDir;
use tokio::sync::oneshot;

use super::super::pack::{Description, append, header};
use super::super::retention::Retention;
use super::super::target::DESCRIPTION;
use super::*;
use crate::events::Events;
use crate::store::Schema;
use crate::store::open::Options;
use crate::store::{Migration, Order, ReadTransaction, SnapshotKind, Store, Table};
use crate::testing::{pack, restores};
use hanok_base::{Clock, Kind};

mod described;
mod texts;

const NAMES: Table<u64, String> = Table::new("pack_names-1");

type Entries = Vec<(String, Vec<u8>)>;
/// What somebody changed in a whole file.
type Craft = Box<dyn Fn(&mut Entries)>;

fn open(root: &Path) -> Store {
    open_leaving(root, 0)
}

fn open_leaving(root: &Path, reserve_bytes: u64) -> Store {
    let options = Options { cache_bytes: 4 << 20, reserve_bytes };
    let clock = Clock::fixed("2026-10-10T12:00:00Z".parse().unwrap());
    Store::open(root, &options, Schema::default(), clock, Events::default()).unwrap().0
}

async fn put(store: &Store, name: &str) {
    let name = name.to_owned();
    store.write(move |tx| tx.put(&NAMES, 1, &name)).await.unwrap();
}

/// A whole backup file with two blobs, as its bytes.
async fn whole() -> Vec<u8> {
    let root = TempDir::new().unwrap();
    let store = open(root.path());
    put(&store, "packed").await;
    let folder = store.folder().unwrap().clone();
    for text in ["a song", "a letter"] {
        fs::write(folder.blobs().join(hex(&Sha256::digest(text))), text).unwrap();
    }
    let snapshot = store.snapshot(SnapshotKind::Manual, Retention { hourly: 1, daily: 1, weekly: 1 }).await.unwrap();
    let elsewhere = TempDir::new().unwrap();
    let target = elsewhere.path().join("house.hanok");
    pack(&store, &snapshot, "[ops]\n", &target, true).await.unwrap();
    fs::read(target).unwrap()
}

/// A house that a backup file is offered to.
struct Offered {
    root: TempDir,
    store: Store,
}

impl Offered {
    async fn new() -> Offered {
        let root = TempDir::new().unwrap();
        let store = open(root.path());
        put(&store, "before").await;
        Offered { root, store }
    }

    async fn offer(&self, bytes: &[u8]) -> Result<(Restored, Option<String>)> {
        let file = self.root.path().join("offered.hanok");
        fs::write(&file, bytes).unwrap();
        restores(&self.store).restore_from(&file, |_| ()).await
    }

    /// Offers what must be refused, and looks whether the house is as it was.
    async fn refuses(&self, what: &str, bytes: &[u8]) {
        let error = self.offer(bytes).await.err().unwrap_or_else(|| panic!("{what} was taken"));
        assert!(matches!(error.kind, Kind::InvalidInput | Kind::Conflict | Kind::StorageFull), "{what}: {error:?}");
        assert_eq!(self.name().await.as_deref(), Some("before"), "{what}");
        let partial = |folder: PathBuf| {
            fs::read_dir(folder).unwrap().flatten().find(|file| file.path().extension().is_some_and(|e| e == "partial"))
        };
        let folder = self.store.folder().unwrap();
        for place in [folder.root().to_owned(), folder.blobs()] {
            assert!(partial(place).is_none(), "{what} left half a file");
        }
        assert_eq!(fs::read_dir(folder.blobs()).unwrap().count(), 0, "{what} left a large file");
    }

    async fn name(&self) -> Option<String> {
        self.store.read(|tx| Ok(tx.values(&NAMES, 0u64.., Order::Ascending, 0, 1)?.pop())).await.unwrap()
    }
}

fn entries(packed: &[u8]) -> Entries {
    let mut archive = tar::Archive::new(GzDecoder::new(packed));
    let entries = archive.entries().unwrap().map(|entry| {
        let mut entry = entry.unwrap();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        (entry.path().unwrap().display().to_string(), bytes)
    });
    entries.collect()
}

fn packed(entries: &Entries) -> Vec<u8> {
    let mut tar = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for (name, bytes) in entries {
        let mut header = header(bytes.len() as u64);
        // By hand: the library would not write a name that leaves its folder.
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_cksum();
        tar.append(&header, bytes.as_slice()).unwrap();
    }
    tar.into_inner().unwrap().finish().unwrap()
}

fn described(entries: &mut Entries, change: impl FnOnce(&mut Description)) {
    let mut description: Description = serde_json::from_slice(&entries[0].1).unwrap();
    change(&mut description);
    entries[0].1 = serde_json::to_vec(&description).unwrap();
}

fn at(entries: &Entries, name: &str) -> usize {
    entries.iter().position(|(known, _)| known.starts_with(name)).unwrap()
}

#[tokio::test]
async fn a_file_that_does_not_hold_what_it_says_is_refused_and_leaves_nothing() {
    let good = entries(&whole().await);
    let crafted: Vec<(&str, Craft)> = vec![
        (
            "a blob twice instead of two",
            Box::new(|all| {
                let last = all.len() - 1;
                all[last] = all[last - 1].clone();
            }),
        ),
        ("a blob that is missing", Box::new(|all| drop(all.pop()))),
        (
            "a blob of another content",
            Box::new(|all| {
                let last = all.len() - 1;
                all[last].1[0] ^= 1;
            }),
        ),
        (
            "a blob that is longer than it says",
            Box::new(|all| {
                let last = all.len() - 1;
                all[last].1.push(b'x');
            }),
        ),
        (
            "settings twice",
            Box::new(|all| {
                let place = at(all, SETTINGS);
                all.push(all[place].clone());
            }),
        ),
        (
            "settings of any length",
            Box::new(|all| {
                let place = at(all, SETTINGS);
                all[place].1 = vec![b'#'; 2 << 20];
            }),
        ),
        (
            "no store",
            Box::new(|all| {
                let place = at(all, STORE);
                all.remove(place);
            }),
        ),
        (
            "a store that is longer than it says",
            Box::new(|all| {
                let place = at(all, STORE);
                all[place].1.extend(vec![0; 4096]);
            }),
        ),
        (
            "a store with a flipped bit",
            Box::new(|all| {
                let place = at(all, STORE);
                all[place].1[9_000] ^= 1;
            }),
        ),
        (
            "a store that is no store",
            Box::new(|all| {
                let place = at(all, STORE);
                all[place].1 = b"no store".to_vec();
                let sha256 = hex(&Sha256::digest(b"no store"));
                described(all, |description| {
                    description.snapshot.bytes = 8;
                    description.snapshot.sha256 = sha256;
                });
            }),
        ),
        (
            "sizes beyond counting",
            Box::new(|all| {
                described(all, |description| {
                    description.snapshot.bytes = u64::MAX;
                    for size in description.blobs.values_mut() {
                        *size = u64::MAX;
                    }
                })
            }),
        ),
        ("a layout of the future", Box::new(|all| described(all, |description| description.format = FORMAT + 1))),
        (
            "a store of the future",
            Box::new(|all| described(all, |description| description.snapshot.store_version = u32::MAX)),
        ),
        ("a description that is none", Box::new(|all| all[0].1 = b"{}".to_vec())),
        ("a description that is not first", Box::new(|all| all.swap(0, 1))),
        ("a name that leaves the folder", Box::new(|all| all.push(("../escaped".into(), b"x".to_vec())))),
        (
            "a blob's name that leaves the folder",
            Box::new(|all| all.push(("blobs/../../escaped".into(), b"x".to_vec()))),
        ),
        ("a name from the root", Box::new(|all| all.push(("/tmp/escaped".into(), b"x".to_vec())))),
        ("an entry that nobody knows", Box::new(|all| all.push(("run/lock".into(), b"x".to_vec())))),
        (
            "settings that are no text",
            Box::new(|all| {
                let place = at(all, SETTINGS);
                all[place].1 = vec![0xff, 0xfe];
            }),
        ),
        ("nothing", Box::new(|all| all.clear())),
    ];
    let house = Offered::new().await;
    for (what, change) in crafted {
        let mut all = good.clone();
        change(&mut all);
        house.refuses(what, &packed(&all)).await;
    }
    assert!(!house.root.path().parent().unwrap().join("escaped").exists());
    for (what, bytes) in [
        ("an empty file", Vec::new()),
        ("no gzip", b"hanok backup".to_vec()),
        ("gzip of nothing", GzEncoder::new(Vec::new(), Compression::fast()).finish().unwrap()),
        ("gzip of noise", {
            let mut noise = GzEncoder::new(Vec::new(), Compression::fast());
            noise.write_all(&[b'x'; 100_000]).unwrap();
            noise.finish().unwrap()
        }),
    ] {
        house.refuses(what, &bytes).await;
    }
    let (_, settings) = house.offer(&packed(&good)).await.unwrap();
    assert_eq!(house.name().await.as_deref(), Some("packed"));
    assert_eq!(settings.as_deref(), Some("[ops]\n"));
}

#[tokio::test]
async fn a_damaged_file_is_refused_wherever_the_damage_is() {
    let good = whole().await;
    let mut plain = Vec::new();
    GzDecoder::new(Cursor::new(&good)).read_to_end(&mut plain).unwrap();
    let damage = (any::<prop::sample::Index>(), 1u8.., any::<bool>());
    let mut runner = TestRunner::deterministic();
    let house = Offered::new().await;
    for round in 0..40 {
        let (place, flip, inside) = damage.new_tree(&mut runner).unwrap().current();
        let bytes = if inside {
            // Below the compression, where its own checksum does not help: within a header or a content.
            let mut plain = plain.clone();
            let place = place.index(plain.len() - 1024);
            plain[place] ^= flip;
            let mut again = GzEncoder::new(Vec::new(), Compression::fast());
            again.write_all(&plain).unwrap();
            again.finish().unwrap()
        } else {
            good[..place.index(good.len())].to_vec()
        };
        // Padding and a header's idle fields may differ without harm; whatever is taken must be the packed state.
        match house.offer(&bytes).await {
            Ok(_) => {
                assert_eq!(house.name().await.as_deref(), Some("packed"), "round {round}");
                put(&house.store, "before").await;
            }
            Err(error) => {
                assert!(
                    matches!(error.kind, Kind::InvalidInput | Kind::Conflict | Kind::StorageFull),
                    "round {round}: {error:?}"
                );
                assert_eq!(house.name().await.as_deref(), Some("before"), "round {round}");
            }
        }
    }
}

#[tokio::test]
async fn a_store_that_is_newer_than_its_description_says_is_refused_when_it_is_read() {
    const LATER: Migration =
        Migration { to: 7, name: "later", title: ("later", "later"), needed: |_| Ok(false), apply: |_| Ok(()) };
    let (root, elsewhere) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
    let schema = Schema::default().with(&[], &[LATER], &[]);
    let clock = Clock::fixed("2026-10-10T12:00:00Z".parse().unwrap());
    let (store, _) = Store::open(root.path(), &options, schema, clock, Events::default()).unwrap();
    let snapshot = store.snapshot(SnapshotKind::Manual, Retention { hourly: 1, daily: 1, weekly: 1 }).await.unwrap();
    let target = elsewhere.path().join("house.hanok");
    pack(&store, &snapshot, "", &target, true).await.unwrap();
    let mut all = entries(&fs::read(target).unwrap());
    described(&mut all, |description| description.snapshot.store_version = 1);
    let house = Offered::new().await;
    let refused = house.offer(&packed(&all)).await.unwrap_err();
    assert_eq!(refused.kind, Kind::Conflict);
    assert!(refused.message.contains("has version 7") && refused.message.contains("nothing was replaced"), "{refused}");
    assert!(refused.message.localized().is_some(), "a browser says it in its language");
    house.refuses("a newer store than its description says", &packed(&all)).await;
}

/// How many zeros the store of [`Endless`] is.
const ZEROS: u64 = 128 << 20;

/// Zeros, until all are given; a quarter of the way it says so.
struct Endless {
    given: Arc<AtomicU64>,
    say: Option<oneshot::Sender<()>>,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        buffer.fill(0);
        let given = self.given.fetch_add(buffer.len() as u64, Ordering::Relaxed);
        if given > ZEROS / 4 {
            self.say.take().map(|say| say.send(()));
        }
        Ok(buffer.len())
    }
}

#[tokio::test]
async fn reading_a_file_ends_in_the_middle_of_its_store_when_nobody_waits_any_more() {
    let mut first = entries(&whole().await).swap_remove(0);
    let mut description: Description = serde_json::from_slice(&first.1).unwrap();
    description.snapshot.bytes = ZEROS;
    first.1 = serde_json::to_vec(&description).unwrap();
    let house = Offered::new().await;
    let pipe = house.root.path().join("pipe");
    mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    for is_restored in [false, true] {
        let (given, (say, said)) = (Arc::new(AtomicU64::new(0)), oneshot::channel());
        let (zeros, into, first) = (Endless { given: given.clone(), say: Some(say) }, pipe.clone(), first.clone());
        let fed = blocking::run(move |_| {
            let file = fs::OpenOptions::new().write(true).open(into).map_err(Error::internal)?;
            let mut tar = tar::Builder::new(GzEncoder::new(file, Compression::fast()));
            append(&mut tar, DESCRIPTION, &first.1).map_err(Error::internal)?;
            tar.append_data(&mut header(ZEROS), STORE, zeros.take(ZEROS)).map_err(Error::internal)
        });
        let pipe = pipe.clone();
        let read = async {
            if is_restored {
                let source = blocking::run(move |_| Source::file_or_pipe(&pipe)).await.unwrap();
                return restores(&house.store).take_over(source, |_| ()).await.map(drop);
            }
            let folder = house.store.folder().unwrap().clone();
            let open = house.store.open.clone();
            let examined = move |abandoned: &CancellationToken| {
                examine(&Destination::of(&open, &folder), &pipe, abandoned).map(drop)
            };
            blocking::run(examined).await
        };
        let read_to_a_quarter = async {
            tokio::select! {
                ended = read => panic!("{ended:?}"),
                said = said => said.unwrap(),
            }
        };
        let (fed, ()) = tokio::join!(fed, read_to_a_quarter);
        let given = given.load(Ordering::Relaxed);
        assert!(fed.is_err() && given < ZEROS, "restored: {is_restored}, {given} bytes were read to their end");
    }
    assert_eq!(house.name().await.as_deref(), Some("before"));
}

#[test]
fn a_fault_of_the_houses_own_disk_is_not_said_of_the_file() {
    let folder = TempDir::new().unwrap();
    let take = |place: &str| not_taken(take_checked(&mut &b"x"[..], &folder.path().join(place), "00").unwrap_err());
    assert_eq!(take("no-such-folder/file").kind, Kind::Internal);
    assert_eq!(take("file").kind, Kind::InvalidInput, "its checksum is another");
}

//! Descriptions and entries that no appliance wrote, and room that a file would not leave.

use chrono::{DateTime, Utc};

use super::super::super::pack::MOST_BLOBS;
use super::super::super::snapshot::Snapshot;
use super::*;

/// A file whose description says something else of the snapshot.
fn saying(change: fn(&mut Snapshot)) -> Craft {
    Box::new(move |all| described(all, |description| change(&mut description.snapshot)))
}

#[tokio::test]
async fn a_description_that_no_appliance_wrote_is_refused() {
    let good = entries(&whole().await);
    let crafted: Vec<(&str, Craft)> = vec![
        ("a name that leads elsewhere", saying(|snapshot| snapshot.name = "../../../etc/x".into())),
        ("a name that a page could run", saying(|snapshot| snapshot.name = "<img src=x onerror=alert(1)>".into())),
        (
            "a name of any length",
            saying(|snapshot| snapshot.name = format!("20261010T120000Z-manual-{}", "0".repeat(60))),
        ),
        ("a version of any length", saying(|snapshot| snapshot.app_version = "1".repeat(65))),
        ("a version that is none", saying(|snapshot| snapshot.app_version = "<b> 1".into())),
        ("the last number", saying(|snapshot| snapshot.number = u64::MAX)),
        ("a year beyond the calendar", saying(|snapshot| snapshot.created_at = DateTime::<Utc>::MAX_UTC)),
        (
            "more tables than any store has",
            saying(|snapshot| snapshot.tables.extend((0..6_000).map(|table| (format!("table-{table}"), 1)))),
        ),
        (
            "more blobs than any house has",
            Box::new(|all| {
                described(all, |description| {
                    let names = (0..=MOST_BLOBS).map(|number| (format!("{number:064x}"), 1));
                    description.blobs.extend(names);
                })
            }),
        ),
        (
            "a blob that is called otherwise",
            Box::new(|all| described(all, |description| description.blobs.extend([("a".repeat(1_000), 1)]))),
        ),
    ];
    let house = Offered::new().await;
    for (what, change) in crafted {
        let mut all = good.clone();
        change(&mut all);
        let refused = house.offer(&packed(&all)).await.err().unwrap_or_else(|| panic!("{what} was taken"));
        assert_eq!(refused.kind, Kind::InvalidInput, "{what}: {refused:?}");
        house.refuses(what, &packed(&all)).await;
    }
}

#[tokio::test]
async fn a_file_that_says_to_hold_more_than_can_be_in_it_is_none_and_no_disk_is_said_to_be_full() {
    let mut all = entries(&whole().await);
    described(&mut all, |description| description.snapshot.bytes = 1 << 40);
    let refused = Offered::new().await.offer(&packed(&all)).await.unwrap_err();
    assert_eq!(refused.kind, Kind::InvalidInput, "{refused:?}");
}

#[tokio::test]
async fn a_file_is_refused_that_would_leave_less_room_than_the_reserve() {
    let bytes = whole().await;
    let Offered { root, store } = Offered::new().await;
    store.close().await.unwrap();
    drop(store);
    // A whole disk and more: the file itself is small.
    let house = Offered { store: open_leaving(root.path(), 1 << 60), root };
    let refused = house.offer(&bytes).await.unwrap_err();
    assert_eq!(refused.kind, Kind::StorageFull, "{refused:?}");
    assert!(refused.message.contains("backup file takes"), "{refused:?}");
    house.refuses("a file beside which no reserve stays", &bytes).await;
    assert_eq!(fs::read_dir(house.store.folder().unwrap().blobs()).unwrap().count(), 0);
}

#[tokio::test]
async fn a_link_and_a_name_of_any_length_are_refused() {
    let good = entries(&whole().await);
    let house = Offered::new().await;
    let mut tar = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    append(&mut tar, DESCRIPTION, &good[0].1).unwrap();
    let mut link = header(0);
    link.set_entry_type(tar::EntryType::Symlink);
    tar.append_link(&mut link, format!("blobs/{}", hex(&Sha256::digest("a song"))), "/etc/passwd").unwrap();
    house.refuses("a link", &tar.into_inner().unwrap().finish().unwrap()).await;

    // 64 MiB of a name that the library would read whole: it is not read at all.
    let mut tar = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    append(&mut tar, DESCRIPTION, &good[0].1).unwrap();
    let mut long = header(64 << 20);
    long.set_entry_type(tar::EntryType::GNULongName);
    long.set_path("././@LongLink").unwrap();
    long.set_cksum();
    tar.append(&long, std::io::repeat(b'a').take(64 << 20)).unwrap();
    house.refuses("a long name", &tar.into_inner().unwrap().finish().unwrap()).await;
    assert_eq!(house.name().await.as_deref(), Some("before"));
}

#[tokio::test]
async fn what_stands_behind_the_end_of_a_file_is_refused_and_an_archive_may_end_with_zeros() {
    let (good, house) = (whole().await, Offered::new().await);
    let unpacked = |bytes: &[u8]| {
        let mut tar = Vec::new();
        GzDecoder::new(bytes).read_to_end(&mut tar).unwrap();
        tar
    };
    let ending = |end: &[u8]| {
        let mut gz = GzEncoder::new(Vec::new(), Compression::fast());
        gz.write_all(&[&unpacked(&good), end].concat()).unwrap();
        gz.finish().unwrap()
    };
    for (what, bytes) in [
        ("two files in one", [good.as_slice(), &good].concat()),
        ("a byte behind it", [good.as_slice(), b"\0"].concat()),
        ("an archive behind its end", ending(&unpacked(&good))),
        ("zeros without end", ending(&vec![0; 2 << 20])),
        ("one without its checksum", good[..good.len() - 8].to_vec()),
    ] {
        house.refuses(what, &bytes).await;
    }
    assert!(house.offer(&ending(&[0; 10 << 10])).await.is_ok());
}

//! What is put is there as it was put, and rows say which files are needed.

use hanok_base::Kind;

use super::*;

#[tokio::test]
async fn a_file_is_known_by_the_sha_256_of_its_bytes_however_it_comes_in_and_lies_there_once() {
    let house = House::new();
    let put = house.blobs.begin(None, 100).await.unwrap();
    let put = put.write(b"a ".to_vec()).await.unwrap().write(b"song".to_vec()).await.unwrap();
    let fresh = put.finish().await.unwrap();
    assert_eq!((&fresh.blob.id, fresh.blob.bytes, fresh.blob.kind), (&sha("a song"), 6, MediaKind::Text));
    assert_eq!(house.put("a song").await, fresh.blob.id);
    assert_eq!(house.lying(), [fresh.blob.id.as_str()]);
    assert_eq!(fs::read(house.blobs.path(&fresh.blob.id).unwrap()).unwrap(), b"a song");
    let all = house.store.read_now(|tx| totals(tx)).unwrap();
    assert_eq!(all, Totals { files: 1, bytes: 6, unused_files: 1, unused_bytes: 6, flawed_files: 0 });
}

#[tokio::test]
async fn a_file_that_is_broken_off_or_too_large_leaves_nothing() {
    let house = House::new();
    drop(house.blobs.begin(None, 100).await.unwrap().write(b"half".to_vec()).await.unwrap());
    let too_large = house.blobs.begin(None, 5).await.unwrap().write(b"a song".to_vec()).await.map(drop).unwrap_err();
    let announced = house.blobs.begin(Some(6), 5).await.map(drop).unwrap_err();
    assert_eq!((too_large.kind, announced.kind), (Kind::TooLarge, Kind::TooLarge));
    // What is dropped goes on another thread, which closing the house waits for.
    let house = house.killed().await;
    assert_eq!(house.lying(), [""; 0]);
}

#[tokio::test]
async fn a_row_and_what_it_names_are_one_write_and_a_file_that_is_not_there_is_refused() {
    let house = House::new();
    let (first, second) = (house.put("first").await, house.put("second").await);
    house.song(1, &[&first, &first, &second]).await.unwrap();
    let named = || {
        let rows = |tx: &crate::store::ReadTx| {
            let all = tx.entries(&NAMED, ("", "").., Order::Ascending);
            all.map(|entry| entry.and_then(|entry| Ok((entry.key().0.to_owned(), entry.value()?)))).collect()
        };
        house.store.read_now(rows).map(|mut all: Vec<(String, u64)>| {
            all.sort();
            all
        })
    };
    let unused = || house.store.read_now(|tx| totals(tx)).unwrap().unused_files;
    assert_eq!((named().unwrap().len(), unused()), (2, 0));
    let refused = house.song(2, &[&first, &sha("nobody put this")]).await.unwrap_err();
    assert_eq!(refused.kind, Kind::Conflict);
    house.song(2, &[&first]).await.unwrap();
    // A write that fails takes its words back.
    let failed: Result<()> = house
        .store
        .write(|tx| {
            SONGS.remove(tx, 1)?;
            Err(Error::not_found("song"))
        })
        .await;
    assert!(failed.is_err());
    house.song(1, &[&second]).await.unwrap();
    assert_eq!(named().unwrap().into_iter().map(|(_, rows)| rows).collect::<Vec<_>>(), [1, 1]);
    house.no_song(2).await;
    assert_eq!((unused(), house.flaws()), (1, vec![]));
}

#[tokio::test]
async fn what_rows_name_is_derived_anew_where_it_does_not_fit() {
    let house = House::new();
    let (first, second) = (house.put("first").await, house.put("second").await);
    house.song(1, &[&first]).await.unwrap();
    let (named, other) = (first.clone(), second.clone());
    let break_it = move |tx: &crate::store::WriteTx| {
        tx.discard(&NAMED, (named.as_str(), "songs"))?;
        row::note_use(tx, named.as_str())?;
        tx.put(&NAMED, (other.as_str(), "songs"), &7)
    };
    house.store.write(break_it).await.unwrap();
    assert!(house.flaws().iter().any(|flaw| flaw.contains("blobs_named-1: 2 files")), "{:?}", house.flaws());
    house.store.rebuild_derived().await.unwrap();
    assert_eq!(house.flaws(), [""; 0]);
    house.days_pass().await;
    assert!(house.is_there(&first) && !house.is_there(&second));
}

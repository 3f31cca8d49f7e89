//! The process ends at each step of a put.

use super::*;

#[tokio::test]
async fn killed_while_it_comes_in_a_file_is_swept_by_the_next_start() {
    let house = House::new();
    let coming = house.blobs.begin(None, 100).await.unwrap().write(b"half a song".to_vec()).await.unwrap();
    let [half] = &house.lying()[..] else { panic!("{:?}", house.lying()) };
    let half = house.store.folder().unwrap().blobs().join(half);
    drop(coming);
    let House { root, clock, store, blobs } = house;
    drop(blobs);
    store.close().await.unwrap();
    drop(store);
    // It lies there as a process that was killed has left it.
    fs::write(&half, "half a song").unwrap();
    let house = House::at(root, clock);
    assert_eq!(house.lying(), [""; 0]);
}

#[tokio::test]
async fn killed_between_the_place_and_the_row_a_file_is_found_and_collected() {
    let house = House::new();
    // In its place, and no row knows of it.
    let song = sha("a song");
    fs::write(house.blobs.path(&song).unwrap(), "a song").unwrap();
    let house = house.killed().await;
    let found = house.days_pass().await;
    assert_eq!((found.found, found.files), (1, 0), "a state before may have named it");
    assert!(house.is_there(&song));
    house.days_pass().await;
    assert!(!house.is_there(&song));
    assert_eq!(house.lying(), [""; 0]);
}

#[tokio::test]
async fn killed_before_a_row_names_it_a_file_is_collected_and_one_that_is_named_is_whole() {
    let house = House::new();
    let (left, named) = (house.put("left").await, house.put("named").await);
    house.song(1, &[&named]).await.unwrap();
    let house = house.killed().await;
    house.days_pass().await;
    assert!(!house.is_there(&left) && house.is_there(&named));
}

#[tokio::test]
async fn killed_between_the_row_and_the_file_a_collection_is_done_by_a_later_one() {
    let house = House::new();
    let song = house.put("a song").await;
    // Its row has gone, and the file not yet.
    let gone = song.clone();
    house.store.write(move |tx| row::BLOBS.remove(tx, gone.as_str())).await.unwrap();
    let house = house.killed().await;
    house.days_pass().await;
    house.days_pass().await;
    assert_eq!(house.lying(), [""; 0]);
}

#[tokio::test]
async fn a_file_that_is_put_while_its_collection_is_under_way_is_there() {
    let house = House::new();
    let song = house.put("a song").await;
    let gone = song.clone();
    let gone = house.store.write(move |tx| row::BLOBS.remove(tx, gone.as_str())).await.unwrap().unwrap();
    // The collection has taken the row away; before it takes the file, the same is put once more.
    let fresh = house.blobs.put(b"a song".to_vec()).await.unwrap();
    let folder = house.store.folder().unwrap();
    assert_eq!(house.blobs.remove(folder, vec![gone.clone()]).unwrap(), (0, 0), "it is held");
    drop(fresh);
    assert_eq!(house.blobs.remove(folder, vec![gone]).unwrap(), (0, 0), "a row knows it");
    assert!(house.is_there(&song));
}

//! Every byte is read again, and what is wrong is said and mended by putting the same once more.

use super::*;

#[tokio::test]
async fn a_flipped_byte_and_a_missing_file_are_found_and_mended_by_putting_the_same_again() {
    let house = House::new();
    let (sound, rotten, lost) = (house.put("sound").await, house.put("rotten").await, house.put("lost").await);
    house.song(1, &[&sound, &rotten, &lost]).await.unwrap();
    assert_eq!(house.blobs.check(|_| ()).await.unwrap().findings.len(), 0);
    let path = house.blobs.path(&rotten).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    bytes[2] ^= 1;
    fs::write(&path, bytes).unwrap();
    fs::remove_file(house.blobs.path(&lost).unwrap()).unwrap();
    let checked = house.blobs.check(|_| ()).await.unwrap();
    let said: Vec<String> = checked.findings.iter().map(|said| said.text().to_owned()).collect();
    assert_eq!((checked.files, said.len()), (3, 2), "{said:?}");
    for id in [&rotten, &lost] {
        assert!(said.iter().any(|text| text.contains(id.as_str())), "{said:?}");
    }
    let flaw = |id: &BlobId| house.store.read_now(|tx| find(tx, id)).unwrap().unwrap().flaw;
    assert_eq!((flaw(&rotten), flaw(&lost), flaw(&sound)), (Some(BlobFlaw::Changed), Some(BlobFlaw::Missing), None));
    assert_eq!(house.store.read_now(|tx| totals(tx)).unwrap().flawed_files, 2);
    house.put("rotten").await;
    house.put("lost").await;
    assert_eq!(house.blobs.check(|_| ()).await.unwrap().findings.len(), 0);
    assert_eq!(house.store.read_now(|tx| totals(tx)).unwrap().flawed_files, 0);
}

#[tokio::test]
async fn a_file_that_cannot_be_read_now_is_told_and_is_not_taken_for_another() {
    let house = House::new();
    let song = house.put("song").await;
    house.song(1, &[&song]).await.unwrap();
    let path = house.blobs.path(&song).unwrap();
    let aside = path.with_extension("aside");
    fs::rename(&path, &aside).unwrap();
    // It opens, and every reading of it fails.
    fs::create_dir(&path).unwrap();
    let findings = house.blobs.check(|_| ()).await.unwrap().findings;
    let keys: Vec<_> = findings.iter().map(|said| said.localized().unwrap().key.clone()).collect();
    assert_eq!(keys, ["house.blob_unread"]);
    assert_eq!(house.store.read_now(|tx| find(tx, &song)).unwrap().unwrap().flaw, None);
    fs::remove_dir(&path).unwrap();
    fs::rename(&aside, &path).unwrap();
    assert_eq!(house.blobs.check(|_| ()).await.unwrap().findings.len(), 0);
}

#[tokio::test]
async fn a_file_that_no_row_names_is_missed_by_nobody() {
    let house = House::new();
    let left = house.put("left").await;
    fs::remove_file(house.blobs.path(&left).unwrap()).unwrap();
    assert_eq!(house.blobs.check(|_| ()).await.unwrap().findings.len(), 0);
    house.days_pass().await;
    assert!(house.store.read_now(|tx| find(tx, &left)).unwrap().is_none());
}

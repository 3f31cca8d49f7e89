//! A house that is moved by one file has all of its files.

use super::*;
use crate::testing;

#[tokio::test]
async fn a_backup_file_brings_every_file_that_its_rows_name() {
    let house = House::new();
    let mut noise = vec![0; 3 << 20];
    getrandom::fill(&mut noise).unwrap();
    let (small, large) = (house.put("a song").await, house.blobs.put(noise).await.unwrap().blob.id.clone());
    house.song(1, &[&small]).await.unwrap();
    house.song(2, &[&small, &large]).await.unwrap();
    let made = house.snapshot().await;
    let elsewhere = TempDir::new().unwrap();
    let target = elsewhere.path().join("house.tar.gz");
    testing::pack(&house.store, &made, "", &target, false).await.unwrap();
    let there = House::new();
    there.put("what was there before").await;
    testing::restores(&there.store).restore_from(&target, |_| ()).await.unwrap();
    let checked = there.blobs.check(|_| ()).await.unwrap();
    assert_eq!((checked.files, checked.findings.len()), (2, 0), "{:?}", checked.findings);
    assert_eq!(there.flaws(), [""; 0]);
    there.days_pass().await;
    assert!(there.is_there(&small) && there.is_there(&large));
}

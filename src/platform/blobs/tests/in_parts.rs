//! A file in parts: interrupted, killed, refused, and whole in the end.

use hanok_base::Kind;

use super::super::upload_row::UPLOADS;
use super::super::uploads;
use super::*;

const MOST: u64 = 100 << 20;

async fn begun(house: &House, length: u64) -> Upload {
    house.blobs.begin_upload(length, MOST, Some("노래.flac".to_owned())).await.unwrap()
}

async fn bring(house: &House, id: &str, offset: u64, bytes: &[u8]) -> Result<Upload> {
    house.blobs.receive(id, offset).await?.write(bytes.to_vec()).await?.end().await
}

#[tokio::test]
async fn a_file_that_comes_in_parts_is_the_same_as_one_that_comes_at_once() {
    let house = House::new();
    let upload = begun(&house, 6).await;
    assert_eq!(bring(&house, &upload.id, 0, b"a s").await.unwrap().offset, 3);
    assert_eq!(house.blobs.upload(&upload.id).await.unwrap().file, None);
    let whole = bring(&house, &upload.id, 3, b"ong").await.unwrap();
    assert_eq!((whole.offset, whole.file.as_ref()), (6, Some(&sha("a song"))));
    assert_eq!(house.blobs.upload(&upload.id).await.unwrap(), whole);
    assert_eq!(house.lying(), [sha("a song").as_str()]);
    house.song(1, &[&sha("a song")]).await.unwrap();
    let empty = begun(&house, 0).await;
    assert_eq!(empty.file, Some(sha("")));
}

#[tokio::test]
async fn a_part_begins_where_the_one_before_it_ended_and_none_goes_beyond_what_was_announced() {
    let house = House::new();
    let upload = begun(&house, 6).await;
    bring(&house, &upload.id, 0, b"a s").await.unwrap();
    for offset in [0, 2, 4, u64::MAX] {
        assert_eq!(bring(&house, &upload.id, offset, b"x").await.unwrap_err().kind, Kind::Conflict, "{offset}");
    }
    assert_eq!(bring(&house, &upload.id, 3, b"ong too long").await.unwrap_err().kind, Kind::TooLarge);
    let receiving = house.blobs.receive(&upload.id, 3).await.unwrap();
    let another = house.blobs.receive(&upload.id, 3).await.map(drop).unwrap_err();
    assert_eq!(
        (another.kind, house.blobs.upload(&upload.id).await.unwrap_err().kind),
        (Kind::Conflict, Kind::Conflict)
    );
    // Who goes away leaves what came in.
    drop(receiving.write(b"o".to_vec()).await.unwrap());
    assert_eq!(house.blobs.upload(&upload.id).await.unwrap().offset, 4);
    assert_eq!(bring(&house, &upload.id, 4, b"ng").await.unwrap().file, Some(sha("a song")));
    assert_eq!(house.blobs.receive("nothing", 0).await.map(drop).unwrap_err().kind, Kind::NotFound);
    assert_eq!(house.blobs.begin_upload(MOST + 1, MOST, None).await.unwrap_err().kind, Kind::TooLarge);
}

#[tokio::test]
async fn a_file_goes_on_where_it_was_noted_when_the_process_was_killed_in_a_part() {
    let house = House::new();
    let upload = begun(&house, 6).await;
    bring(&house, &upload.id, 0, b"a s").await.unwrap();
    // This much came in, and was not noted.
    drop(house.blobs.receive(&upload.id, 3).await.unwrap().write(b"xx".to_vec()).await.unwrap());
    let house = house.killed().await;
    let known = house.blobs.upload(&upload.id).await.unwrap();
    assert_eq!((known.offset, known.name.as_deref()), (3, Some("노래.flac")));
    assert_eq!(bring(&house, &upload.id, 3, b"ong").await.unwrap().file, Some(sha("a song")));
    assert_eq!(fs::read(house.blobs.path(&sha("a song")).unwrap()).unwrap(), b"a song");
}

#[tokio::test]
async fn a_file_that_comes_in_goes_on_after_a_restore() {
    let house = House::new();
    let (before, made) = (begun(&house, 6).await, house.snapshot().await);
    bring(&house, &before.id, 0, b"a s").await.unwrap();
    let after = begun(&house, 6).await;
    crate::testing::restores(&house.store).restore(Some(made.name), |_| ()).await.unwrap();
    let house = house.killed().await;
    assert_eq!(bring(&house, &before.id, 3, b"ong").await.unwrap().file, Some(sha("a song")));
    assert_eq!(bring(&house, &after.id, 0, b"a song").await.unwrap().file, Some(sha("a song")));
}

#[tokio::test]
async fn a_large_part_is_noted_on_the_way() {
    let house = House::new();
    let large = vec![7; 50 << 20];
    let upload = begun(&house, large.len() as u64).await;
    let mut receiving = house.blobs.receive(&upload.id, 0).await.unwrap();
    for piece in large[..40 << 20].chunks(1 << 20) {
        receiving = receiving.write(piece.to_vec()).await.unwrap();
    }
    drop(receiving);
    let house = house.killed().await;
    let known = house.blobs.upload(&upload.id).await.unwrap().offset;
    assert_eq!(known, 32 << 20);
    let whole = bring(&house, &upload.id, known, &large[known as usize..]).await.unwrap();
    assert!(house.is_there(&whole.file.unwrap()));
}

#[tokio::test]
async fn one_that_is_ended_or_that_nobody_goes_on_with_for_a_day_leaves_nothing() {
    let house = House::new();
    let (ended, left, goes_on) = (begun(&house, 6).await, begun(&house, 6).await, begun(&house, 6).await);
    bring(&house, &ended.id, 0, b"a s").await.unwrap();
    house.blobs.end_upload(&ended.id).await.unwrap();
    assert_eq!(house.blobs.upload(&ended.id).await.unwrap_err().kind, Kind::NotFound);
    house.hours_pass(20);
    bring(&house, &goes_on.id, 0, b"a s").await.unwrap();
    house.hours_pass(5);
    house.blobs.clear_uploads().await.unwrap();
    assert_eq!(house.blobs.upload(&left.id).await.unwrap_err().kind, Kind::NotFound);
    assert_eq!(house.lying(), [format!("{}.upload", goes_on.id)]);
    assert_eq!(house.store.read_now(|tx| tx.count(&UPLOADS)).unwrap(), 1);
    // One that lies there and is known to nobody, as a restore leaves it.
    let unknown = house.store.folder().unwrap().blobs().join(format!("{}.upload", "0".repeat(64)));
    let file = fs::File::create(&unknown).unwrap();
    file.set_modified(house.clock.now().into()).unwrap();
    house.blobs.clear_uploads().await.unwrap();
    assert!(unknown.exists(), "it may be about to be noted");
    file.set_modified((house.clock.now() - Duration::hours(25)).into()).unwrap();
    house.blobs.clear_uploads().await.unwrap();
    assert!(!unknown.exists());
}

#[tokio::test]
async fn room_is_looked_for_beside_what_others_have_announced() {
    let house = House::new();
    let promised = || house.store.read_now(|tx| uploads::promised(tx)).unwrap();
    let (one, two) = (begun(&house, 6).await, begun(&house, 6).await);
    assert_eq!(promised(), 12);
    bring(&house, &one.id, 0, b"a song").await.unwrap();
    assert_eq!(promised(), 6);
    house.blobs.end_upload(&two.id).await.unwrap();
    assert_eq!(promised(), 0);
}

#[tokio::test]
async fn only_so_many_come_in_at_the_same_time_and_those_that_are_whole_are_none_of_them() {
    let house = House::new();
    for number in 0..70u32 {
        let whole = begun(&house, 4).await;
        bring(&house, &whole.id, 0, &number.to_be_bytes()).await.unwrap();
    }
    let whole = house.lying().len();
    for _ in 0..64 {
        begun(&house, 6).await;
    }
    let refused = house.blobs.begin_upload(6, MOST, None).await.unwrap_err();
    assert_eq!((refused.kind, house.lying().len()), (Kind::Conflict, whole + 64));
}

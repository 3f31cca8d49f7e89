//! Bad days: whatever becomes of the index, nothing that was written is missing, and nothing is there twice.

use std::fs;

use super::*;
use crate::search::index::OpenIndex;
use crate::search::waiting;

async fn twenty(world: &World) {
    world.write((1..=20).map(|id| note(id, &format!("보험 {id}"), ""))).await;
}

/// Everything is found, once.
async fn assert_whole(world: &World, upto: u64) {
    let following = world.follow();
    let mut ids = following.ids("보험").await;
    ids.sort_unstable();
    assert_eq!(ids, (1..=upto).collect::<Vec<_>>());
    following.end().await;
    let waiting = world.store.read(|tx| waiting::count(tx)).await.unwrap();
    assert_eq!(waiting, 0);
}

#[tokio::test]
async fn an_index_goes_on_where_it_ended() {
    let world = World::new();
    let following = world.follow();
    twenty(&world).await;
    assert_eq!(following.find("보험").await.total, 20);
    following.end().await;
    let before = files(&world.index());
    let following = world.follow();
    assert_eq!(following.find("보험").await.total, 20);
    assert_eq!(files(&world.index()), before, "it was not made anew");
    following.end().await;
    world.write([note(21, "보험 21", "")]).await;
    assert_whole(&world, 21).await;
}

#[tokio::test]
async fn an_index_at_rest_is_of_one_piece_and_everything_in_it_is_found() {
    let world = World::new();
    twenty(&world).await;
    assert_whole(&world, 20).await;
    let index = OpenIndex::open(&world.index()).unwrap();
    let at = index.position().unwrap().unwrap();
    for ids in [21..=30, 31..=40, 41..=50, 51..=60] {
        ids.for_each(|id| index.put(&Document::of("note", id, format!("보험 {id}"), format!("/notes/{id}"))).unwrap());
        index.commit(at).unwrap();
    }
    let pieces = || files(&world.index()).iter().filter(|file| file.extension().unwrap() == "store").count();
    assert_eq!(pieces(), 5);
    index.rest().unwrap();
    index.rest().unwrap();
    assert_eq!((pieces(), index.documents(), index.position().unwrap()), (1, 60, Some(at)));
    let hits = index.find(&asked("보험"), 0, &CancellationToken::new()).unwrap();
    assert_eq!(hits.total, 60);
    // A small piece beside a large one stays what it is.
    index.put(&Document::of("note", 61, "보험 61", "/notes/61")).unwrap();
    index.commit(at).unwrap();
    index.rest().unwrap();
    index.rest().unwrap();
    assert_eq!((pieces(), index.documents()), (2, 61));
}

#[tokio::test]
async fn an_index_that_ended_between_any_two_steps_is_brought_up_to_date() {
    // After the rows and before anything of the index.
    let world = World::new();
    twenty(&world).await;
    assert_whole(&world, 20).await;
    // After the index has taken them and before its commit.
    world.write([note(21, "보험 21", "")]).await;
    let index = OpenIndex::open(&world.index()).unwrap();
    let at = index.position().unwrap().unwrap();
    let some = world.store.read(move |tx| waiting::after(tx, at.upto, 9)).await.unwrap();
    assert_eq!(some.len(), 1);
    some.iter().for_each(|(_, waiting)| index.take(waiting).unwrap());
    drop(index);
    assert_whole(&world, 21).await;
    // After its commit and before the store has forgotten them.
    world.write([note(22, "보험 22", "")]).await;
    let index = OpenIndex::open(&world.index()).unwrap();
    let some = world.store.read(move |tx| waiting::after(tx, at.upto, 9)).await.unwrap();
    some.iter().for_each(|(_, waiting)| index.take(waiting).unwrap());
    let upto = some.last().unwrap().0;
    index.commit(waiting::Position { upto, ..at }).unwrap();
    drop(index);
    assert_whole(&world, 22).await;
}

#[tokio::test]
async fn a_deleted_or_damaged_index_is_made_anew() {
    let world = World::new();
    twenty(&world).await;
    assert_whole(&world, 20).await;
    fs::remove_dir_all(world.index()).unwrap();
    assert_whole(&world, 20).await;
    for at in 0..files(&world.index()).len() {
        let file = files(&world.index()).swap_remove(at);
        let mut bytes = fs::read(&file).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x10;
        fs::write(&file, bytes).unwrap();
        assert_whole(&world, 20).await;
    }
    fs::write(world.index().join("meta.json"), "{").unwrap();
    assert_whole(&world, 20).await;
}

#[tokio::test]
async fn an_index_that_is_of_another_state_or_ahead_of_its_store_is_made_anew() {
    let world = World::new();
    twenty(&world).await;
    assert_whole(&world, 20).await;
    let index = OpenIndex::open(&world.index()).unwrap();
    let at = index.position().unwrap().unwrap();
    index.put(&Document::of("note", 99, "보험 99", "/notes/99")).unwrap();
    index.commit(waiting::Position { upto: at.upto + 1, ..at }).unwrap();
    drop(index);
    assert_whole(&world, 20).await;
    let index = OpenIndex::open(&world.index()).unwrap();
    let now = index.position().unwrap().unwrap();
    assert_ne!(now.state, at.state, "the place that is given again fits no earlier index");
    index.put(&Document::of("note", 99, "보험 99", "/notes/99")).unwrap();
    index.commit(waiting::Position { state: at.state, ..now }).unwrap();
    drop(index);
    assert_whole(&world, 20).await;
}

#[tokio::test]
async fn a_house_that_is_told_to_makes_its_index_anew_while_it_runs() {
    let world = World::new();
    let following = world.follow();
    twenty(&world).await;
    assert_eq!(following.find("보험").await.total, 20);
    let before = files(&world.index());
    let state = following.search.make_anew().await.unwrap().unwrap();
    assert!(files(&world.index()).iter().all(|file| !before.contains(file)));
    assert_eq!(following.find("보험").await.total, 20);
    assert_eq!((state.documents, state.waiting, state.is_being_made, state.trouble), (20, 0, false, None));
    assert!(state.bytes > 0);
    // Who asks while it is made waits for the newest one, and so does who asked before.
    let (one, another, third) =
        tokio::join!(following.search.make_anew(), following.search.make_anew(), following.search.make_anew());
    for made in [one, another, third] {
        assert_eq!(made.unwrap().unwrap().documents, 20);
    }
    following.end().await;
}

#[tokio::test]
async fn an_index_that_nobody_keeps_is_made_anew_by_who_follows_next() {
    let world = World::new();
    twenty(&world).await;
    assert_whole(&world, 20).await;
    let before = files(&world.index());
    assert_eq!(world.search().make_anew().await.unwrap(), None);
    assert_whole(&world, 20).await;
    assert!(files(&world.index()).iter().all(|file| !before.contains(file)));
}

#[tokio::test]
async fn an_index_that_is_damaged_while_it_is_in_use_is_found_by_a_check_and_made_anew() {
    let world = World::new();
    let following = world.follow();
    twenty(&world).await;
    assert_eq!(following.find("보험").await.total, 20);
    assert_eq!(following.search.check().await, None);
    let file = files(&world.index()).remove(0);
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x10;
    fs::write(&file, bytes).unwrap();
    assert!(following.search.check().await.is_some());
    assert_eq!(following.find("보험").await.total, 20);
    assert!(files(&world.index()).iter().all(|found| *found != file));
    following.end().await;
}

#[tokio::test]
async fn an_index_without_room_says_so_and_is_made_when_there_is_some() {
    let world = World::new();
    fs::write(world.folder.path().join("new"), "in the way").unwrap();
    let following = world.follow();
    world.write([note(1, "보험", "")]).await;
    let trouble = loop {
        assert!(!following.search.find(asked("보험")).await.unwrap().is_fresh);
        if let Some(trouble) = following.search.state().await.unwrap().trouble {
            break trouble;
        }
    };
    assert!(!trouble.is_empty());
    fs::remove_file(world.folder.path().join("new")).unwrap();
    assert_eq!(following.ids("보험").await, [1]);
    assert_eq!(following.search.state().await.unwrap().trouble, None);
    following.end().await;
}

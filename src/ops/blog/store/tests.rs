use chrono::{DateTime, Duration, Utc};
use hanok_base::Request as _;
use serde_json::{Value, json};

use super::super::model::NewPost;
use super::*;
use hanok_base::Clock;
use hanok_platform::events::Events;
use hanok_platform::store::Store;

/// A store on a clock that stands in October 2026.
fn world() -> (Store, Clock) {
    let evening: DateTime<Utc> = "2026-10-10T12:00:00Z".parse().unwrap();
    let clock = Clock::fixed(evening);
    (Store::memory(clock.clone(), Events::default()).unwrap(), clock)
}

async fn added(store: &Store, sent: Value) -> Post {
    let new = NewPost::check(serde_json::from_value(sent).unwrap()).unwrap();
    store.write(move |tx| add(tx, new.into_row(tx.now())?)).await.unwrap()
}

async fn changed(store: &Store, id: u64, sent: Value) -> Post {
    let changes = PostChanges::check(serde_json::from_value(sent).unwrap()).unwrap();
    store.write(move |tx| change(tx, id, changes)).await.unwrap()
}

async fn kept(store: &Store, id: u64) -> Vec<u64> {
    let revisions = store.read(move |tx| list_revisions(tx, id)).await.unwrap();
    revisions.into_iter().map(|revision| revision.number).collect()
}

fn pass(clock: &Clock, minutes: i64) {
    clock.set(clock.now() + Duration::minutes(minutes));
}

#[tokio::test]
async fn what_a_post_said_is_kept_once_in_ten_minutes_of_writing() {
    let (store, clock) = world();
    let id = added(&store, json!({"title": "김장", "body": "0"})).await.id;
    for minute in 1..=25 {
        pass(&clock, 1);
        changed(&store, id, json!({"body": minute.to_string()})).await;
    }
    assert_eq!(kept(&store, id).await, [20, 10]);
    changed(&store, id, json!({"body": "25", "version": 3})).await;
    assert_eq!(kept(&store, id).await, [20, 10], "nothing was changed");
    pass(&clock, 60);
    changed(&store, id, json!({"tags": ["겨울"]})).await;
    assert_eq!(kept(&store, id).await, [26, 20, 10]);
    let (then, now) = store.read(move |tx| find_revision(tx, id, 10)).await.unwrap();
    assert_eq!((then.body.as_str(), now.body.as_str()), ("9", "25"));
}

#[tokio::test]
async fn what_goes_to_readers_and_much_text_that_goes_is_kept_at_once() {
    let (store, clock) = world();
    let id = added(&store, json!({"title": "김장", "status": "draft", "body": "배추 ".repeat(100)})).await.id;
    changed(&store, id, json!({"status": "published"})).await;
    assert_eq!(kept(&store, id).await, [1]);
    changed(&store, id, json!({"body": "배추 ".repeat(99)})).await;
    assert_eq!(kept(&store, id).await, [1], "a little may go");
    changed(&store, id, json!({"body": ""})).await;
    assert_eq!(kept(&store, id).await, [3, 1]);
    pass(&clock, -60);
    changed(&store, id, json!({"title": "김치"})).await;
    assert_eq!(kept(&store, id).await, [4, 3, 1], "a clock that was set back says nothing of how long it was");
}

#[tokio::test]
async fn a_post_says_again_what_it_said_and_what_it_says_now_is_kept() {
    let (store, clock) = world();
    let first = json!({
        "title": "김장", "tags": ["부엌", "겨울"], "body": "배추", "date": "2026-10-01", "excerpt": "올해", "status": "draft",
    });
    let first = added(&store, first).await;
    let id = first.id;
    pass(&clock, 10);
    let second = json!({
        "title": "김치", "tags": ["겨울"], "body": "무", "date": "2026-10-02", "excerpt": null, "status": "published",
    });
    changed(&store, id, second).await;
    for times in 0..2 {
        let again = store.write(move |tx| restore_revision(tx, id, 1)).await.unwrap();
        let status = Status::Published; // It is for readers as before.
        let expected = Post { version: 3, updated_at: again.updated_at, status, ..first.clone() };
        assert_eq!((again, kept(&store, id).await), (expected, vec![2, 1]), "{times}");
    }
    let later = store.write(move |tx| restore_revision(tx, id, 2)).await.unwrap();
    assert_eq!((later.title.as_str(), later.status, later.excerpt_given), ("김치", Status::Published, false));
    assert_eq!(kept(&store, id).await, [3, 2, 1]);
    let absent = store.write(move |tx| restore_revision(tx, id, 9)).await.unwrap_err();
    assert_eq!(absent.code(), "NOT_FOUND");
}

#[tokio::test]
async fn the_fifty_last_are_kept() {
    let (store, clock) = world();
    let id = added(&store, json!({"title": "김장"})).await.id;
    let other = added(&store, json!({"title": "메주"})).await.id;
    pass(&clock, 10);
    changed(&store, other, json!({"body": "콩"})).await;
    for number in 0..60 {
        pass(&clock, 10);
        changed(&store, id, json!({"body": number.to_string()})).await;
    }
    assert_eq!(kept(&store, id).await, (11..=60).rev().collect::<Vec<u64>>());
    assert_eq!(kept(&store, other).await, [1]);
}

#[tokio::test]
async fn the_hundred_that_were_removed_last_can_be_brought_back_with_what_they_said_before() {
    let (store, clock) = world();
    let mut ids = Vec::new();
    for number in 0..101 {
        ids.push(added(&store, json!({"title": number.to_string()})).await.id);
    }
    pass(&clock, 10);
    for id in ids.clone() {
        changed(&store, id, json!({"body": "바뀜"})).await;
        store.write(move |tx| remove(tx, id)).await.unwrap();
    }
    let (first, second) = (ids[0], ids[1]);
    assert_eq!(store.write(move |tx| restore(tx, first)).await.unwrap_err().code(), "NOT_FOUND");
    assert_eq!(store.write(move |tx| restore(tx, second)).await.unwrap().body, "바뀜");
    assert_eq!(kept(&store, second).await, [1]);
    assert_eq!(store.read_now(|tx| tx.count(&revisions::REVISIONS)).unwrap(), 100, "those of the first are gone");
}

#[tokio::test]
async fn a_list_with_long_texts_ends_before_it_takes_much_memory_and_goes_on_from_there() {
    let (store, _clock) = world();
    for number in 0..20 {
        added(&store, json!({"title": number.to_string(), "body": "가".repeat(200_000)})).await;
    }
    let listed = |offset: usize, with_bodies: bool| {
        let page = hanok_base::Page { limit: 20, offset };
        let wanted = Wanted { tag: None, status: None, with_bodies, page };
        store.read_now(move |tx| list(tx, &wanted)).unwrap()
    };
    let first = listed(0, true);
    assert_eq!((first.posts.len(), first.total), (13, 20));
    assert_eq!(listed(13, true).posts.len(), 7);
    assert_eq!(listed(0, false).posts.len(), 20);
}

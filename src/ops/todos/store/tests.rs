use hanok_base::Request as _;
use serde_json::json;

use super::super::model::NewTodo;
use super::*;
use hanok_base::Clock;
use hanok_platform::events::Events;
use hanok_platform::store::Store;

fn instant(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

/// A store on a clock that stands in October 2026.
fn world() -> (Store, Clock) {
    let clock = Clock::fixed(instant("2026-10-10T12:00:00Z"));
    (Store::memory(clock.clone(), Events::default()).unwrap(), clock)
}

async fn added(store: &Store, new: serde_json::Value) -> Todo {
    let new = NewTodo::check(serde_json::from_value(new).unwrap()).unwrap();
    store.write(move |tx| add(tx, new.into_todo(tx.now()))).await.unwrap()
}

async fn all(store: &Store) -> Vec<Todo> {
    store.read(|tx| Ok(list(tx, Page { limit: 500, offset: 0 })?.0)).await.unwrap()
}

/// Brings to mind where nobody is told.
fn remind_silently(tx: &WriteTx) -> Result<bool> {
    remind(tx, |_, _| Ok(()))
}

/// When the next is due, and then what was brought to mind by then.
async fn remind_all(store: &Store) -> Option<DateTime<Utc>> {
    let next = store.read(|tx| next_reminder(tx)).await.unwrap();
    while store.write(remind_silently).await.unwrap() {}
    next
}

#[tokio::test]
async fn what_a_clock_that_ran_ahead_has_brought_to_mind_is_brought_to_mind_when_its_time_comes() {
    let (store, clock) = world();
    added(&store, json!({"title": "치과", "remind_at": "2026-10-12T05:00:00Z"})).await;
    added(&store, json!({"title": "약", "due": "2026-10-13", "remind_before": 0})).await;
    added(&store, json!({"title": "끝남", "remind_at": "2026-10-09T00:00:00Z"})).await;
    clock.set(instant("2026-10-10T12:00:01Z"));
    remind_all(&store).await;
    let before = all(&store).await;
    assert_eq!(before.iter().filter(|todo| todo.reminded_at.is_some()).count(), 1);
    let reminded_before = before.iter().find(|todo| todo.reminded_at.is_some()).unwrap();

    clock.set(instant("2036-10-10T12:00:00Z"));
    remind_all(&store).await;
    assert!(all(&store).await.iter().all(|todo| todo.reminded_at.is_some()), "all are spent by the wrong clock");

    let right = instant("2026-10-10T12:30:00Z");
    clock.set(right);
    assert_eq!(remind_all(&store).await, Some(right), "that is mended at once");
    assert_eq!(store.read(|tx| next_reminder(tx)).await.unwrap(), Some(instant("2026-10-12T05:00:00Z")));
    let after = all(&store).await;
    assert!(after.iter().all(|todo| todo.reminded_at.is_none_or(|at| at <= right)), "{after:?}");
    assert!(after.contains(reminded_before), "what was brought to mind in its time is not again: {after:?}");

    clock.set(instant("2026-10-13T00:00:00Z"));
    remind_all(&store).await;
    assert!(all(&store).await.iter().all(|todo| todo.reminded_at.is_some()));
    assert_eq!(remind_all(&store).await, None);
}

#[tokio::test]
async fn a_clock_that_is_put_right_by_seconds_brings_nothing_to_mind_twice() {
    let (store, clock) = world();
    added(&store, json!({"title": "치과", "remind_at": "2026-10-10T12:10:00Z"})).await;
    clock.set(instant("2026-10-10T12:10:00Z"));
    remind_all(&store).await;
    clock.set(instant("2026-10-10T12:09:30Z"));
    assert_eq!(remind_all(&store).await, None);
    assert_eq!(all(&store).await[0].reminded_at, Some(instant("2026-10-10T12:10:00Z")));
}

#[tokio::test]
async fn what_an_earlier_version_brought_to_mind_ahead_of_time_comes_again_as_its_day_says() {
    let (store, clock) = world();
    let due = added(&store, json!({"title": "약", "due": "2026-10-13", "remind_before": 0})).await;
    let spent = Todo { remind_at: None, reminded_at: Some(instant("2036-10-10T12:00:00Z")), ..due.clone() };
    let bare = Todo { id: due.id + 1, due: None, remind_before: None, ..spent.clone() };
    store.write(move |tx| write(tx, &spent).and_then(|()| write(tx, &bare))).await.unwrap();
    remind_all(&store).await;
    assert_eq!(remind_all(&store).await, Some(instant("2026-10-13T00:00:00Z")));
    assert!(all(&store).await.iter().all(|todo| todo.reminded_at.is_none()));
    clock.set(instant("2026-10-13T00:00:00Z"));
    remind_all(&store).await;
    assert_eq!(remind_all(&store).await, None);
}

#[tokio::test]
async fn what_an_earlier_version_brought_to_mind_on_its_own_day_only_comes_again_on_its_next_one() {
    let (store, _clock) = world();
    let pills =
        json!({"title": "약", "due": "2026-10-09", "time": "07:00", "remind_before": 0, "repeat": {"every": "day"}});
    let at = instant("2026-10-08T22:00:00Z");
    let silent = Todo { remind_at: None, reminded_at: Some(at), reminded_for: Some(at), ..added(&store, pills).await };
    let once = added(&store, json!({"title": "치과", "due": "2026-10-09", "remind_before": 0})).await;
    assert!(!store.read(|tx| is_one_silent(tx)).await.unwrap());
    let row = silent.clone();
    store.write(move |tx| write(tx, &row)).await.unwrap();
    assert!(store.read(|tx| is_one_silent(tx)).await.unwrap());
    store.write(bring_back).await.unwrap();

    assert!(!store.read(|tx| is_one_silent(tx)).await.unwrap());
    let todos = all(&store).await;
    let comes = Todo { remind_at: Some(instant("2026-10-10T22:00:00Z")), ..silent };
    assert!(todos.contains(&comes) && todos.contains(&once), "{todos:?}");
    assert_eq!(store.read(|tx| next_reminder(tx)).await.unwrap(), comes.remind_at);
}

#[tokio::test]
async fn many_that_are_due_at_once_are_brought_to_mind_a_few_in_each_transaction() {
    let (store, clock) = world();
    let many = |tx: &WriteTx| -> Result<()> {
        for _ in 0..450 {
            let new = json!({"title": "많음", "remind_at": "2026-10-10T12:10:00Z"});
            let new = NewTodo::check(serde_json::from_value(new).map_err(Error::internal)?)?;
            add(tx, new.into_todo(tx.now()))?;
        }
        Ok(())
    };
    store.write(many).await.unwrap();
    let reminded = async || all(&store).await.iter().filter(|todo| todo.reminded_at.is_some()).count();
    for (at, is_ahead) in [("2036-10-10T12:10:00Z", false), ("2026-10-10T12:10:00Z", true)] {
        clock.set(instant(at));
        let mut steps = Vec::new();
        while store.write(remind_silently).await.unwrap() {
            steps.push(reminded().await);
        }
        assert_eq!(steps, if is_ahead { [450, 450] } else { [200, 400] }, "{at}");
        let todos = all(&store).await;
        assert!(todos.iter().all(|todo| todo.reminded_at == Some(instant(at))), "{at}");
    }
}

#[tokio::test]
async fn a_repetition_has_one_end_whichever_of_its_todos_are_undone_and_deleted() {
    let (store, _clock) = world();
    let changed = |id: u64, changes: serde_json::Value| {
        let changes = TodoChanges::check(serde_json::from_value(changes).unwrap()).unwrap();
        store.write(move |tx| change(tx, id, changes))
    };
    for ticked_again in [false, true] {
        let a = added(&store, json!({"title": "화분", "due": "2026-10-10", "repeat": {"every": "week"}})).await.id;
        let b = changed(a, json!({"done": true})).await.unwrap().followed_by.unwrap();
        let c = changed(b, json!({"done": true})).await.unwrap().followed_by.unwrap();
        changed(c, json!({"title": "화분과 나무"})).await.unwrap();
        let undone = changed(b, json!({"done": false})).await.unwrap();
        assert_eq!((undone.repeat, undone.followed_by), (None, Some(c)), "open this once");
        if ticked_again {
            assert_eq!(changed(b, json!({"done": true})).await.unwrap().followed_by, Some(c));
            changed(b, json!({"done": false})).await.unwrap();
        }
        store.write(move |tx| remove(tx, b)).await.unwrap();
        changed(a, json!({"done": false})).await.unwrap();

        let left = all(&store).await;
        let repeating: Vec<u64> = left.iter().filter(|todo| todo.repeat.is_some()).map(|todo| todo.id).collect();
        let [one, other] = [a, c].map(|id| left.iter().find(|todo| todo.id == id).unwrap().clone());
        assert_eq!((repeating, one.followed_by, other.follows), (vec![c], Some(c), None));
        for id in [a, c] {
            store.write(move |tx| remove(tx, id)).await.unwrap();
        }
    }
}

#[tokio::test]
async fn todos_of_one_day_stand_by_their_time_in_the_list_and_in_today() {
    let (store, _) = world();
    for (title, time) in
        [("낮", Some("12:30")), ("아무 때", None), ("아침", Some("07:05")), ("나중에 적은 낮", Some("12:30"))]
    {
        added(&store, json!({"title": title, "due": "2026-10-10", "time": time})).await;
    }
    added(&store, json!({"title": "어제 밤", "due": "2026-10-09", "time": "23:59"})).await;
    added(&store, json!({"title": "내일 밤", "due": "2026-10-11", "time": "23:00"})).await;
    added(&store, json!({"title": "내일 새벽", "due": "2026-10-11", "time": "00:00"})).await;
    let titles = |todos: Vec<Todo>| todos.into_iter().map(|todo| todo.title).collect::<Vec<_>>();
    let (due, next) = (["어제 밤", "아침", "나중에 적은 낮", "낮", "아무 때"], ["내일 새벽", "내일 밤"]);
    assert_eq!(titles(all(&store).await), [&due[..], &next[..]].concat());
    let today = store.read(|tx| today(tx)).await.unwrap().todos;
    assert_eq!(
        (titles(today.due), titles(today.next)),
        (due.map(str::to_owned).into(), next.map(str::to_owned).into())
    );
}

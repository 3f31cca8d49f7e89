//! What follows from every one of many writes.

use super::super::queue::all_waiting;
use super::super::store::Ending;
use super::super::task::ONCE;
use super::*;
use crate::store::ReadTransaction;

#[tokio::test]
async fn what_is_asked_for_many_times_before_it_begins_waits_once_and_afterwards_once_more() {
    let clock = Clock::fixed(draw_night());
    let app = app(&clock, handle(vec![]));
    let greet = |name: &str| Greet { name: name.into() };
    let store = &app.data.store;
    store
        .write(move |tx| {
            let first = enqueue_once(tx, &greet("이웃"))?;
            assert_eq!(enqueue_once(tx, &greet("이웃"))?, first);
            take_next(tx)?;
            let second = enqueue_once(tx, &greet("이웃"))?;
            assert_ne!(second, first, "one that has begun may not have seen what was written since");
            take_next(tx)?;
            store::end(
                tx,
                &second,
                Ending::Again(Error::conflict(Message::english("busy")), tx.now() + Duration::hours(1)),
            )?;
            let third = enqueue_once(tx, &greet("이웃"))?;
            assert_ne!(third, second, "one that pauses before its next attempt may do so for an hour");
            assert_eq!(enqueue_once(tx, &greet("이웃"))?, third);
            assert_ne!(enqueue_once(tx, &greet("손님"))?, third, "it is told something else");
            assert_eq!(list(tx, Page { offset: 0, limit: 10 })?.1, 4);
            all_waiting(tx)?.iter().try_for_each(|id| store::end_queued(tx, id))?;
            assert_ne!(enqueue_once(tx, &greet("이웃"))?, third, "what was cancelled is not done");
            all_waiting(tx)?.iter().try_for_each(|id| store::end_queued(tx, id))
        })
        .await
        .unwrap();
    clock.set(clock.now() + Duration::days(40));
    store.write(move |tx| enqueue_once(tx, &greet("새 이웃")).map(drop)).await.unwrap();
    let kept = || store.read(|tx| tx.count(&ONCE));
    assert_eq!(kept().await.unwrap(), 3);
    store.write(|tx| store::prune(tx, 30, &Registry::new())).await.unwrap();
    assert_eq!(kept().await.unwrap(), 1, "what is known of tasks that are cleared away goes with them");
}

/// Begins half a minute after it was asked for, so that others can join it.
#[derive(Serialize, Deserialize)]
struct Settling {}

impl Job for Settling {
    const KIND: &'static str = "test_settling";
    const TITLE: (&'static str, &'static str) = ("모으기", "Settling");
    const LANE: Lane = Lane::Quick;
    const SETTLES: Duration = Duration::seconds(30);

    async fn run(self, _app: App, _progress: Progress) -> Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn what_settles_begins_so_long_after_the_first_who_asked_and_who_asks_meanwhile_joins_it() {
    let clock = Clock::fixed(draw_night());
    let app = app(&clock, Jobs::new(Registry::new().with::<Settling>(), vec![]));
    let ask = || async { app.data.store.write(|tx| enqueue_once(tx, &Settling {})).await.unwrap() };
    let first = ask().await;
    clock.set(draw_night() + Duration::seconds(29));
    assert_eq!(ask().await, first);
    let known = first.clone();
    let task = app.data.store.read(move |tx| find(tx, &known)).await.unwrap().unwrap();
    assert_eq!(task.run_at, draw_night() + Duration::seconds(30), "those who join do not put it off");
    app.data.store.write(take_next).await.unwrap();
    assert_ne!(ask().await, first, "one that has begun may not have seen what was written since");
}

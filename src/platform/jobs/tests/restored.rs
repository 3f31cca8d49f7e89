//! What a state that is restored goes on with.

use super::*;

/// Something that somebody asks for once.
#[derive(Serialize, Deserialize)]
struct Bring {}

impl Job for Bring {
    const KIND: &'static str = "test_bring";
    const TITLE: (&'static str, &'static str) = ("가져오기", "Bring");
    const LANE: Lane = Lane::Heavy;
    const UNIQUE: bool = true;
    const RESUME_AFTER_RESTORE: bool = false;

    async fn run(self, _app: App, _progress: Progress) -> Result<()> {
        Ok(())
    }
}

fn registry() -> Registry {
    Registry::new().with::<Bring>().with::<Greet>()
}

#[tokio::test]
async fn a_restored_state_calls_off_what_somebody_asked_for_once_and_goes_on_with_the_rest() {
    for is_running in [false, true] {
        let app = app(&Clock::fixed(draw_night()), Jobs::new(registry(), Vec::new()));
        let queued = app.data.store.write(move |tx| {
            let brought = enqueue(tx, &Bring {})?;
            if is_running {
                store::take(tx, Lane::Heavy, draw_night(), &brought)?;
            }
            let greets = enqueue(tx, &Greet { name: "민지".into() })?;
            assert_eq!(call_off(tx, &registry())?, 1);
            assert_eq!(call_off(tx, &registry())?, 0, "nothing is left to call off");
            let waiting = (queue::next_due(tx, Lane::Heavy)?, queue::next_due(tx, Greet::LANE)?.map(|(_, id)| id));
            assert_eq!((waiting, store::running(tx)?), ((None, Some(greets)), vec![]), "running: {is_running}");
            Ok((find(tx, &brought)?, brought))
        });
        let (task, brought) = queued.await.unwrap();
        let task = task.unwrap();
        assert_eq!((task.status, task.finished_at), (TaskStatus::Cancelled, Some(draw_night())));
        assert_eq!(task.localized.map(|localized| localized.key), Some("house.task.before_the_restore".to_owned()));
        // Nothing of its kind stands in the way when it is tried again.
        let jobs = app.workers.jobs.clone();
        app.data.store.write(move |tx| jobs.retry(tx, &brought)).await.unwrap();
        let due = app.data.store.read(|tx| queue::next_due(tx, Lane::Heavy)).await.unwrap();
        assert!(due.is_some(), "running: {is_running}");
    }
}

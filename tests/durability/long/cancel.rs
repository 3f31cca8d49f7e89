//! Rung 8, calling off: every kind of job there is, on a real data folder with its snapshots, is cancelled while it
//! runs. It ends at once, leaves nothing half done, and the next one of its kind begins.

use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::mpsc;

use hanok::appliance::assemble::{Opened, assemble};
use hanok::appliance::house::upkeep;
use hanok::appliance::schedule;
use hanok::appliance::schema::schema;
use hanok::base::Clock;
use hanok::base::Result;
use hanok::ops::lottery::LotterySettings;
use hanok::platform::app::App;
use hanok::platform::auth::{AccessMode, HouseholdAccess};
use hanok::platform::config::Config;
use hanok::platform::events::{Change, Event, Events};
use hanok::platform::jobs::{self, TaskStatus};
use hanok::platform::store::open::Options;
use hanok::platform::store::{SnapshotKind, Store, Table, WriteTx};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::broadcast::Receiver;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::appliance::until;
use crate::disk::Disk;
use crate::endless::Endless;
use crate::http::Caller;
use crate::installation::Installation;
use crate::rounds;
use crate::simulated::noon;
use crate::tables;

const TASKS: Table<&'static str, Value> = Table::new("tasks-1");
const DUE: Table<(&'static str, u64, &'static str), Value> = Table::new("tasks_due-2");

/// The parts of the house that jobs work with, and the runner, in one thread: who waits is woken in order.
struct House {
    app: App,
    stop: CancellationToken,
    runner: JoinHandle<()>,
    backups: PathBuf,
    _operator: TcpListener,
    folder: TempDir,
}

impl House {
    async fn open() -> House {
        let folder = TempDir::new().unwrap();
        let (clock, events) = (Clock::fixed(noon()), Events::default());
        let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
        let data = folder.path().join("data");
        let (store, _) = Store::open(&data, &options, schema(), clock.clone(), events.clone()).unwrap();
        House::on(store, clock, events, folder).await
    }

    async fn on(store: Store, clock: Clock, events: Events, folder: TempDir) -> House {
        // Takes every call and answers none.
        let operator = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut config = Config::default();
        config.data.dir = folder.path().join("data");
        config.set(LotterySettings {
            operator: format!("http://{}", operator.local_addr().unwrap()),
            timeout_seconds: 86_400,
            ..LotterySettings::default()
        });
        config.jobs.schedule = false;
        let backups = config.data.dir.join("backups");
        let household = HouseholdAccess::new(AccessMode::Loopback);
        let app = assemble(config, clock, Opened { store, events }, household).unwrap();
        let stop = CancellationToken::new();
        let runner = tokio::spawn({
            let (app, stop) = (app.clone(), stop.clone());
            async move { app.workers.jobs.clone().run(app, stop).await }
        });
        House { app, stop, runner, backups, _operator: operator, folder }
    }

    /// Queues a job of `kind` and gives its id, with the events from that moment on.
    async fn enqueue(&self, kind: &'static str, number: usize) -> (String, Receiver<Event>) {
        let id = format!("{kind}-{number}");
        let named: &'static str = String::leak(id.clone());
        self.app.data.store.write(move |tx| queue_example(tx, named, kind)).await.unwrap();
        (id, self.app.events.listen())
    }

    async fn status(&self, id: &str) -> TaskStatus {
        let id = id.to_owned();
        self.app.data.store.read(move |tx| jobs::find(tx, &id)).await.unwrap().unwrap().status
    }

    async fn cancel(&self, id: &str) -> Result<()> {
        self.app.workers.jobs.cancel(&self.app.data.store, id).await
    }

    async fn ended(&self, id: &str, events: &mut Receiver<Event>) -> TaskStatus {
        loop {
            let status = self.status(id).await;
            if status.has_ended() {
                return status;
            }
            let _ = events.recv().await;
        }
    }

    fn partial_files(&self) -> Vec<String> {
        let names = fs::read_dir(&self.backups).into_iter().flatten().flatten();
        let names = names.map(|file| file.file_name().into_string().unwrap());
        names.filter(|name| name.ends_with(".partial")).collect()
    }

    async fn close(self) {
        self.stop.cancel();
        self.runner.await.unwrap();
        self.app.data.store.close().await.unwrap();
        let store = tables::open_file(&self.folder.path().join("data/hanok.redb")).unwrap();
        assert_eq!(tables::flaws(&store), [""; 0]);
    }
}

/// Queues a job of `kind` that has something to do, as the task `id`.
pub fn queue_example(tx: &WriteTx, id: &'static str, kind: &'static str) -> Result<()> {
    let example = schedule::jobs().example(kind).unwrap();
    tx.put(&TASKS, id, &stored(id, kind, example(tx)?))?;
    tx.put(&DUE, ("quick", noon().timestamp_millis() as u64, id), &Value::Null)?;
    tx.announce(Change::JOBS);
    Ok(())
}

/// A waiting task as it is stored.
fn stored(id: &str, kind: &str, payload: Value) -> Value {
    let task = json!({
        "id": id, "kind": kind, "title_ko": kind, "title_en": kind, "status": "queued", "progress": 0, "message": "",
        "error": null, "attempts": 0, "created_at": noon(), "run_at": noon(), "started_at": null, "finished_at": null,
    });
    json!({ "task": task, "lane": "quick", "payload": payload })
}

#[tokio::test]
async fn a_job_of_every_kind_is_cancelled_while_it_runs_and_the_next_one_begins() {
    let house = House::open().await;
    for kind in schedule::jobs().kinds() {
        for number in 0..2 {
            let mut attempts = 0;
            let (id, mut events, let_go, blocked) = loop {
                let (id, mut events) = house.enqueue(kind, 100 * number + attempts).await;
                // The next change of the jobs is that this one runs; whatever it writes waits behind this closure.
                while !matches!(events.recv().await, Ok(Event::Changed(Change::JOBS))) {}
                let (let_go, held) = mpsc::channel::<()>();
                let (holds, is_held) = oneshot::channel();
                let mut blocked = Box::pin(house.app.data.store.write(move |_: &WriteTx| {
                    let _ = holds.send(());
                    held.recv().unwrap();
                    Ok(())
                }));
                // It is queued here and now, before the runner hears that the job may begin.
                tokio::select! {
                    biased;
                    ended = &mut blocked => panic!("{ended:?}"),
                    held = is_held => held.unwrap(),
                }
                let status = house.status(&id).await;
                if status == TaskStatus::Running {
                    break (id, events, let_go, blocked);
                }
                // It had ended before this closure stood in its way: another one is taken.
                let_go.send(()).unwrap();
                blocked.await.unwrap();
                attempts += 1;
                assert!(status == TaskStatus::Succeeded && attempts < 20, "{kind}: {status:?} at attempt {attempts}");
            };
            // Heard here and now; answered when it is on disk, behind that closure.
            let mut cancelled = pin!(house.cancel(&id));
            tokio::select! {
                biased;
                answered = &mut cancelled => panic!("{answered:?}"),
                () = std::future::ready(()) => {}
            }
            let_go.send(()).unwrap();
            blocked.await.unwrap();
            cancelled.await.unwrap();
            let ended = house.ended(&id, &mut events).await;
            // What the first one had queued whole is there, and may leave the second one with nothing to do.
            let had_nothing_to_do = number > 0 && ended == TaskStatus::Succeeded;
            assert!(ended == TaskStatus::Cancelled || had_nothing_to_do, "{kind}: {ended:?}");
            assert_eq!(house.partial_files(), [""; 0], "{kind}");
        }
    }
    // What was cancelled did not count as done.
    assert!(house.app.data.store.has_changed());
    house.close().await;
}

#[tokio::test]
async fn a_full_check_says_what_it_is_checking() {
    let house = House::open().await;
    let snapshot = upkeep::make_snapshot(&house.app, SnapshotKind::Manual).await.unwrap();
    let mut events = house.app.events.listen();
    house.enqueue("scrub", 0).await;
    let mut said = Vec::new();
    while said.last().is_none_or(|(progress, _)| *progress < 100) {
        if let Event::Task(task) = events.recv().await.unwrap() {
            said.push((task["progress"].as_u64().unwrap(), task["message"].as_str().unwrap().to_owned()));
        }
    }
    let expected = [(0, "the live store"), (10, snapshot.name.as_str()), (100, "the store and 1 snapshots are sound")];
    assert_eq!(said, expected.map(|(percent, message)| (percent, message.to_owned())));
    house.close().await;
}

#[tokio::test]
async fn a_snapshot_that_is_cancelled_in_the_middle_of_its_copy_leaves_nothing_and_the_next_one_is_made() {
    const NOTES: Table<u64, String> = Table::new("test_notes-1");
    let house = House::open().await;
    let fill = |tx: &WriteTx| (0..24).try_for_each(|number| tx.put(&NOTES, number, &"한".repeat(1 << 18)));
    house.app.data.store.write(fill).await.unwrap();
    let (id, mut events) = house.enqueue("backup", 0).await;
    let copy = house.backups.join("making.partial");
    while fs::metadata(&copy).map_or(0, |copy| copy.len()) == 0 {
        tokio::task::yield_now().await;
    }
    house.cancel(&id).await.unwrap();
    assert_eq!(house.ended(&id, &mut events).await, TaskStatus::Cancelled);
    assert_eq!(fs::read_dir(&house.backups).unwrap().count(), 0);
    let (next, mut events) = house.enqueue("backup", 1).await;
    assert_eq!(house.ended(&next, &mut events).await, TaskStatus::Succeeded);
    assert_eq!(fs::read_dir(&house.backups).unwrap().count(), 2, "a snapshot and its description");
    house.close().await;
}

#[tokio::test]
async fn a_full_check_that_is_cancelled_in_the_middle_of_a_snapshot_stops_reading_it() {
    let house = House::open().await;
    let keep = hanok::platform::store::retention::Retention { hourly: 1, daily: 1, weekly: 1 };
    let snapshot = house.app.data.store.snapshot(SnapshotKind::Manual, keep).await.unwrap();
    let endless = Endless::instead_of(&house.backups, &snapshot.name);
    let (id, mut events) = house.enqueue("scrub", 0).await;
    while !endless.is_read_by("self") {
        assert!(!house.status(&id).await.has_ended(), "it ended before it read the snapshot");
        tokio::task::yield_now().await;
    }
    house.cancel(&id).await.unwrap();
    assert_eq!(house.ended(&id, &mut events).await, TaskStatus::Cancelled);
    // The check hears of it between two bytes, and does not wait for the last of them.
    until("nobody reads it any more", || (!endless.is_read_by("self")).then_some(()));
    house.close().await;
}

#[test]
fn a_task_whose_cancelling_was_answered_is_not_begun_again_after_a_kill() {
    // Takes every call and answers none.
    let operator = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", operator.local_addr().unwrap());
    let installation =
        Installation::new().with("HANOK_JOBS__SCHEDULE", "false").with("HANOK_LOTTERY__OPERATOR", address);
    for round in 0..rounds(4, 100) {
        let appliance = installation.serve();
        let mut caller = appliance.caller();
        let begun = caller.post("/api/lotto/sync", &Value::Null).unwrap().ok();
        let status = |caller: &mut Caller| {
            let listed = caller.get("/api/system/jobs").unwrap().ok();
            let jobs = listed["jobs"].as_array().unwrap();
            jobs.iter().find(|task| task["id"] == begun["task_id"]).unwrap()["status"].as_str().unwrap().to_owned()
        };
        until("the job runs", || (status(&mut caller) == "running").then_some(()));
        let path = format!("/api/system/jobs/{}/cancel", begun["task_id"].as_str().unwrap());
        caller.post(&path, &Value::Null).unwrap().ok();
        appliance.kill();
        let appliance = installation.serve();
        assert_eq!(status(&mut appliance.caller()), "cancelled", "round {round}");
        appliance.end();
    }
}

#[tokio::test]
async fn an_end_that_the_disk_refuses_is_written_down_when_it_takes_it_again() {
    let disk = Disk::with(Vec::new());
    let (clock, events) = (Clock::fixed(noon()), Events::default());
    let store = Store::on_backend(disk.clone(), schema(), clock.clone(), events.clone()).unwrap();
    let house = House::on(store, clock.clone(), events, TempDir::new().unwrap()).await;
    let (id, mut events) = house.enqueue("lottery_sync", 0).await;
    while house.status(&id).await != TaskStatus::Running {
        events.recv().await.unwrap();
    }
    disk.is_broken();
    let unwritten = house.cancel(&id).await.unwrap_err();
    assert!(unwritten.message.starts_with("the task is being cancelled, but"), "{unwritten}");
    while !disk.has_refused() {
        tokio::task::yield_now().await;
    }
    disk.has_room();
    let mut minutes = 0;
    let ended = loop {
        let status = house.status(&id).await;
        if status.has_ended() {
            break status;
        }
        minutes += 1;
        clock.set(noon() + chrono::Duration::minutes(minutes));
        tokio::task::yield_now().await;
    };
    assert_eq!(ended, TaskStatus::Cancelled);
    house.stop.cancel();
    house.runner.await.unwrap();
    assert_eq!(tables::flaws(&house.app.data.store), [""; 0]);
}

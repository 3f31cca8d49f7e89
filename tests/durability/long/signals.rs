//! Signals under full load: SIGTERM ends everything in order and in time, SIGSTOP and SIGCONT do no harm.

use std::process::Stdio;
use std::time::{Duration, Instant};

use rustix::process::{Signal, kill_process};
use serde_json::Value;

use crate::appliance::until;
use crate::dice::Dice;
use crate::endless::Endless;
use crate::household::{Writer, wrong_after};
use crate::installation::Installation;
use crate::load::{Load, gaps};
use crate::{rounds, tables};

/// What the appliance gives itself to end, and some.
const LIMIT: Duration = Duration::from_secs(15);

#[test]
fn told_to_stop_under_full_load_it_ends_in_time_and_cleanly_with_everything_acknowledged() {
    let (seed, mut dice) = Dice::of_this_run();
    let installation = Installation::new();
    let mut appliance = installation.serve();
    let mut writers: Vec<Writer> = (0..8).map(|number| Writer::new(number, appliance.address(), seed)).collect();
    let mut longest = Duration::ZERO;
    let rounds = rounds(6, 200);
    for round in 0..rounds {
        let alive = Duration::from_millis(dice.between(5, 400));
        std::thread::scope(|scope| {
            for writer in &mut writers {
                scope.spawn(|| writer.write_until(|| false));
            }
            std::thread::sleep(alive);
            let told = Instant::now();
            appliance.end();
            longest = longest.max(told.elapsed());
        });
        assert!(longest < LIMIT, "seed {seed}, round {round}: it took {longest:?} to end");
        let mut wrong = tables::flaws(&tables::open_file(&installation.store()).unwrap());
        appliance = installation.serve();
        wrong.extend(appliance.repair().map(|item| format!("not closed cleanly: {item}")));
        wrong.extend(wrong_after(appliance.address(), &mut writers));
        assert!(wrong.is_empty(), "seed {seed}, round {round}:\n{}", wrong.join("\n"));
    }
    appliance.end();
    let acknowledged: u64 = writers.iter().map(|writer| writer.acknowledged).sum();
    println!(
        "{rounds} orderly ends under the load of 8 writers: {acknowledged} acknowledged writes, none lost; the longest \
         end took {longest:?}; seed {seed}"
    );
    assert!(acknowledged as usize > rounds * 8);
}

#[test]
fn a_command_that_takes_forever_does_not_keep_it_from_ending_in_time() {
    let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
    let appliance = installation.serve();
    let made = installation.run(&["backup", "--json"]).json();
    let endless = Endless::instead_of(&installation.backups(), made["name"].as_str().unwrap());
    let mut checking = installation.command(&["verify"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let process = appliance.process().as_raw_nonzero();
    until("the snapshot is read", || endless.is_read_by(process).then_some(()));
    let told = Instant::now();
    appliance.end();
    assert!(told.elapsed() < LIMIT, "it took {:?} to end", told.elapsed());
    assert_eq!(checking.wait().unwrap().code(), Some(1));
    endless.take_away();
    let appliance = installation.serve();
    assert!(appliance.repair().is_none(), "not closed cleanly");
    appliance.end();
}

#[test]
fn stopped_for_a_while_and_continued_nothing_is_lost_and_the_schedule_goes_on() {
    let (_, mut dice) = Dice::of_this_run();
    let installation = Installation::new();
    let appliance = installation.serve();
    let load = Load::begin(appliance.address(), 8);
    for _ in 0..rounds(3, 50) {
        load.wait_for(load.told().iter().sum::<u64>() + 40);
        kill_process(appliance.process(), Signal::STOP).unwrap();
        // Who is stopped acknowledges nothing: what is asked for waits.
        let asked_and_told = |load: &Load| (load.asked(), load.told());
        let before = until("every writer waits", || {
            let before = asked_and_told(&load);
            std::thread::sleep(Duration::from_millis(dice.between(50, 300)));
            (asked_and_told(&load) == before).then_some(before)
        });
        assert!(before.0.iter().zip(&before.1).all(|(asked, told)| asked == &(told + 1)), "{before:?}");
        kill_process(appliance.process(), Signal::CONT).unwrap();
        until("every writer goes on", || load.told().iter().zip(&before.1).all(|(now, then)| now > then).then_some(()));
    }
    let begun = appliance.caller().post("/api/system/schedule/backup/run", &Value::Null).unwrap().ok();
    until("jobs run on", || {
        let jobs = appliance.caller().get("/api/system/jobs").unwrap().ok();
        let ran = |task: &Value| task["id"] == begun["task_id"] && task["status"] == "succeeded";
        jobs["jobs"].as_array().unwrap().iter().any(ran).then_some(())
    });
    let (told, _) = load.end();
    appliance.end();
    let store = tables::open_file(&installation.store()).unwrap();
    assert_eq!(tables::flaws(&store), [""; 0]);
    assert_eq!(gaps(&tables::rows(&store).todos, &told, Some(&told)), [""; 0]);
}

#[test]
fn a_control_socket_that_somebody_has_removed_is_there_again_after_a_while() {
    let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
    let appliance = installation.serve();
    std::fs::remove_file(installation.data().join("run/control.sock")).unwrap();
    assert_eq!(installation.run(&["job", "list"]).code(), Some(1));
    until("it hears again", || (installation.run(&["job", "list"]).code() == Some(0)).then_some(()));
    appliance.end();
}

#[test]
fn a_command_to_an_appliance_that_hangs_ends_in_a_sentence_and_is_not_done_when_it_goes_on() {
    let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
    let appliance = installation.serve();
    let before = installation.snapshots();
    kill_process(appliance.process(), Signal::STOP).unwrap();
    let given_up = installation.run(&["backup"]);
    let doctor = installation.run(&["doctor"]);
    kill_process(appliance.process(), Signal::CONT).unwrap();
    assert_eq!(given_up.code(), Some(1));
    assert!(given_up.complained().contains("nothing was done"), "{}", given_up.complained());
    assert_eq!(doctor.code(), Some(1));
    assert!(
        doctor.said().contains("FAILURE  appliance    one runs on this data folder and has not answered"),
        "{}",
        doctor.said()
    );
    // Who comes later is answered behind it.
    installation.run(&["job", "list"]).ok();
    assert_eq!(installation.snapshots(), before);
    appliance.end();
}

//! Rung 5: the data folder copied while the appliance writes. The raw store of such a copy is refused with the
//! sentence that helps, and the newest snapshot in it restores, with everything that had been acknowledged by then.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::installation::Installation;
use crate::load::{Counts, Load, gaps};
use crate::{rounds, tables};

/// A way to copy a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tool {
    Cp,
    Rsync,
}

impl Tool {
    fn is_here(self) -> bool {
        self == Tool::Cp || has_rsync()
    }

    fn copy(self, from: &Path, to: &Path) {
        fs::create_dir_all(to).unwrap();
        let mut command = match self {
            Tool::Cp => Command::new("cp"),
            Tool::Rsync => Command::new("rsync"),
        };
        // A file that retention removes meanwhile is one that the copy does without.
        let _ = command.arg("-a").arg(from.join(".")).arg(to).stderr(Stdio::null()).status().unwrap();
    }
}

fn has_rsync() -> bool {
    let here = || Command::new("rsync").arg("--version").output().is_ok_and(|done| done.status.success());
    let install = || {
        let mut apt = Command::new("apt-get");
        apt.args(["install", "-qq", "-y", "--no-install-recommends", "rsync"]).env("DEBIAN_FRONTEND", "noninteractive");
        apt.output().is_ok()
    };
    here() || (rustix::process::geteuid().is_root() && install() && here())
}

#[test]
fn a_hot_copy_of_the_data_folder_is_refused_and_restores_from_its_newest_snapshot() {
    let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
    let appliance = installation.serve();
    let load = Load::begin(appliance.address(), 6);
    let mut told_at: BTreeMap<String, Counts> = BTreeMap::new();
    let mut copies = 0;
    for round in 0..rounds(2, 50) {
        let tool = [Tool::Cp, Tool::Rsync][round % 2];
        if !tool.is_here() {
            println!("rsync is not here and cannot be installed: hot copies with it were not tried");
            continue;
        }
        load.wait_for(load.told().iter().sum::<u64>() + 30);
        let told = load.told();
        let made = appliance.caller().post_soon("/api/system/backups", &Value::Null).unwrap().ok();
        told_at.insert(made["name"].as_str().unwrap().to_owned(), told);
        let folder = TempDir::new().unwrap();
        let copy = Installation::at(&folder.path().join("data")).with("HANOK_JOBS__SCHEDULE", "false");
        tool.copy(installation.data(), copy.data());
        copy.refusal().refused_with_the_cure();
        let restored = copy.run(&["restore", "--latest", "--json"]).json();
        let at_least = &told_at[restored["restored"].as_str().unwrap()];
        let served = copy.serve();
        let total = served.caller().get("/api/todos").unwrap().ok()["total"].as_u64().unwrap();
        served.end();
        let store = tables::open_file(&copy.store()).unwrap();
        let rows = tables::rows(&store);
        assert_eq!(tables::flaws(&store), [""; 0], "{tool:?}, round {round}");
        assert_eq!(gaps(&rows.todos, at_least, None), [""; 0], "{tool:?}, round {round}");
        assert_eq!(total, rows.todos.len() as u64);
        copies += 1;
    }
    let (told, _) = load.end();
    appliance.end();
    println!(
        "{copies} hot copies beside {} acknowledged writes: each refused, restored and served",
        told.iter().sum::<u64>()
    );
    assert!(copies > 0);
}

#[test]
fn a_raw_hot_store_file_is_refused_with_the_cure_and_never_panics() {
    let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
    let appliance = installation.serve();
    let load = Load::begin(appliance.address(), 6);
    for round in 0..rounds(2, 100) {
        load.wait_for(load.told().iter().sum::<u64>() + 30);
        let folder = TempDir::new().unwrap();
        let copy = Installation::at(&folder.path().join("data"));
        fs::create_dir_all(copy.data()).unwrap();
        fs::copy(installation.store(), copy.store()).unwrap();
        // A second try meets a file that the first one may have touched.
        for _ in 0..2 {
            copy.refusal().refused_with_the_cure();
        }
        assert_eq!(copy.run(&["verify"]).code(), Some(1), "round {round}");
    }
    load.end();
    appliance.end();
}

#[test]
fn a_copy_of_a_folder_at_rest_serves_like_the_original() {
    let installation = Installation::new();
    let appliance = installation.serve();
    appliance.caller().post("/api/todos", &serde_json::json!({"title": "옮긴 것"})).unwrap().ok();
    appliance.end();
    let folder = TempDir::new().unwrap();
    let copy = Installation::at(&folder.path().join("data"));
    Tool::Cp.copy(installation.data(), copy.data());
    let served = copy.serve();
    assert_eq!(served.caller().get("/api/todos").unwrap().ok()["todos"][0]["title"], "옮긴 것");
    assert!(served.start_item("opened").is_some());
    served.end();
}

#[test]
fn a_folder_copied_after_a_crash_is_taken_over_with_everything_that_was_acknowledged() {
    let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
    let appliance = installation.serve();
    appliance.caller().post("/api/system/backups", &Value::Null).unwrap().ok();
    let load = Load::begin(appliance.address(), 6);
    load.wait_for(200);
    // The machine dies in the middle of it.
    appliance.kill();
    let (told, _) = load.end();
    let folder = TempDir::new().unwrap();
    let copy = Installation::at(&folder.path().join("data"));
    Tool::Cp.copy(installation.data(), copy.data());
    let refused = copy.refusal();
    refused.refused_with_the_cure();
    assert!(refused.complained().contains("hanok restore --adopt"), "{}", refused.complained());
    copy.run(&["restore", "--adopt"]).ok();
    copy.serve().end();
    let store = tables::open_file(&copy.store()).unwrap();
    assert_eq!(tables::flaws(&store), [""; 0]);
    assert_eq!(gaps(&tables::rows(&store).todos, &told, None), [""; 0]);
}

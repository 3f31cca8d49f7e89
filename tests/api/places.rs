//! Where a command works: on a house that is there, or not at all.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::{Command, Stdio};

use hanok::appliance::domains;
use hanok::platform::domain::{WordKind, WordPlace};

use crate::command_line::{Installation, Ran};

/// Everything that the command line can be told to do, with what it asks for, but what the domains say of themselves, and
/// `serve` and `compute`, which go on.
const OF_THE_HOUSE: &[&[&str]] = &[
    &["config"],
    &["config", "--example"],
    &["doctor"],
    &["backup"],
    &["backup", "--to", "house.tar.gz"],
    &["backup", "--list"],
    &["restore", "--latest"],
    &["restore", "--undo"],
    &["restore", "--adopt"],
    &["restore", "20261120T050000Z-hourly"],
    &["restore", "--from", "nowhere.tar.gz"],
    &["verify"],
    &["verify", "--rebuild"],
    &["compact"],
    &["reindex"],
    &["mail", "list"],
    &["mail", "test", "household@hanok.example"],
    &["mail", "send", "1"],
    &["mail", "remove", "1"],
    &["household", "passphrase"],
    &["household", "passphrase", "--new"],
    &["household", "sessions"],
    &["household", "sign-out-all"],
    &["household", "setup-link"],
    &["job", "list"],
    &["job", "show", "1"],
    &["job", "retry", "1"],
    &["job", "cancel", "1"],
    &["job", "run", "backup"],
    &["openapi"],
    &["completions", "bash"],
];

/// A command as a person types it.
struct Typed {
    words: Vec<&'static str>,
    /// The files that it is to read.
    files: Vec<&'static str>,
}

/// Those of the house, and an example of each verb of the domains.
fn every_command() -> Vec<Typed> {
    let of_the_house = OF_THE_HOUSE.iter().map(|words| Typed { words: words.to_vec(), files: Vec::new() });
    let of_domains = domains::commands().flat_map(|command| command.verbs).map(|verb| {
        let words: Vec<&str> = verb.example.split_whitespace().skip(1).collect();
        let typed = words.iter().skip(2).filter(|word| !word.starts_with("--"));
        let required = verb.takes.iter().filter(|word| word.place == WordPlace::Required);
        let files = required.zip(typed).filter(|(word, _)| matches!(word.kind, WordKind::File(_)));
        Typed { files: files.map(|(_, file)| *file).collect(), words }
    });
    of_the_house.chain(of_domains).collect()
}

/// The words of every command that does something, as the help of the binary lists them.
fn commands_of_the_help(installation: &Installation, words: &[String]) -> Vec<Vec<String>> {
    let asked: Vec<&str> = words.iter().map(String::as_str).chain(["--help"]).collect();
    let help = installation.run(&asked).ok();
    let Some((_, listed)) = help.split_once("Commands:\n") else { return vec![words.to_vec()] };
    let names = listed.lines().take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next());
    let names: Vec<&str> = names.filter(|name| *name != "help").collect();
    let below = |name: &str| commands_of_the_help(installation, &[words, &[name.to_owned()]].concat());
    names.into_iter().flat_map(below).collect()
}

#[test]
fn no_command_but_serve_makes_a_house_and_each_that_needs_one_names_the_folder_in_which_it_looked() {
    let installation = Installation::new();
    for command in commands_of_the_help(&installation, &[]) {
        let is_it = |tried: &Typed| command.iter().zip(&tried.words).all(|(one, other)| one == other);
        let is_tried = every_command().iter().any(is_it);
        assert!(is_tried || ["serve", "compute"].contains(&&*command[0]), "{command:?} is not tried here");
    }
    const NEEDS_NO_HOUSE: [&str; 4] = ["config", "doctor", "openapi", "completions"];
    for Typed { words, files } in every_command() {
        // What a domain asks to be brought is there: nothing else keeps the command from its work.
        files.iter().for_each(|file| fs::write(installation.path(file), "draw_no\n").unwrap());
        let ran = installation.hears("short\n", &words);
        files.iter().for_each(|file| fs::remove_file(installation.path(file)).unwrap());
        let left: Vec<_> =
            fs::read_dir(installation.folder.path()).unwrap().map(|one| one.unwrap().file_name()).collect();
        assert_eq!(left, [""; 0], "{words:?}");
        if NEEDS_NO_HOUSE.contains(&words[0]) {
            assert_eq!(ran.code(), 0, "{words:?}: {}", ran.complained());
            continue;
        }
        assert!([1, 2].contains(&ran.code()), "{words:?}: {}", ran.said());
        if !words.contains(&"--new") && !words.contains(&"--from") {
            let place = fs::canonicalize(installation.folder.path()).unwrap().join("data");
            for said in [format!("there is no house in {}", place.display()), "`--data-dir DIR`".to_owned()] {
                assert!(ran.complained().contains(&said), "{words:?}: {}", ran.complained());
            }
        }
    }
}

#[test]
fn a_new_house_is_begun_with_its_passphrase_where_there_is_none_and_nowhere_else() {
    let installation = Installation::new();
    let begin = || installation.hears("우리 집 열쇠 말\n", &["household", "passphrase", "--new"]);
    let place = installation.path("data");
    assert_eq!(begin().ok(), format!("a new house is in {}; its passphrase is set\n", place.display()));
    let (appliance, _) = installation.serve();
    let refused = |ran: Ran| (ran.code(), ran.complained().contains("leave out --new"));
    assert_eq!(refused(begin()), (1, true), "it runs");
    assert_eq!(appliance.end().0, 0);
    assert_eq!(refused(begin()), (1, true));
    // What is left of a house is none that may be begun anew.
    installation.run(&["backup"]).ok();
    fs::remove_file(place.join("hanok.redb")).unwrap();
    assert_eq!(refused(begin()), (1, true));
    let lost = installation.run(&["backup"]);
    assert!(lost.complained().contains("but there are snapshots: `hanok restore --latest"), "{}", lost.complained());
    assert!(!place.join("hanok.redb").exists());
    assert!(installation.run(&["backup", "--list", "--json"]).json()["total"].as_u64() > Some(0));
    assert_eq!(installation.run(&["verify"]).code(), 1);
    assert_eq!(installation.run(&["restore", "--latest", "--json"]).json()["ok"], true);
    installation.run(&["verify"]).ok();
    // No way is named that leads nowhere.
    fs::remove_file(place.join("hanok.redb")).unwrap();
    for file in fs::read_dir(place.join("backups")).unwrap().map(|file| file.unwrap().path()) {
        if file.extension().is_some_and(|extension| extension == "json") {
            let damaged = fs::read_to_string(&file).unwrap().replace("\"verified\"", "\"damaged\"");
            fs::write(&file, damaged).unwrap();
        }
    }
    let lost = installation.run(&["backup"]);
    let sentence = "none of the snapshots there is sound: `hanok restore --from FILE";
    assert!(lost.complained().contains(sentence), "{}", lost.complained());
}

#[test]
fn a_backup_file_that_is_none_leaves_nothing_where_a_new_house_was_to_be() {
    let installation = Installation::new();
    fs::write(installation.path("garbage.tar.gz"), "no archive").unwrap();
    let refused = installation.run(&["restore", "--from", "garbage.tar.gz", "--data-dir", "deep/down/data"]);
    assert_eq!(refused.code(), 2, "{}", refused.complained());
    assert!(!installation.path("deep").exists());
    // What was there already stays, also where it is empty.
    fs::create_dir_all(installation.path("here/blobs")).unwrap();
    installation.run(&["restore", "--from", "garbage.tar.gz", "--data-dir", "here"]);
    let left: Vec<_> = fs::read_dir(installation.path("here")).unwrap().map(|one| one.unwrap().file_name()).collect();
    assert_eq!(left, ["blobs"]);
}

#[test]
fn no_house_begins_in_a_folder_where_somebody_keeps_something_else() {
    let installation = Installation::with_a_house();
    installation.run(&["backup", "--to", "house.tar.gz"]).ok();
    let foreign = installation.path("photos");
    fs::create_dir(&foreign).unwrap();
    fs::set_permissions(&foreign, fs::Permissions::from_mode(0o755)).unwrap();
    for name in ["settings.json", "holiday.partial"] {
        fs::write(foreign.join(name), "theirs").unwrap();
    }
    let ways: [&[&str]; 4] =
        [&["serve"], &["household", "passphrase", "--new"], &["restore", "--from", "house.tar.gz"], &["backup"]];
    for words in ways {
        let ran = installation.hears("우리 집 열쇠 말\n", &[words, &["--data-dir", "photos"][..]].concat()[..]);
        assert_eq!(ran.code(), 1, "{words:?}: {}", ran.said());
        assert!(ran.complained().contains("photos"), "{words:?}: {}", ran.complained());
        let mut left: Vec<_> = fs::read_dir(&foreign).unwrap().map(|one| one.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["holiday.partial", "settings.json"], "{words:?}");
        assert_eq!(fs::metadata(&foreign).unwrap().permissions().mode() & 0o777, 0o755, "{words:?}");
    }
}

#[test]
fn every_command_says_in_a_sentence_that_it_may_hold_too_few_files() {
    let installation = Installation::with_a_house();
    // With fewer than it takes itself the runtime of any command would end in a panic.
    let all = [(20, "backup"), (20, "restore --latest"), (8, "doctor"), (7, "verify"), (6, "serve"), (5, "config")];
    for (files, words) in all {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", &format!("ulimit -n {files} && exec \"$0\" {words}"), env!("CARGO_BIN_EXE_hanok")]);
        shell.current_dir(installation.folder.path()).env_clear().stdin(Stdio::null());
        let ran = Ran(shell.output().unwrap());
        assert_eq!(ran.code(), 1, "{words}");
        assert!(ran.complained().contains(&format!("hold {files} files open")), "{}", ran.complained());
        assert!(ran.complained().contains("LimitNOFILE="), "{}", ran.complained());
    }
}

#[test]
fn a_pipe_in_the_place_of_the_store_is_refused_and_nobody_waits_at_its_end() {
    let installation = Installation::with_a_house();
    let store = installation.folder.path().join("data/hanok.redb");
    fs::rename(&store, installation.folder.path().join("aside.redb")).unwrap();
    assert!(Command::new("mkfifo").arg(&store).status().unwrap().success());
    for words in ["serve", "verify", "restore --adopt"] {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", &format!("timeout 60 \"$0\" {words}"), env!("CARGO_BIN_EXE_hanok")]);
        shell.current_dir(installation.folder.path()).env_clear().env("PATH", "/usr/bin:/bin").stdin(Stdio::null());
        shell.env("HANOK_OPS__LISTEN", "127.0.0.1:0").env("HANOK_SITE__LISTEN", "127.0.0.1:0");
        let ran = Ran(shell.output().unwrap());
        assert_eq!(ran.code(), 1, "{words}: {}", ran.said());
        assert!(ran.complained().contains("it is no file"), "{words}: {}", ran.complained());
    }
}

#[test]
fn a_house_whose_doors_one_browser_would_fill_does_not_open_them_and_the_doctor_says_how_many_files_it_takes() {
    let installation = Installation::with_a_house();
    let run = |words: &str| {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", &format!("ulimit -n 256 && exec \"$0\" {words}"), env!("CARGO_BIN_EXE_hanok")]);
        shell.current_dir(installation.folder.path()).env_clear().stdin(Stdio::null());
        Ran(shell.output().unwrap())
    };
    let refused = run("serve");
    assert_eq!(refused.code(), 1, "{}", refused.said());
    let needed = refused.complained().split("hanok needs ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    assert!(needed.parse::<u64>().unwrap() >= 288 && refused.complained().contains("LimitNOFILE="));
    let found = run("doctor");
    assert_eq!(found.code(), 1);
    assert!(found.said().contains(&format!("256 at most, and hanok needs {needed}")), "{}", found.said());
    assert_eq!(run("backup").code(), 0, "a command that opens no door needs fewer");
}

#[test]
fn what_never_ends_is_not_read_to_its_end() {
    let installation = Installation::with_a_house();
    // Whoever reads on runs out of this memory and says something else.
    let run = |words: &str| {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", &format!("ulimit -v 4000000; {words}"), env!("CARGO_BIN_EXE_hanok")]);
        shell.current_dir(installation.folder.path()).env_clear().env("PATH", "/usr/bin:/bin").stdin(Stdio::null());
        Ran(shell.output().unwrap())
    };
    for (words, why) in [
        ("\"$0\" lotto import /dev/zero", "is a folder or a device"),
        ("\"$0\" lotto import .", "is a folder or a device"),
        ("yes | \"$0\" lotto import /dev/stdin", "is larger than"),
        ("mkfifo endless && (yes > endless & exec \"$0\" lotto import endless)", "is larger than"),
    ] {
        let ran = run(words);
        assert_eq!(ran.code(), 2, "{words}: {}", ran.said());
        assert!(ran.complained().contains(why), "{words}: {}", ran.complained());
    }
}

#[test]
fn a_running_house_takes_over_what_the_command_line_names_and_waits_for_no_pipe() {
    let installation = Installation::with_a_house();
    let run = |words: &str| {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", words, env!("CARGO_BIN_EXE_hanok")]).current_dir(installation.folder.path());
        Ran(shell.env_clear().env("PATH", "/usr/bin:/bin").stdin(Stdio::null()).output().unwrap())
    };
    installation.run(&["backup", "--to", "house.tar.gz"]).ok();
    let (appliance, _) = installation.serve();
    for words in ["mkfifo pipe && \"$0\" restore --from pipe", "cat house.tar.gz | \"$0\" restore --from /dev/stdin"] {
        let refused = run(words);
        assert_eq!(refused.code(), 2, "{words}: {}", refused.said());
        assert!(refused.complained().contains("to a file first"), "{words}: {}", refused.complained());
    }
    // What is the standard input of the command is another file than that of the house.
    let restored = run("\"$0\" restore --from /dev/stdin --json < house.tar.gz").json();
    assert_eq!(restored["restored"], "/dev/stdin");
    assert_eq!(appliance.end().0, 0);
    run("cat house.tar.gz | \"$0\" restore --from /dev/stdin").ok();
}

#[test]
fn root_does_nothing_in_the_folder_of_another_user_which_that_one_could_not_open_then() {
    let installation = Installation::with_a_house();
    let data = installation.path("data");
    let owner = |path: &Path| fs::metadata(path).unwrap().uid();
    if owner(&data) != 0 {
        return;
    }
    std::os::unix::fs::chown(&data, Some(65_534), Some(65_534)).unwrap();
    for words in [&["restore", "--latest"][..], &["backup"], &["household", "sessions"]] {
        let refused = installation.run(words);
        assert_eq!(refused.code(), 1, "{words:?}");
        assert!(refused.complained().contains("with `sudo -u '#65534'` before it"), "{}", refused.complained());
    }
    assert_eq!(installation.run(&["backup", "--list"]).code(), 0, "to look is no harm");
}

#[test]
fn a_data_folder_that_is_a_file_is_the_fault_of_the_setting() {
    let installation = Installation::new();
    fs::write(installation.path("data"), "a letter").unwrap();
    for words in [&["serve"][..], &["restore", "--from", "house.tar.gz"]] {
        let refused = installation.run(words);
        assert_eq!(refused.code(), 2, "{words:?}: {}", refused.complained());
        assert!(refused.complained().contains("data.dir must be a folder"), "{}", refused.complained());
    }
}

#[test]
fn a_start_that_finds_a_port_taken_leaves_no_house_behind_and_names_the_port_and_the_setting() {
    let held = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = held.local_addr().unwrap().to_string();
    let free = "127.0.0.1:0";
    for (setting, [ops, site]) in [("ops.listen", [&*address, free]), ("site.listen", [free, &*address])] {
        let installation = Installation::new();
        let serve = ["serve", "--ops-listen", ops, "--site-listen", site];
        let refused = installation.run(&serve);
        assert_eq!(refused.code(), 2);
        let said = refused.complained();
        assert!([&address, setting, "another program listens there"].iter().all(|word| said.contains(*word)), "{said}");
        assert_eq!(fs::read_dir(installation.folder.path()).unwrap().count(), 0, "{setting}");
        // A house that is there stays as it is.
        let installation = Installation::with_a_house();
        let store = installation.path("data/hanok.redb");
        let before = fs::read(&store).unwrap();
        assert_eq!(installation.run(&serve).code(), 2);
        assert!(fs::read(&store).unwrap() == before, "{setting}");
    }
}

//! The binary as a person runs it: exit codes, what stands on standard output, and commands with and without a
//! running appliance.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

/// A folder from which the binary is run, with a data folder in it.
pub struct Installation {
    pub folder: TempDir,
}

impl Installation {
    pub fn new() -> Installation {
        Installation { folder: TempDir::new().unwrap() }
    }

    /// With a house in it, which has been open once.
    pub fn with_a_house() -> Installation {
        let installation = Installation::new();
        assert_eq!(installation.serve().0.end().0, 0);
        installation
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The binary in this folder, with no settings but these words and free ports.
    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hanok"));
        command.args(words).current_dir(self.folder.path()).env_clear().stdin(Stdio::null());
        command.env("HANOK_OPS__LISTEN", "127.0.0.1:0").env("HANOK_SITE__LISTEN", "127.0.0.1:0");
        command.env("HANOK_LOTTERY__SYNC", "false").env("HANOK_MARKET__SYNC", "false");
        command
    }

    /// Begins a house with the household's passphrase, as its owner does.
    pub fn set_passphrase(&self, passphrase: &str) {
        self.hears(&format!("{passphrase}\n"), &["household", "passphrase", "--new"]).ok();
    }

    /// The binary with something typed into its standard input.
    pub fn hears(&self, line: &str, words: &[&str]) -> Ran {
        fs::write(self.path("line"), line).unwrap();
        let input = fs::File::open(self.path("line")).unwrap();
        let ran = Ran(self.command(words).stdin(input).output().unwrap());
        fs::remove_file(self.path("line")).unwrap();
        ran
    }

    pub fn run(&self, words: &[&str]) -> Ran {
        Ran(self.command(words).output().unwrap())
    }

    /// A running appliance, and what it said on standard output.
    pub fn serve(&self) -> (Appliance, [String; 2]) {
        self.begin(self.command(&["serve"]))
    }

    /// The same, in a shell that has done `first` before, such as lowering a limit.
    pub fn serve_after(&self, first: &str) -> (Appliance, [String; 2]) {
        self.begin(self.after(first))
    }

    /// One that is refused there.
    pub fn refused_after(&self, first: &str) -> Ran {
        Ran(self.after(first).output().unwrap())
    }

    fn after(&self, first: &str) -> Command {
        let serve = self.command(&["serve"]);
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", &format!("{first} && exec \"$0\" serve"), env!("CARGO_BIN_EXE_hanok")]);
        shell.current_dir(self.folder.path()).env_clear().stdin(Stdio::null());
        shell.envs(serve.get_envs().filter_map(|(name, value)| Some((name, value?))));
        shell
    }

    fn begin(&self, mut serve: Command) -> (Appliance, [String; 2]) {
        let mut child = serve.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let said = [lines.next().unwrap().unwrap(), lines.next().unwrap().unwrap()];
        (Appliance { child, rest: Box::new(lines) }, said)
    }
}

/// What a run left behind.
pub struct Ran(pub Output);

impl Ran {
    pub fn code(&self) -> i32 {
        self.0.status.code().unwrap()
    }

    pub fn said(&self) -> String {
        String::from_utf8(self.0.stdout.clone()).unwrap()
    }

    pub fn complained(&self) -> String {
        String::from_utf8(self.0.stderr.clone()).unwrap()
    }

    #[track_caller]
    pub fn ok(self) -> String {
        assert_eq!(self.code(), 0, "{}", self.complained());
        self.said()
    }

    #[track_caller]
    pub fn json(self) -> Value {
        serde_json::from_str(&self.ok()).unwrap()
    }
}

/// A running appliance; it ends with the test.
pub struct Appliance {
    child: Child,
    rest: Box<dyn Iterator<Item = std::io::Result<String>>>,
}

impl Appliance {
    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Ends it as a service manager does: its exit code, and what else it said on standard output.
    pub fn end(mut self) -> (i32, Vec<String>) {
        kill_process(Pid::from_child(&self.child), Signal::TERM).unwrap();
        let rest = self.rest.by_ref().map(Result::unwrap).collect();
        (self.child.wait().unwrap().code().unwrap(), rest)
    }
}

impl Drop for Appliance {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn serve_says_at_its_start_that_a_door_for_others_needs_an_address() {
    let installation = Installation::new();
    let (_running, _) = installation.serve();
    // None begins beside another, but each says this before it ends.
    let said = |words: &[&str]| installation.run(words).complained().contains("site.address is not set");
    assert!(said(&["serve", "--site-listen", "0.0.0.0:0"]));
    assert!(!said(&["serve"]));
}

#[test]
fn serve_says_where_both_doors_are_and_nothing_else() {
    let installation = Installation::new();
    let (appliance, [household, customers]) = installation.serve();
    assert!(household.starts_with("household http://127.0.0.1:"), "{household}");
    assert!(customers.starts_with("customers http://127.0.0.1:"), "{customers}");
    assert_eq!(appliance.end(), (0, vec![]));
}

#[test]
fn a_second_appliance_on_the_same_folder_is_refused_with_a_reason() {
    let installation = Installation::new();
    let (_running, _) = installation.serve();
    let second = installation.run(&["serve"]);
    assert_eq!(second.code(), 1);
    assert!(second.complained().contains("in use"), "{}", second.complained());
    assert_eq!(second.said(), "");
}

#[test]
fn snapshots_are_made_listed_checked_and_restored_while_the_appliance_runs_and_while_it_does_not() {
    let installation = Installation::new();
    let (appliance, _) = installation.serve();
    let first = installation.run(&["backup", "--json"]).json();
    assert!(first["verified_at"].is_string());
    assert_eq!(appliance.end().0, 0);
    let second = installation.run(&["backup", "--json"]).json();
    let list = installation.run(&["backup", "--list", "--json"]).json();
    let names: Vec<&str> = list["backups"].as_array().unwrap().iter().map(|b| b["name"].as_str().unwrap()).collect();
    assert!(names.contains(&first["name"].as_str().unwrap()) && names.contains(&second["name"].as_str().unwrap()));
    assert_eq!(installation.run(&["verify", "--json"]).json()["ok"], true);
    let (appliance, _) = installation.serve();
    assert_eq!(installation.run(&["verify", "--json"]).json()["ok"], true);
    assert_eq!(installation.run(&["restore", names[0], "--json"]).json()["restored"], names[0]);
    assert_eq!(appliance.end().0, 0);
    assert_eq!(installation.run(&["restore", "--latest", "--json"]).json()["ok"], true);
    assert!(installation.run(&["compact", "--json"]).json()["after_bytes"].is_u64());
}

#[test]
fn one_file_moves_the_house_to_another_machine() {
    let (here, there) = (Installation::with_a_house(), Installation::new());
    let file = here.path("house.tar.gz");
    let written = here.run(&["backup", "--to", "house.tar.gz", "--json"]).json();
    assert_eq!(written["path"], file.to_str().unwrap());
    let restored = there.run(&["restore", "--from", file.to_str().unwrap(), "--json"]).json();
    // Whose set-up link is good stays at home.
    let rows = |answer: &Value| answer["rows"].as_u64().unwrap();
    assert!((1_245..rows(&written["snapshot"])).contains(&rows(&restored)), "{restored}");
    assert_eq!(restored["new_house"], there.path("data").to_str().unwrap());
    let again = there.run(&["restore", "--from", file.to_str().unwrap(), "--json"]).json();
    assert_eq!(again.get("new_house"), None, "it is in a house that was there");
    assert_eq!(there.run(&["verify", "--json"]).json()["ok"], true);
}

#[test]
fn a_snapshot_that_is_damaged_fails_the_verification() {
    let installation = Installation::with_a_house();
    let name = installation.run(&["backup", "--json"]).json()["name"].as_str().unwrap().to_owned();
    let file = installation.path("data/backups").join(format!("{name}.redb"));
    let mut bytes = fs::read(&file).unwrap();
    bytes[5000] ^= 1;
    fs::remove_file(&file).unwrap();
    fs::write(&file, bytes).unwrap();
    let checked = installation.run(&["verify"]);
    assert_eq!(checked.code(), 1);
    assert!(checked.complained().contains(&name), "{}", checked.complained());
    // From now on it is known, and is no backup any more.
    let listed = installation.run(&["backup", "--list", "--json"]).json();
    assert_eq!(listed["backups"][0]["state"], "damaged");
    let refused = installation.run(&["restore", &name]);
    assert_eq!(refused.code(), 1);
    assert!(refused.complained().contains("is damaged and is not restored"), "{}", refused.complained());
}

#[test]
fn the_passphrase_is_set_from_standard_input_and_a_bad_one_is_wrong_usage() {
    let installation = Installation::with_a_house();
    for (line, code) in [("우리 집 열쇠 말\n", 0), ("short\n", 2)] {
        let ran = installation.hears(line, &["household", "passphrase"]);
        assert_eq!(ran.code(), code, "{}", ran.complained());
    }
    let link = installation.run(&["household", "setup-link"]);
    assert_eq!(link.complained(), "it works once, within 24 hours\n");
    assert!(link.ok().contains("/setup#"));
    assert_eq!(installation.run(&["household", "setup-link", "--json"]).json()["good_for_hours"], 24);
    assert_eq!(installation.run(&["household", "sessions", "--json"]).json(), serde_json::json!([]));
    for (words, said) in [(["household", "sessions"], "nobody is signed in\n"), (["mail", "list"], "no mail yet\n")] {
        assert_eq!(installation.run(&words).ok(), said);
    }
}

#[test]
fn an_attempt_to_ask_the_operator_that_failed_stands_in_the_status_of_the_draws() {
    let installation = Installation::new();
    let asking = "export HANOK_LOTTERY__SYNC=true HANOK_LOTTERY__OPERATOR=http://127.0.0.1:9";
    let (appliance, _) = installation.serve_after(asking);
    assert_ne!(installation.run(&["lotto", "sync"]).code(), 0);
    let status = installation.run(&["lotto", "status"]);
    let shown = status.ok();
    let because = shown.lines().find(|line| line.starts_with("because")).unwrap();
    assert!(because.contains("cannot be reached") && !shown.contains("asked in vain since  -"), "{shown}");
    assert!(shown.lines().any(|line| line.starts_with("operator answered") && line.ends_with('-')), "{shown}");
    appliance.end();
}

#[test]
fn draws_are_shown_and_imported_by_hand() {
    const HEADER: &str = "draw_no,date,n1,n2,n3,n4,n5,n6,bonus,first_winners,first_prize_each,total_sales";
    let installation = Installation::with_a_house();
    let latest = installation.run(&["lotto", "latest", "--json"]).json();
    assert_eq!((latest["draw_no"].as_u64(), latest["bonus"].as_u64()), (Some(1245), Some(12)));
    let next = format!("{HEADER}\n1246,2026-10-17,1,2,3,4,5,6,7,10,2000000000,110000000000\n");
    fs::write(installation.path("next.csv"), next).unwrap();
    assert_eq!(installation.run(&["lotto", "import", "next.csv", "--json"]).json()["added"], 1);
    let other = format!("{HEADER}\n1246,2026-10-17,1,2,3,4,5,8,7,10,2000000000,110000000000\n");
    fs::write(installation.path("other.csv"), other).unwrap();
    assert_eq!(installation.run(&["lotto", "import", "other.csv", "--json"]).json()["conflicts"], 1);
    let status = installation.run(&["lotto", "status"]).ok();
    assert!(status.contains("1246") && status.contains("contradicts in"), "{status}");
    for wrong in ["many", "+1246", " 1246"] {
        assert_eq!(installation.run(&["lotto", "accept", wrong]).code(), 2, "{wrong}");
    }
    let refused = installation.run(&["lotto", "refuse", "1246", "--from", "operator"]);
    assert_eq!(refused.code(), 1, "nobody of that name sent it");
    assert_eq!(installation.run(&["lotto", "accept", "1246", "--json"]).json()["corrected"], 1);
    let corrected = installation.run(&["lotto", "latest", "--json"]).json();
    assert_eq!(corrected["numbers"], serde_json::json!([1, 2, 3, 4, 5, 8]));
    assert_eq!(installation.run(&["lotto", "accept", "1246"]).code(), 1, "nothing is kept aside any more");
    assert_eq!(installation.run(&["lotto", "undo", "many"]).code(), 2);
    assert_eq!(installation.run(&["lotto", "undo", "1246", "--json"]).json()["corrected"], 1);
    let before = installation.run(&["lotto", "latest", "--json"]).json();
    assert_eq!(before["numbers"], serde_json::json!([1, 2, 3, 4, 5, 6]));
    assert_eq!(before["undecided"][0]["accepted"]["numbers"], serde_json::json!([1, 2, 3, 4, 5, 8]));
    assert_eq!(installation.run(&["lotto", "undo", "1246"]).code(), 1, "there is nothing to take back any more");
    fs::write(installation.path("broken.csv"), format!("{HEADER}\n1247,2026-10-24,1,2,3,4,5,99,7,,,\n")).unwrap();
    assert_eq!(installation.run(&["lotto", "import", "broken.csv"]).code(), 2);
    assert_eq!(installation.run(&["lotto", "import", "absent.csv"]).code(), 2);
    let sync = installation.run(&["lotto", "sync"]);
    assert_eq!(sync.code(), 1);
    assert!(sync.complained().contains("lottery.sync"), "{}", sync.complained());
}

#[test]
fn wrong_usage_is_2_and_names_the_cure() {
    let installation = Installation::with_a_house();
    assert_eq!(installation.run(&["restore"]).code(), 2);
    assert_eq!(installation.run(&["serve", "--ops-listen", "everywhere"]).code(), 2);
    let mut command = installation.command(&["config"]);
    let ran = Ran(command.env("HANOK_OPS__LISTN", "127.0.0.1:1").output().unwrap());
    assert_eq!(ran.code(), 2);
    assert!(ran.complained().contains("did you mean HANOK_OPS__LISTEN?"), "{}", ran.complained());
    assert_eq!(installation.run(&["job", "show", "nothing"]).code(), 1);
}

#[test]
fn a_verb_of_a_domain_tells_its_words_and_answers_a_wrong_one_with_the_right_ones() {
    let installation = Installation::new();
    let help = installation.run(&["lotto", "refuse", "--help"]).ok();
    for word in ["<DRAW>", "--from <from>", "built_in, operator, import"] {
        assert!(help.contains(word), "{word}: {help}");
    }
    for (words, right) in [
        (&["lotto", "refuse", "1246", "--from", "nobody"][..], "[possible values: built_in, operator, import]"),
        (&["lotto", "refuse", "many"], "must be a whole number from 1 to 9999"),
        (&["lotto", "refuse"], "<DRAW>"),
    ] {
        let ran = installation.run(words);
        assert_eq!(ran.code(), 2, "{words:?}");
        assert!(ran.complained().contains(right), "{}", ran.complained());
    }
}

#[test]
fn the_settings_show_their_source_and_no_secret() {
    let installation = Installation::new();
    fs::write(installation.path("appliance.toml"), "[compute]\ntoken = \"a word of sixteen letters\"\n").unwrap();
    let refused = installation.run(&["config"]);
    assert_eq!(refused.code(), 2);
    assert!(!refused.complained().contains("sixteen letters"), "{}", refused.complained());
    fs::write(installation.path("appliance.toml"), "[compute]\ntoken = \"one-word-of-both-machines\"\n").unwrap();
    let said = installation.run(&["config"]).ok();
    assert!(!said.contains("both-machines"));
    let line = said.lines().find(|line| line.starts_with("backup.every_minutes")).unwrap();
    assert_eq!(line.split_whitespace().take(3).collect::<Vec<_>>(), ["backup.every_minutes", "60", "minutes"]);
    let settings = installation.run(&["config", "--json"]).json();
    let of = |key: &str| settings["settings"].as_array().unwrap().iter().find(|row| row["key"] == key).unwrap().clone();
    assert_eq!(
        (of("compute.token")["value"].as_str(), of("compute.token")["source"].as_str()),
        (Some("***"), Some("file"))
    );
    assert_eq!(of("ops.listen")["source"], "environment");
    assert_eq!(of("jobs.quick_workers")["source"], "default");
}

#[test]
fn the_doctor_names_what_would_keep_the_appliance_from_working() {
    let installation = Installation::new();
    assert_eq!(installation.run(&["doctor"]).code(), 0);
    let held = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = held.local_addr().unwrap().to_string();
    let mut command = installation.command(&["doctor", "--json"]);
    let ran = Ran(command.env("HANOK_OPS__LISTEN", address).output().unwrap());
    assert_eq!(ran.code(), 1);
    let findings: Value = serde_json::from_str(&ran.said()).unwrap();
    let door = findings["checks"].as_array().unwrap().iter().find(|check| check["check"] == "household").unwrap();
    assert_eq!(door["verdict"], "failure");
    assert!(door["cure"].is_string());
}

#[test]
fn the_doctor_asks_the_running_appliance_where_it_listens_as_a_flag_may_have_told_it() {
    let installation = Installation::new();
    let free = || std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let (by_flag, by_settings) = (free(), free());
    let (appliance, _) = installation.begin(installation.command(&["serve", "--ops-listen", &by_flag]));
    let mut doctor = installation.command(&["doctor"]);
    let said = Ran(doctor.env("HANOK_OPS__LISTEN", &by_settings).output().unwrap()).said();
    assert!(said.contains(&format!("the running appliance listens on {by_flag}")), "{said}");
    assert!(said.contains(&format!("by the settings read here it is {by_settings}")), "{said}");
    appliance.end();
}

#[test]
fn the_documents_and_the_completions_are_printed() {
    let installation = Installation::new();
    for door in ["ops", "site"] {
        assert!(installation.run(&["openapi", "--door", door]).json()["openapi"].is_string());
    }
    for shell in ["bash", "zsh", "fish"] {
        assert!(installation.run(&["completions", shell]).ok().contains("hanok"));
    }
}

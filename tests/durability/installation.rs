//! The binary as a person runs it, in a folder of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::appliance::Appliance;

/// A place in which the binary is run, with a data folder in it.
pub struct Installation {
    data: PathBuf,
    settings: Vec<(String, String)>,
    /// Removed with the installation.
    _folder: Option<TempDir>,
}

impl Installation {
    /// On a fresh folder.
    pub fn new() -> Installation {
        let folder = TempDir::new().unwrap();
        Installation { data: folder.path().join("data"), settings: Vec::new(), _folder: Some(folder) }
    }

    /// On a data folder that lies somewhere already.
    pub fn at(data: &Path) -> Installation {
        Installation { data: data.to_owned(), settings: Vec::new(), _folder: None }
    }

    /// With a setting of its own, named as in the environment, such as `HANOK_JOBS__SCHEDULE`.
    pub fn with(mut self, name: &str, value: impl ToString) -> Installation {
        self.settings.push((name.to_owned(), value.to_string()));
        self
    }

    pub fn data(&self) -> &Path {
        &self.data
    }

    pub fn store(&self) -> PathBuf {
        self.data.join("hanok.redb")
    }

    pub fn backups(&self) -> PathBuf {
        self.data.join("backups")
    }

    /// The binary with these words: free ports, no network, no limit on how often this test may ask.
    pub fn command(&self, words: &[&str]) -> Command {
        let parent = self.data.parent().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_hanok"));
        command.arg("--data-dir").arg(&self.data).args(words).current_dir(parent).env_clear().stdin(Stdio::null());
        command.env("HANOK_OPS__LISTEN", "127.0.0.1:0").env("HANOK_SITE__LISTEN", "127.0.0.1:0");
        command.env("HANOK_LOTTERY__OPERATOR", "http://127.0.0.1:9").env("HANOK_HTTP__REQUESTS_PER_SECOND", "0");
        command.env("HANOK_STORE__RESERVED_DISK_MIB", "1").env("HANOK_MARKET__SYNC", "false");
        command.envs(self.settings.iter().map(|(name, value)| (name, value)));
        command
    }

    pub fn run(&self, words: &[&str]) -> Ran {
        Ran(self.command(words).output().unwrap())
    }

    /// A running appliance.
    pub fn serve(&self) -> Appliance {
        Appliance::start(self.command(&["serve"])).unwrap_or_else(|said| panic!("no start: {said}"))
    }

    /// What `serve` says when it refuses.
    pub fn refusal(&self) -> Ran {
        let mut command = self.command(&["serve"]);
        let ran = Ran(command.stdout(Stdio::piped()).stderr(Stdio::piped()).output().unwrap());
        assert_ne!(ran.code(), Some(0), "it served");
        ran
    }

    /// The names of the snapshots, newest first.
    pub fn snapshots(&self) -> Vec<String> {
        let listed = self.run(&["backup", "--list", "--json"]).json();
        listed["backups"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    }
}

/// What a run left behind.
pub struct Ran(pub Output);

impl Ran {
    pub fn code(&self) -> Option<i32> {
        self.0.status.code()
    }

    pub fn said(&self) -> String {
        String::from_utf8_lossy(&self.0.stdout).into_owned()
    }

    pub fn complained(&self) -> String {
        String::from_utf8_lossy(&self.0.stderr).into_owned()
    }

    #[track_caller]
    pub fn ok(self) -> String {
        assert_eq!(self.code(), Some(0), "{}", self.complained());
        self.said()
    }

    #[track_caller]
    pub fn json(self) -> Value {
        serde_json::from_str(&self.ok()).unwrap()
    }

    /// Asserts a refusal with exit code 1 that names the cure and does not look like a crash.
    #[track_caller]
    pub fn refused_with_the_cure(&self) {
        let complaint = self.complained();
        assert_eq!(self.code(), Some(1), "{complaint}");
        assert!(complaint.contains("hanok restore --latest"), "{complaint}");
        assert!(!complaint.contains("panicked") && !complaint.contains("RUST_BACKTRACE"), "{complaint}");
    }
}

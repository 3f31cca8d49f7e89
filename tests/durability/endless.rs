//! A snapshot so long that nobody reads it to its end while a test looks. It takes no room.

use std::fmt::Display;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

const LENGTH: u64 = 256 << 30;

pub struct Endless {
    path: PathBuf,
}

impl Endless {
    /// Puts a file without a byte of its own in the place of the snapshot, and its length into the description: that
    /// is compared before anything is read.
    pub fn instead_of(backups: &Path, snapshot: &str) -> Endless {
        let path = fs::canonicalize(backups).unwrap().join(format!("{snapshot}.redb"));
        fs::remove_file(&path).unwrap();
        File::create(&path).unwrap().set_len(LENGTH).unwrap();
        let description = path.with_extension("json");
        let mut described: Value = serde_json::from_slice(&fs::read(&description).unwrap()).unwrap();
        described["bytes"] = json!(LENGTH);
        fs::write(description, described.to_string()).unwrap();
        Endless { path }
    }

    /// Whether the process of this number, or `self`, has it open.
    pub fn is_read_by(&self, process: impl Display) -> bool {
        let open = fs::read_dir(format!("/proc/{process}/fd")).unwrap().flatten();
        open.filter_map(|entry| fs::read_link(entry.path()).ok()).any(|file| file == self.path)
    }

    /// Takes the file away, and lets whoever reads it come to its end.
    pub fn take_away(self) {
        let file = File::options().write(true).open(&self.path).unwrap();
        fs::remove_file(&self.path).unwrap();
        file.set_len(0).unwrap();
    }
}

//! Builds the household's single-page app, so that `cargo build` is the only command there is.
//!
//! The app is built when its output is missing or was made from other sources than those that lie there now.
//! Packages are installed only when they are missing or older than the lock file; nothing else reaches the network.

use std::error::Error;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::SystemTime;

/// The workspace's root, from this package.
const ROOT: &str = "../..";

/// The single-page app's folder, from the workspace's root.
const APP: &str = "assets/ops";

/// What the output is made from: files, and folders with everything in them.
const SOURCES: [&str; 11] = [
    "assets/ops/build",
    "assets/ops/index.html",
    "assets/ops/package-lock.json",
    "assets/ops/package.json",
    "assets/ops/public",
    "assets/ops/src",
    "assets/ops/svelte.config.js",
    "assets/ops/tsconfig.json",
    "assets/ops/tsconfig.node.json",
    "assets/ops/vite.config.ts",
    "assets/style",
];

/// Remembers inside the output which sources it was made from.
const STAMP: &str = "assets/ops/dist/.sources";

fn main() -> ExitCode {
    match build_app() {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("\n{sentence}\n");
            ExitCode::FAILURE
        }
    }
}

fn build_app() -> Result<(), Box<dyn Error>> {
    // Paths are those of the workspace, also in what is said to people.
    std::env::set_current_dir(ROOT)?;
    // Two builds at once, debug and release, must not write into one output.
    let app = File::open(APP).map_err(|e| format!("the folder {APP} cannot be opened: {e}"))?;
    app.lock()?;

    let sources = Sources::read()?;
    if fs::read_to_string(STAMP).is_ok_and(|stamp| stamp == sources.digest) {
        mark_as_old_as_its_sources(&sources)?;
    } else {
        require_node()?;
        if packages_are_missing_or_old() {
            npm(&["ci", "--no-audit", "--no-fund"], "the packages of the single-page app could not be installed")?;
        }
        npm(&["run", "build"], "the single-page app could not be built")?;
        fs::write(STAMP, &sources.digest)?;
        mark_as_old_as_its_sources(&sources)?;
    }

    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={ROOT}/{STAMP}");
    SOURCES
        .iter()
        .filter(|path| Path::new(path).exists())
        .for_each(|path| println!("cargo::rerun-if-changed={ROOT}/{path}"));
    Ok(())
}

/// Cargo runs this script again when a watched file is younger than the script's last start. The stamp is
/// watched so that a removed output is noticed, and it is written after that start: it takes the time of the
/// newest source instead of its own.
fn mark_as_old_as_its_sources(sources: &Sources) -> Result<(), Box<dyn Error>> {
    let stamp = File::options().write(true).open(STAMP)?;
    Ok(stamp.set_modified(sources.newest)?)
}

/// The state of everything the app is made from.
struct Sources {
    digest: String,
    newest: SystemTime,
}

impl Sources {
    fn read() -> Result<Self, Box<dyn Error>> {
        let mut files = Vec::new();
        for source in SOURCES {
            collect(Path::new(source), &mut files)?;
        }
        files.sort();
        let mut hasher = DefaultHasher::new();
        let mut newest = SystemTime::UNIX_EPOCH;
        for file in &files {
            file.hash(&mut hasher);
            fs::read(file)?.hash(&mut hasher);
            newest = newest.max(fs::metadata(file)?.modified()?);
        }
        Ok(Sources { digest: format!("{:016x}\n", hasher.finish()), newest })
    }
}

/// Adds the file `path`, or every file below the folder `path`; what does not exist adds nothing.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            collect(&entry?.path(), files)?;
        }
    } else if path.is_file() {
        files.push(path.to_owned());
    }
    Ok(())
}

fn require_node() -> Result<(), Box<dyn Error>> {
    let found = |program: &str| Command::new(program).arg("--version").output().is_ok_and(|out| out.status.success());
    if found("node") && found("npm") {
        return Ok(());
    }
    Err("Node.js is missing: hanok's screens are built with it. Install Node.js 20.19 or newer together with npm \
         (https://nodejs.org), so that `node --version` and `npm --version` answer, and build again."
        .into())
}

/// npm writes its own copy of the lock file last, so its age is the age of the installation.
fn packages_are_missing_or_old() -> bool {
    let changed = |path: &str| fs::metadata(Path::new(APP).join(path)).and_then(|file| file.modified());
    match (changed("node_modules/.package-lock.json"), changed("package-lock.json")) {
        (Ok(installed), Ok(locked)) => installed < locked,
        _ => true,
    }
}

fn npm(arguments: &[&str], failure: &str) -> Result<(), Box<dyn Error>> {
    let run = Command::new("npm")
        .args(arguments)
        .current_dir(APP)
        .env("npm_config_update_notifier", "false")
        .output()
        .map_err(|e| format!("npm cannot be started: {e}"))?;
    if run.status.success() {
        return Ok(());
    }
    let said = [String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr)].concat();
    Err(format!("{}\n\n{failure} (`npm {}` in {APP}, see above)", said.trim(), arguments.join(" ")).into())
}

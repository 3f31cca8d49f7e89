//! The product itself: the release binary with every setting at its default, in a data folder of its own.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A running appliance; dropping it stops it in order.
pub struct House {
    /// Where the household door listens.
    pub door: SocketAddr,
    /// Where the customer door listens.
    pub site: SocketAddr,
    /// From the start of the process to both doors being open.
    pub opened_in: Duration,
    child: Child,
}

impl House {
    /// Starts the binary on `data`. Its log goes to a file beside it, at the default level. The operator of
    /// the lottery is not asked: a benchmark must not load a stranger's server.
    pub fn open(binary: &Path, data: &Path) -> House {
        House::begin(Command::new(binary), data)
    }

    /// The same, kept to one core.
    pub fn open_on(core: usize, binary: &Path, data: &Path) -> House {
        House::begin(on_core(core, binary), data)
    }

    /// The same, told that what comes from this machine is brought by a proxy, which says of each request whose it is.
    pub fn open_behind_proxy(binary: &Path, data: &Path) -> House {
        let mut program = Command::new(binary);
        program.env("HANOK_HTTP__TRUSTED_PROXIES", "127.0.0.1").env("HANOK_CONTACT__PER_HOUR", "0");
        House::begin(program, data)
    }

    fn begin(mut program: Command, data: &Path) -> House {
        let log = File::create(data.with_extension("log")).unwrap();
        let begun = Instant::now();
        let mut child = program
            .args(["serve", "--ops-listen", "127.0.0.1:0", "--site-listen", "127.0.0.1:0", "--data-dir"])
            .arg(data)
            // No settings but the defaults: those of the folder that this runs in are not read.
            .current_dir(data.parent().unwrap())
            .env("HANOK_LOTTERY__SYNC", "false")
            .env("HANOK_MARKET__SYNC", "false")
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let household = lines.next().expect("a line for the household door").unwrap();
        let customers = lines.next().expect("a line for the customer door").unwrap();
        let opened_in = begun.elapsed();
        House { door: address_in(&household), site: address_in(&customers), opened_in, child }
    }

    /// The id of its process.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Memory that the process has resident, in megabytes.
    pub fn resident(&self) -> f64 {
        resident(self.child.id())
    }

    /// The same without the files that it has mapped, which the system takes back when it needs the room.
    pub fn own_memory(&self) -> f64 {
        memory(self.child.id(), "RssAnon:")
    }
}

impl Drop for House {
    fn drop(&mut self) {
        stop(&mut self.child);
    }
}

/// The address at the end of a line that names a door.
fn address_in(line: &str) -> SocketAddr {
    line.rsplit('/').next().unwrap().parse().unwrap()
}

/// A command that runs `program` on one core.
pub fn on_core(core: usize, program: &Path) -> Command {
    let mut command = Command::new("taskset");
    command.args(["-c", &core.to_string()]).arg(program);
    command
}

/// What all threads of process `id` have computed so far, in seconds of a core.
pub fn computed(id: u32) -> f64 {
    let threads = fs::read_dir(format!("/proc/{id}/task")).unwrap();
    let accounts = threads.filter_map(|thread| fs::read_to_string(thread.ok()?.path().join("schedstat")).ok());
    accounts.filter_map(|account| account.split_whitespace().next()?.parse::<f64>().ok()).sum::<f64>() / 1e9
}

/// Asks a process to end and waits for it.
pub fn stop(child: &mut Child) {
    let id = child.id().to_string();
    let _ = Command::new("kill").args(["-TERM", &id]).status();
    let _ = child.wait();
}

/// Memory that process `id` and its children have resident, in megabytes.
pub fn resident(id: u32) -> f64 {
    memory(id, "VmRSS:")
}

/// What the process is said to take under this name, with its children, in megabytes.
fn memory(id: u32, name: &str) -> f64 {
    let own = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let own = own.lines().find_map(|line| line.strip_prefix(name)?.trim().strip_suffix(" kB")?.trim().parse().ok());
    let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
    let children: f64 = children.split_whitespace().filter_map(|child| Some(memory(child.parse().ok()?, name))).sum();
    own.unwrap_or(0.0) / 1024.0 + children
}

/// An empty folder of this name among the benchmark's own files.
pub fn fresh_folder(name: &str) -> PathBuf {
    let folder = working_folder().join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Where data folders and logs of the benchmark lie: on the disk that is measured.
pub fn working_folder() -> PathBuf {
    let folder =
        std::env::var_os("BENCH_FOLDER").map_or_else(|| std::env::temp_dir().join("hanok-bench"), PathBuf::from);
    fs::create_dir_all(&folder).unwrap();
    fs::canonicalize(folder).unwrap()
}

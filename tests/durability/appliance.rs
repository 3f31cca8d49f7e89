//! A running appliance: the real process, its doors, and its end, orderly or not.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::http::Caller;

/// A running appliance; dropping it kills it.
pub struct Appliance {
    child: Child,
    household: SocketAddr,
    site: SocketAddr,
    log: Option<std::thread::JoinHandle<String>>,
}

impl Appliance {
    /// Starts `command` and waits until both doors are open. What it said on standard error when they never do.
    pub fn start(mut command: Command) -> Result<Appliance, String> {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut errors = child.stderr.take().unwrap();
        let log = std::thread::spawn(move || {
            let mut said = String::new();
            let _ = errors.read_to_string(&mut said);
            said
        });
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut door = || lines.next()?.ok()?.split_once("http://")?.1.parse::<SocketAddr>().ok();
        let (Some(household), Some(site)) = (door(), door()) else {
            let _ = child.kill();
            let _ = child.wait();
            return Err(log.join().unwrap());
        };
        Ok(Appliance { child, household, site, log: Some(log) })
    }

    /// Somebody of the household on this machine.
    pub fn caller(&self) -> Caller {
        let port = self.household.port();
        Caller::to(SocketAddr::from(([127, 0, 0, 1], port)))
    }

    pub fn address(&self) -> SocketAddr {
        self.caller_address()
    }

    /// Where the customers' door listens.
    pub fn site(&self) -> SocketAddr {
        self.site
    }

    fn caller_address(&self) -> SocketAddr {
        SocketAddr::from(([127, 0, 0, 1], self.household.port()))
    }

    pub fn process(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Ends it as a power cut of the process does: SIGKILL. Gives its log.
    pub fn kill(mut self) -> String {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.log.take().unwrap().join().unwrap()
    }

    /// Ends it as a service manager does, and gives its log.
    #[track_caller]
    pub fn end(mut self) -> String {
        kill_process(self.process(), Signal::TERM).unwrap();
        let code = self.child.wait().unwrap().code();
        let log = self.log.take().unwrap().join().unwrap();
        assert_eq!(code, Some(0), "{log}");
        log
    }

    /// The item of the start report for `step`, if there is one.
    pub fn start_item(&self, step: &str) -> Option<Value> {
        let system = self.caller().get("/api/system").unwrap().ok();
        system["start_report"]["items"].as_array().unwrap().iter().find(|item| item["step"] == step).cloned()
    }

    /// The item of the start report for the repair of a store that had not been closed, if there was one: also of one whose
    /// last write was not there whole, as when the process died while it wrote it.
    pub fn repair(&self) -> Option<Value> {
        self.start_item("repaired").or_else(|| self.start_item("repaired_in_part"))
    }
}

impl Drop for Appliance {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Asks again and again until `holds`, as long as that can be expected.
#[track_caller]
pub fn until<T>(what: &str, mut holds: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = holds() {
            return found;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

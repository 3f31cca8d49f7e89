//! The sections of the house itself. Units stand in the names of the keys.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::network::Network;
use super::rule::{self, Rule, SECONDS, SWITCH};
use crate::section;
use hanok_base::Secret;

/// Settings of earlier versions, which are passed over, and what to use instead.
pub(super) const RETIRED: [(&str, &str); 1] =
    [("jobs.workers", "jobs.quick_workers, jobs.heavy_workers and jobs.outside_workers")];

const LISTEN: Rule = rule::typed(
    "an address with a port such as 127.0.0.1:8420 (0.0.0.0 for every network card, port 0 for a free one)",
)
.entrance();
const HOSTS: Rule = rule::text("a list of host names without scheme or port", rule::is_host)
    .such_as(&["hanok.lan", "nas.lan"])
    .tidied_by(str::to_ascii_lowercase)
    .entrance();
const COUNT: Rule = rule::whole("a whole number", 0, 1000);
const WORKERS: Rule = rule::whole("a whole number", 1, 64);
const MANY: Rule = rule::whole("a whole number", 1, 1_000_000);

section! {
    /// The data folder.
    pub struct Data("data") {
        /// It holds everything: the store, large files, snapshots. Not on a network share.
        dir: PathBuf = PathBuf::from("./data"), rule::text("the path of a folder", |path| !path.is_empty()).local();
    }
}

section! {
    /// The household door.
    pub struct Ops("ops") {
        /// 127.0.0.1 is reached only from this machine, without a passphrase.
        /// Use 0.0.0.0:8420 for the whole home network; that needs `hanok household passphrase` first.
        listen: SocketAddr = loopback(8420), LISTEN;
        /// Names under which the household opens it, beside the address itself, e.g. ["hanok.lan"].
        hosts: Vec<String> = Vec::new(), HOSTS;
        /// "open" lets everyone who reaches the door in without a passphrase. Only behind your own sign-in.
        access: Access = Access::Guarded,
            rule::typed("empty (a passphrase is needed beyond this machine) or \"open\"").entrance();
        /// A sign-in that is not used for so many days ends.
        session_idle_days: u32 = 30, rule::whole("whole days", 1, 3650);
        /// Every sign-in ends after so many days.
        session_absolute_days: u32 = 180,
            rule::whole("whole days", 1, 3650).and(", and not fewer than ops.session_idle_days");
    }
}

section! {
    /// The customer door.
    pub struct Site("site") {
        /// Where it listens.
        listen: SocketAddr = loopback(8421), LISTEN;
        /// The address customers type, e.g. "https://shop.example". Empty while trying things out.
        address: String = String::new(),
            rule::text("empty or an address such as https://shop.example, without a path", |address| {
                address.is_empty() || rule::is_origin(address)
            })
            .entrance();
        /// Further names under which it may be asked for.
        hosts: Vec<String> = Vec::new(), HOSTS;
    }
}

section! {
    /// Limits of both doors, and of `hanok compute` on its own machine.
    pub struct Http("http") {
        /// The largest request body.
        body_limit_bytes: u64 = 1_048_576, rule::whole("whole bytes", 1024, 1_073_741_824);
        /// How long a request may take in all.
        request_seconds: u64 = 30, SECONDS;
        /// How many connections each door keeps open.
        max_connections: u64 = 4096, MANY;
        /// How many of them one address may hold (0 = no limit). This machine itself and trusted proxies bring many
        /// callers: they are not counted by address.
        connections_per_address: u64 = 256, rule::whole("a whole number", 0, 1_000_000).lowest_means("no limit");
        /// How long a client may take to send a header that it has begun. Live events and work that takes long are
        /// not cut by this, nor by the two that follow.
        header_seconds: u64 = 10, SECONDS;
        /// How long a client may take to send its body.
        body_seconds: u64 = 20, SECONDS;
        /// How long a client may ask nothing, or leave an answer unread.
        idle_seconds: u64 = 60, SECONDS;
        /// Reverse proxies in front of the doors, e.g. ["192.168.0.2", "172.17.0.0/16"].
        /// Only their word about the client's address is believed.
        trusted_proxies: Vec<Network> = Vec::new(),
            rule::typed("a list of addresses or ranges").such_as(&["192.168.0.2", "172.17.0.0/16"]).entrance();
        /// Requests a second for each client address (0 = no limit).
        requests_per_second: u32 = 200, rule::whole("a whole number", 0, 1_000_000).lowest_means("no limit");
        /// How many of them may come at once.
        burst: u32 = 400, MANY;
    }
}

section! {
    /// The store.
    pub struct Store("store") {
        /// Memory for the store's pages.
        cache_mebibytes: u64 = 32, rule::whole("whole mebibytes", 1, 65_536);
        /// With less free disk space than this, writes are refused (STORAGE_FULL) while reads go on.
        reserve_mebibytes: u64 = 16, rule::whole("whole mebibytes", 1, 1_048_576);
    }
}

section! {
    /// Verified snapshots.
    pub struct Backup("backup") {
        /// One is made at this distance when something changed; 0 makes none by itself.
        every_minutes: u64 = 60, rule::whole("whole minutes", 0, 10_080).lowest_means("never");
        /// How many hourly ones are kept.
        hourly: u32 = 24, COUNT;
        /// How many daily ones are kept.
        daily: u32 = 14, COUNT;
        /// How many weekly ones are kept.
        weekly: u32 = 8, COUNT;
    }
}

section! {
    /// Where heavy computing happens.
    pub struct Compute("compute") {
        /// Empty = here; "192.168.0.20:8430" = a `hanok compute` there.
        address: String = String::new(),
            rule::text("empty (compute here) or host:port of a `hanok compute`, such as 192.168.0.20:8430", |address| {
                address.is_empty() || rule::is_host_and_port(address)
            })
            .entrance();
        /// The word that both machines must know, at least 16 characters.
        token: Secret = Secret::default(),
            rule::text("a text without spaces, at least 16 characters, the same on both machines", is_token).secret();
        /// Or a file that holds it.
        token_file: PathBuf = PathBuf::new(), rule::typed("the path of a readable file that holds compute.token").local();
        /// Threads that compute (0 = every core).
        workers: u32 = 0, rule::whole("a whole number", 0, 1024).lowest_means("every core");
        /// Tasks that may wait.
        queue: u32 = 16, rule::whole("a whole number", 1, 10_000);
        /// Seconds that one task may take.
        seconds: u64 = 25, SECONDS;
        /// The address on which `hanok compute` listens.
        listen: SocketAddr = loopback(8430), LISTEN;
    }
}

section! {
    /// Background jobs and the schedule.
    pub struct Jobs("jobs") {
        /// How many short jobs run at the same time. The lanes do not wait for each other.
        quick_workers: u32 = 2, WORKERS;
        /// How many long ones (checks, renders).
        heavy_workers: u32 = 1, WORKERS;
        /// How many that wait for outside providers.
        outside_workers: u32 = 4, WORKERS;
        /// Whether the schedule starts jobs by itself.
        schedule: bool = true, SWITCH;
    }
}

section! {
    /// Outside providers.
    pub struct Upstream("upstream") {
        /// After so many failures in a row a provider is left alone for open_seconds.
        failures_to_open: u32 = 5, rule::whole("a whole number", 1, 1000);
        /// How long it is left alone.
        open_seconds: u64 = 300, SECONDS;
        /// How the appliance introduces itself to outside providers.
        user_agent: String = "Mozilla/5.0 (compatible; hanok household appliance)".to_owned(),
            rule::text("a text of 1 to 200 plain ASCII characters", is_header_text);
    }
}

section! {
    /// The log, which goes to standard error.
    pub struct Log("log") {
        /// "text" for people, "json" for machines.
        format: LogFormat = LogFormat::Text, rule::typed("\"text\" or \"json\"");
        /// error, warn, info, debug or trace.
        level: Level = Level::Info, rule::typed("\"error\", \"warn\", \"info\", \"debug\" or \"trace\"");
    }
}

/// Who may use the household door when it listens beyond this machine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Access {
    /// Loopback needs nothing; any other address needs the household passphrase.
    #[default]
    #[serde(rename = "")]
    Guarded,
    /// Everyone who reaches the door may use it, without a passphrase.
    #[serde(rename = "open")]
    Open,
}

/// How a line of the log is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object a line.
    Json,
}

/// How much is logged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Only what failed.
    Error,
    /// And what is suspicious.
    Warn,
    /// And what happened.
    #[default]
    Info,
    /// And why.
    Debug,
    /// And every step.
    Trace,
}

impl Level {
    /// The word for this level.
    pub fn name(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Warn => "warn",
            Level::Info => "info",
            Level::Debug => "debug",
            Level::Trace => "trace",
        }
    }
}

fn loopback(port: u16) -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, port))
}

fn is_token(text: &str) -> bool {
    text.is_empty() || text.len() >= 16 && text.chars().all(|c| c.is_ascii_graphic())
}

fn is_header_text(text: &str) -> bool {
    (1..=200).contains(&text.len()) && text.chars().all(|c| c == ' ' || c.is_ascii_graphic())
}

//! One struct for each section, with its defaults. Units stand in the names of the keys.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::network::Network;
use hanok_base::Secret;

/// `[data]`: the data folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Data {
    /// The folder that holds everything the appliance knows.
    pub dir: PathBuf,
}

impl Default for Data {
    fn default() -> Self {
        Data { dir: PathBuf::from("./data") }
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

/// `[ops]`: the household door.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ops {
    /// The address it listens on; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Host names, beside the listen address and the loopback names, under which it may be asked for.
    pub hosts: Vec<String>,
    /// Who may use it.
    pub access: Access,
    /// Days after which an unused sign-in ends.
    pub session_idle_days: u32,
    /// Days after which every sign-in ends.
    pub session_absolute_days: u32,
}

impl Default for Ops {
    fn default() -> Self {
        Ops {
            listen: loopback(8420),
            hosts: Vec::new(),
            access: Access::Guarded,
            session_idle_days: 30,
            session_absolute_days: 180,
        }
    }
}

/// `[site]`: the customer door.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Site {
    /// The address it listens on; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The address customers type, such as `https://shop.example`; empty while developing.
    pub address: String,
    /// Further host names under which it may be asked for.
    pub hosts: Vec<String>,
}

impl Default for Site {
    fn default() -> Self {
        Site { listen: loopback(8421), address: String::new(), hosts: Vec::new() }
    }
}

/// `[http]`: limits of both doors, and of the compute host's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Http {
    /// The largest body that is taken.
    pub body_limit_bytes: u64,
    /// How long a request may take.
    pub request_seconds: u64,
    /// How many connections each door keeps open.
    pub max_connections: u64,
    /// How many of them one address may hold; 0 means as many as there are.
    pub connections_per_address: u64,
    /// How long a client may take to send a header that it has begun.
    pub header_seconds: u64,
    /// How long a client may take to send its body.
    pub body_seconds: u64,
    /// How long a connection may stay idle, or leave an answer unread.
    pub idle_seconds: u64,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<Network>,
    /// Requests a second for each client address; 0 means no limit.
    pub requests_per_second: u32,
    /// How many requests a client address may send at once.
    pub burst: u32,
}

impl Default for Http {
    fn default() -> Self {
        Http {
            body_limit_bytes: 1_048_576,
            request_seconds: 30,
            max_connections: 4096,
            connections_per_address: 256,
            header_seconds: 10,
            body_seconds: 20,
            idle_seconds: 60,
            trusted_proxies: Vec::new(),
            requests_per_second: 200,
            burst: 400,
        }
    }
}

/// `[store]`: the store.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Store {
    /// Memory for the store's pages.
    pub cache_mebibytes: u64,
    /// Free disk space below which writes are refused with `STORAGE_FULL`.
    pub reserve_mebibytes: u64,
}

impl Default for Store {
    fn default() -> Self {
        Store { cache_mebibytes: 32, reserve_mebibytes: 16 }
    }
}

/// `[backup]`: verified snapshots.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Backup {
    /// Minutes between two snapshots, when something changed; 0 makes none by itself.
    pub every_minutes: u64,
    /// How many hourly ones are kept.
    pub hourly: u32,
    /// How many daily ones are kept.
    pub daily: u32,
    /// How many weekly ones are kept.
    pub weekly: u32,
}

impl Default for Backup {
    fn default() -> Self {
        Backup { every_minutes: 60, hourly: 24, daily: 14, weekly: 8 }
    }
}

/// `[compute]`: the compute host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Compute {
    /// `host:port` of a `hanok compute` on another machine; empty computes here.
    pub address: String,
    /// The word both machines know.
    pub token: Secret,
    /// A file that holds the token.
    pub token_file: PathBuf,
    /// Threads that compute; 0 takes every core.
    pub workers: u32,
    /// How many tasks may wait.
    pub queue: u32,
    /// How long one task may take.
    pub seconds: u64,
    /// The address on which `hanok compute` listens.
    pub listen: SocketAddr,
}

impl Default for Compute {
    fn default() -> Self {
        Compute {
            address: String::new(),
            token: Secret::default(),
            token_file: PathBuf::new(),
            workers: 0,
            queue: 16,
            seconds: 25,
            listen: loopback(8430),
        }
    }
}

/// `[jobs]`: durable jobs and the schedule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Jobs {
    /// How many short jobs run at the same time.
    pub quick_workers: u32,
    /// How many long jobs run at the same time.
    pub heavy_workers: u32,
    /// How many jobs that wait for outside providers run at the same time.
    pub outside_workers: u32,
    /// Whether the schedule starts jobs by itself.
    pub schedule: bool,
}

impl Default for Jobs {
    fn default() -> Self {
        Jobs { quick_workers: 2, heavy_workers: 1, outside_workers: 4, schedule: true }
    }
}

/// `[lottery]`: where new draws come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Lottery {
    /// Base address of the operator.
    pub operator: String,
    /// How long the operator may take for one answer.
    pub timeout_seconds: u64,
    /// Whether new draws are fetched at all.
    pub sync: bool,
}

impl Default for Lottery {
    fn default() -> Self {
        Lottery { operator: "https://www.dhlottery.co.kr".to_owned(), timeout_seconds: 10, sync: true }
    }
}

/// `[upstream]`: limits of every outside provider.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Upstream {
    /// Failures in a row after which a provider is left alone for a while.
    pub failures_to_open: u32,
    /// For how long it is left alone.
    pub open_seconds: u64,
    /// How the appliance introduces itself.
    pub user_agent: String,
}

impl Default for Upstream {
    fn default() -> Self {
        Upstream {
            failures_to_open: 5,
            open_seconds: 300,
            user_agent: "Mozilla/5.0 (compatible; hanok household appliance)".to_owned(),
        }
    }
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

/// `[log]`: the log on standard error.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Log {
    /// How a line is written.
    pub format: LogFormat,
    /// How much is written.
    pub level: Level,
}

fn loopback(port: u16) -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, port))
}

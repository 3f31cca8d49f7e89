//! The sections of the house itself. What a number counts stands in its rule, and in the name of its key for who writes the file.
//!
//! What a backup file of another house brings of them, when this house has no settings file:
//! - never where it is reached and who may enter (`ops`, `site`, `http`), for how long a sign-in holds with them;
//! - never what fits the machine that it was set on: memory of the store, threads that compute, jobs at once;
//! - backups only as many and as often as here or more, and so with the size of a file that can be brought, the room that
//!   stays free, what the compute host is granted, and the patience with a provider that fails;
//! - a log that says as much as here or more, and the schedule only where it is on;
//! - the form of the log and how the house introduces itself as they are.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use toml::Value;

use super::checks::household_door;
use super::network::Network;
use super::rule::{self, Here, Rule, SECONDS, SWITCH, Unit};
use super::said;
use crate::section;
use hanok_base::Secret;

/// Settings of earlier versions, which are passed over, and what to use instead.
pub(super) const RETIRED: [(&str, &str); 1] =
    [("jobs.workers", "jobs.quick_workers, jobs.heavy_workers and jobs.outside_workers")];

const LISTEN: Rule = rule::typed(said::LISTEN).entrance();
const HOSTS: Rule = rule::text(said::HOSTS, rule::is_host)
    .such_as(&["hanok.lan", "nas.lan"])
    .tidied_by(str::to_ascii_lowercase)
    .entrance();
const KEPT: Rule = rule::whole(Unit::Count, 0, 1000).on_page().not_brought_when(is_less);
const WORKERS: Rule = rule::whole(Unit::Count, 1, 64).on_page().not_brought_when(fits_its_machine);
/// How much is logged, from the least on.
const LEVELS: [&str; 5] = ["error", "warn", "info", "debug", "trace"];
const MANY: Rule = rule::whole(Unit::Count, 1, 1_000_000);

section! {
    /// The data folder.
    pub struct Data("data", "자료 폴더") {
        /// It holds everything: the store, large files, backups. Not on a network share.
        #[ko("자료 폴더", "기록, 큰 파일, 백업이 모두 이 폴더에 있습니다. 네트워크 드라이브에는 두지 마세요.")]
        #[en("Data folder")]
        dir: PathBuf = PathBuf::from("./data"), rule::text(said::FOLDER, |path| !path.is_empty()).local();
    }
}

section! {
    /// The household door.
    pub struct Ops("ops", "가정용 문") {
        /// 127.0.0.1 is reached only from this machine, without a passphrase.
        /// Use 0.0.0.0 with the same port for the whole home network; it opens there once `hanok household passphrase` has set one.
        #[ko("가정용 문 주소", "127.0.0.1은 이 기기에서만 열리고 암호를 묻지 않습니다. 집 안의 모든 기기에서 열려면 포트는 그대로 두고 주소를 0.0.0.0으로 바꾸세요. 암호가 아직 없으면 먼저 `hanok household passphrase`로 정하세요.")]
        #[en("Address of the household door")]
        listen: SocketAddr = loopback(8420), LISTEN.on_page().checked_by(household_door);
        /// Names under which the household opens it, beside the address itself, e.g. ["hanok.lan"].
        #[ko("가정용 문 이름", "주소 말고도 이 이름으로 열 수 있습니다. 예: hanok.lan")]
        #[en("Names of the household door")]
        hosts: Vec<String> = Vec::new(), HOSTS.on_page();
        /// "open" lets everyone who reaches the door in without a passphrase. Only behind your own sign-in.
        #[ko("누가 들어올 수 있나", "\"open\"이면 암호 없이 누구나 들어옵니다. 다른 로그인 뒤에 둘 때만 쓰세요.")]
        #[en("Who may come in")]
        access: Access = Access::Guarded,
            rule::typed(said::ACCESS).entrance();
        /// A sign-in that is not used for so many days ends.
        #[ko("쓰지 않은 로그인의 기한", "이 날수 동안 쓰지 않은 로그인은 끝납니다.")]
        #[en("Days until an unused sign-in ends")]
        session_idle_days: u32 = 30, rule::whole(Unit::Days, 1, 3650).entrance().on_page();
        /// Every sign-in ends after so many days.
        #[ko("로그인의 최대 기한", "모든 로그인은 이 날수가 지나면 끝납니다.")]
        #[en("Days until every sign-in ends")]
        session_absolute_days: u32 = 180,
            rule::whole(Unit::Days, 1, 3650).and(said::NOT_FEWER_DAYS).entrance().on_page();
    }
}

section! {
    /// The customer door.
    pub struct Site("site", "고객용 문") {
        /// Where it listens.
        #[ko("고객용 문 주소", "고객용 문이 열리는 주소입니다.")]
        #[en("Address of the customer door")]
        listen: SocketAddr = loopback(8421), LISTEN;
        /// The address customers type, e.g. "https://shop.example". Empty while trying things out.
        #[ko("손님이 쓰는 주소", "손님이 입력하는 주소입니다. 예: https://shop.example. 시험하는 동안에는 비워 두세요.")]
        #[en("Address that customers type")]
        address: String = String::new(),
            rule::text(said::SITE_ADDRESS, |address| {
                address.is_empty() || rule::is_origin(address)
            })
            .entrance();
        /// Further names under which it may be asked for.
        #[ko("고객용 문 다른 이름", "이 이름으로도 열 수 있습니다.")]
        #[en("Further names of the customer door")]
        hosts: Vec<String> = Vec::new(), HOSTS;
    }
}

section! {
    /// Limits of both doors, and of `hanok compute` on its own machine.
    pub struct Http("http", "두 문의 한도") {
        /// The largest request body.
        #[ko("요청 본문의 최대 크기", "이보다 큰 요청은 받지 않습니다.")]
        #[en("Largest request body")]
        body_limit_bytes: u64 = 1_048_576, rule::whole(Unit::Bytes, 1024, 1_073_741_824);
        /// How long a request may take in all.
        #[ko("요청 하나의 시간 한도", "요청 하나에 걸릴 수 있는 시간입니다.")]
        #[en("Time limit of a request")]
        request_seconds: u64 = 30, SECONDS;
        /// How many connections each door keeps open.
        #[ko("연결 수의 한도", "문마다 열어 두는 연결 수입니다.")]
        #[en("Most connections")]
        max_connections: u64 = 4096, MANY;
        /// How many of them one address may hold (0 = no limit). This machine itself and trusted proxies bring many
        /// callers: they are not counted by address.
        #[ko("주소마다의 연결 수 한도", "한 주소가 열 수 있는 연결 수입니다(0이면 한도 없음). 이 기기와 믿는 프록시는 세지 않습니다.")]
        #[en("Most connections of one address")]
        connections_per_address: u64 = 256, rule::whole(Unit::Count, 0, 1_000_000).lowest_means("no limit");
        /// How long a client may take to send a header that it has begun. Live events and work that takes long are
        /// not cut by this, nor by the two that follow.
        #[ko("머리글을 기다리는 시간", "보내기 시작한 머리글을 다 보낼 때까지 기다리는 시간입니다. 실시간 소식과 오래 걸리는 일은 이 한도와 아래 두 한도로 끊기지 않습니다.")]
        #[en("Time to send a header")]
        header_seconds: u64 = 10, SECONDS;
        /// How long a client may take to send its body.
        #[ko("본문을 기다리는 시간", "본문을 다 보낼 때까지 기다리는 시간입니다.")]
        #[en("Time to send a body")]
        body_seconds: u64 = 20, SECONDS;
        /// How long a client may ask nothing, or leave an answer unread.
        #[ko("쉬는 연결을 두는 시간", "아무것도 묻지 않거나 답을 읽지 않는 연결을 두는 시간입니다.")]
        #[en("Time without a word")]
        idle_seconds: u64 = 60, SECONDS;
        /// Reverse proxies in front of the doors, e.g. ["192.168.0.2", "172.17.0.0/16"].
        /// Only their word about the client's address is believed.
        #[ko("믿는 프록시", "두 문 앞에 있는 프록시입니다. 손님의 주소는 이들이 말한 것만 믿습니다. 예: 192.168.0.2")]
        #[en("Trusted proxies")]
        trusted_proxies: Vec<Network> = Vec::new(),
            rule::typed(said::PROXIES).such_as(&["192.168.0.2", "172.17.0.0/16"]).entrance();
        /// Requests a second for each client address (0 = no limit).
        #[ko("1초에 받는 요청 수", "한 주소에서 1초에 받는 요청 수입니다(0이면 한도 없음).")]
        #[en("Requests a second")]
        requests_per_second: u32 = 200, rule::whole(Unit::Count, 0, 1_000_000).lowest_means("no limit");
        /// How many of them may come at once.
        #[ko("한꺼번에 받는 요청 수", "그중 한꺼번에 받는 수입니다.")]
        #[en("Requests at once")]
        burst: u32 = 400, MANY;
    }
}

section! {
    /// The store.
    pub struct Store("store", "저장소") {
        /// Memory for the store's pages.
        #[ko("저장소가 쓰는 메모리", "저장소의 페이지를 담아 두는 메모리입니다.")]
        #[en("Memory of the store")]
        cache_mebibytes: u64 = 32, rule::whole(Unit::Mebibytes, 1, 65_536).on_page().not_brought_when(fits_its_machine);
        /// With less free disk space than this, writes are refused (STORAGE_FULL) while reads go on.
        #[ko("남겨 두는 디스크 공간", "디스크의 남은 공간이 이보다 적으면 읽기만 되고 쓰기는 거절합니다.")]
        #[en("Disk space that stays free")]
        reserve_mebibytes: u64 = 16, rule::whole(Unit::Mebibytes, 1, 1_048_576).on_page().not_brought_when(fits_no_disk);
        /// How large a file may be that is brought in the browser to be kept.
        #[ko("보관할 수 있는 파일 크기", "브라우저에서 올려 보관하는 파일 하나의 최대 크기를 정합니다.")]
        #[en("Largest file that can be kept")]
        upload_mebibytes: u64 = 16_384, rule::whole(Unit::Mebibytes, 1, 1_048_576).on_page().not_brought_when(is_less);
    }
}

section! {
    /// Verified backups.
    pub struct Backup("backup", "백업") {
        /// One is made at this distance when something changed; 0 makes none by itself.
        #[ko("백업 간격", "바뀐 것이 있을 때 이 간격으로 백업합니다. 0이면 저절로 백업하지 않습니다.")]
        #[en("Minutes between backups")]
        every_minutes: u64 = 60, rule::whole(Unit::Minutes, 0, 10_080).lowest_means("never").on_page().not_brought_when(is_rarer);
        /// How many hourly ones are kept.
        #[ko("매시 백업을 두는 수", "매시 백업을 몇 개까지 두는지 정합니다.")]
        #[en("Hourly backups that are kept")]
        hourly: u32 = 24, KEPT;
        /// How many daily ones are kept.
        #[ko("매일 백업을 두는 수", "매일 백업을 몇 개까지 두는지 정합니다.")]
        #[en("Daily backups that are kept")]
        daily: u32 = 14, KEPT;
        /// How many weekly ones are kept.
        #[ko("매주 백업을 두는 수", "매주 백업을 몇 개까지 두는지 정합니다.")]
        #[en("Weekly backups that are kept")]
        weekly: u32 = 8, KEPT;
        /// How large a backup file may be that is brought in the browser to be restored.
        #[ko("가져올 수 있는 백업 파일 크기", "브라우저에서 복원하려고 가져오는 백업 파일의 최대 크기를 정합니다.")]
        #[en("Largest backup file that can be brought")]
        upload_mebibytes: u64 = 4096, rule::whole(Unit::Mebibytes, 1, 1_048_576).on_page().not_brought_when(is_less);
    }
}

section! {
    /// Where heavy computing happens.
    pub struct Compute("compute", "계산") {
        /// Empty = here; "192.168.0.20:8430" = a `hanok compute` there.
        #[ko("계산 서버의 주소", "비워 두면 이 기기에서 계산합니다. 192.168.0.20:8430처럼 적으면 그곳의 `hanok compute`가 계산합니다.")]
        #[en("Address of the compute host")]
        address: String = String::new(),
            rule::text(said::COMPUTE_ADDRESS, |address| {
                address.is_empty() || rule::is_host_and_port(address)
            })
            .entrance();
        /// The word that both machines must know, at least 16 characters.
        #[ko("계산 서버의 암호", "두 기기가 함께 아는 말입니다. 16자 이상이어야 합니다.")]
        #[en("Word of both machines")]
        token: Secret = Secret::default(),
            rule::text(said::TOKEN, is_token).secret();
        /// Or a file that holds it.
        #[ko("암호가 든 파일", "암호를 이 파일에서 읽습니다.")]
        #[en("File with that word")]
        token_file: PathBuf = PathBuf::new(), rule::typed(said::TOKEN_FILE).local();
        /// Threads that compute (0 = every core).
        #[ko("계산 스레드 수", "계산에 쓰는 스레드 수입니다(0이면 모든 코어).")]
        #[en("Threads that compute")]
        workers: u32 = 0, rule::whole(Unit::Count, 0, 1024).lowest_means("every core").on_page().not_brought_when(fits_its_machine);
        /// Jobs that may wait.
        #[ko("기다리는 계산의 수", "차례를 기다릴 수 있는 계산의 수입니다.")]
        #[en("Jobs that may wait")]
        queue: u32 = 16, rule::whole(Unit::Count, 1, 10_000).on_page().not_brought_when(is_less);
        /// Seconds that one job may take.
        #[ko("계산 하나의 시간 한도", "계산 하나에 걸릴 수 있는 시간입니다.")]
        #[en("Seconds of one job")]
        seconds: u64 = 25, SECONDS.on_page().not_brought_when(is_less);
        /// The address on which `hanok compute` listens.
        #[ko("계산 서버가 여는 주소", "`hanok compute`가 열리는 주소입니다.")]
        #[en("Address that the compute host opens")]
        listen: SocketAddr = loopback(8430), LISTEN;
    }
}

section! {
    /// Background jobs and the schedule.
    pub struct Jobs("jobs", "작업과 일정") {
        /// How many short jobs run at the same time. The lanes do not wait for each other.
        #[ko("함께 하는 짧은 작업 수", "짧은 작업을 몇 개까지 함께 하는지 정합니다. 다른 줄의 작업을 기다리지 않습니다.")]
        #[en("Short jobs at once")]
        quick_workers: u32 = 2, WORKERS;
        /// How many long ones (checks, renders).
        #[ko("함께 하는 긴 작업 수", "검사처럼 오래 걸리는 작업을 몇 개까지 함께 하는지 정합니다.")]
        #[en("Long jobs at once")]
        heavy_workers: u32 = 1, WORKERS;
        /// How many that wait for outside providers.
        #[ko("함께 하는 바깥 작업 수", "제공처를 기다리는 작업을 몇 개까지 함께 하는지 정합니다.")]
        #[en("Outside jobs at once")]
        outside_workers: u32 = 4, WORKERS;
        /// Whether the schedule starts jobs by itself.
        #[ko("일정에 따라 작업 시작", "끄면 작업이 저절로 시작되지 않습니다.")]
        #[en("Jobs begin by themselves")]
        schedule: bool = true, SWITCH.on_page().not_brought_when(|begins, _| begins.as_bool() == Some(false));
    }
}

section! {
    /// Outside providers.
    pub struct Upstream("upstream", "제공처") {
        /// After so many failures in a row a provider is left alone for open_seconds.
        #[ko("쉬기까지의 실패 수", "잇달아 이만큼 실패하면 그 제공처를 한동안 찾지 않습니다.")]
        #[en("Failures until a pause")]
        failures_to_open: u32 = 5, rule::whole(Unit::Count, 1, 1000).on_page().not_brought_when(is_less);
        /// How long it is left alone.
        #[ko("쉬는 시간", "실패한 제공처를 찾지 않는 시간입니다.")]
        #[en("Length of the pause")]
        open_seconds: u64 = 300, SECONDS.on_page().not_brought_when(is_more);
        /// How the appliance introduces itself to outside providers.
        #[ko("자기소개", "제공처에 밝히는 이름입니다.")]
        #[en("How it introduces itself")]
        user_agent: String = "Mozilla/5.0 (compatible; hanok household appliance)".to_owned(),
            rule::text(said::USER_AGENT, is_header_text).on_page();
    }
}

section! {
    /// The log, which goes to standard error.
    pub struct Log("log", "로그") {
        /// "text" for people, "json" for machines.
        #[ko("로그의 모양", "\"text\"는 사람이 읽기 좋고 \"json\"은 기계가 읽기 좋습니다.")]
        #[en("Form of the log")]
        format: LogFormat = LogFormat::Text, rule::one_of(&["text", "json"]).on_page();
        /// error, warn, info, debug or trace.
        #[ko("로그의 양", "error, warn, info, debug, trace 순으로 많아집니다.")]
        #[en("How much is logged")]
        level: Level = Level::Info, rule::one_of(&LEVELS).on_page().not_brought_when(is_quieter);
    }
}

impl Ops {
    /// Whether the household door asks for a passphrase where it stands at `address`.
    pub fn asks_for_a_passphrase(&self, address: SocketAddr) -> bool {
        !address.ip().is_loopback() && self.access != Access::Open
    }
}

impl Site {
    /// Where customers reach it, such as `https://shop.example`; none while no address is set.
    pub fn origin(&self) -> Option<&str> {
        Some(self.address.trim_end_matches('/')).filter(|origin| !origin.is_empty())
    }

    /// Whether others than this machine reach the door while nobody has said by which address: no link can be sent to anybody.
    pub fn lacks_address(&self) -> bool {
        self.address.is_empty() && !self.listen.ip().is_loopback()
    }
}

/// It was set for another machine, with its own memory and cores.
fn fits_its_machine(_: &Value, _: &Here) -> bool {
    true
}

fn is_less(number: &Value, here: &Here) -> bool {
    number.as_integer() < here.value.as_integer()
}

fn is_more(number: &Value, here: &Here) -> bool {
    number.as_integer() > here.value.as_integer()
}

/// Whether backups at this distance come more rarely, or never.
fn is_rarer(minutes: &Value, here: &Here) -> bool {
    let never = |minutes: &Value| minutes.as_integer() == Some(0);
    never(minutes) || !never(here.value) && is_more(minutes, here)
}

fn is_quieter(level: &Value, here: &Here) -> bool {
    let loud = |level: &Value| LEVELS.iter().position(|word| level.as_str() == Some(word));
    loud(level) < loud(here.value)
}

/// Whether a reserve of so many mebibytes is less than here, or leaves nothing of the room that the machine has.
fn fits_no_disk(mebibytes: &Value, here: &Here) -> bool {
    let bytes = mebibytes.as_integer().and_then(|mebibytes| u64::try_from(mebibytes).ok()).map(|wanted| wanted << 20);
    is_less(mebibytes, here) || bytes.zip(here.free).is_some_and(|(bytes, free)| bytes >= free)
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

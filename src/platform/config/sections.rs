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

const LISTEN: Rule = rule::typed(said::LISTEN).entrance();
const HOSTS: Rule = rule::text(said::HOSTS, rule::is_host)
    .such_as(&["hanok.lan", "nas.lan"])
    .normalize(str::to_ascii_lowercase)
    .entrance();
const KEPT: Rule = rule::whole(Unit::Count, 0, 1000).on_page().skip_import_if(is_less);
const WORKERS: Rule = rule::whole(Unit::Count, 1, 64).on_page().skip_import_if(fits_its_machine);
/// How much is logged, from the least on.
const LEVELS: [&str; 5] = ["error", "warn", "info", "debug", "trace"];
const MANY: Rule = rule::whole(Unit::Count, 1, 1_000_000);

section! {
    /// The data folder.
    pub struct Data("data", "데이터 폴더") {
        /// It holds everything: the store, large files, backups. Not on a network share.
        #[ko("데이터 폴더", "데이터, 큰 파일, 백업을 모두 이 폴더에 저장합니다. 네트워크 드라이브는 사용하지 마세요.")]
        #[en("Data folder")]
        dir: PathBuf = PathBuf::from("./data"), rule::text(said::FOLDER, |path| !path.is_empty()).local();
    }
}

section! {
    /// The household app.
    pub struct Ops("ops", "가정용") {
        /// 127.0.0.1 is reached only from this machine, without a passphrase.
        /// Use 0.0.0.0 with the same port for the whole home network; it opens there once `hanok household passphrase` has set one.
        #[ko("가정용 주소", "127.0.0.1은 이 기기에서만 열리고 암호를 묻지 않습니다. 집 안의 모든 기기에서 열려면 포트는 그대로 두고 주소를 0.0.0.0으로 변경하세요. 집 암호가 아직 없으면 먼저 `hanok household passphrase`로 정하세요.")]
        #[en("Household app address")]
        listen: SocketAddr = loopback(8420), LISTEN.on_page().checked_by(household_door);
        /// Names that open it, beside the address itself, e.g. ["hanok.lan"].
        #[ko("가정용 호스트 이름", "주소 대신 이 이름으로도 열 수 있습니다. 예: hanok.lan")]
        #[en("Household app host names")]
        hosts: Vec<String> = Vec::new(), HOSTS.on_page();
        /// "open" lets everyone who reaches this address in without a passphrase. Only behind your own sign-in.
        #[ko("접근 권한", "\"open\"이면 암호 없이 누구나 사용할 수 있습니다. 별도의 로그인 시스템이 앞에 있을 때만 사용하세요.")]
        #[en("Access")]
        access: Access = Access::Guarded,
            rule::typed(said::ACCESS).entrance();
        /// A sign-in that is not used for this many days ends.
        #[ko("미사용 로그인 유지 기간", "이 기간 동안 사용하지 않으면 자동으로 로그아웃됩니다.")]
        #[en("Idle sign-in lifetime")]
        session_idle_days: u32 = 30, rule::whole(Unit::Days, 1, 3650).entrance().on_page();
        /// Every sign-in ends after this many days, used or not.
        #[ko("최대 로그인 유지 기간", "이 기간이 지나면 자동으로 로그아웃됩니다.")]
        #[en("Maximum sign-in lifetime")]
        session_absolute_days: u32 = 180,
            rule::whole(Unit::Days, 1, 3650).and(said::NOT_FEWER_DAYS).entrance().on_page();
    }
}

section! {
    /// The customer site.
    pub struct Site("site", "고객 사이트") {
        /// The address on which it accepts requests.
        #[ko("고객 사이트 수신 주소", "고객 사이트가 요청을 받는 주소입니다.")]
        #[en("Customer site listen address")]
        listen: SocketAddr = loopback(8421), LISTEN;
        /// The address that customers enter, e.g. "https://shop.example". Leave it empty while testing.
        #[ko("고객 사이트 주소", "고객이 입력하는 주소입니다. 예: https://shop.example. 테스트하는 동안에는 비워 두세요.")]
        #[en("Customer site address")]
        address: String = String::new(),
            rule::text(said::SITE_ADDRESS, |address| {
                address.is_empty() || rule::is_origin(address)
            })
            .entrance();
        /// Names that open it, beside its address.
        #[ko("고객 사이트의 다른 호스트 이름", "이 이름으로도 열 수 있습니다.")]
        #[en("Other host names of the customer site")]
        hosts: Vec<String> = Vec::new(), HOSTS;
    }
}

section! {
    /// Limits of the household app and the customer site, and of `hanok compute` on its own machine.
    pub struct Http("http", "요청 한도") {
        /// Larger requests are refused.
        #[ko("요청 본문의 최대 크기", "이보다 큰 요청은 거절합니다.")]
        #[en("Maximum request size")]
        body_limit_bytes: u64 = 1_048_576, rule::whole(Unit::Bytes, 1024, 1_073_741_824);
        /// How long a request may take in total.
        #[ko("요청 제한 시간", "요청 하나를 처리하는 최대 시간입니다.")]
        #[en("Request timeout")]
        request_seconds: u64 = 30, SECONDS;
        /// How many connections the household app and the customer site each keep open.
        #[ko("최대 연결 수", "가정용 주소와 고객 사이트마다 유지하는 최대 연결 수입니다.")]
        #[en("Maximum connections")]
        max_connections: u64 = 4096, MANY;
        /// How many connections one address may have (0 = no limit). This machine and trusted proxies are not counted: they
        /// bring many callers.
        #[ko("주소별 최대 연결 수", "한 주소에서 열 수 있는 최대 연결 수입니다(0이면 한도 없음). 이 기기와 신뢰하는 프록시는 제외합니다.")]
        #[en("Maximum connections per address")]
        connections_per_address: u64 = 256, rule::whole(Unit::Count, 0, 1_000_000).min_label("no limit");
        /// How long a client may take to send the headers of a request. This limit and the next two do not apply to live events
        /// and long work.
        #[ko("헤더 수신 제한 시간", "요청 헤더를 모두 받을 때까지 기다리는 시간입니다. 실시간 연결과 오래 걸리는 작업에는 이 제한과 아래 두 제한을 적용하지 않습니다.")]
        #[en("Header timeout")]
        header_seconds: u64 = 10, SECONDS;
        /// How long a client may take to send the body of a request.
        #[ko("본문 수신 제한 시간", "요청 본문을 모두 받을 때까지 기다리는 시간입니다.")]
        #[en("Body timeout")]
        body_seconds: u64 = 20, SECONDS;
        /// How long a connection stays open without a request, or with an answer that is not read.
        #[ko("유휴 연결 유지 시간", "요청이 없거나 응답을 읽지 않는 연결을 유지하는 시간입니다.")]
        #[en("Idle timeout")]
        idle_seconds: u64 = 60, SECONDS;
        /// Reverse proxies in front of hanok, e.g. ["192.168.0.2", "172.17.0.0/16"].
        /// Only these may say which address a client has.
        #[ko("신뢰하는 프록시", "hanok 앞에 있는 프록시입니다. 이 프록시가 알려 준 클라이언트 주소만 신뢰합니다. 예: 192.168.0.2")]
        #[en("Trusted proxies")]
        trusted_proxies: Vec<Network> = Vec::new(),
            rule::typed(said::PROXIES).such_as(&["192.168.0.2", "172.17.0.0/16"]).entrance();
        /// How many requests each client address may send per second (0 = no limit).
        #[ko("초당 요청 수", "한 주소에서 1초에 받는 요청 수입니다(0이면 한도 없음).")]
        #[en("Requests per second")]
        requests_per_second: u32 = 200, rule::whole(Unit::Count, 0, 1_000_000).min_label("no limit");
        /// How many requests an address may send at once before that limit applies.
        #[ko("동시 요청 수", "한 번에 받는 최대 요청 수입니다.")]
        #[en("Burst of requests")]
        burst: u32 = 400, MANY;
    }
}

section! {
    /// The store.
    pub struct Store("store", "저장소") {
        /// Memory that caches the store's pages.
        #[ko("저장소 메모리", "저장소의 페이지를 캐시하는 메모리입니다.")]
        #[en("Store cache")]
        cache_mib: u64 = 32, rule::whole(Unit::Mebibytes, 1, 65_536).on_page().skip_import_if(fits_its_machine);
        /// With less free disk space than this, writes are refused (STORAGE_FULL); reads go on.
        #[ko("예비 디스크 공간", "디스크의 남은 공간이 이보다 적으면 저장할 수 없고 읽기만 할 수 있습니다.")]
        #[en("Reserved disk space")]
        reserved_disk_mib: u64 = 16, rule::whole(Unit::Mebibytes, 1, 1_048_576).on_page().skip_import_if(fits_no_disk);
        /// The largest file that can be uploaded in the browser.
        #[ko("파일 최대 크기", "브라우저에서 업로드해 보관하는 파일 하나의 최대 크기입니다.")]
        #[en("Maximum file size")]
        upload_mib: u64 = 16_384, rule::whole(Unit::Mebibytes, 1, 1_048_576).on_page().skip_import_if(is_less);
    }
}

section! {
    /// Verified backups.
    pub struct Backup("backup", "백업") {
        /// A backup is made at this interval when something has changed; 0 makes none automatically.
        #[ko("백업 간격", "변경 사항이 있을 때 이 간격으로 백업합니다. 0이면 자동으로 백업하지 않습니다.")]
        #[en("Backup interval")]
        every_minutes: u64 = 60, rule::whole(Unit::Minutes, 0, 10_080).min_label("never").on_page().skip_import_if(is_rarer);
        /// How many hourly backups are kept.
        #[ko("시간별 백업 보관 개수", "보관할 시간별 백업의 최대 개수입니다.")]
        #[en("Hourly backups to keep")]
        hourly: u32 = 24, KEPT;
        /// How many daily backups are kept.
        #[ko("일별 백업 보관 개수", "보관할 일별 백업의 최대 개수입니다.")]
        #[en("Daily backups to keep")]
        daily: u32 = 14, KEPT;
        /// How many weekly backups are kept.
        #[ko("주별 백업 보관 개수", "보관할 주별 백업의 최대 개수입니다.")]
        #[en("Weekly backups to keep")]
        weekly: u32 = 8, KEPT;
        /// The largest backup file that can be uploaded in the browser to be restored.
        #[ko("백업 파일 최대 크기", "브라우저에서 복원할 때 업로드하는 백업 파일의 최대 크기입니다.")]
        #[en("Maximum backup file size")]
        upload_mib: u64 = 4096, rule::whole(Unit::Mebibytes, 1, 1_048_576).on_page().skip_import_if(is_less);
    }
}

section! {
    /// Where heavy computing happens.
    pub struct Compute("compute", "계산") {
        /// Empty = this machine; "192.168.0.20:8430" = the `hanok compute` on that one.
        #[ko("계산 서버의 주소", "비워 두면 이 기기에서 계산합니다. 192.168.0.20:8430처럼 입력하면 그 기기의 `hanok compute`가 계산합니다.")]
        #[en("Compute host address")]
        address: String = String::new(),
            rule::text(said::COMPUTE_ADDRESS, |address| {
                address.is_empty() || rule::is_host_and_port(address)
            })
            .entrance();
        /// The token that both machines share, at least 16 characters.
        #[ko("계산 서버 토큰", "두 기기에 똑같이 설정하는 토큰입니다. 16자 이상이어야 합니다.")]
        #[en("Compute host token")]
        token: Secret = Secret::default(),
            rule::text(said::TOKEN, is_token).secret();
        /// Or a file that holds it.
        #[ko("계산 서버 토큰 파일", "토큰을 이 파일에서 읽습니다.")]
        #[en("Compute host token file")]
        token_file: PathBuf = PathBuf::new(), rule::typed(said::TOKEN_FILE).local();
        /// How many threads compute (0 = every core).
        #[ko("계산 스레드 수", "계산에 사용하는 스레드 수입니다(0이면 모든 코어).")]
        #[en("Compute threads")]
        workers: u32 = 0, rule::whole(Unit::Count, 0, 1024).min_label("every core").on_page().skip_import_if(fits_its_machine);
        /// How many computations may wait.
        #[ko("계산 대기열 크기", "대기할 수 있는 계산의 최대 개수입니다.")]
        #[en("Compute queue size")]
        queue: u32 = 16, rule::whole(Unit::Count, 1, 10_000).on_page().skip_import_if(is_less);
        /// How long one computation may take.
        #[ko("계산 제한 시간", "계산 하나를 처리하는 최대 시간입니다.")]
        #[en("Compute timeout")]
        timeout_seconds: u64 = 25, SECONDS.on_page().skip_import_if(is_less);
        /// The address on which `hanok compute` listens.
        #[ko("계산 서버 수신 주소", "`hanok compute`가 요청을 받는 주소입니다.")]
        #[en("Compute host listen address")]
        listen: SocketAddr = loopback(8430), LISTEN;
    }
}

section! {
    /// Background jobs and the schedule.
    pub struct Jobs("jobs", "작업과 일정") {
        /// How many short jobs run at the same time. Jobs of the other kinds do not make them wait.
        #[ko("동시에 실행하는 짧은 작업 수", "동시에 실행하는 짧은 작업의 최대 개수입니다. 다른 종류의 작업을 기다리지 않습니다.")]
        #[en("Concurrent short jobs")]
        quick_workers: u32 = 2, WORKERS;
        /// How many long jobs, such as checks, run at the same time.
        #[ko("동시에 실행하는 긴 작업 수", "검사처럼 오래 걸리는 작업을 동시에 실행하는 최대 개수입니다.")]
        #[en("Concurrent long jobs")]
        heavy_workers: u32 = 1, WORKERS;
        /// How many jobs that wait for providers run at the same time.
        #[ko("동시에 실행하는 외부 작업 수", "제공처의 응답을 기다리는 작업을 동시에 실행하는 최대 개수입니다.")]
        #[en("Concurrent provider jobs")]
        outside_workers: u32 = 4, WORKERS;
        /// Whether the schedule starts jobs automatically.
        #[ko("일정에 따라 작업 시작", "끄면 작업이 자동으로 시작되지 않습니다.")]
        #[en("Start jobs on schedule")]
        schedule: bool = true, SWITCH.on_page().skip_import_if(|begins, _| begins.as_bool() == Some(false));
    }
}

section! {
    /// Outside providers.
    pub struct Upstream("upstream", "제공처") {
        /// After this many failures in a row no requests are sent to a provider for open_seconds.
        #[ko("일시 중지까지의 실패 횟수", "연속으로 이만큼 실패하면 그 제공처에 한동안 요청하지 않습니다.")]
        #[en("Failures before a pause")]
        failures_to_open: u32 = 5, rule::whole(Unit::Count, 1, 1000).on_page().skip_import_if(is_less);
        /// How long no requests are sent to a provider that failed.
        #[ko("일시 중지 시간", "실패한 제공처에 요청하지 않는 시간입니다.")]
        #[en("Pause after failures")]
        open_seconds: u64 = 300, SECONDS.on_page().skip_import_if(is_more);
        /// The User-Agent that providers see.
        #[ko("User-Agent 이름", "제공처에 요청할 때 보내는 이름입니다.")]
        #[en("User-Agent")]
        user_agent: String = "Mozilla/5.0 (compatible; hanok household appliance)".to_owned(),
            rule::text(said::USER_AGENT, is_header_text).on_page();
    }
}

section! {
    /// The log, which goes to standard error.
    pub struct Log("log", "로그") {
        /// "text" for people, "json" for programs.
        #[ko("로그 형식", "\"text\"는 사람이, \"json\"은 프로그램이 읽기 좋은 형식입니다.")]
        #[en("Log format")]
        format: LogFormat = LogFormat::Text, rule::one_of(&["text", "json"]).on_page();
        /// error, warn, info, debug or trace.
        #[ko("로그 수준", "error, warn, info, debug, trace 순으로 자세해집니다.")]
        #[en("Log level")]
        level: Level = Level::Info, rule::one_of(&LEVELS).on_page().skip_import_if(is_quieter);
    }
}

impl Ops {
    /// Whether the household app asks for a passphrase where it listens at `address`.
    pub fn asks_for_a_passphrase(&self, address: SocketAddr) -> bool {
        !address.ip().is_loopback() && self.access != Access::Open
    }
}

impl Site {
    /// Where customers reach it, such as `https://shop.example`; none while no address is set.
    pub fn origin(&self) -> Option<&str> {
        Some(self.address.trim_end_matches('/')).filter(|origin| !origin.is_empty())
    }

    /// Whether others than this machine reach the site while nobody has said by which address: no link can be sent to anybody.
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

/// Who may use the household app when it listens beyond this machine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Access {
    /// Loopback needs nothing; any other address needs the household passphrase.
    #[default]
    #[serde(rename = "")]
    Guarded,
    /// Everyone who reaches it may use it, without a passphrase.
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

//! The log on standard error, as text or JSON. Nothing but the two addresses goes to standard output.
//!
//! While the appliance runs, lines are gathered for a moment and written together: a line for each request
//! costs no call of the system of its own. A warning or an error is written at once, with all lines before it.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tracing::{Level, Metadata};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::time::ChronoUtc;
use tracing_subscriber::fmt::{self, MakeWriter};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use hanok_platform::config::{Log, LogFormat};
use hanok_platform::store::SAID_OF_MIGRATIONS;

/// Begins to log as the settings say. A second call changes nothing.
pub fn begin(settings: &Log) {
    let level = settings.level.name().parse().unwrap_or(LevelFilter::INFO);
    // A migration is said whatever the level: nothing else tells that an earlier program cannot go on with the store.
    let shown = Targets::new()
        .with_default(LevelFilter::WARN)
        .with_target("hanok", level)
        .with_target(SAID_OF_MIGRATIONS, LevelFilter::INFO);
    let lines = fmt::layer()
        .with_writer(Lines)
        .with_ansi(io::stderr().is_terminal())
        .with_target(false)
        .with_timer(ChronoUtc::rfc_3339());
    let log = tracing_subscriber::registry().with(shown);
    let _ = match settings.format {
        LogFormat::Json => {
            log.with(lines.json().flatten_event(true).with_current_span(false).with_span_list(false)).try_init()
        }
        LogFormat::Text => log.with(lines).try_init(),
    };
}

/// Begins to say of all that is logged only the migrations: a command is no house with a log, but what it has done to the
/// store must be heard. A second call changes nothing.
pub fn begin_for_a_command() {
    let said =
        fmt::layer().with_writer(|| OverABar).with_ansi(false).with_target(false).with_level(false).without_time();
    let migrations = Targets::new().with_target(SAID_OF_MIGRATIONS, LevelFilter::INFO);
    let _ = tracing_subscriber::registry().with(migrations).with(said).try_init();
}

/// Gathers lines until `stop`; before and after that each is written at once.
pub async fn gather_until(stop: CancellationToken) {
    GATHERED.gathering.store(true, Ordering::Release);
    while tokio::select! {
        () = GATHERED.begun.notified() => true,
        () = stop.cancelled() => false,
    } {
        let _ = tokio::time::timeout(MOMENT, stop.cancelled()).await;
        GATHERED.write_out(&mut GATHERED.lines.lock());
    }
    GATHERED.gathering.store(false, Ordering::Release);
    GATHERED.write_out(&mut GATHERED.lines.lock());
}

/// For how long lines are gathered.
const MOMENT: Duration = Duration::from_millis(50);
/// Bytes that are written at once.
const MANY: usize = 32 << 10;

/// What was logged and is not written yet. The log belongs to the process, as standard error does.
struct Gathered {
    lines: Mutex<Vec<u8>>,
    begun: Notify,
    gathering: AtomicBool,
}

static GATHERED: Gathered =
    Gathered { lines: Mutex::new(Vec::new()), begun: Notify::const_new(), gathering: AtomicBool::new(false) };

impl Gathered {
    fn add(&self, line: &[u8], urgent: bool) {
        let mut lines = self.lines.lock();
        lines.extend_from_slice(line);
        if urgent || lines.len() > MANY || !self.gathering.load(Ordering::Acquire) {
            self.write_out(&mut lines);
        } else if lines.len() == line.len() {
            self.begun.notify_one();
        }
    }

    fn write_out(&self, lines: &mut Vec<u8>) {
        // There is nowhere to say that standard error is closed.
        let _ = io::stderr().write_all(lines);
        lines.clear();
    }
}

/// Standard error of a command: on a terminal its bar may stand where the line begins, and is drawn again below it.
struct OverABar;

impl Write for OverABar {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let clear: &[u8] = if io::stderr().is_terminal() { b"\r\x1b[2K" } else { b"" };
        // There is nowhere to say that standard error is closed.
        let _ = io::stderr().write_all(&[clear, line].concat());
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Lines;

impl MakeWriter<'_> for Lines {
    type Writer = Line;

    fn make_writer(&self) -> Line {
        Line { urgent: true }
    }

    fn make_writer_for(&self, event: &Metadata<'_>) -> Line {
        Line { urgent: *event.level() <= Level::WARN }
    }
}

struct Line {
    urgent: bool,
}

impl Write for Line {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        GATHERED.add(line, self.urgent);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

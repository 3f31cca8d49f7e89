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

/// Begins to log as the settings say. A second call changes nothing.
pub fn begin(settings: &Log) {
    let level = settings.level.name().parse().unwrap_or(LevelFilter::INFO);
    let shown = Targets::new().with_default(LevelFilter::WARN).with_target("hanok", level);
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

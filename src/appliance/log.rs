//! The log on standard error, as text or JSON. Nothing but the two addresses goes to standard output.
//!
//! While the appliance runs, lines are gathered for a moment and written together: a line for each request
//! costs no call of the system of its own. A warning or an error is written at once, with all lines before it.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use chrono::SecondsFormat;
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tracing::{Level, Metadata};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;
use tracing_subscriber::fmt::{self, MakeWriter};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use hanok_base::{Clock, command};
use hanok_platform::config::{Log, LogFormat};
use hanok_platform::store::SAID_OF_MIGRATIONS;

/// The data folder as it stands in the commands that a line offers: quoted for a shell, and within JSON for that, too.
static PLACE: OnceLock<String> = OnceLock::new();

/// A line as it was made, with the data folder named in every command that it offers.
fn placed<'l>(place: Option<&String>, line: &'l [u8]) -> Cow<'l, [u8]> {
    match (place, std::str::from_utf8(line)) {
        (Some(place), Ok(text)) if command::is_offered(text) => command::placed_in(place, text).into_bytes().into(),
        _ => line.into(),
    }
}

/// How `place` stands in a line.
fn named(place: &Path, format: LogFormat) -> String {
    let folder = command::folder(place);
    match format {
        LogFormat::Text => folder,
        LogFormat::Json => {
            let text = serde_json::Value::from(folder).to_string();
            text[1..text.len() - 1].to_owned()
        }
    }
}

/// Begins to log as the settings say, for the house in the folder `place`. A second call changes nothing.
pub fn begin(settings: &Log, place: &Path) {
    PLACE.get_or_init(|| named(place, settings.format));
    let level = settings.level.name().parse().unwrap_or(LevelFilter::INFO);
    // A migration is said whatever the level: nothing else tells that an earlier program cannot go on with the store.
    let shown = Targets::new()
        .with_default(LevelFilter::WARN)
        .with_target("hanok", level)
        .with_target(SAID_OF_MIGRATIONS, LevelFilter::INFO);
    let lines =
        fmt::layer().with_writer(Lines).with_ansi(io::stderr().is_terminal()).with_target(false).with_timer(OurClock);
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
pub fn begin_for_a_command(place: &Path) {
    PLACE.get_or_init(|| named(place, LogFormat::Text));
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
        let _ = io::stderr().write_all(&[clear, &placed(PLACE.get(), line)].concat());
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// When a line was said. The library's own clock ends whoever logs in a year before 1970.
struct OurClock;

impl FormatTime for OurClock {
    fn format_time(&self, line: &mut Writer<'_>) -> std::fmt::Result {
        line.write_str(&Clock::system().now().to_rfc3339_opts(SecondsFormat::Micros, true))
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
        GATHERED.add(&placed(PLACE.get(), line), self.urgent);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_that_a_line_offers_names_the_data_folder_and_what_is_json_stays_so() {
        let place = Path::new("/volume1/our \"first\" house");
        let text = named(place, LogFormat::Text);
        let said = |line: &str| String::from_utf8(placed(Some(&text), line.as_bytes()).into_owned()).unwrap();
        let offered = "WARN damaged: run `hanok restore --latest`, or look (`hanok backup --list`)\n";
        let folder = r#"'/volume1/our "first" house'"#;
        let expected = format!(
            "WARN damaged: run `hanok restore --latest --data-dir {folder}`, or look (`hanok backup --list --data-dir \
             {folder}`)\n"
        );
        assert_eq!(said(offered), expected);
        assert_eq!(said("INFO answered\n"), "INFO answered\n");
        let line = serde_json::json!({"message": "run `hanok verify`"}).to_string();
        let json = named(place, LogFormat::Json);
        let line = placed(Some(&json), line.as_bytes()).into_owned();
        let read: serde_json::Value = serde_json::from_slice(&line).unwrap();
        assert_eq!(read["message"], format!("run `hanok verify --data-dir {folder}`"));
        let bytes = b"`hanok verify` \xff";
        assert_eq!(placed(Some(&text), bytes), bytes.as_slice(), "what is no text stays as it is");
    }
}

//! The log on standard error, as text or JSON. Nothing but the two addresses goes to standard output.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::time::ChronoUtc;

use crate::platform::config::{Log, LogFormat};

/// Begins to log as the settings say. A second call changes nothing.
pub fn begin(settings: &Log) {
    let level = serde_json::to_value(settings.level).ok().and_then(|level| level.as_str().map(str::to_owned));
    let level = level.unwrap_or_else(|| "info".to_owned());
    let filter = EnvFilter::new(format!("warn,hanok={level}"));
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false)
        .with_timer(ChronoUtc::rfc_3339());
    let _ = match settings.format {
        LogFormat::Json => log.json().flatten_event(true).with_current_span(false).with_span_list(false).try_init(),
        LogFormat::Text => log.try_init(),
    };
}

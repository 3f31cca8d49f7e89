//! The log on standard error.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

use crate::platform::config::{Level, Log, LogFormat};

/// Starts writing the log as the settings say. A second call changes nothing.
pub fn start(log: &Log) {
    let own = log.level.name();
    // Libraries speak only when something is wrong, unless every step was asked for.
    let others = if log.level == Level::Trace { "debug" } else { "warn" };
    let builder = tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::new(format!("{others},hanok={own}")))
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    // An error means that a log was started already, which is all that is needed.
    let _ = match log.format {
        LogFormat::Text => builder.try_init(),
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
    };
}

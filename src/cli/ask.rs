//! Performing a command, with a progress bar on a terminal.

use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;

use crate::appliance::control::{self, Command};
use crate::base::{Error, Result};
use crate::platform::config::Config;

/// Has the running appliance perform `command`, or performs it here when none runs.
pub async fn perform(config: &Config, command: Command) -> Result<Value> {
    let mut bar = None;
    let answer = control::perform(config, command, |percent, message: &str| {
        let bar = bar.get_or_insert_with(bar_of_100);
        bar.set_position(u64::from(percent));
        bar.set_message(message.to_owned());
    })
    .await;
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    answer
}

/// `path` as seen from anywhere: the running appliance may have another working folder.
pub fn absolute(path: PathBuf) -> Result<PathBuf> {
    std::path::absolute(&path).map_err(|error| Error::field("path", format!("must name a file: {error}")))
}

/// Drawn on standard error, and only when that is a terminal.
fn bar_of_100() -> ProgressBar {
    let bar = ProgressBar::new(100);
    if let Ok(style) = ProgressStyle::with_template("{bar:32} {percent:>3} %  {msg}") {
        bar.set_style(style);
    }
    bar
}

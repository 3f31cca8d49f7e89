//! Performing a command, and showing how far it is.

use std::fs::File;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;

use hanok_appliance::control::{self, Command};
use hanok_appliance::log;
use hanok_base::{Error, Kind, Message, Result, command};
use hanok_platform::config::Config;

/// Has the running appliance perform `command`, or performs it here when none runs.
pub async fn perform(config: &Config, command: Command) -> Result<Value> {
    perform_with(config, command, None).await
}

/// The same with an open file that `command` is about.
pub async fn perform_with(config: &Config, command: Command, file: Option<File>) -> Result<Value> {
    log::begin_for_a_command(&config.data.dir);
    let mut shown = Shown::default();
    let answer = control::perform_with(config, command, file, |percent, what| shown.show(percent, what)).await;
    shown.end(answer.is_ok());
    answer
}

/// The same for one of several things of a name, of which `listing` is the command that shows them: where there is none of
/// that name, it is offered.
pub async fn perform_on_one(config: &Config, command: Command, what: &str, listing: &str) -> Result<Value> {
    perform(config, command).await.map_err(|error| match error.kind {
        Kind::NotFound if error.message.starts_with("no such ") => {
            let offered = command::on(&config.data.dir, listing);
            Error::not_found(what)
                .saying(Message::english(format!("no such {what}; `{offered}` shows those there are")))
        }
        _ => error,
    })
}

/// `path` as seen from anywhere: the running appliance may have another working folder.
pub fn absolute(path: PathBuf) -> Result<PathBuf> {
    std::path::absolute(&path)
        .map_err(|error| Error::field("path", Message::english(format!("must name a file: {error}"))))
}

/// How far a command is, on standard error: a bar on a terminal, a line for every ten percent elsewhere.
#[derive(Default)]
struct Shown {
    bar: Option<ProgressBar>,
    percent: u8,
    what: String,
    line: String,
}

impl Shown {
    /// Percent only rise, also when a part of the work is begun anew.
    fn show(&mut self, percent: u8, what: &str) {
        self.percent = self.percent.max(percent);
        what.clone_into(&mut self.what);
        if std::io::stderr().is_terminal() {
            let bar = self.bar.get_or_insert_with(bar_of_100);
            bar.set_message(self.what.clone());
            bar.set_position(u64::from(self.percent));
            return;
        }
        let line = format!("{what}: {}%\n", self.percent - self.percent % 10);
        if line != self.line {
            let _ = std::io::stderr().write_all(line.as_bytes());
            self.line = line;
        }
    }

    fn end(&mut self, is_done: bool) {
        if is_done && !self.what.is_empty() {
            self.show(100, &self.what.clone());
        }
        if let Some(bar) = &self.bar {
            bar.abandon();
        }
    }
}

fn bar_of_100() -> ProgressBar {
    let bar = ProgressBar::new(100);
    if let Ok(style) = ProgressStyle::with_template("{bar:32} {percent:>3}%  {msg}") {
        bar.set_style(style);
    }
    bar
}

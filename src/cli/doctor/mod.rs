//! `hanok doctor`: within ten seconds, one line for each thing that has broken somebody's appliance before,
//! with the cure.

mod doors;
mod folder;
mod machine;
mod outside;
mod running;
mod store;

pub(super) use doors::address_to_open;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use serde_json::json;

use self::running::Running;
use super::{GlobalOptions, print};
use hanok_base::{Clock, Result, command};
use hanok_platform::config::Config;
use hanok_platform::store::DataFolder;

/// The longest that something outside may take to answer the doctor. They are asked at the same time.
const PATIENCE: Duration = Duration::from_secs(4);

/// Check this machine, the data folder and the settings, and name the cures
///
/// Changes nothing. Exit code 1 when something would keep the appliance from working.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  hanok doctor --data-dir /srv/hanok")]
pub(super) struct Doctor {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Ok,
    Warning,
    Failure,
}

/// One line of the doctor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Finding {
    check: &'static str,
    verdict: Verdict,
    finding: String,
    cure: Option<String>,
}

impl Finding {
    fn ok(check: &'static str, finding: impl Into<String>) -> Self {
        Finding { check, verdict: Verdict::Ok, finding: finding.into(), cure: None }
    }

    fn warning(check: &'static str, finding: impl Into<String>, cure: impl Into<String>) -> Self {
        Finding { check, verdict: Verdict::Warning, finding: finding.into(), cure: Some(cure.into()) }
    }

    fn failure(check: &'static str, finding: impl Into<String>, cure: impl Into<String>) -> Self {
        Finding { check, verdict: Verdict::Failure, finding: finding.into(), cure: Some(cure.into()) }
    }

    /// With the data folder at `place` named in each command that it offers.
    fn placed(self, place: &Path) -> Finding {
        let placed = |said: String| command::placed(place, &said);
        Finding { finding: placed(self.finding), cure: self.cure.map(placed), ..self }
    }

    fn line(&self) -> String {
        let word = match self.verdict {
            Verdict::Ok => "ok     ",
            Verdict::Warning => "warning",
            Verdict::Failure => "FAILURE",
        };
        let line = format!("{word}  {:<11}  {}", self.check, self.finding);
        match &self.cure {
            Some(cure) => format!("{line}\n                      -> {cure}"),
            None => line,
        }
    }
}

impl Doctor {
    pub async fn run(self, options: GlobalOptions) -> Result<ExitCode> {
        let findings = match options.load() {
            Ok(config) => {
                let findings = examine(&config, &Clock::system()).await;
                findings.into_iter().map(|finding| finding.placed(&config.data.dir)).collect()
            }
            Err(error) => {
                vec![Finding::failure(
                    "settings",
                    error.message.text(),
                    "correct the setting; `hanok config --example` shows all",
                )]
            }
        };
        let sound = findings.iter().all(|finding| finding.verdict != Verdict::Failure);
        if self.json {
            print::json(&json!({ "ok": sound, "checks": findings }))?;
        } else {
            print::text(&findings.iter().map(|finding| finding.line() + "\n").collect::<String>())?;
        }
        Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

async fn examine(config: &Config, clock: &Clock) -> Vec<Finding> {
    let data = DataFolder::at(&config.data.dir);
    let running = Running::on(config).await;
    let settings = match config.file() {
        Some(file) => format!("read from {}", std::path::absolute(file).unwrap_or_else(|_| file.into()).display()),
        None => "built-in defaults; no appliance.toml".to_owned(),
    };
    let mut findings = vec![Finding::ok("settings", settings)];
    findings.extend(machine::examine(&data, clock.now()));
    findings.extend(folder::examine(&data, config, clock.now()));
    findings.extend(running.findings());
    findings.extend(store::examine(&data, config, running.is_there(), clock));
    findings.extend(doors::examine(config, &running));
    findings.extend(outside::examine(config).await);
    findings
}

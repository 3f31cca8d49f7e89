//! Whether the house runs, and what it says of itself: where it listens is for it to say, as a flag may have told it otherwise
//! than the settings do.

use tokio::time::timeout;

use super::{Finding, PATIENCE};
use hanok_appliance::control::{self, Status};
use hanok_base::Error;
use hanok_platform::config::Config;
use hanok_platform::search::SearchState;

const CHECK: &str = "appliance";
const SEARCH: &str = "search";

/// What is known of a house that may run.
pub(super) enum Running {
    /// Nobody has the data folder open.
    No,
    /// It says how it is.
    Says(Status),
    /// It runs and does not say.
    IsSilent(String),
}

impl Running {
    pub async fn on(config: &Config) -> Running {
        let silent = |why: Error| Running::IsSilent(why.message.to_string());
        match timeout(PATIENCE, control::running(config)).await {
            Ok(Ok(None)) => Running::No,
            Ok(Ok(Some(status))) => Running::Says(status),
            Ok(Err(error)) => silent(error),
            Err(_) => Running::IsSilent(format!(
                "one runs on this data folder and has not answered for {} seconds",
                PATIENCE.as_secs()
            )),
        }
    }

    pub fn is_there(&self) -> bool {
        !matches!(self, Running::No)
    }

    pub fn findings(&self) -> Vec<Finding> {
        match self {
            Running::No => Vec::new(),
            Running::IsSilent(why) => vec![Finding::failure(
                CHECK,
                why.clone(),
                "when it has just been started or ended, wait a moment; else see whether its process is stopped or its disk hangs, or end \
                 it and start it again",
            )],
            Running::Says(status) if status.failing.is_empty() => {
                vec![Finding::ok(CHECK, format!("version {} runs and does its work", status.version)), search(status)]
            }
            Running::Says(status) => {
                let failing = status.failing.iter();
                failing
                    .map(|why| {
                        Finding::failure(
                            CHECK,
                            format!("runs and cannot do all of its work: {why}"),
                            "its log says more",
                        )
                    })
                    .collect()
            }
        }
    }
}

fn search(status: &Status) -> Finding {
    let SearchState { documents, waiting, is_being_made, .. } = &status.search;
    match is_being_made {
        true => Finding::ok(SEARCH, "the index is being made anew"),
        false => Finding::ok(SEARCH, format!("{documents} things are found by words, {waiting} changes wait")),
    }
}

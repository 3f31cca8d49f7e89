//! Whether the house runs, and what it says of itself: where it listens is for it to say, as a flag may have told it otherwise
//! than the settings do.

use tokio::time::timeout;

use super::{Finding, PATIENCE};
use hanok_appliance::control::{self, Status};
use hanok_base::Error;
use hanok_platform::config::Config;
use hanok_platform::mail::Counts;
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
                let runs = Finding::ok(CHECK, format!("version {} runs and does its work", status.version));
                [runs, search(status)].into_iter().chain(unsent(&status.mails)).collect()
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

/// Mails about which somebody has to decide.
fn unsent(mails: &Counts) -> Option<Finding> {
    let Counts { undecided, failed, held, .. } = mails;
    (undecided + failed + held > 0).then(|| {
        Finding::warning(
            "mails",
            format!("{undecided} may have been sent, {failed} were not sent, {held} are held back"),
            "see `hanok mail list`; `hanok mail send ID` sends one again, `hanok mail remove ID` does without it",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mails_about_which_somebody_has_to_decide_are_a_warning() {
        assert_eq!(unsent(&Counts { waiting: 3, ..Counts::default() }), None);
        let found = unsent(&Counts { undecided: 1, failed: 2, ..Counts::default() }).unwrap();
        assert_eq!(found.finding, "1 may have been sent, 2 were not sent, 0 are held back");
    }
}

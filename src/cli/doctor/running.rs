//! Whether the house runs, and what it says of itself: where it listens is for it to say, as a flag may have told it otherwise
//! than the settings do.

use tokio::time::timeout;

use super::{Finding, PATIENCE};
use crate::cli::print;
use hanok_appliance::control::{self, Status};
use hanok_base::{Error, day};
use hanok_platform::blobs::Totals;
use hanok_platform::chat::ChatCounts;
use hanok_platform::config::Config;
use hanok_platform::mail::Counts;
use hanok_platform::search::SearchState;
use hanok_platform::tokens::{TokenState, TokenStatus};
use hanok_platform::upstream::{ProviderCondition, ProviderState};

const CHECK: &str = "appliance";
const SEARCH: &str = "search";
const FILES: &str = "files";

/// What is known of a house that may run.
pub(super) enum Running {
    /// Nobody has the data folder open.
    No,
    /// It says how it is.
    Says(Box<Status>),
    /// It runs and does not say.
    IsSilent(String),
}

impl Running {
    pub async fn on(config: &Config) -> Running {
        let silent = |why: Error| Running::IsSilent(why.message.to_string());
        match timeout(PATIENCE, control::running(config)).await {
            Ok(Ok(None)) => Running::No,
            Ok(Ok(Some(status))) => Running::Says(Box::new(status)),
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
                [runs, search(status), files(&status.files)]
                    .into_iter()
                    .chain(unsent(&status.mails))
                    .chain(unheard(&status.chats))
                    .chain(undone(&status.writes))
                    .chain(status.sign_in.iter().map(sign_in))
                    .chain([tokens(&status.tokens)])
                    .collect()
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

/// The large files, and those that the last check has found wrong.
fn files(all: &Totals) -> Finding {
    let kept = format!("{} files of {}", all.files, print::bytes(all.bytes));
    match all.flawed_files {
        0 => Finding::ok(FILES, kept),
        flawed => Finding::warning(
            FILES,
            format!("{kept}, {flawed} of them missing or changed"),
            "`hanok verify` names them; put the same files there again, or take over a backup file that has them",
        ),
    }
}

/// Mails about which somebody has to decide.
fn unsent(mails: &Counts) -> Option<Finding> {
    let Counts { delivery_unknown, failed, held, .. } = mails;
    (delivery_unknown + failed + held > 0).then(|| {
        Finding::warning(
            "mails",
            format!("{delivery_unknown} may have been sent, {failed} were not sent, {held} are held back"),
            "see `hanok mail list`; `hanok mail send ID` sends one again, `hanok mail remove ID` does without it",
        )
    })
}

/// Messages to chats about which somebody has to decide.
fn unheard(chats: &ChatCounts) -> Option<Finding> {
    (chats.delivery_unknown > 0).then(|| {
        Finding::warning(
            "chats",
            format!("{} messages may have arrived", chats.delivery_unknown),
            "see `hanok chat status`; `hanok chat again ID` sends one once more",
        )
    })
}

/// Writes to providers about which somebody has to decide.
fn undone(writes: &hanok_platform::writes::WriteCounts) -> Option<Finding> {
    let hanok_platform::writes::WriteCounts { delivery_unknown, unsent, .. } = writes;
    (delivery_unknown + unsent > 0).then(|| {
        Finding::warning(
            "writes",
            format!("{delivery_unknown} may have been done at their provider, {unsent} were not sent"),
            "look there, then decide: `GET /api/system/writes` lists them",
        )
    })
}

/// A provider by which customers sign in.
fn sign_in(provider: &ProviderState) -> Finding {
    const CHECK: &str = "sign-in";
    let ProviderState { name, state, last_success_at, failure, setting, .. } = provider;
    let last = last_success_at.map_or_else(
        || "has not answered since the start".to_owned(),
        |at| format!("answered last at {} (Seoul)", at.with_timezone(&day::ZONE).format("%Y-%m-%d %H:%M")),
    );
    match state {
        ProviderCondition::Failing | ProviderCondition::Open => Finding::warning(
            CHECK,
            format!("the provider {name} fails: {}; it {last}", failure.as_deref().unwrap_or("no answer")),
            format!("look at {setting} and at the provider; customers with a password still sign in"),
        ),
        _ => Finding::ok(CHECK, format!("the provider {name} {last}")),
    }
}

/// What providers permit the house to do.
fn tokens(all: &[TokenState]) -> Finding {
    const CHECK: &str = "tokens";
    let ended: Vec<&str> =
        all.iter().filter(|token| token.status == TokenStatus::Ended).map(|token| token.name.as_str()).collect();
    match (all.len(), ended.as_slice()) {
        (0, _) => Finding::ok(CHECK, "no provider has given the house a permission"),
        (count, []) => Finding::ok(CHECK, format!("{count} permissions of providers")),
        (_, ended) => Finding::warning(
            CHECK,
            format!("the permission of {} has ended, or can no longer be read", ended.join(", ")),
            "connect it again",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Verdict;
    use super::*;

    #[test]
    fn files_that_a_check_has_found_wrong_are_a_warning() {
        let sound = Totals { files: 3, bytes: 6 << 20, ..Totals::default() };
        assert_eq!(files(&sound), Finding::ok(FILES, "3 files of 6.0 MiB"));
        let found = files(&Totals { flawed_files: 2, ..sound });
        assert_eq!(found.finding, "3 files of 6.0 MiB, 2 of them missing or changed");
    }

    #[test]
    fn writes_about_which_somebody_has_to_decide_are_a_warning() {
        use hanok_platform::writes::WriteCounts;
        assert_eq!(undone(&WriteCounts { open: 3, looked_up: 2, ..WriteCounts::default() }), None);
        let found = undone(&WriteCounts { delivery_unknown: 1, unsent: 2, ..WriteCounts::default() }).unwrap();
        assert_eq!(found.finding, "1 may have been done at their provider, 2 were not sent");
    }

    #[test]
    fn mails_about_which_somebody_has_to_decide_are_a_warning() {
        assert_eq!(unsent(&Counts { waiting: 3, ..Counts::default() }), None);
        let found = unsent(&Counts { delivery_unknown: 1, failed: 2, ..Counts::default() }).unwrap();
        assert_eq!(found.finding, "1 may have been sent, 2 were not sent, 0 are held back");
    }

    #[test]
    fn messages_about_which_somebody_has_to_decide_are_a_warning() {
        assert_eq!(unheard(&ChatCounts { waiting: 3, ..ChatCounts::default() }), None);
        let found = unheard(&ChatCounts { delivery_unknown: 2, ..ChatCounts::default() }).unwrap();
        assert_eq!(found.finding, "2 messages may have arrived");
    }

    #[test]
    fn a_provider_that_fails_and_a_permission_that_has_ended_are_warnings_with_the_cure() {
        let at = "2026-10-10T11:40:00Z".parse().unwrap();
        let known = |state, failure: Option<&str>| ProviderState {
            name: "sign_in".to_owned(),
            title_ko: String::new(),
            title_en: String::new(),
            state,
            last_success_at: Some(at),
            last_failure_at: None,
            failure: failure.map(str::to_owned),
            failure_localized: None,
            consecutive_failures: 0,
            retry_at: None,
            setting: "sign_in.issuer".to_owned(),
        };
        assert_eq!(sign_in(&known(ProviderCondition::Ok, None)).verdict, Verdict::Ok);
        let failing = sign_in(&known(ProviderCondition::Failing, Some("it took too long")));
        assert_eq!(failing.verdict, Verdict::Warning);
        assert!(failing.finding.contains("it took too long") && failing.cure.unwrap().contains("sign_in.issuer"));
        let token = |status| TokenState { name: "channel".to_owned(), status, connected_at: at, ends_at: None };
        assert_eq!(tokens(&[]).verdict, Verdict::Ok);
        assert_eq!(tokens(&[token(TokenStatus::Good), token(TokenStatus::Due)]).verdict, Verdict::Ok);
        let ended = tokens(&[token(TokenStatus::Good), token(TokenStatus::Ended)]);
        assert!(ended.verdict == Verdict::Warning && ended.finding.contains("channel"), "{ended:?}");
    }
}

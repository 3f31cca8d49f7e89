//! Whether the next start could use the settings file as it stands, found out once for many who ask.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::{Config, unfit};
use hanok_base::Message;

/// For how long what was found out holds, as long as the file says the same: it may name files of secrets.
const FRESH: Duration = Duration::from_secs(5);

/// What was found out last.
#[derive(Debug, Clone, Default)]
pub(super) struct Judged(Arc<Mutex<Option<Judgement>>>);

#[derive(Debug)]
struct Judgement {
    at: Instant,
    text: String,
    problem: Option<Message>,
}

impl Config {
    /// Why the next start could not use a settings file that says `text`; nothing where it could. Found out anew when it
    /// says something else than the last time, and otherwise every five seconds.
    pub fn problem_with(&self, text: &str) -> Option<Message> {
        let mut last = self.judged.0.lock();
        let holds = |last: &&Judgement| last.text == text && last.at.elapsed() < FRESH;
        if let Some(last) = last.as_ref().filter(holds) {
            return last.problem.clone();
        }
        let problem = self.with_file(text).map_err(|error| unfit(text, &error)).err();
        *last = Some(Judgement { at: Instant::now(), text: text.to_owned(), problem: problem.clone() });
        problem
    }
}

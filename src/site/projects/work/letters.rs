//! What customers are written of their steps.

use super::super::model::{Milestone, progress};
use crate::frame::address_of;
use crate::quotes::{self, Quote};
use hanok_base::Result;
use hanok_platform::chat::Words;
use hanok_platform::mail::{Language, Letter, Template};
use hanok_platform::store::WriteTx;

const MOVED: Template = Template {
    kind: "project_moved",
    ko: include_str!("../../../../assets/mail/project_moved.ko.txt"),
    en: include_str!("../../../../assets/mail/project_moved.en.txt"),
};
/// The same where it is not known where the customer reaches the site.
const MOVED_UNLINKED: Template = Template {
    kind: "project_moved_unlinked",
    ko: include_str!("../../../../assets/mail/project_moved_unlinked.ko.txt"),
    en: include_str!("../../../../assets/mail/project_moved_unlinked.en.txt"),
};

/// Where a customer sees a project.
pub enum Place {
    /// Among the projects of the account, with the origin of the site.
    OfAccount(String, String),
    /// On the page of the quote, with the origin of the site and the word of the link.
    OfQuote(String, String),
}

impl Place {
    /// Where the customer of a quote sees its steps; none where nobody has said where the site is reached.
    ///
    /// # Errors
    /// Those of the store.
    pub fn of(tx: &WriteTx, quote: &Quote, address: Option<&str>, has_account: bool) -> Result<Option<Place>> {
        let Some(origin) = address.map(str::to_owned) else { return Ok(None) };
        if has_account {
            return Ok(Some(Place::OfAccount(origin, quote.id.clone())));
        }
        Ok(quotes::token_of(tx, quote)?.map(|word| Place::OfQuote(origin, word)))
    }

    fn link(&self, language: Language) -> String {
        match self {
            Place::OfAccount(origin, id) => {
                format!("{origin}{}", address_of(&format!("/account/projects/{id}"), language))
            }
            Place::OfQuote(origin, word) => quotes::page_at(origin, word, language),
        }
    }
}

/// The mail to the customer of a quote of which these steps were moved.
///
/// # Errors
/// `INTERNAL` where it cannot be written.
pub fn moved(quote: &Quote, moved: &[&Milestone], steps: &[Milestone], place: Option<&Place>) -> Result<Letter> {
    let (language, name) = (quote.content.language, quote.content.client_name.as_str());
    let greeting = match (name.is_empty(), language) {
        (true, _) => String::new(),
        (false, Language::Ko) => format!("{name} 님, 안녕하세요."),
        (false, Language::En) => format!("Hello {name},"),
    };
    let (listed, percent) = (listed(moved, language), progress(steps).to_string());
    let values =
        [("title", quote.content.title.as_str()), ("greeting", &greeting), ("steps", &listed), ("progress", &percent)];
    match place {
        Some(place) => MOVED.filled(language, &[&values[..], &[("link", &place.link(language))]].concat()),
        None => MOVED_UNLINKED.filled(language, &values),
    }
}

/// The same as a message in a chat: its title and what it says.
pub fn message(quote: &Quote, moved: &[&Milestone], steps: &[Milestone], place: Option<&Place>) -> (Words, Words) {
    let title = &quote.content.title;
    let percent = progress(steps);
    let link = |language| place.map(|place| format!("\n\n{}", place.link(language))).unwrap_or_default();
    let body = |language: Language, whole: &str| {
        format!("{}\n\n{whole}: {percent}%{}", listed(moved, language), link(language))
    };
    let (ko, en) = (body(Language::Ko, "진행률"), body(Language::En, "Progress"));
    let called = Words::new(format!("프로젝트 진행 상황: {title}"), format!("Your project: {title}"));
    (called, Words::new(ko, en))
}

/// A line for each step, and below it what the shop has noted of it.
fn listed(moved: &[&Milestone], language: Language) -> String {
    let lines = moved.iter().map(|step| {
        let (ko, en) = step.status.text();
        let status = if language == Language::Ko { ko } else { en };
        let note = if step.note.is_empty() { String::new() } else { format!("\n{}", step.note) };
        format!("{}. {}: {status}{note}", step.step_number, step.title)
    });
    lines.collect::<Vec<_>>().join("\n")
}

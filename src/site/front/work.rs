//! The legal pages: what the owner wrote in the data folder, or a draft.

use std::io::ErrorKind;

use hanok_base::{Error, Result};
use hanok_calc::markdown::html;
use hanok_platform::app::App;
use hanok_platform::blocking;
use hanok_platform::mail::Language;

/// Where the owner's texts lie in the data folder.
const FOLDER: &str = "pages";
/// A longer file is no page that anybody reads.
const MOST_BYTES: u64 = 512 * 1024;

/// The drafts that stand where the owner has written nothing: name, Korean, English.
const DRAFTS: [(&str, &str, &str); 2] = [
    (
        "privacy",
        include_str!("../../../assets/site/front/privacy.ko.md"),
        include_str!("../../../assets/site/front/privacy.en.md"),
    ),
    (
        "terms",
        include_str!("../../../assets/site/front/terms.ko.md"),
        include_str!("../../../assets/site/front/terms.en.md"),
    ),
];

/// A legal page as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegalText {
    /// Its text, as HTML that no browser executes.
    pub html: String,
    /// Whether it is the draft that ships with the program.
    pub is_draft: bool,
}

/// The legal page `name` in `language`.
///
/// # Errors
/// `INTERNAL` when the owner's file cannot be read, is no text, or is larger than 512 KiB.
pub async fn legal_text(app: &App, name: &'static str, language: Language) -> Result<LegalText> {
    let tag = if language == Language::Ko { "ko" } else { "en" };
    let path = app.config.data.dir.join(FOLDER).join(format!("{name}.{tag}.md"));
    let made = blocking::run(move |_| {
        let size = match std::fs::metadata(&path) {
            Ok(file) => file.len(),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok(LegalText { html: html(draft(name, language)), is_draft: true });
            }
            Err(error) => return Err(Error::internal(error)),
        };
        if size > MOST_BYTES {
            return Err(Error::internal(format!("{} is larger than {MOST_BYTES} bytes", path.display())));
        }
        let text = std::fs::read_to_string(&path).map_err(Error::internal)?;
        Ok(LegalText { html: html(&text), is_draft: false })
    });
    made.await
}

fn draft(name: &str, language: Language) -> &'static str {
    let found = DRAFTS.iter().find(|(known, ..)| *known == name);
    found.map_or("", |(_, ko, en)| if language == Language::Ko { ko } else { en })
}

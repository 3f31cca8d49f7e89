//! The legal pages: what the owner wrote in the data folder, or a draft.

use std::io::ErrorKind;

use crate::contact::ContactSettings;
use hanok_base::{Error, Result};
use hanok_calc::markdown::html;
use hanok_platform::app::App;
use hanok_platform::blocking::OneByOne;
use hanok_platform::mail::Language;
use hanok_platform::store::{DataFolder, LONGEST_TEXT, OWN_TEXTS};

/// The drafts that stand where the owner has written nothing: name, Korean, English.
const DRAFTS: [(&str, &str, &str); 2] = [
    (
        OWN_TEXTS[0],
        include_str!("../../../assets/site/front/privacy.ko.md"),
        include_str!("../../../assets/site/front/privacy.en.md"),
    ),
    (
        OWN_TEXTS[1],
        include_str!("../../../assets/site/front/terms.ko.md"),
        include_str!("../../../assets/site/front/terms.en.md"),
    ),
];

/// The turn of legal pages: many who ask at once need the memory of one.
static LEGAL: OneByOne = OneByOne::free();

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
/// `INTERNAL` when the owner's file cannot be read, or is larger than 512 KiB.
pub async fn legal_text(app: &App, name: &'static str, language: Language) -> Result<LegalText> {
    let tag = if language == Language::Ko { "ko" } else { "en" };
    let path = DataFolder::at(&app.config.data.dir).pages().join(format!("{name}.{tag}.md"));
    let kept_for = app.config.section::<ContactSettings>().kept_for(language);
    let made = LEGAL.run(move |_| {
        let size = match std::fs::metadata(&path) {
            Ok(file) if file.is_file() => file.len(),
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(Error::internal(error)),
            _ => return Ok(LegalText { html: html(&draft(name, language, kept_for)), is_draft: true }),
        };
        if size > LONGEST_TEXT {
            return Err(Error::internal(format!("{} is larger than {LONGEST_TEXT} bytes", path.display())));
        }
        let text = std::fs::read(&path).map_err(Error::internal)?;
        Ok(LegalText { html: html(&String::from_utf8_lossy(&text)), is_draft: false })
    });
    made.await
}

/// The draft of the legal page, with the time for which requests are kept where the settings say one.
fn draft(name: &str, language: Language, kept_for: Option<String>) -> String {
    let Some((_, ko, en)) = DRAFTS.iter().find(|(known, ..)| *known == name) else { return String::new() };
    let (text, time) = if language == Language::Ko { (*ko, "[기간]") } else { (*en, "[period]") };
    kept_for.map_or_else(|| text.to_owned(), |kept_for| text.replace(time, &kept_for))
}

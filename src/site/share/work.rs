//! Links to the portfolio, and the owner's text that they open.

use std::fs;
use std::path::Path;

use chrono::Duration;

use super::model::{NewPortfolioLink, USUAL_DAYS};
use hanok_base::{Error, Kind, MessageTemplate, Page, Result};
use hanok_calc::markdown::html;
use hanok_platform::app::App;
use hanok_platform::auth::{self, Link, Purpose};
use hanok_platform::blocking::OneByOne;
use hanok_platform::mail::Language;
use hanok_platform::store::{DataFolder, LONGEST_TEXT, ReadTransaction, WriteTx};

const PORTFOLIO: Purpose = Purpose::new("portfolio");
/// What every link opens.
const ABOUT: &str = "portfolio";
/// The most links that are good at the same time.
const MOST: usize = 200;

const ENOUGH: MessageTemplate =
    MessageTemplate::new("share.enough_links", "at most {most} links to the portfolio can be good; end one first");

/// The turn of the text: many who ask at once need the memory of one.
static TEXT: OneByOne = OneByOne::free();

/// The owner's text of the portfolio.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PortfolioText {
    /// As HTML that no browser executes.
    Written(String),
    /// There is no such file.
    Missing,
    /// It cannot be read, or is larger than [`LONGEST_TEXT`].
    Unreadable,
}

/// Makes a link to the portfolio.
///
/// # Errors
/// `CONFLICT` when there are too many.
pub fn share(tx: &WriteTx, new: NewPortfolioLink) -> Result<Link> {
    if auth::list_links(tx, PORTFOLIO, None)?.len() >= MOST {
        return Err(Error::conflict(ENOUGH.with([("most", MOST.into())])));
    }
    let days = new.ttl_days.unwrap_or(USUAL_DAYS);
    let lasts = Duration::days(i64::try_from(days).map_err(Error::internal)?);
    Ok(auth::add_link(tx, PORTFOLIO, ABOUT, &new.memo, lasts)?.0)
}

/// The links that are good, newest first, each with its word, and how many there are.
///
/// # Errors
/// Those of reading.
pub fn links(tx: &impl ReadTransaction, page: Page) -> Result<(Vec<(Link, String)>, u64)> {
    let links = auth::list_links(tx, PORTFOLIO, None)?;
    let total = links.len() as u64;
    let part = links.into_iter().skip(page.offset).take(page.limit);
    let with_word = |link: Link| auth::word_of(tx, &link).map(|word| (link, word));
    Ok((part.map(with_word).collect::<Result<_>>()?, total))
}

/// The link of this id with its word.
///
/// # Errors
/// `NOT_FOUND`.
pub fn link(tx: &impl ReadTransaction, id: &str) -> Result<(Link, String)> {
    let found = auth::list_links(tx, PORTFOLIO, None)?.into_iter().find(|link| link.id == id);
    let link = found.ok_or_else(|| Error::not_found("portfolio link"))?;
    let word = auth::word_of(tx, &link)?;
    Ok((link, word))
}

/// Ends the link `id`.
///
/// # Errors
/// `NOT_FOUND`, also for one of another purpose.
pub fn end(tx: &WriteTx, id: &str) -> Result<()> {
    if auth::end_link(tx, PORTFOLIO, id)? { Ok(()) } else { Err(Error::not_found("portfolio link")) }
}

/// The link that `word` opens the portfolio by.
///
/// # Errors
/// `NOT_FOUND`, whatever is wrong with the word.
pub fn find(tx: &impl ReadTransaction, word: &str) -> Result<Link> {
    auth::find_link(tx, PORTFOLIO, word).map_err(|error| match error.kind {
        Kind::NotFound => Error::not_found("page"),
        _ => error,
    })
}

/// The owner's text of the portfolio in `language`.
///
/// # Errors
/// `INTERNAL` where the work was broken off.
pub async fn text(app: &App, language: Language) -> Result<PortfolioText> {
    let name = if language == Language::Ko { "portfolio.md" } else { "portfolio.en.md" };
    let path = DataFolder::at(&app.config.data.dir).documents().join(name);
    TEXT.run(move |_| Ok(read(&path))).await
}

fn read(path: &Path) -> PortfolioText {
    let Ok(there) = fs::metadata(path) else { return PortfolioText::Missing };
    if !there.is_file() || there.len() > LONGEST_TEXT {
        return PortfolioText::Unreadable;
    }
    match fs::read(path) {
        Ok(text) => PortfolioText::Written(html(&String::from_utf8_lossy(&text))),
        Err(_) => PortfolioText::Unreadable,
    }
}

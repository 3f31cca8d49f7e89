//! Links that open one thing to whoever holds them: what is shared, a download, what a mail asks somebody to do.
//!
//! A link names its purpose, and its seal (HMAC-SHA-256 under a key of this house) covers purpose, thing and end, so that
//! a link of one purpose never opens what is another's. Each has a row: it is listed, and ends when its row goes. The seal
//! is drawn from the row and the key, so a link can be shown again to who made it, and no row gives it away by itself.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Duration, Utc};
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;
use uuid::Uuid;

use crate::store::{Before, Declared, Index, IndexedTable, Order, ReadTransaction, Table, WriteTx};
use hanok_base::secret::random_token;
use hanok_base::{Error, Result};

/// Table: links that are good. Key: id. Value: the link.
const LINKS: IndexedTable<&'static str, Link> = IndexedTable::new("links-1", |link| link.id.as_str(), &[&OF_PURPOSE]);
/// Table: links by what they are for. Key: purpose, what it opens, id. Value: nothing.
const OF_PURPOSE: Index<Link, (&'static str, &'static str, &'static str)> =
    Index::new("links_of-1", |link| Some(((link.purpose.as_str(), link.about.as_str(), link.id.as_str()), ())));
/// Table: what links are sealed with. Key: `seal`. Value: random bytes as base64url.
const KEYS: Table<&'static str, String> = Table::new("link_keys-1");
const SEAL: &str = "seal";

/// Every table of the links.
pub(super) const TABLES: [&dyn Declared; 2] = [&LINKS, &KEYS];

/// How often it is written down when a link was used.
const USED_TO: Duration = Duration::minutes(1);
/// How far a clock may be put back before the links that it had given out end.
const FROM_THE_FUTURE: Duration = Duration::days(1);

/// What links are for. Each purpose is declared once, by the domain that gives such links out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Purpose(&'static str);

impl Purpose {
    /// The purpose of this name, which no other has.
    pub const fn new(name: &'static str) -> Purpose {
        Purpose(name)
    }
}

/// A link that has been given out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// Its id, which says nothing of its seal.
    pub id: String,
    /// What it is for.
    pub purpose: String,
    /// What it opens, in the words of the domain.
    pub about: String,
    /// What whoever made it wrote beside it.
    pub note: String,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// From when on it opens nothing.
    pub expires_at: DateTime<Utc>,
    /// When it was used last, to the minute; none where that was never noted.
    #[serde(default)]
    pub used_at: Option<DateTime<Utc>>,
}

impl Link {
    /// Whether it is to be written down that it is used at `now`: to the minute, also when the clock was set back.
    pub fn is_used_anew(&self, now: DateTime<Utc>) -> bool {
        self.used_at.is_none_or(|used| (now - used).abs() >= USED_TO)
    }

    fn is_alive(&self, now: DateTime<Utc>) -> bool {
        now < self.expires_at && self.created_at - now < FROM_THE_FUTURE
    }

    fn seal(&self, key: &str) -> Result<Hmac<Sha256>> {
        // As JSON, so that no part can run over into the next.
        let sealed = (&self.purpose, &self.id, &self.about, self.expires_at.timestamp_millis());
        let mut seal = Hmac::<Sha256>::new_from_slice(key.as_bytes()).map_err(Error::internal)?;
        seal.update(&serde_json::to_vec(&sealed).map_err(Error::internal)?);
        Ok(seal)
    }
}

/// Gives a link to `about` out, good for `lasts`; and the word by which it opens.
///
/// # Errors
/// Those of writing.
pub fn add_link(tx: &WriteTx, purpose: Purpose, about: &str, note: &str, lasts: Duration) -> Result<(Link, String)> {
    if !tx.contains(&KEYS, SEAL)? {
        tx.put(&KEYS, SEAL, &random_token(32))?;
    }
    let link = Link {
        id: Uuid::now_v7().simple().to_string(),
        purpose: purpose.0.to_owned(),
        about: about.to_owned(),
        note: note.to_owned(),
        created_at: tx.now(),
        expires_at: tx.now() + lasts,
        used_at: None,
    };
    LINKS.put(tx, &link)?;
    let word = word_of(tx, &link)?;
    Ok((link, word))
}

/// The word by which `link` opens, to show it again to who made it.
///
/// # Errors
/// Those of reading.
pub fn word_of(tx: &impl ReadTransaction, link: &Link) -> Result<String> {
    let key = tx.get(&KEYS, SEAL)?.ok_or_else(|| Error::internal("a link without a key"))?;
    let seal = link.seal(&key)?.finalize().into_bytes();
    Ok(format!("{}.{}", link.id, URL_SAFE_NO_PAD.encode(seal)))
}

/// The link that `word` opens, when it is one of this purpose and still good.
///
/// # Errors
/// `NOT_FOUND`, whatever is wrong with it; those of reading.
pub fn find_link(tx: &impl ReadTransaction, purpose: Purpose, word: &str) -> Result<Link> {
    opened_link(tx, purpose, word)?.ok_or_else(|| Error::not_found("link"))
}

/// [`find_link`]; none where nothing is opened, whatever is wrong with the word.
///
/// # Errors
/// Those of reading.
pub fn opened_link(tx: &impl ReadTransaction, purpose: Purpose, word: &str) -> Result<Option<Link>> {
    let Some((id, seal)) = word.split_once('.') else { return Ok(None) };
    let Some(link) = tx.get(&LINKS, id)?.filter(|link| link.purpose == purpose.0) else { return Ok(None) };
    let (Some(key), Ok(seal)) = (tx.get(&KEYS, SEAL)?, URL_SAFE_NO_PAD.decode(seal)) else { return Ok(None) };
    // Compared in the same time whatever they have in common.
    let is_sealed = link.seal(&key)?.verify_slice(&seal).is_ok();
    Ok(Some(link).filter(|link| is_sealed && link.is_alive(tx.now())))
}

/// The link that `word` opens, which it does this once.
///
/// # Errors
/// Those of [`find_link`] and of writing.
pub fn take_link(tx: &WriteTx, purpose: Purpose, word: &str) -> Result<Link> {
    let link = find_link(tx, purpose, word)?;
    LINKS.remove(tx, link.id.as_str())?;
    Ok(link)
}

/// Notes that the link `id` is used now. One that is there no more stays so.
///
/// # Errors
/// Those of writing.
pub fn note_use(tx: &WriteTx, id: &str) -> Result<()> {
    let Some(link) = tx.get(&LINKS, id)? else { return Ok(()) };
    LINKS.put(tx, &Link { used_at: Some(tx.now()), ..link })
}

/// The links of this purpose that are still good, newest first; only those to `about` where it is said.
///
/// # Errors
/// Those of reading.
pub fn list_links(tx: &impl ReadTransaction, purpose: Purpose, about: Option<&str>) -> Result<Vec<Link>> {
    let mut links = Vec::new();
    for id in ids(tx, purpose, about)? {
        links.extend(tx.get(&LINKS, id.as_str())?.filter(|link| link.is_alive(tx.now())));
    }
    links.sort_by(|one, other| other.id.cmp(&one.id));
    Ok(links)
}

/// Ends the link `id` of this purpose. False when there is none.
///
/// # Errors
/// Those of writing.
pub fn end_link(tx: &WriteTx, purpose: Purpose, id: &str) -> Result<bool> {
    match tx.get(&LINKS, id)? {
        Some(link) if link.purpose == purpose.0 => LINKS.remove(tx, id).map(|ended| ended.is_some()),
        _ => Ok(false),
    }
}

/// Ends every link of this purpose to `about`.
///
/// # Errors
/// Those of writing.
pub fn end_links(tx: &WriteTx, purpose: Purpose, about: &str) -> Result<()> {
    ids(tx, purpose, Some(about))?.iter().try_for_each(|id| LINKS.remove(tx, id.as_str()).map(drop))
}

fn ids(tx: &impl ReadTransaction, purpose: Purpose, about: Option<&str>) -> Result<Vec<String>> {
    let mut ids = Vec::new();
    let range = (purpose.0, about.unwrap_or_default(), "")..;
    for entry in tx.entries(&OF_PURPOSE, range, Order::Ascending) {
        let entry = entry?;
        let (of, to, id) = entry.key();
        if of != purpose.0 || about.is_some_and(|about| about != to) {
            break;
        }
        ids.push(id.to_owned());
    }
    Ok(ids)
}

/// Removes links that have run out.
///
/// # Errors
/// Those of writing.
pub fn purge_links(tx: &WriteTx) -> Result<()> {
    let now = tx.now();
    end_where(tx, |link| !link.is_alive(now))
}

/// Which links are good is what the present says. Where it cannot be relied on, none is.
pub(super) fn carry(before: &Before<'_>, restored: &WriteTx) -> Result<()> {
    forget(restored)?;
    let Some(present) = before.state.filter(|_| !before.is_damaged) else { return Ok(()) };
    if let Some(key) = present.get(&KEYS, SEAL)? {
        restored.put(&KEYS, SEAL, &key)?;
    }
    LINKS.walk(present).try_for_each(|link| LINKS.put(restored, &link?))
}

/// No link is good, and what they were sealed with is gone.
pub(super) fn forget(tx: &WriteTx) -> Result<()> {
    end_where(tx, |_| true)?;
    tx.clear(&KEYS)
}

fn end_where(tx: &WriteTx, ends: impl Fn(&Link) -> bool) -> Result<()> {
    for entry in tx.entries(&LINKS, "".., Order::Ascending) {
        let entry = entry?;
        if ends(&entry.value()?) {
            LINKS.remove(tx, entry.key())?;
        }
    }
    Ok(())
}

//! Who may read a post, by what its file says of it, in the words of the programs that write such files. None that says
//! that it is not for everybody becomes public: what it says and is not understood is not guessed.

use chrono::{Datelike, NaiveDate};

use hanok_base::day;
use hanok_calc::markdown::FieldValue;

/// What a field says of who may read the post.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Readers {
    /// Nothing.
    Unsaid,
    /// It is for readers.
    Everybody,
    /// It is not, or not yet.
    Nobody,
    /// Nobody knows what was meant.
    Unknown,
}

/// Fields that say whether it is kept from readers.
const KEPT: [&str; 14] = [
    "draft",
    "isdraft",
    "private",
    "isprivate",
    "pending",
    "hidden",
    "unlisted",
    "protected",
    "secret",
    "trashed",
    "passwordprotected",
    "초안",
    "비공개",
    "숨김",
];
/// Fields that say whether it is given to them.
const GIVEN: [&str; 7] = ["published", "ispublished", "publish", "dgpublish", "public", "ispublic", "공개"];
/// Fields that say it in a word.
const WORDS: [&str; 4] = ["status", "poststatus", "visibility", "공개범위"];
/// Fields that say it in a word, or something else altogether.
const PERHAPS: [&str; 4] = ["state", "access", "audience", "상태"];
/// Fields with a word that readers need.
const PASSWORDS: [&str; 5] = ["password", "postpassword", "passwd", "passphrase", "비밀번호"];
/// Fields that say from which day on.
const DAYS: [&str; 4] = ["publishdate", "publishedat", "publishat", "publishon"];

/// What the field `name` with this `value` says of who may read the post `today`; none where it is of another kind.
pub(super) fn said_by(name: &str, value: &FieldValue, today: NaiveDate) -> Option<Readers> {
    let name: String = name.to_lowercase().chars().filter(|c| !matches!(c, '_' | '-' | '.' | ' ')).collect();
    let is = |names: &[&str]| names.contains(&name.as_str());
    let text = match value {
        FieldValue::Text(text) => Some(text.trim().to_lowercase()),
        FieldValue::List(_) | FieldValue::Unreadable => None,
    };
    if text.as_deref() == Some("") {
        return (is(&KEPT) || is(&GIVEN) || is(&WORDS) || is(&PASSWORDS) || is(&DAYS)).then_some(Readers::Unsaid);
    }
    if is(&PASSWORDS) {
        return Some(Readers::Nobody);
    }
    if is(&PERHAPS) {
        return text.map(|text| word(&text)).filter(|readers| *readers == Readers::Nobody);
    }
    let on_day = |text: &str| match day_in(text) {
        Some(day) if day > today => Readers::Nobody,
        Some(_) => Readers::Everybody,
        None => Readers::Unknown,
    };
    let said = |text: &str| match (is(&KEPT), is(&GIVEN), is(&WORDS), yes_or_no(text)) {
        (true, _, _, Some(is_kept)) => Some(if is_kept { Readers::Nobody } else { Readers::Everybody }),
        (_, true, _, Some(is_given)) => Some(if is_given { Readers::Everybody } else { Readers::Nobody }),
        (true, ..) => Some(Readers::Unknown),
        (_, true, ..) => Some(on_day(text)),
        (_, _, true, _) => Some(word(text)),
        _ => is(&DAYS).then(|| on_day(text)),
    };
    match text {
        Some(text) => said(&text),
        None => said("?"),
    }
}

/// The day with which `text` begins, among those that a post may have.
pub(super) fn day_in(text: &str) -> Option<NaiveDate> {
    day::parse(text.get(..10)?).filter(is_of_ours)
}

/// The years in which a request may name a day, too.
pub(super) fn is_of_ours(day: &NaiveDate) -> bool {
    (1900..=9999).contains(&day.year())
}

/// Whether it says yes, in the words of YAML and ours.
fn yes_or_no(text: &str) -> Option<bool> {
    match text {
        "true" | "yes" | "on" | "y" | "1" | "예" | "네" | "참" => Some(true),
        "false" | "no" | "off" | "n" | "0" | "아니오" | "아니요" | "거짓" => Some(false),
        _ => None,
    }
}

fn word(text: &str) -> Readers {
    match text {
        "publish" | "published" | "public" | "live" | "everyone" | "everybody" | "공개" | "발행" => {
            Readers::Everybody
        }
        "draft" | "auto-draft" | "private" | "pending" | "review" | "in review" | "future" | "scheduled" | "trash"
        | "deleted" | "archived" | "inherit" | "hidden" | "unlisted" | "protected" | "password" | "secret"
        | "internal" | "family" | "friends" | "members" | "paid" | "unpublished" | "초안" | "비공개" | "보호"
        | "숨김" | "예약" => Readers::Nobody,
        _ => Readers::Unknown,
    }
}

/// Whether lines that could not be read as fields may say that it is not for everybody: those between such marks are fields,
/// whatever they say.
pub(super) fn may_be_kept(unread: &str, today: NaiveDate) -> bool {
    if unread.starts_with("+++") || unread.starts_with(";;;") {
        return true;
    }
    let marks = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '?' | '-');
    unread.split(['\n', ',', '{', '}']).any(|part| {
        part.split_once([':', '=']).is_some_and(|(name, value)| {
            let value = FieldValue::Text(value.trim_matches(marks).to_owned());
            let said = said_by(name.trim_matches(marks), &value, today);
            said.is_some_and(|readers| matches!(readers, Readers::Nobody | Readers::Unknown))
        })
    })
}

/// Whether a file at this path lies among what is not for everybody, as other programs keep it.
pub(super) fn lies_among_drafts(path: &str) -> bool {
    let folders = path.rsplit_once(['/', '\\']).map_or("", |(folders, _)| folders);
    let is_of_drafts = |folder: &str| {
        matches!(folder.to_lowercase().as_str(), "_drafts" | "drafts" | "_private" | "private" | "초안" | "비공개")
    };
    folders.split(['/', '\\']).any(is_of_drafts)
}

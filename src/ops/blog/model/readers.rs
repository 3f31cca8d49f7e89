//! Who may read a post, by what its file says of it, in the words of the programs that write such files. None that says
//! that it is not for everybody becomes public: what it says and is not understood is not guessed.

use chrono::{Datelike, NaiveDate};

use hanok_base::day;
use hanok_base::text::composed;
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
/// What stands in the names of fields that say whether it is kept from them, beside those above.
const OF_KEPT: [&str; 20] = [
    "draft",
    "private",
    "hidden",
    "unlisted",
    "protected",
    "secret",
    "restricted",
    "locked",
    "invisible",
    "only",
    "internal",
    "archived",
    "deleted",
    "unpublish",
    "encrypted",
    "wip",
    "confidential",
    "비공개",
    "잠금",
    "임시",
];
/// And in those that say whether it is given to them.
const OF_GIVEN: [&str; 5] = ["publi", "visible", "listed", "공개", "발행"];
/// And in those that say to whom.
const OF_WHOM: [&str; 4] = ["visibility", "privacy", "공개", "보기권한"];
/// Fields that say what it is about, in whatever words.
const ABOUT: [&str; 24] = [
    "title",
    "subtitle",
    "slug",
    "url",
    "permalink",
    "series",
    "tag",
    "tags",
    "category",
    "categories",
    "keyword",
    "keywords",
    "topic",
    "topics",
    "description",
    "summary",
    "excerpt",
    "author",
    "authors",
    "제목",
    "분류",
    "태그",
    "주제",
    "요약",
];
/// Fields that say what kind of text it is: there a review is one of a book.
const KINDS: [&str; 5] = ["type", "kind", "genre", "layout", "template"];
/// Fields with a word that readers need.
const PASSWORDS: [&str; 5] = ["password", "postpassword", "passwd", "passphrase", "비밀번호"];
/// Fields that say from which day on.
const DAYS: [&str; 4] = ["publishdate", "publishedat", "publishat", "publishon"];

/// What the field `name` with this `value` says of who may read the post `today`; none where it is of another kind. Of one in
/// a table, `table.name`, it only counts that it is not for everybody, or may not be.
pub(super) fn said_by(name: &str, value: &FieldValue, today: NaiveDate) -> Option<Readers> {
    let lower = composed(name).to_lowercase();
    let plain = |name: &str| name.chars().filter(|c| !matches!(c, '_' | '-' | '.' | ' ')).collect::<String>();
    match lower.rsplit_once('.') {
        Some((table, _)) if plain(table) == "taxonomies" => None,
        Some((_, last)) => said_plainly(&plain(&lower), value, today).or_else(|| {
            let said = said_plainly(&plain(last), value, today)?;
            matches!(said, Readers::Nobody | Readers::Unknown).then_some(Readers::Nobody)
        }),
        None => said_plainly(&plain(&lower), value, today),
    }
}

/// What the field of this `name` says, which has only letters and numbers.
fn said_plainly(name: &str, value: &FieldValue, today: NaiveDate) -> Option<Readers> {
    let is = |names: &[&str]| names.contains(&name);
    if is(&ABOUT) {
        return None;
    }
    let text = match value {
        FieldValue::Text(text) => Some(composed(text.trim()).to_lowercase()),
        FieldValue::List(_) | FieldValue::Unreadable => None,
    };
    let is_known = is(&KEPT) || is(&GIVEN) || is(&WORDS) || is(&PASSWORDS) || is(&DAYS);
    if text.as_deref() == Some("") {
        return is_known.then_some(Readers::Unsaid);
    }
    if is(&PASSWORDS) {
        return Some(Readers::Nobody);
    }
    if !is_known {
        let is_kept = match value {
            FieldValue::Text(text) => keeps(name, &composed(text.trim()).to_lowercase(), today),
            FieldValue::List(texts) => {
                texts.iter().any(|text| keeps(name, &composed(text.trim()).to_lowercase(), today))
            }
            FieldValue::Unreadable => false,
        };
        return is_kept.then_some(Readers::Nobody);
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

/// Whether a field that nobody knows keeps the post from readers: by a word for it, or by what stands in its name.
fn keeps(name: &str, text: &str, today: NaiveDate) -> bool {
    let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    if text.is_empty() || (text == "review" && KINDS.contains(&name)) {
        return false;
    }
    match (word(text), yes_or_no(text)) {
        (Readers::Nobody, _) => true,
        (_, Some(is_so)) if has(&OF_KEPT) => is_so,
        (_, Some(is_so)) => !is_so && (has(&OF_GIVEN) || has(&OF_WHOM)),
        (Readers::Unknown, None) if has(&OF_WHOM) => day_in(text).is_none_or(|day| day > today),
        _ => false,
    }
}

/// Whether the field as it was `written` says it of what stands in it: in a table, or in lines below its name.
pub(super) fn keeps_within(name: &str, value: &FieldValue, written: &str, today: NaiveDate) -> bool {
    let behind = written.split_once(':').map_or("", |(_, behind)| behind.trim_start_matches([' ', '\t']));
    let is_text = matches!(value, FieldValue::Text(_))
        && (behind.starts_with(['|', '>', '"', '\'']) || written.trim_end().lines().count() < 2);
    !is_text && !ABOUT.contains(&&*name.to_lowercase()) && may_be_kept(written, today)
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
        "publish" | "published" | "public" | "live" | "everyone" | "everybody" | "공개" | "전체공개" | "전체 공개"
        | "발행" => Readers::Everybody,
        "draft" | "auto-draft" | "private" | "pending" | "review" | "in review" | "future" | "scheduled" | "trash"
        | "deleted" | "archived" | "inherit" | "hidden" | "unlisted" | "protected" | "password" | "secret"
        | "internal" | "family" | "friends" | "members" | "paid" | "unpublished" | "restricted" | "locked"
        | "confidential" | "invisible" | "members-only" | "members only" | "subscribers" | "only me" | "onlyme"
        | "nobody" | "never" | "초안" | "비공개" | "보호" | "숨김" | "예약" | "잠금" | "임시" | "임시저장"
        | "임시 저장" | "가족" | "친구" | "이웃" | "이웃공개" | "서로이웃" | "서로이웃공개" | "나만 보기"
        | "나만보기" | "회원" => Readers::Nobody,
        _ => Readers::Unknown,
    }
}

/// Whether lines that could not be read as fields may say that it is not for everybody: those between such marks are fields,
/// whatever they say.
pub(super) fn may_be_kept(unread: &str, today: NaiveDate) -> bool {
    if unread.starts_with("+++") || unread.starts_with(";;;") {
        return true;
    }
    let marks = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '?' | '-' | '\\');
    unread.split(['\n', ',', '{', '}', '[', ']']).any(|part| {
        part.split_once([':', '=']).is_some_and(|(name, value)| {
            let value = value.split_once(" #").map_or(value, |(value, _)| value);
            let value = FieldValue::Text(value.trim_matches(marks).to_owned());
            let said = said_by(name.trim_matches(marks), &value, today);
            said.is_some_and(|readers| matches!(readers, Readers::Nobody | Readers::Unknown))
        })
    })
}

/// Whether a file at this path lies among what is not for everybody, as other programs keep it.
pub(super) fn lies_among_drafts(path: &str) -> bool {
    let folders = path.rsplit_once(['/', '\\']).map_or("", |(folders, _)| folders);
    // A Mac writes the letters of a name apart.
    let is_of_drafts = |folder: &str| {
        let name = composed(folder).to_lowercase().replace(['_', '-', '.', ' '], "");
        ["draft", "private", "unpublished", "secret", "trash", "초안", "비공개", "비밀", "임시"]
            .iter()
            .any(|word| name.starts_with(word))
    };
    folders.split(['/', '\\']).any(is_of_drafts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_drafts_is_one_in_whatever_way_its_name_is_written() {
        for path in [
            "_drafts/a.md",
            "Draft/a.md",
            "글/비공개/a.md",
            "\u{110e}\u{1169}\u{110b}\u{1161}\u{11ab}/a.md",
            "a/.trash/b.md",
        ] {
            assert!(lies_among_drafts(path), "{path}");
        }
        for path in ["drafts.md", "posts/2026/a.md", "archive/a.md", "비 오는 날/a.md"] {
            assert!(!lies_among_drafts(path), "{path}");
        }
    }
}

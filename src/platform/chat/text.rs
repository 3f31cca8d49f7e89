//! What is written to a chat: words in both languages, and a text in pieces that Telegram takes.

pub use hanok_base::Language;
use hanok_base::text::{cut, without_direction_marks};

/// Characters that one message may have, counted as Telegram counts at its strictest: in UTF-16 units.
const LONGEST: usize = 4096;
/// Characters of a title.
const LONGEST_TITLE: usize = 200;

/// The same in both languages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// In Korean.
    pub ko: String,
    /// In English.
    pub en: String,
}

impl Words {
    /// The same in Korean and English.
    pub fn new(ko: impl Into<String>, en: impl Into<String>) -> Words {
        Words { ko: ko.into(), en: en.into() }
    }

    /// In this language.
    pub fn of(&self, language: Language) -> &str {
        match language {
            Language::Ko => &self.ko,
            Language::En => &self.en,
        }
    }
}

/// A title in bold and a text below it as HTML, in as many messages as it takes. Nothing of either is markup, and marks of
/// direction are left out.
pub(super) fn pieces(title: &str, body: &str) -> Vec<String> {
    let (title, body) = (without_direction_marks(title), without_direction_marks(body));
    let title: String = title.split_whitespace().collect::<Vec<_>>().join(" ");
    let title = cut(&title, LONGEST_TITLE);
    let body = body.trim();
    let used = units(&title) + if title.is_empty() || body.is_empty() { 0 } else { 2 };
    let mut written = split(body, LONGEST - used, LONGEST).into_iter().map(escaped).collect::<Vec<_>>();
    if !title.is_empty() {
        let head = format!("<b>{}</b>", escaped(&title));
        match written.first_mut() {
            Some(first) => *first = format!("{head}\n\n{first}"),
            None => written.push(head),
        }
    }
    written
}

/// `html` with nothing behind the host of each address in it: a path may be a word that opens something.
pub(super) fn without_paths(html: &str) -> String {
    let mut parts = html.split("://");
    let mut told = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let ends = |character: char| character.is_whitespace() || ['<', '"'].contains(&character);
        let (address, behind) = part.split_at(part.find(ends).unwrap_or(part.len()));
        told.push_str("://");
        match address.split_once(['/', '?', '#']) {
            Some((host, _)) => told.extend([host, "/…"]),
            None => told.push_str(address),
        }
        told.push_str(behind);
    }
    told
}

/// `text` in pieces of at most `first` and then `most` units: cut behind a line where there is one, else behind a word, else
/// behind a character. Together they are the whole text, but for space at the cuts.
fn split(text: &str, first: usize, most: usize) -> Vec<&str> {
    let (mut rest, mut room, mut pieces) = (text, first, Vec::new());
    while !rest.is_empty() {
        let end = fits(rest, room);
        if end == rest.len() {
            pieces.push(rest);
            break;
        }
        let head = rest.get(..end).unwrap_or_default();
        // Not far before the end: a short line is no reason to send twice as many messages.
        let cut = |what: fn(char) -> bool| head.rfind(what).filter(|at| *at > end / 2);
        let end = cut(|c| c == '\n').or_else(|| cut(char::is_whitespace)).unwrap_or(end);
        let (piece, others) = rest.split_at(end);
        let piece = piece.trim_end();
        if !piece.is_empty() {
            pieces.push(piece);
        }
        rest = others.trim_start();
        room = most;
    }
    pieces
}

/// How many bytes of `text` are at most `room` units, in whole characters.
fn fits(text: &str, room: usize) -> usize {
    let mut used = 0;
    for (at, character) in text.char_indices() {
        used += character.len_utf16();
        if used > room {
            return at;
        }
    }
    text.len()
}

fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// `text` as HTML in which nothing is markup.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What a reader sees of a message, as Telegram reads HTML; none where it would refuse it.
    fn read(html: &str) -> Option<String> {
        let (mut rest, mut seen, mut is_bold) = (html, String::new(), false);
        while let Some(character) = rest.chars().next() {
            let (shown, taken) = match character {
                '<' if rest.starts_with("<b>") && !std::mem::replace(&mut is_bold, true) => ("", 3),
                '<' if rest.starts_with("</b>") && std::mem::replace(&mut is_bold, false) => ("", 4),
                '<' | '>' => return None,
                '&' => {
                    let known = [("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")];
                    let (entity, shown) = known.into_iter().find(|(entity, _)| rest.starts_with(entity))?;
                    (shown, entity.len())
                }
                _ => (&rest[..character.len_utf8()], character.len_utf8()),
            };
            seen += shown;
            rest = &rest[taken..];
        }
        (!is_bold).then_some(seen)
    }

    #[test]
    fn of_an_address_nothing_is_told_that_may_open_something() {
        for (written, told) in [
            (
                "<b>의뢰</b>\n\n진행 상황: https://shop.example/contact/word",
                "<b>의뢰</b>\n\n진행 상황: https://shop.example/…",
            ),
            ("http://nas.local:8020?word=1#there next", "http://nas.local:8020/… next"),
            ("https://a.example and https://b.example/x.", "https://a.example and https://b.example/…"),
            ("12:30, a/b, no address", "12:30, a/b, no address"),
        ] {
            assert_eq!(without_paths(written), told);
        }
    }

    fn without_space(text: &str) -> String {
        text.chars().filter(|c| !c.is_whitespace()).collect()
    }

    proptest! {
        #[test]
        fn whatever_is_written_is_read_as_it_was_meant_in_pieces_that_telegram_takes(
            title in "\\PC{0,40}|[<>&\"b/ ]{0,20}",
            parts in prop::collection::vec("\\PC{0,30}|[<>&\"a-c/; \n]{0,40}|[가-힣]{0,20}|😀{0,9}", 0..40),
            times in 1usize..12,
        ) {
            let body = parts.concat().repeat(times);
            let pieces = pieces(&title, &body);
            let seen: Option<Vec<String>> = pieces.iter().map(|piece| read(piece)).collect();
            let seen = seen.expect("Telegram would refuse it");
            for piece in &seen {
                prop_assert!((1..=4096).contains(&piece.encode_utf16().count()));
            }
            prop_assert_eq!(without_space(&seen.concat()), without_space(&title) + &without_space(&body));
        }
    }

    #[test]
    fn a_long_text_is_cut_behind_a_line_or_a_word_and_never_within_a_character() {
        let line = format!("{}\n", "가나다 ".repeat(30));
        let pieces = pieces("", &line.repeat(60));
        assert_eq!(pieces.len(), 2);
        assert!(pieces[0].ends_with("가나다") && pieces[1].starts_with("가나다"));
        let turned = super::pieces("\u{202e}의뢰", "김\u{2067}지우: 완료");
        assert_eq!(turned, ["<b>의뢰</b>\n\n김지우: 완료"]);
        let smiles = super::pieces("", &"😀".repeat(3000));
        assert_eq!(smiles.iter().map(|piece| piece.chars().count()).collect::<Vec<_>>(), [2048, 952]);
    }
}

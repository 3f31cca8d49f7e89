//! Texts that people send: trimmed at the edge, counted in characters, never cut silently.
//!
//! What cannot be seen is no text by itself. Inside a text it stays: a family of emoji is held together by it, and some
//! scripts are written with it.

use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use icu_properties::CodePointSetData;
use icu_properties::props::DefaultIgnorableCodePoint;
use strsim::{levenshtein, osa_distance};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::schema::{BasicType, Components, Object, RefOr, Schema};
use super::validated::{Constraint, ValidationErrors};
use super::validation_messages;

/// A text of at most `MOST` characters as it was sent, and of at least `LEAST` without what surrounds it and cannot be
/// seen, which is taken away. It may have lines, but no other control characters.
pub enum Text<const LEAST: usize, const MOST: usize> {}

/// The same of one line: with a line break or a tab anywhere it is refused.
///
/// ```
/// use hanok_base::text::Line;
/// use hanok_base::validated::Constraint;
///
/// assert_eq!(Line::<1, 50>::check(" 김지우 ".to_owned()).unwrap(), "김지우");
/// assert!(Line::<1, 50>::check("김지우\n이하준".to_owned()).is_err());
/// ```
pub enum Line<const LEAST: usize, const MOST: usize> {}

/// A text that may have lines, without other control characters.
const TEXT: &str = r"^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]*$";
/// A text of one line, with something to read in it.
pub const ONE_LINE: &str =
    r"^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$";
/// A text of one line, which may be empty.
const LINE: &str = r"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$";
/// What cannot be seen by itself, beside white space and what Unicode calls default ignorable: blank Braille and
/// interlinear annotations.
const UNSEEN_BESIDE: [RangeInclusive<u32>; 2] = [0x2800..=0x2800, 0xfff9..=0xfffb];

/// What cannot be seen by itself, beside white space: marks that join or part characters, select their form or turn their
/// direction.
fn unseen() -> impl Iterator<Item = RangeInclusive<u32>> {
    CodePointSetData::new::<DefaultIgnorableCodePoint>().iter_ranges().chain(UNSEEN_BESIDE)
}

fn is_unseen(c: char) -> bool {
    c.is_whitespace()
        || CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
        || UNSEEN_BESIDE.iter().any(|range| range.contains(&u32::from(c)))
}

/// A text that may have lines, with something to see in it.
static SAID: LazyLock<String> =
    LazyLock::new(|| with_something_to_see(r"\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f"));
/// A text of one line, with something to see in it.
static SAID_LINE: LazyLock<String> = LazyLock::new(|| with_something_to_see(r"\u0000-\u001f\u007f-\u009f\u2028\u2029"));

/// The pattern of a text without the characters `others` that has something to see in it. What lies beyond the first plane
/// stands as it is: for an escape of it every language has its own form.
fn with_something_to_see(others: &str) -> String {
    let written = |code: u32| match char::from_u32(code) {
        Some(c) if code > 0xffff => c.to_string(),
        _ => format!("\\u{code:04x}"),
    };
    let range = |range: RangeInclusive<u32>| match range.into_inner() {
        (first, last) if first == last => written(first),
        (first, last) => format!("{}-{}", written(first), written(last)),
    };
    let unseen: String = unseen().map(range).collect();
    format!(r"^[^{others}]*[^\s\u0000-\u001f\u007f-\u009f{unseen}][^{others}]*$")
}

/// Whether `c` says nothing at an end of a text. A selector of form and a tag belong to the character before them, a filler
/// of old Hangul to the letter beside it, a mark of notes or shorthand to what it joins, and a turn of direction to what it
/// turns, so these stay.
fn is_idle_at_an_end(c: char) -> bool {
    let belongs = matches!(c, '\u{180b}'..='\u{180d}' | '\u{180f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}')
        || matches!(c, '\u{115f}' | '\u{1160}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}')
        || is_direction_mark(c);
    is_unseen(c) && !belongs
}

/// Whether `c` is a mark that turns the direction of the text around it (Unicode's `Bidi_Control`).
fn is_direction_mark(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// `text` without marks of direction. One that is not closed would also turn what stands behind the text.
///
/// ```
/// use hanok_base::text::without_direction_marks;
///
/// assert_eq!(without_direction_marks("\u{202e}웹사이트"), "웹사이트");
/// ```
pub fn without_direction_marks(text: &str) -> Cow<'_, str> {
    if text.contains(is_direction_mark) { Cow::Owned(text.replace(is_direction_mark, "")) } else { Cow::Borrowed(text) }
}

/// `sent` without what surrounds it and cannot be seen; empty when there is nothing to see in it.
fn seen(sent: &str) -> &str {
    if sent.chars().all(is_unseen) { "" } else { sent.trim_matches(is_idle_at_an_end) }
}

impl<const LEAST: usize, const MOST: usize> Constraint for Text<LEAST, MOST> {
    type Input = String;
    type Value = String;

    fn check(mut sent: String) -> Result<String, ValidationErrors> {
        let whole = sent.chars().count();
        let text = seen(&sent);
        let length = if whole > MOST { whole } else { text.chars().count() };
        if length < LEAST && LEAST == 1 {
            return Err(validation_messages::NOT_EMPTY.into());
        }
        if length < LEAST || length > MOST {
            return Err(validation_messages::LENGTH
                .with([("least", LEAST.into()), ("most", MOST.into()), ("length", length.into())])
                .into());
        }
        if sent.chars().any(|c| c.is_control() && c != '\n' && c != '\t' && c != '\r') {
            return Err(validation_messages::NO_CONTROL.into());
        }
        // Taken away in its place: a text may be many megabytes.
        let (from, length) = (sent.find(|c| !is_idle_at_an_end(c)).unwrap_or(0), text.len());
        sent.truncate(from + length);
        sent.drain(..from);
        Ok(sent)
    }

    fn schema(_components: &mut Components) -> RefOr<Schema> {
        let text = Object::with_type(BasicType::String).max_length(MOST);
        if LEAST == 0 { text.pattern(TEXT).into() } else { text.min_length(LEAST).pattern(SAID.as_str()).into() }
    }
}

impl<const LEAST: usize, const MOST: usize> Constraint for Line<LEAST, MOST> {
    type Input = String;
    type Value = String;

    fn check(sent: String) -> Result<String, ValidationErrors> {
        match sent.chars().any(|c| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')) {
            true => Err(validation_messages::ONE_LINE.into()),
            false => Text::<LEAST, MOST>::check(sent),
        }
    }

    fn schema(_components: &mut Components) -> RefOr<Schema> {
        let text = Object::with_type(BasicType::String).max_length(MOST);
        if LEAST == 0 { text.pattern(LINE).into() } else { text.min_length(LEAST).pattern(SAID_LINE.as_str()).into() }
    }
}

/// `text` in Unicode's form C, in which a syllable is one character: a file that was named on a Mac spells it letter by letter.
pub fn composed(text: &str) -> Cow<'_, str> {
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => Cow::Borrowed(text),
        _ => Cow::Owned(text.nfc().collect()),
    }
}

/// The first `most` characters of `text`. Where it has more, the last of them is an ellipsis.
pub fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
        None => text.to_owned(),
    }
}

/// The known word that is nearest to `word`, for "did you mean" (Levenshtein distance, at most half the word).
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|candidate| (levenshtein(word, candidate), candidate))
        .min()
        .filter(|(steps, _)| *steps <= word.chars().count().div_ceil(2))
        .map(|(_, candidate)| candidate)
}

/// Whether `word` becomes `other` by at most `steps` letters that are put in, left out or exchanged, or neighbours that are.
pub fn is_near(word: &str, other: &str, steps: usize) -> bool {
    osa_distance(word, other) <= steps
}

/// The initial consonants of Hangul, in the order of its syllables.
const INITIALS: [char; 19] =
    ['ㄱ', 'ㄲ', 'ㄴ', 'ㄷ', 'ㄸ', 'ㄹ', 'ㅁ', 'ㅂ', 'ㅃ', 'ㅅ', 'ㅆ', 'ㅇ', 'ㅈ', 'ㅉ', 'ㅊ', 'ㅋ', 'ㅌ', 'ㅍ', 'ㅎ'];

/// `text` with the initial consonant in the place of each syllable of Hangul.
pub fn initials(text: &str) -> String {
    let initial = |c: char| match c {
        '가'..='힣' => INITIALS.get((u32::from(c) - u32::from('가')) as usize / 588).copied().unwrap_or(c),
        other => other,
    };
    text.chars().map(initial).collect()
}

/// Whether `word` is made of initial consonants alone.
pub fn is_initials(word: &str) -> bool {
    word.chars().all(|c| INITIALS.contains(&c))
}

/// A whole number with its thousands apart: `1,234,567`.
pub fn thousands(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if number < 0 { format!("-{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn title<const MOST: usize>(sent: &str) -> Result<String, ValidationErrors> {
        Text::<1, MOST>::check(sent.to_owned())
    }

    #[test]
    fn lengths_are_counted_in_characters() {
        assert_eq!(title::<8>("  우유 사기 ").unwrap(), "우유 사기");
        assert!(title::<7>("  우유 사기 ").is_err());
        assert!(title::<5>("   ").is_err());
        assert!(title::<5>("여섯글자이다").is_err());
        assert!(title::<5>("a\u{0}b").is_err());
    }

    #[test]
    fn control_characters_are_refused_wherever_they_stand_as_the_pattern_says() {
        for odd in ['\u{b}', '\u{c}', '\u{85}', '\u{1f}', '\u{7f}'] {
            for sent in [format!("{odd}우유"), format!("우유{odd}"), format!("우{odd}유"), format!(" {odd} 우유")]
            {
                let refused = Text::<0, 20>::check(sent.clone());
                assert_eq!(refused, Err(validation_messages::NO_CONTROL.into()), "{sent:?}");
                assert_eq!(title::<20>(&sent), refused, "{sent:?}");
            }
        }
        assert_eq!(title::<20>("\t우유\r\n").unwrap(), "우유");
    }

    #[test]
    fn a_line_has_no_break_wherever_it_stands_as_the_pattern_says() {
        let pattern = regex::Regex::new(&SAID_LINE).unwrap();
        for sent in ["김\n지우", "김지우\n", "김\r지우", "\t김지우", "김\u{85}지우", "김\u{2028}지우"]
        {
            assert_eq!(Line::<1, 50>::check(sent.to_owned()), Err(validation_messages::ONE_LINE.into()), "{sent:?}");
            assert!(!pattern.is_match(sent), "{sent:?}");
        }
        assert_eq!(Line::<1, 50>::check(" 김 지우 ".to_owned()).unwrap(), "김 지우");
        assert_eq!(Line::<1, 50>::check("\u{200b}".to_owned()), Err(validation_messages::NOT_EMPTY.into()));
        assert!(pattern.is_match(" 김 지우 ") && !pattern.is_match("\u{200b}"));
    }

    #[test]
    fn a_long_text_is_cut_at_a_character_and_shows_that_it_was() {
        assert_eq!((cut("우유 사기", 5).as_str(), cut("우유 사기", 4).as_str()), ("우유 사기", "우유 …"));
        assert_eq!((cut("", 3).as_str(), cut("우", 1).as_str()), ("", "우"));
    }

    #[test]
    fn thousands_stand_apart() {
        assert_eq!(thousands(40_722_959_400), "40,722,959,400");
        assert_eq!(thousands(-1000), "-1,000");
        assert_eq!((thousands(999), thousands(0)), ("999".to_owned(), "0".to_owned()));
    }

    #[test]
    fn what_cannot_be_seen_is_no_title_and_is_taken_away_at_its_ends() {
        for unseen in [
            "\u{feff}",
            "\u{200b}\u{200b}",
            " \u{2060} ",
            "\u{200d}",
            "\u{3164}",
            "\u{fe0f}",
            "\u{202e}",
            "\u{ad}",
            "\u{2800}",
            "\u{115f}",
            "\u{115f}\u{1160}",
            "\u{fff0}",
            "\u{fff8}",
            "\u{1bca0}",
            "\u{1d173}",
            "\u{e0001}",
            "\u{e0100}\u{e0fff}",
        ] {
            assert_eq!(title::<20>(unseen), Err(validation_messages::NOT_EMPTY.into()), "{unseen:?}");
            assert_eq!(Text::<0, 20>::check(unseen.to_owned()).unwrap(), "", "{unseen:?}");
        }
        assert_eq!(title::<20>("\u{feff} 우유 \u{200b}\r\n").unwrap(), "우유");
        // A family, a heart of its own colour, the flag of England, a Persian word and a Hebrew one, old Hangul
        // letters and a name in its own form keep their marks.
        for whole in [
            "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}",
            "\u{2764}\u{fe0f}",
            "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
            "\u{645}\u{6cc}\u{200c}\u{62e}\u{648}\u{627}\u{647}\u{645}",
            "\u{200f}(\u{5e9}\u{5dc})\u{200f}",
            "\u{115f}\u{1161}",
            "\u{1100}\u{1160}",
            "\u{845b}\u{e0100}",
        ] {
            assert_eq!(title::<20>(whole).unwrap(), whole);
        }
    }

    #[test]
    fn marks_of_direction_are_left_out_and_joiners_stay() {
        let alone = ['\u{61c}', '\u{200e}', '\u{200f}'].into_iter();
        let marks = alone.chain('\u{202a}'..='\u{202e}').chain('\u{2066}'..='\u{2069}');
        let marked: String = marks.flat_map(|mark| ['가', mark]).collect();
        assert_eq!(without_direction_marks(&marked), "가".repeat(12));
        let family = "\u{1f468}\u{200d}\u{1f469} \u{5e9}\u{5dc} \u{200b}";
        assert_eq!(without_direction_marks(family), family);
    }

    #[test]
    fn the_nearest_known_word_is_offered() {
        assert_eq!(nearest("lissten", ["listen", "access"]), Some("listen"));
        assert_eq!(nearest("zzz", ["listen", "access"]), None);
    }

    proptest! {
        #[test]
        fn any_text_is_kept_but_for_the_white_space_around_it_or_refused(text in "[\\x00-\\x9f]{0,10}|\\PC{0,50}") {
            for (kept, least, most) in [
                (Text::<0, 20>::check(text.clone()), 0, 20),
                (Text::<1, 40>::check(text.clone()), 1, 40),
                (Text::<2, 3>::check(text.clone()), 2, 3),
            ] {
                let Ok(kept) = kept else { continue };
                prop_assert_eq!(&kept, seen(&text));
                prop_assert!(text.contains(&kept) && (kept.is_empty() || kept.chars().any(|c| !is_unseen(c))));
                prop_assert!(text.chars().count() <= most && kept.chars().count() >= least);
                prop_assert!(kept.chars().all(|c| !c.is_control() || "\n\t\r".contains(c)));
            }
            nearest(&text, ["listen", "access"]);
        }
    }

    /// For the long suite.
    mod long {
        use super::*;

        #[test]
        fn the_pattern_refuses_by_itself_just_what_the_check_refuses_in_all_of_unicode() {
            let pattern = regex::Regex::new(&SAID).unwrap();
            for c in '\0'..=char::MAX {
                let sent = c.to_string();
                assert_eq!(pattern.is_match(&sent), title::<20>(&sent).is_ok(), "U+{:04X}", u32::from(c));
            }
        }
    }
}

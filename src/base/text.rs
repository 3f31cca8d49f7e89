//! Texts that people send: trimmed at the edge, counted in characters, never cut silently.

use strsim::levenshtein;

use super::schema::{BasicType, Components, Object, RefOr, Schema};
use super::sent::{Constraint, Refused};

/// A text of at most `MOST` characters as it was sent, and of at least `LEAST` without its surrounding white space,
/// which is taken away. It may have lines, but no other control characters.
pub enum Text<const LEAST: usize, const MOST: usize> {}

/// A text that may have lines, without other control characters.
const TEXT: &str = r"^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]*$";
/// A text of one line, with something to read in it.
pub const ONE_LINE: &str =
    r"^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$";
/// A text that may have lines, with something to read in it.
const SAID: &str = r"^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]*$";

impl<const LEAST: usize, const MOST: usize> Constraint for Text<LEAST, MOST> {
    type Sent = String;
    type Value = String;

    fn check(sent: String) -> Result<String, Refused> {
        let whole = sent.chars().count();
        let text = sent.trim();
        let length = if whole > MOST { whole } else { text.chars().count() };
        if length < LEAST && LEAST == 1 {
            return Err("must not be empty".into());
        }
        if length < LEAST || length > MOST {
            return Err(format!("must be {LEAST} to {MOST} characters, has {length}").into());
        }
        if sent.chars().any(|c| c.is_control() && c != '\n' && c != '\t' && c != '\r') {
            return Err("must not contain control characters".into());
        }
        Ok(text.to_owned())
    }

    fn schema(_components: &mut Components) -> RefOr<Schema> {
        let text = Object::with_type(BasicType::String).max_length(MOST);
        if LEAST == 0 { text.pattern(TEXT).into() } else { text.min_length(LEAST).pattern(SAID).into() }
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn title<const MOST: usize>(sent: &str) -> Result<String, Refused> {
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
                assert_eq!(refused, Err("must not contain control characters".into()), "{sent:?}");
                assert_eq!(title::<20>(&sent), refused, "{sent:?}");
            }
        }
        assert_eq!(title::<20>("\t우유\r\n").unwrap(), "우유");
    }

    #[test]
    fn a_long_text_is_cut_at_a_character_and_shows_that_it_was() {
        assert_eq!((cut("우유 사기", 5).as_str(), cut("우유 사기", 4).as_str()), ("우유 사기", "우유 …"));
        assert_eq!((cut("", 3).as_str(), cut("우", 1).as_str()), ("", "우"));
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
                prop_assert_eq!(&kept, text.trim());
                prop_assert!(text.chars().count() <= most && kept.chars().count() >= least);
                prop_assert!(kept.chars().all(|c| !c.is_control() || "\n\t\r".contains(c)));
            }
            nearest(&text, ["listen", "access"]);
        }
    }
}

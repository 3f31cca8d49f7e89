//! Texts that people send: trimmed at the edge, counted in characters, never cut silently.

use strsim::levenshtein;

use super::error::{Error, Result};

/// A text of at most `most` characters as it was sent, and of at least `least` without its surrounding white space,
/// which is taken away.
pub fn bounded(path: &str, text: &str, least: usize, most: usize) -> Result<String> {
    let sent = text.chars().count();
    let text = text.trim();
    let length = if sent > most { sent } else { text.chars().count() };
    if length < least && least == 1 {
        return Err(Error::field(path, "must not be empty"));
    }
    if length < least || length > most {
        return Err(Error::field(path, format!("must be {least} to {most} characters, has {length}")));
    }
    if text.chars().any(|c| c.is_control() && c != '\n' && c != '\t' && c != '\r') {
        return Err(Error::field(path, "must not contain control characters"));
    }
    Ok(text.to_owned())
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

    #[test]
    fn lengths_are_counted_in_characters() {
        assert_eq!(bounded("title", "  우유 사기 ", 1, 8).unwrap(), "우유 사기");
        assert!(bounded("title", "  우유 사기 ", 1, 7).is_err());
        assert!(bounded("title", "   ", 1, 5).is_err());
        assert!(bounded("title", "여섯글자이다", 1, 5).is_err());
        assert!(bounded("title", "a\u{0}b", 1, 5).is_err());
    }

    #[test]
    fn the_nearest_known_word_is_offered() {
        assert_eq!(nearest("lissten", ["listen", "access"]), Some("listen"));
        assert_eq!(nearest("zzz", ["listen", "access"]), None);
    }

    proptest! {
        #[test]
        fn any_text_is_kept_but_for_the_white_space_around_it_or_refused(text in "[\\x00-\\x9f]{0,10}|\\PC{0,50}", least in 0usize..3, most in 1usize..40) {
            match bounded("note", &text, least, most) {
                Ok(kept) => {
                    prop_assert_eq!(&kept, text.trim());
                    prop_assert!(text.chars().count() <= most && kept.chars().count() >= least);
                    prop_assert!(kept.chars().all(|c| !c.is_control() || "\n\t\r".contains(c)));
                }
                Err(error) => prop_assert!(error.fields.contains_key("note")),
            }
            nearest(&text, ["listen", "access"]);
        }
    }
}

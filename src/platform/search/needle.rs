//! What is shown of a text: the places in it that a word of the query was found by.

/// What is to be seen in a text where it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Needle {
    /// This, wherever it stands.
    Anywhere(String),
    /// Words that begin with this.
    AtBeginning(String),
    /// Words that differ from this by at most so many letters.
    Near(String, usize),
    /// Syllables with these initial consonants.
    Initials(String),
}

/// How many letters of a Latin word may be mistyped: numbers and short words are meant as they are.
pub(super) fn steps(word: &str) -> u8 {
    if !word.chars().all(|letter| letter.is_ascii_lowercase()) {
        return 0;
    }
    match word.len() {
        ..4 => 0,
        4..8 => 1,
        _ => 2,
    }
}

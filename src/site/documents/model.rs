//! What a document is called, and what is known of it.

use chrono::{DateTime, Utc};
use serde::Serialize;

use hanok_base::page::Listed;
use hanok_base::schema::ToSchema;

/// The largest document that is opened, in bytes.
pub const MOST_BYTES: u64 = 5 << 20;
/// The most signs of a name before its ending.
const LONGEST_NAME: usize = 100;

/// A file among the documents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct DocumentFile {
    /// Its name, by which it is opened.
    pub name: String,
    /// Its size, in bytes.
    pub bytes: u64,
    /// When it was changed last.
    pub modified_at: DateTime<Utc>,
    /// Whether it is opened; one of more than 5 MiB is not.
    pub can_open: bool,
}

impl Listed for DocumentFile {
    const PLURAL: &'static str = "documents";
}

/// Whether a document may be called so: letters, digits, `.`, `_`, `-` and spaces, a letter or digit first, `.html` or `.htm`
/// last. So a name leads out of no folder, and to no hidden file.
pub fn is_document_name(name: &str) -> bool {
    let Some(stem) = name.strip_suffix(".html").or_else(|| name.strip_suffix(".htm")) else { return false };
    let is_letter = |sign: char| sign.is_alphabetic() || sign.is_ascii_digit();
    stem.starts_with(is_letter)
        && stem.chars().count() <= LONGEST_NAME
        && stem.chars().all(|sign| is_letter(sign) || matches!(sign, '.' | '_' | '-' | ' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_has_a_plain_name_that_leads_nowhere_else() {
        let longest = format!("{}.html", "가".repeat(100));
        for name in ["a.html", "제안서 1.2판.html", "Proposal_2026-10.htm", "7.html", "a.b.html", &longest] {
            assert!(is_document_name(name), "{name}");
        }
        let longer = format!("가{longest}");
        for name in [
            "",
            ".html",
            ".a.html",
            "-a.html",
            " a.html",
            "a",
            "a.HTML",
            "a.html/",
            "a.html ",
            "a.txt",
            "a.html.gz",
            "../a.html",
            "a/b.html",
            "a\\b.html",
            "/a.html",
            "a\0.html",
            "a%2fb.html",
            "a\u{202e}b.html",
            "a\n.html",
            &longer,
        ] {
            assert!(!is_document_name(name), "{name:?}");
        }
    }
}

//! A quote made into a PDF off the async threads, one after the other: a long one takes much memory. The files that were asked
//! for last are kept, so that whoever asks for one again and again has it made once.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use chrono::{DateTime, Utc};

use super::super::model::{PublicQuote, QuoteStatus};
use super::pdf::{PdfShop, render};
use hanok_base::Result;
use hanok_platform::blocking::{OneByOne, go_on};
use hanok_platform::mail::Language;

/// How many files are kept.
const MOST_KEPT: usize = 16;
/// How large all of them may be together, in bytes.
const MOST_BYTES: usize = 16 << 20;

/// The turn of the files, which nothing but them waits for.
static TURN: OneByOne = OneByOne::free();

/// Who offers a quote, as it stands at its head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letterhead {
    /// The name of the shop.
    pub name: String,
    /// What is known of it, each with its label.
    pub particulars: Vec<(&'static str, String)>,
}

/// All that a file follows from: the hashes stand for what the quote says and for what was decided.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Asked {
    letterhead: Letterhead,
    language: Language,
    status: QuoteStatus,
    hash: String,
    decision: Option<String>,
    dated: DateTime<Utc>,
}

/// The files that were made last, the newest first.
#[derive(Debug)]
struct Kept(VecDeque<(Asked, Vec<u8>)>);

static KEPT: Mutex<Kept> = Mutex::new(Kept(VecDeque::new()));

impl Kept {
    fn find(&self, asked: &Asked) -> Option<Vec<u8>> {
        self.0.iter().find(|(known, _)| known == asked).map(|(_, file)| file.clone())
    }

    fn keep(&mut self, asked: Asked, file: &[u8]) {
        if file.len() > MOST_BYTES {
            return;
        }
        self.0.push_front((asked, file.to_vec()));
        self.0.truncate(MOST_KEPT);
        while self.bytes() > MOST_BYTES {
            self.0.pop_back();
        }
    }

    fn bytes(&self) -> usize {
        self.0.iter().map(|(_, file)| file.len()).sum()
    }
}

/// The quote as a PDF in this language.
///
/// # Errors
/// Those of [`render`]; `CONFLICT` where nobody waits for it any more.
pub async fn print(letterhead: Letterhead, quote: PublicQuote, language: Language) -> Result<Vec<u8>> {
    let asked = Asked {
        letterhead,
        language,
        status: quote.status,
        hash: quote.hash.clone(),
        decision: quote.decision.as_ref().map(|decision| decision.hash.clone()),
        dated: quote.sent_at.unwrap_or(quote.created_at),
    };
    if let Some(file) = kept(&asked) {
        return Ok(file);
    }
    let made = TURN.run(move |abandoned| {
        // Who waited before may have asked for the same.
        if let Some(file) = kept(&asked) {
            return Ok(file);
        }
        let Letterhead { name, particulars } = &asked.letterhead;
        let particulars = particulars.iter().map(|(label, text)| (*label, text.as_str())).collect();
        let file = render(&PdfShop { name, particulars }, &quote, language, &|| go_on(abandoned))?;
        KEPT.lock().unwrap_or_else(PoisonError::into_inner).keep(asked, &file);
        Ok(file)
    });
    made.await
}

fn kept(asked: &Asked) -> Option<Vec<u8>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner).find(asked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_kept_for_what_it_was_made_of_until_others_have_come_and_not_where_it_is_too_large() {
        let of = |hash: usize, language| Asked {
            letterhead: Letterhead { name: "예시 상점".to_owned(), particulars: Vec::new() },
            language,
            status: QuoteStatus::Sent,
            hash: hash.to_string(),
            decision: None,
            dated: DateTime::UNIX_EPOCH,
        };
        let mut kept = Kept(VecDeque::new());
        kept.keep(of(0, Language::Ko), b"one");
        assert_eq!(kept.find(&of(0, Language::Ko)).as_deref(), Some(&b"one"[..]));
        assert_eq!(kept.find(&of(0, Language::En)), None);
        assert_eq!(kept.find(&Asked { decision: Some("d".to_owned()), ..of(0, Language::Ko) }), None);
        assert_eq!(kept.find(&Asked { status: QuoteStatus::Draft, ..of(0, Language::Ko) }), None);
        kept.keep(of(1, Language::Ko), &vec![0; MOST_BYTES + 1]);
        assert_eq!(kept.find(&of(1, Language::Ko)), None);
        for hash in 2..=MOST_KEPT {
            kept.keep(of(hash, Language::Ko), b"another");
        }
        assert!(kept.find(&of(0, Language::Ko)).is_some(), "one less than there is room for came after it");
        kept.keep(of(1, Language::En), b"the last");
        assert_eq!((kept.find(&of(0, Language::Ko)), kept.0.len()), (None, MOST_KEPT));
        for language in [Language::En, Language::Ko] {
            kept.keep(of(99, language), &vec![0; MOST_BYTES / 2 + 1]);
        }
        assert!(kept.find(&of(99, Language::En)).is_none() && kept.bytes() <= MOST_BYTES, "two are too much together");
        assert!(kept.find(&of(99, Language::Ko)).is_some(), "the last one is kept");
    }
}

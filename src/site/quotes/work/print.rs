//! A quote made into a PDF off the async threads, one after the other: a long one takes much memory.

use super::super::model::PublicQuote;
use super::pdf::{PdfShop, render};
use hanok_base::Result;
use hanok_platform::blocking;
use hanok_platform::mail::Language;

/// Who offers a quote, as it stands at its head.
#[derive(Debug, Clone)]
pub struct Letterhead {
    /// The name of the shop.
    pub name: String,
    /// What is known of it, each with its label.
    pub particulars: Vec<(&'static str, String)>,
}

/// The quote as a PDF in this language.
///
/// # Errors
/// Those of [`render`].
pub async fn print(letterhead: Letterhead, quote: PublicQuote, language: Language) -> Result<Vec<u8>> {
    let made = blocking::run_in_turn(move |_| {
        let particulars = letterhead.particulars.iter().map(|(label, text)| (*label, text.as_str())).collect();
        render(&PdfShop { name: &letterhead.name, particulars }, &quote, language)
    });
    made.await
}

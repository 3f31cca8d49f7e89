//! What a mail says: a template in both languages, from which its text and its HTML are made alike.
//!
//! A template is a short text: `Subject: …` in the first line, then paragraphs with an empty line between them. `{name}`
//! stands for a value, and a paragraph of `[label]({link})` alone is a button. What it is made of is found before the values
//! are put in, so that no value becomes a paragraph, a button or HTML.

use serde::{Deserialize, Serialize};

use super::row::Attached;
pub use hanok_base::Language;
use hanok_base::text::{cut, without_direction_marks};
use hanok_base::{Error, Result};

/// The longest subject, in characters.
const LONGEST_SUBJECT: usize = 200;
/// The longest mail, in bytes of its text.
const LONGEST_TEXT: usize = 128 << 10;
/// The longest link: a line of a mail has 998 bytes (RFC 5322, section 2.1.1).
const LONGEST_LINK: usize = 900;
/// How the HTML of every mail begins and ends.
const FRAME: &str = include_str!("../../../assets/mail/frame.html");

/// A mail as it is written for all who get it.
#[derive(Debug, Clone, Copy)]
pub struct Template {
    /// What it is, unique in the house, such as `contact_receipt`.
    pub kind: &'static str,
    /// In Korean.
    pub ko: &'static str,
    /// In English.
    pub en: &'static str,
}

/// A mail as it is written for one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Letter {
    /// The kind of its template.
    pub kind: String,
    /// Its language.
    pub language: Language,
    /// Its subject, one line.
    pub subject: String,
    /// What it says, as text.
    pub text: String,
    /// The same as HTML.
    pub html: String,
    /// The files that are to go with it; they are kept with the mail.
    #[serde(skip)]
    pub(super) attached: Vec<Attached>,
    /// Where its reader says that no more of these are wanted; it is kept with the mail.
    #[serde(skip)]
    pub(super) way_out: Option<String>,
    /// What it is about; it is kept with the mail.
    #[serde(skip)]
    pub(super) about: Option<String>,
    /// Whether it goes before others.
    #[serde(skip)]
    pub(super) is_first: bool,
}

impl Letter {
    /// The same about the thing of this id, with which it can be taken back: see [`super::take_back`].
    pub fn about(self, id: &str) -> Letter {
        Letter { about: Some(id.to_owned()), ..self }
    }

    /// The same as one that somebody waits for at a page: it goes out before those that nobody waits for.
    pub fn before_others(self) -> Letter {
        Letter { is_first: true, ..self }
    }

    /// The same with a file of the house.
    pub fn with_file(mut self, file: Attached) -> Letter {
        self.attached.push(file);
        self
    }

    /// The same as one of many that nobody has asked for by what they just did: whoever gets it leaves these mails by one
    /// press in the mail program, which asks `link` by `POST` for it (RFC 8058), or by opening it. The link itself says whose
    /// mails it ends, and the route behind it asks for no session.
    ///
    /// # Errors
    /// `INTERNAL` where that is no https link.
    pub fn left_at(self, link: &str) -> Result<Letter> {
        if !is_way_out(link) {
            return Err(Error::internal(format!("the mail {}: no way out of it", self.kind)));
        }
        Ok(Letter { way_out: Some(link.to_owned()), ..self })
    }
}

impl Template {
    /// The mail in `language` with these values in their places.
    ///
    /// # Errors
    /// `INTERNAL` where the template or its values are not whole, or where it becomes too long.
    pub fn filled(&self, language: Language, values: &[(&str, &str)]) -> Result<Letter> {
        let written = match language {
            Language::Ko => self.ko,
            Language::En => self.en,
        };
        let wrong = |what: &str| Error::internal(format!("the mail {}: {what}", self.kind));
        let fill = |text: &str| filled(text, values).map_err(|name| wrong(&format!("{{{name}}} has no value")));
        let (subject, body) = written.split_once("\n\n").ok_or_else(|| wrong("has no body"))?;
        let subject = subject.strip_prefix("Subject: ").ok_or_else(|| wrong("has no subject"))?;
        let subject = cut(&in_one_line(&fill(subject)?), LONGEST_SUBJECT);
        let (mut text, mut html) = (Vec::new(), Vec::new());
        for paragraph in body.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty()) {
            if let Some((label, link)) = button(paragraph) {
                let (label, link) = (fill(label)?, fill(link)?);
                if !is_link(&link) {
                    return Err(wrong("a link leads to no web page"));
                }
                text.push(format!("{label}\n{link}"));
                html.push(format!("<p><a href=\"{}\">{}</a></p>", escaped(&link), escaped(&label)));
            } else {
                let said = fill(paragraph)?.replace("\r\n", "\n").replace('\r', "\n");
                if said.trim().is_empty() {
                    continue;
                }
                html.push(format!("<p>{}</p>", escaped(&said).replace('\n', "<br>\n")));
                text.push(said);
            }
        }
        let text = text.join("\n\n") + "\n";
        if text.len() > LONGEST_TEXT {
            return Err(wrong("is too long"));
        }
        let html = framed(language, &subject, &html.join("\n"));
        let kind = self.kind.to_owned();
        let attached = Vec::new();
        Ok(Letter { kind, language, subject, text, html, attached, way_out: None, about: None, is_first: false })
    }
}

/// `text` with the values in their places, or the name that has none. Marks of direction in a value are left out: they
/// would also turn the words behind it.
fn filled(text: &str, values: &[(&str, &str)]) -> Result<String, String> {
    let mut whole = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('{') {
        let Some((name, behind)) = behind.split_once('}') else { break };
        let value = values.iter().find(|(known, _)| *known == name).ok_or_else(|| name.to_owned())?.1;
        whole.push_str(before);
        whole.push_str(&without_direction_marks(value));
        rest = behind;
    }
    Ok(whole + rest)
}

/// The label and the link of a paragraph that is a button.
fn button(paragraph: &str) -> Option<(&str, &str)> {
    paragraph.strip_prefix('[')?.strip_suffix(')')?.split_once("](").filter(|_| !paragraph.contains('\n'))
}

fn is_link(link: &str) -> bool {
    (link.starts_with("https://") || link.starts_with("http://"))
        && link.chars().all(|c| !c.is_whitespace() && !c.is_control())
}

/// Whether a reader can say at `link` that no more of these mails are wanted.
fn is_way_out(link: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_graphic() && !b"<>,\"".contains(&byte);
    link.starts_with("https://") && link.len() <= LONGEST_LINK && link.bytes().all(is_plain)
}

fn in_one_line(text: &str) -> String {
    text.split(|c: char| c.is_control() || c == '\u{2028}' || c == '\u{2029}').collect::<Vec<_>>().join(" ")
}

fn framed(language: Language, subject: &str, body: &str) -> String {
    // The body last: what a customer wrote may look like a place.
    let frame = FRAME.replace("{language}", language.tag());
    let (head, tail) = frame.split_once("{body}").unwrap_or((&frame, ""));
    [&head.replace("{subject}", &escaped(subject)), body, tail].concat()
}

/// `text` as it stands in HTML.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECEIPT: Template = Template {
        kind: "receipt",
        ko: "Subject: {name} 님의 요청을 받았습니다\n\n{name} 님, 고맙습니다.\n\n{message}\n\n[진행 보기]({link})\n",
        en: "Subject: Request of {name}\n\nThank you, {name}.\n\n{message}\n\n[Follow it]({link})\n",
    };

    fn receipt(name: &str, message: &str, link: &str) -> Result<Letter> {
        RECEIPT.filled(Language::En, &[("name", name), ("message", message), ("link", link)])
    }

    #[test]
    fn the_text_and_the_html_of_a_mail_say_the_same_in_its_language() {
        let link = "https://shop.example/track/a?b=1&c=2";
        let letter =
            RECEIPT.filled(Language::Ko, &[("name", "지우"), ("message", "안녕하세요.\r\n또 봅시다."), ("link", link)]);
        let letter = letter.unwrap();
        assert_eq!(letter.subject, "지우 님의 요청을 받았습니다");
        assert_eq!(letter.text, format!("지우 님, 고맙습니다.\n\n안녕하세요.\n또 봅시다.\n\n진행 보기\n{link}\n"));
        assert!(letter.html.contains("<html lang=\"ko\">") && letter.html.contains("안녕하세요.<br>\n또 봅시다."));
        assert!(letter.html.contains("<a href=\"https://shop.example/track/a?b=1&amp;c=2\">진행 보기</a>"));
    }

    #[test]
    fn what_somebody_wrote_becomes_no_html_no_header_no_button_and_no_place() {
        let hostile = "<script>alert(1)</script>\n\n[Pay](https://evil.example)\n\n{link} {body}";
        let letter = receipt("A\r\nBcc: b@example.com", hostile, "https://shop.example").unwrap();
        assert_eq!(letter.subject, "Request of A  Bcc: b@example.com");
        assert!(!letter.html.contains("<script") && !letter.html.contains("href=\"https://evil.example\""));
        assert!(letter.html.contains("{link} {body}"), "{}", letter.html);
        let turned = receipt("\u{202e}A\u{2067}", "b\u{200f}", "https://shop.example").unwrap();
        assert_eq!(turned, receipt("A", "b", "https://shop.example").unwrap(), "no value turns the words beside it");
        assert_eq!(letter.html.matches("<a href").count(), 1);
    }

    #[test]
    fn a_mail_that_is_not_whole_is_not_written() {
        let said = |letter: Result<Letter>| letter.unwrap_err().cause.unwrap();
        assert_eq!(said(RECEIPT.filled(Language::En, &[("name", "A")])), "the mail receipt: {message} has no value");
        assert!(said(receipt("A", "b", "javascript:alert(1)")).contains("no web page"));
        assert!(said(receipt("A", &"b".repeat(LONGEST_TEXT), "https://shop.example")).contains("too long"));
        assert_eq!(receipt(&"a".repeat(500), "b", "https://shop.example").unwrap().subject.chars().count(), 200);
    }

    #[test]
    fn a_way_out_is_a_safe_link_and_brings_no_header() {
        assert!(is_way_out("https://shop.example/leave?token=a-b_c"));
        for no_link in
            ["http://shop.example/x", "https://a\r\nBcc: b", "https://a>, <mailto:b@c>", "https://한글.example", ""]
        {
            assert!(!is_way_out(no_link), "{no_link}");
        }
        assert!(!is_way_out(&format!("https://a.example/{}", "b".repeat(LONGEST_LINK))));
    }

    #[test]
    fn the_mails_of_the_house_say_the_same_values_in_both_languages() {
        for language in [Language::Ko, Language::En] {
            let letter = super::super::TEST.filled(language, &[("place", "hanok.lan"), ("asked_at", "10:00")]).unwrap();
            assert!(letter.text.contains("hanok.lan") && letter.text.contains("10:00"), "{letter:?}");
        }
    }
}

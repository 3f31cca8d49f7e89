//! A mail as it travels: headers, text and HTML.

use lettre::message::header::{ContentType, Header, HeaderName, HeaderValue};
use lettre::message::{Attachment, Mailbox, MultiPart};
use lettre::{Address, address::Envelope};

use super::attached::WithFile;
use super::row::{EmailAddress, Mail};
use super::template::Letter;
use crate::config;
use hanok_base::{Message, MessageTemplate};

const UNWRITABLE: MessageTemplate = MessageTemplate::new("house.mail.unwritable", "the mail cannot be written as one");
/// Where mail comes from that stays in the folder.
const NOBODY: &str = "hanok@localhost";

/// A mail as it travels.
pub(super) struct MailMessage {
    pub envelope: Envelope,
    pub bytes: Vec<u8>,
    /// The domain that it comes from, by which the house introduces itself.
    pub domain: String,
}

impl MailMessage {
    /// The mail with what it says and what goes with it.
    pub fn of(
        settings: &config::Mail,
        mail: &Mail,
        letter: &Letter,
        files: Vec<WithFile>,
    ) -> Result<MailMessage, Message> {
        let unwritable = || Message::from(UNWRITABLE);
        let from = if settings.from.is_empty() { NOBODY } else { &settings.from };
        let from = EmailAddress::parse(from).map_err(|_| unwritable())?;
        let address = |address: &EmailAddress| address.as_str().parse::<Address>().map_err(|_| unwritable());
        let name = Some(settings.from_name.clone()).filter(|name| !name.is_empty());
        let mut message = lettre::Message::builder()
            .from(Mailbox::new(name, address(&from)?))
            .to(Mailbox::new(None, address(&mail.to)?))
            .subject(letter.subject.clone())
            .date(mail.created_at.into())
            .message_id(Some(format!("<{}@{}>", mail.token, from.domain())))
            .header(AutoSubmitted);
        if let Some(reply_to) = &mail.reply_to {
            message = message.reply_to(Mailbox::new(None, address(reply_to)?));
        }
        if let Some(link) = &mail.way_out {
            message = message.header(ListUnsubscribe(format!("<{link}>"))).header(ListUnsubscribePost);
        }
        let mut said = MultiPart::alternative_plain_html(letter.text.clone(), letter.html.clone());
        if !files.is_empty() {
            said = MultiPart::mixed().multipart(said);
        }
        for WithFile { name, kind, bytes } in files {
            let kind = ContentType::parse(kind.media_type()).map_err(|_| unwritable())?;
            said = said.singlepart(Attachment::new(name).body(bytes, kind));
        }
        let message = message.multipart(said).map_err(|_| unwritable())?;
        let (envelope, bytes) = (message.envelope().clone(), message.formatted());
        Ok(MailMessage { envelope, bytes, domain: from.domain().to_owned() })
    }
}

/// `Auto-Submitted: auto-generated` (RFC 3834): no holiday notice answers it.
#[derive(Clone)]
struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(AutoSubmitted)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}

/// `List-Unsubscribe` (RFC 2369): where its reader leaves these mails.
#[derive(Clone)]
struct ListUnsubscribe(String);

impl Header for ListUnsubscribe {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("List-Unsubscribe")
    }

    fn parse(link: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(ListUnsubscribe(link.to_owned()))
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), self.0.clone())
    }
}

/// `List-Unsubscribe-Post` (RFC 8058, section 3.1): one press is enough.
#[derive(Clone)]
struct ListUnsubscribePost;

impl Header for ListUnsubscribePost {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("List-Unsubscribe-Post")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(ListUnsubscribePost)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "List-Unsubscribe=One-Click".to_owned())
    }
}

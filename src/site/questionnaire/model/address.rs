//! Where somebody is reached: a mail address and a telephone.

use hanok_base::MessageTemplate;
use hanok_base::text::Line;
use hanok_base::validated::{Constraint, ValidationErrors};
use hanok_platform::mail::EmailAddress;

/// A text that is no mail address.
pub const EMAIL: MessageTemplate =
    MessageTemplate::new("questionnaire.must.email", "must be a mail address such as name@example.com");
/// A text that is no telephone number.
pub const PHONE: MessageTemplate =
    MessageTemplate::new("questionnaire.must.phone", "must be a telephone number such as 010-1234-5678");

/// Whether a text is a mail address of the internet.
pub fn is_email(text: &str) -> bool {
    EmailAddress::parse(text).is_ok() && text.rsplit_once('@').is_some_and(|(_, domain)| domain.contains('.'))
}

/// Whether a text is a telephone number: 7 to 15 digits and the signs between them.
pub fn is_phone(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    text.chars().all(|c| c.is_ascii_digit() || " ().+-".contains(c)) && (7..=15).contains(&digits)
}

/// A mail address in one line.
///
/// # Errors
/// What it must be.
pub fn check_email(sent: String) -> Result<String, ValidationErrors> {
    let text = Line::<1, 100>::check(sent)?;
    if is_email(&text) { Ok(text) } else { Err(EMAIL.into()) }
}

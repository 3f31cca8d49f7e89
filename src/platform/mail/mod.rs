//! Mail: queued in the transaction of its cause, sent once.
//!
//! A domain declares a [`Template`] in both languages, fills it and queues it ([`queue`]) in the transaction of the row
//! that it is about; both live or die together. The job ([`SendMail`]) has a lane of its own, in which mails go one after
//! the other, at most `mail.per_minute`. What the mail server puts off is tried again with growing pauses, for most of a
//! day.
//!
//! A mail is sent once. Its [`MailStatus`] is written before an attempt, again before the first byte of the mail itself goes
//! out, and after the server has answered. Whatever ends before that second line was surely not sent and is sent later;
//! what ends between it and the answer may have been, is [`MailStatus::DeliveryUnknown`], and goes out again only when somebody
//! says so ([`send_again`]). A restore does not send anew what went out since: see [`PRESERVED_ON_RESTORE`].
//!
//! One that somebody waits for at a page goes before all others ([`Letter::before_others`]). What a mail is about takes it
//! back with itself, whether it was sent or not ([`take_back`]).
//!
//! Files go with a mail ([`Letter::with_file`]): its row names them. One of those that nobody has asked for by what they
//! just did says how its reader leaves them ([`Letter::left_at`]).
//!
//! Without a mail server each mail becomes a file in the folder `mail` of the data folder ([`folder`]).
//!
//! What is deliberately not here: when to write to whom, and advertising with its rules. That is the domains' to know.

mod attached;
mod carried;
mod folder;
mod job;
mod message;
mod of_status;
mod row;
mod smtp;
mod store;
mod template;
#[cfg(test)]
mod tests;

pub use carried::PRESERVED_ON_RESTORE;
pub use folder::{RemoveMailFiles, purge_files};
pub use job::{SendMail, queue, send_again, take_back};
pub use of_status::list_with;
pub use row::{Attached, EmailAddress, Mail, MailStatus, Way};
pub use store::{Counts, MailSeen, TABLES, cancel, counts, find, list, list_to, purge, remove};
pub use template::{Language, Letter, Template};

use crate::store::{ReadTransaction, WriteTx};
use hanok_base::{Result, day};

/// The mail by which the household sees that mail arrives.
const TEST: Template = Template {
    kind: "test",
    ko: include_str!("../../../assets/mail/test.ko.txt"),
    en: include_str!("../../../assets/mail/test.en.txt"),
};

/// Queues a mail to `to` by which the household sees that mail arrives, from the house that calls itself `place`.
///
/// # Errors
/// Those of [`queue`].
pub fn queue_test(tx: &WriteTx, language: Language, to: &EmailAddress, place: &str) -> Result<Mail> {
    queue(tx, to, None, test_letter(tx, language, place)?.before_others())
}

fn test_letter(tx: &WriteTx, language: Language, place: &str) -> Result<Letter> {
    let asked_at = tx.now().with_timezone(&day::ZONE).format("%Y-%m-%d %H:%M").to_string();
    TEST.filled(language, &[("place", place), ("asked_at", &asked_at)])
}

//! The job that sends a mail: an attempt, step by step, each written down before it may have an effect.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tracing::warn;

use super::attached;
use super::folder::{self, RemoveMailFiles};
use super::message::MailMessage;
use super::row::{EmailAddress, Mail, MailStatus, Way};
use super::smtp::Session;
use super::store::{self, Ending};
use super::template::{Language, Letter};
use crate::app::App;
use crate::jobs::{self, Job, Lane, Progress, TaskId};
use crate::store::{ReadTransaction, WriteTx};
use hanok_base::secret::random_token;
use hanok_base::{Error, Kind, Message, Result};

/// How often a mail is tried before it counts as failed. The pauses grow from a minute to 64: most of a day.
const ATTEMPTS: u32 = 24;
/// How long to wait before an outcome that could not be written down is written again.
const WRITE_AGAIN: Duration = Duration::from_secs(5);

/// Queues `letter` to `to` in this transaction; answers go to `reply_to`, or else to the sender.
///
/// # Errors
/// `TOO_LARGE` where more files go with it than a mail may have; `NOT_FOUND` for one that is not there.
pub fn queue(tx: &WriteTx, to: &EmailAddress, reply_to: Option<&EmailAddress>, letter: Letter) -> Result<Mail> {
    attached::check(tx, &letter.attached)?;
    let id = tx.next_id("mail")?;
    let task = jobs::enqueue(tx, &SendMail { mail: id })?;
    let mail = Mail { reply_to: reply_to.cloned(), ..waiting(tx, id, to, &letter, task) };
    store::add(tx, &mail, &letter)?;
    Ok(mail)
}

/// A mail that the task is to send.
fn waiting(tx: &WriteTx, id: u64, to: &EmailAddress, letter: &Letter, task: TaskId) -> Mail {
    Mail {
        id,
        kind: letter.kind.clone(),
        to: to.clone(),
        reply_to: None,
        subject: letter.subject.clone(),
        token: random_token(16),
        status: MailStatus::Waiting,
        is_cancelled: false,
        way: None,
        attempts: 0,
        problem: None,
        task,
        created_at: tx.now(),
        handed_at: None,
        sent_at: None,
        attached: letter.attached.clone(),
        way_out: letter.way_out.clone(),
        about: letter.about.clone(),
        is_first: letter.is_first,
    }
}

/// Takes back the mails about the thing of this id, with what they say: those that wait are not sent, and the files of those
/// that were put into the folder go, too. `is_of` knows those that were queued before it was noted what a mail is about.
///
/// # Errors
/// Those of writing.
pub fn take_back(tx: &WriteTx, about: &str, is_of: impl Fn(&Mail) -> bool) -> Result<()> {
    let files = store::remove_about(tx, about, is_of)?;
    if files.is_empty() { Ok(()) } else { jobs::enqueue(tx, &RemoveMailFiles::named(files)).map(drop) }
}

/// Queues a mail again that is not on its way, whatever became of it: whoever asks for this knows.
///
/// # Errors
/// `NOT_FOUND`; `CONFLICT` while it is on its way, and where a backup that was restored has left out what it says.
pub fn send_again(tx: &WriteTx, id: u64) -> Result<()> {
    let mail = store::to_send_again(tx, id)?;
    let task = jobs::enqueue(tx, &SendMail { mail: id })?;
    let (status, is_cancelled) = (MailStatus::Waiting, false);
    store::put(tx, &Mail { status, is_cancelled, attempts: 0, problem: None, sent_at: None, task, ..mail })
}

/// Sends one mail.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SendMail {
    /// Which.
    mail: u64,
}

impl Job for SendMail {
    const KIND: &'static str = "mail_send";
    const TITLE: (&'static str, &'static str) = ("메일 보내기", "Send a mail");
    const LANE: Lane = Lane::Mail;
    const ATTEMPTS: u32 = ATTEMPTS;
    // The mail itself says how it stands, and is sent again there.
    const QUIET: bool = true;
    const SUBJECT: Option<&'static str> = None;

    fn example(tx: &WriteTx) -> Result<Self> {
        let to = EmailAddress::parse("name@example.com").unwrap_or_default();
        let (id, letter) = (tx.next_id("mail")?, super::test_letter(tx, Language::En, "hanok")?);
        store::add(tx, &waiting(tx, id, &to, &letter, TaskId::new()), &letter)?;
        Ok(SendMail { mail: id })
    }

    async fn run(self, app: App, progress: Progress) -> Result<()> {
        let Self { mail: id } = self;
        loop {
            wait_for_turn(&app).await?;
            // Asked at the last moment: one that came meanwhile, and that somebody waits for, does not stand behind this one.
            // Its own task finds it sent; what became of it otherwise stands in its row, and is that task's to mend.
            let first = app.data.store.read_inline(|tx| store::first(tx)).await?;
            let Some(first) = first.filter(|first| *first != id) else { break };
            if attempt(&app, &progress, first).await.is_err() {
                break;
            }
        }
        match attempt(&app, &progress, id).await {
            Ok(None | Some(Ending::Sent)) => Ok(()),
            Ok(Some(Ending::Later(why))) => Err(Error::new(Kind::UpstreamUnavailable, why)),
            Ok(Some(Ending::Failed(why) | Ending::DeliveryUnknown(why))) => Err(Error::conflict(why)),
            // It was taken back meanwhile.
            Err(error) if error.kind == Kind::NotFound => Ok(()),
            Err(error) => Err(error),
        }
    }
}

/// One attempt at the mail `id`; none where it does not wait.
async fn attempt(app: &App, progress: &Progress, id: u64) -> Result<Option<Ending>> {
    let settings = &app.config.mail;
    let way = if settings.host.is_empty() { Way::Folder } else { Way::Server };
    let begun = app.data.store.write(move |tx| store::begin(tx, id, way)).await?;
    let Some((mail, letter)) = begun else { return Ok(None) };
    let attempt = Attempt { app, id, number: mail.attempts };
    let message = match attached::read(app, &mail).await {
        Ok(files) => MailMessage::of(settings, &mail, &letter, files).map_err(Ending::Failed),
        Err(ending) => Err(ending),
    };
    let ending = match message {
        Err(ending) => progress.uninterrupted(attempt.settle(ending)).await,
        Ok(message) if way == Way::Folder => progress.uninterrupted(attempt.put_into_folder(&mail, message)).await?,
        Ok(message) => attempt.send(progress, message).await?,
    };
    Ok(Some(ending))
}

/// Waits until another mail may be handed over.
async fn wait_for_turn(app: &App) -> Result<()> {
    loop {
        let per_minute = app.config.mail.per_minute;
        let next = app.data.store.read(move |tx| Ok((store::next_turn(tx, per_minute)?, tx.now()))).await?;
        let (Some(at), now) = next else { return Ok(()) };
        app.clock.sleep_until_or_set_back(at, now).await;
    }
}

/// An attempt at one mail, the `number`th since it was queued.
struct Attempt<'a> {
    app: &'a App,
    id: u64,
    number: u32,
}

impl Attempt<'_> {
    /// Puts the mail into the folder; doing it again leaves the same file.
    async fn put_into_folder(&self, mail: &Mail, message: MailMessage) -> Result<Ending> {
        self.may_be_sent_from_now_on().await?;
        let put = folder::put(self.app, mail, message.bytes).await;
        let ending = put.map_or_else(|error| Ending::Later(self.said(error)), |()| Ending::Sent);
        Ok(self.settle(ending).await)
    }

    /// Sends the mail through the server. Cancelled, it ends before the mail goes out, or after its outcome is known.
    async fn send(&self, progress: &Progress, message: MailMessage) -> Result<Ending> {
        let session = Session::begin(&self.app.config.mail, &self.app.clock, &message).await;
        let handing_over = async {
            let mut session = match session {
                Ok(session) => session,
                Err(ending) => return Ok(self.settle(ending).await),
            };
            if let Err(error) = self.may_be_sent_from_now_on().await {
                session.give_up().await;
                return Err(error);
            }
            Ok(self.settle(session.hand_over(&message).await).await)
        };
        progress.uninterrupted(handing_over).await
    }

    async fn may_be_sent_from_now_on(&self) -> Result<()> {
        let id = self.id;
        self.app.data.store.write(move |tx| store::hand_over(tx, id)).await
    }

    fn said(&self, error: Error) -> Message {
        warn!(mail = self.id, %error, "a mail cannot be put into the folder");
        error.message
    }

    /// Writes the outcome down, and again until it stands there: one that is forgotten leaves a mail of which nobody knows
    /// whether it was sent. Gives it: what was put off too often has failed.
    async fn settle(&self, ending: Ending) -> Ending {
        let ending = match ending {
            Ending::Later(why) if self.number >= ATTEMPTS => Ending::Failed(why),
            other => other,
        };
        loop {
            let (id, write) = (self.id, ending.clone());
            match self.app.data.store.write(move |tx| store::end(tx, id, write)).await {
                Ok(()) => return ending,
                Err(error) => warn!(mail = id, %error, "the outcome of a mail is not written down yet"),
            }
            self.app.clock.sleep(WRITE_AGAIN).await;
        }
    }
}

//! A session with the mail server, in two parts: until the server is ready to take the mail, which can be broken off and
//! leaves nothing, and the handing over, whose end alone says whether the mail was taken.

use std::future::Future;
use std::io::ErrorKind;
use std::time::Duration;

use lettre::transport::smtp::Error as SmtpError;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, Certificate, TlsParameters};
use lettre::transport::smtp::commands;
use lettre::transport::smtp::extension::{ClientId, Extension};
use tracing::warn;

use super::message::MailMessage;
use super::store::Ending;
use crate::blocking;
use crate::config::{self, MailSecurity};
use hanok_base::{Clock, Error, Message, MessageTemplate};

/// How long the server may take to say that it has taken the mail (RFC 5321, section 4.5.3.2.6).
const TAKING: Duration = Duration::from_secs(600);
/// How long a server that is not needed any more may take to say goodbye.
const GOODBYE: Duration = Duration::from_secs(5);

const NOT_REACHED: MessageTemplate =
    MessageTemplate::new("house.mail.not_reached", "the mail server {host} cannot be reached");
const NOT_SAFE: MessageTemplate = MessageTemplate::new(
    "house.mail.not_safe",
    "no safe connection to the mail server {host}: see its certificate, and mail.security and mail.port",
);
const NO_AUTHORITY: MessageTemplate =
    MessageTemplate::new("house.mail.no_authority", "the file of mail.authority_file cannot be read as PEM");
const NO_ANSWER: MessageTemplate =
    MessageTemplate::new("house.mail.no_answer", "the mail server {host} does not answer within {seconds} seconds");
const NOT_LET_IN: MessageTemplate = MessageTemplate::new(
    "house.mail.not_let_in",
    "the mail server {host} does not let us in: see mail.user and mail.password ({code})",
);
const BROKEN_OFF: MessageTemplate = MessageTemplate::new(
    "house.mail.broken_off",
    "the mail server {host} ended the connection before the mail went out",
);
const PUT_OFF: MessageTemplate =
    MessageTemplate::new("house.mail.put_off", "the mail server {host} puts the mail off ({code})");
const SENDER_REFUSED: MessageTemplate = MessageTemplate::new(
    "house.mail.sender_refused",
    "the mail server {host} does not take mail from this sender: see mail.from ({code})",
);
const REFUSED: MessageTemplate =
    MessageTemplate::new("house.mail.refused", "the mail server {host} refuses the mail for good ({code})");
const NOT_KNOWN: MessageTemplate = MessageTemplate::new(
    "house.mail.not_known",
    "the mail server {host} has not said whether it has taken the mail: it may have been sent",
);

/// A server that is ready to take one mail.
pub(super) struct Session<'a> {
    connection: AsyncSmtpConnection,
    said: Saying<'a>,
}

/// What is said of one server.
#[derive(Clone, Copy)]
struct Saying<'a> {
    settings: &'a config::Mail,
    clock: &'a Clock,
}

impl<'a> Session<'a> {
    /// Connects, signs in, and says from whom to whom; the server says that it is ready.
    pub async fn begin(
        settings: &'a config::Mail,
        clock: &'a Clock,
        message: &MailMessage,
    ) -> Result<Session<'a>, Ending> {
        let said = Saying { settings, clock };
        let mut session = Session { connection: said.connected(message).await?, said };
        match session.offer(message).await {
            Ok(()) => Ok(session),
            Err(ending) => {
                session.give_up().await;
                Err(ending)
            }
        }
    }

    async fn offer(&mut self, message: &MailMessage) -> Result<(), Ending> {
        let Session { connection, said } = self;
        if !said.settings.user.is_empty() {
            let mechanisms = [Mechanism::Plain, Mechanism::Login];
            let Saying { settings, .. } = said;
            let credentials = Credentials::new(settings.user.clone(), settings.password.reveal().to_owned());
            let signed_in = said.within(connection.auth(&mechanisms, &credentials)).await?;
            signed_in.map_err(|error| said.later(NOT_LET_IN, &error))?;
        }
        let sender = commands::Mail::new(message.envelope.from().cloned(), vec![]);
        let sender = said.within(connection.command(sender)).await?;
        sender.map_err(|error| said.later(SENDER_REFUSED, &error))?;
        for to in message.envelope.to() {
            let taken = said.within(connection.command(commands::Rcpt::new(to.clone(), vec![]))).await?;
            taken.map_err(|error| said.not_sent(&error))?;
        }
        let ready = said.within(connection.command(commands::Data)).await?;
        ready.map(drop).map_err(|error| said.not_sent(&error))
    }

    /// Hands the mail over. What is no clear answer leaves open whether it was taken.
    pub async fn hand_over(mut self, message: &MailMessage) -> Ending {
        let Session { connection, said } = &mut self;
        let taken = tokio::select! {
            taken = connection.message(&message.bytes) => Some(taken),
            () = said.clock.sleep(TAKING) => None,
        };
        match taken {
            Some(Ok(_)) => {
                self.give_up().await;
                Ending::Sent
            }
            Some(Err(error)) if error.status().is_some() => {
                let ending = said.not_sent(&error);
                self.give_up().await;
                ending
            }
            Some(Err(error)) => {
                warn!(error = kind_of(&error), "a mail server has not said whether it has taken a mail");
                Ending::DeliveryUnknown(said.of(NOT_KNOWN, None))
            }
            None => Ending::DeliveryUnknown(said.of(NOT_KNOWN, None)),
        }
    }

    /// Ends the session; what was not handed over whole is not sent.
    pub async fn give_up(&mut self) {
        tokio::select! {
            () = self.connection.abort() => {}
            () = self.said.clock.sleep(GOODBYE) => {}
        }
    }
}

impl Saying<'_> {
    async fn connected(&self, message: &MailMessage) -> Result<AsyncSmtpConnection, Ending> {
        let Saying { settings, .. } = *self;
        let host = settings.host.trim_matches(['[', ']']);
        let name = ClientId::Domain(message.domain.clone());
        let tls = match settings.security {
            MailSecurity::None => None,
            MailSecurity::Tls | MailSecurity::StartTls => Some(self.tls(host).await?),
        };
        let from_the_beginning = tls.clone().filter(|_| settings.security == MailSecurity::Tls);
        let connecting =
            AsyncSmtpConnection::connect_tokio1((host, settings.port), None, &name, from_the_beginning, None);
        let connected = self.within(connecting).await?;
        let mut connection = connected.map_err(|error| {
            let sentence = if is_of_tls(&error) { NOT_SAFE } else { NOT_REACHED };
            self.later(sentence, &error)
        })?;
        let Some(tls) = tls.filter(|_| settings.security == MailSecurity::StartTls) else { return Ok(connection) };
        // A server that does not offer it, or somebody between here and there who takes the offer away, gets nothing.
        if !connection.server_info().supports_feature(Extension::StartTls) {
            return Err(Ending::Later(self.of(NOT_SAFE, None)));
        }
        let safe = self.within(connection.starttls(tls, &name)).await?;
        safe.map_err(|error| self.later(NOT_SAFE, &error))?;
        Ok(connection)
    }

    async fn tls(&self, host: &str) -> Result<TlsParameters, Ending> {
        let mut tls = TlsParameters::builder(host.to_owned());
        let file = self.settings.authority_file.clone();
        if !file.as_os_str().is_empty() {
            let read = blocking::run(move |_| std::fs::read(file).map_err(Error::internal)).await.ok();
            let authorities = read.and_then(|pem| Certificate::from_pem(&pem).ok());
            let authorities = authorities.ok_or_else(|| Ending::Later(NO_AUTHORITY.into()))?;
            tls = tls.add_root_certificate(authorities);
        }
        tls.build().map_err(|error| self.later(NOT_SAFE, &error))
    }

    /// What `step` gives, unless it takes too long.
    async fn within<T>(&self, step: impl Future<Output = T>) -> Result<T, Ending> {
        tokio::select! {
            done = step => Ok(done),
            () = self.clock.sleep(Duration::from_secs(self.settings.timeout_seconds)) => {
                let values = [("host", self.host().into()), ("seconds", self.settings.timeout_seconds.into())];
                Err(Ending::Later(NO_ANSWER.with(values)))
            }
        }
    }

    /// The mail was surely not sent: why the server does not take it.
    fn not_sent(&self, error: &SmtpError) -> Ending {
        if error.is_permanent() { Ending::Failed(self.of(REFUSED, Some(error))) } else { self.later(PUT_OFF, error) }
    }

    /// The mail was surely not sent and is tried again: `sentence` where the server says no for good, or cannot be talked
    /// to as it is set.
    fn later(&self, sentence: MessageTemplate, error: &SmtpError) -> Ending {
        let is_of_the_connection = error.status().is_none() && !matches!(sentence, NOT_REACHED | NOT_SAFE);
        let sentence = match sentence {
            _ if error.is_transient() => PUT_OFF,
            _ if is_of_the_connection && !error.is_client() => BROKEN_OFF,
            other => other,
        };
        warn!(error = kind_of(error), code = code(error), "a mail is put off");
        Ending::Later(self.of(sentence, Some(error)))
    }

    fn of(&self, sentence: MessageTemplate, error: Option<&SmtpError>) -> Message {
        sentence.with([("host", self.host().into()), ("code", error.map_or_else(String::new, code).into())])
    }

    fn host(&self) -> String {
        self.settings.host.clone()
    }
}

/// The number by which the server says what is wrong. Its words may name whoever gets the mail, and go nowhere.
fn code(error: &SmtpError) -> String {
    error.status().map_or_else(|| kind_of(error).to_owned(), |code| code.to_string())
}

/// Whether the two do not come to a safe connection. What rustls finds wrong comes as data that is not valid.
fn is_of_tls(error: &SmtpError) -> bool {
    let is_invalid = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == ErrorKind::InvalidData)
    };
    let causes = std::iter::successors(std::error::Error::source(error), |cause| cause.source());
    error.is_tls() || causes.into_iter().any(is_invalid)
}

fn kind_of(error: &SmtpError) -> &'static str {
    match error {
        _ if error.is_transient() => "transient",
        _ if error.is_permanent() => "permanent",
        _ if error.is_timeout() => "timeout",
        _ if is_of_tls(error) => "tls",
        _ if error.is_client() => "client",
        _ if error.is_response() => "response",
        _ => "connection",
    }
}

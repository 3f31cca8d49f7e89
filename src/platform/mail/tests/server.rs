//! A mail server of one test: it takes mail, and has its bad days when it is told to.

use std::collections::VecDeque;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use parking_lot::Mutex;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufStream};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};
use tokio_rustls::TlsAcceptor;

use crate::config::MailSecurity;

/// The password that it takes.
pub const PASSWORD: &str = "open sesame";

/// What it does once, in the place of its answer.
#[derive(Debug, Clone, Copy)]
pub enum Act {
    /// Answers this.
    Say(&'static str),
    /// Answers this as soon as [`Server::answer_now`] is called.
    Wait(&'static str),
    /// Never answers.
    Hang,
    /// Ends the connection.
    Cut,
}

/// A mail server that a test holds in its hand.
#[derive(Clone)]
pub struct Server {
    pub port: u16,
    inner: Arc<Inner>,
}

struct Inner {
    security: MailSecurity,
    acts: Mutex<VecDeque<(&'static str, Act)>>,
    taken: Mutex<Vec<String>>,
    steps: watch::Sender<Vec<String>>,
    answers: Notify,
}

impl Server {
    pub async fn begin(security: MailSecurity) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (acts, taken, steps) = (Mutex::default(), Mutex::default(), watch::Sender::default());
        let inner = Arc::new(Inner { security, acts, taken, steps, answers: Notify::new() });
        let server = Server { port, inner: Arc::clone(&inner) };
        tokio::spawn(async move {
            while let Ok((connection, _)) = listener.accept().await {
                tokio::spawn(Arc::clone(&inner).serve(connection));
            }
        });
        server
    }

    /// At `step` (`CONNECT`, a verb, or `.` for the end of a mail) it does `act`, once.
    pub fn once(&self, step: &'static str, act: Act) {
        self.inner.acts.lock().push_back((step, act));
    }

    /// The mails that it has taken.
    pub fn taken(&self) -> Vec<String> {
        self.inner.taken.lock().clone()
    }

    /// Waits until `step` has come so often.
    pub async fn until(&self, step: &str, times: usize) {
        let mut steps = self.inner.steps.subscribe();
        let come = steps.wait_for(|steps| steps.iter().filter(|one| *one == step).count() >= times);
        tokio::time::timeout(std::time::Duration::from_secs(30), come).await.unwrap().unwrap();
    }

    /// Has it give the answer that waits.
    pub fn answer_now(&self) {
        self.inner.answers.notify_one();
    }

    pub fn steps(&self) -> Vec<String> {
        self.inner.steps.borrow().clone()
    }
}

impl Inner {
    async fn serve(self: Arc<Self>, connection: TcpStream) {
        if self.security == MailSecurity::Tls {
            let Ok(connection) = acceptor().accept(connection).await else { return };
            self.speak(BufStream::new(connection), true).await;
            return;
        }
        if let Some(connection) = self.speak(BufStream::new(connection), false).await
            && let Ok(connection) = acceptor().accept(connection.into_inner()).await
        {
            self.speak(BufStream::new(connection), true).await;
        }
    }

    /// What is to be done at `step`; none: as on a good day.
    fn at(&self, step: &str) -> Option<Act> {
        self.steps.send_modify(|steps| steps.push(step.to_owned()));
        let mut acts = self.acts.lock();
        let place = acts.iter().position(|(at, _)| *at == step)?;
        acts.remove(place).map(|(_, act)| act)
    }

    /// Speaks until it is over; gives the connection where TLS begins.
    async fn speak<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        mut stream: BufStream<S>,
        safe: bool,
    ) -> Option<BufStream<S>> {
        let offers_tls = self.security == MailSecurity::StartTls && !safe;
        let hello = if offers_tls {
            "250-localhost\r\n250-STARTTLS\r\n250 AUTH PLAIN"
        } else {
            "250-localhost\r\n250 AUTH PLAIN"
        };
        let greets = !(self.security == MailSecurity::StartTls && safe);
        if greets && !self.answer(&mut stream, "CONNECT", "220 localhost").await {
            return None;
        }
        loop {
            let mut line = String::new();
            if stream.read_line(&mut line).await.ok()? == 0 {
                return None;
            }
            let line = line.trim_end();
            let verb = line.split([' ', ':']).next()?.to_ascii_uppercase();
            let said = match verb.as_str() {
                "EHLO" => hello,
                "STARTTLS" => {
                    return if self.answer(&mut stream, "STARTTLS", "220 go ahead").await {
                        Some(stream)
                    } else {
                        None
                    };
                }
                "AUTH" => {
                    let given = line.rsplit(' ').next().and_then(|given| STANDARD.decode(given).ok())?;
                    if given.ends_with(PASSWORD.as_bytes()) { "235 come in" } else { "535 5.7.8 who are you" }
                }
                "DATA" => {
                    if !self.answer(&mut stream, "DATA", "354 go on").await {
                        return None;
                    }
                    let mail = mail(&mut stream).await?;
                    let act = self.at(".");
                    if !matches!(act, Some(Act::Say(said) | Act::Wait(said)) if !said.starts_with('2')) {
                        self.taken.lock().push(mail);
                    }
                    if !self.does(&mut stream, act, "250 taken").await {
                        return None;
                    }
                    continue;
                }
                "QUIT" => "221 bye",
                _ => "250 fine",
            };
            if !self.answer(&mut stream, &verb, said).await || verb == "QUIT" {
                return None;
            }
        }
    }

    async fn answer<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        stream: &mut BufStream<S>,
        step: &str,
        said: &str,
    ) -> bool {
        let act = self.at(step);
        self.does(stream, act, said).await
    }

    /// Whether it goes on.
    async fn does<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        stream: &mut BufStream<S>,
        act: Option<Act>,
        said: &str,
    ) -> bool {
        let said = match act {
            None => said,
            Some(Act::Say(said)) => said,
            Some(Act::Wait(said)) => {
                self.answers.notified().await;
                said
            }
            Some(Act::Cut) => return false,
            Some(Act::Hang) => {
                let mut line = String::new();
                while stream.read_line(&mut line).await.is_ok_and(|read| read > 0) {}
                return false;
            }
        };
        stream.write_all(format!("{said}\r\n").as_bytes()).await.is_ok() && stream.flush().await.is_ok()
    }
}

async fn mail<S: AsyncRead + AsyncWrite + Unpin>(stream: &mut BufStream<S>) -> Option<String> {
    let mut mail = String::new();
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        if line == ".\r\n" {
            return Some(mail);
        }
        mail.push_str(line.strip_prefix('.').unwrap_or(&line));
    }
}

fn acceptor() -> TlsAcceptor {
    let chain = CertificateDer::pem_slice_iter(include_bytes!("server.pem")).map(Result::unwrap).collect();
    let key = PrivateKeyDer::from_pem_slice(include_bytes!("server.key")).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let settings = rustls::ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    TlsAcceptor::from(Arc::new(settings.with_no_client_auth().with_single_cert(chain, key).unwrap()))
}

//! Mail on a real connection to a local server, with the clock held: good days, bad days, and the end of the process at
//! each step.

mod attached;
mod days;
mod folder;
mod killed;
mod restored;
mod server;
mod turns;

use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use self::server::{Act, PASSWORD, Server};
use super::*;
use crate::app::App;
use crate::config::{self, Config, MailSecurity};
use crate::events::{Change, Event, Events};
use crate::jobs::{Jobs, Registry};
use crate::store::Store;
use crate::testing::{app_of, draw_night};
use hanok_base::{Clock, Kind, Page, Result, Secret};

const TO: &str = "jiwoo@example.com";

/// A house that sends mail.
struct House {
    app: App,
    runner: JoinHandle<()>,
    stop: CancellationToken,
    /// Lives as long as the house.
    folder: TempDir,
}

/// Sends through `server`, as it is secured.
fn through(server: &Server) -> config::Mail {
    config::Mail {
        host: "localhost".into(),
        port: server.port,
        security: MailSecurity::None,
        from: "house@example.com".into(),
        from_name: "우리 집".into(),
        ..config::Mail::default()
    }
}

/// With what a server that speaks TLS asks for.
fn safely(server: &Server, security: MailSecurity) -> config::Mail {
    let authority_file = Path::new(env!("CARGO_MANIFEST_DIR")).join("mail/tests/authority.pem");
    let (user, password) = ("house".to_owned(), Secret::new(PASSWORD));
    config::Mail { security, authority_file, user, password, ..through(server) }
}

impl House {
    fn begin(clock: &Clock, mail: config::Mail) -> House {
        let events = Events::default();
        let store = Store::memory(clock.clone(), events.clone()).unwrap();
        House::on(store, events, clock, mail, TempDir::new().unwrap())
    }

    fn on(store: Store, events: Events, clock: &Clock, mail: config::Mail, folder: TempDir) -> House {
        let mut config = Config::default();
        config.mail = mail;
        config.data.dir = folder.path().to_owned();
        let app = app_of(
            config,
            store,
            events,
            clock,
            Jobs::new(Registry::new().with::<SendMail>().with::<RemoveMailFiles>(), vec![]),
        );
        let (running, stop) = (app.clone(), CancellationToken::new());
        let until = stop.clone();
        let runner = tokio::spawn(async move {
            running.workers.jobs.recover(&running).await.unwrap();
            running.workers.jobs.run(running.clone(), until).await;
        });
        House { app, runner, stop, folder }
    }

    /// Ends it as a kill does, and begins it anew on what is on disk.
    async fn killed(self) -> House {
        self.runner.abort();
        let _ = self.runner.await;
        let (store, events, clock) = (self.app.data.store.clone(), self.app.events.clone(), self.app.clock.clone());
        House::on(store, events, &clock, self.app.config.mail.clone(), self.folder)
    }

    async fn end(self) {
        self.stop.cancel();
        self.runner.await.unwrap();
    }

    async fn queue(&self) -> u64 {
        self.queue_to(TO).await
    }

    async fn queue_to(&self, to: &str) -> u64 {
        let to = EmailAddress::parse(to).unwrap();
        self.app.data.store.write(move |tx| Ok(queue_test(tx, Language::Ko, &to, "hanok.lan")?.id)).await.unwrap()
    }

    async fn seen(&self, id: u64) -> MailSeen {
        self.app.data.store.read(move |tx| find(tx, id)).await.unwrap()
    }

    /// Waits until the mail is as `wanted`.
    async fn until(&self, id: u64, wanted: impl Fn(&MailSeen) -> bool) -> MailSeen {
        let mut changes = self.app.events.listen();
        let waiting = async {
            loop {
                let seen = self.seen(id).await;
                if wanted(&seen) {
                    return seen;
                }
                while !matches!(changes.recv().await, Ok(Event::Changed(Change::MAIL | Change::JOBS)) | Err(_)) {}
            }
        };
        match tokio::time::timeout(Duration::from_secs(30), waiting).await {
            Ok(seen) => seen,
            Err(_) => panic!("{:?}", self.seen(id).await),
        }
    }

    async fn until_status(&self, id: u64, status: MailStatus) -> MailSeen {
        self.until(id, |seen| seen.status == status).await
    }

    /// Waits until it is put off, and lets the pause before the next attempt pass.
    async fn until_put_off(&self, id: u64) -> MailSeen {
        let seen = self.until(id, |seen| seen.next_attempt_at.is_some_and(|at| at > self.app.clock.now())).await;
        self.app.clock.set(seen.next_attempt_at.unwrap());
        seen
    }

    fn files(&self) -> Vec<PathBuf> {
        let Ok(entries) = std::fs::read_dir(self.folder.path().join("mail")) else { return Vec::new() };
        entries.map(|entry| entry.unwrap().path()).collect()
    }
}

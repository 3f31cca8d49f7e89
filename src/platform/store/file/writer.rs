//! The one writer and its group commit.
//!
//! The closures that wait are run one after the other in one redb transaction, and only when its sync is done do
//! their callers hear back. While the disk syncs, new callers queue up and form the next batch, so the cost of a
//! sync is shared by all who wait for it. What a closure wrote before it failed is taken back (`rows/undo.rs`).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use parking_lot::Mutex;
use redb::Database;
use tokio::sync::{mpsc, oneshot};
use tracing::error;

use super::super::rows::WriteTx;
use super::closing;
use super::fault;
use super::open_store::OpenStore;
use super::space::StorageState;
use crate::events::{Change, Event, Events};
use hanok_base::{Error, Kind, MessageTemplate, Result, Shared};

/// The queue's end that callers hold.
#[derive(Clone)]
pub(in crate::store) struct Writer {
    queue: mpsc::Sender<WriterCommand>,
    thread: Arc<Mutex<Option<std::thread::JoinHandle<()>>>>,
}

enum WriterCommand {
    Write(Box<dyn Work>),
    Alone(Box<dyn FnOnce(&OpenStore) + Send>),
    Close(oneshot::Sender<Result<()>>),
}

/// A caller's closure that waits for its turn.
trait Work: Send {
    /// Runs it; says whether to commit, and how to answer once the batch is committed or lost.
    fn run(self: Box<Self>, tx: &WriteTx) -> Ran;

    /// Answers without having run.
    fn refuse(self: Box<Self>, error: Error);
}

struct Call<T, F> {
    write: F,
    answer: oneshot::Sender<Result<T>>,
}

struct Ran {
    keep: bool,
    answer: Answer,
}

type Answer = Box<dyn FnOnce(Result<()>) + Send>;

impl<T, F> Work for Call<T, F>
where
    T: Send + 'static,
    F: FnOnce(&WriteTx) -> Result<T> + Send + 'static,
{
    fn run(self: Box<Self>, tx: &WriteTx) -> Ran {
        let Call { write, answer } = *self;
        let result = catch_unwind(AssertUnwindSafe(|| write(tx))).unwrap_or_else(|panic| {
            Err(Error::internal(format!("a write closure panicked: {}", fault::panic_text(&panic))))
        });
        // A caller who has gone away does not hear; what was written stays written.
        match result {
            Ok(value) => {
                Ran { keep: true, answer: Box::new(move |committed| drop(answer.send(committed.map(|()| value)))) }
            }
            Err(error) => Ran { keep: false, answer: Box::new(move |_| drop(answer.send(Err(error)))) },
        }
    }

    fn refuse(self: Box<Self>, error: Error) {
        drop(self.answer.send(Err(error)));
    }
}

const CLOSED: MessageTemplate = MessageTemplate::new("house.store_closed", "the store is closed");
/// Callers who may wait in the queue before the next must wait to get in.
const QUEUE: usize = 4096;
/// The most closures that share one sync, so that the first of them does not wait too long.
const BATCH: usize = 512;

impl Writer {
    pub(in crate::store) fn start(open: Shared<OpenStore>, events: Events) -> Writer {
        let (queue, messages) = mpsc::channel(QUEUE);
        #[expect(clippy::disallowed_methods, reason = "the writer keeps the thread, and closing the store joins it")]
        let thread = std::thread::spawn(move || Thread { open, events }.run(messages));
        Writer { queue, thread: Arc::new(Mutex::new(Some(thread))) }
    }

    pub(in crate::store) async fn write<T, F>(&self, write: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&WriteTx) -> Result<T> + Send + 'static,
    {
        let (answer, heard) = oneshot::channel();
        let work = Box::new(Call { write, answer });
        self.queue.send(WriterCommand::Write(work)).await.map_err(|_| closed())?;
        heard.await.map_err(|_| closed())?
    }

    /// Runs `work` in the writer's thread between two batches: nothing is half written then.
    pub(in crate::store) async fn alone<T, F>(&self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&OpenStore) -> Result<T> + Send + 'static,
    {
        let (answer, heard) = oneshot::channel();
        let message = WriterCommand::Alone(Box::new(move |open_store| drop(answer.send(work(open_store)))));
        self.queue.send(message).await.map_err(|_| closed())?;
        heard.await.map_err(|_| closed())?
    }

    pub(in crate::store) async fn close(&self) -> Result<()> {
        let (answer, heard) = oneshot::channel();
        if self.queue.send(WriterCommand::Close(answer)).await.is_err() {
            return Ok(());
        }
        let closed = heard.await.map_err(Error::internal)?;
        if let Some(thread) = self.thread.lock().take() {
            let _ = thread.join();
        }
        closed
    }
}

struct Thread {
    open: Shared<OpenStore>,
    events: Events,
}

impl Thread {
    fn run(self, mut messages: mpsc::Receiver<WriterCommand>) {
        while let Some(message) = messages.blocking_recv() {
            let mut batch = Vec::new();
            let mut after = None;
            match message {
                WriterCommand::Write(work) => batch.push(work),
                other => after = Some(other),
            }
            while after.is_none() && batch.len() < BATCH {
                match messages.try_recv() {
                    Ok(WriterCommand::Write(work)) => batch.push(work),
                    Ok(other) => after = Some(other),
                    Err(_) => break,
                }
            }
            if !batch.is_empty() {
                self.batch(batch);
            }
            match after {
                Some(WriterCommand::Alone(work)) => self.alone(work),
                Some(WriterCommand::Close(answer)) => {
                    let _ = answer.send(closing::close(&self.open));
                    return;
                }
                _ => {}
            }
        }
        if let Err(error) = closing::close(&self.open) {
            error!(%error, "the store was not closed cleanly");
        }
    }

    fn alone(&self, work: Box<dyn FnOnce(&OpenStore) + Send>) {
        let before = self.open.state();
        if catch_unwind(AssertUnwindSafe(|| work(&self.open))).is_err() {
            error!("work on the store panicked");
        }
        self.announce_since(before);
    }

    fn batch(&self, batch: Vec<Box<dyn Work>>) {
        let before = self.open.state();
        let mut answers = Vec::with_capacity(batch.len());
        let mut changes = Vec::new();
        let mut waiting = batch.into_iter();
        let committed =
            self.open.room_for_writes().and_then(|()| self.commit_or_reopen(&mut waiting, &mut answers, &mut changes));
        if let Ok(true) = committed {
            self.open.note_written();
        }
        // Listeners first: who hears the answer may rely on the event being on its way.
        self.announce_since(before);
        if committed.is_ok() {
            changes.into_iter().for_each(|change| self.events.send(Event::Changed(change)));
        }
        for answer in answers {
            answer(committed.clone().map(drop));
        }
        if let Err(error) = committed {
            waiting.for_each(|work| work.refuse(error.clone()));
        }
    }

    /// Tells the browsers when the storage is not as it was `before`.
    fn announce_since(&self, before: StorageState) {
        if before != self.open.state() {
            self.events.send(Event::Changed(Change::STORAGE));
        }
    }

    /// [`Thread::commit`]; when redb gives up in the middle of it, the writer lives on and the file is opened again.
    fn commit_or_reopen(
        &self,
        waiting: &mut std::vec::IntoIter<Box<dyn Work>>,
        answers: &mut Vec<Answer>,
        changes: &mut Vec<Change>,
    ) -> Result<bool> {
        let work = AssertUnwindSafe(|| self.open.write(|database| self.commit(database, waiting, answers, changes)));
        catch_unwind(work).unwrap_or_else(|panic| {
            self.open.note_fault();
            Err(Error::internal(format!("the storage engine gave up: {}", fault::panic_text(&panic))))
        })
    }

    /// Runs each closure in turn and syncs what they wrote. What a closure wrote that has failed is taken back.
    /// Says whether anything was kept.
    fn commit(
        &self,
        database: &Database,
        works: &mut std::vec::IntoIter<Box<dyn Work>>,
        answers: &mut Vec<Answer>,
        changes: &mut Vec<Change>,
    ) -> Result<bool> {
        let transaction = database.begin_write().map_err(|e| self.open.fault(e))?;
        let mut kept = false;
        let mut worth_a_snapshot = false;
        for work in works {
            let tx = WriteTx::new(&transaction, &*self.open, self.open.clock().now());
            let ran = work.run(&tx);
            answers.push(ran.answer);
            let left = tx.leave();
            if !ran.keep {
                left.undo.take_back(&transaction).map_err(|e| self.open.fault(e))?;
                continue;
            }
            kept = true;
            worth_a_snapshot |= !left.quiet;
            for change in left.announced {
                if !changes.contains(&change) {
                    changes.push(change);
                }
            }
        }
        if kept {
            transaction.commit().map_err(|e| self.open.fault(e))?;
            // Nobody is told that it is written where something else has written over the file meanwhile.
            self.open.must_be_ours()?;
        } else {
            transaction.abort().map_err(|e| self.open.fault(e))?;
        }
        if worth_a_snapshot {
            self.open.note_change();
        }
        Ok(kept)
    }
}

fn closed() -> Error {
    Error::new(Kind::Internal, CLOSED).because("the writer has ended")
}

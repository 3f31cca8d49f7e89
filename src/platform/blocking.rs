//! Work that blocks or computes, off the async threads and not detached: it is told when nobody waits for it any more,
//! and the job that began it has not ended before it has.

use std::any::Any;
use std::future::Future;
use std::io::{self, Read};
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use hanok_base::{Error, Kind, Message, Result};

tokio::task_local! {
    /// What the blocking work of the job that is being polled belongs to.
    static OWNER: TaskTracker;
}

/// Runs `work`; all that it hands to other threads meanwhile belongs to `owner`, who can wait for it.
pub async fn owned_by<F: Future>(owner: TaskTracker, work: F) -> F::Output {
    OWNER.scope(owner, work).await
}

/// `work` for another thread, with the hold of the job that begins it, if one does.
pub fn held<T>(work: impl FnOnce() -> T) -> impl FnOnce() -> T {
    let hold = OWNER.try_with(TaskTracker::token).ok();
    move || {
        let _hold = hold;
        work()
    }
}

/// Drops `value` on a thread for blocking work, where that takes long: a `Drop` that cannot wait calls this. The runtime in
/// which it is called joins that thread when it ends.
pub fn drop_elsewhere<T: Send + 'static>(value: T) {
    let Ok(runtime) = Handle::try_current() else { return };
    drop(begin(&runtime, move || drop(value)));
}

/// For how long work that was broken off is waited for: it looks at its token soon, unless a disk does not answer.
const LAST_WAIT: Duration = Duration::from_secs(3);

/// Waits until what belongs to `owner` has ended, after nobody waits for it any more and nobody begins more.
pub async fn broken_off(owner: &TaskTracker) {
    owner.close();
    let _ = tokio::time::timeout(LAST_WAIT, owner.wait()).await;
}

/// Runs `work` on a thread for blocking work. When the caller stops waiting, the token that `work` hears is cancelled;
/// long work looks at it with [`go_on`].
///
/// # Errors
/// Those of `work`; `INTERNAL` when it panics.
pub fn run<T, F>(work: F) -> BoxFuture<'static, Result<T>>
where
    T: Send + 'static,
    F: FnOnce(&CancellationToken) -> Result<T> + Send + 'static,
{
    let answered = run_boxed(Box::new(move |abandoned| Box::new(work(abandoned))));
    Box::pin(async move { *answered.await?.downcast::<Result<T>>().map_err(|_| Error::internal("another type"))? })
}

/// [`run`] without the types of what is done and given: the runtime's part of it is compiled once, not for each caller.
async fn run_boxed(work: BoxedWork) -> Result<Box<dyn Any + Send>> {
    let abandoned = CancellationToken::new();
    let _caller_waits = abandoned.clone().drop_guard();
    begin(&Handle::current(), move || work(&abandoned)).await.map_err(Error::internal)
}

type BoxedWork = Box<dyn FnOnce(&CancellationToken) -> Box<dyn Any + Send> + Send>;

/// A turn that is taken by one after the other.
pub struct OneByOne(Semaphore);

impl OneByOne {
    /// A turn that nobody has.
    pub const fn free() -> OneByOne {
        OneByOne(Semaphore::const_new(1))
    }

    /// [`run`] one after the other. Who stops waiting leaves the queue; work that nobody waits for any more has its turn
    /// until it ends.
    ///
    /// # Errors
    /// As [`run`].
    pub async fn run<T, F>(&'static self, work: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&CancellationToken) -> Result<T> + Send + 'static,
    {
        let turn = self.0.acquire().await.map_err(Error::internal)?;
        let in_turn = move |abandoned: &CancellationToken| {
            let _turn = turn;
            go_on(abandoned)?;
            work(abandoned)
        };
        run(in_turn).await
    }
}

/// The turn of work that takes much memory.
static TURN: OneByOne = OneByOne::free();

/// [`OneByOne::run`] for work that takes much memory: many who ask at once need the memory of one.
///
/// # Errors
/// As [`run`].
pub async fn run_in_turn<T, F>(work: F) -> Result<T>
where
    T: Send + 'static,
    F: FnOnce(&CancellationToken) -> Result<T> + Send + 'static,
{
    TURN.run(work).await
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one home of blocking work: whoever begins it, or its runtime, waits"
)]
fn begin<T: Send + 'static>(runtime: &Handle, work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    runtime.spawn_blocking(held(work))
}

/// How much nicer than everyone else polite work is.
const NICENESS: i32 = 19;

/// [`run`] on a thread of its own, named `name`, which can be polite: requests go before it.
///
/// # Errors
/// As [`run`].
pub async fn run_politely<T, F>(name: &str, work: F) -> Result<T>
where
    T: Send + 'static,
    F: FnOnce(&CancellationToken) -> Result<T> + Send + 'static,
{
    let (answer, heard) = oneshot::channel();
    let abandoned = CancellationToken::new();
    let _caller_waits = abandoned.clone().drop_guard();
    let work = held(move || {
        let _ = rustix::process::nice(NICENESS);
        let _ = answer.send(work(&abandoned));
    });
    let thread = std::thread::Builder::new().name(name.to_owned());
    #[expect(clippy::disallowed_methods, reason = "as for `run`: it has the hold of the job, and is heard below")]
    thread.spawn(work).map_err(Error::internal)?;
    heard.await.map_err(Error::internal)?
}

/// What is read until nobody waits for it any more.
pub struct Abandonable<'a, R> {
    /// Where it is read.
    pub from: R,
    /// Says that nobody waits.
    pub abandoned: &'a CancellationToken,
}

impl<R: Read> Read for Abandonable<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        go_on(self.abandoned).map_err(io::Error::other)?;
        self.from.read(buffer)
    }
}

/// Ends work that nobody waits for any more.
///
/// # Errors
/// `CONFLICT` when `abandoned` says so.
pub fn go_on(abandoned: &CancellationToken) -> Result<()> {
    if abandoned.is_cancelled() {
        Err(Error::new(Kind::Conflict, Message::english("nobody waits for this any more")))
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn work_of_much_memory_is_done_one_after_the_other_and_who_leaves_the_queue_holds_up_nobody() {
        let (let_go, held) = mpsc::channel::<()>();
        let (begins, begun) = oneshot::channel();
        let mut first = Box::pin(run_in_turn(move |_| {
            let _ = begins.send(());
            held.recv().map_err(Error::internal)
        }));
        assert!(first.as_mut().now_or_never().is_none());
        begun.await.unwrap();
        let mut leaves = Box::pin(run_in_turn(|_| -> Result<()> { panic!("it had left") }));
        let mut last = Box::pin(run_in_turn(|_| Ok(())));
        assert!(leaves.as_mut().now_or_never().is_none() && last.as_mut().now_or_never().is_none());
        drop(leaves);
        let_go.send(()).unwrap();
        first.await.unwrap();
        last.await.unwrap();
        // Work that panics gives its turn back, and so does work that its caller has left.
        assert!(run_in_turn(|_| -> Result<()> { panic!("for the test") }).await.is_err());
        let ((begins, begun), (says, said)) = (oneshot::channel(), oneshot::channel());
        let mut left = Box::pin(run_in_turn(move |abandoned| {
            let _ = begins.send(());
            while !abandoned.is_cancelled() {
                std::thread::yield_now();
            }
            says.send(()).map_err(|()| Error::internal("nobody hears"))
        }));
        assert!(left.as_mut().now_or_never().is_none());
        begun.await.unwrap();
        drop(left);
        said.await.unwrap();
        run_in_turn(|_| Ok(())).await.unwrap();
    }
}

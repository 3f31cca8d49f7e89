//! The index follows the store: it takes what waits soon after it was written, at once when somebody asks, and is made anew
//! where it does not fit.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use chrono::Datelike;
use parking_lot::RwLock;
use tokio::sync::{Notify, Semaphore, broadcast, watch};
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

use super::document::SearchKind;
use super::found::{Hit, SearchResults, SearchState};
use super::index::{OpenIndex, SearchRequest, SharedIndex};
use super::waiting::{self, Position};
use crate::blocking;
use crate::events::Events;
use crate::store::Store;
use hanok_base::{Clock, Error, Result, Shared, day};

/// The handle to the search; clones share it.
#[derive(Clone)]
pub struct Search(Shared<Parts>);

struct Parts {
    store: Store,
    clock: Clock,
    folder: PathBuf,
    kinds: Vec<SearchKind>,
    open: RwLock<Option<SharedIndex>>,
    status: watch::Sender<FollowStatus>,
    is_followed: AtomicBool,
    hurry: Notify,
    turns: Arc<Semaphore>,
}

/// How far the index is.
#[derive(Clone, Default)]
struct FollowStatus {
    /// What it has taken; nothing while no index fits the store.
    reached: Option<Position>,
    /// Why it does not follow.
    trouble: Option<String>,
}

/// Changes of so long are taken together, when nobody waits for them.
const GATHERING: Duration = Duration::from_millis(500);
/// Who asks waits so long for what was written before.
const PATIENCE: Duration = Duration::from_millis(400);
/// So many changes are taken with one commit, and forgotten in one transaction.
const AT_ONCE: usize = 500;
/// After so long without a change the index is tidied up, and then lets go of its writer and its memory.
const AT_REST_AFTER: Duration = Duration::from_secs(10);
/// After a failure it is tried again so much later.
const AGAIN_AFTER: Duration = Duration::from_secs(10);

impl Search {
    /// The search over `kinds`, on an index in `folder`. Nothing is opened yet: [`Search::follow`] does that.
    pub fn new(store: Store, clock: Clock, folder: PathBuf, kinds: Vec<SearchKind>) -> Search {
        let at_once = std::thread::available_parallelism().map_or(2, usize::from);
        Search(Shared::new(Parts {
            store,
            clock,
            folder,
            kinds,
            open: RwLock::new(None),
            status: watch::Sender::default(),
            is_followed: AtomicBool::new(false),
            hurry: Notify::new(),
            turns: Arc::new(Semaphore::new(at_once)),
        }))
    }

    /// Follows the store until `stop`, and puts on the disk what it has taken by then.
    pub async fn follow(self, events: Events, stop: CancellationToken) {
        let mut heard = events.listen();
        self.0.is_followed.store(true, Ordering::Relaxed);
        while !stop.is_cancelled() {
            let ended = self.catch_up(&stop).await;
            let wait = match &ended {
                Ok(()) => AT_REST_AFTER,
                Err(error) => {
                    if !stop.is_cancelled() {
                        warn!(%error, "the search index does not follow; it is tried again");
                    }
                    AGAIN_AFTER
                }
            };
            let trouble = ended.err().map(|error| error.to_string());
            self.0.status.send_modify(|status| status.trouble = trouble);
            tokio::select! {
                () = stop.cancelled() => break,
                () = self.0.hurry.notified() => continue,
                Ok(_) | Err(broadcast::error::RecvError::Lagged(_)) = heard.recv() => {}
                () = tokio::time::sleep(wait) => self.with_index(OpenIndex::rest).await,
            }
            // What is written together is taken together, unless somebody waits for it.
            tokio::select! {
                () = stop.cancelled() => {}
                () = self.0.hurry.notified() => {}
                () = tokio::time::sleep(GATHERING) => {}
            }
            while heard.try_recv().is_ok() {}
        }
        self.with_index(OpenIndex::let_go).await;
    }

    /// What is found. What was written before is among it, unless the index is a lot behind: then `is_fresh` is false.
    ///
    /// # Errors
    /// `INTERNAL` when the index is damaged: it is made anew then.
    pub async fn find(&self, asked: SearchRequest) -> Result<SearchResults> {
        let is_fresh = self.is_fresh().await?;
        let Some(index) = self.0.open.read().clone() else {
            return Ok(SearchResults::nothing());
        };
        if asked.words.is_empty() {
            return Ok(SearchResults { is_fresh, ..SearchResults::nothing() });
        }
        let turn = Arc::clone(&self.0.turns).acquire_owned().await.map_err(Error::internal)?;
        let today = u64::try_from(day::of(self.0.clock.now()).num_days_from_ce()).unwrap_or(0);
        let found = blocking::run(move |abandoned| {
            let _turn = turn;
            let hits = index.find(&asked, today, abandoned)?;
            let (needles, near) = (asked.words.needles(), asked.words.question().needles());
            let show = |(at, document)| {
                blocking::go_on(abandoned).map(|()| Hit::of(document, if at < hits.whole { &needles } else { &near }))
            };
            let shown = hits.documents.into_iter().enumerate().map(show).collect::<Result<_>>()?;
            Ok(SearchResults::of(shown, hits.total, hits.counts, is_fresh, hits.is_near))
        });
        let found = found.await;
        if found.is_err() {
            // Whatever it is, the rows are whole: the index is read again, and made anew if it is damaged.
            *self.0.open.write() = None;
            self.0.hurry.notify_one();
        }
        found
    }

    /// How the index is.
    ///
    /// # Errors
    /// Those of reading.
    pub async fn state(&self) -> Result<SearchState> {
        let search = self.clone();
        blocking::run(move |_| search.state_now()).await
    }

    /// [`Search::state`] for code that is off the async threads already.
    ///
    /// # Errors
    /// Those of reading.
    pub fn state_now(&self) -> Result<SearchState> {
        let (waiting, wanted) = self.0.store.read_now(|tx| Ok((waiting::count(tx)?, waiting::position(tx)?)))?;
        let (open, FollowStatus { reached, trouble }) = (self.0.open.read().clone(), self.0.status.borrow().clone());
        let (documents, bytes) = open.map(|index| (index.documents(), index.bytes())).unwrap_or_default();
        let is_of_the_rows = reached.is_some() && reached.map(|at| at.state) == wanted.map(|at| at.state);
        let is_being_made = !is_of_the_rows && trouble.is_none();
        Ok(SearchState { documents, bytes, waiting, is_being_made, trouble })
    }

    /// Has the index made anew from all rows, beside the running house, and waits for it. Gives how it is then; nothing
    /// where nobody follows the store and the next start makes it.
    ///
    /// # Errors
    /// Those of writing; `INTERNAL` when it cannot be made.
    pub async fn make_anew(&self) -> Result<Option<SearchState>> {
        self.0.store.write(waiting::make_anew).await?;
        if !self.0.is_followed.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let mut status = self.0.status.subscribe();
        self.0.status.send_modify(|status| status.trouble = None);
        self.0.hurry.notify_one();
        let settled = loop {
            // Somebody else may ask meanwhile: then it is theirs that is waited for, which is newer.
            let wanted = self.wanted().await?;
            let now = status.borrow_and_update().clone();
            if now.trouble.is_some() || now.reached.is_some_and(|reached| reached.state == wanted.state) {
                break now;
            }
            status.changed().await.map_err(Error::internal)?;
        };
        match settled.trouble {
            Some(trouble) => Err(Error::internal(trouble)),
            None => self.state().await.map(Some),
        }
    }

    /// Another state was put in the place of the one that it followed: what went wrong with that one says nothing any more.
    pub fn go_on(&self) {
        self.0.status.send_modify(|status| status.trouble = None);
        self.0.hurry.notify_one();
    }

    /// Reads every byte of the index. One that is damaged, or cannot be read, is made anew; gives what is wrong with it.
    pub async fn check(&self) -> Option<String> {
        let index = self.0.open.read().clone()?;
        let wrong = match blocking::run(move |_| index.damaged_file()).await {
            Ok(damaged) => damaged?,
            Err(error) => error.to_string(),
        };
        *self.0.open.write() = None;
        self.0.hurry.notify_one();
        Some(wrong)
    }

    /// Whether the index knows everything that was written until now, after it was given a moment for it.
    async fn is_fresh(&self) -> Result<bool> {
        let wanted = self.0.store.read_inline(|tx| waiting::position(tx)).await?;
        let is_there = |status: &FollowStatus| match (status.reached, wanted) {
            (Some(reached), Some(wanted)) => reached.state == wanted.state && reached.upto >= wanted.upto,
            _ => false,
        };
        let mut status = self.0.status.subscribe();
        if is_there(&status.borrow()) {
            return Ok(true);
        }
        self.0.hurry.notify_one();
        Ok(matches!(tokio::time::timeout(PATIENCE, status.wait_for(is_there)).await, Ok(Ok(_))))
    }

    /// Takes all that waits.
    async fn catch_up(&self, stop: &CancellationToken) -> Result<()> {
        let wanted = self.wanted().await?;
        let opened = self.0.open.read().clone();
        let reached = self.0.status.borrow().reached.filter(|at| at.state == wanted.state);
        let (mut index, mut at) = match (opened, reached) {
            (Some(index), Some(at)) => (index, at),
            (Some(_), None) => self.build(stop).await?,
            (None, _) => self.open(wanted, stop).await?,
        };
        while !stop.is_cancelled() {
            let upto = at.upto;
            let some = self.0.store.read(move |tx| waiting::after(tx, upto, AT_ONCE)).await?;
            let Some((last, _)) = some.last() else { break };
            let next = Position { upto: *last, ..at };
            index = blocking::run(move |_| {
                some.iter().try_for_each(|(_, waiting)| index.take(waiting))?;
                index.commit(next).map(|()| index)
            })
            .await
            .inspect_err(|_| *self.0.open.write() = None)?;
            at = next;
            self.reach(at);
        }
        self.forget_taken(at.upto).await
    }

    /// Where the index must be. A store that never had one gets its first state.
    async fn wanted(&self) -> Result<Position> {
        if let Some(wanted) = self.0.store.read_inline(|tx| waiting::position(tx)).await? {
            return Ok(wanted);
        }
        self.0.store.write(waiting::make_anew).await?;
        let wanted = self.0.store.read_inline(|tx| waiting::position(tx)).await?;
        wanted.ok_or_else(|| Error::internal("the state of the search is gone again"))
    }

    /// Opens the index on the disk, or makes one anew when there is none to go on with. Gives how far it is, too.
    async fn open(&self, wanted: Position, stop: &CancellationToken) -> Result<(SharedIndex, Position)> {
        let folder = self.current();
        let opened = blocking::run(move |_| Ok(open_sound(&folder))).await?;
        let reached = match &opened {
            Ok((_, at)) => Some(*at),
            Err(why) => {
                info!(%why, "the search index is made anew");
                None
            }
        };
        // An index that is ahead has followed writes that were lost. Their places will be given again: it must fit no more.
        if reached.is_some_and(|at| at.state == wanted.state && at.upto > wanted.upto) {
            warn!(
                "the store lacks writes that the search had taken up: an older copy of hanok.redb may lie in its place; the \
                 page of the backups shows what there is to go back to"
            );
            self.0.store.write(waiting::make_anew).await?;
        }
        let fits = reached.filter(|at| at.state == wanted.state && at.upto <= wanted.upto);
        self.0.status.send_modify(|status| status.reached = fits);
        match (opened, fits) {
            (Ok((index, _)), Some(at)) => {
                let index = Arc::new(index);
                *self.0.open.write() = Some(Arc::clone(&index));
                Ok((index, at))
            }
            _ => self.build(stop).await,
        }
    }

    /// Makes the index anew from all rows, beside the present one, and puts it in its place.
    async fn build(&self, stop: &CancellationToken) -> Result<(SharedIndex, Position)> {
        let (search, stop) = (self.clone(), stop.clone());
        let (index, at) = blocking::run(move |_| search.build_now(&stop)).await?;
        *self.0.open.write() = Some(Arc::clone(&index));
        self.reach(at);
        info!(documents = index.documents(), "the search index was made anew");
        Ok((index, at))
    }

    /// The index is as far as `at`.
    fn reach(&self, at: Position) {
        self.0.status.send_replace(FollowStatus { reached: Some(at), trouble: None });
    }

    fn build_now(&self, stop: &CancellationToken) -> Result<(SharedIndex, Position)> {
        let (new, current) = (self.0.folder.join("new"), self.current());
        remove(&new)?;
        // Beside a store that was moved away with its folder nothing is made in its place.
        [&self.0.folder, &new].into_iter().try_for_each(|folder| make(folder))?;
        let built = OpenIndex::create(&new)?;
        let at = self.0.store.read_now(|tx| {
            let at = waiting::position(tx)?.ok_or_else(|| Error::internal("the search has no state"))?;
            for kind in &self.0.kinds {
                (kind.walk)(tx, &mut |document| {
                    blocking::go_on(stop)?;
                    built.put(&document)
                })?;
            }
            Ok(at)
        })?;
        built.commit(at)?;
        built.let_go()?;
        drop(built);
        // Whoever is asking the old one goes on with it: its files stay until they are done.
        remove(&current)?;
        fs::rename(&new, &current).map_err(Error::internal)?;
        let index = OpenIndex::open(&current)?;
        Ok((Arc::new(index), at))
    }

    /// Forgets in the store what the index has taken for good.
    async fn forget_taken(&self, upto: u64) -> Result<()> {
        while self.0.store.read_inline(|tx| waiting::count(tx)).await? > 0 {
            if !self.0.store.write(move |tx| waiting::taken(tx, upto, AT_ONCE)).await? {
                break;
            }
        }
        Ok(())
    }

    async fn with_index(&self, work: fn(&OpenIndex) -> Result<()>) {
        let Some(index) = self.0.open.read().clone() else { return };
        if let Err(error) = blocking::run(move |_| work(&index)).await {
            warn!(%error, "the search index was not put to rest");
        }
    }

    fn current(&self) -> PathBuf {
        self.0.folder.join("current")
    }
}

/// The index in `folder` and how far it is, or why there is none to go on with.
fn open_sound(folder: &Path) -> Result<(OpenIndex, Position), String> {
    if !folder.exists() {
        return Err("there is none".to_owned());
    }
    let index = OpenIndex::open(folder).map_err(|error| error.to_string())?;
    if let Some(file) = index.damaged_file().map_err(|error| error.to_string())? {
        return Err(format!("{file} is damaged"));
    }
    let position = index.position().map_err(|error| error.to_string())?;
    position.map(|position| (index, position)).ok_or_else(|| "it is another program's".to_owned())
}

/// Makes `folder` in one that is there.
fn make(folder: &Path) -> Result<()> {
    match fs::create_dir(folder) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(Error::internal(error)),
        _ => Ok(()),
    }
}

fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(Error::internal(error)),
        _ => Ok(()),
    }
}

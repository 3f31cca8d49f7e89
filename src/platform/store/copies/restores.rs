//! Restores while the appliance runs, one at a time: writers and readers go on until the exchange.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;

use redb::Database;
use tracing::warn;

use super::super::file::folder::DataFolder;
use super::super::file::handover::Handover;
use super::super::file::marker;
use super::super::file::open_store::OpenStore;
use super::super::file::space::StorageState;
use super::super::file::store::Store;
use super::carried::{Present, carry_over};
use super::pre_restore;
use super::restore::{Prepared, Replaced, Restored, prepare_one, put_in_place};
use super::said;
use super::uploaded::Uploads;
use crate::blocking;
use hanok_base::{Error, Result};

/// The turn of the one restore that may be under way.
pub(super) type RestoreTurn = tokio::sync::OwnedMutexGuard<()>;

/// Restores in a store that is open. They are made with what the house does with a state that takes the place of another:
/// so none can leave it out.
#[derive(Clone)]
pub struct Restores {
    pub(super) store: Store,
    handover: Arc<Handover>,
    /// The file that was brought and waits.
    pub(super) uploads: Uploads,
}

impl Restores {
    /// Those in `store`, with `handover`.
    pub fn new(store: Store, handover: Handover) -> Restores {
        Restores { store, handover: Arc::new(handover), uploads: Uploads::default() }
    }

    /// Puts the snapshot `name`, or the newest sound one, in the place of the present state while the appliance runs.
    /// All that takes long is done beside it: writers and readers wait for the exchange only, which is done whole once it
    /// has begun, whoever waits for it. `progress` hears percent.
    pub async fn restore(&self, name: Option<String>, progress: impl FnMut(u8) + Send + 'static) -> Result<Restored> {
        let folder = self.folder_to_restore()?;
        let turn = Arc::clone(&self.store.restoring).lock_owned().await;
        self.restore_in_turn(folder, turn, name, progress).await
    }

    /// Keeps the state of a store whose file was removed while it was open, once, and however the process ends then: it is
    /// listed by the next start, as one that a restore has replaced. Gives its name; none while the file has a name
    /// somewhere, and when it is kept already.
    ///
    /// # Errors
    /// Those of the copy; what is known of the state then ends with the process.
    pub async fn keep_removed(&self) -> Result<Option<String>> {
        let kept = self.store.writer.alone(|open| {
            let (Some(folder), Some(file)) = (open.folder(), open.unplaced()) else { return Ok(None) };
            if open.is_kept() || file.metadata().is_ok_and(|file| file.nlink() > 0) {
                return Ok(None);
            }
            // Nothing is half written now. It is like the file of a process that was killed: whole, and not closed.
            let is_damaged = open.state() == StorageState::Damaged || open.is_overwritten();
            let kept = pre_restore::keep_unplaced(folder, open.clock().now(), &file, is_damaged)?;
            open.note_kept(kept.clone());
            if !is_damaged {
                pre_restore::note_newest(folder, &kept)?;
            }
            Ok(Some(kept))
        });
        Ok(kept.await?.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned()))
    }

    /// Puts back what was there before the last restore, while the appliance runs: a restore like any other.
    ///
    /// # Errors
    /// `CONFLICT` when there is nothing to undo; those of [`Restores::restore`].
    pub async fn undo(&self, progress: impl FnMut(u8) + Send + 'static) -> Result<Restored> {
        let folder = self.folder_to_restore()?;
        // What was there before the last restore is known only when nobody restores, and that state is listed.
        let turn = Arc::clone(&self.store.restoring).lock_owned().await;
        let listing = Arc::clone(&self.store.copying).lock_owned().await;
        let (place, open) = (folder.clone(), self.store.open.clone());
        let chosen = blocking::run(move |_| {
            let _listing = listing;
            Ok((pre_restore::newest(&place, open.clock())?, turn))
        });
        let (name, turn) = chosen.await?;
        self.restore_in_turn(folder, turn, Some(name), progress).await
    }

    pub(super) fn folder_to_restore(&self) -> Result<DataFolder> {
        self.store.folder().cloned().ok_or_else(|| Error::conflict(said::IN_MEMORY))
    }

    /// [`Restores::restore`] by whoever has the turn. Each part keeps it to its end, also when its caller has gone.
    async fn restore_in_turn(
        &self,
        folder: DataFolder,
        turn: RestoreTurn,
        name: Option<String>,
        mut progress: impl FnMut(u8) + Send + 'static,
    ) -> Result<Restored> {
        let open = self.store.open.clone();
        let prepared = blocking::run(move |abandoned| {
            let hears = |percent| {
                progress(percent);
                blocking::go_on(abandoned)
            };
            Ok((prepare_one(&folder, open.schema(), open.clock(), name.as_deref(), hears)?, turn))
        });
        let (prepared, turn) = prepared.await?;
        self.exchange(prepared, turn).await
    }

    /// Puts a prepared file in place while the appliance runs.
    pub(super) async fn exchange(&self, mut prepared: Prepared, turn: RestoreTurn) -> Result<Restored> {
        let handover = Arc::clone(&self.handover);
        let exchanged = self.store.writer.alone(move |open| {
            prepared.write(&handover.make_ready, open.clock())?;
            Ok((open.alone(|database| exchange_in(open, database, prepared, &handover))?, turn))
        });
        let (restored, turn) = exchanged.await?;
        let listing = Arc::clone(&self.store.copying).lock_owned().await;
        let open = self.store.open.clone();
        let listed = blocking::run(move |_| {
            let (_turn, _listing) = (turn, listing);
            let Some(folder) = open.folder() else { return Ok(restored) };
            Ok(restored.with(folder, pre_restore::list(folder, open.clock())))
        });
        listed.await
    }
}

fn exchange_in(
    open: &OpenStore,
    database: &mut Option<Database>,
    mut prepared: Prepared,
    handover: &Handover,
) -> Result<Restored> {
    let Some(folder) = open.folder() else { return Err(Error::internal("no folder")) };
    if database.is_none() && open.state() != StorageState::Damaged {
        // A store that is only closed, after a fault of the disk, is asked as any other; where it cannot be opened, it is not
        // given up, unless what lies there is not it any more.
        open.open_in(database, true).or_else(|error| match open.state() {
            StorageState::Damaged | StorageState::Away => Ok(()),
            _ => Err(error),
        })?;
    }
    let is_damaged = open.state() == StorageState::Damaged || open.is_overwritten();
    let replaced = Replaced { is_damaged, unplaced: open.unplaced(), beside: None };
    let direct = database.as_ref().map(|database| open.direct(database));
    let present = match direct.as_ref() {
        Some(direct) if !is_damaged => Present::Sound(direct),
        Some(direct) => Present::Damaged(direct),
        None => Present::Lost,
    };
    prepared.signed_out = carry_over(&prepared.waiting.0, folder, present, open.schema(), open.clock())?;
    drop(database.take());
    let replacing = marker::identity(&prepared.waiting.0).ok();
    let put = put_in_place(folder, prepared, open.clock(), &replaced);
    // Whether it worked or not, what is in place now is what the house goes on with.
    let is_replaced = put.is_ok() || marker::identity(&folder.store_file()).ok() == replacing;
    if is_replaced {
        // It was kept once more with the exchange, as the newest.
        if let Some(kept) = open.take_kept() {
            let _ = fs::remove_file(kept);
        }
        open.forget_the_file();
    }
    let opened = open.open_in(database, true);
    open.note_change();
    if is_replaced {
        (handover.go_on)();
    }
    if let (Ok(_), Err(error)) = (&put, &opened) {
        warn!(%error, "the restored store is in place and could not be opened yet");
    }
    put
}

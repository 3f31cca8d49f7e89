//! Restores while the appliance runs, one at a time: writers and readers go on until the exchange.

use std::sync::Arc;

use redb::Database;
use tracing::warn;

use super::super::file::folder::DataFolder;
use super::super::file::handover::Handover;
use super::super::file::marker;
use super::super::file::open_store::OpenStore;
use super::super::file::space::StorageState;
use super::super::file::store::Store;
use super::aside;
use super::brought::Uploads;
use super::carried::{Present, carry_over};
use super::restore::{Prepared, Restored, prepare_one, put_in_place};
use super::said;
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

    /// Puts back what was there before the last restore, while the appliance runs: a restore like any other.
    ///
    /// # Errors
    /// `CONFLICT` when there is nothing to undo; those of [`Restores::restore`].
    pub async fn undo(&self, progress: impl FnMut(u8) + Send + 'static) -> Result<Restored> {
        let folder = self.folder_to_restore()?;
        // What was there before the last restore is known only when nobody restores, and that state is listed.
        let turn = Arc::clone(&self.store.restoring).lock_owned().await;
        let listing = Arc::clone(&self.store.copying).lock_owned().await;
        let (place, open) = (folder.clone(), Arc::clone(&self.store.open));
        let chosen = blocking::run(move |_| {
            let _listing = listing;
            Ok((aside::newest(&place, open.clock())?, turn))
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
        let open = Arc::clone(&self.store.open);
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
        let open = Arc::clone(&self.store.open);
        let listed = blocking::run(move |_| {
            let (_turn, _listing) = (turn, listing);
            let Some(folder) = open.folder() else { return Ok(restored) };
            Ok(restored.with(folder, aside::list(folder, open.clock())))
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
        // given up.
        open.open_in(database, true).or_else(|error| match open.state() {
            StorageState::Damaged => Ok(()),
            _ => Err(error),
        })?;
    }
    let is_damaged = open.state() == StorageState::Damaged;
    let direct = database.as_ref().map(|database| open.direct(database));
    let present = match direct.as_ref() {
        Some(direct) if !is_damaged => Present::Sound(direct),
        Some(direct) => Present::Damaged(direct),
        None => Present::Lost,
    };
    prepared.signed_out = carry_over(&prepared.waiting.0, folder, present, open.schema(), open.clock())?;
    drop(database.take());
    let replacing = marker::identity(&prepared.waiting.0).ok();
    let put = put_in_place(folder, prepared, open.clock(), is_damaged);
    // Whether it worked or not, what is in place now is what the house goes on with.
    let is_replaced = put.is_ok() || marker::identity(&folder.store_file()).ok() == replacing;
    if is_replaced {
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

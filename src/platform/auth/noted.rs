//! The hash of the passphrase is noted beside the store as well: where the store is lost, or a page of it is damaged, a
//! passphrase that was changed since the last snapshot must not give way to the one before it.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tokio::sync::{Mutex, oneshot};
use tracing::warn;

use super::password::is_hash;
use super::words::is_passphrase_set;
use crate::blocking;
use crate::single_flight::SingleFlight;
use crate::store::folder::{PASSPHRASE_NOTE, replace_whole};
use crate::store::{Store, WriteTx};
use hanok_base::{Error, Result};

/// Two who set a passphrase at once note them in the order in which they were written.
static TURN: Mutex<()> = Mutex::const_new(());

/// Does `write`, which sets another passphrase, notes it, and does what is to be done `then`. Until it is written nothing is
/// noted, so that no earlier one can come back by the note. All of it is done whoever waits for it.
///
/// # Errors
/// Those of `write`.
pub async fn set_and_note<T: Send + 'static>(
    store: &Store,
    claims: &SingleFlight,
    then: impl FnOnce() + Send + 'static,
    write: impl FnOnce(&WriteTx) -> Result<T> + Send + 'static,
) -> Result<T> {
    let (tell, told) = oneshot::channel();
    let store = store.clone();
    let work = async move {
        let _turn = TURN.lock().await;
        if let Some(folder) = store.folder() {
            let _ = tokio::fs::remove_file(folder.passphrase_note()).await;
        }
        let written = store.write(write).await;
        if written.is_ok() {
            then();
        }
        note_passphrase(&store).await;
        // Who waits for it may have gone.
        let _ = tell.send(written);
        Ok(Value::Null)
    };
    claims.run_without_key("passphrase", work).await?;
    told.await.map_err(Error::internal)?
}

/// Notes the passphrase that holds, or that there is none. Where that does not succeed, it is tried again at the next
/// start: the store itself has it.
pub async fn note_passphrase(store: &Store) {
    if let Err(error) = note(store).await {
        warn!(%error, "the passphrase could not be noted beside the store");
    }
}

async fn note(store: &Store) -> Result<()> {
    let Some(folder) = store.folder() else { return Ok(()) };
    let path = folder.passphrase_note();
    let hash = store.read(|tx| is_passphrase_set(tx)).await?.unwrap_or_default();
    blocking::run(move |_| match fs::read_to_string(&path) {
        Ok(noted) if noted == hash => Ok(()),
        Err(_) if hash.is_empty() => Ok(()),
        _ => replace_whole(&path, hash.as_bytes()),
    })
    .await
}

/// The hash that was noted in the folder `beside` the store. None where none was, or it has been damaged itself.
pub(super) fn noted(beside: &Path) -> Option<String> {
    fs::read_to_string(beside.join(PASSPHRASE_NOTE)).ok().filter(|hash| is_hash(hash))
}

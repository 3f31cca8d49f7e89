//! The routes of the one file that moves a house: fetch it, bring it, look at what was brought, restore it.

use salvo::Writer;
use salvo::oapi::endpoint;

use super::backups::restoring;
use super::folder::snapshot_named;
use super::taken_over::{self, RestoredFile};
use hanok_base::{Error, Result, day};
use hanok_platform::app::App;
use hanok_platform::blocking;
use hanok_platform::events::{Change, Event};
use hanok_platform::http::{
    Created, Deferred, Deleted, FileSoon, HandlerResult, Household, IdempotencyKey, Incoming, Key, Permission,
    SameOrigin, wait_timeout,
};
use hanok_platform::settings_file;
use hanok_platform::single_flight::KeepOutcome;
use hanok_platform::store::{Snapshot, Upload, Uploaded};

/// One file with everything in it, made from a snapshot, without who may enter. It is packed at the first request and kept for
/// a day, also while hanok is started again, so that who was interrupted goes on with the same bytes. When a setting is changed
/// meanwhile it is another file.
#[endpoint(operation_id = "backups_download", tags("system"))]
pub async fn download(app: App, caller: Household, _page: SameOrigin, name: Key) -> HandlerResult<FileSoon> {
    let snapshot = snapshot_named(&app, Some(name.0)).await?.ok_or_else(|| Error::not_found("snapshot"))?;
    let name = file_name(&snapshot);
    let (store, config) = (app.data.store.clone(), app.config.clone());
    let key = format!("download {}", snapshot.name);
    let pack = async move {
        let settings = blocking::run(move |_| Ok(settings_file::to_carry(&config))).await?;
        let path = store.packed_for_download(&snapshot, &settings).await?;
        serde_json::to_value(path).map_err(Error::internal)
    };
    // Whoever asks meanwhile waits for the same file.
    let caller = format!("{} {}", caller.door().name(), caller.caller());
    let packed =
        app.workers.claims.run_soon(&caller, &key, "", pack, wait_timeout(&app), KeepOutcome::UntilHeard).await?;
    let path = packed.map(serde_json::from_value).transpose().map_err(Error::internal)?;
    Ok(FileSoon { path, name })
}

/// Under which name it is kept: of which evening it is shows there.
fn file_name(snapshot: &Snapshot) -> String {
    let made = snapshot.created_at.with_timezone(&day::ZONE);
    format!("hanok-{}.tar.gz", made.format("%Y-%m-%d-%H%M"))
}

/// Takes a backup file in, as the body, and checks every byte of it. Nothing counts yet: the answer says what it holds, and
/// waits for the word to restore it, until hanok is started again, at most for a day. A file that waits already gives way when this one is whole, or where there is
/// no room for both. An `Idempotency-Key` is passed over: a file that
/// is brought twice is there once.
#[endpoint(operation_id = "restore_upload", tags("system"))]
pub async fn upload(app: App, _caller: Household, mut body: Incoming) -> HandlerResult<Created<Uploaded>> {
    let most = app.config.backup.upload_mib << 20;
    let mut incoming = app.data.restores.begin_upload(body.announced, most).await?;
    let (ended, config) = (incoming.ended(), app.config.clone());
    let taken = async {
        while let Some(piece) = body.piece().await? {
            incoming = incoming.write(piece).await?;
        }
        incoming.finish(move |settings| taken_over::foreseen(&config, settings)).await
    };
    let uploaded = tokio::select! {
        uploaded = taken => uploaded?,
        () = ended.cancelled() => return Err(Upload::refusal().into()),
    };
    app.events.send(Event::Changed(Change::BACKUPS));
    Ok(Created(uploaded))
}

/// The id under which the file is ended that comes in.
const COMING: &str = "coming";

/// Throws an uploaded file away. With `coming` as its id it ends the one that comes in, whoever sends it.
#[endpoint(operation_id = "restore_forget", tags("system"))]
pub async fn forget(app: App, _caller: Household, id: Key) -> HandlerResult<Deleted> {
    match id.0.as_str() {
        COMING => app.data.restores.end_upload().await?,
        id => app.data.restores.forget_upload(id).await?,
    }
    app.events.send(Event::Changed(Change::BACKUPS));
    Ok(Deleted::default())
}

/// Puts the state of an uploaded file in the place of the present one, which is kept as a snapshot. Who may enter stays as it
/// is.
#[endpoint(operation_id = "restore_uploaded", tags("system"))]
pub async fn restore(
    app: App,
    caller: Household,
    key: IdempotencyKey,
    id: Key,
) -> HandlerResult<Deferred<RestoredFile, 200>> {
    let work = |app: App| async move { restoring(&app, restored(&app, &id.0)).await };
    Ok(key.once_for_good_soon(&app, &caller, work).await?)
}

async fn restored(app: &App, id: &str) -> Result<RestoredFile> {
    let (restored, settings) = app.data.restores.restore_uploaded(id, |_| ()).await?;
    Ok(RestoredFile::of(app, restored, settings).await)
}

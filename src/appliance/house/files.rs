//! The routes of large files: what is there, by its name, and what comes in in parts.

use salvo::Writer;
use salvo::oapi::{ToParameters, endpoint};
use serde::Deserialize;

use hanok_base::error::Check;
use hanok_base::text::Text;
use hanok_base::validated::Unchecked;
use hanok_base::{Error, Validated};
use hanok_platform::app::App;
use hanok_platform::blobs::BlobId;
use hanok_platform::http::{
    HandlerResult, Household, IncomingPart, Key, NoContent, Query, StoredFile, TusVersion, UploadCreate, UploadOffset,
};

/// How a file is asked for.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct FileQuery {
    /// The name under which it is kept.
    pub name: Option<Validated<Text<1, 200>>>,
    /// Whether it is only kept, and never shown; left out it is shown where that does no harm.
    pub keep: Option<Validated<Unchecked<bool>>>,
}

/// A file, known by the SHA-256 of its bytes. Parts of it can be asked for.
#[endpoint(operation_id = "file_find", tags("house"))]
pub async fn find(app: App, _caller: Household, id: Key, asked: Query<FileQuery>) -> HandlerResult<StoredFile> {
    let id = BlobId::parse(&id.0).ok_or_else(|| Error::not_found("file"))?;
    let FileQuery { name, keep } = asked.0;
    let (name, keep) = Check::of(|check| {
        let name = name.map(|name| check.take("name", name));
        let keep = keep.map(|keep| check.take("keep", keep));
        (name, keep)
    })?;
    let file = StoredFile::of(&app, &id, name).await?;
    Ok(if keep == Some(true) { file.to_keep() } else { file })
}

/// Announces a file that comes in in parts (tus 1.0.0). It goes when nobody goes on with it for a day. An
/// `Idempotency-Key` is passed over: a file that is announced twice and brought once is there once.
#[endpoint(operation_id = "upload_begin", tags("house"))]
pub async fn begin(
    app: App,
    _caller: Household,
    _tus: TusVersion,
    file: UploadCreate,
) -> HandlerResult<UploadOffset<201>> {
    let most = app.config.store.upload_mib << 20;
    Ok(UploadOffset(app.data.blobs.begin_upload(file.length, most, file.name).await?))
}

/// How far a file is that comes in in parts, and what it became.
#[endpoint(operation_id = "upload_find", tags("house"))]
pub async fn upload(app: App, _caller: Household, id: Key) -> HandlerResult<UploadOffset<200>> {
    Ok(UploadOffset(app.data.blobs.upload(&id.0).await?))
}

/// Takes the next part of a file in. Who is interrupted goes on where `HEAD` says that it is.
#[endpoint(operation_id = "upload_continue", tags("house"))]
pub async fn go_on(
    app: App,
    _caller: Household,
    _tus: TusVersion,
    id: Key,
    mut part: IncomingPart,
) -> HandlerResult<UploadOffset<204>> {
    let mut receiving = app.data.blobs.receive(&id.0, part.offset).await?;
    let broken_off = loop {
        match part.body.piece().await {
            Ok(Some(piece)) => receiving = receiving.write(piece).await?,
            Ok(None) => break None,
            Err(error) => break Some(error),
        }
    };
    // What has come in stays, also of a part that is broken off.
    let far = receiving.end().await?;
    match broken_off {
        Some(error) => Err(error.into()),
        None => Ok(UploadOffset(far)),
    }
}

/// Ends a file that comes in in parts: nothing of it stays.
#[endpoint(operation_id = "upload_end", tags("house"))]
pub async fn end(app: App, _caller: Household, _tus: TusVersion, id: Key) -> HandlerResult<NoContent> {
    app.data.blobs.end_upload(&id.0).await?;
    Ok(NoContent)
}

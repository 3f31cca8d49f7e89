//! Posts as files, out of the house and into it.

use salvo::Writer;
use salvo::oapi::endpoint;
use serde::{Deserialize, Serialize};

use super::super::work::{self, Exported, FileReason, Form, Imported, site};
use hanok_base::schema::ToSchema;
use hanok_base::validated::Unchecked;
use hanok_base::{Language, Request};
use hanok_platform::app::App;
use hanok_platform::http::{Atom, CheckedQuery, FileBody, FileResponse, HandlerResult, Household, Json, Streamed, Zip};

/// What posts become.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExportForm {
    /// A file in Markdown for each post, drafts too, which can be brought back as they were.
    #[default]
    Markdown,
    /// Pages of what is published, for any server.
    Site,
}

/// How posts go out.
#[derive(Debug, Request)]
#[request(query)]
pub struct ExportQuery {
    /// What they become; left out it is a file in Markdown for each.
    #[field(Unchecked<ExportForm>, default)]
    pub form: ExportForm,
    /// In which language the pages around them speak; left out it is Korean.
    #[field(Unchecked<Language>, default)]
    pub language: Language,
}

/// How posts come in.
#[derive(Debug, Request)]
#[request(query)]
pub struct ImportQuery {
    /// Whether all of them come in as drafts; left out each comes in as its file says.
    #[field(Unchecked<bool>, default)]
    pub drafts: bool,
}

/// How the feed is written.
#[derive(Debug, Request)]
#[request(query)]
pub struct FeedQuery {
    /// In which language its title is; left out it is Korean.
    #[field(Unchecked<Language>, default)]
    pub language: Language,
}

/// What became of the files that were brought.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportedPosts {
    /// How many became posts.
    pub added: u64,
    /// How many say the same as a post that is there, and were left out.
    pub repeated: u64,
    /// How many files that the posts which were added show came in with them.
    pub pictures: u64,
    /// Those that were not taken, at most a hundred of them.
    pub refused: Vec<RefusedFile>,
    /// How many were not taken.
    pub refused_count: u64,
    /// How many other files were passed over.
    pub others: u64,
    /// Their names with their folders, at most a hundred of them.
    pub passed_over: Vec<String>,
}

/// A file that was not taken.
#[derive(Debug, Serialize, ToSchema)]
pub struct RefusedFile {
    /// Its name with its folders.
    pub name: String,
    /// Why not.
    pub reason: FileReason,
}

/// The posts as files in a zip: in Markdown, or as pages for readers. The files that they show lie beside them.
#[endpoint(operation_id = "blog_export", tags("blog"))]
pub async fn export(app: App, _caller: Household, how: CheckedQuery<ExportQuery>) -> HandlerResult<Streamed<Zip>> {
    let form = match how.0.form {
        ExportForm::Markdown => Form::Markdown,
        ExportForm::Site => Form::Site(site::frame_in(how.0.language)),
    };
    let Exported { name, length, state, pieces, .. } = work::exported(&app, form).await?;
    Ok(Streamed::kept(&name, length, state, pieces))
}

/// Adds the posts in the files in Markdown of a zip, and the files that they show. What says the same as a post that is there
/// is left out, so that the same file can be brought again. Takes no Idempotency-Key for that reason.
#[endpoint(operation_id = "blog_import", tags("blog"))]
pub async fn import(
    app: App,
    _caller: Household,
    how: CheckedQuery<ImportQuery>,
    mut file: FileBody<Zip>,
) -> HandlerResult<Json<ImportedPosts>> {
    let mut archive = work::begin(&app, file.body.announced).await?;
    while let Some(piece) = file.body.piece().await? {
        archive = archive.write(piece).await?;
    }
    let imported = work::imported(&app, archive, how.0.drafts).await?;
    let Imported { added, repeated, pictures, refused, refused_count, others, passed_over } = imported;
    let refused = refused.into_iter().map(|(name, reason)| RefusedFile { name, reason }).collect();
    Ok(Json(ImportedPosts { added, repeated, pictures, refused, refused_count, others, passed_over }))
}

/// The last twenty posts that are published, as a feed (Atom) with at most a megabyte of texts: of what is more the excerpts.
#[endpoint(operation_id = "blog_feed", tags("blog"))]
pub async fn feed(app: App, _caller: Household, how: CheckedQuery<FeedQuery>) -> HandlerResult<FileResponse<Atom>> {
    Ok(FileResponse::shown(work::feed(&app, site::frame_in(how.0.language)).await?))
}

//! Posts as files, out of the house and into it.

use salvo::Writer;
use salvo::oapi::{ToParameters, endpoint};
use serde::{Deserialize, Serialize};

use super::super::work::{self, Exported, FileReason, Form, Frame, Imported, site};
use hanok_base::Sent;
use hanok_base::error::Check;
use hanok_base::schema::ToSchema;
use hanok_base::sent::Any;
use hanok_platform::app::App;
use hanok_platform::http::{Answer, Atom, Brought, Household, Json, Made, Query, Streamed, Zip};

/// In which language the frame around the posts speaks.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FrameLanguage {
    /// Korean.
    #[default]
    Ko,
    /// English.
    En,
}

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
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct HowExported {
    /// What they become; left out it is a file in Markdown for each.
    pub form: Option<Sent<Any<ExportForm>>>,
    /// In which language the pages around them speak; left out it is Korean.
    pub language: Option<Sent<Any<FrameLanguage>>>,
}

/// How posts come in.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct HowImported {
    /// Whether all of them come in as drafts; left out each comes in as its file says.
    pub drafts: Option<Sent<Any<bool>>>,
}

/// How the feed is written.
#[derive(Debug, Deserialize, ToParameters)]
#[salvo(parameters(default_parameter_in = Query))]
pub struct HowFed {
    /// In which language its title is; left out it is Korean.
    pub language: Option<Sent<Any<FrameLanguage>>>,
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
pub async fn export(app: App, _caller: Household, how: Query<HowExported>) -> Answer<Streamed<Zip>> {
    let (form, language) = Check::of(|check| {
        let form = how.0.form.map(|form| check.take("form", form)).unwrap_or_default();
        (form, how.0.language.map(|language| check.take("language", language)).unwrap_or_default())
    })?;
    let form = match form {
        ExportForm::Markdown => Form::Markdown,
        ExportForm::Site => Form::Site(language.into()),
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
    how: Query<HowImported>,
    mut file: Brought<Zip>,
) -> Answer<Json<ImportedPosts>> {
    let as_drafts = Check::of(|check| how.0.drafts.is_some_and(|drafts| check.take("drafts", drafts)))?;
    let mut archive = work::begin(&app, file.body.announced).await?;
    while let Some(piece) = file.body.piece().await? {
        archive = archive.write(piece).await?;
    }
    let imported = work::imported(&app, archive, as_drafts).await?;
    let Imported { added, repeated, pictures, refused, refused_count, others, passed_over } = imported;
    let refused = refused.into_iter().map(|(name, reason)| RefusedFile { name, reason }).collect();
    Ok(Json(ImportedPosts { added, repeated, pictures, refused, refused_count, others, passed_over }))
}

/// The last twenty posts that are published, as a feed (Atom) with at most a megabyte of texts: of what is more the excerpts.
#[endpoint(operation_id = "blog_feed", tags("blog"))]
pub async fn feed(app: App, _caller: Household, how: Query<HowFed>) -> Answer<Made<Atom>> {
    let language = Check::of(|check| how.0.language.map(|language| check.take("language", language)))?;
    Ok(Made::shown(work::feed(&app, language.unwrap_or_default().into()).await?))
}

impl From<FrameLanguage> for Frame {
    fn from(language: FrameLanguage) -> Frame {
        match language {
            FrameLanguage::Ko => site::KOREAN,
            FrameLanguage::En => site::ENGLISH,
        }
    }
}

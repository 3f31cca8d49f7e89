//! Posts as files, out of the house and into it.

use salvo::Writer;
use salvo::oapi::{ToParameters, endpoint};
use serde::{Deserialize, Serialize};

use super::super::work::{self, FileReason, Form, Frame, Imported, site};
use hanok_base::Sent;
use hanok_base::error::Check;
use hanok_base::schema::ToSchema;
use hanok_base::sent::Any;
use hanok_platform::app::App;
use hanok_platform::http::{Answer, Atom, Brought, Household, Json, Made, Query, Zip};

/// As many bytes as are brought at once.
const MOST_BYTES: u64 = 32 << 20;

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
    /// Those that can be no post, at most a hundred of them.
    pub refused: Vec<RefusedFile>,
    /// How many can be no post.
    pub refused_count: u64,
    /// How many other files were passed over.
    pub others: u64,
}

/// A file that can be no post.
#[derive(Debug, Serialize, ToSchema)]
pub struct RefusedFile {
    /// Its name with its folders.
    pub name: String,
    /// Why not.
    pub reason: FileReason,
}

/// The posts as files in a zip: in Markdown, or as pages for readers.
#[endpoint(operation_id = "blog_export", tags("blog"))]
pub async fn export(app: App, _caller: Household, how: Query<HowExported>) -> Answer<Made<Zip>> {
    let (form, language) = Check::of(|check| {
        let form = how.0.form.map(|form| check.take("form", form)).unwrap_or_default();
        (form, how.0.language.map(|language| check.take("language", language)).unwrap_or_default())
    })?;
    let form = match form {
        ExportForm::Markdown => Form::Markdown,
        ExportForm::Site => Form::Site(language.into()),
    };
    let (name, bytes) = work::exported(&app, form).await?;
    Ok(Made::kept(&name, bytes))
}

/// Adds the posts in the files in Markdown of a zip. What says the same as a post that is there is left out, so that the
/// same file can be brought again. Takes no Idempotency-Key for that reason.
#[endpoint(operation_id = "blog_import", tags("blog"))]
pub async fn import(app: App, _caller: Household, file: Brought<Zip, MOST_BYTES>) -> Answer<Json<ImportedPosts>> {
    let Imported { added, repeated, refused, refused_count, others } = work::imported(&app, file.bytes).await?;
    let refused = refused.into_iter().map(|(name, reason)| RefusedFile { name, reason }).collect();
    Ok(Json(ImportedPosts { added, repeated, refused, refused_count, others }))
}

/// The last twenty posts that are published, as a feed (Atom).
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

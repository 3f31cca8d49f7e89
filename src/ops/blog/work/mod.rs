//! Finding posts by words, posts as files and the command for them, a text as readers will see it, and the blog's part of Today.

mod command;
mod files;
mod folder;
mod import;
mod look;

use super::model::{Head, Status};
use super::store::{self, BlogToday, KIND, Listed, Wanted};
use hanok_base::Result;
use hanok_platform::app::App;
use hanok_platform::config::Config;
use hanok_platform::domain::Today;
use hanok_platform::search::{SearchRequest, SearchTerms};
use hanok_platform::store::ReadTx;

pub use super::model::site;
pub use command::COMMAND;
pub use files::{Exported, Form, exported, feed};
pub use hanok_platform::search::Piece;
pub use import::{FileReason, Imported, begin, imported};
pub use look::{Looked, look_at};

/// Posts that were found by words.
pub struct FoundPosts {
    /// The best first, each with what was looked for in its title and where in its text it was found.
    pub posts: Vec<FoundPost>,
    /// How many there are on all pages.
    pub total: u64,
    /// Whether everything that was written before was looked at.
    pub is_fresh: bool,
}

/// A post that was found.
pub struct FoundPost {
    /// What lists show of it.
    pub head: Head,
    /// What it says, where that is wanted.
    pub body: Option<String>,
    /// Its title, with what was looked for in it.
    pub title: Vec<Piece>,
    /// Where in its text it was found.
    pub text: Vec<Piece>,
}

/// The posts that are wanted and say `words`.
///
/// # Errors
/// Those of the index and of the store.
pub async fn found(app: &App, words: &str, wanted: Wanted) -> Result<FoundPosts> {
    let Wanted { tag, status, with_bodies, page } = wanted;
    let done = status.map(|status| status == Status::Published);
    let kind = Some(KIND.to_owned());
    let asked = SearchRequest { words: SearchTerms::of(words), kind, but: Vec::new(), tag, done, page };
    let found = app.data.search.find(asked).await?;
    let (total, is_fresh) = (found.total, found.is_fresh);
    let ids = found.hits.iter().map(|hit| hit.document.id).collect();
    let posts = app.data.store.read(move |tx| store::found(tx, ids, with_bodies)).await?;
    let mut hits = found.hits.into_iter();
    let with_hit = |(head, body): (Head, Option<String>)| {
        let hit = hits.find(|hit| hit.document.id == head.id)?;
        Some(FoundPost { head, body, title: hit.title, text: hit.excerpt })
    };
    Ok(FoundPosts { posts: posts.into_iter().filter_map(with_hit).collect(), total, is_fresh })
}

impl From<Listed> for FoundPosts {
    fn from(listed: Listed) -> FoundPosts {
        let plain = |(head, body)| FoundPost { head, body, title: Vec::new(), text: Vec::new() };
        FoundPosts { posts: listed.posts.into_iter().map(plain).collect(), total: listed.total, is_fresh: true }
    }
}

impl Today for BlogToday {
    fn read(tx: &ReadTx, _config: &Config) -> Result<BlogToday> {
        store::today(tx)
    }
}

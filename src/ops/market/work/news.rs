//! News, listed and found by words.

use super::super::store::news::{self, Article};
use hanok_base::{Page, Result};
use hanok_platform::app::App;
use hanok_platform::search::{SearchRequest, SearchTerms};

/// News with how many there are.
#[derive(Debug)]
pub struct FoundNews {
    /// Those of the page.
    pub news: Vec<Article>,
    /// How many there are on all pages.
    pub total: u64,
    /// Whether everything that came before was looked at.
    pub complete: bool,
}

/// The newest first; those that were found by words, the best first.
///
/// # Errors
/// Those of the store and of the index.
pub async fn list(app: &App, q: Option<String>, category: Option<String>, page: Page) -> Result<FoundNews> {
    let Some(q) = q else {
        let (news, total) = app.data.store.read(move |tx| news::list(tx, category.as_deref(), page)).await?;
        return Ok(FoundNews { news, total, complete: true });
    };
    let words = SearchTerms::of(&q);
    let kind = Some("news".to_owned());
    let asked = SearchRequest { words, kind, but: Vec::new(), tag: category, done: None, page };
    let found = app.data.search.find(asked).await?;
    let ids = found.hits.iter().map(|hit| hit.document.id).collect();
    let news = app.data.store.read(move |tx| news::found(tx, ids)).await?;
    Ok(FoundNews { news, total: found.total, complete: found.is_fresh })
}

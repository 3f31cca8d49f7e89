//! News.

use salvo::Writer;
use salvo::oapi::endpoint;
use serde::Serialize;

use super::super::store::news::Article;
use super::super::work::news::{self, FoundNews};
use hanok_base::page::{Limit, Offset};
use hanok_base::schema::ToSchema;
use hanok_base::text::Text;
use hanok_base::{Page, Request};
use hanok_platform::app::App;
use hanok_platform::http::{CheckedQuery, HandlerResult, Household, UncachedJson};

/// How many news a list gives when nobody says otherwise.
const USUAL: usize = 20;

/// Which news are wanted.
#[derive(Debug, Request)]
#[request(query)]
pub struct NewsWanted {
    /// Words that they say, in any order; then the best stand first.
    #[field(Text<1, 200>)]
    pub q: Option<String>,
    /// Only of this category of the settings.
    #[field(Text<1, 40>)]
    pub category: Option<String>,
    /// How many; left out it is 20.
    #[field(Limit)]
    pub limit: Option<usize>,
    /// How many to pass over first.
    #[field(Offset, default)]
    pub offset: usize,
}

/// News.
#[derive(Debug, Serialize, ToSchema)]
pub struct NewsAnswer {
    /// The newest first; those that were found by words, the best first.
    pub news: Vec<Article>,
    /// How many there are on all pages.
    pub total: u64,
    /// Whether everything that came before this was asked has been looked at.
    pub complete: bool,
}

/// The news of the last ninety days.
#[endpoint(operation_id = "stock_news", tags("market"))]
pub async fn list(
    app: App,
    _caller: Household,
    wanted: CheckedQuery<NewsWanted>,
) -> HandlerResult<UncachedJson<NewsAnswer>> {
    let NewsWanted { q, category, limit, offset } = wanted.0;
    let page = Page { limit: limit.unwrap_or(USUAL), offset };
    let FoundNews { news, total, complete } = news::list(&app, q, category, page).await?;
    Ok(UncachedJson(NewsAnswer { news, total, complete }))
}

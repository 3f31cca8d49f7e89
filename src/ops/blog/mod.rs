//! The household's blog: posts in Markdown with their drafts, found by words, day and tag.
//!
//! Used by the household's page of the blog and by Today. Table `blog_posts-1` with what lists show, `blog_heads-1`, its
//! orders `blog_order-1` and `blog_order_of_status-1`, its counts `blog_by_status-1`, its tags `blog_tags-1` and
//! what finds posts that say the same, `blog_saying-1`; what posts said before is in `blog_revisions-1`, those that were
//! removed and can be brought back in `blog_removed-1`.
//! Pictures are files of the house (`platform/blobs`): a post, what it said before and one that can be brought back name those
//! that they show, so that nobody takes them away. They go out in the same zip and come in with it, so that a post is the same
//! in another house; of either only a piece is held in memory. `hanok blog` reads and writes folders of such files as well.
//! Deliberately not here: readers who are not of the household, and their comments.

pub mod http;
mod model;
mod store;
mod work;

use hanok_platform::domain::{Domain, TodayPart};

/// What the blog says of itself.
pub const DOMAIN: Domain = Domain {
    tables: store::TABLES,
    codes: &[model::NEWER_THERE],
    changes: &[store::CHANGED],
    today: Some(TodayPart::of::<store::BlogToday>()),
    search: store::SEARCH,
    pages: &["blog"],
    command: Some(work::COMMAND),
    ..Domain::EMPTY
};

//! The routes of the blog.

pub mod posts;
pub mod revisions;

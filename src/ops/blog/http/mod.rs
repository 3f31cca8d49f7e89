//! The routes of the blog.

pub mod files;
pub mod posts;
pub mod revisions;

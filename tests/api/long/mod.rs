//! What takes long, measures, or needs a machine of its own: `tests/prove crowds`.

mod crowd;
mod headers;
mod hostile;
mod limits;
pub mod odd;
mod patience;
pub mod threads;

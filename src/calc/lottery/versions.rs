//! What an answer was computed with, so that anybody can compute it again.

use serde::{Deserialize, Serialize};

use hanok_base::schema::ToSchema;

/// The version of the scoring model and of everything that turns a seed into numbers. It changes
/// whenever the same seed and draws would give another answer.
pub const MODEL: &str = "lottery-5";

/// What an answer was computed with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Versions {
    /// The version of the program.
    pub code: String,
    /// The version of the model, [`MODEL`].
    pub model: String,
}

/// The versions of this program.
pub fn versions() -> Versions {
    Versions { code: env!("CARGO_PKG_VERSION").into(), model: MODEL.into() }
}

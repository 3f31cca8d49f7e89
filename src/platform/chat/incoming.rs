//! What somebody has written, as Telegram tells it.

use serde::Deserialize;

/// Somebody has written.
#[derive(Clone, Deserialize)]
pub(super) struct Incoming {
    pub from: Option<Writer>,
    pub chat: Place,
    #[serde(default)]
    pub text: String,
}

/// Who has written.
#[derive(Clone, Deserialize)]
pub(super) struct Writer {
    pub language_code: Option<String>,
}

/// The chat.
#[derive(Clone, Deserialize)]
pub(super) struct Place {
    pub id: i64,
    #[serde(default, rename = "type")]
    pub kind: String,
}

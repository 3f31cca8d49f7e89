//! How the house hears of what comes, as people are told.

use std::time::Duration;

use chrono::{DateTime, Utc};

use hanok_base::{Message, MessageTemplate};

/// Telegram does not know the token.
pub(super) const TOKEN_REFUSED: MessageTemplate = MessageTemplate::new(
    "house.chat.token_refused",
    "Telegram does not know this bot: put the token that @BotFather shows into chat.token and start again",
);
/// Another program asks for the same updates.
pub(super) const ASKED_ELSEWHERE: MessageTemplate = MessageTemplate::new(
    "house.chat.asked_elsewhere",
    "another program takes the messages of this bot: end it there, or give the house a bot of its own",
);
/// Telegram refuses something else.
pub(super) const REFUSED: MessageTemplate = MessageTemplate::new(
    "house.chat.refused",
    "Telegram refuses what the house asks (status {status}); the log says why",
);
/// Telegram does not take the address of the webhook.
pub(super) const HOOK_REFUSED: MessageTemplate = MessageTemplate::new(
    "house.chat.hook_refused",
    "Telegram does not take the address {address}: put the https address of the customer site into chat.webhook, or leave it empty",
);
/// Telegram cannot reach the webhook.
pub(super) const HOOK_UNREACHED: MessageTemplate = MessageTemplate::new(
    "house.chat.hook_unreached",
    "Telegram could not bring messages to {address}: see whether the customer site is reached there from outside, or leave chat.webhook empty",
);

/// What came of looking once.
pub(super) struct Heard {
    /// How long to wait before the next look.
    pub pause: Duration,
    /// What is not well all the same.
    pub trouble: Option<Message>,
}

/// How it is heard what people write.
#[derive(Debug, Clone, Default)]
pub struct Hearing {
    /// Whether the last look went well.
    pub is_listening: bool,
    /// When something came last, since the start.
    pub last_heard_at: Option<DateTime<Utc>>,
    /// What is not well, and since when.
    pub trouble: Option<(DateTime<Utc>, Message)>,
}

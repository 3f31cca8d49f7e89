//! The settings of the chat.

use std::path::PathBuf;

use hanok_base::{Error, MessageTemplate, Result, Secret};

use crate::config::rule::{self, Unit};
use crate::config::section;
use crate::upstream::Provider;

/// Telegram, for its state on the system page.
pub const TELEGRAM: Provider =
    Provider { name: "telegram", title_ko: "텔레그램", title_en: "Telegram", setting: "chat.token" };

const TOKEN: MessageTemplate = MessageTemplate::new(
    "house.must.chat_token",
    "must be empty (no chat) or the token that @BotFather gives for a bot, such as 123456789:AAE…",
);
const TOKEN_FILE: MessageTemplate =
    MessageTemplate::new("house.must.chat_token_file", "must be the path of a readable file that holds chat.token");
const ADDRESS: MessageTemplate =
    MessageTemplate::new("house.must.chat_address", "must be an address such as https://api.telegram.org");
const WEBHOOK: MessageTemplate = MessageTemplate::new(
    "house.must.chat_webhook",
    "must be empty or the address of the customer site as Telegram reaches it, such as https://shop.example",
);
const OWNER: MessageTemplate = MessageTemplate::new(
    "house.must.chat_owner",
    "must be empty or the number of the owner's chat, as Telegram shows it to the bot, such as 6000000001",
);

section! {
    /// Chat by a Telegram bot. Without a token it is off.
    pub struct ChatSettings("chat", "채팅") {
        /// The token of the bot, from @BotFather.
        #[ko("텔레그램 봇 토큰", "@BotFather에게서 받은 토큰입니다. 비워 두면 채팅을 사용하지 않습니다.")]
        #[en("Telegram bot token")]
        token: Secret = Secret::default(), rule::text(TOKEN, is_bot_token).secret();
        /// Or a file that holds it.
        #[ko("봇 토큰 파일", "토큰을 이 파일에서 읽습니다.")]
        #[en("Bot token file")]
        token_file: PathBuf = PathBuf::new(), rule::typed(TOKEN_FILE).local();
        /// Change it only where you run a Bot API server of your own.
        #[ko("봇 API 주소", "직접 운영하는 봇 API 서버가 있을 때만 변경하세요.")]
        #[en("Bot API address")]
        address: String = "https://api.telegram.org".to_owned(),
            rule::text(ADDRESS, rule::is_web_address)
                .entrance()
                .normalize(rule::without_last_slash);
        /// Where Telegram delivers messages: the https address of the customer site, e.g. "https://shop.example". Empty = hanok
        /// fetches them itself, which needs no address.
        #[ko("웹훅 주소", "텔레그램이 메시지를 전달할 고객 사이트의 https 주소입니다. 비워 두면 hanok이 직접 가져옵니다.")]
        #[en("Webhook address")]
        webhook: String = String::new(),
            rule::text(WEBHOOK, |address| address.is_empty() || rule::is_web_address(address))
                .entrance()
                .normalize(rule::without_last_slash);
        /// The ID of the owner's chat. Empty = the chat that was connected with a code of `hanok chat code`.
        #[ko("운영자 채팅 ID", "비워 두면 `hanok chat code`의 코드로 연결한 채팅을 사용합니다.")]
        #[en("Owner chat ID")]
        owner: String = String::new(),
            rule::text(OWNER, |owner| owner.is_empty() || is_private_chat(owner)).entrance();
        /// Sent messages are kept for this many days.
        #[ko("보낸 메시지 보관 기간", "보낸 메시지를 이 기간 동안 보관합니다.")]
        #[en("Keep sent messages for")]
        keep_days: u32 = 30, rule::whole(Unit::Days, 1, 3650);
    }
}

impl ChatSettings {
    /// Whether there is a chat at all.
    ///
    /// # Errors
    /// `NOT_CONFIGURED` naming the setting.
    pub fn check(&self) -> Result<()> {
        if self.token.is_empty() { Err(Error::not_configured("chat.token")) } else { Ok(()) }
    }

    /// The number of the bot, which is no secret: what is known of the updates of one says nothing of those of another.
    pub(super) fn bot(&self) -> &str {
        self.token.reveal().split(':').next().unwrap_or_default()
    }

    /// The chat that is the owner's without a code.
    pub(super) fn owner_chat(&self) -> Option<i64> {
        self.owner.parse().ok()
    }
}

fn is_bot_token(text: &str) -> bool {
    let is_word = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
    let is_token = |(bot, word): (&str, &str)| is_number(bot) && (1..=200).contains(&word.len()) && is_word(word);
    text.is_empty() || text.split_once(':').is_some_and(is_token)
}

/// A chat with a person; those of groups are negative.
fn is_private_chat(text: &str) -> bool {
    is_number(text) && text.parse::<i64>().is_ok_and(|number| number > 0)
}

fn is_number(text: &str) -> bool {
    (1..=19).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

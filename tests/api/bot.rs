//! A Bot API that knows its bot, has no news, and whose answer to a message nobody can read: it may have arrived.

use std::time::Duration;

use hanok::base::Secret;
use hanok::platform::chat::ChatSettings;
use serde_json::json;
use wiremock::matchers::path_regex;
use wiremock::{Mock, MockServer, ResponseTemplate};

/// Starts one.
pub async fn unclear() -> MockServer {
    let server = MockServer::start().await;
    let answers = [
        ("getUpdates", ResponseTemplate::new(200).set_body_json(json!({"ok": true, "result": []})).set_delay(Duration::from_secs(1))),
        ("deleteWebhook", ResponseTemplate::new(200).set_body_json(json!({"ok": true, "result": true}))),
        ("getMe", ResponseTemplate::new(200).set_body_json(json!({"ok": true, "result": {"id": 1, "is_bot": true, "first_name": "house", "username": "house_bot"}}))),
        ("sendMessage", ResponseTemplate::new(200).set_body_string("a page of somebody else")),
    ];
    for (method, answer) in answers {
        Mock::given(path_regex(format!("/{method}$"))).respond_with(answer).mount(&server).await;
    }
    server
}

/// The settings of a house whose owner has a chat there.
pub fn settings(server: &MockServer) -> ChatSettings {
    let (token, owner) = (Secret::new("123456789:token-of-the-tests"), "6000000001".to_owned());
    ChatSettings { token, owner, address: server.uri(), ..ChatSettings::default() }
}

//! A Bot API that knows its bot and has no news. It takes every message, or answers what nobody can read: it may have arrived.

use std::time::Duration;

use hanok::base::Secret;
use hanok::platform::chat::ChatSettings;
use serde_json::json;
use wiremock::matchers::path_regex;
use wiremock::{Mock, MockServer, ResponseTemplate};

/// Starts one.
pub async fn unclear() -> MockServer {
    that_answers(ResponseTemplate::new(200).set_body_string("a page of somebody else")).await
}

/// Starts one that takes every message.
pub async fn takes_all() -> MockServer {
    that_answers(taken()).await
}

/// Starts one that is out of order for the first message, and takes every one after it.
pub async fn takes_the_second_time() -> MockServer {
    let server = MockServer::start().await;
    let broken = json!({"ok": false, "error_code": 500, "description": "Internal Server Error"});
    let broken = ResponseTemplate::new(500).set_body_json(broken);
    Mock::given(path_regex("/sendMessage$")).respond_with(broken).up_to_n_times(1).mount(&server).await;
    answering(server, taken()).await
}

fn taken() -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(json!({"ok": true, "result": {"message_id": 7}}))
}

async fn that_answers(a_message: ResponseTemplate) -> MockServer {
    answering(MockServer::start().await, a_message).await
}

async fn answering(server: MockServer, a_message: ResponseTemplate) -> MockServer {
    let answers = [
        ("getUpdates", ResponseTemplate::new(200).set_body_json(json!({"ok": true, "result": []})).set_delay(Duration::from_secs(1))),
        ("deleteWebhook", ResponseTemplate::new(200).set_body_json(json!({"ok": true, "result": true}))),
        ("setWebhook", ResponseTemplate::new(200).set_body_json(json!({"ok": true, "result": true}))),
        ("getMe", ResponseTemplate::new(200).set_body_json(json!({"ok": true, "result": {"id": 1, "is_bot": true, "first_name": "house", "username": "house_bot"}}))),
        ("sendMessage", a_message),
        ("answerCallbackQuery", ResponseTemplate::new(200).set_body_json(json!({"ok": true, "result": true}))),
        ("editMessageReplyMarkup", ResponseTemplate::new(200).set_body_json(json!({"ok": true, "result": true}))),
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

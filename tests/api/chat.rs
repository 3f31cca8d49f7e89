//! The owner's chat as the household sees it: what is missing, a code, a test, and what may have arrived.

use hanok::base::Secret;
use hanok::platform::chat::ChatSettings;
use serde_json::{Value, json};

use crate::bot;
use crate::house::{Caller, House};

#[tokio::test]
async fn without_a_token_the_chat_says_which_setting_is_missing_and_nothing_is_made() {
    let house = House::open().await;
    let household = house.household();
    let chat = household.get("/api/system/chat").await.ok();
    assert_eq!((chat["missing"].as_str(), &chat["connected"]), (Some("chat.token"), &Value::Bool(false)));
    for place in ["/api/system/chat/code", "/api/system/chat/test"] {
        household.post(place, Value::Null).await.refused(503, "NOT_CONFIGURED");
    }
}

#[tokio::test]
async fn a_code_connects_the_owner_for_a_quarter_of_an_hour_and_a_test_needs_a_connected_chat() {
    // A port that nobody listens on: the bot does not say what it is called.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let house = House::open_with(|config| {
        let (token, address) = (Secret::new("123456789:token-of-the-tests"), format!("http://127.0.0.1:{port}"));
        config.set(ChatSettings { token, address, ..ChatSettings::default() });
    })
    .await;
    let household = house.household();
    let made = household.post("/api/system/chat/code", Value::Null).await.ok();
    assert_eq!(made["write"], format!("/start {}", made["code"].as_str().unwrap()));
    assert_eq!((&made["link"], made["minutes"].as_u64()), (&Value::Null, Some(15)));
    let refused = household.post("/api/system/chat/test", Value::Null).await;
    assert!(refused.text.contains("house.chat.not_connected"), "{}", refused.text);
    refused.refused(409, "CONFLICT");
    household.post("/api/system/chat/7/send", Value::Null).await.refused(404, "NOT_FOUND");
    let chat = household.get("/api/system/chat").await.ok();
    assert_eq!((&chat["missing"], &chat["newest"], chat["waiting"].as_u64()), (&Value::Null, &Value::Null, Some(0)));
    for place in ["/api/system/chat", "/api/system/settings"] {
        let shown = household.get(place).await.ok().to_string();
        assert!(!shown.contains("token-of-the-tests"), "{place}: {shown}");
    }
}

#[tokio::test]
async fn what_may_have_arrived_is_shown_and_sent_again_when_somebody_says_so() {
    let bot = bot::unclear().await;
    let house = House::open_with(|config| config.set(bot::settings(&bot))).await;
    let household = house.household();
    let mut events = household.events().await;
    assert_eq!(household.get("/api/system/chat").await.ok()["connected"], true);
    let told = household.post("/api/system/chat/test", Value::Null).await.ok();
    let chat = loop {
        let chat = household.get("/api/system/chat").await.ok();
        if chat["undecided"] == 1 {
            break chat;
        }
        events.until("changed", |change| change["what"] == "chat").await;
    };
    assert_eq!((&chat["messages"][0]["id"], &chat["messages"][0]["standing"]), (&told["message"], &json!("undecided")));
    assert_eq!(chat["newest"]["id"], told["message"]);
    let place = format!("/api/system/chat/{}/send", told["message"]);
    household.post(&place, Value::Null).await.ok();
    household.post("/api/system/chat/987654321/send", Value::Null).await.refused(404, "NOT_FOUND");
    let made = household.post("/api/system/chat/code", Value::Null).await.ok();
    assert_eq!(made["link"], format!("https://t.me/house_bot?start={}", made["code"].as_str().unwrap()));
}

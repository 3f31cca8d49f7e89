//! The owner's chat as the household sees it: what is missing, a code, a test, and what may have arrived.

use hanok::base::Secret;
use hanok::platform::chat::ChatSettings;
use reqwest::Method;
use serde_json::{Value, json};

use crate::bot;
use crate::house::{Caller, House, answer};

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
        if chat["delivery_unknown"] == 1 {
            break chat;
        }
        events.until("changed", |change| change["what"] == "chat").await;
    };
    assert_eq!(
        (&chat["messages"][0]["id"], &chat["messages"][0]["status"]),
        (&told["message"], &json!("delivery_unknown"))
    );
    assert_eq!(chat["newest"]["id"], told["message"]);
    let place = format!("/api/system/chat/{}/send", told["message"]);
    household.post(&place, Value::Null).await.ok();
    household.post("/api/system/chat/987654321/send", Value::Null).await.refused(404, "NOT_FOUND");
    let made = household.post("/api/system/chat/code", Value::Null).await.ok();
    assert_eq!(made["link"], format!("https://t.me/house_bot?start={}", made["code"].as_str().unwrap()));
}

/// A house to which the bot brings what people write, and the word that it was told.
async fn hooked(bot: &wiremock::MockServer) -> (House, String) {
    let settings = ChatSettings { webhook: "https://shop.example".to_owned(), ..bot::settings(bot) };
    let house = House::open_with(|config| config.set(settings)).await;
    let household = house.household();
    let mut events = household.events().await;
    while household.get("/api/system/chat").await.ok()["listening"] != true {
        events.until("changed", |change| change["what"] == "chat").await;
    }
    let asked = bot.received_requests().await.unwrap();
    let told = asked.iter().find(|request| request.url.path().ends_with("/setWebhook")).unwrap();
    let told: Value = serde_json::from_slice(&told.body).unwrap();
    assert_eq!(told["url"], "https://shop.example/api/chat/hook");
    (house, told["secret_token"].as_str().unwrap().to_owned())
}

const HOOK: &str = "/api/chat/hook";
const WORD: &str = "x-telegram-bot-api-secret-token";

/// Somebody writes to the bot.
fn wrote(number: u64, text: &str) -> Value {
    let person = json!({"id": 6_000_000_001_u64, "type": "private", "is_bot": false, "language_code": "en"});
    json!({"update_id": number, "message": {"message_id": number, "text": text, "from": person, "chat": person}})
}

#[tokio::test]
async fn what_the_bot_brings_is_taken_once_and_shown_and_the_household_door_knows_no_such_place() {
    let bot = bot::unclear().await;
    let (house, word) = hooked(&bot).await;
    let bring = |update: Value| {
        let request = house.passer_by().request(Method::POST, HOOK).header(WORD, &word).json(&update);
        answer(request)
    };
    for update in [wrote(12, "/status"), wrote(11, "/help"), wrote(12, "/status"), json!({"update_id": 13, "poll": {}})]
    {
        assert_eq!(bring(update).await.ok(), json!({"ok": true}));
    }
    let household = house.household();
    let chat = household.get("/api/system/chat").await.ok();
    assert_eq!((chat["hook"].as_str(), &chat["trouble"]), (Some("https://shop.example/api/chat/hook"), &Value::Null));
    assert!(chat["last_heard_at"].is_string(), "{chat}");
    let told = chat["waiting"].as_u64().unwrap() + chat["delivery_unknown"].as_u64().unwrap();
    assert_eq!(told, 2, "one answer to each: {chat}");
    household.post(HOOK, wrote(14, "/status")).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn who_does_not_know_the_word_finds_nothing_whatever_they_send_and_what_is_no_update_is_refused() {
    let bot = bot::unclear().await;
    let (house, word) = hooked(&bot).await;
    let send = |words: Vec<String>, body: String| {
        let request = house.passer_by().request(Method::POST, HOOK).header("content-type", "application/json");
        let request = words.into_iter().fold(request, |request, word| request.header(WORD, word));
        answer(request.body(body))
    };
    let nowhere = house.passer_by().post("/api/chat/elsewhere", json!({})).await;
    for words in [vec![], vec!["guess".to_owned()], vec![word[1..].to_owned()], vec![word.clone(), word.clone()]] {
        for body in [wrote(1, "/stop").to_string(), "{".to_owned()] {
            let refused = send(words.clone(), body).await;
            refused.refused(404, "NOT_FOUND");
            assert_eq!(refused.json()["message"], nowhere.json()["message"], "nothing tells that there is a place");
        }
    }
    let known = || vec![word.clone()];
    send(known(), "{".to_owned()).await.refused(400, "INVALID_JSON");
    send(known(), "[]".to_owned()).await.refused(422, "INVALID_INPUT");
    for unfit in [json!({}), json!({"update_id": -1}), json!({"update_id": "7"}), json!({"update_id": null})] {
        send(known(), unfit.to_string()).await.refused(422, "INVALID_INPUT");
    }
    let long = json!({"update_id": 1, "message": {"text": "가".repeat(1 << 20)}}).to_string();
    send(known(), long).await.refused(413, "TOO_LARGE");
    let chat = house.household().get("/api/system/chat").await.ok();
    assert_eq!((&chat["connected"], &chat["last_heard_at"]), (&Value::Bool(true), &Value::Null), "nothing was taken");
}

#[tokio::test]
async fn a_house_that_asks_has_nothing_brought() {
    let bot = bot::unclear().await;
    let (hooked, word) = hooked(&bot).await;
    drop(hooked);
    let house = House::open_with(|config| config.set(bot::settings(&bot))).await;
    let request = house.passer_by().request(Method::POST, HOOK).header(WORD, &word).json(&wrote(1, "/stop"));
    answer(request).await.refused(404, "NOT_FOUND");
    let household = house.household();
    let mut events = household.events().await;
    while household.get("/api/system/chat").await.ok()["listening"] != true {
        events.until("changed", |change| change["what"] == "chat").await;
    }
    let asked = bot.received_requests().await.unwrap();
    assert!(asked.iter().any(|request| request.url.path().ends_with("/deleteWebhook")), "it is brought no more");
    assert_eq!(household.get("/api/system/chat").await.ok()["hook"], Value::Null);
}

//! The chat that a customer connects: by a code of its page, told once beside each mail, disconnected, and gone with the account.

use chrono::{DateTime, Utc};
use reqwest::Method;
use serde_json::{Value, json};

use crate::bot;
use crate::forms::{Browser, leads_to};
use crate::house::{Answer, Caller, House, answer};
use crate::visitors::{PASSWORD, Visitor};

use hanok::platform::chat::ChatSettings;
use hanok::site::contact::{self, Status};

const MAIL: &str = "jiwoo@example.com";
/// The chat that the customer connects.
pub const CHAT: u64 = 7_000_000_007;
const ORIGIN: &str = "https://shop.example";

/// A house to which the bot brings what people write.
pub struct Shop {
    bot: wiremock::MockServer,
    /// The house.
    pub house: House,
}

impl Shop {
    async fn open() -> Shop {
        Shop::open_with(bot::takes_all().await).await
    }

    /// A house in front of this bot.
    pub async fn open_with(bot: wiremock::MockServer) -> Shop {
        let settings = ChatSettings { webhook: "https://shop.example".to_owned(), ..bot::settings(&bot) };
        Shop::listening(bot, House::open_with(|config| config.set(settings)).await).await
    }

    /// The same after a stop and a start at another instant.
    pub async fn restart_at(self, instant: DateTime<Utc>) -> Shop {
        Shop::listening(self.bot, self.house.restart_at(instant).await).await
    }

    async fn listening(bot: wiremock::MockServer, house: House) -> Shop {
        let household = house.household();
        let mut events = household.events().await;
        while household.get("/api/system/chat").await.ok()["listening"] != true {
            events.until("changed", |change| change["what"] == "chat").await;
        }
        Shop { bot, house }
    }

    /// Somebody writes to the bot.
    async fn writes(&self, number: u64, chat: u64, text: &str) {
        let person = json!({"id": chat, "type": "private", "is_bot": false, "language_code": "en"});
        let message = json!({"message_id": number, "text": text, "from": person, "chat": person});
        self.brings(json!({"update_id": number, "message": message})).await;
    }

    /// The bot brings an update.
    pub async fn brings(&self, update: Value) {
        let asked = self.bot.received_requests().await.unwrap();
        let told = asked.iter().find(|request| request.url.path().ends_with("/setWebhook")).unwrap();
        let told: Value = serde_json::from_slice(&told.body).unwrap();
        let request = self.house.passer_by().request(Method::POST, "/api/chat/hook");
        let request = request.header("x-telegram-bot-api-secret-token", told["secret_token"].as_str().unwrap());
        answer(request.json(&update)).await.ok();
    }

    /// What was said to this chat, once nothing waits any more.
    pub async fn said(&self, chat: u64) -> Vec<String> {
        self.rest().await;
        let to_it = self.asked("sendMessage").await.into_iter().filter(|sent| sent["chat_id"].as_u64() == Some(chat));
        to_it.map(|sent| sent["text"].as_str().unwrap().to_owned()).collect()
    }

    /// Returns once nothing waits to be sent.
    pub async fn rest(&self) {
        let household = self.house.household();
        let mut events = household.events().await;
        while household.get("/api/system/chat").await.ok()["waiting"] != 0 {
            events.until("changed", |change| change["what"] == "chat").await;
        }
    }

    /// What was asked of this method of the bot, in order.
    pub async fn asked(&self, method: &str) -> Vec<Value> {
        let asked = self.bot.received_requests().await.unwrap();
        let of_it = asked.iter().filter(|request| request.url.path().ends_with(&format!("/{method}")));
        of_it.map(|request| serde_json::from_slice(&request.body).unwrap()).collect()
    }

    /// A request with this mail address. Gives its id.
    async fn asked_for(&self, mail: &str) -> String {
        let body =
            json!({"name": "김지우", "email": mail, "message": "홈페이지를 새로 만들고 싶습니다", "language": "ko"});
        self.house.passer_by().post("/api/contact", body).await.ok()["id"].as_str().unwrap().to_owned()
    }

    async fn moves(&self, id: &str, to: Status) -> hanok::base::Result<contact::Request> {
        let app = self.house.appliance.app();
        let (desk, id) = (contact::Desk::of(app, "minseo", Some(ORIGIN.to_owned())), id.to_owned());
        app.data.store.write(move |tx| contact::move_on(tx, &desk, &id, to, "")).await
    }

    /// The kinds of the mails to this address.
    async fn mails(&self, to: &str) -> Vec<String> {
        let mails = self.house.household().get("/api/system/mail").await.ok()["mails"].clone();
        let mails = mails.as_array().unwrap().iter().filter(|mail| mail["to"] == to);
        mails.map(|mail| mail["kind"].as_str().unwrap().to_owned()).collect()
    }

    /// The customer connects the chat.
    pub async fn connected(&self, customer: &Visitor<'_>, number: u64) {
        let code = customer.post("/api/account/chat/code", Value::Null).await.ok();
        assert_eq!(code["minutes"], 15);
        self.writes(number, CHAT, code["write"].as_str().unwrap()).await;
        assert!(customer.get("/api/account/chat").await.ok()["connected_at"].is_string());
        assert!(self.said(CHAT).await.last().unwrap().starts_with("Connected"));
    }
}

/// A browser in which the customer has signed in and made a code, and the page that shows it.
async fn with_a_code(house: &House) -> (Browser<'_>, Answer) {
    let mut browser = Browser::at(house);
    let entrance = browser.open("/account/sign-in").await;
    browser.send("/account/sign-in", &entrance, &[("mail", MAIL), ("password", PASSWORD)]).await;
    let own = browser.open("/account").await;
    browser.send("/account", &own, &[("act", "chat")]).await;
    let own = browser.open("/account").await;
    assert!(own.text.contains("<code>"), "{}", own.text);
    (browser, own)
}

/// Whether an answer takes away what the browser keeps of a code.
fn ends_code(answer: &Answer) -> bool {
    let ends = |set: &str| set.starts_with("hanok-chat-code=;") && set.contains("Max-Age=0");
    answer.headers.get_all("set-cookie").iter().any(|set| ends(set.to_str().unwrap()))
}

#[tokio::test]
async fn a_chat_is_connected_and_disconnected_on_the_page_of_the_account_without_script() {
    let shop = Shop::open().await;
    Visitor::registered(&shop.house, MAIL).await;
    let mut browser = Browser::at(&shop.house);
    let entrance = browser.open("/account/sign-in").await;
    browser.send("/account/sign-in", &entrance, &[("mail", MAIL), ("password", PASSWORD)]).await;
    let own = browser.open("/account").await;
    assert!(own.text.contains("연결 코드 만들기"), "{}", own.text);
    let sent = browser.send("/account", &own, &[("act", "chat")]).await;
    assert_eq!(leads_to(&sent), (303, "/account?saved=chat"), "{}", sent.text);
    let first = browser.open("/account?saved=chat").await;
    let again = browser.open("/account").await;
    assert!(!ends_code(&first) && !ends_code(&again), "it is good for a while");
    assert!(again.text.contains("2026-10-10 21:45") && again.text.contains("다른 코드 만들기"), "{}", again.text);
    let code = |page: &Answer| {
        let (_, behind) = page.text.split_once("<code>").unwrap_or_else(|| panic!("no code in {}", page.text));
        behind.split('<').next().unwrap().to_owned()
    };
    assert_eq!(code(&first), code(&again), "loading the page again makes no other");
    browser.send("/account", &again, &[("act", "chat")]).await;
    let made = browser.open("/account").await;
    assert_ne!(code(&made), code(&first));
    assert_eq!(made.header("cache-control"), "no-store");
    let link = format!("https://t.me/house_bot?start={}", code(&made).trim_start_matches("/start "));
    assert!(made.text.contains(&link), "{}", made.text);
    shop.writes(1, CHAT, &code(&first)).await;
    let same = browser.open("/account").await;
    assert_eq!(code(&same), code(&made), "the code before is good no more, and this one still is");
    shop.writes(2, CHAT, &code(&made)).await;
    let own = browser.open("/account").await;
    assert!(own.text.contains("value=\"unchat\"") && !own.text.contains("value=\"chat\""), "{}", own.text);
    assert!(ends_code(&own), "a code that was used goes from the browser");
    let done = browser.send("/account", &own, &[("act", "unchat")]).await;
    assert_eq!(leads_to(&done), (303, "/account?saved=unchat#chat"), "{}", done.text);
    let own = browser.open("/account?saved=unchat").await;
    assert!(!own.text.contains("<code>"), "a code that was used is shown no more");
    assert!(own.text.contains("채팅의 연결을 해제했습니다.") && own.text.contains("연결 코드 만들기"), "{}", own.text);
    let again = browser.send("/account", &own, &[("act", "unchat")]).await;
    assert_eq!(leads_to(&again), (303, "/account?saved=unchat#chat"), "another page has ended it: {}", again.text);
}

#[tokio::test]
async fn a_form_makes_one_code_however_often_it_is_sent_and_counts_once() {
    let shop = Shop::open().await;
    Visitor::registered(&shop.house, MAIL).await;
    let (mut browser, _) = with_a_code(&shop.house).await;
    let mut code = String::new();
    // More often altogether than an address may ask.
    for _ in 0..3 {
        let own = browser.open("/account").await;
        let mut cookies = Vec::new();
        for sent in browser.send_at_once(8, "/account", &own, &[("act", "chat")]).await {
            assert_eq!(leads_to(&sent), (303, "/account?saved=chat"), "{}", sent.text);
            let set = sent.headers.get_all("set-cookie").iter().map(|set| set.to_str().unwrap().to_owned());
            cookies.extend(set.filter(|set| set.starts_with("hanok-chat-code=")));
        }
        assert_eq!(cookies.len(), 1, "{cookies:?}");
        code = cookies[0].split(['=', ';']).nth(1).unwrap().to_owned();
    }
    shop.writes(1, CHAT, &format!("/start {code}")).await;
    let own = browser.open("/account").await;
    for done in browser.send_at_once(3, "/account", &own, &[("act", "unchat")]).await {
        assert_eq!(leads_to(&done), (303, "/account?saved=unchat#chat"), "{}", done.text);
    }
}

#[tokio::test]
async fn a_code_goes_from_the_browser_with_the_session_in_which_it_was_made() {
    let shop = Shop::open().await;
    Visitor::registered(&shop.house, MAIL).await;
    let removal = vec![("act", "remove"), ("present", PASSWORD)];
    let (mut browser, _) = with_a_code(&shop.house).await;
    Visitor::signed_in(&shop.house, MAIL).await.delete("/api/account/sessions").await.ok();
    let sent_on = browser.open("/account").await;
    assert_eq!(leads_to(&sent_on), (303, "/account/sign-in"), "{}", sent_on.text);
    assert!(ends_code(&sent_on), "the session was ended on another device");
    for (path, fields) in [("/account/sign-out", Vec::new()), ("/account", removal)] {
        let (mut browser, own) = with_a_code(&shop.house).await;
        let done = browser.send(path, &own, &fields).await;
        assert_eq!(leads_to(&done), (303, "/"), "{}", done.text);
        assert!(ends_code(&done), "{path}: {:?}", done.headers);
    }
    for (path, body) in [("sign-out", json!({})), ("remove", json!({"password": PASSWORD}))] {
        let own = Visitor::registered(&shop.house, &format!("{path}@example.com")).await;
        let request = shop.house.passer_by().request(Method::POST, &format!("/api/account/{path}")).json(&body);
        let cookies = format!("{}; hanok-chat-code=made-here", own.cookie);
        let done = answer(request.header("cookie", cookies)).await;
        assert!(done.status == 200 && ends_code(&done), "{path}: {done:?}");
    }
}

#[tokio::test]
async fn a_move_is_told_once_by_mail_and_in_the_chat_of_the_customer_alone() {
    let shop = Shop::open().await;
    let (own, other) =
        (Visitor::registered(&shop.house, MAIL).await, Visitor::registered(&shop.house, "minsu@example.com").await);
    shop.connected(&own, 1).await;
    let (id, others) = (shop.asked_for("Jiwoo@example.com").await, shop.asked_for("minsu@example.com").await);
    shop.moves(&id, Status::Reviewing).await.unwrap();
    assert!(shop.moves(&id, Status::Reviewing).await.is_err(), "a second move of that kind is none");
    shop.moves(&others, Status::Reviewing).await.unwrap();
    let said = shop.said(CHAT).await;
    let moved: Vec<&String> = said.iter().filter(|text| text.contains("Status: Under review")).collect();
    assert_eq!(moved.len(), 1, "{said:?}");
    assert_eq!(shop.mails("Jiwoo@example.com").await, ["contact_moved", "contact_receipt"]);
    assert_eq!(shop.mails("minsu@example.com").await, ["contact_moved", "contact_receipt", "account_registration"]);
    let told = own.get("/api/account/export").await.ok();
    assert_eq!(
        (told["chats"][0]["chat"].as_u64(), told["chats"][0]["messages"].as_array().unwrap().len()),
        (Some(CHAT), 2)
    );
    let newest = told["chats"][0]["messages"][0]["text"].as_str().unwrap();
    assert!(newest.ends_with("Follow it: https://shop.example/…"), "no word that opens something: {newest}");
    assert_eq!(other.get("/api/account/export").await.ok()["chats"], json!([]));
    own.delete("/api/account/chat").await.ok();
    own.delete("/api/account/chat").await.refused(404, "NOT_FOUND");
    shop.moves(&id, Status::Quoted).await.unwrap();
    assert_eq!(shop.said(CHAT).await.len(), said.len(), "who has disconnected is told by mail alone");
    assert_eq!(shop.mails("Jiwoo@example.com").await.len(), 3);
}

#[tokio::test]
async fn a_chat_that_passes_to_somebody_else_tells_nothing_of_who_had_it_before() {
    let shop = Shop::open().await;
    let (own, other) =
        (Visitor::registered(&shop.house, MAIL).await, Visitor::registered(&shop.house, "minsu@example.com").await);
    shop.connected(&own, 1).await;
    let id = shop.asked_for(MAIL).await;
    shop.moves(&id, Status::Reviewing).await.unwrap();
    assert!(shop.said(CHAT).await.last().unwrap().contains("Status: "));
    shop.connected(&other, 2).await;
    assert_eq!(own.get("/api/account/export").await.ok()["chats"], json!([]));
    let told = other.get("/api/account/export").await.ok()["chats"].clone();
    assert!(told[0]["chat"] == CHAT && !told.to_string().contains("Status: "), "{told}");
}

#[tokio::test]
async fn the_chat_of_the_owner_becomes_no_customers() {
    let shop = Shop::open().await;
    let own = Visitor::registered(&shop.house, MAIL).await;
    let code = own.post("/api/account/chat/code", Value::Null).await.ok();
    let owner = 6_000_000_001;
    shop.writes(1, owner, code["write"].as_str().unwrap()).await;
    let said = shop.said(owner).await;
    assert!(said.last().unwrap().contains("the chat of the house's owner"), "{said:?}");
    assert_eq!(own.get("/api/account/chat").await.ok()["connected_at"], Value::Null);
}

#[tokio::test]
async fn a_move_in_the_chat_says_which_request_has_moved_and_where_it_is_seen() {
    let shop = Shop::open().await;
    let own = Visitor::registered(&shop.house, MAIL).await;
    shop.connected(&own, 1).await;
    let dated = shop.asked_for(MAIL).await;
    let body = json!({"name": "김지우", "email": MAIL, "message": "새로 만들고 싶습니다", "service": "웹사이트"});
    let named = shop.house.passer_by().post("/api/contact", body).await.ok()["id"].as_str().unwrap().to_owned();
    for id in [&dated, &named] {
        shop.moves(id, Status::Reviewing).await.unwrap();
    }
    let said = shop.said(CHAT).await;
    for (id, name) in [(&dated, "Your request of 10 October 2026"), (&named, "Your request: Website")] {
        let moved = said.iter().find(|text| text.contains(name)).unwrap_or_else(|| panic!("no {name} in {said:?}"));
        let (_, word) = moved.split_once("Follow it: https://shop.example/en/contact/").unwrap();
        let seen = shop.house.passer_by().get(&format!("/api/contact/{}", word.trim())).await.ok();
        assert_eq!((&seen["id"], &seen["status"]), (&json!(id), &json!("reviewing")), "{moved}");
    }
}

#[tokio::test]
async fn a_connected_chat_ends_with_the_account_and_its_code_connects_nothing() {
    let shop = Shop::open().await;
    let own = Visitor::registered(&shop.house, MAIL).await;
    shop.connected(&own, 1).await;
    let id = shop.asked_for(MAIL).await;
    let code = own.post("/api/account/chat/code", Value::Null).await.ok();
    own.post("/api/account/remove", json!({"password": PASSWORD})).await.ok();
    shop.writes(2, CHAT, code["write"].as_str().unwrap()).await;
    shop.moves(&id, Status::Reviewing).await.unwrap();
    let said = shop.said(CHAT).await;
    assert!(said.last().unwrap().contains("This code is wrong") && said.len() == 2, "{said:?}");
    let anew = Visitor::registered(&shop.house, MAIL).await;
    assert_eq!(anew.get("/api/account/chat").await.ok(), json!({"offered": true, "connected_at": null}));
    shop.moves(&id, Status::Quoted).await.unwrap();
    assert_eq!(shop.said(CHAT).await.len(), 2);
}

#[tokio::test]
async fn a_shop_without_a_bot_offers_no_chat() {
    let house = House::open().await;
    let own = Visitor::registered(&house, MAIL).await;
    assert_eq!(own.get("/api/account/chat").await.ok()["offered"], false);
    own.post("/api/account/chat/code", Value::Null).await.refused(503, "NOT_CONFIGURED");
    assert!(!own.get("/account").await.text.contains("value=\"chat\""));
}

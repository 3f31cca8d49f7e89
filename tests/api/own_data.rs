//! What a customer gets of all that the house holds of it, and that nobody else does.

use hanok::platform::auth::{self, CUSTOMERS};
use serde_json::{Value, json};

use crate::forms::{Browser, leads_to};
use crate::house::{Caller, House};
use crate::visitors::{PASSWORD, Visitor};

const EXPORT: &str = "/api/account/export";

/// A request with this mail address, as the shop takes it.
async fn sent(house: &House, email: &str, message: &str) -> Value {
    let body = json!({"name": "김지우", "email": email, "message": message, "phone": "010-1234-5678"});
    let sent = house.passer_by().post("/api/contact", body).await;
    assert_eq!(sent.status, 201, "{sent:?}");
    sent.json()
}

#[tokio::test]
async fn a_customer_takes_along_everything_that_is_held_of_it_as_one_file_that_nobody_keeps() {
    let house = House::open().await;
    let own = Visitor::registered(&house, "Jiwoo@example.com").await;
    own.put("/api/account", json!({"name": "지우"})).await.ok();
    let received = sent(&house, "jiwoo@EXAMPLE.com", "홈페이지를 새로 만들고 싶습니다").await;
    let shares = format!("/api/contact/{}/shares", received["public_token"].as_str().unwrap());
    let shared = house.passer_by().post(&shares, json!({"until": "2026-10-20", "label": "동업자"})).await.ok();
    let id = own.get("/api/account").await.ok()["id"].as_str().unwrap().to_owned();
    let store = &house.appliance.app().data.store;
    let connected = move |tx: &hanok::platform::store::WriteTx| {
        auth::add_identity(tx, &id, "https://accounts.example", "subject-17", "jiwoo")
    };
    store.write(connected).await.unwrap();
    let file = own.get(EXPORT).await;
    assert_eq!(file.header("content-disposition"), "attachment; filename=\"account-2026-10-10.json\"");
    assert_eq!((file.header("cache-control"), file.header("etag")), ("no-store", ""));
    assert!(file.header("content-type").starts_with("application/json"), "{file:?}");
    let told = file.ok();
    assert_eq!(told["account"]["profile"]["name"], "지우");
    assert_eq!(
        (told["identities"][0]["subject"].as_str(), told["devices"].as_array().unwrap().len()),
        (Some("subject-17"), 1)
    );
    let request = &told["requests"][0];
    assert_eq!(request["details"]["message"], "홈페이지를 새로 만들고 싶습니다");
    assert_eq!(
        (request["status"].as_str(), request["history"][0]["status"].as_str()),
        (Some("pending"), Some("pending"))
    );
    let share = &request["shares"][0];
    assert_eq!(
        (&share["label"], &share["until"], &share["by"]),
        (&json!("동업자"), &json!("2026-10-20"), &json!("customer"))
    );
    let (_, word) = shared["share_url"].as_str().unwrap().rsplit_once('/').unwrap();
    assert!(!file.text.contains(word), "{}", file.text);
    let kinds: Vec<&str> =
        told["mails"].as_array().unwrap().iter().map(|mail| mail["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["contact_receipt", "account_registration"], "the owner's notice is the owner's");
}

#[tokio::test]
async fn no_secret_and_nothing_of_anybody_else_goes_along() {
    let house = House::open().await;
    let own = Visitor::registered(&house, "jiwoo@example.com").await;
    let other = Visitor::registered(&house, "minsu@example.com").await;
    let received = sent(&house, "jiwoo@example.com", "비밀이 아닌 말").await;
    sent(&house, "minsu@example.com", "다른 사람의 말").await;
    let token = own.cookie.split('=').next_back().unwrap().to_owned();
    let hashes = house.appliance.app().data.store.read(move |tx| {
        let session = CUSTOMERS.find(tx, &token)?.unwrap();
        Ok((auth::customer_password(tx, &session.whose)?.unwrap(), serde_json::to_value(&session).unwrap()))
    });
    let (password, session) = hashes.await.unwrap();
    let text = own.get(EXPORT).await.text;
    for secret in [
        password.as_str(),
        session["key"].as_str().unwrap(),
        received["public_token"].as_str().unwrap(),
        "token=",
        "minsu@example.com",
        "다른 사람의 말",
        PASSWORD,
    ] {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
    assert!(other.get(EXPORT).await.text.contains("다른 사람의 말"));
    house.passer_by().get(EXPORT).await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn every_field_of_the_file_is_described_and_the_page_leads_to_it_without_script() {
    let house = House::open().await;
    let own = Visitor::registered(&house, "jiwoo@example.com").await;
    let told = own.get(EXPORT).await.ok();
    let document = house.passer_by().get("/api/openapi.json").await.ok();
    let described = &document["components"]["schemas"]["AccountExport"]["properties"];
    let names = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<std::collections::BTreeSet<_>>();
    assert_eq!(names(&told), names(described));
    let page = own.get("/account").await;
    assert!(page.text.contains("<a class=\"button\" href=\"/account/export\">"), "{}", page.text);
    assert_eq!(leads_to(&own.get("/account/export").await), (303, EXPORT));
}

#[tokio::test]
async fn who_was_signed_out_elsewhere_is_led_to_sign_in_and_back_to_where_the_file_is_asked_for() {
    let house = House::open().await;
    Visitor::registered(&house, "jiwoo@example.com").await;
    let mut browser = Browser::at(&house);
    for (page, next) in [("/account/export", "/account#data"), ("/en/account/export", "/en/account#data")] {
        let led = browser.open(page).await;
        let entrance = led.header("location").to_owned();
        assert_eq!(led.status, 303, "{}", led.text);
        let shown = browser.open(&entrance).await;
        assert!(shown.status == 200 && shown.text.contains("<form"), "{}", shown.text);
        let fields = [("mail", "jiwoo@example.com"), ("password", PASSWORD), ("next", next)];
        assert!(shown.text.contains(&format!("name=\"next\" value=\"{next}\"")), "{}", shown.text);
        let sent_to = entrance.split('?').next().unwrap().to_owned();
        assert_eq!(leads_to(&browser.send(&sent_to, &shown, &fields).await), (303, next));
        assert_eq!(leads_to(&browser.open(page).await), (303, EXPORT));
        let own = browser.open("/account").await;
        browser.send("/account/sign-out", &own, &[]).await;
    }
}

#[tokio::test]
async fn what_was_asked_for_goes_on_when_the_account_ends_and_is_told_to_who_has_the_address_next() {
    let house = House::open().await;
    let own = Visitor::registered(&house, "jiwoo@example.com").await;
    let received = sent(&house, "jiwoo@example.com", "끝까지 해 주세요").await;
    own.post("/api/account/remove", json!({"password": PASSWORD})).await.ok();
    own.get(EXPORT).await.refused(401, "UNAUTHORIZED");
    house.passer_by().get(&format!("/api/contact/{}", received["public_token"].as_str().unwrap())).await.ok();
    let anew = Visitor::registered(&house, "jiwoo@example.com").await;
    let told = anew.get(EXPORT).await.ok();
    assert_eq!((told["requests"].as_array().unwrap().len(), told["identities"].as_array().unwrap().len()), (1, 0));
}

//! A customer's request, from the form to the link of its receipt.

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use hanok::base::Page;
use hanok::site::contact::{self, ContactSettings, Status};

use crate::bot;
use crate::house::{Anonymous, Answer, Caller, House, answer};

/// Where requests are sent.
pub const CONTACT: &str = "/api/contact";

/// A customer's request.
pub fn request() -> Value {
    json!({
        "name": "김지우",
        "email": "jiwoo@example.com",
        "message": "<b>홈페이지</b>를 새로 만들고 싶습니다.",
        "phone": "010-1234-5678",
        "service": "웹사이트",
        "project_type": "새로 만들기",
        "budget": "미정",
        "timeline": "1개월 안",
    })
}

/// The request with these fields changed.
pub fn with(changes: Value) -> Value {
    let mut body = request();
    body.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    body
}

/// How many requests are kept.
pub fn kept(house: &House) -> u64 {
    let whole = Page { limit: 500, offset: 0 };
    house.appliance.app().data.store.read_now(move |tx| Ok(contact::list(tx, None, whole)?.1)).unwrap()
}

/// The mails of the house by what they are and to whom they go.
async fn mails(house: &House) -> Vec<(String, String)> {
    let listed = house.household().get("/api/system/mail").await.ok();
    let text = |mail: &Value, key: &str| mail[key].as_str().unwrap().to_owned();
    listed["mails"].as_array().unwrap().iter().map(|mail| (text(mail, "kind"), text(mail, "to"))).collect()
}

/// The path of the API that the page behind a link asks.
pub fn track(received: &Value) -> String {
    format!("{CONTACT}/{}", received["public_token"].as_str().unwrap())
}

fn keyed(caller: &Anonymous<'_>, key: &str, body: &Value) -> RequestBuilder {
    caller.request(Method::POST, CONTACT).header("idempotency-key", key).json(body)
}

fn fields(answer: &Answer) -> Vec<String> {
    answer.refused(422, "INVALID_INPUT");
    answer.json()["fields"].as_object().unwrap().keys().cloned().collect()
}

#[tokio::test]
async fn a_request_is_received_mailed_to_both_and_followed_by_its_link() {
    let house = House::open_with(|config| {
        config.site.address = "https://shop.example".to_owned();
        let notice_to = "owner@example.com".to_owned();
        config.set(ContactSettings { notice_to, ..ContactSettings::default() });
    })
    .await;
    let door = house.passer_by();
    let received = door.request(Method::POST, CONTACT).header("host", "shop.example").json(&request());
    let received = answer(received).await;
    assert_eq!(received.status, 201, "{received:?}");
    let received = received.ok();
    assert_eq!(received["status"], "pending");
    let token = received["public_token"].as_str().unwrap();
    assert!(token.len() >= 22, "128 bits or more");
    assert_eq!(received["track_url"], format!("https://shop.example/contact/{token}"));
    let tracked = door.get(&track(&received)).await.ok();
    let expected = json!({
        "id": received["id"], "name": "김지우", "message": request()["message"], "service": "웹사이트", "status": "pending", "project_type": "새로 만들기",
        "budget": "미정", "timeline": "1개월 안", "created_at": received["created_at"],
        "updated_at": received["created_at"], "history": [{"status": "pending", "at": received["created_at"]}],
    });
    assert_eq!(tracked, expected, "neither mail, telephone nor notes");
    house.household().rest().await;
    let named = |kind: &str, to: &str| (kind.to_owned(), to.to_owned());
    let both = [named("contact_notice", "owner@example.com"), named("contact_receipt", "jiwoo@example.com")];
    assert_eq!(mails(&house).await, both);
    let folder = house.household().get("/api/system/mail").await.ok()["folder"].as_str().unwrap().to_owned();
    let files = std::fs::read_dir(folder).unwrap().map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap());
    let notices: Vec<String> = files.filter(|mail| mail.contains("To: owner@example.com")).collect();
    assert!(notices.len() == 1 && notices[0].contains("Reply-To: jiwoo@example.com"), "{notices:?}");
}

#[tokio::test]
async fn what_is_malformed_missing_of_another_type_unknown_or_too_long_is_refused_and_nothing_is_saved() {
    let house = House::open().await;
    let door = house.passer_by();
    let raw =
        |body: &'static str| door.request(Method::POST, CONTACT).header("content-type", "application/json").body(body);
    answer(raw("{\"name\":")).await.refused(400, "INVALID_JSON");
    assert_eq!(fields(&door.post(CONTACT, json!({})).await), ["email", "message", "name"]);
    assert_eq!(
        fields(&door.post(CONTACT, with(json!({"name": 7, "budget": [], "message": " "}))).await),
        ["budget", "message", "name"]
    );
    assert_eq!(fields(&door.post(CONTACT, with(json!({"colour": "red"}))).await), ["colour"]);
    assert_eq!(fields(&door.post(CONTACT, with(json!({"language": "fr"}))).await), ["language"]);
    for (field, most) in
        [("name", 50), ("message", 3000), ("service", 100), ("project_type", 100), ("budget", 100), ("timeline", 100)]
    {
        assert_eq!(fields(&door.post(CONTACT, with(json!({field: "가".repeat(most + 1)}))).await), [field]);
    }
    for (field, value) in [
        ("email", "nobody"),
        ("email", "a@b.kr\r\nBcc: c@d.kr"),
        ("phone", "call me"),
        ("name", "김지우\n이하준"),
        ("service", "웹사이트\n"),
        ("project_type", "새로\r만들기"),
        ("budget", "\t미정"),
        ("timeline", "1개월\n안"),
    ] {
        assert_eq!(fields(&door.post(CONTACT, with(json!({field: value}))).await), [field]);
    }
    assert_eq!((kept(&house), mails(&house).await.len()), (0, 0));
    let at_the_bounds = with(json!({
        "name": "가".repeat(50), "message": "가".repeat(3000), "service": "가".repeat(100), "budget": "가".repeat(100),
        "project_type": "가".repeat(100), "timeline": "가".repeat(100), "phone": "+82 (0)10-1234-5678 ",
    }));
    let received = door.post(CONTACT, at_the_bounds).await.ok();
    let tracked = door.get(&track(&received)).await.ok();
    assert_eq!(tracked["timeline"].as_str().unwrap().chars().count(), 100, "nothing is cut");
}

#[tokio::test]
async fn five_requests_a_minute_are_taken_from_one_address_and_the_sixth_is_told_when_to_come_again() {
    let house = House::open().await;
    let door = house.passer_by();
    for _ in 0..5 {
        door.post(CONTACT, request()).await.ok();
        // What is refused for itself is not counted.
        door.post(CONTACT, json!({})).await.refused(422, "INVALID_INPUT");
    }
    let forged = door.request(Method::POST, CONTACT).header("x-forwarded-for", "203.0.113.9").json(&request());
    let refused = answer(forged).await;
    refused.refused(429, "RATE_LIMITED");
    assert_eq!((refused.header("retry-after"), &refused.json()["retry_after"]), ("60", &json!(60)));
    assert_eq!((kept(&house), mails(&house).await.len()), (5, 10));
    house.clock.set(house.clock.now() + chrono::Duration::seconds(60));
    door.post(CONTACT, request()).await.ok();
    let (kept, mails) = (kept(&house), mails(&house).await);
    let receipts = mails.iter().filter(|(kind, _)| kind == "contact_receipt").count();
    assert_eq!((kept, mails.len(), receipts), (6, 11, 5), "whoever names an address, it gets no more in a day");
}

#[tokio::test]
async fn from_however_many_addresses_so_many_requests_are_taken_in_an_hour_and_no_more() {
    let house = House::open_with(|config| {
        config.http.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
        config.set(ContactSettings { per_hour: 3, ..ContactSettings::default() });
    })
    .await;
    let from = |number: u32| {
        let sent = house.passer_by().request(Method::POST, CONTACT);
        answer(sent.header("x-forwarded-for", format!("203.0.113.{number}")).json(&request()))
    };
    for number in 1..=3 {
        from(number).await.ok();
    }
    from(4).await.refused(429, "RATE_LIMITED");
    assert_eq!((kept(&house), mails(&house).await.len()), (3, 6));
    house.clock.set(house.clock.now() + chrono::Duration::hours(1));
    from(4).await.ok();
}

#[tokio::test]
async fn where_nobody_has_said_how_customers_reach_the_site_no_request_is_taken() {
    let house = House::open_with(|config| config.site.listen = "0.0.0.0:0".parse().unwrap()).await;
    let door = house.passer_by();
    let refused = answer(door.request(Method::POST, CONTACT).header("host", "192.168.7.7").json(&request())).await;
    refused.refused(503, "NOT_CONFIGURED");
    assert!(refused.json()["message"].as_str().unwrap().contains("site.address"), "{refused:?}");
    assert_eq!((kept(&house), mails(&house).await.len()), (0, 0));
}

#[tokio::test]
async fn behind_a_trusted_proxy_each_client_is_counted_by_itself() {
    let house = House::open_with(|config| config.http.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()]).await;
    let door = house.passer_by();
    let from =
        |client: &str| answer(door.request(Method::POST, CONTACT).header("x-forwarded-for", client).json(&request()));
    for _ in 0..5 {
        from("203.0.113.9").await.ok();
    }
    from("203.0.113.9").await.refused(429, "RATE_LIMITED");
    from("198.51.100.1, 203.0.113.9").await.refused(429, "RATE_LIMITED");
    from("203.0.113.10").await.ok();
    assert_eq!(kept(&house), 6);
}

#[tokio::test]
async fn one_key_makes_one_request_and_two_mails_however_often_it_is_sent_also_after_a_restart() {
    let house = House::open().await;
    let ask = || answer(keyed(&house.passer_by(), "k-1", &request()));
    let (first, second) = tokio::join!(ask(), ask());
    assert_eq!((first.status.as_u16(), &first.text), (201, &second.text));
    for _ in 0..6 {
        assert_eq!(ask().await.text, first.text, "what is told again is not counted");
    }
    let other = with(json!({"name": "하준"}));
    answer(keyed(&house.passer_by(), "k-1", &other)).await.refused(409, "IDEMPOTENCY_CONFLICT");
    let house = house.restart().await;
    let again = answer(keyed(&house.passer_by(), "k-1", &request())).await;
    assert_eq!((again.status.as_u16(), &again.text), (201, &first.text));
    house.household().rest().await;
    assert_eq!((kept(&house), mails(&house).await.len()), (1, 2));
    house.passer_by().get(&track(&first.ok())).await.ok();
}

#[tokio::test]
async fn what_fills_in_the_unseen_field_is_answered_like_any_other_and_saved_nowhere() {
    let house = House::open().await;
    let door = house.passer_by();
    let decoy = door.post(CONTACT, with(json!({"website": "https://spam.example"}))).await;
    let received = door.post(CONTACT, with(json!({"website": ""}))).await;
    assert_eq!((decoy.status, received.status.as_u16()), (received.status, 201));
    let names = |answer: &Answer| answer.json().as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&decoy), names(&received));
    let (followed, real) = (door.get(&track(&decoy.ok())).await, door.get(&track(&received.ok())).await);
    assert_eq!((names(&followed), followed.status), (names(&real), real.status), "its link tells nothing, either");
    let english = |website: &str| door.post(CONTACT, with(json!({"website": website, "language": "en"})));
    for answer in [english("https://spam.example").await, english("").await] {
        let answer = answer.ok();
        let page = format!("/en/contact/{}", answer["public_token"].as_str().unwrap());
        assert!(answer["track_url"].as_str().unwrap().ends_with(&page), "{answer}");
    }
    assert_eq!((kept(&house), mails(&house).await.len()), (2, 4));
    let measures = house.anonymous().get("/metrics").await.text;
    assert!(measures.contains("hanok_contact_decoys_total 2\n"), "{measures}");
}

#[tokio::test]
async fn the_receipt_is_in_the_language_of_the_browser_or_the_one_that_is_named() {
    let house = House::open().await;
    let door = house.passer_by();
    let send = |accepted: &'static str, body: Value| {
        answer(door.request(Method::POST, CONTACT).header("accept-language", accepted).json(&body))
    };
    send("en-GB,en;q=0.9", request()).await.ok();
    send("en-GB", with(json!({"language": "ko"}))).await.ok();
    let listed = house.household().get("/api/system/mail").await.ok();
    let receipts = listed["mails"].as_array().unwrap().iter().filter(|mail| mail["kind"] == "contact_receipt");
    let subjects: Vec<&str> = receipts.map(|mail| mail["subject"].as_str().unwrap()).collect();
    assert_eq!(subjects, ["의뢰를 받았습니다", "We have received your request"]);
}

#[tokio::test]
async fn nobody_gets_at_a_request_by_guessing_by_its_id_or_by_a_link_that_was_ended() {
    let house = House::open().await;
    let door = house.passer_by();
    let (own, other) =
        (door.post(CONTACT, request()).await.ok(), door.post(CONTACT, with(json!({"name": "하준"}))).await.ok());
    assert_eq!(door.get(&track(&other)).await.ok()["name"], "하준");
    let id = own["id"].as_str().unwrap().to_owned();
    for word in ["x", &id, &"x".repeat(500), "%ED%95%9C"] {
        door.get(&format!("{CONTACT}/{word}")).await.refused(404, "NOT_FOUND");
    }
    let store = &house.appliance.app().data.store;
    store.write(move |tx| contact::end_link(tx, &id)).await.unwrap();
    door.get(&track(&own)).await.refused(404, "NOT_FOUND");
    door.get(&track(&other)).await.ok();
    house.household().get(&track(&other)).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_link_that_was_ended_stays_so_when_an_earlier_state_is_restored() {
    let house = House::open().await;
    let (door, household) = (house.passer_by(), house.household());
    let (own, other) = (door.post(CONTACT, request()).await.ok(), door.post(CONTACT, request()).await.ok());
    household.rest().await;
    let made = household.post("/api/system/backups", Value::Null).await.ok();
    let (id, other_id) = (own["id"].as_str().unwrap().to_owned(), other["id"].as_str().unwrap().to_owned());
    let store = &house.appliance.app().data.store;
    store.write(move |tx| contact::end_link(tx, &id)).await.unwrap();
    store.write(move |tx| contact::change_status(tx, &other_id, Status::Reviewing, "minseo")).await.unwrap();
    let restore = format!("/api/system/backups/{}/restore", made["name"].as_str().unwrap());
    household.post(&restore, Value::Null).await.ok();
    assert_eq!(kept(&house), 2);
    door.get(&track(&own)).await.refused(404, "NOT_FOUND");
    assert_eq!(door.get(&track(&other)).await.ok()["status"], "pending");
}

#[tokio::test]
async fn while_no_requests_are_taken_the_route_leads_nowhere_and_earlier_links_stay() {
    let house = House::open().await;
    let (door, household) = (house.passer_by(), house.household());
    let received = door.post(CONTACT, request()).await.ok();
    let turn = async |value: &str| {
        let revision = household.get("/api/system/settings").await.ok()["revision"].clone();
        household.put("/api/system/settings/contact.enabled", json!({"value": value, "revision": revision})).await.ok();
    };
    turn("false").await;
    door.post(CONTACT, request()).await.refused(404, "NOT_FOUND");
    assert_eq!(kept(&house), 1);
    door.get(&track(&received)).await.ok();
    turn("true").await;
    door.post(CONTACT, request()).await.ok();
}

#[tokio::test]
async fn the_desk_finds_requests_by_words_and_the_household_does_not() {
    let house = House::open().await;
    let household = house.household();
    house.passer_by().post(CONTACT, request()).await.ok();
    household.post("/api/todos", json!({"title": "홈페이지 점검"})).await.ok();
    let whole = || Page { limit: 20, offset: 0 };
    let found = loop {
        let found = contact::search(house.appliance.app(), "홈페이지", None, whole()).await.unwrap();
        if found.is_fresh {
            break found;
        }
    };
    assert_eq!((found.total, found.hits[0].document.title.as_str()), (1, "김지우"));
    let by_the_household = loop {
        let found = household.get("/api/search?q=%ED%99%88%ED%8E%98%EC%9D%B4%EC%A7%80").await.ok();
        if found["complete"] == true {
            break found;
        }
    };
    assert_eq!((&by_the_household["total"], &by_the_household["results"][0]["kind"]), (&json!(1), &json!("todo")));
    assert_eq!(by_the_household["kinds"].as_array().unwrap().len(), 1, "{by_the_household}");
    household.get("/api/search?q=a&kind=contact_request").await.refused(422, "INVALID_INPUT");
}

#[tokio::test]
async fn an_owner_with_a_chat_is_told_there_too() {
    let bot = bot::unclear().await;
    let house = House::open_with(|config| config.set(bot::settings(&bot))).await;
    house.passer_by().post(CONTACT, request()).await.ok();
    let sent = async {
        loop {
            let asked = bot.received_requests().await.unwrap();
            if let Some(sent) = asked.into_iter().find(|asked| asked.url.path().ends_with("/sendMessage")) {
                return String::from_utf8(sent.body).unwrap();
            }
            tokio::task::yield_now().await;
        }
    };
    let said = sent.await;
    assert!(said.contains("김지우") && said.contains("jiwoo@example.com") && !said.contains("<b>홈페이지"), "{said}");
}

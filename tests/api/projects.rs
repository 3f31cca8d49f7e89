//! Projects: steps of quoted work, and the accounts that follow them.

use chrono::Duration;
use reqwest::Method;
use serde_json::{Value, json};

use crate::admins::{invited, set_up};
use crate::bot;
use crate::forms::{Browser, leads_to, value_of};
use crate::house::{Answer, Caller, House, answer};
use crate::own_chat::{CHAT, Shop};
use crate::visitors::{PASSWORD, Visitor, last_mail};

const MAIL: &str = "jiwoo@example.com";
const STEPS: &str = "/api/admin/milestones";
const LINK: &str = "/api/projects/link";
const USUAL: [&str; 7] =
    ["의뢰 접수", "계약 체결", "기획/와이어프레임", "디자인 시안", "개발 진행", "검수/테스트", "납품 완료"];

async fn admin(house: &House) -> Visitor<'_> {
    Visitor::of(house, &set_up(house, &invited(house, "minsu").await).await)
}

async fn draft(admin: &Visitor<'_>, more: Value) -> String {
    let mut quote = json!({"title": "쇼핑몰", "client_name": "김지우", "client_email": "client@example.com",
        "items": [{"name": "개발", "unit_price": 1_000_000}, {"name": "로고", "unit_price": 300_000, "optional": true}]});
    quote.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    admin.post("/api/admin/quotes", quote).await.ok()["id"].as_str().unwrap().to_owned()
}

/// A quote that was sent. Gives its id and the word of its link.
async fn sent(admin: &Visitor<'_>, more: Value) -> (String, String) {
    let id = draft(admin, more).await;
    let sent = admin.post(&format!("/api/admin/quotes/{id}/send"), Value::Null).await.ok();
    (id, sent["quote_url"].as_str().unwrap().rsplit('/').next().unwrap().to_owned())
}

async fn decided(house: &House, word: &str, accept: bool) {
    let path = format!("/api/quote/{word}");
    let shown = house.passer_by().get(&path).await.ok();
    house.passer_by().post(&path, json!({"accept": accept, "hash": shown["hash"]})).await.ok();
}

/// The usual steps of a quote. Gives their ids, in order.
async fn usual(admin: &Visitor<'_>, quote: &str) -> Vec<String> {
    let added = admin.post(STEPS, json!({"quote_id": quote, "use_defaults": true})).await.ok();
    ids(&added)
}

fn ids(listed: &Value) -> Vec<String> {
    let steps = listed["milestones"].as_array().unwrap().iter();
    steps.map(|step| step["id"].as_str().unwrap().to_owned()).collect()
}

fn each<'l>(listed: &'l Value, field: &str) -> Vec<&'l Value> {
    listed["milestones"].as_array().unwrap().iter().map(|step| &step[field]).collect()
}

async fn steps(admin: &Visitor<'_>, quote: &str) -> Value {
    admin.get(&format!("{STEPS}?quote_id={quote}")).await.ok()
}

async fn patch(admin: &Visitor<'_>, step: &str, changes: Value) -> Answer {
    answer(admin.request(Method::PATCH, &format!("{STEPS}/{step}")).json(&changes)).await
}

async fn moved(admin: &Visitor<'_>, step: &str, states: &[&str]) -> Value {
    let mut last = Value::Null;
    for status in states {
        last = patch(admin, step, json!({"status": status})).await.ok();
    }
    last
}

async fn signed_in<'a>(house: &'a House, mail: &str) -> Browser<'a> {
    let mut browser = Browser::at(house);
    let entrance = browser.open("/account/sign-in").await;
    browser.send("/account/sign-in", &entrance, &[("mail", mail), ("password", PASSWORD)]).await;
    browser
}

#[tokio::test]
async fn the_usual_steps_are_added_once_in_the_language_of_the_quote_also_by_two_at_once() {
    let house = House::open().await;
    let admin = admin(&house).await;
    let (quote, _) = sent(&admin, json!({})).await;
    let body = json!({"quoteId": quote, "useDefaults": true});
    let (one, other) = tokio::join!(admin.post(STEPS, body.clone()), admin.post(STEPS, body.clone()));
    let mut states = [one.status.as_u16(), other.status.as_u16()];
    states.sort_unstable();
    assert_eq!(states, [201, 409], "{one:?} {other:?}");
    admin.post(STEPS, body).await.refused(409, "CONFLICT");
    let listed = admin.get(&format!("{STEPS}?quoteId={quote}")).await.ok();
    assert_eq!((each(&listed, "title"), &listed["total"]), (USUAL.map(Value::from).iter().collect(), &json!(7)));
    assert_eq!(each(&listed, "step_number"), (1..=7).map(Value::from).collect::<Vec<_>>().iter().collect::<Vec<_>>());
    assert!(each(&listed, "status").iter().all(|status| **status == "pending"));
    let (english, _) = sent(&admin, json!({"language": "en"})).await;
    let added = admin.post(STEPS, json!({"quote_id": english, "use_defaults": true})).await.ok();
    assert_eq!((&added["milestones"][0]["title"], &added["total"]), (&json!("Request received"), &json!(7)));
    let deeds = admin.get("/api/admin/audit").await.ok()["notes"].to_string();
    assert_eq!(deeds.matches("milestones_created").count(), 2, "{deeds}");
}

#[tokio::test]
async fn a_step_moves_one_state_at_a_time_and_the_account_sees_how_far_its_project_is() {
    let house = House::open().await;
    let (admin, customer) = (admin(&house).await, Visitor::registered(&house, MAIL).await);
    let (quote, word) = sent(&admin, json!({})).await;
    let ids = usual(&admin, &quote).await;
    let refused = patch(&admin, &ids[0], json!({"status": "completed"})).await;
    refused.refused(409, "CONFLICT");
    assert!(refused.json()["message"].as_str().unwrap().contains("In progress"), "{refused:?}");
    let done = moved(&admin, &ids[0], &["in_progress", "completed"]).await;
    assert!(done["completed_at"].is_string() && done["status"] == "completed", "{done}");
    let reopened = moved(&admin, &ids[0], &["in_progress"]).await;
    assert_eq!((&reopened["completed_at"], &reopened["status"]), (&Value::Null, &json!("in_progress")));
    moved(&admin, &ids[0], &["completed"]).await;
    for id in &ids[1..3] {
        moved(&admin, id, &["in_progress", "completed"]).await;
    }
    moved(&admin, &ids[3], &["in_progress"]).await;
    let noted = patch(&admin, &ids[3], json!({"note": "  두 가지 시안을 보냈습니다. "})).await.ok();
    assert_eq!((&noted["note"], &noted["status"]), (&json!("두 가지 시안을 보냈습니다."), &json!("in_progress")));
    customer.post(LINK, json!({"token": word})).await.ok();
    decided(&house, &word, true).await;
    let seen = customer.get("/api/projects").await.ok();
    let project = &seen["projects"][0];
    assert_eq!((&seen["total"], &project["id"], &project["status"]), (&json!(1), &json!(quote), &json!("accepted")));
    // Three of seven: 42.86 %. The price has no tax in it: 1,000,000 and 10 %, without the optional line.
    assert_eq!((&project["progress"], &project["total"]), (&json!(43), &json!(1_100_000)));
    assert_eq!(
        (&project["current_step"]["step_number"], &project["milestones"][3]["note"]),
        (&json!(4), &noted["note"])
    );
    assert!(project["accepted_at"].is_string());
    moved(&admin, &ids[3], &["pending"]).await;
    let at = customer.get("/api/projects").await.ok()["projects"][0]["current_step"].clone();
    assert_eq!((&at["title"], &at["status"]), (&json!("디자인 시안"), &json!("pending")));
    for (changes, field) in [
        (json!({"status": "delivered"}), "status"),
        (json!({"title": null}), "title"),
        (json!({"note": "가".repeat(2001)}), "note"),
        (json!({"quote_id": "another"}), "quote_id"),
    ] {
        let refused = patch(&admin, &ids[0], changes).await;
        refused.refused(422, "INVALID_INPUT");
        assert!(refused.json()["fields"][field].is_string(), "{refused:?}");
    }
}

#[tokio::test]
async fn steps_are_added_at_their_place_put_in_order_and_removed_and_their_numbers_close_up() {
    let house = House::open().await;
    let admin = admin(&house).await;
    let (quote, _) = sent(&admin, json!({})).await;
    let titles = async || each(&steps(&admin, &quote).await, "title").into_iter().cloned().collect::<Vec<_>>();
    let add = async |title: &str, place: Value| {
        admin.post(STEPS, json!({"quote_id": quote, "title": title, "step_number": place})).await
    };
    for (title, place) in [("가", json!(null)), ("나", json!(null)), ("다", json!(1)), ("라", json!(3))] {
        assert_eq!(add(title, place).await.status, 201, "{title}");
    }
    assert_eq!(titles().await, ["다", "가", "라", "나"]);
    add("마", json!(6)).await.refused(422, "INVALID_INPUT");
    add("", json!(1)).await.refused(422, "INVALID_INPUT");
    let listed = ids(&steps(&admin, &quote).await);
    assert_eq!(patch(&admin, &listed[3], json!({"step_number": 1})).await.ok()["step_number"], 1);
    assert_eq!(titles().await, ["나", "다", "가", "라"]);
    patch(&admin, &listed[0], json!({"step_number": 4, "title": "끝"})).await.ok();
    assert_eq!(titles().await, ["나", "가", "라", "끝"]);
    patch(&admin, &listed[0], json!({"step_number": 5})).await.refused(422, "INVALID_INPUT");
    admin.delete(&format!("{STEPS}/{}", listed[1])).await.ok();
    admin.delete(&format!("{STEPS}/{}", listed[1])).await.refused(404, "NOT_FOUND");
    patch(&admin, &listed[1], json!({"title": "없음"})).await.refused(404, "NOT_FOUND");
    let left = steps(&admin, &quote).await;
    assert_eq!(each(&left, "step_number"), [&json!(1), &json!(2), &json!(3)]);
    assert_eq!(titles().await, ["나", "라", "끝"]);
    for number in 0..47 {
        assert_eq!(add(&number.to_string(), json!(null)).await.status, 201);
    }
    add("하나 더", json!(1)).await.refused(409, "CONFLICT");
}

#[tokio::test]
async fn only_what_was_sent_or_accepted_has_steps_and_only_an_admin_makes_them() {
    let house = House::open().await;
    let (admin, customer) = (admin(&house).await, Visitor::registered(&house, MAIL).await);
    let draft = draft(&admin, json!({})).await;
    let body = json!({"quote_id": draft, "use_defaults": true});
    admin.post(STEPS, body.clone()).await.refused(409, "CONFLICT");
    assert_eq!(steps(&admin, &draft).await["total"], 0);
    let unknown = json!({"quote_id": "another", "title": "검수"});
    admin.post(STEPS, unknown).await.refused(404, "NOT_FOUND");
    admin.get(&format!("{STEPS}?quote_id=another")).await.refused(404, "NOT_FOUND");
    admin.get(STEPS).await.refused(422, "INVALID_INPUT");
    let (quote, word) = sent(&admin, json!({})).await;
    for body in [
        json!({"quote_id": quote}),
        json!({"quote_id": quote, "use_defaults": true, "title": "검수"}),
        json!({"quote_id": quote, "title": "검수", "status": "completed"}),
        json!({"title": "검수"}),
    ] {
        admin.post(STEPS, body).await.refused(422, "INVALID_INPUT");
    }
    let ids = usual(&admin, &quote).await;
    decided(&house, &word, false).await;
    patch(&admin, &ids[0], json!({"status": "in_progress"})).await.refused(409, "CONFLICT");
    admin.delete(&format!("{STEPS}/{}", ids[0])).await.refused(409, "CONFLICT");
    let (list, step) = (format!("{STEPS}?quote_id={quote}"), format!("{STEPS}/{}", ids[0]));
    for refused in [customer.get(&list).await, customer.delete(&step).await, house.passer_by().get(&list).await] {
        refused.refused(401, "UNAUTHORIZED");
    }
    house.passer_by().get("/api/projects").await.refused(401, "UNAUTHORIZED");
    admin.get("/api/projects").await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn a_quote_is_linked_once_and_whatever_is_another_s_is_like_what_is_not_there() {
    let house = House::open().await;
    let admin = admin(&house).await;
    let own = Visitor::registered(&house, MAIL).await;
    let other = Visitor::registered(&house, "minsu@example.com").await;
    let (quote, word) = sent(&admin, json!({})).await;
    let (_, declined) = sent(&admin, json!({})).await;
    decided(&house, &declined, false).await;
    assert_eq!(own.get("/api/projects").await.ok(), json!({"projects": [], "total": 0}));
    let address = format!("https://shop.example/en/quote/{word}?x=1");
    let linked = own.post(LINK, json!({"token": address})).await.ok();
    assert_eq!(linked, json!({"quote_id": quote, "already_linked": false}));
    assert_eq!(own.post(LINK, json!({"token": word})).await.ok()["already_linked"], true);
    let of_contact =
        house.passer_by().post("/api/contact", json!({"name": "김", "email": MAIL, "message": "네"})).await.ok();
    let mut said = Vec::new();
    for token in [&word, &declined, "nothing", of_contact["public_token"].as_str().unwrap(), quote.as_str()] {
        let refused = other.post(LINK, json!({"token": token})).await;
        refused.refused(404, "NOT_FOUND");
        said.push(refused.json()["message"].clone());
    }
    assert!(said.iter().all(|message| *message == said[0]), "{said:?}");
    other.post(LINK, json!({"token": ""})).await.refused(422, "INVALID_INPUT");
    assert_eq!(other.get("/api/projects").await.ok()["total"], 0);
    let page = signed_in(&house, "minsu@example.com").await.open(&format!("/account/projects/{quote}")).await;
    assert_eq!(page.status, 404);
    // Ten tries a minute.
    for _ in 0..5 {
        other.post(LINK, json!({"token": "nothing"})).await.refused(404, "NOT_FOUND");
    }
    other.post(LINK, json!({"token": word})).await.refused(429, "RATE_LIMITED");
    own.post(LINK, json!({"token": word})).await.ok();
    let told = own.get("/api/account/export").await.ok();
    assert_eq!((&told["projects"][0]["id"], &told["projects"][0]["title"]), (&json!(quote), &json!("쇼핑몰")));
    own.post("/api/account/remove", json!({"password": PASSWORD})).await.ok();
    house.clock.set(house.clock.now() + Duration::minutes(2));
    assert_eq!(other.post(LINK, json!({"token": word})).await.ok()["already_linked"], false, "the account ended");
    // Whoever has the address to which the quote was sent takes it over, and nobody from them.
    let client = Visitor::registered(&house, "Client@Example.com").await;
    let taken = json!({"quote_id": quote, "already_linked": false});
    assert_eq!(client.post(LINK, json!({"token": word})).await.ok(), taken);
    assert_eq!(client.post(LINK, json!({"token": word})).await.ok()["already_linked"], true);
    other.post(LINK, json!({"token": word})).await.refused(404, "NOT_FOUND");
    let lists = [client.get("/api/projects").await.ok(), other.get("/api/projects").await.ok()];
    assert_eq!(lists.map(|list| list["total"].clone()), [1, 0]);
}

#[tokio::test]
async fn a_burst_of_moves_is_told_once_by_mail_and_chat_and_what_was_moved_back_is_not_told() {
    let shop = Shop::open_with(bot::takes_all().await).await;
    let house = &shop.house;
    let (admin, customer) = (admin(house).await, Visitor::registered(house, MAIL).await);
    shop.connected(&customer, 1).await;
    let before = shop.said(CHAT).await.len();
    let (quote, word) = sent(&admin, json!({})).await;
    let ids = usual(&admin, &quote).await;
    customer.post(LINK, json!({"token": word})).await.ok();
    moved(&admin, &ids[0], &["in_progress", "completed"]).await;
    house.clock.set(house.clock.now() + Duration::minutes(5));
    moved(&admin, &ids[1], &["in_progress"]).await;
    patch(&admin, &ids[1], json!({"note": "계약서를 <b>보냈습니다</b>."})).await.ok();
    moved(&admin, &ids[2], &["in_progress", "pending"]).await;
    assert_eq!(told(house).await.len(), 0, "not before ten minutes have passed");
    house.clock.set(house.clock.now() + Duration::minutes(5));
    until_told(house, 1).await;
    let mails = told(house).await;
    let known = (&json!("client@example.com"), &json!("프로젝트 진행 상황: 쇼핑몰"));
    assert_eq!((&mails[0]["to"], &mails[0]["subject"]), known, "not to the account that follows it");
    let said = shop.said(CHAT).await.split_off(before);
    let [said] = said.as_slice() else { panic!("one message: {said:?}") };
    assert!(said.contains("1. Request received: Completed") || said.contains("1. 의뢰 접수: "), "{said}");
    assert!(said.contains("&lt;b&gt;") && said.contains(&format!("/account/projects/{quote}")), "{said}");
    assert!(!said.contains("3. ") && said.contains("14%"), "{said}");
    let mail = last_mail(house).await;
    assert!(mail.contains(&format!("/quote/{word}")) && !mail.contains("/account/projects"), "{mail}");
    // What is moved and moved back again is not told; the next move is.
    moved(&admin, &ids[1], &["pending", "in_progress"]).await;
    let mut events = house.household().events().await;
    house.clock.set(house.clock.now() + Duration::minutes(11));
    events.until("task", |task| task["kind"] == "project_notices" && task["status"] == "succeeded").await;
    moved(&admin, &ids[1], &["completed"]).await;
    house.clock.set(house.clock.now() + Duration::minutes(11));
    until_told(house, 2).await;
    assert_eq!((told(house).await.len(), shop.said(CHAT).await.len()), (2, before + 2));
}

#[tokio::test]
async fn who_has_no_account_is_told_at_the_address_of_the_quote_and_the_request_follows_the_steps() {
    let house = House::open().await;
    let admin = admin(&house).await;
    let request = json!({"name": "김지우", "email": MAIL, "message": "쇼핑몰을 만들고 싶습니다."});
    let request = house.passer_by().post("/api/contact", request).await.ok()["id"].as_str().unwrap().to_owned();
    let state =
        async || admin.get(&format!("/api/admin/contacts/{request}")).await.ok()["status"].as_str().unwrap().to_owned();
    let (quote, word) = sent(&admin, json!({"contact_request_id": request, "client_email": "other@example.com"})).await;
    let ids = usual(&admin, &quote).await;
    decided(&house, &word, true).await;
    assert_eq!(state().await, "accepted");
    moved(&admin, &ids[0], &["in_progress"]).await;
    assert_eq!(state().await, "in_progress");
    house.clock.set(house.clock.now() + Duration::minutes(10));
    until_told(&house, 1).await;
    assert_eq!(told(&house).await[0]["to"], "other@example.com");
    assert!(last_mail(&house).await.contains(&format!("/quote/{word}")));
    for id in &ids[1..] {
        moved(&admin, id, &["in_progress", "completed"]).await;
    }
    assert_eq!(state().await, "in_progress");
    moved(&admin, &ids[0], &["completed"]).await;
    assert_eq!(state().await, "completed");
    Visitor::registered(&house, "Other@example.com").await.post(LINK, json!({"token": word})).await.ok();
    house.clock.set(house.clock.now() + Duration::minutes(10));
    until_told(&house, 2).await;
    assert_eq!(told(&house).await[0]["to"], "other@example.com");
    assert!(last_mail(&house).await.contains(&format!("/account/projects/{quote}")), "it is their own");
}

/// The mails of moved steps, newest first.
async fn told(house: &House) -> Vec<Value> {
    let mails = house.household().get("/api/system/mail").await.ok()["mails"].clone();
    mails.as_array().unwrap().iter().filter(|mail| mail["kind"] == "project_moved").cloned().collect()
}

async fn until_told(house: &House, count: usize) {
    let mut events = house.household().events().await;
    while told(house).await.len() < count {
        events.until("changed", |change| change["what"] == "mail").await;
    }
}

#[tokio::test]
async fn a_customer_adds_a_project_by_its_link_and_sees_its_steps_without_script() {
    let house = House::open().await;
    let admin = admin(&house).await;
    let (quote, word) = sent(&admin, json!({})).await;
    let mut stranger = Browser::at(&house);
    let led = stranger.open(&format!("/account/projects/{quote}")).await;
    assert_eq!(leads_to(&led), (303, format!("/account/sign-in?next=/account/projects/{quote}").as_str()));
    Visitor::registered(&house, MAIL).await;
    let mut browser = signed_in(&house, MAIL).await;
    let empty = browser.open("/account/projects").await;
    assert!(empty.status == 200 && empty.text.contains("아직 추가한 프로젝트가 없습니다."), "{}", empty.text);
    assert_eq!((empty.header("cache-control"), empty.header("x-robots-tag")), ("no-store", "noindex"));
    let wrong = browser.send("/account/projects", &empty, &[("act", "link"), ("token", "nothing")]).await;
    assert!(wrong.status == 422 && wrong.text.contains("id=\"token-fault\""), "{}", wrong.text);
    assert!(wrong.text.contains("value=\"nothing\""), "{}", wrong.text);
    let address = format!("http://shop.example/quote/{word}");
    let added = browser.send("/account/projects", &wrong, &[("act", "link"), ("token", &address)]).await;
    assert_eq!(leads_to(&added), (303, format!("/account/projects/{quote}?saved=link").as_str()));
    let page = browser.open(&format!("/account/projects/{quote}?saved=link")).await;
    assert!(
        page.text.contains("프로젝트를 추가했습니다.") && page.text.contains("단계를 준비하고 있습니다"),
        "{}",
        page.text
    );
    let ids = usual(&admin, &quote).await;
    patch(&admin, &ids[1], json!({"note": "<b>도장</b>을 찍어 주세요."})).await.ok();
    moved(&admin, &ids[0], &["in_progress", "completed"]).await;
    let page = browser.open(&format!("/account/projects/{quote}")).await;
    for title in USUAL {
        assert!(page.text.contains(title), "{title}");
    }
    assert!(page.text.contains("value=\"14\"") && page.text.contains(">14%<"), "{}", page.text);
    assert!(page.text.contains("&#60;b&#62;도장") && !page.text.contains("<b>도장"), "{}", page.text);
    assert!(page.text.contains("2026년 10월 10일") && page.text.contains(">다음<"), "{}", page.text);
    assert!(page.text.contains(&format!("href=\"/quote/{word}\"")), "{}", page.text);
    let all = browser.open("/en/account/projects").await.text;
    assert!(all.contains(&format!("/en/account/projects/{quote}")) && all.contains("Next: 2. 계약 체결"), "{all}");
}

#[tokio::test]
async fn steps_are_kept_on_the_pages_of_the_desk_by_forms_alone() {
    let house = House::open().await;
    let admin = admin(&house).await;
    let (quote, word) = sent(&admin, json!({})).await;
    decided(&house, &word, true).await;
    Visitor::registered(&house, MAIL).await.post(LINK, json!({"token": word})).await.ok();
    let mut browser = Browser::at(&house);
    let entrance = browser.open("/admin").await;
    browser.send("/admin", &entrance, &[("name", "minsu"), ("password", PASSWORD)]).await;
    let path = format!("/admin/projects/{quote}");
    let page = browser.open(&path).await;
    assert!(page.text.contains(MAIL) && page.text.contains("기본 7단계 추가"), "{}", page.text);
    for _ in 0..2 {
        let added = browser.send(&path, &page, &[("act", "usual")]).await;
        assert_eq!(leads_to(&added), (303, format!("{path}?saved=usual").as_str()), "sent twice, it is done once");
    }
    let ids = ids(&steps(&admin, &quote).await);
    let page = browser.open(&path).await;
    let moving = [("act", "move"), ("step", ids[0].as_str()), ("status", "in_progress")];
    assert_eq!(leads_to(&browser.send(&path, &page, &moving).await), (303, format!("{path}?saved=move").as_str()));
    let page = browser.open(&path).await;
    let wrong = browser.send(&path, &page, &[("act", "move"), ("step", &ids[1]), ("status", "completed")]).await;
    assert!(wrong.status == 409 && wrong.text.contains("role=\"alert\""), "{}", wrong.text);
    let refused = browser.send(&path, &page, &[("act", "add"), ("description", "제목 없이")]).await;
    assert!(refused.status == 422 && refused.text.contains("id=\"title-fault\""), "{}", refused.text);
    browser.send(&path, &refused, &[("act", "add"), ("title", "교육"), ("step_number", "8")]).await;
    let step = format!("{path}/steps/{}", ids[0]);
    let shown = browser.open(&step).await;
    assert!(shown.text.contains("value=\"의뢰 접수\""), "{}", shown.text);
    let edit =
        [("act", "edit"), ("note", "확인했습니다."), ("title", "접수"), ("description", ""), ("step_number", "1")];
    assert_eq!(leads_to(&browser.send(&step, &shown, &edit).await), (303, format!("{path}?saved=edit").as_str()));
    let asked = browser.open(&format!("{path}/steps/{}/remove", ids[1])).await;
    assert!(asked.text.contains("‘계약 체결’ 단계를 삭제할까요?"), "{}", asked.text);
    browser.send(&format!("{path}/steps/{}", ids[1]), &asked, &[("act", "remove")]).await;
    let listed = steps(&admin, &quote).await;
    let first = &listed["milestones"][0];
    assert_eq!((&listed["total"], &first["title"], &first["description"]), (&json!(7), &json!("접수"), &json!("")));
    assert_eq!((&first["note"], &first["status"]), (&json!("확인했습니다."), &json!("in_progress")));
    assert_eq!(listed["milestones"][6]["title"], "교육");
    let all = browser.open("/en/admin/projects").await.text;
    assert!(all.contains("1. <bdi>접수</bdi> · In progress") && all.contains("followed by an account"), "{all}");
    let of_quote = format!("/admin/quotes/{quote}");
    let known = browser.open(&of_quote).await.text;
    assert!(known.contains(MAIL) && known.contains("견적을 받은 주소가 아님"), "{known}");
    Visitor::registered(&house, "client@example.com").await.post(LINK, json!({"token": word})).await.ok();
    for page in [&of_quote, &path] {
        let taken = browser.open(page).await.text;
        assert!(taken.contains("<bdi>client@example.com</bdi>") && !taken.contains(MAIL), "{taken}");
    }
    let asked = browser.open(&format!("{path}/unlink")).await;
    assert_eq!(value_of(&asked.text, "act"), "unlink");
    browser.send(&path, &asked, &[("act", "unlink")]).await;
    assert!(browser.open(&path).await.text.contains("<dd>없음</dd>"));
    assert_eq!(browser.open(&format!("{path}/steps/another")).await.status, 404);
}

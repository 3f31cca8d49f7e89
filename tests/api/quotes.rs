//! Quotes: written at the desk, sent, and decided by who has the link.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hanok::site::quotes;
use reqwest::Method;
use serde_json::{Value, json};

use crate::admins::{invited, set_up};
use crate::house::{Answer, Caller, House, answer};
use crate::visitors::{PASSWORD, Visitor};

const QUOTES: &str = "/api/admin/quotes";

/// An admin at the desk.
async fn admin(house: &House) -> Visitor<'_> {
    let word = invited(house, "minsu").await;
    Visitor::of(house, &set_up(house, &word).await)
}

/// A quote of one required line, an optional one of half a piece, a phase and a plan. Worked out by hand: 1,000,000 and 10 %
/// make 1,100,000; with the optional line of 100,000 it is 1,210,000.
fn website() -> Value {
    json!({
        "title": "누리집 제작", "client_name": "김지우", "client_email": "jiwoo@example.com",
        "client_phone": "010-1234-5678", "valid_until": "2026-10-20",
        "wbs": [{"phase": "기획", "tasks": [{"name": "요구 정리", "duration": "3일"}]}],
        "items": [
            {"id": "base", "category": "design", "name": "화면 디자인", "unit_price": 1_000_000},
            {"id": "shop", "name": "결제 연동", "quantity": 0.5, "unit_price": 200_000, "optional": true},
        ],
        "maintenance": [{"id": "basic", "name": "기본", "period": "3개월", "monthly_fee": 50_000, "includes": "점검\n백업"}],
        "notes": "착수금 50 %", "internal_notes": "90만 원까지 가능",
    })
}

fn with(changes: Value) -> Value {
    let mut body = website();
    body.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    body
}

async fn drafted(desk: &Visitor<'_>, body: Value) -> Value {
    desk.post(QUOTES, body).await.ok()
}

fn place(quote: &Value) -> String {
    format!("{QUOTES}/{}", quote["id"].as_str().unwrap())
}

/// Sends the quote; gives the path of the API that its link opens.
async fn sent(desk: &Visitor<'_>, quote: &Value) -> String {
    let sent = desk.post(&format!("{}/send", place(quote)), Value::Null).await.ok();
    let (_, word) = sent["quote_url"].as_str().unwrap().rsplit_once('/').unwrap();
    format!("/api/quote/{word}")
}

/// What is sent to accept the quote that stands at `path` now.
async fn acceptance(house: &House, path: &str, chosen: Value) -> Value {
    let hash = house.passer_by().get(path).await.ok()["hash"].clone();
    json!({"accept": true, "hash": hash, "selected_items": chosen})
}

/// The kinds of the mails of the house, newest first.
async fn mails(house: &House) -> Vec<String> {
    let listed = house.household().get("/api/system/mail").await.ok();
    listed["mails"].as_array().unwrap().iter().map(|mail| mail["kind"].as_str().unwrap().to_owned()).collect()
}

/// Every mail file of the house as its reader sees it.
async fn written(house: &House) -> Vec<String> {
    house.household().rest().await;
    let folder = house.household().get("/api/system/mail").await.ok()["folder"].as_str().unwrap().to_owned();
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| read(&std::fs::read_to_string(file).unwrap())).collect()
}

/// A mail with its parts read, base64 or quoted-printable (RFC 2045).
fn read(mail: &str) -> String {
    let (mut whole, mut encoding) = (String::new(), "");
    for chunk in mail.split("\r\n\r\n") {
        let (body, heads) =
            if encoding == "base64" { chunk.split_once("--").unwrap_or((chunk, "")) } else { ("", chunk) };
        let plain = STANDARD.decode(body.split_whitespace().collect::<String>()).unwrap();
        whole += &String::from_utf8(plain).unwrap();
        whole += &if encoding == "quoted-printable" { unquoted(heads) } else { heads.to_owned() };
        whole += "\r\n\r\n";
        if let Some((_, said)) = heads.split_once("Content-Transfer-Encoding: ") {
            encoding = said.split("\r\n").next().unwrap();
        }
    }
    whole
}

fn unquoted(text: &str) -> String {
    let joined = text.replace("=\r\n", "");
    let (bytes, mut plain, mut at) = (joined.as_bytes(), Vec::new(), 0);
    while at < bytes.len() {
        let code = bytes.get(at + 1..at + 3).and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()).filter(|_| bytes[at] == b'=') {
            Some(byte) => (plain.push(byte), at += 3).1,
            None => (plain.push(bytes[at]), at += 1).1,
        }
    }
    String::from_utf8_lossy(&plain).into_owned()
}

fn fields(answer: &Answer) -> Vec<String> {
    answer.refused(422, "INVALID_INPUT");
    answer.json()["fields"].as_object().unwrap().keys().cloned().collect()
}

async fn asked(house: &House) -> Value {
    let body = json!({"name": "김지우", "email": "jiwoo@example.com", "phone": "010-1234-5678", "service": "웹사이트",
        "message": "홈페이지를 새로 만들고 싶습니다.", "language": "ko"});
    house.passer_by().post("/api/contact", body).await.ok()
}

async fn status_of(desk: &Visitor<'_>, request: &Value) -> Value {
    let path = format!("/api/admin/contacts/{}", request["id"].as_str().unwrap());
    desk.get(&path).await.ok()["status"].clone()
}

#[tokio::test]
async fn a_quote_is_the_desk_s_alone_until_it_is_sent_and_its_link_shows_nothing_of_the_desk() {
    let house = House::open().await;
    let (desk, door) = (admin(&house).await, house.passer_by());
    let draft = drafted(&desk, website()).await;
    assert_eq!(
        (&draft["status"], &draft["quote_url"], &draft["revisions"]),
        (&json!("draft"), &Value::Null, &json!([]))
    );
    assert_eq!(draft["totals"]["total"], 1_100_000);
    assert_eq!((&draft["items"][1]["quantity"], &draft["items"][0]["quantity"]), (&json!("0.5"), &json!("1")));
    assert!(!draft["wbs"][0]["tasks"][0]["id"].as_str().unwrap().is_empty(), "what has no id gets one");
    let other = drafted(&desk, json!({})).await;
    assert_eq!(other["title"], "새 견적서");
    desk.delete(&place(&other)).await.ok();
    desk.get(&place(&other)).await.refused(404, "NOT_FOUND");
    for path in [QUOTES, &place(&draft)] {
        door.get(path).await.refused(401, "UNAUTHORIZED");
    }
    let path = sent(&desk, &draft).await;
    let shown = door.get(&path).await;
    for secret in ["90만", "jiwoo@example.com", "1234-5678", "internal", "user_id"] {
        assert!(!shown.text.contains(secret), "{secret}: {}", shown.text);
    }
    let shown = shown.ok();
    assert_eq!(
        (&shown["status"], &shown["can_decide"], &shown["expired"]),
        (&json!("sent"), &json!(true), &json!(false))
    );
    assert_eq!((&shown["totals"]["vat"], &shown["notes"]), (&json!(100_000), &json!("착수금 50 %")));
    assert_eq!(shown["maintenance"][0]["includes"], json!(["점검", "백업"]));
    for forged in
        [format!("{path}x"), "/api/quote/none".to_owned(), format!("/api/quote/{}", shown["id"].as_str().unwrap())]
    {
        door.get(&forged).await.refused(404, "NOT_FOUND");
        door.get(&format!("{forged}/total")).await.refused(404, "NOT_FOUND");
        let body = json!({"accept": true, "hash": shown["hash"]});
        door.post(&forged, body).await.refused(404, "NOT_FOUND");
    }
    desk.delete(&place(&draft)).await.refused(409, "CONFLICT");
    let listed = loop {
        let listed = desk.get(&format!("{QUOTES}?status=sent&q=디자인")).await.ok();
        if listed["complete"] == true {
            break listed;
        }
    };
    let found = &listed["quotes"][0];
    assert_eq!((&listed["total"], &found["id"]), (&json!(1), &draft["id"]));
    assert_eq!((&found["title"], &found["totals"]["total"]), (&json!("누리집 제작"), &json!(1_100_000)));
    for detail in ["wbs", "items", "maintenance", "notes", "internal_notes"] {
        assert_eq!(found.get(detail), None, "a list says nothing in detail");
    }
    assert_eq!(desk.get(&format!("{QUOTES}?status=draft")).await.ok()["total"], 0);
    assert_eq!(listed["counts"][1], json!({"status": "sent", "count": 1}));
    for query in ["status=done", "q=", "limit=0", "limit=501", "offset=x"] {
        desk.get(&format!("{QUOTES}?{query}")).await.refused(422, "INVALID_INPUT");
    }
}

#[tokio::test]
async fn what_adds_up_to_no_quote_is_refused_field_by_field_and_nothing_is_saved() {
    let house = House::open().await;
    let desk = admin(&house).await;
    let line = |changes: Value| {
        let mut line = json!({"name": "개발", "unit_price": 1000});
        line.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        line
    };
    for (body, named) in [
        (json!({"items": [line(json!({"name": "", "unit_price": -1}))]}), vec!["items[0].name", "items[0].unit_price"]),
        (json!({"items": [line(json!({"id": "a"})), line(json!({"id": "a"}))]}), vec!["items[1].id"]),
        (json!({"items": [line(json!({"id": "a,b"}))]}), vec!["items[0].id"]),
        (
            json!({"items": [line(json!({"quantity": 0})), line(json!({"quantity": "0.0001"}))]}),
            vec!["items[0].quantity"],
        ),
        (json!({"items": [line(json!({"quantity": "0.0001"}))]}), vec!["items[0].quantity"]),
        (json!({"items": [line(json!({"quantity": "999999999999999"}))]}), vec!["items[0].quantity"]),
        (json!({"items": [line(json!({"discount": 3}))]}), vec!["items"]),
        (json!({"items": [line(json!({"optional": true}))], "discount": 1}), vec!["discount"]),
        (json!({"wbs": [{"phase": "기획", "tasks": [{"name": "둘\n줄"}]}]}), vec!["wbs[0].tasks[0].name"]),
        (json!({"status": "accepted", "client_email": "nobody"}), vec!["status"]),
        (
            json!({"client_email": "a@b.kr\r\nBcc: c@d.kr", "valid_until": "2026-02-30"}),
            vec!["client_email", "valid_until"],
        ),
        (json!({"contact_request_id": "01890a5d-ac96-774b-bcce-b302099a8057"}), vec!["contact_request_id"]),
    ] {
        let refused = desk.post(QUOTES, body.clone()).await;
        assert!(
            named.iter().all(|name| fields(&refused).iter().any(|field| field == name)),
            "{body}: {}",
            refused.text
        );
    }
    assert_eq!(desk.get(QUOTES).await.ok()["total"], 0);
    let bare = drafted(&desk, json!({"valid_until": "2026-10-09"})).await;
    let refused = desk.post(&format!("{}/send", place(&bare)), Value::Null).await;
    assert_eq!(fields(&refused), ["client_email", "items", "valid_until"]);
    let nobody_s = format!("{QUOTES}/01890a5d-ac96-774b-bcce-b302099a8057");
    desk.get(&nobody_s).await.refused(404, "NOT_FOUND");
    desk.delete(&nobody_s).await.refused(404, "NOT_FOUND");
    for what in ["send", "duplicate"] {
        desk.post(&format!("{nobody_s}/{what}"), Value::Null).await.refused(404, "NOT_FOUND");
    }
    desk.put(QUOTES, json!({"id": "01890a5d-ac96-774b-bcce-b302099a8057"})).await.refused(404, "NOT_FOUND");
    assert_eq!(mails(&house).await, [""; 0]);
}

#[tokio::test]
async fn a_quote_takes_what_the_request_says_and_sending_it_again_keeps_its_link_and_mails_it_again() {
    let house = House::open().await;
    let desk = admin(&house).await;
    let request = asked(&house).await;
    let body = json!({"contact_request_id": request["id"], "items": [{"name": "개발", "unit_price": 700_000}], "vat": "included"});
    let draft = drafted(&desk, body).await;
    assert_eq!((&draft["title"], &draft["client_name"]), (&json!("웹사이트 견적서"), &json!("김지우")));
    assert_eq!(
        (&draft["client_email"], &draft["client_phone"]),
        (&json!("jiwoo@example.com"), &json!("010-1234-5678"))
    );
    assert_eq!(status_of(&desk, &request).await, "pending");
    let path = sent(&desk, &draft).await;
    assert_eq!(status_of(&desk, &request).await, "quoted", "by way of the review");
    assert_eq!(sent(&desk, &draft).await, path, "the link stays");
    let seen = desk.get(&place(&draft)).await.ok();
    assert_eq!((seen["revisions"].as_array().unwrap().len(), &seen["revision"]), (1, &json!(1)));
    assert!(seen["quote_url"].as_str().unwrap().ends_with(path.strip_prefix("/api").unwrap()), "{seen}");
    let kinds = mails(&house).await;
    assert_eq!(kinds.iter().filter(|kind| *kind == "quote_sent").count(), 2);
    assert!(!kinds.iter().any(|kind| kind.starts_with("contact_moved")), "{kinds:?}");
    let last = written(&house).await.pop().unwrap();
    for said in
        ["700,000원 (부가세 63,636원 포함)", "의뢰하신 일의 견적서", path.strip_prefix("/api").unwrap(), "김지우 님"]
    {
        assert!(last.contains(said), "{said}: {last}");
    }
    let removed = format!("/api/admin/contacts/{}", request["id"].as_str().unwrap());
    desk.delete(&removed).await.ok();
    let accepted = house.passer_by().post(&path, acceptance(&house, &path, json!([])).await).await.ok();
    assert_eq!(accepted["status"], "accepted", "also where its request is gone");
    let deeds = desk.get("/api/admin/audit").await.ok()["notes"].clone();
    let deeds: Vec<&str> = deeds.as_array().unwrap().iter().map(|noted| noted["deed"].as_str().unwrap()).collect();
    assert_eq!(deeds[..4], ["request_removed", "quote_sent", "quote_sent", "quote_created"]);
}

#[tokio::test]
async fn the_house_adds_up_and_two_who_accept_at_once_accept_once() {
    let house = House::open().await;
    let (desk, door) = (admin(&house).await, house.passer_by());
    let request = asked(&house).await;
    let draft = drafted(&desk, with(json!({"contact_request_id": request["id"]}))).await;
    let path = sent(&desk, &draft).await;
    let total = async |items: &str| door.get(&format!("{path}/total?selected_items={items}")).await;
    assert_eq!(total("").await.ok()["total"], 1_100_000);
    let with_shop = total("shop").await.ok();
    assert_eq!(
        (&with_shop["items"], &with_shop["vat"], &with_shop["total"]),
        (&json!(1_100_000), &json!(110_000), &json!(1_210_000))
    );
    for unknown in ["none", "base", "shop,none"] {
        assert_eq!(fields(&total(unknown).await), ["selected_items"], "{unknown}");
    }
    let other = door.get(&format!("{path}/total?items=shop")).await;
    assert_eq!(fields(&other), ["items"], "a parameter of another name is refused");
    let body = acceptance(&house, &path, json!(["shop"])).await;
    let changed = |changes: Value| {
        let mut body = body.clone();
        body.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        body
    };
    for (changes, named) in [
        (
            json!({"selected_items": ["none"], "selected_maintenance": "none"}),
            vec!["selected_items", "selected_maintenance"],
        ),
        (json!({"total": 1}), vec!["total"]),
        (json!({"accept": "yes", "hash": 7}), vec!["accept", "hash"]),
    ] {
        let refused = door.post(&path, changed(changes)).await;
        assert!(named.iter().all(|name| fields(&refused).iter().any(|field| field == name)), "{}", refused.text);
    }
    let body = changed(json!({"selected_maintenance": "basic"}));
    let (one, other) = tokio::join!(door.post(&path, body.clone()), door.post(&path, body.clone()));
    let (won, lost) = if one.status == 200 { (one, other) } else { (other, one) };
    lost.refused(409, "ALREADY_DECIDED");
    let decision = won.ok()["decision"].clone();
    assert_eq!((&decision["totals"]["total"], &decision["selected_maintenance"]), (&json!(1_210_000), &json!("basic")));
    let kinds = mails(&house).await;
    let of = |kind: &str| kinds.iter().filter(|one| *one == kind).count();
    assert_eq!((of("quote_accepted_customer"), of("quote_decided_owner")), (1, 1), "{kinds:?}");
    assert_eq!(status_of(&desk, &request).await, "accepted");
    let seen = desk.get(&place(&draft)).await.ok();
    assert_eq!((&seen["decision"]["hash"], &seen["totals"]["total"]), (&decision["hash"], &json!(1_210_000)));
    let letters = written(&house).await;
    let hash = decision["hash"].as_str().unwrap();
    assert_eq!(letters.iter().filter(|letter| letter.contains(hash)).count(), 2, "to both");
    assert!(letters.iter().any(|letter| letter.contains("Reply-To: jiwoo@example.com") && letter.contains(hash)));
    let pdf = format!("{}/pdf", path.strip_prefix("/api").unwrap());
    assert!(letters.iter().any(|letter| letter.contains("수락하셨습니다") && letter.contains(&pdf)), "{letters:?}");
    desk.put(QUOTES, json!({"id": draft["id"], "title": "다른 것"})).await.refused(409, "ALREADY_DECIDED");
    desk.post(&format!("{}/send", place(&draft)), Value::Null).await.refused(409, "ALREADY_DECIDED");
    desk.delete(&place(&draft)).await.refused(409, "CONFLICT");
    door.post(&path, changed(json!({"accept": false}))).await.refused(409, "ALREADY_DECIDED");
    assert_eq!(desk.get(&place(&draft)).await.ok(), seen);
}

#[tokio::test]
async fn a_quote_that_was_changed_since_it_was_shown_is_not_accepted_and_a_stale_change_is_refused() {
    let house = House::open().await;
    let (desk, door) = (admin(&house).await, house.passer_by());
    let draft = drafted(&desk, website()).await;
    let edited = desk.put(QUOTES, json!({"id": draft["id"], "notes": null, "revision": 1})).await.ok();
    assert_eq!((&edited["revision"], &edited["notes"]), (&json!(1), &json!("")), "nobody has seen it");
    assert_eq!(edited["wbs"], draft["wbs"], "what is not sent stays, with its ids");
    let (wbs, plans) = (&draft["wbs"], &draft["maintenance"]);
    let again = desk.put(QUOTES, json!({"id": draft["id"], "wbs": wbs, "items": draft["items"], "maintenance": plans}));
    assert_eq!(again.await.ok()["hash"], edited["hash"], "what is answered can be sent again");
    let path = sent(&desk, &draft).await;
    let shown = acceptance(&house, &path, json!([])).await;
    let inner =
        desk.put(QUOTES, json!({"id": draft["id"], "internal_notes": "전화함", "client_phone": null})).await.ok();
    assert_eq!((&inner["revision"], &inner["hash"]), (&json!(1), &shown["hash"]), "the customer sees nothing of it");
    let dearer = json!({"id": draft["id"], "revision": 1, "items": [{"id": "base", "name": "화면 디자인", "unit_price": 1_200_000}]});
    assert_eq!(desk.put(QUOTES, dearer.clone()).await.ok()["revision"], 2);
    desk.put(QUOTES, dearer).await.refused(409, "QUOTE_CHANGED");
    door.post(&path, shown).await.refused(409, "QUOTE_CHANGED");
    // Whoever opened the link meanwhile saw it, so it is kept, whether it was mailed or not.
    let cheaper = json!({"id": draft["id"], "items": [{"id": "base", "name": "화면 디자인", "unit_price": 1_100_000}]});
    assert_eq!(desk.put(QUOTES, cheaper).await.ok()["revision"], 3);
    let cleared = desk.put(QUOTES, json!({"id": draft["id"], "client_email": null, "items": []})).await;
    assert_eq!(fields(&cleared), ["client_email", "items"], "what was sent stays whole");
    sent(&desk, &draft).await;
    let letters = written(&house).await;
    let of = |said: &str| letters.iter().filter(|letter| letter.contains(said)).count();
    assert_eq!((of("준비한 견적서를"), of("3판으로 다시")), (1, 1), "what was changed says so: {letters:?}");
    let revisions = desk.get(&place(&draft)).await.ok()["revisions"].clone();
    let kept: Vec<&Value> = revisions.as_array().unwrap().iter().map(|known| &known["revision"]).collect();
    assert_eq!(kept, [&json!(3), &json!(2), &json!(1)]);
    let accepted = door.post(&path, acceptance(&house, &path, json!([])).await).await.ok();
    assert_eq!((&accepted["decision"]["totals"]["total"], &accepted["revision"]), (&json!(1_210_000), &json!(3)));
}

#[tokio::test]
async fn a_quote_that_went_to_a_wrong_address_gets_another_link_and_the_one_before_opens_nothing() {
    let house = House::open().await;
    let (desk, door) = (admin(&house).await, house.passer_by());
    let draft = drafted(&desk, with(json!({"client_email": "wrong@example.com"}))).await;
    let renew = format!("{}/link", place(&draft));
    desk.post(&renew, Value::Null).await.refused(409, "CONFLICT");
    let wrong = sent(&desk, &draft).await;
    let stranger = Visitor::registered(&house, "wrong@example.com").await;
    let account = stranger.get("/api/account").await.ok()["id"].as_str().unwrap().to_owned();
    let id = draft["id"].as_str().unwrap().to_owned();
    let store = &house.appliance.app().data.store;
    store.write(move |tx| quotes::link_customer(tx, &id, &account)).await.unwrap();
    desk.put(QUOTES, json!({"id": draft["id"], "client_email": "jiwoo@example.com"})).await.ok();
    let right = sent(&desk, &draft).await;
    assert_ne!(wrong, right);
    door.get(&wrong).await.refused(404, "NOT_FOUND");
    assert_eq!(door.get(&right).await.ok()["status"], "sent");
    assert_eq!(desk.get(&place(&draft)).await.ok()["user_id"], Value::Null, "the stranger follows it no more");
    assert_eq!(sent(&desk, &draft).await, right, "to the same address it stays");
    let renewed = desk.post(&renew, Value::Null).await;
    assert_eq!(renewed.status, 201);
    let renewed = renewed.ok();
    let path = format!("/api/quote/{}", renewed["quote_url"].as_str().unwrap().rsplit('/').next().unwrap());
    door.get(&right).await.refused(404, "NOT_FOUND");
    door.post(&path, acceptance(&house, &path, json!([])).await).await.ok();
    assert_eq!(mails(&house).await.iter().filter(|kind| *kind == "quote_sent").count(), 3, "no mail tells of it");
    let deeds = desk.get("/api/admin/audit").await.ok()["notes"].clone();
    assert_eq!(deeds[0]["deed"], "quote_link_renewed");
}

#[tokio::test]
async fn whatever_else_a_change_names_is_refused_by_name_and_nothing_is_changed() {
    let house = House::open().await;
    let desk = admin(&house).await;
    let draft = drafted(&desk, website()).await;
    let body = json!({"id": draft["id"], "title": "다른 것", "status": "accepted", "user_id": "x", "public_token": "x",
        "accepted_total": 1, "decision": null, "client_phone": "call me"});
    let named = fields(&desk.put(QUOTES, body).await);
    assert_eq!(named, ["accepted_total", "client_phone", "decision", "public_token", "status", "user_id"]);
    assert_eq!(fields(&desk.put(QUOTES, json!({"status": "sent"})).await), ["id", "status"]);
    assert_eq!(desk.get(&place(&draft)).await.ok(), draft);
    let raw = desk.request(Method::PUT, QUOTES).header("content-type", "application/json").body("{\"id\":");
    answer(raw).await.refused(400, "INVALID_JSON");
}

#[tokio::test]
async fn a_quote_can_be_accepted_until_midnight_in_seoul_of_its_last_day() {
    let house = House::open().await;
    let (desk, door) = (admin(&house).await, house.passer_by());
    let request = asked(&house).await;
    let (first, second) =
        (drafted(&desk, website()).await, drafted(&desk, with(json!({"contact_request_id": request["id"]}))).await);
    let (first, late) = (sent(&desk, &first).await, sent(&desk, &second).await);
    house.clock.set("2026-10-20T14:59:59Z".parse().unwrap());
    assert_eq!(door.get(&late).await.ok()["expired"], false);
    door.post(&first, acceptance(&house, &first, json!([])).await).await.ok();
    house.clock.set("2026-10-20T15:00:00Z".parse().unwrap());
    let shown = door.get(&late).await.ok();
    assert_eq!(
        (&shown["expired"], &shown["can_decide"], &shown["status"]),
        (&json!(true), &json!(false), &json!("sent"))
    );
    let mut body = acceptance(&house, &late, json!([])).await;
    for accept in [true, false] {
        body["accept"] = json!(accept);
        door.post(&late, body.clone()).await.refused(409, "QUOTE_EXPIRED");
    }
    assert_eq!(door.get(&first).await.ok()["expired"], false, "what is accepted does not end");
    assert_eq!(door.get(&late).await.ok(), shown);
}

#[tokio::test]
async fn a_quote_that_is_declined_tells_the_owner_why_and_rests_its_request_and_a_copy_begins_anew() {
    let house = House::open().await;
    let (desk, door) = (admin(&house).await, house.passer_by());
    let request = asked(&house).await;
    let draft = drafted(&desk, with(json!({"contact_request_id": request["id"]}))).await;
    let path = sent(&desk, &draft).await;
    let hash = door.get(&path).await.ok()["hash"].clone();
    let body = json!({"accept": false, "hash": hash, "selected_items": ["shop"], "reason": "예산이 <b>줄었습니다</b>.\r\nBcc: x@example.com"});
    let declined = door.post(&path, body).await.ok();
    assert_eq!((&declined["status"], &declined["can_decide"]), (&json!("rejected"), &json!(false)));
    assert_eq!(
        (&declined["decision"]["selected_items"], &declined["decision"]["accepted"]),
        (&json!([]), &json!(false))
    );
    assert_eq!(status_of(&desk, &request).await, "on_hold");
    assert!(!mails(&house).await.contains(&"quote_accepted_customer".to_owned()));
    let letter = written(&house).await.into_iter().find(|letter| letter.contains("줄었습니다")).unwrap();
    let (heads, body) = letter.split_once("\r\n\r\n").unwrap();
    assert!(!heads.contains("x@example.com") && heads.contains("Reply-To: jiwoo@example.com"), "{heads}");
    assert!(body.contains("예산이 <b>줄었습니다</b>.") && body.contains("예산이 &lt;b&gt;줄었습니다"), "{body}");
    let copy = desk.post(&format!("{}/duplicate", place(&draft)), Value::Null).await;
    assert_eq!(copy.status, 201);
    let copy = copy.ok();
    assert_eq!((&copy["status"], &copy["items"], &copy["decision"]), (&json!("draft"), &draft["items"], &Value::Null));
    assert_ne!((&copy["id"], &copy["number"]), (&draft["id"], &draft["number"]));
    sent(&desk, &copy).await;
    assert_eq!(status_of(&desk, &request).await, "quoted", "it goes on where it was put on hold");
}

#[tokio::test]
async fn one_key_decides_and_begins_once_and_gives_the_same_answer_again() {
    let house = House::open().await;
    let (desk, door) = (admin(&house).await, house.passer_by());
    let begin = || answer(desk.request(Method::POST, QUOTES).header("idempotency-key", "k").json(&website()));
    let (first, again) = (begin().await, begin().await);
    assert_eq!((first.status.as_u16(), &first.text), (201, &again.text));
    assert_eq!(desk.get(QUOTES).await.ok()["total"], 1);
    let path = sent(&desk, &first.ok()).await;
    let body = acceptance(&house, &path, json!([])).await;
    let accept = || answer(door.request(Method::POST, &path).header("idempotency-key", "k").json(&body));
    let (one, other) = tokio::join!(accept(), accept());
    assert_eq!((one.status.as_u16(), &one.text), (200, &other.text));
    assert_eq!(accept().await.text, one.text);
    assert_eq!(mails(&house).await.len(), 3, "sent, accepted, and the notice");
    door.post(&path, body.clone()).await.refused(409, "ALREADY_DECIDED");
}

#[tokio::test]
async fn markup_marks_of_direction_and_emoji_come_out_as_text_in_answers_and_in_mails() {
    let house = House::open().await;
    let (desk, door) = (admin(&house).await, house.passer_by());
    let odd = "<script>alert(1)</script> \u{202e}거꾸로\u{202c} 👩‍👩‍👧‍👦 \"'&";
    let lines = format!("{odd}\r\nBcc: x@example.com");
    let body = with(json!({
        "title": odd, "client_name": odd, "notes": lines, "internal_notes": lines,
        "wbs": [{"phase": odd, "tasks": [{"name": odd, "duration": "{link} 3일", "description": lines}]}],
        "items": [{"id": "base", "name": odd, "description": lines, "unit_price": 10}],
        "maintenance": [{"id": "basic", "name": odd, "period": "{hash}", "monthly_fee": 1, "includes": lines}],
    }));
    let draft = drafted(&desk, body).await;
    let path = sent(&desk, &draft).await;
    let shown = door.get(&path).await.ok();
    for field in [&shown["title"], &shown["client_name"], &shown["wbs"][0]["phase"], &shown["items"][0]["name"]] {
        assert_eq!(field, odd);
    }
    assert_eq!((&shown["notes"], &shown["items"][0]["description"]), (&json!(lines), &json!(lines)));
    let mut accepted = acceptance(&house, &path, json!([])).await;
    accepted["selected_maintenance"] = json!("basic");
    door.post(&path, accepted).await.ok();
    let letters = written(&house).await;
    assert_eq!(letters.len(), 3);
    for letter in letters {
        let (heads, body) = letter.split_once("\r\n\r\n").unwrap();
        assert!(!heads.contains("\nBcc") && !letter.contains("x@example.com"), "{heads}");
        let (_, html) = body.split_once("text/html").unwrap();
        assert!(!html.contains("<script") && html.contains("&lt;script&gt;alert(1)"), "{html}");
    }
    // A mark of direction would turn the words behind it.
    let listed = house.household().get("/api/system/mail").await.ok();
    for mail in listed["mails"].as_array().unwrap() {
        let subject = mail["subject"].as_str().unwrap();
        assert!(subject.contains("<script>alert(1)</script> 거꾸로 "), "{subject}");
        assert!(!subject.contains(['\u{202e}', '\u{202c}']), "{subject:?}");
    }
    for field in ["title", "client_name"] {
        assert_eq!(fields(&desk.post(QUOTES, json!({field: lines})).await), [field], "a line is one line");
    }
}

#[tokio::test]
async fn who_takes_along_what_is_held_finds_its_quotes_and_a_quote_outlives_the_account() {
    let house = House::open().await;
    let desk = admin(&house).await;
    let own = Visitor::registered(&house, "jiwoo@example.com").await;
    let draft = drafted(&desk, website()).await;
    let path = sent(&desk, &draft).await;
    assert_eq!(own.get("/api/account/export").await.ok()["quotes"], json!([]), "an address alone links nothing");
    let customer = own.get("/api/account").await.ok()["id"].as_str().unwrap().to_owned();
    let (id, account) = (draft["id"].as_str().unwrap().to_owned(), customer.clone());
    let store = &house.appliance.app().data.store;
    store.write(move |tx| quotes::link_customer(tx, &id, &account)).await.unwrap();
    let told = own.get("/api/account/export").await;
    assert!(!told.text.contains("90만"), "{}", told.text);
    let told = told.ok()["quotes"].clone();
    assert_eq!((&told[0]["content"]["title"], &told[0]["totals"]["total"]), (&json!("누리집 제작"), &json!(1_100_000)));
    assert_eq!(store.read_now(|tx| quotes::of_customer(tx, &customer)).unwrap().len(), 1);
    own.post("/api/account/remove", json!({"password": PASSWORD})).await.ok();
    assert_eq!(desk.get(&place(&draft)).await.ok()["user_id"], Value::Null);
    assert_eq!(house.passer_by().get(&path).await.ok()["status"], "sent");
}

//! The desk of an admin: what waits, members, services, mails, and what was done.

use hanok::base::Page;
use hanok::platform::jobs;
use reqwest::Method;
use serde_json::{Value, json};

use crate::desk::admin;
use crate::desk_pages::at_the_desk;
use crate::forms::leads_to;
use crate::house::{Caller, House, answer};
use crate::visitors::{PASSWORD, Visitor};

const DASHBOARD: &str = "/api/admin/dashboard";
const MEMBERS: &str = "/api/admin/members";
const SERVICES: &str = "/api/admin/services";
const MAILS: &str = "/api/admin/mails";

async fn received(house: &House, name: &str) -> String {
    let body = json!({"name": name, "email": "jiwoo@example.com", "message": "홈페이지를 새로 만들고 싶습니다."});
    house.passer_by().post("/api/contact", body).await.ok()["id"].as_str().unwrap().to_owned()
}

async fn patch(desk: &Visitor<'_>, path: &str, body: Value) -> crate::house::Answer {
    answer(desk.request(Method::PATCH, path).json(&body)).await
}

/// The kinds of what waits, each with how many.
async fn waiting(desk: &Visitor<'_>) -> Vec<(String, u64)> {
    let seen = desk.get(DASHBOARD).await.ok();
    let kinds = seen["waiting"].as_array().unwrap().iter();
    kinds.map(|kind| (kind["kind"].as_str().unwrap().to_owned(), kind["count"].as_u64().unwrap())).collect()
}

async fn deeds(desk: &Visitor<'_>) -> Vec<String> {
    let audit = desk.get("/api/admin/audit").await.ok();
    audit["notes"].as_array().unwrap().iter().map(|noted| noted["deed"].as_str().unwrap().to_owned()).collect()
}

/// A house whose mail server nobody reaches, so that mails wait.
async fn without_its_mail_server() -> House {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    House::open_with(|config| {
        config.mail.host = "localhost".to_owned();
        config.mail.port = port;
        config.mail.from = "shop@example.com".to_owned();
    })
    .await
}

/// Calls off the tasks of the mails that wait, until so many are held.
async fn hold_mails(house: &House, desk: &Visitor<'_>, many: u64) {
    let app = house.appliance.app();
    while desk.get(&format!("{MAILS}?status=held")).await.ok()["total"] != many {
        let all = Page { limit: 100, offset: 0 };
        let (tasks, _) = app.data.store.read(move |tx| jobs::list(tx, all)).await.unwrap();
        for task in tasks.iter().filter(|task| task.kind == "mail_send" && !task.status.has_ended()) {
            // One that runs ends its attempt first.
            let _ = app.workers.jobs.cancel(&app.data.store, &task.id).await;
        }
    }
}

#[tokio::test]
async fn nobody_and_no_customer_is_let_to_any_route_or_page_of_the_desk() {
    let house = House::open().await;
    let customer = Visitor::registered(&house, "jiwoo@example.com").await;
    let one = format!("{MEMBERS}/{}", customer.get("/api/account").await.ok()["id"].as_str().unwrap());
    for path in [DASHBOARD, MEMBERS, &one, SERVICES, MAILS, "/api/admin/audit"] {
        house.passer_by().get(path).await.refused(401, "UNAUTHORIZED");
        customer.get(path).await.refused(401, "UNAUTHORIZED");
    }
    patch(&customer, SERVICES, json!({"id": "contact", "is_active": false})).await.refused(401, "UNAUTHORIZED");
    customer.post(&format!("{MAILS}/1/again"), Value::Null).await.refused(401, "UNAUTHORIZED");
    for path in ["desk", "members", "services", "mails", "audit"] {
        for language in ["", "/en"] {
            let page = customer.request(Method::GET, &format!("{language}/admin/{path}")).header("accept", "text/html");
            assert_eq!(answer(page).await.status, 401, "{language} {path}");
        }
    }
}

#[tokio::test]
async fn what_waits_is_told_oldest_first_and_goes_when_it_is_done() {
    let house = House::open().await;
    let mut browser = at_the_desk(&house, "minsu").await;
    let empty = browser.open("/admin/desk").await;
    assert!(empty.status == 200 && empty.text.contains("할 일이 없습니다."), "{}", empty.text);
    assert_eq!((empty.header("cache-control"), empty.header("x-robots-tag")), ("no-store", "noindex"));
    assert!(browser.open("/en/admin/desk").await.text.contains("Nothing waits for you."));
    let desk = admin(&house, "sora").await;
    assert_eq!((waiting(&desk).await, desk.get(DASHBOARD).await.ok()["total"].clone()), (Vec::new(), json!(0)));
    let first = received(&house, "<b>김지우</b>").await;
    let begun = house.clock.now();
    house.clock.set(begun + chrono::Duration::hours(2));
    for name in ["a", "b", "c", "d", "e", "f"] {
        house.clock.set(house.clock.now() + chrono::Duration::minutes(2));
        received(&house, name).await;
    }
    let seen = desk.get(DASHBOARD).await.ok();
    let requests = &seen["waiting"][0];
    assert_eq!((&requests["kind"], &requests["count"], &seen["total"]), (&json!("request_new"), &json!(7), &json!(7)));
    assert_eq!(requests["since"], json!(begun));
    let items = requests["items"].as_array().unwrap();
    assert_eq!((items.len(), &items[0]["path"]), (5, &json!(format!("/admin/contacts/{first}"))));
    assert_eq!((&seen["week"]["requests"], &seen["week"]["to"]), (&json!(7), &json!("2026-10-10")));
    let page = browser.open("/admin/desk").await.text;
    assert!(page.contains(&format!("href=\"/admin/contacts/{first}\"")) && page.contains("전체 보기"), "{page}");
    assert!(page.contains("&#60;b&#62;김지우") && !page.contains("<b>김지우"), "{page}");
    patch(&desk, &format!("/api/admin/contacts/{first}"), json!({"status": "reviewing"})).await.ok();
    assert_eq!(waiting(&desk).await, [("request_new".to_owned(), 6)]);
    assert!(!browser.open("/en/admin/desk").await.text.contains(&first));
    house.clock.set(begun + chrono::Duration::days(7));
    let desk = Visitor::of(
        &house,
        &house.passer_by().post("/api/admin/sign-in", json!({"name": "sora", "password": PASSWORD})).await,
    );
    assert_eq!(desk.get(DASHBOARD).await.ok()["week"]["requests"], 0, "the week goes on");
}

#[tokio::test]
async fn a_quote_waits_as_a_draft_until_it_ends_and_after_its_decision_as_work() {
    let house = House::open().await;
    let desk = admin(&house, "minsu").await;
    let quote = |title: &str, until: Value| {
        let items = json!([{"category": "design", "name": "화면", "unit_price": 1_000_000}]);
        json!({"title": title, "client_name": "김지우", "client_email": "jiwoo@example.com", "valid_until": until, "items": items})
    };
    let soon = desk.post("/api/admin/quotes", quote("누리집", json!("2026-10-13"))).await.ok();
    let later = desk.post("/api/admin/quotes", quote("봇", json!("2026-10-14"))).await.ok();
    let draft = |count| ("quote_draft".to_owned(), count);
    assert_eq!(waiting(&desk).await, [draft(2)]);
    let send = async |quote: &Value| {
        let path = format!("/api/admin/quotes/{}/send", quote["id"].as_str().unwrap());
        desk.post(&path, Value::Null).await.ok()["quote_url"].as_str().unwrap().rsplit('/').next().unwrap().to_owned()
    };
    let word = send(&soon).await;
    send(&later).await;
    let (ending, open) = (("quote_ending".to_owned(), 1), ("quote_open".to_owned(), 1));
    assert_eq!(waiting(&desk).await, [ending.clone(), open], "the one that ends within three days stands first");
    let item = desk.get(DASHBOARD).await.ok()["waiting"][0]["items"][0].clone();
    assert_eq!((&item["title"], &item["until"]), (&json!("김지우 · 누리집"), &json!("2026-10-13")));
    let path = format!("/api/quote/{word}");
    let hash = house.passer_by().get(&path).await.ok()["hash"].clone();
    house.passer_by().post(&path, json!({"accept": true, "hash": hash, "selected_items": []})).await.ok();
    let kinds: Vec<String> = waiting(&desk).await.into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(kinds, ["quote_decided", "project_open", "quote_open"]);
    let week = desk.get(DASHBOARD).await.ok()["week"].clone();
    // 1,000,000 and a tenth of it as tax.
    assert_eq!(
        (&week["quotes_sent"], &week["quotes_accepted"], &week["accepted_total"]),
        (&json!(2), &json!(1), &json!(1_100_000))
    );
    let customer = Visitor::registered(&house, "jiwoo@example.com").await;
    customer.post("/api/projects/link", json!({"token": word})).await.ok();
    let member = desk.get(MEMBERS).await.ok()["members"][0].clone();
    assert_eq!(member["quotes"], 1);
    let one = desk.get(&format!("{MEMBERS}/{}", member["id"].as_str().unwrap())).await.ok();
    assert_eq!(one["linked_quotes"][0]["id"], soon["id"]);
    let mut browser = at_the_desk(&house, "sora").await;
    let page = browser.open("/admin/desk").await.text;
    assert!(page.contains("김지우 · 누리집 (수락됨)") && page.contains("1,100,000"), "{page}");
    let audit = browser.open("/admin/audit").await.text;
    assert!(
        audit.contains("견적 발송") && audit.contains(&format!("/admin/quotes/{}\"", soon["id"].as_str().unwrap()))
    );
    house.clock.set(house.clock.now() + chrono::Duration::days(12));
    let sora = json!({"name": "sora", "password": PASSWORD});
    let desk = Visitor::of(&house, &house.passer_by().post("/api/admin/sign-in", sora).await);
    let kinds: Vec<String> = waiting(&desk).await.into_iter().map(|(kind, _)| kind).collect();
    assert_eq!(kinds, ["project_open"], "what was decided, or ended undecided, stands there for a week");
}

#[tokio::test]
async fn members_are_listed_and_found_and_show_no_password_and_no_token() {
    let house = House::open().await;
    let desk = admin(&house, "minsu").await;
    let first = Visitor::registered(&house, "jiwoo@example.com").await;
    first.put("/api/account", json!({"name": "김지우"})).await.ok();
    house.clock.set(house.clock.now() + chrono::Duration::minutes(10));
    let second = Visitor::registered(&house, "hajun@example.com").await;
    second.put("/api/account", json!({"name": "<i>하준</i>"})).await.ok();
    let request = received(&house, "김지우").await;
    let all = desk.get(MEMBERS).await.ok();
    let mails: Vec<&Value> = all["members"].as_array().unwrap().iter().map(|one| &one["mail"]).collect();
    assert_eq!((mails, &all["total"]), (vec![&json!("hajun@example.com"), &json!("jiwoo@example.com")], &json!(2)));
    assert_eq!((&all["members"][0]["has_password"], &all["members"][0]["providers"]), (&json!(true), &json!([])));
    assert_eq!(desk.get(&format!("{MEMBERS}?limit=1&offset=1")).await.ok()["members"][0]["name"], "김지우");
    assert_eq!(desk.get(&format!("{MEMBERS}?offset=2")).await.ok(), json!({"members": [], "total": 2}));
    for (q, total) in [("JIWOO", 1), ("%EC%A7%80%EC%9A%B0", 1), ("example.com", 2), ("nobody", 0)] {
        assert_eq!(desk.get(&format!("{MEMBERS}?q={q}")).await.ok()["total"], total, "{q}");
    }
    assert_eq!(desk.get(&format!("{MEMBERS}?q=example&limit=1&offset=1")).await.ok()["members"][0]["name"], "김지우");
    let id = all["members"][1]["id"].as_str().unwrap();
    let one = desk.get(&format!("{MEMBERS}/{id}")).await.ok();
    assert_eq!((&one["sessions"], &one["requests"][0]["id"]), (&json!(1), &json!(request)));
    desk.get(&format!("{MEMBERS}/{request}")).await.refused(404, "NOT_FOUND");
    let token = first.cookie.split('=').nth(1).unwrap();
    let mut browser = at_the_desk(&house, "sora").await;
    let list = browser.open("/admin/members?q=example").await;
    assert!(
        list.text.contains("&#60;i&#62;하준") && list.text.contains(&format!("/admin/members/{id}")),
        "{}",
        list.text
    );
    let page = browser.open(&format!("/en/admin/members/{id}")).await;
    assert!(page.text.contains(&format!("/en/admin/contacts/{request}")) && page.status == 200, "{}", page.text);
    for shown in [all.to_string(), one.to_string(), list.text, page.text] {
        assert!(!shown.contains("argon2") && !shown.contains(token) && !shown.contains(PASSWORD), "{shown}");
    }
}

#[tokio::test]
async fn a_service_that_is_switched_off_is_nowhere_and_comes_back_with_its_data() {
    let house = House::open().await;
    let mut browser = at_the_desk(&house, "minsu").await;
    let desk = admin(&house, "sora").await;
    let id = received(&house, "김지우").await;
    let listed = desk.get(SERVICES).await.ok();
    let of_contact = json!({"id": "contact", "name": "의뢰하기", "name_en": "Request", "path": "/contact",
        "setting": "contact.enabled", "is_active": true, "fixed_by": null});
    assert_eq!(listed["services"][0], of_contact);
    let off = patch(&desk, SERVICES, json!({"id": "contact", "is_active": false})).await.ok();
    assert_eq!(off["is_active"], false);
    patch(&desk, SERVICES, json!({"id": "contact", "is_active": false})).await.ok();
    let page = |path: &'static str| answer(house.passer_by().request(Method::GET, path).header("accept", "text/html"));
    for path in ["/contact", "/en/contact"] {
        assert_eq!(page(path).await.status, 404, "{path}");
    }
    let body = json!({"name": "a", "email": "a@example.com", "message": "b"});
    house.passer_by().post("/api/contact", body).await.refused(404, "NOT_FOUND");
    for path in ["/", "/en", "/terms", "/sitemap.xml"] {
        let shown = page(path).await.text;
        assert!(!shown.contains("/contact\"") && !shown.contains("/contact</loc>"), "{path}: {shown}");
    }
    assert_eq!(deeds(&desk).await.iter().filter(|deed| *deed == "service_switched").count(), 1, "once, not twice");
    let shown = browser.open("/admin/services").await;
    assert!(shown.text.contains("꺼짐"), "{}", shown.text);
    let done = browser.send("/admin/services", &shown, &[("id", "contact"), ("is_active", "true")]).await;
    assert_eq!(leads_to(&done), (303, "/admin/services?saved=on"), "{}", done.text);
    assert!(browser.open("/en/admin/services?saved=on").await.text.contains("Customers see it at once."));
    assert_eq!(page("/contact").await.status, 200);
    assert_eq!(desk.get(&format!("/api/admin/contacts/{id}")).await.ok()["status"], "pending");
    for body in [json!({}), json!({"id": "contact"}), json!({"id": "contact", "is_active": 1, "more": 2}), json!([])] {
        patch(&desk, SERVICES, body).await.refused(422, "INVALID_INPUT");
    }
    patch(&desk, SERVICES, json!({"id": "lottery", "is_active": true})).await.refused(404, "NOT_FOUND");
    assert_eq!(listed["services"][1]["id"], "questionnaire");
    patch(&desk, SERVICES, json!({"id": "questionnaire", "is_active": false})).await.ok();
    assert_eq!(page("/questionnaire/survey").await.status, 404);
    for path in ["/api/questionnaire/kinds", "/api/questionnaire/kinds/survey"] {
        house.passer_by().get(path).await.refused(404, "NOT_FOUND");
    }
    let answers = json!({"type": "survey", "responses": {"helped_most": "price", "best_satisfy": 5}});
    house.passer_by().post("/api/questionnaire/submit", answers).await.refused(404, "NOT_FOUND");
    assert!(browser.open("/admin/questionnaires").await.text.contains("지금은 답변을 받지 않아"));
    let house = house.restart().await;
    assert_eq!((page_of(&house, "/contact").await, page_of(&house, "/questionnaire/survey").await), (200, 404));
}

async fn page_of(house: &House, path: &str) -> u16 {
    answer(house.passer_by().request(Method::GET, path).header("accept", "text/html")).await.status.as_u16()
}

#[tokio::test]
async fn a_mail_that_was_not_sent_waits_at_the_desk_until_it_is_sent_again() {
    let house = without_its_mail_server().await;
    let mut browser = at_the_desk(&house, "minsu").await;
    let desk = admin(&house, "sora").await;
    received(&house, "김지우").await;
    let listed = desk.get(MAILS).await.ok();
    assert_eq!((&listed["total"], &listed["mails"][1]["kind"]), (&json!(2), &json!("contact_receipt")));
    assert!(!listed.to_string().contains("/contact/"), "no link of a customer: {listed}");
    desk.post(&format!("{MAILS}/{}/again", listed["mails"][0]["id"]), Value::Null).await.refused(409, "CONFLICT");
    hold_mails(&house, &desk, 2).await;
    assert_eq!(waiting(&desk).await, [("mail_failed".to_owned(), 2), ("request_new".to_owned(), 1)]);
    assert_eq!(desk.get(&format!("{MAILS}?status=held")).await.ok()["total"], 2);
    assert_eq!(
        desk.get(&format!("{MAILS}?status=held&limit=1&offset=1")).await.ok()["mails"][0]["id"],
        listed["mails"][1]["id"]
    );
    let page = browser.open("/admin/mails?status=held").await;
    assert!(page.text.contains("다시 보내기") && page.text.contains("jiwoo@example.com"), "{}", page.text);
    let id = listed["mails"][0]["id"].to_string();
    for _ in 0..2 {
        let done = browser.send("/admin/mails", &page, &[("act", "again"), ("mail", &id)]).await;
        assert_eq!(leads_to(&done), (303, "/admin/mails?saved=again"), "sent twice, it is done once: {}", done.text);
    }
    assert_eq!(waiting(&desk).await[0], ("mail_failed".to_owned(), 1));
    let again = desk.post(&format!("{MAILS}/{}/again", listed["mails"][1]["id"]), Value::Null).await;
    assert_eq!((again.status.as_u16(), waiting(&desk).await.len()), (202, 1));
    assert_eq!(deeds(&desk).await.iter().filter(|deed| *deed == "mail_sent_again").count(), 2);
    desk.post(&format!("{MAILS}/987/again"), Value::Null).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_mail_that_was_sent_is_not_sent_again_from_the_desk() {
    let house = House::open().await;
    let desk = admin(&house, "minsu").await;
    received(&house, "김지우").await;
    house.household().rest().await;
    let sent = desk.get(&format!("{MAILS}?status=sent")).await.ok();
    assert_eq!(sent["total"], 2);
    let mut browser = at_the_desk(&house, "sora").await;
    let page = browser.open("/en/admin/mails").await.text;
    assert!(page.contains("Saved as a file") && !page.contains("Sent<"), "without a mail server it is a file: {page}");
    desk.post(&format!("{MAILS}/{}/again", sent["mails"][0]["id"]), Value::Null).await.refused(409, "CONFLICT");
    for query in ["status=lost", "limit=0", "limit=501", "offset=-1"] {
        desk.get(&format!("{MAILS}?{query}")).await.refused(422, "INVALID_INPUT");
    }
}

#[tokio::test]
async fn the_audit_page_names_each_deed_in_both_languages_and_leads_to_what_is_still_there() {
    let house = House::open().await;
    let mut browser = at_the_desk(&house, "minsu").await;
    let desk = admin(&house, "so-ra").await;
    let (kept, gone) = (received(&house, "김지우").await, received(&house, "하준").await);
    for id in [&kept, &gone] {
        patch(&desk, &format!("/api/admin/contacts/{id}"), json!({"status": "reviewing"})).await.ok();
    }
    desk.delete(&format!("/api/admin/contacts/{gone}")).await.ok();
    let korean = browser.open("/admin/audit").await.text;
    for words in ["의뢰 삭제", "의뢰 상태 변경", "비밀번호 설정", "관리자로 초대됨", "명령줄", "so-ra"]
    {
        assert!(korean.contains(words), "{words}: {korean}");
    }
    let english = browser.open("/en/admin/audit").await.text;
    assert!(
        english.contains("Request deleted") && english.contains(&format!("/en/admin/contacts/{kept}")),
        "{english}"
    );
    assert!(!english.contains(&gone), "nothing leads to what is gone: {english}");
    assert_eq!(browser.open("/admin/audit?limit=0").await.status, 422);
    let part = browser.open("/admin/audit?limit=2&offset=2").await.text;
    assert!(part.contains("3–4 / 7") && part.contains("rel=\"prev\"") && part.contains("rel=\"next\""), "{part}");
}

#[tokio::test]
async fn the_navigation_of_the_desk_begins_with_what_waits_and_keeps_the_rare_pages_in_a_menu() {
    let house = House::open().await;
    let mut browser = at_the_desk(&house, "minsu").await;
    let page = browser.open("/en/admin/members").await.text;
    let (main, menu) = page.split_once("<details class=\"more\">").unwrap();
    assert!(main.contains("href=\"/en/admin/desk\"") && !main.contains("href=\"/en/admin/audit\""), "{main}");
    let menu = menu.split("</details>").next().unwrap();
    for path in ["members", "services", "mails", "audit", "second-step"] {
        assert!(menu.contains(&format!("href=\"/en/admin/{path}\"")), "{path}: {menu}");
    }
    assert!(menu.contains("href=\"/en/admin/members\" aria-current=\"page\""), "{menu}");
    assert!(!browser.open("/").await.text.contains("class=\"more\""), "customers have no such menu");
}

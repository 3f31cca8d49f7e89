//! Questionnaires: kinds that are files, answers, and the desk.

use std::fs;

use reqwest::Method;
use serde_json::{Value, json};

use hanok::base::Page;
use hanok::platform::mail;
use hanok::site::questionnaire;

use crate::admins::{invited, set_up};
use crate::forms::{Browser, leads_to};
use crate::house::{Answer, Caller, House, answer};
use crate::visitors::{PASSWORD, Visitor, last_mail};

const SUBMIT: &str = "/api/questionnaire/submit";
const DESK: &str = "/api/admin/questionnaires";

/// A questionnaire of the owner's own.
const FEEDBACK: &str = r#"
contact = "optional"
title = { ko = "<b>의견</b>", en = "Feedback" }
lead = { ko = "들려주세요", en = "Tell us" }
thanks = { ko = "고맙습니다", en = "Thank you" }
[[questions]]
key = "what"
text = { ko = "무엇인가요?", en = "What is it?" }
kind = "long_text"
required = true
[[questions]]
key = "liked"
text = { ko = "좋았던 것", en = "What you liked" }
kind = "choices"
other = true
options = [{ value = "food", ko = "음식", en = "Food" }, { value = "place", ko = "장소", en = "Place" }]
"#;

fn project() -> Value {
    json!({
        "type": "project", "client_name": "김지우", "client_email": "jiwoo@example.com", "client_phone": "010-1234-5678",
        "language": "ko",
        "responses": {
            "goal": "<script>alert(1)</script> 예약 관리", "users": ["staff", "customers"], "platforms": ["web", "키오스크"],
            "features": "예약\n알림", "user_count": 40, "has_data": true, "budget": "3m_10m",
        },
    })
}

fn survey() -> Value {
    json!({
        "type": "survey", "language": "en", "completion_seconds": 95, "utm_source": "letter", "referrer": "https://blog.example/",
        "responses": {
            "helped_most": "advice", "best_satisfy": 4, "recommend": 5, "found_us": "시장에서", "email": "haru@example.com",
        },
    })
}

/// Puts a questionnaire of the owner's own into the data folder.
fn put(house: &House, name: &str, text: &str) {
    let folder = house.config.data.dir.join("questionnaires");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(name), text).unwrap();
}

async fn admin<'a>(house: &'a House, name: &str) -> Visitor<'a> {
    let word = invited(house, name).await;
    Visitor::of(house, &set_up(house, &word).await)
}

async fn at_the_desk<'a>(house: &'a House, name: &str) -> Browser<'a> {
    let word = invited(house, name).await;
    let mut browser = Browser::at(house);
    let setup = browser.open(&format!("/admin/setup?token={word}")).await;
    browser.send("/admin/setup", &setup, &[("token", &word), ("password", PASSWORD)]).await;
    browser
}

/// How many answers are kept.
fn kept(house: &House) -> u64 {
    house.appliance.app().data.store.read_now(|tx| questionnaire::count(tx, None, None)).unwrap()
}

/// The kinds of the mails, oldest first, each with whom it goes to.
fn mails(house: &House) -> Vec<(String, String)> {
    let all = house.appliance.app().data.store.read_now(|tx| mail::list(tx, Page { limit: 50, offset: 0 })).unwrap().0;
    all.into_iter().rev().map(|mail| (mail.kind, mail.to.as_str().to_owned())).collect()
}

async fn patched(desk: &Visitor<'_>, path: &str, body: Value) -> Answer {
    answer(desk.request(Method::PATCH, path).json(&body)).await
}

/// The fields that an answer refuses.
fn refused(answer: &Answer) -> Vec<String> {
    answer.refused(422, "INVALID_INPUT");
    answer.json()["fields"].as_object().unwrap().keys().cloned().collect()
}

#[tokio::test]
async fn both_shipped_questionnaires_are_answered_told_by_mail_and_read_at_the_desk() {
    let house = House::open().await;
    let door = house.passer_by();
    let listed = door.get("/api/questionnaire/kinds").await.ok();
    assert_eq!((&listed["total"], &listed["questionnaires"][0]["type"]), (&json!(2), &json!("project")));
    let known = door.get("/api/questionnaire/kinds/survey").await.ok();
    assert_eq!((&known["contact"], &known["questions"][0]["key"]), (&json!("none"), &json!("helped_most")));
    door.get("/api/questionnaire/kinds/nothing").await.refused(404, "NOT_FOUND");
    let keyed = || door.request(Method::POST, SUBMIT).header("idempotency-key", "k").json(&project());
    let (first, again) = (answer(keyed()).await, answer(keyed()).await);
    assert_eq!((first.status.as_u16(), first.json()), (201, again.json()), "one key saves once");
    let sent = first.json();
    assert_eq!((&sent["type"], &sent["status"]), (&json!("project"), &json!("submitted")));
    assert!(sent["id"].is_string() && sent["created_at"] == "2026-10-10T12:30:00Z", "{sent}");
    let surveyed = door.request(Method::POST, SUBMIT).header("user-agent", "Test/1").json(&survey());
    let surveyed = answer(surveyed).await.ok();
    let to = |kind: &str, to: &str| (kind.to_owned(), to.to_owned());
    let owner = mails(&house)[1].1.clone();
    let (thanks, notice) = ("questionnaire_received", "questionnaire_owner");
    assert_eq!(
        mails(&house),
        [to(thanks, "jiwoo@example.com"), to(notice, &owner), to(thanks, "haru@example.com"), to(notice, &owner)]
    );
    let desk = admin(&house, "minsu").await;
    let one = desk.get(&format!("{DESK}/{}", surveyed["id"].as_str().unwrap())).await.ok();
    assert_eq!((&one["client_email"], &one["language"]), (&json!("haru@example.com"), &json!("en")));
    let answer_to = |key: &str| one["answers"].as_array().unwrap().iter().find(|answer| answer["key"] == key).unwrap();
    assert_eq!((&answer_to("found_us")["value"], &answer_to("best_satisfy")["value"]), (&json!("시장에서"), &json!(4)));
    let advice = json!([{"value": "advice", "ko": "상담과 제안", "en": "Advice and suggestions"}]);
    assert_eq!(answer_to("helped_most")["chosen"], advice);
    let told = desk.get("/api/admin/mails").await.ok();
    assert_eq!(
        (&told["mails"][0]["subject"], &told["mails"][2]["subject"]),
        (&json!("새 답변: 만족도 설문"), &json!("새 답변: 프로젝트 질문지 (김지우)"))
    );
    assert_eq!((&answer_to("free_opinion")["value"], &one["next"]), (&Value::Null, &json!(["reviewed"])));
    let source = &one["source"];
    assert_eq!((&source["utm_source"], &source["user_agent"]), (&json!("letter"), &json!("Test/1")));
    assert_eq!((&source["completion_seconds"], &source["referrer"]), (&json!(95), &json!("https://blog.example/")));
    let found = desk.get(&format!("{DESK}?q=%EC%98%88%EC%95%BD&type=project&status=submitted")).await.ok();
    assert_eq!((&found["total"], &found["questionnaires"][0]["id"]), (&json!(1), &sent["id"]));
}

#[tokio::test]
async fn every_refusal_is_named_and_nothing_is_stored() {
    let house = House::open().await;
    let door = house.passer_by();
    let with = |changes: Value| {
        let mut body = project();
        body.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        door.post(SUBMIT, body)
    };
    assert_eq!(refused(&with(json!({"type": "nothing"})).await), ["type"]);
    assert_eq!(refused(&with(json!({"type": 7, "utm_source": "a".repeat(101)})).await), ["type", "utm_source"]);
    assert_eq!(refused(&with(json!({"mystery": 1})).await), ["mystery"]);
    assert_eq!(refused(&door.post(SUBMIT, json!({})).await), ["responses", "type"]);
    let responses = json!({
        "goal": "가".repeat(3_001), "users": "staff", "platforms": ["web", "mobile_web", "app", "chat", "undecided", "a", "b"],
        "user_count": "many", "budget": "plenty", "has_data": 1, "mystery": "?",
    });
    let wrong =
        json!({"client_email": "nobody", "client_phone": "?", "completion_seconds": 86_401, "responses": responses});
    let all = ["budget", "features", "goal", "has_data", "mystery", "platforms", "user_count", "users"];
    let mut named = vec!["client_email".to_owned(), "client_phone".to_owned(), "completion_seconds".to_owned()];
    named.extend(all.map(|key| format!("responses.{key}")));
    assert_eq!(refused(&with(wrong).await), named);
    assert_eq!(refused(&with(json!({"client_name": "", "client_email": null})).await), ["client_email", "client_name"]);
    let mut named = survey();
    named["client_name"] = json!("김지우");
    assert_eq!(refused(&door.post(SUBMIT, named).await), ["client_name"], "this one does not ask for it");
    let broken = door.request(Method::POST, SUBMIT).header("content-type", "application/json").body("{");
    answer(broken).await.refused(400, "INVALID_JSON");
    assert_eq!((kept(&house), mails(&house)), (0, Vec::new()));
    for _ in 0..5 {
        door.post(SUBMIT, survey()).await.ok();
    }
    door.post(SUBMIT, survey()).await.refused(429, "RATE_LIMITED");
    house.clock.set(house.clock.now() + chrono::Duration::minutes(1));
    let mut decoy = project();
    decoy["website"] = json!("https://spam.example");
    assert_eq!(door.post(SUBMIT, decoy).await.status, 201, "a program is told the same");
    assert_eq!(kept(&house), 5);
    let thanked = mails(&house).into_iter().filter(|(kind, _)| kind == "questionnaire_received").count();
    door.post(SUBMIT, survey()).await.ok();
    assert_eq!((kept(&house), thanked), (6, 5));
    let after = mails(&house).into_iter().filter(|(kind, _)| kind == "questionnaire_received").count();
    assert_eq!(after, 5, "one address is thanked five times a day");
}

#[tokio::test]
async fn a_form_without_script_is_refused_beside_its_questions_and_taken_when_it_is_whole() {
    let house = House::open().await;
    let mut browser = Browser::at(&house);
    let path = "/questionnaire/project";
    let page = browser.open(&format!("{path}?utm_source=letter&utm_medium=%3Cb%3E")).await;
    assert!(page.status == 200 && page.text.contains("name=\"utm_source\" value=\"letter\""), "{}", page.text);
    assert!(page.text.contains("name=\"responses.users[0]\" value=\"staff\"") && !page.text.contains("value=\"<b>"));
    let half = [
        ("language", "ko"),
        ("client_name", "김지우"),
        ("client_email", "nobody"),
        ("responses.goal", "예약\"관리"),
        ("responses.users[1]", "customers"),
        ("responses.platforms[5]", "_other"),
        ("responses.budget", "3m_10m"),
    ];
    let refused = browser.send(path, &page, &half).await;
    assert_eq!(refused.status, 422, "{}", refused.text);
    for fault in ["client_email-fault", "responses.platforms-fault", "responses.features-fault"] {
        assert!(refused.text.contains(&format!("id=\"{fault}\"")), "{fault}");
    }
    assert!(
        !refused.text.contains("responses.goal-fault") && refused.text.contains("예약&#34;관리"),
        "{}",
        refused.text
    );
    assert!(refused.text.contains("value=\"customers\" checked") && refused.text.contains("value=\"3m_10m\" checked"));
    assert_eq!(kept(&house), 0);
    let begun = house.clock.now().timestamp().to_string();
    let whole = [
        &half[..2],
        &half[3..],
        &[
            ("client_email", "jiwoo@example.com"),
            ("responses.platforms.other", "키오스크"),
            ("responses.features", "예약\r\n알림"),
            ("responses.user_count", "40"),
            ("responses.has_data", "yes"),
            ("utm_source", "letter"),
            ("begun", &begun),
        ],
    ]
    .concat();
    house.clock.set(house.clock.now() + chrono::Duration::seconds(75));
    for _ in 0..2 {
        let taken = browser.send(path, &refused, &whole).await;
        assert_eq!(leads_to(&taken), (303, "/questionnaire/project/thanks"), "{}", taken.text);
    }
    assert_eq!(kept(&house), 1, "sent twice, it is saved once");
    let thanks = browser.open("/en/questionnaire/project/thanks").await;
    assert!(thanks.text.contains("We have received your answers"), "{}", thanks.text);
    assert_eq!(browser.open("/questionnaire/nothing").await.status, 404);
    let unsealed = Browser::at(&house).send(path, &page, &whole).await;
    assert_eq!(unsealed.status, 403, "a form of another browser");
    let desk = admin(&house, "minsu").await;
    let id = desk.get(DESK).await.ok()["questionnaires"][0]["id"].as_str().unwrap().to_owned();
    let one = desk.get(&format!("{DESK}/{id}")).await.ok();
    let values: Vec<&Value> = one["answers"].as_array().unwrap().iter().map(|answer| &answer["value"]).collect();
    assert_eq!(values[4], &json!(["키오스크"]));
    assert_eq!((values[3], values[5], values[8]), (&json!(40), &json!("예약\n알림"), &json!(true)));
    assert_eq!((&one["source"]["completion_seconds"], &one["source"]["utm_source"]), (&json!(75), &json!("letter")));
}

#[tokio::test]
async fn the_owner_s_own_files_hold_at_once_and_a_broken_one_leaves_the_others_alone() {
    let house = House::open().await;
    let door = house.passer_by();
    let sent = json!({"type": "feedback", "responses": {"what": "=1+1", "liked": ["food", "<i>음악</i>"]}, "client_name": "<u>Hajun</u>"});
    assert_eq!(refused(&door.post(SUBMIT, sent.clone()).await), ["type"]);
    put(&house, "feedback.toml", FEEDBACK);
    put(&house, "broken.toml", "contact = \"optional\"\ntitle = {");
    put(&house, "Not A Name.toml", FEEDBACK);
    // What is no file is neither waited for nor read to its end.
    let folder = house.config.data.dir.join("questionnaires");
    rustix::fs::mkfifoat(rustix::fs::CWD, folder.join("pipe.toml"), rustix::fs::Mode::RWXU).unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.join("endless.toml")).unwrap();
    let id = door.post(SUBMIT, sent).await.ok()["id"].as_str().unwrap().to_owned();
    let told = last_mail(&house).await;
    let shown = told.rsplit("<body").next().unwrap();
    assert!(shown.contains("&lt;u&gt;Hajun&lt;/u&gt;") && !shown.contains("<u>"), "{told}");
    door.get("/api/questionnaire/kinds/feedback").await.refused(404, "NOT_FOUND");
    assert_eq!(door.get("/api/questionnaire/kinds").await.ok()["total"], 2, "it is not public");
    let mut browser = at_the_desk(&house, "minsu").await;
    let form = browser.open("/questionnaire/feedback").await;
    assert!(form.text.contains("&#60;b&#62;의견") && !form.text.contains("<b>의견"), "{}", form.text);
    assert_eq!(form.header("x-robots-tag"), "noindex");
    let list = browser.open("/admin/questionnaires").await;
    assert!(
        list.text.contains("<code>broken.toml</code> 2행") && list.text.contains("Not A Name.toml"),
        "{}",
        list.text
    );
    assert!(list.text.contains("pipe.toml") && list.text.contains("endless.toml"), "{}", list.text);
    assert!(list.text.contains("&#60;u&#62;Hajun") && !list.text.contains("<u>Hajun"), "{}", list.text);
    let page = browser.open(&format!("/admin/questionnaires/{id}")).await;
    assert!(page.text.contains("&#60;i&#62;음악") && !page.text.contains("<i>음악"), "{}", page.text);
    // What was asked stays with what was answered.
    put(&house, "feedback.toml", &FEEDBACK.replace("무엇인가요?", "다른 질문이 되었나요?"));
    let page = browser.open(&format!("/admin/questionnaires/{id}")).await;
    assert!(page.text.contains("무엇인가요?") && !page.text.contains("다른 질문이 되었나요?"), "{}", page.text);
    assert!(browser.open("/questionnaire/feedback").await.text.contains("다른 질문이 되었나요?"));
    fs::remove_file(house.config.data.dir.join("questionnaires/feedback.toml")).unwrap();
    assert_eq!(browser.open("/questionnaire/feedback").await.status, 404);
    let summary = browser.open("/admin/questionnaires/summary/feedback").await;
    assert!(summary.status == 200 && summary.text.contains("좋았던 것"), "its answers stay: {}", summary.text);
    put(&house, "survey.toml", FEEDBACK);
    assert_eq!(
        door.get("/api/questionnaire/kinds").await.ok()["total"],
        1,
        "an own file takes the place of a shipped one"
    );
}

#[tokio::test]
async fn answers_go_from_state_to_state_are_noted_upon_and_removed_with_their_mails() {
    let house = House::open().await;
    let desk = admin(&house, "minsu").await;
    let id = house.passer_by().post(SUBMIT, project()).await.ok()["id"].as_str().unwrap().to_owned();
    let path = format!("{DESK}/{id}");
    patched(&desk, &path, json!({"status": "archived"})).await.refused(409, "CONFLICT");
    let reviewed = patched(&desk, &path, json!({"status": "reviewed", "admin_notes": "전화함"})).await.ok();
    assert_eq!((&reviewed["status"], &reviewed["reviewed_at"]), (&json!("reviewed"), &json!("2026-10-10T12:30:00Z")));
    let noted = patched(&desk, &path, json!({"admin_notes": "다시 전화함"})).await.ok();
    assert_eq!((&noted["admin_notes"], &noted["status"]), (&json!("다시 전화함"), &json!("reviewed")));
    patched(&desk, &path, json!({"status": "archived"})).await.ok();
    let back = patched(&desk, &path, json!({"status": "reviewed"})).await.ok();
    assert_eq!(back["next"], json!(["archived"]));
    for body in [json!({"status": "done"}), json!({"admin_notes": "가".repeat(5_001)}), json!({"mystery": 1})] {
        patched(&desk, &path, body).await.refused(422, "INVALID_INPUT");
    }
    let counts = desk.get(&format!("{DESK}?status=submitted")).await.ok();
    assert_eq!((&counts["total"], &counts["counts"][0]["reviewed"]), (&json!(0), &json!(1)));
    let nobody_s = format!("{DESK}/01890a5d-ac96-774b-bcce-b302099a8057");
    patched(&desk, &nobody_s, json!({"status": "reviewed"})).await.refused(404, "NOT_FOUND");
    for query in ["status=done", "type=A", "limit=501", "q="] {
        desk.get(&format!("{DESK}?{query}")).await.refused(422, "INVALID_INPUT");
    }
    assert_eq!(desk.delete(&path).await.ok(), json!({"ok": true}));
    desk.delete(&path).await.refused(404, "NOT_FOUND");
    let left = mails(&house).into_iter().filter(|(kind, _)| kind.starts_with("questionnaire")).count();
    assert_eq!((kept(&house), left), (0, 0));
    let audit = desk.get("/api/admin/audit").await.ok();
    let deeds: Vec<&Value> = audit["notes"].as_array().unwrap().iter().map(|noted| &noted["deed"]).collect();
    assert_eq!(deeds[..2], [&json!("questionnaire_removed"), &json!("questionnaire_changed")]);
}

#[tokio::test]
async fn a_table_keeps_every_cell_and_none_of_them_is_a_formula() {
    let house = House::open().await;
    put(&house, "feedback.toml", FEEDBACK);
    let hostile =
        ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "따옴표 \" 와, 쉼표", "두\n줄", "\u{202e}=rtl\u{202c} 👨‍👩‍👧 한글"];
    for (place, cell) in hostile.iter().enumerate() {
        let body = json!({"type": "feedback", "responses": {"what": cell, "liked": ["food", "place"]}});
        house.passer_by().post(SUBMIT, body).await.ok();
        if place == 3 {
            house.clock.set(house.clock.now() + chrono::Duration::minutes(2));
        }
    }
    let desk = admin(&house, "minsu").await;
    let given = desk.request(Method::GET, &format!("{DESK}/csv?type=feedback")).send().await.unwrap();
    assert_eq!(given.headers()["content-type"], "text/csv; charset=utf-8");
    assert!(given.headers()["content-disposition"].to_str().unwrap().contains("feedback.csv"));
    let bytes = given.bytes().await.unwrap();
    assert!(bytes.starts_with(b"\xef\xbb\xbf") && bytes.ends_with(b"\r\n"));
    let mut reader = csv::Reader::from_reader(&bytes[3..]);
    let head: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    assert_eq!(head[7..9], ["무엇인가요?", "좋았던 것"]);
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let cells: Vec<String> = rows.iter().map(|row| row[7].to_owned()).collect();
    let expected = hostile.map(|cell| match cell.replace(['\u{202e}', '\u{202c}'], "") {
        formula if formula.starts_with(['=', '+', '-', '@']) => format!("'{formula}"),
        text => text,
    });
    assert_eq!((cells, &rows[0][8], &rows[0][2]), (expected.to_vec(), "음식 | 장소", "접수"));
    assert_eq!((head[1].as_str(), &rows[0][1]), ("받은 시각 (한국 시간)", "2026-10-10 21:30"));
    let english = desk.get(&format!("{DESK}/csv?type=feedback&language=en&status=archived")).await;
    assert!(english.status == 200 && english.text.lines().count() == 1 && english.text.contains("What is it?"));
    for query in ["", "?type=nothing", "?type=A", "?type=feedback&status=done"] {
        desk.get(&format!("{DESK}/csv{query}")).await.refused(422, "INVALID_INPUT");
    }
    assert_eq!(desk.get("/api/admin/audit").await.ok()["notes"][0]["deed"], "questionnaires_exported");
}

#[tokio::test]
async fn the_pages_of_the_desk_move_note_sum_up_and_remove_and_nobody_else_sees_them() {
    let house = House::open().await;
    for (found, satisfied) in [("search", 2), ("search", 5), ("시장에서", 5)] {
        let mut body = survey();
        (body["responses"]["found_us"], body["responses"]["best_satisfy"]) = (json!(found), json!(satisfied));
        house.passer_by().post(SUBMIT, body).await.ok();
    }
    let mut browser = at_the_desk(&house, "minsu").await;
    let summary = browser.open("/admin/questionnaires/summary/survey").await;
    for said in ["답변 3건", "평균 4.00 · 중앙값 5.00", "width=\"67\"", "기타</span>"] {
        assert!(summary.text.contains(said), "{said}: {}", summary.text);
    }
    assert!(!summary.text.contains("style="), "nothing is drawn by inline styles");
    let list = browser.open("/admin/questionnaires?type=survey&q=&status=").await;
    assert!(list.text.contains("/questionnaire/survey</code>"), "the address that customers are sent: {}", list.text);
    let at = list.text.split("class=\"desk-list\"").nth(1).unwrap().split("href=\"").nth(1).unwrap();
    let path = at.split('"').next().unwrap().to_owned();
    let page = browser.open(&path).await;
    assert!(page.text.contains("검토 완료로 바꾸기"), "{}", page.text);
    let moved = browser.send(&path, &page, &[("act", "status"), ("status", "reviewed")]).await;
    assert_eq!(leads_to(&moved), (303, format!("{path}?saved=status").as_str()));
    let page = browser.open(&path).await;
    let stale = browser.send(&path, &page, &[("act", "status"), ("status", "submitted")]).await;
    assert!(stale.status == 409 && stale.text.contains("role=\"alert\""), "{}", stale.text);
    let noted = browser.send(&path, &page, &[("act", "notes"), ("admin_notes", "<s>메모</s>")]).await;
    assert_eq!(leads_to(&noted), (303, format!("{path}?saved=notes#notes").as_str()));
    let page = browser.open(&path).await;
    assert!(page.text.contains("&#60;s&#62;메모") && !page.text.contains("<s>메모"), "{}", page.text);
    let asked = browser.open(&format!("{path}/remove")).await;
    let removed = browser.send(&path, &asked, &[("act", "remove")]).await;
    assert_eq!((leads_to(&removed).0, kept(&house)), (303, 2));
    let gone = path.trim_start_matches("/admin/questionnaires/");
    let door = house.passer_by();
    for there in ["", "/csv?type=survey", &format!("/{gone}")] {
        door.get(&format!("{DESK}{there}")).await.refused(401, "UNAUTHORIZED");
    }
    for there in ["", "/summary/survey", &format!("/{gone}")] {
        assert_eq!(Browser::at(&house).open(&format!("/admin/questionnaires{there}")).await.status, 401, "{there}");
    }
}

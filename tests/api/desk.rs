//! Requests at the desk of those who keep the shop: moved, noted upon, found, removed, and written down who did it.

use reqwest::Method;
use serde_json::{Value, json};

use crate::admins::{invited, set_up};
use crate::house::{Caller, House, answer};
use crate::visitors::{Visitor, last_mail};

const CONTACTS: &str = "/api/admin/contacts";

/// An admin at the desk.
pub async fn admin<'a>(house: &'a House, name: &str) -> Visitor<'a> {
    let word = invited(house, name).await;
    Visitor::of(house, &set_up(house, &word).await)
}

/// A customer's request of this name; gives what the customer hears.
async fn received(house: &House, name: &str) -> Value {
    let body = json!({"name": name, "email": "jiwoo@example.com", "message": "홈페이지를 새로 만들고 싶습니다."});
    house.passer_by().post("/api/contact", body).await.ok()
}

fn path(received: &Value) -> String {
    format!("{CONTACTS}/{}", received["id"].as_str().unwrap())
}

async fn moved(desk: &Visitor<'_>, request: &Value, to: &str) -> Value {
    let sent = desk.request(Method::PATCH, &path(request)).json(&json!({"status": to}));
    answer(sent).await.ok()
}

/// The deeds of the audit list, newest first, with what each was done to.
async fn deeds(desk: &Visitor<'_>) -> Vec<(String, Value)> {
    let audit = desk.get("/api/admin/audit").await.ok();
    let notes = audit["notes"].as_array().unwrap();
    notes.iter().map(|noted| (noted["deed"].as_str().unwrap().to_owned(), noted["about"].clone())).collect()
}

#[tokio::test]
async fn a_request_is_moved_along_its_states_and_the_customer_and_the_audit_list_see_each_move() {
    let house = House::open().await;
    let desk = admin(&house, "minsu").await;
    let request = received(&house, "김지우").await;
    let seen = desk.get(&path(&request)).await.ok();
    assert_eq!((&seen["status"], &seen["next"]), (&json!("pending"), &json!(["reviewing", "cancelled"])));
    assert_eq!((&seen["details"]["email"], &seen["has_link"]), (&json!("jiwoo@example.com"), &json!(true)));
    let reviewed = moved(&desk, &request, "reviewing").await;
    assert_eq!((&reviewed["status"], &reviewed["history"][1]["by"]), (&json!("reviewing"), &json!("minsu")));
    moved(&desk, &request, "on_hold").await;
    let back = moved(&desk, &request, "reviewing").await;
    assert_eq!(back["next"], json!(["quoted", "on_hold", "cancelled"]));
    let skipped = desk.request(Method::PATCH, &path(&request)).json(&json!({"status": "completed"}));
    answer(skipped).await.refused(409, "CONFLICT");
    let tracked =
        house.passer_by().get(&format!("/api/contact/{}", request["public_token"].as_str().unwrap())).await.ok();
    let states: Vec<&Value> = tracked["history"].as_array().unwrap().iter().map(|made| &made["status"]).collect();
    assert_eq!(states, ["pending", "reviewing", "on_hold", "reviewing"]);
    let noted = deeds(&desk).await;
    assert_eq!(noted[..3], [(); 3].map(|()| ("request_moved".to_owned(), request["id"].clone())));
    assert_eq!(noted[3], ("password_set".to_owned(), Value::Null), "what was refused is no deed");
}

#[tokio::test]
async fn the_latest_step_is_taken_back_once_and_stands_in_the_history_for_the_customer_too() {
    let house = House::open().await;
    let desk = admin(&house, "minsu").await;
    let request = received(&house, "김지우").await;
    let undone = async |to: &str| {
        let sent = desk.request(Method::PATCH, &path(&request)).json(&json!({"status": to, "undo": true}));
        answer(sent).await
    };
    assert_eq!(desk.get(&path(&request)).await.ok()["undo"], Value::Null);
    undone("pending").await.refused(409, "CONFLICT");
    moved(&desk, &request, "reviewing").await;
    moved(&desk, &request, "on_hold").await;
    assert_eq!(moved(&desk, &request, "cancelled").await["undo"], "on_hold");
    let (one, other) = tokio::join!(undone("on_hold"), undone("on_hold"));
    let mut both = [one.status.as_u16(), other.status.as_u16()];
    both.sort_unstable();
    assert_eq!(both, [200, 409], "two who take it back at once take back one step");
    let seen = desk.get(&path(&request)).await.ok();
    assert_eq!((&seen["status"], &seen["undo"]), (&json!("on_hold"), &json!("reviewing")));
    assert_eq!(seen["next"], json!(["reviewing", "cancelled"]), "it goes on where it was put on hold");
    let last = seen["history"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["from"], &last["by"], &last["undo"]), (&json!("cancelled"), &json!("minsu"), &json!(true)));
    let tracked =
        house.passer_by().get(&format!("/api/contact/{}", request["public_token"].as_str().unwrap())).await.ok();
    let steps: Vec<(&Value, bool)> =
        tracked["history"].as_array().unwrap().iter().map(|made| (&made["status"], made["undo"] == true)).collect();
    let (cancelled, on_hold) = (json!("cancelled"), json!("on_hold"));
    assert_eq!(steps[3..], [(&cancelled, false), (&on_hold, true)]);
    let about = |deed: &str| (deed.to_owned(), request["id"].clone());
    assert_eq!(deeds(&desk).await[..2], [about("request_move_undone"), about("request_moved")]);
}

#[tokio::test]
async fn what_cannot_be_done_is_refused_and_changes_nothing() {
    let house = House::open().await;
    let desk = admin(&house, "minsu").await;
    let request = received(&house, "김지우").await;
    let before = desk.get(&path(&request)).await.ok();
    let patch = |path: String, body: Value| {
        let sent = desk.request(Method::PATCH, &path).json(&body);
        async move { answer(sent).await }
    };
    for body in [
        json!([]),
        json!({}),
        json!({"status": "done"}),
        json!({"status": 7}),
        json!({"status": "reviewing", "by": "x"}),
    ] {
        patch(path(&request), body).await.refused(422, "INVALID_INPUT");
    }
    let nobody_s = format!("{CONTACTS}/01890a5d-ac96-774b-bcce-b302099a8057");
    patch(nobody_s.clone(), json!({"status": "reviewing"})).await.refused(404, "NOT_FOUND");
    desk.get(&nobody_s).await.refused(404, "NOT_FOUND");
    desk.delete(&nobody_s).await.refused(404, "NOT_FOUND");
    for text in [json!(""), json!(" "), json!("가".repeat(2_001)), json!(null)] {
        desk.post(&format!("{}/notes", path(&request)), json!({"text": text})).await.refused(422, "INVALID_INPUT");
    }
    desk.post(&format!("{nobody_s}/notes"), json!({"text": "x"})).await.refused(404, "NOT_FOUND");
    desk.post(&format!("{nobody_s}/link"), Value::Null).await.refused(404, "NOT_FOUND");
    desk.delete(&format!("{}/notes/1", path(&request))).await.refused(404, "NOT_FOUND");
    for query in ["status=done", "q=", "limit=0", "limit=501", "offset=x"] {
        desk.get(&format!("{CONTACTS}?{query}")).await.refused(422, "INVALID_INPUT");
    }
    house.passer_by().get(&path(&request)).await.refused(401, "UNAUTHORIZED");
    assert_eq!(desk.get(&path(&request)).await.ok(), before);
    assert_eq!(deeds(&desk).await.len(), 2, "invited, and the password set");
}

#[tokio::test]
async fn notes_are_for_the_desk_alone_and_one_key_notes_once() {
    let house = House::open().await;
    let desk = admin(&house, "minsu").await;
    let request = received(&house, "김지우").await;
    let notes = format!("{}/notes", path(&request));
    let keyed = || desk.request(Method::POST, &notes).header("idempotency-key", "k").json(&json!({"text": "전화함"}));
    let (first, again) = (answer(keyed()).await, answer(keyed()).await);
    assert_eq!((first.status.as_u16(), first.ok()), (201, again.ok()));
    desk.post(&notes, json!({"text": "다시 전화하기로 함"})).await.ok();
    let seen = desk.get(&path(&request)).await.ok()["notes"].clone();
    let texts: Vec<&Value> = seen.as_array().unwrap().iter().map(|note| &note["text"]).collect();
    assert_eq!((texts, &seen[0]["by"]), (vec![&json!("다시 전화하기로 함"), &json!("전화함")], &json!("minsu")));
    let token = request["public_token"].as_str().unwrap();
    let tracked = house.passer_by().get(&format!("/api/contact/{token}")).await.ok();
    assert!(!tracked.to_string().contains("전화"), "{tracked}");
    desk.delete(&format!("{notes}/{}", seen[0]["id"])).await.ok();
    assert_eq!(desk.get(&path(&request)).await.ok()["notes"], json!([seen[1]]));
}

#[tokio::test]
async fn requests_are_listed_by_state_found_by_words_and_counted() {
    let house = House::open().await;
    let desk = admin(&house, "minsu").await;
    let mut all = Vec::new();
    for name in ["김지우", "이하준", "박서연"] {
        all.push(received(&house, name).await);
    }
    moved(&desk, &all[1], "reviewing").await;
    let names = async |query: &str| {
        let listed = desk.get(&format!("{CONTACTS}{query}")).await.ok();
        let contacts = listed["contacts"].as_array().unwrap();
        let names: Vec<String> =
            contacts.iter().map(|request| request["details"]["name"].as_str().unwrap().to_owned()).collect();
        (names.join(" "), listed["total"].as_u64().unwrap())
    };
    assert_eq!(names("").await, ("박서연 이하준 김지우".to_owned(), 3));
    assert_eq!(names("?limit=1&offset=1").await, ("이하준".to_owned(), 3));
    assert_eq!(names("?status=reviewing").await, ("이하준".to_owned(), 1));
    assert_eq!(names("?status=completed").await, (String::new(), 0));
    assert_eq!(names("?q=%ED%95%98%EC%A4%80").await, ("이하준".to_owned(), 1));
    let said_by_all = "?q=%ED%99%88%ED%8E%98%EC%9D%B4%EC%A7%80";
    assert_eq!(names(said_by_all).await.1, 3);
    assert_eq!(names(&format!("{said_by_all}&status=reviewing")).await, ("이하준".to_owned(), 1));
    let counts = desk.get(&format!("{CONTACTS}?limit=1")).await.ok()["counts"].clone();
    let some: Vec<&Value> = counts.as_array().unwrap().iter().filter(|count| count["count"] != 0).collect();
    let expected = [json!({"status": "pending", "count": 2}), json!({"status": "reviewing", "count": 1})];
    assert_eq!((some, counts.as_array().unwrap().len()), (expected.iter().collect(), 8));
}

#[tokio::test]
async fn a_link_that_was_given_anew_opens_the_request_and_the_one_before_does_not() {
    let house = House::open_with(|config| config.site.address = "https://shop.example".to_owned()).await;
    let desk = admin(&house, "minsu").await;
    let request = received(&house, "김지우").await;
    let link = format!("{}/link", path(&request));
    let renewed = desk.post(&link, Value::Null).await.ok()["track_url"].as_str().unwrap().to_owned();
    let token = renewed.strip_prefix("https://shop.example/contact/").unwrap();
    assert_eq!(house.passer_by().get(&format!("/api/contact/{token}")).await.ok()["name"], "김지우");
    let before = request["public_token"].as_str().unwrap();
    house.passer_by().get(&format!("/api/contact/{before}")).await.refused(404, "NOT_FOUND");
    desk.delete(&link).await.ok();
    house.passer_by().get(&format!("/api/contact/{token}")).await.refused(404, "NOT_FOUND");
    assert_eq!(desk.get(&path(&request)).await.ok()["has_link"], json!(false));
    let noted: Vec<String> = deeds(&desk).await.into_iter().map(|(deed, _)| deed).collect();
    assert_eq!(noted[..2], ["request_link_ended", "request_link_renewed"]);
}

#[tokio::test]
async fn a_request_that_is_removed_is_gone_with_its_notes_and_its_link() {
    let house = House::open().await;
    let desk = admin(&house, "minsu").await;
    let (gone, kept) = (received(&house, "김지우").await, received(&house, "이하준").await);
    desk.post(&format!("{}/notes", path(&gone)), json!({"text": "전화함"})).await.ok();
    desk.delete(&path(&gone)).await.ok();
    desk.get(&path(&gone)).await.refused(404, "NOT_FOUND");
    let token = gone["public_token"].as_str().unwrap();
    house.passer_by().get(&format!("/api/contact/{token}")).await.refused(404, "NOT_FOUND");
    assert_eq!(desk.get(CONTACTS).await.ok()["total"], 1);
    desk.get(&path(&kept)).await.ok();
    assert_eq!(deeds(&desk).await[0], ("request_removed".to_owned(), gone["id"].clone()));
}

#[tokio::test]
async fn while_no_address_is_set_links_lead_where_the_door_listens_whatever_a_request_says() {
    let house = House::open_with(|config| config.site.hosts = vec!["shop.lan".to_owned()]).await;
    let desk = admin(&house, "minsu").await;
    let body = json!({"name": "Jiwoo", "email": "jiwoo@example.com", "message": "A new page.", "language": "en"});
    let sent = house.passer_by().request(Method::POST, "/api/contact").header("host", "shop.lan:4444").json(&body);
    let request = answer(sent).await.ok();
    let listens = format!("http://{}/en", house.appliance.site_address());
    let begins = |link: &Value, with: &str| assert!(link.as_str().unwrap().starts_with(with), "{link}");
    begins(&request["track_url"], &format!("{listens}/contact/"));
    let patch = desk.request(Method::PATCH, &path(&request)).header("host", "shop.lan:4444");
    answer(patch.json(&json!({"status": "reviewing"}))).await.ok();
    let mail = last_mail(&house).await;
    assert!(mail.contains("Status: Under review"), "{mail}");
    assert!(mail.contains(&format!("{listens}/contact/")) && !mail.contains("shop.lan"), "{mail}");
    let at_the_desk =
        |path: String| answer(desk.request(Method::POST, &path).header("host", "shop.lan:4444").json(&json!(null)));
    begins(&at_the_desk(format!("{}/link", path(&request))).await.ok()["track_url"], &format!("{listens}/contact/"));
}

#[tokio::test]
async fn what_was_removed_is_in_no_mail_in_no_file_and_in_no_answer_that_is_given_again() {
    let house = House::open().await;
    let (desk, household) = (admin(&house, "minsu").await, house.household());
    let body = json!({"name": "김지우", "email": "jiwoo@example.com", "message": "홈페이지를 새로 만들고 싶습니다."});
    let keyed = || house.passer_by().request(Method::POST, "/api/contact").header("idempotency-key", "k-1").json(&body);
    let gone = answer(keyed()).await.ok();
    assert_eq!(answer(keyed()).await.ok(), gone);
    let kept = received(&house, "이하준").await;
    household.rest().await;
    let folder = household.get("/api/system/mail").await.ok()["folder"].as_str().unwrap().to_owned();
    let files = || std::fs::read_dir(&folder).unwrap().count();
    assert_eq!((files(), household.get("/api/system/mail").await.ok()["total"].as_u64()), (4, Some(4)));
    desk.delete(&path(&gone)).await.ok();
    household.rest().await;
    assert_eq!((files(), household.get("/api/system/mail").await.ok()["total"].as_u64()), (2, Some(2)));
    assert_ne!(answer(keyed()).await.ok()["id"], gone["id"], "nothing is known of it any more");
    desk.get(&path(&kept)).await.ok();
}

#[tokio::test]
async fn who_noted_something_and_who_removed_a_note_stands_in_the_audit_list() {
    let house = House::open().await;
    let desk = admin(&house, "minsu").await;
    let request = received(&house, "김지우").await;
    let notes = format!("{}/notes", path(&request));
    let note = desk.post(&notes, json!({"text": "전화함"})).await.ok();
    desk.delete(&format!("{notes}/{}", note["id"])).await.ok();
    let noted = deeds(&desk).await;
    let about = |deed: &str| (deed.to_owned(), request["id"].clone());
    assert_eq!(noted[..2], [about("request_note_removed"), about("request_noted")]);
}

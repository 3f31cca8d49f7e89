//! Share links of a request: what others see by them, how long, and who makes and ends them.

use chrono::Duration;
use reqwest::Method;
use serde_json::{Value, json};

use crate::admins::{invited, set_up};
use crate::forms::{Browser, leads_to, value_of};
use crate::house::{Caller, House, answer};
use crate::visitors::Visitor;

/// What the customer of these tests gives that nobody else is to see.
const PRIVATE: [&str; 5] = ["김지우", "jiwoo@example.com", "010-1234-5678", "300만", "비밀스러운 계획"];

/// A customer's request; gives the path by which its customer follows it, and its id.
async fn received(house: &House) -> (String, String) {
    let [name, email, phone, budget, message] = PRIVATE;
    let body = json!({
        "name": name, "email": email, "phone": phone, "budget": budget, "message": message, "service": "웹사이트",
    });
    let received = house.passer_by().post("/api/contact", body).await.ok();
    let text = |key: &str| received[key].as_str().unwrap().to_owned();
    (format!("/api/contact/{}", text("public_token")), text("id"))
}

/// The day in so many days, as a form names it; the house stands on 10 October 2026.
fn in_days(house: &House, days: i64) -> String {
    hanok::base::day::of(house.clock.now() + Duration::days(days)).to_string()
}

fn word_of(share: &Value) -> String {
    share["share_url"].as_str().unwrap().rsplit('/').next().unwrap().to_owned()
}

async fn made(house: &House, track: &str, days: i64) -> Value {
    house
        .passer_by()
        .post(&format!("{track}/shares"), json!({"until": in_days(house, days), "label": "동업자"}))
        .await
        .ok()
}

async fn listed(house: &House, track: &str) -> Vec<Value> {
    house.passer_by().get(&format!("{track}/shares")).await.ok()["shares"].as_array().unwrap().clone()
}

#[tokio::test]
async fn others_see_how_far_a_request_is_and_nothing_of_who_sent_it() {
    let house = House::open().await;
    let (track, _) = received(&house).await;
    let share = made(&house, &track, 7).await;
    assert_eq!(
        (&share["by"], &share["label"], &share["used_at"]),
        (&json!("customer"), &json!("동업자"), &Value::Null)
    );
    let word = word_of(&share);
    let shared = house.passer_by().get(&format!("/api/shared/{word}")).await.ok();
    assert_eq!((&shared["status"], &shared["service"]), (&json!("pending"), &json!("웹사이트")));
    assert_eq!((&shared["history"][0]["status"], &shared["until"]), (&json!("pending"), &json!(in_days(&house, 7))));
    let mut browser = Browser::at(&house);
    let page = browser.open(&format!("/shared/{word}")).await;
    assert!(page.status == 200 && page.text.contains("웹사이트") && page.text.contains("aria-current=\"step\""));
    assert_eq!((page.header("cache-control"), page.header("x-robots-tag")), ("no-store", "noindex"));
    let token = track.rsplit('/').next().unwrap();
    for private in PRIVATE.iter().chain(&[token, "동업자"]) {
        assert!(!page.text.contains(private) && !shared.to_string().contains(private), "{private}");
    }
    assert!(!page.text.contains("name=\"act\""), "nothing is done on it");
    let english = browser.open(&format!("/en/shared/{word}")).await;
    assert!(english.text.contains("can only be looked at"), "{}", english.text);
}

#[tokio::test]
async fn a_share_link_opens_nothing_but_its_page_and_no_other_word_opens_that() {
    let house = House::open().await;
    let (track, id) = received(&house).await;
    let token = track.rsplit('/').next().unwrap();
    let share = made(&house, &track, 7).await;
    let word = word_of(&share);
    let door = house.passer_by();
    door.get(&format!("/api/contact/{word}")).await.refused(404, "NOT_FOUND");
    door.get(&format!("/api/contact/{word}/shares")).await.refused(404, "NOT_FOUND");
    let sent = json!({"until": in_days(&house, 1)});
    door.post(&format!("/api/contact/{word}/shares"), sent).await.refused(404, "NOT_FOUND");
    let end = format!("/api/contact/{word}/shares/{}", share["id"].as_str().unwrap());
    door.delete(&end).await.refused(404, "NOT_FOUND");
    set_up(&house, &word).await.refused(404, "NOT_FOUND");
    let as_password = json!({"token": word, "password": crate::visitors::PASSWORD});
    door.post("/api/account/password", as_password).await.refused(404, "NOT_FOUND");
    let invitation = invited(&house, "minsu").await;
    for wrong in [token, &id, share["id"].as_str().unwrap(), &invitation, &word[1..], &format!("{word}x")] {
        door.get(&format!("/api/shared/{wrong}")).await.refused(404, "NOT_FOUND");
    }
    assert_eq!(door.get(&format!("/api/shared/{word}")).await.status, 200);
}

#[tokio::test]
async fn it_ends_after_its_last_day_and_when_it_is_ended_and_the_list_says_when_it_was_used() {
    let house = House::open().await;
    let (track, _) = received(&house).await;
    let (short, long) = (made(&house, &track, 0).await, made(&house, &track, 2).await);
    let seen = |share: &Value| {
        let (door, path) = (house.passer_by(), format!("/api/shared/{}", word_of(share)));
        async move { door.get(&path).await.status.as_u16() }
    };
    let head = house.passer_by().request(Method::HEAD, &format!("/api/shared/{}", word_of(&long)));
    assert_eq!(answer(head).await.status, 200);
    assert!(listed(&house, &track).await.iter().all(|share| share["used_at"].is_null()));
    assert_eq!((seen(&short).await, seen(&long).await), (200, 200));
    let used = listed(&house, &track).await;
    let at = house.clock.now().to_rfc3339_opts(chrono::SecondsFormat::Secs, true);
    assert_eq!((&used[0]["id"], &used[0]["used_at"], &used[1]["used_at"]), (&long["id"], &json!(at), &json!(at)));
    assert_eq!(used[0]["share_url"], long["share_url"], "it can be copied again");
    // It was evening; the day ends at midnight in Seoul.
    house.clock.set(house.clock.now() + Duration::hours(4));
    assert_eq!((seen(&short).await, seen(&long).await), (404, 200));
    assert_eq!(listed(&house, &track).await.len(), 1);
    let end = format!("{track}/shares/{}", long["id"].as_str().unwrap());
    house.passer_by().delete(&end).await.ok();
    house.passer_by().delete(&end).await.refused(404, "NOT_FOUND");
    assert_eq!((seen(&long).await, listed(&house, &track).await.len()), (404, 0));
}

#[tokio::test]
async fn what_cannot_be_is_refused_and_no_request_has_more_than_twenty() {
    let house = House::open().await;
    let (track, _) = received(&house).await;
    let (other, _) = received(&house).await;
    let shares = format!("{track}/shares");
    let long = "가".repeat(51);
    for body in [
        json!({}),
        json!({"until": in_days(&house, -1)}),
        json!({"until": in_days(&house, 367)}),
        json!({"until": "soon"}),
        json!({"until": null}),
        json!({"until": in_days(&house, 1), "label": long}),
        json!({"until": in_days(&house, 1), "by": "admin"}),
    ] {
        house.clock.set(house.clock.now() + Duration::minutes(1));
        house.passer_by().post(&shares, body).await.refused(422, "INVALID_INPUT");
    }
    assert_eq!(listed(&house, &track).await.len(), 0);
    let mut last = Value::Null;
    for _ in 0..20 {
        house.clock.set(house.clock.now() + Duration::seconds(30));
        last = made(&house, &track, 366).await;
    }
    house.clock.set(house.clock.now() + Duration::minutes(2));
    house.passer_by().post(&shares, json!({"until": in_days(&house, 1)})).await.refused(409, "CONFLICT");
    let id = last["id"].as_str().unwrap();
    house.passer_by().delete(&format!("{other}/shares/{id}")).await.refused(404, "NOT_FOUND");
    assert_eq!(listed(&house, &track).await.len(), 20, "another's request ends none of them");
    for _ in 0..9 {
        made(&house, &other, 1).await;
    }
    house.passer_by().post(&format!("{other}/shares"), json!({"until": "x"})).await.refused(422, "INVALID_INPUT");
    house
        .passer_by()
        .post(&format!("{other}/shares"), json!({"until": in_days(&house, 1)}))
        .await
        .refused(429, "RATE_LIMITED");
}

#[tokio::test]
async fn the_desk_makes_and_ends_them_and_a_new_link_of_the_customer_ends_those_made_by_the_one_before() {
    let house = House::open().await;
    let (track, id) = received(&house).await;
    let desk = Visitor::of(&house, &set_up(&house, &invited(&house, "minsu").await).await);
    let at_desk = format!("/api/admin/contacts/{id}/shares");
    let of_customer = made(&house, &track, 7).await;
    let of_desk = desk.post(&at_desk, json!({"until": in_days(&house, 7)})).await.ok();
    assert_eq!((&of_desk["by"], &of_desk["label"]), (&json!("admin"), &json!("")));
    assert_eq!(desk.get(&at_desk).await.ok()["shares"], json!([of_desk, of_customer]));
    desk.post(&format!("/api/admin/contacts/{id}/link"), Value::Null).await.ok();
    assert_eq!(desk.get(&at_desk).await.ok()["shares"], json!([of_desk]));
    house.passer_by().get(&format!("/api/shared/{}", word_of(&of_customer))).await.refused(404, "NOT_FOUND");
    let another = desk.post(&at_desk, json!({"until": in_days(&house, 7)})).await.ok();
    desk.delete(&format!("{at_desk}/{}", another["id"].as_str().unwrap())).await.ok();
    let audit = desk.get("/api/admin/audit").await.ok();
    let notes = audit["notes"].as_array().unwrap();
    let deeds: Vec<(&str, &str)> =
        notes[..4].iter().map(|noted| (noted["deed"].as_str().unwrap(), noted["about"].as_str().unwrap())).collect();
    let expected = ["request_share_ended", "request_shared", "request_link_renewed", "request_shared"];
    assert_eq!(deeds, expected.map(|deed| (deed, id.as_str())));
    desk.delete(&format!("/api/admin/contacts/{id}")).await.ok();
    house.passer_by().get(&format!("/api/shared/{}", word_of(&of_desk))).await.refused(404, "NOT_FOUND");
    desk.get(&at_desk).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn the_link_of_an_english_page_or_customer_opens_an_english_page_also_when_it_has_ended() {
    let house = House::open().await;
    let (track, _) = received(&house).await;
    let own = track.trim_start_matches("/api").to_owned();
    let share = made(&house, &track, 0).await;
    let word = word_of(&share);
    assert!(!share["share_url"].as_str().unwrap().contains("/en/"), "{share}");
    let mut browser = Browser::at(&house);
    let (korean, english) = (format!("/shared/{word}\""), format!("/en/shared/{word}"));
    let page = browser.open(&own).await;
    assert!(page.text.contains(&korean) && !page.text.contains(&english), "{}", page.text);
    assert!(browser.open(&format!("/en{own}")).await.text.contains(&english));
    house.clock.set(house.clock.now() + Duration::days(1));
    let ended = browser.open(&english).await;
    assert!(ended.status == 404 && ended.text.contains("the link may have ended"), "{}", ended.text);

    let body = json!({"name": "Jane", "email": "jane@example.com", "message": "A page", "language": "en"});
    let received = house.passer_by().post("/api/contact", body).await.ok();
    let track = format!("/api/contact/{}", received["public_token"].as_str().unwrap());
    let share = made(&house, &track, 1).await;
    assert!(share["share_url"].as_str().unwrap().contains("/en/shared/"), "{share}");
    assert_eq!(listed(&house, &track).await, [share]);
}

#[tokio::test]
async fn who_makes_links_too_often_or_has_too_many_is_told_so_above_the_form() {
    let house = House::open().await;
    let (track, id) = received(&house).await;
    let own = format!("/en{}", track.trim_start_matches("/api"));
    for number in 0..20 {
        if number == 10 {
            house.clock.set(house.clock.now() + Duration::minutes(2));
        }
        made(&house, &track, 1).await;
    }
    let mut customer = Browser::at(&house);
    let page = customer.open(&own).await;
    assert!(!page.text.contains("role=\"alert\""), "{}", page.text);
    let until = in_days(&house, 1);
    let fields = [("act", "share"), ("until", until.as_str()), ("label", "동업자")];
    let refused = customer.send(&own, &page, &fields).await;
    assert!(refused.status == 429 && refused.text.matches("role=\"alert\"").count() == 1, "{}", refused.text);
    assert!(refused.text.contains("value=\"동업자\""), "{}", refused.text);
    house.clock.set(house.clock.now() + Duration::minutes(2));
    let refused = customer.send(&own, &page, &fields).await;
    assert!(refused.status == 409 && refused.text.contains("at most 20 share links"), "{}", refused.text);

    let word = invited(&house, "minsu").await;
    let mut desk = Browser::at(&house);
    let setup = desk.open(&format!("/admin/setup?token={word}")).await;
    desk.send("/admin/setup", &setup, &[("token", &word), ("password", crate::visitors::PASSWORD)]).await;
    let path = format!("/en/admin/contacts/{id}");
    let one = desk.open(&path).await;
    let refused = desk.send(&path, &one, &fields).await;
    assert!(refused.status == 409 && refused.text.matches("role=\"alert\"").count() == 1, "{}", refused.text);
}

#[tokio::test]
async fn they_are_made_seen_and_ended_on_the_pages_of_the_customer_and_of_the_desk() {
    let house = House::open().await;
    let (track, id) = received(&house).await;
    let own = track.trim_start_matches("/api").to_owned();
    let mut customer = Browser::at(&house);
    let page = customer.open(&own).await;
    assert!(page.text.contains("공유 링크"), "{}", page.text);
    let early = [("act", "share"), ("until", "2020-01-01"), ("label", "동업자")];
    let refused = customer.send(&own, &page, &early).await;
    assert!(refused.status == 422 && refused.text.contains("id=\"until-fault\""), "{}", refused.text);
    assert!(refused.text.contains("value=\"동업자\"") && refused.text.contains("value=\"2020-01-01\""));
    let until = in_days(&house, 3);
    let good = [("act", "share"), ("until", until.as_str()), ("label", "<b>동업자")];
    for _ in 0..2 {
        let done = customer.send(&own, &refused, &good).await;
        assert_eq!(leads_to(&done), (303, format!("{own}?saved=share#shares").as_str()), "{}", done.text);
    }
    let told = customer.open(&format!("{own}?saved=share")).await;
    assert!(told.text.contains("role=\"status\">공유 링크를 만들었습니다."), "{}", told.text);
    assert!(told.text.contains(&format!("action=\"{own}\"")), "{}", told.text);
    assert_eq!(listed(&house, &track).await.len(), 1, "sent twice, it is made once");
    let page = customer.open(&own).await;
    assert!(page.text.contains("&#60;b&#62;동업자") && page.text.contains("아직 열리지 않음"), "{}", page.text);
    let link = page.text.split_once("/shared/").unwrap().1.split('"').next().unwrap().to_owned();
    assert_eq!(Browser::at(&house).open(&format!("/shared/{link}")).await.status, 200);
    assert!(customer.open(&own).await.text.contains("마지막으로 열린 때"));

    let word = invited(&house, "minsu").await;
    let mut desk = Browser::at(&house);
    let setup = desk.open(&format!("/admin/setup?token={word}")).await;
    desk.send("/admin/setup", &setup, &[("token", &word), ("password", crate::visitors::PASSWORD)]).await;
    let path = format!("/admin/contacts/{id}");
    let one = desk.open(&path).await;
    assert!(one.text.contains("&#60;b&#62;동업자"), "{}", one.text);
    let share = value_of(&one.text, "share");
    let (shared, ended) = (format!("{path}?saved=share#shares"), format!("{path}?saved=unshare#shares"));
    assert_eq!(leads_to(&desk.send(&path, &one, &[("act", "share"), ("until", &until)]).await), (303, shared.as_str()));
    let unshare = [("act", "unshare"), ("share", share.as_str())];
    for _ in 0..2 {
        let done = desk.send(&path, &one, &unshare).await;
        assert_eq!(leads_to(&done), (303, ended.as_str()), "one that has ended is ended: {}", done.text);
    }
    let told = desk.open(&ended).await;
    assert!(told.text.contains("role=\"status\">공유 링크를 끝냈습니다."), "{}", told.text);
    assert_eq!(told.text.matches("role=\"status\"").count(), 1, "{}", told.text);
    assert_eq!(desk.send(&path, &one, &[("act", "share")]).await.status, 422);
    let left = listed(&house, &track).await;
    assert_eq!((left.len(), &left[0]["by"]), (1, &json!("admin")));
    let page = customer.open(&own).await;
    assert!(page.text.contains("가게에서 만듦"), "{}", page.text);
    let mut unsealed = customer.open(&own).await;
    let seal = value_of(&unsealed.text, "_seal");
    unsealed.text = unsealed.text.replace(&seal, &"0".repeat(seal.len()));
    let share = value_of(&page.text, "share");
    assert_eq!(customer.send(&own, &unsealed, &[("act", "unshare"), ("share", &share)]).await.status, 403);
    let ended = format!("{own}?saved=unshare#shares");
    for _ in 0..2 {
        let done = customer.send(&own, &page, &[("act", "unshare"), ("share", &share)]).await;
        assert_eq!(leads_to(&done), (303, ended.as_str()), "the customer ends any of them, also from another page");
    }
    assert_eq!(listed(&house, &track).await.len(), 0);
}

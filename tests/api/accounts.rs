//! Accounts of customers: registered by mail, signed in and out, and what strangers learn of them.

use chrono::Duration;
use reqwest::Method;
use serde_json::{Value, json};

use crate::house::{Answer, Caller, House, answer};
use crate::visitors::{PASSWORD, Visitor, last_mail, word_of_the_last_mail};

const ACCOUNT: &str = "/api/account";
const SIGN_IN: &str = "/api/account/sign-in";
const REGISTER: &str = "/api/account/register";
const FORGOTTEN: &str = "/api/account/forgotten";
const BY_LINK: &str = "/api/account/password";

#[tokio::test]
async fn a_customer_registers_by_mail_signs_in_and_out_and_sees_its_own_account() {
    let house = House::open().await;
    let begun = Visitor::registered(&house, "Jiwoo@example.com").await;
    let account = begun.get(ACCOUNT).await.ok();
    assert_eq!(
        (account["mail"].as_str(), account["profile"]["language"].as_str()),
        (Some("Jiwoo@example.com"), Some("en"))
    );
    begun.put(ACCOUNT, json!({"name": "지우", "language": "ko"})).await.ok();
    let sent = json!({"mail": "jiwoo@EXAMPLE.com", "password": PASSWORD, "next": "/orders?from=mail"});
    let signed_in = house.passer_by().post(SIGN_IN, sent).await;
    assert_eq!(signed_in.ok()["next"], "/orders?from=mail");
    let line = signed_in.header("set-cookie");
    assert!(line.starts_with("hanok=") && line.contains("HttpOnly") && line.contains("SameSite=Lax"), "{line}");
    assert!(line.contains("Path=/") && !line.contains("Secure"), "{line}");
    let other = Visitor::of(&house, &signed_in);
    assert_eq!(other.get(ACCOUNT).await.ok()["profile"]["name"], "지우");
    let ended = other.post("/api/account/sign-out", Value::Null).await;
    assert!(ended.header("set-cookie").contains("Max-Age=0"), "{ended:?}");
    other.get(ACCOUNT).await.refused(401, "UNAUTHORIZED");
    begun.get(ACCOUNT).await.ok();
}

#[tokio::test]
async fn behind_an_address_of_tls_the_cookie_is_kept_to_it_and_no_other_name_is_taken() {
    let mut house = House::open().await;
    let cookie = Visitor::registered(&house, "jiwoo@example.com").await.cookie;
    house.config.site.address = "https://shop.example".to_owned();
    let house = house.restart().await;
    let signed_in = house.passer_by().post(SIGN_IN, json!({"mail": "jiwoo@example.com", "password": PASSWORD})).await;
    let line = signed_in.header("set-cookie");
    assert!(line.starts_with("__Host-hanok=") && line.contains("Secure"), "{line}");
    let with = |cookie: String| answer(house.passer_by().request(Method::GET, ACCOUNT).header("cookie", cookie));
    with(line.split(';').next().unwrap().to_owned()).await.ok();
    with(cookie).await.refused(401, "UNAUTHORIZED");
    with(line.replace("__Host-", "")).await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn a_sign_in_draws_a_new_session_and_ends_the_one_that_the_browser_came_with() {
    let house = House::open().await;
    let begun = Visitor::registered(&house, "jiwoo@example.com").await;
    let sent = json!({"mail": "jiwoo@example.com", "password": PASSWORD});
    let again = Visitor::of(&house, &begun.post(SIGN_IN, sent.clone()).await);
    assert_ne!(begun.cookie, again.cookie);
    begun.get(ACCOUNT).await.refused(401, "UNAUTHORIZED");
    let planted = house.passer_by().request(Method::POST, SIGN_IN).header("cookie", "hanok=planted").json(&sent);
    let signed_in = Visitor::of(&house, &answer(planted).await);
    assert!(!signed_in.cookie.contains("planted"), "{}", signed_in.cookie);
    assert_eq!(signed_in.get("/api/account/sessions").await.ok()["sessions"].as_array().unwrap().len(), 2);
}

/// What a stranger sees of an answer.
fn seen(answer: &Answer) -> (u16, Value, Vec<String>) {
    let mut body = answer.json();
    if let Some(body) = body.as_object_mut() {
        body.remove("request_id");
    }
    let names = answer.headers.keys().map(|name| name.as_str().to_owned()).collect();
    (answer.status.as_u16(), body, names)
}

#[tokio::test]
async fn nobody_who_asks_learns_who_has_an_account() {
    let house = House::open().await;
    Visitor::registered(&house, "jiwoo@example.com").await;
    let stranger = house.passer_by();
    for route in [REGISTER, FORGOTTEN] {
        let there = stranger.post(route, json!({"mail": "jiwoo@example.com", "language": "en"})).await;
        assert!(last_mail(&house).await.contains("/account/password?token="));
        let nobody = stranger.post(route, json!({"mail": "nobody@example.com", "language": "en"})).await;
        assert!(last_mail(&house).await.contains("/account/password?token="), "a mail goes out all the same");
        assert_eq!((seen(&there), there.status.as_u16()), (seen(&nobody), 202));
    }
    let wrong = |mail: &str| {
        let sent = json!({"mail": mail, "password": "another one"});
        async move { stranger.post(SIGN_IN, sent).await }
    };
    let (there, nobody) = (wrong("jiwoo@example.com").await, wrong("nobody@example.com").await);
    assert_eq!(seen(&there), seen(&nobody));
    there.refused(401, "UNAUTHORIZED");
    // Both are held back after as many tries.
    let mut tried = Vec::new();
    for mail in ["jiwoo@example.com", "nobody@example.com"] {
        let mut statuses = Vec::new();
        for _ in 0..4 {
            house.clock.set(house.clock.now() + Duration::minutes(16));
            statuses.push(wrong(mail).await.status.as_u16());
        }
        tried.push(statuses);
    }
    assert_eq!(tried[0], tried[1]);
}

#[tokio::test]
async fn guessing_a_password_is_slowed_down_for_the_account_and_for_the_address() {
    let house = House::open_with(|config| config.http.trusted_proxies = vec!["127.0.0.1".parse().unwrap()]).await;
    Visitor::registered(&house, "jiwoo@example.com").await;
    let guess = |from: &str, mail: &str, password: &str| {
        let sent = json!({"mail": mail, "password": password});
        answer(house.passer_by().request(Method::POST, SIGN_IN).header("x-forwarded-for", from).json(&sent))
    };
    guess("192.0.2.200", "jiwoo@example.com", PASSWORD).await.ok();
    for try_of in 1..=5 {
        guess(&format!("192.0.2.{try_of}"), "jiwoo@example.com", "wrong").await.refused(401, "UNAUTHORIZED");
    }
    let held = guess("192.0.2.6", "jiwoo@example.com", PASSWORD).await;
    held.refused(429, "RATE_LIMITED");
    assert!(held.header("retry-after").parse::<u64>().is_ok_and(|seconds| seconds > 0));
    guess("192.0.2.200", "jiwoo@example.com", PASSWORD).await.ok();
    for account in 1..=5 {
        guess("198.51.100.1", &format!("a{account}@example.com"), "wrong").await.refused(401, "UNAUTHORIZED");
    }
    guess("198.51.100.1", "a6@example.com", "wrong").await.refused(429, "RATE_LIMITED");
}

#[tokio::test]
async fn a_mail_is_written_so_often_and_no_more_to_one_address() {
    let house = House::open().await;
    for _ in 0..5 {
        assert_eq!(house.passer_by().post(FORGOTTEN, json!({"mail": "jiwoo@example.com"})).await.status, 202);
    }
    house.passer_by().post(FORGOTTEN, json!({"mail": "JIWOO@example.com"})).await.refused(429, "RATE_LIMITED");
    assert_eq!(house.household().get("/api/system/mail").await.ok()["total"], 5);
}

#[tokio::test]
async fn a_link_of_a_mail_sets_a_password_once_and_signs_every_other_device_out() {
    let house = House::open().await;
    let before = Visitor::registered(&house, "jiwoo@example.com").await;
    house.passer_by().post(FORGOTTEN, json!({"mail": "jiwoo@example.com"})).await.ok();
    let first = word_of_the_last_mail(&house).await;
    house.passer_by().post(FORGOTTEN, json!({"mail": "jiwoo@example.com"})).await.ok();
    let second = word_of_the_last_mail(&house).await;
    assert_ne!(first, second);
    let set = |word: &str| {
        let (stranger, sent) = (house.passer_by(), json!({"token": word, "password": "a new one, long"}));
        async move { stranger.post(BY_LINK, sent).await }
    };
    let after = Visitor::of(&house, &set(&second).await);
    before.get(ACCOUNT).await.refused(401, "UNAUTHORIZED");
    after.get(ACCOUNT).await.ok();
    for used in [&second, &first] {
        set(used).await.refused(404, "NOT_FOUND");
    }
    let old = json!({"mail": "jiwoo@example.com", "password": PASSWORD});
    house.passer_by().post(SIGN_IN, old).await.refused(401, "UNAUTHORIZED");
    house.passer_by().post(FORGOTTEN, json!({"mail": "jiwoo@example.com"})).await.ok();
    let late = word_of_the_last_mail(&house).await;
    house.clock.set(house.clock.now() + Duration::hours(1));
    set(&late).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn nobody_sets_a_password_for_an_address_whose_mail_they_cannot_read() {
    let house = House::open().await;
    let stranger = house.passer_by();
    stranger
        .post(REGISTER, json!({"mail": "jiwoo@example.com", "password": PASSWORD}))
        .await
        .refused(422, "INVALID_INPUT");
    stranger.post(REGISTER, json!({"mail": "jiwoo@example.com"})).await.ok();
    // Before its mail is read there is nobody to sign in as.
    let sent = json!({"mail": "jiwoo@example.com", "password": PASSWORD});
    stranger.post(SIGN_IN, sent).await.refused(401, "UNAUTHORIZED");
    for word in ["", "guess", "guess.guess"] {
        let refused = stranger.post(BY_LINK, json!({"token": word, "password": PASSWORD})).await;
        assert!([404, 422].contains(&refused.status.as_u16()), "{refused:?}");
    }
}

#[tokio::test]
async fn a_customer_finds_and_ends_its_own_devices_and_nobody_else_s() {
    let house = House::open().await;
    let (own, foreign) =
        (Visitor::registered(&house, "a@example.com").await, Visitor::registered(&house, "b@example.com").await);
    let phone = Visitor::signed_in(&house, "a@example.com").await;
    let ids = |listed: Value| -> Vec<u64> {
        listed["sessions"].as_array().unwrap().iter().map(|session| session["id"].as_u64().unwrap()).collect()
    };
    let listed = own.get("/api/account/sessions").await.ok();
    assert_eq!(listed["sessions"].as_array().unwrap().iter().filter(|session| session["current"] == true).count(), 1);
    let (own_ids, foreign_ids) = (ids(listed), ids(foreign.get("/api/account/sessions").await.ok()));
    assert_eq!((own_ids.len(), foreign_ids.len()), (2, 1));
    let end = |id: u64| format!("/api/account/sessions/{id}");
    own.delete(&end(foreign_ids[0])).await.refused(404, "NOT_FOUND");
    own.delete(&end(own_ids[0])).await.ok();
    phone.get(ACCOUNT).await.refused(401, "UNAUTHORIZED");
    let tablet = Visitor::signed_in(&house, "a@example.com").await;
    own.delete("/api/account/sessions").await.ok();
    tablet.get(ACCOUNT).await.refused(401, "UNAUTHORIZED");
    own.get(ACCOUNT).await.ok();
    foreign.get(ACCOUNT).await.ok();
}

#[tokio::test]
async fn another_password_asks_for_the_present_one_and_a_removed_account_opens_nothing_and_can_be_made_anew() {
    let house = House::open().await;
    let own = Visitor::registered(&house, "jiwoo@example.com").await;
    let phone = Visitor::signed_in(&house, "jiwoo@example.com").await;
    let change = |present: &str| json!({"present": present, "password": "a new one, long"});
    own.put(BY_LINK, change("wrong")).await.refused(403, "FORBIDDEN");
    phone.get(ACCOUNT).await.ok();
    own.put(BY_LINK, change(PASSWORD)).await.ok();
    phone.get(ACCOUNT).await.refused(401, "UNAUTHORIZED");
    assert!(last_mail(&house).await.contains("Your password was changed"));
    let id = own.get(ACCOUNT).await.ok()["id"].clone();
    own.post("/api/account/remove", json!({"password": PASSWORD})).await.refused(403, "FORBIDDEN");
    own.post("/api/account/remove", json!({"password": "a new one, long"})).await.ok();
    own.get(ACCOUNT).await.refused(401, "UNAUTHORIZED");
    let anew = Visitor::registered(&house, "jiwoo@example.com").await;
    assert_ne!(anew.get(ACCOUNT).await.ok()["id"], id);
}

#[tokio::test]
async fn a_session_of_a_customer_who_is_not_there_any_more_opens_nothing() {
    let house = House::open().await;
    let own = Visitor::registered(&house, "jiwoo@example.com").await;
    let address = "192.0.2.7".parse().unwrap();
    let write = house
        .appliance
        .app()
        .data
        .store
        .write(move |tx| hanok::platform::auth::CUSTOMERS.begin(tx, "nobody", None, "a phone", address));
    let of_nobody = write.await.unwrap();
    let request = house.passer_by().request(Method::GET, ACCOUNT).header("cookie", format!("hanok={of_nobody}"));
    assert_eq!(answer(request).await.status, 401);
    own.get(ACCOUNT).await.ok();
}

#[tokio::test]
async fn a_sign_in_leads_to_no_other_site() {
    let house = House::open().await;
    Visitor::registered(&house, "jiwoo@example.com").await;
    for next in ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)", ""] {
        let sent = json!({"mail": "jiwoo@example.com", "password": PASSWORD, "next": next});
        assert_eq!(house.passer_by().post(SIGN_IN, sent).await.ok()["next"], "/", "{next}");
    }
}

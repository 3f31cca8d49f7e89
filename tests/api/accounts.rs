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

/// Whether a proxy that is believed brings them from other addresses.
fn behind_a_proxy(config: &mut hanok::platform::config::Config) {
    config.http.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
}

#[tokio::test]
async fn guessing_a_password_is_slowed_down_for_who_guesses_and_for_nobody_else() {
    let house = House::open_with(behind_a_proxy).await;
    Visitor::registered(&house, "jiwoo@example.com").await;
    Visitor::registered(&house, "hajun@example.com").await;
    let guess = |from: &str, mail: &str, password: &str| {
        let sent = json!({"mail": mail, "password": password});
        answer(house.passer_by().request(Method::POST, SIGN_IN).header("x-forwarded-for", from).json(&sent))
    };
    for _ in 0..5 {
        guess("192.0.2.1", "jiwoo@example.com", "wrong").await.refused(401, "UNAUTHORIZED");
    }
    let held = guess("192.0.2.1", "jiwoo@example.com", PASSWORD).await;
    held.refused(429, "RATE_LIMITED");
    assert!(held.header("retry-after").parse::<u64>().is_ok_and(|seconds| seconds > 0));
    guess("192.0.2.200", "jiwoo@example.com", PASSWORD).await.ok();
    guess("192.0.2.1", "hajun@example.com", PASSWORD).await.ok();
}

#[tokio::test]
async fn who_asks_for_mails_to_somebody_else_waits_and_the_owner_of_the_address_does_not() {
    let house = House::open_with(behind_a_proxy).await;
    let ask = |from: &str, mail: &str| {
        let sent = json!({"mail": mail});
        answer(house.passer_by().request(Method::POST, FORGOTTEN).header("x-forwarded-for", from).json(&sent))
    };
    for _ in 0..5 {
        assert_eq!(ask("192.0.2.1", "jiwoo@example.com").await.status, 202);
    }
    ask("192.0.2.1", "JIWOO@example.com").await.refused(429, "RATE_LIMITED");
    assert_eq!(ask("192.0.2.2", "jiwoo@example.com").await.status, 202);
    assert_eq!(ask("192.0.2.1", "hajun@example.com").await.status, 202, "nor others behind the same address");
    let written = async || house.household().get("/api/system/mail").await.ok()["total"].as_u64().unwrap();
    assert_eq!(written().await, 7);
    // Whoever has more addresses reaches what one gets in a day, and hears nothing of it.
    for number in 3..=10 {
        for _ in 0..4 {
            assert_eq!(ask(&format!("192.0.2.{number}"), "jiwoo@example.com").await.status, 202);
        }
    }
    assert_eq!(written().await, 31);
}

#[tokio::test]
async fn a_link_of_a_mail_begins_with_nothing_that_a_request_says() {
    let house = House::open_with(|config| config.site.hosts = vec!["shop.lan".to_owned()]).await;
    let sent = json!({"mail": "a@example.com", "language": "en"});
    let ask = |host: &str| answer(house.passer_by().request(Method::POST, FORGOTTEN).header("host", host).json(&sent));
    assert_eq!(ask("shop.lan:4444").await.status, 202);
    let mail = last_mail(&house).await;
    let link = format!("http://{}/en/account/password?token=", house.appliance.site_address());
    assert!(mail.contains(&link) && !mail.contains("shop.lan"), "{mail}");
    ask("127.0.0.1:1").await.refused(403, "FOREIGN_ORIGIN");
    let open = House::open_with(|config| config.site.listen = "0.0.0.0:0".parse().unwrap()).await;
    for route in [REGISTER, FORGOTTEN] {
        let sent = open.passer_by().request(Method::POST, route).header("host", "192.168.7.7");
        let refused = answer(sent.json(&json!({"mail": "jiwoo@example.com"}))).await;
        refused.refused(503, "NOT_CONFIGURED");
        assert!(refused.text.contains("site.address"), "{refused:?}");
    }
    assert_eq!(open.household().get("/api/system/mail").await.ok()["total"], 0);
}

#[tokio::test]
async fn a_registration_link_does_nothing_where_an_account_stands_however_its_address_is_written() {
    let house = House::open().await;
    house.passer_by().post(REGISTER, json!({"mail": "Bob@example.com", "language": "en"})).await.ok();
    let other = word_of_the_last_mail(&house).await;
    let own = Visitor::registered(&house, "bob@example.com").await;
    let set = |word: String| {
        let (stranger, sent) =
            (house.passer_by(), json!({"token": word, "password": "a new one, long", "name": "Eve"}));
        async move { stranger.post(BY_LINK, sent).await }
    };
    set(other).await.refused(404, "NOT_FOUND");
    // One that was written before, to the address as it was spelled.
    let write = house.appliance.app().data.store.write(|tx| {
        let purpose = hanok::platform::auth::Purpose::new("account_registration");
        hanok::platform::auth::add_link(tx, purpose, "BOB@example.com", "ko", Duration::hours(24))
    });
    let (_, word) = write.await.unwrap();
    let refused = set(word.clone()).await;
    refused.refused(409, "CONFLICT");
    assert!(refused.json()["message"].as_str().unwrap().contains("has an account by now"), "{refused:?}");
    let page = house.passer_by().get(&format!("/en/account/password?token={word}")).await;
    assert_eq!(page.status, 409);
    assert!(
        page.text.contains("already an account with this email address") && page.text.contains("/account/forgotten"),
        "{}",
        page.text
    );
    assert_eq!(own.get(ACCOUNT).await.ok()["profile"]["name"], "");
    Visitor::signed_in(&house, "bob@example.com").await;
}

#[tokio::test]
async fn a_password_that_was_set_anew_is_told_by_mail() {
    let house = House::open().await;
    Visitor::registered(&house, "jiwoo@example.com").await;
    assert!(!last_mail(&house).await.contains("was changed"), "a new account has changed nothing");
    house.passer_by().post(FORGOTTEN, json!({"mail": "jiwoo@example.com"})).await.ok();
    let new = json!({"token": word_of_the_last_mail(&house).await, "password": "a new one, long"});
    house.passer_by().post(BY_LINK, new).await.ok();
    assert!(last_mail(&house).await.contains("Your password was changed"));
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

#[tokio::test]
async fn an_account_is_ended_once_and_by_nobody_whose_session_is_over_meanwhile() {
    let house = House::open().await;
    let own = Visitor::registered(&house, "jiwoo@example.com").await;
    let remove = || own.post("/api/account/remove", json!({"password": PASSWORD}));
    let (one, other) = tokio::join!(remove(), remove());
    let statuses = [one.status.as_u16(), other.status.as_u16()];
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
    assert!(statuses.iter().all(|status| [200, 401, 403, 404].contains(status)), "{statuses:?}");
}

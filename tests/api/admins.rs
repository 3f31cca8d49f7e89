//! Those who keep the shop: invited on the command line, signed in by a session of their own, and what is noted of it.

use chrono::Duration;
use hanok::appliance::domains;
use hanok::base::Kind;
use hanok::platform::domain::Words;
use reqwest::Method;
use serde_json::{Value, json};

use crate::house::{Answer, Caller, House, answer};
use crate::visitors::{PASSWORD, Visitor};

const SESSION: &str = "/api/admin/session";
const SIGN_IN: &str = "/api/admin/sign-in";
const SETUP: &str = "/api/admin/setup";

/// What `hanok admin VERB NAME` gives.
pub async fn said(house: &House, verb: &str, name: &str) -> hanok::base::Result<Value> {
    let verb = domains::verb("admin", verb).unwrap();
    let words: Words = [("NAME", name.to_owned())].into_iter().collect();
    (verb.run)(house.appliance.app().clone(), words).await
}

pub async fn invited(house: &House, name: &str) -> String {
    let link = said(house, "create", name).await.unwrap()["link"].as_str().unwrap().to_owned();
    link.split_once("/admin/setup?token=").unwrap().1.to_owned()
}

pub async fn set_up(house: &House, word: &str) -> Answer {
    house.passer_by().post(SETUP, json!({"token": word, "password": PASSWORD})).await
}

#[tokio::test]
async fn an_admin_is_invited_on_the_command_line_and_signs_in_with_a_session_of_its_own() {
    let house = House::open().await;
    let word = invited(&house, "minsu").await;
    let begun = set_up(&house, &word).await;
    let line = begun.header("set-cookie");
    assert!(
        line.starts_with("hanok-admin=") && line.contains("HttpOnly") && line.contains("SameSite=Strict"),
        "{line}"
    );
    let first = Visitor::of(&house, &begun);
    assert_eq!(first.get(SESSION).await.ok()["name"], "minsu");
    set_up(&house, &word).await.refused(404, "NOT_FOUND");
    let sign_in = |password: &str| {
        let (stranger, sent) = (house.passer_by(), json!({"name": "minsu", "password": password}));
        async move { stranger.post(SIGN_IN, sent).await }
    };
    sign_in("another one").await.refused(401, "UNAUTHORIZED");
    let second = Visitor::of(&house, &sign_in(PASSWORD).await);
    assert_eq!(second.get("/api/admin/sessions").await.ok()["sessions"].as_array().unwrap().len(), 2);
    second.post("/api/admin/sign-out", Value::Null).await.ok();
    second.get(SESSION).await.refused(401, "UNAUTHORIZED");
    let audit = first.get("/api/admin/audit").await.ok();
    let deeds: Vec<&str> =
        audit["notes"].as_array().unwrap().iter().map(|noted| noted["deed"].as_str().unwrap()).collect();
    assert_eq!(deeds, ["signed_out", "signed_in", "password_set", "invited"]);
    assert_eq!((&audit["total"], &audit["notes"][3]["address"]), (&json!(4), &Value::Null));
}

#[tokio::test]
async fn a_link_to_the_desk_leads_to_where_the_door_is_and_none_is_made_where_nobody_knows_that() {
    let house = House::open().await;
    let link = said(&house, "create", "minsu").await.unwrap()["link"].as_str().unwrap().to_owned();
    let door = format!("http://{}/admin/setup?token=", house.appliance.site_address());
    assert!(link.starts_with(&door), "{link}");
    let open = House::open_with(|config| config.site.listen = "0.0.0.0:0".parse().unwrap()).await;
    let refused = said(&open, "create", "minsu").await.unwrap_err();
    assert!(refused.kind == Kind::NotConfigured && refused.to_string().contains("site.address"), "{refused}");
}

#[tokio::test]
async fn no_session_of_one_kind_and_no_word_of_one_purpose_is_taken_for_another() {
    let house = House::open().await;
    let word = invited(&house, "minsu").await;
    let customer = Visitor::registered(&house, "jiwoo@example.com").await;
    let as_password = json!({"token": word, "password": PASSWORD});
    house.passer_by().post("/api/account/password", as_password).await.refused(404, "NOT_FOUND");
    let admin = Visitor::of(&house, &set_up(&house, &word).await);
    let with =
        |path: &str, cookie: String| answer(house.passer_by().request(Method::GET, path).header("cookie", cookie));
    let (of_customer, of_admin) = (customer.cookie.replace("hanok=", ""), admin.cookie.replace("hanok-admin=", ""));
    for cookie in [format!("hanok-admin={of_customer}"), customer.cookie.clone(), format!("hanok-admin={word}")] {
        with(SESSION, cookie).await.refused(401, "UNAUTHORIZED");
    }
    for cookie in [format!("hanok={of_admin}"), admin.cookie.clone(), format!("hanok={word}")] {
        with("/api/account", cookie).await.refused(401, "UNAUTHORIZED");
    }
    let bearer = house.passer_by().request(Method::GET, SESSION).bearer_auth(&of_admin);
    answer(bearer).await.refused(401, "UNAUTHORIZED");
    let asked = house.passer_by().post("/api/account/forgotten", json!({"mail": "jiwoo@example.com"})).await;
    assert_eq!(asked.status, 202);
    let of_mail = crate::visitors::word_of_the_last_mail(&house).await;
    set_up(&house, &of_mail).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn an_invitation_ends_after_a_day_with_the_next_one_and_with_the_admin() {
    let house = House::open().await;
    let first = invited(&house, "minsu").await;
    let second = invited(&house, "minsu").await;
    set_up(&house, &first).await.refused(404, "NOT_FOUND");
    let admin = Visitor::of(&house, &set_up(&house, &second).await);
    let forgotten = invited(&house, "minsu").await;
    house.clock.set(house.clock.now() + Duration::days(1));
    set_up(&house, &forgotten).await.refused(404, "NOT_FOUND");
    let anew = invited(&house, "minsu").await;
    let listed = said(&house, "list", "").await.unwrap();
    assert_eq!(listed["admins"][0]["name"], "minsu");
    said(&house, "remove", "minsu").await.unwrap();
    admin.get(SESSION).await.refused(401, "UNAUTHORIZED");
    set_up(&house, &anew).await.refused(404, "NOT_FOUND");
    assert!(said(&house, "remove", "minsu").await.is_err());
    for name in ["", "min su", "min\nsu", &"a".repeat(51)] {
        assert!(said(&house, "create", name).await.is_err(), "{name}");
    }
}

#[tokio::test]
async fn nobody_learns_who_keeps_the_shop_and_guessing_is_slowed_down() {
    let house = House::open().await;
    Visitor::of(&house, &set_up(&house, &invited(&house, "minsu").await).await);
    let guess = |name: &str| {
        let (stranger, sent) = (house.passer_by(), json!({"name": name, "password": "another one"}));
        async move { stranger.post(SIGN_IN, sent).await }
    };
    let (there, nobody) = (guess("minsu").await, guess("nobody").await);
    assert_eq!((there.status, there.json()["message"].clone()), (nobody.status, nobody.json()["message"].clone()));
    for _ in 0..4 {
        guess("minsu").await.refused(401, "UNAUTHORIZED");
    }
    guess("minsu").await.refused(429, "RATE_LIMITED");
}

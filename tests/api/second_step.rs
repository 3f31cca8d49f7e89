//! The second step of an admin's sign-in: codes of a phone, each good once, and recovery codes for who has lost it.

use chrono::Duration;
use reqwest::Method;
use serde_json::{Value, json};
use totp_rs::Totp;

use crate::admins::{invited, said, set_up};
use crate::forms::{Browser, leads_to, value_of};
use crate::house::{Answer, Caller, House, answer};
use crate::visitors::{PASSWORD, Visitor};

const STEP: &str = "/api/admin/second-step";
const SIGN_IN: &str = "/api/admin/sign-in";
const CODE: &str = "/api/admin/sign-in/code";

/// A phone that has taken what the house gave.
struct Phone(Totp);

impl Phone {
    fn of(address: &str) -> Phone {
        Phone(Totp::from_url_unchecked(address).unwrap())
    }

    /// What it shows now.
    fn code(&self, house: &House) -> String {
        self.0.generate(house.clock.now().timestamp() as u64).to_string()
    }

    /// What it shows once the next code is there.
    fn next_code(&self, house: &House) -> String {
        house.clock.set(house.clock.now() + Duration::seconds(30));
        self.code(house)
    }

    /// What it never shows about now.
    fn wrong(&self, house: &House) -> String {
        let now = house.clock.now().timestamp() as u64;
        let near = [now - 30, now, now + 30].map(|at| self.0.generate(at).to_string());
        ["000000", "111111", "222222", "333333"]
            .into_iter()
            .find(|code| !near.iter().any(|known| known == code))
            .unwrap()
            .to_owned()
    }
}

/// An admin whose sign-in asks for a code, the phone, and the recovery codes.
async fn with_a_phone<'a>(house: &'a House, name: &str) -> (Visitor<'a>, Phone, Vec<String>) {
    let admin = Visitor::of(house, &set_up(house, &invited(house, name).await).await);
    let begun = admin.post(STEP, json!({"password": PASSWORD})).await.ok();
    let phone = Phone::of(begun["address"].as_str().unwrap());
    let shown = json!({"token": begun["token"], "code": phone.code(house)});
    let confirmed = admin.post(&format!("{STEP}/confirm"), shown).await.ok();
    let codes = confirmed["recovery_codes"].as_array().unwrap();
    let codes = codes.iter().map(|code| code.as_str().unwrap().to_owned()).collect();
    (admin, phone, codes)
}

/// Somebody who has shown the name and the password.
async fn half_way<'a>(house: &'a House, name: &str) -> Visitor<'a> {
    let come = house.passer_by().post(SIGN_IN, json!({"name": name, "password": PASSWORD})).await;
    assert_eq!(come.json()["asks_for_code"], true, "{come:?}");
    assert!(!come.header("set-cookie").starts_with("hanok-admin="), "{come:?}");
    Visitor::of(house, &come)
}

async fn typed(visitor: &Visitor<'_>, code: &str) -> Answer {
    visitor.post(CODE, json!({"code": code})).await
}

/// Whether the session cookie of `answer` is one of an admin.
async fn is_in(house: &House, answer: &Answer) -> bool {
    let cookies = answer.headers.get_all("set-cookie").iter().map(|line| line.to_str().unwrap());
    let Some(session) = cookies.filter_map(|line| line.split(';').next()).find(|line| line.starts_with("hanok-admin="))
    else {
        return false;
    };
    let asked = house.passer_by().request(Method::GET, "/api/admin/session").header("cookie", session);
    crate::house::answer(asked).await.status == 200
}

async fn deeds(admin: &Visitor<'_>) -> Vec<String> {
    let audit = admin.get("/api/admin/audit").await.ok();
    audit["notes"].as_array().unwrap().iter().map(|noted| noted["deed"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn it_counts_once_a_code_confirms_it_and_a_sign_in_asks_for_a_code_from_then_on() {
    let house = House::open().await;
    let admin = Visitor::of(&house, &set_up(&house, &invited(&house, "minsu").await).await);
    let elsewhere =
        Visitor::of(&house, &house.passer_by().post(SIGN_IN, json!({"name": "minsu", "password": PASSWORD})).await);
    assert_eq!(admin.get(STEP).await.ok(), json!({"is_on": false, "since": null, "recovery_codes_left": 0}));
    admin.post(STEP, json!({"password": "another one"})).await.refused(403, "FORBIDDEN");
    let begun = admin.post(STEP, json!({"password": PASSWORD})).await.ok();
    let address = begun["address"].as_str().unwrap();
    assert!(address.starts_with("otpauth://totp/hanok:minsu?secret="), "{address}");
    assert!(begun["picture"].as_str().unwrap().starts_with("<svg "));
    let letters = begun["secret"].as_str().unwrap().replace('-', "");
    assert!(address.contains(&format!("secret={letters}&")), "{address} {letters}");
    // What is only begun asks nobody for anything.
    let come = house.passer_by().post(SIGN_IN, json!({"name": "minsu", "password": PASSWORD})).await.ok();
    assert_eq!(come["asks_for_code"], false);
    let phone = Phone::of(address);
    let confirm = |code: String| {
        let sent = json!({"token": begun["token"], "code": code});
        let admin = &admin;
        async move { admin.post(&format!("{STEP}/confirm"), sent).await }
    };
    confirm(phone.wrong(&house)).await.refused(403, "FORBIDDEN");
    confirm("1234".to_owned()).await.refused(422, "INVALID_INPUT");
    assert_eq!(admin.get(STEP).await.ok()["is_on"], false);
    assert_eq!(confirm(phone.code(&house)).await.ok()["recovery_codes"].as_array().unwrap().len(), 10);
    confirm(phone.next_code(&house)).await.refused(409, "CONFLICT");
    admin.post(STEP, json!({"password": PASSWORD})).await.refused(409, "CONFLICT");
    let seen = admin.get(STEP).await.ok();
    assert_eq!((&seen["is_on"], &seen["recovery_codes_left"]), (&json!(true), &json!(10)));
    elsewhere.get("/api/admin/session").await.refused(401, "UNAUTHORIZED");
    let half = half_way(&house, "minsu").await;
    half.get("/api/admin/session").await.refused(401, "UNAUTHORIZED");
    half.get("/api/admin/contacts").await.refused(401, "UNAUTHORIZED");
    typed(&half, &phone.wrong(&house)).await.refused(401, "UNAUTHORIZED");
    let come = typed(&half, &phone.code(&house)).await;
    assert!(come.status == 200 && is_in(&house, &come).await, "{come:?}");
    assert_eq!(deeds(&admin).await[..2], ["signed_in", "second_step_on"]);
}

#[tokio::test]
async fn a_code_that_was_used_opens_nothing_a_second_time_nor_one_from_before_it() {
    let house = House::open().await;
    let (admin, phone, _) = with_a_phone(&house, "minsu").await;
    // It confirmed the second step, and is used by that.
    typed(&half_way(&house, "minsu").await, &phone.code(&house)).await.refused(401, "UNAUTHORIZED");
    let before = phone.next_code(&house);
    let code = phone.next_code(&house);
    let come = typed(&half_way(&house, "minsu").await, &code).await;
    assert!(is_in(&house, &come).await);
    for used in [&code, &before] {
        typed(&half_way(&house, "minsu").await, used).await.refused(401, "UNAUTHORIZED");
    }
    let off = json!({"password": PASSWORD, "code": code});
    admin.post(&format!("{STEP}/off"), off).await.refused(403, "FORBIDDEN");
    // So long ago no wrong code counts any more.
    house.clock.set(house.clock.now() + Duration::hours(1));
    let both = phone.next_code(&house);
    let (one, other) = (half_way(&house, "minsu").await, half_way(&house, "minsu").await);
    let (first, second) = tokio::join!(typed(&one, &both), typed(&other, &both));
    let mut heard = [first.status.as_u16(), second.status.as_u16()];
    heard.sort_unstable();
    assert_eq!(heard, [200, 401], "at the same time it opens once");
}

#[tokio::test]
async fn each_recovery_code_opens_once_and_new_ones_end_those_before() {
    let house = House::open().await;
    let (admin, phone, codes) = with_a_phone(&house, "minsu").await;
    let come = typed(&half_way(&house, "minsu").await, &codes[0].to_uppercase().replace('-', " ")).await;
    assert!(is_in(&house, &come).await, "{come:?}");
    typed(&half_way(&house, "minsu").await, &codes[0]).await.refused(401, "UNAUTHORIZED");
    assert_eq!(admin.get(STEP).await.ok()["recovery_codes_left"], 9);
    assert_eq!(deeds(&admin).await[..2], ["signed_in", "recovery_code_used"]);
    let change = json!({"password": PASSWORD, "code": phone.next_code(&house)});
    let renewed = admin.post(&format!("{STEP}/codes"), change).await.ok();
    typed(&half_way(&house, "minsu").await, &codes[1]).await.refused(401, "UNAUTHORIZED");
    let come = typed(&half_way(&house, "minsu").await, renewed["recovery_codes"][1].as_str().unwrap()).await;
    assert!(is_in(&house, &come).await);
    assert_eq!(admin.get(STEP).await.ok()["recovery_codes_left"], 9);
}

#[tokio::test]
async fn guessing_codes_is_slowed_down_and_who_has_no_password_cannot_guess_at_all() {
    let house = House::open().await;
    let (_, phone, codes) = with_a_phone(&house, "minsu").await;
    let stranger = house.passer_by();
    let without = answer(stranger.request(Method::POST, CODE).json(&json!({"code": phone.code(&house)}))).await;
    without.refused(401, "UNAUTHORIZED");
    let half = half_way(&house, "minsu").await;
    for _ in 0..5 {
        typed(&half, &phone.wrong(&house)).await.refused(401, "UNAUTHORIZED");
    }
    // A right one waits as well, also by another sign-in.
    typed(&half, &codes[0]).await.refused(429, "RATE_LIMITED");
    typed(&half_way(&house, "minsu").await, &codes[0]).await.refused(429, "RATE_LIMITED");
    house.clock.set(house.clock.now() + Duration::seconds(2));
    typed(&half, &codes[0]).await.ok();
}

#[tokio::test]
async fn the_way_to_the_code_ends_with_its_time_with_its_use_and_with_another_password() {
    let house = House::open().await;
    let (_, phone, codes) = with_a_phone(&house, "minsu").await;
    let late = half_way(&house, "minsu").await;
    house.clock.set(house.clock.now() + Duration::minutes(10));
    typed(&late, &phone.code(&house)).await.refused(401, "UNAUTHORIZED");
    let used = half_way(&house, "minsu").await;
    typed(&used, &phone.code(&house)).await.ok();
    typed(&used, &codes[0]).await.refused(401, "UNAUTHORIZED");
    let before = half_way(&house, "minsu").await;
    // Who has forgotten the password still has the phone to show.
    let come = set_up(&house, &invited(&house, "minsu").await).await;
    assert_eq!(come.json()["asks_for_code"], true, "{come:?}");
    typed(&before, &codes[0]).await.refused(401, "UNAUTHORIZED");
    let come = typed(&Visitor::of(&house, &come), &codes[0]).await;
    assert!(is_in(&house, &come).await);
}

#[tokio::test]
async fn it_is_turned_off_with_password_and_code_and_when_the_phone_is_lost_on_the_command_line() {
    let house = House::open().await;
    let (admin, phone, codes) = with_a_phone(&house, "minsu").await;
    let off = |password: &str, code: &str| {
        let sent = json!({"password": password, "code": code});
        let admin = &admin;
        async move { admin.post(&format!("{STEP}/off"), sent).await }
    };
    off("another one", &codes[0]).await.refused(403, "FORBIDDEN");
    off(PASSWORD, &phone.wrong(&house)).await.refused(403, "FORBIDDEN");
    assert_eq!(admin.get(STEP).await.ok()["is_on"], true);
    off(PASSWORD, &phone.next_code(&house)).await.ok();
    off(PASSWORD, &codes[0]).await.refused(409, "CONFLICT");
    assert_eq!(deeds(&admin).await[0], "second_step_off");
    let come = house.passer_by().post(SIGN_IN, json!({"name": "minsu", "password": PASSWORD})).await.ok();
    assert_eq!(come["asks_for_code"], false);

    let (lost, _, _) = with_a_phone(&house, "jiwoo").await;
    let half = half_way(&house, "jiwoo").await;
    let listed = said(&house, "list", "").await.unwrap();
    let on: Vec<&Value> = listed["admins"].as_array().unwrap().iter().map(|admin| &admin["second_step"]).collect();
    assert_eq!(on, [true, false]);
    assert!(said(&house, "phone-lost", "minsu").await.is_err(), "there is none");
    said(&house, "phone-lost", "jiwoo").await.unwrap();
    lost.get("/api/admin/session").await.refused(401, "UNAUTHORIZED");
    typed(&half, "123456").await.refused(401, "UNAUTHORIZED");
    let anew = house.passer_by().post(SIGN_IN, json!({"name": "jiwoo", "password": PASSWORD})).await;
    assert_eq!(anew.json()["asks_for_code"], false);
    assert_eq!(deeds(&Visitor::of(&house, &anew)).await[..2], ["signed_in", "second_step_taken_off"]);
}

#[tokio::test]
async fn an_admin_who_is_removed_leaves_no_second_step_to_a_namesake() {
    let house = House::open().await;
    let (_, _, _) = with_a_phone(&house, "minsu").await;
    said(&house, "remove", "minsu").await.unwrap();
    let anew = set_up(&house, &invited(&house, "minsu").await).await;
    assert_eq!(anew.json()["asks_for_code"], false);
}

#[tokio::test]
async fn no_word_of_another_purpose_leads_to_the_code_and_no_secret_lies_open_in_the_store() {
    let house = House::open().await;
    let admin = Visitor::of(&house, &set_up(&house, &invited(&house, "minsu").await).await);
    let begun = admin.post(STEP, json!({"password": PASSWORD})).await.ok();
    let phone = Phone::of(begun["address"].as_str().unwrap());
    let secret = begun["secret"].as_str().unwrap().replace('-', "");
    let shown = json!({"token": begun["token"], "code": phone.code(&house)});
    let codes = admin.post(&format!("{STEP}/confirm"), shown).await.ok()["recovery_codes"].clone();
    let half = half_way(&house, "minsu").await;
    let word = half.cookie.split_once('=').unwrap().1.to_owned();
    let other = invited(&house, "jiwoo").await;
    set_up(&house, &word).await.refused(404, "NOT_FOUND");
    for wrong in [other.as_str(), begun["token"].as_str().unwrap(), ""] {
        let cookie = format!("{}={wrong}", half.cookie.split('=').next().unwrap());
        let asked = house.passer_by().request(Method::POST, CODE).header("cookie", cookie);
        answer(asked.json(&json!({"code": phone.next_code(&house)}))).await.refused(401, "UNAUTHORIZED");
    }
    let jiwoo = Visitor::of(&house, &set_up(&house, &other).await);
    let begun = admin.post(STEP, json!({"password": PASSWORD})).await;
    begun.refused(409, "CONFLICT");
    let hers = jiwoo.post(STEP, json!({"password": PASSWORD})).await.ok();
    let stolen = json!({"token": hers["token"], "code": "123456"});
    admin.post(&format!("{STEP}/confirm"), stolen).await.refused(409, "CONFLICT");
    let bytes = std::fs::read(house.appliance.app().config.data.dir.join("hanok.redb")).unwrap();
    let plain = Phone::of(&format!("otpauth://totp/x?secret={secret}")).0.secret().as_bytes().to_vec();
    for open in [
        secret.as_bytes(),
        &plain,
        codes[0].as_str().unwrap().as_bytes(),
        codes[0].as_str().unwrap().replace('-', "").as_bytes(),
    ] {
        assert!(!bytes.windows(open.len()).any(|part| part == open), "it lies open in the store");
    }
}

#[tokio::test]
async fn it_is_turned_on_used_and_turned_off_on_pages_without_scripts() {
    let house = House::open().await;
    let word = invited(&house, "minsu").await;
    let mut browser = Browser::at(&house);
    let setup = browser.open(&format!("/admin/setup?token={word}")).await;
    browser.send("/admin/setup", &setup, &[("token", &word), ("password", PASSWORD)]).await;
    let own = "/admin/second-step";
    let page = browser.open(own).await;
    assert!(page.status == 200 && page.text.contains("꺼짐") && !page.text.contains("<svg"), "{}", page.text);
    let wrong = browser.send(own, &page, &[("act", "begin"), ("password", "another one")]).await;
    assert!(wrong.status == 403 && !wrong.text.contains("<svg"), "{}", wrong.text);
    let beside = |page: &Answer, id: &str| {
        page.text.contains(&format!("id=\"{id}-fault\"")) && page.text.contains(&format!("\"{id}-fault\" autofocus"))
    };
    assert!(beside(&wrong, "password"), "{}", wrong.text);
    let empty = browser.send(own, &wrong, &[("act", "begin")]).await;
    assert!(empty.status == 422 && empty.text.contains("id=\"password-fault\""), "{}", empty.text);
    let first = browser.send(own, &empty, &[("act", "begin"), ("password", PASSWORD)]).await;
    let begun = browser.send(own, &empty, &[("act", "begin"), ("password", PASSWORD)]).await;
    let token = value_of(&first.text, "token");
    let late = browser.send(own, &first, &[("act", "confirm"), ("token", &token), ("code", "123456")]).await;
    assert!(late.status == 409 && late.text.contains("다른 페이지에서 새로 시작했습니다"), "{}", late.text);
    assert!(begun.status == 200 && begun.text.contains("<svg ") && begun.header("cache-control") == "no-store");
    let address = begun.text.split_once("class=\"address\" href=\"").unwrap().1.split('"').next().unwrap();
    let phone = Phone::of(&address.replace("&#38;", "&"));
    assert!(!browser.open(own).await.text.contains("<svg"), "it is shown to who has typed the password alone");
    let token = value_of(&begun.text, "token");
    let wrong = phone.wrong(&house);
    let again = browser.send(own, &begun, &[("act", "confirm"), ("token", &token), ("code", &wrong)]).await;
    assert!(again.status == 403 && again.text.contains(address) && beside(&again, "code"), "{}", again.text);
    let code = phone.code(&house);
    let on = browser.send(own, &again, &[("act", "confirm"), ("token", &token), ("code", &code)]).await;
    assert!(on.status == 200 && on.text.matches("<li><code>").count() == 10, "{}", on.text);
    let reloaded = browser.send(own, &again, &[("act", "confirm"), ("token", &token), ("code", &code)]).await;
    assert!(reloaded.status == 409 && reloaded.text.contains("이미 켜져 있습니다"), "{}", reloaded.text);
    assert!(reloaded.text.contains("켜짐") && !reloaded.text.contains("시간이 지났습니다"), "{}", reloaded.text);
    let recovery = on.text.split_once("<li><code>").unwrap().1.split('<').next().unwrap().to_owned();
    assert!(!browser.open(own).await.text.contains(&recovery), "they are shown once");

    let mut other = Browser::at(&house);
    assert_eq!(leads_to(&other.open("/en/admin/code").await), (303, "/en/admin"));
    let entrance = other.open("/en/admin").await;
    let half = other.send("/en/admin", &entrance, &[("name", "minsu"), ("password", PASSWORD)]).await;
    assert_eq!(leads_to(&half), (303, "/en/admin/code"));
    assert_eq!(other.open("/en/admin/contacts").await.status, 401, "nobody is in yet");
    let page = other.open("/en/admin/code").await;
    assert!(page.status == 200 && page.text.contains("six digits"), "{}", page.text);
    let refused = other.send("/en/admin/code", &page, &[("code", "12 34")]).await;
    assert!(refused.status == 422 && refused.text.contains("id=\"code-fault\""), "{}", refused.text);
    let used = other.send("/en/admin/code", &refused, &[("code", &code)]).await;
    assert!(used.status == 401 && used.text.contains("has already been used"), "{}", used.text);
    assert!(used.text.contains("id=\"code-fault\"") && !used.text.contains("role=\"alert\""), "{}", used.text);
    let mut unsealed = other.open("/en/admin/code").await;
    let seal = value_of(&unsealed.text, "_seal");
    unsealed.text = unsealed.text.replace(&seal, &"0".repeat(seal.len()));
    let next = phone.next_code(&house);
    assert_eq!(other.send("/en/admin/code", &unsealed, &[("code", &next)]).await.status, 403);
    let done = other.send("/en/admin/code", &used, &[("code", &next)]).await;
    assert_eq!(leads_to(&done), (303, "/en/admin/desk"));
    assert_eq!(other.open("/en/admin/contacts").await.status, 200);
    assert_eq!(leads_to(&other.open("/admin/code").await), (303, "/admin"), "what led there is used up");

    let page = browser.open(own).await;
    let wrong =
        browser.send(own, &page, &[("act", "off"), ("password", PASSWORD), ("code", &phone.wrong(&house))]).await;
    assert!(wrong.status == 403 && beside(&wrong, "off-code"), "{}", wrong.text);
    let wrong = browser.send(own, &page, &[("act", "codes"), ("password", "x"), ("code", &recovery)]).await;
    assert!(wrong.status == 403 && beside(&wrong, "codes-password"), "{}", wrong.text);
    let off = [("act", "off"), ("password", PASSWORD), ("code", recovery.as_str())];
    let done = browser.send(own, &page, &off).await;
    assert_eq!(leads_to(&done), (303, "/admin/second-step?saved=off"), "{}", done.text);
    assert!(browser.open("/admin/second-step?saved=off").await.text.contains("껐습니다"));
}

//! Who is not of the household: guessing, stolen words, and what lies on the disk.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use reqwest::Method;
use serde_json::json;

use crate::house::{Caller, House, answer};

const PASSPHRASE: &str = "마당에 핀 살구꽃 다섯 송이";

#[tokio::test]
async fn of_fifty_guesses_at_the_same_time_only_a_few_are_compared() {
    let house = House::open_on_the_network(PASSPHRASE).await;
    let guesses = (0..50).map(|number| {
        let sign_in = json!({"passphrase": format!("guess {number}")});
        tokio::spawn(answer(house.anonymous().request(Method::POST, "/api/household/sign-in").json(&sign_in)))
    });
    let mut statuses = BTreeMap::new();
    for guess in guesses.collect::<Vec<_>>() {
        let answer = guess.await.unwrap();
        if answer.status == 429 {
            answer.refused(429, "RATE_LIMITED");
        }
        *statuses.entry(answer.status.as_u16()).or_insert(0) += 1;
    }
    assert_eq!(statuses, BTreeMap::from([(401, 5), (429, 45)]));
    // The right one has to wait as well: whether a word is right is not told to who guesses.
    let right = house.anonymous().post("/api/household/sign-in", json!({"passphrase": PASSPHRASE})).await;
    right.refused(429, "RATE_LIMITED");
    let wait = right.json()["retry_after"].as_i64().unwrap();
    house.clock.set(house.clock.now() + chrono::Duration::seconds(wait));
    house.signed_in(PASSPHRASE).await;
}

#[tokio::test]
async fn guessing_the_word_of_the_set_up_link_is_slowed_down() {
    let house = House::open().await;
    let mut last = 0;
    for _ in 0..6 {
        let setup = json!({"token": "guess", "passphrase": PASSPHRASE});
        last = house.anonymous().post("/api/household/setup", setup).await.status.as_u16();
    }
    assert_eq!(last, 429);
}

#[tokio::test]
async fn a_session_ends_with_its_sign_out_and_so_do_its_live_events() {
    let house = House::open_on_the_network(PASSPHRASE).await;
    let phone = house.signed_in(PASSPHRASE).await;
    let tablet = house.signed_in(PASSPHRASE).await;
    assert_ne!(phone.cookie_line(), tablet.cookie_line());
    let mut heard = phone.events().await;
    let mut others = tablet.events().await;
    phone.post("/api/household/sign-out", json!({})).await.ok();
    phone.get("/api/todos").await.refused(401, "UNAUTHORIZED");
    heard.until_it_ends().await;
    tablet.post("/api/todos", json!({"title": "우유"})).await.ok();
    others.until("changed", |data| data["what"] == "todos").await;
}

#[tokio::test]
async fn tokens_are_long_and_random_and_never_lie_on_the_disk() {
    let house = House::open_on_the_network(PASSPHRASE).await;
    let mut tokens = Vec::new();
    for _ in 0..3 {
        let signed_in = house.signed_in(PASSPHRASE).await;
        let pair = signed_in.cookie_line().split(';').next().unwrap().to_owned();
        tokens.push(pair.split_once('=').unwrap().1.to_owned());
    }
    let setup = house.setup_word().await;
    for token in &tokens {
        assert!(token.len() >= 43, "256 bits in base64url: {token}");
    }
    tokens.push(setup);
    house.household().request(Method::POST, "/api/system/backups").send().await.unwrap();
    let folder = house.config.data.dir.clone();
    house.appliance.stop().await.unwrap();
    let mut searched = 0;
    for_each_file(&folder, &mut |path, bytes| {
        searched += 1;
        for secret in tokens.iter().map(String::as_bytes).chain([PASSPHRASE.as_bytes()]) {
            assert!(!bytes.windows(secret.len()).any(|part| part == secret), "{} holds a secret", path.display());
        }
    });
    assert!(searched > 0);
}

#[tokio::test]
async fn a_word_of_one_purpose_opens_nothing_else() {
    let house = House::open_on_the_network(PASSPHRASE).await;
    let setup = house.setup_word().await;
    let as_session = house.anonymous().request(Method::GET, "/api/todos");
    answer(as_session.header("cookie", format!("hanok_household={setup}"))).await.refused(401, "UNAUTHORIZED");
    let signed_in = house.signed_in(PASSPHRASE).await;
    let session = signed_in.cookie_line().split([';', '=']).nth(1).unwrap().to_owned();
    let as_setup = json!({"token": session, "passphrase": "다른 암호 하나"});
    house.anonymous().post("/api/household/setup", as_setup).await.refused(401, "UNAUTHORIZED");
    for cookie in ["hanok_household=", "hanok_household", "=;=;=", "hanok_household=\u{1}", "hanok_household=%00%ff"] {
        let Ok(value) = reqwest::header::HeaderValue::from_bytes(cookie.as_bytes()) else { continue };
        let asked = house.anonymous().request(Method::GET, "/api/todos").header("cookie", value);
        answer(asked).await.refused(401, "UNAUTHORIZED");
    }
    let bearer = house.anonymous().request(Method::GET, "/api/todos").bearer_auth(&session);
    answer(bearer).await.refused(401, "UNAUTHORIZED");
    assert_eq!(signed_in.get("/api/todos").await.status, 200, "each word opens what it is for");
}

fn for_each_file(folder: &Path, look: &mut impl FnMut(&Path, &[u8])) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            for_each_file(&path, look);
        } else if path.is_file() {
            look(&path, &fs::read(&path).unwrap());
        }
    }
}

//! What the form of a request offers and refuses: as the owner's settings say it, and to programs that fill in everything.

use reqwest::Method;
use serde_json::{Value, json};

use hanok::site::contact::ContactSettings;

use crate::contact::{CONTACT, kept, track, with};
use crate::house::{Caller, House, answer};

#[tokio::test]
async fn from_one_address_twenty_requests_are_taken_in_an_hour_and_what_programs_fill_in_takes_nobody_s_place() {
    let house = House::open_with(|config| {
        config.set(ContactSettings { per_hour: 21, ..ContactSettings::default() });
        config.http.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    })
    .await;
    let send = |from: &'static str, website: &str| {
        let sent = house.passer_by().request(Method::POST, CONTACT).header("x-forwarded-for", from);
        answer(sent.json(&with(json!({"website": website}))))
    };
    let later = |minutes| house.clock.set(house.clock.now() + chrono::Duration::minutes(minutes));
    for _ in 0..4 {
        for _ in 0..5 {
            send("203.0.113.1", "").await.ok();
            send("203.0.113.2", "https://spam.example").await.ok();
        }
        later(1);
    }
    send("203.0.113.1", "").await.refused(429, "RATE_LIMITED");
    send("203.0.113.3", "").await.ok();
    later(57);
    send("203.0.113.1", "").await.ok();
    assert_eq!(kept(&house), 22, "twenty and two, and no decoy among them");
}

#[tokio::test]
async fn what_fills_in_the_unseen_field_shares_what_it_sent_like_any_other() {
    let house = House::open().await;
    let door = house.passer_by();
    let until = hanok::base::day::of(house.clock.now()).to_string();
    let mut seen = Vec::new();
    for website in ["https://spam.example", ""] {
        let track = track(&door.post(CONTACT, with(json!({"website": website}))).await.ok());
        let shares = format!("{track}/shares");
        let none = door.get(&shares).await.ok();
        let refused = door.post(&shares, json!({"until": "2020-01-01"})).await;
        let made = door.post(&shares, json!({"until": until, "label": "동업자"})).await;
        let (share, word) = (made.ok(), made.json()["share_url"].as_str().unwrap().rsplit('/').next().unwrap().len());
        let shared = share["share_url"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
        let shared = door.get(&format!("/api/shared/{shared}")).await.ok();
        let listed = door.get(&shares).await.ok();
        assert_eq!((&none["shares"], listed["shares"].as_array().unwrap().len()), (&json!([]), 1));
        assert_eq!((&listed["shares"][0]["id"], listed["shares"][0]["used_at"].is_string()), (&share["id"], true));
        let path = format!("{shares}/{}", share["id"].as_str().unwrap());
        let (ended, again) = (door.delete(&path).await.status, door.delete(&path).await.status);
        let fields = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        seen.push((fields(&share), fields(&shared), word, refused.status, made.status, ended, again));
    }
    assert_eq!(seen[0], seen[1], "nothing tells a program that it was taken for one");
}

#[tokio::test]
async fn the_owner_s_settings_say_what_the_form_offers_and_for_how_long_requests_are_kept() {
    let written = "[contact]\nkeep_months = 18\nservices = [\"기와 | Roof tiles\", \"마루|Floors\"]\nproject_types = []\n\
                   budgets = []\ntimelines = []\n";
    let read = |text: &str| hanok::appliance::domains::default_settings().with_file(text);
    let settings = (*read(written).unwrap().section::<ContactSettings>()).clone();
    let house = House::open_with(|config| config.set(settings)).await;
    let (korean, english) = (page(&house, "/contact").await, page(&house, "/en/contact").await);
    assert!(korean.contains("value=\"기와\"") && korean.contains("value=\"마루\"") && !korean.contains("웹사이트"));
    assert!(
        !korean.contains("예산") && korean.contains("3단계 중 %단계"),
        "what has no answers is not asked: {korean}"
    );
    assert!(english.contains("value=\"Roof tiles\"") && english.contains("removed after 18 months"), "{english}");
    assert!(page(&house, "/privacy").await.contains("의뢰: 18개월 뒤에 지웁니다."));
    let received = house.passer_by().post(CONTACT, with(json!({"service": "Roof tiles", "budget": "미정"}))).await.ok();
    let followed = page(&house, &format!("/contact/{}", received["public_token"].as_str().unwrap())).await;
    assert!(followed.contains("<dd>기와</dd>") && followed.contains("<dd>미정</dd>"), "other words stay: {followed}");
    for line in [
        "services = [\"기와\"]",
        "services = \"기와 | Roof tiles\"",
        "budgets = [\"a | b | c\"]",
        "timelines = [\"봄 | Spring\", \"봄 | In spring\"]",
        "keep_months = -1",
    ] {
        let refused = read(&format!("[contact]\n{line}\n")).unwrap_err();
        let key = format!("contact.{}", line.split(' ').next().unwrap());
        assert!(refused.fields[&key].contains("line 2"), "{refused:?}");
    }
}

#[tokio::test]
async fn a_step_of_the_form_is_called_after_what_it_asks() {
    for (left_out, called) in [("budgets", "<legend>일정</legend>"), ("timelines", "<legend>예산</legend>")] {
        let written = format!("[contact]\n{left_out} = []\n");
        let read = hanok::appliance::domains::default_settings().with_file(&written).unwrap();
        let settings = (*read.section::<ContactSettings>()).clone();
        let house = House::open_with(|config| config.set(settings)).await;
        let form = page(&house, "/contact").await;
        assert!(form.contains(called) && !form.contains("예산과 일정"), "{left_out}: {form}");
    }
}

/// A page of the customer site.
async fn page(house: &House, path: &str) -> String {
    house.passer_by().get(path).await.text
}

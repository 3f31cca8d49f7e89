//! The portfolio page by links that end.

use std::fs;

use chrono::{DateTime, Duration, Utc};
use reqwest::Method;
use serde_json::{Value, json};

use crate::admins::{invited, set_up};
use crate::forms::{Browser, leads_to, value_of};
use crate::house::{Answer, Caller, House, answer};
use crate::visitors::{PASSWORD, Visitor};

const TOKEN: &str = "/api/admin/portfolio-token";
const TOKENS: &str = "/api/admin/portfolio-tokens";

async fn admin(house: &House) -> Visitor<'_> {
    Visitor::of(house, &set_up(house, &invited(house, "minsu").await).await)
}

async fn page(house: &House, token: &str) -> Answer {
    Browser::at(house).open(&format!("/portfolio/{token}")).await
}

fn token_of(made: &Value) -> String {
    made["token"].as_str().unwrap().to_owned()
}

/// The owner's text of the portfolio.
fn write(house: &House, name: &str, text: &str) {
    let folder = house.config.data.dir.join("documents");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(name), text).unwrap();
}

#[tokio::test]
async fn whoever_has_a_link_sees_the_portfolio_which_search_engines_do_not_list() {
    let house = House::open_with(|config| {
        let business = hanok::site::frame::BusinessSettings {
            name: "예시 상점".to_owned(),
            lead: "오래 쓰는 사이트를 만듭니다.".to_owned(),
            ..Default::default()
        };
        config.set(business);
    })
    .await;
    let desk = admin(&house).await;
    let made = desk.post(TOKEN, json!({"memo": "<b>김지우</b>"})).await;
    assert_eq!(made.status, 201);
    let made = made.ok();
    assert_eq!((&made["memo"], &made["used_at"]), (&json!("<b>김지우</b>"), &Value::Null));
    let at = |key: &str| made[key].as_str().unwrap().parse::<DateTime<Utc>>().unwrap();
    assert_eq!(at("expires_at") - at("created_at"), Duration::days(30), "where nobody says otherwise");
    let token = token_of(&made);
    let url = format!("http://{}/portfolio/{token}", house.appliance.site_address());
    assert_eq!(made["url"], url);
    let bare = page(&house, &token).await;
    assert_eq!(
        (bare.status.as_u16(), bare.header("x-robots-tag"), bare.header("cache-control")),
        (200, "noindex", "no-store")
    );
    assert!(bare.text.contains("<meta name=\"robots\" content=\"noindex\">"));
    for said in [
        "예시 상점",
        "오래 쓰는 사이트를 만듭니다.",
        "<bdi>&#60;b&#62;김지우&#60;/b&#62;</bdi> 님께",
        "2026-11-09 21:30",
        "href=\"/contact\"",
    ] {
        assert!(bare.text.contains(said), "{said}: {}", bare.text);
    }
    write(&house, "portfolio.md", "## 지난 일\n\n<script>alert(1)</script>\n\n[메일](javascript:alert(1))");
    let text = page(&house, &token).await.text;
    assert!(
        text.contains("지난 일</h2>") && !text.contains("alert(1)</script>") && !text.contains("javascript:"),
        "{text}"
    );
    let english = Browser::at(&house).open(&format!("/en/portfolio/{token}")).await;
    assert!(english.text.contains("This page is open until") && !english.text.contains("지난 일"), "{}", english.text);
    write(&house, "portfolio.en.md", "## What we built");
    let english = Browser::at(&house).open(&format!("/en/portfolio/{token}")).await;
    assert!(english.text.contains("What we built</h2>"), "{}", english.text);
    let robots = house.passer_by().get("/sitemap.xml").await.text;
    assert!(!robots.contains("portfolio"), "{robots}");
}

#[tokio::test]
async fn a_link_is_good_for_1_to_365_days_and_to_the_instant() {
    let house = House::open().await;
    let desk = admin(&house).await;
    let long = "가".repeat(101);
    for body in [
        json!({"ttl_days": 0}),
        json!({"ttl_days": 366}),
        json!({"ttl_days": -1}),
        json!({"ttl_days": 1.5}),
        json!({"ttl_days": "soon"}),
        json!({"memo": long}),
        json!({"memo": "두\n줄"}),
        json!({"ttlDays": 3}),
        json!([]),
    ] {
        desk.post(TOKEN, body).await.refused(422, "INVALID_INPUT");
    }
    answer(desk.request(Method::POST, TOKEN).body("{")).await.refused(400, "INVALID_JSON");
    let begun = house.clock.now();
    let day = token_of(&desk.post(TOKEN, json!({"ttl_days": 1})).await.ok());
    let year = token_of(&desk.post(TOKEN, json!({"ttl_days": 365, "memo": "가".repeat(100)})).await.ok());
    house.clock.set(begun + Duration::days(1) - Duration::milliseconds(1));
    assert_eq!((page(&house, &day).await.status.as_u16(), page(&house, &year).await.status.as_u16()), (200, 200));
    house.clock.set(begun + Duration::days(1));
    assert_eq!((page(&house, &day).await.status.as_u16(), page(&house, &year).await.status.as_u16()), (404, 200));
    house.clock.set(begun + Duration::days(365) - Duration::milliseconds(1));
    assert_eq!(page(&house, &year).await.status, 200);
    house.clock.set(begun + Duration::days(365));
    assert_eq!(page(&house, &year).await.status, 404);
}

#[tokio::test]
async fn the_desk_lists_links_ends_them_and_sees_when_each_was_used() {
    let house = House::open().await;
    let desk = admin(&house).await;
    let keyed = || desk.request(Method::POST, TOKEN).header("idempotency-key", "k").json(&json!({"memo": "하나"}));
    let one = answer(keyed()).await.ok();
    assert_eq!(answer(keyed()).await.ok(), one, "sent twice, it is made once");
    let other = desk.post(TOKEN, json!({"memo": "둘"})).await.ok();
    assert_eq!(desk.get(TOKENS).await.ok(), json!({"tokens": [other, one], "total": 2}));
    let token = token_of(&one);
    answer(house.passer_by().request(Method::HEAD, &format!("/portfolio/{token}"))).await;
    assert_eq!(desk.get(TOKENS).await.ok()["tokens"][1]["used_at"], Value::Null, "a head is no visit");
    page(&house, &token).await;
    let used = desk.get(&format!("{TOKENS}?offset=1&limit=1")).await.ok();
    let now = house.clock.now().to_rfc3339_opts(chrono::SecondsFormat::Secs, true);
    assert_eq!(
        (&used["tokens"][0]["used_at"], &used["tokens"][0]["id"], &used["total"]),
        (&json!(now), &one["id"], &json!(2))
    );
    let path = format!("{TOKENS}/{}", one["id"].as_str().unwrap());
    assert_eq!(desk.delete(&path).await.ok(), json!({"ok": true}));
    desk.delete(&path).await.refused(404, "NOT_FOUND");
    assert_eq!(
        (page(&house, &token).await.status, page(&house, &token_of(&other)).await.status.as_u16()),
        (reqwest::StatusCode::NOT_FOUND, 200)
    );
    assert_eq!(desk.get(TOKENS).await.ok()["total"], 1);
    let audit = desk.get("/api/admin/audit").await.ok();
    let deeds: Vec<&str> =
        audit["notes"].as_array().unwrap()[..3].iter().map(|note| note["deed"].as_str().unwrap()).collect();
    assert_eq!(deeds, ["share_link_ended", "share_link_made", "share_link_made"]);
    house.passer_by().get(TOKENS).await.refused(401, "UNAUTHORIZED");
    house.passer_by().post(TOKEN, json!({})).await.refused(401, "UNAUTHORIZED");
    let id = other["id"].as_str().unwrap();
    house.passer_by().delete(&format!("{TOKENS}/{id}")).await.refused(401, "UNAUTHORIZED");
    assert_eq!(desk.get(TOKENS).await.ok()["total"], 1);
}

#[tokio::test]
async fn a_portfolio_link_opens_nothing_else_and_nothing_else_opens_the_portfolio() {
    let house = House::open().await;
    let desk = admin(&house).await;
    let token = token_of(&desk.post(TOKEN, json!({"ttl_days": 365})).await.ok());
    for cookie in ["hanok-admin", "__Host-hanok-admin", "hanok", "__Host-hanok"] {
        for path in ["/api/admin/session", TOKENS, "/api/admin/contacts", "/api/account"] {
            let asked = house.passer_by().request(Method::GET, path).header("cookie", format!("{cookie}={token}"));
            answer(asked).await.refused(401, "UNAUTHORIZED");
        }
    }
    let door = house.passer_by();
    for path in ["quote", "contact", "shared"] {
        let refused = door.get(&format!("/api/{path}/{token}")).await;
        assert_eq!(refused.status, 404, "{path}: {}", refused.text);
    }
    set_up(&house, &token).await.refused(404, "NOT_FOUND");
    door.post("/api/account/password", json!({"token": token, "password": PASSWORD})).await.refused(404, "NOT_FOUND");

    let body = json!({"name": "김지우", "email": "jiwoo@example.com", "message": "홈페이지"});
    let received = door.post("/api/contact", body).await.ok();
    let public = received["public_token"].as_str().unwrap().to_owned();
    let until = hanok::base::day::of(house.clock.now()).to_string();
    let share = door.post(&format!("/api/contact/{public}/shares"), json!({"until": until})).await.ok();
    let shared = share["share_url"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let invitation = invited(&house, "minji").await;
    let (id, seal) = token.split_once('.').unwrap();
    let other_id = shared.split('.').next().unwrap();
    let forged = [
        public,
        shared.clone(),
        invitation,
        id.to_owned(),
        format!("{id}."),
        format!("{id}.{}", "A".repeat(seal.len())),
        format!("{other_id}.{seal}"),
        format!("{token}x"),
        token[1..].to_owned(),
        "없는-주소".to_owned(),
        "a".repeat(2_000),
    ];
    let heading = |text: &str| text.split("<h1>").nth(1).and_then(|rest| rest.split("</h1>").next()).map(str::to_owned);
    let unknown = heading(&page(&house, "none").await.text).unwrap();
    for word in &forged {
        let refused = page(&house, word).await;
        assert_eq!((refused.status.as_u16(), heading(&refused.text).as_ref()), (404, Some(&unknown)), "{word}");
        assert!(!refused.text.contains("님께"));
    }
    assert_eq!(page(&house, &token).await.status, 200);
}

#[tokio::test]
async fn links_are_made_and_ended_on_the_page_of_the_desk() {
    let house = House::open().await;
    let word = invited(&house, "minsu").await;
    let mut desk = Browser::at(&house);
    assert_eq!(desk.open("/admin/share").await.status, 401);
    let setup = desk.open(&format!("/admin/setup?token={word}")).await;
    desk.send("/admin/setup", &setup, &[("token", &word), ("password", PASSWORD)]).await;
    let shown = desk.open("/admin/share").await;
    assert!(shown.status == 200 && shown.text.contains("아직 포트폴리오 글이 없어"), "{}", shown.text);
    assert!(shown.text.contains("name=\"ttl_days\" type=\"number\" value=\"30\""), "{}", shown.text);
    let wrong = [("act", "share"), ("memo", "<b>김지우"), ("ttl_days", "366")];
    let refused = desk.send("/admin/share", &shown, &wrong).await;
    assert!(refused.status == 422 && refused.text.contains("id=\"ttl_days-fault\""), "{}", refused.text);
    assert!(refused.text.contains("value=\"&#60;b&#62;김지우\"") && refused.text.contains("value=\"366\""));
    let good = [("act", "share"), ("memo", "<b>김지우"), ("ttl_days", "7")];
    for _ in 0..2 {
        let done = desk.send("/admin/share", &refused, &good).await;
        assert_eq!(leads_to(&done), (303, "/admin/share?saved=share#links"), "{}", done.text);
    }
    let told = desk.open("/admin/share?saved=share").await;
    assert!(told.text.contains("role=\"status\">링크를 만들었습니다."), "{}", told.text);
    assert_eq!(told.text.matches("<a class=\"address\"").count(), 1, "sent twice, it is made once");
    assert!(told.text.contains("&#60;b&#62;김지우") && told.text.contains("아직 열리지 않음"), "{}", told.text);
    let english = desk.open("/en/admin/share").await;
    let address = english.text.split_once("<a class=\"address\" href=\"").unwrap().1.split('"').next().unwrap();
    let token = address.rsplit('/').next().unwrap().to_owned();
    assert!(address.contains("/en/portfolio/"), "{address}");
    assert_eq!(page(&house, &token).await.status, 200);
    write(&house, "portfolio.md", &"가".repeat(200_000));
    let shown = desk.open("/admin/share").await;
    assert!(shown.text.contains("512 KiB보다 커서") && shown.text.contains("마지막으로 열린 때"), "{}", shown.text);
    let fields = [("act", "end"), ("link", &value_of(&shown.text, "link") as &str)];
    for _ in 0..2 {
        let done = desk.send("/admin/share", &shown, &fields).await;
        assert_eq!(
            leads_to(&done),
            (303, "/admin/share?saved=end#links"),
            "one that has ended is ended: {}",
            done.text
        );
    }
    assert_eq!(page(&house, &token).await.status, 404);
    assert!(desk.open("/admin/share?saved=end").await.text.contains("지금 열 수 있는 링크가 없습니다."));
    assert_eq!(desk.send("/admin/share", &shown, &[("act", "none")]).await.status, 422);
}

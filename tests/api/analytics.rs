//! Visits, counted by day.

use chrono::Duration;
use reqwest::Method;
use serde_json::{Value, json};

use crate::admins::{invited, set_up};
use crate::forms::Browser;
use crate::house::{Anonymous, Answer, Caller, House, answer};
use crate::visitors::{PASSWORD, Visitor};

const PHONE: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";
const GALAXY: &str =
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36";
const TABLET: &str = "Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1";
const EDGE: &str = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0";
const KAKAOTALK: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 KAKAOTALK 10.8.5";

/// Opens a page with these headers.
async fn opened(door: &Anonymous<'_>, path: &str, agent: &str, headers: &[(&str, &str)]) -> Answer {
    let request = door.request(Method::GET, path).header("accept", "text/html").header("user-agent", agent);
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    answer(request).await
}

/// Opens a page that is shown.
async fn seen(house: &House, path: &str, agent: &str, headers: &[(&str, &str)]) {
    let shown = opened(&house.passer_by(), path, agent, headers).await;
    assert_eq!(shown.status, 200, "{path}: {}", shown.text);
}

/// What an admin is told of the last `days`, once all that was seen is written down.
async fn counted(house: &House, admin: &Visitor<'_>, days: u32) -> Value {
    house.appliance.visits().flush(house.appliance.app()).await.unwrap();
    admin.get(&format!("/api/admin/analytics?days={days}")).await.ok()
}

async fn admin_of(house: &House) -> Visitor<'_> {
    let word = invited(house, "minsu").await;
    Visitor::of(house, &set_up(house, &word).await)
}

/// The admin of [`admin_of`], who signs in once more: a session rests for a day at the longest.
async fn signed_in(house: &House) -> Visitor<'_> {
    let sent = json!({"name": "minsu", "password": PASSWORD});
    Visitor::of(house, &house.passer_by().post("/api/admin/sign-in", sent).await)
}

/// The names of a part with their views and visitors, without those of which there are none.
fn part(answer: &Value, list: &str, name: &str) -> Vec<(String, u64, u64)> {
    let rows = answer[list].as_array().unwrap().iter();
    let rows = rows.map(|row| {
        let number = |key: &str| row[key].as_u64().unwrap_or_default();
        (row[name].as_str().unwrap().to_owned(), number("views"), number("visitors"))
    });
    rows.filter(|(_, views, _)| *views > 0).collect()
}

fn sums(answer: &Value) -> (u64, u64) {
    (answer["visitors"]["now"].as_u64().unwrap(), answer["views"]["now"].as_u64().unwrap())
}

#[tokio::test]
async fn a_visitor_is_one_however_often_a_page_is_opened_also_after_a_restart_and_somebody_new_the_next_day() {
    let house = House::open().await;
    let admin = admin_of(&house).await;
    let empty = counted(&house, &admin, 7).await;
    assert_eq!((sums(&empty), &empty["since"]), ((0, 0), &Value::Null));
    seen(&house, "/privacy", PHONE, &[]).await;
    seen(&house, "/en/privacy", PHONE, &[("sec-fetch-site", "same-origin"), ("sec-fetch-dest", "document")]).await;
    seen(&house, "/privacy", EDGE, &[]).await;
    let today = counted(&house, &admin, 7).await;
    assert_eq!(sums(&today), (2, 3));
    assert_eq!(part(&today, "pages", "path"), [("/privacy".to_owned(), 3, 2)], "one page in both languages");
    seen(&house, "/terms", PHONE, &[]).await;
    let tag = opened(&house.passer_by(), "/terms", PHONE, &[]).await.header("etag").to_owned();
    let kept = opened(&house.passer_by(), "/terms", PHONE, &[("if-none-match", &tag)]).await;
    assert_eq!(kept.status, 304, "a page that the browser has already is seen, too");
    let cookie = admin.cookie.clone();
    let house = house.restart().await;
    let asked = house.passer_by().request(Method::GET, "/api/admin/analytics?days=7").header("cookie", &cookie);
    assert_eq!(sums(&answer(asked).await.ok()), (2, 6), "a clean stop loses nothing");
    let salt = house.config.data.dir.join("run/analytics.salt");
    let first = std::fs::read(&salt).unwrap();
    seen(&house, "/privacy", PHONE, &[]).await;
    house.appliance.visits().flush(house.appliance.app()).await.unwrap();
    assert_eq!(std::fs::read(&salt).unwrap(), first);
    let again = || house.passer_by().request(Method::GET, "/api/admin/analytics?days=7").header("cookie", &cookie);
    assert_eq!(sums(&answer(again()).await.ok()), (2, 7), "the restart knows the phone");
    house.clock.set(house.clock.now() + Duration::hours(3));
    house.appliance.visits().flush(house.appliance.app()).await.unwrap();
    assert!(!salt.exists(), "nobody can tell any more who was here on Saturday");
    seen(&house, "/privacy", PHONE, &[]).await;
    house.appliance.visits().flush(house.appliance.app()).await.unwrap();
    let sunday = answer(again()).await.ok();
    assert_eq!(sums(&sunday), (3, 8));
    assert_ne!(std::fs::read(&salt).unwrap(), first);
    assert_eq!(
        (&sunday["from"], &sunday["to"], &sunday["since"]),
        (&json!("2026-10-05"), &json!("2026-10-11"), &json!("2026-10-10"))
    );
    let daily = sunday["daily"].as_array().unwrap();
    assert_eq!(daily.len(), 7, "a day without visits is a zero");
    assert_eq!(daily[4], json!({"date": "2026-10-09", "visitors": 0, "views": 0}));
    assert_eq!(daily[5], json!({"date": "2026-10-10", "visitors": 2, "views": 7}));
    assert_eq!(daily[6], json!({"date": "2026-10-11", "visitors": 1, "views": 1}));
}

#[tokio::test]
async fn programs_admins_what_is_not_shown_and_who_asks_not_to_be_followed_are_not_counted() {
    let house = House::open().await;
    let admin = admin_of(&house).await;
    let door = house.passer_by();
    for agent in [
        "",
        "curl/8.5.0",
        "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
        "Mozilla/5.0 (compatible; Yeti/1.1; +http://naver.me/spd)",
        "facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984",
    ] {
        assert_eq!(opened(&door, "/privacy", agent, &[]).await.status, 200, "{agent}");
    }
    for (name, value) in [
        ("dnt", "1"),
        ("sec-gpc", "1"),
        ("sec-purpose", "prefetch;prerender"),
        ("sec-fetch-dest", "iframe"),
        ("cookie", admin.cookie.as_str()),
    ] {
        assert_eq!(opened(&door, "/privacy", PHONE, &[(name, value)]).await.status, 200, "{name}");
    }
    for path in ["/nothing", "/contact/nothing", "/quote/nothing", "/admin/analytics"] {
        assert!(opened(&door, path, PHONE, &[]).await.status.is_client_error(), "{path}");
    }
    assert_eq!(opened(&door, "/robots.txt", PHONE, &[]).await.status, 200);
    assert_eq!(opened(&door, "/admin", PHONE, &[]).await.status, 200, "the entrance is no page of customers");
    assert_eq!(opened(&door, "/api/admin/session", PHONE, &[]).await.status, 401);
    let head = door.request(Method::HEAD, "/privacy").header("user-agent", PHONE);
    assert_eq!(answer(head).await.status, 200);
    let counted = counted(&house, &admin, 30).await;
    assert_eq!((sums(&counted), &counted["dropped"]), ((0, 0), &json!(0)));
    assert_eq!((&counted["pages"], &counted["referrers"]), (&json!([]), &json!([])));
}

#[tokio::test]
async fn the_word_of_a_link_the_address_and_the_words_of_a_search_are_kept_nowhere() {
    let house = House::open().await;
    let admin = admin_of(&house).await;
    let body = json!({"name": "김지우", "email": "jiwoo@example.com", "message": "홈페이지"});
    let received = house.passer_by().post("/api/contact", body).await.ok();
    let track = received["track_url"].as_str().unwrap();
    let word = track.rsplit('/').next().unwrap().to_owned();
    let from = [("referer", "https://m.search.naver.com/search.naver?query=secret-words")];
    seen(&house, &format!("/contact/{word}"), PHONE, &from).await;
    seen(&house, &format!("/en/contact/{word}"), PHONE, &[("sec-fetch-site", "same-origin")]).await;
    let counted = counted(&house, &admin, 7).await;
    assert_eq!(part(&counted, "pages", "path"), [("/contact/{token}".to_owned(), 2, 1)]);
    assert_eq!(counted["referrers"], json!([{"host": "m.search.naver.com", "views": 1}]));
    let said = counted.to_string();
    assert!(!said.contains(&word) && !said.contains("secret-words") && !said.contains("127.0.0.1"), "{said}");
    let cookie = admin.cookie.clone();
    let folder = house.config.data.dir.clone();
    let house = house.restart().await;
    let asked = house.passer_by().request(Method::GET, "/api/admin/analytics").header("cookie", cookie);
    assert_eq!(sums(&answer(asked).await.ok()), (1, 2));
    let file = std::fs::read(folder.join("hanok.redb")).unwrap();
    let holds = |text: &str| file.windows(text.len()).any(|part| part == text.as_bytes());
    assert!(holds("/contact/{token}"), "the count is there");
    assert!(!holds("secret-words") && !holds("AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5"));
}

#[tokio::test]
async fn channels_and_devices_are_those_of_the_visit() {
    let house = House::open().await;
    let admin = admin_of(&house).await;
    seen(&house, "/privacy", PHONE, &[("referer", "https://www.google.com/")]).await;
    seen(&house, "/terms", PHONE, &[("sec-fetch-site", "same-origin")]).await;
    seen(&house, "/privacy?utm_source=flyer&utm_medium=print", GALAXY, &[]).await;
    seen(&house, "/privacy", TABLET, &[("referer", "https://www.instagram.com/")]).await;
    seen(&house, "/privacy", EDGE, &[]).await;
    seen(&house, "/privacy", KAKAOTALK, &[]).await;
    let counted = counted(&house, &admin, 7).await;
    let rows = |rows: &[(&str, u64, u64)]| {
        rows.iter().map(|(name, views, visitors)| ((*name).to_owned(), *views, *visitors)).collect::<Vec<_>>()
    };
    let channels = [("direct", 1, 1), ("search", 2, 1), ("social", 2, 2), ("campaign", 1, 1)];
    assert_eq!(
        part(&counted, "channels", "channel"),
        rows(&channels),
        "an inner page counts for the channel of the visit"
    );
    assert_eq!(part(&counted, "devices", "device"), rows(&[("phone", 4, 3), ("tablet", 1, 1), ("desktop", 1, 1)]));
    assert_eq!(counted["channels"].as_array().unwrap().len(), 6, "a channel without visits is a zero");
    let hosts = json!([{"host": "google.com", "views": 1}, {"host": "instagram.com", "views": 1}]);
    assert_eq!(counted["referrers"], hosts);
    assert_eq!(sums(&counted), (5, 6));
    // One visitor who invents hosts has five of them named.
    for number in 0..8 {
        seen(&house, "/privacy", EDGE, &[("referer", &format!("https://shop{number}.example/"))]).await;
    }
    seen(&house, "/privacy", EDGE, &[("referer", "https://www.instagram.com/")]).await;
    let invented = self::counted(&house, &admin, 7).await;
    let referrers = part(&invented, "referrers", "host");
    assert_eq!(referrers[..2], rows(&[("other", 3, 0), ("instagram.com", 2, 0)]));
    assert_eq!(referrers.len(), 8, "{referrers:?}");
}

#[tokio::test]
async fn a_period_stands_beside_as_many_days_before_and_counts_are_kept_for_as_long_as_the_settings_say() {
    let house = House::open_with(|config| {
        config.set(hanok::site::analytics::AnalyticsSettings { enabled: true, keep_days: 20 });
    })
    .await;
    admin_of(&house).await;
    let first = house.clock.now();
    for (day, agents) in [(0, &[PHONE, EDGE, GALAXY][..]), (6, &[PHONE]), (7, &[PHONE, EDGE]), (13, &[EDGE, EDGE])] {
        house.clock.set(first + Duration::days(day));
        for agent in agents {
            seen(&house, "/privacy", agent, &[]).await;
        }
        house.appliance.visits().flush(house.appliance.app()).await.unwrap();
    }
    // By hand: the last seven days are 7 to 13 with 2 + 1 visitors and 4 views, those before 0 to 6 with 3 + 1 and 4.
    let admin = signed_in(&house).await;
    let week = counted(&house, &admin, 7).await;
    assert_eq!(week["visitors"], json!({"now": 3, "before": 4}));
    assert_eq!(week["views"], json!({"now": 4, "before": 4}));
    let desktop = week["devices"].as_array().unwrap().iter().find(|row| row["device"] == "desktop").unwrap();
    assert_eq!((&desktop["visitors"], &desktop["before"]), (&json!(2), &json!(1)));
    assert_eq!(week["pages"], json!([{"path": "/privacy", "views": 4, "visitors": 3, "before": 4}]));
    let month = counted(&house, &admin, 30).await;
    assert_eq!((sums(&month), month["daily"].as_array().unwrap().len()), ((7, 8), 30));
    house.clock.set(first + Duration::days(20));
    let later = counted(&house, &signed_in(&house).await, 90).await;
    assert_eq!((sums(&later), &later["since"]), ((4, 5), &json!("2026-10-16")), "the first day is past its time");
}

#[tokio::test]
async fn only_an_admin_is_told_and_only_of_the_days_that_there_are() {
    let house = House::open().await;
    let admin = admin_of(&house).await;
    let customer = Visitor::registered(&house, "jiwoo@example.com").await;
    house.passer_by().get("/api/admin/analytics").await.refused(401, "UNAUTHORIZED");
    customer.get("/api/admin/analytics").await.refused(401, "UNAUTHORIZED");
    for days in ["8", "0", "-7", "x", "7.0", "365"] {
        let refused = admin.get(&format!("/api/admin/analytics?days={days}")).await;
        refused.refused(422, "INVALID_INPUT");
        assert!(refused.json()["fields"]["days"].is_string(), "{refused:?}");
    }
    assert_eq!(admin.get("/api/admin/analytics").await.ok()["days"], 30);
}

#[tokio::test]
async fn the_page_at_the_desk_says_what_the_answer_says_and_nothing_where_nothing_was_counted() {
    let house = House::open().await;
    let word = invited(&house, "minsu").await;
    let mut browser = Browser::at(&house);
    let setup = browser.open(&format!("/admin/setup?token={word}")).await;
    browser.send("/admin/setup", &setup, &[("token", &word), ("password", PASSWORD)]).await;
    let empty = browser.open("/admin/analytics").await;
    assert!(empty.status == 200 && empty.text.contains("아직 집계된 방문이 없습니다."), "{}", empty.text);
    assert!(empty.text.contains("href=\"/admin/analytics\" aria-current=\"page\">방문 통계"), "{}", empty.text);
    for number in 0..3 {
        seen(&house, "/privacy", &format!("{EDGE} {number}"), &[]).await;
    }
    seen(&house, "/terms", PHONE, &[("referer", "https://www.youtube.com/watch?v=x")]).await;
    house.appliance.visits().flush(house.appliance.app()).await.unwrap();
    let page = browser.open("/admin/analytics?days=7").await.text;
    assert!(page.contains("<strong class=\"num\">4</strong>") && page.contains("youtube.com"), "{page}");
    assert_eq!(page.matches("<rect class=\"visits-people\"").count(), 7, "{page}");
    assert!(page.contains("비교할 이전 기록이 아직 부족합니다") && page.contains("2026년 10월 10일부터"), "{page}");
    let english = browser.open("/en/admin/analytics").await.text;
    assert!(english.contains("Where visitors came from") && english.contains("Counted since 10 Oct 2026"), "{english}");
    assert_eq!(browser.open("/admin/analytics?days=8").await.status, 422);
    assert_eq!(Browser::at(&house).open("/admin/analytics").await.status, 401);
}

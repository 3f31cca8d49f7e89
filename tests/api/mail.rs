//! Mail as the household sees it: a test, what became of it, and a decision about one.

use hanok::base::Secret;
use serde_json::{Value, json};

use crate::house::{Caller, House};

const TEST: &str = "/api/system/mail/test";

#[tokio::test]
async fn a_test_mail_lies_in_the_folder_and_is_listed_sent_again_and_removed() {
    let house = House::open().await;
    let household = house.household();
    let queued = household.post(TEST, json!({"to": " jiwoo@example.com ", "language": "ko"})).await.ok();
    household.rest().await;
    let listed = household.get("/api/system/mail").await.ok();
    let mail = &listed["mails"][0];
    assert_eq!(
        (&mail["id"], mail["status"].as_str(), mail["way"].as_str()),
        (&queued["id"], Some("sent"), Some("folder"))
    );
    assert_eq!((mail["to"].as_str(), mail["subject"].as_str()), (Some("jiwoo@example.com"), Some("hanok 테스트 메일")));
    assert_eq!((&listed["server"], listed["total"].as_u64()), (&Value::Null, Some(1)));
    assert_eq!(household.get("/api/today").await.ok()["mails_in_folder"], 1);
    let files = std::fs::read_dir(listed["folder"].as_str().unwrap()).unwrap().count();
    assert_eq!(files, 1);
    let place = format!("/api/system/mail/{}", queued["id"]);
    household.post(&format!("{place}/send"), Value::Null).await.ok();
    household.rest().await;
    assert_eq!(household.get("/api/system/mail").await.ok()["mails"][0]["status"], "sent");
    household.delete(&place).await.ok();
    assert_eq!(household.get("/api/system/mail").await.ok()["total"], 0);
    household.post(&format!("{place}/send"), Value::Null).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn an_address_that_is_none_is_refused_and_nothing_is_queued() {
    let house = House::open().await;
    let household = house.household();
    for to in ["", "jiwoo", "a@example.com\r\nBcc: b@example.com", "a@example.com, b@example.com"] {
        household.post(TEST, json!({"to": to, "language": "en"})).await.refused(422, "INVALID_INPUT");
    }
    household.post(TEST, json!({"to": "a@example.com", "language": "fr"})).await.refused(422, "INVALID_INPUT");
    assert_eq!(household.get("/api/system/mail").await.ok()["total"], 0);
}

#[tokio::test]
async fn a_server_that_is_away_puts_a_mail_off_and_the_password_is_shown_nowhere() {
    // A port that nobody listens on.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let house = House::open_with(|config| {
        config.mail.host = "localhost".to_owned();
        config.mail.port = port;
        config.mail.from = "house@example.com".to_owned();
        config.mail.user = "house".to_owned();
        config.mail.password = Secret::new("open sesame");
    })
    .await;
    let household = house.household();
    let mut events = household.events().await;
    household.post(TEST, json!({"to": "jiwoo@example.com", "language": "en"})).await.ok();
    events.until("task", |task| task["attempts"] == 1 && task["status"] == "queued").await;
    let mail = household.get("/api/system/mail").await.ok();
    assert_eq!(mail["mails"][0]["status"], "waiting");
    assert_eq!(mail["mails"][0]["localized"]["message_key"], "house.mail.not_reached");
    assert_eq!(mail["counts"]["waiting"], 1);
    let measures = household.get("/metrics").await.text;
    assert!(measures.contains("hanok_mails{status=\"waiting\"} 1"), "{measures}");
    for place in ["/api/system/mail", "/api/system/settings", "/api/system", "/api/system/jobs"] {
        let shown = household.get(place).await.ok().to_string();
        assert!(!shown.contains("sesame"), "{place}: {shown}");
    }
}

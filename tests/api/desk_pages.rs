//! The desk as pages, by forms alone, as a browser without scripts sends them.

use serde_json::json;

use crate::admins::invited;
use crate::forms::{Browser, leads_to, value_of};
use crate::house::{Caller, House};
use crate::visitors::PASSWORD;

/// Who has set the password by the link of the command line, at the desk.
pub async fn at_the_desk<'a>(house: &'a House, name: &str) -> Browser<'a> {
    let word = invited(house, name).await;
    let mut browser = Browser::at(house);
    let setup = browser.open(&format!("/admin/setup?token={word}")).await;
    let done = browser.send("/admin/setup", &setup, &[("token", &word), ("password", PASSWORD)]).await;
    assert_eq!(leads_to(&done), (303, "/admin/desk"), "{}", done.text);
    browser
}

async fn received(house: &House, name: &str) -> String {
    let body = json!({"name": name, "email": "jiwoo@example.com", "message": "<b>홈페이지</b>"});
    house.passer_by().post("/api/contact", body).await.ok()["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn an_admin_comes_in_by_the_link_goes_and_comes_in_by_name_and_password() {
    let house = House::open().await;
    let mut browser = at_the_desk(&house, "minsu").await;
    let desk = browser.open("/admin/contacts").await;
    assert!(desk.status == 200 && desk.text.contains("아직 들어온 의뢰가 없습니다."), "{}", desk.text);
    assert_eq!((desk.header("cache-control"), desk.header("x-robots-tag")), ("no-store", "noindex"));
    assert_eq!(leads_to(&browser.open("/admin").await), (303, "/admin/desk"));
    let late = browser.clone();
    assert_eq!(leads_to(&browser.send("/admin/sign-out", &desk, &[]).await), (303, "/admin"));
    for again in late.send_at_once(2, "/admin/sign-out", &desk, &[]).await {
        assert_eq!(leads_to(&again), (303, "/admin"), "sent twice, it leads to the same place: {}", again.text);
    }
    let shut = browser.open("/en/admin/contacts").await;
    assert!(shut.status == 401 && shut.text.contains("href=\"/en/admin\""), "{}", shut.text);
    let entrance = browser.open("/admin").await;
    let wrong = browser.send("/admin", &entrance, &[("name", "minsu"), ("password", "another one")]).await;
    assert!(wrong.status == 401 && wrong.text.contains("value=\"minsu\"") && !wrong.text.contains("another one"));
    let empty = browser.send("/admin", &wrong, &[("name", "minsu")]).await;
    assert!(empty.status == 422 && empty.text.contains("id=\"password-fault\""), "{}", empty.text);
    let done = browser.send("/admin", &empty, &[("name", "minsu"), ("password", PASSWORD)]).await;
    assert_eq!(leads_to(&done), (303, "/admin/desk"));
    assert_eq!(browser.open("/admin/contacts").await.status, 200);
    let used = browser.open("/admin/setup?token=nothing").await;
    assert_eq!(used.status, 404, "before anybody thinks of a password");
}

#[tokio::test]
async fn a_cancelled_request_is_brought_back_from_its_page() {
    let house = House::open().await;
    let mut browser = at_the_desk(&house, "minsu").await;
    let path = format!("/admin/contacts/{}", received(&house, "김지우").await);
    let page = browser.open(&path).await;
    assert!(!page.text.contains("되돌리기"), "nothing was done yet: {}", page.text);
    browser.send(&path, &page, &[("act", "move"), ("status", "cancelled")]).await;
    let page = browser.open(&path).await;
    let (_, asked) = page.text.split_once("<summary>마지막 단계 되돌리기</summary>").unwrap();
    assert!(asked.split("</details>").next().unwrap().contains("name=\"status\" value=\"pending\""), "{asked}");
    let undoing = [("act", "undo"), ("status", "pending"), ("message", "")];
    for _ in 0..2 {
        let undone = browser.send(&path, &page, &undoing).await;
        assert_eq!(leads_to(&undone), (303, format!("{path}?saved=undo").as_str()), "sent twice, it is done once");
    }
    let told = browser.open(&format!("{path}?saved=undo")).await.text;
    assert!(told.contains("마지막 단계를 되돌렸습니다. 메일 서버가 없어") && told.contains("되돌림"), "{told}");
    let page = browser.open(&path).await;
    let stale = browser.send(&path, &page, &[("act", "undo"), ("status", "reviewing")]).await;
    assert!(stale.status == 409 && stale.text.contains("role=\"alert\""), "{}", stale.text);
}

#[tokio::test]
async fn a_request_is_moved_noted_upon_and_removed_from_its_page() {
    let house = House::open().await;
    let mut browser = at_the_desk(&house, "minsu").await;
    let id = received(&house, "김지우").await;
    let board = browser.open("/en/admin/contacts").await;
    assert!(board.text.contains(&format!("/en/admin/contacts/{id}")) && board.text.contains("김지우"));
    assert!(board.text.contains("Received <span"), "a state is called what its customer sees: {}", board.text);
    let path = format!("/admin/contacts/{id}");
    let (open_elsewhere, page) = (browser.open(&path).await, browser.open(&path).await);
    assert!(page.text.contains("&#60;b&#62;홈페이지") && !page.text.contains("<b>홈페이지"), "{}", page.text);
    let moving = [("act", "move"), ("status", "reviewing"), ("message", "내일 전화 드리겠습니다.")];
    let moved = browser.send(&path, &page, &moving).await;
    assert_eq!(leads_to(&moved), (303, format!("{path}?saved=move").as_str()));
    let told = browser.open(&format!("{path}?saved=move")).await;
    assert!(told.text.contains("role=\"status\">상태를 바꾸었습니다. 메일 서버가 없어"), "{}", told.text);
    assert!(told.text.contains("<span class=\"said\">내일 전화 드리겠습니다.</span>"), "{}", told.text);
    assert!(!told.text.contains("고객에게 취소되었다고 알립니다."), "no mail goes out: {}", told.text);
    let (_, ending) = told.text.split_once("<details class=\"desk-remove\"><summary>→ 취소</summary>").unwrap();
    assert!(
        ending.split("</details>").next().unwrap().contains("value=\"cancelled\""),
        "asked for once more: {ending}"
    );
    let again = browser.send(&path, &page, &moving).await;
    assert_eq!(leads_to(&again), (303, format!("{path}?saved=move").as_str()), "sent twice, it is moved once");
    let stale = browser.send(&path, &open_elsewhere, &[("act", "move"), ("status", "reviewing")]).await;
    assert!(stale.status == 409 && stale.text.contains("role=\"alert\""), "{}", stale.text);
    let page = browser.open(&path).await;
    for _ in 0..2 {
        let noted = browser.send(&path, &page, &[("act", "note"), ("text", "전화하기로 함")]).await;
        assert_eq!(leads_to(&noted), (303, format!("{path}?saved=note#notes").as_str()));
    }
    let page = browser.open(&format!("{path}?saved=note")).await;
    assert_eq!(page.text.matches("전화하기로 함").count(), 1, "sent twice, it is noted once");
    let notes = page.text.split_once("id=\"notes\"").unwrap().1;
    assert!(notes.contains("메모를 저장했습니다."), "{notes}");
    assert!(notes.contains(&format!("action=\"{path}\"")), "{notes}");
    let long = "가".repeat(2_001);
    let refused = browser.send(&path, &page, &[("act", "note"), ("text", &long)]).await;
    assert!(refused.status == 422 && refused.text.contains(&long) && refused.text.contains("id=\"text-fault\""));
    let note = value_of(&page.text, "note");
    for shown in [&page, &page, &open_elsewhere] {
        let gone = browser.send(&path, shown, &[("act", "unnote"), ("note", &note)]).await;
        assert_eq!(leads_to(&gone), (303, format!("{path}?saved=unnote#notes").as_str()), "{}", gone.text);
    }
    assert!(!browser.open(&path).await.text.contains("전화하기로 함"));
    let renewed = browser.send(&path, &page, &[("act", "link")]).await;
    let link = renewed.text.split_once("class=\"address\" href=\"").unwrap().1.split('"').next().unwrap().to_owned();
    let token = link.rsplit('/').next().unwrap();
    assert_eq!(house.passer_by().get(&format!("/api/contact/{token}")).await.ok()["status"], "reviewing");
    let followed = browser.open(&format!("/contact/{token}")).await.text;
    assert!(followed.contains("<span class=\"said\">내일 전화 드리겠습니다.</span>"), "{followed}");
    let sharing = browser.open(&format!("/contact/{token}")).await;
    browser.send(&format!("/contact/{token}"), &sharing, &[("act", "share"), ("until", "2026-10-30")]).await;
    let shown = browser.open(&format!("/contact/{token}")).await.text;
    let (_, share) = shown.split_once("/shared/").unwrap_or_else(|| panic!("no share in {shown}"));
    let shared = browser.open(&format!("/shared/{}", share.split('"').next().unwrap())).await;
    assert!(shared.status == 200 && !shared.text.contains("내일 전화"), "{}", shared.text);
    let asked = browser.open(&format!("{path}/remove")).await;
    assert!(
        asked.text.contains("김지우 님의 의뢰를 지울까요?") && asked.text.contains("되돌릴 수 없습니다."),
        "{}",
        asked.text
    );
    assert!(asked.text.contains(&format!("action=\"{path}\"")) && asked.text.contains("name=\"act\" value=\"remove\""));
    let mut gone = browser.send_at_once(3, &path, &page, &[("act", "remove")]).await;
    gone.push(browser.send(&path, &open_elsewhere, &[("act", "remove")]).await);
    for gone in gone {
        assert_eq!(leads_to(&gone), (303, "/admin/contacts?saved=remove#content"), "{}", gone.text);
    }
    let desk = browser.open("/admin/contacts?saved=remove").await.text;
    assert!(desk.contains("role=\"status\">의뢰를 삭제했습니다."), "{desk}");
    assert!(!browser.open("/admin/contacts").await.text.contains("의뢰를 삭제했습니다."));
    assert_eq!(browser.open(&path).await.status, 404);
}

#[tokio::test]
async fn the_list_finds_by_words_and_by_state_and_refuses_what_is_neither() {
    let house = House::open().await;
    let mut browser = at_the_desk(&house, "minsu").await;
    for name in ["김지우", "이하준"] {
        received(&house, name).await;
    }
    let found = browser.open("/admin/contacts?q=%ED%95%98%EC%A4%80").await;
    assert!(found.text.contains("이하준") && !found.text.contains("김지우"), "{}", found.text);
    assert!(browser.open("/admin/contacts?q=").await.text.contains("class=\"board\""));
    let listed = browser.open("/admin/contacts?status=pending").await;
    assert!(listed.text.contains("2건") && listed.text.contains("김지우"), "{}", listed.text);
    assert!(browser.open("/admin/contacts?status=completed").await.text.contains("0건"));
    assert_eq!(browser.open("/admin/contacts?status=done").await.status, 422);
}

#[tokio::test]
async fn no_form_of_another_page_and_nobody_who_is_not_in_does_anything() {
    let house = House::open().await;
    let mut browser = at_the_desk(&house, "minsu").await;
    let id = received(&house, "김지우").await;
    let path = format!("/admin/contacts/{id}");
    let mut unsealed = browser.open(&path).await;
    let seal = value_of(&unsealed.text, "_seal");
    unsealed.text = unsealed.text.replace(&seal, &"0".repeat(seal.len()));
    let refused = browser.send(&path, &unsealed, &[("act", "remove")]).await;
    assert_eq!(refused.status, 403);
    let page = browser.open(&path).await;
    let mut stranger = Browser::at(&house);
    assert_eq!(stranger.send(&path, &page, &[("act", "remove")]).await.status, 401);
    assert_eq!(stranger.open(&path).await.status, 401);
    assert_eq!(browser.send(&path, &page, &[("act", "sing")]).await.status, 422);
    assert_eq!(browser.send(&path, &page, &[("act", "move")]).await.status, 422);
    assert_eq!(browser.open(&path).await.status, 200, "it is still there");
}

#[tokio::test]
async fn a_mail_to_a_customer_begins_with_the_address_and_nothing_else() {
    let house = House::open().await;
    let mut browser = at_the_desk(&house, "minsu").await;
    let planted = "shop?bcc=eve%40evil.example&subject=@example.com";
    let body = json!({"name": "Eve", "email": planted, "message": "Hello"});
    let id = house.passer_by().post("/api/contact", body).await.ok()["id"].as_str().unwrap().to_owned();
    let page = browser.open(&format!("/admin/contacts/{id}")).await;
    assert!(page.text.contains("href=\"mailto:shop%3Fbcc%3Deve%2540evil.example%26subject%3D@example.com\""));
    assert!(!page.text.contains("mailto:shop?"), "{}", page.text);
}

//! Project documents: HTML files of the data folder, for admins.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use reqwest::Method;
use serde_json::{Value, json};

use crate::admins::{invited, set_up};
use crate::forms::Browser;
use crate::house::{Caller, House, answer};
use crate::visitors::{PASSWORD, Visitor};

const DOCUMENTS: &str = "/api/admin/documents";
const SCRIPT: &str = "<!doctype html><p>제안서</p><script>document.title = 'run'</script>";

/// Puts a file among the documents.
fn put(house: &House, name: &str, text: &str) -> PathBuf {
    let folder = house.config.data.dir.join("documents");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path
}

async fn admin(house: &House) -> Visitor<'_> {
    Visitor::of(house, &set_up(house, &invited(house, "minsu").await).await)
}

#[tokio::test]
async fn an_admin_opens_a_document_in_a_sandbox_and_that_is_noted() {
    let house = House::open().await;
    let desk = admin(&house).await;
    assert_eq!(
        desk.get(DOCUMENTS).await.ok(),
        json!({"documents": [], "total": 0}),
        "without a folder there is nothing"
    );
    put(&house, "제안서 1.2판.html", SCRIPT);
    put(&house, "plan.htm", "<p>plan</p>");
    let opened = desk.get(&format!("{DOCUMENTS}/%EC%A0%9C%EC%95%88%EC%84%9C%201.2%ED%8C%90.html")).await;
    assert_eq!((opened.status.as_u16(), opened.text.as_str()), (200, SCRIPT));
    assert_eq!(opened.header("content-type"), "text/html; charset=utf-8");
    let policy = opened.header("content-security-policy");
    assert_eq!(policy, "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:");
    assert!(!policy.contains("script") && opened.headers.get_all("content-security-policy").iter().count() == 1);
    assert_eq!((opened.header("x-frame-options"), opened.header("cache-control")), ("DENY", "no-store"));
    assert_eq!(opened.header("x-content-type-options"), "nosniff");
    assert_eq!(desk.get(&format!("{DOCUMENTS}/plan.htm")).await.text, "<p>plan</p>");
    let audit = desk.get("/api/admin/audit").await.ok();
    let noted: Vec<(&str, &str)> = audit["notes"].as_array().unwrap()[..2]
        .iter()
        .map(|note| (note["deed"].as_str().unwrap(), note["about"].as_str().unwrap()))
        .collect();
    assert_eq!(noted, [("document_opened", "plan.htm"), ("document_opened", "제안서 1.2판.html")]);
    // Opening is noted, so it is more than a look at the head.
    let head = answer(desk.request(Method::HEAD, &format!("{DOCUMENTS}/plan.htm"))).await;
    assert_eq!(head.status, 405);
    assert_eq!(desk.get("/api/admin/audit").await.ok()["total"], audit["total"]);
}

#[tokio::test]
async fn whatever_is_no_document_is_one_and_the_same_404() {
    let house = House::open().await;
    let desk = admin(&house).await;
    let good = put(&house, "good.html", "<p>good</p>");
    put(&house, ".hidden.html", "hidden");
    put(&house, "notes.txt", "text");
    put(&house, "portfolio.md", "# 포트폴리오");
    let folder = good.parent().unwrap();
    fs::write(house.config.data.dir.join("outside.html"), "outside").unwrap();
    symlink(&good, folder.join("link.html")).unwrap();
    symlink(house.config.data.dir.join("outside.html"), folder.join("out.html")).unwrap();
    symlink("nowhere.html", folder.join("dangling.html")).unwrap();
    fs::create_dir(folder.join("folder.html")).unwrap();
    fs::write(folder.join("large.html"), vec![b'a'; (5 << 20) + 1]).unwrap();
    fs::write(folder.join("largest.html"), vec![b'a'; 5 << 20]).unwrap();
    let mut said = Vec::new();
    for name in [
        "none.html",
        "link.html",
        "out.html",
        "dangling.html",
        "folder.html",
        "large.html",
        ".hidden.html",
        "notes.txt",
        "portfolio.md",
        "good.HTML",
        "good",
        "good.html%20",
        "..%2foutside.html",
        "..%2Foutside.html",
        "%2e%2e%2foutside.html",
        "..%5coutside.html",
        "%2fetc%2fpasswd",
        "%2Fetc%2Fhosts.html",
        "good.html%00",
        "good%00.html",
        "folder.html%2f..%2fgood.html",
        "..html",
        "good%E2%80%AE.html",
        "C:good.html",
    ] {
        let refused = desk.get(&format!("{DOCUMENTS}/{name}")).await;
        refused.refused(404, "NOT_FOUND");
        said.push((name, refused.json()["message"].clone()));
    }
    assert!(said[..11].iter().all(|(_, message)| *message == said[0].1), "{said:?}");
    for name in ["good.html/", "folder.html/", "good.html;a.html", "../outside.html"] {
        let refused = desk.get(&format!("{DOCUMENTS}/{name}")).await;
        assert!(!refused.status.is_success() && !refused.text.contains("good</p>"), "{name}: {}", refused.text);
    }
    assert_eq!(desk.get(&format!("{DOCUMENTS}/largest.html")).await.text.len(), 5 << 20);
    let listed = desk.get(DOCUMENTS).await.ok();
    let mut names: Vec<(&str, bool)> = listed["documents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["name"].as_str().unwrap(), one["can_open"].as_bool().unwrap()))
        .collect();
    names.sort_unstable();
    assert_eq!(names, [("good.html", true), ("large.html", false), ("largest.html", true)]);
    assert_eq!(listed["total"], 3);
}

#[tokio::test]
async fn nobody_but_an_admin_sees_that_there_are_documents() {
    let house = House::open().await;
    put(&house, "good.html", "<p>good</p>");
    let customer = Visitor::registered(&house, "jiwoo@example.com").await;
    for path in [DOCUMENTS.to_owned(), format!("{DOCUMENTS}/good.html"), format!("{DOCUMENTS}/none.html")] {
        house.passer_by().get(&path).await.refused(401, "UNAUTHORIZED");
        customer.get(&path).await.refused(401, "UNAUTHORIZED");
        assert!(!house.household().get(&path).await.status.is_success());
    }
    let page = Browser::at(&house).open("/admin/documents").await;
    assert!(page.status == 401 && !page.text.contains("good.html"), "{}", page.text);
}

#[tokio::test]
async fn the_list_gives_the_newest_first_by_parts_and_the_page_leads_to_each() {
    let house = House::open().await;
    let word = invited(&house, "minsu").await;
    let mut browser = Browser::at(&house);
    let setup = browser.open(&format!("/admin/setup?token={word}")).await;
    browser.send("/admin/setup", &setup, &[("token", &word), ("password", PASSWORD)]).await;
    let empty = browser.open("/admin/documents").await;
    assert!(empty.status == 200 && empty.text.contains("아직 문서가 없습니다."), "{}", empty.text);
    assert_eq!((empty.header("cache-control"), empty.header("x-robots-tag")), ("no-store", "noindex"));
    for (name, seconds) in [("old.html", 1_000), ("새 문서.html", 3_000), ("middle.html", 2_000)] {
        let file = fs::File::options().append(true).open(put(&house, name, "<p>x</p>")).unwrap();
        file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds)).unwrap();
    }
    let sent = json!({"name": "minsu", "password": PASSWORD});
    let desk = Visitor::of(&house, &house.passer_by().post("/api/admin/sign-in", sent).await);
    let names = |listed: Value| {
        let listed = listed["documents"].as_array().unwrap().clone();
        listed.into_iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let all = desk.get(DOCUMENTS).await.ok();
    assert_eq!(all["documents"][0]["modified_at"], "1970-01-01T00:50:00Z");
    assert_eq!(all["documents"][0]["bytes"], 8);
    assert_eq!(names(all), ["새 문서.html", "middle.html", "old.html"]);
    let part = desk.get(&format!("{DOCUMENTS}?limit=1&offset=1")).await.ok();
    assert_eq!((part["total"].clone(), names(part)), (json!(3), vec!["middle.html".to_owned()]));
    for query in ["limit=0", "limit=501", "offset=-1", "limit=x"] {
        desk.get(&format!("{DOCUMENTS}?{query}")).await.refused(422, "INVALID_INPUT");
    }
    let page = browser.open("/en/admin/documents").await;
    let link = "href=\"/api/admin/documents/%EC%83%88%20%EB%AC%B8%EC%84%9C.html\" target=\"_blank\" rel=\"noopener\"";
    assert!(page.text.contains(link) && page.text.contains("Put an <code>.html</code> file"), "{}", page.text);
    let address = link.split('"').nth(1).unwrap();
    assert_eq!(browser.open(address).await.text, "<p>x</p>");
}

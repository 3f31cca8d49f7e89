//! The blog, from the first draft to what is found of it.

use std::collections::BTreeMap;

use hanok::calc::zip::{self, Archive};
use reqwest::Method;
use serde_json::{Value, json};

use crate::house::{Answer, Caller, House, Household, answer, evening_of_draw_1245};

/// Files in one.
pub fn packed(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = Archive::default();
    for (name, text) in files {
        assert!(archive.add(name, evening_of_draw_1245().naive_utc(), text.as_bytes()));
    }
    archive.finish()
}

/// The files in what is given out at `address`.
async fn files_of(household: &Household<'_>, address: &str) -> BTreeMap<String, String> {
    let response = household.request(Method::GET, address).send().await.unwrap();
    assert_eq!(
        (response.status().as_u16(), response.headers()["content-type"].to_str().unwrap()),
        (200, "application/zip")
    );
    assert!(response.headers()["content-disposition"].to_str().unwrap().starts_with("attachment; filename="));
    let bytes = response.bytes().await.unwrap();
    let files = zip::files(&bytes).unwrap().into_iter();
    files.map(|file| (file.name.clone(), String::from_utf8(file.open(&bytes, 1 << 20).unwrap()).unwrap())).collect()
}

async fn brought(household: &Household<'_>, archive: Vec<u8>) -> Answer {
    answer(household.request(Method::POST, "/api/blog/import").body(archive)).await
}

fn titles(answer: &Value) -> Vec<&str> {
    answer["posts"].as_array().unwrap().iter().map(|post| post["title"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn posts_are_added_listed_changed_removed_and_brought_back() {
    let house = House::open().await;
    let household = house.household();
    let first = json!({"title": "김장", "tags": ["부엌", "겨울"], "body": "배추 **스무** 포기.", "date": "2026-10-01"});
    let first = household.post("/api/blog/posts", first).await;
    assert_eq!(first.status, 201);
    let first = first.json();
    for (field, value) in [
        ("tags", json!(["부엌", "겨울"])),
        ("body", json!("배추 **스무** 포기.")),
        ("date", json!("2026-10-01")),
        ("excerpt", json!("배추 스무 포기.")),
        ("status", json!("published")),
        ("version", json!(1)),
        ("created_at", json!("2026-10-10T12:30:00Z")),
    ] {
        assert_eq!(first[field], value, "{field}");
    }
    household.post("/api/blog/posts", json!({"title": "메주", "tags": ["부엌"], "status": "draft"})).await.ok();
    household.post("/api/blog/posts", json!({"title": "단풍", "date": "2026-09-30"})).await.ok();

    let all = household.get("/api/blog/posts").await.ok();
    assert_eq!((titles(&all), &all["total"]), (vec!["메주", "김장", "단풍"], &json!(3)));
    assert_eq!(all["posts"][1]["body"], "배추 **스무** 포기.");
    for (query, expected, total) in [
        ("?status=draft", vec!["메주"], 1),
        ("?status=published", vec!["김장", "단풍"], 2),
        ("?tag=%EB%B6%80%EC%97%8C", vec!["메주", "김장"], 2),
        ("?tag=%EB%B6%80%EC%97%8C&status=published", vec!["김장"], 1),
        ("?tag=%EB%B6%80%EC%97%8C&limit=1&offset=1", vec!["김장"], 2),
        ("?limit=1&offset=1", vec!["김장"], 3),
        ("?tag=none", vec![], 0),
    ] {
        let found = household.get(&format!("/api/blog/posts{query}")).await.ok();
        assert_eq!((titles(&found), &found["total"]), (expected, &json!(total)), "{query}");
    }
    let heads = household.get("/api/blog/posts?body=false").await.ok();
    assert!(heads["posts"].as_array().unwrap().iter().all(|post| post["body"].is_null()), "{heads}");
    household.get("/api/blog/posts?status=lost").await.refused(422, "INVALID_INPUT");
    let tags = household.get("/api/blog/tags").await.ok();
    assert_eq!(tags["tags"], json!([{"name": "부엌", "count": 2}, {"name": "겨울", "count": 1}]));

    let address = format!("/api/blog/posts/{}", first["id"]);
    let changed = household.put(&address, json!({"tags": ["부엌"], "version": 1})).await.ok();
    assert_eq!((&changed["version"], &changed["title"]), (&json!(2), &json!("김장")));
    assert_eq!(household.get(&address).await.ok(), changed);
    let late = household.put(&address, json!({"title": "김치", "version": 1})).await;
    late.refused(409, "NEWER_VERSION");
    assert!(late.json()["message"].as_str().unwrap().contains("version 2"), "{late:?}");

    assert_eq!(household.delete(&address).await.ok(), json!({"ok": true, "post": changed}));
    household.delete(&address).await.refused(404, "NOT_FOUND");
    household.get(&address).await.refused(404, "NOT_FOUND");
    assert_eq!(titles(&household.get("/api/blog/posts").await.ok()), ["메주", "단풍"]);
    for _ in 0..2 {
        assert_eq!(household.post(&format!("{address}/restore"), Value::Null).await.ok(), changed);
    }
    assert_eq!(titles(&household.get("/api/blog/posts").await.ok()), ["메주", "김장", "단풍"]);
    household.post("/api/blog/posts/999/restore", Value::Null).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn posts_are_found_by_what_they_say_with_what_was_looked_for_marked() {
    let house = House::open().await;
    let household = house.household();
    let post = json!({"title": "제주 여행", "tags": ["여행"], "body": "성산 **일출봉**에 올랐다. [사진](https://example.com/a)"});
    let id = household.post("/api/blog/posts", post).await.ok()["id"].clone();
    household.post("/api/blog/posts", json!({"title": "일출을 보러", "status": "draft"})).await.ok();

    let found = household.get("/api/blog/posts?q=%EC%9D%BC%EC%B6%9C").await.ok();
    assert_eq!((titles(&found), &found["complete"]), (vec!["일출을 보러", "제주 여행"], &json!(true)));
    let marked = json!([{"text": "일출", "found": true}, {"text": "을 보러", "found": false}]);
    assert_eq!(found["posts"][0]["marked"], marked);
    let pieces = found["posts"][1]["found"].as_array().unwrap();
    let text: String = pieces.iter().map(|piece| piece["text"].as_str().unwrap()).collect();
    assert_eq!(text, "성산 일출봉에 올랐다. 사진");
    for (query, expected) in [
        ("&status=published", vec!["제주 여행"]),
        ("&status=draft", vec!["일출을 보러"]),
        ("&tag=%EC%97%AC%ED%96%89", vec!["제주 여행"]),
    ] {
        assert_eq!(
            titles(&household.get(&format!("/api/blog/posts?q=%EC%9D%BC%EC%B6%9C{query}")).await.ok()),
            expected
        );
    }
    let hit = household.get("/api/search?q=%EC%84%B1%EC%82%B0&kind=post").await.ok()["results"][0].clone();
    assert_eq!((&hit["leads_to"], &hit["tags"]), (&json!(format!("/blog/write?post={id}")), &json!(["여행"])));
    household.delete(&format!("/api/blog/posts/{id}")).await.ok();
    assert_eq!(titles(&household.get("/api/blog/posts?q=%EC%84%B1%EC%82%B0").await.ok()), [""; 0]);
}

#[tokio::test]
async fn a_text_is_shown_as_readers_see_it_and_nothing_of_it_is_executed() {
    let house = House::open().await;
    let household = house.household();
    let body = "# 제목\n\n**굵게** <script>alert(1)</script><img src=x onerror=alert(1)>";
    let shown = household.post("/api/blog/preview", json!({"body": body})).await.ok();
    assert_eq!(shown["html"], "<h1>제목</h1>\n<p><strong>굵게</strong> <img src=\"x\"></p>\n");
    assert_eq!(
        (&shown["excerpt"], &shown["words"], &shown["minutes"]),
        (&json!("굵게 alert(1)"), &json!(3), &json!(1))
    );
    household.post("/api/blog/preview", json!({})).await.refused(422, "INVALID_INPUT");
}

#[tokio::test]
async fn today_names_drafts_and_counts_what_is_published() {
    let house = House::open().await;
    let household = house.household();
    for (title, status) in [("하나", "draft"), ("둘", "published"), ("", "draft"), ("셋", "draft"), ("넷", "draft")]
    {
        let body = format!("{title} 쓰는 중");
        household.post("/api/blog/posts", json!({"title": title, "status": status, "body": body})).await.ok();
    }
    let blog = household.get("/api/today").await.ok()["blog"].clone();
    assert_eq!((&blog["draft_count"], &blog["published_count"]), (&json!(4), &json!(1)));
    let drafts: Vec<_> = blog["drafts"].as_array().unwrap().iter().map(|draft| draft["title"].clone()).collect();
    assert_eq!(drafts, ["넷", "셋", ""]);
}

#[tokio::test]
async fn what_a_post_said_before_is_listed_compared_and_brought_back() {
    let house = House::open().await;
    let household = house.household();
    let post = json!({"title": "김장", "body": "배추 스무 포기.\n", "status": "draft"});
    let id = household.post("/api/blog/posts", post).await.ok()["id"].clone();
    let address = format!("/api/blog/posts/{id}");
    let next = json!({"title": "김장 날", "body": "배추 서른 포기.\n", "status": "published"});
    household.put(&address, next).await.ok();

    let revisions = household.get(&format!("{address}/revisions")).await.ok();
    let expected = json!([{
        "number": 1, "written_at": "2026-10-10T12:30:00Z", "replaced_at": "2026-10-10T12:30:00Z",
        "title": "김장", "date": "2026-10-10", "words": 3,
    }]);
    assert_eq!(revisions["revisions"], expected);
    let first = household.get(&format!("{address}/revisions/1")).await.ok();
    assert_eq!(
        (&first["body"], &first["status"], &first["now"]),
        (&json!("배추 스무 포기.\n"), &json!("draft"), &json!(2))
    );
    let difference = json!([
        {"kind": "same", "text": "배추 "},
        {"kind": "removed", "text": "스무"},
        {"kind": "added", "text": "서른"},
        {"kind": "same", "text": " 포기.\n"},
    ]);
    assert_eq!(first["difference"], difference);
    assert_eq!(first["title_difference"][1], json!({"kind": "added", "text": " 날"}));

    // What somebody else has just written is kept where it gives way, and not otherwise.
    household.put(&address, json!({"body": "배추 마흔 포기.\n"})).await.ok();
    household.put(&address, json!({"body": "배추 쉰 포기.\n", "gives_way": true})).await.ok();
    let kept = household.get(&format!("{address}/revisions")).await.ok()["revisions"].clone();
    assert_eq!((kept.as_array().unwrap().len(), &kept[0]["number"]), (2, &json!(3)));
    household.put(&address, json!({"gives_way": "yes"})).await.refused(422, "INVALID_INPUT");

    let again = household.post(&format!("{address}/revisions/1/restore"), Value::Null).await.ok();
    assert_eq!(
        (&again["title"], &again["body"], &again["version"]),
        (&json!("김장"), &json!("배추 스무 포기.\n"), &json!(5))
    );
    assert_eq!(again["status"], "published", "readers go on reading it");
    for (method, path) in [("get", "/revisions/9"), ("post", "/revisions/9/restore")] {
        let path = format!("{address}{path}");
        let answer =
            if method == "get" { household.get(&path).await } else { household.post(&path, Value::Null).await };
        answer.refused(404, "NOT_FOUND");
    }
    household.get("/api/blog/posts/999/revisions").await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn posts_go_out_as_files_and_come_into_another_house_as_they_were() {
    let house = House::open().await;
    let household = house.household();
    for post in [
        json!({"title": "김장: 첫날", "tags": ["부엌", "겨울, 집"], "body": "\n배추 \n\n", "date": "2026-10-01"}),
        json!({"title": "김장: 첫날", "body": "무", "date": "2026-10-01", "excerpt": "\"무\""}),
        json!({"title": "", "body": "아직", "status": "draft"}),
    ] {
        household.post("/api/blog/posts", post).await.ok();
    }
    let files = files_of(&household, "/api/blog/export").await;
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(names, ["2026-10-01-김장-첫날-1.md", "2026-10-01-김장-첫날.md", "2026-10-10.md"]);
    let all: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();

    let other = House::open().await;
    for (added, repeated) in [(3, 0), (0, 3)] {
        let answered = brought(&other.household(), packed(&all)).await.ok();
        assert_eq!((&answered["added"], &answered["repeated"]), (&json!(added), &json!(repeated)), "{answered}");
    }
    let known = |posts: Value| {
        let mut posts = posts["posts"].as_array().unwrap().clone();
        posts.iter_mut().for_each(|post| post["id"] = Value::Null);
        posts.sort_by_key(ToString::to_string);
        posts
    };
    let there = known(other.household().get("/api/blog/posts").await.ok());
    assert_eq!(there, known(household.get("/api/blog/posts").await.ok()));
    let mut texts: Vec<String> = files_of(&other.household(), "/api/blog/export").await.into_values().collect();
    let mut before: Vec<String> = files.into_values().collect();
    texts.sort();
    before.sort();
    assert_eq!(texts, before);
}

#[tokio::test]
async fn of_what_is_brought_each_file_that_is_no_post_is_named_with_its_reason() {
    let house = House::open().await;
    let household = house.household();
    let long = "가".repeat(301);
    let answered = brought(
        &household,
        packed(&[
            ("글/봄.md", "꽃이 피었다.\n"),
            ("글/그림.png", "x"),
            ("__MACOSX/글/._봄.md", "x"),
            ("날.md", "---\ndate: 어제\n---\n"),
            ("이름.md", &format!("---\ntitle: {long}\n---\n")),
            ("신호.md", "\u{0}"),
        ]),
    );
    let answered = answered.await.ok();
    let refused = json!([
        {"name": "날.md", "reason": "date"},
        {"name": "이름.md", "reason": "title"},
        {"name": "신호.md", "reason": "body"},
    ]);
    let expected = json!({"added": 1, "repeated": 0, "refused": refused, "refused_count": 3, "others": 2});
    assert_eq!(answered, expected);
    assert_eq!(titles(&household.get("/api/blog/posts").await.ok()), ["봄"]);
    for no_zip in [Vec::new(), b"# a text".to_vec()] {
        brought(&household, no_zip).await.refused(422, "INVALID_INPUT");
    }
    brought(&household, vec![0; (32 << 20) + 1]).await.refused(413, "TOO_LARGE");
}

#[tokio::test]
async fn what_is_published_stands_in_the_feed_and_on_the_pages_and_drafts_do_not() {
    let house = House::open().await;
    let household = house.household();
    household.post("/api/blog/posts", json!({"title": "초안", "status": "draft"})).await.ok();
    for number in 1..=21 {
        household.post("/api/blog/posts", json!({"title": format!("글 {number}"), "body": "**본문**"})).await.ok();
    }
    let feed = household.get("/api/blog/feed.xml").await;
    assert_eq!((feed.status.as_u16(), feed.header("content-type")), (200, "application/atom+xml"));
    assert_eq!(feed.text.matches("<entry>").count(), 20);
    assert!(feed.text.contains("<title>글 21</title>") && !feed.text.contains("초안"), "{}", feed.text);
    let again = household.request(Method::GET, "/api/blog/feed.xml").header("if-none-match", feed.header("etag"));
    assert_eq!(answer(again).await.status, 304);

    let files = files_of(&household, "/api/blog/export?form=site&language=en").await;
    assert_eq!(files.len(), 23);
    assert!(
        files["index.html"].contains("href=\"posts/2026-10-10-글-7.html\"") && !files["index.html"].contains("초안")
    );
    assert!(files["posts/2026-10-10-글-7.html"].contains("<strong>본문</strong>"));
    assert!(files["feed.xml"].contains("<link href=\"posts/2026-10-10-글-21.html\"/>"));
    household.get("/api/blog/export?form=paper").await.refused(422, "INVALID_INPUT");
}

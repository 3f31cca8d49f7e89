//! The blog, from the first draft to what is found of it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;
use std::sync::mpsc;

use hanok::base::Error;
use hanok::calc::zip::{self, Archive};
use hanok::platform::blocking;
use hanok::platform::store::Table;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use crate::house::{Answer, Caller, House, Household, answer, evening_of_draw_1245};
use crate::search::complete;

/// Texts as files in one.
pub fn packed(files: &[(&str, &str)]) -> Vec<u8> {
    packed_bytes(&files.iter().map(|(name, text)| (*name, text.as_bytes())).collect::<Vec<_>>())
}

/// Files in one.
pub fn packed_bytes(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = Archive::default();
    for (name, bytes) in files {
        assert!(archive.add(name, evening_of_draw_1245().naive_utc(), bytes));
    }
    archive.finish()
}

/// What is given out at `address`, in one file.
pub async fn archive_of(household: &Household<'_>, address: &str) -> Vec<u8> {
    let response = household.request(Method::GET, address).send().await.unwrap();
    let header = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
    assert_eq!((response.status().as_u16(), header("content-type").as_str()), (200, "application/zip"));
    assert!(header("content-disposition").starts_with("attachment; filename="));
    let length = header("content-length");
    let bytes = response.bytes().await.unwrap();
    assert_eq!(length, bytes.len().to_string());
    bytes.to_vec()
}

/// The files in one.
pub fn opened(archive: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut archive = Cursor::new(archive);
    let files = zip::files(&mut archive).unwrap().into_iter();
    files.map(|file| (file.name.clone(), file.open(&mut archive, 8 << 20).unwrap())).collect()
}

async fn files_of(household: &Household<'_>, address: &str) -> BTreeMap<String, String> {
    let files = opened(&archive_of(household, address).await).into_iter();
    files.map(|(name, bytes)| (name, String::from_utf8(bytes).unwrap())).collect()
}

/// What is answered to who brings this.
pub async fn brought(household: &Household<'_>, archive: Vec<u8>) -> Answer {
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
    let removed = json!([{
        "id": first["id"], "title": "김장", "date": "2026-10-01", "excerpt": "배추 스무 포기.", "status": "published",
        "removed_at": "2026-10-10T12:30:00Z",
    }]);
    assert_eq!(household.get("/api/blog/removed").await.ok()["posts"], removed);
    for _ in 0..2 {
        assert_eq!(household.post(&format!("{address}/restore"), Value::Null).await.ok(), changed);
    }
    assert_eq!(titles(&household.get("/api/blog/posts").await.ok()), ["메주", "김장", "단풍"]);
    assert_eq!(household.get("/api/blog/removed").await.ok()["posts"], json!([]));
    household.post("/api/blog/posts/999/restore", Value::Null).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn posts_are_found_by_what_they_say_with_what_was_looked_for_marked() {
    let house = House::open().await;
    let household = house.household();
    let post = json!({"title": "제주 여행", "tags": ["여행"], "body": "성산 **일출봉**에 올랐다. [사진](https://example.com/a)"});
    let id = household.post("/api/blog/posts", post).await.ok()["id"].clone();
    household.post("/api/blog/posts", json!({"title": "일출을 보러", "status": "draft"})).await.ok();

    let found = complete(&household, "/api/blog/posts?q=%EC%9D%BC%EC%B6%9C").await;
    assert_eq!(titles(&found), ["일출을 보러", "제주 여행"]);
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
async fn a_text_is_shown_while_something_else_takes_much_memory_for_long() {
    let house = House::open().await;
    let (let_go, held) = mpsc::channel::<()>();
    let (begins, begun) = oneshot::channel();
    let mut exports = JoinSet::new();
    exports.spawn(blocking::run_in_turn(move |_| {
        let _ = begins.send(());
        held.recv().map_err(Error::internal)
    }));
    begun.await.unwrap();
    let shown = house.household().post("/api/blog/preview", json!({"body": "*now*"})).await.ok();
    assert_eq!(shown["html"], "<p><em>now</em></p>\n");
    let_go.send(()).unwrap();
    exports.join_next().await.unwrap().unwrap().unwrap();
}

#[tokio::test]
async fn a_table_that_cannot_be_read_takes_its_own_part_of_today_and_no_other() {
    /// What lists show of the posts, as no version has ever written it.
    const UNREADABLE: Table<u64, Value> = Table::new("blog_heads-1");

    let house = House::open().await;
    let household = house.household();
    household.post("/api/todos", json!({"title": "김장"})).await.ok();
    let post = household.post("/api/blog/posts", json!({"title": "메주", "status": "draft"})).await.ok();
    let whole = household.get("/api/today").await.ok();
    assert_eq!((&whole["unread"], &whole["blog"]["draft_count"]), (&json!([]), &json!(1)));
    let id = post["id"].as_u64().unwrap();
    let store = house.appliance.app().data.store.clone();
    store.write(move |tx| tx.put(&UNREADABLE, id, &json!("no head"))).await.unwrap();

    let left = household.get("/api/today").await.ok();
    assert_eq!(left["unread"], json!(["blog"]));
    let fields = |day: &Value| day.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(fields(&whole).difference(&fields(&left)).collect::<Vec<_>>(), ["blog"]);
    assert_eq!((&left["todos"], &left["draw"]), (&whole["todos"], &whole["draw"]));

    household.put(&format!("/api/blog/posts/{id}"), json!({"title": "메주를 쑤는 날"})).await.ok();
    let mended = household.get("/api/today").await.ok();
    assert_eq!((&mended["unread"], &mended["blog"]["drafts"][0]["title"]), (&json!([]), &json!("메주를 쑤는 날")));
}

#[tokio::test]
async fn today_names_drafts_and_counts_what_is_published() {
    let house = House::open().await;
    let household = house.household();
    assert_eq!(household.get("/api/today").await.ok()["blog"]["last_published"], Value::Null);
    household.post("/api/blog/posts", json!({"title": "지난달", "date": "2026-09-01"})).await.ok();
    for (title, status) in [("하나", "draft"), ("둘", "published"), ("", "draft"), ("셋", "draft"), ("넷", "draft")]
    {
        let body = format!("{title} 쓰는 중");
        household.post("/api/blog/posts", json!({"title": title, "status": status, "body": body})).await.ok();
    }
    let blog = household.get("/api/today").await.ok()["blog"].clone();
    assert_eq!((&blog["draft_count"], &blog["published_count"]), (&json!(4), &json!(2)));
    assert_eq!(
        (&blog["last_published"]["title"], &blog["last_published"]["date"]),
        (&json!("둘"), &json!("2026-10-10"))
    );
    let drafts: Vec<_> = blog["drafts"].as_array().unwrap().iter().map(|draft| draft["title"].clone()).collect();
    assert_eq!(drafts, ["넷", "셋", ""]);
}

#[tokio::test]
async fn what_a_post_said_before_is_listed_compared_and_brought_back() {
    let house = House::open().await;
    let household = house.household();
    let post = json!({
        "title": "김장", "body": "배추 스무 포기.\n", "status": "draft", "tags": ["겨울", "부엌"], "date": "2026-10-09",
    });
    let id = household.post("/api/blog/posts", post).await.ok()["id"].clone();
    let address = format!("/api/blog/posts/{id}");
    let next = json!({
        "title": "김장 날", "body": "배추 서른 포기.\n", "status": "published", "tags": ["부엌", "장독"], "date": "2026-10-10",
        "excerpt": "올해 김장",
    });
    household.put(&address, next).await.ok();

    let revisions = household.get(&format!("{address}/revisions")).await.ok();
    let expected = json!([{
        "number": 1, "written_at": "2026-10-10T12:30:00Z", "replaced_at": "2026-10-10T12:30:00Z",
        "title": "김장", "date": "2026-10-09", "words": 3,
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
    for (field, value) in [
        ("excerpt_difference", json!([{"kind": "added", "text": "올해 김장"}])),
        ("tags_removed", json!(["겨울"])),
        ("tags_added", json!(["장독"])),
        ("date", json!("2026-10-09")),
        ("date_now", json!("2026-10-10")),
        ("status_now", json!("published")),
    ] {
        assert_eq!(first[field], value, "{field}");
    }

    // What somebody else has just written is kept where it gives way, and not otherwise.
    household.put(&address, json!({"body": "배추 마흔 포기.\n"})).await.ok();
    household.put(&address, json!({"body": "배추 쉰 포기.\n", "overwrite": true})).await.ok();
    let kept = household.get(&format!("{address}/revisions")).await.ok()["revisions"].clone();
    assert_eq!((kept.as_array().unwrap().len(), &kept[0]["number"]), (2, &json!(3)));
    household.put(&address, json!({"overwrite": "yes"})).await.refused(422, "INVALID_INPUT");

    let again = household.post(&format!("{address}/revisions/1/restore"), Value::Null).await.ok();
    assert_eq!(
        (&again["title"], &again["body"], &again["version"]),
        (&json!("김장"), &json!("배추 스무 포기.\n"), &json!(5))
    );
    assert_eq!(
        (&again["tags"], &again["date"], &again["status"], &again["excerpt_given"]),
        (&json!(["겨울", "부엌"]), &json!("2026-10-09"), &json!("published"), &json!(false)),
        "and readers go on reading it"
    );
    let left = household.get(&format!("{address}/revisions/4")).await.ok();
    assert_eq!((&left["excerpt"], &left["status"]), (&json!("올해 김장"), &json!("published")), "what it was is kept");
    for (method, path) in [("get", "/revisions/9"), ("post", "/revisions/9/restore")] {
        let path = format!("{address}{path}");
        let answer =
            if method == "get" { household.get(&path).await } else { household.post(&path, Value::Null).await };
        answer.refused(404, "NOT_FOUND");
    }
    household.get("/api/blog/posts/999/revisions").await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_version_without_a_title_comes_back_as_a_draft_that_can_be_changed_and_moved() {
    let house = House::open().await;
    let household = house.household();
    let untitled = json!({"title": "", "status": "draft", "body": "배추"});
    let address = format!("/api/blog/posts/{}", household.post("/api/blog/posts", untitled).await.ok()["id"]);
    household.put(&address, json!({"title": "김장", "status": "published"})).await.ok();
    let again = household.post(&format!("{address}/revisions/1/restore"), Value::Null).await.ok();
    assert_eq!((&again["title"], &again["status"]), (&json!(""), &json!("draft")));
    let feed = household.request(Method::GET, "/api/blog/feed.xml").send().await.unwrap().text().await.unwrap();
    assert!(!feed.contains("<entry>"), "{feed}");
    assert_eq!(household.put(&address, json!({"body": "무"})).await.ok()["status"], "draft");

    let other = House::open().await;
    let brought = brought(&other.household(), archive_of(&household, "/api/blog/export").await).await.ok();
    assert_eq!((&brought["added"], &brought["refused_count"]), (&json!(1), &json!(0)), "{brought}");
    let posts = other.household().get("/api/blog/posts").await.ok();
    assert_eq!((&posts["posts"][0]["title"], &posts["posts"][0]["status"]), (&json!(""), &json!("draft")));
    // What said it with a title is for readers or not, as the post is now.
    let titled = household.post(&format!("{address}/revisions/2/restore"), Value::Null).await.ok();
    assert_eq!((&titled["title"], &titled["status"]), (&json!("김장"), &json!("draft")));
}

#[tokio::test]
async fn posts_go_out_as_files_and_come_into_another_house_as_they_were() {
    let house = House::open().await;
    let household = house.household();
    for post in [
        json!({"title": "김장: 첫날", "tags": ["부엌", "겨울, 집"], "body": "\n배추 \n\n", "date": "2026-10-01"}),
        json!({"title": "김장: 첫날", "body": "무", "date": "2026-10-01", "excerpt": "\"무\""}),
        json!({"title": "", "body": "아직", "status": "draft"}),
        json!({"title": "../가/나\\다", "tags": ["'하나'", "\"둘\", 셋", "# 넷: 다섯"], "body": "하나\r\n둘\r\n\r\n"}),
        json!({"title": "🏡", "body": "---\ntitle: 본문\n---\n", "status": "draft"}),
        json!({"title": ".숨김", "body": "x", "date": "1999-12-31"}),
        json!({"title": "CON", "body": "\n\n", "date": "2026-10-02", "status": "draft"}),
        json!({"title": "aux.md", "body": "끝", "date": "2026-10-02"}),
    ] {
        household.post("/api/blog/posts", post).await.ok();
    }
    let files = files_of(&household, "/api/blog/export").await;
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    let expected = [
        "1999-12-31-숨김.md",
        "2026-10-01-김장-첫날-2.md",
        "2026-10-01-김장-첫날.md",
        "2026-10-02-aux-md.md",
        "2026-10-02-con.md",
        "2026-10-10-2.md",
        "2026-10-10-가-나-다.md",
        "2026-10-10.md",
    ];
    assert_eq!(names, expected);
    let whole = archive_of(&household, "/api/blog/export").await;

    let other = House::open().await;
    for (added, repeated) in [(8, 0), (0, 8)] {
        let answered = brought(&other.household(), whole.clone()).await.ok();
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
    let again = archive_of(&other.household(), "/api/blog/export").await;
    assert!(again == whole, "the same bytes: {:?}", opened(&again).keys());
}

#[tokio::test]
async fn posts_of_one_title_keep_the_names_of_their_files_in_whatever_order_a_zip_lists_them() {
    // As programs sort names: the tenth before the second, and the first of all last.
    let number = |number: &u32| if *number == 1 { "~".to_owned() } else { number.to_string() };
    let mut numbers: Vec<u32> = (1..=11).collect();
    numbers.sort_by_key(number);
    let name = |number: u32| match number {
        1 => "2026-10-01-김장.md".to_owned(),
        _ => format!("2026-10-01-김장-{number}.md"),
    };
    let file = |number: u32| format!("---\ntitle: 김장\ndate: 2026-10-01\n---\n\n{number}번째\n");
    let mut files: Vec<(String, String)> = numbers.into_iter().map(|number| (name(number), file(number))).collect();
    files.insert(5, ("2026-10-01-메주.md".to_owned(), "---\ntitle: 메주\ndate: 2026-10-01\n---\n\n콩\n".to_owned()));
    let house = House::open().await;
    let household = house.household();
    let listed: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    assert_eq!(brought(&household, packed(&listed)).await.ok()["added"], 12);
    let gone_out = files_of(&household, "/api/blog/export").await;
    assert_eq!(gone_out.len(), 12);
    for (name, text) in files {
        let body = text.rsplit("---\n").next().unwrap();
        assert!(gone_out[&name].ends_with(body), "{name}: {}", gone_out[&name]);
    }
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
            ("bad.md", "---\ntitle: [broken\n---\n본문\n"),
        ]),
    );
    let answered = answered.await.ok();
    let refused = json!([
        {"name": "날.md", "reason": "date"},
        {"name": "이름.md", "reason": "title"},
        {"name": "신호.md", "reason": "body"},
        {"name": "bad.md", "reason": "front"},
    ]);
    let expected = json!({
        "added": 1, "repeated": 0, "pictures": 0, "refused": refused, "refused_count": 4, "others": 2,
        "passed_over": ["글/그림.png", "__MACOSX/글/._봄.md"],
    });
    assert_eq!(answered, expected);
    assert_eq!(titles(&household.get("/api/blog/posts").await.ok()), ["봄"]);
    for no_zip in [Vec::new(), b"# a text".to_vec()] {
        brought(&household, no_zip).await.refused(422, "INVALID_INPUT");
    }
}

#[tokio::test]
async fn what_is_brought_is_counted_by_what_it_says_to_be_and_what_is_not_for_everybody_comes_as_a_draft() {
    let house = House::open().await;
    let household = house.household();
    let names: Vec<String> = (0..129).map(|number| format!("{number}.md")).collect();
    let mut archive = packed(&names.iter().map(|name| (name.as_str(), "본문")).collect::<Vec<_>>());
    // Each says to be a mebibyte long: it would be refused as damaged, and be unpacked for that.
    let list = u32::from_le_bytes(archive[archive.len() - 6..][..4].try_into().unwrap()) as usize;
    let marks = (list..archive.len()).filter(|at| archive[*at..].starts_with(b"PK\x01\x02")).collect::<Vec<_>>();
    assert_eq!(marks.len(), 129);
    marks.into_iter().for_each(|at| archive[at + 24..at + 28].copy_from_slice(&(1u32 << 20).to_le_bytes()));
    brought(&household, archive).await.refused(422, "INVALID_INPUT");

    let private = "---\ntitle: 우리끼리\ndate: 2026-03-06\nstatus: private\n---\n아무에게도 보이지 않을 글.\n";
    let toml = "+++\ntitle = \"바다 이야기\"\ndate = 2026-03-03T10:00:00Z\ndraft = true\ntags = [\"여행\", \"바다\"]\n+++\n\n\
                제주에서 보낸 하루.\n";
    let answered = brought(&household, packed(&[("가.md", private), ("나.md", toml)])).await.ok();
    assert_eq!((&answered["added"], &answered["refused_count"]), (&json!(2), &json!(0)), "{answered}");
    let posts = household.get("/api/blog/posts?status=draft").await.ok();
    assert_eq!(titles(&posts), ["우리끼리", "바다 이야기"]);
    let sea = &posts["posts"][1];
    assert_eq!((&sea["date"], &sea["tags"]), (&json!("2026-03-03"), &json!(["여행", "바다"])));
    assert_eq!(sea["body"], "제주에서 보낸 하루.\n");
}

#[tokio::test]
async fn what_is_brought_comes_in_as_drafts_where_that_is_asked_for() {
    let house = House::open().await;
    let household = house.household();
    let archive = packed(&[("봄.md", "---\ndraft: false\ncategories: [여행]\n---\n꽃")]);
    let brought = async |how: &str| {
        answer(household.request(Method::POST, &format!("/api/blog/import{how}")).body(archive.clone())).await
    };
    brought("?drafts=perhaps").await.refused(422, "INVALID_INPUT");
    assert_eq!(brought("?drafts=true").await.ok()["added"], 1);
    let post = household.get("/api/blog/posts").await.ok()["posts"][0].clone();
    assert_eq!((&post["status"], &post["tags"]), (&json!("draft"), &json!(["여행"])));
    household.put(&format!("/api/blog/posts/{}", post["id"]), json!({"status": "published"})).await.ok();
    assert_eq!(brought("?drafts=true").await.ok()["repeated"], 1, "it is not there a second time");
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

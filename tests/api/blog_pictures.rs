//! The pictures of posts on their way out of the house with them, and into it.

use hanok::platform::blobs;
use reqwest::Method;
use serde_json::{Value, json};

use crate::blog::{archive_of, brought, opened, packed_bytes};
use crate::house::{Caller, House, answer};
use crate::raw::Wire;

/// A picture of so many bytes.
fn png(bytes: usize) -> Vec<u8> {
    let beginning = b"\x89PNG\r\n\x1a\n".iter().copied();
    beginning
        .chain((0..bytes as u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 24) as u8))
        .take(bytes)
        .collect()
}

async fn put(house: &House, bytes: &[u8]) -> String {
    house.appliance.app().data.blobs.put(bytes.to_vec()).await.unwrap().blob.id.to_string()
}

/// How many files a house has, and how many of them no row names.
fn files_in(house: &House) -> (u64, u64) {
    let totals = house.appliance.app().data.store.read_now(|tx| blobs::totals(tx)).unwrap();
    (totals.files, totals.unused_files)
}

async fn bodies(house: &House) -> Vec<String> {
    let posts = house.household().get("/api/blog/posts").await.ok()["posts"].clone();
    let mut bodies: Vec<String> =
        posts.as_array().unwrap().iter().map(|post| post["body"].as_str().unwrap().to_owned()).collect();
    bodies.sort();
    bodies
}

#[tokio::test]
async fn posts_go_into_another_house_with_every_picture_that_they_show_and_as_they_were() {
    let house = House::open().await;
    let household = house.household();
    // More than a few pieces; and a paper, whose link says more.
    let (picture, paper) = (png(700_001), b"%PDF-1.7 \xea\xb2\xac".to_vec());
    let (shown, linked, gone) = (put(&house, &picture).await, put(&house, &paper).await, "0f".repeat(32));
    let papers = format!("[견적서 42](/api/files/{linked}?name=%EA%B2%AC%EC%A0%81%EC%84%9C.pdf&keep=true)");
    for (title, status, body) in [
        ("김장", "published", format!("![배추](/api/files/{shown})\n\n{papers} `/api/files/{shown}`\n")),
        ("메주 쑤는 날", "draft", format!("<img src=\"/api/files/{shown}\" alt=\"콩\">\n")),
        ("없는 사진", "published", format!("![](/api/files/{gone}) https://a.example/api/files/{shown}")),
    ] {
        household.post("/api/blog/posts", json!({"title": title, "status": status, "body": body})).await.ok();
    }
    let archive = archive_of(&household, "/api/blog/export").await;
    let files = opened(&archive);
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    let (place, beside) = (format!("pictures/{shown}.png"), format!("pictures/{linked}.pdf"));
    let mut expected =
        vec!["2026-10-10-김장.md", "2026-10-10-메주-쑤는-날.md", "2026-10-10-없는-사진.md", &beside, &place];
    expected.sort_unstable();
    assert_eq!(names, expected);
    assert_eq!((&files[&place], &files[&beside]), (&picture, &paper));
    let text = String::from_utf8(files["2026-10-10-김장.md"].clone()).unwrap();
    assert!(text.contains(&format!("![배추]({place})")) && text.contains(&format!("({beside}?name=")), "{text}");
    assert!(String::from_utf8_lossy(&files["2026-10-10-없는-사진.md"]).contains(&format!("(/api/files/{gone})")));

    let other = House::open().await;
    for (added, repeated, pictures) in [(3, 0, 2), (0, 3, 0)] {
        let answered = brought(&other.household(), archive.clone()).await.ok();
        let expected = json!({
            "added": added, "repeated": repeated, "pictures": pictures, "refused": [], "refused_count": 0, "others": 0,
            "passed_over": [],
        });
        assert_eq!(answered, expected);
        assert_eq!((bodies(&other).await, files_in(&other)), (bodies(&house).await, (2, 0)));
    }
    let there = other.household().request(Method::GET, &format!("/api/files/{shown}")).send().await.unwrap();
    assert_eq!(there.bytes().await.unwrap(), picture);
    assert_eq!(opened(&archive_of(&other.household(), "/api/blog/export").await), files);
}

#[tokio::test]
async fn of_another_program_come_the_pictures_that_posts_show_and_nothing_else_and_nothing_from_outside() {
    let house = House::open_with(|config| config.store.upload_mib = 1).await;
    let household = house.household();
    let (picture, photo) = (png(300), [b"\xff\xd8\xff\xe0".as_slice(), &png(40)].concat());
    let mut bomb = png(8);
    bomb.resize(2 << 20, 0);
    let text = "![](../사진/%EB%B4%84.png) ![꽃](봄꽃.JPG \"꽃\") ![](없다.gif) ![](거짓.png) ![](큰.png) ![](../../밖.png) \
                ![](../../../etc/passwd.txt) [다음](여름.md) ![](/사진/첫.png) ![](/none.png)";
    let archive = packed_bytes(&[
        ("글/봄.md", text.as_bytes()),
        ("글/여름.md", b"![](./../\xec\x82\xac\xec\xa7\x84/\xeb\xb4\x84.png)"),
        // As a Mac writes the letters.
        ("사진/\u{1107}\u{1169}\u{11b7}.png", &picture),
        ("글/봄꽃.JPG", &photo),
        ("글/거짓.png", b"<script>alert(1)</script>"),
        ("글/큰.png", &bomb),
        ("static/사진/첫.png", &png(70)),
        ("../밖.png", &png(50)),
        ("사진/아무도.png", &png(60)),
    ]);
    assert!(archive.len() < 10_000, "the large one is small as long as it is packed");
    let answered = brought(&household, archive).await.ok();
    let refused = json!([
        {"name": "none.png", "reason": "absent"},
        {"name": "글/없다.gif", "reason": "absent"},
        {"name": "글/거짓.png", "reason": "kind"},
        {"name": "글/큰.png", "reason": "too_large"},
    ]);
    let expected = json!({
        "added": 2, "repeated": 0, "pictures": 3, "refused": refused, "refused_count": 4, "others": 2,
        "passed_over": ["../밖.png", "사진/아무도.png"],
    });
    assert_eq!(answered, expected);
    let (spring, flower) = (put(&house, &picture).await, put(&house, &photo).await);
    let said = text.replace("../사진/%EB%B4%84.png", &format!("/api/files/{spring}"));
    let said = said.replace("봄꽃.JPG", &format!("/api/files/{flower}"));
    let said = said.replace("/사진/첫.png", &format!("/api/files/{}", put(&house, &png(70)).await));
    assert_eq!(bodies(&house).await, [format!("![](/api/files/{spring})"), said]);
    assert_eq!(files_in(&house), (3, 0));
}

#[tokio::test]
async fn pages_for_any_server_show_the_pictures_of_what_is_published_and_bring_no_others() {
    let house = House::open().await;
    let household = house.household();
    let (shown, hidden) = (put(&house, &png(100)).await, put(&house, &png(101)).await);
    for (title, status, picture) in [("김장", "published", &shown), ("초안", "draft", &hidden)] {
        let body = format!("![배추](/api/files/{picture})");
        household.post("/api/blog/posts", json!({"title": title, "status": status, "body": body})).await.ok();
    }
    let address = "/api/blog/export?form=site";
    let archive = archive_of(&household, address).await;
    let files = opened(&archive);
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    let place = format!("pictures/{shown}.png");
    assert_eq!(names, ["feed.xml", "index.html", &place, "posts/2026-10-10-김장.html"]);
    assert_eq!(files[&place], png(100));
    let page = String::from_utf8_lossy(&files["posts/2026-10-10-김장.html"]);
    assert!(page.contains(&format!("<img src=\"../{place}\" alt=\"배추\">")), "{page}");
    assert!(String::from_utf8_lossy(&files["feed.xml"]).contains(&format!("&quot;{place}&quot;")));
    // Who has it already is told so, and who asks for nothing but its head hears its length.
    let head = answer(household.request(Method::HEAD, address)).await;
    assert_eq!((head.status.as_u16(), head.header("content-length")), (200, archive.len().to_string().as_str()));
    let again = household.request(Method::GET, address).header("if-none-match", head.header("etag"));
    assert_eq!(answer(again).await.status, 304);
}

#[tokio::test]
async fn a_file_that_went_or_has_changed_stays_out_and_the_posts_go_out_all_the_same() {
    let house = House::open().await;
    let household = house.household();
    let (gone, short) = (put(&house, &png(100)).await, put(&house, &png(200)).await);
    let body = format!("![](/api/files/{gone}) ![](/api/files/{short})");
    household.post("/api/blog/posts", json!({"title": "김장", "body": body})).await.ok();
    let path = |id: &str| house.appliance.app().data.blobs.path(&blobs::BlobId::parse(id).unwrap()).unwrap();
    std::fs::remove_file(path(&gone)).unwrap();
    std::fs::write(path(&short), b"x").unwrap();
    let files = opened(&archive_of(&household, "/api/blog/export").await);
    assert_eq!(files.len(), 1);
    assert!(String::from_utf8_lossy(&files["2026-10-10-김장.md"]).ends_with(&body));
}

#[tokio::test]
async fn a_zip_that_says_to_be_larger_than_any_is_refused_before_it_comes() {
    let house = House::open().await;
    let mut wire = Wire::to(house.appliance.ops_address()).await;
    let length = (4u64 << 30) + 1;
    let host = house.appliance.ops_address();
    wire.say(format!("POST /api/blog/import HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n\r\n")).await;
    let refused = wire.hear().await.unwrap();
    assert_eq!(refused.status, 413);
    let left: Value = house.household().get("/api/blog/posts").await.ok();
    assert_eq!((&left["total"], files_in(&house)), (&json!(0), (0, 0)));
}

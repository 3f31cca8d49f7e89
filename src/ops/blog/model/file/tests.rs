//! Files of this house and of other programs.

use hanok_base::Request as _;
use proptest::prelude::*;
use serde_json::json;

use super::super::NewPost;
use super::*;

fn now() -> DateTime<Utc> {
    "2026-10-10T12:30:00Z".parse().unwrap()
}

#[test]
fn whatever_other_programs_write_for_a_draft_does_not_become_public() {
    let of = |says: &str| from_file("a.md", &format!("---\ntitle: a\n{says}\n---\nx"), now());
    for says in [
        "draft: True",
        "draft: yes",
        "draft: \"true\" # yet",
        "\"draft\": true",
        "draft:\n  true",
        "is_draft: 1",
        "published: False",
        "published: no",
        "published: 2026-10-11",
        "publishDate: 2030-01-01",
        "publish: false",
        "status: Draft",
        "status: private",
        "status: pending",
        "post_status: future",
        "status:\n  trash",
        "visibility: hidden",
        "visibility: private",
        "private: true",
        "pending: on",
        "hidden: true",
        "public: no",
        "password: 우리끼리",
        "password:\n  - a",
        "state: draft",
        "비공개: 예",
        "공개: 아니오",
        "공개 범위: 비공개",
        "draft: false\nstatus: private",
        "privacy: private",
        "type: private",
        "wordpress_visibility: private",
        "wordpress_visibility: three of us",
        "members_only: true",
        "visible: false",
        "listed: false",
        "restricted: true",
        "locked: true",
        "access: [members]",
        "공개여부: 비공개",
        "공개여부: 아니오",
        "params.private: true",
        "params.status: 완료",
    ] {
        let row = of(says).unwrap();
        assert_eq!((row.post.status, row.others.as_str()), (Status::Draft, ""), "{says}");
    }
    for says in [
        "draft: FALSE",
        "draft: no",
        "published: true",
        "draft:",
        "password: \"\"",
        "status: publish",
        "status:",
        "visibility: public",
        "published: 2026-10-10",
        "state: 서울",
        "private: false",
        "type: post",
        "type: review",
        "description: private",
        "categories: [가족]",
        "unlisted: false",
        "visible: true",
        "공개여부: 공개",
        "params:\n  draft: false\n  cover: a.png",
        "cover: {image: a.png}",
        "intro: |\n  a\n  draft: true",
    ] {
        assert_eq!(of(says).unwrap().post.status, Status::Published, "{says}");
    }
    assert_eq!(of("published: 2026-09-01").unwrap().post.date.to_string(), "2026-09-01");
    for says in ["draft: maybe", "status: 완료", "visibility: some", "private: [a]", "draft:true", "published: soon"]
    {
        assert!(of(says).unwrap_err().fields.contains_key("front"), "{says}");
    }
    for file in [
        "+++\ntitle: a\ndraft: true\n+++\nx",
        "---\ndraft: true\n\nx",
        "{\n  \"title\": \"a\",\n  \"draft\": true\n}\nx",
        "---\n{title: a, draft: true}\n---\nx",
        ";;;\n\"private\": true\n;;;\nx",
        "+++\ndraft = maybe\n+++\nx",
        "Title: a\nStatus: draft\n\nx",
    ] {
        assert!(from_file("a.md", file, now()).is_err_and(|error| error.fields.contains_key("front")), "{file}");
    }
    for (path, status) in
        [("_drafts/a.md", Status::Draft), ("b\\Drafts\\a.md", Status::Draft), ("drafts.md", Status::Published)]
    {
        assert_eq!(from_file(path, "x", now()).unwrap().post.status, status, "{path}");
    }
}

#[test]
fn what_is_said_further_in_counts_too() {
    for says in [
        "params:\n  draft: true",
        "params:\n  cover: a.png\n  private: true # yet",
        "blog: &all\n  private: yes",
        "blog:\n  post:\n    status: draft",
        "blog:\n  - draft: true",
        "params: {draft: true}",
        "params: {cover: {a: b}, \"draft\": true}",
        "params: [{draft: true}]",
        "params:\n  draft: perhaps",
    ] {
        let row = from_file("a.md", &format!("---\ntitle: a\n{says}\n---\nx"), now()).unwrap();
        assert_eq!((row.post.status, row.others), (Status::Draft, format!("{says}\n")), "{says}");
    }
    for says in
        ["[params]\nprivate = true", "params.private = true", "[extra]\ndraft = true", "extra = { draft = true }"]
    {
        let row = from_file("a.md", &format!("+++\ntitle = 'a'\n{says}\n+++\nx"), now()).unwrap();
        assert_eq!(row.post.status, Status::Draft, "{says}");
    }
    let zola = "+++\ntitle = 'a'\n[taxonomies]\ntags = ['섬', 'private']\ncategories = ['여행']\n+++\nx";
    let Row { post, others, .. } = from_file("a.md", zola, now()).unwrap();
    assert_eq!((post.tags, post.status), (["섬", "private", "여행"].map(String::from).to_vec(), Status::Published));
    assert_eq!(others, "");
}

#[test]
fn categories_of_other_programs_are_tags() {
    for says in ["tags: [섬]\ncategories:\n  - 여행\n  - 섬\n", "categories: 여행\ntags: 섬\n", "category: 섬, 여행\n"]
    {
        let Row { post, others, .. } = from_file("a.md", &format!("---\n{says}---\nx"), now()).unwrap();
        assert_eq!(
            (post.tags.iter().collect::<BTreeSet<_>>().len(), post.tags[0].as_str(), others.as_str()),
            (2, "섬", ""),
            "{says}"
        );
    }
    let many: String = (0..31).map(|number| format!("  - {number}\n")).collect();
    let refused = from_file("a.md", &format!("---\ncategories:\n{many}---\nx"), now()).unwrap_err();
    assert!(refused.fields.contains_key("tags"), "{refused}");
}

#[test]
fn fields_in_toml_are_fields() {
    let file = "+++\ntitle = \"바다 이야기\"\ndate = 2026-03-03T10:00:00Z\ndraft = true\ntags = [\"여행\", \"바다\"]\nweight = 3\n+++\n\n\
                제주에서 보낸 하루.\n";
    let Row { post, others, .. } = from_file("a.md", file, now()).unwrap();
    assert_eq!((post.title.as_str(), post.date.to_string().as_str()), ("바다 이야기", "2026-03-03"));
    assert_eq!((post.tags, post.status), (vec!["여행".to_owned(), "바다".to_owned()], Status::Draft));
    assert_eq!((post.body.as_str(), others.as_str()), ("제주에서 보낸 하루.\n", "weight: 3\n"));
}

#[test]
fn a_day_or_an_instant_of_no_sensible_year_is_refused_by_its_name() {
    for (says, field) in [
        ("created: -262143-01-01T00:00:00Z", "created"),
        ("updated: 0001-01-01T00:00:00Z", "updated"),
        ("date: 0001-01-01", "date"),
        ("created: 1899-12-31T00:00:00Z", "created"),
    ] {
        let refused = from_file("a.md", &format!("---\ntitle: a\n{says}\n---\nx"), now()).unwrap_err();
        assert_eq!(refused.fields.keys().collect::<Vec<_>>(), [field], "{says}");
    }
    let of = |says: &str| from_file("0001-01-01-a.md", &format!("---\ncreated: {says}\n---\nx"), now()).unwrap().post;
    assert_eq!(of("2024-01-01 09:00").created_at, day::start(day::parse("2024-01-01").unwrap()));
    assert_eq!((of("어제").created_at, of("9999-01-01T00:00:00Z").created_at), (now(), now()));
    assert_eq!(of("").date, day::of(now()));
}

#[test]
fn a_post_that_was_named_on_a_mac_is_called_by_whole_syllables() {
    use unicode_normalization::UnicodeNormalization;
    let name: String = "2026-10-10-김장김치.md".nfd().collect();
    assert_eq!(from_file(&name, "배추", now()).unwrap().post.title, "김장김치");
}

#[test]
fn a_post_as_a_file_can_be_read_by_people_and_other_programs() {
    let new = json!({
        "title": "김장: \"스무\" 포기", "tags": ["부엌", "겨울, 집"], "body": "# 배추\n", "date": "2026-10-01",
        "excerpt": "올해", "status": "draft",
    });
    let row = NewPost::check(serde_json::from_value(new).unwrap()).unwrap().into_row(now()).unwrap();
    let file = to_file(&row);
    assert_eq!(
        file,
        "---\ntitle: \"김장: \\\"스무\\\" 포기\"\ndate: 2026-10-01\ntags: [\"부엌\", \"겨울, 집\"]\nexcerpt: \"올해\"\n\
         draft: true\ncreated: 2026-10-10T12:30:00Z\nupdated: 2026-10-10T12:30:00Z\n---\n\n# 배추\n"
    );
    assert_eq!(from_file("any.md", &file, now()).unwrap(), row);
    let mut taken = BTreeSet::new();
    let names: Vec<String> = (0..2).map(|_| name_of(&row.post, &mut taken)).collect();
    assert_eq!(names, ["2026-10-01-김장-스무-포기", "2026-10-01-김장-스무-포기-0"]);
    // One whose title is what the id of another makes of its title.
    let mut taken = BTreeSet::from(["2026-10-01-김장-스무-포기-0".to_owned()]);
    let names: Vec<String> = (0..2).map(|_| name_of(&row.post, &mut taken)).collect();
    assert_eq!(names, ["2026-10-01-김장-스무-포기", "2026-10-01-김장-스무-포기-0-0"]);
    let mut taken = BTreeMap::from([("2026-10-01-김장-스무-포기-2".to_owned(), 1)]);
    let names: Vec<String> = (0..2).map(|_| name_in_order(&row.post, &mut taken)).collect();
    assert_eq!(names, ["2026-10-01-김장-스무-포기", "2026-10-01-김장-스무-포기-3"]);
}

#[test]
fn a_file_has_a_name_that_every_system_takes() {
    let name = |title: &str| {
        let sent = json!({"title": title, "date": "2026-10-01", "status": "draft"});
        let row = NewPost::check(serde_json::from_value(sent).unwrap()).unwrap().into_row(now()).unwrap();
        name_in_order(&row.post, &mut BTreeMap::new())
    };
    for (title, expected) in [
        ("../a/b\\c", "2026-10-01-a-b-c"),
        ("CON", "2026-10-01-con"),
        (".숨김.", "2026-10-01-숨김"),
        ("🏡", "2026-10-01"),
        ("a: \"b\" <c>|?*", "2026-10-01-a-b-c"),
    ] {
        assert_eq!(name(title), expected, "{title}");
    }
    assert!(name(&"\u{20000}".repeat(100)).len() < 230);
}

#[test]
fn a_file_of_another_program_is_a_post_and_keeps_what_posts_do_not_have() {
    let file = "---\nlayout: post\ntitle: 첫 글\ndate: 2024-03-01 09:00:00 +0900\ntags: 여행, 섬\npublished: false\n\
                cover:\n  image: a.jpg\n---\n본문\n";
    let Row { post, others, .. } = from_file("posts/a.md", file, now()).unwrap();
    assert_eq!((post.title.as_str(), post.date.to_string().as_str()), ("첫 글", "2024-03-01"));
    assert_eq!(
        (post.tags, post.status, post.body.as_str()),
        (vec!["여행".into(), "섬".into()], Status::Draft, "본문\n")
    );
    assert_eq!(others, "layout: post\ncover:\n  image: a.jpg\n");
    let of =
        |name: &str, file: &str| from_file(name, file, now()).map(|row| (row.post.title, row.post.date.to_string()));
    let is = |title: &str, day: &str| Ok((title.to_owned(), day.to_owned()));
    let said = |found: Result<(String, String)>| found.map_err(|error| error.fields.into_keys().collect::<Vec<_>>());
    assert_eq!(said(of("a/2025-05-05-어린이_날.md", "본문")), is("어린이 날", "2025-05-05"));
    assert_eq!(said(of("메모.md", "글\n# 봄\n")), is("봄", "2026-10-10"));
    assert_eq!(said(of("메모.md", "---\ntitle:\ndate:\n---\n")), is("메모", "2026-10-10"));
    assert_eq!(said(of("메모.md", "---\ndate: 어제\n---\n\u{0}")), Err(vec!["body".to_owned(), "date".to_owned()]));
    assert_eq!(said(of("-.md", "")), Err(vec!["title".to_owned()]));
    for broken in ["title: [broken", "title: [공지] 김장", "title:\n  - 하나", "tags: [여행, 섬"] {
        assert_eq!(said(of("bad.md", &format!("---\n{broken}\n---\n"))), Err(vec!["front".to_owned()]), "{broken}");
    }
}

proptest! {
    #[test]
    fn a_post_that_becomes_a_file_is_read_from_it_as_it_was(
        title in "\\PC{0,20}",
        tags in prop::collection::vec("\\PC{0,9}", 0..4),
        body in "(\\PC|[\n\t\r-]){0,40}",
        excerpt in "(\\PC|[\n\"\\\\]){0,20}",
        is_draft in any::<bool>(),
        seconds in 0i64..1_000_000,
    ) {
        let status = if is_draft { "draft" } else { "published" };
        let sent = json!({"title": title, "tags": tags, "body": body, "excerpt": excerpt, "status": status});
        let new = NewPost::check(serde_json::from_value(sent).unwrap()).and_then(|new| new.into_row(now()));
        prop_assume!(new.is_ok());
        let mut row = new.unwrap();
        row.post.created_at -= chrono::Duration::seconds(seconds);
        row.others = "layout: post\nmenu:\n  - a\n".to_owned();
        let read = from_file("other.md", &to_file(&row), now()).unwrap();
        prop_assert_eq!(read, row);
    }
}

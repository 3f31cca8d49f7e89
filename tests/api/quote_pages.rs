//! The pages of quotes, by forms alone, as a browser without scripts sends them.

use serde_json::{Value, json};

use crate::admins::invited;
use crate::desk::admin;
use crate::forms::{Browser, leads_to, value_of};
use crate::house::{Answer, Caller, House};
use crate::visitors::{PASSWORD, Visitor};

/// Who sits at the desk with a browser.
async fn at_the_desk<'a>(house: &'a House, name: &str) -> Browser<'a> {
    let word = invited(house, name).await;
    let mut browser = Browser::at(house);
    let setup = browser.open(&format!("/admin/setup?token={word}")).await;
    let done = browser.send("/admin/setup", &setup, &[("token", &word), ("password", PASSWORD)]).await;
    assert_eq!(done.status, 303, "{}", done.text);
    browser
}

/// What the quote of these tests says.
fn content() -> Value {
    json!({
        "title": "예약 <b>관리</b> 사이트", "client_name": "예시 고객", "client_email": "customer@example.com",
        "valid_until": "2026-10-20", "vat": "excluded", "notes": "중도금은 없습니다.", "internal_notes": "최저 300만",
        "items": [
            {"id": "base", "category": "design", "name": "화면 설계", "unit_price": 1_200_000, "quantity": "2"},
            {"id": "pay", "name": "카드 결제", "unit_price": 600_000, "optional": true},
            {"id": "en", "name": "영문 화면", "unit_price": 450_000, "optional": true},
        ],
        "wbs": [{"id": "p1", "phase": "기획", "tasks": [{"id": "t1", "name": "요구 정리", "duration": "3일"}]}],
        "maintenance": [{"id": "basic", "name": "기본 관리", "monthly_fee": 100_000, "recommended": true}],
    })
}

/// A quote that was sent; gives its id and the word of its link.
async fn sent(desk: &Visitor<'_>) -> (String, String) {
    let made = desk.post("/api/admin/quotes", content()).await.ok();
    let id = made["id"].as_str().unwrap().to_owned();
    let sent = desk.post(&format!("/api/admin/quotes/{id}/send"), Value::Null).await.ok();
    (id, sent["quote_url"].as_str().unwrap().rsplit('/').next().unwrap().to_owned())
}

/// What stands for the quote that the page shows.
fn hash_of(page: &Answer) -> String {
    value_of(&page.text, "hash")
}

#[tokio::test]
async fn the_page_of_a_quote_says_what_the_answer_says_and_chooses_nothing_for_its_reader() {
    let house = House::open().await;
    let desk = admin(&house, "minsu").await;
    let (id, word) = sent(&desk).await;
    let mut browser = Browser::at(&house);
    let page = browser.open(&format!("/quote/{word}")).await;
    assert_eq!(
        (page.status.as_u16(), page.header("cache-control"), page.header("x-robots-tag")),
        (200, "no-store", "noindex")
    );
    for shown in [
        "예약 &#60;b&#62;관리&#60;/b&#62; 사이트",
        "예시 고객",
        "2026년 10월 20일",
        "2,640,000원",
        "2 × 1,200,000원",
        "카드 결제",
        "요구 정리",
        "3일",
        "월 100,000원",
        "중도금은 없습니다.",
    ] {
        assert!(page.text.contains(shown), "{shown} in {}", page.text);
    }
    assert!(!page.text.contains("최저 300만") && !page.text.contains("customer@example.com"), "{}", page.text);
    assert!(!page.text.contains("type=\"checkbox\" name=\"selected_items[0]\" value=\"pay\" checked"));
    assert!(page.text.contains("name=\"selected_maintenance\" value=\"\" checked"), "none is chosen: {}", page.text);
    let english = browser.open(&format!("/en/quote/{word}")).await;
    assert!(english.text.contains("Valid until") && english.text.contains("₩2,640,000"), "{}", english.text);
    let pdf = browser.open(&format!("/quote/{word}/pdf")).await;
    assert_eq!(browser.open(&format!("/quote/{word}/pdf")).await.text, pdf.text, "the same file each time");
    assert_eq!((pdf.header("content-type"), pdf.header("cache-control")), ("application/pdf", "no-store"));
    assert!(pdf.header("content-disposition").starts_with("inline; filename="), "{:?}", pdf.headers);
    let mut keeper = at_the_desk(&house, "jiyoung").await;
    let preview = keeper.open(&format!("/admin/quotes/{id}/preview")).await;
    assert!(preview.text.contains("disabled") && !preview.text.contains("name=\"act\""), "{}", preview.text);
    assert!(preview.text.contains("미리 봅니다"), "{}", preview.text);
    let one = keeper.open(&format!("/admin/quotes/{id}")).await;
    assert!(one.text.contains(&format!("/quote/{word}\"")) && one.text.contains("최저 300만"), "{}", one.text);
    assert!(keeper.open("/admin/quotes?status=sent&q=예약").await.text.contains(&id));
    assert!(keeper.open("/admin/quotes").await.text.contains("2,640,000원"));
    assert!(keeper.open("/en/admin/quotes").await.text.contains("until 20 Oct 2026"));
    assert!(keeper.open(&format!("/en/admin/quotes/{id}")).await.text.contains(">20 Oct 2026<"));
    for nobody in [format!("/admin/quotes/{id}"), format!("/admin/quotes/{id}/edit"), format!("/admin/quotes/{id}/pdf")]
    {
        assert_eq!(browser.open(&nobody).await.status, 401, "{nobody}");
    }
    for unknown in [format!("/quote/{}", &word[1..]), format!("/quote/{id}"), format!("/quote/{}/pdf", &word[1..])] {
        assert_eq!(browser.open(&unknown).await.status, 404, "{unknown}");
    }
    // Once its last day is over it leads to the form of requests, and while that is switched off to the shop itself.
    house.clock.set("2026-10-20T15:00:00Z".parse().unwrap());
    let over = browser.open(&format!("/quote/{word}")).await;
    assert!(over.text.contains("<a href=\"/contact\">의뢰하기</a></p>"), "{}", over.text);
    let household = house.household();
    for (setting, value) in [("contact.enabled", "false"), ("business.phone", "02-123-4567")] {
        let revision = household.get("/api/system/settings").await.ok()["revision"].clone();
        let path = format!("/api/system/settings/{setting}");
        household.put(&path, json!({"value": value, "revision": revision})).await.ok();
    }
    let over = browser.open(&format!("/quote/{word}")).await;
    assert!(over.text.contains("<a href=\"tel:02-123-4567\">02-123-4567</a></p>"), "{}", over.text);
    assert!(!over.text.contains("\"/contact\""), "{}", over.text);
}

#[tokio::test]
async fn a_quote_is_added_up_confirmed_and_accepted_by_its_forms_without_a_script() {
    let house = House::open().await;
    let desk = admin(&house, "minsu").await;
    let (id, word) = sent(&desk).await;
    let path = format!("/quote/{word}");
    let mut browser = Browser::at(&house);
    let page = browser.open(&path).await;
    let hash = hash_of(&page);
    let ticked = |act: &'static str| {
        [("act", act), ("hash", hash.as_str()), ("selected_items[1]", "en"), ("selected_maintenance", "basic")]
    };
    // 2,400,000 and 450,000 are 2,850,000; with a tenth of it 3,135,000.
    let added = browser.send(&path, &page, &ticked("total")).await;
    assert!(added.status == 200 && added.text.contains("3,135,000원"), "{}", added.text);
    assert!(added.text.contains("value=\"en\" checked") && !added.text.contains("value=\"pay\" checked"));
    let asked = browser.send(&path, &page, &ticked("accept")).await;
    assert!(asked.text.contains("아래 내용으로 수락합니다") && asked.text.contains("기본 관리"), "{}", asked.text);
    assert_eq!(desk.get(&format!("/api/admin/quotes/{id}")).await.ok()["status"], "sent", "nothing is decided yet");
    let unknown = [("act", "accept"), ("hash", hash.as_str()), ("selected_items[0]", "base")];
    let refused = browser.send(&path, &page, &unknown).await;
    assert!(refused.status == 422 && refused.text.contains("selected_items-fault"), "{}", refused.text);
    for _ in 0..2 {
        let done = browser.send(&path, &asked, &ticked("confirm")).await;
        assert_eq!(leads_to(&done), (303, format!("{path}?saved=confirm").as_str()), "{}", done.text);
    }
    let decided = desk.get(&format!("/api/admin/quotes/{id}")).await.ok();
    assert_eq!(decided["decision"]["totals"]["total"], 3_135_000);
    assert_eq!(decided["decision"]["selected_items"], json!(["en"]));
    assert_eq!(decided["decision"]["selected_maintenance"], "basic");
    let after = browser.open(&format!("{path}?saved=confirm")).await;
    assert!(after.text.contains(decided["decision"]["hash"].as_str().unwrap()), "{}", after.text);
    assert!(after.text.contains("견적을 수락했습니다.") && !after.text.contains("name=\"act\""), "{}", after.text);
    let again = browser.send(&path, &page, &[("act", "decline"), ("hash", &hash), ("reason", "다른 곳")]).await;
    assert!(again.status == 409 && again.text.contains("role=\"alert\""), "{}", again.text);

    let (_, other) = sent(&desk).await;
    let path = format!("/en/quote/{other}");
    let page = browser.open(&path).await;
    let stale = browser.send(&path, &page, &[("act", "accept"), ("hash", &hash)]).await;
    assert!(stale.status == 409 && stale.text.contains("role=\"alert\""), "another quote was shown: {}", stale.text);
    let declining = [("act", "decline"), ("hash", &hash_of(&page)), ("reason", "<i>too much</i>")];
    let done = browser.send(&path, &page, &declining).await;
    assert_eq!(leads_to(&done), (303, format!("{path}?saved=decline").as_str()), "{}", done.text);
    let shown = browser.open(&path).await;
    assert!(shown.text.contains("&#60;i&#62;too much") && shown.text.contains("This quote was declined"));
}

#[tokio::test]
async fn the_editor_changes_a_row_keeps_the_others_and_says_what_is_wrong_beside_its_row() {
    let house = House::open().await;
    let desk = admin(&house, "minsu").await;
    let mut keeper = at_the_desk(&house, "jiyoung").await;
    let begin = keeper.open("/admin/quotes/new").await;
    let begun =
        keeper.send("/admin/quotes/new", &begin, &[("title", "새 일"), ("client_email", "a@example.com")]).await;
    let edit = leads_to(&begun).1.to_owned();
    let id = edit.strip_prefix("/admin/quotes/").and_then(|rest| rest.strip_suffix("/edit")).unwrap().to_owned();
    let changes = content().as_object().unwrap().clone().into_iter().chain([("id".to_owned(), json!(id))]).collect();
    let before = desk.put("/api/admin/quotes", Value::Object(changes)).await.ok();
    let page = keeper.open(&edit).await;
    let unseen = fields_of(&page.text);
    let save = |page: &Answer, changed: &[(&str, &str)]| {
        let fields = unseen.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let fields = fields.filter(|(name, _)| *name != "version" && !changed.iter().any(|(known, _)| known == name));
        let version = value_of(&page.text, "version");
        let fields: Vec<(&str, &str)> =
            fields.chain([("version", version.as_str())]).chain(changed.iter().copied()).collect();
        let (mut keeper, edit) = (keeper.clone(), edit.clone());
        let fields: Vec<(String, String)> = fields.into_iter().map(|(n, v)| (n.to_owned(), v.to_owned())).collect();
        let page = Answer { status: page.status, headers: page.headers.clone(), text: page.text.clone() };
        async move {
            let fields: Vec<(&str, &str)> =
                fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            keeper.send(&edit, &page, &fields).await
        }
    };
    let changed =
        [("act", "save"), ("items[1].unit_price", "650,000"), ("items[4].name", ""), ("items[4].category", "other")];
    let done = save(&page, &changed).await;
    assert_eq!(leads_to(&done), (303, format!("{edit}?saved=save").as_str()), "{}", done.text);
    let after = desk.get(&format!("/api/admin/quotes/{id}")).await.ok();
    let mut expected = before["items"].clone();
    expected[1]["unit_price"] = json!(650_000);
    assert_eq!(after["items"], expected);
    for kept in ["title", "wbs", "maintenance", "notes", "internal_notes", "valid_until", "client_name", "vat"] {
        assert_eq!(after[kept], before[kept], "{kept}");
    }
    // The first row is left empty: the third is the second of what was sent, and is named so.
    let page = keeper.clone().open(&edit).await;
    assert!(
        page.text.contains("name=\"items[0].name\" type=\"text\" value=\"화면 설계\" maxlength=\"200\""),
        "{}",
        page.text
    );
    let wrong = [
        ("act", "save"),
        ("items[0].name", ""),
        ("items[0].description", ""),
        ("items[0].quantity", ""),
        ("items[0].unit_price", ""),
        ("items[2].unit_price", "45만"),
    ];
    let refused = save(&page, &wrong).await;
    assert_eq!(refused.status, 422, "{}", refused.text);
    assert!(refused.text.contains("id=\"items[1].unit_price-fault\"") && refused.text.contains("value=\"45만\""));
    assert!(refused.text.contains("name=\"items[1].name\" type=\"text\" value=\"영문 화면\""), "{}", refused.text);
    assert_eq!(desk.get(&format!("/api/admin/quotes/{id}")).await.ok()["items"], expected, "nothing was saved");
    let removing = [("act", "preview"), ("items[1].remove", "true"), ("wbs[0].remove", "true")];
    let done = save(&page, &removing).await;
    assert_eq!(leads_to(&done), (303, format!("/admin/quotes/{id}/preview").as_str()), "{}", done.text);
    let after = desk.get(&format!("/api/admin/quotes/{id}")).await.ok();
    assert_eq!((after["items"].as_array().unwrap().len(), &after["wbs"]), (2, &json!([])));
    assert_eq!(after["items"][1]["id"], "en");
    // What somebody else has saved of a quote that was sent is not lost: both are shown, and a second save decides.
    desk.post(&format!("/api/admin/quotes/{id}/send"), Value::Null).await.ok();
    let page = keeper.clone().open(&edit).await;
    desk.put("/api/admin/quotes", json!({"id": id, "title": "다른 곳에서 고침"})).await.ok();
    let stale = save(&page, &[("act", "save"), ("title", "여기에서 고침")]).await;
    assert!(
        stale.status == 409 && stale.text.contains("다른 곳에서 고침") && stale.text.contains("2판"),
        "{}",
        stale.text
    );
    assert!(stale.text.contains("value=\"여기에서 고침\""), "{}", stale.text);
    let saved = desk.get(&format!("/api/admin/quotes/{id}")).await.ok();
    assert_eq!(
        (value_of(&stale.text, "version").parse().ok(), &saved["title"]),
        (saved["version"].as_u64(), &json!("다른 곳에서 고침"))
    );
    let done = save(&stale, &[("act", "save"), ("title", "여기에서 고침")]).await;
    assert_eq!(done.status, 303, "{}", done.text);
    assert_eq!(desk.get(&format!("/api/admin/quotes/{id}")).await.ok()["title"], "여기에서 고침");
    // Of far too many rows no more are shown than a quote takes; the form's seal is its own matter.
    let page = keeper.clone().open(&edit).await;
    let names: Vec<String> = (0..2_000).map(|row| format!("items[{row}].name")).collect();
    let many = [("act", "save"), ("title", "많은 항목"), ("items[0].unit_price", "1")];
    let many: Vec<(&str, &str)> = many.into_iter().chain(names.iter().map(|name| (name.as_str(), "항목"))).collect();
    let refused = save(&page, &many).await;
    assert_eq!(refused.status, 422, "{}", refused.text);
    assert!(refused.text.contains("name=\"items[99].name\"") && !refused.text.contains("items[100]"));
    assert_eq!(desk.get(&format!("/api/admin/quotes/{id}")).await.ok()["title"], "여기에서 고침");
    // A new link is one button away, and the one before opens nothing.
    let one = format!("/admin/quotes/{id}");
    let before = value_of_link(&keeper.open(&one).await);
    let shown = keeper.open(&one).await;
    let done = keeper.send(&one, &shown, &[("act", "link")]).await;
    assert_eq!(leads_to(&done), (303, format!("{one}?saved=link#sending").as_str()), "{}", done.text);
    let after = value_of_link(&keeper.open(&one).await);
    assert_ne!(before, after);
    let path = |address: &str| format!("/quote/{}", address.rsplit('/').next().unwrap());
    assert_eq!([keeper.open(&path(&before)).await.status, keeper.open(&path(&after)).await.status], [404, 200]);
}

/// The address that the desk shows as the customer's link.
fn value_of_link(page: &Answer) -> String {
    let behind = page.text.split_once("id=\"link\" readonly value=\"").unwrap().1;
    behind.split('"').next().unwrap().to_owned()
}

/// What a browser sends of the editor's form as it stands.
fn fields_of(page: &str) -> Vec<(String, String)> {
    let form = page.split_once("<form class=\"steps quote-edit\"").unwrap().1.split("</form>").next().unwrap();
    let attribute = |tag: &str, name: &str| {
        let value = tag.split_once(&format!(" {name}=\""))?.1.split('"').next()?;
        Some(value.replace("&#60;", "<").replace("&#62;", ">").replace("&#38;", "&"))
    };
    let mut fields = Vec::new();
    for tag in form.split('<').skip(1) {
        let Some(name) = attribute(tag, "name").filter(|name| !name.starts_with('_') && name.as_str() != "act") else {
            continue;
        };
        let value = match tag.split_whitespace().next() {
            Some("input") if tag.contains("type=\"checkbox\"") && !tag.contains(" checked") => continue,
            Some("input") => attribute(tag, "value").unwrap_or_default(),
            Some("textarea") => tag.split_once('>').unwrap().1.trim_start_matches('\n').to_owned(),
            Some("select") => {
                let options =
                    form.split_once(&format!("name=\"{name}\"")).unwrap().1.split("</select>").next().unwrap();
                let chosen = options.split("<option").find(|option| option.contains(" selected"));
                chosen.or(options.split("<option").nth(1)).and_then(|option| attribute(option, "value")).unwrap()
            }
            _ => continue,
        };
        fields.push((name, value));
    }
    fields
}

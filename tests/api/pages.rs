//! The pages of the customer site, as a browser without scripts asks for them.

use reqwest::{Method, RequestBuilder};

use hanok::base::Page;
use hanok::platform::domain::Offers;
use hanok::site::contact::{self, ContactSettings};
use hanok::site::frame::BusinessSettings;

use crate::house::{Answer, Caller, House, answer};

/// What browsers say that they take.
const HTML: &str = "text/html,application/xhtml+xml,*/*;q=0.8";

/// Every page that search engines may list.
const LISTED: [&str; 4] = ["/", "/contact", "/privacy", "/terms"];

fn english(path: &str) -> String {
    if path == "/" { "/en".to_owned() } else { format!("/en{path}") }
}

fn asking(house: &House, method: Method, path: &str) -> RequestBuilder {
    house.passer_by().request(method, path).header("accept", HTML)
}

async fn page(house: &House, path: &str) -> Answer {
    answer(asking(house, Method::GET, path)).await
}

/// The value of the hidden field `name`.
fn hidden<'p>(page: &'p Answer, name: &str) -> &'p str {
    let (_, rest) = page.text.split_once(&format!("name=\"{name}\" value=\"")).expect(name);
    rest.split_once('"').unwrap().0
}

/// A form as it was shown to one browser.
struct Shown {
    cookie: String,
    seal: String,
    key: String,
}

async fn shown(house: &House, path: &str) -> Shown {
    let form = page(house, path).await;
    assert_eq!(form.status.as_u16(), 200, "{form:?}");
    let cookie = form.header("set-cookie").split(';').next().unwrap().to_owned();
    Shown { cookie, seal: hidden(&form, "_seal").to_owned(), key: hidden(&form, "_key").to_owned() }
}

/// Sends the form as its browser does, with these fields beside those that a request needs.
async fn send(house: &House, path: &str, shown: &Shown, fields: &[(&str, &str)]) -> Answer {
    let mut all = vec![("_seal", shown.seal.as_str()), ("_key", shown.key.as_str()), ("language", "ko")];
    let needed =
        [("name", "김지우"), ("email", "jiwoo@example.com"), ("message", "예약 화면을\r\n새로 만들고 싶습니다.")];
    let is_given = |name: &str| fields.iter().any(|(given, _)| *given == name);
    all.extend(needed.into_iter().filter(|(name, _)| !is_given(name)));
    all.extend(fields);
    let body = serde_json::from_value::<Vec<(String, String)>>(serde_json::json!(all)).unwrap();
    let body = form_encoded(&body);
    let request = asking(house, Method::POST, path).header("cookie", &shown.cookie);
    answer(request.header("content-type", "application/x-www-form-urlencoded").body(body)).await
}

fn form_encoded(fields: &[(String, String)]) -> String {
    let mut address = reqwest::Url::parse("http://localhost").unwrap();
    address.query_pairs_mut().extend_pairs(fields);
    address.query().unwrap().to_owned()
}

/// The requests that are kept.
fn kept(house: &House) -> Vec<contact::Request> {
    let whole = Page { limit: 500, offset: 0 };
    house.appliance.app().data.store.read_now(move |tx| Ok(contact::list(tx, None, whole)?.0)).unwrap()
}

#[tokio::test]
async fn every_page_is_there_in_both_languages_and_names_its_other_one() {
    let house = House::open().await;
    for path in LISTED {
        for (address, language) in [(path.to_owned(), "ko"), (english(path), "en")] {
            let page = page(&house, &address).await;
            assert_eq!(
                (page.status.as_u16(), page.header("content-type")),
                (200, "text/html; charset=utf-8"),
                "{address}"
            );
            assert!(page.text.contains(&format!("<html lang=\"{language}\"")), "{address}");
            let origin = format!("http://{}", house.appliance.site_address());
            for wanted in [
                format!("rel=\"canonical\" href=\"{origin}{address}\""),
                format!("hreflang=\"ko\" href=\"{origin}{path}\""),
                format!("hreflang=\"en\" href=\"{origin}{}\"", english(path)),
                format!("property=\"og:url\" content=\"{origin}{address}\""),
            ] {
                assert!(page.text.contains(&wanted), "{address} lacks {wanted}");
            }
            assert!(!page.text.contains("noindex") && !page.text.contains("<script>"), "{address}");
        }
    }
}

#[tokio::test]
async fn the_first_page_is_shown_in_the_language_of_the_browser_until_another_is_chosen() {
    let house = House::open().await;
    let home = |headers: &[(&str, &str)]| {
        let request = asking(&house, Method::GET, "/").header("accept-language", "en-US,en;q=0.9");
        headers.iter().fold(request, |request, (name, value)| request.header(*name, *value))
    };
    let sent_on = answer(home(&[])).await;
    assert_eq!((sent_on.status.as_u16(), sent_on.header("location")), (303, "/en"));
    let chosen = answer(home(&[("sec-fetch-site", "same-origin")])).await;
    assert_eq!(chosen.status.as_u16(), 200, "who chooses Korean on the English page stays there");
    let cookie = chosen.header("set-cookie").split(';').next().unwrap().to_owned();
    assert_eq!(answer(home(&[("cookie", &cookie)])).await.status.as_u16(), 200, "and is asked no more");
    assert_eq!(page(&house, "/contact").await.status.as_u16(), 200, "no other page sends anybody on");
}

#[tokio::test]
async fn a_page_that_has_not_changed_is_not_sent_again() {
    let house = House::open().await;
    let first = page(&house, "/privacy").await;
    let tag = first.header("etag").to_owned();
    let again = answer(asking(&house, Method::GET, "/privacy").header("if-none-match", &tag)).await;
    assert_eq!((again.status.as_u16(), again.text.as_str()), (304, ""));
    let head = answer(asking(&house, Method::HEAD, "/privacy")).await;
    assert_eq!((head.status.as_u16(), head.header("etag"), head.text.as_str()), (200, tag.as_str(), ""));
}

#[tokio::test]
async fn a_chosen_appearance_is_kept_and_leads_nowhere_else() {
    let house = House::open().await;
    let choose = |theme: &str, back: &str| {
        let fields = [("theme".to_owned(), theme.to_owned()), ("back".to_owned(), back.to_owned())];
        let request = asking(&house, Method::POST, "/theme").body(form_encoded(&fields));
        answer(request.header("content-type", "application/x-www-form-urlencoded"))
    };
    let chosen = choose("dark", "/en/contact").await;
    assert_eq!((chosen.status.as_u16(), chosen.header("location")), (303, "/en/contact"));
    let cookie = chosen.header("set-cookie").split(';').next().unwrap().to_owned();
    let dark = answer(asking(&house, Method::GET, "/").header("cookie", &cookie)).await;
    assert!(dark.text.contains("<html lang=\"ko\" data-theme=\"dark\">"), "{}", dark.text);
    let planted = answer(asking(&house, Method::GET, "/").header("cookie", "hanok-theme=\"><script>")).await;
    assert!(planted.text.contains("<html lang=\"ko\">"));
    assert_eq!(choose("dark", "//evil.example").await.header("location"), "/");
    assert!(choose("neither", "/").await.header("set-cookie").contains("Max-Age=0"));
}

#[tokio::test]
async fn browsers_are_shown_errors_as_pages_and_programs_as_json() {
    let house = House::open().await;
    let nothing = page(&house, "/en/nothing-here").await;
    assert_eq!((nothing.status.as_u16(), nothing.header("content-type")), (404, "text/html; charset=utf-8"));
    assert!(nothing.text.contains("There is no such page") && nothing.text.contains("noindex"));
    let wrong = answer(asking(&house, Method::DELETE, "/contact")).await;
    assert_eq!((wrong.status.as_u16(), wrong.header("content-type")), (405, "text/html; charset=utf-8"));
    let large = asking(&house, Method::POST, "/contact").body("x".repeat(2 << 20));
    let large = answer(large.header("content-type", "application/x-www-form-urlencoded")).await;
    assert_eq!((large.status.as_u16(), large.header("content-type")), (413, "text/html; charset=utf-8"));
    let foreign = answer(asking(&house, Method::POST, "/theme").header("origin", "https://evil.example")).await;
    assert_eq!((foreign.status.as_u16(), foreign.header("content-type")), (403, "text/html; charset=utf-8"));
    page(&house, "/api/nothing").await.refused(404, "NOT_FOUND");
    house.passer_by().get("/nothing-here").await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_form_becomes_a_request_that_can_be_followed_by_its_link() {
    let house = House::open().await;
    let form = shown(&house, "/contact").await;
    let sent = send(&house, "/contact", &form, &[("service", "봇"), ("phone", "")]).await;
    assert_eq!(sent.status.as_u16(), 303, "{sent:?}");
    let place = sent.header("location").to_owned();
    let receipt = page(&house, &place).await;
    assert!(receipt.status.as_u16() == 200 && receipt.text.contains("의뢰를 받았습니다"), "{receipt:?}");
    assert_eq!((receipt.header("cache-control"), receipt.header("x-robots-tag")), ("no-store", "noindex"));
    let token = place.strip_prefix("/contact/").and_then(|rest| rest.strip_suffix("?sent")).unwrap();
    let followed = page(&house, &format!("/en/contact/{token}")).await;
    assert!(followed.text.contains("The request of <bdi>김지우</bdi>") && !followed.text.contains("We received"));
    assert!(!followed.text.contains("jiwoo@example.com"), "by the link nobody learns how the customer is reached");
    let kept = kept(&house);
    assert_eq!((kept.len(), kept[0].details.message.as_str()), (1, "예약 화면을\n새로 만들고 싶습니다."));
    let someone_else_s = page(&house, &format!("/contact/{}x", &token[1..])).await;
    assert_eq!(someone_else_s.status.as_u16(), 404);
}

#[tokio::test]
async fn a_form_that_is_sent_twice_is_one_request_and_one_that_was_changed_is_another() {
    let house = House::open().await;
    let form = shown(&house, "/contact").await;
    let (first, second) = (send(&house, "/contact", &form, &[]).await, send(&house, "/contact", &form, &[]).await);
    assert_eq!((first.status.as_u16(), first.header("location")), (303, second.header("location")));
    assert_eq!(kept(&house).len(), 1);
    let changed = send(&house, "/contact", &form, &[("message", "다른 일입니다.")]).await;
    assert_ne!(changed.header("location"), first.header("location"));
    assert_eq!(kept(&house).len(), 2);
}

#[tokio::test]
async fn what_is_refused_is_said_beside_its_field_and_nothing_typed_is_lost() {
    let house = House::open().await;
    for (path, said) in [
        ("/contact", "name@example.com 형식의 메일 주소여야 합니다."),
        ("/en/contact", "must be an email address such as name@example.com"),
    ] {
        let form = shown(&house, path).await;
        let fields = [("email", "<b>jiwoo"), ("phone", "0"), ("budget", "미정"), ("message", "</textarea><script>")];
        let refused = send(&house, path, &form, &fields).await;
        assert_eq!(
            (refused.status.as_u16(), refused.header("content-type")),
            (422, "text/html; charset=utf-8"),
            "{path}"
        );
        for wanted in [
            format!("id=\"email-fault\">{said}"),
            "aria-describedby=\"email-fault\" autofocus".to_owned(),
            "id=\"phone-fault\"".to_owned(),
            "value=\"&#60;b&#62;jiwoo\"".to_owned(),
            "value=\"김지우\"".to_owned(),
            "&#60;/textarea&#62;&#60;script&#62;".to_owned(),
            form.key.clone(),
        ] {
            assert!(refused.text.contains(&wanted), "{path} lacks {wanted}: {}", refused.text);
        }
        assert_eq!(refused.text.matches("autofocus").count(), 1);
    }
    let empty = shown(&house, "/contact").await;
    let refused = send(&house, "/contact", &empty, &[("name", ""), ("email", ""), ("message", "")]).await;
    assert!(refused.text.contains(" required maxlength=\"50\" "), "bounds are those of the request: {}", refused.text);
    for field in ["name", "email", "message"] {
        assert!(refused.text.contains(&format!("id=\"{field}-fault\">")), "{field}");
    }
    assert!(kept(&house).is_empty());
}

#[tokio::test]
async fn a_form_without_the_seal_of_its_browser_sends_nothing() {
    let house = House::open().await;
    let (mine, other) = (shown(&house, "/contact").await, shown(&house, "/contact").await);
    let stolen = Shown { cookie: mine.cookie.clone(), ..shown(&house, "/contact").await };
    let without_cookie = Shown { cookie: String::new(), seal: mine.seal.clone(), key: mine.key.clone() };
    let without_seal = Shown { seal: String::new(), cookie: mine.cookie.clone(), key: mine.key.clone() };
    for form in [&stolen, &without_cookie, &without_seal] {
        let refused = send(&house, "/contact", form, &[]).await;
        assert_eq!(refused.status.as_u16(), 403);
        assert!(refused.text.contains("한 번 더 보내 주세요") && refused.text.contains("value=\"김지우\""));
    }
    assert!(kept(&house).is_empty());
    assert_eq!(send(&house, "/contact", &other, &[]).await.status.as_u16(), 303);
}

#[tokio::test]
async fn whoever_sends_too_often_is_told_when_to_go_on_and_keeps_what_was_typed() {
    let house = House::open().await;
    let form = shown(&house, "/contact").await;
    for number in 0..5 {
        let message = format!("{number}번째 의뢰입니다.");
        assert_eq!(send(&house, "/contact", &form, &[("message", &message)]).await.status.as_u16(), 303);
    }
    let refused = send(&house, "/contact", &form, &[("message", "여섯 번째")]).await;
    assert_eq!(refused.status.as_u16(), 429);
    assert!(!refused.header("retry-after").is_empty() && refused.text.contains("여섯 번째"));
}

#[tokio::test]
async fn where_no_request_can_be_taken_the_form_says_so_at_once_and_names_no_setting() {
    let house = House::open_with(|config| config.site.listen = "0.0.0.0:0".parse().unwrap()).await;
    for (path, said) in [
        ("/contact", "지금은 의뢰를 받을 수 없습니다. 가게에 직접 알려 주세요."),
        ("/en/contact", "No request can be taken now. Please tell the shop yourself."),
    ] {
        let opened = page(&house, path).await;
        assert!(opened.status.as_u16() == 503 && opened.text.contains(said), "{opened:?}");
        assert!(!opened.text.contains("site.address") && !opened.text.contains("id=\"message\""), "{opened:?}");
    }
    let unsealed = Shown { cookie: String::new(), seal: String::new(), key: String::new() };
    let refused = send(&house, "/contact", &unsealed, &[]).await;
    assert!(refused.status.as_u16() == 503 && refused.text.contains("가게에 직접 알려 주세요."), "{refused:?}");
    assert!(refused.text.contains("value=\"김지우\"") && !refused.text.contains("site.address"), "{refused:?}");
    for path in ["/account/register", "/account/forgotten"] {
        let opened = page(&house, path).await.text;
        assert!(
            opened.contains("지금은 이 사이트에서 할 수 없습니다.") && !opened.contains("site.address"),
            "{opened}"
        );
    }
}

#[tokio::test]
async fn what_is_switched_off_is_nowhere_on_the_site() {
    let off = |config: &mut hanok::platform::config::Config| {
        config.set(ContactSettings { enabled: false, ..ContactSettings::default() });
    };
    let (house, without) = (House::open().await, House::open_with(off).await);
    let mentions = async |house: &House, place: &str| page(house, place).await.text.contains("/contact\"");
    for place in ["/", "/en", "/terms"] {
        assert!(mentions(&house, place).await && !mentions(&without, place).await, "{place}");
    }
    let sitemap = async |house: &House| page(house, "/sitemap.xml").await.text.contains("/contact</loc>");
    assert!(sitemap(&house).await && !sitemap(&without).await);
    let form = shown(&house, "/contact").await;
    assert_eq!(page(&without, "/contact").await.status.as_u16(), 404);
    assert_eq!(send(&without, "/contact", &form, &[]).await.status.as_u16(), 404);
    without.passer_by().post("/api/contact", serde_json::json!({})).await;
    let offers: Offers = hanok::appliance::domains::offers();
    assert_eq!(offers.on(&house.config).count(), offers.on(&without.config).count() + 1);
}

#[tokio::test]
async fn search_engines_find_every_page_in_both_languages_and_no_link_of_a_customer() {
    let house = House::open().await;
    let robots = page(&house, "/robots.txt").await;
    assert!(robots.text.contains("Disallow: /contact/\n") && robots.text.contains("/sitemap.xml"));
    let sitemap = page(&house, "/sitemap.xml").await;
    assert_eq!(sitemap.header("content-type"), "application/xml; charset=utf-8");
    for address in LISTED.into_iter().flat_map(|path| [path.to_owned(), english(path)]) {
        assert!(sitemap.text.contains(&format!("{}{address}</loc>", house.appliance.site_address())), "{address}");
    }
    assert_eq!(sitemap.text.matches("<loc>").count(), 2 * LISTED.len());
}

#[tokio::test]
async fn a_legal_page_is_what_the_owner_wrote_and_a_draft_says_that_it_is_one() {
    let house = House::open().await;
    let draft = page(&house, "/privacy").await;
    assert!(draft.text.contains("초안입니다") && draft.text.contains("<table>"));
    let folder = house.config.data.dir.join("pages");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("privacy.ko.md"), "# 처리방침\n\n**전부** 지웁니다.\n\n<script>alert(1)</script>")
        .unwrap();
    let own = page(&house, "/privacy").await;
    assert!(own.text.contains("<strong>전부</strong> 지웁니다.") && !own.text.contains("초안입니다"));
    assert!(!own.text.contains("alert(1)"));
    assert!(page(&house, "/en/privacy").await.text.contains("This is a draft"), "each language is a file of its own");
}

#[tokio::test]
async fn who_runs_the_shop_stands_below_every_page_as_far_as_the_owner_says_it() {
    let house = House::open_with(|config| {
        let text = str::to_owned;
        let (name, registration) = (text("처마 공방"), text("124-81-00998"));
        config.set(BusinessSettings { name, registration, ..BusinessSettings::default() });
    })
    .await;
    let home = page(&house, "/").await;
    assert!(home.text.contains("<title>처마 공방</title>") && home.text.contains("wrkr_no=1248100998"));
    assert!(!home.text.contains("통신판매업"), "what is not said is not shown");
}

#[tokio::test]
async fn styles_are_kept_for_good_under_an_address_of_their_own() {
    let house = House::open().await;
    let home = page(&house, "/").await;
    let (_, rest) = home.text.split_once("rel=\"stylesheet\" href=\"").unwrap();
    let style = page(&house, rest.split_once('"').unwrap().0).await;
    assert_eq!((style.status.as_u16(), style.header("content-type")), (200, "text/css; charset=utf-8"));
    assert!(style.header("cache-control").contains("immutable"));
    assert_eq!(page(&house, "/assets/site-0.css").await.status.as_u16(), 404);
}

//! The pages of a customer's account, by forms alone.

use crate::forms::{Browser, leads_to};
use crate::house::{Caller, House};
use crate::visitors::{PASSWORD, Visitor, last_mail, word_of_the_last_mail};

const MAIL: &str = "jiwoo@example.com";
const OTHER_PASSWORD: &str = "눈 덮인 산 너머 기러기 떼";

/// A browser that is signed in as the customer of [`MAIL`].
async fn signed_in(house: &House) -> Browser<'_> {
    let mut browser = Browser::at(house);
    let entrance = browser.open("/account/sign-in").await;
    let done = browser.send("/account/sign-in", &entrance, &[("mail", MAIL), ("password", PASSWORD)]).await;
    assert_eq!(leads_to(&done), (303, "/account"), "{}", done.text);
    browser
}

#[tokio::test]
async fn a_mail_is_promised_only_where_mail_goes_out() {
    let with_server = House::open_with(|config| {
        config.mail.host = "localhost".to_owned();
        config.mail.from = "shop@example.com".to_owned();
    });
    for (house, is_promised) in [(with_server.await, true), (House::open().await, false)] {
        let mut browser = Browser::at(&house);
        for page in ["/en/account/register?sent=yes", "/en/account/forgotten?sent=yes"] {
            let told = browser.open(page).await.text;
            assert_eq!(told.contains("A mail is on its way."), is_promised, "{told}");
        }
        for (page, promise) in [("register", "by the link of our mail"), ("forgotten", "we send a link")] {
            let asked = browser.open(&format!("/en/account/{page}")).await.text;
            assert_eq!(asked.contains(promise), is_promised, "{asked}");
            assert_eq!(asked.contains("No mail goes out from this site yet."), !is_promised, "{asked}");
        }
        for page in ["/en", "/"] {
            let home = browser.open(page).await.text;
            assert!(!home.contains("by mail") && !home.contains("메일로"), "{home}");
        }
    }
}

#[tokio::test]
async fn an_account_is_begun_by_the_pages_and_the_mail_and_one_goes_and_comes_again() {
    let house = House::open().await;
    let mut browser = Browser::at(&house);
    assert_eq!(leads_to(&browser.open("/en/account").await), (303, "/en/account/sign-in"));
    let page = browser.open("/en/account/register").await;
    let empty = browser.send("/en/account/register", &page, &[("mail", ""), ("language", "en")]).await;
    assert!(empty.status == 422 && empty.text.contains("id=\"mail-fault\""), "{}", empty.text);
    let sent = browser.send("/en/account/register", &empty, &[("mail", MAIL), ("language", "en")]).await;
    assert_eq!(leads_to(&sent), (303, "/en/account/register?sent=yes"));
    assert!(browser.open("/en/account/register?sent=yes").await.text.contains("no mail goes out from this site yet"));
    assert!(last_mail(&house).await.contains("/en/account/password?token="), "the link speaks the same language");
    let path = format!("/en/account/password?token={}", word_of_the_last_mail(&house).await);
    let link = browser.open(&path).await;
    assert_eq!(
        (link.status.as_u16(), link.header("cache-control"), link.header("x-robots-tag")),
        (200, "no-store", "noindex")
    );
    assert!(link.text.contains("href=\"/account/password?token="), "the link to the other language opens the same");
    let token = path.split('=').next_back().unwrap();
    let short = browser.send("/en/account/password", &link, &[("token", token), ("password", "short")]).await;
    assert!(short.status == 422 && short.text.contains("id=\"password-fault\"") && !short.text.contains("\"short\""));
    let done = browser.send("/en/account/password", &short, &[("token", token), ("password", PASSWORD)]).await;
    assert_eq!(leads_to(&done), (303, "/en/account?saved=password#change"), "{}", done.text);
    let own = browser.open("/en/account?saved=password").await;
    assert!(own.text.contains(MAIL) && own.text.contains("Your password is set."), "{}", own.text);
    assert_eq!(leads_to(&browser.open("/account/sign-in").await), (303, "/account"), "who is in goes on at once");
    assert_eq!(leads_to(&browser.send("/en/account/sign-out", &own, &[]).await), (303, "/en"));
    assert_eq!(leads_to(&browser.open("/en/account").await).0, 303);

    let entrance = browser.open("/account/sign-in").await;
    let wrong = browser.send("/account/sign-in", &entrance, &[("mail", MAIL), ("password", "another one")]).await;
    assert!(wrong.status == 401 && wrong.text.contains("메일 주소나 비밀번호가 맞지 않습니다."), "{}", wrong.text);
    assert!(
        wrong.text.contains(MAIL) && !wrong.text.contains("another one"),
        "what was typed stays, but for the password"
    );
    let done = browser.send("/account/sign-in", &wrong, &[("mail", MAIL), ("password", PASSWORD)]).await;
    assert_eq!(leads_to(&done), (303, "/account"));
}

#[tokio::test]
async fn nobody_learns_by_the_pages_who_has_an_account_and_an_ended_link_leads_to_another_mail() {
    let house = House::open().await;
    Visitor::registered(&house, MAIL).await;
    let mut seen = Vec::new();
    for mail in [MAIL, "nobody@example.com"] {
        let mut browser = Browser::at(&house);
        let page = browser.open("/account/forgotten").await;
        let sent = browser.send("/account/forgotten", &page, &[("mail", mail), ("language", "ko")]).await;
        seen.push((leads_to(&sent).0, leads_to(&sent).1.to_owned(), sent.text.clone()));
        let entrance = browser.open("/account/sign-in").await;
        let wrong = browser.send("/account/sign-in", &entrance, &[("mail", mail), ("password", "another one")]).await;
        assert!(wrong.status == 401 && wrong.text.contains("메일 주소나 비밀번호가 맞지 않습니다."));
    }
    assert_eq!(seen[0], seen[1]);
    let ended = Browser::at(&house).open("/account/password?token=used").await;
    assert_eq!(ended.status, 404);
    assert!(ended.text.contains("기한이 지났습니다"), "{}", ended.text);
    assert!(ended.text.contains("action=\"/account/forgotten\""), "{}", ended.text);
}

#[tokio::test]
async fn a_sign_in_goes_on_within_the_site_and_nowhere_else() {
    let house = House::open().await;
    Visitor::registered(&house, MAIL).await;
    for (next, leads) in [
        ("/contact?from=account", "/contact?from=account"),
        ("//evil.example", "/"),
        ("https://evil.example/", "/"),
        ("/\\evil.example", "/"),
    ] {
        let mut browser = Browser::at(&house);
        let query = reqwest::Url::parse_with_params("http://localhost/account/sign-in", [("next", next)]).unwrap();
        let entrance = browser.open(&format!("/account/sign-in?{}", query.query().unwrap())).await;
        let fields = [("mail", MAIL), ("password", PASSWORD), ("next", next)];
        let done = browser.send("/account/sign-in", &entrance, &fields).await;
        assert_eq!(leads_to(&done), (303, leads), "{next}");
    }
}

#[tokio::test]
async fn a_customer_changes_name_password_and_devices_on_its_own_page_and_ends_the_account() {
    let house = House::open().await;
    Visitor::registered(&house, MAIL).await;
    let mut browser = signed_in(&house).await;
    let mut elsewhere = signed_in(&house).await;
    let own = browser.open("/account").await;
    let saved = browser.send("/account", &own, &[("act", "profile"), ("name", "김지우"), ("language", "en")]).await;
    assert_eq!(leads_to(&saved), (303, "/account?saved=profile#profile"), "{}", saved.text);
    let own = browser.open("/account?saved=profile").await;
    assert!(own.text.contains("value=\"김지우\"") && own.text.contains("저장했습니다."), "{}", own.text);
    let place = |said: &str| own.text.find(said).unwrap_or_else(|| panic!("no {said} in {}", own.text));
    assert!(place("id=\"profile\"") < place("role=\"status\"") && place("role=\"status\"") < place("id=\"change\""));
    assert!(own.text.contains("action=\"/account#devices\""));
    assert!(!own.text.contains("action=\"/account#profile\""), "led to a section, no browser heeds `autofocus`");

    let fields = [("act", "password"), ("present", "not this"), ("password", OTHER_PASSWORD)];
    let wrong = browser.send("/account", &own, &fields).await;
    assert!(
        wrong.status == 403 && wrong.text.contains("id=\"present-fault\">현재 비밀번호가 맞지 않습니다."),
        "{}",
        wrong.text
    );
    assert!(wrong.text.contains("aria-describedby=\"present-fault\" autofocus"), "{}", wrong.text);
    assert_eq!(wrong.text.matches("현재 비밀번호가 맞지 않습니다.").count(), 1, "it is said once, beside its field");
    let empty = browser.send("/account", &own, &[("act", "password"), ("password", OTHER_PASSWORD)]).await;
    assert!(empty.status == 422 && empty.text.contains("id=\"present-fault\""), "{}", empty.text);
    assert!(!empty.text.contains("id=\"removing-fault\""), "what is wrong with one form is not said of another");
    let unknown = browser.send("/account", &own, &[("act", "fly")]).await;
    assert_eq!(unknown.status, 422);
    let fields = [("act", "password"), ("present", PASSWORD), ("password", OTHER_PASSWORD)];
    assert_eq!(leads_to(&browser.send("/account", &own, &fields).await), (303, "/account?saved=password#change"));
    assert_eq!(leads_to(&elsewhere.open("/account").await).0, 303, "the other device is signed out");

    let own = browser.open("/account").await;
    let removed = [("act", "remove"), ("present", PASSWORD)];
    let refused = browser.send("/account", &own, &removed).await;
    assert!(refused.status == 403 && refused.text.contains("<details class=\"desk-remove\" open>"), "{}", refused.text);
    assert!(refused.text.contains("id=\"removing-fault\">현재 비밀번호가 맞지 않습니다."), "{}", refused.text);
    assert!(refused.text.contains("aria-describedby=\"removing-fault\" autofocus"), "{}", refused.text);
    let stale =
        browser.send("/account", &house_page(&house).await, &[("act", "remove"), ("present", OTHER_PASSWORD)]).await;
    assert_eq!(stale.status, 403, "a form of another browser ends no account");
    let ended = browser.send("/account", &own, &[("act", "remove"), ("present", OTHER_PASSWORD)]).await;
    assert_eq!(leads_to(&ended), (303, "/"), "{}", ended.text);
    assert_eq!(leads_to(&browser.open("/account").await).0, 303);
}

/// A page with a form that another browser got.
async fn house_page(house: &House) -> crate::house::Answer {
    Browser::at(house).open("/account/sign-in").await
}

#[tokio::test]
async fn one_device_or_all_others_are_signed_out_by_their_buttons() {
    let house = House::open().await;
    Visitor::registered(&house, MAIL).await;
    let mut browser = signed_in(&house).await;
    let own = browser.open("/account").await;
    assert!(own.text.contains("이 기기") && own.text.contains("다른 기기 모두 로그아웃"), "{}", own.text);
    let device = own.text.split_once("name=\"device\" value=\"").unwrap().1.split('"').next().unwrap().to_owned();
    let done = browser.send("/account", &own, &[("act", "device"), ("device", &device)]).await;
    assert_eq!(leads_to(&done), (303, "/account?saved=device#devices"), "{}", done.text);
    assert!(!browser.open("/account").await.text.contains("다른 기기 모두 로그아웃"), "it was the only other one");
    let mut elsewhere = signed_in(&house).await;
    let own = browser.open("/account").await;
    assert_eq!(
        leads_to(&browser.send("/account", &own, &[("act", "devices")]).await),
        (303, "/account?saved=devices#devices")
    );
    assert_eq!(leads_to(&elsewhere.open("/account").await).0, 303);
    assert_eq!(browser.open("/account").await.status, 200);
    let out = elsewhere.send("/account", &own, &[("act", "devices")]).await;
    assert_eq!(leads_to(&out), (303, "/account/sign-in?next=/account%23devices"), "nobody is in there");
}

#[tokio::test]
async fn a_form_that_is_sent_many_times_is_done_once_and_answered_alike_also_where_it_ends_the_session() {
    let house = House::open().await;
    Visitor::registered(&house, MAIL).await;
    let mut browser = signed_in(&house).await;
    let own = browser.open("/account").await;
    let fields = [("act", "password"), ("present", PASSWORD), ("password", OTHER_PASSWORD)];
    let mut changed = browser.send_at_once(3, "/account", &own, &fields).await;
    changed.push(browser.send("/account", &own, &fields).await);
    for done in &changed {
        assert_eq!(leads_to(done), (303, "/account?saved=password#change"), "{}", done.text);
    }
    let mails = house.household().get("/api/system/mail").await.ok()["mails"].clone();
    let told = mails.as_array().unwrap().iter().filter(|mail| mail["kind"] == "account_password_changed").count();
    assert_eq!(told, 1);
    let own = browser.open("/account").await;
    let fields = [("act", "remove"), ("present", OTHER_PASSWORD)];
    let mut late = browser.clone();
    let mut removed = browser.send_at_once(6, "/account", &own, &fields).await;
    removed.push(late.send("/account", &own, &fields).await);
    for done in &removed {
        assert_eq!(leads_to(done), (303, "/"), "{}", done.text);
    }
    let mut entrance = Browser::at(&house);
    let page = entrance.open("/account/sign-in").await;
    let gone = entrance.send("/account/sign-in", &page, &[("mail", MAIL), ("password", OTHER_PASSWORD)]).await;
    assert_eq!(gone.status, 401);
}

#[tokio::test]
async fn a_mail_that_is_asked_for_twice_by_one_form_is_written_once() {
    let house = House::open().await;
    for (path, mails) in [("/account/register", 1), ("/account/forgotten", 2)] {
        let mut browser = Browser::at(&house);
        let page = browser.open(path).await;
        for sent in browser.send_at_once(3, path, &page, &[("mail", MAIL), ("language", "ko")]).await {
            assert_eq!(leads_to(&sent), (303, &*format!("{path}?sent=yes")), "{}", sent.text);
        }
        let written = house.household().get("/api/system/mail").await.ok()["mails"].as_array().unwrap().len();
        assert_eq!(written, mails, "{path}");
    }
}

#[tokio::test]
async fn a_password_that_is_sent_twice_by_the_link_of_a_mail_is_set_and_said_to_be_each_time() {
    let house = House::open().await;
    let mut browser = Browser::at(&house);
    let page = browser.open("/en/account/register").await;
    browser.send("/en/account/register", &page, &[("mail", MAIL), ("language", "en")]).await;
    let token = word_of_the_last_mail(&house).await;
    let link = browser.open(&format!("/account/password?token={token}")).await;
    let fields = [("token", token.as_str()), ("password", PASSWORD)];
    let done = browser.send_at_once(3, "/account/password", &link, &fields).await;
    for done in &done {
        assert_eq!(leads_to(done), (303, "/account?saved=password#change"), "{}", done.text);
    }
    let begun = done.iter().filter(|done| done.headers.contains_key("set-cookie")).count();
    assert_eq!(begun, 1, "the session is begun once");
    signed_in(&house).await;
}

#[tokio::test]
async fn a_session_that_is_over_signs_out_as_if_it_were_not_and_does_not_end_the_account() {
    let house = House::open().await;
    Visitor::registered(&house, MAIL).await;
    let mut browser = signed_in(&house).await;
    let own = browser.open("/account").await;
    for done in browser.send_at_once(3, "/account/sign-out", &own, &[]).await {
        assert_eq!(leads_to(&done), (303, "/"), "{}", done.text);
    }
    let fields = [("act", "remove"), ("present", PASSWORD)];
    let refused = browser.send("/account", &own, &fields).await;
    assert_eq!(leads_to(&refused), (303, "/account/sign-in?next=/account%23data"), "{}", refused.text);
    signed_in(&house).await;
}

#[tokio::test]
async fn a_page_for_everybody_says_the_same_to_all_and_any_other_shows_who_is_signed_in() {
    let house = House::open().await;
    Visitor::registered(&house, MAIL).await;
    let (mut stranger, mut browser) = (Browser::at(&house), signed_in(&house).await);
    let (public, seen) = (stranger.open("/privacy").await, browser.open("/privacy").await);
    assert_eq!((public.header("etag"), &public.text), (seen.header("etag"), &seen.text));
    assert!(!public.header("etag").is_empty() && public.text.contains("href=\"/account\">내 계정"), "{}", public.text);
    let own = browser.open("/en/account").await.text;
    assert!(own.contains("action=\"/en/account/sign-out\"") && own.contains(&format!("<span>{MAIL}</span>")), "{own}");
    assert!(own.contains("href=\"/en/account\" aria-current=\"page\""), "{own}");
    let entrance = stranger.open("/account/register").await.text;
    assert!(entrance.contains("href=\"/account/sign-in\">로그인") && !entrance.contains("sign-out"), "{entrance}");
}

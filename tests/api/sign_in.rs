//! Signing in by a provider: who is let in as whom, and everything that lets nobody in.

use chrono::Duration;
use hanok::platform::auth::{self, CUSTOMERS};
use reqwest::Method;
use serde_json::{Value, json};

use crate::forms::{Browser, leads_to};
use crate::house::{Answer, Caller, House, answer};
use crate::openid::{CLIENT, Provider, Seal, Way, begun, through};
use crate::visitors::{PASSWORD, Visitor};

const MAIL: &str = "jiwoo@example.com";

async fn house_with(provider: &Provider) -> House {
    House::open_with(|config| provider.settings(config)).await
}

/// What the account says of itself that the browser is in.
async fn account(browser: &mut Browser<'_>) -> Value {
    browser.open("/api/account").await.json()
}

/// Whether the browser is in.
async fn is_in(browser: &mut Browser<'_>) -> bool {
    browser.open("/account").await.status == 200
}

/// That the return let nobody in, with this problem and its sentence on the page for signing in.
async fn let_nobody_in(browser: &mut Browser<'_>, returned: &Answer, problem: &str) {
    let told = format!("/account/sign-in?problem={problem}&by=sign_in");
    assert_eq!(leads_to(returned), (303, told.as_str()), "{}", returned.text);
    let page = browser.open(&told).await;
    assert!(page.status == 200 && page.text.contains("role=\"alert\""), "{problem}: {}", page.text);
    assert!(!is_in(browser).await, "{problem}");
}

/// How the provider does, as the household sees it.
async fn condition(house: &House) -> String {
    let known = house.household().get("/api/system/providers").await.ok();
    let one = known["providers"].as_array().unwrap().iter().find(|known| known["name"] == "sign_in").cloned();
    one.unwrap()["state"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_customer_comes_in_by_a_provider_goes_on_where_it_was_and_is_the_same_one_next_time() {
    let provider = Provider::start().await;
    let house = house_with(&provider).await;
    let mut browser = Browser::at(&house);
    let page = browser.open("/en/account/sign-in").await;
    assert!(page.text.contains("Sign in with 마을 계정"), "{}", page.text);
    let fields = [("provider", "sign_in"), ("next", "/contact?from=account")];
    let onward = browser.send("/en/account/sign-in/with", &page, &fields).await;
    let way = Way::of(&onward);
    assert_eq!((onward.header("cache-control"), way.part("response_type").as_str()), ("no-store", "code"));
    assert_eq!((way.part("client_id").as_str(), way.part("code_challenge_method").as_str()), (CLIENT, "S256"));
    assert_eq!(way.part("scope").split(' ').collect::<Vec<_>>(), ["openid", "email", "profile"]);
    let address = format!("http://{}/auth/callback", house.appliance.site_address());
    assert_eq!(way.part("redirect_uri"), address, "in development it is where the request went");
    provider.agreed(&house, &way);
    let done = browser.open(&format!("{}&iss={}", way.back(), provider.address())).await;
    assert_eq!(leads_to(&done), (303, "/contact?from=account"), "{}", done.text);
    let first = account(&mut browser).await;
    assert_eq!((first["mail"].as_str(), first["has_password"].as_bool()), (Some(MAIL), Some(false)));
    assert_eq!((&first["profile"]["name"], &first["profile"]["language"]), (&json!("김지우"), &json!("en")));
    let own = browser.open("/account").await;
    assert!(own.text.contains("로그인 방법") && own.text.contains("마을 계정"), "{}", own.text);

    // The address has become another one there, and another customer's here.
    provider.claims(json!({"sub": "jiwoo-1", "email": "new@example.com", "email_verified": true}));
    let mut elsewhere = Browser::at(&house);
    assert_eq!(leads_to(&through(&house, &provider, &mut elsewhere).await), (303, "/account"));
    let again = account(&mut elsewhere).await;
    assert_eq!((&again["id"], &again["mail"]), (&first["id"], &json!(MAIL)));
    assert_eq!(condition(&house).await, "ok");
}

#[tokio::test]
async fn a_return_counts_once_in_the_browser_that_began_and_within_ten_minutes() {
    let provider = Provider::start().await;
    let house = house_with(&provider).await;
    let (mut browser, mut other) = (Browser::at(&house), Browser::at(&house));
    let way = begun(&mut browser, "").await;
    provider.agreed(&house, &way);
    let ended = "/account/sign-in?problem=ended&by=";
    begun(&mut other, "").await;
    let asked = provider.asked().await;
    for stranger in [
        way.back(),
        "/auth/callback".to_owned(),
        "/auth/callback?code=good".to_owned(),
        "/auth/callback?code=good&state=guess.guess".to_owned(),
    ] {
        assert_eq!(leads_to(&other.open(&stranger).await), (303, ended), "{stranger}");
        assert_eq!(leads_to(&Browser::at(&house).open(&stranger).await), (303, ended), "{stranger}");
    }
    for unfit in ["a".repeat(5000), "%00".to_owned()] {
        assert_eq!(other.open(&format!("/auth/callback?code=good&state={unfit}")).await.status, 422, "{unfit}");
    }
    let head = house.passer_by().request(Method::HEAD, &way.back());
    assert_eq!(leads_to(&answer(head).await), (303, ended));
    assert_eq!(provider.asked().await, asked, "for none of them the provider was asked");
    assert_eq!(leads_to(&browser.open(&way.back()).await), (303, "/account"), "none of them has used it up");
    assert_eq!(leads_to(&browser.open(&way.back()).await), (303, ended));

    let mut late = Browser::at(&house);
    let way = begun(&mut late, "").await;
    provider.agreed(&house, &way);
    house.clock.set(house.clock.now() + Duration::minutes(10));
    assert_eq!(leads_to(&late.open(&way.back()).await), (303, ended));
    assert!(!is_in(&mut late).await);
}

#[tokio::test]
async fn a_sign_in_draws_a_new_session_whatever_the_browser_came_with() {
    let provider = Provider::start().await;
    let house = house_with(&provider).await;
    let mut browser = Browser::at(&house);
    through(&house, &provider, &mut browser).await;
    let id = account(&mut browser).await["id"].as_str().unwrap().to_owned();
    // The page of who is in has forms, too.
    let own = browser.open("/account").await;
    let way = Way::of(&browser.send("/account/sign-in/with", &own, &[("provider", "sign_in")]).await);
    provider.agreed(&house, &way);
    let done = browser.open(&way.back()).await;
    assert!(done.headers.get_all("set-cookie").iter().any(|line| line.to_str().unwrap().starts_with("hanok=")));
    let store = &house.appliance.app().data.store;
    let sessions = store.read(move |tx| CUSTOMERS.list(tx, &id)).await.unwrap();
    assert_eq!(sessions.len(), 1, "the one before has ended");
}

#[tokio::test]
async fn odd_claims_still_let_their_customer_in() {
    let provider = Provider::start().await;
    let house = house_with(&provider).await;
    let long = "길".repeat(400);
    let odd = [
        (json!({"sub": "1"}), None, String::new()),
        (json!({"sub": "2", "email": "two@example.com"}), None, String::new()),
        (json!({"sub": "3", "email": "three@example.com", "email_verified": false}), None, String::new()),
        (
            json!({"sub": "4", "email": "four@example.com", "email_verified": "true"}),
            Some("four@example.com"),
            String::new(),
        ),
        (json!({"sub": "5", "email": "no address", "email_verified": true}), None, String::new()),
        (json!({"sub": "6", "name": long}), None, format!("{}…", "길".repeat(49))),
        (
            json!({"sub": "7", "name": "<script>alert(1)</script>\n\u{7}둘"}),
            None,
            "<script>alert(1)</script> 둘".to_owned(),
        ),
        (json!({"sub": "8", "aud": [CLIENT]}), None, String::new()),
        (json!({"sub": "한글/8 \"<"}), None, String::new()),
    ];
    for (claims, mail, name) in odd {
        provider.claims(claims.clone());
        let mut browser = Browser::at(&house);
        let done = through(&house, &provider, &mut browser).await;
        assert_eq!(leads_to(&done), (303, "/account"), "{claims}");
        let account = account(&mut browser).await;
        assert_eq!(
            (account["mail"].as_str(), account["profile"]["name"].as_str()),
            (mail, Some(name.as_str())),
            "{claims}"
        );
        let own = browser.open("/account").await;
        assert!(own.status == 200 && !own.text.contains("<script>alert"), "{}", own.text);
    }
    // What the ID token leaves out is told where more is asked for.
    provider.claims(json!({"sub": "9"}));
    provider.says(|says| says.more = json!({"sub": "9", "email": "nine@example.com", "email_verified": true}));
    let mut browser = Browser::at(&house);
    through(&house, &provider, &mut browser).await;
    assert_eq!(account(&mut browser).await["mail"], "nine@example.com");
}

#[tokio::test]
async fn a_word_that_does_not_hold_lets_nobody_in_and_other_keys_are_known_at_once() {
    let provider = Provider::start().await;
    let house = house_with(&provider).await;
    let mut browser = Browser::at(&house);
    let past = house.clock.now().timestamp() - 120;
    let wrong = [
        json!({"sub": "1", "nonce": "another"}),
        json!({"sub": "1", "nonce": null}),
        json!({"sub": "1", "aud": "another-shop"}),
        json!({"sub": "1", "aud": [CLIENT, "another-shop"]}),
        json!({"sub": "1", "iss": "https://another.example"}),
        json!({"sub": "1", "exp": past}),
        json!({"sub": ""}),
        json!({"sub": "a".repeat(300)}),
        json!({"sub": null}),
        json!({"sub": 7}),
        json!({"sub": "1", "at_hash": "another"}),
    ];
    for claims in wrong {
        provider.claims(claims);
        let returned = through(&house, &provider, &mut browser).await;
        let_nobody_in(&mut browser, &returned, "not-believed").await;
    }
    provider.claims(json!({"sub": "1"}));
    for seal in [Seal::Nothing, Seal::ClientSecret, Seal::Second] {
        provider.says(|says| says.seal = seal);
        let returned = through(&house, &provider, &mut browser).await;
        let_nobody_in(&mut browser, &returned, "not-believed").await;
    }
    for instead in ["", "a.b.c", "no token", "eyJhbGciOiJub25lIn0.e30."] {
        provider.says(|says| says.instead = Some(instead.to_owned()));
        let returned = through(&house, &provider, &mut browser).await;
        let_nobody_in(&mut browser, &returned, "not-believed").await;
    }
    provider.says(|says| says.instead = None);
    let way = begun(&mut browser, "").await;
    provider.agreed(&house, &way);
    let mixed = browser.open(&format!("{}&iss=https://another.example", way.back())).await;
    let_nobody_in(&mut browser, &mixed, "not-believed").await;
    provider.says(|says| says.more = json!({"sub": "another"}));
    provider.says(|says| (says.seal, says.shown) = (Seal::Second, vec![Seal::Second]));
    let returned = through(&house, &provider, &mut browser).await;
    let_nobody_in(&mut browser, &returned, "not-believed").await;

    provider.says(|says| says.more = Value::Null);
    assert_eq!(leads_to(&through(&house, &provider, &mut browser).await), (303, "/account"), "the keys are others now");
    provider.says(|says| (says.seal, says.shown) = (Seal::Rsa, vec![Seal::Second, Seal::Rsa]));
    let mut other = Browser::at(&house);
    assert_eq!(leads_to(&through(&house, &provider, &mut other).await), (303, "/account"));
    assert_eq!(account(&mut browser).await["id"], account(&mut other).await["id"]);
}

#[tokio::test]
async fn who_calls_it_off_or_brings_no_good_code_is_told_so() {
    let provider = Provider::start().await;
    let house = house_with(&provider).await;
    let mut browser = Browser::at(&house);
    let way = begun(&mut browser, "").await;
    let off = browser.open(&format!("/auth/callback?error=access_denied&state={}", way.part("state"))).await;
    let_nobody_in(&mut browser, &off, "declined").await;
    let way = begun(&mut browser, "").await;
    provider.agreed(&house, &way);
    let bad = browser.open(&way.back().replace("good", "bad")).await;
    let_nobody_in(&mut browser, &bad, "not-believed").await;
    assert_eq!(condition(&house).await, "ok", "it is well that the provider refuses it");
    let way = begun(&mut browser, "").await;
    let unproved = browser.open(&way.back()).await;
    let_nobody_in(&mut browser, &unproved, "not-believed").await;
}

#[tokio::test]
async fn a_confirmed_address_takes_no_account_over_and_is_connected_by_its_owner_alone() {
    let provider = Provider::start().await;
    let house = house_with(&provider).await;
    let owner = Visitor::registered(&house, "JIWOO@example.com").await;
    let id = owner.get("/api/account").await.ok()["id"].clone();
    let mut browser = Browser::at(&house);
    let returned = through(&house, &provider, &mut browser).await;
    let_nobody_in(&mut browser, &returned, "has-account").await;
    // An address that is not confirmed says nothing of whose it is.
    provider.claims(json!({"sub": "stranger", "email": MAIL, "email_verified": false}));
    let mut stranger = Browser::at(&house);
    through(&house, &provider, &mut stranger).await;
    let strangers = account(&mut stranger).await;
    assert!(strangers["id"] != id && strangers["mail"].is_null(), "{strangers}");

    let entrance = browser.open("/account/sign-in").await;
    browser.send("/account/sign-in", &entrance, &[("mail", MAIL), ("password", PASSWORD)]).await;
    let own = browser.open("/account").await;
    let connect = |password| [("act", "connect"), ("provider", "sign_in"), ("present", password)];
    for wrong in ["", "another one"] {
        let refused = browser.send("/account", &own, &connect(wrong)).await;
        assert!([403, 422].contains(&refused.status.as_u16()), "{wrong}: {}", refused.text);
        assert!(refused.text.contains("<details open>"), "{}", refused.text);
        assert!(refused.text.contains("aria-describedby=\"sign_in-fault\" autofocus"), "{}", refused.text);
    }
    let way = Way::of(&browser.send("/account", &own, &connect(PASSWORD)).await);
    provider.agreed(&house, &way);
    let taken = browser.open(&way.back()).await;
    assert_eq!(leads_to(&taken), (303, "/account?problem=another-s&by=sign_in"));
    provider.claims(json!({"sub": "jiwoo-1", "email": MAIL, "email_verified": true}));
    let way = Way::of(&browser.send("/account", &own, &connect(PASSWORD)).await);
    provider.agreed(&house, &way);
    assert_eq!(leads_to(&browser.open(&way.back()).await), (303, "/account?saved=connect#ways"));
    let mut elsewhere = Browser::at(&house);
    assert_eq!(leads_to(&through(&house, &provider, &mut elsewhere).await), (303, "/account"));
    assert_eq!(account(&mut elsewhere).await["id"], id);
    let own = browser.open("/account?saved=connect").await;
    assert!(own.text.contains("value=\"disconnect\""), "also where no other provider is set: {}", own.text);
    let address = provider.address();
    let fields = [("act", "disconnect"), ("provider", address.as_str())];
    assert_eq!(leads_to(&browser.send("/account", &own, &fields).await), (303, "/account?saved=disconnect#ways"));
    let mut gone = Browser::at(&house);
    let returned = through(&house, &provider, &mut gone).await;
    let_nobody_in(&mut gone, &returned, "has-account").await;
    let entrance = gone.open("/account/sign-in").await;
    gone.send("/account/sign-in", &entrance, &[("mail", MAIL), ("password", PASSWORD)]).await;
    assert!(is_in(&mut gone).await, "the password goes on");
}

#[tokio::test]
async fn who_has_no_password_keeps_the_last_provider_until_another_is_connected() {
    let provider = Provider::start().await;
    let house = house_with(&provider).await;
    let mut browser = Browser::at(&house);
    through(&house, &provider, &mut browser).await;
    let customer = account(&mut browser).await;
    assert_eq!((&customer["mail"], &customer["has_password"]), (&json!(MAIL), &json!(false)));
    let own = browser.open("/account").await;
    let address = provider.address();
    let fields = [("act", "disconnect"), ("provider", address.as_str())];
    assert_eq!(browser.send("/account", &own, &fields).await.status, 409);
    // An account at a provider that the settings do not name lets nobody in; one that they name does.
    let store = &house.appliance.app().data.store;
    let id = customer["id"].as_str().unwrap().to_owned();
    let gone = id.clone();
    store.write(move |tx| auth::add_identity(tx, &gone, "https://gone.example", "1", "")).await.unwrap();
    assert_eq!(browser.send("/account", &own, &fields).await.status, 409);
    let fields = [("act", "disconnect"), ("provider", "https://gone.example")];
    assert_eq!(leads_to(&browser.send("/account", &own, &fields).await), (303, "/account?saved=disconnect#ways"));
    let again = browser.send("/account", &own, &fields).await;
    assert_eq!(leads_to(&again), (303, "/account?saved=disconnect#ways"), "it is disconnected: {}", again.text);
    assert_eq!(account(&mut browser).await["providers"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn of_two_providers_of_one_host_the_second_can_be_connected_as_well() {
    let provider = Provider::start().await;
    let house = House::open_with(|config| {
        provider.settings(config);
        config.sign_in.label = String::new();
        config.sign_in_2.issuer = format!("{}/second", provider.address());
        config.sign_in_2.client_id = CLIENT.to_owned();
        config.sign_in_2.client_secret = config.sign_in.client_secret.clone();
    })
    .await;
    let mut browser = Browser::at(&house);
    through(&house, &provider, &mut browser).await;
    let own = browser.open("/account").await;
    let offers = |name: &str| own.text.contains(&format!("name=\"provider\" value=\"{name}\""));
    assert_eq!((offers("sign_in"), offers("sign_in_2")), (false, true), "{}", own.text);
}

#[tokio::test]
async fn who_has_no_password_ends_the_account_after_a_sign_in_just_now_and_keeps_the_only_way_in() {
    let provider = Provider::start().await;
    let house = house_with(&provider).await;
    provider.claims(json!({"sub": "1"}));
    let mut browser = Browser::at(&house);
    through(&house, &provider, &mut browser).await;
    let own = browser.open("/account").await;
    assert!(!own.text.contains("id=\"change\"") && !own.text.contains("id=\"removing\""), "{}", own.text);
    let address = provider.address();
    let last = browser.send("/account", &own, &[("act", "disconnect"), ("provider", &address)]).await;
    assert!(last.status == 409 && last.text.contains("다른 방법이 없어"), "{}", last.text);
    house.clock.set(house.clock.now() + Duration::minutes(11));
    let late = browser.send("/account", &own, &[("act", "remove")]).await;
    assert!(late.status == 403 && late.text.contains("10분"), "{}", late.text);
    let mut anew = Browser::at(&house);
    through(&house, &provider, &mut anew).await;
    let own = anew.open("/account").await;
    assert_eq!(leads_to(&anew.send("/account", &own, &[("act", "remove")]).await), (303, "/"));
    assert!(!is_in(&mut browser).await, "every device is out");
    through(&house, &provider, &mut anew).await;
    assert!(is_in(&mut anew).await, "a new account");
}

#[tokio::test]
async fn a_provider_that_is_away_or_lies_is_told_of_and_counted_and_the_password_goes_on() {
    let provider = Provider::start().await;
    let house = house_with(&provider).await;
    Visitor::registered(&house, "other@example.com").await;
    let mut browser = Browser::at(&house);
    let page = browser.open("/account/sign-in").await;
    provider.says(|says| says.issuer = Some("https://another.example".to_owned()));
    let lies = browser.send("/account/sign-in/with", &page, &[("provider", "sign_in"), ("next", "/contact")]).await;
    assert!(lies.status == 502 && lies.text.contains("지금은 마을 계정 로그인을 쓸 수 없습니다"), "{}", lies.text);
    assert!(lies.text.contains("name=\"next\" value=\"/contact\""), "where it goes on is not forgotten");
    assert_eq!(condition(&house).await, "failing");
    provider.says(|says| (says.issuer, says.discovery) = (None, 500));
    let down = browser.send("/account/sign-in/with", &page, &[("provider", "sign_in")]).await;
    assert_eq!(down.status, 502, "{}", down.text);
    provider.says(|says| (says.discovery, says.exchange) = (200, 500));
    let returned = through(&house, &provider, &mut browser).await;
    let_nobody_in(&mut browser, &returned, "away").await;
    assert_eq!(condition(&house).await, "failing");
    let entrance = browser.open("/account/sign-in").await;
    let fields = [("mail", "other@example.com"), ("password", PASSWORD)];
    assert_eq!(leads_to(&browser.send("/account/sign-in", &entrance, &fields).await), (303, "/account"));
}

#[tokio::test]
async fn a_word_that_is_sealed_by_an_elliptic_curve_holds_under_the_key_that_is_shown_alone() {
    let provider = Provider::start().await;
    let house = house_with(&provider).await;
    let mut browser = Browser::at(&house);
    provider.says(|says| (says.seal, says.shown) = (Seal::Ec, vec![Seal::First, Seal::Rsa]));
    let returned = through(&house, &provider, &mut browser).await;
    let_nobody_in(&mut browser, &returned, "not-believed").await;
    provider.says(|says| says.shown = vec![Seal::Rsa, Seal::Ec]);
    assert_eq!(leads_to(&through(&house, &provider, &mut browser).await), (303, "/account"));
    let first = account(&mut browser).await;
    assert_eq!(first["mail"], MAIL);
    provider.says(|says| says.changed = true);
    let mut other = Browser::at(&house);
    let returned = through(&house, &provider, &mut other).await;
    let_nobody_in(&mut other, &returned, "not-believed").await;
}

/// More than a provider may take for one answer.
const TOO_LONG: std::time::Duration = std::time::Duration::from_secs(60);

#[tokio::test]
async fn a_provider_that_cannot_be_reached_is_told_of_and_measured() {
    let provider = Provider::start().await;
    let nowhere = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", nowhere.local_addr().unwrap());
    drop(nowhere);
    let house = House::open_with(|config| {
        provider.settings(config);
        config.sign_in.issuer = address.clone();
    })
    .await;
    let mut browser = Browser::at(&house);
    let page = browser.open("/account/sign-in").await;
    let down = browser.send("/account/sign-in/with", &page, &[("provider", "sign_in")]).await;
    assert!(down.status == 502 && down.text.contains("지금은 마을 계정 로그인을 쓸 수 없습니다"), "{}", down.text);
    assert!(!is_in(&mut browser).await);
    assert_eq!(condition(&house).await, "failing");
    let measured = house.household().get("/metrics").await.text;
    for line in [
        "hanok_provider_configured{provider=\"sign_in\"} 1",
        "hanok_provider_configured{provider=\"sign_in_2\"} 0",
        "hanok_provider_up{provider=\"sign_in\"} 0",
        "hanok_tokens{status=\"ended\"}",
    ] {
        assert!(measured.contains(line), "{line} in {measured}");
    }
    assert!(measured.contains("hanok_provider_last_failure_timestamp_seconds{provider=\"sign_in\"}"), "{measured}");
}

#[tokio::test]
async fn a_provider_s_customer_goes_on_within_the_site_and_nowhere_else() {
    let provider = Provider::start().await;
    let house = house_with(&provider).await;
    for next in
        ["//evil.example", "/\\evil.example", "https://evil.example/", "/%2F%2Fevil.example", "/%5cevil.example"]
    {
        let mut browser = Browser::at(&house);
        let way = begun(&mut browser, next).await;
        provider.agreed(&house, &way);
        assert_eq!(leads_to(&browser.open(&way.back()).await), (303, "/"), "{next}");
    }
}

#[tokio::test]
async fn in_production_the_way_back_is_the_address_of_the_site() {
    let provider = Provider::start().await;
    let house = House::open_with(|config| {
        provider.settings(config);
        config.site.address = "https://shop.example".to_owned();
    })
    .await;
    let mut browser = Browser::at(&house);
    let way = begun(&mut browser, "").await;
    assert_eq!(way.part("redirect_uri"), "https://shop.example/auth/callback");
    provider.agreed(&house, &way);
    let done = browser.open(&way.back()).await;
    let cookies: Vec<&str> = done.headers.get_all("set-cookie").iter().map(|line| line.to_str().unwrap()).collect();
    assert!(cookies.iter().any(|line| line.starts_with("__Host-hanok=") && line.contains("Secure")), "{cookies:?}");
}

#[tokio::test]
async fn without_a_provider_the_page_offers_none_and_a_form_of_another_page_begins_nothing() {
    let house = House::open().await;
    let mut browser = Browser::at(&house);
    let page = browser.open("/account/sign-in").await;
    assert!(!page.text.contains("/account/sign-in/with"), "{}", page.text);
    let unknown = browser.send("/account/sign-in/with", &page, &[("provider", "sign_in")]).await;
    assert_eq!(unknown.status, 404, "{}", unknown.text);
    let other = Browser::at(&house).open("/account/sign-in").await;
    let foreign = browser.send("/account/sign-in/with", &other, &[("provider", "sign_in")]).await;
    assert_eq!(foreign.status, 403, "{}", foreign.text);
}

/// For the long suite.
mod long {
    use super::*;

    #[tokio::test]
    async fn a_provider_that_is_too_slow_is_given_up_and_keeps_nobody_else_from_coming_in() {
        let provider = Provider::start().await;
        let house = house_with(&provider).await;
        Visitor::registered(&house, "other@example.com").await;
        let (mut browser, mut other) = (Browser::at(&house), Browser::at(&house));
        let page = browser.open("/account/sign-in").await;
        provider.says(|says| says.slow = ("/.well-known/openid-configuration", TOO_LONG));
        let given_up = {
            let begin = browser.send("/account/sign-in/with", &page, &[("provider", "sign_in")]);
            let come_in = async {
                let entrance = other.open("/account/sign-in").await;
                let fields = [("mail", "other@example.com"), ("password", PASSWORD)];
                leads_to(&other.send("/account/sign-in", &entrance, &fields).await).0
            };
            tokio::pin!(begin);
            let came_in = tokio::select! {
                biased;
                slow = &mut begin => panic!("it was answered before who has a password came in: {}", slow.status),
                came_in = come_in => came_in,
            };
            assert_eq!(came_in, 303);
            begin.await
        };
        assert!(
            given_up.status == 504 && given_up.text.contains("지금은 마을 계정 로그인을 쓸 수 없습니다"),
            "{given_up:?}"
        );
        assert_eq!(condition(&house).await, "failing");

        provider.says(|says| says.slow = ("/token", TOO_LONG));
        let way = begun(&mut browser, "").await;
        provider.agreed(&house, &way);
        let returned = browser.open(&way.back()).await;
        let_nobody_in(&mut browser, &returned, "away").await;
        provider.says(|says| says.slow = ("", std::time::Duration::ZERO));
        let again = browser.open(&way.back()).await;
        assert_eq!(
            leads_to(&again),
            (303, "/account/sign-in?problem=ended&by="),
            "a code that may have been taken is good no more"
        );
        assert_eq!(leads_to(&through(&house, &provider, &mut browser).await), (303, "/account"));
        assert_eq!(condition(&house).await, "ok");
    }
}

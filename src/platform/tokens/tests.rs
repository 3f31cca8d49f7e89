//! A provider that gives tokens, with its good days and bad ones, and the clock held.

use std::pin::pin;

use chrono::TimeDelta;
use futures_util::FutureExt;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use wiremock::matchers::{body_string_contains, header, method, path};
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

use super::*;
use crate::app::App;
use crate::events::Events;
use crate::jobs::{Jobs, Registry};
use crate::store::open::Options;
use crate::store::retention::Retention;
use crate::store::{ReadTransaction, Schema, SnapshotKind, Store};
use crate::testing::{app_on, draw_night, restores};

const VIDEOS: Provider =
    Provider { name: "videos", title_ko: "영상", title_en: "The videos", setting: "videos.client_id" };
static CHANNEL: Grant = Grant { name: "channel", provider: &VIDEOS, way: GrantWay::AuthorizationCode };
static SEARCH: Grant = Grant { name: "search", provider: &VIDEOS, way: GrantWay::ClientCredentials };

struct World {
    root: Arc<TempDir>,
    app: App,
    clock: Clock,
    server: Arc<MockServer>,
}

impl World {
    async fn begin() -> World {
        let (root, clock) = (tempfile::tempdir().unwrap(), Clock::fixed(draw_night()));
        let schema = Schema::default()
            .with(crate::store::TABLES, &[], &[])
            .with(TABLES, &[], &[])
            .carrying(PRESERVED_ON_RESTORE);
        let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
        let (store, _) = Store::open(root.path(), &options, schema, clock.clone(), Events::default()).unwrap();
        let app = app_on(store, Events::default(), &clock, Jobs::new(Registry::new(), Vec::new()));
        World { root: Arc::new(root), app, clock, server: Arc::new(MockServer::start().await) }
    }

    /// The next process on the same store.
    fn again(&self) -> World {
        let jobs = Jobs::new(Registry::new(), Vec::new());
        let app = app_on(self.app.data.store.clone(), Events::default(), &self.clock, jobs);
        World { root: Arc::clone(&self.root), app, clock: self.clock.clone(), server: Arc::clone(&self.server) }
    }

    fn client(&self) -> OAuthClient {
        OAuthClient {
            token_url: format!("{}/token", self.server.uri()),
            id: "house".to_owned(),
            secret: Secret::new("hush"),
            scope: "upload".to_owned(),
            told: ClientAuth::Body,
        }
    }

    /// From now on the provider answers so to what says `sent`.
    async fn says(&self, sent: &str, status: u16, body: &str) {
        let answer = ResponseTemplate::new(status).set_body_raw(body, "application/json");
        let mock = Mock::given(method("POST")).and(path("/token")).and(body_string_contains(sent));
        mock.respond_with(answer).with_priority(1).mount(&self.server).await;
    }

    async fn forgets_its_words(&self) {
        self.server.reset().await;
    }

    async fn connect(&self) -> Result<()> {
        let code = AuthorizationCode {
            code: Secret::new("c0de"),
            redirect_url: "http://127.0.0.1:8420/return".to_owned(),
            verifier: Secret::new("verifier"),
        };
        self.app.outside.tokens.connect(&CHANNEL, &self.client(), code).await
    }

    async fn token(&self, grant: &'static Grant) -> Result<String> {
        self.app.outside.tokens.access_token(grant, &self.client()).await.map(|token| token.reveal().to_owned())
    }

    async fn asked(&self) -> Vec<String> {
        let requests = self.server.received_requests().await.unwrap();
        requests.iter().map(|request: &Request| String::from_utf8(request.body.clone()).unwrap()).collect()
    }

    fn later(&self, span: TimeDelta) {
        self.clock.set(self.clock.now() + span);
    }
}

fn key_of(error: &Error) -> &str {
    &error.message.localized().unwrap().key
}

#[tokio::test]
async fn a_token_of_the_house_is_asked_for_once_renewed_ahead_of_its_end_and_known_after_a_restart() {
    let world = World::begin().await;
    world.says("client_credentials", 200, r#"{"access_token":"one","expires_in":3600}"#).await;
    assert_eq!(world.token(&SEARCH).await.unwrap(), "one");
    assert_eq!(world.asked().await, ["grant_type=client_credentials&scope=upload&client_id=house&client_secret=hush"]);
    world.later(TimeDelta::minutes(54));
    let world = world.again();
    assert_eq!(world.token(&SEARCH).await.unwrap(), "one");
    assert_eq!(world.asked().await.len(), 1);
    world.forgets_its_words().await;
    world.says("client_credentials", 200, r#"{"access_token":"two","expires_in":3600}"#).await;
    world.later(TimeDelta::minutes(2));
    assert_eq!(world.token(&SEARCH).await.unwrap(), "two");
}

#[tokio::test]
async fn who_we_are_goes_beside_the_body_where_the_provider_wants_it_so() {
    let world = World::begin().await;
    let basic = Mock::given(header("authorization", answer::basic("house", "hush").as_str()));
    let answer = ResponseTemplate::new(200).set_body_raw(r#"{"access_token":"one"}"#, "application/json");
    basic.respond_with(answer).mount(&world.server).await;
    let client = OAuthClient { told: ClientAuth::Basic, scope: String::new(), ..world.client() };
    assert_eq!(world.app.outside.tokens.access_token(&SEARCH, &client).await.unwrap().reveal(), "one");
    assert_eq!(world.asked().await, ["grant_type=client_credentials"]);
}

#[tokio::test]
async fn a_permission_is_taken_once_renewed_by_its_newest_refresh_token_and_forgotten_on_request() {
    let world = World::begin().await;
    assert_eq!(key_of(&world.token(&CHANNEL).await.unwrap_err()), "house.tokens.not_connected");
    assert_eq!(world.app.outside.tokens.connection(&CHANNEL).await.unwrap(), None);
    let first = r#"{"access_token":"one","expires_in":600,"refresh_token":"r1","scope":"upload read"}"#;
    world.says("authorization_code", 200, first).await;
    world.connect().await.unwrap();
    let sent = "grant_type=authorization_code&code=c0de&redirect_uri=http%3A%2F%2F127.0.0.1%3A8420%2Freturn\
                &code_verifier=verifier&client_id=house&client_secret=hush";
    assert_eq!(world.asked().await, [sent]);
    let connected = Connection { connected_at: draw_night(), scope: Some("upload read".to_owned()), has_ended: false };
    assert_eq!(world.app.outside.tokens.connection(&CHANNEL).await.unwrap(), Some(connected.clone()));

    // A fifth of ten minutes before the end.
    world.says("refresh_token=r1", 200, r#"{"access_token":"two","expires_in":600,"refresh_token":"r2"}"#).await;
    world.says("refresh_token=r2", 200, r#"{"access_token":"three","expires_in":600}"#).await;
    assert_eq!(world.token(&CHANNEL).await.unwrap(), "one");
    world.later(TimeDelta::seconds(481));
    assert_eq!(world.token(&CHANNEL).await.unwrap(), "two");
    let world = world.again();
    world.later(TimeDelta::seconds(601));
    assert_eq!(world.token(&CHANNEL).await.unwrap(), "three");
    world.later(TimeDelta::seconds(601));
    assert_eq!(world.token(&CHANNEL).await.unwrap(), "three", "the refresh token that was given last goes on");
    assert_eq!(world.app.outside.tokens.connection(&CHANNEL).await.unwrap(), Some(connected));

    world.app.outside.tokens.disconnect(&CHANNEL).await.unwrap();
    for world in [&world, &world.again()] {
        assert_eq!(key_of(&world.token(&CHANNEL).await.unwrap_err()), "house.tokens.not_connected");
    }
}

#[tokio::test]
async fn many_who_ask_at_once_are_given_the_token_of_one_renewal_which_goes_on_when_they_go_away() {
    let world = World::begin().await;
    let given = r#"{"access_token":"one","expires_in":600,"refresh_token":"r1"}"#;
    world.says("authorization_code", 200, given).await;
    world.connect().await.unwrap();
    world.later(TimeDelta::seconds(601));

    let thinking = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let token_url = format!("http://{}/token", thinking.local_addr().unwrap());
    let (tokens, client) = (&world.app.outside.tokens, OAuthClient { token_url, ..world.client() });
    let mut provider = {
        let first = pin!(tokens.access_token(&CHANNEL, &client));
        // The first who asks goes away while the provider still thinks.
        tokio::select! {
            biased;
            token = first => panic!("{token:?} was given before the provider had answered"),
            connected = thinking.accept() => connected.unwrap().0,
        }
    };
    let all = futures_util::future::join_all((0..20).map(|_| tokens.access_token(&CHANNEL, &client)));
    let answer = async {
        let mut asked = Vec::new();
        while !String::from_utf8_lossy(&asked).contains("client_secret=hush") {
            assert_ne!(provider.read_buf(&mut asked).await.unwrap(), 0, "the renewal has ended with who asked");
        }
        assert!(String::from_utf8_lossy(&asked).contains("refresh_token=r1"), "{asked:?}");
        let next = r#"{"access_token":"two","expires_in":600,"refresh_token":"r2"}"#;
        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", next.len());
        provider.write_all(format!("{head}{next}").as_bytes()).await.unwrap();
    };
    let (all, ()) = tokio::join!(all, answer);
    assert!(all.into_iter().all(|token| token.unwrap().reveal() == "two"));
    assert!(thinking.accept().now_or_never().is_none(), "nobody else has asked");
    let world = world.again();
    assert_eq!(world.token(&CHANNEL).await.unwrap(), "two", "it was written down");
}

#[tokio::test]
async fn a_permission_is_forgotten_whole_also_when_whoever_ends_it_goes_away() {
    let world = World::begin().await;
    world.says("authorization_code", 200, r#"{"access_token":"one","refresh_token":"r1"}"#).await;
    world.connect().await.unwrap();
    let tokens = &world.app.outside.tokens;
    assert!(tokens.disconnect(&CHANNEL).now_or_never().is_none(), "it waits for the disk");
    // Who has the turn next comes after it.
    drop(tokens.slot(&CHANNEL).turn.lock().await);
    for world in [&world, &world.again()] {
        assert_eq!(world.app.outside.tokens.connection(&CHANNEL).await.unwrap(), None);
    }
}

#[tokio::test]
async fn what_the_store_lacks_is_written_with_the_next_that_asks_and_not_while_another_has_the_turn() {
    let world = World::begin().await;
    world.says("authorization_code", 200, r#"{"access_token":"one","refresh_token":"r1"}"#).await;
    world.connect().await.unwrap();
    let (tokens, slot) = (&world.app.outside.tokens, world.app.outside.tokens.slot(&CHANNEL));
    store::remove(tokens, &CHANNEL).await.unwrap();
    slot.held.lock().is_unwritten = true;
    let is_kept = async || store::read(tokens, &CHANNEL).await.unwrap().is_some();
    let turn = slot.turn.lock().await;
    assert_eq!((world.token(&CHANNEL).await.unwrap().as_str(), is_kept().await), ("one", false));
    drop(turn);
    assert_eq!((world.token(&CHANNEL).await.unwrap().as_str(), is_kept().await), ("one", true));
}

#[tokio::test]
async fn a_token_that_is_still_good_is_given_while_it_cannot_be_renewed_and_a_bad_answer_replaces_nothing() {
    for (status, body) in [(500, "{}"), (200, "<html>"), (200, "{}"), (401, r#"{"error":"invalid_client"}"#)] {
        let world = World::begin().await;
        let given = r#"{"access_token":"one","expires_in":600,"refresh_token":"r1"}"#;
        world.says("authorization_code", 200, given).await;
        world.connect().await.unwrap();
        world.says("refresh_token=r1", status, body).await;
        world.later(TimeDelta::seconds(500));
        assert_eq!(world.token(&CHANNEL).await.unwrap(), "one", "{status} {body}");
        world.later(TimeDelta::seconds(101));
        let error = world.token(&CHANNEL).await.unwrap_err();
        assert_eq!(error.kind, Kind::UpstreamUnavailable, "{status} {body}: {error}");
        assert!(!world.app.outside.tokens.connection(&CHANNEL).await.unwrap().unwrap().has_ended);
    }
}

#[tokio::test]
async fn a_permission_that_the_provider_has_ended_is_said_so_and_asked_for_no_more() {
    let world = World::begin().await;
    let given = r#"{"access_token":"one","expires_in":600,"refresh_token":"r1"}"#;
    world.says("authorization_code", 200, given).await;
    world.connect().await.unwrap();
    world.says("refresh_token=r1", 400, r#"{"error":"invalid_grant"}"#).await;
    world.later(TimeDelta::seconds(601));
    for world in [&world, &world.again()] {
        for _ in 0..2 {
            let error = world.token(&CHANNEL).await.unwrap_err();
            assert_eq!((error.kind, key_of(&error)), (Kind::NotConfigured, "house.tokens.connect_again"));
        }
        assert!(world.app.outside.tokens.connection(&CHANNEL).await.unwrap().unwrap().has_ended);
        assert_eq!(world.asked().await.len(), 2);
    }
}

#[tokio::test]
async fn a_code_that_is_not_taken_leaves_the_permission_that_there_was() {
    let world = World::begin().await;
    world.says("code=c0de", 200, r#"{"access_token":"one"}"#).await;
    world.connect().await.unwrap();
    world.forgets_its_words().await;
    world.says("code=c0de", 400, r#"{"error":"invalid_grant"}"#).await;
    let refused = world.connect().await.unwrap_err();
    assert_eq!((refused.kind, key_of(&refused)), (Kind::Conflict, "house.tokens.code_refused"));
    assert_eq!(world.token(&CHANNEL).await.unwrap(), "one", "one without an end is good until it is refused");
    world.app.outside.tokens.note_refused(&CHANNEL, &Secret::new("another"));
    assert_eq!(world.token(&CHANNEL).await.unwrap(), "one");
    world.app.outside.tokens.note_refused(&CHANNEL, &Secret::new("one"));
    assert_eq!(key_of(&world.token(&CHANNEL).await.unwrap_err()), "house.tokens.connect_again");
}

#[tokio::test]
async fn a_clock_that_was_set_back_lengthens_no_token() {
    let world = World::begin().await;
    world.says("client_credentials", 200, r#"{"access_token":"one","expires_in":600}"#).await;
    world.token(&SEARCH).await.unwrap();
    world.later(TimeDelta::days(-300));
    let world = world.again();
    assert_eq!(world.token(&SEARCH).await.unwrap(), "one");
    world.forgets_its_words().await;
    world.says("client_credentials", 200, r#"{"access_token":"two","expires_in":600}"#).await;
    world.later(TimeDelta::seconds(601));
    assert_eq!(world.token(&SEARCH).await.unwrap(), "two");
}

#[tokio::test]
async fn nothing_of_a_token_can_be_read_in_the_store_and_without_its_key_it_is_connected_again() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::begin().await;
    let given = r#"{"access_token":"acc3ss-t0ken","expires_in":600,"refresh_token":"r3fresh-t0ken"}"#;
    world.says("code=c0de", 200, given).await;
    world.connect().await.unwrap();
    let bytes = std::fs::read(world.root.path().join("hanok.redb")).unwrap();
    let lies_there = |word: &str| bytes.windows(word.len()).any(|window| window == word.as_bytes());
    assert!(lies_there("tokens-1") && !lies_there("acc3ss-t0ken") && !lies_there("r3fresh-t0ken"));
    let key = world.root.path().join("run/tokens.key");
    let kept = std::fs::metadata(&key).unwrap();
    assert_eq!((kept.len(), kept.permissions().mode() & 0o777), (32, 0o600));
    let world = world.again();
    assert_eq!(world.token(&CHANNEL).await.unwrap(), "acc3ss-t0ken");

    std::fs::remove_file(&key).unwrap();
    let world = world.again();
    assert_eq!(key_of(&world.token(&CHANNEL).await.unwrap_err()), "house.tokens.connect_again");
    assert!(world.app.outside.tokens.connection(&CHANNEL).await.unwrap().unwrap().has_ended);
    assert!(!key.exists(), "no other takes its place while nothing is sealed");
    std::fs::write(&key, "no key").unwrap();
    assert!(world.again().app.outside.tokens.connection(&CHANNEL).await.unwrap().unwrap().has_ended);
    assert_eq!(std::fs::read(&key).unwrap(), b"no key");
    world.connect().await.unwrap();
    assert_eq!(world.again().token(&CHANNEL).await.unwrap(), "acc3ss-t0ken");
    assert_eq!(std::fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(std::fs::read(key.with_extension("key.before")).unwrap(), b"no key");
}

#[tokio::test]
async fn a_restore_goes_back_to_no_token_and_a_file_that_leaves_the_house_has_none() {
    let world = World::begin().await;
    world.says("code=c0de", 200, r#"{"access_token":"one","expires_in":600,"refresh_token":"r1"}"#).await;
    world.connect().await.unwrap();
    let keep = Retention { hourly: 1, daily: 1, weekly: 1 };
    let made = world.app.data.store.snapshot(SnapshotKind::Manual, keep).await.unwrap();
    world.says("refresh_token=r1", 200, r#"{"access_token":"two","expires_in":600,"refresh_token":"r2"}"#).await;
    world.later(TimeDelta::seconds(601));
    assert_eq!(world.token(&CHANNEL).await.unwrap(), "two");
    restores(&world.app.data.store).restore(Some(made.name), |_| ()).await.unwrap();
    let world = world.again();
    assert_eq!(world.token(&CHANNEL).await.unwrap(), "two", "what the provider has ended does not come back");

    let store = &world.app.data.store;
    store.write(|tx| (PRESERVED_ON_RESTORE[0].forget)(tx)).await.unwrap();
    assert!(!store.read(|tx| tx.contains(&store::TOKENS, CHANNEL.name)).await.unwrap());
}

#[tokio::test]
async fn whoever_watches_is_told_how_each_permission_is_and_no_token() {
    let world = World::begin().await;
    let report = async |world: &World| world.app.outside.tokens.report().await.unwrap();
    assert_eq!(report(&world).await, []);
    assert!(!world.root.path().join("run/tokens.key").exists(), "nothing is sealed, so there is no key");
    world.says("authorization_code", 200, r#"{"access_token":"one","expires_in":600,"refresh_token":"r1"}"#).await;
    world.connect().await.unwrap();
    let status = async |world: &World| report(world).await.iter().map(|token| token.status).collect::<Vec<_>>();
    assert_eq!(status(&world).await, [TokenStatus::Good]);
    let told = serde_json::to_string(&report(&world).await).unwrap();
    assert!(told.contains("channel") && !told.contains("one") && !told.contains("r1"), "{told}");
    world.later(TimeDelta::seconds(601));
    assert_eq!(status(&world).await, [TokenStatus::Due]);
    std::fs::write(world.root.path().join("run/tokens.key"), [7; 32]).unwrap();
    assert_eq!(status(&world.again()).await, [TokenStatus::Ended], "it cannot be read any more");
}

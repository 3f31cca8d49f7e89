//! The last good answers, on a provider with good days and bad ones.

use chrono::TimeDelta;
use wiremock::matchers::{header, method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::*;
use crate::events::Events;
use crate::store::ReadTransaction;

const QUOTES: Provider = Provider { name: "quotes", title_ko: "시세", title_en: "Quotes", setting: "quotes.address" };

static SET: AnswerSet = AnswerSet {
    name: "quotes",
    provider: &QUOTES,
    fresh_for: TimeDelta::minutes(1),
    pause: TimeDelta::seconds(30),
    kept_for: TimeDelta::days(7),
    most: 3,
    check: |answer| answer.json::<u64>().map(drop),
};

struct World {
    upstreams: Upstreams,
    clock: Clock,
    store: Store,
    server: MockServer,
}

impl World {
    async fn begin() -> World {
        let clock = Clock::fixed("2026-11-23T00:00:00Z".parse().unwrap());
        let store = Store::memory(clock.clone(), Events::default()).unwrap();
        let server = MockServer::start().await;
        let upstreams = World::upstreams(&clock, &store).await;
        World { upstreams, clock, store, server }
    }

    async fn upstreams(clock: &Clock, store: &Store) -> Upstreams {
        let settings = config::Upstream::default();
        let upstreams = Upstreams::with_first_pause(&settings, clock.clone(), Duration::ZERO).unwrap();
        upstreams.keep_in(store).await.unwrap();
        upstreams
    }

    async fn says(&self, at: &str, answer: ResponseTemplate) {
        Mock::given(method("GET")).and(path(format!("/{at}"))).respond_with(answer).mount(&self.server).await;
    }

    async fn ask(&self, key: &str) -> Result<LastGood> {
        let url = format!("{}/{key}", self.server.uri());
        self.upstreams.last_good(&SET, key, &url, Limits::default()).await
    }

    async fn asked(&self) -> usize {
        self.server.received_requests().await.unwrap().len()
    }

    fn later(&self, span: TimeDelta) {
        self.clock.set(self.clock.now() + span);
    }
}

#[tokio::test]
async fn a_fresh_answer_is_given_without_asking_and_an_old_one_is_asked_for_again() {
    let world = World::begin().await;
    world.says("005930", ResponseTemplate::new(200).set_body_string("71000")).await;
    let first = world.ask("005930").await.unwrap();
    assert_eq!((&*first.body, first.as_of, first.stale), ("71000", world.clock.now(), false));
    world.later(TimeDelta::seconds(59));
    assert_eq!((world.ask("005930").await.unwrap(), world.asked().await), (first.clone(), 1));
    world.later(TimeDelta::seconds(1));
    let next = world.ask("005930").await.unwrap();
    assert_eq!((next.as_of, next.stale, world.asked().await), (world.clock.now(), false, 2));
}

#[tokio::test]
async fn what_has_not_changed_is_not_sent_again_and_is_of_now() {
    let world = World::begin().await;
    let unchanged = Mock::given(header("If-None-Match", "\"one\"")).and(header("If-Modified-Since", "Sun"));
    unchanged.respond_with(ResponseTemplate::new(304)).expect(1).mount(&world.server).await;
    let whole = ResponseTemplate::new(200).insert_header("ETag", "\"one\"").insert_header("Last-Modified", "Sun");
    world.says("feed", whole.set_body_string("7")).await;
    world.ask("feed").await.unwrap();
    world.later(TimeDelta::minutes(2));
    let again = world.ask("feed").await.unwrap();
    assert_eq!((&*again.body, again.as_of, again.stale), ("7", world.clock.now(), false));
    assert_eq!(world.upstreams.report()[0].consecutive_failures, 0);
}

#[tokio::test]
async fn on_a_bad_day_the_last_good_answer_is_given_as_stale_until_it_is_too_old() {
    let world = World::begin().await;
    let good = Mock::given(method("GET")).respond_with(ResponseTemplate::new(200).set_body_string("7"));
    let good = good.mount_as_scoped(&world.server).await;
    let first = world.ask("feed").await.unwrap();
    drop(good);
    world.says("feed", ResponseTemplate::new(200).set_body_string("\"a page instead of a number\"")).await;
    world.later(TimeDelta::minutes(2));
    for _ in 0..3 {
        assert_eq!(world.ask("feed").await.unwrap(), LastGood { stale: true, ..first.clone() });
    }
    assert_eq!(world.asked().await, 2, "once on the good day, once on the bad one, and then it is left alone");
    world.later(TimeDelta::days(7));
    assert!(world.ask("feed").await.is_err());
}

#[tokio::test]
async fn many_readers_make_one_request_also_when_it_fails() {
    for (status, is_good) in [(200, true), (404, false)] {
        let world = World::begin().await;
        world.says("feed", ResponseTemplate::new(status).set_body_string("7")).await;
        let readers = (0..50).map(|_| world.ask("feed"));
        let told = futures_util::future::join_all(readers).await;
        assert!(told.iter().all(|told| told.is_ok() == is_good), "{status}");
        assert_eq!(world.asked().await, 1, "{status}");
    }
}

#[tokio::test]
async fn while_one_asks_the_others_have_the_last_good_answer_and_do_not_wait() {
    let world = World::begin().await;
    let good = Mock::given(method("GET")).respond_with(ResponseTemplate::new(200).set_body_string("7"));
    let good = good.mount_as_scoped(&world.server).await;
    world.ask("feed").await.unwrap();
    drop(good);
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    world.later(TimeDelta::minutes(2));
    let upstreams = world.upstreams.clone();
    let asking = tokio::spawn(async move { upstreams.last_good(&SET, "feed", &url, Limits::default()).await });
    let _asked = silent.accept().await.unwrap();
    let told = world.ask("feed").await.unwrap();
    assert_eq!((&*told.body, told.stale), ("7", true));
    asking.abort();
    let _ = asking.await;
    world.says("feed", ResponseTemplate::new(200).set_body_string("8")).await;
    assert_eq!(&*world.ask("feed").await.unwrap().body, "8", "whoever asked has gone, and the next one asks");
}

#[tokio::test]
async fn answers_outlive_the_process_and_no_more_are_kept_than_may_be() {
    let mut world = World::begin().await;
    world.says("a", ResponseTemplate::new(200).set_body_string("1")).await;
    for key in ["b", "c", "d"] {
        world.says(key, ResponseTemplate::new(200).set_body_string("2")).await;
    }
    let first = world.ask("a").await.unwrap();
    world.upstreams = World::upstreams(&world.clock, &world.store).await;
    assert_eq!((world.ask("a").await.unwrap(), world.asked().await), (first, 1));
    for key in ["b", "c", "d"] {
        world.later(TimeDelta::seconds(1));
        world.ask(key).await.unwrap();
    }
    assert_eq!(world.store.read(|tx| tx.count(&answers::ANSWERS)).await.unwrap(), 3);
    world.upstreams = World::upstreams(&world.clock, &world.store).await;
    world.ask("a").await.unwrap();
    assert_eq!(world.asked().await, 5, "the oldest made room");
}

#[tokio::test]
async fn of_a_clock_that_was_set_back_nothing_is_fresh_after_a_restart() {
    let mut world = World::begin().await;
    world.says("a", ResponseTemplate::new(200).set_body_string("1")).await;
    world.ask("a").await.unwrap();
    world.clock.put("2026-11-20T00:00:00Z".parse().unwrap());
    world.ask("a").await.unwrap();
    assert_eq!(world.asked().await, 1, "no time has passed");
    world.upstreams = World::upstreams(&world.clock, &world.store).await;
    let told = world.ask("a").await.unwrap();
    assert_eq!((told.as_of, told.stale, world.asked().await), (world.clock.now(), false, 2));
}

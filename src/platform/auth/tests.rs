//! Sessions, the set-up link and slowed guessing, with a clock in the hand.

use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;

use chrono::Duration;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use tempfile::TempDir;

use super::*;
use crate::app::App;
use crate::config::{Environment, Flags};
use crate::events::Events;
use crate::jobs::Jobs;
use crate::store::open::Options;
use crate::store::retention::Retention;
use crate::store::{DataFolder, Order, ReadTransaction, Schema, SnapshotKind, Store, unpack};
use crate::testing::{app, draw_night, pack, restores};
use hanok_base::{Clock, Moment, Secret};

mod clocks;
mod links;
mod sessions;

/// When it is, where nothing but spans of time is looked at.
const MOMENT: Moment = Moment::BEGIN;
/// From where a device comes.
const HERE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 168, 0, 7));

#[tokio::test]
async fn a_session_token_is_kept_only_as_its_hash_and_ends_when_idle_or_old() {
    let clock = Clock::fixed(draw_night());
    let app = app(&clock, Jobs::default());
    let token = app.data.store.write(|tx| add_session(tx, "a phone", HERE)).await.unwrap();
    let asked = token.clone();
    let session = app.data.store.read(move |tx| find_session(tx, &asked)).await.unwrap().unwrap();
    assert!(session.is_alive(clock.now(), 30, 180));
    assert!(!session.is_alive(clock.now() + Duration::days(30), 30, 180), "idle");
    assert!(!session.is_alive(clock.now() + Duration::days(180), 365, 180), "old");
    assert!(!serde_json::to_string(&session).unwrap().contains(&token));
    let unknown = app.data.store.read(|tx| find_session(tx, "guess")).await.unwrap();
    assert!(unknown.is_none());
}

async fn new_link(app: &App) -> String {
    let (links, now) = (app.access.household.setup.clone(), app.clock.moment());
    app.data.store.write(move |tx| links.new_token(tx, now)).await.unwrap()
}

async fn check(app: &App, token: &str) -> Result<()> {
    let (links, token, now) = (app.access.household.setup.clone(), token.to_owned(), app.clock.moment());
    app.data.store.read(move |tx| links.check(tx, &token, now)).await
}

async fn take(app: &App, token: &str) -> Result<()> {
    let (links, token, now) = (app.access.household.setup.clone(), token.to_owned(), app.clock.moment());
    app.data.store.write(move |tx| links.take(tx, &token, now)).await
}

#[tokio::test]
async fn a_setup_link_works_once_and_a_new_passphrase_ends_every_session() {
    let app = app(&Clock::fixed(draw_night()), Jobs::default());
    let session = app.data.store.write(|tx| add_session(tx, "a phone", HERE)).await.unwrap();
    let token = new_link(&app).await;
    let wrong = take(&app, "wrong").await.unwrap_err();
    assert_eq!(wrong.kind, Kind::Unauthorized);
    let hashed = hash(Secret::new("소나무와 기와지붕")).await.unwrap();
    let stored = hashed.clone();
    take(&app, &token).await.unwrap();
    app.data.store.write(move |tx| set_passphrase(tx, &stored)).await.unwrap();
    assert!(take(&app, &token).await.is_err());
    assert!(app.data.store.read(move |tx| find_session(tx, &session)).await.unwrap().is_none());
    assert!(matches(Secret::new("소나무와 기와지붕"), hashed.clone()).await.unwrap());
    assert!(!matches(Secret::new("소나무와 기와지빙"), hashed).await.unwrap());
}

#[tokio::test]
async fn a_setup_link_is_good_for_a_day() {
    let clock = Clock::fixed(draw_night());
    let app = app(&clock, Jobs::default());
    let token = new_link(&app).await;
    let check = async |token: &str| check(&app, token).await;
    clock.set(draw_night() + Duration::hours(24) - Duration::seconds(1));
    check(&token).await.unwrap();
    clock.set(draw_night() + Duration::hours(24));
    let refused = check(&token).await.unwrap_err();
    assert!(refused.kind == Kind::Unauthorized && refused.message.contains("hanok household setup-link"), "{refused}");
    assert!(take(&app, &token).await.is_err());
    let next = new_link(&app).await;
    check(&next).await.unwrap();
}

#[test]
fn guessing_waits_longer_each_time_and_one_address_does_not_lock_out_another() {
    let guesses = Guesses::default();
    let (here, there) = ("192.168.0.7".parse().unwrap(), "192.168.0.8".parse().unwrap());
    let mut now = MOMENT;
    for _ in 0..5 {
        guesses.admit(here, now).unwrap();
    }
    let mut waits = Vec::new();
    for _ in 0..4 {
        let wait = guesses.admit(here, now).unwrap_err().retry_after.unwrap();
        waits.push(wait);
        now += Duration::seconds(wait as i64);
        guesses.admit(here, now).unwrap();
    }
    assert_eq!(waits, [1, 2, 4, 8]);
    guesses.admit(there, now).unwrap();
    guesses.succeeded(here, draw_night());
    guesses.admit(here, now).unwrap();
}

#[test]
fn many_addresses_together_guess_no_faster_than_a_slow_rate_and_forget_nobody() {
    let guesses = Guesses::default();
    let here = "192.168.0.7".parse().unwrap();
    let known = "192.168.0.9".parse().unwrap();
    guesses.admit(known, MOMENT).unwrap();
    guesses.succeeded(known, draw_night());
    for _ in 0..5 {
        guesses.admit(here, MOMENT).unwrap();
    }
    let from = |number: u32| std::net::Ipv4Addr::from(0x0a00_0000 + number).into();
    let taken = (0..20_000).filter(|number| guesses.admit(from(*number), MOMENT).is_ok()).count();
    assert_eq!(taken, 95, "a hundred in all, with the five before");
    let refused = guesses.admit(from(20_001), MOMENT).unwrap_err();
    assert_eq!((refused.kind, refused.retry_after), (Kind::RateLimited, Some(10)));
    assert!(guesses.admit(here, MOMENT).is_err(), "who guessed before is still known");
    guesses.admit(known, MOMENT).unwrap();
    let hour = MOMENT + Duration::hours(1);
    let taken = (0..20_000).filter(|number| guesses.admit(from(30_000 + number), hour).is_ok()).count();
    assert_eq!(taken, 100);
    let later = hour + Duration::seconds(30);
    let taken = (0..20_000).filter(|number| guesses.admit(from(60_000 + number), later).is_ok()).count();
    assert_eq!(taken, 3, "one in ten seconds");
}

#[tokio::test]
async fn strangers_keep_no_device_out_that_was_here_before_a_restart_nor_a_new_one_at_home() {
    let app = app(&Clock::fixed(draw_night()), Jobs::default());
    let abroad = "2001:db8:0:1::9".parse().unwrap();
    let token = app.data.store.write(move |tx| add_session(tx, "a phone", abroad)).await.unwrap();
    let sessions = || app.data.store.read(|tx| list_sessions(tx));
    let after_a_restart = Guesses::default();
    after_a_restart.know(&sessions().await.unwrap());
    let stranger = |number: u32| Ipv4Addr::from(0xcb00_7100 + number).into();
    let taken = (0..200).filter(|number| after_a_restart.admit(stranger(*number), MOMENT).is_ok()).count();
    assert_eq!(taken, 100);
    assert!(after_a_restart.admit(stranger(201), MOMENT).is_err());
    after_a_restart.admit("2001:db8:0:1::7".parse().unwrap(), MOMENT).unwrap();
    let near =
        ["192.168.0.77", "fd00:1::5", "10.1.2.3", "127.0.0.1", "::1", "::ffff:10.1.2.4", "169.254.9.9", "fe80::5"];
    for at_home in near {
        after_a_restart.admit(at_home.parse().unwrap(), MOMENT).unwrap();
    }
    assert!(after_a_restart.admit("2001:db8:0:2::7".parse().unwrap(), MOMENT).is_err());
    // It is known by where it was seen last.
    app.data.store.write(move |tx| touch_session(tx, &token, HERE)).await.unwrap();
    assert_eq!(sessions().await.unwrap()[0].address, Some(HERE));
}

#[test]
fn of_many_guesses_at_the_same_time_only_the_free_ones_are_tried() {
    let guesses = Guesses::default();
    let here = "192.168.0.7".parse().unwrap();
    let admitted = (0..50).filter(|_| guesses.admit(here, MOMENT).is_ok()).count();
    assert_eq!(admitted, 5);
}

#[test]
fn a_network_of_ipv6_addresses_counts_as_one_and_an_ipv4_address_in_ipv6_form_as_ipv4() {
    let guesses = Guesses::default();
    let try_from = |address: String| guesses.admit(address.parse().unwrap(), MOMENT).is_ok();
    assert_eq!((0..50).filter(|host| try_from(format!("2001:db8:0:1::{host}"))).count(), 5);
    assert!(try_from("2001:db8:0:2::1".to_owned()));
    let mixed = (0..50).filter(|n| try_from(if n % 2 == 0 { "10.0.0.1" } else { "::ffff:10.0.0.1" }.to_owned()));
    assert_eq!(mixed.count(), 5);
}

#[tokio::test]
async fn a_hash_is_compared_at_its_own_cost_and_refused_beyond_what_a_machine_should_give() {
    let stored = hash(Secret::new("마당에 핀 살구꽃")).await.unwrap();
    assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
    for (passphrase, is_it) in [("마당에 핀 살구꽃", true), ("마당에 핀 목련꽃", false)] {
        assert_eq!(matches(Secret::new(passphrase), stored.clone()).await.unwrap(), is_it);
    }
    // As another implementation writes it: "password", 256 KiB, one pass.
    let cheap = "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4";
    assert!(matches(Secret::new("password"), cheap.to_owned()).await.unwrap());
    for most in ["m=65536,t=2,p=1", "m=19456,t=10,p=1", "m=19456,t=2,p=4"] {
        let as_costly_as_may_be = stored.replace("m=19456,t=2,p=1", most);
        assert!(!matches(Secret::new("마당에 핀 살구꽃"), as_costly_as_may_be).await.unwrap(), "{most}");
    }
    for cost in [
        "m=65537,t=2,p=1",
        "m=19456,t=11,p=1",
        "m=19456,t=2,p=5",
        "m=4194304,t=2,p=1",
        "m=19456,t=4000000000,p=1",
        "m=19456,t=2,p=255",
    ] {
        let costly = stored.replace("m=19456,t=2,p=1", cost);
        let refused = matches(Secret::new("마당에 핀 살구꽃"), costly).await.unwrap_err();
        assert!(refused.message.contains("hanok household passphrase"), "{refused:?}");
    }
}

#[tokio::test]
async fn a_word_of_one_purpose_is_refused_for_another() {
    let app = app(&Clock::fixed(draw_night()), Jobs::default());
    let session = app.data.store.write(|tx| add_session(tx, "a phone", HERE)).await.unwrap();
    let setup = new_link(&app).await;
    assert!(take(&app, &session).await.is_err());
    assert!(app.data.store.read(move |tx| find_session(tx, &setup)).await.unwrap().is_none());
}

#[test]
fn a_door_for_everyone_needs_a_passphrase_or_the_word_open() {
    let lan = "0.0.0.0:8420".parse().unwrap();
    let here = "127.0.0.1:8420".parse().unwrap();
    let config = Config::default();
    assert_eq!(HouseholdAccess::decide(&config, here, true).unwrap().mode, AccessMode::Loopback);
    assert_eq!(HouseholdAccess::decide(&config, lan, true).unwrap().mode, AccessMode::Passphrase);
    let refused = HouseholdAccess::decide(&config, lan, false).err().unwrap();
    assert!(refused.message.contains("hanok household passphrase"), "{refused}");
    let open = Environment::of([("HANOK_OPS__ACCESS", "open")]);
    let config = Config::load(&[], &Flags::default(), &open).unwrap();
    assert_eq!(HouseholdAccess::decide(&config, lan, false).unwrap().mode, AccessMode::Open);
}

#[tokio::test]
async fn no_text_is_a_word_of_ours_but_the_one_that_was_given_out_for_this() {
    let app = app(&Clock::fixed(draw_night()), Jobs::default());
    let session = app.data.store.write(|tx| add_session(tx, "a phone", HERE)).await.unwrap();
    let setup = new_link(&app).await;
    let nearly = {
        let (session, setup) = (session.clone(), setup.clone());
        (prop::sample::select(vec![session, setup]), any::<prop::sample::Index>(), any::<char>()).prop_map(
            |(word, at, other)| {
                let at = at.index(word.len());
                format!("{}{other}{}", &word[..at], &word[at..])
            },
        )
    };
    let any_word = prop_oneof![nearly, any::<String>(), "[A-Za-z0-9_-]{0,44}"];
    let mut runner = TestRunner::deterministic();
    let mut words: Vec<String> =
        (0..ProptestConfig::default().cases).map(|_| any_word.new_tree(&mut runner).unwrap().current()).collect();
    words.extend([
        session.to_uppercase(),
        format!("{session} "),
        format!("session {session}"),
        session[1..].to_owned(),
    ]);
    for word in words {
        assert!(word != session && word != setup);
        let asked = word.clone();
        assert_eq!(app.data.store.read(move |tx| find_session(tx, &asked)).await.unwrap(), None, "{word:?}");
        let refused = take(&app, &word).await.unwrap_err();
        assert_eq!(refused.kind, Kind::Unauthorized, "{word:?}");
        app.data.store.write(move |tx| end_session(tx, &word)).await.unwrap();
    }
    let (first, second) = (session.clone(), setup.clone());
    assert!(app.data.store.read(move |tx| find_session(tx, &second)).await.unwrap().is_none(), "the other's word");
    assert!(app.data.store.read(move |tx| find_session(tx, &first)).await.unwrap().is_some(), "nothing has ended");
    take(&app, &setup).await.unwrap();
}

#[tokio::test]
async fn who_may_enter_is_not_brought_back_by_a_restore_unless_the_folder_was_empty() {
    let open = |root: &Path| {
        let schema = Schema::default().with(TABLES, &[], &[]).carrying(PRESERVED_ON_RESTORE);
        let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
        Store::open(root, &options, schema, Clock::fixed(draw_night()), Events::default()).unwrap().0
    };
    let (root, elsewhere, empty) = (TempDir::new().unwrap(), TempDir::new().unwrap(), TempDir::new().unwrap());
    let (old_hash, new_hash) = (
        hash(Secret::new("the old one".to_owned())).await.unwrap(),
        hash(Secret::new("the new one".to_owned())).await.unwrap(),
    );
    let store = open(root.path());
    let first = old_hash.clone();
    let (old, revoked, setup) = store
        .write(move |tx| {
            set_passphrase(tx, &first)?;
            let setup = SetupLinks::default().new_token(tx, MOMENT)?;
            Ok((add_session(tx, "kept", HERE)?, add_session(tx, "revoked", HERE)?, setup))
        })
        .await
        .unwrap();
    let keep = Retention { hourly: 1, daily: 1, weekly: 1 };
    let made = store.snapshot(SnapshotKind::Manual, keep).await.unwrap();
    let packed = elsewhere.path().join("house.hanok");
    pack(&store, &made, "", &packed, true).await.unwrap();
    let (ended, second) = (revoked.clone(), new_hash.clone());
    let new = store.write(move |tx| {
        end_session(tx, &ended)?;
        tx.put(&words::HOUSEHOLD, "passphrase", &second)?;
        tx.remove(&words::HOUSEHOLD, "setup")?;
        add_session(tx, "new", HERE)
    });
    let new = new.await.unwrap();

    let entering = |store: &Store| {
        let (store, words, setup) = (store.clone(), [old.clone(), revoked.clone(), new.clone()], setup.clone());
        async move {
            let read = store.read(move |tx| {
                let mut alive = Vec::new();
                for word in &words {
                    alive.push(find_session(tx, word)?.is_some());
                }
                Ok((is_passphrase_set(tx)?, alive, SetupLinks::default().check(tx, &setup, MOMENT).is_ok()))
            });
            read.await.unwrap()
        }
    };
    let present = (Some(new_hash.clone()), vec![true, false, true], false);
    restores(&store).restore(Some(made.name.clone()), |_| ()).await.unwrap();
    assert_eq!(entering(&store).await, present, "while it runs");
    restores(&store).restore_from(&packed, |_| ()).await.unwrap();
    assert_eq!(entering(&store).await, present, "from a file");
    // What is broken elsewhere in the file keeps nobody's word back.
    let file = std::fs::File::options().write(true).open(root.path().join("hanok.redb")).unwrap();
    std::os::unix::fs::FileExt::write_all_at(&file, &[7; 64], 4096).unwrap();
    store.check_integrity().await.unwrap_err();
    restores(&store).restore(Some(made.name), |_| ()).await.unwrap();
    assert_eq!(entering(&store).await, present, "damaged elsewhere");
    // A present state that cannot be read says nobody is in: everyone signs in again.
    let of_the_snapshot = Some(old_hash);
    let clock = Clock::fixed(draw_night());
    let unreadable = TempDir::new().unwrap();
    open(unreadable.path()).close().await.unwrap();
    std::fs::write(unreadable.path().join("hanok.redb"), [7; 8192]).unwrap();
    let folder = DataFolder::take(unreadable.path()).unwrap();
    let schema = Schema::default().with(TABLES, &[], &[]).carrying(PRESERVED_ON_RESTORE);
    unpack::offline(&folder, &schema, 0, &clock, &packed, |_| ()).unwrap();
    drop(folder);
    let nobody = (of_the_snapshot.clone(), vec![false, false, false], false);
    let taken_over = open(unreadable.path());
    assert_eq!(entering(&taken_over).await, nobody, "unreadable");
    let words = taken_over.read(|tx| {
        let words = tx.entries(&words::HOUSEHOLD, "".., Order::Ascending);
        words.map(|word| word.map(|word| word.key().to_owned())).collect::<Result<Vec<_>>>()
    });
    assert_eq!(words.await.unwrap(), ["passphrase"], "nothing of a set-up link is left");

    let moved = open(empty.path());
    moved.close().await.unwrap();
    drop(moved);
    std::fs::remove_file(empty.path().join("hanok.redb")).unwrap();
    let folder = DataFolder::take(empty.path()).unwrap();
    let schema = Schema::default().with(TABLES, &[], &[]).carrying(PRESERVED_ON_RESTORE);
    unpack::offline(&folder, &schema, 0, &Clock::fixed(draw_night()), &packed, |_| ()).unwrap();
    drop(folder);
    assert_eq!(entering(&open(empty.path())).await, (of_the_snapshot, vec![true, true, false], true), "empty");
}

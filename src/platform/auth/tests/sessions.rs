//! The sessions of customers.

use super::super::sessions::MOST_DEVICES;
use super::*;
use crate::store::WriteTx;

fn world() -> (Clock, App) {
    let clock = Clock::fixed(draw_night());
    let app = app(&clock, Jobs::default());
    (clock, app)
}

fn sign_in(tx: &WriteTx, customer: &str, before: Option<&str>) -> Result<String> {
    CUSTOMERS.begin(tx, customer, before, "a phone", HERE)
}

#[tokio::test]
async fn a_sign_in_draws_a_new_token_and_ends_the_session_that_the_browser_came_with() {
    let (_, app) = world();
    let check = |tx: &WriteTx| {
        let first = sign_in(tx, "customer A", None)?;
        let second = sign_in(tx, "customer B", Some(&first))?;
        assert_ne!(first, second);
        assert_eq!(CUSTOMERS.find(tx, &first)?, None);
        assert_eq!(CUSTOMERS.find(tx, &second)?.map(|session| session.whose), Some("customer B".to_owned()));
        // One that a browser was made to carry is never the one that it is signed in with.
        let third = sign_in(tx, "customer A", Some("planted"))?;
        assert_ne!(third, "planted");
        assert_eq!(CUSTOMERS.find(tx, "planted")?, None);
        let session = CUSTOMERS.find(tx, &third)?.unwrap();
        assert!(!serde_json::to_string(&session).unwrap().contains(&third), "kept only as its hash");
        Ok(())
    };
    app.data.store.write(check).await.unwrap();
}

#[tokio::test]
async fn on_a_device_too_many_the_session_that_began_longest_ago_gives_way() {
    let (_, app) = world();
    let check = |tx: &WriteTx| {
        let tokens = (0..=MOST_DEVICES).map(|_| sign_in(tx, "customer A", None)).collect::<Result<Vec<_>>>()?;
        sign_in(tx, "customer B", None)?;
        assert_eq!(CUSTOMERS.list(tx, "customer A")?.len(), MOST_DEVICES);
        let is_in = |token: &String| Ok::<_, hanok_base::Error>(CUSTOMERS.find(tx, token)?.is_some());
        assert_eq!((is_in(&tokens[0])?, is_in(&tokens[1])?, is_in(&tokens[MOST_DEVICES])?), (false, true, true));
        Ok(())
    };
    app.data.store.write(check).await.unwrap();
}

#[tokio::test]
async fn a_session_of_one_door_opens_nothing_at_the_other() {
    let (_, app) = world();
    let check = |tx: &WriteTx| {
        let of_the_house = add_session(tx, "a phone", HERE)?;
        let of_a_customer = sign_in(tx, "customer A", None)?;
        assert_eq!(CUSTOMERS.find(tx, &of_the_house)?, None);
        assert_eq!(find_session(tx, &of_a_customer)?, None);
        let of_an_admin = ADMINS.begin(tx, "customer A", None, "a phone", HERE)?;
        assert_eq!(ADMINS.find(tx, &of_a_customer)?, None);
        assert_eq!(CUSTOMERS.find(tx, &of_an_admin)?, None);
        assert_eq!(find_session(tx, &of_an_admin)?, None);
        Ok(())
    };
    app.data.store.write(check).await.unwrap();
}

#[tokio::test]
async fn a_customer_lists_and_ends_its_own_sessions_and_finds_no_other_s() {
    let (_, app) = world();
    let check = |tx: &WriteTx| {
        let phone = sign_in(tx, "customer A", None)?;
        let desk = sign_in(tx, "customer A", None)?;
        // A name that begins like another is another.
        let others = sign_in(tx, "customer AB", None)?;
        let ids = |customer: &str| -> Result<Vec<u64>> {
            Ok(CUSTOMERS.list(tx, customer)?.iter().map(|session| session.id).collect())
        };
        let (own, foreign) = (ids("customer A")?, ids("customer AB")?);
        assert_eq!((own.len(), foreign.len()), (2, 1));
        assert!(own[0] > own[1], "newest first");
        assert!(!CUSTOMERS.end(tx, "customer A", foreign[0])?);
        assert!(CUSTOMERS.find(tx, &others)?.is_some());
        assert!(CUSTOMERS.end(tx, "customer A", own[1])?);
        assert!(!CUSTOMERS.end(tx, "customer A", own[1])?, "once");
        assert_eq!(CUSTOMERS.find(tx, &phone)?, None);
        sign_in(tx, "customer A", None)?;
        assert_eq!(CUSTOMERS.end_all(tx, "customer A", Some(&desk))?, 1);
        assert_eq!(ids("customer A")?, [own[0]]);
        // Whoever names a session of somebody else keeps none of its own by it.
        assert_eq!(CUSTOMERS.end_all(tx, "customer A", Some(&others))?, 1);
        assert_eq!((ids("customer A")?.len(), ids("customer AB")?.len()), (0, 1));
        CUSTOMERS.sign_out(tx, &others)?;
        assert_eq!(CUSTOMERS.find(tx, &others)?, None);
        Ok(())
    };
    app.data.store.write(check).await.unwrap();
}

#[tokio::test]
async fn a_customer_s_session_ends_when_idle_or_old_is_not_seen_again_then_and_is_swept() {
    let (clock, app) = world();
    let store = &app.data.store;
    let (idle, visited) =
        store.write(|tx| Ok((sign_in(tx, "customer A", None)?, sign_in(tx, "customer B", None)?))).await.unwrap();
    for days in (20..180).step_by(20) {
        clock.set(draw_night() + Duration::days(days));
        let tokens = (idle.clone(), visited.clone());
        let (is_idle_alive, is_visited_alive) = store
            .write(move |tx| {
                CUSTOMERS.touch(tx, &tokens.1, HERE)?;
                if days > 30 {
                    CUSTOMERS.touch(tx, &tokens.0, HERE)?;
                }
                let is_alive = |token: &str| Ok::<_, Error>(CUSTOMERS.find(tx, token)?.is_some());
                Ok((is_alive(&tokens.0)?, is_alive(&tokens.1)?))
            })
            .await
            .unwrap();
        assert_eq!((is_idle_alive, is_visited_alive), (days < 30, true), "after {days} days");
    }
    clock.set(draw_night() + Duration::days(180));
    let (listed, swept, left) = store
        .write(|tx| {
            let listed = CUSTOMERS.list(tx, "customer B")?.len();
            Ok((listed, CUSTOMERS.purge(tx)?, CUSTOMERS.purge(tx)?))
        })
        .await
        .unwrap();
    assert_eq!((listed, swept, left), (0, 2, 0));
}

#[tokio::test]
async fn a_session_of_a_clock_that_ran_ahead_lasts_no_longer_than_others() {
    let (clock, app) = world();
    clock.set(draw_night() + Duration::days(3650));
    let store = &app.data.store;
    let token = store.write(|tx| sign_in(tx, "customer A", None)).await.unwrap();
    clock.set(draw_night());
    let found = store.read(move |tx| CUSTOMERS.find(tx, &token)).await.unwrap();
    assert_eq!(found, None);
}

#[tokio::test]
async fn a_restore_brings_no_customer_s_session_back_that_has_ended_and_ends_none_that_has_begun() {
    let root = TempDir::new().unwrap();
    let schema = Schema::default().with(TABLES, &[], &[]).carrying(PRESERVED_ON_RESTORE);
    let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
    let clock = Clock::fixed(draw_night());
    let (store, _) = Store::open(root.path(), &options, schema, clock, Events::default()).unwrap();
    let ended = store.write(|tx| sign_in(tx, "customer A", None)).await.unwrap();
    let keep = Retention { hourly: 1, daily: 1, weekly: 1 };
    let made = store.snapshot(SnapshotKind::Manual, keep).await.unwrap();
    let before = ended.clone();
    let begun = store.write(move |tx| sign_in(tx, "customer A", Some(&before))).await.unwrap();
    restores(&store).restore(Some(made.name), |_| ()).await.unwrap();
    let (ended, begun, listed) = store
        .read(move |tx| {
            let listed = CUSTOMERS.list(tx, "customer A")?.len();
            Ok((CUSTOMERS.find(tx, &ended)?, CUSTOMERS.find(tx, &begun)?, listed))
        })
        .await
        .unwrap();
    assert_eq!((ended.is_some(), begun.is_some(), listed), (false, true, 1));
}

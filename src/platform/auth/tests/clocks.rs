//! Sessions, set-up links and guesses by a clock that is set ahead or back.

use super::*;

#[tokio::test]
async fn neither_a_session_nor_a_set_up_link_of_a_clock_that_ran_ahead_lasts_longer_than_others() {
    let clock = Clock::fixed(draw_night() + Duration::days(3650));
    let app = app(&clock, Jobs::default());
    let session = app.data.store.write(|tx| add_session(tx, "a phone", HERE)).await.unwrap();
    let session = app.data.store.read(move |tx| find_session(tx, &session)).await.unwrap().unwrap();
    let link = new_link(&app).await;
    check(&app, &link).await.unwrap();
    clock.set(draw_night());
    assert!(!session.is_alive(clock.now(), 30, 180));
    let refused = check(&app, &link).await.unwrap_err();
    assert_eq!(refused.kind, Kind::Unauthorized);
    // A clock that is put right by minutes ends nobody's session, and no link that was just printed.
    let link = new_link(&app).await;
    clock.set(draw_night() - Duration::minutes(10));
    check(&app, &link).await.unwrap();
    assert!(session.is_alive(session.created_at - Duration::minutes(10), 30, 180));
    // By an hour for a link, by less than a day for a session.
    for (back, is_good) in [(Duration::hours(1), true), (Duration::hours(1) + Duration::seconds(1), false)] {
        clock.set(draw_night() - back);
        let checked = check(&app, &link).await;
        assert_eq!(checked.is_ok(), is_good, "put back by {back}");
    }
    for (back, is_alive) in [(Duration::days(1) - Duration::seconds(1), true), (Duration::days(1), false)] {
        assert_eq!(session.is_alive(session.created_at - back, 30, 180), is_alive, "put back by {back}");
    }
}

#[tokio::test]
async fn a_set_up_link_ends_after_its_day_whatever_the_clock_says_also_one_of_an_earlier_process() {
    let clock = Clock::fixed(draw_night());
    let app = app(&clock, Jobs::default());
    let link = new_link(&app).await;
    // Each half an hour the clock is set back by as much.
    for _ in 0..47 {
        clock.set(clock.now() + Duration::minutes(30));
        clock.put(draw_night());
        check(&app, &link).await.unwrap();
    }
    // Seven hours before its end, by the clock, the house is started again.
    clock.put(draw_night() + Duration::hours(17));
    let (next, moment) = (Arc::new(SetupLinks::default()), clock.moment());
    let (links, token) = (next.clone(), link.clone());
    app.data.store.read(move |tx| links.know(tx, moment)).await.unwrap();
    for (minutes, is_good) in [(7 * 60 - 1, true), (1, false)] {
        clock.set(clock.now() + Duration::minutes(minutes));
        clock.put(draw_night());
        let (links, token, now) = (next.clone(), token.clone(), clock.moment());
        let checked = app.data.store.read(move |tx| links.check(tx, &token, now)).await;
        assert_eq!(checked.is_ok(), is_good, "{checked:?}");
    }
    assert_eq!(check(&app, &link).await.unwrap_err().kind, Kind::Unauthorized);
    assert!(take(&app, &link).await.is_err());
    check(&app, &new_link(&app).await).await.unwrap();
}

#[tokio::test]
async fn a_clock_that_is_set_back_makes_no_session_younger() {
    let clock = Clock::fixed(draw_night());
    let app = app(&clock, Jobs::default());
    let token = app.data.store.write(|tx| add_session(tx, "a phone", HERE)).await.unwrap();
    let found = async || {
        let asked = token.clone();
        app.data.store.read(move |tx| find_session(tx, &asked)).await.unwrap().unwrap()
    };
    let mut lived = Duration::zero();
    // Each day it is used, and each night the clock is set back by almost as much.
    while found().await.is_alive(clock.now(), 30, 180) && lived < Duration::days(400) {
        for hours in [23, -22] {
            clock.set(clock.now() + Duration::hours(hours));
            if found().await.is_seen_anew(clock.now()) {
                let token = token.clone();
                app.data.store.write(move |tx| touch_session(tx, &token, HERE)).await.unwrap();
            }
        }
        lived += Duration::hours(23);
    }
    assert_eq!(lived.num_days(), 180);
    // Seen by a clock that ran far ahead, it has ended.
    let unseen = found().await;
    let behind = unseen.last_seen_at - Duration::days(2);
    let seen_ahead = HouseholdSession { created_at: behind - Duration::days(1), ..unseen };
    assert!(!seen_ahead.is_alive(behind, 30, 180));
}

#[test]
fn a_clock_that_is_set_ahead_or_back_neither_locks_anyone_out_nor_lets_anyone_guess_faster() {
    let (clock, guesses) = (Clock::fixed(draw_night()), Guesses::default());
    let here = "192.168.0.7".parse().unwrap();
    for _ in 0..5 {
        guesses.admit(here, clock.moment()).unwrap();
    }
    for days in [400, -400] {
        clock.put(draw_night() + Duration::days(days));
        assert_eq!(guesses.admit(here, clock.moment()).unwrap_err().retry_after, Some(1), "{days}");
    }
    clock.set(clock.now() + Duration::seconds(1));
    guesses.admit(here, clock.moment()).unwrap();
}

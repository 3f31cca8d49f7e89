//! No more mails than the settings say go out within a minute.

use super::*;

#[tokio::test]
async fn no_more_mails_than_the_settings_say_go_out_within_a_minute_and_the_others_wait() {
    let server = Server::begin(MailSecurity::None).await;
    let clock = Clock::fixed(draw_night());
    let house = House::begin(&clock, config::Mail { per_minute: 2, ..through(&server) });
    for _ in 0..5 {
        house.queue().await;
    }
    for (minute, sent) in [(0, 2), (1, 4), (2, 5)] {
        clock.set(draw_night() + chrono::Duration::minutes(minute));
        let mut changes = house.app.events.listen();
        while house.app.data.store.read(|tx| counts(tx)).await.unwrap().waiting != 5 - sent {
            let _ = changes.recv().await;
        }
    }
    let mut minutes = Vec::new();
    for id in 1..=5 {
        let sent = house.until_status(id, MailStatus::Sent).await;
        minutes.push((sent.sent_at.unwrap() - draw_night()).num_minutes());
    }
    minutes.sort_unstable();
    assert!([0, 1, 2].iter().all(|minute| minutes.iter().filter(|at| *at == minute).count() <= 2), "{minutes:?}");
    assert_eq!(server.taken().len(), 5);
    house.end().await;
}

#[tokio::test]
async fn a_mail_that_somebody_waits_for_goes_before_those_that_were_queued_earlier_and_once() {
    let server = Server::begin(MailSecurity::None).await;
    let clock = Clock::fixed(draw_night());
    let house = House::begin(&clock, config::Mail { per_minute: 2, ..through(&server) });
    let to = EmailAddress::parse(TO).unwrap();
    let queued = house.app.data.store.write(move |tx| {
        let letter = |tx: &WriteTx| test_letter(tx, Language::Ko, "hanok.lan");
        (0..4).try_for_each(|_| queue(tx, &to, None, letter(tx)?).map(drop))?;
        Ok(queue(tx, &to, None, letter(tx)?.before_others())?.id)
    });
    let first = queued.await.unwrap();
    // Of those that were queued at the same instant, any may be the one that goes with it.
    for (minute, waiting) in [(0, 3), (1, 1), (2, 0)] {
        clock.set(draw_night() + chrono::Duration::minutes(minute));
        let mut changes = house.app.events.listen();
        while house.app.data.store.read(|tx| counts(tx)).await.unwrap().waiting > waiting {
            let _ = changes.recv().await;
        }
        assert_eq!(house.seen(first).await.status, MailStatus::Sent, "in minute {minute}");
    }
    assert_eq!(server.taken().len(), 5);
    house.end().await;
}

/// A mail about a request that is queued at `house` and has come as far as `step` of the server, which then says `act`.
async fn reached(server: &Server, house: &House, step: &'static str, act: Act) -> u64 {
    server.once(step, act);
    let to = EmailAddress::parse(TO).unwrap();
    let queued =
        house.app.data.store.write(move |tx| {
            Ok(queue(tx, &to, None, test_letter(tx, Language::Ko, "hanok.lan")?.about("a request"))?.id)
        });
    let id = queued.await.unwrap();
    server.until(step, 1).await;
    id
}

async fn cancelled(house: &House) {
    house.app.data.store.write(|tx| cancel(tx, "a request", |_| true)).await.unwrap();
}

#[tokio::test]
async fn a_mail_that_is_cancelled_before_it_goes_out_is_not_sent_by_the_attempt_under_way_and_by_no_later_one() {
    for (step, said) in [("CONNECT", "220 localhost"), ("RCPT", "250 fine"), ("RCPT", "450 4.2.0 greylisted")] {
        let server = Server::begin(MailSecurity::None).await;
        let clock = Clock::fixed(draw_night());
        let house = House::begin(&clock, through(&server));
        let id = reached(&server, &house, step, Act::Wait(said)).await;
        cancelled(&house).await;
        assert!(house.app.data.store.read(move |tx| find(tx, id)).await.is_err(), "{step}");
        server.answer_now();
        clock.set(clock.now() + chrono::Duration::days(1));
        let next = house.queue().await;
        house.until_status(next, MailStatus::Sent).await;
        assert_eq!(server.taken().len(), 1, "{step}: only the next one");
        house.end().await;
    }
}

#[tokio::test]
async fn a_mail_that_is_cancelled_while_it_is_handed_over_and_put_off_is_not_tried_again() {
    let server = Server::begin(MailSecurity::None).await;
    let clock = Clock::fixed(draw_night());
    let house = House::begin(&clock, through(&server));
    let id = reached(&server, &house, ".", Act::Wait("451 4.3.0 later")).await;
    assert_eq!(house.seen(id).await.status, MailStatus::HandingOver);
    let mut changes = house.app.events.listen();
    cancelled(&house).await;
    assert_eq!(house.seen(id).await.status, MailStatus::HandingOver, "it may arrive");
    server.answer_now();
    while house.app.data.store.read(move |tx| find(tx, id)).await.is_ok() {
        let _ = changes.recv().await;
    }
    clock.set(clock.now() + chrono::Duration::days(1));
    let next = house.queue().await;
    house.until_status(next, MailStatus::Sent).await;
    assert_eq!(server.taken().len(), 1, "only the next one");
    assert_eq!(server.steps().iter().filter(|step| *step == "DATA").count(), 2);
    house.end().await;
}

#[tokio::test]
async fn a_mail_that_was_cancelled_while_it_was_handed_over_and_arrived_is_sent() {
    let server = Server::begin(MailSecurity::None).await;
    let house = House::begin(&Clock::fixed(draw_night()), through(&server));
    let id = reached(&server, &house, ".", Act::Wait("250 2.0.0 ok")).await;
    cancelled(&house).await;
    server.answer_now();
    house.until_status(id, MailStatus::Sent).await;
    assert_eq!(server.taken().len(), 1);
    house.end().await;
}

#[tokio::test]
async fn a_mail_that_was_cancelled_while_it_was_handed_over_does_not_go_out_after_a_kill() {
    let server = Server::begin(MailSecurity::None).await;
    let house = House::begin(&Clock::fixed(draw_night()), through(&server));
    let id = reached(&server, &house, ".", Act::Hang).await;
    cancelled(&house).await;
    let house = house.killed().await;
    house.until_status(id, MailStatus::DeliveryUnknown).await;
    assert_eq!(server.taken().len(), 1);
    house.end().await;
}

#[tokio::test]
async fn a_mail_that_was_taken_back_is_neither_kept_nor_sent_and_its_file_goes() {
    let house = House::begin(&Clock::fixed(draw_night()), config::Mail::default());
    let to = EmailAddress::parse(TO).unwrap();
    let queued = house.app.data.store.write(move |tx| {
        let letter = |tx: &WriteTx| test_letter(tx, Language::Ko, "hanok.lan");
        let gone = queue(tx, &to, None, letter(tx)?.about("a request"))?.id;
        Ok((gone, queue(tx, &to, None, letter(tx)?.about("another"))?.id))
    });
    let (gone, stays) = queued.await.unwrap();
    house.until_status(gone, MailStatus::Sent).await;
    house.until_status(stays, MailStatus::Sent).await;
    assert_eq!(house.files().len(), 2);
    let to = EmailAddress::parse(TO).unwrap();
    let taken = house.app.data.store.write(move |tx| {
        let waiting = queue(tx, &to, None, test_letter(tx, Language::Ko, "hanok.lan")?.about("a request"))?.id;
        take_back(tx, "a request", |_| false)?;
        Ok(waiting)
    });
    let waiting = taken.await.unwrap();
    let mut changes = house.app.events.listen();
    while house.files().len() != 1 {
        let _ = changes.recv().await;
    }
    for id in [gone, waiting] {
        assert!(house.app.data.store.read(move |tx| find(tx, id)).await.is_err(), "{id}");
    }
    assert_eq!(house.seen(stays).await.status, MailStatus::Sent);
    house.end().await;
}

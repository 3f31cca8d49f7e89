//! The process ends at each step of an attempt: a mail is sent once, or it says that it may have been.

use super::*;

#[tokio::test]
async fn killed_before_the_mail_goes_out_it_is_sent_after_the_start_once() {
    for step in ["CONNECT", "EHLO", "MAIL", "RCPT", "DATA"] {
        let server = Server::begin(MailSecurity::None).await;
        server.once(step, Act::Hang);
        let house = House::begin(&Clock::fixed(draw_night()), through(&server));
        let id = house.queue().await;
        server.until(step, 1).await;
        let house = house.killed().await;
        house.until_status(id, MailStatus::Sent).await;
        assert_eq!(server.taken().len(), 1, "{step}");
        house.end().await;
    }
}

#[tokio::test]
async fn killed_while_the_mail_goes_out_its_delivery_is_unknown_after_every_start() {
    let server = Server::begin(MailSecurity::None).await;
    server.once(".", Act::Hang);
    let house = House::begin(&Clock::fixed(draw_night()), through(&server));
    let id = house.queue().await;
    server.until(".", 1).await;
    let mut house = house.killed().await;
    for _ in 0..3 {
        let delivery_unknown = house.until_status(id, MailStatus::DeliveryUnknown).await;
        assert!(delivery_unknown.message.unwrap().contains("the appliance ended"));
        house = house.killed().await;
    }
    assert_eq!(server.taken().len(), 1);
    house.end().await;
}

#[tokio::test]
async fn killed_after_the_mail_was_taken_it_is_not_sent_again() {
    let server = Server::begin(MailSecurity::None).await;
    let house = House::begin(&Clock::fixed(draw_night()), through(&server));
    let id = house.queue().await;
    house.until_status(id, MailStatus::Sent).await;
    let house = house.killed().await;
    let next = house.queue().await;
    house.until_status(next, MailStatus::Sent).await;
    assert_eq!((house.seen(id).await.status, server.taken().len()), (MailStatus::Sent, 2));
    house.end().await;
}

#[tokio::test]
async fn a_cause_that_fails_leaves_no_mail() {
    let house = House::begin(&Clock::fixed(draw_night()), config::Mail::default());
    let to = EmailAddress::parse(TO).unwrap();
    let failed: Result<()> = house
        .app
        .data
        .store
        .write(move |tx| {
            queue_test(tx, Language::En, &to, "hanok.lan")?;
            Err(hanok_base::Error::not_found("request"))
        })
        .await;
    assert_eq!(failed.unwrap_err().kind, Kind::NotFound);
    let listed = house.app.data.store.read(|tx| list(tx, Page { limit: 50, offset: 0 })).await.unwrap();
    assert_eq!((listed.1, house.files()), (0, Vec::new()));
    house.end().await;
}

#[tokio::test]
async fn a_mail_whose_task_is_cancelled_is_held_and_goes_out_when_somebody_says_so() {
    let server = Server::begin(MailSecurity::None).await;
    server.once("CONNECT", Act::Hang);
    let house = House::begin(&Clock::fixed(draw_night()), through(&server));
    let id = house.queue().await;
    server.until("CONNECT", 1).await;
    let refused = house.app.data.store.write(move |tx| send_again(tx, id)).await.unwrap_err();
    assert_eq!(refused.kind, Kind::Conflict, "it is on its way");
    let tasks = house.app.data.store.read(|tx| crate::jobs::list(tx, Page { limit: 50, offset: 0 })).await.unwrap().0;
    house.app.workers.jobs.cancel(&house.app.data.store, &tasks[0].id).await.unwrap();
    house.until_status(id, MailStatus::Held).await;
    assert_eq!(house.app.data.store.read(|tx| counts(tx)).await.unwrap(), Counts { held: 1, ..Counts::default() });
    house.app.data.store.write(move |tx| send_again(tx, id)).await.unwrap();
    house.until_status(id, MailStatus::Sent).await;
    assert_eq!(server.taken().len(), 1);
    house.end().await;
}

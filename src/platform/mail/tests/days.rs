//! Good days and bad days of a mail server.

use super::*;

fn clock() -> Clock {
    Clock::fixed(draw_night())
}

#[tokio::test]
async fn a_mail_arrives_through_a_safe_connection_with_its_sender_and_what_it_says() {
    for security in [MailSecurity::StartTls, MailSecurity::Tls] {
        let server = Server::begin(security).await;
        let house = House::begin(&clock(), safely(&server, security));
        let id = house.queue().await;
        let sent = house.until_status(id, MailStatus::Sent).await;
        assert_eq!((sent.attempts, sent.message, sent.way), (1, None, Some(Way::Server)));
        let taken = server.taken().remove(0);
        for part in ["To: jiwoo@example.com", "<house@example.com>", "Auto-Submitted: auto-generated", "Message-ID: <"]
        {
            assert!(taken.contains(part), "{part}: {taken}");
        }
        assert!(taken.contains("multipart/alternative") && taken.contains("text/html"), "{taken}");
        assert_eq!(server.steps().iter().filter(|step| *step == "AUTH").count(), 1);
        house.end().await;
    }
}

#[tokio::test]
async fn a_recipient_that_is_refused_for_good_is_not_asked_for_again() {
    for step in ["RCPT", "."] {
        let server = Server::begin(MailSecurity::None).await;
        server.once(step, Act::Say("550 5.1.1 nobody of that name"));
        let house = House::begin(&clock(), through(&server));
        let id = house.queue().await;
        let failed = house.until_status(id, MailStatus::Failed).await;
        assert_eq!(failed.message.as_deref(), Some("the mail server localhost refuses the mail for good (550)"));
        assert_eq!(server.taken(), [""; 0]);
        house.app.data.store.write(move |tx| send_again(tx, id)).await.unwrap();
        house.until_status(id, MailStatus::Sent).await;
        assert_eq!(server.taken().len(), 1);
        house.end().await;
    }
}

#[tokio::test]
async fn a_mail_that_is_put_off_goes_out_later_once() {
    for (step, said) in [
        ("RCPT", Act::Say("450 4.2.0 greylisted, come back in a minute")),
        (".", Act::Say("451 4.3.0 later")),
        ("CONNECT", Act::Say("421 too busy")),
        ("CONNECT", Act::Cut),
        ("MAIL", Act::Cut),
        ("DATA", Act::Cut),
        ("MAIL", Act::Say("553 5.7.1 not from you")),
    ] {
        let server = Server::begin(MailSecurity::None).await;
        server.once(step, said);
        let house = House::begin(&clock(), through(&server));
        let id = house.queue().await;
        let put_off = house.until_put_off(id).await;
        assert!(put_off.message.is_some() && put_off.status == MailStatus::Waiting, "{step} {said:?}: {put_off:?}");
        let sent = house.until_status(id, MailStatus::Sent).await;
        assert_eq!((sent.attempts, sent.message, server.taken().len()), (2, None, 1), "{step} {said:?}");
        house.end().await;
    }
}

#[tokio::test]
async fn a_connection_that_is_cut_after_the_mail_leaves_its_delivery_unknown_until_somebody_says_so() {
    let server = Server::begin(MailSecurity::None).await;
    server.once(".", Act::Cut);
    let house = House::begin(&clock(), through(&server));
    let id = house.queue().await;
    let delivery_unknown = house.until_status(id, MailStatus::DeliveryUnknown).await;
    assert!(delivery_unknown.message.unwrap().ends_with("it may have been sent"));
    assert_eq!(delivery_unknown.next_attempt_at, None);
    house.app.clock.set(house.app.clock.now() + chrono::Duration::days(2));
    let next = house.queue().await;
    house.until_status(next, MailStatus::Sent).await;
    assert_eq!((house.seen(id).await.status, server.taken().len()), (MailStatus::DeliveryUnknown, 2));
    let counted = house.app.data.store.read(|tx| counts(tx)).await.unwrap();
    assert_eq!(counted, Counts { delivery_unknown: 1, ..Counts::default() });
    house.app.data.store.write(move |tx| send_again(tx, id)).await.unwrap();
    house.until_status(id, MailStatus::Sent).await;
    let ids: Vec<String> = server.taken().iter().map(|mail| message_id(mail)).collect();
    assert!(ids[0] == ids[2] && ids[0] != ids[1], "whoever gets it twice can tell: {ids:?}");
    house.end().await;
}

fn message_id(mail: &str) -> String {
    mail.lines().find(|line| line.starts_with("Message-ID:")).unwrap().to_owned()
}

#[tokio::test]
async fn a_server_that_hangs_before_the_mail_puts_it_off_and_one_that_hangs_after_it_leaves_its_delivery_unknown() {
    for step in ["CONNECT", "EHLO", "MAIL", "RCPT", "DATA"] {
        let server = Server::begin(MailSecurity::None).await;
        server.once(step, Act::Hang);
        let house = House::begin(&clock(), through(&server));
        let id = house.queue().await;
        server.until(step, 1).await;
        house.app.clock.set(house.app.clock.now() + chrono::Duration::seconds(60));
        // The goodbye that the server does not hear, either.
        house.until(id, |_| true).await;
        let put_off = async {
            loop {
                house.app.clock.set(house.app.clock.now() + chrono::Duration::seconds(5));
                if house.seen(id).await.message.is_some() {
                    return;
                }
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(30), put_off).await.unwrap();
        let seen = house.seen(id).await;
        assert_eq!(
            seen.message.as_deref(),
            Some("the mail server localhost does not answer within 60 seconds"),
            "{step}"
        );
        house.until_put_off(id).await;
        house.until_status(id, MailStatus::Sent).await;
        assert_eq!(server.taken().len(), 1, "{step}");
        house.end().await;
    }
    let server = Server::begin(MailSecurity::None).await;
    server.once(".", Act::Hang);
    let house = House::begin(&clock(), through(&server));
    let id = house.queue().await;
    server.until(".", 1).await;
    assert_eq!(house.seen(id).await.status, MailStatus::HandingOver);
    house.app.clock.set(house.app.clock.now() + chrono::Duration::seconds(600));
    house.until_status(id, MailStatus::DeliveryUnknown).await;
    house.end().await;
}

#[tokio::test]
async fn a_server_that_cannot_be_trusted_gets_neither_the_password_nor_the_mail() {
    // Its certificate is of an authority that nobody trusts; it offers no STARTTLS; it speaks no TLS at all.
    for (speaks, asked, is_trusted) in [
        (MailSecurity::StartTls, MailSecurity::StartTls, false),
        (MailSecurity::Tls, MailSecurity::Tls, false),
        (MailSecurity::None, MailSecurity::StartTls, true),
        (MailSecurity::None, MailSecurity::Tls, true),
    ] {
        let server = Server::begin(speaks).await;
        let mut settings = safely(&server, asked);
        if !is_trusted {
            settings.authority_file = PathBuf::new();
        }
        let house = House::begin(&clock(), settings);
        let id = house.queue().await;
        let put_off = house.until(id, |seen| seen.message.is_some()).await;
        assert!(put_off.message.as_ref().unwrap().contains("no safe connection"), "{speaks:?} {asked:?}: {put_off:?}");
        assert!(!server.steps().iter().any(|step| step == "AUTH" || step == "MAIL"), "{:?}", server.steps());
        house.end().await;
    }
}

#[tokio::test]
async fn a_wrong_password_puts_the_mail_off_and_says_which_setting_it_is_about() {
    let server = Server::begin(MailSecurity::StartTls).await;
    let settings = config::Mail { password: Secret::new("wrong"), ..safely(&server, MailSecurity::StartTls) };
    let house = House::begin(&clock(), settings);
    let id = house.queue().await;
    let put_off = house.until(id, |seen| seen.message.is_some()).await;
    let said = put_off.message.unwrap();
    assert!(said.contains("mail.password") && said.contains("535") && !said.contains("wrong"), "{said}");
    house.end().await;
}

#[tokio::test]
async fn a_mail_that_is_put_off_for_most_of_a_day_has_failed_and_says_why() {
    let server = Server::begin(MailSecurity::None).await;
    let house = House::begin(&clock(), through(&server));
    (0..24).for_each(|_| server.once("RCPT", Act::Say("450 4.2.0 later")));
    let id = house.queue().await;
    for _ in 0..23 {
        house.until_put_off(id).await;
    }
    let failed = house.until_status(id, MailStatus::Failed).await;
    assert_eq!(failed.attempts, 24);
    assert_eq!(failed.message.as_deref(), Some("the mail server localhost puts the mail off (450)"));
    let hours = (house.app.clock.now() - draw_night()).num_hours();
    assert!((12..24).contains(&hours), "{hours}");
    house.end().await;
}

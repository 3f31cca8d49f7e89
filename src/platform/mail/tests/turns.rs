//! No more mails than the settings say go out within a minute.

use super::*;

#[tokio::test]
async fn no_more_mails_than_the_settings_say_go_out_within_a_minute_and_the_others_wait() {
    let server = Server::begin(MailSecurity::None).await;
    let clock = Clock::held(draw_night());
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
        let sent = house.until_standing(id, Standing::Sent).await;
        minutes.push((sent.sent_at.unwrap() - draw_night()).num_minutes());
    }
    minutes.sort_unstable();
    assert!([0, 1, 2].iter().all(|minute| minutes.iter().filter(|at| *at == minute).count() <= 2), "{minutes:?}");
    assert_eq!(server.taken().len(), 5);
    house.end().await;
}

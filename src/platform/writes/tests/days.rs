//! Good days and bad ones.

use super::*;

#[tokio::test]
async fn a_write_is_asked_for_once_and_what_follows_is_written_with_its_outcome() {
    let (bank, house) = (Bank::begin([Act::Say(200, "{\"number\":7}")]).await, House::begin());
    let id = house.plan(Transfer { at: bank.at.clone() }).await;
    let seen = house.until_ended(id, OutboxStatus::Done).await;
    assert_eq!((seen.attempts, seen.target.as_str(), seen.message), (1, "account 7", None));
    assert_eq!((bank.writes().len(), house.followed(id).await), (1, vec![OutboxStatus::Done]));
    assert_eq!(house.counts().await, WriteCounts::default());
    house.end().await;
}

#[tokio::test]
async fn a_refusal_is_not_tried_again() {
    let (bank, house) = (Bank::begin([Act::Say(400, "{\"code\":\"NO_FUNDS\"}")]).await, House::begin());
    let id = house.plan(Transfer { at: bank.at.clone() }).await;
    let seen = house.until_ended(id, OutboxStatus::Refused).await;
    assert!(seen.message.unwrap().contains("status 400"));
    assert_eq!((bank.writes().len(), house.followed(id).await), (1, vec![OutboxStatus::Refused]));
    house.end().await;
}

#[tokio::test]
async fn what_surely_did_not_leave_is_tried_again_and_is_unsent_in_the_end() {
    let house = House::begin();
    let id = house.plan(Transfer { at: format!("http://{NOBODY}") }).await;
    for attempt in 1..3 {
        let seen = house.until_put_off(id, OutboxStatus::Planned).await;
        assert_eq!((seen.attempts, seen.message.as_deref()), (attempt, Some("The bank cannot be reached")));
    }
    house.until_ended(id, OutboxStatus::Unsent).await;
    assert_eq!(house.counts().await, WriteCounts { unsent: 1, ..WriteCounts::default() });
    assert_eq!(house.followed(id).await, [OutboxStatus::Unsent]);
    house.resolve(id, Decision::SendAgain).await;
    let counts = house.counts().await;
    assert_eq!(counts.open + counts.unsent, 1);
    house.end().await;
}

#[tokio::test]
async fn fewer_requests_are_asked_for_and_the_write_waits() {
    let (bank, house) = (Bank::begin([Act::Say(429, "{}"), Act::Say(200, "{}")]).await, House::begin());
    let id = house.plan(Blind { at: bank.at.clone() }).await;
    house.until_put_off(id, OutboxStatus::Planned).await;
    house.until_ended(id, OutboxStatus::Done).await;
    assert_eq!(bank.writes().len(), 2);
    house.end().await;
}

#[tokio::test]
async fn no_answer_is_looked_up_and_what_is_found_there_is_not_asked_for_again() {
    for lost in [Act::Cut, Act::Say(502, "<html>bad gateway</html>"), Act::Say(500, "{}"), Act::Say(200, "<html>")] {
        let (bank, house) = (Bank::begin([lost, Act::Say(200, "{\"number\":7}")]).await, House::begin());
        let id = house.plan(Transfer { at: bank.at.clone() }).await;
        house.until_put_off(id, OutboxStatus::DeliveryUnknown).await;
        house.until_ended(id, OutboxStatus::Done).await;
        assert_eq!(bank.writes().len(), 1);
        assert_eq!(house.followed(id).await, [OutboxStatus::DeliveryUnknown, OutboxStatus::Done]);
        house.end().await;
    }
}

#[tokio::test]
async fn what_the_provider_does_not_have_is_asked_for_again_only_once_its_lists_have_settled() {
    let missing = || Act::Say(200, "null");
    let (bank, house) = (Bank::begin([Act::Cut, missing(), missing(), Act::Say(200, "{}")]).await, House::begin());
    let id = house.plan(Transfer { at: bank.at.clone() }).await;
    house.until_put_off(id, OutboxStatus::DeliveryUnknown).await;
    house.until_put_off(id, OutboxStatus::DeliveryUnknown).await;
    assert_eq!(bank.writes().len(), 1, "a minute later its list may lag behind");
    house.until_ended(id, OutboxStatus::Done).await;
    assert_eq!((bank.writes().len(), bank.keys()[0] == bank.keys()[1]), (2, true));
    house.end().await;
}

#[tokio::test]
async fn with_a_key_it_is_asked_for_again_under_the_same_key_while_the_provider_knows_it() {
    let (bank, house) = (Bank::begin([Act::Cut, Act::Say(403, "{}"), Act::Say(200, "{}")]).await, House::begin());
    let id = house.plan(Keyed { at: bank.at.clone() }).await;
    house.until_put_off(id, OutboxStatus::DeliveryUnknown).await;
    // Not let in now, which says nothing of the attempt before.
    house.until_put_off(id, OutboxStatus::DeliveryUnknown).await;
    house.until_ended(id, OutboxStatus::Done).await;
    let keys = bank.keys();
    assert!(keys.len() == 3 && keys.iter().all(|key| key.len() > 30 && *key == keys[0]), "{keys:?}");
    house.end().await;
}

#[tokio::test]
async fn a_key_that_the_provider_has_forgotten_and_a_clock_that_was_set_back_repeat_nothing() {
    for elsewhen in [chrono::Duration::days(1), chrono::Duration::days(-1)] {
        let (mut bank, house) = (Bank::begin([Act::Hang]).await, House::begin());
        let id = house.plan(Keyed { at: bank.at.clone() }).await;
        bank.until_heard(1).await;
        house.app.clock.put(draw_night() + elsewhen);
        let house = house.killed().await;
        house.until_ended(id, OutboxStatus::DeliveryUnknown).await;
        assert_eq!(bank.writes().len(), 1, "{elsewhen}");
        house.end().await;
    }
}

#[tokio::test]
async fn what_nobody_can_tell_of_waits_for_somebody_to_decide() {
    let (bank, house) = (Bank::begin([Act::Cut]).await, House::begin());
    let id = house.plan(Blind { at: bank.at.clone() }).await;
    let refused = house.app.clone();
    house.until_put_off(id, OutboxStatus::DeliveryUnknown).await;
    house.until_ended(id, OutboxStatus::DeliveryUnknown).await;
    let counts = house.counts().await;
    assert_eq!((counts.delivery_unknown, counts.looked_up, counts.delivery_unknown_since), (1, 0, Some(draw_night())));
    house.resolve(id, Decision::Done).await;
    house.until_ended(id, OutboxStatus::Done).await;
    assert_eq!(house.followed(id).await.last(), Some(&OutboxStatus::Done));
    let again = house.app.data.store.write(move |tx| resolve(&refused, tx, id, Decision::SendAgain)).await;
    assert!(again.is_err(), "it is settled");
    assert_eq!(bank.writes().len(), 1);
    house.end().await;
}

#[tokio::test]
async fn whoever_knows_that_it_was_not_done_has_it_asked_for_under_another_key() {
    let (bank, house) = (Bank::begin([Act::Cut]).await, House::begin());
    let id = house.plan(Blind { at: bank.at.clone() }).await;
    house.until_put_off(id, OutboxStatus::DeliveryUnknown).await;
    house.until_ended(id, OutboxStatus::DeliveryUnknown).await;
    bank.then(Act::Say(200, "{}"));
    house.resolve(id, Decision::SendAgain).await;
    house.until_ended(id, OutboxStatus::Done).await;
    let keys = bank.keys();
    assert!(keys.len() == 2 && keys[0] != keys[1], "{keys:?}");
    house.end().await;
}

#[tokio::test]
async fn what_is_refused_after_somebody_knew_that_it_was_not_done_is_not_unknown_again() {
    let (bank, house) = (Bank::begin([Act::Cut]).await, House::begin());
    let id = house.plan(Blind { at: bank.at.clone() }).await;
    house.until_put_off(id, OutboxStatus::DeliveryUnknown).await;
    house.until_ended(id, OutboxStatus::DeliveryUnknown).await;
    bank.then(Act::Say(403, "{}"));
    house.resolve(id, Decision::SendAgain).await;
    house.until_ended(id, OutboxStatus::Refused).await;
    assert_eq!(bank.writes().len(), 2);
    house.end().await;
}

#[tokio::test]
async fn a_cause_that_fails_leaves_no_write_and_old_settled_ones_are_cleared() {
    let (bank, house) = (Bank::begin([Act::Say(200, "{}"), Act::Cut]).await, House::begin());
    let at = bank.at.clone();
    let failed = house.app.data.store.write(move |tx| -> Result<()> {
        plan(tx, &Blind { at })?;
        Err(Error::not_found("order"))
    });
    assert!(failed.await.is_err());
    let done = house.plan(Blind { at: bank.at.clone() }).await;
    house.until_ended(done, OutboxStatus::Done).await;
    let unknown = house.plan(Blind { at: bank.at.clone() }).await;
    house.until_put_off(unknown, OutboxStatus::DeliveryUnknown).await;
    house.until_ended(unknown, OutboxStatus::DeliveryUnknown).await;
    house.app.clock.set(draw_night() + chrono::Duration::days(100));
    assert_eq!(house.app.data.store.write(|tx| purge(tx, 90)).await.unwrap(), 1);
    let page = hanok_base::Page { limit: 50, offset: 0 };
    let (left, total) = house.app.data.store.read(move |tx| list(tx, page)).await.unwrap();
    assert_eq!((left[0].id, total), (unknown, 1));
    house.app.data.store.write(move |tx| remove(tx, unknown)).await.unwrap();
    house.end().await;
}

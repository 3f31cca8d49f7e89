//! The process ends at each step of an attempt: nothing is asked for twice blindly, and nothing is forgotten.

use super::*;

#[tokio::test]
async fn killed_before_it_is_sent_it_is_sent_after_the_start() {
    let (bank, mut house) = (Bank::begin([Act::Say(200, "{}")]).await, House::begin());
    house.stop.cancel();
    (&mut house.runner).await.unwrap();
    house.runner = tokio::spawn(async {});
    let id = house.plan(Transfer { at: bank.at.clone() }).await;
    assert_eq!((house.seen(id).await.status, bank.writes().len()), (OutboxStatus::Planned, 0));
    let house = house.killed().await;
    house.until_ended(id, OutboxStatus::Done).await;
    assert_eq!(bank.writes().len(), 1);
    house.end().await;
}

#[tokio::test]
async fn killed_while_it_is_asked_for_it_is_looked_up_after_the_start() {
    let (mut bank, house) = (Bank::begin([Act::Hang, Act::Say(200, "{\"number\":7}")]).await, House::begin());
    let id = house.plan(Transfer { at: bank.at.clone() }).await;
    bank.until_heard(1).await;
    assert_eq!(house.seen(id).await.status, OutboxStatus::Sent);
    let house = house.killed().await;
    house.until_ended(id, OutboxStatus::Done).await;
    assert_eq!(bank.writes().len(), 1);
    house.end().await;
}

#[tokio::test]
async fn killed_while_it_is_asked_for_and_nobody_can_tell_it_is_unknown_after_every_start() {
    let (mut bank, house) = (Bank::begin([Act::Hang]).await, House::begin());
    let id = house.plan(Blind { at: bank.at.clone() }).await;
    bank.until_heard(1).await;
    let mut house = house.killed().await;
    for _ in 0..3 {
        house.until_ended(id, OutboxStatus::DeliveryUnknown).await;
        house = house.killed().await;
    }
    assert_eq!(bank.writes().len(), 1);
    house.end().await;
}

#[tokio::test]
async fn killed_while_it_is_looked_up_it_is_looked_up_again() {
    let (mut bank, house) = (Bank::begin([Act::Cut, Act::Hang, Act::Say(200, "7")]).await, House::begin());
    let id = house.plan(Transfer { at: bank.at.clone() }).await;
    house.until_put_off(id, OutboxStatus::DeliveryUnknown).await;
    bank.until_heard(2).await;
    let house = house.killed().await;
    house.until_ended(id, OutboxStatus::Done).await;
    assert_eq!(bank.writes().len(), 1);
    house.end().await;
}

#[tokio::test]
async fn killed_after_it_was_done_it_is_not_asked_for_again() {
    let (bank, house) = (Bank::begin([Act::Say(200, "{}"), Act::Say(200, "{}")]).await, House::begin());
    let id = house.plan(Blind { at: bank.at.clone() }).await;
    house.until(id, |seen| seen.status == OutboxStatus::Done).await;
    let house = house.killed().await;
    let next = house.plan(Blind { at: bank.at.clone() }).await;
    house.until_ended(next, OutboxStatus::Done).await;
    assert_eq!(bank.writes().len(), 2);
    house.end().await;
}

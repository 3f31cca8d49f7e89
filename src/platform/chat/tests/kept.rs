//! What is kept, for how long, and what a restore does with it.

use super::*;
use crate::store::Before;

#[tokio::test]
async fn a_restore_sends_nothing_again_and_takes_back_no_connection() {
    let world = World::new().await.connected().await;
    world.takes_messages().await;
    world.tell("before").await;
    // A snapshot of this moment: it waits there.
    let restored = World::new().await.connected().await;
    restored.tell("before").await;
    world.send().await;
    world.tell("after").await;
    let (present, carried) = (world.store.clone(), PRESERVED_ON_RESTORE[0]);
    let carry = move |to: &WriteTx| {
        present.read_now(|from| {
            let before = Before { state: Some(from), is_damaged: false, beside: "run".as_ref() };
            (carried.carry)(before, to)
        })
    };
    restored.write(carry).await;
    assert_eq!(restored.statuses(), [MessageStatus::Sent, MessageStatus::Waiting]);
    assert_eq!(restored.owner(), world.owner());
}

#[tokio::test]
async fn where_the_state_before_is_lost_what_waits_may_have_arrived_and_nobody_is_connected() {
    let restored = World::new().await.connected().await;
    restored.tell("news").await;
    let lost = |to: &WriteTx| {
        (PRESERVED_ON_RESTORE[0].carry)(Before { state: None, is_damaged: true, beside: "run".as_ref() }, to)
    };
    restored.write(lost).await;
    assert_eq!((restored.statuses(), restored.owner()), (vec![MessageStatus::DeliveryUnknown], None));
}

#[tokio::test]
async fn what_was_sent_is_cleared_after_its_days_and_what_may_have_arrived_stays() {
    let world = World::new().await.connected().await;
    world.answers("sendMessage", ResponseTemplate::new(502), Some(1)).await;
    world.takes_messages().await;
    world.tell("doubtful").await;
    world.tell("sent").await;
    world.send().await;
    world.later(29 * 86_400);
    assert_eq!(world.write(|tx| purge(tx, 30)).await, 0);
    world.later(2 * 86_400);
    assert_eq!(world.write(|tx| purge(tx, 30)).await, 1);
    assert_eq!(world.statuses(), [MessageStatus::DeliveryUnknown]);
    let counts = world.store.read_now(|tx| counts(tx)).unwrap();
    assert_eq!(counts, ChatCounts { waiting: 0, delivery_unknown: 1 });
}

#[tokio::test]
async fn the_chat_in_the_settings_is_the_owners_until_it_stops_and_from_when_it_starts_again() {
    let world = World::new().await;
    world.takes_messages().await;
    let named = ChatSettings { owner: OWNER.to_string(), ..settings(world.server.uri()) };
    let world = World { chat: chat_on(&world.store, &world.clock, named, Vec::new()), ..world };
    assert_eq!(world.owner().map(|owner| (owner.chat, owner.since)), Some((OWNER, None)));
    world.brings(json!([wrote(1, OWNER, "/stop")])).await;
    world.hear().await;
    assert_eq!(world.owner(), None);
    world.brings(json!([wrote(2, OWNER, "/start")])).await;
    world.hear().await;
    assert_eq!(world.owner().map(|owner| (owner.chat, owner.since)), Some((OWNER, Some(start()))));
}

//! Messages on good and on bad days.

use super::*;
use crate::testing::NOBODY;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

#[tokio::test]
async fn what_is_told_arrives_once_and_nothing_of_it_is_markup() {
    let world = World::new().await.connected().await;
    world.takes_messages().await;
    let settings = world.chat.settings().clone();
    let (title, body) = (Words::new("", "<New> request"), Words::new("", "5 < 6 & [x](y) _z_"));
    assert!(world.write(move |tx| tell(tx, &settings, &Person::owner(), &title, &body)).await.is_some());
    assert_eq!(world.send().await, None);
    assert_eq!(world.send().await, None);
    assert_eq!(world.texts().await, ["<b>&lt;New&gt; request</b>\n\n5 &lt; 6 &amp; [x](y) _z_"]);
    let asked = world.asked("sendMessage").await.remove(0);
    assert_eq!((asked["chat_id"].as_i64(), asked["parse_mode"].as_str()), (Some(OWNER), Some("HTML")));
    assert_eq!(world.statuses(), [MessageStatus::Sent]);
}

#[tokio::test]
async fn what_is_told_goes_with_the_row_that_it_is_about() {
    let world = World::new().await.connected().await;
    let settings = world.chat.settings().clone();
    let torn = world.store.write(move |tx| {
        tell(tx, &settings, &Person::owner(), &words(""), &words("a request"))?;
        Err::<(), _>(hanok_base::Error::internal("the row could not be written"))
    });
    assert!(torn.await.is_err());
    assert_eq!(world.statuses(), []);
}

#[tokio::test]
async fn a_pause_that_is_asked_for_is_kept_and_messages_of_one_chat_stay_in_order() {
    let world = World::new().await.connected().await;
    world.answers("sendMessage", refused(429, "Too Many Requests", json!({"retry_after": 17})), Some(1)).await;
    world.takes_messages().await;
    world.tell("first").await;
    world.tell("second").await;
    world.write(|tx| connect(tx, &Person::customer("7"), 42, Language::En)).await;
    let settings = world.chat.settings().clone();
    world.write(move |tx| tell(tx, &settings, &Person::customer("7"), &words(""), &words("other"))).await;
    assert_eq!(world.send().await, Some(start() + TimeDelta::seconds(17)));
    assert_eq!(world.texts().await, ["first", "other"], "another chat does not wait");
    world.later(16);
    world.send().await;
    assert_eq!(world.texts().await.len(), 2);
    world.later(1);
    assert_eq!(world.send().await, None);
    assert_eq!(world.texts().await, ["first", "other", "first", "second"]);
}

#[tokio::test]
async fn who_blocks_the_bot_is_not_connected_any_more_and_nothing_else_is_tried() {
    let world = World::new().await.connected().await;
    world.answers("sendMessage", refused(403, "Forbidden: bot was blocked by the user", json!({})), None).await;
    world.tell("first").await;
    world.tell("second").await;
    assert_eq!(world.send().await, None);
    assert_eq!((world.texts().await, world.owner()), (vec!["first".to_owned()], None));
    assert_eq!(world.statuses(), [MessageStatus::Failed, MessageStatus::Failed]);
    assert!(!world.tell("third").await);
}

#[tokio::test]
async fn a_message_that_telegram_refuses_holds_nothing_up() {
    let world = World::new().await.connected().await;
    world.answers("sendMessage", refused(400, "Bad Request: can't parse entities", json!({})), Some(1)).await;
    world.takes_messages().await;
    world.tell("first").await;
    world.tell("second").await;
    assert_eq!(world.send().await, None);
    assert_eq!(world.statuses(), [MessageStatus::Failed, MessageStatus::Sent]);
    assert!(world.owner().is_some());
}

#[tokio::test]
async fn what_telegram_surely_did_not_do_is_tried_again_with_growing_pauses_and_given_up_after_three_days() {
    let world = World::new().await.connected().await;
    world.answers("sendMessage", refused(500, "Internal Server Error", json!({})), None).await;
    world.tell("news").await;
    let mut pauses = Vec::new();
    while let Some(next) = world.send().await {
        pauses.push((next - world.clock.now()).num_seconds());
        world.clock.set(next);
    }
    assert_eq!(pauses[..4], [5, 10, 20, 40]);
    let waited: i64 = pauses.iter().sum();
    assert!((3 * 86_400..4 * 86_400).contains(&waited), "{waited}");
    assert_eq!(world.statuses(), [MessageStatus::Failed]);
}

#[tokio::test]
async fn a_page_in_the_place_of_an_answer_leaves_its_delivery_unknown_until_somebody_decides() {
    let world = World::new().await.connected().await;
    let page = ResponseTemplate::new(502).set_body_string("<html>Bad Gateway</html>");
    world.answers("sendMessage", page, Some(1)).await;
    world.takes_messages().await;
    world.tell("news").await;
    world.send().await;
    world.later(86_400);
    assert_eq!(world.send().await, None);
    assert_eq!((world.texts().await.len(), world.statuses()), (1, vec![MessageStatus::DeliveryUnknown]));
    let listed = world.store.read_now(|tx| list_delivery_unknown(tx)).unwrap();
    assert_eq!((listed.len(), listed[0].text.as_str()), (1, "news"));
    let id = listed[0].id;
    world.write(move |tx| send_again(tx, id)).await;
    assert_eq!((world.send().await, world.statuses()), (None, vec![MessageStatus::Sent]));
    assert!(world.store.write(move |tx| send_again(tx, id)).await.is_err());
}

#[tokio::test]
async fn a_connection_that_breaks_before_the_answer_leaves_its_delivery_unknown() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let heard = tokio::spawn(async move {
        let (mut connection, _) = listener.accept().await.unwrap();
        let mut request = [0; 4096];
        connection.read(&mut request).await.unwrap()
    });
    let world = World::new().await.connected().await;
    let world = World { chat: chat_on(&world.store, &world.clock, settings(address), Vec::new()), ..world };
    world.tell("news").await;
    assert_eq!(world.send().await, None);
    assert!(heard.await.unwrap() > 0);
    assert_eq!(world.statuses(), [MessageStatus::DeliveryUnknown]);
}

#[tokio::test]
async fn what_is_cancelled_while_it_is_being_sent_and_put_off_is_not_tried_again() {
    for is_of_its_chat in [false, true] {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let world = World::new().await.connected().await;
        let world = World { chat: chat_on(&world.store, &world.clock, settings(address), Vec::new()), ..world };
        let settings = world.chat.settings().clone();
        let said = words("news");
        world.write(move |tx| tell_about(tx, &settings, &Person::owner(), "a request", (&words(""), &said))).await;
        let cancelled = async {
            let (mut connection, _) = listener.accept().await.unwrap();
            assert!(connection.read(&mut [0; 4096]).await.unwrap() > 0);
            assert_eq!(world.statuses(), [MessageStatus::Sending]);
            world
                .write(move |tx| match is_of_its_chat {
                    false => cancel(tx, "a request", start()),
                    true => store::call_off(tx, OWNER),
                })
                .await;
            let body = r#"{"ok":false,"error_code":429,"description":"later","parameters":{"retry_after":17}}"#;
            let head = format!(
                "HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json\r\ncontent-length: {}",
                body.len()
            );
            connection.write_all(format!("{head}\r\n\r\n{body}").as_bytes()).await.unwrap();
        };
        let (next, ()) = tokio::join!(world.send(), cancelled);
        assert_eq!((next, world.statuses()), (None, vec![]), "of its chat: {is_of_its_chat}");
    }
}

#[tokio::test]
async fn what_was_queued_at_another_instant_is_not_cancelled() {
    let world = World::new().await.connected().await;
    let settings = world.chat.settings().clone();
    for (about, minutes) in [("a request", 0), ("another", 0), ("a request", 1)] {
        world.clock.set(start() + TimeDelta::minutes(minutes));
        let (settings, said) = (settings.clone(), words("news"));
        world.write(move |tx| tell_about(tx, &settings, &Person::owner(), about, (&words(""), &said))).await;
    }
    world.write(|tx| cancel(tx, "a request", start())).await;
    let left = world.store.read_now(|tx| MESSAGES.walk(tx).collect::<Result<Vec<ChatMessage>>>()).unwrap();
    assert_eq!(left.iter().map(|message| message.id).collect::<Vec<_>>(), [2, 3]);
}

#[test]
fn a_message_of_an_earlier_version_is_read_and_written_as_it_was() {
    let row = json!({"id": 7, "chat": 1, "call": {"take_buttons": {"message": 3}}, "standing": "undecided", "attempts": 1,
        "queued_at": start(), "due_at": start(), "changed_at": start()});
    let message: ChatMessage = serde_json::from_value(row.clone()).unwrap();
    assert_eq!(message.status, MessageStatus::DeliveryUnknown);
    assert_eq!(serde_json::to_value(&message).unwrap(), row);
    assert_eq!(json!(message.status), "delivery_unknown", "to callers it has the word of today");
}

#[tokio::test]
async fn while_nobody_listens_it_waits_and_the_token_stands_nowhere() {
    let world = World::new().await.connected().await;
    let away = chat_on(&world.store, &world.clock, settings(format!("http://{NOBODY}")), Vec::new());
    world.tell("news").await;
    let next = send::send_due(&away, &CancellationToken::new()).await.unwrap();
    assert_eq!((next, world.statuses()), (Some(start() + TimeDelta::seconds(5)), vec![MessageStatus::Waiting]));
    let error = updates::poll(&away).await.unwrap_err();
    assert!(!format!("{error} {error:?}").contains("abc"), "{error:?}");
    world.takes_messages().await;
    world.later(5);
    assert_eq!((world.send().await, world.statuses()), (None, vec![MessageStatus::Sent]));
}

#[tokio::test]
async fn what_was_being_sent_when_the_process_ended_is_not_sent_again_by_itself() {
    let world = World::new().await.connected().await;
    world.takes_messages().await;
    world.tell("news").await;
    world.write(|tx| store::queue(tx, OWNER, Call::TakeButtons { message: 3 })).await;
    for id in [1, 2] {
        let cut_off = |tx: &WriteTx, id| {
            let message = tx.get(&MESSAGES, id)?.unwrap();
            store::settle(tx, message, MessageStatus::Sending)
        };
        world.write(move |tx| cut_off(tx, id)).await;
    }
    world.write(send::find_what_was_cut_off).await;
    assert_eq!(world.statuses(), [MessageStatus::DeliveryUnknown, MessageStatus::Waiting]);
}

#[tokio::test]
async fn without_a_token_nobody_is_told_anything_and_nothing_is_asked() {
    let world = World::new().await.connected().await;
    let off = ChatSettings { token: Secret::default(), ..settings(world.server.uri()) };
    assert_eq!(off.check().unwrap_err().message.text(), "set chat.token to use this");
    let world = World { chat: chat_on(&world.store, &world.clock, off, Vec::new()), ..world };
    assert!(!world.tell("news").await);
    let stop = CancellationToken::new();
    stop.cancel();
    world.chat.clone().run(stop).await;
    assert_eq!(world.server.received_requests().await.unwrap().len(), 0);
}

//! What comes from Telegram: repeated, out of order, and refused.

use super::*;
use crate::store::Table;
use hanok_base::{Error, Kind, Message};

/// Table: what was decided, in the order of the answers. Key: its number. Value: the answer.
const DECIDED: Table<u64, String> = Table::new("test_decided-1");

const DECISION: QuestionKind = QuestionKind {
    name: "decision",
    answered: |tx, subject, choice| {
        let id = tx.next_id("decision")?;
        tx.put(&DECIDED, id, &format!("{} {choice}", subject["quote"]))?;
        if choice == "late" {
            return Err(Error::new(Kind::Conflict, Message::english("the quote has expired")));
        }
        Ok(Words::new("받아들였습니다", "Accepted"))
    },
};

async fn asking() -> World {
    let world = World::asking(vec![DECISION]).await.connected().await;
    world.takes_messages().await;
    world.takes_rest().await;
    world
}

/// Asks the owner. Gives what the buttons carry.
async fn ask_owner(world: &World) -> Vec<String> {
    let settings = world.chat.settings().clone();
    let asked = world.write(move |tx| {
        let choices = [("yes", words("Yes")), ("no", words("No")), ("late", words("Late"))];
        let subject = (&DECISION, json!({"quote": 42}));
        ask(tx, &settings, &Person::owner(), subject, (&words("Quote"), &words("Accept it?")), &choices)
    });
    assert!(asked.await.is_some());
    world.send().await;
    let sent = world.asked("sendMessage").await.pop().unwrap();
    let rows = sent["reply_markup"]["inline_keyboard"].as_array().unwrap().clone();
    let carried: Vec<String> = rows.iter().map(|row| row[0]["callback_data"].as_str().unwrap().to_owned()).collect();
    assert!(carried.iter().all(|data| (1..=64).contains(&data.len())), "{carried:?}");
    carried
}

fn decided(world: &World) -> Vec<String> {
    world.store.read_now(|tx| tx.values(&DECIDED, 0u64.., crate::store::Order::Ascending, 0, 9)).unwrap()
}

#[tokio::test]
async fn a_code_connects_one_chat_once_and_within_a_quarter_of_an_hour() {
    let world = World::new().await;
    world.takes_messages().await;
    let code = world.write(|tx| new_code(tx, &Person::owner())).await;
    let late = world.write(|tx| new_code(tx, &Person::customer("7"))).await;
    let begin = |code: &str| format!("/start {code}");
    let until = |code: &str, person: Person| {
        let code = code.to_owned();
        world.store.read_now(move |tx| code_until(tx, &person, &code)).unwrap()
    };
    let end = start() + TimeDelta::minutes(15);
    assert_eq!(until(&late, Person::customer("7")), Some(end));
    assert_eq!([until(&late, Person::owner()), until("guessed", Person::customer("7"))], [None, None]);
    world
        .brings(json!([wrote(1, 99, &begin("guessed")), wrote(2, OWNER, &begin(&code)), wrote(3, 77, &begin(&code))]))
        .await;
    assert_eq!(world.hear().await, 3);
    assert_eq!(world.owner().map(|owner| (owner.chat, owner.language)), Some((OWNER, Language::En)));
    world.send().await;
    let texts = world.texts().await;
    assert!(texts[0].contains("wrong") && texts[1].starts_with("Connected") && texts[2].contains("wrong"), "{texts:?}");
    assert_eq!((until(&code, Person::owner()), until(&late, Person::customer("7"))), (None, Some(end)), "used up");
    world.later(15 * 60);
    assert_eq!(until(&late, Person::customer("7")), None);
    world.brings(json!([wrote(4, 78, &begin(&late))])).await;
    world.hear().await;
    let customer = world.store.read_now(|tx| connection(tx, world.chat.settings(), &Person::customer("7"))).unwrap();
    assert_eq!(customer, None);
}

#[tokio::test]
async fn who_stops_is_told_nothing_any_more_and_strangers_are_told_how_to_connect() {
    let world = asking().await;
    world
        .brings(json!([
            wrote(1, OWNER, "/status"),
            wrote(2, OWNER, "/stop"),
            wrote(3, 99, "/help"),
            wrote(4, 99, "hi")
        ]))
        .await;
    world.hear().await;
    world.send().await;
    let texts = world.texts().await;
    assert!(texts.iter().any(|text| text.starts_with("Disconnected")), "{texts:?}");
    assert!(texts.last().is_some_and(|text| text.contains("/start CODE")), "{texts:?}");
    assert_eq!((world.owner(), world.tell("news").await), (None, false));
}

#[tokio::test]
async fn a_group_is_told_nothing() {
    let world = World::new().await;
    let code = world.write(|tx| new_code(tx, &Person::owner())).await;
    let mut update = wrote(1, -100_200, &format!("/start@house_bot {code}"));
    update["message"]["chat"]["type"] = "group".into();
    world.brings(json!([update])).await;
    world.hear().await;
    assert_eq!((world.owner(), world.statuses()), (None, vec![]));
}

#[tokio::test]
async fn an_answer_reaches_the_domain_once_however_often_and_in_whatever_order_it_comes() {
    let world = asking().await;
    let data = ask_owner(&world).await;
    // The same update again, one that came later before it, and a second press.
    world.brings(json!([pressed(11, OWNER, &data[1]), pressed(10, OWNER, &data[0])])).await;
    world
        .brings(json!([pressed(10, OWNER, &data[0]), pressed(11, OWNER, &data[1]), pressed(12, OWNER, &data[1])]))
        .await;
    world.hear().await;
    world.hear().await;
    assert_eq!(decided(&world), ["42 yes"]);
    world.send().await;
    let rest = world.asked("answerCallbackQuery").await;
    let said: Vec<&str> = rest.iter().map(|body| body["text"].as_str().unwrap()).collect();
    assert_eq!(said, ["Accepted", "You have answered already.", "You have answered already."]);
    assert_eq!(world.asked("editMessageReplyMarkup").await.len(), 1);
}

#[tokio::test]
async fn what_a_domain_refuses_is_told_and_leaves_nothing_and_the_question_stays_open() {
    let world = asking().await;
    let data = ask_owner(&world).await;
    world.brings(json!([pressed(10, OWNER, &data[2]), pressed(11, OWNER, &data[0])])).await;
    world.hear().await;
    assert_eq!(decided(&world), ["42 yes"]);
    world.send().await;
    let rest = world.asked("answerCallbackQuery").await;
    assert_eq!((rest[0]["text"].as_str(), rest[1]["text"].as_str()), (Some("the quote has expired"), Some("Accepted")));
}

#[tokio::test]
async fn a_button_does_nothing_in_another_chat_nor_where_it_was_made_up_nor_after_the_end() {
    let world = asking().await;
    let data = ask_owner(&world).await;
    let made_up = format!("{}.9", data[0].split('.').next().unwrap());
    world
        .brings(json!([
            pressed(1, 99, &data[0]),
            pressed(2, OWNER, &made_up),
            pressed(3, OWNER, "x.0"),
            pressed(4, OWNER, "")
        ]))
        .await;
    world.hear().await;
    world.brings(json!([wrote(5, OWNER, "/stop"), pressed(6, OWNER, &data[0])])).await;
    world.hear().await;
    assert_eq!(decided(&world), [""; 0]);
}

#[tokio::test]
async fn who_blocks_the_bot_in_telegram_is_not_connected_any_more() {
    let world = asking().await;
    let chat = json!({"id": OWNER, "type": "private"});
    world
        .brings(json!([{"update_id": 1, "my_chat_member": {"chat": chat, "new_chat_member": {"status": "kicked"}}}]))
        .await;
    world.hear().await;
    assert_eq!(world.owner(), None);
}

#[tokio::test]
async fn telegram_is_asked_from_the_update_on_that_was_not_taken_yet() {
    let world = asking().await;
    world.brings(json!([wrote(700, OWNER, "/status"), {"update_id": 701, "poll": {"id": 3}}, {"update_id": 702, "message": 5}])).await;
    world.brings(json!([])).await;
    // After a long silence the numbers begin anew, below those that we know.
    world.brings(json!([wrote(3, OWNER, "/status")])).await;
    world.brings(json!([])).await;
    for heard in [3, 0, 1, 0] {
        assert_eq!(world.hear().await, heard);
    }
    let asked = world.asked("getUpdates").await;
    let from: Vec<Option<u64>> = asked.iter().map(|body| body["offset"].as_u64()).collect();
    assert_eq!(from, [None, Some(703), Some(703), Some(4)]);
    assert_eq!(world.statuses().len(), 2);
}

#[tokio::test]
async fn another_bot_has_updates_of_its_own() {
    let world = asking().await;
    world.brings(json!([wrote(700, OWNER, "/status")])).await;
    world.hear().await;
    let other = ChatSettings { token: Secret::new("456:abc"), ..settings(world.server.uri()) };
    Mock::given(path("/bot456:abc/getUpdates")).respond_with(done(json!([]))).mount(&world.server).await;
    updates::poll(&chat_on(&world.store, &world.clock, other, Vec::new())).await.unwrap();
    assert_eq!(world.asked("bot456:abc/getUpdates").await[0]["offset"].as_u64(), None);
}

#[tokio::test]
async fn two_who_ask_for_one_bot_and_a_wrong_token_are_errors_with_a_pause() {
    for (status, pause) in [(409, 30), (401, 300), (404, 300)] {
        let world = World::new().await;
        world.answers("getUpdates", refused(status, "no", json!({})), None).await;
        assert_eq!(updates::poll(&world.chat).await.unwrap_err().retry_after, Some(pause), "{status}");
    }
}

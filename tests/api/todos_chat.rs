//! Reminders of todos in the owner's chat, and the button that ticks them off.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use crate::bot;
use crate::house::Caller;
use crate::own_chat::Shop;

/// The owner's chat, as the settings of the bot name it.
const OWNER: u64 = 6_000_000_001;
const REMINDER: &str = "<b>할 일 알림</b>\n\n치과\n2026년 10월 11일 15:00";

fn instant(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

/// A house in front of this bot, with a dentist at three, of whom is told half an hour before. Gives it at that time,
/// and the place of the todo.
async fn reminded(bot: wiremock::MockServer) -> (Shop, String) {
    let shop = Shop::open_with(bot).await;
    let household = shop.house.household();
    household.rest().await;
    let dentist = json!({"title": "치과", "due": "2026-10-11", "time": "15:00", "remind_before": 30,
        "repeat": {"every": "week"}});
    let dentist = household.post("/api/todos", dentist).await.ok();
    let mut events = household.events().await;
    shop.house.clock.set(instant("2026-10-11T05:30:00Z"));
    while shop.asked("sendMessage").await.is_empty() {
        events.until("changed", |change| change["what"] == "chat").await;
    }
    (shop, format!("/api/todos/{}", dentist["id"]))
}

/// The owner presses the button of this message.
async fn press(shop: &Shop, number: u64, message: &Value) {
    let [button] = message["reply_markup"]["inline_keyboard"][0].as_array().unwrap().as_slice() else {
        panic!("one button: {message}")
    };
    let (from, chat) = (json!({"id": OWNER, "is_bot": false}), json!({"id": OWNER, "type": "private"}));
    let press = json!({"id": number.to_string(), "from": from, "data": button["callback_data"],
        "message": {"message_id": 7, "chat": chat}});
    shop.brings(json!({"update_id": number, "callback_query": press})).await;
    shop.rest().await;
}

/// What the owner was told at the last press.
async fn rested(shop: &Shop) -> String {
    shop.asked("answerCallbackQuery").await.last().unwrap()["text"].as_str().unwrap().to_owned()
}

async fn texts(shop: &Shop) -> Vec<String> {
    shop.rest().await;
    shop.asked("sendMessage").await.iter().map(|sent| sent["text"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_reminder_reaches_the_owners_chat_once_and_its_button_ticks_the_todo_off_once() {
    let (shop, place) = reminded(bot::takes_all().await).await;
    assert_eq!(texts(&shop).await, [REMINDER]);
    let sent = shop.asked("sendMessage").await.remove(0);
    assert_eq!(sent["chat_id"].as_u64(), Some(OWNER));
    assert_eq!(sent["reply_markup"]["inline_keyboard"][0][0]["text"], "완료");

    press(&shop, 1, &sent).await;
    assert_eq!(rested(&shop).await, "완료했습니다: 치과");
    let household = shop.house.household();
    let todos = household.get("/api/todos").await.ok()["todos"].clone();
    let seen: Vec<(&Value, bool)> =
        todos.as_array().unwrap().iter().map(|todo| (&todo["due"], todo["done"] == true)).collect();
    assert_eq!(seen, [(&json!("2026-10-18"), false), (&json!("2026-10-11"), true)]);

    // Undone by hand, it stays so: the same update again, and another press of the same button, do nothing.
    household.put(&place, json!({"done": false})).await.ok();
    for number in [1, 2] {
        press(&shop, number, &sent).await;
    }
    assert_eq!(rested(&shop).await, "이미 답했습니다.");
    let todos = household.get("/api/todos").await.ok();
    assert_eq!((&todos["total"], &todos["todos"][0]["done"]), (&json!(1), &json!(false)));
}

#[tokio::test]
async fn a_reminder_that_waits_when_the_process_ends_is_told_by_the_next_one_once() {
    let (shop, _) = reminded(bot::takes_the_second_time().await).await;
    let shop = shop.restart_at(instant("2026-10-11T05:31:00Z")).await;
    shop.house.household().rest().await;
    assert_eq!(texts(&shop).await, [REMINDER, REMINDER], "the first of them was refused");
    let shop = shop.restart_at(instant("2026-10-11T05:32:00Z")).await;
    shop.house.household().rest().await;
    assert_eq!(texts(&shop).await.len(), 2);
}

#[tokio::test]
async fn the_button_of_a_todo_that_was_done_or_deleted_meanwhile_says_so() {
    let (shop, place) = reminded(bot::takes_all().await).await;
    let household = shop.house.household();
    household.put(&place, json!({"repeat": null})).await.ok();
    household.put(&place, json!({"done": true})).await.ok();
    shop.rest().await;
    let first = shop.asked("sendMessage").await.remove(0);
    press(&shop, 1, &first).await;
    assert_eq!(rested(&shop).await, "이미 완료했습니다: 치과");
    assert_eq!(household.get("/api/todos").await.ok()["total"], 1);

    let milk = json!({"title": "우유", "remind_at": "2026-10-11T05:40:00Z"});
    let milk = household.post("/api/todos", milk).await.ok();
    let mut events = household.events().await;
    shop.house.clock.set(instant("2026-10-11T05:40:00Z"));
    while shop.asked("sendMessage").await.len() < 2 {
        events.until("changed", |change| change["what"] == "chat").await;
    }
    household.delete(&format!("/api/todos/{}", milk["id"])).await.ok();
    let second = shop.asked("sendMessage").await.remove(1);
    press(&shop, 2, &second).await;
    assert_eq!(rested(&shop).await, "삭제된 할 일입니다.");
}

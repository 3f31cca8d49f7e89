//! What Telegram brings by itself, and how the house has it brought.

use super::*;
use crate::chat::hook;
use hanok_base::Message;

const SITE: &str = "https://shop.example";
const HOOK: &str = "https://shop.example/api/chat/hook";

impl World {
    /// A house to which updates are brought.
    async fn hooked() -> World {
        let world = World::new().await;
        let settings = ChatSettings { webhook: SITE.to_owned(), ..settings(world.server.uri()) };
        let chat = chat_on(&world.store, &world.clock, settings, Vec::new());
        world.answers("setWebhook", done(json!(true)), None).await;
        world.answers("getMe", done(json!({"id": 1, "username": "house_bot"})), None).await;
        World { chat, ..world }
    }

    /// What Telegram says of the way by which it brings updates.
    async fn looks(&self, info: Value) -> Option<Message> {
        self.answers("getWebhookInfo", done(info), Some(1)).await;
        hook::look_after(&self.chat, HOOK, true).await.unwrap().trouble
    }
}

#[tokio::test]
async fn telegram_is_told_a_word_that_is_the_same_after_a_restart_and_no_other_is_taken_for_it() {
    let world = World::hooked().await;
    assert!(hook::look_after(&world.chat, HOOK, false).await.unwrap().trouble.is_none());
    let told = world.asked("setWebhook").await.pop().unwrap();
    assert_eq!((told["url"].as_str(), &told["drop_pending_updates"]), (Some(HOOK), &json!(false)));
    let word = told["secret_token"].as_str().unwrap().to_owned();
    assert!(word.len() <= 256 && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)));
    let again = chat_on(&world.store, &world.clock, ChatSettings::clone(world.chat.settings()), Vec::new());
    assert!(world.chat.is_brought_with(&word) && again.is_brought_with(&word));
    for wrong in ["", "guessed", "123:abc", &word[1..], &format!("{word}A"), &word.to_lowercase()] {
        assert!(!world.chat.is_brought_with(wrong), "{wrong}");
    }
    let asks = chat_on(&world.store, &world.clock, settings(world.server.uri()), Vec::new());
    assert!(!asks.is_brought_with(&word), "a house that asks has nothing brought");
}

#[tokio::test]
async fn what_is_brought_again_or_out_of_order_is_taken_once_and_what_cannot_be_read_is_passed_over() {
    let world = World::hooked().await;
    world.takes_messages().await;
    let code = world.write(|tx| new_code(tx, &Person::owner())).await;
    let begins = wrote(9, OWNER, &format!("/start {code}"));
    for (number, update) in
        [(9, begins.clone()), (9, begins), (7, wrote(7, OWNER, "/status")), (8, json!({"message": 5}))]
    {
        world.chat.brought(number, update).await.unwrap();
    }
    world.send().await;
    let texts = world.texts().await;
    assert!(
        texts.len() == 2 && texts[0].starts_with("Connected") && texts[1].starts_with("Connected since"),
        "{texts:?}"
    );
    assert!(world.chat.hearing().last_heard_at.is_some());
    // What was brought is not taken once more when the house asks again, however long Telegram has kept it.
    world.brings(json!([wrote(7, OWNER, "/stop"), wrote(10, OWNER, "/status")])).await;
    world.hear().await;
    assert!(world.owner().is_some());
}

#[tokio::test]
async fn who_takes_the_bot_away_and_an_address_that_telegram_does_not_reach_are_noticed() {
    let world = World::hooked().await;
    assert_eq!(world.looks(json!({"url": HOOK, "pending_update_count": 0})).await, None);
    assert_eq!(world.looks(json!({"url": "https://another.example/"})).await, None);
    assert_eq!(world.asked("setWebhook").await.len(), 1, "it is brought here again");
    let failed = |ago: i64| {
        let at = (world.clock.now() - TimeDelta::seconds(ago)).timestamp();
        json!({"url": HOOK, "last_error_date": at, "last_error_message": "Connection refused"})
    };
    let trouble = world.looks(failed(10)).await.unwrap();
    assert!(trouble.text().contains(HOOK) && !trouble.text().contains("Connection refused"), "{trouble:?}");
    world.chat.brought(1, wrote(1, 99, "hi")).await.unwrap();
    assert_eq!(world.looks(failed(10)).await, None, "something was brought since");
}

#[tokio::test]
async fn an_address_that_telegram_does_not_take_is_told_with_the_setting() {
    let world = World::new().await;
    let settings = ChatSettings { webhook: SITE.to_owned(), ..settings(world.server.uri()) };
    let chat = chat_on(&world.store, &world.clock, settings, Vec::new());
    world
        .answers("setWebhook", refused(400, "Bad Request: bad webhook: HTTPS url must be provided", json!({})), None)
        .await;
    let error = hook::look_after(&chat, HOOK, false).await.err().unwrap();
    assert!(error.message.text().contains("chat.webhook"), "{error}");
}

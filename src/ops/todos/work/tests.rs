use super::super::model::{NewTodo, TodoChanges};
use super::*;
use hanok_base::Request as _;
use hanok_base::{Clock, Page, Secret};
use hanok_platform::chat::Language;
use hanok_platform::events::Events;
use hanok_platform::store::Store;

/// A store on a clock that stands at a quarter past three on 11 October 2026 in Seoul.
fn world() -> Store {
    let clock = Clock::fixed("2026-10-11T06:15:00Z".parse().unwrap());
    Store::memory(clock, Events::default()).unwrap()
}

/// The settings of a house whose owner has a chat.
fn connected() -> ChatSettings {
    let (token, owner) = (Secret::new("123:abc"), "6000000001".to_owned());
    ChatSettings { token, owner, ..ChatSettings::default() }
}

fn new(todo: Value) -> NewTodo {
    NewTodo::check(serde_json::from_value(todo).unwrap()).unwrap()
}

/// A dentist in a quarter of an hour, of whom one is reminded now.
async fn dentist(store: &Store, repeat: Value) -> Todo {
    let todo = json!({"title": "치과", "due": "2026-10-11", "time": "15:30", "remind_at": "2026-10-11T06:15:00Z",
        "repeat": repeat});
    let todo = new(todo);
    store.write(move |tx| store::add(tx, todo.into_todo(tx.now()))).await.unwrap()
}

/// Brings to mind what is due, with `chat`.
async fn remind(store: &Store, chat: ChatSettings) {
    store.write(move |tx| store::remind(tx, |tx, todos| tell(tx, &chat, todos)).map(drop)).await.unwrap();
}

/// How many todos were brought to mind, and how many messages wait.
fn noted(store: &Store) -> (usize, u64) {
    store.read_now(|tx| Ok((store::reminded(tx)?.len(), chat::counts(tx)?.waiting))).unwrap()
}

async fn press(store: &Store, id: u64) -> Words {
    store.write(move |tx| answered(tx, &json!(id), "done")).await.unwrap()
}

fn every(store: &Store) -> Vec<Todo> {
    store.read_now(|tx| Ok(store::list(tx, Page { limit: 500, offset: 0 })?.0)).unwrap()
}

#[tokio::test]
async fn a_reminder_is_noted_and_told_in_one_transaction_or_neither() {
    let store = world();
    dentist(&store, Value::Null).await;
    let torn = store.write(|tx| {
        store::remind(tx, |tx, todos| tell(tx, &connected(), todos))?;
        Err::<(), _>(Error::internal("the process ends here"))
    });
    assert!(torn.await.is_err());
    assert_eq!(noted(&store), (0, 0));
    for _ in 0..2 {
        remind(&store, connected()).await;
        assert_eq!(noted(&store), (1, 1), "told once, however often the job begins anew");
    }
    let told = store.read_now(|tx| chat::newest(tx)).unwrap().unwrap();
    assert_eq!(told.text, "<b>할 일 알림</b>\n\n치과\n2026년 10월 11일 15:30");
}

#[tokio::test]
async fn without_a_token_or_a_connected_chat_a_reminder_is_noted_and_nothing_is_told() {
    let alone = ChatSettings { owner: String::new(), ..connected() };
    for chat in [ChatSettings::default(), alone] {
        let store = world();
        dentist(&store, Value::Null).await;
        remind(&store, chat).await;
        assert_eq!(noted(&store), (1, 0));
    }
}

#[test]
fn what_is_told_names_what_to_do_and_its_day_and_time_as_far_as_it_has_them() {
    let cases = [
        (json!({"title": "a <b>"}), "a <b>", "a <b>"),
        (json!({"title": "관리비", "due": "2026-11-02"}), "관리비\n2026년 11월 2일", "관리비\n2 November 2026"),
        (
            json!({"title": "약", "due": "2026-12-31", "time": "07:05"}),
            "약\n2026년 12월 31일 07:05",
            "약\n31 December 2026, 07:05",
        ),
    ];
    for (todo, ko, en) in cases {
        let todo = new(todo).into_todo("2026-10-11T06:15:00Z".parse().unwrap());
        let said = said(&todo);
        assert_eq!((said.of(Language::Ko), said.of(Language::En)), (ko, en));
    }
}

/// Adds so many of the same day, numbered, that are all to be brought to mind now.
async fn due_now(store: &Store, count: usize, title: &str) {
    for number in 1..=count {
        let todo = new(json!({"title": format!("{title} {number}"), "due": "2026-11-22", "time": "15:30",
            "remind_at": "2026-10-11T06:15:00Z"}));
        store.write(move |tx| store::add(tx, todo.into_todo(tx.now()))).await.unwrap();
    }
}

#[tokio::test]
async fn a_few_at_once_are_told_each_by_itself_and_more_of_them_in_one_message_without_a_button() {
    let lines =
        |count: usize| (1..=count).map(|number| format!("\n약 {number} · 2026년 11월 22일 15:30")).collect::<String>();
    let cases = [
        (5, 5, "<b>할 일 알림</b>\n\n약 5\n2026년 11월 22일 15:30".to_owned()),
        (6, 1, format!("<b>할 일 알림 6개</b>\n{}", lines(6))),
        (20, 1, format!("<b>할 일 알림 20개</b>\n{}", lines(20))),
        (200, 1, format!("<b>할 일 알림 200개</b>\n{}\n외 180개", lines(20))),
    ];
    for (count, messages, last) in cases {
        let store = world();
        due_now(&store, count, "약").await;
        remind(&store, connected()).await;
        assert_eq!(noted(&store), (count.min(20), messages), "{count} at once");
        assert_eq!(store.read_now(|tx| chat::newest(tx)).unwrap().unwrap().text, last);
    }
}

#[tokio::test]
async fn a_list_of_the_longest_titles_is_one_message_with_a_line_for_each() {
    let store = world();
    due_now(&store, 200, &"😀".repeat(490)).await;
    remind(&store, connected()).await;
    assert_eq!(noted(&store), (20, 1));
    let line = format!("{}… · 22 November 2026, 15:30\n", "😀".repeat(79));
    assert_eq!(listed(&every(&store)).en, format!("{}and 180 more", line.repeat(20)));
    let two = [json!({"title": "a\n b"}), json!({"title": "c"})];
    let two = two.map(|todo| new(todo).into_todo("2026-10-11T06:15:00Z".parse().unwrap()));
    assert_eq!(listed(&two), Words::new("a b\nc", "a b\nc"));
}

#[tokio::test]
async fn the_button_ticks_off_once_and_says_what_somebody_has_done_meanwhile() {
    let store = world();
    let id = dentist(&store, json!({"every": "week"})).await.id;
    assert_eq!(press(&store, id).await, Words::new("완료했습니다: 치과", "Done: 치과"));
    let after = every(&store);
    assert_eq!((after.len(), after.iter().filter(|todo| todo.done).count()), (2, 1), "it is followed by the next");
    // Of a second reminder of the same todo.
    assert_eq!(press(&store, id).await, Words::new("이미 완료했습니다: 치과", "Done already: 치과"));
    assert_eq!(every(&store), after);

    let other = dentist(&store, Value::Null).await.id;
    let done = TodoChanges { done: Some(true), ..TodoChanges::default() };
    store.write(move |tx| store::change(tx, other, done)).await.unwrap();
    let before = every(&store);
    assert_eq!(press(&store, other).await.en, "Done already: 치과");
    assert_eq!(every(&store), before);
    store.write(move |tx| store::remove(tx, other)).await.unwrap();
    assert_eq!(press(&store, other).await.en, "This todo was deleted.");
}

//! The job that brings todos to mind, when it runs, and what the owner is told of it by chat.

#[cfg(test)]
mod tests;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::model::Todo;
use super::store::{self, TodosToday};
use hanok_base::text::cut;
use hanok_base::{Error, Result};
use hanok_platform::app::App;
use hanok_platform::chat::{self, ChatSettings, Person, QuestionKind, Words};
use hanok_platform::config::Config;
use hanok_platform::domain::Today;
use hanok_platform::events::Change;
use hanok_platform::jobs::{Job, Lane, Progress, Registry, ScheduleEntry, Timely};
use hanok_platform::store::{ReadTransaction, ReadTx, WriteTx};

/// Whether a todo that was brought to mind is done: its id is what is asked about.
const DONE: QuestionKind = QuestionKind { name: "todo_done", answered };

/// So many that are brought to mind at once are told each by itself.
const TOLD_EACH: usize = 5;
/// So many of more than that are named.
const LISTED: usize = 20;
/// Characters of a title in such a list, so that one message holds it.
const LONGEST_LISTED: usize = 80;

/// What the todos ask people by chat.
pub const QUESTIONS: &[QuestionKind] = &[DONE];

/// Brings to mind what is due for it. Browsers listen for the change; the owner's chat is told in the same transaction.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Remind {}

impl Job for Remind {
    const KIND: &'static str = "todo_reminders";
    const TITLE: (&'static str, &'static str) = ("할 일 알림", "Reminders of todos");
    const LANE: Lane = Lane::Quick;
    const UNIQUE: bool = true;

    async fn run(self, app: App, _progress: Progress) -> Result<()> {
        loop {
            let chat = app.outside.chat.settings().clone();
            let few = move |tx: &WriteTx| store::remind(tx, |tx, todos| tell(tx, &chat, todos));
            if !app.data.store.write(few).await? {
                return Ok(());
            }
        }
    }
}

impl Timely for Remind {
    const ON: Change = store::CHANGED;

    fn next(tx: &impl ReadTransaction) -> Result<Option<DateTime<Utc>>> {
        store::next_reminder(tx)
    }
}

/// Tells the owner's chat, where one is connected, what is brought to mind at once: each by itself, or in one list where the
/// phone would ring many times, as after a week without power.
fn tell(tx: &WriteTx, chat: &ChatSettings, todos: &[Todo]) -> Result<()> {
    if todos.len() <= TOLD_EACH {
        return todos.iter().try_for_each(|todo| ask(tx, chat, todo));
    }
    let count = todos.len();
    let title = Words::new(format!("할 일 알림 {count}개"), format!("{count} reminders"));
    chat::tell(tx, chat, &Person::owner(), &title, &listed(todos)).map(drop)
}

/// Tells of one, with a button that ticks it off.
fn ask(tx: &WriteTx, chat: &ChatSettings, todo: &Todo) -> Result<()> {
    let title = Words::new("할 일 알림", "Reminder");
    let what = (&title, &said(todo));
    let choices = [("done", Words::new("완료", "Done"))];
    chat::ask(tx, chat, &Person::owner(), (&DONE, json!(todo.id)), what, &choices).map(drop)
}

/// What to do, and below it by when.
fn said(todo: &Todo) -> Words {
    match by_when(todo) {
        Some(when) => Words::new(format!("{}\n{}", todo.title, when.ko), format!("{}\n{}", todo.title, when.en)),
        None => Words::new(&todo.title, &todo.title),
    }
}

/// A line for each of the first of them, and how many more there are: one message, however many it is about.
fn listed(todos: &[Todo]) -> Words {
    let (mut ko, mut en) = (Vec::new(), Vec::new());
    for todo in todos.iter().take(LISTED) {
        let title = cut(&todo.title.split_whitespace().collect::<Vec<_>>().join(" "), LONGEST_LISTED);
        let when = by_when(todo);
        let line = |when: Option<&str>| when.map_or_else(|| title.clone(), |when| format!("{title} · {when}"));
        ko.push(line(when.as_ref().map(|when| when.ko.as_str())));
        en.push(line(when.as_ref().map(|when| when.en.as_str())));
    }
    let more = todos.len().saturating_sub(LISTED);
    if more > 0 {
        ko.push(format!("외 {more}개"));
        en.push(format!("and {more} more"));
    }
    Words::new(ko.join("\n"), en.join("\n"))
}

/// The day of a todo and its time, as far as it has them.
fn by_when(todo: &Todo) -> Option<Words> {
    let day = todo.due?;
    let (ko, en) = (day.format("%Y년 %-m월 %-d일"), day.format("%-d %B %Y"));
    Some(match todo.time {
        Some(time) => Words::new(format!("{ko} {time}"), format!("{en}, {time}")),
        None => Words::new(ko.to_string(), en.to_string()),
    })
}

/// Ticks off the todo of an answered reminder, unless somebody has done that or deleted it meanwhile.
fn answered(tx: &WriteTx, subject: &Value, _choice: &str) -> Result<Words> {
    let id = subject.as_u64().ok_or_else(|| Error::internal("a reminder was asked about no todo"))?;
    Ok(match store::tick_off(tx, id)? {
        Some(Todo { title, done: false, .. }) => Words::new(format!("완료했습니다: {title}"), format!("Done: {title}")),
        Some(Todo { title, .. }) => Words::new(format!("이미 완료했습니다: {title}"), format!("Done already: {title}")),
        None => Words::new("삭제된 할 일입니다.", "This todo was deleted."),
    })
}

/// The kinds of job of the todos, added to those that are known.
pub fn jobs(registry: Registry) -> Registry {
    registry.with::<Remind>()
}

/// The part of the todos in the schedule.
pub fn schedule() -> Vec<ScheduleEntry> {
    vec![ScheduleEntry::when_due::<Remind>("todo_reminders")]
}

impl Today for TodosToday {
    fn read(tx: &ReadTx, _config: &Config) -> Result<TodosToday> {
        store::today(tx)
    }
}

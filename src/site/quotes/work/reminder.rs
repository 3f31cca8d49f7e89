//! The reminder of a quote whose last day is near: one mail to its customer for each last day.

use chrono::Duration;
use serde::{Deserialize, Serialize};

use super::super::model::Quote;
use super::super::store;
use super::links::{self, page_at};
use super::{customer_of, letters};
use hanok_base::{Result, day};
use hanok_platform::app::App;
use hanok_platform::config::rule::{self, Unit};
use hanok_platform::config::section;
use hanok_platform::jobs::{Job, Lane, Progress, Registry, ScheduleEntry, Timing};
use hanok_platform::mail;
use hanok_platform::store::{ReadTransaction, WriteTx};

section! {
    /// What customers are told of their quotes.
    pub struct QuoteSettings("quotes", "견적") {
        /// How many days before the last day of a quote its customer is reminded by mail, once (0 = never). Holds at once.
        #[ko("견적 기한 알림(일 전)", "수락 기한 며칠 전에 고객에게 메일로 한 번 알립니다(0이면 알리지 않음). 변경하면 바로 적용됩니다.")]
        #[en("Remind before a quote ends (days)")]
        remind_before_days: u32 = 3, rule::whole(Unit::Days, 0, 60).min_label("never").at_once();
    }
}

/// Reminds customers of quotes that end soon.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct RemindOfQuotes {}

impl Job for RemindOfQuotes {
    const KIND: &'static str = "quote_reminders";
    const TITLE: (&'static str, &'static str) = ("견적 기한 알림", "Reminders of quotes that end soon");
    const LANE: Lane = Lane::Quick;
    const UNIQUE: bool = true;

    async fn run(self, app: App, _progress: Progress) -> Result<()> {
        let days = app.config.section::<QuoteSettings>().remind_before_days;
        // A mail without a link would help nobody.
        let Some(origin) = links::origin(&app).filter(|_| days > 0) else { return Ok(()) };
        app.data.store.write(move |tx| remind(tx, days, &origin)).await
    }
}

/// The kinds of job of the quotes, added to those that are known.
pub fn jobs(registry: Registry) -> Registry {
    registry.with::<RemindOfQuotes>()
}

/// The part of the quotes in the schedule.
pub fn schedule() -> Vec<ScheduleEntry> {
    vec![ScheduleEntry::of::<RemindOfQuotes>("quote_reminders", Timing::Cron("0 9 * * *"))]
}

/// Mails a reminder of each quote that was sent on an earlier day and ends within so many days, unless its customer was reminded
/// of that last day.
fn remind(tx: &WriteTx, days: u32, origin: &str) -> Result<()> {
    let today = day::of(tx.now());
    let soon = today + Duration::days(days.into());
    for quote in store::waiting(tx)? {
        let Some(last) = quote.content.valid_until.filter(|last| (today..=soon).contains(last)) else { continue };
        let is_fresh = quote.sent_at.is_none_or(|sent| day::of(sent) >= today);
        if !is_fresh && store::reminded_of(tx, &quote)? != Some(last) {
            mail_reminder(tx, &quote, origin)?;
            store::note_reminder(tx, &quote, last)?;
        }
    }
    Ok(())
}

fn mail_reminder(tx: &WriteTx, quote: &Quote, origin: &str) -> Result<()> {
    let (Some(customer), Some(word)) = (customer_of(quote)?, links::token_of(tx, quote)?) else { return Ok(()) };
    let letter = letters::reminder(quote, &page_at(origin, &word, quote.content.language))?;
    mail::queue(tx, &customer, None, letter.about(&quote.id)).map(drop)
}

#[cfg(test)]
mod tests {
    use super::super::super::model::{NewQuote, OnlyChanges};
    use super::super::{Sender, change, create, send};
    use super::*;
    use hanok_base::request::Request;
    use hanok_base::{Clock, Page};
    use hanok_platform::events::Events;
    use hanok_platform::store::Store;
    use serde_json::json;

    #[tokio::test]
    async fn a_customer_is_reminded_once_for_each_last_day_and_not_on_the_day_on_which_the_quote_was_sent() {
        let clock = Clock::fixed("2026-10-10T03:00:00Z".parse().unwrap());
        let store = Store::memory(clock.clone(), Events::default()).unwrap();
        let sent = store.write(|tx| {
            let items = json!([{"name": "개발", "unit_price": 1000}]);
            let sent = json!({"client_email": "jiwoo@example.com", "valid_until": "2026-10-13", "items": items});
            let quote = create(tx, NewQuote::check(serde_json::from_value(sent).unwrap())?)?;
            let sender = Sender { by: "minsu".to_owned(), origin: "https://shop.example".to_owned() };
            send(tx, &sender, &quote.id)
        });
        let id = sent.await.unwrap().0.id;
        let told = async |days: u32| {
            store.write(move |tx| remind(tx, days, "https://shop.example")).await.unwrap();
            let mails = store.read_now(|tx| mail::list(tx, Page { limit: 9, offset: 0 })).unwrap().0;
            mails.iter().filter(|mail| mail.kind == "quote_reminder").count()
        };
        assert_eq!(told(3).await, 0, "it was sent today");
        clock.set("2026-10-11T00:00:00Z".parse().unwrap());
        assert_eq!([told(1).await, told(2).await, told(2).await], [0, 1, 1]);
        let later = json!({"id": id, "valid_until": "2026-10-14"});
        let change_of = move |tx: &WriteTx| {
            let OnlyChanges(later) = OnlyChanges::check(serde_json::from_value(later).unwrap())?;
            change(tx, later)
        };
        store.write(change_of).await.unwrap();
        assert_eq!(told(3).await, 2, "another last day");
        clock.set("2026-10-14T15:00:00Z".parse().unwrap());
        assert_eq!(told(30).await, 2, "its last day is over");
    }
}

//! The last seven days in numbers.

use chrono::{DateTime, Days, NaiveDate, Utc};

use super::super::model::Week;
use super::PORTION;
use crate::contact;
use crate::quotes::Quote;
use hanok_base::money::Krw;
use hanok_base::{Error, Page, Result, day};
use hanok_platform::auth;
use hanok_platform::store::ReadTransaction;

/// The last seven days in numbers, today among them; visitors are counted elsewhere (`site/analytics`).
///
/// # Errors
/// Those of reading; `INTERNAL` where the sum of what was accepted is beyond what money can be.
pub fn week(tx: &impl ReadTransaction, quotes: &[Quote]) -> Result<Week> {
    let to = day::of(tx.now());
    let from = first_day(to);
    let since = day::start(from);
    let requests = counted_since(since, |page| {
        Ok(contact::list(tx, None, page)?.0.into_iter().map(|request| request.created_at).collect())
    })?;
    let members = counted_since(since, |page| {
        Ok(auth::list_customers(tx, page)?.0.into_iter().map(|customer| customer.created_at).collect())
    })?;
    let sent = quotes.iter().filter(|quote| quote.sent_at.is_some_and(|at| at >= since)).count();
    let decided = quotes.iter().filter_map(|quote| quote.decision.as_ref()).filter(|decision| decision.at >= since);
    let accepted: Vec<Krw> = decided.filter(|decision| decision.accepted).map(|made| made.totals.total).collect();
    let accepted_total = Krw::sum(accepted.iter().copied()).ok_or_else(|| Error::internal("a sum beyond all money"))?;
    Ok(Week {
        from,
        to,
        requests,
        members,
        quotes_sent: sent as u64,
        quotes_accepted: accepted.len() as u64,
        accepted_total,
        visitors: None,
    })
}

/// The first of the seven days of which `today` is the last.
pub fn first_day(today: NaiveDate) -> NaiveDate {
    today.checked_sub_days(Days::new(6)).unwrap_or(today)
}

/// How many of a list, the newest first, are not older than `since`.
fn counted_since(since: DateTime<Utc>, read: impl Fn(Page) -> Result<Vec<DateTime<Utc>>>) -> Result<u64> {
    let mut counted = 0;
    loop {
        let times = read(Page { limit: PORTION, offset: counted })?;
        let young = times.iter().take_while(|at| **at >= since).count();
        counted += young;
        if young < PORTION {
            return Ok(counted as u64);
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono::Duration;

    use super::*;

    #[test]
    fn what_is_not_older_than_a_week_is_counted_across_portions() {
        let now: DateTime<Utc> = "2026-10-10T12:00:00Z".parse().unwrap();
        for many in [0, 1, PORTION, PORTION + 3, 2 * PORTION] {
            let times: Vec<DateTime<Utc>> = (0..many + 50).map(|n| now - Duration::minutes(n as i64)).collect();
            let read = |page: Page| Ok(times.iter().copied().skip(page.offset).take(page.limit).collect());
            let since = now - Duration::minutes(many as i64 - 1);
            assert_eq!(counted_since(since, read).unwrap(), many as u64);
        }
        assert_eq!(first_day("2026-10-10".parse().unwrap()), "2026-10-04".parse().unwrap());
    }
}

//! The tables of the counts and the verbs over a transaction.

#[cfg(test)]
mod tests;

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};

use chrono::{Datelike, NaiveDate};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::model::{Channel, Counted, Counts, DayTotals, Dimension, OTHER, Period, View, known_site};
use hanok_base::{Error, Result};
use hanok_platform::store::{Declared, Order, PreservedOnRestore, ReadTransaction, Table, WriteTx};

/// Table: the sums of each day. Key: the day. Value: its sums.
const DAYS: Table<u64, DayTotals> = Table::new("analytics_days-1");
/// Table: views by what they are counted by. Key: the day, the number of the dimension, the name. Value: the counts.
const COUNTS: Table<(u64, u64, &'static str), Counts> = Table::new("analytics_counts-1");
/// Table: the visitors of today. Key: the day and the visitor's hash. Value: as what the visitor was counted. The rows go
/// with the salt of their day, which lies in a file beside the store.
const SEEN: Table<(u64, u64), Seen> = Table::new("analytics_seen-1");

/// Every table of the counts.
pub const TABLES: &[&dyn Declared] = &[&DAYS, &COUNTS, &SEEN];

/// A file that leaves the house goes without the visitors of its day. A restore leaves them as they were: they fit the counts
/// that it brings back, and mean nothing without the salt of their day, which is in no snapshot.
pub const PRESERVED_ON_RESTORE: &[PreservedOnRestore] =
    &[PreservedOnRestore { carry: |_, _| Ok(()), forget: |tx| tx.clear(&SEEN) }];

/// The most pages that have a count of their own on a day, and the most referrers beside the known sites, which always
/// have one; the rest is [`OTHER`].
const MOST_NAMES: u32 = 500;
/// The most of these referrers that are new: anybody can invent them. The others keep their room.
const MOST_NEW_REFERRERS: u32 = 200;
/// The most of the new ones that a visitor brings.
const MOST_NEW_OF_VISITOR: u32 = 5;
/// A referrer is new that was not counted in so many days before.
const DAYS_BEFORE: u64 = 30;
/// The most names that a visitor is counted for once a day.
const MOST_MARKS: usize = 200;

/// A visitor of a day.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Seen {
    /// By which channel the visitor came last; a page of the site that leads to another counts for it.
    channel: Option<Channel>,
    /// What the visitor was counted for already, each as a short hash.
    marks: Vec<u32>,
    /// How many referrers have a count of their own on this day because the visitor came from there.
    #[serde(default)]
    new_referrers: u32,
}

impl Seen {
    /// Whether the visitor is counted for this now, and was not before.
    fn is_new(&mut self, dimension: Dimension, name: &str) -> bool {
        let [a, b, c, d, ..] = <[u8; 32]>::from(Sha256::digest(format!("{} {name}", dimension.number())));
        let mark = u32::from_be_bytes([a, b, c, d]);
        let is_new = !self.marks.contains(&mark) && self.marks.len() < MOST_MARKS;
        if is_new {
            self.marks.push(mark);
        }
        is_new
    }
}

/// A day as it stands in keys.
pub fn day_number(day: NaiveDate) -> u64 {
    u64::try_from(day.num_days_from_ce()).unwrap_or(0)
}

fn day_of(number: u64) -> Result<NaiveDate> {
    let day = i32::try_from(number).ok().and_then(NaiveDate::from_num_days_from_ce_opt);
    day.ok_or_else(|| Error::internal("a count of no day"))
}

/// Adds these views, in the order in which they came, and what was dropped by day.
pub fn add(tx: &WriteTx, views: &[View], dropped: &BTreeMap<u64, u64>) -> Result<()> {
    let mut sums =
        Sums { tx, days: HashMap::new(), counts: HashMap::new(), seen: HashMap::new(), before: HashMap::new() };
    for view in views {
        sums.add(view)?;
    }
    for (day, count) in dropped {
        sums.day(*day)?.dropped += count;
    }
    sums.write()
}

/// Rows that are being added to; each is read and written once.
struct Sums<'a, 's> {
    tx: &'a WriteTx<'s>,
    days: HashMap<u64, DayTotals>,
    counts: HashMap<(u64, Dimension, String), Counts>,
    seen: HashMap<(u64, u64), Seen>,
    /// The referrers of the days before a day.
    before: HashMap<u64, HashSet<String>>,
}

impl Sums<'_, '_> {
    fn add(&mut self, view: &View) -> Result<()> {
        let visitor = (view.day, view.visitor);
        let known = match self.seen.remove(&visitor) {
            Some(known) => Some(known),
            None => self.tx.get(&SEEN, visitor)?,
        };
        let totals = self.day(view.day)?;
        totals.views += 1;
        totals.visitors += u64::from(known.is_none());
        let mut seen = known.unwrap_or_default();
        // Who comes back by a kept address goes on with the visit.
        let came_by = view.source.as_ref().map(|source| source.channel);
        seen.channel = came_by.filter(|channel| *channel != Channel::Direct).or(seen.channel).or(came_by);
        let channel = seen.channel.unwrap_or(Channel::Direct);
        let host = view.source.as_ref().and_then(|source| source.host.as_deref());
        self.count(view.day, &mut seen, Dimension::Channel, channel.code())?;
        self.count(view.day, &mut seen, Dimension::Device, view.device.code())?;
        self.count(view.day, &mut seen, Dimension::Page, &view.page)?;
        host.map_or(Ok(()), |host| self.count(view.day, &mut seen, Dimension::Referrer, host))?;
        self.seen.insert(visitor, seen);
        Ok(())
    }

    fn count(&mut self, day: u64, seen: &mut Seen, dimension: Dimension, name: &str) -> Result<()> {
        let name = match dimension {
            Dimension::Channel | Dimension::Device => name,
            Dimension::Page if self.has_room_for_page(day, name)? => name,
            Dimension::Referrer if self.has_room_for_referrer(day, seen, name)? => name,
            Dimension::Referrer => known_site(name).unwrap_or(OTHER),
            Dimension::Page => OTHER,
        };
        let counts = match self.counts.entry((day, dimension, name.to_owned())) {
            Entry::Occupied(counts) => counts.into_mut(),
            Entry::Vacant(place) => {
                place.insert(self.tx.get(&COUNTS, (day, dimension.number(), name))?.unwrap_or_default())
            }
        };
        counts.views += 1;
        counts.visitors += u64::from(seen.is_new(dimension, name));
        Ok(())
    }

    /// Whether the page has a count of its own on this day, or gets one now. Pages are named by the routes, so that there
    /// are no more of them than routes.
    fn has_room_for_page(&mut self, day: u64, name: &str) -> Result<bool> {
        if self.is_counted(day, Dimension::Page, name)? {
            return Ok(true);
        }
        let totals = self.day(day)?;
        let has_room = totals.pages < MOST_NAMES;
        totals.pages += u32::from(has_room);
        Ok(has_room)
    }

    /// Whether the referrer has a count of its own on this day, or gets one now: a known site always does, another one as
    /// long as there is room for what was seen before, or for what is new.
    fn has_room_for_referrer(&mut self, day: u64, seen: &mut Seen, host: &str) -> Result<bool> {
        if known_site(host) == Some(host) || self.is_counted(day, Dimension::Referrer, host)? {
            return Ok(true);
        }
        let is_new = !self.was_seen_before(day, host)?;
        let totals = self.day(day)?;
        let is_one_too_many =
            is_new && (totals.new_referrers >= MOST_NEW_REFERRERS || seen.new_referrers >= MOST_NEW_OF_VISITOR);
        let has_room = totals.referrers < MOST_NAMES && !is_one_too_many;
        totals.referrers += u32::from(has_room);
        totals.new_referrers += u32::from(has_room && is_new);
        seen.new_referrers += u32::from(has_room && is_new);
        Ok(has_room)
    }

    fn is_counted(&self, day: u64, dimension: Dimension, name: &str) -> Result<bool> {
        let is_added_to = self.counts.contains_key(&(day, dimension, name.to_owned()));
        Ok(is_added_to || self.tx.contains(&COUNTS, (day, dimension.number(), name))?)
    }

    /// Whether the referrer was counted in the days before; these are read once.
    fn was_seen_before(&mut self, day: u64, host: &str) -> Result<bool> {
        if let Some(before) = self.before.get(&day) {
            return Ok(before.contains(host));
        }
        let number = Dimension::Referrer.number();
        let mut before = HashSet::new();
        for earlier in day.saturating_sub(DAYS_BEFORE)..day {
            let of_day = (earlier, number, "")..(earlier, number + 1, "");
            for entry in self.tx.entries(&COUNTS, of_day, Order::Ascending) {
                before.insert(entry?.key().2.to_owned());
            }
        }
        let is_known = before.contains(host);
        self.before.insert(day, before);
        Ok(is_known)
    }

    fn day(&mut self, day: u64) -> Result<&mut DayTotals> {
        let known = if self.days.contains_key(&day) { None } else { self.tx.get(&DAYS, day)? };
        Ok(self.days.entry(day).or_insert_with(|| known.unwrap_or_default()))
    }

    fn write(self) -> Result<()> {
        for (day, totals) in &self.days {
            self.tx.put(&DAYS, *day, totals)?;
        }
        for ((day, dimension, name), counts) in &self.counts {
            self.tx.put(&COUNTS, (*day, dimension.number(), name.as_str()), counts)?;
        }
        self.seen.iter().try_for_each(|(visitor, seen)| self.tx.put(&SEEN, *visitor, seen))
    }
}

/// Whether anything is kept for longer than it is to be: visitors of a day that is over, counts from before `oldest`.
pub fn is_past(tx: &impl ReadTransaction, today: u64, oldest: u64) -> Result<bool> {
    let seen = tx.entries(&SEEN, ..(today, 0), Order::Ascending).next().transpose()?;
    let day = tx.entries(&DAYS, ..oldest, Order::Ascending).next().transpose()?;
    Ok(seen.is_some() || day.is_some())
}

/// Removes what [`is_past`] asks for.
pub fn forget_past(tx: &WriteTx, today: u64, oldest: u64) -> Result<()> {
    for entry in tx.entries(&SEEN, ..(today, 0), Order::Ascending) {
        tx.discard(&SEEN, entry?.key())?;
    }
    for entry in tx.entries(&COUNTS, ..(oldest, 0, ""), Order::Ascending) {
        tx.discard(&COUNTS, entry?.key())?;
    }
    for entry in tx.entries(&DAYS, ..oldest, Order::Ascending) {
        tx.discard(&DAYS, entry?.key())?;
    }
    Ok(())
}

/// What was counted in `period` until `today` and in as many days before: of each day its sums and the counts by name, those
/// by referrer for the period alone.
pub fn counted(tx: &impl ReadTransaction, period: Period, today: NaiveDate) -> Result<Counted> {
    let (before, from) = (day_number(period.first_before(today)), day_number(period.first(today)));
    let last = day_number(today);
    let mut counted = Counted::default();
    if let Some(first) = tx.entries(&DAYS, 0.., Order::Ascending).next().transpose()? {
        counted.since = Some(day_of(first.key())?);
    }
    for entry in tx.entries(&DAYS, before..=last, Order::Ascending) {
        let entry = entry?;
        counted.days.insert(day_of(entry.key())?, entry.value()?);
    }
    for day in counted.days.keys().map(|day| day_number(*day)).collect::<Vec<_>>() {
        let end = if day < from { Dimension::Referrer.number() } else { Dimension::Referrer.number() + 1 };
        for entry in tx.entries(&COUNTS, (day, 0, "")..(day, end, ""), Order::Ascending) {
            let entry = entry?;
            let ((_, number, name), counts) = (entry.key(), entry.value()?);
            let Some(dimension) = Dimension::of(number) else { continue };
            let sums = counted.names.entry((dimension, name.to_owned())).or_default();
            let sum = if day < from { &mut sums.1 } else { &mut sums.0 };
            sum.views = sum.views.saturating_add(counts.views);
            sum.visitors = sum.visitors.saturating_add(counts.visitors);
        }
    }
    Ok(counted)
}

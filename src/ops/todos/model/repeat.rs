//! How a todo repeats, and when it comes next.

use chrono::{Datelike, Duration, NaiveDate};
use serde::{Deserialize, Serialize};

use hanok_base::error::Check;
use hanok_base::list::List;
use hanok_base::schema::{Array, Components, RefOr, Schema, ToSchema};
use hanok_base::validated::{Constraint, IntRange, Unchecked, ValidationErrors};
use hanok_base::{MessageTemplate, Validated};

/// How a todo repeats. When one is done the next comes by itself, one at a time: however long nobody ticked, only one is
/// open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Repeat {
    /// In which unit it is counted.
    pub every: RepeatUnit,
    /// Every so many of them.
    pub interval: u32,
    /// Of weeks: on which weekdays. Of months and years with `week`: on which weekday.
    #[serde(default)]
    pub weekdays: Vec<Weekday>,
    /// Of months and years: on which day of the month. A month that is too short has it on its last day, so 31 is
    /// always the last.
    #[serde(default)]
    pub day: Option<u32>,
    /// Of months and years, instead of `day`: in which week of the month the weekday lies; 5 is the last.
    #[serde(default)]
    pub week: Option<u32>,
    /// Of years: in which month.
    #[serde(default)]
    pub month: Option<u32>,
    /// From when it is counted.
    pub from: RepeatFrom,
}

/// Units in which a repetition is counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RepeatUnit {
    /// Days.
    #[default]
    Day,
    /// Weeks, which begin on Monday.
    Week,
    /// Months.
    Month,
    /// Years.
    Year,
}

/// From when a repetition is counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RepeatFrom {
    /// From the day it was due: what was missed is not made up for.
    #[default]
    Due,
    /// From the day it was done.
    Done,
}

/// A day of the week.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Weekday {
    /// Monday.
    Mon,
    /// Tuesday.
    Tue,
    /// Wednesday.
    Wed,
    /// Thursday.
    Thu,
    /// Friday.
    Fri,
    /// Saturday.
    Sat,
    /// Sunday.
    Sun,
}

const WEEK: [Weekday; 7] =
    [Weekday::Mon, Weekday::Tue, Weekday::Wed, Weekday::Thu, Weekday::Fri, Weekday::Sat, Weekday::Sun];

const MOST_WEEKDAYS: MessageTemplate =
    MessageTemplate::new("todos.must.most_weekdays", "must be at most {most} weekdays");

/// Weekdays, as many as a week has; one that is said twice counts once.
#[derive(Debug)]
pub enum Weekdays {}

impl Constraint for Weekdays {
    type Input = List<Weekday, { WEEK.len() }>;
    type Value = Vec<Weekday>;

    fn check(sent: Self::Input) -> Result<Vec<Weekday>, ValidationErrors> {
        if sent.sent() > WEEK.len() {
            return Err(MOST_WEEKDAYS.with([("most", WEEK.len().into())]).into());
        }
        let mut weekdays: Vec<Weekday> = sent.into_kept().map(|(_, weekday)| weekday).collect();
        weekdays.sort_unstable();
        weekdays.dedup();
        Ok(weekdays)
    }

    fn schema(components: &mut Components) -> RefOr<Schema> {
        Array::new().items(Weekday::to_schema(components)).max_items(WEEK.len()).into()
    }
}

/// How a todo repeats, as it is sent. What does not belong to its unit says nothing.
#[derive(Debug, Deserialize, ToSchema)]
pub struct SentRepeat {
    /// In which unit it is counted.
    pub every: Validated<Unchecked<RepeatUnit>>,
    /// Every so many of them; left out it is each.
    #[serde(default)]
    pub interval: Option<Validated<IntRange<1, 99>>>,
    /// Of weeks: on which weekdays; left out it is that of the due day. Of months and years with `week`: on which one.
    #[serde(default)]
    pub weekdays: Option<Validated<Weekdays>>,
    /// Of months and years: on which day of the month, the last one of a month that is too short; left out it is that of
    /// the due day.
    #[serde(default)]
    pub day: Option<Validated<IntRange<1, 31>>>,
    /// Of months and years, instead of `day`: in which week of the month the weekday lies; 5 is the last.
    #[serde(default)]
    pub week: Option<Validated<IntRange<1, 5>>>,
    /// Of years: in which month; left out it is that of the due day.
    #[serde(default)]
    pub month: Option<Validated<IntRange<1, 12>>>,
    /// From when it is counted; left out it is the due day.
    #[serde(default)]
    pub from: Option<Validated<Unchecked<RepeatFrom>>>,
}

impl Constraint for Repeat {
    type Input = SentRepeat;
    type Value = Repeat;

    fn check(sent: SentRepeat) -> Result<Repeat, ValidationErrors> {
        let repeat = Check::of(|check| Repeat {
            every: check.take(".every", sent.every),
            interval: sent.interval.map_or(1, |interval| check.take(".interval", interval) as u32),
            weekdays: sent.weekdays.map(|weekdays| check.take(".weekdays", weekdays)).unwrap_or_default(),
            day: sent.day.map(|day| check.take(".day", day) as u32),
            week: sent.week.map(|week| check.take(".week", week) as u32),
            month: sent.month.map(|month| check.take(".month", month) as u32),
            from: sent.from.map(|from| check.take(".from", from)).unwrap_or_default(),
        });
        Ok(repeat?.tidied())
    }

    fn schema(components: &mut Components) -> RefOr<Schema> {
        SentRepeat::to_schema(components)
    }
}

impl Repeat {
    /// Without what does not belong to its unit.
    fn tidied(mut self) -> Repeat {
        let counts_months = matches!(self.every, RepeatUnit::Month | RepeatUnit::Year);
        self.week = self.week.filter(|_| counts_months);
        self.day = self.day.filter(|_| counts_months && self.week.is_none());
        self.month = self.month.filter(|_| self.every == RepeatUnit::Year);
        if self.every != RepeatUnit::Week && self.week.is_none() {
            self.weekdays.clear();
        }
        if self.week.is_some() {
            self.weekdays.truncate(1);
        }
        self
    }

    /// With what was left out, as it is on `due`: so one that is shortened by a short month does not move those that
    /// follow. What is counted from the day of doing has no days of its own.
    pub fn fixed_on(mut self, due: NaiveDate) -> Repeat {
        if self.from == RepeatFrom::Done {
            return self;
        }
        let weekday = WEEK[due.weekday().num_days_from_monday() as usize];
        if self.weekdays.is_empty() && (self.every == RepeatUnit::Week || self.week.is_some()) {
            self.weekdays.push(weekday);
        }
        if matches!(self.every, RepeatUnit::Month | RepeatUnit::Year) && self.week.is_none() {
            self.day.get_or_insert(due.day());
        }
        if self.every == RepeatUnit::Year {
            self.month.get_or_insert(due.month());
        }
        self
    }

    /// When it comes next after `own`, the day that the repetition gave it, when it was moved to `due` and done on `done`:
    /// behind both days, so that one that is moved neither moves those that follow nor comes twice, and never before it was
    /// done, so that what was missed comes once. None after the last day there is.
    pub fn next(&self, own: NaiveDate, due: NaiveDate, done: NaiveDate) -> Option<NaiveDate> {
        match self.from {
            RepeatFrom::Due => self.day_after(own, due, done),
            RepeatFrom::Done => self.first_after(done, done),
        }
    }

    /// Its first day behind `own` and `due` that is `earliest` or later, as long as it is open: so one that is counted from
    /// the day of doing has its days, too.
    pub fn day_after(&self, own: NaiveDate, due: NaiveDate, earliest: NaiveDate) -> Option<NaiveDate> {
        self.first_after(own, earliest.max(after_days(due, 1)?))
    }

    /// The first day of the repetition that is counted from `base` which lies after it, and on `earliest` or later.
    fn first_after(&self, base: NaiveDate, earliest: NaiveDate) -> Option<NaiveDate> {
        let interval = i64::from(self.interval.max(1));
        let fits = |day: &NaiveDate| *day > base && *day >= earliest;
        // The first round that can hold it, and the next: each later one lies behind both.
        let rounds = |elapsed: i64| [elapsed / interval, elapsed / interval + 1].into_iter();
        match self.every {
            RepeatUnit::Day => {
                let steps = rounds((earliest - base).num_days().max(0)).chain([1]);
                steps.filter_map(|step| after_days(base, step * interval)).filter(fits).min()
            }
            RepeatUnit::Week => {
                let monday = |day: NaiveDate| after_days(day, -i64::from(day.weekday().num_days_from_monday()));
                let (first, wanted) = (monday(base)?, monday(earliest.max(base))?);
                let weekdays = if self.weekdays.is_empty() {
                    vec![base.weekday().num_days_from_monday()]
                } else {
                    self.weekdays.iter().map(|weekday| *weekday as u32).collect()
                };
                let weeks =
                    rounds((wanted - first).num_weeks()).filter_map(|round| after_days(first, 7 * round * interval));
                weeks
                    .flat_map(|week| weekdays.iter().filter_map(move |weekday| after_days(week, i64::from(*weekday))))
                    .filter(fits)
                    .min()
            }
            RepeatUnit::Month => self.in_months(base, interval, months(base), months(earliest.max(base)), fits),
            RepeatUnit::Year => {
                let first = i64::from(base.year()) * 12 + i64::from(self.month.unwrap_or(base.month())) - 1;
                self.in_months(base, 12 * interval, first, months(earliest.max(base)), fits)
            }
        }
    }

    /// The first that fits in every `interval`th month counted from `first`; the search begins before `wanted`.
    fn in_months(
        &self,
        base: NaiveDate,
        interval: i64,
        first: i64,
        wanted: i64,
        fits: impl Fn(&NaiveDate) -> bool,
    ) -> Option<NaiveDate> {
        let round = (wanted - first).max(0) / interval;
        (round..round + 3).filter_map(|round| self.in_month(base, first + round * interval)).find(fits)
    }

    /// Its day in that month, counted from the year 0.
    fn in_month(&self, base: NaiveDate, month: i64) -> Option<NaiveDate> {
        let year = i32::try_from(month.div_euclid(12)).ok()?;
        let first = NaiveDate::from_ymd_opt(year, month.rem_euclid(12) as u32 + 1, 1)?;
        let length = u32::from(first.num_days_in_month());
        let day = match self.week {
            None => self.day.unwrap_or(base.day()).min(length),
            Some(week) => {
                let weekday = self.weekdays.first().map_or(base.weekday().num_days_from_monday(), |day| *day as u32);
                let in_first_week = 1 + (7 + weekday - first.weekday().num_days_from_monday()) % 7;
                let day = in_first_week + 7 * (week - 1);
                if day > length { day - 7 } else { day }
            }
        };
        known(first.with_day(day)?)
    }
}

fn months(day: NaiveDate) -> i64 {
    i64::from(day.year()) * 12 + i64::from(day.month0())
}

fn after_days(day: NaiveDate, days: i64) -> Option<NaiveDate> {
    day.checked_add_signed(Duration::try_days(days)?).and_then(known)
}

/// A day that this house knows.
fn known(day: NaiveDate) -> Option<NaiveDate> {
    (day.year() <= 9999).then_some(day)
}

#[cfg(test)]
mod tests;

//! What is answered of visits: sums of days, the period before beside them.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::{Channel, Counts, DayTotals, Device, Dimension};
use hanok_base::schema::ToSchema;

/// How many pages and referrers are listed.
const LISTED: usize = 10;

/// How many days are looked at, today included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum Period {
    /// A week.
    #[serde(rename = "7")]
    Week,
    /// Thirty days.
    #[serde(rename = "30")]
    Month,
    /// Ninety days.
    #[serde(rename = "90")]
    Quarter,
}

/// Visits of the last days. A visitor is one browser on one day: over several days the visitors of each day are added up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Analytics {
    /// How many days.
    pub days: u32,
    /// The first of them, in Asia/Seoul.
    pub from: NaiveDate,
    /// The last of them: today.
    pub to: NaiveDate,
    /// The first day of which anything was counted; none before that.
    pub since: Option<NaiveDate>,
    /// Different visitors of each day, added up.
    pub visitors: Compared,
    /// Pages that were opened.
    pub views: Compared,
    /// Views that came too many at once and were not counted.
    pub dropped: u64,
    /// Every day, the first one first.
    pub daily: Vec<DayCount>,
    /// By how visitors came, every channel.
    pub channels: Vec<ChannelCount>,
    /// By device, every kind.
    pub devices: Vec<DeviceCount>,
    /// The ten pages that were opened most.
    pub pages: Vec<PageCount>,
    /// The ten hosts that most views came from.
    pub referrers: Vec<ReferrerCount>,
    /// When this was read. Views of the last 15 seconds may be missing.
    pub as_of: DateTime<Utc>,
}

/// A number in these days, and in as many days before them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Compared {
    /// In these days.
    pub now: u64,
    /// In as many days before.
    pub before: u64,
}

/// A day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DayCount {
    /// The day in Asia/Seoul.
    pub date: NaiveDate,
    /// Different visitors.
    pub visitors: u64,
    /// Pages that were opened.
    pub views: u64,
}

/// Visits by one channel. What a visitor opens after coming counts for the channel of the visit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChannelCount {
    /// The channel.
    pub channel: Channel,
    /// Pages that were opened.
    pub views: u64,
    /// Different visitors of each day, added up.
    pub visitors: u64,
    /// Visitors in as many days before.
    pub before: u64,
}

/// Visits on one kind of device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DeviceCount {
    /// The kind.
    pub device: Device,
    /// Pages that were opened.
    pub views: u64,
    /// Different visitors of each day, added up.
    pub visitors: u64,
    /// Visitors in as many days before.
    pub before: u64,
}

/// Views of one page, in both languages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PageCount {
    /// The route, such as `/contact/{token}`; `other` for those beyond the 500 of a day.
    pub path: String,
    /// How often it was opened.
    pub views: u64,
    /// Different visitors of each day, added up.
    pub visitors: u64,
    /// Views in as many days before.
    pub before: u64,
}

/// Views that one site led to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReferrerCount {
    /// Its host without `www.`; `other` for new ones beyond the 5 of a visitor or the 200 of a day, and for
    /// those beyond the 500 of a day.
    pub host: String,
    /// How many pages were opened from there.
    pub views: u64,
}

/// What was counted in the days of a period and in as many before.
#[derive(Debug, Default)]
pub struct Counted {
    /// The sums of each day, of both.
    pub days: BTreeMap<NaiveDate, DayTotals>,
    /// By name, in these days and in those before.
    pub names: BTreeMap<(Dimension, String), (Counts, Counts)>,
    /// The first day of all.
    pub since: Option<NaiveDate>,
}

impl Period {
    /// Every one, the shortest first.
    pub const ALL: [Period; 3] = [Period::Week, Period::Month, Period::Quarter];

    /// How many days.
    pub fn days(self) -> u32 {
        match self {
            Period::Week => 7,
            Period::Month => 30,
            Period::Quarter => 90,
        }
    }

    /// Its first day, where `today` is its last one.
    pub fn first(self, today: NaiveDate) -> NaiveDate {
        today - TimeDelta::days(i64::from(self.days()) - 1)
    }

    /// The first day of as many days before.
    pub fn first_before(self, today: NaiveDate) -> NaiveDate {
        self.first(today) - TimeDelta::days(i64::from(self.days()))
    }
}

impl Compared {
    fn add(&mut self, is_now: bool, number: u64) {
        let sum = if is_now { &mut self.now } else { &mut self.before };
        *sum = sum.saturating_add(number);
    }

    /// The change in whole percent, rounded half away from zero; none where there was nothing before.
    pub fn percent(self) -> Option<i64> {
        let (now, before) = (i128::from(self.now), i128::from(self.before));
        let twice = 200 * (now - before);
        let rounded = |before: i128| (twice + twice.signum() * before) / (2 * before);
        (before > 0).then(|| i64::try_from(rounded(before)).unwrap_or(i64::MAX))
    }
}

impl Counted {
    /// The answer for `period`, whose last day is the one of `now`, `today`.
    pub fn answer(self, period: Period, today: NaiveDate, now: DateTime<Utc>) -> Analytics {
        let from = period.first(today);
        let (mut visitors, mut views, mut dropped) = (Compared::default(), Compared::default(), 0u64);
        for (day, totals) in &self.days {
            visitors.add(*day >= from, totals.visitors);
            views.add(*day >= from, totals.views);
            dropped = dropped.saturating_add(if *day >= from { totals.dropped } else { 0 });
        }
        let day = |date: NaiveDate| {
            let DayTotals { visitors, views, .. } = self.days.get(&date).copied().unwrap_or_default();
            DayCount { date, visitors, views }
        };
        Analytics {
            days: period.days(),
            from,
            to: today,
            since: self.since,
            visitors,
            views,
            dropped,
            daily: from.iter_days().take_while(|date| *date <= today).map(day).collect(),
            channels: self.channels(),
            devices: self.devices(),
            pages: self.pages(),
            referrers: self.referrers(),
            as_of: now,
        }
    }

    fn of(&self, dimension: Dimension, name: &str) -> (Counts, Counts) {
        self.names.get(&(dimension, name.to_owned())).copied().unwrap_or_default()
    }

    /// The names of a dimension that were seen in these days, those with most views first.
    fn most(&self, dimension: Dimension) -> Vec<(&str, Counts, Counts)> {
        let of_it = self.names.iter().filter(|((of, _), (now, _))| *of == dimension && now.views > 0);
        let mut named: Vec<_> = of_it.map(|((_, name), (now, before))| (name.as_str(), *now, *before)).collect();
        named.sort_by(|one, other| other.1.views.cmp(&one.1.views).then(one.0.cmp(other.0)));
        named.truncate(LISTED);
        named
    }

    fn channels(&self) -> Vec<ChannelCount> {
        let count = |channel: Channel| {
            let (Counts { views, visitors }, before) = self.of(Dimension::Channel, channel.code());
            ChannelCount { channel, views, visitors, before: before.visitors }
        };
        Channel::ALL.into_iter().map(count).collect()
    }

    fn devices(&self) -> Vec<DeviceCount> {
        let count = |device: Device| {
            let (Counts { views, visitors }, before) = self.of(Dimension::Device, device.code());
            DeviceCount { device, views, visitors, before: before.visitors }
        };
        Device::ALL.into_iter().map(count).collect()
    }

    fn pages(&self) -> Vec<PageCount> {
        let count = |(path, Counts { views, visitors }, before): (&str, Counts, Counts)| PageCount {
            path: path.to_owned(),
            views,
            visitors,
            before: before.views,
        };
        self.most(Dimension::Page).into_iter().map(count).collect()
    }

    fn referrers(&self) -> Vec<ReferrerCount> {
        let most = self.most(Dimension::Referrer).into_iter();
        most.map(|(host, Counts { views, .. }, _)| ReferrerCount { host: host.to_owned(), views }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 10, day).unwrap()
    }

    #[test]
    fn a_change_is_rounded_to_whole_percent() {
        // By hand: 3 of 2 is +50, 1 of 8 is -87.5 and rounds away from zero, 201 of 200 is +0.5.
        for (now, before, percent) in [
            (3, 2, Some(50)),
            (1, 8, Some(-88)),
            (201, 200, Some(1)),
            (5, 5, Some(0)),
            (0, 4, Some(-100)),
            (7, 0, None),
        ] {
            assert_eq!(Compared { now, before }.percent(), percent, "{now} after {before}");
        }
    }

    #[test]
    fn a_week_and_the_week_before_are_fourteen_days_and_a_day_without_visits_is_a_zero() {
        let totals = |visitors, views| DayTotals { visitors, views, ..DayTotals::default() };
        // The 14th is today: the week is 8 to 14, the one before 1 to 7.
        let days =
            [(date(1), totals(2, 4)), (date(7), totals(1, 1)), (date(8), totals(3, 9)), (date(14), totals(1, 2))];
        let counted = Counted { days: days.into_iter().collect(), ..Counted::default() };
        let answer = counted.answer(Period::Week, date(14), DateTime::UNIX_EPOCH);
        assert_eq!((answer.from, Period::Week.first_before(date(14))), (date(8), date(1)));
        assert_eq!((answer.visitors, answer.views), (Compared { now: 4, before: 3 }, Compared { now: 11, before: 5 }));
        let views: Vec<u64> = answer.daily.iter().map(|day| day.views).collect();
        assert_eq!(views, [9, 0, 0, 0, 0, 0, 2]);
    }

    #[test]
    fn the_ten_pages_with_most_views_are_listed_and_those_of_the_time_before_alone_are_not() {
        let counts = |views| Counts { views, visitors: 1 };
        let mut counted = Counted::default();
        for number in 0..12u64 {
            let name = format!("/{number:02}");
            counted.names.insert((Dimension::Page, name), (counts(number), counts(100)));
        }
        let pages = counted.answer(Period::Week, date(14), DateTime::UNIX_EPOCH).pages;
        let paths: Vec<&str> = pages.iter().map(|page| page.path.as_str()).collect();
        assert_eq!(paths, ["/11", "/10", "/09", "/08", "/07", "/06", "/05", "/04", "/03", "/02"]);
        assert_eq!((pages[0].views, pages[0].before), (11, 100));
    }
}

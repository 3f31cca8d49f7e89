//! When draws are held: every Saturday at 20:35 in Asia/Seoul, with sales closing at 20:00.

use chrono::{DateTime, NaiveTime, Utc};
use serde::{Deserialize, Serialize};

use hanok_base::schema::ToSchema;
use hanok_base::{Result, day};
use hanok_calc::lottery::draw::{date_of, newest_on};

/// The coming draw.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NextDraw {
    /// Its number.
    pub draw_no: u32,
    /// When it is held.
    pub at: DateTime<Utc>,
    /// Until when games are sold for it.
    pub sales_close_at: DateTime<Utc>,
}

/// When the coming draw `draw_no` is held.
pub fn next_draw(draw_no: u32) -> Result<NextDraw> {
    let date = date_of(draw_no)?;
    Ok(NextDraw { draw_no, at: day::at(date, HELD_AT), sales_close_at: day::at(date, SALES_CLOSE_AT) })
}

/// The number of the coming draw at `now` by the calendar alone. A draw that is known has been held whatever the clock says.
pub fn coming_draw(now: DateTime<Utc>) -> u32 {
    newest_drawn(now) + 1
}

/// The number of the newest draw that has been held at `now`, 0 before the first one.
pub fn newest_drawn(now: DateTime<Utc>) -> u32 {
    let today = day::of(now);
    let newest = newest_on(today);
    let is_tonight = date_of(newest).is_ok_and(|date| date == today) && now < day::at(today, HELD_AT);
    if is_tonight { newest - 1 } else { newest }
}

const HELD_AT: NaiveTime = clock_time(20, 35);
const SALES_CLOSE_AT: NaiveTime = clock_time(20, 0);

const fn clock_time(hour: u32, minute: u32) -> NaiveTime {
    match NaiveTime::from_hms_opt(hour, minute, 0) {
        Some(time) => time,
        None => NaiveTime::MIN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(instant: &str) -> DateTime<Utc> {
        instant.parse().unwrap()
    }

    #[test]
    fn a_draw_is_coming_until_it_is_held_on_saturday_evening_in_seoul() {
        assert_eq!(coming_draw(at("2026-10-17T11:34:59Z")), 1246);
        assert_eq!(coming_draw(at("2026-10-17T11:35:00Z")), 1247);
        assert_eq!(newest_drawn(at("2026-10-16T15:00:00Z")), 1245);
        assert_eq!(newest_drawn(at("2002-12-01T00:00:00Z")), 0);
        let next = next_draw(coming_draw(at("2026-10-11T00:00:00Z"))).unwrap();
        assert_eq!((next.draw_no, next.at), (1246, at("2026-10-17T11:35:00Z")));
        assert_eq!(next.sales_close_at, at("2026-10-17T11:00:00Z"));
    }
}

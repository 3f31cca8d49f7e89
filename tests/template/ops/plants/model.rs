//! A plant and its rules.

use chrono::{Days, NaiveDate};
use serde::{Deserialize, Serialize};

use hanok_base::error::Code;
use hanok_base::page::Listed;
use hanok_base::schema::ToSchema;
use hanok_base::text::Text;
use hanok_base::validated::IntRange;
use hanok_base::{Error, Kind, MessageTemplate, Request, Result};

/// It has had its water today.
pub const ALREADY_WATERED: Code = Code::new("ALREADY_WATERED", Kind::Conflict);

/// What is said of it then.
const HAS_ITS_WATER: MessageTemplate = MessageTemplate::new("plants.has_its_water", "{title} has had its water today");

/// A plant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Plant {
    /// Ever increasing, never reused.
    pub id: u64,
    /// What the household calls it.
    pub title: String,
    /// Days between two waterings.
    pub every_days: u64,
    /// The day on which it was watered last; null before the first time.
    pub watered_on: Option<NaiveDate>,
    /// The day on which it needs water next.
    pub due: NaiveDate,
}

impl Listed for Plant {
    const PLURAL: &'static str = "plants";
}

/// What a plant may be called.
pub type Title = Text<1, 100>;
/// Days between two waterings.
pub type Interval = IntRange<1, 365>;
/// A diary as it was kept elsewhere, the whole of it.
pub type DiaryText = Text<1, 2_000_000>;

/// A plant to be added.
#[derive(Debug, Request)]
pub struct NewPlant {
    /// What the household calls it.
    #[field(Title)]
    pub title: String,
    /// Days between two waterings.
    #[field(Interval)]
    pub every_days: u64,
}

/// The fields that change; the others stay.
#[derive(Debug, Request)]
#[request(changes = Plant)]
pub struct PlantChanges {
    /// What the household calls it.
    #[field(Title, change)]
    pub title: Option<String>,
    /// Days between two waterings.
    #[field(Interval, change)]
    pub every_days: Option<u64>,
}

/// What was written about a plant elsewhere.
#[derive(Debug, Request)]
pub struct NewDiary {
    /// The diary: a line that begins with a day says that it was watered then.
    #[field(DiaryText)]
    pub text: String,
}

impl NewPlant {
    /// The plant with this id, thirsty since `today`.
    pub fn into_plant(self, id: u64, today: NaiveDate) -> Plant {
        Plant { id, title: self.title, every_days: self.every_days, watered_on: None, due: today }
    }
}

impl PlantChanges {
    /// `plant` with the changes.
    pub fn apply(self, mut plant: Plant) -> Plant {
        self.apply_to(&mut plant);
        plant.due = plant.watered_on.map_or(plant.due, |day| day + Days::new(plant.every_days));
        plant
    }
}

impl Plant {
    /// The plant once it is watered `today`.
    ///
    /// # Errors
    /// `ALREADY_WATERED`.
    pub fn watered(self, today: NaiveDate) -> Result<Plant> {
        if self.watered_on == Some(today) {
            return Err(Error::of(ALREADY_WATERED, HAS_ITS_WATER.with([("title", self.title.into())])));
        }
        Ok(self.watered_on(today))
    }

    /// The plant as its diary knows it: watered last on the newest day there that has come.
    pub fn after_diary(self, diary: &str, today: NaiveDate) -> Plant {
        let days = diary.lines().filter_map(|line| line.split_whitespace().next()?.parse().ok());
        let newest = days.filter(|day| *day <= today).chain(self.watered_on).max();
        if let Some(day) = newest { self.watered_on(day) } else { self }
    }

    fn watered_on(self, day: NaiveDate) -> Plant {
        Plant { watered_on: Some(day), due: day + Days::new(self.every_days), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plant_was_watered_on_the_newest_day_of_its_diary_that_has_come() {
        let day = |day| NaiveDate::from_ymd_opt(2026, 10, day).unwrap();
        let new = NewPlant::check(serde_json::from_str(r#"{"title": "몬스테라", "every_days": 7}"#).unwrap()).unwrap();
        let plant = new.into_plant(1, day(10));
        let diary = "2026-10-02 물\n새 잎이 났다\n2026-10-08 물\n2026-10-05 물\n2026-11-01 분갈이할 날\n";
        assert_eq!(plant.clone().after_diary("새 잎이 났다", day(10)), plant);
        let plant = plant.after_diary(diary, day(10));
        assert_eq!((plant.watered_on, plant.due), (Some(day(8)), day(15)));
        assert_eq!(plant.clone().after_diary("2026-10-01 물", day(10)), plant);
    }

    #[test]
    fn a_plant_is_watered_once_a_day_and_due_again_after_its_interval() {
        let today = NaiveDate::from_ymd_opt(2026, 10, 10).unwrap();
        let new = NewPlant::check(serde_json::from_str(r#"{"title": " 몬스테라 ", "every_days": 7}"#).unwrap()).unwrap();
        let plant = new.into_plant(1, today);
        assert_eq!((plant.title.as_str(), plant.due), ("몬스테라", today));
        let plant = plant.watered(today).unwrap();
        assert_eq!(plant.due, today + Days::new(7));
        assert_eq!(plant.watered(today).unwrap_err().code(), "ALREADY_WATERED");
    }
}

//! A plant and its rules.

use chrono::{Days, NaiveDate};
use serde::{Deserialize, Serialize};

use hanok_base::error::{Check, Code};
use hanok_base::patch::Changed;
use hanok_base::schema::ToSchema;
use hanok_base::sent::Whole;
use hanok_base::text::Text;
use hanok_base::{Error, Kind, Result, Sent};

/// It has had its water today.
pub const ALREADY_WATERED: Code = Code::new("ALREADY_WATERED", Kind::Conflict);

/// A plant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Plant {
    /// Ever increasing, never reused.
    pub id: u64,
    /// What the household calls it.
    pub name: String,
    /// Days between two waterings.
    pub every_days: u64,
    /// The day on which it was watered last; null before the first time.
    pub watered_on: Option<NaiveDate>,
    /// The day on which it needs water next.
    pub due: NaiveDate,
}

/// What a plant may be called.
pub type Name = Text<1, 100>;
/// Days between two waterings.
pub type Interval = Whole<1, 365>;

/// A plant to be added.
#[derive(Debug, Deserialize, ToSchema)]
pub struct NewPlant {
    /// What the household calls it.
    pub name: Sent<Name>,
    /// Days between two waterings.
    pub every_days: Sent<Interval>,
}

/// The fields that change; the others stay.
#[derive(Debug, Deserialize, ToSchema)]
pub struct PlantChanges {
    /// What the household calls it.
    #[serde(default)]
    pub name: Changed<Name>,
    /// Days between two waterings.
    #[serde(default)]
    pub every_days: Changed<Interval>,
}

impl NewPlant {
    /// The plant with this id, thirsty since `today`.
    ///
    /// # Errors
    /// `INVALID_INPUT` naming each refused field.
    pub fn into_plant(self, id: u64, today: NaiveDate) -> Result<Plant> {
        Check::of(|check| {
            let name = check.take("name", self.name);
            let every_days = check.take("every_days", self.every_days);
            Plant { id, name, every_days, watered_on: None, due: today }
        })
    }
}

impl PlantChanges {
    /// `plant` with the changes.
    ///
    /// # Errors
    /// `INVALID_INPUT` naming each refused field.
    pub fn apply(self, mut plant: Plant) -> Result<Plant> {
        Check::of(|check| {
            check.change("name", self.name, &mut plant.name);
            check.change("every_days", self.every_days, &mut plant.every_days);
        })?;
        plant.due = plant.watered_on.map_or(plant.due, |day| day + Days::new(plant.every_days));
        Ok(plant)
    }
}

impl Plant {
    /// The plant once it is watered `today`.
    ///
    /// # Errors
    /// `ALREADY_WATERED`.
    pub fn watered(self, today: NaiveDate) -> Result<Plant> {
        if self.watered_on == Some(today) {
            return Err(Error::of(ALREADY_WATERED, format!("{} has had its water today", self.name)));
        }
        Ok(Plant { watered_on: Some(today), due: today + Days::new(self.every_days), ..self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plant_is_watered_once_a_day_and_due_again_after_its_interval() {
        let today = NaiveDate::from_ymd_opt(2026, 10, 10).unwrap();
        let new: NewPlant = serde_json::from_str(r#"{"name": " 몬스테라 ", "every_days": 7}"#).unwrap();
        let plant = new.into_plant(1, today).unwrap();
        assert_eq!((plant.name.as_str(), plant.due), ("몬스테라", today));
        let plant = plant.watered(today).unwrap();
        assert_eq!(plant.due, today + Days::new(7));
        assert_eq!(plant.watered(today).unwrap_err().code(), "ALREADY_WATERED");
    }
}

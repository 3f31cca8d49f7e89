//! What was played: sets that were kept, or only how many there were.

use std::fmt;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use hanok_base::error::Check;
use hanok_base::schema::{Array, Components, Object, OneOf, RefOr, Schema, ToSchema};
use hanok_base::sent::{Constraint, Integer};
use hanok_base::{Error, Result, Sent};
use hanok_calc::lottery::Numbers;
use hanok_calc::lottery::briefing::Tier;

/// Sets of six, or a count when the numbers were not kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Games {
    /// How many games.
    Count(Integer),
    /// The sets, 1 to 100.
    Sets(Vec<Vec<i64>>),
}

/// How many games, when the numbers were not kept.
pub enum GameCount {}

impl Constraint for GameCount {
    type Sent = Integer;
    type Value = u64;

    fn check(sent: Integer) -> Result<u64, String> {
        sent.within(1, MOST_GAMES).ok_or_else(|| format!("must be 1 to {MOST_GAMES} games"))
    }

    fn schema() -> Object {
        Integer::schema(1, MOST_GAMES)
    }
}

impl ToSchema for Games {
    fn to_schema(components: &mut Components) -> RefOr<Schema> {
        let sets = Array::new().items(Numbers::to_schema(components)).min_items(1).max_items(MOST_SETS);
        let count = GameCount::schema().description("How many games, when the numbers were not kept.");
        OneOf::new().item(count).item(sets.description("The sets.")).into()
    }
}

/// Which tiers of the briefing are bought together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TierMode {
    /// The core: 3 games.
    Core,
    /// The core and the bonus: 5 games.
    CoreBonus,
    /// And the extended tier: 10 games.
    CoreBonusExtended,
    /// All four tiers: 20 games.
    Full,
}

impl TierMode {
    /// The last tier that belongs to it.
    pub fn through(self) -> Tier {
        match self {
            TierMode::Core => Tier::Core,
            TierMode::CoreBonus => Tier::Bonus,
            TierMode::CoreBonusExtended => Tier::Extended,
            TierMode::Full => Tier::Full,
        }
    }

    /// How many games it has: 3, 5, 10 or 20.
    pub fn games(self) -> usize {
        self.through().total()
    }
}

/// The most sets of one purchase.
pub const MOST_SETS: usize = 100;
/// The most games of one purchase whose numbers were not kept.
pub const MOST_GAMES: u64 = 1_000;

/// Checked games.
#[derive(Debug, Default)]
pub(super) struct CheckedGames {
    sets: Vec<Numbers>,
    count: u64,
}

impl CheckedGames {
    /// From the one of the three fields that was sent; none when none was.
    pub fn of(
        sets: Option<Games>,
        numbers: Option<Vec<i64>>,
        count: Option<Sent<GameCount>>,
    ) -> Result<Option<CheckedGames>> {
        match (sets, numbers, count) {
            (None, None, None) => Ok(None),
            (Some(Games::Sets(sets)), None, None) => Self::sets(&sets).map(Some),
            (None, Some(numbers), None) => Ok(Some(Self::known(vec![Numbers::check("numbers", &numbers)?]))),
            (Some(Games::Count(count)), None, None) => Self::count_of("sets", Sent::of(count)).map(Some),
            (None, None, Some(count)) => Self::count_of("count", count).map(Some),
            _ => Err(Error::field("sets", "must be the only one of sets, numbers and count")),
        }
    }

    fn known(sets: Vec<Numbers>) -> CheckedGames {
        CheckedGames { count: sets.len() as u64, sets }
    }

    fn sets(sets: &[Vec<i64>]) -> Result<CheckedGames> {
        let mut check = Check::new();
        check.require(
            (1..=MOST_SETS).contains(&sets.len()),
            "sets",
            format!("must be 1 to {MOST_SETS} sets of six numbers"),
        );
        let sets = sets.iter().take(MOST_SETS).enumerate();
        let kept: Vec<Numbers> =
            sets.filter_map(|(place, set)| check.keep(Numbers::check(&format!("sets[{place}]"), set))).collect();
        check.done()?;
        Ok(Self::known(kept))
    }

    fn count_of(field: &str, count: Sent<GameCount>) -> Result<CheckedGames> {
        let mut check = Check::new();
        let count = check.take(field, count);
        check.done().map(|()| CheckedGames { sets: Vec::new(), count })
    }

    pub fn are_known(&self) -> bool {
        !self.sets.is_empty()
    }

    pub fn count(&self) -> u64 {
        self.count
    }

    pub fn into_sets(self) -> Vec<Numbers> {
        self.sets
    }
}

pub(super) fn required() -> Error {
    Error::field("sets", "is required: a list of sets of six numbers, or how many games")
}

// By hand and not untagged: so a wrong entry is named by its place (`sets[1][3]`).
impl<'de> Deserialize<'de> for Games {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Games;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a list of sets of six numbers, or how many games")
            }

            fn visit_u64<E>(self, count: u64) -> Result<Games, E> {
                Ok(Games::Count(count.into()))
            }

            fn visit_i64<E>(self, count: i64) -> Result<Games, E> {
                Ok(Games::Count(count.into()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Games, A::Error> {
                let mut sets = Vec::new();
                while let Some(set) = list.next_element()? {
                    sets.push(set);
                }
                Ok(Games::Sets(sets))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

//! What was played: sets that were kept, or only how many there were.

use std::fmt;

use serde::de::{SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::super::said;
use hanok_base::error::Check;
use hanok_base::list::List;
use hanok_base::schema::{Array, Components, OneOf, RefOr, Schema, ToSchema};
use hanok_base::validated::{Constraint, Integer, ValidationErrors};
use hanok_base::{Error, Result, Validated};
use hanok_calc::lottery::Numbers;
use hanok_calc::lottery::briefing::Tier;

/// Sets of six, or a count when the numbers were not kept, as they are sent.
#[derive(Debug)]
pub enum SentGames {
    /// How many games.
    Count(Integer),
    /// The sets, 1 to 100.
    Sets(List<Validated<Numbers>, MOST_SETS>),
}

/// How many games, when the numbers were not kept.
pub enum GameCount {}

impl Constraint for GameCount {
    type Input = Integer;
    type Value = u64;

    fn check(sent: Integer) -> Result<u64, ValidationErrors> {
        sent.within(1, MOST_GAMES)
            .ok_or_else(|| said::GAMES.with([("least", 1u64.into()), ("most", MOST_GAMES.into())]).into())
    }

    fn schema(_components: &mut Components) -> RefOr<Schema> {
        Integer::schema(1, MOST_GAMES).into()
    }
}

impl Constraint for Games {
    type Input = SentGames;
    type Value = Games;

    fn check(sent: SentGames) -> Result<Games, ValidationErrors> {
        match sent {
            SentGames::Count(count) => GameCount::check(count).map(Games::counted),
            SentGames::Sets(sets) => Games::of_sets(sets),
        }
    }

    fn schema(components: &mut Components) -> RefOr<Schema> {
        let sets = Array::new().items(Numbers::to_schema(components)).min_items(1).max_items(MOST_SETS);
        let count = Integer::schema(1, MOST_GAMES).description("How many games, when the numbers were not kept.");
        OneOf::new().item(count).item(sets.description("The sets.")).into()
    }
}

/// Which tiers of the briefing are bought together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TierMode {
    /// The core: 3 games.
    #[default]
    Core,
    /// The core and the bonus: 5 games.
    CoreBonus,
    /// And the extended tier: 10 games.
    CoreBonusExtended,
    /// All four tiers: 20 games.
    Full,
}

impl TierMode {
    /// Every one, the smallest first.
    pub const ALL: [TierMode; 4] = [TierMode::Core, TierMode::CoreBonus, TierMode::CoreBonusExtended, TierMode::Full];

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

/// Games that were played: their sets, or only how many when the numbers were not kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Games {
    sets: Vec<Numbers>,
    count: u64,
}

impl Games {
    /// From the one of the three fields that was sent; none when none was.
    pub(super) fn of(
        sets: Option<Validated<Games>>,
        numbers: Option<Validated<Numbers>>,
        count: Option<Validated<GameCount>>,
    ) -> Result<Option<Games>> {
        let ways = [sets.is_some(), numbers.is_some(), count.is_some()].into_iter().filter(|is_sent| *is_sent).count();
        Check::of(|check| {
            let sets = sets.and_then(|sets| check.find("sets", sets));
            let numbers = numbers.and_then(|numbers| check.find("numbers", numbers));
            let count = count.and_then(|count| check.find("count", count));
            check.require(ways <= 1, "sets", said::ONE_WAY);
            sets.or(numbers.map(|set| Games::known(vec![set]))).or(count.map(Games::counted))
        })
    }

    /// Games of these sets.
    pub fn known(sets: Vec<Numbers>) -> Games {
        Games { count: sets.len() as u64, sets }
    }

    /// So many games whose numbers were not kept.
    pub fn counted(count: u64) -> Games {
        Games { sets: Vec::new(), count }
    }

    fn of_sets(sets: List<Validated<Numbers>, MOST_SETS>) -> Result<Games, ValidationErrors> {
        let checked = Check::of(|check| {
            let fits = (1..=MOST_SETS).contains(&sets.sent());
            check.require(fits, "", said::SETS.with([("least", 1u64.into()), ("most", MOST_SETS.into())]));
            let kept = sets.into_kept().filter_map(|(place, set)| check.find(format!("[{place}]"), set));
            Games::known(kept.collect())
        });
        Ok(checked?)
    }

    /// Whether the numbers were kept.
    pub fn are_known(&self) -> bool {
        !self.sets.is_empty()
    }

    /// How many they are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The sets that were kept.
    pub fn sets(&self) -> &[Numbers] {
        &self.sets
    }

    /// [`Games::sets`], for good.
    pub fn into_sets(self) -> Vec<Numbers> {
        self.sets
    }
}

pub(super) fn required() -> Error {
    Error::field("sets", said::GAMES_REQUIRED)
}

// By hand and not untagged: so a wrong entry is named by its place (`sets[1][3]`).
impl<'de> Deserialize<'de> for SentGames {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = SentGames;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a list of sets of six numbers, or how many games")
            }

            fn visit_u64<E>(self, count: u64) -> Result<SentGames, E> {
                Ok(SentGames::Count(count.into()))
            }

            fn visit_i64<E>(self, count: i64) -> Result<SentGames, E> {
                Ok(SentGames::Count(count.into()))
            }

            fn visit_i128<E>(self, count: i128) -> Result<SentGames, E> {
                Ok(SentGames::Count(count.into()))
            }

            fn visit_f64<E: serde::de::Error>(self, count: f64) -> Result<SentGames, E> {
                // A whole number too large for the others.
                if count.fract() != 0.0 {
                    return Err(E::invalid_type(Unexpected::Float(count), &self));
                }
                Ok(SentGames::Count((count as i128).into()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, sets: A) -> Result<SentGames, A::Error> {
                List::heard(sets).map(SentGames::Sets)
            }
        }
        deserializer.deserialize_any(Either)
    }
}

//! Six different numbers out of 1..=45, checked once at the edge.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::said;
use hanok_base::error::Check;
use hanok_base::list::List;
use hanok_base::schema::{Array, BasicType, Components, Object, RefOr, Schema, ToSchema, named};
use hanok_base::validated::{Constraint, IntRange, ValidationErrors};
use hanok_base::{Error, Result, Validated};

/// The highest number on a ticket.
pub const HIGHEST: u8 = 45;
/// How many numbers a set has.
pub const SET_SIZE: usize = 6;

/// Six different numbers of 1..=45 in ascending order; the constructors are the only way in.
///
/// Serialised as an array of six numbers. Sets are ordered like words in a dictionary.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "[u8; 6]", into = "[u8; 6]")]
pub struct Numbers([u8; SET_SIZE]);

impl ToSchema for Numbers {
    fn to_schema(components: &mut Components) -> RefOr<Schema> {
        let number = Object::with_type(BasicType::Integer).minimum(1).maximum(HIGHEST);
        let set = Array::new().items(number).min_items(SET_SIZE).max_items(SET_SIZE).unique_items(true);
        named::<Numbers>(components, set.description("Six different numbers of 1 to 45."))
    }
}

impl Numbers {
    /// A set from six numbers in any order; refuses repeated ones and those outside 1..=45.
    ///
    /// Every stored row is read through here: the path of each field is only made for numbers that are refused.
    pub fn new(numbers: [u8; SET_SIZE]) -> Result<Self> {
        let known = numbers.iter().filter(|&&number| number <= HIGHEST);
        let mask = known.fold(0, |mask, &number| mask | bit(number));
        Self::from_mask(mask).map_or_else(|| Self::check("numbers", &numbers.map(i64::from)), Ok)
    }

    /// A set from what somebody typed. `path` is the name of the field in the error: a refused
    /// entry is named as `path[2]`, a wrong length as `path`.
    pub fn check(path: &str, numbers: &[i64]) -> Result<Self> {
        let typed = numbers.iter().map(|&number| Validated::of(number.into())).collect();
        <Self as Constraint>::check(typed).map_err(|refused| Error::fields(refused.at(path).collect()))
    }

    /// The set whose numbers are the set bits of `mask` (bit n stands for number n);
    /// none unless there are exactly six of 1..=45.
    pub fn from_mask(mask: u64) -> Option<Self> {
        if mask.count_ones() as usize != SET_SIZE || mask & !ALL != 0 {
            return None;
        }
        let mut rest = mask;
        Some(Numbers(std::array::from_fn(|_| {
            let lowest = rest.trailing_zeros() as u8;
            rest &= rest.wrapping_sub(1);
            lowest
        })))
    }

    /// The numbers in ascending order.
    pub fn as_array(&self) -> &[u8; SET_SIZE] {
        &self.0
    }

    /// The numbers in ascending order, one by one.
    pub fn iter(&self) -> impl Iterator<Item = u8> + '_ {
        self.0.iter().copied()
    }

    /// The set as bits: bit n is set when number n is in it.
    pub fn mask(&self) -> u64 {
        self.0.iter().fold(0, |mask, &number| mask | bit(number))
    }

    /// Whether `number` is in the set.
    pub fn contains(&self, number: u8) -> bool {
        self.0.contains(&number)
    }

    /// How many numbers two sets share.
    pub fn shared(&self, other: &Numbers) -> u8 {
        (self.mask() & other.mask()).count_ones() as u8
    }
}

/// A number on a ticket.
pub type Ball = IntRange<1, { HIGHEST as u64 }>;

/// As they are sent: in any order.
impl Constraint for Numbers {
    type Input = List<Validated<Ball>, SET_SIZE>;
    type Value = Numbers;

    fn check(sent: List<Validated<Ball>, SET_SIZE>) -> Result<Numbers, ValidationErrors> {
        let mask = Check::of(|check| {
            check.require(sent.sent() == SET_SIZE, "", said::SIX_NUMBERS);
            let mut mask = 0;
            for (place, number) in sent.into_kept() {
                let Some(number) = check.find(format!("[{place}]"), number) else { continue };
                let number = bit(number as u8);
                check.require(mask & number == 0, format!("[{place}]"), said::DIFFERENT);
                mask |= number;
            }
            mask
        })?;
        Self::from_mask(mask).ok_or_else(|| said::SIX_NUMBERS.into())
    }

    fn schema(components: &mut Components) -> RefOr<Schema> {
        Self::to_schema(components)
    }
}

/// The bits 1..=45.
pub const ALL: u64 = ((1 << (HIGHEST + 1)) - 1) & !1;

/// The bit of `number`, which must be below 64.
pub(crate) fn bit(number: u8) -> u64 {
    1 << number
}

impl TryFrom<[u8; SET_SIZE]> for Numbers {
    type Error = Error;

    fn try_from(numbers: [u8; SET_SIZE]) -> Result<Self> {
        Numbers::new(numbers)
    }
}

impl From<Numbers> for [u8; SET_SIZE] {
    fn from(numbers: Numbers) -> Self {
        numbers.0
    }
}

impl fmt::Display for Numbers {
    /// `4, 5, 25, 28, 32, 42`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, number) in self.iter().enumerate() {
            write!(f, "{}{number}", if position == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_refused_entry_is_named_by_its_position() {
        let error = Numbers::check("sets[3]", &[1, 2, 2, 46, -1, 300]).unwrap_err();
        assert_eq!(error.fields.keys().collect::<Vec<_>>(), ["sets[3][2]", "sets[3][3]", "sets[3][4]", "sets[3][5]"]);
        assert!(Numbers::check("numbers", &[1, 2, 3, 4, 5]).unwrap_err().fields.contains_key("numbers"));
        assert!(Numbers::check("numbers", &[]).is_err());
        assert!(Numbers::check("numbers", &[1, 2, 3, 4, 5, 6, 7]).is_err());
    }

    #[test]
    fn json_is_an_ascending_array_and_is_checked_on_the_way_in() {
        let numbers: Numbers = serde_json::from_str("[42,5,25,28,32,4]").unwrap();
        assert_eq!(serde_json::to_string(&numbers).unwrap(), "[4,5,25,28,32,42]");
        assert!(serde_json::from_str::<Numbers>("[1,1,2,3,4,5]").is_err());
        assert!(serde_json::from_str::<Numbers>("[0,1,2,3,4,5]").is_err());
    }

    proptest! {
        #[test]
        fn the_mask_and_the_array_are_the_same_set(mask in any::<u64>()) {
            if let Some(numbers) = Numbers::from_mask(mask) {
                prop_assert_eq!(numbers.mask(), mask);
            }
        }

        #[test]
        fn six_numbers_are_a_set_or_refused_in_the_same_words_however_they_come(
            numbers in [0..=46u8, 0..=255, 1..=45, 1..=45, 1..=45, 1..=45],
        ) {
            let typed = Numbers::check("numbers", &numbers.map(i64::from)).map_err(|error| error.fields);
            prop_assert_eq!(Numbers::new(numbers).map_err(|error| error.fields), typed);
        }

        #[test]
        fn six_different_numbers_in_any_order_make_the_same_set(
            numbers in proptest::sample::subsequence((1..=45u8).collect::<Vec<_>>(), 6).prop_shuffle(),
        ) {
            let typed: Vec<i64> = numbers.iter().copied().map(i64::from).collect();
            let set = Numbers::check("numbers", &typed).unwrap();
            prop_assert!(set.as_array().is_sorted());
            prop_assert!(numbers.iter().all(|&number| set.contains(number)));
            prop_assert_eq!(Numbers::from_mask(set.mask()), Some(set));
        }
    }
}

//! Lists that arrive in a request.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, IgnoredAny, SeqAccess, Visitor};

/// The first `MOST` entries of a list that was sent, and how many it had. What is over is counted and not kept, so that
/// a list costs no more than a full one, however long it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct List<T, const MOST: usize> {
    kept: Vec<T>,
    sent: usize,
}

impl<T, const MOST: usize> List<T, MOST> {
    /// How many entries were sent.
    pub fn sent(&self) -> usize {
        self.sent
    }

    /// The entries that were kept, with their places.
    pub fn into_kept(self) -> impl Iterator<Item = (usize, T)> {
        self.kept.into_iter().enumerate()
    }

    /// The list that `entries` tells.
    ///
    /// # Errors
    /// Those of `entries`.
    pub fn heard<'de, A: SeqAccess<'de>>(mut entries: A) -> Result<Self, A::Error>
    where
        T: Deserialize<'de>,
    {
        let mut kept = Vec::new();
        while kept.len() < MOST {
            let Some(entry) = entries.next_element()? else { return Ok(List { sent: kept.len(), kept }) };
            kept.push(entry);
        }
        let mut sent = MOST;
        while entries.next_element::<IgnoredAny>()?.is_some() {
            sent += 1;
        }
        Ok(List { kept, sent })
    }
}

impl<T, const MOST: usize> FromIterator<T> for List<T, MOST> {
    fn from_iter<I: IntoIterator<Item = T>>(entries: I) -> Self {
        let mut entries = entries.into_iter();
        let kept: Vec<T> = entries.by_ref().take(MOST).collect();
        List { sent: kept.len() + entries.count(), kept }
    }
}

impl<'de, T: Deserialize<'de>, const MOST: usize> Deserialize<'de> for List<T, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<T, const MOST: usize>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>, const MOST: usize> Visitor<'de> for Entries<T, MOST> {
            type Value = List<T, MOST>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a sequence")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, entries: A) -> Result<Self::Value, A::Error> {
                List::heard(entries)
            }
        }
        deserializer.deserialize_seq(Entries(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_over_is_counted_and_not_kept() {
        for (text, kept, sent) in [("[]", 0, 0), ("[1]", 1, 1), ("[1,2,3]", 3, 3), ("[1,2,3,4,[],{}]", 3, 6)] {
            let list: List<u8, 3> = serde_json::from_str(text).unwrap();
            assert_eq!((list.sent(), list.into_kept().count()), (sent, kept), "{text}");
        }
        let list: List<u8, 3> = (0..9).collect();
        assert_eq!((list.sent(), list.into_kept().last()), (9, Some((2, 2))));
    }

    #[test]
    fn an_entry_that_is_kept_is_checked() {
        assert!(serde_json::from_str::<List<u8, 3>>("[1, true]").is_err());
        assert!(serde_json::from_str::<List<u8, 3>>("7").is_err());
    }
}

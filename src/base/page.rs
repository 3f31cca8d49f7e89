//! Pages of a list that can grow: `limit` and `offset`, as the contract has them.

use super::error::{Check, Result};

/// The most that one page may hold.
pub const MOST: u64 = 500;

/// The farthest that a page may begin.
pub const LAST_OFFSET: u64 = u32::MAX as u64;

/// Which part of a list to give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// How many to give, 1 to [`MOST`].
    pub limit: usize,
    /// How many to pass over first.
    pub offset: usize,
}

impl Page {
    /// Checks what the caller sent: `limit` 1 to 500, left out it is `default_limit`; `offset` from 0.
    pub fn parse(limit: Option<u64>, offset: Option<u64>, default_limit: u64) -> Result<Page> {
        let limit = limit.unwrap_or(default_limit);
        let offset = offset.unwrap_or(0);
        let mut check = Check::new();
        check.require((1..=MOST).contains(&limit), "limit", format!("must be between 1 and {MOST}"));
        check.require(offset <= LAST_OFFSET, "offset", format!("must be at most {LAST_OFFSET}"));
        check.done()?;
        Ok(Page { limit: limit as usize, offset: offset as usize })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_page_out_of_range_is_refused_and_not_cut() {
        assert_eq!(Page::parse(None, None, 30).unwrap(), Page { limit: 30, offset: 0 });
        assert!(Page::parse(Some(0), None, 30).is_err());
        assert!(Page::parse(Some(501), None, 30).is_err());
    }

    proptest! {
        #[test]
        fn any_page_is_within_its_bounds_or_refused_by_name(limit in prop::option::of(prop_oneof![0u64..3, 498u64..503, any::<u64>()]), offset in any::<Option<u64>>()) {
            match Page::parse(limit, offset, 30) {
                Ok(page) => {
                    prop_assert!((1..=500).contains(&page.limit) && u32::try_from(page.offset).is_ok());
                    prop_assert_eq!((page.limit as u64, page.offset as u64), (limit.unwrap_or(30), offset.unwrap_or(0)));
                }
                Err(error) => {
                    prop_assert_eq!(error.fields.contains_key("limit"), limit.is_some_and(|limit| limit == 0 || limit > 500));
                    prop_assert_eq!(error.fields.contains_key("offset"), offset.is_some_and(|offset| offset > u64::from(u32::MAX)));
                }
            }
        }
    }
}

//! What the state keeps of a prize.
//!
//! Other income of the lottery is taxed by each prize (Income Tax Act, articles 14, 84 and 129, with the local tax
//! of a tenth): prizes paid since 2023-01-01 are free up to 2,000,000 won, earlier ones up to 50,000; of a larger
//! one the ticket's price is taken off, and the rest bears 22 % up to 300,000,000 won and 33 % above. The day of the
//! claim decides. It is not known here, so the first day after the draw stands for it: whoever claimed a prize of
//! 2022 only in 2023 paid less.

use chrono::{Days, NaiveDate};

/// Won up to which a prize is free, since [`FREE_SINCE`].
const FREE: u64 = 2_000_000;
/// Won up to which a prize was free before.
const FREE_BEFORE: u64 = 50_000;
/// Since when prizes up to [`FREE`] are free, by the day of the claim.
const FREE_SINCE: NaiveDate = match NaiveDate::from_ymd_opt(2023, 1, 1) {
    Some(day) => day,
    None => NaiveDate::MIN,
};
/// Won up to which the lower rate holds.
const LOWER_RATE_UP_TO: u64 = 300_000_000;

/// Won of tax on one `prize` in a draw of the day `drawn`, whose ticket cost `ticket_price`; parts of a won are left
/// out.
pub fn tax(prize: u64, ticket_price: u64, drawn: NaiveDate) -> u64 {
    let claimed = drawn.checked_add_days(Days::new(1)).unwrap_or(drawn);
    let free = if claimed >= FREE_SINCE { FREE } else { FREE_BEFORE };
    if prize <= free {
        return 0;
    }
    let taxed = prize.saturating_sub(ticket_price);
    let lower = taxed.min(LOWER_RATE_UP_TO);
    // In hundredths of a won, so that both parts are cut once, together.
    (lower.saturating_mul(22).saturating_add((taxed - lower).saturating_mul(33))) / 100
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(day: &str, prize: u64) -> u64 {
        tax(prize, 1_000, day.parse().unwrap())
    }

    #[test]
    fn the_operators_own_example_and_the_edges() {
        let today = |prize| on("2026-10-10", prize);
        // A billion won with a ticket of 1,000: 66,000,000 + 230,999,670, as the operator's calculator says.
        assert_eq!(today(1_000_000_000), 296_999_670);
        assert_eq!((today(2_000_000), today(2_000_001)), (0, 439_780));
        assert_eq!((today(300_001_000), today(300_001_100)), (66_000_000, 66_000_033));
        assert_eq!((today(0), today(5_000), today(50_000)), (0, 0, 0));
    }

    #[test]
    fn before_2023_only_50_000_won_were_free() {
        assert_eq!((on("2022-12-24", 50_000), on("2022-12-24", 1_500_000)), (0, 329_780));
        assert_eq!(on("2022-12-31", 1_500_000), 0, "nobody could claim it before 2023");
        assert_eq!(on("2023-01-07", 1_500_000), 0);
    }

    #[test]
    fn the_dearer_tickets_of_the_first_draws_are_taken_off() {
        assert_eq!(tax(100_000, 2_000, "2002-12-14".parse().unwrap()), 21_560);
    }
}

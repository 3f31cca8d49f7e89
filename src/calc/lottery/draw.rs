//! One draw of the lottery: its numbers, its prizes, and how much of it is published.

use chrono::{Days, NaiveDate};
use serde::{Deserialize, Serialize};

use super::numbers::{HIGHEST, Numbers};
use super::tax::tax;
use hanok_base::error::Check;
use hanok_base::schema::ToSchema;
use hanok_base::{Error, Message, Result, validation_messages};

/// The first draw of which the winners' way of choosing (auto, manual) was ever published.
const FIRST_DRAW_WITH_METHODS: u32 = 262;
/// From this draw on a game costs 1,000 won; before it was 2,000 won.
pub const FIRST_DRAW_AT_1000_WON: u32 = 88;
/// From this draw on the fourth rank has a fixed prize; before it had a share of the sales.
const FIRST_DRAW_WITH_FIXED_FOURTH_PRIZE: u32 = 401;

/// One draw, with as much of it as the operator has published.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Draw {
    /// The number of the draw, from 1 (2002-12-07) on.
    pub draw_no: u32,
    /// The Saturday of the draw in Asia/Seoul.
    #[salvo(schema(value_type = String))]
    pub date: NaiveDate,
    /// The six winning numbers.
    pub numbers: Numbers,
    /// The bonus number, which only decides between the second and the third rank.
    pub bonus: u8,
    /// Won taken for all games of the draw; null until published.
    #[serde(default)]
    pub total_sales: Option<u64>,
    /// The five ranks, first rank first.
    pub prizes: [Prize; 5],
    /// How the winning games of the first rank were filled in; null until published, and for the
    /// draws before 262, of which it never was.
    #[serde(default)]
    pub first_prize_methods: Option<FirstPrizeMethods>,
    /// How much of the draw is known.
    pub published: Published,
}

/// Winners and prize of one rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Prize {
    /// 1 to 5.
    pub rank: u8,
    /// Winning games; null until published, 0 when nobody won.
    pub winners: Option<u64>,
    /// Won for each winning game; null until published, 0 when nobody won.
    pub prize_each: Option<u64>,
}

/// How the winning games of the first rank were filled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FirstPrizeMethods {
    /// Chosen by the machine.
    pub auto: u32,
    /// Chosen by hand.
    pub manual: u32,
    /// Some by hand, the rest by the machine.
    pub semi_auto: u32,
}

/// The operator publishes a draw in three stages on the evening of the draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Published {
    /// Only the numbers, from about 20:42.
    Numbers,
    /// Winners, prizes and sales too, from about 20:50.
    Prizes,
    /// Everything, from about 21:00.
    Complete,
}

/// How a set fared in a draw.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SetResult {
    /// The set that was played.
    pub numbers: Numbers,
    /// 1 to 5; null when nothing was won.
    pub rank: Option<u8>,
    /// Which of its numbers are winning numbers.
    pub matched: Vec<u8>,
    /// Whether it has the bonus number.
    pub bonus_matched: bool,
    /// Won from the draw's own table, before tax: 0 without a rank, null while the prizes are not published. The
    /// fixed prizes of the ranks 4 and 5 are known with the numbers.
    pub prize: Option<u64>,
    /// The tax on it, in won; null while the prize is not known.
    #[serde(default)]
    pub tax: Option<u64>,
}

impl Draw {
    /// A draw of which only the numbers are known.
    pub fn with_numbers_only(draw_no: u32, numbers: Numbers, bonus: u8) -> Result<Self> {
        let mut draw = Draw {
            draw_no,
            date: date_of(draw_no)?,
            numbers,
            bonus,
            total_sales: None,
            prizes: std::array::from_fn(|place| Prize { rank: place as u8 + 1, winners: None, prize_each: None }),
            first_prize_methods: None,
            published: Published::Numbers,
        };
        draw.settle()?;
        Ok(draw)
    }

    /// Checks the draw against itself and sets `published` to what its fields tell:
    /// the date is the Saturday of its number, the bonus differs from the six numbers, the ranks
    /// are 1 to 5, and winners, prizes and sales are published together.
    pub fn settle(&mut self) -> Result<()> {
        Check::of(|check| {
            if let Some(date) = check.keep(date_of(self.draw_no)) {
                check.require(
                    self.date == date,
                    "date",
                    Message::english(format!("must be {date} for draw {}", self.draw_no)),
                );
            }
            let bonus_fits = (1..=HIGHEST).contains(&self.bonus) && !self.numbers.contains(self.bonus);
            check.require(
                bonus_fits,
                "bonus",
                Message::english("must be between 1 and 45 and none of the six numbers"),
            );
            self.check_prizes(check);
            let sales_fit = self.total_sales.is_none_or(|sales| sales < 1 << 50);
            check.require(sales_fit, "total_sales", Message::english("must be less than 2^50"));
        })?;
        self.published = self.stage();
        Ok(())
    }

    fn check_prizes(&self, check: &mut Check) {
        for (place, prize) in self.prizes.iter().enumerate() {
            let at = format!("prizes[{place}]");
            check.require(
                usize::from(prize.rank) == place + 1,
                at.clone(),
                Message::english("must be the ranks 1 to 5 in order"),
            );
            check.require(
                prize.winners.is_some() == prize.prize_each.is_some(),
                at.clone(),
                Message::english("must have winners and prize_each, or neither"),
            );
            let (winners, each) = (prize.winners.unwrap_or(0), prize.prize_each.unwrap_or(0));
            let paid = winners.checked_mul(each);
            let fits =
                [Some(winners), Some(each), paid].iter().all(|figure| figure.is_some_and(|figure| figure < 1 << 50));
            check.require(fits, at, Message::english("must be less than 2^50 won in all"));
        }
    }

    /// How `set` fared: its rank by the rules and its prize from this draw's own table.
    pub fn result(&self, set: &Numbers) -> SetResult {
        let rank = self.rank(set);
        let prize = match rank {
            Some(rank) => self.prize_of(rank),
            None => Some(0),
        };
        SetResult {
            numbers: *set,
            rank,
            matched: set.iter().filter(|&number| self.numbers.contains(number)).collect(),
            bonus_matched: set.contains(self.bonus),
            prize,
            tax: prize.map(|prize| self.tax_on(prize)),
        }
    }

    /// Won of tax on one prize of this draw.
    pub fn tax_on(&self, prize: u64) -> u64 {
        tax(prize, self.ticket_price(), self.date)
    }

    /// How many of the set's numbers are winning numbers (the bonus is not counted).
    pub fn matched(&self, set: &Numbers) -> u8 {
        self.numbers.shared(set)
    }

    /// The rank of `set`: 6 numbers, 5 and the bonus, 5, 4, 3 numbers; none below.
    pub fn rank(&self, set: &Numbers) -> Option<u8> {
        match self.matched(set) {
            6 => Some(1),
            5 if set.contains(self.bonus) => Some(2),
            5 => Some(3),
            4 => Some(4),
            3 => Some(5),
            _ => None,
        }
    }

    /// Won for one winning game of `rank` (1..=5), before tax; none while neither published nor fixed.
    pub fn prize_of(&self, rank: u8) -> Option<u64> {
        let published = self.prizes.iter().find(|prize| prize.rank == rank)?.prize_each;
        published.or_else(|| fixed_prize(self.draw_no, rank))
    }

    /// What one game of this draw cost, in won.
    pub fn ticket_price(&self) -> u64 {
        ticket_price(self.draw_no)
    }

    /// Games sold, from the sales and the price; none while not published.
    pub fn games_sold(&self) -> Option<u64> {
        Some(self.total_sales? / self.ticket_price())
    }

    /// Won paid out over all ranks, as winners times prize each: the operator's own totals are
    /// unreliable before draw 575. None while not published.
    pub fn paid_out(&self) -> Option<u64> {
        self.prizes.iter().map(|prize| Some(prize.winners? * prize.prize_each?)).sum()
    }

    /// Winning games of the first rank; none while not published.
    pub fn first_prize_winners(&self) -> Option<u64> {
        self.prizes[0].winners
    }

    fn stage(&self) -> Published {
        let prizes_known = self.total_sales.is_some() && self.prizes.iter().all(|prize| prize.winners.is_some());
        if !prizes_known {
            return Published::Numbers;
        }
        let never_published = self.draw_no < FIRST_DRAW_WITH_METHODS || self.first_prize_winners() == Some(0);
        if self.first_prize_methods.is_some() || never_published { Published::Complete } else { Published::Prizes }
    }
}

/// What one game of draw `draw_no` costs, in won: 2,000 through draw 87, 1,000 from 88.
pub fn ticket_price(draw_no: u32) -> u64 {
    if draw_no < FIRST_DRAW_AT_1000_WON { 2_000 } else { 1_000 }
}

/// The prize of `rank` that the rules fix whatever is sold, in won: 50,000 for the fourth from draw 401, 5,000 for the
/// fifth (10,000 while a game cost 2,000); none for the others, which share the rest.
pub fn fixed_prize(draw_no: u32, rank: u8) -> Option<u64> {
    match rank {
        4 if draw_no >= FIRST_DRAW_WITH_FIXED_FOURTH_PRIZE => Some(50_000),
        5 => Some(5 * ticket_price(draw_no)),
        _ => None,
    }
}

/// The day of draw `draw_no` in Asia/Seoul: 2002-12-07 and every seventh day since, without
/// exception through draw 1245.
pub fn date_of(draw_no: u32) -> Result<NaiveDate> {
    let weeks = draw_no.checked_sub(1).filter(|weeks| *weeks < 100_000);
    weeks
        .and_then(|weeks| FIRST_DAY.checked_add_days(Days::new(7 * u64::from(weeks))))
        .ok_or_else(|| Error::field("draw_no", validation_messages::between(1, 100_000)))
}

/// The number of the newest draw on or before `day`, 0 before the first one. Whether that draw's
/// hour has come on a Saturday is the caller's to know.
pub fn newest_on(day: NaiveDate) -> u32 {
    let days = (day - FIRST_DAY).num_days();
    u32::try_from(days.div_euclid(7) + 1).unwrap_or(0)
}

/// The Saturday of the first draw.
const FIRST_DAY: NaiveDate = match NaiveDate::from_ymd_opt(2002, 12, 7) {
    Some(day) => day,
    None => NaiveDate::MIN,
};

#[cfg(test)]
mod tests {
    use super::super::import::built_in;
    use super::*;

    fn set(numbers: [u8; 6]) -> Numbers {
        Numbers::new(numbers).unwrap()
    }

    #[test]
    fn every_rank_is_paid_from_the_draws_own_table() {
        let draw = &built_in()[1244];
        assert_eq!((draw.draw_no, draw.date.to_string().as_str(), draw.bonus), (1245, "2026-10-10", 12));
        assert_eq!(draw.numbers, set([4, 5, 25, 28, 32, 42]));
        let rank_and_prize = |numbers| (draw.result(&set(numbers)).rank, draw.result(&set(numbers)).prize);
        assert_eq!(rank_and_prize([4, 5, 25, 28, 32, 42]), (Some(1), Some(3_006_515_775)));
        assert_eq!(rank_and_prize([4, 5, 25, 28, 32, 12]), (Some(2), Some(55_064_392)));
        assert_eq!(rank_and_prize([4, 5, 25, 28, 32, 1]), (Some(3), Some(1_615_365)));
        assert_eq!(rank_and_prize([4, 5, 25, 28, 12, 1]), (Some(4), Some(50_000)));
        assert_eq!(rank_and_prize([4, 5, 25, 12, 2, 1]), (Some(5), Some(5_000)));
        assert_eq!(rank_and_prize([4, 5, 12, 3, 2, 1]), (None, Some(0)));
        assert_eq!(draw.result(&set([4, 5, 12, 3, 2, 1])).matched, [4, 5]);
    }

    #[test]
    fn a_prize_that_is_not_published_is_unknown_and_not_zero() {
        let draw = Draw::with_numbers_only(1246, set([1, 2, 3, 4, 5, 6]), 7).unwrap();
        assert_eq!(draw.published, Published::Numbers);
        let third = draw.result(&set([1, 2, 3, 4, 5, 42]));
        assert_eq!((third.rank, third.prize, third.tax), (Some(3), None, None));
        assert_eq!(draw.result(&set([1, 2, 30, 40, 41, 42])).prize, Some(0));
        assert_eq!(draw.paid_out(), None);
    }

    #[test]
    fn the_fixed_prizes_are_known_with_the_numbers() {
        let draw = Draw::with_numbers_only(1246, set([1, 2, 3, 4, 5, 6]), 7).unwrap();
        assert_eq!(draw.result(&set([1, 2, 3, 4, 41, 42])).prize, Some(50_000));
        assert_eq!(draw.result(&set([1, 2, 3, 40, 41, 42])).prize, Some(5_000));
        assert_eq!(draw.result(&set([1, 2, 3, 40, 41, 42])).tax, Some(0));
        for draw in built_in() {
            for rank in 1..=5 {
                let paid = draw.prizes[usize::from(rank) - 1].prize_each;
                assert!(fixed_prize(draw.draw_no, rank).is_none_or(|fixed| paid == Some(fixed)), "{}", draw.draw_no);
            }
        }
        assert_eq!((fixed_prize(400, 4), fixed_prize(401, 4), fixed_prize(87, 5)), (None, Some(50_000), Some(10_000)));
    }

    #[test]
    fn a_large_prize_is_shown_with_its_tax() {
        let first = built_in()[1244].result(&built_in()[1244].numbers);
        // 22 % of 300,000,000 and 33 % of the 2,706,514,775 above, less the ticket.
        assert_eq!((first.prize, first.tax), (Some(3_006_515_775), Some(959_149_875)));
    }

    #[test]
    fn draws_fall_on_saturdays_from_2002_12_07_on() {
        assert_eq!(date_of(1245).unwrap().to_string(), "2026-10-10");
        assert!(date_of(0).is_err() && date_of(u32::MAX).is_err());
        assert_eq!(newest_on("2026-10-16".parse().unwrap()), 1245);
        assert_eq!(newest_on("2026-10-17".parse().unwrap()), 1246);
        assert_eq!(newest_on("2002-12-06".parse().unwrap()), 0);
        assert!((1..2000).all(|draw_no| newest_on(date_of(draw_no).unwrap()) == draw_no));
    }

    #[test]
    fn a_draw_that_contradicts_itself_is_refused() {
        let numbers = set([1, 2, 3, 4, 5, 6]);
        assert!(Draw::with_numbers_only(5, numbers, 6).is_err());
        assert!(Draw::with_numbers_only(5, numbers, 46).is_err());
        let mut wrong_day = Draw::with_numbers_only(5, numbers, 7).unwrap();
        wrong_day.date = wrong_day.date.succ_opt().unwrap();
        assert!(wrong_day.settle().unwrap_err().fields.contains_key("date"));
    }

    #[test]
    fn the_stage_follows_from_what_is_known() {
        let stage = |draw_no: usize| built_in()[draw_no - 1].published;
        assert_eq!(stage(1), Published::Complete);
        assert_eq!(stage(289), Published::Complete, "nobody won, so there is no split to wait for");
        assert_eq!(stage(1200), Published::Complete);
        assert_eq!(stage(1240), Published::Prizes, "the split of 1240 is not in the data");
    }
}

//! Draws from a table of comma-separated values: the ones that ship with the program, and those
//! that a household brings by hand (`hanok lotto import FILE.csv`).

use std::sync::LazyLock;

use chrono::NaiveDate;

use super::draw::{Draw, FirstPrizeMethods, Prize, date_of};
use super::numbers::Numbers;
use hanok_base::error::Check;
use hanok_base::{Error, Message, Result, validation_messages};

/// The columns with numbers: `draw_no,date,n1..n6,bonus,first_winners,first_prize_each,total_sales`.
pub const DRAW_COLUMNS: usize = 12;
/// The columns with prizes: `draw_no`, winners and prize of the ranks 1 to 5, `total_sales`, and how
/// the first rank was filled in (auto, manual, semi-auto; may be empty).
pub const PRIZE_COLUMNS: usize = 15;

/// The draws 1 to 1245 that ship with the program, every rank with winners and prizes, ascending.
pub fn built_in() -> &'static [Draw] {
    static DRAWS: LazyLock<Vec<Draw>> = LazyLock::new(|| {
        let numbers = include_str!("../../../assets/data/lotto/draws.csv");
        let prizes = include_str!("../../../assets/data/lotto/prizes.csv");
        parse_draws_csv(numbers).and_then(|draws| add_prizes_csv(draws, prizes)).unwrap_or_default()
    });
    &DRAWS
}

/// Reads a table with [`DRAW_COLUMNS`] (a head line is skipped; the last three may be left out or
/// empty) into draws of which the numbers are known, ascending.
///
/// Every refused line is named with its number in the file: `line 17` and what it must be.
pub fn parse_draws_csv(text: &str) -> Result<Vec<Draw>> {
    Check::of(|check| {
        let parsed = rows(text).filter_map(|(line, cells)| keep(check, line, parse_draw(&cells)));
        let mut draws: Vec<Draw> = parsed.collect();
        draws.sort_by_key(|draw| draw.draw_no);
        for pair in draws.windows(2) {
            let again = pair[0].draw_no == pair[1].draw_no;
            check.require(!again, format!("draw {}", pair[0].draw_no), Message::english("must appear only once"));
        }
        check.require(!draws.is_empty(), "file", Message::english("must have at least one draw"));
        draws
    })
}

/// Reads a table with [`PRIZE_COLUMNS`] and fills winners, prizes, sales and the split of the first
/// rank into `draws`. Lines of draws that are not among `draws` are refused.
pub fn add_prizes_csv(mut draws: Vec<Draw>, text: &str) -> Result<Vec<Draw>> {
    Check::of(|check| {
        for (line, cells) in rows(text) {
            keep(check, line, add_prizes(&mut draws, &cells));
        }
    })?;
    Ok(draws)
}

/// Either kind of table, told apart by the second column, which is a day or a count: one with numbers
/// ([`parse_prizes_csv`]), or one with prizes only, of draws that are among the `known` ones. This is what
/// `hanok lotto import` takes.
pub fn parse_csv(text: &str, known: &[Draw]) -> Result<Vec<Draw>> {
    let counts = |cells: &[&str]| cells.get(1).is_some_and(|cell| cell.parse::<u64>().is_ok());
    let Some(mut with_prizes) = rows(text).next().filter(|(_, cells)| counts(cells)).map(|_| known.to_vec()) else {
        return parse_prizes_csv(text);
    };
    let named: Vec<u64> = rows(text).filter_map(|(_, cells)| cells.first()?.parse().ok()).collect();
    with_prizes.retain(|draw| named.contains(&u64::from(draw.draw_no)));
    add_prizes_csv(with_prizes, text)
}

/// One table that has either the columns of [`parse_draws_csv`], or those followed by the
/// [`PRIZE_COLUMNS`] without their draw number.
pub fn parse_prizes_csv(text: &str) -> Result<Vec<Draw>> {
    let wide = rows(text).any(|(_, cells)| cells.len() > DRAW_COLUMNS);
    let draws = parse_draws_csv(text)?;
    if !wide {
        return Ok(draws);
    }
    let prizes: Vec<String> = text
        .lines()
        .map(|line| match line.split(',').nth(DRAW_COLUMNS) {
            Some(_) => {
                let cells: Vec<&str> = line.split(',').collect();
                format!("{},{}", cells[0], cells[DRAW_COLUMNS..].join(","))
            }
            None => String::new(),
        })
        .collect();
    add_prizes_csv(draws, &prizes.join("\n"))
}

/// The lines that carry data, with their numbers in the file (from 1) and their trimmed cells.
fn rows(text: &str) -> impl Iterator<Item = (usize, Vec<&str>)> {
    let lines = text.trim_start_matches('\u{feff}').lines().enumerate();
    let data = lines.filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with("draw_no"));
    data.map(|(index, line)| (index + 1, line.split(',').map(str::trim).collect()))
}

/// The value of `result`, or its refused fields under the number of their line.
fn keep<T>(check: &mut Check, line: usize, result: Result<T>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(error) => {
            let what: Vec<String> = error.fields.iter().map(|(field, must)| format!("{field} {must}")).collect();
            check.require(false, format!("line {line}"), Message::english(what.join(", ")));
            None
        }
    }
}

fn parse_draw(cells: &[&str]) -> Result<Draw> {
    if cells.len() < 9 {
        return Err(Error::field("columns", Message::english("must be at least draw_no, date, n1 to n6 and bonus")));
    }
    let typed: Vec<i64> = (2..8).map(|at| cells[at].parse().unwrap_or(0)).collect();
    let (draw_no, date, numbers, bonus, winners, prize_each, total_sales) = Check::of(|check| {
        let draw_no = whole(cells, 0, "draw_no").and_then(|number| {
            let number = u32::try_from(number).unwrap_or(0);
            date_of(number).map(|_| number)
        });
        (
            check.keep(draw_no),
            check.keep(day(cells[1])),
            check.keep(Numbers::check("numbers", &typed)),
            check.keep(whole(cells, 8, "bonus")),
            check.keep(optional(cells, 9, "first_winners")),
            check.keep(optional(cells, 10, "first_prize_each")),
            check.keep(optional(cells, 11, "total_sales")),
        )
    })?;
    let missing = || Error::field("line", Message::english("must be complete"));
    let bonus = u8::try_from(bonus.ok_or_else(missing)?).unwrap_or(0);
    let mut draw = Draw::with_numbers_only(draw_no.ok_or_else(missing)?, numbers.ok_or_else(missing)?, bonus)?;
    draw.date = date.ok_or_else(missing)?;
    draw.total_sales = total_sales.flatten();
    draw.prizes[0] = Prize { rank: 1, winners: winners.flatten(), prize_each: prize_each.flatten() };
    draw.settle()?;
    Ok(draw)
}

fn add_prizes(draws: &mut [Draw], cells: &[&str]) -> Result<()> {
    if cells.len() < PRIZE_COLUMNS - 3 {
        return Err(Error::field(
            "columns",
            Message::english("must be draw_no, five times winners and prize, and total_sales"),
        ));
    }
    let draw_no = whole(cells, 0, "draw_no")?;
    let draw = draws
        .iter_mut()
        .find(|draw| u64::from(draw.draw_no) == draw_no)
        .ok_or_else(|| Error::field("draw_no", Message::english("must be a draw whose numbers are known")))?;
    for (place, prize) in draw.prizes.iter_mut().enumerate() {
        prize.winners = Some(whole(cells, 1 + 2 * place, &format!("rank{}_winners", place + 1))?);
        prize.prize_each = Some(whole(cells, 2 + 2 * place, &format!("rank{}_prize_each", place + 1))?);
    }
    draw.total_sales = Some(whole(cells, 11, "total_sales")?);
    let split: Result<Vec<Option<u64>>> = (12..15).map(|at| optional(cells, at, "first_prize_methods")).collect();
    if let [Some(auto), Some(manual), Some(semi_auto)] = split?.as_slice() {
        let count = |value: &u64| {
            u32::try_from(*value).map_err(|_| Error::field("first_prize_methods", Message::english("must be small")))
        };
        draw.first_prize_methods =
            Some(FirstPrizeMethods { auto: count(auto)?, manual: count(manual)?, semi_auto: count(semi_auto)? });
    }
    draw.settle()
}

fn whole(cells: &[&str], at: usize, name: &str) -> Result<u64> {
    optional(cells, at, name)?.ok_or_else(|| Error::field(name, validation_messages::WHOLE))
}

fn optional(cells: &[&str], at: usize, name: &str) -> Result<Option<u64>> {
    match cells.get(at) {
        None | Some(&"") => Ok(None),
        Some(cell) => cell.parse().map(Some).map_err(|_| Error::field(name, validation_messages::WHOLE)),
    }
}

fn day(cell: &str) -> Result<NaiveDate> {
    cell.parse().map_err(|_| Error::field("date", Message::english("must be a day like 2026-10-10")))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn all_1245_draws_ship_with_the_program() {
        let draws = built_in();
        assert_eq!(draws.len(), 1245);
        assert!(draws.iter().enumerate().all(|(index, draw)| draw.draw_no as usize == index + 1));
        assert!(draws.iter().all(|draw| draw.paid_out().is_some() && draw.total_sales.is_some()));
        assert_eq!(draws[1127].first_prize_winners(), Some(63));
        assert_eq!(draws[18].prize_of(1), Some(40_722_959_400));
        let without_winner: Vec<u32> =
            draws.iter().filter(|draw| draw.first_prize_winners() == Some(0)).map(|draw| draw.draw_no).collect();
        assert_eq!(without_winner, [1, 4, 5, 7, 8, 9, 13, 18, 24, 41, 71, 289, 295, 463]);
    }

    #[test]
    fn a_bad_row_is_named_by_its_line() {
        let text = "draw_no,date,n1\n1,2002-12-07,10,23,29,33,37,40,16\n2,2002-12-14,9,9,21,25,32,42,2\nx,y,1\n";
        let error = parse_draws_csv(text).unwrap_err();
        assert_eq!(error.fields.keys().collect::<Vec<_>>(), ["line 3", "line 4"]);
        assert!(error.fields["line 3"].contains("numbers[1]"), "{error}");
    }

    #[test]
    fn a_wrong_day_a_repeated_draw_and_an_empty_file_are_refused() {
        assert!(
            parse_draws_csv("2,2002-12-15,9,13,21,25,32,42,2").unwrap_err().fields["line 1"].contains("2002-12-14")
        );
        let twice = "2,2002-12-14,9,13,21,25,32,42,2\n2,2002-12-14,9,13,21,25,32,42,2";
        assert!(parse_draws_csv(twice).unwrap_err().fields.contains_key("draw 2"));
        assert!(parse_draws_csv("").is_err());
    }

    #[test]
    fn one_wide_table_brings_numbers_and_prizes() {
        let head = "draw_no,date,n1,n2,n3,n4,n5,n6,bonus,first_winners,first_prize_each,total_sales,rank1_winners\n";
        let row = "2,2002-12-14,9,13,21,25,32,42,2,1,2002006800,4904274000,\
                   1,2002006800,2,94866800,103,1842000,3763,100800,55480,10000,4904274000,,,";
        let draws = parse_prizes_csv(&format!("{head}{row}")).unwrap();
        assert_eq!(draws, [built_in()[1].clone()]);
        let narrow = parse_prizes_csv("2,2002-12-14,9,13,21,25,32,42,2").unwrap();
        assert_eq!((narrow[0].prize_of(4), narrow[0].prize_of(5)), (None, Some(10_000)));
    }

    #[test]
    fn a_table_of_prizes_completes_known_draws_and_names_unknown_ones() {
        let known: Vec<Draw> = built_in()[..2]
            .iter()
            .map(|draw| Draw::with_numbers_only(draw.draw_no, draw.numbers, draw.bonus).unwrap())
            .collect();
        let row = "2,1,2002006800,2,94866800,103,1842000,3763,100800,55480,10000,4904274000,,,\n";
        assert_eq!(parse_csv(row, &known).unwrap(), [built_in()[1].clone()]);
        // Who won by machine and by hand may be left out to the last column, but no more than that.
        let short = row.trim_end_matches(",,,\n");
        assert_eq!(parse_csv(short, &known).unwrap(), [built_in()[1].clone()]);
        let shorter = parse_csv(short.trim_end_matches(",4904274000"), &known).unwrap_err();
        assert!(shorter.fields["line 1"].contains("total_sales"), "{shorter}");
        let unknown = parse_csv(&format!("{row}7{}", &row[1..]), &known).unwrap_err();
        assert_eq!(unknown.fields.keys().collect::<Vec<_>>(), ["line 2"]);
        let numbers = parse_csv("2,2002-12-14,9,13,21,25,32,42,2", &[]).unwrap();
        assert_eq!(numbers[0].numbers, built_in()[1].numbers);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[0-9,\\-\n a-z]{0,200}") {
            let _ = parse_prizes_csv(&text);
        }

        #[test]
        fn a_table_with_any_cells_is_draws_or_lines_that_are_named(
            cells in prop::collection::vec((0usize..26, prop_oneof![
                any::<u64>().prop_map(|n| n.to_string()), any::<i64>().prop_map(|n| n.to_string()), any::<String>(),
                Just("2002-12-14".to_owned()), Just("9999999999999999999999".to_owned()), Just("1e9".to_owned()),
            ]), 0..5),
            line_end in prop::sample::select(vec!["\n", "\r\n", "\r", "\n\n"]),
            mark in prop::sample::select(vec!["", "\u{feff}", "\0"]),
        ) {
            let mut row: Vec<String> = "2,2002-12-14,9,13,21,25,32,42,2,1,2002006800,4904274000,\
                1,2002006800,2,94866800,103,1842000,3763,100800,55480,10000,4904274000,,,"
                .split(',').map(str::to_owned).collect();
            for (at, cell) in cells {
                row[at] = cell;
            }
            let text = format!("{mark}draw_no,date{line_end}{}{line_end}", row.join(","));
            for table in [parse_csv(&text, built_in()), parse_csv(&text, &[]), parse_draws_csv(&text)] {
                match table {
                    Ok(draws) => {
                        let prizes = || draws.iter().flat_map(|draw| &draw.prizes);
                        prop_assert!(draws.iter().all(|draw| draw.draw_no >= 1));
                        prop_assert!(prizes().all(|prize| prize.winners.max(prize.prize_each) < Some(1 << 50)));
                    }
                    Err(error) => prop_assert!(!error.fields.is_empty(), "{error:?}"),
                }
            }
        }
    }
}

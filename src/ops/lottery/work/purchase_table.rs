//! Purchases to and from a table for spreadsheets.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::sync::Semaphore;

use super::super::model::{OfRepeated, ReadTable, RefusedLine, TableLine, read_table_while, said, write_table};
use super::super::store::{imports, purchases};
use hanok_base::{Error, Result, day};
use hanok_platform::app::App;
use hanok_platform::store::{ReadTransaction, ReadTx};

/// What a table says.
pub struct Preview {
    /// Its lines, at most [`MOST_SHOWN`] of them, those that say the same as another first, then those with known games; each with how many
    /// of its games are known.
    pub lines: Vec<(TableLine, u64)>,
    /// How many lines are purchases.
    pub count: u64,
    /// How many of these say the same as another.
    pub repeated: u64,
    /// How many of these name a prize that the purchase that says the same does not have.
    pub prizes: u64,
    /// How many are of a ticket that is written down or stands in a line before them.
    pub known_tickets: u64,
    /// How many games of lines that say the same as no other are known: their numbers are written down for their draw, or
    /// stand in a line before.
    pub known_games: u64,
    /// What is paid for in each draw: by lines that say the same as no other, and by those that do and may be written.
    pub draws: BTreeMap<u32, (u64, u64)>,
    /// The lines that are refused.
    pub refused: Vec<RefusedLine>,
    /// How many lines are refused; more may be than are named.
    pub refused_count: u64,
}

/// How many lines of a table are shown.
const MOST_SHOWN: usize = 100;
/// Tables that are written at the same time: all purchases lie in memory meanwhile.
const AT_ONCE: usize = 2;
static WRITING: Semaphore = Semaphore::const_new(AT_ONCE);

/// The purchases as a table, and the name of its file.
///
/// # Errors
/// Those of the store.
pub async fn exported(app: &App, in_korean: bool) -> Result<(String, String)> {
    let turn = WRITING.acquire().await.map_err(Error::internal)?;
    let write = move |tx: &ReadTx| {
        let _turn = turn;
        export(tx, in_korean)
    };
    app.data.store.read(write).await
}

fn export(tx: &impl ReadTransaction, in_korean: bool) -> Result<(String, String)> {
    let name = format!("hanok-purchases-{}.csv", day::of(tx.now()));
    Ok((name, write_table(purchases::all(tx)?.iter(), in_korean)?))
}

/// What a table says, and what it repeats. Nothing is written. Its lines and the purchases of their draws lie in memory
/// meanwhile, so one is read after the other.
///
/// # Errors
/// Those of the store.
pub async fn preview(app: &App, text: Arc<String>) -> Result<Preview> {
    let read = move |tx: &ReadTx| {
        let ReadTable { purchases, refused, refused_count } =
            read_table_while(&text, tx.now(), || tx.while_waited_for())?;
        drop(text);
        let (lines, tickets) = imports::compared_anew(tx, purchases)?;
        let known = imports::known_games(tx, &lines)?;
        let known_games = known.iter().sum();
        let count = |which: &dyn Fn(&TableLine) -> bool| lines.iter().filter(|line| which(line)).count() as u64;
        let repeated = count(&TableLine::is_repeated);
        let prizes = count(&|line| line.other_prize().is_some());
        let known_tickets = count(&|line| line.is_repeated() && line.is_known_ticket(&tickets));
        let mut draws = BTreeMap::<u32, (u64, u64)>::new();
        for line in lines.iter().filter(|line| !line.is_repeated() || !line.is_known_ticket(&tickets)) {
            let (once, again) = draws.entry(line.purchase.draw_no).or_default();
            *(if line.is_repeated() { again } else { once }) += line.purchase.amount;
        }
        let count = lines.len() as u64;
        let mut lines: Vec<_> = lines.into_iter().zip(known).collect();
        if lines.len() > MOST_SHOWN {
            lines.sort_by_key(|(line, known)| (!line.is_repeated(), *known == 0));
            lines.truncate(MOST_SHOWN);
            lines.sort_by_key(|(line, _)| line.line);
        }
        Ok(Preview { lines, count, repeated, prizes, known_tickets, known_games, draws, refused, refused_count })
    };
    app.data.store.read_in_turn(read).await
}

/// How many lines a table has that may be written down so. While another table is written, that is said, and nothing of this
/// one: some of its lines may just have been written.
///
/// # Errors
/// `CONFLICT` while another one is written, when a line is refused, and when some say the same as another and it is not said what becomes of them.
pub async fn check(app: &App, text: Arc<String>, of_repeated: Option<OfRepeated>) -> Result<u64> {
    app.data.store.read(|tx| imports::refuse_beside_another(tx)).await?;
    let preview = preview(app, text).await?;
    app.data.store.read(|tx| imports::refuse_beside_another(tx)).await?;
    refuse(&preview.refused, preview.refused_count)?;
    if preview.repeated > 0 && of_repeated.is_none() {
        return Err(Error::conflict(said::LINES_REPEATED.with([("count", preview.repeated.into())])));
    }
    Ok(preview.count)
}

/// # Errors
/// `CONFLICT` when a line is refused.
pub(super) fn refuse_lines(table: &ReadTable) -> Result<()> {
    refuse(&table.refused, table.refused_count)
}

fn refuse(refused: &[RefusedLine], count: u64) -> Result<()> {
    let Some(first) = refused.first() else { return Ok(()) };
    Err(Error::conflict(said::LINES_REFUSED.with([("count", count.into()), ("line", first.line.into())])))
}

#[cfg(test)]
mod tests {
    use hanok_base::Clock;
    use hanok_platform::jobs::Jobs;
    use hanok_platform::testing;

    use super::super::super::model::read_table;
    use super::*;

    #[test]
    fn one_refused_line_is_told_as_one_and_many_as_many() {
        let said = |lines: &str| {
            let table = read_table(&format!("draw_no,count\n1240,1\n{lines}"), testing::draw_night());
            refuse_lines(&table).map_err(|error| error.to_string())
        };
        let one = said("x,1\n").unwrap_err();
        assert!(one.contains("nothing is written: 1 line is refused, which is line 3; the preview"), "{one}");
        let many = said("x,1\ny,1\n").unwrap_err();
        assert!(many.contains("nothing is written: 2 lines are refused, the first is line 3; the preview"), "{many}");
        assert_eq!(said(""), Ok(()));
    }

    #[tokio::test]
    async fn only_so_many_tables_are_written_at_once_and_the_others_wait_for_their_turn() {
        let app = testing::app(&Clock::fixed(testing::draw_night()), Jobs::default());
        let turns = WRITING.acquire_many(AT_ONCE as u32).await.unwrap();
        let mut waiting = tokio::task::JoinSet::new();
        for _ in 0..5 {
            let app = app.clone();
            waiting.spawn(async move { exported(&app, true).await });
        }
        // Whoever only reads goes on meanwhile.
        for _ in 0..50 {
            app.data.store.read(|tx| export(tx, true)).await.unwrap();
        }
        assert!(waiting.try_join_next().is_none(), "none was written");
        drop(turns);
        for one in waiting.join_all().await {
            assert!(one.unwrap().1.contains("복권 고유 번호"));
        }
        assert_eq!(WRITING.available_permits(), AT_ONCE);
    }
}

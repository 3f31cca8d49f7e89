//! Tables of the exchange come in from files, and the demo from nowhere.

use std::fs::File;
use std::io::{self, BufReader, Read};

use chrono::NaiveDate;
use flate2::read::MultiGzDecoder;

use super::super::model::table::{ListedDays, read_table};
use super::super::model::{demo, said};
use super::super::store::{self, ImportOutcome, Source};
use super::packed::next_head;
use hanok_base::{Error, Result, day};
use hanok_platform::app::App;
use hanok_platform::blobs::Put;
use hanok_platform::blocking::{self, go_on};
use hanok_platform::store::WriteTx;

/// So many MiB a table may have, unpacked: a year of all stocks has a third of it.
const MOST_MEBIBYTES: u64 = 256;
/// Bytes of a file that is sent: as many as it may have unpacked.
const LARGEST_FILE: u64 = MOST_MEBIBYTES << 20;
/// How gzip begins.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// A table that was taken in.
#[derive(Debug, serde::Serialize)]
pub struct Imported {
    /// What the file is called.
    pub file: String,
    /// What became of it.
    #[serde(flatten)]
    pub taken: ImportOutcome,
}

/// Takes in every table of a file that [`open_tables`](super::packed::open_tables) has packed, each in one transaction. Those before
/// one that is refused stay: brought again, they change nothing.
///
/// # Errors
/// `INVALID_INPUT` naming what is wrong with a table.
pub async fn import_all(app: &App, file: File) -> Result<Vec<Imported>> {
    let mut from = BufReader::new(file);
    let (mut imported, today) = (Vec::new(), day::of(app.clock.now()));
    loop {
        let (rest, read) = blocking::run_in_turn(move |abandoned| {
            let head = next_head(&mut from).map_err(Error::internal)?;
            let Some((name, length)) = head else { return Ok((from, None)) };
            let listed = unpacked(&name, &mut (&mut from).take(length), today, || go_on(abandoned))?;
            Ok((from, Some((name, listed))))
        })
        .await?;
        let Some((file, listed)) = read else { return Ok(imported) };
        from = rest;
        let taken = app.data.store.write(move |tx| store::import_bars(tx, &listed, Source::Exchange)).await?;
        imported.push(Imported { file, taken });
    }
}

/// A table on its way in, of which nothing stays but its rows.
///
/// # Errors
/// `TOO_LARGE`; `STORAGE_FULL`.
pub async fn begin(app: &App, announced: Option<u64>) -> Result<Put> {
    app.data.blobs.begin(announced, LARGEST_FILE).await
}

/// Takes in the table that has come, whose file is called `name`.
///
/// # Errors
/// `INVALID_INPUT` naming what is wrong with it.
pub async fn imported(app: &App, name: String, table: Put) -> Result<ImportOutcome> {
    let (table, today) = (table.pass(), day::of(app.clock.now()));
    let read = blocking::run_in_turn(move |abandoned| unpacked(&name, &mut table.open()?, today, || go_on(abandoned)));
    let listed = read.await?;
    app.data.store.write(move |tx| store::import_bars(tx, &listed, Source::Exchange)).await
}

/// Reads a table to its end, packed or not.
fn unpacked(
    name: &str,
    from: &mut impl Read,
    today: NaiveDate,
    go_on: impl FnMut() -> Result<()>,
) -> Result<ListedDays> {
    let not_read = |error: io::Error| Error::field("file", said::NOT_READ).because(error);
    let mut first = Vec::new();
    from.take(GZIP.len() as u64).read_to_end(&mut first).map_err(not_read)?;
    let is_packed = first == GZIP;
    let whole = first.as_slice().chain(&mut *from);
    let most = MOST_MEBIBYTES << 20;
    let (listed, left) = if is_packed {
        let mut bounded = MultiGzDecoder::new(whole).take(most);
        (read_table(name, &mut bounded, today, go_on)?, bounded.limit())
    } else {
        let mut bounded = whole.take(most);
        (read_table(name, &mut bounded, today, go_on)?, bounded.limit())
    };
    if left == 0 {
        return Err(Error::field("file", said::TOO_LARGE.with([("mebibytes", MOST_MEBIBYTES.into())])));
    }
    io::copy(from, &mut io::sink()).map_err(not_read)?;
    Ok(listed)
}

/// Makes the demo.
///
/// # Errors
/// `CONFLICT` where there are data of the exchange.
pub fn make_demo(tx: &WriteTx) -> Result<ImportOutcome> {
    use hanok_platform::store::ReadTransaction as _;
    store::import_bars(tx, &demo::companies(day::of(tx.now())), Source::Demo)
}

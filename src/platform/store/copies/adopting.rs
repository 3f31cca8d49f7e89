//! Taking over a store file that was copied or moved after a crash, with nothing running: of a dead machine whose disk
//! was moved, say. Its marker cannot tell it from a file that was copied while it was written, so its bytes decide: every
//! page and every row of a copy of it is checked, and only when all is sound does the copy take its place.

use super::super::file::direct::Direct;
use super::super::file::fault;
use super::super::file::folder::DataFolder;
use super::super::file::source::{self, Broken, Mended, Torn};
use super::super::rows::Schema;
use super::rehearsal::on_file;
use super::restore::{self, Prepared, Restored, Waiting};
use super::said;
use hanok_base::{Clock, Error, Kind, Result};

/// Takes over the store file that lies in a folder that no appliance has open. `progress` hears percent.
///
/// # Errors
/// `CONFLICT` when there is nothing to take over, or something is not sound: then nothing was changed.
pub fn offline(folder: &DataFolder, schema: &Schema, clock: &Clock, mut progress: impl FnMut(u8)) -> Result<Restored> {
    restore::tidy(folder, clock)?;
    if !folder.store_file().exists() {
        let path = folder.root().display().to_string();
        return Err(Error::conflict(said::NOTHING_TO_ADOPT.with([("path", path.into())])));
    }
    let checked =
        checked(folder, schema, clock, &mut progress).map_err(|error| fault::unserved(folder.root(), error))?;
    progress(95);
    restore::put_adopted_in_place(folder, checked, clock)
}

fn checked(folder: &DataFolder, schema: &Schema, clock: &Clock, progress: &mut impl FnMut(u8)) -> Result<Prepared> {
    let waiting = Waiting::at(folder);
    source::copy(folder, &waiting.0).map_err(of_its_pages)?;
    progress(30);
    // The machine stopped: a last write that is not there whole is taken for one that was cut off, and what that may cost
    // is said.
    let last_write_left_out = match source::open_checked(&waiting.0, Torn::IsCutOff) {
        Ok((_, mended)) => mended == Mended::CutOff,
        Err(broken) => return Err(of_its_pages(broken)),
    };
    progress(60);
    let path = waiting.0.clone();
    let prepared = restore::prepare(waiting, "hanok.redb".to_owned(), schema, clock)
        .and_then(|prepared| prepared.bring_up_to_date(schema, clock))
        .map_err(of_the_file)?;
    progress(80);
    let flaws = on_file(&path, source::CHECK_CACHE, clock, |store: &Direct<'_>| store.read(|tx| schema.flaws(tx)));
    let flaws = flaws.map_err(of_the_file)?;
    if !flaws.is_empty() {
        return Err(not_sound(&flaws.all().join("; ")));
    }
    Ok(prepared.noting(last_write_left_out))
}

fn of_its_pages(broken: Broken) -> Error {
    match broken {
        Broken::Io(error) => error,
        Broken::Damaged(cause) => not_sound("its pages are not whole").because(cause),
    }
}

/// What goes wrong with the file is said of it, with the sentence that helps.
fn of_the_file(error: Error) -> Error {
    if error.kind != Kind::Internal {
        return error;
    }
    not_sound("it cannot be read to its end").because(error.cause.unwrap_or_else(|| error.message.to_string()))
}

fn not_sound(finding: &str) -> Error {
    Error::conflict(said::NOT_ADOPTED.with([("finding", finding.into())]))
}

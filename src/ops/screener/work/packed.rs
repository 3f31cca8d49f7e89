//! Tables of whoever commands, each with its name, in one file that the house gets: as a service it sees other disks.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::super::model::said;
use hanok_base::{Error, Result};
use hanok_platform::config::Config;
use hanok_platform::domain::Opened;
use hanok_platform::store::giving;

/// Endings of the tables that a folder gives.
const ENDINGS: [&str; 2] = [".csv", ".csv.gz"];
/// Longer names are cut, in bytes.
const LONGEST_NAME: usize = 200;

/// Opens the table at `path`, or all of those in the folder there, in the order of their names.
///
/// # Errors
/// `INVALID_INPUT` where nothing can be read there.
pub fn open_tables(path: &Path, _config: &Config) -> Result<Opened> {
    let not_read = |error: io::Error| Error::field("file", said::NOT_READ).because(error);
    let mut to = giving::nameless().map_err(not_read)?;
    for table in tables(path).map_err(not_read)? {
        let name = table.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let mut from = File::open(&table).map_err(not_read)?;
        let length = from.metadata().map_err(not_read)?.len();
        let name: String = name.chars().take(LONGEST_NAME / 4).collect();
        write_head(&mut to, &name, length).map_err(not_read)?;
        io::copy(&mut (&mut from).take(length), &mut to).map_err(not_read)?;
    }
    to.rewind().map_err(not_read)?;
    Ok(Opened { file: to, then: Box::new(Ok::<Value, Error>) })
}

fn tables(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !fs::metadata(path)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().to_lowercase();
        if ENDINGS.iter().any(|ending| name.ends_with(ending)) && entry.file_type()?.is_file() {
            found.push(entry.path());
        }
    }
    found.sort();
    if found.is_empty() { Err(io::ErrorKind::NotFound.into()) } else { Ok(found) }
}

fn write_head(to: &mut File, name: &str, length: u64) -> io::Result<()> {
    to.write_all(&(name.len() as u64).to_le_bytes())?;
    to.write_all(&length.to_le_bytes())?;
    to.write_all(name.as_bytes())
}

/// The next table of such a file: its name, and how long it is; none at the end.
///
/// # Errors
/// Those of reading.
pub fn next_head(from: &mut BufReader<File>) -> io::Result<Option<(String, u64)>> {
    let mut number = [0; 8];
    match from.read_exact(&mut number) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let of_name = u64::from_le_bytes(number).min(LONGEST_NAME as u64);
    from.read_exact(&mut number)?;
    let mut name = vec![0; of_name as usize];
    from.read_exact(&mut name)?;
    Ok(Some((String::from_utf8_lossy(&name).into_owned(), u64::from_le_bytes(number))))
}

//! The folder that takes mail where no mail server does: one file a mail, to be opened with any mail program.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use chrono::{DateTime, Duration, NaiveDateTime, Utc};
use serde::{Deserialize, Serialize};

use super::row::Mail;
use crate::app::App;
use crate::blocking;
use crate::jobs::{Job, Lane, Progress};
use crate::store::{DataFolder, WriteTx, folder};
use hanok_base::{Error, Kind, MessageTemplate, Result};

/// How the instant stands in the name of a file.
const INSTANT: &str = "%Y%m%dT%H%M%SZ";

const NO_FOLDER: MessageTemplate =
    MessageTemplate::new("house.mail.no_folder", "the folder mail in the data folder cannot be written to");

/// Puts the mail into the folder, in the place of the same one.
pub(super) async fn put(app: &App, mail: &Mail, bytes: Vec<u8>) -> Result<()> {
    let place = DataFolder::at(&app.config.data.dir).mail();
    let name = name(mail);
    let put = blocking::run(move |_| {
        let unwritable = |error| Error::new(Kind::StorageFull, NO_FOLDER).because(error);
        fs::create_dir_all(&place).map_err(unwritable)?;
        // What a killed attempt has left is no mail.
        match fs::remove_file(place.join(format!("{name}.partial"))) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(unwritable(error)),
            _ => {}
        }
        folder::replace_whole(&place.join(&name), &bytes)
    });
    put.await
}

/// The name of a mail's file: the same however often it is written.
pub(super) fn name(mail: &Mail) -> String {
    format!("{}-{}.eml", mail.created_at.format(INSTANT), mail.id)
}

/// Removes the files of mails that were queued more than `days` ago from the data folder at `root`. What others have put
/// there is left alone.
///
/// # Errors
/// Those of the folder.
pub async fn purge_files(root: &Path, days: u32, now: DateTime<Utc>) -> Result<()> {
    let place = DataFolder::at(root).mail();
    let purge = blocking::run(move |_| {
        let entries = match fs::read_dir(&place) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            entries => entries.map_err(Error::internal)?,
        };
        let oldest_kept = now - Duration::days(days.into());
        for entry in entries.flatten() {
            if entry.file_name().to_str().and_then(instant).is_some_and(|at| at < oldest_kept) {
                fs::remove_file(entry.path()).map_err(Error::internal)?;
            }
        }
        Ok(())
    });
    purge.await
}

/// Removes files of mails that are kept no longer.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RemoveMailFiles {
    /// Their names.
    names: Vec<String>,
}

impl RemoveMailFiles {
    pub(super) fn named(names: Vec<String>) -> RemoveMailFiles {
        RemoveMailFiles { names }
    }
}

impl Job for RemoveMailFiles {
    const KIND: &'static str = "mail_files_remove";
    const TITLE: (&'static str, &'static str) = ("메일 파일 삭제", "Remove files of mails");
    const LANE: Lane = Lane::Mail;
    const SUBJECT: Option<&'static str> = None;

    fn example(_tx: &WriteTx) -> Result<Self> {
        Ok(RemoveMailFiles { names: Vec::new() })
    }

    async fn run(self, app: App, _progress: Progress) -> Result<()> {
        let place = DataFolder::at(&app.config.data.dir).mail();
        let removed = blocking::run(move |_| {
            for name in self.names.iter().filter(|name| instant(name).is_some()) {
                match fs::remove_file(place.join(name)) {
                    Err(error) if error.kind() != ErrorKind::NotFound => return Err(Error::internal(error)),
                    _ => {}
                }
            }
            Ok(())
        });
        removed.await
    }
}

/// The instant in the name of a mail's file, also of one that was not finished.
fn instant(name: &str) -> Option<DateTime<Utc>> {
    let name = name.strip_suffix(".partial").unwrap_or(name);
    let (instant, id) = name.strip_suffix(".eml")?.split_once('-')?;
    id.parse::<u64>().ok()?;
    Some(NaiveDateTime::parse_from_str(instant, INSTANT).ok()?.and_utc())
}

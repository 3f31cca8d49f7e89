//! Files that come in in parts: who is interrupted, or finds the house started again, goes on where it was.
//!
//! What has come in lies beside the other files. How far it is on the disk stands in the store, with every so many bytes
//! and when a part ends; what came after that is sent again where the process was killed. While it lives it knows better:
//! the file and the digest so far rest here between two parts. One that nobody goes on with for a day goes.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

use chrono::{DateTime, Utc};
use parking_lot::Mutex;

use super::Blobs;
use super::put::{Written, check_size, random_name};
use super::upload_row::{Row, UPLOADS, Upload, kept};
use crate::blocking;
use crate::store::{DataFolder, Order, Partial, ReadTransaction, file_fault};
use hanok_base::{Error, Kind, MessageTemplate, Result};

/// So many come in at the same time.
const MOST_AT_ONCE: usize = 64;
/// Bytes after which what has come in is synced, and noted.
const NOTE_EVERY: u64 = 32 << 20;
/// How the name of what has come in ends.
const ENDS: &str = ".upload";

const TOO_MANY: MessageTemplate = MessageTemplate::new(
    "house.too_many_uploads",
    "{most} files are coming in already; end one of them, or wait for it",
);
const BUSY: MessageTemplate = MessageTemplate::new("house.upload_busy", "a part of this file is coming in already");
const ELSEWHERE: MessageTemplate =
    MessageTemplate::new("house.upload_elsewhere", "of this file {offset} bytes are there: the next part begins there");
const MORE: MessageTemplate = MessageTemplate::new("house.upload_more", "more comes in than was announced");

/// What rests between two parts.
#[derive(Default)]
pub(super) struct Resting(Mutex<HashMap<String, Option<Part>>>);

/// What has come in so far.
struct Part {
    file: File,
    written: Written,
    /// So many bytes are noted.
    noted: u64,
}

/// The next part of a file on its way in. Dropped, it lets the next one go on where it was.
pub struct Receiving {
    blobs: Blobs,
    id: String,
    row: Row,
    part: Option<Part>,
}

impl Drop for Receiving {
    fn drop(&mut self) {
        let mut resting = self.blobs.resting.0.lock();
        match self.part.take() {
            Some(part) => drop(resting.insert(self.id.clone(), Some(part))),
            None => drop(resting.remove(&self.id)),
        }
    }
}

/// How many are not whole yet. One that is stays noted for a day, for a sender who did not hear of it.
fn coming_in(tx: &impl ReadTransaction) -> Result<usize> {
    tx.entries(&UPLOADS, "".., Order::Ascending).try_fold(0, |count, entry| {
        let row: Row = entry?.value()?;
        Ok(count + usize::from(row.file.is_none()))
    })
}

/// How many bytes are still to come of what was begun.
pub(super) fn promised(tx: &impl ReadTransaction) -> Result<u64> {
    tx.entries(&UPLOADS, "".., Order::Ascending).try_fold(0u64, |sum, entry| {
        let row: Row = entry?.value()?;
        let left = if row.file.is_none() { row.length.saturating_sub(row.offset) } else { 0 };
        Ok(sum.saturating_add(left))
    })
}

fn path_of(folder: &DataFolder, id: &str) -> PathBuf {
    folder.blobs().join(format!("{id}{ENDS}"))
}

impl Blobs {
    /// Begins a file of `length` bytes, at most `most`, that comes in in parts; its sender calls it `name`. One without
    /// bytes is whole at once.
    ///
    /// # Errors
    /// `TOO_LARGE`; `STORAGE_FULL`; `CONFLICT` while very many come in.
    pub async fn begin_upload(&self, length: u64, most: u64, name: Option<String>) -> Result<Upload> {
        check_size(length, most)?;
        let blobs = self.clone();
        let promised = self.store.read_inline(|tx| promised(tx)).await?;
        let id = blocking::run(move |_| {
            blobs.store.check_room(promised.saturating_add(length))?;
            let id = random_name()?;
            let path = path_of(blobs.folder()?, &id);
            let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
            file.map_err(|error| file_fault("taking a file in", error))?;
            Ok(id)
        });
        let id = id.await?;
        let key = id.clone();
        let row = self.store.write(move |tx| {
            tx.quiet();
            if coming_in(tx)? >= MOST_AT_ONCE {
                return Err(Error::conflict(TOO_MANY.with([("most", MOST_AT_ONCE.into())])));
            }
            let row = Row { length, offset: 0, name, touched_at: tx.now(), file: None };
            tx.put(&UPLOADS, key.as_str(), &row).map(|()| row)
        });
        let row = match row.await {
            Ok(row) => row,
            Err(error) => {
                let _ = fs::remove_file(path_of(self.folder()?, &id));
                return Err(error);
            }
        };
        if length == 0 {
            return self.receive(&id, 0).await?.end().await;
        }
        Ok(row.seen(&id, 0))
    }

    /// How far the upload `id` is.
    ///
    /// # Errors
    /// `NOT_FOUND`; `CONFLICT` while a part of it comes in.
    pub async fn upload(&self, id: &str) -> Result<Upload> {
        let row = self.row(id).await?;
        let alive = self.resting.0.lock().get(id).map(|part| part.as_ref().map(|part| part.written.bytes()));
        match alive {
            Some(None) => Err(Error::conflict(BUSY)),
            Some(Some(offset)) => Ok(row.seen(id, offset)),
            None => Ok(row.seen(id, row.offset)),
        }
    }

    async fn row(&self, id: &str) -> Result<Row> {
        let key = id.to_owned();
        let row = self.store.read_inline(move |tx| tx.get(&UPLOADS, key.as_str())).await?;
        row.ok_or_else(|| Error::not_found("upload"))
    }

    /// Goes on with the upload `id` at `offset`.
    ///
    /// # Errors
    /// `NOT_FOUND`; `CONFLICT` while another part of it comes in, and where something else than `offset` bytes is there.
    pub async fn receive(&self, id: &str, offset: u64) -> Result<Receiving> {
        let row = self.row(id).await?;
        let rests = {
            let mut resting = self.resting.0.lock();
            match resting.get_mut(id) {
                Some(None) => return Err(Error::conflict(BUSY)),
                Some(part) => part.take(),
                None => {
                    resting.insert(id.to_owned(), None);
                    None
                }
            }
        };
        let receiving = Receiving { blobs: self.clone(), id: id.to_owned(), row, part: rests };
        let receiving = receiving.opened().await?;
        let there = receiving.offset();
        if there != offset {
            return Err(Error::conflict(ELSEWHERE.with([("offset", there.into())])));
        }
        Ok(receiving)
    }

    /// Ends an upload, of which nothing stays; the file that it became stays as any other.
    ///
    /// # Errors
    /// `NOT_FOUND`; `CONFLICT` while a part of it comes in.
    pub async fn end_upload(&self, id: &str) -> Result<()> {
        let row = self.row(id).await?;
        // Nobody goes on with it meanwhile.
        let alone = {
            let mut resting = self.resting.0.lock();
            if let Some(None) = resting.get(id) {
                return Err(Error::conflict(BUSY));
            }
            resting.insert(id.to_owned(), None);
            Receiving { blobs: self.clone(), id: id.to_owned(), row, part: None }
        };
        // First what takes room: where there is none, its row goes when there is.
        let path = path_of(self.folder()?, id);
        let removed = blocking::run(move |_| {
            let _ = fs::remove_file(path);
            Ok(())
        });
        removed.await?;
        let key = id.to_owned();
        let forgotten = self.store.write(move |tx| {
            tx.quiet();
            tx.remove(&UPLOADS, key.as_str())
        });
        forgotten.await?;
        drop(alone);
        Ok(())
    }

    /// Ends the uploads that nobody has gone on with for a day, and removes what lies there of such as the store does not
    /// know.
    ///
    /// # Errors
    /// Those of reading and writing.
    pub async fn clear_uploads(&self) -> Result<()> {
        let Some(folder) = self.store.folder().cloned() else { return Ok(()) };
        let over = self.store.read(|tx| {
            let is_over = |row: &Row| (tx.now() - row.touched_at).abs() > kept();
            let mut over = Vec::new();
            for entry in tx.entries(&UPLOADS, "".., Order::Ascending) {
                let entry = entry?;
                if is_over(&entry.value()?) {
                    over.push(entry.key().to_owned());
                }
            }
            Ok(over)
        });
        for id in over.await? {
            match self.end_upload(&id).await {
                // Somebody goes on with it just now.
                Err(error) if [Kind::Conflict, Kind::NotFound].contains(&error.kind) => {}
                ended => ended?,
            }
        }
        let blobs = self.clone();
        let swept = blocking::run(move |_| {
            let lying = fs::read_dir(folder.blobs()).map_err(|error| file_fault("reading blobs/", error))?;
            let names = lying.flatten().filter_map(|entry| entry.file_name().into_string().ok());
            let ids: Vec<String> = names.filter_map(|name| name.strip_suffix(ENDS).map(str::to_owned)).collect();
            for id in ids {
                // One that is about to be noted is young.
                let is_old = fs::metadata(path_of(&folder, &id))
                    .and_then(|file| file.modified())
                    .is_ok_and(|at| (blobs.clock.now() - DateTime::<Utc>::from(at)).abs() > kept());
                let is_known = blobs.store.read_now(|tx| tx.contains(&UPLOADS, id.as_str()))?;
                if is_old && !is_known {
                    let _ = fs::remove_file(path_of(&folder, &id));
                }
            }
            Ok(())
        });
        swept.await
    }
}

impl Receiving {
    /// How many bytes are there.
    pub fn offset(&self) -> u64 {
        self.part.as_ref().map_or(self.row.offset, |part| part.written.bytes())
    }

    /// With the file open, where the process before had it.
    async fn opened(mut self) -> Result<Receiving> {
        if self.part.is_some() || self.row.file.is_some() {
            return Ok(self);
        }
        blocking::run(move |abandoned| {
            let path = path_of(self.blobs.folder()?, &self.id);
            let file = OpenOptions::new().read(true).write(true).open(path);
            let mut file = file.map_err(|error| Error::not_found("upload").because(error))?;
            let noted = self.row.offset;
            let whole = file.set_len(noted).and_then(|()| file.seek(SeekFrom::Start(0)));
            whole.map_err(|error| file_fault("taking a file in", error))?;
            let written = Written::of((&file).take(noted), || blocking::go_on(abandoned))?;
            let written = written.map_err(|error| file_fault("taking a file in", error))?;
            if written.bytes() != noted {
                return Err(Error::not_found("upload").because("less is there than was noted"));
            }
            file.seek(SeekFrom::End(0)).map_err(|error| file_fault("taking a file in", error))?;
            self.part = Some(Part { file, written, noted });
            Ok(self)
        })
        .await
    }

    /// Writes what has come in, on a thread that may block; now and then what is there is noted.
    ///
    /// # Errors
    /// `TOO_LARGE`; `STORAGE_FULL`. The part that was written before is there.
    pub async fn write(mut self, bytes: Vec<u8>) -> Result<Receiving> {
        if self.offset().saturating_add(bytes.len() as u64) > self.row.length {
            return Err(Error::new(Kind::TooLarge, MORE));
        }
        let written = blocking::run(move |_| {
            let Some(part) = &mut self.part else { return Err(Error::internal("nothing comes in")) };
            let before = part.written.bytes();
            if let Err(error) = part.file.write_all(&bytes) {
                // A part of it may be there: the next one begins where this one began.
                let _ = part.file.set_len(before).and_then(|()| part.file.seek(SeekFrom::Start(before)));
                return Err(file_fault("taking a file in", error));
            }
            part.written.take(&bytes);
            Ok(self)
        });
        let receiving = written.await?;
        let unnoted = receiving.part.as_ref().map_or(0, |part| part.written.bytes() - part.noted);
        if unnoted < NOTE_EVERY || receiving.offset() == receiving.row.length {
            return Ok(receiving);
        }
        receiving.blobs.store.check_room(0)?;
        receiving.noted().await
    }

    /// Ends this part: what has come in is on the disk then, and a whole file has become one.
    ///
    /// # Errors
    /// `STORAGE_FULL`.
    pub async fn end(mut self) -> Result<Upload> {
        if self.row.file.is_some() {
            return Ok(self.row.seen(&self.id, self.row.length));
        }
        if self.offset() < self.row.length {
            let noted = self.noted().await?;
            return Ok(noted.row.seen(&noted.id, noted.offset()));
        }
        let synced = blocking::run(move |_| {
            let part = self.part.take().ok_or_else(|| Error::internal("nothing comes in"))?;
            part.file.sync_all().map_err(|error| file_fault("taking a file in", error))?;
            let place = Partial::of(path_of(self.blobs.folder()?, &self.id));
            Ok((self, place, part.written))
        });
        let (receiving, place, written) = synced.await?;
        // Held until it is noted what the upload became.
        let fresh = receiving.blobs.keep(place, written).await?;
        let file = Some(fresh.blob.id.clone());
        receiving.note(Row { offset: receiving.row.length, file, ..receiving.row.clone() }).await
    }

    /// With what has come in on the disk, and noted.
    async fn noted(mut self) -> Result<Receiving> {
        let synced = blocking::run(move |_| {
            if let Some(part) = &mut self.part {
                part.file.sync_data().map_err(|error| file_fault("taking a file in", error))?;
                part.noted = part.written.bytes();
            }
            Ok(self)
        });
        let mut receiving = synced.await?;
        let row = Row { offset: receiving.offset(), ..receiving.row.clone() };
        receiving.note(row.clone()).await?;
        receiving.row = row;
        Ok(receiving)
    }

    async fn note(&self, row: Row) -> Result<Upload> {
        let id = self.id.clone();
        let noted = self.blobs.store.write(move |tx| {
            tx.quiet();
            // A restore may have brought a state that does not know it.
            if !tx.contains(&UPLOADS, id.as_str())? {
                return Err(Error::not_found("upload"));
            }
            let row = Row { touched_at: tx.now(), ..row };
            tx.put(&UPLOADS, id.as_str(), &row)?;
            Ok(row.seen(&id, row.offset))
        });
        noted.await
    }
}

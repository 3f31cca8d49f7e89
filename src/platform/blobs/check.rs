//! The check: every byte of every file is read again.

use std::fs::File;
use std::io::ErrorKind;
use std::ops::Bound;

use tokio_util::sync::CancellationToken;

use super::put::Written;
use super::row::{self, BLOBS, Blob, BlobFlaw};
use super::{Blobs, path_in};
use crate::blocking;
use crate::store::{DataFolder, Order, ReadTransaction, ReadTx, WriteTx};
use hanok_base::{Message, MessageTemplate, Result};

const MISSING: MessageTemplate = MessageTemplate::new(
    "house.blob_missing",
    "the file {id} ({kind}, {bytes} bytes) is not in blobs/ any more; put the same file there again, or take over a \
     backup file that has it",
);
const CHANGED: MessageTemplate = MessageTemplate::new(
    "house.blob_changed",
    "the file {id} ({kind}, {bytes} bytes) in blobs/ is not what was put there any more; put the same file there again, or \
     take over a backup file that has it",
);

const UNREAD: MessageTemplate = MessageTemplate::new(
    "house.blob_unread",
    "the file {id} ({kind}, {bytes} bytes) in blobs/ could not be read to its end ({cause}); check again, and where that stays \
     so look at the disk",
);

/// What is seen of a file.
enum Seen {
    Sound,
    Flawed(BlobFlaw),
    /// It could not be read: that says nothing of its bytes.
    Unread(String),
}

/// So many are looked at between two looks into the store.
const AT_ONCE: usize = 64;

/// What a check has looked at.
#[derive(Debug, Default)]
pub struct Checked {
    /// How many files were read.
    pub files: u64,
    /// What is wrong, one sentence each.
    pub findings: Vec<Message>,
}

impl Blobs {
    /// Reads every byte of every file that a row names or may name, and notes what is wrong with each. `progress` hears
    /// percent.
    ///
    /// # Errors
    /// Those of reading and writing the store; `CONFLICT` when nobody waits for it any more.
    pub async fn check(&self, mut progress: impl FnMut(u8)) -> Result<Checked> {
        let Some(folder) = self.store.folder().cloned() else { return Ok(Checked::default()) };
        let all = self.store.read(|tx| row::totals(tx)).await?;
        let (mut checked, mut bytes, mut after) = (Checked::default(), 0u64, String::new());
        loop {
            // No transaction is open while files are read: that may take hours.
            let some = self.store.read(move |tx| next(tx, &after)).await?;
            let Some(last) = some.last() else { return Ok(checked) };
            after = last.id.as_str().to_owned();
            checked.files += some.len() as u64;
            let folder = folder.clone();
            let looked = move |abandoned: &CancellationToken| {
                let look = |blob: Blob| look_at(&folder, &blob, abandoned).map(|seen| (blob, seen));
                some.into_iter().map(look).collect::<Result<Vec<_>>>()
            };
            let seen = blocking::run(looked).await?;
            bytes = seen.iter().fold(bytes, |sum, (blob, _)| sum.saturating_add(blob.bytes));
            progress((bytes.saturating_mul(100) / all.bytes.max(1)).min(100) as u8);
            checked.findings.extend(self.note(seen).await?);
        }
    }

    /// Notes what was found of each, and says what is wrong.
    async fn note(&self, seen: Vec<(Blob, Seen)>) -> Result<Vec<Message>> {
        if seen.iter().all(|(blob, seen)| matches!(seen, Seen::Sound) && blob.flaw.is_none()) {
            return Ok(Vec::new());
        }
        let note = move |tx: &WriteTx| {
            tx.quiet();
            let mut wrong = Vec::new();
            for (blob, seen) in seen {
                // It may have gone meanwhile, or come anew.
                let Some(now) = tx.get(&BLOBS, blob.id.as_str())?.filter(|now| now.flaw == blob.flaw) else { continue };
                let flaw = match &seen {
                    Seen::Sound => None,
                    // What no row names is missed by nobody.
                    Seen::Flawed(BlobFlaw::Missing) if now.unused.is_some() => None,
                    Seen::Flawed(flaw) => Some(*flaw),
                    Seen::Unread(_) => now.flaw,
                };
                if now.flaw != flaw {
                    BLOBS.put(tx, &Blob { flaw, ..now })?;
                }
                wrong.extend(said(&blob, &seen, flaw));
            }
            Ok(wrong)
        };
        self.store.write(note).await
    }
}

/// The rows behind `after`.
fn next(tx: &ReadTx, after: &str) -> Result<Vec<Blob>> {
    let behind = (Bound::Excluded(after), Bound::Unbounded);
    tx.entries::<_, &str>(&BLOBS, behind, Order::Ascending).take(AT_ONCE).map(|entry| entry?.value()).collect()
}

fn look_at(folder: &DataFolder, blob: &Blob, abandoned: &CancellationToken) -> Result<Seen> {
    let file = match File::open(path_in(folder, &blob.id)) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Seen::Flawed(BlobFlaw::Missing)),
        Err(error) => return Ok(Seen::Unread(error.to_string())),
    };
    Ok(match Written::of(file, || blocking::go_on(abandoned))? {
        Ok(read) if read.id() == blob.id => Seen::Sound,
        Ok(_) => Seen::Flawed(BlobFlaw::Changed),
        Err(error) => Seen::Unread(error.to_string()),
    })
}

/// What is said of a file of which this was seen, and this noted.
fn said(blob: &Blob, seen: &Seen, flaw: Option<BlobFlaw>) -> Option<Message> {
    let kind = blob.kind.media_type();
    let values = [("id", blob.id.as_str().into()), ("kind", kind.into()), ("bytes", blob.bytes.into())];
    match (seen, flaw) {
        (Seen::Unread(cause), _) => {
            let [id, kind, bytes] = values;
            Some(UNREAD.with([id, kind, bytes, ("cause", cause.as_str().into())]))
        }
        (_, Some(BlobFlaw::Missing)) => Some(MISSING.with(values)),
        (_, Some(BlobFlaw::Changed)) => Some(CHANGED.with(values)),
        (_, None) => None,
    }
}

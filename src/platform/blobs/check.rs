//! The check: every byte of every file is read again.

use std::fs::File;
use std::io::ErrorKind;
use std::ops::Bound;

use tokio_util::sync::CancellationToken;

use super::put::Written;
use super::row::{self, BLOBS, Blob, BlobFlaw};
use super::{Blobs, path_in};
use crate::blocking;
use crate::store::{DataFolder, Order, ReadTx, Reads, WriteTx};
use hanok_base::{Result, Said, Sentence};

const MISSING: Sentence = Sentence::new(
    "house.blob_missing",
    "the file {id} ({kind}, {bytes} bytes) is not in blobs/ any more; put the same file there again, or take over a \
     backup file that has it",
);
const CHANGED: Sentence = Sentence::new(
    "house.blob_changed",
    "the file {id} ({kind}, {bytes} bytes) in blobs/ is not what was put there any more; put the same file there again, or \
     take over a backup file that has it",
);

/// So many are looked at between two looks into the store.
const AT_ONCE: usize = 64;

/// What a check has looked at.
#[derive(Debug, Default)]
pub struct Checked {
    /// How many files were read.
    pub files: u64,
    /// What is wrong, one sentence each.
    pub findings: Vec<Said>,
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
                let look = |blob: Blob| look_at(&folder, &blob, abandoned).map(|flaw| (blob, flaw));
                some.into_iter().map(look).collect::<Result<Vec<_>>>()
            };
            let seen = blocking::run(looked).await?;
            bytes = seen.iter().fold(bytes, |sum, (blob, _)| sum.saturating_add(blob.bytes));
            progress((bytes.saturating_mul(100) / all.bytes.max(1)).min(100) as u8);
            let found = self.note(seen).await?;
            checked.findings.extend(found.into_iter().map(|(blob, flaw)| said(&blob, flaw)));
        }
    }

    /// Notes what was found of each, and gives what is wrong.
    async fn note(&self, seen: Vec<(Blob, Option<BlobFlaw>)>) -> Result<Vec<(Blob, BlobFlaw)>> {
        if seen.iter().all(|(blob, flaw)| flaw.is_none() && blob.flaw.is_none()) {
            return Ok(Vec::new());
        }
        let note = move |tx: &WriteTx| {
            tx.quiet();
            let mut wrong = Vec::new();
            for (blob, flaw) in seen {
                // It may have gone meanwhile, or come anew.
                let Some(now) = tx.get(&BLOBS, blob.id.as_str())?.filter(|now| now.flaw == blob.flaw) else { continue };
                // What no row names is missed by nobody.
                let flaw = flaw.filter(|flaw| *flaw != BlobFlaw::Missing || now.unused.is_none());
                if now.flaw != flaw {
                    BLOBS.put(tx, &Blob { flaw, ..now })?;
                }
                wrong.extend(flaw.map(|flaw| (blob, flaw)));
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

fn look_at(folder: &DataFolder, blob: &Blob, abandoned: &CancellationToken) -> Result<Option<BlobFlaw>> {
    let file = match File::open(path_in(folder, &blob.id)) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Some(BlobFlaw::Missing)),
        Err(_) => return Ok(Some(BlobFlaw::Changed)),
    };
    let read = Written::of(file, || blocking::go_on(abandoned))?;
    Ok(if read.is_ok_and(|read| read.id() == blob.id) { None } else { Some(BlobFlaw::Changed) })
}

fn said(blob: &Blob, flaw: BlobFlaw) -> Said {
    let sentence = match flaw {
        BlobFlaw::Missing => MISSING,
        BlobFlaw::Changed => CHANGED,
    };
    let kind = blob.kind.media_type();
    sentence.with([("id", blob.id.as_str().into()), ("kind", kind.into()), ("bytes", blob.bytes.into())])
}

//! What a backup file says of itself, in little memory, whoever wrote it.

use std::fmt;
use std::io::{BufReader, Read};

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::super::pack::{MOST_BLOBS, is_digest};
use super::super::snapshot::Snapshot;
use super::super::target::DESCRIPTION;
use super::{name_of, not_whole};
use hanok_base::Result;

/// No description is longer, in bytes: most of one names the blobs.
const DESCRIPTION_LIMIT: u64 = 32 << 20;
/// What it says of the snapshot is not longer: it names every table.
const OF_THE_SNAPSHOT: usize = 64 << 10;

/// The description, which `entry` has to be.
pub(super) fn describe<R: Read>(entry: tar::Entry<'_, R>) -> Result<Told> {
    if name_of(&entry)? != DESCRIPTION {
        return Err(not_whole("the description is not the first entry"));
    }
    // As it comes: the whole text of the longest would be many times what is kept of it.
    let text = BufReader::new(entry.take(DESCRIPTION_LIMIT));
    let Unread { format, snapshot, blobs } = serde_json::from_reader(text).map_err(not_whole)?;
    if snapshot.get().len() > OF_THE_SNAPSHOT {
        return Err(not_whole("the snapshot has too long a description"));
    }
    let snapshot: Snapshot = serde_json::from_str(snapshot.get()).map_err(not_whole)?;
    if !snapshot.can_be_ours() {
        return Err(not_whole("the snapshot has a description that no appliance wrote"));
    }
    Ok(Told { format, snapshot, blobs })
}

/// What a file says of itself: a [`Description`](super::pack::Description) in little memory, whoever wrote it.
pub(in crate::store) struct Told {
    pub format: u32,
    pub snapshot: Snapshot,
    pub blobs: Blobs,
}

/// A [`Told`] of which nothing lies in memory yet that could be more than it is said to be.
#[derive(Deserialize)]
struct Unread {
    format: u32,
    snapshot: Box<RawValue>,
    blobs: Blobs,
}

/// The blobs by their checksums, with their sizes.
pub(in crate::store) struct Blobs(Vec<([u8; 32], u64)>);

impl Blobs {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn size(&self, digest: &[u8; 32]) -> Option<u64> {
        let at = self.0.binary_search_by_key(digest, |(digest, _)| *digest).ok()?;
        self.0.get(at).map(|(_, size)| *size)
    }

    pub fn sizes(&self) -> impl Iterator<Item = u64> {
        self.0.iter().map(|(_, size)| *size)
    }
}

impl<'de> Deserialize<'de> for Blobs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Blobs;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("the blobs")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut all: A) -> std::result::Result<Blobs, A::Error> {
                let mut blobs = Vec::new();
                while let Some((name, size)) = all.next_entry::<String, u64>()? {
                    let digest = digest_of(&name).filter(|_| blobs.len() < MOST_BLOBS);
                    blobs.push((digest.ok_or_else(|| A::Error::custom("blobs that no appliance has"))?, size));
                }
                blobs.sort_unstable();
                blobs.dedup_by_key(|(digest, _)| *digest);
                Ok(Blobs(blobs))
            }
        }
        deserializer.deserialize_map(Each)
    }
}

/// The checksum that the name of a blob is.
pub(super) fn digest_of(name: &str) -> Option<[u8; 32]> {
    if !is_digest(name) {
        return None;
    }
    let mut digest = [0; 32];
    for (byte, at) in digest.iter_mut().zip((0..).step_by(2)) {
        *byte = u8::from_str_radix(name.get(at..at + 2)?, 16).ok()?;
    }
    Some(digest)
}

/// The bytes that a file says to hold; none where no number says them.
pub(super) fn total(description: &Told) -> Option<u64> {
    description.blobs.sizes().try_fold(description.snapshot.bytes, u64::checked_add)
}

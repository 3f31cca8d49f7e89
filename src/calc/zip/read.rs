//! Opening.

use std::io::{self, ErrorKind, Read, Seek, SeekFrom};

use encoding_rs::EUC_KR;
use flate2::Crc;
use flate2::read::DeflateDecoder;

use super::{CENTRAL, DEFLATED, END, LOCAL, LOCKED, STORED, UNICODE};

/// Why nothing is given out.
#[derive(Debug)]
pub enum Flaw {
    /// It is no archive, its end is missing, or files in it lie in each other.
    NoArchive,
    /// The file needs a password, or was packed in another way.
    NotRead,
    /// The file is larger than is wanted.
    TooLarge,
    /// The file is another than was packed.
    Damaged,
    /// The archive cannot be read, whatever is in it.
    Io(io::Error),
}

/// What does not unpack says so in words of its own; the words of a disk have a number of the system.
impl From<io::Error> for Flaw {
    fn from(error: io::Error) -> Flaw {
        let is_of_what_is_read =
            matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::InvalidData | ErrorKind::UnexpectedEof);
        if is_of_what_is_read && error.raw_os_error().is_none() { Flaw::Damaged } else { Flaw::Io(error) }
    }
}

/// A file in an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed {
    /// Its name with its folders. What is not in Unicode is shown as well as it can be.
    pub name: String,
    /// Its length as it is unpacked, by what the archive says; no more than that is given out.
    pub size: u64,
    header: u64,
    packed: u64,
    crc: u32,
    method: u16,
    flags: u16,
}

/// The length of what stands at the end, without its remark.
const END_LENGTH: usize = 22;
/// The longest remark.
const REMARK: usize = 65_535;
/// No list of files is longer, in bytes.
const MOST_OF_LIST: u64 = 32 << 20;
/// The length of what stands before a file, without its name.
const BEFORE: usize = 30;
/// So many bytes are given out at once.
const PIECE: usize = 64 << 10;

/// The files in an archive, folders left out: only its list is read.
///
/// # Errors
/// [`Flaw::NoArchive`]; [`Flaw::Io`].
pub fn files(archive: &mut (impl Read + Seek)) -> Result<Vec<Packed>, Flaw> {
    let length = archive.seek(SeekFrom::End(0))?;
    let tail_at = length.saturating_sub((REMARK + END_LENGTH) as u64);
    let tail = part(archive, tail_at, length - tail_at)?.ok_or(Flaw::NoArchive)?;
    let last = tail.len().checked_sub(END_LENGTH).ok_or(Flaw::NoArchive)?;
    let is_end = |at: &usize| {
        long(&tail, *at) == Some(END)
            && short(&tail, at + 20).is_some_and(|remark| at + END_LENGTH + usize::from(remark) == tail.len())
    };
    let end = (0..=last).rev().find(is_end).ok_or(Flaw::NoArchive)?;
    let count = short(&tail, end + 10).ok_or(Flaw::NoArchive)?;
    let list_at = u64::from(long(&tail, end + 16).ok_or(Flaw::NoArchive)?);
    let list_length = (tail_at + end as u64).checked_sub(list_at).filter(|length| *length <= MOST_OF_LIST);
    let list = part(archive, list_at, list_length.ok_or(Flaw::NoArchive)?)?.ok_or(Flaw::NoArchive)?;
    let (mut files, mut at) = (Vec::new(), 0);
    for _ in 0..count {
        let (file, next) = entry(&list, at).ok_or(Flaw::NoArchive)?;
        files.push(file);
        at = next;
    }
    if overlap(&files, list_at) {
        return Err(Flaw::NoArchive);
    }
    files.retain(|file| !file.name.ends_with('/'));
    Ok(files)
}

/// Whether files lie in each other or beyond `end`, as no program packs them: a short archive would be very many then.
fn overlap(files: &[Packed], end: u64) -> bool {
    // What is too large for this kind of archive says its place elsewhere, and is not opened.
    let known = files.iter().filter(|file| !file.is_elsewhere());
    let mut places: Vec<(u64, u64)> =
        known.map(|file| (file.header, file.header + BEFORE as u64 + file.packed)).collect();
    places.sort_unstable();
    places.windows(2).any(|two| two[0].1 > two[1].0) || places.last().is_some_and(|last| last.1 > end)
}

/// So many bytes of an archive, or none where it has less.
fn part(archive: &mut (impl Read + Seek), at: u64, length: u64) -> Result<Option<Vec<u8>>, Flaw> {
    archive.seek(SeekFrom::Start(at))?;
    let mut bytes = Vec::new();
    archive.take(length).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 == length).then_some(bytes))
}

fn entry(archive: &[u8], at: usize) -> Option<(Packed, usize)> {
    if long(archive, at)? != CENTRAL {
        return None;
    }
    let (name, extra, remark) = (short(archive, at + 28)?, short(archive, at + 30)?, short(archive, at + 32)?);
    let begin = at + 46;
    let end = begin + usize::from(name);
    let flags = short(archive, at + 8)?;
    let bytes = archive.get(begin..end)?;
    // Many programs write UTF-8 without saying so.
    let name = match std::str::from_utf8(bytes) {
        Ok(name) => name.to_owned(),
        Err(_) if flags & UNICODE != 0 => return None,
        // Windows in Korean writes its own letters (CP949, which the web calls EUC-KR).
        Err(_) => EUC_KR
            .decode_without_bom_handling_and_without_replacement(bytes)
            .unwrap_or_else(|| String::from_utf8_lossy(bytes))
            .into_owned(),
    };
    let file = Packed {
        name,
        header: long(archive, at + 42)?.into(),
        packed: long(archive, at + 20)?.into(),
        size: long(archive, at + 24)?.into(),
        crc: long(archive, at + 16)?,
        method: short(archive, at + 10)?,
        flags,
    };
    Some((file, end + usize::from(extra) + usize::from(remark)))
}

impl Packed {
    /// Its bytes, of which there may be `most`.
    ///
    /// # Errors
    /// Why it is not given out.
    pub fn open(&self, archive: &mut (impl Read + Seek), most: usize) -> Result<Vec<u8>, Flaw> {
        let mut bytes = Vec::new();
        self.unpack(archive, most as u64, |piece| {
            bytes.extend_from_slice(piece);
            Ok::<(), Flaw>(())
        })?;
        Ok(bytes)
    }

    /// Gives its bytes, of which there may be `most`, to `give`, piece by piece. Whether they are those that were packed is
    /// known at the end.
    ///
    /// # Errors
    /// Why it is not given out; those of `give`.
    pub fn unpack<E: From<Flaw>>(
        &self,
        archive: &mut (impl Read + Seek),
        most: u64,
        mut give: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.flags & LOCKED != 0 || ![STORED, DEFLATED].contains(&self.method) || self.is_elsewhere() {
            return Err(Flaw::NotRead.into());
        }
        if self.size > most {
            return Err(Flaw::TooLarge.into());
        }
        self.go_to(archive)?;
        let mut packed = archive.take(self.packed);
        let mut unpacking;
        let from: &mut dyn Read = match self.method {
            STORED => &mut packed,
            _ => {
                unpacking = DeflateDecoder::new(&mut packed);
                &mut unpacking
            }
        };
        let (mut crc, mut read, mut piece) = (Crc::new(), 0, vec![0; PIECE]);
        loop {
            // No more is unpacked than it says to have, and one byte to see that.
            let wanted = (self.size - read + 1).min(PIECE as u64) as usize;
            let more = from.read(&mut piece[..wanted]).map_err(Flaw::from)?;
            read += more as u64;
            // Having more than it says to have is another way of being another.
            if more == 0 || read > self.size {
                break;
            }
            crc.update(&piece[..more]);
            give(&piece[..more])?;
        }
        if read == self.size && crc.sum() == self.crc { Ok(()) } else { Err(Flaw::Damaged.into()) }
    }

    /// Whether its place or its length stands in what only larger archives have.
    fn is_elsewhere(&self) -> bool {
        let unsaid = u64::from(u32::MAX);
        [self.header, self.packed, self.size].contains(&unsaid)
    }

    /// Goes to where its bytes begin.
    fn go_to(&self, archive: &mut (impl Read + Seek)) -> Result<(), Flaw> {
        let before = part(archive, self.header, BEFORE as u64)?.ok_or(Flaw::Damaged)?;
        let behind = behind(&before).ok_or(Flaw::Damaged)?;
        archive.seek(SeekFrom::Start(self.header + BEFORE as u64 + behind))?;
        Ok(())
    }
}

/// How many bytes stand between what stands `before` a file and the file itself.
fn behind(before: &[u8]) -> Option<u64> {
    let (name, extra) = (short(before, 26)?, short(before, 28)?);
    (long(before, 0)? == LOCAL).then(|| u64::from(name) + u64::from(extra))
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn long(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

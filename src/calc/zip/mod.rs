//! Several files in one, as every system packs and opens them (APPNOTE 6.3.10 of PKWARE): written with names in Unicode and
//! deflated, read where they are stored or deflated.
//!
//! Used by `ops/blog`. Deliberately not here: archives beyond 4 GiB or 65,535 files, passwords, other ways of packing.

mod read;
mod write;

pub use read::{Flaw, Packed, files};
pub use write::{Archive, Stored};

const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
/// The name is in UTF-8.
const UNICODE: u16 = 1 << 11;
/// The file has a password.
const LOCKED: u16 = 1;
const STORED: u16 = 0;
const DEFLATED: u16 = 8;

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::{self, Cursor, Read, Seek, SeekFrom};
    use std::process::Command;

    use chrono::NaiveDate;
    use proptest::prelude::*;

    use super::*;

    fn packed(all: &[(String, Vec<u8>)]) -> Vec<u8> {
        let at = NaiveDate::from_ymd_opt(2026, 10, 10).unwrap().and_hms_opt(21, 30, 2).unwrap();
        let mut archive = Archive::default();
        for (name, bytes) in all {
            assert!(archive.add(name, at, bytes));
        }
        archive.finish()
    }

    fn opened(archive: &[u8]) -> Result<Vec<(String, Vec<u8>)>, Flaw> {
        let mut archive = Cursor::new(archive);
        let all = files(&mut archive)?.into_iter();
        all.map(|file| Ok((file.name.clone(), file.open(&mut archive, 1 << 20)?))).collect()
    }

    #[test]
    fn another_program_opens_what_was_packed() {
        let folder = std::env::temp_dir().join(format!("hanok-zip-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("a.zip");
        let all = [("김장.md".to_owned(), "배추 ".repeat(1000).into_bytes()), ("b/빈.md".to_owned(), Vec::new())];
        fs::write(&file, packed(&all)).unwrap();
        let read = "import sys,zipfile\nz=zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\n\
                    print([(i.filename,i.file_size,i.date_time) for i in z.infolist()])";
        let ran = Command::new("python3").args(["-c", read]).arg(&file).output().unwrap();
        fs::remove_dir_all(&folder).unwrap();
        let said = String::from_utf8_lossy(&ran.stdout);
        let expected = "[('김장.md', 7000, (2026, 10, 10, 21, 30, 2)), ('b/빈.md', 0, (2026, 10, 10, 21, 30, 2))]";
        assert_eq!(said.trim(), expected, "{}", String::from_utf8_lossy(&ran.stderr));
    }

    #[test]
    fn a_name_that_windows_in_korean_wrote_is_read() {
        // "김장/봄.md" and "똠방.md", as Python writes them in CP949; then what is no text there either.
        for (name, read) in [
            (&b"\xb1\xe8\xc0\xe5/\xba\xbd.md"[..], "김장/봄.md"),
            (&b"\x8cc\xb9\xe6.md"[..], "똠방.md"),
            (&b"\xff\xff.md"[..], "\u{fffd}\u{fffd}.md"),
        ] {
            let mut archive = packed(&[("n".repeat(name.len()), b"1".to_vec())]);
            let second = archive.windows(4).position(|four| four == CENTRAL.to_le_bytes()).unwrap();
            for (flags, begin) in [(6, 30), (second + 8, second + 46)] {
                archive[flags..flags + 2].fill(0);
                archive[begin..begin + name.len()].copy_from_slice(name);
            }
            assert_eq!(files(&mut Cursor::new(&archive)).unwrap()[0].name, read);
        }
    }

    #[test]
    fn a_file_that_is_another_than_was_packed_or_too_large_is_not_given_out() {
        // What cannot be made shorter keeps its length when a byte of it is another.
        let bytes: Vec<u8> = (0..1000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let whole = packed(&[("a".to_owned(), bytes)]);
        let all = files(&mut Cursor::new(&whole)).unwrap();
        assert!(matches!(all[0].open(&mut Cursor::new(&whole), 999), Err(Flaw::TooLarge)));
        for at in 31..whole.len() - 70 {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            assert!(opened(&damaged).is_err_and(|flaw| !matches!(flaw, Flaw::Io(_))), "byte {at}");
        }
        assert!(matches!(files(&mut Cursor::new(b"# a text")), Err(Flaw::NoArchive)));
        assert!(matches!(files(&mut Cursor::new(&whole[..whole.len() - 1])), Err(Flaw::NoArchive)));
    }

    #[test]
    fn one_packed_file_is_not_many_and_nothing_is_unpacked_beyond_what_it_says_to_be() {
        let whole = packed(&[("a".to_owned(), vec![0; 500_000]), ("b".to_owned(), b"b".to_vec())]);
        let find = |mark: u32| {
            let mark = mark.to_le_bytes();
            (0..whole.len()).filter(|at| whole[*at..].starts_with(&mark)).collect::<Vec<_>>()
        };
        let list = find(CENTRAL);
        let changed = |at: usize, number: u32| {
            let mut changed = whole.clone();
            changed[at..at + 4].copy_from_slice(&number.to_le_bytes());
            changed
        };
        // The second lies where the first does, the first reaches into the second, the last into the list.
        for many in [changed(list[1] + 42, 0), changed(list[0] + 20, 5_000), changed(list[1] + 20, 5_000)] {
            assert!(matches!(files(&mut Cursor::new(&many)), Err(Flaw::NoArchive)));
        }
        let shorter = changed(list[0] + 24, 10);
        let file = files(&mut Cursor::new(&shorter)).unwrap().remove(0);
        let mut given = 0;
        let unpacked = file.unpack(&mut Cursor::new(&shorter), 100, |piece| {
            given += piece.len();
            Ok::<(), Flaw>(())
        });
        assert!(matches!(unpacked, Err(Flaw::Damaged)) && given == 0);
        let larger = changed(list[0] + 20, u32::MAX);
        let file = files(&mut Cursor::new(&larger)).unwrap().remove(0);
        assert!(matches!(file.open(&mut Cursor::new(&larger), 1 << 20), Err(Flaw::NotRead)));
    }

    /// A disk that gives nothing of what is behind a place.
    struct Failing<'b> {
        bytes: Cursor<&'b [u8]>,
        from: u64,
    }

    impl Read for Failing<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            if self.bytes.position() + into.len() as u64 > self.from {
                return Err(io::Error::from_raw_os_error(5));
            }
            self.bytes.read(into)
        }
    }

    impl Seek for Failing<'_> {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.bytes.seek(to)
        }
    }

    #[test]
    fn a_disk_that_fails_is_another_thing_than_an_archive_that_is_damaged() {
        for bytes in [b"a".repeat(1000), (0..=255).collect()] {
            let whole = packed(&[("a".to_owned(), bytes)]);
            let file = files(&mut Cursor::new(&whole)).unwrap().remove(0);
            let failing = |from| Failing { bytes: Cursor::new(&whole), from };
            assert!(matches!(files(&mut failing(0)), Err(Flaw::Io(_))));
            assert!(matches!(file.open(&mut failing(0), 1000), Err(Flaw::Io(_))), "before the file");
            assert!(matches!(file.open(&mut failing(31), 1000), Err(Flaw::Io(_))), "within the file");
            assert!(matches!(file.open(&mut Cursor::new(&whole[..33]), 1000), Err(Flaw::Damaged)), "it ends early");
        }
    }

    #[test]
    fn what_there_is_no_room_for_is_said_before_it_is_packed() {
        let mut archive = Archive::default();
        assert!(archive.add("a.md", NaiveDate::MIN.into(), b"a"));
        let half = u64::from(u32::MAX) / 2;
        assert!(archive.length_with([("b", half)]).is_some());
        assert_eq!(archive.length_with([("b", half), ("c", half)]), None);
        assert_eq!(archive.length_with((0..65_535).map(|_| ("b", 0))), None);
        assert!(!archive.announce("b", NaiveDate::MIN.into(), Stored { size: 1 << 32, crc: 0 }));
        assert_eq!(opened(&archive.finish()).unwrap(), [("a.md".to_owned(), b"a".to_vec())]);
    }

    proptest! {
        #[test]
        fn whatever_is_packed_is_opened_again(all in prop::collection::vec(("[^/]{0,20}", prop::collection::vec(any::<u8>(), 0..300)), 0..6)) {
            prop_assert_eq!(opened(&packed(&all)).unwrap(), all);
        }

        #[test]
        fn what_is_packed_as_it_is_and_goes_out_in_pieces_is_opened_again_and_as_long_as_was_said(
            all in prop::collection::vec(("[^/]{0,20}", prop::collection::vec(any::<u8>(), 0..300), any::<bool>()), 0..6),
        ) {
            let (mut archive, mut whole) = (Archive::default(), Vec::new());
            let at = NaiveDate::MIN.into();
            let announced: Vec<_> = all.iter().filter(|(.., is_added)| !is_added).collect();
            for (name, bytes, _) in all.iter().filter(|(.., is_added)| *is_added) {
                prop_assert!(archive.add(name, at, bytes));
            }
            let length = archive.length_with(announced.iter().map(|(name, bytes, _)| (name.as_str(), bytes.len() as u64)));
            for (name, bytes, _) in announced {
                prop_assert!(archive.announce(name, at, Stored::of(&bytes[..]).unwrap()));
                whole.extend(archive.take());
                whole.extend(bytes);
            }
            whole.extend(archive.finish());
            prop_assert_eq!(Some(whole.len() as u64), length);
            let mut found = opened(&whole).unwrap();
            let mut expected: Vec<_> = all.into_iter().map(|(name, bytes, _)| (name, bytes)).collect();
            found.sort();
            expected.sort();
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn whatever_bytes_are_sent_are_files_or_none(
            all in prop::collection::vec((".{0,9}", prop::collection::vec(any::<u8>(), 0..30)), 0..4),
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8),
        ) {
            let mut bytes = packed(&all);
            for (at, byte) in changes {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            let mut bytes = Cursor::new(bytes);
            if let Ok(found) = files(&mut bytes) {
                for file in found {
                    let opened = file.open(&mut bytes, 100);
                    prop_assert!(opened.is_err() || opened.is_ok_and(|opened| opened.len() <= 100));
                }
            }
        }
    }
}

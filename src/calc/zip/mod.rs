//! Several files in one, as every system packs and opens them (APPNOTE 6.3.10 of PKWARE): written with names in Unicode and
//! deflated, read where they are stored or deflated.
//!
//! Used by `ops/blog`. Deliberately not here: archives beyond 4 GiB or 65,535 files, passwords, other ways of packing.

mod read;
mod write;

pub use read::{Flaw, Packed, files};
pub use write::Archive;

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
        files(archive)?.into_iter().map(|file| Ok((file.name.clone(), file.open(archive, 1 << 20)?))).collect()
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
    fn a_file_that_is_another_than_was_packed_or_too_large_is_not_given_out() {
        // What cannot be made shorter keeps its length when a byte of it is another.
        let bytes: Vec<u8> = (0..1000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let whole = packed(&[("a".to_owned(), bytes)]);
        let all = files(&whole).unwrap();
        assert_eq!(all[0].open(&whole, 999), Err(Flaw::TooLarge));
        for at in 31..whole.len() - 70 {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            assert!(opened(&damaged).is_err(), "byte {at}");
        }
        assert_eq!(files(b"# a text"), Err(Flaw::NoArchive));
        assert_eq!(files(&whole[..whole.len() - 1]), Err(Flaw::NoArchive));
    }

    proptest! {
        #[test]
        fn whatever_is_packed_is_opened_again(all in prop::collection::vec(("[^/]{0,20}", prop::collection::vec(any::<u8>(), 0..300)), 0..6)) {
            prop_assert_eq!(opened(&packed(&all)), Ok(all));
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
            if let Ok(found) = files(&bytes) {
                for file in found {
                    let opened = file.open(&bytes, 100);
                    prop_assert!(opened.is_err() || opened.is_ok_and(|opened| opened.len() <= 100));
                }
            }
        }
    }
}

//! What is counted and named of what is brought.

use std::io::{self, Cursor, SeekFrom};

use hanok_base::Kind;

use super::*;

struct Failing;

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::from_raw_os_error(5))
    }
}

impl Seek for Failing {
    fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
        Ok(100)
    }
}

#[test]
fn what_posts_show_and_is_not_there_is_counted_once_each_and_a_hundred_are_named() {
    let mut absent = Absent::default();
    for number in (0..300).chain(0..300) {
        absent.add(format!("{number}.png"));
    }
    assert_eq!((absent.named.len(), absent.counted.len()), (NAMED, 300));
}

#[test]
fn a_disk_that_fails_is_a_failure_of_the_house_and_no_fault_of_who_brought_the_zip() {
    assert_eq!(listed(&mut Failing).unwrap_err().kind, Kind::Internal);
    assert_eq!(listed(&mut Cursor::new(b"# a text")).unwrap_err().kind, Kind::InvalidInput);
    assert_eq!(FileReason::of(Flaw::Io(io::Error::from_raw_os_error(5))).unwrap_err().kind, Kind::Internal);
    assert_eq!(FileReason::of(Flaw::Damaged).unwrap(), FileReason::Damaged);
}

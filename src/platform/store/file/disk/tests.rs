//! Bytes that rot, are written over, or are copied while they are written.

use redb::backends::InMemoryBackend;

use super::*;

fn three_blocks() -> Arc<InMemoryBackend> {
    let disk = Arc::new(InMemoryBackend::new());
    disk.set_len(3 * BLOCK as u64).unwrap();
    disk.write(0, &[7; 3 * BLOCK]).unwrap();
    disk
}

#[test]
fn a_byte_that_rots_under_a_guard_is_refused_and_one_that_is_written_is_not() {
    let disk = three_blocks();
    let guard = ChecksummedBackend::new(disk.clone(), Arc::default());
    let mut page = [0; BLOCK];
    guard.read(BLOCK as u64, &mut page).unwrap();
    disk.write(BLOCK as u64 + 9, &[6]).unwrap();
    assert_eq!(guard.read(BLOCK as u64, &mut page).unwrap_err().kind(), ErrorKind::InvalidData);
    guard.write(BLOCK as u64, &[5; BLOCK]).unwrap();
    guard.read(BLOCK as u64, &mut page).unwrap();
    assert_eq!(page, [5; BLOCK]);
    guard.write(BLOCK as u64 + 1, &[4]).unwrap();
    guard.read(0, &mut [0; 2 * BLOCK]).unwrap();
}

#[test]
fn a_beginning_that_something_else_has_written_is_not_written_over_in_the_middle_of_a_commit() {
    let disk = three_blocks();
    let guard = ChecksummedBackend::new(disk.clone(), Arc::default());
    guard.read(0, &mut [0; BLOCK]).unwrap();
    guard.write(BLOCK as u64, &[5; BLOCK]).unwrap();
    guard.write(0, &[5; HEADER]).unwrap();
    disk.write(0, &[9; BLOCK]).unwrap();
    guard.write(BLOCK as u64, &[6; BLOCK]).unwrap();
    for _ in 0..2 {
        guard.write(0, &[6; HEADER]).unwrap_err();
        guard.write(BLOCK as u64, &[6; BLOCK]).unwrap_err();
        guard.set_len(4 * BLOCK as u64).unwrap_err();
    }
    let mut there = [0; BLOCK];
    disk.read(0, &mut there).unwrap();
    assert_eq!(there, [9; BLOCK]);
}

#[test]
fn what_is_known_outlives_the_handle() {
    let (disk, known) = (three_blocks(), Arc::new(PageChecksums::default()));
    ChecksummedBackend::new(disk.clone(), known.clone()).read(0, &mut [0; 3 * BLOCK]).unwrap();
    disk.write(2 * BLOCK as u64, &[1]).unwrap();
    let again = ChecksummedBackend::new(disk, known);
    again.read(0, &mut [0; 2 * BLOCK]).unwrap();
    assert!(again.read(2 * BLOCK as u64, &mut [0; BLOCK]).is_err());
}

#[test]
fn an_overlay_reads_what_was_written_to_it_and_changes_nothing() {
    let disk = three_blocks();
    let overlay = Overlay::at(ChecksummedBackend::new(disk.clone(), Arc::default())).unwrap();
    overlay.set_len(5 * BLOCK as u64).unwrap();
    overlay.write(BLOCK as u64 - 2, &[1; BLOCK]).unwrap();
    let mut read = vec![0; 5 * BLOCK];
    overlay.read(0, &mut read).unwrap();
    let mut expected = vec![7; 3 * BLOCK];
    expected[BLOCK - 2..2 * BLOCK - 2].fill(1);
    expected.resize(5 * BLOCK, 0);
    assert_eq!(read, expected);
    overlay.set_len(BLOCK as u64 - 1).unwrap();
    overlay.set_len(BLOCK as u64).unwrap();
    overlay.read(0, &mut read[..BLOCK]).unwrap();
    assert_eq!(read[BLOCK - 4..BLOCK], [7, 7, 1, 0]);
    assert!(overlay.read(1, &mut read[..BLOCK]).is_err());
    let mut under = vec![0; 3 * BLOCK];
    disk.read(0, &mut under).unwrap();
    assert_eq!(under, vec![7; 3 * BLOCK]);
}

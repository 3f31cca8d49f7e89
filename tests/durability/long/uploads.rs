//! A large file on its way in: killed again and again while it comes, and on a disk that fills up in the middle of it. It
//! goes on where it was, is in the end what was sent, and takes no memory for being large.

use std::fs;
use std::io::{self, Read, Write};
use std::net::TcpStream;

use crate::appliance::Appliance;
use crate::installation::Installation;
use crate::is_long;
use crate::small_disk::SmallDisk;

const MEBIBYTE: u64 = 1 << 20;
/// What the process may take beyond what it has at rest.
const MOST_MEMORY: u64 = 96 * MEBIBYTE;

/// The bytes of the file from `from` on.
fn content(from: u64, length: usize) -> Vec<u8> {
    let word = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes();
    let first = from / 8;
    let words = (first..=(from + length as u64) / 8).flat_map(word);
    words.skip((from % 8) as usize).take(length).collect()
}

fn connected(appliance: &Appliance) -> TcpStream {
    let stream = TcpStream::connect(appliance.address()).unwrap();
    stream.set_nodelay(true).unwrap();
    stream
}

/// The status and the headers of an answer.
fn head(stream: &mut TcpStream) -> io::Result<String> {
    let (mut read, mut byte) = (Vec::new(), [0]);
    while !read.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte)?;
        read.push(byte[0]);
    }
    Ok(String::from_utf8(read).unwrap())
}

fn begin(appliance: &Appliance, length: u64) -> String {
    let mut stream = connected(appliance);
    let host = appliance.address();
    let request = format!(
        "POST /api/uploads HTTP/1.1\r\nHost: {host}\r\nTus-Resumable: 1.0.0\r\nUpload-Length: {length}\r\nContent-Length: 0\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let answer = head(&mut stream).unwrap();
    assert!(answer.starts_with("HTTP/1.1 201 "), "{answer}");
    let place = answer.lines().find_map(|line| line.strip_prefix("location: ")).unwrap();
    place.to_owned()
}

/// Sends the file from `offset` on up to `stop`, as a part that reaches to its end. The status of the answer when all was
/// sent, or it came before that.
fn send(appliance: &Appliance, path: &str, offset: u64, stop: u64, length: u64) -> Option<u16> {
    let mut stream = connected(appliance);
    let host = appliance.address();
    let (most, kind) = (length - offset, "application/offset+octet-stream");
    let request = format!(
        "PATCH {path} HTTP/1.1\r\nHost: {host}\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: {offset}\r\nContent-Type: {kind}\r\nContent-Length: {most}\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut at = offset;
    while at < stop {
        let piece = content(at, (stop - at).min(MEBIBYTE) as usize);
        if stream.write_all(&piece).is_err() {
            break;
        }
        at += piece.len() as u64;
    }
    if at == stop && stop < length {
        return None;
    }
    head(&mut stream).ok()?.split(' ').nth(1)?.parse().ok()
}

fn offset(appliance: &Appliance, path: &str) -> u64 {
    appliance.caller().get(path).unwrap().ok()["offset"].as_u64().unwrap()
}

/// What is given out under the id that the file has got is what was sent.
fn is_what_was_sent(appliance: &Appliance, path: &str, length: u64) {
    let file = appliance.caller().get(path).unwrap().ok()["file"].as_str().unwrap().to_owned();
    let mut stream = connected(appliance);
    let host = appliance.address();
    stream.write_all(format!("GET /api/files/{file} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes()).unwrap();
    let answer = head(&mut stream).unwrap();
    assert!(answer.contains(&format!("content-length: {length}")), "{answer}");
    let mut at = 0;
    while at < length {
        let mut piece = vec![0; (length - at).min(MEBIBYTE) as usize];
        stream.read_exact(&mut piece).unwrap();
        assert!(piece == content(at, piece.len()), "at {at}");
        at += piece.len() as u64;
    }
}

/// A figure of the process in `/proc`, in bytes.
fn memory(appliance: &Appliance, named: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", appliance.process().as_raw_nonzero())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(named)).unwrap();
    line.trim_start_matches(':').trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

#[test]
fn a_large_file_comes_in_across_kills_is_what_was_sent_and_takes_no_memory_for_it() {
    let length = if is_long() { 5 << 30 } else { 150 * MEBIBYTE };
    let installation = Installation::new().with("HANOK_JOBS__SCHEDULE", "false");
    let mut appliance = installation.serve();
    let path = begin(&appliance, length);
    let mut most = 0;
    for kill in 1..=3 {
        let at_rest = memory(&appliance, "VmRSS");
        let there = offset(&appliance, &path);
        assert_eq!(send(&appliance, &path, there, length * kill / 4, length), None);
        most = most.max(memory(&appliance, "VmHWM").saturating_sub(at_rest));
        appliance.kill();
        appliance = installation.serve();
        let after = offset(&appliance, &path);
        // What was under way, and what came since it was noted last, is sent again.
        assert!(after >= there && after + 64 * MEBIBYTE >= length * kill / 4, "{after} of {}", length * kill / 4);
    }
    let at_rest = memory(&appliance, "VmRSS");
    let there = offset(&appliance, &path);
    assert_eq!(send(&appliance, &path, there, length, length), Some(204));
    is_what_was_sent(&appliance, &path, length);
    most = most.max(memory(&appliance, "VmHWM").saturating_sub(at_rest));
    assert!(most < MOST_MEMORY, "{} MiB more than at rest", most / MEBIBYTE);
    println!("{} MiB across 3 kills, with {} MiB of memory", length / MEBIBYTE, most / MEBIBYTE);
    let data = installation.data();
    let lying: Vec<_> = fs::read_dir(data.join("blobs")).unwrap().flatten().collect();
    assert_eq!(lying.len(), 1, "{lying:?}");
    appliance.end();
}

#[test]
fn a_disk_that_fills_up_in_the_middle_of_a_file_refuses_the_rest_and_takes_it_when_there_is_room() {
    let Some(disk) = SmallDisk::mount("size=128m") else { return };
    let installation = Installation::at(&disk.path().join("data"))
        .with("HANOK_JOBS__SCHEDULE", "false")
        .with("HANOK_STORE__RESERVED_DISK_MIB", 2);
    let appliance = installation.serve();
    let length = 40 * MEBIBYTE;
    let path = begin(&appliance, length);
    assert_eq!(send(&appliance, &path, 0, 8 * MEBIBYTE, length), None);
    let there = crate::appliance::until("what was sent is there", || {
        let seen = appliance.caller().get(&path).unwrap();
        seen.body["offset"].as_u64().filter(|offset| *offset > 0)
    });
    disk.fill_but(8 * MEBIBYTE);
    let refused = send(&appliance, &path, there, length, length);
    assert!(refused.is_none_or(|status| status == 507), "{refused:?}");
    // Reading goes on.
    appliance.caller().get("/api/todos").unwrap().ok();
    disk.empty();
    let there = crate::appliance::until("nobody sends it any more", || {
        let seen = appliance.caller().get(&path).unwrap();
        seen.body["offset"].as_u64()
    });
    assert_eq!(send(&appliance, &path, there, length, length), Some(204));
    is_what_was_sent(&appliance, &path, length);
    appliance.end();
}

//! An open file that is handed on through the control socket (`SCM_RIGHTS`, `unix(7)`): whoever commands opens it with their
//! rights and in their view of the disks. A service with folders of its own would find another file under the same path,
//! or none.

use std::fs::File;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::AsFd;

use rustix::io::Errno;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags, recv,
    recvmsg, sendmsg,
};
use tokio::io::Interest;
use tokio::net::UnixStream;

/// Bytes that are taken at once.
const PIECE: usize = 64 << 10;

/// Sends the beginning of `bytes` with `file`. Gives how many of them have gone.
pub(super) async fn send(stream: &UnixStream, bytes: &[u8], file: &File) -> io::Result<usize> {
    let send = || {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut with = SendAncillaryBuffer::new(&mut space);
        let files = [file.as_fd()];
        with.push(SendAncillaryMessage::ScmRights(&files));
        Ok(sendmsg(stream, &[IoSlice::new(bytes)], &mut with, SendFlags::NOSIGNAL)?)
    };
    stream.async_io(Interest::WRITABLE, send).await
}

/// What comes first, with the file that comes with it.
pub(super) async fn receive(stream: &UnixStream) -> io::Result<(Vec<u8>, Option<File>)> {
    let mut bytes = vec![0; PIECE];
    let receive = || {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut with = RecvAncillaryBuffer::new(&mut space);
        let came = recvmsg(stream, &mut [IoSliceMut::new(&mut bytes)], &mut with, RecvFlags::CMSG_CLOEXEC)?;
        let files = with.drain().filter_map(|message| match message {
            RecvAncillaryMessage::ScmRights(mut files) => files.next(),
            _ => None,
        });
        Ok((came.bytes, files.last().map(File::from)))
    };
    let (length, file) = stream.async_io(Interest::READABLE, receive).await?;
    bytes.truncate(length);
    Ok((bytes, file))
}

/// Whether whoever said everything that was heard has gone since: what a process that was ended had asked for is not done
/// behind its back.
pub(super) fn has_gone(stream: &UnixStream) -> bool {
    let mut next = [0; 1];
    let looked = recv(stream, &mut next[..], RecvFlags::PEEK | RecvFlags::DONTWAIT);
    !matches!(looked, Ok((_, 1..)) | Err(Errno::AGAIN))
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    #[tokio::test]
    async fn what_one_side_has_opened_the_other_writes_and_its_words_come_whole() {
        let place = tempfile::TempDir::new().unwrap();
        let path = place.path().join("theirs");
        let (here, there) = UnixStream::pair().unwrap();
        assert_eq!(send(&here, b"words", &File::create(&path).unwrap()).await.unwrap(), 5);
        let (words, file) = receive(&there).await.unwrap();
        assert_eq!(words, b"words");
        std::fs::rename(&path, place.path().join("moved")).unwrap();
        file.unwrap().write_all(b"by the other side").unwrap();
        let mut written = String::new();
        File::open(place.path().join("moved")).unwrap().read_to_string(&mut written).unwrap();
        assert_eq!(written, "by the other side");
    }

    #[tokio::test]
    async fn who_has_gone_is_known_from_who_waits() {
        let (here, there) = UnixStream::pair().unwrap();
        here.try_write(b"words").unwrap();
        receive(&there).await.unwrap();
        assert!(!has_gone(&there));
        drop(here);
        assert!(has_gone(&there));
    }

    #[tokio::test]
    async fn words_without_a_file_are_heard_as_such() {
        let (here, there) = UnixStream::pair().unwrap();
        here.try_write(b"words").unwrap();
        let (words, file) = receive(&there).await.unwrap();
        assert_eq!((words.as_slice(), file.is_none()), (b"words".as_slice(), true));
        drop(here);
        assert_eq!(receive(&there).await.unwrap().0, b"");
    }
}

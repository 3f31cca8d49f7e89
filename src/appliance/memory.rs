//! How much memory the system lets this process have.

use rustix::process::{Resource, getrlimit};

use hanok_base::{Error, Message, Result};

const MEBIBYTE: u64 = 1 << 20;

/// What the appliance needs to fill. With a third of it the first crowd ends the process, and nothing can be said any more.
const NEEDED: u64 = 512 * MEBIBYTE;

/// What it needs of addresses besides, for each core: its threads and the heaps of the C library set far more aside than
/// they fill. With four cores two hundred callers at once took 2,170 MiB in all, and with 2,048 the process ended.
const SET_ASIDE_PER_CORE: u64 = 512 * MEBIBYTE;

/// Refuses a start, before its first thread, where the system lets this process have too little memory. Where a container is told by other means how
/// much it may have, the system ends it without a word.
///
/// # Errors
/// `CONFLICT` with the cure.
pub fn check() -> Result<()> {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    refuse_too_little("addresses", getrlimit(Resource::As).current, NEEDED + cores * SET_ASIDE_PER_CORE)?;
    refuse_too_little("memory", getrlimit(Resource::Data).current, NEEDED)
}

fn refuse_too_little(what: &str, bytes: Option<u64>, needed: u64) -> Result<()> {
    match bytes {
        Some(bytes) if bytes < needed => Err(Error::conflict(Message::english(format!(
            "the system lets this process have {} MiB of {what}, and hanok needs {} MiB at least: raise the limit (`ulimit -v` \
             for addresses and `ulimit -d` for memory, `LimitAS=` and `LimitDATA=` of systemd) and start again; nothing was \
             changed",
            bytes / MEBIBYTE,
            needed / MEBIBYTE
        )))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_little_memory_is_refused_in_a_sentence_with_the_cure() {
        for (bytes, is_enough) in [(None, true), (Some(NEEDED), true), (Some(NEEDED - 1), false), (Some(0), false)] {
            assert_eq!(refuse_too_little("memory", bytes, NEEDED).is_ok(), is_enough, "{bytes:?}");
        }
        let said = refuse_too_little("addresses", Some(200 * MEBIBYTE), 2048 * MEBIBYTE).unwrap_err().message;
        assert!(
            said.contains("have 200 MiB of addresses, and hanok needs 2048 MiB") && said.contains("LimitAS="),
            "{said}"
        );
    }
}

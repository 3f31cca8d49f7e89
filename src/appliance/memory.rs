//! How much memory the system lets this process have.

use rustix::process::{Resource, getrlimit};

use hanok_base::{Error, Result, Said};

const MEBIBYTE: u64 = 1 << 20;

/// What the appliance needs of addresses: its threads and the heaps of the C library set more aside than they fill. With a
/// third of it the first crowd ends the process, and nothing can be said any more.
const NEEDED: u64 = 512 * MEBIBYTE;

/// Refuses to start where the system lets this process have too little memory. Where a container is told by other means how
/// much it may have, the system ends it without a word.
///
/// # Errors
/// `CONFLICT` with the cure.
pub(super) fn check() -> Result<()> {
    [Resource::As, Resource::Data].into_iter().try_for_each(|limit| refuse_too_little(getrlimit(limit).current))
}

fn refuse_too_little(bytes: Option<u64>) -> Result<()> {
    match bytes {
        Some(bytes) if bytes < NEEDED => Err(Error::conflict(Said::english(format!(
            "the system lets this process have {} MiB of memory, and hanok needs {} MiB at least: raise the limit (`ulimit -v` \
             and `ulimit -d`, `LimitAS=` and `LimitDATA=` of systemd) and start again; nothing was changed",
            bytes / MEBIBYTE,
            NEEDED / MEBIBYTE
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
            assert_eq!(refuse_too_little(bytes).is_ok(), is_enough, "{bytes:?}");
        }
        let said = refuse_too_little(Some(200 * MEBIBYTE)).unwrap_err().message;
        assert!(said.contains("have 200 MiB of memory") && said.contains("LimitAS="), "{said}");
    }
}

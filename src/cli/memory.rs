//! What the C library does with memory that was freed.

use std::convert::Infallible;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

use hanok_platform::blocking;

/// Bytes from which on a piece of memory is taken from the system by itself, and goes back to it when it is freed.
#[cfg(target_env = "gnu")]
const BY_ITSELF: libc::c_int = 256 << 10;

/// Has glibc give large pieces back for good. Left to itself it raises this bound, up to 32 MiB, to the largest piece that
/// it has seen freed, takes all smaller ones from its heaps, and keeps twice as much in each of these: a few large tables
/// would stay as hundreds of MiB. To be called before there is another thread.
#[cfg(target_env = "gnu")]
pub(super) fn give_back_what_is_freed() {
    // SAFETY: it takes two numbers, and no other thread is there yet. When it refuses them, nothing has changed.
    #[expect(unsafe_code, reason = "the standard library has no word for this")]
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, BY_ITSELF)
    };
}

/// No other C library keeps as much.
#[cfg(not(target_env = "gnu"))]
pub(super) fn give_back_what_is_freed() {}

/// How often it is looked at whether the process rests.
const LOOK_EVERY: Duration = Duration::from_secs(10);
/// So much of one core is taken between two looks while it rests, at most.
const AT_REST: Duration = Duration::from_millis(200);
/// After work so many looks give memory back: some of it is freed only when nobody has come for a while.
const LOOKS_AFTER_WORK: u8 = 6;

/// Gives back to the system, whenever the process rests after work, what the heaps of the C library keep of memory that was
/// freed: all but the end of a heap stays with it otherwise.
pub(super) async fn give_back_at_rest() -> Infallible {
    let mut rest = Rest::default();
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        let computed = Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default();
        if rest.is_soon_after_work(computed) {
            // What cannot be given back now is looked at again after the next work.
            let given = blocking::run(|_| {
                trim();
                Ok(())
            });
            let _ = given.await;
        }
    }
}

/// Whether a process rests, by the time that it has computed.
#[derive(Default)]
struct Rest {
    computed: Duration,
    looks: u8,
}

impl Rest {
    /// Whether it rests now, after so much time of computing in all, and has worked not long ago.
    fn is_soon_after_work(&mut self, computed: Duration) -> bool {
        let rests = computed.saturating_sub(self.computed) <= AT_REST;
        self.computed = computed;
        self.looks = if rests { self.looks.saturating_add(1) } else { 0 };
        (1..=LOOKS_AFTER_WORK).contains(&self.looks)
    }
}

#[cfg(target_env = "gnu")]
fn trim() {
    // SAFETY: it takes one number, and locks each heap while it looks at it.
    #[expect(unsafe_code, reason = "the standard library has no word for this")]
    unsafe {
        libc::malloc_trim(0)
    };
}

#[cfg(not(target_env = "gnu"))]
fn trim() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_given_back_while_a_process_rests_after_work_and_then_no_more() {
        let mut rest = Rest::default();
        let mut looked = |milliseconds| rest.is_soon_after_work(Duration::from_millis(milliseconds));
        assert!(!looked(5_000), "it has begun");
        assert!([5_200, 5_210, 5_220, 5_230, 5_240, 5_250].into_iter().all(&mut looked));
        assert!(!looked(5_260), "it has been done");
        assert!(!looked(5_461), "it works");
        assert!(looked(5_462), "it rests again");
    }
}

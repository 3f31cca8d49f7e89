//! What the C library does with memory that was freed.

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

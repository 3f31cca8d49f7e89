//! What a caller takes instead of the plain text: gzip, for whatever is worth it.
//!
//! JSON, pages and plain texts are ([`Packable`] stands in their answers), a long text off the threads that answer and once for all who share
//! it. Files of the app are packed when the program is built (`assets.rs`); streams of events and downloads are not packed
//! at all.

use std::io::Write;
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;
use salvo::Request;
use salvo::http::header::ACCEPT_ENCODING;
use salvo::hyper::body::Bytes;
use tokio::sync::OnceCell;

use crate::blocking;
use hanok_base::{Error, Result};

/// Shorter texts fit into one packet as they are.
const WORTH_IT: usize = 1024;
/// Longer ones are packed off the threads that answer: their other callers need not wait for it.
const LARGEST_SMALL: usize = 8 * 1024;

/// A text in both forms; the packed one is made when the first caller asks for it, and clones share it.
#[derive(Debug, Clone)]
pub(super) struct Packable {
    plain: Bytes,
    /// None of what is too short to be worth it.
    packed: Option<Arc<OnceCell<Bytes>>>,
}

impl Packable {
    pub fn new(plain: Vec<u8>) -> Packable {
        Packable { packed: (plain.len() >= WORTH_IT).then(Arc::default), plain: plain.into() }
    }

    /// Whether what is sent depends on what the caller takes.
    pub fn varies(&self) -> bool {
        self.packed.is_some()
    }

    /// The text as it is.
    pub fn plain(self) -> Bytes {
        self.plain
    }

    /// The packed form; none of what is too short.
    pub async fn packed(&self) -> Option<Bytes> {
        let made = self.packed.as_ref()?.get_or_try_init(|| async {
            if self.plain.len() <= LARGEST_SMALL {
                return gzip(&self.plain, Compression::fast());
            }
            let plain = self.plain.clone();
            blocking::run(move |_| gzip(&plain, Compression::default())).await
        });
        made.await.ok().cloned()
    }
}

fn gzip(plain: &[u8], level: Compression) -> Result<Bytes> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(plain.len() / 4), level);
    encoder.write_all(plain).and_then(|()| encoder.finish()).map(Bytes::from).map_err(Error::internal)
}

/// Whether the caller takes `encoding`.
pub(super) fn takes(req: &Request, encoding: &str) -> bool {
    let mut lines = req.headers().get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    lines.any(|line| names(line, encoding))
}

/// Whether `accepted` (RFC 9110, 12.5.3) names `encoding` and does not refuse it with a weight of zero.
fn names(accepted: &str, encoding: &str) -> bool {
    accepted.split(',').any(|one| {
        let (name, weight) = one.split_once(';').unwrap_or((one, ""));
        let weight = weight.trim().strip_prefix("q=").unwrap_or("1");
        name.trim().eq_ignore_ascii_case(encoding) && weight.parse().is_ok_and(|weight: f32| weight > 0.0)
    })
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_form_is_sent_to_who_names_it_and_does_not_refuse_it() {
        for accepted in ["br", "gzip, br", "BR", " br ;q=0.5", "br;q=1.000, *;q=0", "gzip;q=0,br"] {
            assert!(names(accepted, "br"), "{accepted}");
        }
        for accepted in ["", "*", "gzip", "brotli", "br;q=0", "br; q=0.000", "br;q=", "br;q=nan", "br;q=-1", "br br"] {
            assert!(!names(accepted, "br"), "{accepted}");
        }
    }

    #[tokio::test]
    async fn a_text_is_packed_once_for_all_who_share_it() {
        let text = Packable::new(vec![b'7'; 70_000]);
        let (first, second) = (text.packed().await.unwrap(), text.clone().packed().await.unwrap());
        assert_eq!(first.as_ptr(), second.as_ptr());
        assert!(first.len() < 700, "{}", first.len());
    }

    proptest! {
        #[test]
        fn whatever_is_accepted_a_form_is_named_before_it_is_sent(accepted in "[brgzip;q=0.1, *]{0,30}|\\PC{0,30}") {
            for encoding in ["br", "gzip"] {
                prop_assert!(!names(&accepted, encoding) || accepted.to_ascii_lowercase().contains(encoding));
            }
        }

        #[test]
        fn what_is_packed_is_the_same_text_at_any_level(text in ".{0,3000}", level in 1..9_u32) {
            let packed = gzip(text.as_bytes(), Compression::new(level)).unwrap();
            let mut plain = String::new();
            GzDecoder::new(&packed[..]).read_to_string(&mut plain).unwrap();
            prop_assert_eq!(plain, text);
        }
    }
}

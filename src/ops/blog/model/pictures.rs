//! The pictures in a text: files of the house, by the addresses at which they are found.

use std::collections::BTreeSet;

use hanok_platform::blobs::BlobId;

/// Stands before the name of a file in its address.
const FILES: &str = "/api/files/";
/// As long is the name of a file.
const NAME: usize = 64;

/// The files that `body` leads to or shows, each once, whether or not they are there.
pub fn pictures(body: &str) -> BTreeSet<BlobId> {
    let behind = body.match_indices(FILES).map(|(at, address)| &body[at + address.len()..]);
    let ends = |rest: &str| !rest[NAME..].starts_with(|next: char| next.is_ascii_alphanumeric());
    behind.filter_map(|rest| rest.get(..NAME).filter(|_| ends(rest)).and_then(BlobId::parse)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_read_from_their_addresses_and_nothing_else_is() {
        let (one, other) = ("a1".repeat(32), "0f".repeat(32));
        let body = format!(
            "![김장](/api/files/{one} \"배추\") <img src=\"/api/files/{other}\"> 다시 /api/files/{one}?name=a.jpg \
             /api/files/{}한글 /api/files/{}0 /api/files/{} /api/files/",
            "g".repeat(64),
            "b".repeat(64),
            "AB".repeat(32),
        );
        let found: Vec<String> = pictures(&body).iter().map(BlobId::to_string).collect();
        assert_eq!(found, [other, one]);
        assert_eq!(pictures(&format!("/api/files/{}", "가".repeat(64))).len(), 0);
        assert_eq!(pictures(&format!("/api/files/{}가", "c".repeat(64))).len(), 1);
    }
}

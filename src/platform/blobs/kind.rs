//! What a file is, by its first bytes: what its sender says of it counts for nothing.
//!
//! The signatures are those of the WHATWG MIME Sniffing Standard (section 6), and of the formats themselves where that
//! names none (FLAC: RFC 9639; Matroska: RFC 8794; ISO base media: ISO/IEC 14496-12). What could be executed in a browser
//! (HTML, SVG, scripts) is text here, and is shown as text.

use serde::{Deserialize, Serialize};

use hanok_base::schema::ToSchema;

/// So many of the first bytes say what a file is.
pub(super) const LOOKED_AT: usize = 4096;

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MediaKind {
    /// A picture.
    Png,
    /// A picture.
    Jpeg,
    /// A picture.
    Gif,
    /// A picture.
    Webp,
    /// A picture.
    Avif,
    /// A paper.
    Pdf,
    /// Sound.
    Mp3,
    /// Sound.
    Flac,
    /// Sound.
    Wav,
    /// Sound.
    Ogg,
    /// Sound.
    M4a,
    /// A film.
    Mp4,
    /// A film.
    Webm,
    /// An archive, or a document of an office program.
    Zip,
    /// Something packed.
    Gzip,
    /// Text in UTF-8, whatever it means.
    Text,
    /// Anything else.
    #[serde(other)]
    Other,
}

impl MediaKind {
    /// What begins with `head`, its first bytes.
    pub fn of(head: &[u8]) -> MediaKind {
        let head = &head[..head.len().min(LOOKED_AT)];
        if let Some((kind, _)) = SIGNATURES.iter().find(|(_, parts)| parts.iter().all(|part| part.is_in(head))) {
            return *kind;
        }
        match head.get(4..12) {
            Some([b'f', b't', b'y', b'p', brand @ ..]) => of_brand(brand),
            _ if is_mp3_frame(head) => MediaKind::Mp3,
            _ if is_text(head) => MediaKind::Text,
            _ => MediaKind::Other,
        }
    }

    /// Its media type, as an answer says it.
    pub fn media_type(self) -> &'static str {
        match self {
            MediaKind::Png => "image/png",
            MediaKind::Jpeg => "image/jpeg",
            MediaKind::Gif => "image/gif",
            MediaKind::Webp => "image/webp",
            MediaKind::Avif => "image/avif",
            MediaKind::Pdf => "application/pdf",
            MediaKind::Mp3 => "audio/mpeg",
            MediaKind::Flac => "audio/flac",
            MediaKind::Wav => "audio/wav",
            MediaKind::Ogg => "audio/ogg",
            MediaKind::M4a => "audio/mp4",
            MediaKind::Mp4 => "video/mp4",
            MediaKind::Webm => "video/webm",
            MediaKind::Zip => "application/zip",
            MediaKind::Gzip => "application/gzip",
            MediaKind::Text => "text/plain; charset=utf-8",
            MediaKind::Other => "application/octet-stream",
        }
    }

    /// What the name of such a file ends with.
    pub fn ending(self) -> &'static str {
        ENDINGS.iter().find(|(kind, _)| *kind == self).map_or("bin", |(_, endings)| endings[0])
    }

    /// What a file is by what its name ends with; none where that is not one of those that are known here.
    pub fn of_ending(ending: &str) -> Option<MediaKind> {
        let ending = ending.to_ascii_lowercase();
        ENDINGS.iter().find(|(_, endings)| endings.contains(&ending.as_str())).map(|(kind, _)| *kind)
    }

    /// Whether a browser shows it; anything else is only kept. What shows a paper in a browser needs scripts.
    pub fn is_shown(self) -> bool {
        !matches!(self, MediaKind::Pdf | MediaKind::Zip | MediaKind::Gzip | MediaKind::Other)
    }
}

/// What names of files end with, the usual one first.
const ENDINGS: [(MediaKind, &[&str]); 17] = [
    (MediaKind::Png, &["png"]),
    (MediaKind::Jpeg, &["jpg", "jpeg"]),
    (MediaKind::Gif, &["gif"]),
    (MediaKind::Webp, &["webp"]),
    (MediaKind::Avif, &["avif"]),
    (MediaKind::Pdf, &["pdf"]),
    (MediaKind::Mp3, &["mp3"]),
    (MediaKind::Flac, &["flac"]),
    (MediaKind::Wav, &["wav"]),
    (MediaKind::Ogg, &["ogg", "oga", "opus"]),
    (MediaKind::M4a, &["m4a"]),
    (MediaKind::Mp4, &["mp4", "m4v"]),
    (MediaKind::Webm, &["webm", "mkv"]),
    (MediaKind::Zip, &["zip"]),
    (MediaKind::Gzip, &["gz", "tgz"]),
    (MediaKind::Text, &["txt"]),
    (MediaKind::Other, &["bin"]),
];

/// Bytes at a place.
struct Part(usize, &'static [u8]);

impl Part {
    fn is_in(&self, head: &[u8]) -> bool {
        head.get(self.0..).is_some_and(|rest| rest.starts_with(self.1))
    }
}

const SIGNATURES: [(MediaKind, &[Part]); 14] = [
    (MediaKind::Png, &[Part(0, b"\x89PNG\r\n\x1a\n")]),
    (MediaKind::Jpeg, &[Part(0, b"\xff\xd8\xff")]),
    (MediaKind::Gif, &[Part(0, b"GIF87a")]),
    (MediaKind::Gif, &[Part(0, b"GIF89a")]),
    (MediaKind::Webp, &[Part(0, b"RIFF"), Part(8, b"WEBPVP")]),
    (MediaKind::Wav, &[Part(0, b"RIFF"), Part(8, b"WAVE")]),
    (MediaKind::Pdf, &[Part(0, b"%PDF-")]),
    (MediaKind::Mp3, &[Part(0, b"ID3")]),
    (MediaKind::Flac, &[Part(0, b"fLaC")]),
    (MediaKind::Ogg, &[Part(0, b"OggS\0")]),
    (MediaKind::Webm, &[Part(0, b"\x1a\x45\xdf\xa3")]),
    (MediaKind::Zip, &[Part(0, b"PK\x03\x04")]),
    (MediaKind::Zip, &[Part(0, b"PK\x05\x06")]),
    (MediaKind::Gzip, &[Part(0, b"\x1f\x8b\x08")]),
];

/// A file of the ISO base media format, by its major brand.
fn of_brand(brand: &[u8]) -> MediaKind {
    match brand {
        b"avif" | b"avis" => MediaKind::Avif,
        b"M4A " | b"M4B " => MediaKind::M4a,
        b"heic" | b"heix" | b"mif1" | b"qt  " => MediaKind::Other,
        _ => MediaKind::Mp4,
    }
}

/// The header of a frame (ISO/IEC 11172-3, 2.4.1.3): layer III with a bit rate and a sampling rate that there are.
fn is_mp3_frame(head: &[u8]) -> bool {
    let [0xff, second, third, ..] = head else { return false };
    second & 0xe6 == 0xe2 && second & 0x18 != 0x08 && !matches!(third >> 4, 0 | 15) && third & 0x0c != 0x0c
}

/// Whether these are the first bytes of a text: UTF-8, of which the last sign may be cut, without signs that steer a
/// machine.
fn is_text(head: &[u8]) -> bool {
    let is_utf8 = match std::str::from_utf8(head) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none() && head.len() == LOOKED_AT,
    };
    let steers = |byte: &u8| byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c | 0x1b);
    !head.is_empty() && is_utf8 && !head.iter().any(steers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_what_its_first_bytes_say_and_nothing_that_a_browser_would_execute() {
        let long = "가".repeat(LOOKED_AT);
        let expected: [(&[u8], MediaKind); 20] = [
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", MediaKind::Png),
            (b"\xff\xd8\xff\xe0\0\x10JFIF", MediaKind::Jpeg),
            (b"GIF89a<script>", MediaKind::Gif),
            (b"RIFF\x24\0\0\0WEBPVP8 ", MediaKind::Webp),
            (b"RIFF\x24\0\0\0WAVEfmt ", MediaKind::Wav),
            (b"\0\0\0\x1cftypavif\0\0\0\0", MediaKind::Avif),
            (b"\0\0\0\x1cftypM4A \0\0\0\0", MediaKind::M4a),
            (b"\0\0\0\x1cftypisom\0\0\0\0", MediaKind::Mp4),
            (b"\0\0\0\x1cftypheic\0\0\0\0", MediaKind::Other),
            (b"%PDF-1.7\n", MediaKind::Pdf),
            (b"\xff\xfb\x90\x64\0\0", MediaKind::Mp3),
            (b"\xff\xf1\x50\x80\0\0", MediaKind::Other),
            (b"PK\x03\x04\x14\0", MediaKind::Zip),
            (b"<!DOCTYPE html><script>alert(1)</script>", MediaKind::Text),
            (b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", MediaKind::Text),
            (long.as_bytes(), MediaKind::Text),
            (b"\x7fELF\x02\x01\x01\0", MediaKind::Other),
            (b"text\0with a zero", MediaKind::Other),
            (b"\xec\x9d\xb4\xb8", MediaKind::Other),
            (b"", MediaKind::Other),
        ];
        for (head, kind) in expected {
            assert_eq!(MediaKind::of(head), kind, "{:?}", String::from_utf8_lossy(&head[..head.len().min(20)]));
        }
        for (kind, endings) in ENDINGS {
            assert_eq!(kind.ending(), endings[0]);
            assert!(
                endings.iter().all(|ending| MediaKind::of_ending(&ending.to_uppercase()) == Some(kind)),
                "{kind:?}"
            );
        }
        assert_eq!(MediaKind::of_ending("heic"), None);
        for kind in [MediaKind::Text, MediaKind::Other] {
            assert!(["text/plain; charset=utf-8", "application/octet-stream"].contains(&kind.media_type()));
        }
    }
}

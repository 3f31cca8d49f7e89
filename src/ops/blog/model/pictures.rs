//! The pictures in a text: files of the house by the addresses at which they are found, and on the way out of it and into it
//! files that lie beside the text.

use std::collections::BTreeSet;
use std::ops::Range;

use hanok_calc::markdown::{self, Link};
use hanok_platform::blobs::BlobId;
use percent_encoding::percent_decode_str;
use unicode_normalization::UnicodeNormalization;

/// Stands before the name of a file in its address.
const FILES: &str = "/api/files/";
/// As long is the name of a file.
const NAME: usize = 64;
/// The folder in which files lie beside a text that has left the house.
const FOLDER: &str = "pictures/";

/// The files that `body` leads to or shows, each once, whether or not they are there.
pub fn pictures(body: &str) -> BTreeSet<BlobId> {
    named_behind(body, FILES).map(|(_, id)| id).collect()
}

/// Where a name of a file stands behind `mark`, with the mark.
fn named_behind<'b>(body: &'b str, mark: &'static str) -> impl Iterator<Item = (Range<usize>, BlobId)> + 'b {
    let ends = |rest: &str| !rest[NAME..].starts_with(|next: char| next.is_ascii_alphanumeric());
    body.match_indices(mark).filter_map(move |(at, _)| {
        let rest = &body[at + mark.len()..];
        let name = rest.get(..NAME).filter(|_| ends(rest))?;
        Some((at..at + mark.len() + NAME, BlobId::parse(name)?))
    })
}

/// Where a file lies beside a text that has left the house.
pub fn place_beside(id: &BlobId, ending: &str) -> String {
    format!("{FOLDER}{id}.{ending}")
}

/// `body` as it leads to files where `place` says that they are; those of which it says nothing stay where they are.
pub fn leading_beside(body: &str, place: impl Fn(&BlobId) -> Option<String>) -> String {
    let whole = named_behind(body, FILES).filter(|(at, _)| begins_here(body, at.start));
    replaced(body, whole.filter_map(|(at, id)| Some((at, place(&id)?))).collect())
}

/// Whether an address begins at `at`, and no longer one goes on there.
fn begins_here(body: &str, at: usize) -> bool {
    !body[..at].ends_with(|before: char| before.is_alphanumeric() || "/.-_~%:@?&=#+".contains(before)) || {
        let attributes = ["src=", "href="];
        attributes.iter().any(|attribute| body[..at].ends_with(attribute))
    }
}

/// Where `body` may lead to a file that lies beside it, or where the pages of another program begin: the place in the text,
/// and the address, both without what is asked of it. What is named as files of a house are is one of them even where it is
/// no link.
pub fn links_beside(body: &str) -> Vec<(Range<usize>, String)> {
    let mut links: Vec<(Range<usize>, String)> = Vec::new();
    for (at, _) in named_behind(body, FOLDER).filter(|(at, _)| begins_here(body, at.start)) {
        let ending = body[at.end..].strip_prefix('.').unwrap_or_default();
        let length = ending.find(|sign: char| !sign.is_ascii_alphanumeric()).unwrap_or(ending.len());
        let whole = at.start..at.end + 1 + length;
        if length > 0 {
            links.push((whole.clone(), body[whole].to_owned()));
        }
    }
    for Link { at, address } in markdown::links(body) {
        let (name, asked) = address.split_at(address.find(['?', '#']).unwrap_or(address.len()));
        let is_elsewhere = name.starts_with("//") || name.starts_with(FILES) || name.contains("://");
        let is_inside = !name.is_empty() && !is_elsewhere;
        if is_inside {
            // Where it is written in another way, what is asked goes with it.
            let asked = if body[at.clone()].ends_with(asked) { asked.len() } else { 0 };
            links.push((at.start..at.end - asked, name.to_owned()));
        }
    }
    // One that was found in both ways counts once.
    links.sort_by_key(|(at, _)| (at.start, at.end));
    links.dedup_by(|later, earlier| later.0.start < earlier.0.end);
    links
}

/// `body` as it leads to the files of the house that came in from these places beside it.
pub fn leading_inside(body: &str, files: Vec<(Range<usize>, BlobId)>) -> String {
    replaced(body, files.into_iter().map(|(at, id)| (at, format!("{FILES}{id}"))).collect())
}

/// `text` with other words in these places, which stand in their order.
fn replaced(text: &str, places: Vec<(Range<usize>, String)>) -> String {
    let (mut whole, mut done) = (String::with_capacity(text.len()), 0);
    for (at, words) in places {
        whole.push_str(&text[done..at.start]);
        whole.push_str(&words);
        done = at.end;
    }
    whole + &text[done..]
}

/// The name that `address`, in a text in the file `from`, gives to a file in the same archive, as [`plain`] writes it; none
/// where it leads out of that.
fn resolved(from: &str, address: &str) -> Option<String> {
    let from = plain(from).unwrap_or_default();
    let mut folders: Vec<&str> = from.split('/').collect();
    folders.pop();
    // Signs may be written as `%EA`; what is no text then is a name as it is written.
    let unescaped = percent_decode_str(address).decode_utf8();
    let address = unescaped.as_deref().unwrap_or(address).replace('\\', "/");
    for part in address.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(folders.pop()?),
            name => folders.push(name),
        }
    }
    plain(&folders.join("/"))
}

/// Folders whose files lie where the pages of another program begin.
const AT_ROOT: [&str; 4] = ["", "static/", "public/", "source/"];
/// So many folders above a text may be where they begin.
const MOST_ABOVE: usize = 8;

/// The names that `address`, in a text in the file `from`, may give to a file in the same archive, the likeliest first: one
/// that begins with a slash is counted from where the pages begin, which nobody knows.
pub fn possible(from: &str, address: &str) -> Vec<String> {
    let Some(from) = plain(from) else { return Vec::new() };
    if !address.starts_with('/') {
        return resolved(&from, address).into_iter().collect();
    }
    let Some(name) = resolved("", address) else { return Vec::new() };
    let mut above: Vec<&str> = from.match_indices('/').map(|(at, _)| &from[..=at]).rev().take(MOST_ABOVE).collect();
    above.push("");
    above.reverse();
    above.iter().flat_map(|above| AT_ROOT.map(|root| format!("{above}{root}{name}"))).collect()
}

/// The name of a file in an archive in its one spelling; none where it is no name of one inside it. Some systems write the
/// letters of a syllable one by one.
pub fn plain(name: &str) -> Option<String> {
    let mut parts = Vec::new();
    for part in name.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => return None,
            name => parts.push(name),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/").nfc().collect())
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

    #[test]
    fn a_text_leads_to_files_beside_it_and_back_and_no_other_address_is_touched() {
        let (one, other) = ("a1".repeat(32), "0f".repeat(32));
        let body = format!(
            "![김장](/api/files/{one} \"배추\") <img src=\"/api/files/{one}?name=a.jpg\"> https://a.example/api/files/{one}\n\
             [x]: /api/files/{one}\n`/api/files/{one}` ![](/api/files/{other})"
        );
        let place = |id: &BlobId| (id.as_str() == one).then(|| place_beside(id, "jpg"));
        let beside = leading_beside(&body, place);
        assert_eq!(beside.matches(&format!("pictures/{one}.jpg")).count(), 4);
        assert!(beside.contains(&format!("https://a.example/api/files/{one}\n")));
        assert!(beside.contains(&format!("![](/api/files/{other})")));
        let back = |body: &str| {
            let id = BlobId::parse(&one).unwrap();
            let links = links_beside(body).into_iter().filter(|(_, address)| address.starts_with("pictures/"));
            leading_inside(body, links.map(|(at, _)| (at, id.clone())).collect())
        };
        assert_eq!(back(&beside), body);
    }

    #[test]
    fn links_of_other_programs_are_found_as_people_write_them() {
        let body = "![봄](images/봄%20꽃.png \"봄\") ![](<a b.png>) <img src='c.gif?x=1'> [글](b.md) [밖](https://a.example/x.png) \
                    ![](/d.png) ![](e.png#f) ![](끝없는.png";
        let links = links_beside(body);
        let found: Vec<&str> = links.iter().map(|(_, address)| address.as_str()).collect();
        assert_eq!(found, ["images/봄%20꽃.png", "a b.png", "c.gif", "b.md", "/d.png", "e.png"]);
        let places: Vec<&str> = links.iter().map(|(at, _)| &body[at.clone()]).collect();
        assert_eq!(places, found);
    }

    #[test]
    fn a_link_is_what_the_reader_of_markdown_takes_for_one() {
        let body = "![](photo(1).png) ![again][r] `![](q.png)` ![](a&amp;b.png?x&amp;y)\n\n```\n![](q.png)\n```\n\n[r]: r.png#1\n";
        let id = BlobId::parse(&"a1".repeat(32)).unwrap();
        let links = links_beside(body);
        let found: Vec<&str> = links.iter().map(|(_, address)| address.as_str()).collect();
        assert_eq!(found, ["photo(1).png", "a&b.png", "r.png"]);
        let inside = leading_inside(body, links.into_iter().map(|(at, _)| (at, id.clone())).collect());
        let expected = "![](IN) ![again][r] `![](q.png)` ![](IN)\n\n```\n![](q.png)\n```\n\n[r]: IN#1\n";
        assert_eq!(inside, expected.replace("IN", &format!("/api/files/{id}")));
    }

    #[test]
    fn a_link_leads_to_a_file_of_its_archive_and_never_out_of_it() {
        let is = |name: &str| Some(name.to_owned());
        assert_eq!(resolved("글/봄.md", "images/%EB%B4%84%20a.png"), is("글/images/봄 a.png"));
        assert_eq!(resolved("글/봄.md", "../사진/봄.png"), is("사진/봄.png"));
        assert_eq!(resolved(".\\글\\봄.md", ".\\봄.png"), is("글/봄.png"));
        assert_eq!(resolved("봄.md", "\u{1107}\u{1169}\u{11b7}.png"), is("봄.png"));
        assert_eq!(resolved("봄.md", "cafe\u{301}.png"), is("café.png"));
        assert_eq!(resolved("봄.md", "p%+41.png"), is("p%+41.png"));
        assert_eq!(resolved("봄.md", "100%.png"), is("100%.png"));
        assert_eq!(resolved("봄.md", "%ff.png"), is("%ff.png"));
        for out in ["../../etc/passwd", "../봄.png/../../../x", "%2e%2e/%2e%2e/x", "..", ""] {
            assert_eq!(resolved("글/봄.md", out).filter(|name| name != "글"), None, "{out}");
        }
        let names = possible("집/content/봄.md", "/images/%EB%B4%84.png");
        assert_eq!(names[..2], ["images/봄.png", "static/images/봄.png"]);
        assert!(names.contains(&"집/static/images/봄.png".to_owned()) && names.len() == 12, "{names:?}");
        assert_eq!((possible("a.md", "/../x.png"), possible("a.md", "b.png")), (Vec::new(), vec!["b.png".to_owned()]));
        assert_eq!(plain("a/../b.png"), None);
        assert_eq!(plain("/a//./b.png"), is("a/b.png"));
    }
}

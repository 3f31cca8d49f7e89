//! Where a text leads to, and where in it that stands.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::mem;
use std::ops::Range;

use comrak::nodes::{Node, NodeValue};
use comrak::{Arena, parse_document};

use super::options;

/// An address that a text leads to, or at which lies what it shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Where it stands in the text, without what is around it.
    pub at: Range<usize>,
    /// What it says: in Markdown signs may be written in other ways.
    pub address: String,
}

/// Stands with a number and [`MARK_END`] before each address that may be one. A name of a tag may begin so.
const MARK: &str = "place-";
const MARK_END: char = '-';
/// What stands before an address in a tag, and what ends it.
const ATTRIBUTES: [(&str, char); 4] = [("src=\"", '"'), ("src='", '\''), ("href=\"", '"'), ("href='", '\'')];

/// The addresses of the links and pictures in `markdown`, in their order, those of definitions and those in HTML with them.
/// What is no link because of what is around it, as code is, has none.
///
/// The library says which links there are, and not where their addresses stand; where there are definitions before them, its
/// places are those of other lines. So it reads the text with a mark before whatever may be an address, and says which of
/// them are.
pub fn links(markdown: &str) -> Vec<Link> {
    if super::is_too_deep(markdown) {
        return Vec::new();
    }
    let mut places = places(markdown);
    places.sort_by_key(|place| (place.at.start, place.at.end));
    places.dedup_by_key(|place| place.at.start);
    let arena = Arena::new();
    let mut found = BTreeMap::new();
    for node in parse_document(&arena, &marked(markdown, &places), &options(markdown)).descendants() {
        note(node, &places, markdown, &mut found);
    }
    let mut links: Vec<Link> =
        found.into_iter().map(|(number, address)| Link { at: places[number].at.clone(), address }).collect();
    links.dedup_by(|later, earlier| later.at.start < earlier.at.end);
    links
}

/// Where an address may stand.
struct Place {
    at: Range<usize>,
    is_in_tag: bool,
}

/// Notes what `node` leads to, by the numbers of the places.
fn note(node: Node<'_>, places: &[Place], markdown: &str, found: &mut BTreeMap<usize, String>) {
    match &node.data().value {
        NodeValue::Link(link) | NodeValue::Image(link) => {
            let read = link.url.strip_prefix(MARK).and_then(number).filter(|(number, _)| *number < places.len());
            if let Some((number, address)) = read.filter(|(number, _)| !places[*number].is_in_tag) {
                found.insert(number, without_marks(address, number, places).trim().to_owned());
            }
        }
        NodeValue::HtmlBlock(block) => note_tags(&block.literal, places, markdown, found),
        NodeValue::HtmlInline(literal) => note_tags(literal, places, markdown, found),
        _ => {}
    }
}

fn note_tags(html: &str, places: &[Place], markdown: &str, found: &mut BTreeMap<usize, String>) {
    for (at, _) in html.match_indices(MARK) {
        let Some((number, _)) = number(&html[at + MARK.len()..]) else { continue };
        if let Some(place) = places.get(number).filter(|place| place.is_in_tag) {
            found.insert(number, markdown[place.at.clone()].to_owned());
        }
    }
}

/// The number of a mark, and what stands behind the mark.
fn number(behind: &str) -> Option<(usize, &str)> {
    let (number, behind) = behind.split_once(MARK_END)?;
    Some((number.parse().ok()?, behind))
}

/// `address` of a place without the marks of what might have been an address in it.
fn without_marks(address: &str, of: usize, places: &[Place]) -> String {
    let is_within =
        |(number, _): &(usize, &str)| places.get(*number).is_some_and(|inner| places[of].at.contains(&inner.at.start));
    let (mut whole, mut rest) = (String::new(), address);
    while let Some((before, behind)) = rest.split_once(MARK) {
        whole.push_str(before);
        match number(behind).filter(is_within) {
            Some((_, behind)) => rest = behind,
            None => {
                whole.push_str(MARK);
                rest = behind;
            }
        }
    }
    whole + rest
}

/// `markdown` with a mark before each of `places`.
fn marked(markdown: &str, places: &[Place]) -> String {
    let (mut whole, mut done) = (String::with_capacity(markdown.len()), 0);
    for (number, Place { at, .. }) in places.iter().enumerate() {
        whole.push_str(&markdown[done..at.start]);
        // Writing into a text cannot fail.
        let _ = write!(whole, "{MARK}{number}{MARK_END}");
        done = at.start;
    }
    whole + &markdown[done..]
}

/// Where addresses may stand in `markdown`, more of them than there are.
fn places(markdown: &str) -> Vec<Place> {
    let mut places = Vec::new();
    let of_links = markdown.match_indices("](").map(|(at, before)| at + before.len());
    let behind = of_links.chain(definitions(markdown));
    places.extend(behind.filter_map(|from| destination(markdown, from)).map(|at| Place { at, is_in_tag: false }));
    let small = markdown.to_ascii_lowercase();
    for (before, end) in ATTRIBUTES {
        for (at, _) in small.match_indices(before) {
            let from = at + before.len();
            let length = markdown[from..].find([end, '\n', '\r']).unwrap_or(0);
            if length > 0 && markdown[from + length..].starts_with(end) {
                places.push(Place { at: from..from + length, is_in_tag: true });
            }
        }
    }
    places
}

/// Behind which `]:` the address of a definition may stand. Before it is its label, in which no bracket stands but behind a
/// backslash, and before that nothing but what begins a block, as a footnote does: what that says may be more than a line,
/// so it has no address itself. Whatever is written, there is at most one for each line, and their addresses are no longer
/// than the text.
fn definitions(markdown: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    let (mut label, mut is_escaped, mut has_one) = (None, false, false);
    for (at, byte) in markdown.bytes().enumerate() {
        let was_escaped = mem::take(&mut is_escaped);
        match byte {
            b'\n' | b'\r' => has_one = false,
            _ if was_escaped => {}
            b'\\' => is_escaped = true,
            b'[' => label = Some(at + 1),
            b']' => {
                let label = label.take().map(|from| &markdown[from..at]);
                let is_defined = label.is_some_and(|label| !label.starts_with('^'));
                if is_defined && !has_one && markdown[at + 1..].starts_with(':') {
                    ends.push(at + 2);
                    has_one = true;
                }
            }
            _ => {}
        }
    }
    ends
}

/// Where the address stands that begins behind `from` and the space there, if one does (CommonMark 0.31.2, section 6.3).
fn destination(markdown: &str, from: usize) -> Option<Range<usize>> {
    let behind = &markdown[from..];
    let of_line = behind.trim_start_matches([' ', '\t']);
    let of_next = of_line.strip_prefix("\r\n").or_else(|| of_line.strip_prefix(['\n', '\r']));
    // The next line may stand in a quotation.
    let text = of_next.map_or(of_line, |next| next.trim_start_matches([' ', '\t', '>']));
    let start = markdown.len() - text.len();
    let at = match text.strip_prefix('<') {
        Some(inner) => start + 1..start + 1 + enclosed(inner)?,
        None => start..start + bare(text)?,
    };
    // What begins a line may be the mark of another block, which a mark before it would take away.
    let begins_block = of_next.is_some() && {
        let address = &markdown[start..at.end];
        !address.starts_with(|sign: char| sign.is_alphanumeric() || "./%".contains(sign))
            || address.ends_with(['.', ')'])
    };
    (!at.is_empty() && !begins_block).then_some(at)
}

/// No address is longer, in bytes: each may begin in the one before it.
const LONGEST_ADDRESS: usize = 2000;
/// So many brackets are open in an address, as the library reads it.
const MOST_BRACKETS: u32 = 32;

/// How long an address is before the `>` that ends it.
fn enclosed(text: &str) -> Option<usize> {
    let mut signs = text.char_indices();
    while let Some((at, sign)) = signs.next() {
        match sign {
            _ if at > LONGEST_ADDRESS => return None,
            '>' => return Some(at),
            '\n' | '\r' | '<' => return None,
            '\\' => drop(signs.next()),
            _ => {}
        }
    }
    None
}

/// How long an address is that ends at a space, or at a bracket that closes what was not opened in it.
fn bare(text: &str) -> Option<usize> {
    let (mut open, mut signs) = (0u32, text.char_indices().peekable());
    while let Some((at, sign)) = signs.next() {
        match sign {
            _ if at > LONGEST_ADDRESS || open > MOST_BRACKETS => return None,
            '\\' => drop(signs.next_if(|(_, next)| next.is_ascii_punctuation())),
            '(' => open += 1,
            ')' if open == 0 => return Some(at),
            ')' => open -= 1,
            _ if sign == ' ' || sign.is_ascii_control() => return Some(at),
            _ => {}
        }
    }
    Some(text.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn addresses(markdown: &str) -> Vec<String> {
        links(markdown).into_iter().map(|link| link.address).collect()
    }

    #[test]
    fn links_stand_where_they_are_written_in_whatever_way() {
        for (written, at, address) in [
            ("![](photo(1).png)", "photo(1).png", "photo(1).png"),
            ("![봄](<봄 꽃.png> \"봄\")", "봄 꽃.png", "봄 꽃.png"),
            ("![](a\\(1.png)", "a\\(1.png", "a(1.png"),
            ("![](a&amp;b.png)", "a&amp;b.png", "a&b.png"),
            ("[![](a.png)][b]", "a.png", "a.png"),
            ("![a][r]\n\n[r]: q.png", "q.png", "q.png"),
            ("> - ![r]\n>\n> [r]:\n>   q.png 'x'\n", "q.png", "q.png"),
            ("[x]: https://a.example\n![](a.png)", "a.png", "a.png"),
            ("> ![](\n> a.png\n> \"b\")", "a.png", "a.png"),
            ("| a |\n|---|\n| ![](a\\|b.png) |", "a\\|b.png", "a|b.png"),
            ("글[^1]\n\n[^1]: ```\n    ![](no.png)\n    ```\n    ![](a.png)", "a.png", "a.png"),
            ("가 <IMG alt='x' SRC='c.gif'>", "c.gif", "c.gif"),
            ("<div>\n<a href=\"b.pdf\">", "b.pdf", "b.pdf"),
            ("`](<` ![](a.png) > x", "a.png", "a.png"),
            ("![](place-7-a.png)", "place-7-a.png", "place-7-a.png"),
        ] {
            let found = links(written);
            let places: Vec<&str> = found.iter().map(|link| &written[link.at.clone()]).collect();
            assert_eq!((addresses(written), places), (vec![address.to_owned()], vec![at]), "{written}");
        }
        assert_eq!(addresses("[![](a.png)](b.png) ![c ![](d.png)](e.png)"), ["a.png", "b.png", "d.png", "e.png"]);
        assert_eq!(addresses("![r] ![r]\n\n[r]: a.png\n[r]: b.png"), ["a.png"], "the first definition is read");
    }

    #[test]
    fn what_is_code_or_no_link_for_another_reason_has_no_address() {
        for written in [
            "```\n![](q.png)\n<img src=\"q.png\">\n[r]: q.png\n```",
            "    ![](q.png)",
            "글 `![](q.png)` 글 `<img src='q.png'>`",
            "\\![\\](q.png)",
            "![](q.png \"a\" b)",
            "![](q.png\n\n)",
            "src=\"q.png\"",
            "[r]: q.png",
            "![]() ![](<>)",
            "[a]:\n```\n![](q.png)\n```",
            "a](\n# 제목",
        ] {
            assert_eq!(links(written), [], "{written}");
        }
        assert_eq!(links(&(">".repeat(200) + "![](q.png)")), [], "it is shown as it is written");
    }

    #[test]
    fn at_most_one_definition_for_each_line_is_looked_at() {
        for (written, ends) in [
            ("[r]: a.png\r\n> [s]: b.png", vec![4, 18]),
            ("[^1]:[r]: a.png\n[s\\]]: b.png", vec![9, 22]),
            ("[a\nb]: c.png", vec![6]),
            ("\\[a]: c.png", vec![]),
            ("[a\\\\]: c.png", vec![6]),
            ("a]: [b] c]: d", vec![]),
        ] {
            assert_eq!(definitions(written), ends, "{written}");
        }
        // As long as a post may be: the addresses of what only looks like a definition would reach far into each other.
        for piece in ["]:", "[a]:", ">[a]:", "[]:", "[a\\]:", "[^a]:", "[a]:x[b]:"] {
            let line = piece.repeat(200_000 / piece.len());
            assert!(definitions(&line).len() <= 1, "{piece}");
            assert!(definitions(&format!("{line}\n{line}")).len() <= 2, "{piece}");
        }
        for piece in ["]:", "[a]:"] {
            assert_eq!(links(&piece.repeat(200_000 / piece.len())), [], "{piece}");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_written_has_its_links_beside_each_other(parts in prop::collection::vec(prop_oneof![
            prop::sample::select(vec![
                "](", "]:", "![", "[", ")", "<", ">", "\n", "> ", "`", "```\n", "a.png", "place-1-", "src=\"", "href='", "\\", "[^",
                "<img ", "&amp;",
            ]).prop_map(str::to_owned),
            "\\PC{0,4}",
        ], 0..30)) {
            let text = parts.concat();
            let mut end = 0;
            for link in links(&text) {
                prop_assert!(end <= link.at.start && text.get(link.at.clone()).is_some_and(|written| !written.is_empty()));
                end = link.at.end;
            }
        }

        #[test]
        fn a_picture_is_found_by_any_name(name in "[^\\x00-\\x20\\x7f<>()\\\\&|]{1,20}", before in "[가-힣a-z# \n]{0,20}") {
            let text = format!("{before}\n\n![](<{name}>)");
            prop_assert_eq!(addresses(&text), [name.trim()]);
        }
    }
}

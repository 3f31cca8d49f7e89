//! What a browser's reader of HTML would make of a text, estimated before one reads it: an element that is never closed is
//! opened again behind each block that ends, so that a short text could become millions of elements.

/// Elements that are opened again where a block has ended and they have not ("the list of active formatting elements" of the
/// HTML standard, 13.2.4.3).
const FORMATTING: [&str; 14] =
    ["a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u"];
/// Elements that have no end.
const VOID: [&str; 17] = [
    "area", "base", "basefont", "bgsound", "br", "col", "embed", "hr", "image", "img", "input", "keygen", "link",
    "meta", "param", "source", "wbr",
];
/// Elements in which nothing is a tag but their own end.
const RAW: [&str; 7] = ["iframe", "noembed", "noframes", "style", "textarea", "title", "xmp"];
/// Elements in which tags are read by other rules, which this does not know.
const STRANGE: [&str; 7] = ["frameset", "math", "noscript", "plaintext", "select", "svg", "template"];
/// Elements that an end outside of them closes on its way.
const IMPLIED: [&str; 4] = ["dd", "dt", "li", "p"];
/// And those that only the end of a part of a table, or of all of it, closes.
const OF_TABLES: [&str; 7] = ["table", "tbody", "td", "tfoot", "th", "thead", "tr"];

/// No elements lie deeper in each other.
const DEEPEST: usize = 256;
/// So many bytes may be opened again, each element counted with its attributes and with what it takes beside them.
const MOST_REOPENED: usize = 16 << 20;
const BESIDE_TAG: usize = 200;

/// Whether what is made of `html` stays within bounds: its depth, and what is opened again. One that cannot be known does not.
pub(super) fn is_bounded(html: &str) -> bool {
    Scan::default().reads(html).is_some()
}

/// An element that is open.
struct Open<'h> {
    name: &'h str,
    /// What it takes each time that it is opened again; nothing where it is not.
    cost: usize,
}

#[derive(Default)]
struct Scan<'h> {
    open: Vec<Open<'h>>,
    /// What all that is open takes together.
    cost: usize,
    reopened: usize,
}

/// A tag: its name, how long it is, and whether it ends an element.
struct Tag<'h> {
    name: &'h str,
    length: usize,
    is_end: bool,
}

impl<'h> Tag<'h> {
    fn is(&self, names: &[&str]) -> bool {
        is_one_of(self.name, names)
    }
}

fn is_one_of(name: &str, names: &[&str]) -> bool {
    names.iter().any(|other| other.eq_ignore_ascii_case(name))
}

impl<'h> Scan<'h> {
    /// Reads all of `html`; none as soon as it is beyond its bounds.
    fn reads(mut self, html: &'h str) -> Option<()> {
        let last_comment = html.rfind("<!--").unwrap_or_default();
        let mut at = 0;
        while let Some(found) = html[at..].find('<') {
            at += found;
            let Some(tag) = tag(&html[at..]) else {
                at = behind_no_tag(html, at);
                continue;
            };
            at += tag.length;
            // A comment in a script may hide its end.
            if !tag.is_end && (tag.is(&STRANGE) || tag.is(&["script"]) && last_comment >= at) {
                return None;
            }
            if !tag.is_end && (tag.is(&RAW) || tag.is(&["script"])) {
                at = end_of_raw(html, at, tag.name);
                continue;
            }
            if tag.is_end {
                self.ends(&tag)
            } else {
                self.begins(&tag)
            }
            if self.open.len() > DEEPEST || self.reopened > MOST_REOPENED {
                return None;
            }
        }
        Some(())
    }

    fn begins(&mut self, tag: &Tag<'h>) {
        let is_it = |open: &Open<'h>| open.name.eq_ignore_ascii_case(tag.name);
        if tag.is(&FORMATTING) {
            // One of these ends the one before it.
            if tag.is(&["a", "nobr"]) && self.open.iter().any(is_it) {
                self.ends(tag);
            }
            let cost = tag.length + BESIDE_TAG;
            self.cost += cost;
            self.open.push(Open { name: tag.name, cost });
            return;
        }
        self.reopened += self.cost;
        if tag.is(&VOID) {
            return;
        }
        // A paragraph, an item or a cell ends the one before it.
        for names in before(tag.name) {
            let last = self.open.iter().rposition(|open| open.cost == 0);
            if let Some(at) = last.filter(|at| is_one_of(self.open[*at].name, names)) {
                self.open.remove(at);
            }
        }
        self.open.push(Open { name: tag.name, cost: 0 });
    }

    /// Closes what `tag` surely closes. Formatting that lies in it stays open, as it does for a browser.
    fn ends(&mut self, tag: &Tag<'h>) {
        let is_it = |open: &Open<'h>| open.name.eq_ignore_ascii_case(tag.name);
        if self.open.last().is_none_or(|last| !is_it(last) || last.cost == 0) {
            self.reopened += self.cost;
        }
        let Some(at) = self.open.iter().rposition(is_it) else { return };
        let is_formatting = self.open[at].cost > 0;
        let is_of_table = tag.is(&OF_TABLES);
        let goes_with_it = |open: &Open<'h>| {
            open.cost > 0
                || !is_formatting
                    && (is_one_of(open.name, &IMPLIED)
                        || is_of_table && !is_one_of(open.name, &["table"]) && is_one_of(open.name, &OF_TABLES))
        };
        if self.open[at + 1..].iter().all(goes_with_it) {
            let inside = self.open.split_off(at);
            self.cost -= inside[0].cost;
            self.open.extend(inside.into_iter().skip(1).filter(|open| open.cost > 0));
        }
    }
}

/// What the beginning of an element ends, one after the other.
fn before(name: &str) -> &'static [&'static [&'static str]] {
    match name.to_ascii_lowercase().as_str() {
        "p" => &[&["p"]],
        "li" => &[&["p"], &["li"]],
        "dd" | "dt" => &[&["p"], &["dd", "dt"]],
        "td" | "th" => &[&["p"], &["td", "th"]],
        "tr" => &[&["p"], &["td", "th"], &["tr"]],
        _ => &[],
    }
}

/// Where in a tag a sign stands, by the states of the standard (13.2.5.32 to 13.2.5.40).
enum Place {
    BeforeName,
    Name,
    BehindName,
    BeforeValue,
    Value,
    Quoted(u8),
}

/// The tag with which `html` begins; none where that is none. One without an end is as long as `html`.
fn tag(html: &str) -> Option<Tag<'_>> {
    let is_end = html[1..].starts_with('/');
    let begin = 1 + usize::from(is_end);
    let bytes = html.as_bytes();
    bytes.get(begin).filter(|byte| byte.is_ascii_alphabetic())?;
    let ends_name = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>');
    let mut at = bytes[begin..].iter().position(ends_name).map_or(bytes.len(), |length| begin + length);
    let name = &html[begin..at];
    let mut place = Place::BeforeName;
    while let Some(byte) = bytes.get(at) {
        at += 1;
        place = match (place, *byte) {
            (Place::Quoted(mark), byte) if byte == mark => Place::BeforeName,
            (Place::Quoted(mark), _) => Place::Quoted(mark),
            (_, b'>') => break,
            (Place::Value | Place::BeforeName, byte) if byte.is_ascii_whitespace() => Place::BeforeName,
            (Place::Name | Place::BehindName, byte) if byte.is_ascii_whitespace() => Place::BehindName,
            (Place::BeforeValue, byte) if byte.is_ascii_whitespace() => Place::BeforeValue,
            (Place::BeforeValue, mark @ (b'"' | b'\'')) => Place::Quoted(mark),
            (Place::BeforeValue | Place::Value, _) => Place::Value,
            (_, b'/') => Place::BeforeName,
            (Place::Name | Place::BehindName, b'=') => Place::BeforeValue,
            (Place::BeforeName | Place::Name | Place::BehindName, _) => Place::Name,
        };
    }
    Some(Tag { name, length: at, is_end })
}

/// Where it goes on behind the `<` at `at` that begins no tag: behind a comment, or whatever passes for one.
fn behind_no_tag(html: &str, at: usize) -> usize {
    let rest = &html[at + 1..];
    let end = |found: Option<usize>, length: usize| found.map_or(html.len(), |found| at + 1 + found + length);
    if let Some(comment) = rest.strip_prefix("!--") {
        if let Some(length) = [">", "->"].iter().find(|end| comment.starts_with(**end)).map(|end| end.len()) {
            return end(Some(3), length);
        }
        let (one, other) = (comment.find("-->"), comment.find("--!>"));
        let is_other = other.is_some_and(|other| one.is_none_or(|one| other < one));
        return if is_other { end(other, 7) } else { end(one, 6) };
    }
    if rest.starts_with(['!', '?', '/']) { end(rest.find('>'), 1) } else { at + 1 }
}

/// Where the element `name`, in which nothing is a tag, ends.
fn end_of_raw(html: &str, from: usize, name: &str) -> usize {
    let is_end = |at: &usize| tag(&html[*at..]).is_some_and(|tag| tag.name.eq_ignore_ascii_case(name));
    html[from..].match_indices("</").map(|(at, _)| from + at).find(is_end).unwrap_or(html.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write_is_within_bounds() {
        let closed = "<div><p><b>a</b> <a href=\"x\">b</a></p></div>\n".repeat(900);
        let inside = format!("<b><i>{}</i></b>", "<p>a</p>".repeat(1_000));
        let table = format!("<table>{}</table>", "<tr><td><b>a</b><td>b".repeat(900));
        let careless = "<p>a <b>b</b><li>c<br><img src=x alt=\"a > b\"> <!-- </div> --> 1 < 2".repeat(700);
        let anchors = "<a name=\"x\"><p>a</p>".repeat(1_000);
        for html in [&closed, &inside, &table, &careless, &anchors, "", "<", "</", "<b", "<b a='", "<!--"] {
            assert!(is_bounded(html), "{}", &html[..html.len().min(80)]);
        }
    }

    #[test]
    fn what_a_browser_would_open_again_and_again_is_beyond_bounds() {
        let ends = |text: &str| text.repeat(1_000);
        let open = |tag: &str| (0..1_900).map(|number| tag.replace('1', &number.to_string())).collect::<String>();
        let few = |tag: &str| (0..200).map(|number| tag.replace('1', &number.to_string())).collect::<String>();
        for html in [
            format!("{}{}{}", "<div>".repeat(50), few("<b id=1>"), "</div>x".repeat(1_000)),
            format!("{}{}", few("<b id=1>"), ends("<p>x</p>")),
            format!("{}{}", few("<B\tid='>'a=1>"), ends("<p>x")),
            // Ends that a browser does not take for such.
            format!("{}{}", few("<b id=1><!--</b>-->"), ends("<p>x")),
            format!("{}{}", few("<b id=1><i title='</b>'></i>"), ends("<p>x")),
            format!("{}{}", few("<b id=1><style></b></style>"), ends("<p>x")),
            format!("{}{}", few("<b id=1><table><tr><td></b></table>"), ends("<p>x")),
            format!("{}<table><tr><td>{}</table>{}", few("<b id=1>"), "</b>".repeat(200), ends("<p>x")),
            format!("<i>{}{}", few("<b id=1>"), ends("</i><i>x<b></i><p>")),
            format!("<b title=\"{}\">{}", "a".repeat(50_000), ends("<p>x")),
            open("<b id=1>"),
            "<div>".repeat(300),
            format!("<svg>{}", few("<b id=1>")),
            "<script><!--<script></script>".to_owned(),
        ] {
            assert!(!is_bounded(&html), "{}", &html[..200.min(html.len())]);
        }
    }
}

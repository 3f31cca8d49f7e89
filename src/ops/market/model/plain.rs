//! What others wrote in HTML, as text: no tag is left, and what was escaped once or twice is said.

/// How often a text is read at most: feeds escape what is escaped already.
const MOST_READINGS: usize = 3;

/// Entities that Korean and English news use, by name.
const NAMED: &[(&str, char)] = &[
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("nbsp", ' '),
    ("lsquo", '‘'),
    ("rsquo", '’'),
    ("ldquo", '“'),
    ("rdquo", '”'),
    ("sbquo", '‚'),
    ("bdquo", '„'),
    ("laquo", '«'),
    ("raquo", '»'),
    ("middot", '·'),
    ("bull", '•'),
    ("hellip", '…'),
    ("ndash", '–'),
    ("mdash", '—'),
    ("minus", '−'),
    ("times", '×'),
    ("divide", '÷'),
    ("plusmn", '±'),
    ("deg", '°'),
    ("permil", '‰'),
    ("uarr", '↑'),
    ("darr", '↓'),
    ("larr", '←'),
    ("rarr", '→'),
    ("harr", '↔'),
    ("copy", '©'),
    ("reg", '®'),
    ("trade", '™'),
    ("euro", '€'),
    ("pound", '£'),
    ("yen", '¥'),
    ("cent", '¢'),
    ("sect", '§'),
    ("para", '¶'),
    ("frac12", '½'),
    ("frac14", '¼'),
    ("frac34", '¾'),
    ("sup2", '²'),
    ("sup3", '³'),
    ("Alpha", 'Α'),
    ("alpha", 'α'),
    ("beta", 'β'),
    ("shy", '\u{ad}'),
];

/// The longest name of an entity, and the digits of the largest character.
const LONGEST_ENTITY: usize = 10;

/// The text of `html` on one line: tags and what only acts are gone, entities are the characters that they mean.
pub fn of_html(html: &str) -> String {
    let mut text = html.to_owned();
    for _ in 0..MOST_READINGS {
        let read = decoded(&without_tags(&text));
        if read == text {
            break;
        }
        text = read;
    }
    on_one_line(&without_tags(&text))
}

/// Spaces and breaks are one space; what cannot be seen is gone.
fn on_one_line(text: &str) -> String {
    let unseen = |c: char| {
        c.is_control() && !c.is_whitespace()
            || matches!(c, '\u{ad}' | '\u{200b}' | '\u{feff}')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let seen: String = text.chars().filter(|c| !unseen(*c)).collect();
    seen.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A `<` begins a tag where a name, a slash or a declaration follows; otherwise it is a sign, as in `a < b`.
fn without_tags(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        let (before, tag) = rest.split_at(at);
        text.push_str(before);
        let is_tag = tag[1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'));
        if !is_tag {
            text.push('<');
            rest = &tag[1..];
            continue;
        }
        text.push(' ');
        rest = after_tag(tag);
    }
    text.push_str(rest);
    text
}

/// What stands behind the tag that `tag` begins with; behind the end of a script, a style or a comment, with what is in it.
fn after_tag(tag: &str) -> &str {
    let closing = [("<!--", "-->"), ("<script", "</script"), ("<style", "</style")];
    for (open, close) in closing {
        let begins = tag.get(..open.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(open));
        if begins {
            let Some(at) = tag.to_ascii_lowercase().find(close) else { return "" };
            let rest = &tag[at + close.len()..];
            return if open == "<!--" { rest } else { rest.split_once('>').map_or("", |(_, behind)| behind) };
        }
    }
    tag.split_once('>').map_or("", |(_, behind)| behind)
}

fn decoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        let (before, entity) = rest.split_at(at);
        out.push_str(before);
        let name = entity[1..].split_once(';').map(|(name, _)| name).filter(|name| name.len() <= LONGEST_ENTITY);
        match name.and_then(character) {
            Some(c) => {
                out.push(c);
                rest = &entity[name.map_or(1, |name| name.len() + 2)..];
            }
            None => {
                out.push('&');
                rest = &entity[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

fn character(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok()?,
            None => number.parse().ok()?,
        };
        return char::from_u32(code).filter(|c| !c.is_control());
    }
    NAMED.iter().find(|(known, _)| *known == name).map(|(_, c)| *c)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn tags_are_gone_and_entities_are_said_also_those_that_were_escaped_twice() {
        assert_eq!(of_html("환율 1,470원대 &lsquo;숨고르기&rsquo;"), "환율 1,470원대 ‘숨고르기’");
        assert_eq!(of_html("<p>요약 &amp; 본문<br/>일부</p>"), "요약 & 본문 일부");
        assert_eq!(of_html("&amp;lt;b&amp;gt;굵게&amp;lt;/b&amp;gt; &amp;middot; &#8217;&#x27;"), "굵게 · ’'");
        assert_eq!(of_html("코스피 <3000 & 코스닥 > 900, R&D"), "코스피 <3000 & 코스닥 > 900, R&D");
        assert_eq!(of_html("앞<script>alert(1)</script>뒤<!-- 숨김 -->끝<style>p{}</style>"), "앞 뒤 끝");
        assert_eq!(of_html("&lt;img src=x onerror=alert(1)&gt;속보"), "속보");
        assert_eq!(of_html("줄\n\t바꿈\u{202e}\u{0}"), "줄 바꿈");
    }

    proptest! {
        #[test]
        fn whatever_is_sent_no_tag_is_left_that_a_browser_would_read(html in "(<|>|&lt;|&gt;|&amp;|script|img|/|!|a| |;|한|\"|=){0,24}") {
            let text = of_html(&html);
            let has_tag = text.match_indices('<').any(|(at, _)| {
                text[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?'))
            });
            prop_assert!(!has_tag, "{text}");
        }
    }
}

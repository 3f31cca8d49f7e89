//! The news feeds as the settings name them, and what they bring, as text.

use std::cmp::Reverse;

use chrono::{DateTime, NaiveDateTime, Utc};
use encoding_rs::{Encoding, UTF_8};
use feed_rs::model::Entry;
use feed_rs::parser::Builder;

use super::plain::of_html;
use hanok_base::day;
use hanok_base::text::cut;

/// How many feeds are asked at most.
pub const MOST_FEEDS: usize = 12;
/// Entries that are taken of one feed at most.
const MOST_ENTRIES: usize = 500;
/// Characters of a title, a summary and an address that are kept.
const LONGEST: (usize, usize, usize) = (300, 600, 1000);

/// A feed of the settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedSetting {
    /// What its news are about.
    pub category: String,
    /// Who writes it.
    pub name: String,
    /// Where it is.
    pub address: String,
}

/// A piece of news as a feed brings it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedItem {
    /// Its title.
    pub title: String,
    /// How it begins; may be empty.
    pub summary: String,
    /// Where it is read.
    pub link: String,
    /// When it came out, if the feed says so.
    pub published_at: Option<DateTime<Utc>>,
}

impl FeedSetting {
    /// Reads `category | name | https://…`.
    pub fn parse(line: &str) -> Option<FeedSetting> {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let [category, name, address] = parts.as_slice() else { return None };
        let is_word =
            |text: &str| !text.is_empty() && text.chars().count() <= 40 && !text.chars().any(char::is_control);
        let is_address = address.len() <= 500 && address.bytes().all(|c| c.is_ascii_graphic());
        (is_word(category) && is_word(name) && is_address && has_web_host(address)).then(|| FeedSetting {
            category: (*category).to_owned(),
            name: (*name).to_owned(),
            address: (*address).to_owned(),
        })
    }
}

/// What a feed says, and how many entries are beyond those that are taken: of too many the newest count, and what says no
/// instant is new. Entries without a title or without an address of the web are left out.
///
/// # Errors
/// What is wrong with it, for the log.
pub fn read(body: &[u8]) -> Result<(Vec<FeedItem>, usize), String> {
    let text = text_of(body);
    let parser = Builder::new().timestamp_parser(instant).build();
    let feed = parser.parse(text.as_bytes()).map_err(|error| error.to_string())?;
    let mut entries = feed.entries;
    let beyond = entries.len().saturating_sub(MOST_ENTRIES);
    if beyond > 0 {
        entries.sort_by_key(|entry| Reverse(entry.published.or(entry.updated).unwrap_or(DateTime::<Utc>::MAX_UTC)));
    }
    Ok((entries.into_iter().take(MOST_ENTRIES).filter_map(item).collect(), beyond))
}

fn item(entry: Entry) -> Option<FeedItem> {
    let link = entry
        .links
        .iter()
        .find(|link| link.rel.as_deref().is_none_or(|rel| rel == "alternate"))
        .or_else(|| entry.links.first())
        .and_then(|link| normalized(&link.href))?;
    let title = cut(&of_html(&entry.title?.content), LONGEST.0);
    let body = entry.summary.map(|summary| summary.content).or_else(|| entry.content.and_then(|content| content.body));
    let summary = cut(&of_html(&body.unwrap_or_default()), LONGEST.1);
    let published_at = entry.published.or(entry.updated);
    (!title.is_empty()).then_some(FeedItem { title, summary, link, published_at })
}

/// The feed in Unicode, whatever its prolog says that it is written in; without the prolog, which would be wrong then.
fn text_of(body: &[u8]) -> String {
    let (prolog, _) = body.split_at(body.len().min(200));
    let prolog = String::from_utf8_lossy(prolog).into_owned();
    let end =
        prolog.trim_start_matches('\u{feff}').trim_start().starts_with("<?xml").then(|| prolog.find("?>")).flatten();
    let label = end.and_then(|end| prolog.get(..end)?.split_once("encoding=")?.1.get(1..)?.split(['"', '\'']).next());
    let encoding = label.and_then(|label| Encoding::for_label(label.as_bytes())).unwrap_or(UTF_8);
    let (text, _, _) = encoding.decode(body);
    match end.and_then(|_| text.split_once("?>")) {
        Some((_, behind)) => behind.to_owned(),
        None => text.into_owned(),
    }
}

/// An instant as feeds write it; one without a zone is of Seoul.
fn instant(text: &str) -> Option<DateTime<Utc>> {
    let text = text.trim();
    let zoned = DateTime::parse_from_rfc2822(text).or_else(|_| DateTime::parse_from_rfc3339(text));
    if let Ok(zoned) = zoned {
        return Some(zoned.with_timezone(&Utc));
    }
    let local = |form| NaiveDateTime::parse_from_str(text, form).ok();
    let forms = ["%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%Y%m%d%H%M%S"];
    forms.into_iter().find_map(local).map(|local| day::at(local.date(), local.time()))
}

/// An address of the web without what only says where somebody came from; none for any other address.
pub fn normalized(link: &str) -> Option<String> {
    let link = link.trim();
    if !has_web_host(link) || link.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return None;
    }
    let (address, _) = link.split_once('#').unwrap_or((link, ""));
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let says_whence = |part: &&str| part.starts_with("utm_") || *part == "site=rss" || part.is_empty();
    let kept: Vec<&str> = query.split('&').filter(|part| !says_whence(part)).collect();
    let whole = if kept.is_empty() { path.to_owned() } else { format!("{path}?{}", kept.join("&")) };
    (whole.chars().count() <= LONGEST.2).then_some(whole)
}

/// `http` or `https`, with a host and no name of a user.
fn has_web_host(address: &str) -> bool {
    let rest = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://"));
    rest.is_some_and(|rest| {
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        !host.is_empty() && !host.contains(['@', '\\', '"', '<', '>', '|'])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feed_is_named_by_its_category_name_and_address() {
        let feed = FeedSetting::parse("경제 | 연합뉴스 | https://www.yna.co.kr/rss/economy.xml").unwrap();
        assert_eq!((feed.category.as_str(), feed.name.as_str()), ("경제", "연합뉴스"));
        let wrong = [
            "",
            "경제 | https://a.example",
            "a | b | ftp://a.example",
            "a | b | https://u@a.example",
            " | b | https://a.example",
        ];
        for wrong in wrong {
            assert_eq!(FeedSetting::parse(wrong), None, "{wrong}");
        }
    }

    const ITEMS: &str = "<rss version=\"2.0\"><channel><title>경제</title>\
        <item><title><![CDATA[환율 &lsquo;숨고르기&rsquo;]]></title>\
        <link>https://news.example/view/1?section=economy/all&amp;site=rss&amp;utm_source=x</link>\
        <description><![CDATA[<p>요약 &amp; 일부</p>]]></description><pubDate>Fri, 20 Nov 2026 09:12:03 +0900</pubDate></item>\
        <item><title>둘</title><link>javascript:alert(1)</link></item>\
        <item><title> </title><link>https://news.example/3</link></item></channel></rss>";

    #[test]
    fn what_a_feed_brings_is_text_and_only_addresses_of_the_web_are_kept() {
        let (items, beyond) = read(ITEMS.as_bytes()).unwrap();
        let wanted = FeedItem {
            title: "환율 ‘숨고르기’".to_owned(),
            summary: "요약 & 일부".to_owned(),
            link: "https://news.example/view/1?section=economy/all".to_owned(),
            published_at: Some("2026-11-20T00:12:03Z".parse().unwrap()),
        };
        assert_eq!((items, beyond), (vec![wanted], 0));
        assert!(read(b"Too Many Requests").is_err());
        assert!(read(b"<html><body>Will be right back</body></html>").is_err());
    }

    #[test]
    fn of_too_many_entries_the_newest_are_taken() {
        let entry = |number: usize| {
            let at = format!("2026-11-20 {:02}:{:02}:00", number / 60, number % 60);
            format!(
                "<item><title>{number}</title><link>https://news.example/{number}</link><pubDate>{at}</pubDate></item>"
            )
        };
        let entries: String = (0..MOST_ENTRIES + 2).map(entry).collect();
        let feed = format!("<rss version=\"2.0\"><channel><title>x</title>{entries}</channel></rss>");
        let (items, beyond) = read(feed.as_bytes()).unwrap();
        assert_eq!((items.len(), beyond), (MOST_ENTRIES, 2));
        assert_eq!((items[0].title.as_str(), items[MOST_ENTRIES - 1].title.as_str()), ("501", "2"));
    }

    #[test]
    fn a_feed_in_euc_kr_says_the_same() {
        let whole = format!("<?xml version=\"1.0\" encoding=\"EUC-KR\"?>\n{ITEMS}");
        // ‘ and ’ are in it, so what is written there is what is read.
        let (bytes, _, lost) = encoding_rs::EUC_KR.encode(&whole);
        assert!(!lost);
        assert_eq!(read(&bytes).unwrap(), read(ITEMS.as_bytes()).unwrap());
    }

    #[test]
    fn an_address_says_where_something_is_and_not_whence_somebody_comes() {
        let told = |link| normalized(link).unwrap_or_default();
        assert_eq!(told("https://a.example/1?utm_source=rss&id=3&utm_medium=x#top"), "https://a.example/1?id=3");
        assert_eq!(told("https://a.example/1?site=rss"), "https://a.example/1");
        for wrong in [
            "javascript:alert(1)",
            "data:text/html,x",
            "//a.example",
            "https://",
            "https://u:p@a.example/",
            "https://a b.example",
        ] {
            assert_eq!(normalized(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn an_instant_without_a_zone_is_of_seoul() {
        let midnight = "2026-11-20T00:12:03Z".parse().unwrap();
        assert_eq!(instant("2026-11-20 09:12:03"), Some(midnight));
        assert_eq!(instant("2026-11-20T09:12:03+09:00"), Some(midnight));
        assert_eq!(instant("yesterday"), None);
    }
}

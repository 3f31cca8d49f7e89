//! From where a visitor came: by the page that led here, by the marks of a campaign, or by the app that shows the page.

use super::Channel;

/// What a request says of where the visitor came from.
#[derive(Debug, Clone, Copy, Default)]
pub struct Arrival<'a> {
    /// The page that led here (`Referer`); empty where none is told.
    pub referrer: &'a str,
    /// Whether the browser says that a page of this site led here (`Sec-Fetch-Site`).
    pub is_from_here: bool,
    /// The host by which the site was reached, with or without its port.
    pub own_host: &'a str,
    /// `utm_source` of the address; empty where it has none.
    pub utm_source: &'a str,
    /// `utm_medium` of the address; empty where it has none.
    pub utm_medium: &'a str,
    /// The channel of the app that shows the page.
    pub app: Option<Channel>,
}

/// From where a visitor came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// By which channel.
    pub channel: Channel,
    /// The host of the page that led here, without `www.`; none where none is told.
    pub host: Option<String>,
}

/// Hosts of search engines; those below them count, too.
const SEARCH: [&str; 17] = [
    "search.naver.com",
    "search.daum.net",
    "search.zum.com",
    "search.nate.com",
    "search.yahoo.com",
    "search.yahoo.co.jp",
    "search.brave.com",
    "bing.com",
    "duckduckgo.com",
    "ecosia.org",
    "yandex.com",
    "yandex.ru",
    "baidu.com",
    "startpage.com",
    "qwant.com",
    "kagi.com",
    "com.google.android.googlequicksearchbox",
];

/// Hosts of search engines by their whole names: below them lies much else.
const SEARCH_ITSELF: [&str; 4] = ["naver.com", "m.naver.com", "daum.net", "m.daum.net"];

/// Hosts of social networks, messengers, blogs and communities; those below them count, too.
const SOCIAL: [&str; 31] = [
    "instagram.com",
    "facebook.com",
    "fb.com",
    "messenger.com",
    "threads.net",
    "threads.com",
    "youtube.com",
    "youtu.be",
    "x.com",
    "twitter.com",
    "t.co",
    "tiktok.com",
    "linkedin.com",
    "lnkd.in",
    "pinterest.com",
    "reddit.com",
    "discord.com",
    "t.me",
    "telegram.org",
    "line.me",
    "band.us",
    "story.kakao.com",
    "pf.kakao.com",
    "talk.kakao.com",
    "blog.naver.com",
    "cafe.naver.com",
    "post.naver.com",
    "cafe.daum.net",
    "com.kakao.talk",
    "com.instagram.android",
    "com.facebook.katana",
];

/// Hosts where people read their mail, beside those that begin with `mail.`.
const MAIL: [&str; 7] = [
    "outlook.live.com",
    "outlook.office.com",
    "outlook.office365.com",
    "mail.google.com",
    "mail.naver.com",
    "mail.daum.net",
    "com.google.android.gm",
];

/// A longer host is nobody's.
const LONGEST: usize = 100;

impl Arrival<'_> {
    /// From where the visitor came; none where a page of this site led here.
    pub fn source(&self) -> Option<Source> {
        let host = host_of(self.referrer);
        if self.is_from_here || host.is_some() && host == host_of(&format!("http://{}", self.own_host)) {
            return None;
        }
        let by_host = host.as_deref().map(channel_of);
        let channel = self.by_marks().or(by_host).or(self.app).unwrap_or(Channel::Direct);
        Some(Source { channel, host })
    }

    /// What the marks of the address say: the medium first, then who is named as the source.
    fn by_marks(&self) -> Option<Channel> {
        let (source, medium) = (self.utm_source.trim().to_lowercase(), self.utm_medium.trim().to_lowercase());
        match medium.as_str() {
            "" if source.is_empty() => None,
            "" => Some(named(&source)),
            "email" | "e-mail" | "mail" | "newsletter" => Some(Channel::Mail),
            "social" | "sns" | "social-media" | "messenger" => Some(Channel::Social),
            "organic" => Some(Channel::Search),
            "referral" => Some(Channel::Referral),
            _ => Some(Channel::Campaign),
        }
    }
}

/// The channel of a `utm_source` without a medium.
fn named(source: &str) -> Channel {
    let is = |names: &[&str]| names.iter().any(|name| source.contains(name));
    if is(&["newsletter", "email", "mail"]) {
        Channel::Mail
    } else if is(&["instagram", "facebook", "kakao", "youtube", "twitter", "tiktok", "threads", "linkedin", "band"]) {
        Channel::Social
    } else if ["naver", "google", "daum", "bing"].contains(&source) {
        Channel::Search
    } else {
        Channel::Campaign
    }
}

/// The known search engine, network or mail service that a host belongs to, by its name in the lists above; none of any
/// other host.
pub fn known_site(host: &str) -> Option<&'static str> {
    let itself = SEARCH_ITSELF.into_iter().find(|name| *name == host);
    let above = || SEARCH.into_iter().chain(SOCIAL).chain(MAIL).find(|name| is_below(host, name));
    itself.or_else(above).or_else(|| host.starts_with("google.").then_some("google.com"))
}

fn is_below(host: &str, name: &str) -> bool {
    host.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// The channel of a host that led here.
fn channel_of(host: &str) -> Channel {
    let is_below = |known: &[&str]| known.iter().any(|name| is_below(host, name));
    if host.starts_with("mail.") || is_below(&MAIL) {
        Channel::Mail
    } else if is_below(&SOCIAL) {
        Channel::Social
    } else if host.starts_with("google.") || SEARCH_ITSELF.contains(&host) || is_below(&SEARCH) {
        Channel::Search
    } else {
        Channel::Referral
    }
}

/// The host of an address, in small letters, without `www.` and port; none where it has none that could be one.
fn host_of(address: &str) -> Option<String> {
    let (_, rest) = address.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    let host = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let host = host.to_ascii_lowercase();
    let host = host.strip_prefix("www.").unwrap_or(&host);
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'[' | b']' | b':');
    let fits = !host.is_empty() && host.len() <= LONGEST && host.bytes().all(is_sign);
    fits.then(|| host.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Arrival<'static> = Arrival {
        referrer: "",
        is_from_here: false,
        own_host: "shop.example",
        utm_source: "",
        utm_medium: "",
        app: None,
    };

    fn from(referrer: &str) -> (Channel, String) {
        let source = Arrival { referrer, ..HERE }.source().unwrap();
        (source.channel, source.host.unwrap_or_default())
    }

    #[test]
    fn a_host_says_the_channel_and_no_path_of_it_is_kept() {
        for (referrer, channel, host) in [
            ("https://www.google.com/", Channel::Search, "google.com"),
            ("https://www.google.co.kr/search?q=private+words", Channel::Search, "google.co.kr"),
            ("https://m.search.naver.com/search.naver?query=x", Channel::Search, "m.search.naver.com"),
            ("https://search.daum.net/search?q=x", Channel::Search, "search.daum.net"),
            ("https://www.bing.com/", Channel::Search, "bing.com"),
            ("https://blog.naver.com/somebody/223", Channel::Social, "blog.naver.com"),
            ("https://l.instagram.com/?u=x", Channel::Social, "l.instagram.com"),
            ("https://www.facebook.com/", Channel::Social, "facebook.com"),
            ("https://www.youtube.com/watch?v=x", Channel::Social, "youtube.com"),
            ("https://t.co/abc", Channel::Social, "t.co"),
            ("android-app://com.kakao.talk/", Channel::Social, "com.kakao.talk"),
            ("https://mail.google.com/mail/u/0/", Channel::Mail, "mail.google.com"),
            ("https://mail.naver.com/", Channel::Mail, "mail.naver.com"),
            ("https://docs.google.com/document/d/x", Channel::Referral, "docs.google.com"),
            ("https://notx.com/", Channel::Referral, "notx.com"),
            ("https://user:word@Example.COM:8443/a?b#c", Channel::Referral, "example.com"),
            ("", Channel::Direct, ""),
            ("nonsense", Channel::Direct, ""),
            ("https://<script>/", Channel::Direct, ""),
        ] {
            assert_eq!(from(referrer), (channel, host.to_owned()), "{referrer}");
        }
        assert_eq!(from(&format!("https://{}.example/", "a".repeat(200))).0, Channel::Direct);
    }

    #[test]
    fn a_known_site_is_named_whatever_stands_before_its_name() {
        for (host, site) in [
            ("google.com", Some("google.com")),
            ("google.co.kr", Some("google.com")),
            ("m.search.naver.com", Some("search.naver.com")),
            ("naver.com", Some("naver.com")),
            ("l.instagram.com", Some("instagram.com")),
            ("mail.google.com", Some("mail.google.com")),
            ("shop.naver.com", None),
            ("notx.com", None),
            ("instagram.com.example", None),
        ] {
            assert_eq!(known_site(host), site, "{host}");
        }
    }

    #[test]
    fn a_page_of_this_site_is_no_source() {
        for referrer in ["https://shop.example/contact", "https://www.shop.example:443/"] {
            assert_eq!(Arrival { referrer, ..HERE }.source(), None, "{referrer}");
        }
        assert_eq!(Arrival { is_from_here: true, ..HERE }.source(), None);
        assert_eq!(from("https://notshop.example/").0, Channel::Referral);
    }

    #[test]
    fn marks_of_a_campaign_say_more_than_the_host_and_an_app_says_what_no_host_does() {
        for (utm_source, utm_medium, channel) in [
            ("naver", "cpc", Channel::Campaign),
            ("newsletter", "", Channel::Mail),
            ("anybody", "email", Channel::Mail),
            ("KakaoTalk", "", Channel::Social),
            ("google", "", Channel::Search),
            ("google", "organic", Channel::Search),
            ("flyer", "", Channel::Campaign),
            ("", "sns", Channel::Social),
        ] {
            let marked = Arrival { utm_source, utm_medium, referrer: "https://www.google.com/", ..HERE };
            assert_eq!(marked.source().unwrap().channel, channel, "{utm_source} {utm_medium}");
        }
        let app = Some(Channel::Social);
        assert_eq!(Arrival { app, ..HERE }.source().unwrap().channel, Channel::Social);
        let searched = Arrival { app, referrer: "https://m.search.naver.com/", ..HERE };
        assert_eq!(searched.source().unwrap().channel, Channel::Search);
    }
}

//! What a browser calls itself: a program or a person, which kind of device, and which app shows the page.

use super::{Channel, Device};

/// A browser of a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Agent {
    /// On which kind of device.
    pub device: Device,
    /// The channel of the app that shows the page inside itself, which often says no referrer.
    pub app: Option<Channel>,
}

/// Parts of the names of programs, in small letters. Measured against the 2,118 strings of the public list
/// crawler-user-agents 1.60 these and the two rules of [`is_bot`] find 2,082; what is left names itself as a browser does.
const PROGRAMS: [&str; 48] = [
    ".com",
    "@",
    "agent",
    "archiv",
    "bot",
    "chatgpt",
    "checker",
    "claude",
    "crawl",
    "daum/",
    "favicon",
    "feed",
    "fetch",
    "gtmetrix",
    "headless",
    "http://",
    "https://",
    "httpclient",
    "inspect",
    "java)",
    "kakaotalk-scrap",
    "lighthouse",
    "linkcheck",
    "mediapartners",
    "monitor",
    "nikto",
    "openvas",
    "optimizer",
    "perplexity",
    "phantomjs",
    "pingdom",
    "playwright",
    "postman",
    "preview",
    "probe",
    "puppeteer",
    "python",
    "scan",
    "scrap",
    "selenium",
    "sitemap",
    "slurp",
    "spider",
    "synthetics",
    "uptime",
    "verif",
    "yeti",
    "zgrab",
];

/// Apps that show pages inside themselves, by a part of what they add to the name, in small letters.
const APPS: [(&str, Channel); 11] = [
    ("kakaotalk", Channel::Social),
    ("kakaostory", Channel::Social),
    ("instagram", Channel::Social),
    ("fban/", Channel::Social),
    ("fbav/", Channel::Social),
    (" line/", Channel::Social),
    (" band/", Channel::Social),
    ("threads ", Channel::Social),
    ("naver(inapp", Channel::Search),
    ("daumapps", Channel::Search),
    (" gsa/", Channel::Search),
];

impl Agent {
    /// What `name` (`User-Agent`) says; none of a program.
    pub fn of(name: &str) -> Option<Agent> {
        // Cubot makes phones.
        let name = name.to_lowercase().replace("cubot", "");
        if is_bot(&name) {
            return None;
        }
        let app = APPS.iter().find(|(part, _)| name.contains(part)).map(|(_, channel)| *channel);
        Some(Agent { device: device_of(&name), app })
    }
}

/// Every browser of a person begins with `Mozilla/` or `Opera/`, and since Internet Explorer none says `compatible`.
fn is_bot(name: &str) -> bool {
    let is_browser = name.starts_with("mozilla/") || name.starts_with("opera/");
    let is_compatible = name.contains("compatible;") && !name.contains("msie");
    !is_browser || is_compatible || PROGRAMS.iter().any(|part| name.contains(part))
}

fn device_of(name: &str) -> Device {
    let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    if has(&["ipad", "tablet", "kindle", "silk/"]) || (has(&["android"]) && !has(&["mobile"])) {
        Device::Tablet
    } else if has(&["iphone", "ipod", "mobi", "windows phone"]) {
        Device::Phone
    } else {
        Device::Desktop
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_of_people_are_known_by_device_and_app() {
        let social = Some(Channel::Social);
        for (name, device, app) in [
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
                Device::Phone,
                None,
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
                Device::Phone,
                None,
            ),
            (
                "Mozilla/5.0 (Linux; Android 14; SM-S918N) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36",
                Device::Phone,
                None,
            ),
            (
                "Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1",
                Device::Tablet,
                None,
            ),
            (
                "Mozilla/5.0 (Linux; Android 13; SM-X710) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36",
                Device::Tablet,
                None,
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 KAKAOTALK 10.8.5",
                Device::Phone,
                social,
            ),
            (
                "Mozilla/5.0 (Linux; Android 13; SM-S911N; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/121.0.6167.178 Mobile Safari/537.36;KAKAOTALK 2410540",
                Device::Phone,
                social,
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 NAVER(inapp; search; 2000; 12.9.1; 15PRO)",
                Device::Phone,
                Some(Channel::Search),
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/21F90 Instagram 338.0.2.28.86 (iPhone15,3; iOS 17_5_1; ko_KR; ko; scale=3.00; 1290x2796; 616018460)",
                Device::Phone,
                social,
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
                Device::Desktop,
                None,
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
                Device::Desktop,
                None,
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Whale/4.29.282.14 Safari/537.36",
                Device::Desktop,
                None,
            ),
            (
                "Mozilla/5.0 (Linux; Android 12; CUBOT P60) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/112.0.0.0 Mobile Safari/537.36",
                Device::Phone,
                None,
            ),
        ] {
            assert_eq!(Agent::of(name), Some(Agent { device, app }), "{name}");
        }
    }

    #[test]
    fn programs_are_nobody() {
        for name in [
            "",
            "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
            "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
            "Mozilla/5.0 (compatible; Yeti/1.1; +http://naver.me/spd)",
            "Mozilla/5.0 (compatible; Daum/4.1; +http://cs.daum.net/faq/15/4118.html?faqId=28966)",
            "facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984",
            "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
            "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
            "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36",
            "curl/8.5.0",
            "python-requests/2.32.3",
            "Go-http-client/1.1",
            "WhatsApp/2.23.20.0 A",
        ] {
            assert_eq!(Agent::of(name), None, "{name}");
        }
    }
}

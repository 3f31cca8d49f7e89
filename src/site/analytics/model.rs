//! What is kept of a visit, and what it is counted by. Pure.

mod agent;
mod report;
mod source;

use serde::{Deserialize, Serialize};

use hanok_base::schema::ToSchema;

pub use agent::Agent;
pub use report::{Analytics, ChannelCount, Compared, Counted, DayCount, DeviceCount, PageCount, Period, ReferrerCount};
pub use source::{Arrival, Source, known_site};

/// What a page or a referrer is counted as once a day has too many different ones.
pub const OTHER: &str = "other";

/// The kind of device that a page was opened on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Device {
    /// A phone.
    Phone,
    /// A tablet that says so; one that asks for desktop pages counts as a desktop.
    Tablet,
    /// Anything else.
    Desktop,
}

/// How a visitor came to the site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// The address was typed or kept, or the browser does not say.
    Direct,
    /// A search engine.
    Search,
    /// A social network, a messenger, a blog or a community.
    Social,
    /// A link in a mail.
    Mail,
    /// A link with `utm_source` or `utm_medium` of a campaign.
    Campaign,
    /// A link on another site.
    Referral,
}

/// What views are counted by, beside the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dimension {
    /// [`Channel`].
    Channel,
    /// [`Device`].
    Device,
    /// The page.
    Page,
    /// The host of the page that led here.
    Referrer,
}

/// One view of a page, as it waits to be counted. It holds neither the visitor's address nor what the browser calls itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// The day in Asia/Seoul, counted since the year 1.
    pub day: u64,
    /// The visitor of this day: a hash that means nothing once the salt of the day is gone.
    pub visitor: u64,
    /// The route of the page, such as `/contact/{token}`.
    pub page: String,
    /// On which kind of device.
    pub device: Device,
    /// From where the visitor came; none where a page of this site led here.
    pub source: Option<Source>,
}

/// How often something was counted on a day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Pages that were opened.
    pub views: u64,
    /// Different visitors of the day who did.
    pub visitors: u64,
}

/// The sums of a day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DayTotals {
    /// Different visitors.
    pub visitors: u64,
    /// Pages that were opened.
    pub views: u64,
    /// Views that were not counted because too many came at once.
    pub dropped: u64,
    /// How many different pages have a count of their own.
    pub pages: u32,
    /// How many different referrers have one, beside the sites that are known.
    pub referrers: u32,
    /// How many of these were not seen in the days before.
    #[serde(default)]
    pub new_referrers: u32,
}

impl Device {
    /// Every one, in the order in which they are shown.
    pub const ALL: [Device; 3] = [Device::Phone, Device::Tablet, Device::Desktop];

    /// Its name in the answers and in the store.
    pub fn code(self) -> &'static str {
        match self {
            Device::Phone => "phone",
            Device::Tablet => "tablet",
            Device::Desktop => "desktop",
        }
    }

    /// What it is called in Korean and in English.
    pub fn names(self) -> (&'static str, &'static str) {
        match self {
            Device::Phone => ("휴대폰", "Phone"),
            Device::Tablet => ("태블릿", "Tablet"),
            Device::Desktop => ("PC", "Desktop"),
        }
    }
}

impl Channel {
    /// Every one, in the order in which they are shown.
    pub const ALL: [Channel; 6] =
        [Channel::Direct, Channel::Search, Channel::Social, Channel::Mail, Channel::Campaign, Channel::Referral];

    /// Its name in the answers and in the store.
    pub fn code(self) -> &'static str {
        match self {
            Channel::Direct => "direct",
            Channel::Search => "search",
            Channel::Social => "social",
            Channel::Mail => "mail",
            Channel::Campaign => "campaign",
            Channel::Referral => "referral",
        }
    }

    /// What it is called in Korean and in English.
    pub fn names(self) -> (&'static str, &'static str) {
        match self {
            Channel::Direct => ("직접 방문", "Direct"),
            Channel::Search => ("검색", "Search"),
            Channel::Social => ("SNS·메신저", "Social"),
            Channel::Mail => ("메일", "Mail"),
            Channel::Campaign => ("캠페인", "Campaign"),
            Channel::Referral => ("다른 사이트", "Other sites"),
        }
    }
}

impl Dimension {
    /// Its number in the keys of the store.
    pub const fn number(self) -> u64 {
        match self {
            Dimension::Channel => 0,
            Dimension::Device => 1,
            Dimension::Page => 2,
            Dimension::Referrer => 3,
        }
    }

    /// The one of this number.
    pub fn of(number: u64) -> Option<Dimension> {
        let all = [Dimension::Channel, Dimension::Device, Dimension::Page, Dimension::Referrer];
        all.into_iter().find(|one| one.number() == number)
    }
}

/// The page of the route that matched, as it is counted: without the language, with its parameters by their names, never by
/// what stood there.
pub fn page_of(matched: &str) -> String {
    let matched = matched.trim_matches('/');
    let path = match matched.strip_prefix("en") {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => rest.trim_start_matches('/'),
        _ => matched,
    };
    let part = |part: &str| match part.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        Some(name) => format!("{{{}}}", name.split(':').next().unwrap_or_default()),
        None => part.to_owned(),
    };
    format!("/{}", path.split('/').map(part).collect::<Vec<_>>().join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_counted_by_its_route_in_both_languages_and_never_by_a_word_in_it() {
        for (matched, page) in [
            ("", "/"),
            ("en", "/"),
            ("/en/", "/"),
            ("contact/{token}", "/contact/{token}"),
            ("en/contact/{token}", "/contact/{token}"),
            ("entrance", "/entrance"),
            ("account/quotes/{id:num}", "/account/quotes/{id}"),
        ] {
            assert_eq!(page_of(matched), page, "{matched}");
        }
    }

    #[test]
    fn every_name_in_the_store_is_the_one_of_the_answers() {
        for channel in Channel::ALL {
            assert_eq!(serde_json::to_value(channel).unwrap(), channel.code());
        }
        for device in Device::ALL {
            assert_eq!(serde_json::to_value(device).unwrap(), device.code());
        }
    }
}

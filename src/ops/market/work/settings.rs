//! The settings of the markets.

use hanok_base::MessageTemplate;
use hanok_platform::config::rule::{self, SECONDS, SWITCH};
use hanok_platform::config::section;

use super::super::model::feeds::{FeedSetting, MOST_FEEDS};

const QUOTES: MessageTemplate =
    MessageTemplate::new("market.must.quotes", "must be an address such as https://query1.finance.yahoo.com");
const SENTIMENT: MessageTemplate = MessageTemplate::new(
    "market.must.sentiment",
    "must be an address such as https://production.dataviz.cnn.io, or empty",
);
const USER_AGENT: MessageTemplate =
    MessageTemplate::new("market.must.user_agent", "must be a line of plain characters, or empty");
const FEEDS: MessageTemplate = MessageTemplate::new(
    "market.must.feeds",
    "must be lines of category, name and address with a bar between, such as {example}",
);

section! {
    /// News, indices and prices.
    pub struct MarketSettings("market", "시장") {
        /// false asks nobody: indices are those that ship with the program, prices are kept by hand.
        #[ko("시세와 뉴스 가져오기", "끄면 외부에 요청하지 않습니다. 가격은 직접 입력할 수 있고, 지수는 프로그램에 들어 있는 값을 보여 줍니다.")]
        #[en("Fetch quotes and news")]
        sync: bool = true, SWITCH.on_page();
        /// Base address of the provider of quotes and charts.
        #[ko("시세 제공처 주소", "지수, 주가, 환율을 가져오는 곳의 주소입니다.")]
        #[en("Address of the provider of quotes")]
        quotes: String = "https://query1.finance.yahoo.com".to_owned(),
            rule::text(QUOTES, rule::is_web_address)
                .entrance()
                .normalize(rule::without_last_slash);
        /// Base address of the provider of market sentiment. Empty asks nobody.
        #[ko("시장 심리 제공처 주소", "공포·탐욕 지수를 가져오는 곳의 주소입니다. 비워 두면 가져오지 않습니다.")]
        #[en("Address of the provider of sentiment")]
        sentiment: String = "https://production.dataviz.cnn.io".to_owned(),
            rule::text(SENTIMENT, |address| address.is_empty() || rule::is_web_address(address))
                .entrance()
                .normalize(rule::without_last_slash);
        /// How the appliance introduces itself to both; some refuse what is no browser. Empty is that of upstream.user_agent.
        #[ko("시세 요청의 User-Agent", "시세와 시장 심리 제공처에 보내는 이름입니다. 비워 두면 제공처 설정의 이름을 보냅니다.")]
        #[en("How it introduces itself for quotes")]
        user_agent: String = String::new(),
            rule::text(USER_AGENT, |text| text.len() <= 300 && text.bytes().all(|c| (b' '..=b'~').contains(&c))).on_page();
        /// The news feeds, at most twelve: category, name and address each, with a bar between.
        #[ko("뉴스 피드", "분류, 이름, 주소를 세로줄로 구분해 적습니다. 최대 12개입니다. 예: 경제 | 연합뉴스 | https://www.yna.co.kr/rss/economy.xml")]
        #[en("News feeds")]
        feeds: Vec<String> = DEFAULT_FEEDS.map(str::to_owned).into(),
            rule::text(FEEDS, |line| FeedSetting::parse(line).is_some())
                .such_as(&["경제 | 연합뉴스 | https://www.yna.co.kr/rss/economy.xml"])
                .entrance();
        /// How long one answer may take.
        #[ko("응답 제한 시간", "응답 하나를 기다리는 시간입니다.")]
        #[en("Time to wait for an answer")]
        timeout_seconds: u64 = 8, SECONDS.on_page();
    }
}

/// Where news comes from unless the household says otherwise.
const DEFAULT_FEEDS: [&str; 5] = [
    "경제 | 연합뉴스 | https://www.yna.co.kr/rss/economy.xml",
    "경제 | 한국경제 | https://www.hankyung.com/feed/economy",
    "경제 | 매일경제 | https://www.mk.co.kr/rss/30100041/",
    "증권 | 매일경제 | https://www.mk.co.kr/rss/50200011/",
    "경제 | 이투데이 | https://rss.etoday.co.kr/news/economy.xml",
];

impl MarketSettings {
    /// The feeds, as they are asked; beyond the twelfth none is.
    pub fn feeds(&self) -> Vec<FeedSetting> {
        self.feeds.iter().filter_map(|line| FeedSetting::parse(line)).take(MOST_FEEDS).collect()
    }
}

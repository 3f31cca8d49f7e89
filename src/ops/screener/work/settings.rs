//! The settings of the screener.

use hanok_base::Secret;
use hanok_platform::config::rule::{self, SECONDS};
use hanok_platform::config::section;

use super::super::model::said;

section! {
    /// Where the screener's data come from. Without a key they are imported, or made up.
    pub struct ScreenerSettings("screener", "종목 검색") {
        /// The key of the exchange's open API, from openapi.krx.co.kr. Empty = it is not asked.
        #[ko("KRX 오픈 API 키", "openapi.krx.co.kr에서 발급받은 키입니다. 비워 두면 요청하지 않으며, 파일로 가져올 수 있습니다.")]
        #[en("Key of the KRX open API")]
        krx_key: Secret = Secret::default(), rule::text(said::KRX_KEY, is_key).secret();
        /// Base address of that API.
        #[ko("KRX 오픈 API 주소", "일별 시세를 가져오는 곳의 주소입니다.")]
        #[en("Address of the KRX open API")]
        krx_address: String = "https://data-dbg.krx.co.kr/svc/apis".to_owned(),
            rule::text(said::KRX_ADDRESS, rule::is_web_address)
                .entrance()
                .normalize(rule::without_last_slash);
        /// How long one answer may take.
        #[ko("응답 제한 시간", "응답 하나를 기다리는 시간입니다.")]
        #[en("Time to wait for an answer")]
        timeout_seconds: u64 = 20, SECONDS.on_page();
    }
}

fn is_key(text: &str) -> bool {
    text.len() <= 200 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_=+/".contains(&byte))
}

//! The settings of the orders.

use std::path::PathBuf;

use hanok_base::secret::Secret;
use hanok_base::{Krw, MessageTemplate};
use hanok_platform::config::rule::{self, SWITCH, Unit};
use hanok_platform::config::section;
use rust_decimal::Decimal;

use super::super::model::{Broker, Mode};
use super::super::store::paper::PaperRules;

const FEE: MessageTemplate =
    MessageTemplate::new("trade.must.fee", "must be a percentage from 0 to 5 such as \"0.0140527\"");

const KEY: MessageTemplate =
    MessageTemplate::new("trade.must.key", "must be a text of one line and at most 1,024 characters");
const SECRET_FILE: MessageTemplate =
    MessageTemplate::new("trade.must.secret_file", "must be empty or the path of a readable file that holds the value");
const ACCOUNT: MessageTemplate =
    MessageTemplate::new("trade.must.account", "must be empty or an account number such as 12345678-01");
const ADDRESS: MessageTemplate = MessageTemplate::new(
    "trade.must.address",
    "must be empty or an address such as https://openapi.koreainvestment.com:9443",
);

section! {
    /// Orders: the paper broker of the house, or a real one.
    pub struct TradeSettings("trade", "주문") {
        /// Cash that the paper account begins with, in won.
        #[ko("모의 계좌 시작 금액", "모의 계좌를 처음 사용할 때 들어 있는 금액입니다.")]
        #[en("Cash of a new paper account")]
        paper_cash: u64 = 100_000_000, rule::whole(Unit::Won, 0, 1_000_000_000_000).on_page();
        /// The broker's fee in percent of an amount, as the paper broker takes it.
        #[ko("모의 수수료율", "모의 주문에 적용하는 수수료율(%)입니다.")]
        #[en("Fee of the paper broker in percent")]
        fee_percent: String = "0.0140527".to_owned(), rule::text(FEE, |text| percent(text).is_some()).on_page();
        /// Who takes orders: "paper", the paper broker of the house, or "kis", Korea Investment & Securities.
        #[ko("증권사", "paper는 모의 주문, kis는 한국투자증권입니다.")]
        #[en("Broker")]
        broker: Broker = Broker::Paper, rule::one_of(&["paper", "kis"]).entrance();
        /// true asks the test server of the broker, which has keys and an account of its own and no real money.
        #[ko("한국투자증권 모의투자 서버", "켜면 실제 주문 대신 모의투자 서버에 주문합니다. 키와 계좌도 모의투자용이어야 합니다.")]
        #[en("Test server of the broker")]
        kis_paper_server: bool = true, SWITCH.entrance();
        /// Address of the broker. Empty = the usual one.
        #[ko("한국투자증권 주소", "비워 두면 기본 주소를 사용합니다.")]
        #[en("Address of the broker")]
        kis_address: String = String::new(),
            rule::text(ADDRESS, |text| text.is_empty() || rule::is_web_address(text))
                .entrance()
                .normalize(rule::without_last_slash);
        /// The account, with its product, e.g. "12345678-01".
        #[ko("한국투자증권 계좌", "계좌번호입니다. 예: 12345678-01")]
        #[en("Account at the broker")]
        kis_account: String = String::new(), rule::text(ACCOUNT, |text| text.is_empty() || is_account(text)).entrance();
        /// The app key that the broker has given.
        #[ko("한국투자증권 앱 키", "한국투자증권에서 발급받은 앱 키입니다.")]
        #[en("App key")]
        kis_app_key: Secret = Secret::default(), rule::text(KEY, is_key).secret();
        /// Or a file that holds it.
        #[ko("한국투자증권 앱 키 파일", "앱 키를 이 파일에서 읽습니다.")]
        #[en("File with the app key")]
        kis_app_key_file: PathBuf = PathBuf::new(), rule::typed(SECRET_FILE).local();
        /// The app secret that goes with it.
        #[ko("한국투자증권 앱 시크릿", "앱 키와 함께 발급받은 시크릿입니다.")]
        #[en("App secret")]
        kis_app_secret: Secret = Secret::default(), rule::text(KEY, is_key).secret();
        /// Or a file that holds it.
        #[ko("한국투자증권 앱 시크릿 파일", "앱 시크릿을 이 파일에서 읽습니다.")]
        #[en("File with the app secret")]
        kis_app_secret_file: PathBuf = PathBuf::new(), rule::typed(SECRET_FILE).local();
    }
}

fn is_key(text: &str) -> bool {
    text.len() <= 1024 && !text.chars().any(char::is_control)
}

fn is_account(text: &str) -> bool {
    let is_digits = |part: &str, length| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
    text.split_once('-').is_some_and(|(account, product)| is_digits(account, 8) && is_digits(product, 2))
}

fn percent(text: &str) -> Option<Decimal> {
    let percent = Decimal::from_str_exact(text).ok()?;
    (Decimal::ZERO..=Decimal::from(5)).contains(&percent).then_some(percent)
}

impl TradeSettings {
    /// Whether money is at stake with new orders.
    pub fn mode(&self) -> Mode {
        if self.broker == Broker::Kis && !self.kis_paper_server { Mode::Real } else { Mode::Paper }
    }

    /// What they say of the paper broker.
    pub fn paper(&self) -> PaperRules {
        let cash = i64::try_from(self.paper_cash).ok().and_then(Krw::new).unwrap_or_default();
        PaperRules { cash, fee_percent: percent(&self.fee_percent).unwrap_or_default() }
    }
}

//! Korea Investment & Securities: its server is asked for the balance and the orders of the day, and given orders.
//!
//! An access token is shared by all and renewed by one request ([`Tokens`](hanok_platform::tokens::Tokens)); one that is
//! refused is renewed once. Orders and cancellations go through `platform/writes`: what was sent and not answered is looked up
//! in the list of the day and never sent again.

mod answers;
pub mod balance;
pub mod cancel;
pub mod follow;
pub mod send;

use chrono::NaiveDate;
use hanok_base::secret::Secret;
use hanok_base::{Error, Kind, Result};
use hanok_platform::app::App;
use hanok_platform::domain::Reach;
use hanok_platform::tokens::{ClientAuth, Grant, GrantWay, OAuthClient};
use hanok_platform::upstream::{Posted, Provider, Verb, WriteRequest};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

use super::super::model::Broker;
use super::settings::TradeSettings;
use answers::{BrokerOrder, KisResponse};

/// The broker.
pub const KIS: Provider = Provider {
    name: "kis",
    title_ko: "한국투자증권",
    title_en: "Korea Investment & Securities",
    setting: "trade.kis_app_key",
};

static GRANT: Grant = Grant { name: "trade_kis", provider: &KIS, way: GrantWay::ClientCredentials };

const REAL: &str = "https://openapi.koreainvestment.com:9443";
const TEST: &str = "https://openapivts.koreainvestment.com:29443";
/// Pages of one list at most.
const MOST_PAGES: usize = 20;

/// The broker, for the doctor.
pub const IN_REACH: Reach = Reach {
    check: "broker",
    setting: "trade.kis_address",
    address: |config| {
        let settings = config.section::<TradeSettings>();
        match settings.broker {
            Broker::Paper => Err("orders go to the paper broker (trade.broker = \"paper\")"),
            Broker::Kis => Ok(address(&settings)),
        }
    },
    meanwhile: "no order is sent, and the last balance is shown",
    cure: "look at this machine's network, or set trade.broker = \"paper\"",
};

/// Where the broker is, by the settings.
fn address(settings: &TradeSettings) -> String {
    let usual = if settings.kis_paper_server { TEST } else { REAL };
    if settings.kis_address.is_empty() { usual.to_owned() } else { settings.kis_address.clone() }
}

/// The broker as the settings have it.
pub struct Kis {
    address: String,
    client: OAuthClient,
    /// The first eight digits of the account.
    account: String,
    /// The last two.
    product: String,
    is_test: bool,
}

/// That what the broker says cannot be read.
fn unreadable() -> Error {
    Error::new(Kind::UpstreamUnavailable, answers::UNREADABLE)
}

/// What is asked for: the path, its number at the real server, and the parameters.
struct Call<'a> {
    path: &'a str,
    number: &'a str,
    parameters: Vec<(&'a str, String)>,
}

impl Kis {
    /// The broker as the settings of `app` have it.
    ///
    /// # Errors
    /// `NOT_CONFIGURED` naming the setting that is missing.
    pub fn of(app: &App) -> Result<Kis> {
        let settings = app.config.section::<TradeSettings>();
        let missing = |setting: &str| Err(Error::not_configured(setting));
        if settings.kis_app_key.is_empty() {
            return missing("trade.kis_app_key");
        }
        if settings.kis_app_secret.is_empty() {
            return missing("trade.kis_app_secret");
        }
        let Some((account, product)) = settings.kis_account.split_once('-') else {
            return missing("trade.kis_account");
        };
        let (is_test, address) = (settings.kis_paper_server, address(&settings));
        let client = OAuthClient {
            token_url: format!("{address}/oauth2/tokenP"),
            id: settings.kis_app_key.reveal().to_owned(),
            secret: settings.kis_app_secret.clone(),
            scope: String::new(),
            told: ClientAuth::Json { id: "appkey", secret: "appsecret" },
        };
        let (account, product) = (account.to_owned(), product.to_owned());
        Ok(Kis { address, client, account, product, is_test })
    }

    /// A number of the interface, which at the test server begins with another letter.
    fn number(&self, real: &str) -> String {
        if self.is_test { format!("V{}", real.get(1..).unwrap_or_default()) } else { real.to_owned() }
    }

    async fn token(&self, app: &App) -> Result<Secret> {
        app.outside.tokens.access_token(&GRANT, &self.client).await
    }

    /// Another token in the place of `refused`.
    async fn token_after(&self, app: &App, refused: &Secret) -> Result<Secret> {
        app.outside.tokens.note_refused(&GRANT, refused);
        self.token(app).await
    }

    /// `request` with the header lines that every one has.
    fn signed(&self, request: WriteRequest, token: &Secret, number: &str) -> WriteRequest {
        request
            .header("authorization", format!("Bearer {}", token.reveal()))
            .header("appkey", self.client.id.as_str())
            .header("appsecret", self.client.secret.reveal())
            .header("tr_id", self.number(number))
            .header("custtype", "P")
    }

    /// Every page of what `call` asks for.
    ///
    /// # Errors
    /// Those of the provider, with what it says.
    async fn pages(&self, app: &App, call: &Call<'_>) -> Result<Vec<Value>> {
        let (mut pages, mut from) = (Vec::new(), None);
        loop {
            let (posted, answer) = self.page(app, call, from.as_ref()).await?;
            let next = answers::next_page(posted.header("tr_cont"), &answer);
            pages.push(answer);
            if next.is_none() {
                return Ok(pages);
            }
            // A list that begins anew, or does not end, is not known whole.
            if pages.len() >= MOST_PAGES || next == Some(from.unwrap_or_default()) {
                return Err(unreadable());
            }
            from = next;
        }
    }

    async fn page(&self, app: &App, call: &Call<'_>, from: Option<&(String, String)>) -> Result<(Posted, Value)> {
        let token = self.token(app).await?;
        let (posted, meaning) = self.ask(app, call, from, &token).await?;
        let (posted, meaning) = match meaning {
            KisResponse::TokenRefused => {
                let token = self.token_after(app, &token).await?;
                self.ask(app, call, from, &token).await?
            }
            meaning => (posted, meaning),
        };
        match meaning {
            KisResponse::Good(answer) => Ok((posted, answer)),
            other => Err(Error::new(Kind::UpstreamUnavailable, other.why_not().unwrap_or(answers::UNCLEAR.into()))),
        }
    }

    async fn ask(
        &self,
        app: &App,
        call: &Call<'_>,
        from: Option<&(String, String)>,
        token: &Secret,
    ) -> Result<(Posted, KisResponse)> {
        let empty = (String::new(), String::new());
        let (filter, key) = from.unwrap_or(&empty);
        let account = [("CANO", &self.account), ("ACNT_PRDT_CD", &self.product)];
        let rest = call.parameters.iter().map(|(name, value)| (*name, value));
        let page = [("CTX_AREA_FK100", filter), ("CTX_AREA_NK100", key)];
        let encoded =
            |(name, value): (&str, &String)| format!("{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC));
        let query: Vec<String> = account.into_iter().chain(rest).chain(page).map(encoded).collect();
        let url = format!("{}{}?{}", self.address, call.path, query.join("&"));
        let request = WriteRequest { verb: Verb::Get, url, ..WriteRequest::default() };
        let request = request
            .header("content-type", "application/json; charset=utf-8")
            .header("tr_cont", if from.is_some() { "N" } else { "" });
        let asked = app.outside.upstream.write_once(&KIS, self.signed(request, token, call.number)).await;
        let posted = asked.map_err(|unanswered| *unanswered.error)?;
        let meaning = KisResponse::of(posted.status, &posted.body);
        Ok((posted, meaning))
    }

    /// The orders of `day`.
    ///
    /// # Errors
    /// Those of the provider.
    async fn orders_of(&self, app: &App, day: NaiveDate) -> Result<Vec<BrokerOrder>> {
        let day = answers::written(day);
        let parameters = [
            ("INQR_STRT_DT", day.as_str()),
            ("INQR_END_DT", day.as_str()),
            ("SLL_BUY_DVSN_CD", "00"),
            ("INQR_DVSN", "01"),
            ("PDNO", ""),
            ("CCLD_DVSN", "00"),
            ("ORD_GNO_BRNO", ""),
            ("ODNO", ""),
            ("INQR_DVSN_3", "00"),
            ("INQR_DVSN_1", ""),
            ("EXCG_ID_DVSN_CD", "KRX"),
        ];
        let parameters = parameters.map(|(name, value)| (name, value.to_owned())).into();
        let path = "/uapi/domestic-stock/v1/trading/inquire-daily-ccld";
        let pages = self.pages(app, &Call { path, number: "TTTC0081R", parameters }).await?;
        Ok(pages.iter().flat_map(answers::listed).collect())
    }
}

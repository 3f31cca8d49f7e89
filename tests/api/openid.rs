//! A provider of sign-ins as the tests want it: it seals with keys of its own, and says whatever a test has it say.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hanok::base::Secret;
use hanok::platform::config::{Config, SignIn};
use openidconnect::core::{CoreEdDsaPrivateSigningKey, CoreJwsSigningAlgorithm, CoreRsaPrivateSigningKey};
use openidconnect::{JsonWebKeyId, PkceCodeChallenge, PkceCodeVerifier, PrivateSigningKey};
use p256::ecdsa::SigningKey;
use p256::ecdsa::signature::Signer;
use parking_lot::Mutex;
use reqwest::Url;
use serde_json::{Value, json};
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, Request, Respond, ResponseTemplate};

use crate::forms::Browser;
use crate::house::{Answer, House};

/// As whom the provider knows the house.
pub const CLIENT: &str = "hanok-shop";
/// The secret that goes with it.
pub const SECRET: &str = "known to both";
const FIRST: &str = include_str!("samples/sign_in_ed25519_1.pem");
const SECOND: &str = include_str!("samples/sign_in_ed25519_2.pem");
const RSA: &str = include_str!("samples/sign_in_rsa.pem");

/// By what an ID token is sealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seal {
    /// The first key of the provider.
    First,
    /// The one that it has after it has changed its keys.
    Second,
    /// An RSA key, as most providers have.
    Rsa,
    /// An elliptic curve's, as some have (ES256).
    Ec,
    /// Nothing: `alg` is `none`.
    Nothing,
    /// The secret of the client, which is no key of the provider's alone.
    ClientSecret,
}

/// What the provider does.
#[derive(Clone)]
pub struct Says {
    /// How it calls itself, where that is not its address.
    pub issuer: Option<String>,
    /// The status of its discovery.
    pub discovery: u16,
    /// The status of the exchange of a code.
    pub exchange: u16,
    /// The claims of the ID token beside the usual ones; null takes one away.
    pub claims: Value,
    /// What it tells where more is asked for; null where there is no such place.
    pub more: Value,
    /// By what it seals.
    pub seal: Seal,
    /// The keys that it shows.
    pub shown: Vec<Seal>,
    /// The address at which it is slow, and how slow.
    pub slow: (&'static str, Duration),
    /// Whether what it says is changed after it was sealed.
    pub changed: bool,
    /// What the exchange answers in the place of an ID token.
    pub instead: Option<String>,
    /// The challenge that came with the browser.
    challenge: String,
    nonce: String,
    now: i64,
}

/// A provider at an address of its own.
pub struct Provider {
    server: MockServer,
    says: Arc<Mutex<Says>>,
}

impl Provider {
    /// One that knows a customer called 김지우, of a confirmed address.
    pub async fn start() -> Provider {
        let says = Says {
            issuer: None,
            discovery: 200,
            exchange: 200,
            claims: json!({"sub": "jiwoo-1", "email": "jiwoo@example.com", "email_verified": true, "name": "김지우"}),
            more: Value::Null,
            seal: Seal::First,
            shown: vec![Seal::First],
            slow: ("", Duration::ZERO),
            changed: false,
            instead: None,
            challenge: String::new(),
            nonce: String::new(),
            now: 0,
        };
        let (server, says) = (MockServer::start().await, Arc::new(Mutex::new(says)));
        let answering = Answering { address: server.uri(), says: Arc::clone(&says) };
        Mock::given(any()).respond_with(answering).mount(&server).await;
        Provider { server, says }
    }

    /// Its address.
    pub fn address(&self) -> String {
        self.server.uri()
    }

    /// Does otherwise from here on.
    pub fn says(&self, change: impl FnOnce(&mut Says)) {
        change(&mut self.says.lock());
    }

    /// Says these claims, and these alone.
    pub fn claims(&self, claims: Value) {
        self.says(|says| says.claims = claims);
    }

    /// How often it was asked anything.
    pub async fn asked(&self) -> usize {
        self.server.received_requests().await.unwrap_or_default().len()
    }

    /// The settings of a house whose customers come in by it.
    pub fn settings(&self, config: &mut Config) {
        config.sign_in = SignIn {
            label: "마을 계정".to_owned(),
            issuer: self.address(),
            client_id: CLIENT.to_owned(),
            client_secret: Secret::new(SECRET),
            ..SignIn::default()
        };
    }

    /// Lets a customer agree who has come by this way: the provider knows what it was asked.
    pub fn agreed(&self, house: &House, way: &Way) {
        let now = house.clock.now().timestamp();
        self.says(|says| (says.challenge, says.nonce, says.now) = (way.part("code_challenge"), way.part("nonce"), now));
    }
}

/// The way to a provider.
pub struct Way(pub Url);

impl Way {
    /// The way on which the page leads.
    pub fn of(page: &Answer) -> Way {
        assert_eq!(page.status, 200, "{}", page.text);
        let (_, behind) = page.text.split_once("content=\"0;url=").unwrap_or_else(|| panic!("no way in {}", page.text));
        let address = behind.split('"').next().unwrap().replace("&#38;", "&").replace("&amp;", "&");
        Way(Url::parse(&address).unwrap())
    }

    /// What the address says of `name`; empty where it says nothing.
    pub fn part(&self, name: &str) -> String {
        self.0.query_pairs().find(|(known, _)| known == name).map(|(_, value)| value.into_owned()).unwrap_or_default()
    }

    /// Where the provider sends back to, for a customer who has agreed.
    pub fn back(&self) -> String {
        format!("/auth/callback?code=good&state={}", self.part("state"))
    }
}

/// Begins a sign-in on the page for it.
pub async fn begun(browser: &mut Browser<'_>, next: &str) -> Way {
    let page = browser.open("/account/sign-in").await;
    Way::of(&browser.send("/account/sign-in/with", &page, &[("provider", "sign_in"), ("next", next)]).await)
}

/// Goes the whole way there and back.
pub async fn through(house: &House, provider: &Provider, browser: &mut Browser<'_>) -> Answer {
    let way = begun(browser, "").await;
    provider.agreed(house, &way);
    browser.open(&way.back()).await
}

struct Answering {
    address: String,
    says: Arc<Mutex<Says>>,
}

impl Respond for Answering {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        let says = self.says.lock().clone();
        let json = |body: Value| ResponseTemplate::new(200).set_body_json(body);
        let path = request.url.path();
        let answer = match path {
            "/.well-known/openid-configuration" if says.discovery == 200 => json(self.discovery(&says)),
            "/.well-known/openid-configuration" => ResponseTemplate::new(says.discovery),
            "/keys" => json(json!({"keys": says.shown.iter().filter_map(|key| shown(*key)).collect::<Vec<_>>()})),
            "/token" => self.exchange(&says, request),
            "/more" if request.headers.get("authorization").is_some_and(|line| line == "Bearer a-token") => {
                json(says.more)
            }
            _ => ResponseTemplate::new(404),
        };
        if path == says.slow.0 { answer.set_delay(says.slow.1) } else { answer }
    }
}

impl Answering {
    fn discovery(&self, says: &Says) -> Value {
        let address = &self.address;
        let mut found = json!({
            "issuer": says.issuer.clone().unwrap_or_else(|| address.clone()),
            "authorization_endpoint": format!("{address}/authorize"),
            "token_endpoint": format!("{address}/token"),
            "jwks_uri": format!("{address}/keys"),
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256", "ES256", "EdDSA"],
        });
        if !says.more.is_null() {
            found["userinfo_endpoint"] = format!("{address}/more").into();
        }
        found
    }

    fn exchange(&self, says: &Says, request: &Request) -> ResponseTemplate {
        let fields: Vec<(String, String)> =
            Url::parse(&format!("http://x/?{}", String::from_utf8_lossy(&request.body)))
                .unwrap()
                .query_pairs()
                .into_owned()
                .collect();
        let field = |name: &str| fields.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        let verifier = PkceCodeVerifier::new(field("code_verifier").unwrap_or_default());
        let proves = PkceCodeChallenge::from_code_verifier_sha256(&verifier).as_str() == says.challenge;
        let is_client = request.headers.contains_key("authorization");
        if says.exchange != 200 {
            return ResponseTemplate::new(says.exchange).set_body_json(json!({"error": "server_error"}));
        }
        if !proves || !is_client || field("code").as_deref() != Some("good") {
            return ResponseTemplate::new(400).set_body_json(json!({"error": "invalid_grant"}));
        }
        let token = says.instead.clone().unwrap_or_else(|| self.sealed(says));
        let answer = json!({"access_token": "a-token", "token_type": "Bearer", "expires_in": 60, "id_token": token});
        ResponseTemplate::new(200).set_body_json(answer)
    }

    fn sealed(&self, says: &Says) -> String {
        let mut claims = json!({
            "iss": self.address, "aud": CLIENT, "iat": says.now, "exp": says.now + 300, "nonce": says.nonce,
        });
        for (name, value) in says.claims.as_object().unwrap() {
            match value {
                Value::Null => drop(claims.as_object_mut().unwrap().remove(name)),
                value => claims[name] = value.clone(),
            }
        }
        let algorithm = match says.seal {
            Seal::First | Seal::Second => "EdDSA",
            Seal::Rsa => "RS256",
            Seal::Ec => "ES256",
            Seal::Nothing => "none",
            Seal::ClientSecret => "HS256",
        };
        let head = json!({"alg": algorithm, "kid": format!("{:?}", says.seal), "typ": "JWT"});
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let said = format!("{}.{}", part(&head), part(&claims));
        let seal = URL_SAFE_NO_PAD.encode(seal(says.seal, said.as_bytes()));
        if says.changed {
            claims["sub"] = "somebody-else".into();
        }
        format!("{}.{}.{seal}", part(&head), part(&claims))
    }
}

fn seal(by: Seal, said: &[u8]) -> Vec<u8> {
    use openidconnect::core::CoreHmacKey;
    match by {
        Seal::First | Seal::Second => ed25519(by).sign(&CoreJwsSigningAlgorithm::EdDsa, said).unwrap(),
        Seal::Rsa => rsa().sign(&CoreJwsSigningAlgorithm::RsaSsaPkcs1V15Sha256, said).unwrap(),
        Seal::Ec => {
            let sealed: p256::ecdsa::Signature = ec().sign(said);
            sealed.to_bytes().to_vec()
        }
        Seal::Nothing => Vec::new(),
        Seal::ClientSecret => CoreHmacKey::new(SECRET).sign(&CoreJwsSigningAlgorithm::HmacSha256, said).unwrap(),
    }
}

fn ed25519(by: Seal) -> CoreEdDsaPrivateSigningKey {
    let pem = if by == Seal::First { FIRST } else { SECOND };
    CoreEdDsaPrivateSigningKey::from_ed25519_pem(pem, Some(JsonWebKeyId::new(format!("{by:?}")))).unwrap()
}

fn rsa() -> CoreRsaPrivateSigningKey {
    CoreRsaPrivateSigningKey::from_pem(RSA, Some(JsonWebKeyId::new("Rsa".to_owned()))).unwrap()
}

/// A key of P-256 that is the same in every test.
fn ec() -> SigningKey {
    SigningKey::from_slice(&[17; 32]).unwrap()
}

/// The half of it that the provider shows (RFC 7518, 6.2.1).
fn shown_ec() -> Value {
    let point = ec().verifying_key().to_sec1_point(false);
    let part = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
    let (x, y) = (part(point.x().unwrap()), part(point.y().unwrap()));
    json!({"kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": "Ec", "x": x, "y": y})
}

fn shown(key: Seal) -> Option<Value> {
    match key {
        Seal::First | Seal::Second => serde_json::to_value(ed25519(key).as_verification_key()).ok(),
        Seal::Rsa => serde_json::to_value(rsa().as_verification_key()).ok(),
        Seal::Ec => Some(shown_ec()),
        _ => None,
    }
}

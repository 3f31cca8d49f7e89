//! Access tokens of outside providers, by OAuth 2 (RFC 6749): the house's own by client credentials, or the household's, who
//! gives its permission at the provider once (an authorization code, RFC 7636), after which a refresh token renews it.
//!
//! A domain declares a [`Grant`] and asks for an access token ([`Tokens::access_token`]) before each request. A token is renewed before it ends, by one
//! request however many ask, and that goes on when whoever asked goes away: a provider that gives a new refresh token with
//! each renewal has ended the one before. While a renewal fails, a token that is still good is given. What the provider says of a
//! permission that was taken back ends it here, too, and the household is asked to connect again.
//!
//! Per permission one at a time asks the provider for tokens or touches what is kept of it; a token that is good is given
//! meanwhile to whoever asks.
//!
//! In the store tokens are sealed under a key of the data folder, which no backup file holds ([`Sealing`]): whoever finds a
//! backup has no access to anything. A restore does not go back to earlier tokens ([`PRESERVED_ON_RESTORE`]).
//!
//! What is deliberately not here: where the household is sent to give its permission, and what is done with a token.

mod answer;
mod report;
mod slot;
mod store;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use parking_lot::Mutex;
use serde_json::Value;
use tracing::warn;

use crate::sealing::Sealing;
use crate::single_flight::SingleFlight;
use crate::store::Store;
use crate::upstream::{Limits, Posted, Provider, Upstreams, WriteRequest};
use answer::{TokenGrant, Unread};
use hanok_base::secret::Secret;
use hanok_base::{Clock, Error, Kind, MessageTemplate, Result, Shared};
pub use report::{TokenState, TokenStatus};
use slot::Slot;
use store::GrantTokens;
pub use store::{PRESERVED_ON_RESTORE, TABLES};

const NOT_CONNECTED: MessageTemplate = MessageTemplate::new("house.tokens.not_connected", "{who} is not connected");
const CONNECT_AGAIN: MessageTemplate = MessageTemplate::new(
    "house.tokens.connect_again",
    "{who} has ended the permission, or it can no longer be read: connect it again",
);
const CODE_REFUSED: MessageTemplate = MessageTemplate::new(
    "house.tokens.code_refused",
    "{who} does not take the permission that was given: give it once more",
);
const GIVES_NONE: MessageTemplate = MessageTemplate::new(
    "house.tokens.gives_none",
    "{who} gives no access (status {status}): look at the id and the secret that it was given",
);

/// A permission at one provider, as a constant of the domain that uses it.
#[derive(Debug)]
pub struct Grant {
    /// Its name, unique in the house.
    pub name: &'static str,
    /// Who gives it.
    pub provider: &'static Provider,
    /// How it comes about.
    pub way: GrantWay,
}

/// How a permission comes about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GrantWay {
    /// By the house's own id and secret.
    ClientCredentials,
    /// By the household, at the provider: see [`Tokens::connect`].
    AuthorizationCode,
}

/// Who we are at the provider, from the settings.
#[derive(Debug, Clone)]
pub struct OAuthClient {
    /// Where tokens are given.
    pub token_url: String,
    /// Our id.
    pub id: String,
    /// Our secret; empty for a client that has none.
    pub secret: Secret,
    /// What is asked for, words with a blank between them; may be empty.
    pub scope: String,
    /// How id and secret are told.
    pub told: ClientAuth,
}

/// How id and secret are told (RFC 6749, section 2.3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientAuth {
    /// As HTTP Basic.
    Basic,
    /// In the body.
    Body,
    /// In a body of JSON, under these names, as some providers have it instead of the standard's form.
    Json {
        /// What the id is called.
        id: &'static str,
        /// What the secret is called.
        secret: &'static str,
    },
}

/// What the provider has sent back with the household, and what it was sent there with.
#[derive(Debug, Clone)]
pub struct AuthorizationCode {
    /// The code.
    pub code: Secret,
    /// The address that the household came back to.
    pub redirect_url: String,
    /// The verifier of the challenge that was sent.
    pub verifier: Secret,
}

/// A permission that was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Connection {
    /// Since when.
    pub connected_at: DateTime<Utc>,
    /// For what, in the provider's words.
    pub scope: Option<String>,
    /// Whether the provider has ended it.
    pub has_ended: bool,
}

/// The handle to the tokens; clones share it.
#[derive(Clone)]
pub struct Tokens(Shared<Inner>);

struct Inner {
    store: Store,
    clock: Clock,
    upstream: Upstreams,
    claims: SingleFlight,
    sealing: Sealing,
    slots: Mutex<HashMap<&'static str, Arc<Slot>>>,
}

impl Tokens {
    /// The handle to those that `store` keeps, sealed by `sealing` and asked for by `upstream`.
    pub fn new(store: Store, sealing: Sealing, clock: Clock, upstream: Upstreams, claims: SingleFlight) -> Tokens {
        Tokens(Shared::new(Inner { store, sealing, clock, upstream, claims, slots: Mutex::default() }))
    }

    /// A token that gives access now; renewed where its end is near.
    ///
    /// # Errors
    /// `NOT_CONFIGURED` while the household has given no permission, or has to give it again; those of the provider while it can
    /// neither be used nor renewed.
    pub async fn access_token(&self, grant: &'static Grant, client: &OAuthClient) -> Result<Secret> {
        let slot = self.slot(grant);
        read_kept(self, grant, &slot).await?;
        let good = match slot.good(self.0.clock.moment()) {
            Some((token, false)) => return Ok(token),
            good => good.map(|(token, _)| token),
        };
        let turn = match (Arc::clone(&slot.turn).try_lock_owned(), &good) {
            (Ok(turn), _) => turn,
            (Err(_), Some(token)) => return Ok(token.clone()),
            (Err(_), None) => Arc::clone(&slot.turn).lock_owned().await,
        };
        // Somebody may have renewed it meanwhile.
        if let Some((token, false)) = slot.good(self.0.clock.moment()) {
            return Ok(token);
        }
        let (theirs, client, renewed) = (self.clone(), client.clone(), Arc::clone(&slot));
        let work = async move {
            let _turn = turn;
            renew(&theirs, grant, &client, &renewed).await.map(|()| Value::Null)
        };
        match self.0.claims.run_without_key(grant.name, work).await {
            Ok(_) => slot.good(self.0.clock.moment()).map(|(token, _)| token).ok_or_else(|| gives_none(grant, 200)),
            Err(error) => good.filter(|_| slot.good(self.0.clock.moment()).is_some()).ok_or(error),
        }
    }

    /// Takes the permission that the household has given, in the place of an earlier one.
    ///
    /// # Errors
    /// `CONFLICT` when the provider does not take it; those of asking it and of writing.
    pub async fn connect(&self, grant: &'static Grant, client: &OAuthClient, code: AuthorizationCode) -> Result<()> {
        let slot = self.slot(grant);
        let turn = Arc::clone(&slot.turn).lock_owned().await;
        let (theirs, client) = (self.clone(), client.clone());
        let work = async move {
            let _turn = turn;
            let fields = [
                ("grant_type", "authorization_code"),
                ("code", code.code.reveal()),
                ("redirect_uri", code.redirect_url.as_str()),
                ("code_verifier", code.verifier.reveal()),
            ];
            let given = match ask(&theirs, grant, &client, &fields).await? {
                Asked::Granted(given) => given,
                Asked::Ended => return Err(Error::conflict(CODE_REFUSED.with([("who", grant.title())]))),
            };
            let now = theirs.0.clock.now();
            let tokens = GrantTokens::of(given, None, now);
            // Whoever has given a permission is told when it cannot be kept; the earlier one stays then.
            store::write(&theirs, grant, tokens.clone()).await?;
            slot.hold(&theirs.0.clock, tokens);
            Ok(Value::Null)
        };
        self.0.claims.run_without_key(grant.name, work).await.map(drop)
    }

    /// Forgets the permission here, whoever waits for it; what the provider still thinks of it is the domain's to tell it.
    ///
    /// # Errors
    /// Those of writing.
    pub async fn disconnect(&self, grant: &'static Grant) -> Result<()> {
        let slot = self.slot(grant);
        let turn = Arc::clone(&slot.turn).lock_owned().await;
        let theirs = self.clone();
        let work = async move {
            let _turn = turn;
            store::remove(&theirs, grant).await?;
            slot.forget();
            Ok(Value::Null)
        };
        self.0.claims.run_without_key(grant.name, work).await.map(drop)
    }

    /// The permission that was given. None where there is none.
    ///
    /// # Errors
    /// Those of reading.
    pub async fn connection(&self, grant: &'static Grant) -> Result<Option<Connection>> {
        let slot = self.slot(grant);
        read_kept(self, grant, &slot).await?;
        let is_good = slot.good(self.0.clock.moment()).is_some();
        let held = slot.held.lock();
        Ok(held.tokens.as_ref().map(|tokens| Connection {
            connected_at: tokens.connected_at,
            scope: tokens.scope.clone(),
            has_ended: !is_good && tokens.refresh.is_none() && grant.way == GrantWay::AuthorizationCode,
        }))
    }

    /// Notes that the provider has refused `token`, whatever was said of its end: the next who asks has it renewed.
    pub fn note_refused(&self, grant: &'static Grant, token: &Secret) {
        let slot = self.slot(grant);
        let mut held = slot.held.lock();
        if held.tokens.as_ref().is_some_and(|tokens| tokens.access.as_deref() == Some(token.reveal())) {
            held.good_until = Some(self.0.clock.moment());
        }
    }

    fn slot(&self, grant: &'static Grant) -> Arc<Slot> {
        Arc::clone(self.0.slots.lock().entry(grant.name).or_default())
    }
}

/// Asks for another token. Whoever calls has the turn.
async fn renew(our: &Tokens, grant: &'static Grant, client: &OAuthClient, slot: &Slot) -> Result<()> {
    let held = slot.held.lock().tokens.clone();
    let refresh = held.as_ref().and_then(|tokens| tokens.refresh.clone());
    let asked = match (grant.way, &held, &refresh) {
        (GrantWay::ClientCredentials, ..) => {
            let fields = [("grant_type", "client_credentials"), ("scope", client.scope.as_str())];
            ask(our, grant, client, &fields[..if client.scope.is_empty() { 1 } else { 2 }]).await?
        }
        (GrantWay::AuthorizationCode, None, _) => return Err(not_configured(&NOT_CONNECTED, grant)),
        (GrantWay::AuthorizationCode, Some(_), None) => return Err(not_configured(&CONNECT_AGAIN, grant)),
        (GrantWay::AuthorizationCode, Some(_), Some(refresh)) => {
            let fields = [("grant_type", "refresh_token"), ("refresh_token", refresh.as_str())];
            ask(our, grant, client, &fields).await?
        }
    };
    let (tokens, outcome) = match asked {
        Asked::Granted(given) => (GrantTokens::of(given, held, our.0.clock.now()), Ok(())),
        Asked::Ended => match held {
            Some(held) if grant.way == GrantWay::AuthorizationCode => {
                (held.ended(), Err(not_configured(&CONNECT_AGAIN, grant)))
            }
            _ => return Err(gives_none(grant, 400)),
        },
    };
    slot.hold(&our.0.clock, tokens.clone());
    // What this process knows is good all the same; it is written down with the next that asks.
    if let Err(error) = store::write(our, grant, tokens).await {
        warn!(grant = grant.name, %error, "a token is not known after a restart");
        slot.held.lock().is_unwritten = true;
    }
    outcome
}

/// What the provider says when it is asked for a token.
enum Asked {
    Granted(TokenGrant),
    /// What was shown to it is not good, or not any more.
    Ended,
}

async fn ask(our: &Tokens, grant: &Grant, client: &OAuthClient, fields: &[(&str, &str)]) -> Result<Asked> {
    let mut fields = fields.to_vec();
    let is_json = matches!(client.told, ClientAuth::Json { .. });
    if client.told == ClientAuth::Body || (client.secret.is_empty() && !is_json) {
        fields.push(("client_id", &client.id));
    }
    if client.told == ClientAuth::Body && !client.secret.is_empty() {
        fields.push(("client_secret", client.secret.reveal()));
    }
    let mut request = match client.told {
        ClientAuth::Json { id, secret } => {
            fields.extend([(id, client.id.as_str()), (secret, client.secret.reveal())]);
            WriteRequest::json(client.token_url.as_str(), &fields.into_iter().collect::<HashMap<_, _>>())?
        }
        ClientAuth::Basic | ClientAuth::Body => WriteRequest::form(client.token_url.as_str(), &fields),
    };
    request.limits = Limits { max_bytes: 64 << 10, ..Limits::default() };
    if client.told == ClientAuth::Basic && !client.secret.is_empty() {
        request = request.header("authorization", answer::basic(&client.id, client.secret.reveal()));
    }
    let outcome = our.0.upstream.write_once(grant.provider, request).await;
    let Posted { status, body, .. } = outcome.map_err(|unanswered| *unanswered.error)?;
    let (asked, outcome) = match (status, answer::read(&body)) {
        (200, Ok(given)) => (Ok(Asked::Granted(given)), "given"),
        (400, Err(Unread::Refused(error))) if error == "invalid_grant" => (Ok(Asked::Ended), "ended"),
        _ => (Err(gives_none(grant, status)), "refused"),
    };
    metrics::counter!("hanok_tokens_asked_total", "grant" => grant.name, "outcome" => outcome).increment(1);
    asked
}

/// Knows again what the store has, and writes there what it lacks, unless somebody has the turn who may know better.
async fn read_kept(our: &Tokens, grant: &'static Grant, slot: &Slot) -> Result<()> {
    if slot.held.lock().is_read {
        if let Ok(_turn) = slot.turn.try_lock()
            && let Some(tokens) = slot.unwritten()
            && store::write(our, grant, tokens).await.is_ok()
        {
            slot.held.lock().is_unwritten = false;
        }
        return Ok(());
    }
    let _turn = slot.turn.lock().await;
    if slot.held.lock().is_read {
        return Ok(());
    }
    match store::read(our, grant).await? {
        Some(tokens) => slot.hold(&our.0.clock, tokens),
        None => slot.forget(),
    }
    Ok(())
}

impl Grant {
    fn title(&self) -> hanok_base::message::MessageArg {
        (self.provider.title_ko, self.provider.title_en).into()
    }
}

fn not_configured(sentence: &MessageTemplate, grant: &Grant) -> Error {
    Error::new(Kind::NotConfigured, sentence.with([("who", grant.title())]))
}

fn gives_none(grant: &Grant, status: u16) -> Error {
    let values = [("who", grant.title()), ("status", u64::from(status).into())];
    Error::new(Kind::UpstreamUnavailable, GIVES_NONE.with(values))
}

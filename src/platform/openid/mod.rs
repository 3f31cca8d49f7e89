//! Signing in by a provider that speaks OpenID Connect: discovery, the authorization code with PKCE, state and nonce, and the
//! look at what the provider says of whom it sends back (OpenID Connect Core 1.0 and Discovery 1.0, RFC 7636, RFC 9207).
//!
//! Discovery and keys are asked for at each sign-in: they are small, and keys that were changed a moment ago are known. Whatever
//! is asked goes through [`Upstreams`], so a provider that is down, slow or lies counts as any other does.
//!
//! What is deliberately not here: whom the provider's account lets in, and what becomes of the state. That is the domain's.

mod asking;
mod told;

use chrono::{DateTime, Utc};
use openidconnect::core::{
    CoreAuthenticationFlow, CoreClient, CoreClientAuthMethod, CoreJsonWebKeySet, CoreProviderMetadata,
};
use openidconnect::{
    AuthType, ClientId, ClientSecret, CsrfToken, EndpointMaybeSet, EndpointNotSet, EndpointSet, Nonce,
    PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, Scope,
};
use serde::{Deserialize, Serialize};

use crate::config::OpenIdProvider;
use crate::upstream::{Provider, Upstreams};
use asking::limits;
use hanok_base::secret::random_token;
use hanok_base::{Error, Kind, MessageTemplate, Result};
pub use told::Told;

/// The provider's word does not hold.
const NOT_BELIEVED: MessageTemplate =
    MessageTemplate::new("house.sign_in_not_believed", "what the sign-in provider says cannot be relied on");
/// The provider takes the code for none of its own.
const REFUSED: MessageTemplate = MessageTemplate::new("house.sign_in_refused", "the sign-in provider has refused");

/// What is known of the provider as whom this house asks it.
type Client =
    CoreClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointMaybeSet, EndpointMaybeSet>;

/// What proves at the return that it belongs to this start: it stays here, and its fingerprints go out.
#[derive(Clone, Serialize, Deserialize)]
pub struct Proof {
    nonce: String,
    verifier: String,
}

impl Proof {
    /// One that was never used.
    pub fn new() -> Proof {
        Proof { nonce: random_token(32), verifier: random_token(48) }
    }
}

impl Default for Proof {
    fn default() -> Self {
        Proof::new()
    }
}

/// A provider that has said where it is asked.
pub struct Found<'a> {
    upstream: &'a Upstreams,
    provider: &'static Provider,
    settings: &'a OpenIdProvider,
    metadata: CoreProviderMetadata,
}

impl<'a> Found<'a> {
    /// Asks the provider of `settings` where it is asked for what.
    ///
    /// # Errors
    /// Those of [`Upstreams::read`]; also where it calls itself otherwise than it is called here, which is a failure of the
    /// provider.
    pub async fn at(
        upstream: &'a Upstreams,
        provider: &'static Provider,
        settings: &'a OpenIdProvider,
    ) -> Result<Found<'a>> {
        let issuer = settings.issuer.as_str();
        let address = format!("{}/.well-known/openid-configuration", issuer.trim_end_matches('/'));
        let is_by_tls = issuer.starts_with("https://");
        let read = upstream.read(provider, &address, limits(), |answer| {
            let metadata: CoreProviderMetadata = answer.json()?;
            // With a slash at the end or without one it is the same provider: it can be asked at one address only.
            let called = metadata.issuer().as_str();
            if called.trim_end_matches('/') != issuer.trim_end_matches('/') {
                return Err(format!("the issuer calls itself {called:?}"));
            }
            let token = metadata.token_endpoint().map(|address| address.url()).ok_or("there is no token endpoint")?;
            let told = metadata.userinfo_endpoint().map(|address| address.url());
            let asked = [metadata.authorization_endpoint().url(), token, metadata.jwks_uri().url()];
            if is_by_tls && asked.into_iter().chain(told).any(|address| address.scheme() != "https") {
                return Err("an endpoint is asked in the open".to_owned());
            }
            Ok(metadata)
        });
        Ok(Found { upstream, provider, settings, metadata: read.await? })
    }

    /// The address of the provider, as it calls itself.
    pub fn issuer(&self) -> &str {
        self.metadata.issuer().as_str()
    }

    /// That who calls itself `issuer` at the return is this provider, so that the code of one is never given to another
    /// (RFC 9207). Not every provider says it.
    ///
    /// # Errors
    /// `FORBIDDEN` when it is another one.
    pub fn check_sender(&self, issuer: &str) -> Result<()> {
        if issuer.is_empty() || issuer == self.issuer() {
            return Ok(());
        }
        Err(not_believed(self.provider, &"another provider has sent the customer back"))
    }

    /// Where the customer's browser is sent: back to `return_to` with `state` and a code.
    ///
    /// # Errors
    /// `INTERNAL` when `return_to` is no address.
    pub fn way_there(&self, proof: &Proof, state: String, return_to: &str) -> Result<String> {
        let client = self.client(return_to, CoreJsonWebKeySet::default())?;
        let nonce = Nonce::new(proof.nonce.clone());
        let challenge = PkceCodeChallenge::from_code_verifier_sha256(&PkceCodeVerifier::new(proof.verifier.clone()));
        // The library asks for `openid` by itself.
        let scopes = self.settings.scopes.iter().filter(|scope| *scope != "openid").cloned().map(Scope::new);
        let asked = client
            .authorize_url(CoreAuthenticationFlow::AuthorizationCode, || CsrfToken::new(state), || nonce)
            .add_scopes(scopes)
            .set_pkce_challenge(challenge);
        Ok(asked.url().0.into())
    }

    /// Whom the provider has sent back with `code`, at the instant `now`.
    ///
    /// # Errors
    /// `UPSTREAM_UNAVAILABLE` or `UPSTREAM_TIMEOUT` when it cannot be asked, `FORBIDDEN` when it refuses the code, or what it
    /// says of the customer does not hold: sealed by none of its keys, for another one, too old, or of another start.
    pub async fn whom(&self, code: String, proof: &Proof, return_to: &str, now: DateTime<Utc>) -> Result<Told> {
        let keys = self.keys().await?;
        let client = self.client(return_to, keys)?;
        let answer = asking::for_token(self, &client, code, &proof.verifier).await?;
        told::of(self, &client, &answer, &proof.nonce, now).await
    }

    /// What the provider seals with.
    async fn keys(&self) -> Result<CoreJsonWebKeySet> {
        let address = self.metadata.jwks_uri().as_str();
        self.upstream.read(self.provider, address, limits(), |answer| answer.json()).await
    }

    fn client(&self, return_to: &str, keys: CoreJsonWebKeySet) -> Result<Client> {
        let OpenIdProvider { client_id, client_secret, .. } = self.settings;
        let secret = (!client_secret.is_empty()).then(|| ClientSecret::new(client_secret.reveal().to_owned()));
        let metadata = self.metadata.clone().set_jwks(keys);
        let known = metadata.token_endpoint_auth_methods_supported();
        let takes = |method| known.is_some_and(|methods| methods.contains(&method));
        let is_in_the_body =
            takes(CoreClientAuthMethod::ClientSecretPost) && !takes(CoreClientAuthMethod::ClientSecretBasic);
        let auth = if is_in_the_body { AuthType::RequestBody } else { AuthType::BasicAuth };
        let return_to = RedirectUrl::new(return_to.to_owned()).map_err(Error::internal)?;
        let client = CoreClient::from_provider_metadata(metadata, ClientId::new(client_id.clone()), secret);
        Ok(client.set_auth_type(auth).set_redirect_uri(return_to))
    }
}

/// What does not hold of the provider's word; why goes to the log.
fn not_believed(provider: &Provider, why: &dyn std::fmt::Display) -> Error {
    tracing::warn!(provider = provider.name, cause = %why, "the provider's word on a customer does not hold");
    Error::new(Kind::Forbidden, NOT_BELIEVED)
}

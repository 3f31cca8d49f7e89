//! What a provider says of a customer, and whether it holds.

use chrono::{DateTime, TimeDelta, Utc};
use openidconnect::core::{
    CoreGenderClaim, CoreIdTokenClaims, CoreIdTokenVerifier, CoreJwsSigningAlgorithm as CsrfToken, CoreTokenResponse,
};
use openidconnect::{
    AccessTokenHash, EmptyAdditionalClaims, EndUserEmail, EndUserName, LocalizedClaim, Nonce, OAuth2TokenResponse,
    SubjectIdentifier, TokenResponse, UserInfoClaims, UserInfoError,
};

use super::asking::{ByUpstream, Unasked};
use super::{Client, Found, not_believed};
use crate::config::rule::is_mail_address;
use hanok_base::Result;
use hanok_base::text::cut;

/// What a provider may seal with: keys of its own. Neither nothing nor the secret that both know.
const SEALS: [CsrfToken; 9] = [
    CsrfToken::RsaSsaPkcs1V15Sha256,
    CsrfToken::RsaSsaPkcs1V15Sha384,
    CsrfToken::RsaSsaPkcs1V15Sha512,
    CsrfToken::RsaSsaPssSha256,
    CsrfToken::RsaSsaPssSha384,
    CsrfToken::RsaSsaPssSha512,
    CsrfToken::EcdsaP256Sha256,
    CsrfToken::EcdsaP384Sha384,
    CsrfToken::EdDsa,
];
/// How far the provider's clock may be behind ours.
const BEHIND: TimeDelta = TimeDelta::minutes(1);
/// Bytes of the longest subject (OpenID Connect Core, 2).
const LONGEST_SUBJECT: usize = 255;
/// Characters of a name that are kept.
const LONGEST_NAME: usize = 50;

/// What a provider says of the customer that it sends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// What it calls the account, for good.
    pub subject: String,
    /// The address for mail, where it says that it has confirmed it.
    pub confirmed_mail: Option<String>,
    /// What may be shown of the account to its owner: the address, confirmed or not, or the name.
    pub shown_as: String,
    /// How the customer is called; may be empty.
    pub name: String,
}

/// What the provider says in `answer`, and where that lacks the address for mail at the place where it tells more.
pub(super) async fn of(
    found: &Found<'_>,
    client: &Client,
    answer: &CoreTokenResponse,
    nonce: &str,
    now: DateTime<Utc>,
) -> Result<Told> {
    let wrong = |why: &dyn std::fmt::Display| not_believed(found.provider, why);
    let token = answer.id_token().ok_or_else(|| wrong(&"there is no ID token"))?;
    let verifier: CoreIdTokenVerifier<'_> =
        client.id_token_verifier().set_allowed_algs(SEALS).set_time_fn(move || now - BEHIND);
    let claims: &CoreIdTokenClaims =
        token.claims(&verifier, &Nonce::new(nonce.to_owned())).map_err(|error| wrong(&error))?;
    if let Some(expected) = claims.access_token_hash() {
        let key = token.signing_key(&verifier).map_err(|error| wrong(&error))?;
        let seal = token.signing_alg().map_err(|error| wrong(&error))?;
        let hash = AccessTokenHash::from_token(answer.access_token(), seal, key).map_err(|error| wrong(&error))?;
        if hash != *expected {
            return Err(wrong(&"the access token is not the one of the ID token"));
        }
    }
    let subject = claims.subject();
    if subject.is_empty() || subject.len() > LONGEST_SUBJECT {
        return Err(wrong(&"the subject is none"));
    }
    let known = told(subject, (claims.email(), claims.email_verified()), claims.name());
    if claims.email().is_some() || client.user_info_url().is_none() {
        return Ok(known);
    }
    let request =
        client.user_info(answer.access_token().clone(), Some(subject.clone())).map_err(|error| wrong(&error))?;
    let more: Result<UserInfoClaims<EmptyAdditionalClaims, CoreGenderClaim>, _> =
        request.request_async(&ByUpstream(found)).await;
    match more {
        Ok(more) => {
            let name = more.name().or(claims.name());
            Ok(told(subject, (more.email(), more.email_verified()), name))
        }
        Err(UserInfoError::Request(Unasked(error))) => Err(error),
        Err(error) => Err(wrong(&error)),
    }
}

/// The same claims of either place.
fn told(
    subject: &SubjectIdentifier,
    (mail, is_confirmed): (Option<&EndUserEmail>, Option<bool>),
    name: Option<&LocalizedClaim<EndUserName>>,
) -> Told {
    let mail = mail.map(|mail| mail.to_string()).filter(|mail| is_mail_address(mail));
    let name = name.and_then(|name| name.get(None)).map(|name| seen(name)).unwrap_or_default();
    let confirmed_mail = mail.clone().filter(|_| is_confirmed == Some(true));
    Told { subject: subject.to_string(), confirmed_mail, shown_as: mail.unwrap_or_else(|| name.clone()), name }
}

/// A name as it is kept: of one line, not longer than one that customers write themselves.
fn seen(name: &str) -> String {
    let line: String = name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    cut(line.split_whitespace().collect::<Vec<_>>().join(" ").as_str(), LONGEST_NAME)
}

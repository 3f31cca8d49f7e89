//! Forms of pages: what a browser sends without any script, and the seal by which it is known that the form was ours.
//!
//! The seal is a word that only a page of this site can have: it is made of a cookie that the browser got with the form, and of
//! the session that it has. It stands beside the guard's look at `Origin` (`guard.rs`) and holds where a browser says
//! nothing of where a request comes from. A form also carries a key, drawn with the page: sent twice, it is done once.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use salvo::extract::Metadata;
use salvo::http::cookie::Cookie;
use salvo::oapi::{Components, Content, EndpointArgRegister, Object, Operation, RequestBody, Required};
use salvo::{Depot, Extractible, Request};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde::de::value::MapDeserializer;
use sha2::{Digest, Sha256};

use super::api_error::HandlerResult;
use super::body_limits::TakenRoom;
use super::idempotency::IdempotencyKey;
use super::input::{none, of_body, raw_body};
use super::nested::Nested;
use super::parts::{parameters, unfit};
use super::site_cookie::SiteCookie;
use super::visitors::{Admin, Customer};
use crate::app::App;
use hanok_base::secret::{fingerprint, hex, random_token};
use hanok_base::{Error, Kind, MessageTemplate, Request as Checked, Result};

const STALE: MessageTemplate =
    MessageTemplate::new("house.form_stale", "this form has lain open for too long; please send it once more");
const UNREADABLE: MessageTemplate = MessageTemplate::new("house.form_unreadable", "the form cannot be read");

/// Until the browser is closed.
const VISIT: SiteCookie = SiteCookie::new("__Host-hanok-form", 0);
/// Bytes of randomness in the words of a form.
const BYTES: usize = 16;
/// The names of the fields that every form has; those of a domain never begin so.
const SEAL: &str = "_seal";
const KEY: &str = "_key";
const OWN_FIELDS: char = '_';
/// The name of the field that says which of several forms of a page was sent.
const ACT: &str = "act";

/// What a form carries unseen, as its template writes it: `_seal` and `_key`.
#[derive(Debug, Clone)]
pub struct CsrfToken {
    /// The value of the field `_seal`.
    pub word: String,
    /// The value of the field `_key`.
    pub key: String,
    /// The cookie that the page of the form sets, where the browser has none yet.
    pub cookie: Option<Cookie<'static>>,
}

impl CsrfToken {
    /// The seal of a form that is shown to the sender of `req`.
    pub fn new(app: &App, req: &Request) -> CsrfToken {
        let visit = VISIT.sent(app, req).filter(|visit| !visit.is_empty());
        let (visit, cookie) = match visit {
            Some(visit) => (visit, None),
            None => {
                let visit = random_token(BYTES);
                (visit.clone(), Some(VISIT.carrying(app, req, visit)))
            }
        };
        CsrfToken { word: seal_of(app, req, &visit), key: random_token(BYTES), cookie }
    }
}

/// Bound to whoever is signed in: a form from before a sign-in is none of after it.
fn seal_of(app: &App, req: &Request, visit: &str) -> String {
    let sessions = [Customer::sent_token(app, req), Admin::sent_token(app, req)].map(Option::unwrap_or_default);
    fingerprint(&format!("form of the site {visit} {}", sessions.join(" ")))
}

/// A form that was sent. What stands in it is only had together with the look at its seal.
pub struct Form {
    body: String,
    values: BTreeMap<String, String>,
    is_sealed: bool,
    key: IdempotencyKey,
}

impl Form {
    /// What was typed into the field `name`, to be shown again; empty where nothing was.
    pub fn value(&self, name: &str) -> &str {
        self.values.get(name).map_or("", String::as_str)
    }

    /// Which of several forms of its page it is; empty where the page has one form.
    pub fn act(&self) -> &str {
        self.value(ACT)
    }

    /// The fields as a request of the domain. A field that was left empty counts as not sent, and the field `act`, which says
    /// which of several forms of a page it is, is left out.
    ///
    /// # Errors
    /// `FORBIDDEN` where the token is not that of this browser: the page shows the form again. `INVALID_INPUT` naming a field
    /// that is missing, not known or there twice.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T> {
        self.read_fields(false)
    }

    /// [`Form::read`] of a request that is checked.
    ///
    /// # Errors
    /// As there; `INVALID_INPUT` naming each refused field.
    pub fn checked<T: Checked>(&self) -> Result<T> {
        T::check(self.read_fields(false)?)
    }

    /// [`Form::checked`] for a form that shows all that it changes: a field that was left empty is cleared.
    ///
    /// # Errors
    /// As there; a field that cannot be cleared is refused when it is empty.
    pub fn changes<T: Checked>(&self) -> Result<T> {
        T::check(self.read_fields(true)?)
    }

    fn read_fields<T: DeserializeOwned>(&self, clears: bool) -> Result<T> {
        if !self.is_sealed {
            return Err(Error::new(Kind::Forbidden, STALE));
        }
        let mut fields = parameters(&self.body);
        fields.retain(|name, _| {
            let is_empty = self.values.get(name.as_ref()).is_none_or(String::is_empty);
            !name.starts_with(OWN_FIELDS) && (clears || !is_empty) && name != ACT
        });
        let fields = fields.into_iter().map(|(name, value)| (name, if clears { value.or_null() } else { value }));
        serde_path_to_error::deserialize(MapDeserializer::new(fields)).map_err(|error| unfit("form", error))
    }

    /// [`Form::changes`] of a request with lists: a field is named as its refusal is, such as `items[0].name`, and a list that may
    /// be empty has a field `items[]`. An empty field of an entry counts as not sent. Places that are left out close up: what is
    /// refused of the entry that was sent second is named `items[1]`.
    ///
    /// # Errors
    /// As there.
    pub fn nested<T: Checked>(&self) -> Result<T> {
        if !self.is_sealed {
            return Err(Error::new(Kind::Forbidden, STALE));
        }
        let mut fields = parameters(&self.body);
        fields.retain(|name, _| !name.starts_with(OWN_FIELDS) && name != ACT);
        let is_empty = |name: &str| self.values.get(name).is_none_or(String::is_empty);
        let tree = Nested::of(fields.into_iter().map(|(name, value)| (is_empty(&name), name, value)));
        T::check(serde_path_to_error::deserialize(tree).map_err(|error| unfit("form", error))?)
    }

    /// What was typed into each field, by its name.
    pub fn values(&self) -> impl Iterator<Item = (&str, &str)> {
        self.values.iter().filter(|(name, _)| !name.starts_with(OWN_FIELDS)).map(|(name, value)| (&**name, &**value))
    }

    /// The same form with each field of the domain as `adjust` gives it by its name and value; one for which it gives nothing is
    /// left out. So rows that were left empty go before the form is read, and the others close up as what is refused of them is
    /// named.
    pub fn adjusted(mut self, adjust: impl Fn(&str, &str) -> Option<(String, String)>) -> Form {
        let sent = form_urlencoded::parse(self.body.as_bytes());
        let kept: Vec<(String, String)> = sent
            .filter_map(|(name, value)| match name.starts_with(OWN_FIELDS) {
                true => Some((name.into_owned(), value.into_owned())),
                false => adjust(&name, &value),
            })
            .collect();
        self.body = form_urlencoded::Serializer::new(String::new()).extend_pairs(&kept).finish();
        self.values = kept.into_iter().rev().collect();
        self
    }

    /// [`Form::read`] for a form without fields of its own, such as a button.
    ///
    /// # Errors
    /// As there.
    pub fn read_nothing(&self) -> Result<()> {
        self.read::<NoFields>().map(drop)
    }

    /// The key under which the same form with the same fields is done once.
    pub fn key(&self) -> IdempotencyKey {
        self.key.clone()
    }
}

/// That what a form ends is ended, also where it was before: by the same form or on another page.
///
/// # Errors
/// All but `NOT_FOUND`.
pub fn already(ended: Result<()>) -> Result<()> {
    match ended {
        Err(error) if error.kind == Kind::NotFound => Ok(()),
        ended => ended,
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoFields {}

/// What people type is for no log.
impl fmt::Debug for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Form").field("is_sealed", &self.is_sealed).finish_non_exhaustive()
    }
}

impl<'ex> Extractible<'ex> for Form {
    fn metadata() -> &'static Metadata {
        none()
    }

    #[allow(refining_impl_trait, reason = "the error type is ours for every extractor")]
    async fn extract(req: &'ex mut Request, depot: &'ex mut Depot) -> HandlerResult<Self> {
        let body = raw_body(req, depot).await?;
        let app = depot.get_typed::<App>().map_err(|_| Error::internal("no app in this door"))?;
        let unreadable = || Error::new(Kind::InvalidJson, UNREADABLE);
        let body = of_body(body, |body| String::from_utf8(body.to_vec()).ok()).await?.ok_or_else(unreadable)?;
        // Browsers send line ends as two signs (WHATWG HTML, 4.10.21.8); what is kept and counted has one.
        let sent = form_urlencoded::parse(body.as_bytes());
        let sent: Vec<_> = sent.map(|(name, value)| (name.into_owned(), value.replace("\r\n", "\n"))).collect();
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(&sent).finish();
        let values: BTreeMap<String, String> = sent.into_iter().rev().collect();
        let value = |name: &str| values.get(name).cloned().unwrap_or_default();
        let visit = VISIT.sent(app, req).filter(|visit| !visit.is_empty());
        let is_sealed = visit.as_ref().is_some_and(|visit| seal_of(app, req, visit) == value(SEAL));
        let typed = values.iter().filter(|(name, _)| !name.starts_with(OWN_FIELDS));
        // The digest is kept for a day. With a word in it that the house does not keep, nobody who reads it can try passwords.
        let mut written = Sha256::new_with_prefix(visit.as_deref().unwrap_or_default());
        for (name, value) in typed {
            written.update(format!("{name} {} {value}", value.len()));
        }
        let room = req.extensions().get::<Arc<TakenRoom>>().cloned();
        let key = IdempotencyKey::of_form(req, &value(KEY), hex(&written.finalize()), room);
        Ok(Form { body, values, is_sealed, key })
    }
}

impl EndpointArgRegister for Form {
    fn register(_components: &mut Components, operation: &mut Operation, _arg: &str) {
        let body = RequestBody::new().add_content("application/x-www-form-urlencoded", Content::new(Object::new()));
        operation.request_body = Some(body.required(Required::True));
    }
}

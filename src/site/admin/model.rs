//! The name of an admin, and what is noted of what was done.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use hanok_base::Sentence;
use hanok_base::schema::{BasicType, Components, Object, RefOr, Schema, ToSchema};
use hanok_base::sent::{Constraint, Refused};

const NAME: Sentence = Sentence::new("admin.must.name", "must be 1 to 50 letters, digits and signs of . _ - @");
/// The most characters of a name.
const LONGEST: usize = 50;

/// By which an admin signs in.
#[derive(Debug)]
pub enum Name {}

impl Constraint for Name {
    type Sent = String;
    type Value = String;

    fn check(sent: String) -> Result<String, Refused> {
        let is_plain = |c: char| c.is_alphanumeric() || "._-@".contains(c);
        let fits = (1..=LONGEST).contains(&sent.chars().count()) && sent.chars().all(is_plain);
        if fits { Ok(sent) } else { Err(NAME.into()) }
    }

    fn schema(_components: &mut Components) -> RefOr<Schema> {
        Object::with_type(BasicType::String).min_length(1).max_length(LONGEST).examples(["minsu"]).into()
    }
}

/// What can be done that is noted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Deed {
    /// A set-up link was given out on the command line.
    Invited,
    /// The password was set by a set-up link.
    PasswordSet,
    /// Somebody signed in.
    SignedIn,
    /// Somebody signed out.
    SignedOut,
    /// A device was signed out from another.
    SessionEnded,
    /// Somebody keeps the shop no longer.
    Removed,
    /// A request was moved to another state.
    RequestMoved,
    /// A request was removed with everything that was noted of it.
    RequestRemoved,
    /// The link by which a customer follows a request was given anew, and the one before ended.
    RequestLinkRenewed,
    /// The link by which a customer follows a request was ended.
    RequestLinkEnded,
}

/// Something that was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Noted {
    /// Its number.
    pub id: u64,
    /// When.
    pub at: DateTime<Utc>,
    /// The admin whom it is about.
    pub name: String,
    /// What.
    pub deed: Deed,
    /// From where; none on the command line.
    pub address: Option<String>,
    /// The id of what it was done to; null where it was the admin.
    #[serde(default)]
    pub about: Option<String>,
}

//! One error type for the whole house: a kind that the doors map to a status, and one readable sentence.
//!
//! Constructors, not strings: `Error::not_found("todo")`, `Error::field("title", "must not be empty")`.
//! The cause is logged where it is handled; it reaches no caller of a door, but whoever is at the command line.

use std::fmt;

use super::fields::foremost;
use super::patch::{Changed, Clearable};
use super::sent::{Constraint, Refused, Sent};

pub use super::fields::{Fields, MOST_FIELDS};

/// What went wrong, in the words of the contract (section 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The body is not valid JSON.
    InvalidJson,
    /// A field, query parameter or path parameter was refused.
    InvalidInput,
    /// No sign-in, or one that has ended.
    Unauthorized,
    /// Signed in, but not allowed.
    Forbidden,
    /// A state-changing request from another origin, or a request to a foreign host name.
    ForeignOrigin,
    /// Nothing there that the caller may see.
    NotFound,
    /// The path exists, but not with this method.
    MethodNotAllowed,
    /// The request contradicts what is stored.
    Conflict,
    /// An `Idempotency-Key` was used before with another body.
    IdempotencyConflict,
    /// The body is larger than the limit.
    TooLarge,
    /// Too many requests in too short a time.
    RateLimited,
    /// A setting is missing; the message names it.
    NotConfigured,
    /// An outside provider failed.
    UpstreamUnavailable,
    /// An outside provider did not answer in time.
    UpstreamTimeout,
    /// The compute host did not finish in time.
    NasTimeout,
    /// The compute host is away or full.
    NasUnavailable,
    /// The disk is full.
    StorageFull,
    /// Ours to mend.
    Internal,
}

/// Each kind in the order of the enum, with its code and its HTTP status (contract, section 2).
const KINDS: [(Kind, &str, u16); 18] = [
    (Kind::InvalidJson, "INVALID_JSON", 400),
    (Kind::InvalidInput, "INVALID_INPUT", 422),
    (Kind::Unauthorized, "UNAUTHORIZED", 401),
    (Kind::Forbidden, "FORBIDDEN", 403),
    (Kind::ForeignOrigin, "FOREIGN_ORIGIN", 403),
    (Kind::NotFound, "NOT_FOUND", 404),
    (Kind::MethodNotAllowed, "METHOD_NOT_ALLOWED", 405),
    (Kind::Conflict, "CONFLICT", 409),
    (Kind::IdempotencyConflict, "IDEMPOTENCY_CONFLICT", 409),
    (Kind::TooLarge, "TOO_LARGE", 413),
    (Kind::RateLimited, "RATE_LIMITED", 429),
    (Kind::NotConfigured, "NOT_CONFIGURED", 503),
    (Kind::UpstreamUnavailable, "UPSTREAM_UNAVAILABLE", 502),
    (Kind::UpstreamTimeout, "UPSTREAM_TIMEOUT", 504),
    (Kind::NasTimeout, "NAS_TIMEOUT", 504),
    (Kind::NasUnavailable, "NAS_UNAVAILABLE", 503),
    (Kind::StorageFull, "STORAGE_FULL", 507),
    (Kind::Internal, "INTERNAL", 500),
];

impl Kind {
    /// Every kind.
    pub fn all() -> impl Iterator<Item = Kind> {
        KINDS.into_iter().map(|(kind, ..)| kind)
    }

    /// The code that stands in the `error` field of an error body.
    pub const fn code(self) -> &'static str {
        KINDS[self as usize].1
    }

    /// The HTTP status of this kind.
    pub const fn status(self) -> u16 {
        KINDS[self as usize].2
    }
}

/// A domain's own code, such as `ALREADY_DECIDED`: a closer word for one of the [`Kind`]s, whose status it has.
/// It is declared beside the model and listed in the domain's `codes`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Code {
    /// What stands in the `error` field instead of the kind's own code.
    pub name: &'static str,
    /// Which kind of error it is.
    pub kind: Kind,
}

impl Code {
    /// A code of this name, in capitals, for errors of `kind`.
    pub const fn new(name: &'static str, kind: Kind) -> Code {
        Code { name, kind }
    }
}

/// An error with a kind, one readable sentence, and what only the log may know.
#[derive(Debug, Clone)]
pub struct Error {
    /// Which of the contract's codes this is.
    pub kind: Kind,
    /// The domain's own word for it, when it has one.
    pub own_code: Option<Code>,
    /// One sentence a person can act on. Never database, file or upstream text.
    pub message: String,
    /// For [`Kind::InvalidInput`]: each refused field. An answer names [`Error::foremost`] of them.
    pub fields: Fields,
    /// For 429 and 503: seconds after which trying again makes sense.
    pub retry_after: Option<u64>,
    /// The technical cause, for the log and for whoever is at the machine's command line; may say which command helps.
    pub cause: Option<String>,
}

/// The result of anything that can fail here.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error of `kind` with one readable sentence.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Error { kind, own_code: None, message: message.into(), fields: Fields::new(), retry_after: None, cause: None }
    }

    /// An error with a domain's own code.
    pub fn of(code: Code, message: impl Into<String>) -> Self {
        Error { own_code: Some(code), ..Self::new(code.kind, message) }
    }

    /// The code that callers read: the domain's own, or else that of the kind.
    pub fn code(&self) -> &'static str {
        self.own_code.map_or(self.kind.code(), |code| code.name)
    }

    /// One refused field: its path (`numbers[2]`) and what it must be.
    pub fn field(path: impl Into<String>, must: impl Into<String>) -> Self {
        Self::fields(Fields::from([(path.into(), must.into())]))
    }

    /// Several refused fields at once. All of them are kept; the message says the foremost ([`Error::foremost`]) and how
    /// many there are beside.
    pub fn fields(fields: Fields) -> Self {
        let foremost = foremost(&fields);
        let mut message: Vec<String> = foremost.iter().map(|(path, must)| format!("{path} {must}")).collect();
        if fields.len() > foremost.len() {
            message.push(format!("and {} more", fields.len() - foremost.len()));
        }
        Error { fields, ..Self::new(Kind::InvalidInput, message.join("; ")) }
    }

    /// The refused fields that an answer names, at most [`MOST_FIELDS`] (contract, section 2): first those that are no entry
    /// of a list, then of each list the first ten that are refused.
    pub fn foremost(&self) -> Fields {
        foremost(&self.fields).into_iter().map(|(path, must)| (path.to_owned(), must.to_owned())).collect()
    }

    /// Nothing of that name and id that the caller may see.
    pub fn not_found(what: &str) -> Self {
        Self::new(Kind::NotFound, format!("no such {what}"))
    }

    /// The request contradicts what is stored.
    pub fn conflict(message: impl Into<String>) -> Self {
        Self::new(Kind::Conflict, message)
    }

    /// A feature lacks a setting; `setting` is its full key.
    pub fn not_configured(setting: &str) -> Self {
        Self::new(Kind::NotConfigured, format!("set {setting} to use this"))
    }

    /// A failure of ours; `cause` goes to the log and nowhere else.
    pub fn internal(cause: impl fmt::Display) -> Self {
        Error { cause: Some(cause.to_string()), ..Self::new(Kind::Internal, "something went wrong on our side") }
    }

    /// Adds the technical cause for the log and the command line.
    pub fn because(mut self, cause: impl fmt::Display) -> Self {
        self.cause = Some(cause.to_string());
        self
    }

    /// Adds the number of seconds after which trying again makes sense.
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code(), self.message)?;
        match &self.cause {
            Some(cause) => write!(f, " ({cause})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

/// Of a check of a value's parts, by their place in it.
impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        Refused::parts(error.fields)
    }
}

/// Collects refused fields, so that one answer names all of them. There is none outside of [`Check::of`], so what was
/// refused cannot be passed over.
#[derive(Debug)]
pub struct Check {
    fields: Fields,
    /// The first refusal that names no field.
    other: Option<Error>,
}

impl Check {
    /// What `read` makes of the fields that it looks at, unless one of them is refused.
    ///
    /// # Errors
    /// [`Kind::InvalidInput`] naming every refused field; or the first error that [`Check::keep`] met and that names
    /// none.
    pub fn of<T>(read: impl FnOnce(&mut Check) -> T) -> Result<T> {
        let mut check = Check { fields: Fields::new(), other: None };
        let value = read(&mut check);
        if !check.fields.is_empty() {
            return Err(Error::fields(check.fields));
        }
        check.other.map_or(Ok(value), Err)
    }

    /// Refuses `path` unless `holds`.
    pub fn require(&mut self, holds: bool, path: impl Into<String>, must: impl Into<String>) -> &mut Self {
        if !holds {
            self.fields.entry(path.into()).or_insert_with(|| must.into());
        }
        self
    }

    /// Takes over what `result` refused; gives its value otherwise.
    pub fn keep<T>(&mut self, result: Result<T>) -> Option<T> {
        let error = match result {
            Ok(value) => return Some(value),
            Err(error) => error,
        };
        if error.fields.is_empty() {
            self.other.get_or_insert(error);
        } else {
            self.fields.extend(error.fields);
        }
        None
    }

    /// The value that was sent as `path`, or its default when it is refused, so that the others are looked at too.
    pub fn take<C: Constraint<Value: Default>>(&mut self, path: impl AsRef<str>, sent: Sent<C>) -> C::Value {
        self.find(path, sent).unwrap_or_default()
    }

    /// Puts what was sent as `path` into `field`, which stays when nothing was.
    pub fn change<C: Constraint>(&mut self, path: impl AsRef<str>, sent: Changed<C>, field: &mut C::Value) {
        if let Some(value) = sent.into_sent().and_then(|sent| self.find(path, sent)) {
            *field = value;
        }
    }

    /// Puts what was sent as `path` into `field`, which null clears, and which stays when nothing was sent.
    pub fn change_or_clear<C: Constraint>(
        &mut self,
        path: impl AsRef<str>,
        sent: Clearable<C>,
        field: &mut Option<C::Value>,
    ) {
        if let Some(sent) = sent.into_sent() {
            *field = sent.and_then(|sent| self.find(path, sent));
        }
    }

    /// The value that was sent as `path`, unless it is refused.
    pub fn find<C: Constraint>(&mut self, path: impl AsRef<str>, sent: Sent<C>) -> Option<C::Value> {
        let refused = match sent.checked() {
            Ok(value) => return Some(value),
            Err(refused) => refused,
        };
        for (path, must) in refused.at(path.as_ref()) {
            self.require(false, path, must);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_names_every_refused_field() {
        let checked = Check::of(|check| {
            check.require(false, "title", "must not be empty").require(true, "note", "unused");
            check.require(false, "due", "must be a day");
        });
        let error = checked.unwrap_err();
        assert_eq!(error.kind, Kind::InvalidInput);
        assert_eq!(error.fields.keys().collect::<Vec<_>>(), ["due", "title"]);
    }

    #[test]
    fn a_refusal_that_names_no_field_is_not_lost_in_a_check() {
        let refused = || Err::<(), Error>(Error::conflict("the shop is closed"));
        let error = Check::of(|check| check.keep(refused())).unwrap_err();
        assert_eq!((error.kind, error.message.as_str()), (Kind::Conflict, "the shop is closed"));
        let error = Check::of(|check| {
            check.keep(refused());
            check.require(false, "title", "must not be empty");
        });
        assert_eq!(error.unwrap_err().kind, Kind::InvalidInput, "fields are named before anything else");
    }

    #[test]
    fn an_answer_names_at_most_fifty_fields_and_the_first_ten_of_a_list_and_says_how_many_there_are_beside() {
        let games = || {
            Check::of(|check| {
                for place in 0..60 {
                    check.require(false, format!("[{place}]"), "must be six numbers");
                }
            })
        };
        // Looked at by itself, and then as a part of the whole.
        let checked = Check::of(|check| {
            for (path, must) in Refused::from(games().unwrap_err()).at("games") {
                check.require(false, path, must);
            }
            check.require(false, "title", "must not be empty");
        });
        let error = checked.unwrap_err();
        let named = error.foremost();
        assert_eq!((error.fields.len(), named.len()), (61, 11));
        assert!((0..10).all(|place| named.contains_key(&format!("games[{place}]"))), "{named:?}");
        assert!(error.message.starts_with("title must not be empty; games[0] must"), "{}", error.message);
        assert!(error.message.ends_with("games[9] must be six numbers; and 50 more"), "{}", error.message);
        let kept = Check::of(|check| check.keep(Err::<(), Error>(error.clone()))).unwrap_err();
        assert_eq!(kept.message, error.message);
        let lists = ["games", "sets"].iter().flat_map(|list| (10..25).map(move |place| format!("{list}[{place}].n")));
        let both = Error::fields(lists.map(|path| (path, "is required".to_owned())).collect());
        let named = both.foremost();
        let of = |list: &str| named.keys().filter(|path| path.starts_with(list)).count();
        assert_eq!((of("games["), of("sets["), both.message.ends_with("; and 10 more")), (10, 10, true));
        let many = Error::fields((100..160).map(|name| (format!("f{name}"), "is required".to_owned())).collect());
        assert_eq!((many.foremost().len(), many.foremost().contains_key("f149")), (50, true));
        assert!(many.message.ends_with("; and 10 more"), "{}", many.message);
        let few = Error::fields((0..10).map(|place| (format!("games[{place}]"), "is required".to_owned())).collect());
        assert!(few.foremost().len() == 10 && !few.message.contains("more"), "{}", few.message);
    }

    #[test]
    fn every_kind_stands_at_its_place_in_the_table() {
        for (place, kind) in Kind::all().enumerate() {
            assert_eq!(kind as usize, place, "{kind:?}");
        }
    }

    #[test]
    fn a_code_of_a_domain_has_the_status_of_its_kind() {
        const ALREADY_DECIDED: Code = Code::new("ALREADY_DECIDED", Kind::Conflict);
        let error = Error::of(ALREADY_DECIDED, "the quote was accepted on 10 October");
        assert_eq!((error.code(), error.kind.status()), ("ALREADY_DECIDED", 409));
        assert_eq!(Error::conflict("no").code(), "CONFLICT");
    }

    #[test]
    fn the_cause_is_for_the_log_and_not_in_the_message() {
        let error = Error::internal("table todos-1 is broken");
        assert!(!error.message.contains("todos-1"));
        assert!(error.to_string().contains("todos-1"));
    }
}

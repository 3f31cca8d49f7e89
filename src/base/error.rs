//! One error type for the whole house: a kind that the doors map to a status, and one readable sentence.
//!
//! Constructors, not strings: `Error::not_found("todo")`, `Error::field("title", "must not be empty")`.
//! The cause is logged where it is handled; it never reaches a caller.

use std::collections::BTreeMap;
use std::fmt;

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

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 18] = [
        Kind::InvalidJson,
        Kind::InvalidInput,
        Kind::Unauthorized,
        Kind::Forbidden,
        Kind::ForeignOrigin,
        Kind::NotFound,
        Kind::MethodNotAllowed,
        Kind::Conflict,
        Kind::IdempotencyConflict,
        Kind::TooLarge,
        Kind::RateLimited,
        Kind::NotConfigured,
        Kind::UpstreamUnavailable,
        Kind::UpstreamTimeout,
        Kind::NasTimeout,
        Kind::NasUnavailable,
        Kind::StorageFull,
        Kind::Internal,
    ];

    /// The code that stands in the `error` field of an error body.
    pub fn code(self) -> &'static str {
        match self {
            Kind::InvalidJson => "INVALID_JSON",
            Kind::InvalidInput => "INVALID_INPUT",
            Kind::Unauthorized => "UNAUTHORIZED",
            Kind::Forbidden => "FORBIDDEN",
            Kind::ForeignOrigin => "FOREIGN_ORIGIN",
            Kind::NotFound => "NOT_FOUND",
            Kind::MethodNotAllowed => "METHOD_NOT_ALLOWED",
            Kind::Conflict => "CONFLICT",
            Kind::IdempotencyConflict => "IDEMPOTENCY_CONFLICT",
            Kind::TooLarge => "TOO_LARGE",
            Kind::RateLimited => "RATE_LIMITED",
            Kind::NotConfigured => "NOT_CONFIGURED",
            Kind::UpstreamUnavailable => "UPSTREAM_UNAVAILABLE",
            Kind::UpstreamTimeout => "UPSTREAM_TIMEOUT",
            Kind::NasTimeout => "NAS_TIMEOUT",
            Kind::NasUnavailable => "NAS_UNAVAILABLE",
            Kind::StorageFull => "STORAGE_FULL",
            Kind::Internal => "INTERNAL",
        }
    }

    /// The kind that has this code.
    pub fn of_code(code: &str) -> Option<Kind> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }

    /// The HTTP status of this kind (contract, section 2).
    pub fn status(self) -> u16 {
        match self {
            Kind::InvalidJson => 400,
            Kind::Unauthorized => 401,
            Kind::Forbidden | Kind::ForeignOrigin => 403,
            Kind::NotFound => 404,
            Kind::MethodNotAllowed => 405,
            Kind::Conflict | Kind::IdempotencyConflict => 409,
            Kind::TooLarge => 413,
            Kind::InvalidInput => 422,
            Kind::RateLimited => 429,
            Kind::Internal => 500,
            Kind::UpstreamUnavailable => 502,
            Kind::NotConfigured | Kind::NasUnavailable => 503,
            Kind::UpstreamTimeout | Kind::NasTimeout => 504,
            Kind::StorageFull => 507,
        }
    }
}

/// Field names and what each must be, for a 422.
pub type Fields = BTreeMap<String, String>;

/// An error with a kind, one readable sentence, and what only the log may know.
#[derive(Debug, Clone)]
pub struct Error {
    /// Which of the contract's codes this is.
    pub kind: Kind,
    /// One sentence a person can act on. Never database, file or upstream text.
    pub message: String,
    /// For [`Kind::InvalidInput`]: each refused field.
    pub fields: Fields,
    /// For 429 and 503: seconds after which trying again makes sense.
    pub retry_after: Option<u64>,
    /// The technical cause, for the log only.
    pub cause: Option<String>,
}

/// The result of anything that can fail here.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error of `kind` with one readable sentence.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Error { kind, message: message.into(), fields: Fields::new(), retry_after: None, cause: None }
    }

    /// One refused field: its path (`numbers[2]`) and what it must be.
    pub fn field(path: impl Into<String>, must: impl Into<String>) -> Self {
        Self::fields(Fields::from([(path.into(), must.into())]))
    }

    /// Several refused fields at once.
    pub fn fields(fields: Fields) -> Self {
        let named: Vec<String> = fields.iter().map(|(path, must)| format!("{path} {must}")).collect();
        Error { fields, ..Self::new(Kind::InvalidInput, named.join("; ")) }
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

    /// Adds the technical cause for the log.
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
        write!(f, "{}: {}", self.kind.code(), self.message)?;
        match &self.cause {
            Some(cause) => write!(f, " ({cause})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

/// Collects refused fields, so that one answer names all of them.
#[derive(Debug, Default)]
pub struct Check {
    fields: Fields,
}

impl Check {
    /// No field refused yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Refuses `path` unless `holds`.
    pub fn require(&mut self, holds: bool, path: impl Into<String>, must: impl Into<String>) -> &mut Self {
        if !holds {
            self.fields.entry(path.into()).or_insert_with(|| must.into());
        }
        self
    }

    /// Takes over the fields that `result` refused; gives its value otherwise.
    pub fn keep<T>(&mut self, result: Result<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.fields.extend(error.fields);
                None
            }
        }
    }

    /// An [`Kind::InvalidInput`] error when anything was refused.
    pub fn done(self) -> Result<()> {
        if self.fields.is_empty() { Ok(()) } else { Err(Error::fields(self.fields)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_names_every_refused_field() {
        let mut check = Check::new();
        check.require(false, "title", "must not be empty").require(true, "note", "unused").require(
            false,
            "due",
            "must be a day",
        );
        let error = check.done().unwrap_err();
        assert_eq!(error.kind, Kind::InvalidInput);
        assert_eq!(error.fields.keys().collect::<Vec<_>>(), ["due", "title"]);
    }

    #[test]
    fn the_cause_is_for_the_log_and_not_in_the_message() {
        let error = Error::internal("table todos-1 is broken");
        assert!(!error.message.contains("todos-1"));
        assert!(error.to_string().contains("todos-1"));
    }
}

//! What can go wrong, with the codes of the contract and their statuses.

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
    /// The file of the store is not in its place, or not what was written.
    StorageAway,
    /// Ours to mend.
    Internal,
}

/// Each kind in the order of the enum, with its code and its HTTP status (contract, section 2).
const KINDS: [(Kind, &str, u16); 19] = [
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
    (Kind::StorageAway, "STORAGE_AWAY", 503),
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

    /// Whether the store takes no writes for now: what can wait, or be kept otherwise, does.
    pub const fn is_want_of_storage(self) -> bool {
        matches!(self, Kind::StorageFull | Kind::StorageAway)
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

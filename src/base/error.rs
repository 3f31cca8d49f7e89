//! One error type for the whole house: a kind that the doors map to a status, and one readable sentence.
//!
//! Constructors, not strings: `Error::not_found("todo")`, `Error::field("title", validation_messages::NOT_EMPTY)`.
//! The cause is logged where it is handled; it reaches no caller of a door, but whoever is at the command line.

use std::fmt;

use super::fields::foremost;
use super::message::{Message, MessageTemplate};
use super::patch::{NullablePatch, Patch};
use super::validated::{Constraint, Validated, ValidationErrors};

pub use super::fields::{Fields, MOST_FIELDS};
pub use super::kind::{Code, Kind};

/// An error with a kind, one readable sentence, and what only the log may know.
#[derive(Debug, Clone)]
pub struct Error {
    /// Which of the contract's codes this is.
    pub kind: Kind,
    /// The domain's own word for it, when it has one.
    pub own_code: Option<&'static str>,
    /// One sentence a person can act on. Never database, file or upstream text.
    pub message: Message,
    /// For [`Kind::InvalidInput`]: each refused field. An answer names [`Error::foremost`] of them.
    pub fields: Fields,
    /// For 429 and 503: seconds after which trying again makes sense.
    pub retry_after: Option<u64>,
    /// The technical cause, for the log and for whoever is at the machine's command line; may say which command helps.
    pub cause: Option<String>,
}

/// The result of anything that can fail here.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What was asked for is not there.
const NO_SUCH: MessageTemplate = MessageTemplate::new("house.no_such", "no such {what}");
/// A setting is missing.
const NOT_SET: MessageTemplate = MessageTemplate::new("house.not_set", "set {setting} to use this");
/// A failure of ours.
const WENT_WRONG: MessageTemplate = MessageTemplate::new("house.went_wrong", "something went wrong on our side");

impl Error {
    /// An error of `kind` with one readable sentence.
    pub fn new(kind: Kind, message: impl Into<Message>) -> Self {
        Error { kind, own_code: None, message: message.into(), fields: Fields::new(), retry_after: None, cause: None }
    }

    /// An error with a domain's own code.
    pub fn of(code: Code, message: impl Into<Message>) -> Self {
        Error { own_code: Some(code.name), ..Self::new(code.kind, message) }
    }

    /// The code that callers read: the domain's own, or else that of the kind.
    pub fn code(&self) -> &'static str {
        self.own_code.unwrap_or(self.kind.code())
    }

    /// One refused field: its path (`numbers[2]`) and what it must be.
    pub fn field(path: impl Into<String>, must: impl Into<Message>) -> Self {
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
        Error { fields, ..Self::new(Kind::InvalidInput, Message::english(message.join("; "))) }
    }

    /// The refused fields that an answer names, at most [`MOST_FIELDS`] (contract, section 2): first those that are no entry
    /// of a list, then of each list the first ten that are refused. Of a longer name it gives a hundred characters.
    pub fn foremost(&self) -> Fields {
        foremost(&self.fields).into_iter().map(|(path, must)| (path, must.clone())).collect()
    }

    /// Nothing of that name and id that the caller may see.
    pub fn not_found(what: &str) -> Self {
        Self::new(Kind::NotFound, NO_SUCH.with([("what", what.into())]))
    }

    /// The request contradicts what is stored.
    pub fn conflict(message: impl Into<Message>) -> Self {
        Self::new(Kind::Conflict, message)
    }

    /// A feature lacks a setting; `setting` is its full key.
    pub fn not_configured(setting: &str) -> Self {
        Self::new(Kind::NotConfigured, NOT_SET.with([("setting", setting.into())]))
    }

    /// A failure of ours; `cause` goes to the log and nowhere else.
    pub fn internal(cause: impl fmt::Display) -> Self {
        Error { cause: Some(cause.to_string()), ..Self::new(Kind::Internal, WENT_WRONG) }
    }

    /// The same, said otherwise.
    pub fn saying(self, message: impl Into<Message>) -> Self {
        Error { message: message.into(), ..self }
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
impl From<Error> for ValidationErrors {
    fn from(error: Error) -> Self {
        ValidationErrors::parts(error.fields)
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
    pub fn require(&mut self, holds: bool, path: impl Into<String>, must: impl Into<Message>) -> &mut Self {
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
    pub fn take<C: Constraint<Value: Default>>(&mut self, path: impl AsRef<str>, sent: Validated<C>) -> C::Value {
        self.find(path, sent).unwrap_or_default()
    }

    /// Puts what was sent as `path` into `field`, which stays when nothing was.
    pub fn change<C: Constraint>(&mut self, path: impl AsRef<str>, sent: Patch<C>, field: &mut C::Value) {
        if let Some(value) = sent.into_sent().and_then(|sent| self.find(path, sent)) {
            *field = value;
        }
    }

    /// Puts what was sent as `path` into `field`, which null clears, and which stays when nothing was sent.
    pub fn change_or_clear<C: Constraint>(
        &mut self,
        path: impl AsRef<str>,
        sent: NullablePatch<C>,
        field: &mut Option<C::Value>,
    ) {
        if let Some(sent) = sent.into_sent() {
            *field = sent.and_then(|sent| self.find(path, sent));
        }
    }

    /// [`Check::change_or_clear`] for a field whose cleared value is an empty one, such as a text.
    pub fn change_or_empty<C: Constraint<Value: Default>>(
        &mut self,
        path: impl AsRef<str>,
        sent: NullablePatch<C>,
        field: &mut C::Value,
    ) {
        if let Some(sent) = sent.into_sent() {
            *field = sent.map(|sent| self.take(path, sent)).unwrap_or_default();
        }
    }

    /// The value that was sent as `path`, unless it is refused.
    pub fn find<C: Constraint>(&mut self, path: impl AsRef<str>, sent: Validated<C>) -> Option<C::Value> {
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
    use super::super::validation_messages;
    use super::*;

    #[test]
    fn a_check_names_every_refused_field() {
        let checked = Check::of(|check| {
            check.require(false, "title", validation_messages::NOT_EMPTY).require(
                true,
                "note",
                validation_messages::ONCE,
            );
            check.require(false, "due", validation_messages::DAY);
        });
        let error = checked.unwrap_err();
        assert_eq!(error.kind, Kind::InvalidInput);
        assert_eq!(error.fields.keys().collect::<Vec<_>>(), ["due", "title"]);
    }

    #[test]
    fn a_refusal_that_names_no_field_is_not_lost_in_a_check() {
        let refused = || Err::<(), Error>(Error::conflict(Message::english("the shop is closed")));
        let error = Check::of(|check| check.keep(refused())).unwrap_err();
        assert_eq!((error.kind, error.message.text()), (Kind::Conflict, "the shop is closed"));
        let error = Check::of(|check| {
            check.keep(refused());
            check.require(false, "title", validation_messages::NOT_EMPTY);
        });
        assert_eq!(error.unwrap_err().kind, Kind::InvalidInput, "fields are named before anything else");
    }

    #[test]
    fn an_answer_names_at_most_fifty_fields_and_the_first_ten_of_a_list_and_says_how_many_there_are_beside() {
        let games = || {
            Check::of(|check| {
                for place in 0..60 {
                    check.require(false, format!("[{place}]"), Message::english("must be six numbers"));
                }
            })
        };
        // Looked at by itself, and then as a part of the whole.
        let checked = Check::of(|check| {
            for (path, must) in ValidationErrors::from(games().unwrap_err()).at("games") {
                check.require(false, path, must);
            }
            check.require(false, "title", validation_messages::NOT_EMPTY);
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
        let both = Error::fields(lists.map(|path| (path, validation_messages::PRESENT.into())).collect());
        let named = both.foremost();
        let of = |list: &str| named.keys().filter(|path| path.starts_with(list)).count();
        assert_eq!((of("games["), of("sets["), both.message.ends_with("; and 10 more")), (10, 10, true));
        let many =
            Error::fields((100..160).map(|name| (format!("f{name}"), validation_messages::PRESENT.into())).collect());
        assert_eq!((many.foremost().len(), many.foremost().contains_key("f149")), (50, true));
        assert!(many.message.ends_with("; and 10 more"), "{}", many.message);
        let few = Error::fields(
            (0..10).map(|place| (format!("games[{place}]"), validation_messages::PRESENT.into())).collect(),
        );
        assert!(few.foremost().len() == 10 && !few.message.contains("more"), "{}", few.message);
    }

    #[test]
    fn however_long_the_names_are_that_somebody_sends_an_answer_gives_a_hundred_characters_of_each() {
        let sent =
            (0..60).map(|number| (format!("{number:02}{}", "\u{1}😀".repeat(20_000)), validation_messages::KNOWN));
        let error = Error::fields(sent.map(|(name, must)| (name, must.into())).collect());
        let named = error.foremost();
        assert_eq!(named.len(), MOST_FIELDS);
        assert!(named.keys().all(|name| name.chars().count() == 100 && name.ends_with('…')), "{named:?}");
        assert!(named.keys().all(|name| !name.contains('\u{1}')), "{named:?}");
        assert!(error.message.text().len() < 30_000, "{}", error.message.text().len());
        assert!(error.message.ends_with("; and 10 more"), "{}", error.message);
        let short = Error::field("n".repeat(100), validation_messages::KNOWN);
        assert_eq!(short.foremost().into_keys().collect::<Vec<_>>(), ["n".repeat(100)]);
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
        let error = Error::of(ALREADY_DECIDED, Message::english("the quote was accepted on 10 October"));
        assert_eq!((error.code(), error.kind.status()), ("ALREADY_DECIDED", 409));
        assert_eq!(Error::conflict(Message::english("no")).code(), "CONFLICT");
    }

    #[test]
    fn the_cause_is_for_the_log_and_not_in_the_message() {
        let error = Error::internal("table todos-1 is broken");
        assert!(!error.message.contains("todos-1"));
        assert!(error.to_string().contains("todos-1"));
    }
}

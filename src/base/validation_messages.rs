//! What a value that was sent must be: the words that every field has in common.

use super::message::{Message, MessageTemplate};

/// A number within bounds.
pub const BETWEEN: MessageTemplate = MessageTemplate::new("house.must.between", "must be between {least} and {most}");
/// A sum within bounds.
pub const BETWEEN_WON: MessageTemplate =
    MessageTemplate::new("house.must.between_won", "must be between {least} and {most} won");
/// A text that says something.
pub const NOT_EMPTY: MessageTemplate = MessageTemplate::new("house.must.not_empty", "must not be empty");
/// A text of so many characters.
pub const LENGTH: MessageTemplate =
    MessageTemplate::new("house.must.length", "must be {least} to {most} characters, has {length}");
/// A text without what only steers a machine.
pub const NO_CONTROL: MessageTemplate =
    MessageTemplate::new("house.must.no_control", "must not contain control characters");
/// A text of one line.
pub const ONE_LINE: MessageTemplate =
    MessageTemplate::new("house.must.one_line", "must be one line without control characters");
/// A whole number.
pub const WHOLE: MessageTemplate = MessageTemplate::new("house.must.whole", "must be a whole number");
/// A number.
pub const NUMBER: MessageTemplate = MessageTemplate::new("house.must.number", "must be a number");
/// A text.
pub const TEXT: MessageTemplate = MessageTemplate::new("house.must.text", "must be text");
/// One of two words.
pub const TRUE_OR_FALSE: MessageTemplate = MessageTemplate::new("house.must.true_or_false", "must be true or false");
/// A list.
pub const LIST: MessageTemplate = MessageTemplate::new("house.must.list", "must be a list");
/// A list of so many entries.
pub const LIST_OF: MessageTemplate = MessageTemplate::new("house.must.list_of", "must be a list of {count}");
/// An object.
pub const OBJECT: MessageTemplate = MessageTemplate::new("house.must.object", "must be an object");
/// One of the words that are known.
pub const ONE_OF: MessageTemplate = MessageTemplate::new("house.must.one_of", "must be one of {words}");
/// The one word that is known.
pub const WORD: MessageTemplate = MessageTemplate::new("house.must.word", "must be {word}");
/// One of the two words that are known.
pub const EITHER: MessageTemplate = MessageTemplate::new("house.must.either", "must be {one} or {other}");
/// Not as deep.
pub const NOT_NESTED: MessageTemplate = MessageTemplate::new("house.must.not_nested", "is nested too deeply");
/// No half characters.
pub const WHOLE_CHARACTERS: MessageTemplate =
    MessageTemplate::new("house.must.whole_characters", "must be text of whole characters");
/// A number that the machine can hold.
pub const SMALLER: MessageTemplate = MessageTemplate::new("house.must.smaller", "is too large a number");
/// There at all.
pub const PRESENT: MessageTemplate = MessageTemplate::new("house.must.present", "is required");
/// A name that is known.
pub const KNOWN: MessageTemplate = MessageTemplate::new("house.must.known", "is not known");
/// There no more than once.
pub const ONCE: MessageTemplate = MessageTemplate::new("house.must.once", "is there twice");
/// An amount as it is written.
pub const AMOUNT: MessageTemplate =
    MessageTemplate::new("house.must.amount", "must be an amount such as 1391.20, as text");
/// An amount of something.
pub const ABOVE_ZERO: MessageTemplate = MessageTemplate::new("house.must.above_zero", "must be more than 0");
/// An amount that may be nothing.
pub const NOT_NEGATIVE: MessageTemplate = MessageTemplate::new("house.must.not_negative", "must not be below 0");
/// Something else, of which no more can be said.
pub const FITTING: MessageTemplate = MessageTemplate::new("house.must.fitting", "is not of the right kind");
/// A day as it is written.
pub const DAY: MessageTemplate = MessageTemplate::new("house.must.day", "must be a day such as 2026-10-10");
/// A day of this time.
pub const DAY_OF_OURS: MessageTemplate =
    MessageTemplate::new("house.must.day_of_ours", "must be a day between 1900 and 9999");
/// An instant as it is written.
pub const INSTANT: MessageTemplate =
    MessageTemplate::new("house.must.instant", "must be an instant such as 2026-10-10T12:30:00Z");
/// An instant of this time.
pub const INSTANT_OF_OURS: MessageTemplate =
    MessageTemplate::new("house.must.instant_of_ours", "must be an instant between 1900 and 9999, in UTC, too");
/// A time of day as it is written.
pub const TIME_OF_DAY: MessageTemplate =
    MessageTemplate::new("house.must.time_of_day", "must be a time of day such as 15:00");

/// Between `least` and `most`.
pub fn between(least: u64, most: u64) -> Message {
    BETWEEN.with([("least", least.into()), ("most", most.into())])
}

//! What people are told, and the codes that programs read.

use hanok_base::error::Code;
use hanok_base::{Kind, MessageTemplate};

/// More is to be sold than is held.
pub const NOT_ENOUGH_SHARES: Code = Code::new("NOT_ENOUGH_SHARES", Kind::Conflict);
/// Something that an import added was changed since.
pub const IMPORT_CHANGED: Code = Code::new("IMPORT_CHANGED", Kind::Conflict);

/// The codes of this room.
pub const CODES: &[Code] = &[NOT_ENOUGH_SHARES, IMPORT_CHANGED];

/// More is to be sold than is held.
pub const NOT_ENOUGH: MessageTemplate =
    MessageTemplate::new("portfolio.not_enough", "{held} of {name} are held, which is less than {wanted}");
/// No more can be kept.
pub const MOST: MessageTemplate = MessageTemplate::new("portfolio.most", "no more than {most} can be kept here");
/// Some rows of a table are refused.
pub const ROWS_REFUSED: MessageTemplate = MessageTemplate::new(
    "portfolio.rows_refused",
    "nothing is written: {count} rows are refused, the first is row {row}; the preview says why",
);
/// There is no import to undo.
pub const NOTHING_TO_UNDO: MessageTemplate =
    MessageTemplate::new("portfolio.nothing_to_undo", "there is no import to undo");
/// An import cannot be undone.
pub const ALREADY_CHANGED: MessageTemplate = MessageTemplate::new(
    "portfolio.already_changed",
    "{name} was changed since the import, so the import cannot be undone",
);
/// A table is too large.
pub const TABLE_TOO_LARGE: MessageTemplate =
    MessageTemplate::new("portfolio.table_too_large", "the table is larger than {bytes} bytes");

/// What a broker must be called.
pub const MUST_BE_BROKER: MessageTemplate =
    MessageTemplate::new("portfolio.must.broker", "must be a name other than ALL, a dot or two dots");
/// What days a history covers.
pub const MUST_BE_DAYS: MessageTemplate =
    MessageTemplate::new("portfolio.must.days", "must be a whole number of days from 1 to {most}");
/// A day that has come.
pub const NOT_IN_FUTURE: MessageTemplate =
    MessageTemplate::new("portfolio.must.not_future", "must not be in the future");
/// A table that can be read.
pub const MUST_BE_TABLE: MessageTemplate =
    MessageTemplate::new("portfolio.must.table", "must be a table in UTF-8 or CP949 with commas, semicolons or tabs");
/// A table with the columns that are needed.
pub const MUST_HAVE_COLUMNS: MessageTemplate =
    MessageTemplate::new("portfolio.must.columns", "must have the columns {columns}");
/// A table that is not too long.
pub const MUST_HAVE_ROWS: MessageTemplate =
    MessageTemplate::new("portfolio.must.rows", "must have 1 to {most} rows below its headings");

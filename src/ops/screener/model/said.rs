//! What the screener says.

use hanok_base::MessageTemplate;

/// There is nothing to screen yet.
pub const NO_DATA: MessageTemplate = MessageTemplate::new(
    "screener.no_data",
    "there are no bars yet: import a table of the exchange, or make the demo data",
);
/// Real data are there, which a demo does not replace.
pub const REAL_DATA: MessageTemplate =
    MessageTemplate::new("screener.real_data", "real data are there already, so no demo data are made");
/// A file that is no table of the exchange.
pub const NOT_A_TABLE: MessageTemplate =
    MessageTemplate::new("screener.must.table", "must be a CSV table (also as .gz) with the columns {columns}");
/// A table whose day nobody knows.
pub const NO_DAY: MessageTemplate = MessageTemplate::new(
    "screener.must.day",
    "must have the column Date, or a day in the file's name such as 2026-03-18.csv.gz",
);
/// A table without any row that is taken.
pub const NO_ROWS: MessageTemplate =
    MessageTemplate::new("screener.must.rows", "must have at least one row that can be right");
/// More than is read.
pub const TOO_LARGE: MessageTemplate =
    MessageTemplate::new("screener.must.be_smaller", "must hold at most {mebibytes} MiB unpacked");
/// A table with more than is taken.
pub const TOO_MUCH: MessageTemplate = MessageTemplate::new(
    "screener.must.be_bounded",
    "must hold at most {stocks} stocks, {rows} rows, and {days} days within {years} years",
);
/// More stocks than the house keeps.
pub const NO_ROOM: MessageTemplate =
    MessageTemplate::new("screener.must.fit", "must hold at most {most} stocks together with those that are here");
/// A path that cannot be read.
pub const NOT_READ: MessageTemplate =
    MessageTemplate::new("screener.must.be_read", "must be a table, or a folder of tables, that hanok may read");
/// A node that does not exist.
pub const UNKNOWN_NODE: MessageTemplate =
    MessageTemplate::new("screener.must.node", "must be the id of a rule from the list of rules");
/// More nodes than are taken.
pub const MOST_NODES: MessageTemplate =
    MessageTemplate::new("screener.must.most_nodes", "must be at most {most} rules");
/// The base address of the exchange's open API.
pub const KRX_ADDRESS: MessageTemplate =
    MessageTemplate::new("screener.must.krx_address", "must be an address such as https://data-dbg.krx.co.kr/svc/apis");
/// The key of the exchange's open API.
pub const KRX_KEY: MessageTemplate =
    MessageTemplate::new("screener.must.krx_key", "must be empty (not asked) or the key that the exchange has given");
/// The refresh brought something.
pub const REFRESHED: MessageTemplate = MessageTemplate::new("screener.task.refreshed", "{symbols} stocks of {day}");
/// A number out of range.
pub const BETWEEN: MessageTemplate =
    MessageTemplate::new("screener.must.between", "must be between {least} and {most}");

//! `hanok trade`.

use hanok_base::Page;
use hanok_platform::domain::{Column, Command, Verb, View, Word, WordKind};
use serde_json::json;

use super::super::store;

/// How many orders the command lists, newest first.
const MOST_SHOWN: usize = 50;
/// Whether trading is to stop.
const SWITCH: Word =
    Word::required("ON", "on stops every new order, off lets them go on", WordKind::OneOf(&["on", "off"]));

/// `hanok trade`.
pub const COMMAND: Command = Command {
    name: "trade",
    about: "Orders: what was ordered, and the emergency stop",
    example: "hanok trade orders",
    verbs: &[
        Verb {
            name: "orders",
            about: "Show the newest orders",
            example: "hanok trade orders --json",
            takes: &[],
            run: |app, _| {
                Box::pin(async move {
                    let page = Page { limit: MOST_SHOWN, offset: 0 };
                    let (orders, total) = app.data.store.read(move |tx| store::list(tx, None, page)).await?;
                    Ok(json!({"orders": orders, "total": total}))
                })
            },
            shows: &[View::Thing(&[Column::count("orders", "/total")]), View::List("orders", &ORDER)],
        },
        Verb {
            name: "stop",
            about: "Refuse every new order, or let them go on",
            example: "hanok trade stop on",
            takes: &[SWITCH],
            run: |app, words| {
                Box::pin(async move {
                    let stopped = words.get(SWITCH.name) == Some("on");
                    app.data.store.write(move |tx| store::stop(tx, stopped)).await?;
                    Ok(json!({"stopped": stopped}))
                })
            },
            shows: &[View::Thing(&[Column::text("stopped", "/stopped")])],
        },
    ],
};

const ORDER: [Column; 9] = [
    Column::text("id", "/id"),
    Column::text("mode", "/mode"),
    Column::text("symbol", "/symbol"),
    Column::text("name", "/name"),
    Column::text("side", "/side"),
    Column::count("shares", "/quantity"),
    Column::count("price", "/price"),
    Column::text("status", "/status"),
    Column::instant("given", "/created_at"),
];

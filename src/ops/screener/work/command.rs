//! `hanok screener`.

use serde::Serialize;
use serde_json::{Value, json};

use super::super::store;
use super::import::{import_all, make_demo};
use super::packed::open_tables;
use super::refresh::{extent, refresh};
use hanok_base::{Error, Result};
use hanok_platform::domain::{Column, Command, Verb, View, Word, WordKind};

/// `hanok screener`.
pub const COMMAND: Command = Command {
    name: "screener",
    about: "Bars of all stocks: import, fetch, demo",
    example: "hanok screener import 2026-03-18.csv.gz",
    verbs: &[
        Verb {
            name: "import",
            about: "Take tables of the exchange in the columns of marcap, years or days; known rows change nothing",
            example: "hanok screener import marcap-2026.csv.gz",
            takes: &[FROM],
            run: |app, mut words| {
                Box::pin(async move { Ok(json!({"files": import_all(&app, words.take_file()?).await?})) })
            },
            shows: &[View::List("files", &IMPORTED)],
        },
        Verb {
            name: "refresh",
            about: "Fetch the newest day from the exchange, with the key in screener.krx_key",
            example: "hanok screener refresh",
            takes: &[],
            run: |app, _| Box::pin(async move { json(refresh(&app).await?) }),
            shows: &[View::Thing(&TAKEN)],
        },
        Verb {
            name: "demo",
            about: "Make up companies to try the screener with; an import takes their place",
            example: "hanok screener demo",
            takes: &[],
            run: |app, _| Box::pin(async move { json(app.data.store.write(make_demo).await?) }),
            shows: &[View::Thing(&TAKEN)],
        },
        Verb {
            name: "remove-demo",
            about: "Remove the made-up companies",
            example: "hanok screener remove-demo",
            takes: &[],
            run: |app, _| {
                Box::pin(async move {
                    app.data.store.write(store::remove_demo).await?;
                    Ok(json!({"ok": true}))
                })
            },
            shows: &[View::Thing(&[Column::text("removed", "/ok")])],
        },
        Verb {
            name: "remove",
            about: "Remove all bars, imported, fetched or made up; runs stay",
            example: "hanok screener remove",
            takes: &[],
            run: |app, _| {
                Box::pin(async move {
                    app.data.store.write(store::remove_all).await?;
                    Ok(json!({"ok": true}))
                })
            },
            shows: &[View::Thing(&[Column::text("removed", "/ok")])],
        },
        Verb {
            name: "status",
            about: "Show how new the data are and how many stocks they have",
            example: "hanok screener status",
            takes: &[],
            run: |app, _| {
                Box::pin(async move {
                    let there = extent(&app).await?;
                    Ok(json!({
                        "first_day": there.first, "data_day": there.data_day, "symbols": there.symbols,
                        "is_demo": there.is_demo,
                    }))
                })
            },
            shows: &[View::Thing(&STATUS)],
        },
    ],
};

const FROM: Word = Word::required(
    "FROM",
    "A CSV table (also as .gz) with a column Date or a day in its name, or a folder of such tables",
    WordKind::Path(open_tables),
);

const IMPORTED: [Column; 6] = [
    Column::text("file", "/file"),
    Column::count("days", "/days"),
    Column::count("rows", "/rows"),
    Column::count("stocks changed", "/changed"),
    Column::count("rows refused", "/refused"),
    Column::text("newest day", "/data_day"),
];

const TAKEN: [Column; 4] = [
    Column::text("newest day", "/data_day"),
    Column::count("stocks", "/symbols"),
    Column::count("stocks changed", "/changed"),
    Column::count("rows refused", "/refused"),
];

const STATUS: [Column; 4] = [
    Column::text("first day", "/first_day"),
    Column::text("newest day", "/data_day"),
    Column::count("stocks", "/symbols"),
    Column::text("made up", "/is_demo"),
];

fn json(value: impl Serialize) -> Result<Value> {
    serde_json::to_value(value).map_err(Error::internal)
}

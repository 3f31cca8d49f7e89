//! `hanok blog`.

use std::fs::File;

use serde_json::{Value, json};

use super::folder::{brought, given, to_bring, to_give};
use super::import::Imported;
use hanok_base::Result;
use hanok_platform::app::App;
use hanok_platform::domain::{Column, Command, Verb, View, Word, WordKind};

/// `hanok blog`.
pub const COMMAND: Command = Command {
    name: "blog",
    about: "Posts as files in Markdown: in and out",
    example: "hanok blog export posts.zip",
    verbs: &[
        Verb {
            name: "import",
            about: "Take the posts of a folder or a zip of files in Markdown, with the pictures that they show",
            example: "hanok blog import posts",
            takes: &[FROM],
            run: |app, mut words| Box::pin(async move { import(&app, words.take_file()?).await }),
            shows: &[View::Thing(&TAKEN), View::List("refused", &REFUSED)],
        },
        Verb {
            name: "export",
            about: "Write all posts, drafts too, with the pictures that they show; `import` brings them back as they were",
            example: "hanok blog export posts.zip",
            takes: &[TO],
            run: |app, mut words| Box::pin(async move { export(&app, words.take_file()?).await }),
            shows: &[View::Thing(&WRITTEN)],
        },
    ],
};

const FROM: Word = Word::required("FROM", "A folder, or a zip", WordKind::Path(to_bring));
const TO: Word =
    Word::required("TO", "A folder that is not there yet, or a zip where it ends with .zip", WordKind::Path(to_give));

const TAKEN: [Column; 5] = [
    Column::count("added", "/added"),
    Column::count("there already", "/repeated"),
    Column::count("pictures", "/pictures"),
    Column::count("refused", "/refused_count"),
    Column::count("other files", "/others"),
];

const REFUSED: [Column; 2] = [Column::text("refused", "/name"), Column::text("because", "/reason")];

const WRITTEN: [Column; 3] = [
    Column::count("posts", "/posts"),
    Column::count("pictures", "/pictures"),
    Column::count("damaged or missing", "/missing"),
];

async fn import(app: &App, from: File) -> Result<Value> {
    let Imported { added, repeated, pictures, refused, refused_count, others, passed_over } =
        brought(app, from).await?;
    let refused: Vec<Value> =
        refused.into_iter().map(|(name, reason)| json!({"name": name, "reason": reason})).collect();
    Ok(json!({
        "added": added, "repeated": repeated, "pictures": pictures,
        "refused": refused, "refused_count": refused_count, "others": others, "passed_over": passed_over,
    }))
}

/// What has gone out is counted where it is put in its place, and what could not here.
async fn export(app: &App, to: File) -> Result<Value> {
    Ok(json!({"missing": given(app, to).await?}))
}

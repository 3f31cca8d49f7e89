//! `hanok market`, and whether the provider of quotes can be reached.

use serde_json::{Value, json};

use super::settings::MarketSettings;
use super::{indices, news};
use hanok_base::{Error, Page, Result};
use hanok_platform::app::App;
use hanok_platform::domain::{Column, Command, Reach, Verb, View};

/// The provider of quotes, for the doctor.
pub const QUOTES_IN_REACH: Reach = Reach {
    check: "quotes",
    setting: "market.quotes",
    address: |config| {
        let MarketSettings { quotes, sync, .. } = &*config.section();
        if *sync { Ok(quotes.clone()) } else { Err("is never asked for quotes (market.sync = false)") }
    },
    meanwhile: "the last known prices are used",
    cure: "look at this machine's network, or keep prices by hand",
};

/// How many news the command shows.
const SHOWN: Page = Page { limit: 20, offset: 0 };

/// `hanok market`.
pub const COMMAND: Command = Command {
    name: "market",
    about: "The markets: indices and news",
    example: "hanok market indices",
    verbs: &[
        Verb {
            name: "indices",
            about: "Show the indices",
            example: "hanok market indices --json",
            takes: &[],
            run: |app, _| Box::pin(async move { all_indices(&app).await }),
            shows: &[View::List("indices", &INDICES)],
        },
        Verb {
            name: "news",
            about: "Show the newest news",
            example: "hanok market news",
            takes: &[],
            run: |app, _| Box::pin(async move { newest(&app).await }),
            shows: &[View::List("news", &NEWS)],
        },
    ],
};

const INDICES: [Column; 5] = [
    Column::text("index", "/name"),
    Column::text("value", "/value"),
    Column::text("change", "/change"),
    Column::text("%", "/changePercent"),
    Column::instant("as of", "/as_of"),
];

const NEWS: [Column; 4] = [
    Column::instant("came out", "/published_at"),
    Column::text("source", "/source"),
    Column::text("title", "/title"),
    Column::text("link", "/link"),
];

async fn all_indices(app: &App) -> Result<Value> {
    let (indices, missing) = indices::current(app).await?;
    let indices = serde_json::to_value(indices).map_err(Error::internal)?;
    Ok(json!({"indices": indices, "missing": missing}))
}

async fn newest(app: &App) -> Result<Value> {
    let found = news::list(app, None, None, SHOWN).await?;
    let news = serde_json::to_value(found.news).map_err(Error::internal)?;
    Ok(json!({"news": news, "total": found.total}))
}

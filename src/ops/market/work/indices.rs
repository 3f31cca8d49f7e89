//! Fetching the indices, when somebody looks and by schedule.

use futures_util::future::join_all;

use super::super::store::indices::{self, ALL, IndexQuote, Known, Last};
use super::quotes::quoted;
use super::settings::MarketSettings;
use hanok_base::Result;
use hanok_platform::app::App;

/// The indices with the symbols of those of which nothing is known. The provider is asked for what is not fresh; where it
/// fails the last good answer counts, or else what was kept or ships with the program.
///
/// # Errors
/// Those of the store.
pub async fn current(app: &App) -> Result<(Vec<IndexQuote>, Vec<String>)> {
    let asked = ask(app).await;
    let told = app.data.store.read(move |tx| {
        let all = asked.into_iter().map(|(known, told)| match told {
            Some((last, stale)) => Ok((known, Some(indices::told(known, last, stale)))),
            None => Ok((known, indices::last(tx, known)?)),
        });
        all.collect::<Result<Vec<_>>>()
    });
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for (known, quote) in told.await? {
        match quote {
            Some(quote) => found.push(quote),
            None => missing.push(known.symbol.to_owned()),
        }
    }
    Ok((found, missing))
}

/// Fetches the indices and keeps them, for who only reads.
///
/// # Errors
/// Those of the store.
pub async fn fetch(app: &App) -> Result<()> {
    let asked = ask(app).await.into_iter();
    let fresh = asked.filter_map(|(known, told)| told.filter(|(_, stale)| !stale).map(|(last, _)| (known, last)));
    let fresh: Vec<(&Known, Last)> = fresh.collect();
    if fresh.is_empty() {
        return Ok(());
    }
    app.data.store.write(move |tx| indices::keep(tx, fresh)).await
}

/// What the provider says of each, and whether that is stale; none where it says nothing, or nobody is asked.
async fn ask(app: &App) -> Vec<(&'static Known, Option<(Last, bool)>)> {
    let is_asked = app.config.section::<MarketSettings>().sync;
    join_all(ALL.iter().map(|known| async move {
        let told = if is_asked { quoted(app, known.symbol).await.ok() } else { None };
        let last = told.and_then(|(quote, good)| Some((Last::of(quote, good.as_of)?, good.stale)));
        (known, last)
    }))
    .await
}

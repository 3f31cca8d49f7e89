//! Draws come in: with the program, from the operator, and from files that are brought by hand.

use std::time::Duration;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use tracing::warn;

use super::super::model::{
    AskingFailed, Contradiction, Decision, DrawSource, LatestDraw, Received, ReceivedDraw, StoredDraw, newest_drawn,
    read_answer, said,
};
use super::super::store::draws::{self, Receipt};
use super::super::store::{corrections, purchases, reports};
use super::fitted_draws::with_fitted_draws;
use super::new_draws::NewDraws;
use super::settings::LotterySettings;
use hanok_base::error::Check;
use hanok_base::{Error, Result, day};
use hanok_calc::lottery::Draw;
use hanok_calc::lottery::import::{built_in, parse_csv};
use hanok_platform::app::App;
use hanok_platform::config::Config;
use hanok_platform::jobs::enqueue;
use hanok_platform::store::{ReadTransaction, ShippedData, WriteTx};
use hanok_platform::upstream::{Limits, Provider, ProviderState};

/// The lottery's operator.
pub const OPERATOR: Provider = Provider {
    name: "lottery_operator",
    title_ko: "동행복권",
    title_en: "The lottery operator",
    setting: "lottery.operator",
};

/// What became of draws that came in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// New draws.
    pub added: u64,
    /// Draws of which more is known now.
    pub completed: u64,
    /// Draws that said nothing new.
    pub unchanged: u64,
    /// Draws that gave way to what came in.
    #[serde(default)]
    pub corrected: u64,
    /// Draws that contradict the stored ones and were kept aside, as they were not before.
    pub conflicts: u64,
    /// Rows of the answer that cannot be right; they took no other with them.
    #[serde(default)]
    pub refused: u64,
}

/// The draws that ship with the program.
pub const BUILT_IN: ShippedData = ShippedData {
    name: "lottery: draws",
    revision: 1,
    as_of: || built_in().last().map(|draw| draw.date),
    put_in: put_in_built_in,
};

/// The operator, and whether it is asked at all.
pub fn providers(config: &Config) -> Vec<(&'static Provider, bool)> {
    vec![(&OPERATOR, config.section::<LotterySettings>().sync)]
}

/// The newest draw with what the last attempt to ask the operator came to.
pub fn told(app: &App, newest: LatestDraw) -> LatestDraw {
    LatestDraw { failure: asking_failed(app), ..newest }
}

/// Why the last attempt to ask the operator failed, if it did.
fn asking_failed(app: &App) -> Option<AskingFailed> {
    let operator = app.outside.upstream.report().into_iter().find(|provider| provider.name == OPERATOR.name)?;
    let at = operator.last_failure_at.filter(|_| operator.consecutive_failures > 0)?;
    let ProviderState { failure, failure_localized, retry_at, .. } = operator;
    Some(AskingFailed { at, message: failure?, localized: failure_localized, retry_at })
}

/// Of refused rows so many are named in the log.
const NAMED_IN_THE_LOG: usize = 10;

/// Puts in the draws that ship with the program; what is stored stays. Gives a sentence when there was anything to do.
pub(super) fn put_in_built_in(tx: &WriteTx) -> Result<Option<String>> {
    let is_first_start = draws::newest(tx)?.is_none();
    let receipt = draws::receive(tx, built_in(), DrawSource::BuiltIn)?;
    // On a fresh folder nobody has bought or been given anything yet; the schedule writes the rest.
    if !is_first_start {
        follow_up(tx, &receipt)?;
    }
    let Outcome { added, completed, .. } = Outcome::from(&receipt);
    Ok((added + completed > 0).then(|| format!("{added} lottery draws put in, {completed} completed")))
}

/// Fetches what is missing or not complete from the operator, up to the newest draw that has been held.
///
/// # Errors
/// `NOT_CONFIGURED` when fetching is turned off; `UPSTREAM_UNAVAILABLE` and `UPSTREAM_TIMEOUT`, after which
/// nothing has changed.
pub async fn sync(app: &App) -> Result<Outcome> {
    take_received(app, ask_operator(app).await?).await
}

/// [`sync`] up to the answer of the operator, which [`take_received`] takes in.
pub(super) async fn ask_operator(app: &App) -> Result<Received> {
    let settings = app.config.section::<LotterySettings>();
    if !settings.sync {
        return Err(Error::not_configured("lottery.sync"));
    }
    let newest = newest_drawn(app.clock.now());
    let from =
        app.data.store.read(move |tx| Ok(first_to_ask(&draws::all_stored(tx)?, newest, day::of(tx.now())))).await?;
    let operator = &settings.operator;
    let url = format!("{operator}/lt645/selectPstLt645Info.do?srchStrLtEpsd={from}&srchEndLtEpsd={newest}");
    let limits = Limits {
        headers: vec![
            ("Referer", format!("{operator}/lt645/result")),
            ("X-Requested-With", "XMLHttpRequest".to_owned()),
        ],
        ..Limits::json(Duration::from_secs(settings.timeout_seconds))
    };
    app.outside
        .upstream
        .read(&OPERATOR, &url, limits, |answer| {
            let mut received = read_answer(&answer.body)?;
            received.draws.retain(|received| (from..=newest).contains(&received.draw.draw_no));
            // The range begins with a draw that the operator has published, so an empty list is no answer.
            if received.draws.is_empty() { Err("the list is empty".to_owned()) } else { Ok(received) }
        })
        .await
}

/// Takes in what the operator has answered.
pub(super) async fn take_received(app: &App, received: Received) -> Result<Outcome> {
    let refused = received.refused.len() as u64;
    for what in received.refused.iter().take(NAMED_IN_THE_LOG) {
        warn!(provider = OPERATOR.name, "a row of the answer is no draw: {what}");
    }
    let outcome = app.data.store.write(move |tx| take_from_operator(tx, received.draws)).await?;
    Ok(Outcome { refused, ..outcome })
}

/// Takes draws from a table of comma-separated values, all of them or none.
///
/// # Errors
/// `INVALID_INPUT` naming each refused line.
pub async fn import_csv(app: &App, text: String) -> Result<Outcome> {
    let newest = newest_drawn(app.clock.now());
    let received = with_fitted_draws(app, move |_, fitted| {
        let received = parse_csv(&text, &fitted.draws)?;
        Check::of(|check| {
            for draw in received.iter().filter(|draw| draw.draw_no > newest) {
                check.require(false, format!("draw {}", draw.draw_no), said::HELD);
            }
        })?;
        Ok(received)
    })
    .await?;
    app.data
        .store
        .write(move |tx| take_in(tx, &received, DrawSource::Import).map(|receipt| Outcome::from(&receipt)))
        .await
}

/// Decides about a draw that was kept aside; purchases, review, report and briefing follow.
///
/// # Errors
/// As [`corrections::decide`].
pub fn decide(tx: &WriteTx, draw_no: u32, decision: Decision) -> Result<Outcome> {
    let corrected = if corrections::decide(tx, draw_no, decision)? { vec![draw_no] } else { Vec::new() };
    let receipt = Receipt { corrected, ..Receipt::default() };
    follow_up(tx, &receipt)?;
    Ok(Outcome::from(&receipt))
}

/// Takes the newest correction of draw `draw_no` back, which must be `correction` when one is named; purchases, review,
/// report and briefing follow.
///
/// # Errors
/// As [`corrections::take_back`].
pub fn take_back(tx: &WriteTx, draw_no: u32, correction: Option<u64>) -> Result<Outcome> {
    corrections::take_back(tx, draw_no, correction)?;
    let receipt = Receipt { corrected: vec![draw_no], ..Receipt::default() };
    follow_up(tx, &receipt)?;
    Ok(Outcome::from(&receipt))
}

/// [`decide`] about what `source` sent, or about the only one that is kept aside when none is named.
///
/// # Errors
/// As [`decide`]; `CONFLICT` when several are kept aside and none is named.
pub fn decide_about(tx: &WriteTx, draw_no: u32, source: Option<DrawSource>, accept: bool) -> Result<Outcome> {
    let source = match (source, corrections::sources(tx, draw_no)?.as_slice()) {
        (Some(source), _) => source,
        (None, [source]) => *source,
        (None, []) => return Err(Error::not_found("draw kept aside")),
        (None, several) => {
            let names: Vec<&str> = several.iter().map(|source| source.name()).collect();
            return Err(Error::conflict(said::SEVERAL_ASIDE.with([("sources", names.join(", ").into())])));
        }
    };
    decide(tx, draw_no, Decision { source, accept })
}

/// From where to ask on the day `today`: the first draw that the operator has more to say about, or that is missing;
/// then the one before it, which the operator is known to have.
fn first_to_ask(stored: &[StoredDraw], newest: u32, today: NaiveDate) -> u32 {
    let asked_for = stored.iter().find(|stored| stored.is_asked_for(today)).map(|stored| stored.draw.draw_no);
    let missing = (1..).zip(stored).find(|(expected, stored)| stored.draw.draw_no != *expected);
    let missing = missing.map_or(stored.len() as u32 + 1, |(expected, _)| expected).saturating_sub(1).max(1);
    asked_for.unwrap_or(u32::MAX).min(missing).min(newest)
}

pub(super) fn take_from_operator(tx: &WriteTx, received: Vec<ReceivedDraw>) -> Result<Outcome> {
    let (right, wrong): (Vec<_>, Vec<_>) =
        received.into_iter().partition(|received| received.dated == received.draw.date);
    let mut impossible = 0;
    for ReceivedDraw { draw, dated } in &wrong {
        let contradiction = Contradiction::new("date", draw.date, dated);
        let is_new = corrections::note_impossible(tx, draw.draw_no, DrawSource::Operator, contradiction)?;
        impossible += u64::from(is_new);
    }
    let right: Vec<Draw> = right.into_iter().map(|received| received.draw).collect();
    let receipt = take_in(tx, &right, DrawSource::Operator)?;
    draws::note_contact(tx)?;
    let outcome = Outcome::from(&receipt);
    Ok(Outcome { conflicts: outcome.conflicts + impossible, ..outcome })
}

/// Takes draws in, with everything that follows from them, in this transaction.
fn take_in(tx: &WriteTx, received: &[Draw], source: DrawSource) -> Result<Receipt> {
    let receipt = draws::receive(tx, received, source)?;
    follow_up(tx, &receipt)?;
    Ok(receipt)
}

/// Checks the purchases of draws that are new or more complete, puts right what is stored about corrected ones, and queues
/// what takes longer.
fn follow_up(tx: &WriteTx, receipt: &Receipt) -> Result<()> {
    let draw_nos = receipt.changed();
    for draw_no in &draw_nos {
        if let Some(draw) = draws::find(tx, *draw_no)? {
            purchases::check_against(tx, &draw)?;
        }
    }
    reports::tell_anew(tx, &receipt.corrected)?;
    if !draw_nos.is_empty() {
        enqueue(tx, &NewDraws { draw_nos })?;
    }
    Ok(())
}

impl From<&Receipt> for Outcome {
    fn from(receipt: &Receipt) -> Self {
        Outcome {
            added: receipt.added.len() as u64,
            completed: receipt.completed.len() as u64,
            unchanged: receipt.unchanged,
            corrected: receipt.corrected.len() as u64,
            conflicts: receipt.conflicts,
            refused: 0,
        }
    }
}

#[cfg(test)]
mod tests;

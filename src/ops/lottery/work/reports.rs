//! The weekly report, the curator's briefing and the review of each draw.

use std::time::Instant;

use super::super::store::draws::coming;
use super::super::store::reports::{self, Written};
use super::fitted_draws::{FittedDraws, with_fitted_draws};
use super::picks::fresh_seed;
use hanok_base::Result;
use hanok_calc::lottery::briefing::{Briefing, briefing};
use hanok_calc::lottery::report::{Report, report};
use hanok_platform::app::App;
use hanok_platform::store::{ReadTransaction, WriteTx};

/// A fresh report for the coming draw, which is not kept yet.
pub async fn report_now(app: &App) -> Result<Written<Report>> {
    let seed = fresh_seed()?;
    with_fitted_draws(app, move |tx, fitted| written_report(tx, fitted, seed)).await
}

/// Makes the coming draw's report unless it is there and was worked out of the draws as they are now: it is made anew
/// when a draw arrives, when a gap fills, when prizes arrive and when a draw is corrected.
pub async fn make_report_when_due(app: &App) -> Result<()> {
    let made = with_fitted_draws(app, |tx, fitted| {
        let draw_no = coming(tx)?;
        // The draw's own number is the seed, so that the schedule's report is the same on any machine.
        let is_due = !reports::report_is_up_to_date(tx, draw_no)?;
        is_due.then(|| written_report(tx, fitted, u64::from(draw_no))).transpose()
    })
    .await?;
    let Some(made) = made else { return Ok(()) };
    // Somebody may have asked for a report meanwhile; theirs stays.
    let put = move |tx: &WriteTx| match reports::report_is_up_to_date(tx, made.text.drw_no)? {
        true => Ok(()),
        false => reports::put_report(tx, &made),
    };
    app.data.store.write(put).await
}

/// A fresh briefing for the coming draw, which is not kept yet. A failure is counted.
pub async fn briefing_now(app: &App) -> Result<Written<Briefing>> {
    let seed = fresh_seed()?;
    let composed = with_fitted_draws(app, move |tx, fitted| composed_briefing(tx, fitted, seed)).await;
    counting_failure(app, composed).await
}

/// Composes the coming draw's briefing unless it is there and was composed from the draws as they are now.
pub async fn compose_briefing_when_due(app: &App) -> Result<()> {
    let composed = with_fitted_draws(app, |tx, fitted| {
        let draw_no = coming(tx)?;
        let is_due = !reports::briefing_is_up_to_date(tx, draw_no)?;
        is_due.then(|| composed_briefing(tx, fitted, u64::from(draw_no))).transpose()
    })
    .await;
    let Some(composed) = counting_failure(app, composed).await? else { return Ok(()) };
    // Somebody may have asked for a briefing meanwhile; theirs stays.
    let put = move |tx: &WriteTx| match reports::briefing_is_up_to_date(tx, composed.text.draw_no)? {
        true => Ok(()),
        false => reports::put_briefing(tx, &composed),
    };
    app.data.store.write(put).await
}

/// Reviews draw `draw_no`, or the newest one, as [`reports::review_again`] says.
pub async fn review_draw(app: &App, draw_no: Option<u32>) -> Result<()> {
    app.data.store.write(move |tx| reports::review_again(tx, draw_no)).await
}

async fn counting_failure<T>(app: &App, composed: Result<T>) -> Result<T> {
    if composed.is_err() {
        app.data.store.write(reports::note_failed_briefing).await?;
    }
    composed
}

fn written_report(tx: &impl ReadTransaction, fitted: &FittedDraws, seed: u64) -> Result<Written<Report>> {
    let text = report(&fitted.history(), &fitted.co_winners, coming(tx)?, seed, tx.now());
    Ok(Written { text, revision: fitted.revision })
}

fn composed_briefing(tx: &impl ReadTransaction, fitted: &FittedDraws, seed: u64) -> Result<Written<Briefing>> {
    let begun = Instant::now();
    let mut text = briefing(&fitted.history(), &fitted.co_winners, coming(tx)?, seed, tx.now());
    text.usage.elapsed_ms = begun.elapsed().as_millis() as u64;
    Ok(Written { text, revision: fitted.revision })
}

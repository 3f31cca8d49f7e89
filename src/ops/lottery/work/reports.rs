//! The weekly report, the curator's briefing and the review of each draw.

use std::time::Instant;

use super::super::model::coming_draw;
use super::super::store::{draws, picks, purchases, reports};
use super::fitted_draws::{FittedDraws, with_fitted_draws};
use super::picks::fresh_seed;
use hanok_base::Result;
use hanok_calc::lottery::Published;
use hanok_calc::lottery::briefing::{Briefing, briefing};
use hanok_calc::lottery::report::{Report, report};
use hanok_calc::lottery::review::{Played, review};
use hanok_platform::app::App;
use hanok_platform::store::{Reads, WriteTx};

/// A fresh report for the coming draw, which is not kept yet.
pub async fn report_now(app: &App) -> Result<Report> {
    let seed = fresh_seed()?;
    with_fitted_draws(app, move |tx, fitted| Ok(written_report(tx, fitted, seed))).await
}

/// Makes the coming draw's report unless it is there and knows the newest draw.
pub async fn make_report_when_due(app: &App) -> Result<()> {
    let made = with_fitted_draws(app, |tx, fitted| {
        let draw_no = coming_draw(tx.now());
        let known = reports::find_report(tx, u64::from(draw_no))?.map(|report| report.based_on_draw);
        // The draw's own number is the seed, so that the schedule's report is the same on any machine.
        Ok((known != Some(fitted.newest())).then(|| written_report(tx, fitted, u64::from(draw_no))))
    })
    .await?;
    match made {
        // Somebody may have asked for a report meanwhile; theirs stays.
        Some(made) => {
            let put = move |tx: &WriteTx| {
                let known = reports::find_report(tx, u64::from(made.drw_no))?.map(|report| report.based_on_draw);
                if known == Some(made.based_on_draw) { Ok(()) } else { reports::put_report(tx, &made) }
            };
            app.data.store.write(put).await
        }
        None => Ok(()),
    }
}

/// A fresh briefing for the coming draw, which is not kept yet. A failure is counted.
pub async fn briefing_now(app: &App) -> Result<Briefing> {
    let seed = fresh_seed()?;
    let composed = with_fitted_draws(app, move |tx, fitted| Ok(composed_briefing(tx, fitted, seed))).await;
    counting_failure(app, composed).await
}

/// Somebody may have asked for a briefing while this one was composed; theirs stays.
fn put_unless_there(tx: &WriteTx, composed: &Briefing) -> Result<()> {
    let known = reports::find_briefing(tx, composed.draw_no)?.map(|briefing| briefing.based_on_draw);
    if known == Some(composed.based_on_draw) { Ok(()) } else { reports::put_briefing(tx, composed) }
}

/// Composes the coming draw's briefing unless it is there and knows the newest draw.
pub async fn compose_briefing_when_due(app: &App) -> Result<()> {
    let composed = with_fitted_draws(app, |tx, fitted| {
        let draw_no = coming_draw(tx.now());
        let known = reports::find_briefing(tx, draw_no)?.map(|briefing| briefing.based_on_draw);
        Ok((known != Some(fitted.newest())).then(|| composed_briefing(tx, fitted, u64::from(draw_no))))
    })
    .await;
    match counting_failure(app, composed).await? {
        Some(composed) => app.data.store.write(move |tx| put_unless_there(tx, &composed)).await,
        None => Ok(()),
    }
}

/// Reviews draw `draw_no`, or the newest one. Nothing to do before its prizes are published, nor when nothing was
/// given for it or played in it.
pub async fn review_draw(app: &App, draw_no: Option<u32>) -> Result<()> {
    app.data.store.write(move |tx| review_now(tx, draw_no)).await
}

fn review_now(tx: &WriteTx, draw_no: Option<u32>) -> Result<()> {
    let draw = match draw_no {
        Some(draw_no) => draws::find(tx, draw_no)?,
        None => draws::newest(tx)?.map(|stored| stored.draw),
    };
    let Some(draw) = draw.filter(|draw| draw.published >= Published::Prizes) else { return Ok(()) };
    let mut given = reports::written_for(tx, draw.draw_no)?;
    given.extend(picks::given_for(tx, draw.draw_no)?);
    let played: Vec<Played> = purchases::of_draw(tx, draw.draw_no)?
        .into_iter()
        .map(|purchase| Played {
            games: purchase.count,
            amount: purchase.amount,
            prize_by_hand: purchase.prize.filter(|_| !purchase.numbers_known),
            sets: purchase.sets,
        })
        .collect();
    if given.is_empty() && played.is_empty() && !reports::is_reviewed(tx, draw.draw_no)? {
        return Ok(());
    }
    reports::put_review(tx, &review(&draw, &given, &played, tx.now()))
}

async fn counting_failure<T>(app: &App, composed: Result<T>) -> Result<T> {
    if composed.is_err() {
        app.data.store.write(reports::note_failed_briefing).await?;
    }
    composed
}

fn written_report(tx: &impl Reads, fitted: &FittedDraws, seed: u64) -> Report {
    report(&fitted.history(), &fitted.co_winners, coming_draw(tx.now()), seed, tx.now())
}

fn composed_briefing(tx: &impl Reads, fitted: &FittedDraws, seed: u64) -> Briefing {
    let begun = Instant::now();
    let mut composed = briefing(&fitted.history(), &fitted.co_winners, coming_draw(tx.now()), seed, tx.now());
    composed.usage.elapsed_ms = begun.elapsed().as_millis() as u64;
    composed
}

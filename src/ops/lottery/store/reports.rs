//! What the lottery writes: reports, briefings and reviews by draw, and what the curator took by day.

use std::ops::RangeToInclusive;

use chrono::{Datelike, NaiveDate};

use super::super::model::{
    CheckedPicks, CuratorUsage, DayUsage, ReplacedText, ReportEntry, ShownBriefing, ShownReport,
};
use super::draws::known;
use super::{draws, found, picks, purchases, replaced};
use hanok_base::{Page, Result, day};
use hanok_calc::lottery::briefing::{Briefing, Tier};
use hanok_calc::lottery::history::History;
use hanok_calc::lottery::performance::PicksChecked;
use hanok_calc::lottery::report::Report;
use hanok_calc::lottery::review::{PickSource, Played, Review, review};
use hanok_calc::lottery::{Numbers, Published};
use hanok_platform::events::Change;
use hanok_platform::store::{IndexedTable, Order, ReadTransaction, Table, WriteTx};

/// Reports, briefings or reviews have changed.
pub const CHANGED: Change = Change::new("reports");
/// Table: reports. Key: number of the draw it is for. Value: the report.
pub(super) const REPORTS: IndexedTable<u64, Report> =
    IndexedTable::new("lottery_reports-1", |report| report.drw_no.into(), &[&found::REPORTS]);
/// Table: briefings. Key: number of the draw it is for. Value: the briefing.
pub(super) const BRIEFINGS: IndexedTable<u64, Briefing> =
    IndexedTable::new("lottery_briefings-1", |briefing| briefing.draw_no.into(), &[&found::BRIEFINGS]);
/// Table: reviews. Key: number of the draw. Value: the review.
pub(super) const REVIEWS: IndexedTable<u64, Review> =
    IndexedTable::new("lottery_reviews-1", |review| review.draw_no.into(), &[&found::REVIEWS]);
/// Table: how many picks of a review there were. Key: number of the draw. Value: picks and winning numbers.
pub(super) const CHECKED: Table<u64, CheckedPicks> = Table::new("lottery_checked_picks-1");
/// Table: from which revision of the draws a report or briefing was worked out. Key: `report/` or `briefing/` and the
/// number of the draw. Value: the revision.
pub(super) const WRITTEN_FROM: Table<&'static str, u64> = Table::new("lottery_written_from-1");
/// Table: what the curator took. Key: day, counted from the year 1. Value: runs and tokens.
pub(super) const USAGE: Table<u64, DayUsage> = Table::new("lottery_curator_usage-1");

/// What was worked out of the draws, and of which revision of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Written<T> {
    /// The report or briefing.
    pub text: T,
    /// The revision of the draws.
    pub revision: u64,
}

/// Keeps a report in the place of an earlier one for the same draw, which stays to be seen and for the review.
pub fn put_report(tx: &WriteTx, written: &Written<Report>) -> Result<()> {
    let Written { text: report, revision } = written;
    tx.announce(CHANGED);
    if let Some(before) = find_report(tx, report.drw_no.into())? {
        let sets = sets_of(&before);
        replaced::keep(tx, report.drw_no, &ReplacedText::Report(before), &sets, &sets_of(report))?;
    }
    tx.put(&WRITTEN_FROM, report_place(report.drw_no).as_str(), revision)?;
    REPORTS.put(tx, report)
}

/// Whether the report for a draw is there and was worked out of the draws as they are now.
pub fn report_is_up_to_date(tx: &impl ReadTransaction, draw_no: u32) -> Result<bool> {
    let from = tx.get(&WRITTEN_FROM, report_place(draw_no).as_str())?;
    Ok(from == Some(draws::state(tx)?.revision) && tx.contains(&REPORTS, u64::from(draw_no))?)
}

/// The report for a draw.
pub fn find_report(tx: &impl ReadTransaction, draw_no: u64) -> Result<Option<Report>> {
    tx.get(&REPORTS, draw_no)
}

/// The report with those that it has taken the place of.
pub fn shown_report(tx: &impl ReadTransaction, report: Report) -> Result<ShownReport> {
    let replaced = replaced::list(tx, report.drw_no, PickSource::Report)?;
    Ok(ShownReport { report, replaced })
}

/// The report for a draw that was replaced under this id, telling of the draws as they are now; its sets are those that
/// were given.
pub fn find_replaced_report(tx: &impl ReadTransaction, draw_no: u64, id: u64) -> Result<Option<Report>> {
    let Some(ReplacedText::Report(report)) = replaced::find(tx, draw_no, id)? else { return Ok(None) };
    let draws = draws::all(tx)?;
    let history = History::of(known(&draws, report.based_on_draw));
    Ok(Some(report.retold(&history)))
}

/// The report for the newest draw that has one, up to the coming draw: none that was made while the clock ran ahead.
pub fn latest_report(tx: &impl ReadTransaction) -> Result<Option<Report>> {
    Ok(tx.values(&REPORTS, up_to_coming(tx)?, Order::Descending, 0, 1)?.pop())
}

/// The reports, newest draw first, and how many there are.
pub fn list_reports(tx: &impl ReadTransaction, page: Page) -> Result<(Vec<ReportEntry>, u64)> {
    let reports = tx.values(&REPORTS, 0.., Order::Descending, page.offset, page.limit)?;
    Ok((reports.into_iter().map(ReportEntry::from).collect(), tx.count(&REPORTS)?))
}

/// Keeps a briefing in the place of an earlier one for the same draw, which stays to be seen and for the review, and
/// counts what it took.
pub fn put_briefing(tx: &WriteTx, written: &Written<Briefing>) -> Result<()> {
    let Written { text: briefing, revision } = written;
    let usage = briefing.usage;
    count_usage(tx, |day| {
        day.runs += 1;
        day.tokens_in += usage.tokens_in;
        day.tokens_out += usage.tokens_out;
    })?;
    tx.announce(CHANGED);
    if let Some(before) = find_briefing(tx, briefing.draw_no)? {
        let picks = picks_of(&before);
        replaced::keep(tx, briefing.draw_no, &ReplacedText::Briefing(before), &picks, &picks_of(briefing))?;
    }
    tx.put(&WRITTEN_FROM, briefing_place(briefing.draw_no).as_str(), revision)?;
    BRIEFINGS.put(tx, briefing)
}

/// Whether the briefing for a draw is there and was composed from the draws as they are now.
pub fn briefing_is_up_to_date(tx: &impl ReadTransaction, draw_no: u32) -> Result<bool> {
    let from = tx.get(&WRITTEN_FROM, briefing_place(draw_no).as_str())?;
    Ok(from == Some(draws::state(tx)?.revision) && tx.contains(&BRIEFINGS, u64::from(draw_no))?)
}

/// Counts a briefing that failed.
pub fn note_failed_briefing(tx: &WriteTx) -> Result<()> {
    count_usage(tx, |day| day.failures += 1)
}

/// The briefing for a draw.
pub fn find_briefing(tx: &impl ReadTransaction, draw_no: u32) -> Result<Option<Briefing>> {
    tx.get(&BRIEFINGS, u64::from(draw_no))
}

/// The briefing with those that it has taken the place of.
pub fn shown_briefing(tx: &impl ReadTransaction, briefing: Briefing) -> Result<ShownBriefing> {
    let replaced = replaced::list(tx, briefing.draw_no, PickSource::Briefing)?;
    Ok(ShownBriefing { briefing, replaced })
}

/// The briefing for a draw that was replaced under this id, telling of the draws as they are now; its picks are those
/// that were given.
pub fn find_replaced_briefing(tx: &impl ReadTransaction, draw_no: u32, id: u64) -> Result<Option<Briefing>> {
    let Some(ReplacedText::Briefing(briefing)) = replaced::find(tx, draw_no.into(), id)? else { return Ok(None) };
    let draws = draws::all(tx)?;
    let history = History::of(known(&draws, briefing.based_on_draw));
    Ok(Some(briefing.retold(&history)))
}

/// The briefing for the newest draw that has one, up to the coming draw: none that was composed while the clock ran ahead.
pub fn latest_briefing(tx: &impl ReadTransaction) -> Result<Option<Briefing>> {
    Ok(tx.values(&BRIEFINGS, up_to_coming(tx)?, Order::Descending, 0, 1)?.pop())
}

/// What the curator took in the last `days` days.
pub fn curator_usage(tx: &impl ReadTransaction, days: u32) -> Result<CuratorUsage> {
    let today = number(day::of(tx.now()));
    let since = (today + 1).saturating_sub(u64::from(days));
    Ok(CuratorUsage::of(days, tx.values(&USAGE, since..=today, Order::Descending, 0, days as usize)?))
}

/// Reviews every draw again that has a review, by the rules of this program.
pub fn review_all_again(tx: &WriteTx) -> Result<()> {
    for entry in tx.entries(&REVIEWS, 0.., Order::Ascending) {
        review_again(tx, u32::try_from(entry?.key()).ok())?;
    }
    Ok(())
}

/// Keeps a review in the place of an earlier one of the same draw, when it says anything else.
fn put_review(tx: &WriteTx, review: &Review) -> Result<()> {
    let before = find_review(tx, review.draw_no)?;
    if before.is_some_and(|before| Review { created_at: review.created_at, ..before } == *review) {
        return Ok(());
    }
    let draw_no = u64::from(review.draw_no);
    let checked = review.picks.checked;
    let matched = review.picks.avg_correct.map_or(0, |average| (average * checked as f64).round() as u64);
    tx.put(&CHECKED, draw_no, &CheckedPicks { checked, matched })?;
    tx.announce(CHANGED);
    REVIEWS.put(tx, review)
}

/// Puts right what is stored about draws that have been corrected: their reviews, and what reports and briefings for
/// later draws tell of them. The picks of those stay as they were given.
pub fn tell_anew(tx: &WriteTx, corrected: &[u32]) -> Result<()> {
    corrected.iter().try_for_each(|draw_no| review_again(tx, Some(*draw_no)))?;
    corrected.iter().min().map_or(Ok(()), |lowest| retell_from(tx, *lowest))
}

/// Whether there is any report or briefing.
pub fn are_any_written(tx: &impl ReadTransaction) -> Result<bool> {
    Ok(tx.count(&REPORTS)? + tx.count(&BRIEFINGS)? > 0)
}

/// Has every report and briefing tell of the draws as they are now, in the words of this program.
pub fn retell_all(tx: &WriteTx) -> Result<()> {
    retell_from(tx, 0)
}

/// Has every report and briefing that was written with draw `draw_no` or later ones known tell of the draws as they are
/// now.
fn retell_from(tx: &WriteTx, draw_no: u32) -> Result<()> {
    let later = u64::from(draw_no) + 1..;
    let reports = tx.values(&REPORTS, later.clone(), Order::Ascending, 0, usize::MAX)?;
    let briefings = tx.values(&BRIEFINGS, later, Order::Ascending, 0, usize::MAX)?;
    if reports.is_empty() && briefings.is_empty() {
        return Ok(());
    }
    let draws = draws::all(tx)?;
    for before in reports.into_iter().filter(|report| report.based_on_draw >= draw_no) {
        let after = before.clone().retold(&History::of(known(&draws, before.based_on_draw)));
        if after != before {
            tx.announce(CHANGED);
            REPORTS.put(tx, &after)?;
        }
    }
    for before in briefings.into_iter().filter(|briefing| briefing.based_on_draw >= draw_no) {
        let after = before.clone().retold(&History::of(known(&draws, before.based_on_draw)));
        if after != before {
            tx.announce(CHANGED);
            BRIEFINGS.put(tx, &after)?;
        }
    }
    Ok(())
}

/// Reviews draw `draw_no`, or the newest one, in the place of an earlier review that says anything else. Nothing to do
/// when nothing was given for it or played in it. Before its prizes are published a draw has no review: one that was
/// made goes when a correction takes them away, with the picks that were counted in it, and is made anew with them.
pub fn review_again(tx: &WriteTx, draw_no: Option<u32>) -> Result<()> {
    let draw = match draw_no {
        Some(draw_no) => draws::find(tx, draw_no)?,
        None => draws::newest(tx)?.map(|stored| stored.draw),
    };
    let Some(draw) = draw else { return Ok(()) };
    if draw.published < Published::Prizes {
        return remove_review(tx, draw.draw_no);
    }
    let mut given = written_for(tx, draw.draw_no)?;
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
    if given.is_empty() && played.is_empty() && !is_reviewed(tx, draw.draw_no)? {
        return Ok(());
    }
    put_review(tx, &review(&draw, &given, &played, tx.now()))
}

fn remove_review(tx: &WriteTx, draw_no: u32) -> Result<()> {
    tx.remove(&CHECKED, u64::from(draw_no))?;
    if REVIEWS.remove(tx, u64::from(draw_no))?.is_some() {
        tx.announce(CHANGED);
    }
    Ok(())
}

/// The review of a draw.
pub fn find_review(tx: &impl ReadTransaction, draw_no: u32) -> Result<Option<Review>> {
    tx.get(&REVIEWS, u64::from(draw_no))
}

/// Whether a draw has a review.
pub fn is_reviewed(tx: &impl ReadTransaction, draw_no: u32) -> Result<bool> {
    tx.contains(&REVIEWS, u64::from(draw_no))
}

/// The reviews, newest draw first, and how many there are.
pub fn list_reviews(tx: &impl ReadTransaction, page: Page) -> Result<(Vec<Review>, u64)> {
    Ok((tx.values(&REVIEWS, 0.., Order::Descending, page.offset, page.limit)?, tx.count(&REVIEWS)?))
}

/// All picks that were given for draws that have been reviewed, as far as they are kept.
pub fn checked_picks(tx: &impl ReadTransaction) -> Result<PicksChecked> {
    let of_draws = tx.values(&CHECKED, 0.., Order::Ascending, 0, usize::MAX)?;
    let checked: u64 = of_draws.iter().map(|draw| draw.checked).sum();
    let matched: u64 = of_draws.iter().map(|draw| draw.matched).sum();
    let avg_correct = if checked == 0 { 0.0 } else { matched as f64 / checked as f64 };
    Ok(PicksChecked { checked, avg_correct, most_replaced: replaced::MOST_KEPT })
}

/// The picks of the briefings and the reports for `draw_no`, with where they were given: of those that are there, and of
/// those that were replaced last, as [`replaced`] keeps them.
pub fn written_for(tx: &impl ReadTransaction, draw_no: u32) -> Result<Vec<(Numbers, PickSource)>> {
    let from = |source: PickSource| move |numbers: Numbers| (numbers, source);
    let briefing = find_briefing(tx, draw_no)?.map(|briefing| picks_of(&briefing)).unwrap_or_default();
    let report = find_report(tx, draw_no.into())?.map(|report| sets_of(&report)).unwrap_or_default();
    let mut picks = replaced::of_draw(tx, draw_no)?;
    picks.extend(briefing.into_iter().map(from(PickSource::Briefing)));
    picks.extend(report.into_iter().map(from(PickSource::Report)));
    Ok(picks)
}

fn sets_of(report: &Report) -> Vec<Numbers> {
    report.recommended_sets.iter().map(|set| set.numbers).collect()
}

fn picks_of(briefing: &Briefing) -> Vec<Numbers> {
    briefing.picks_through(Tier::Full).map(|pick| pick.numbers).collect()
}

fn count_usage(tx: &WriteTx, count: impl FnOnce(&mut DayUsage)) -> Result<()> {
    let date = day::of(tx.now());
    let nothing = DayUsage { date, runs: 0, failures: 0, tokens_in: 0, tokens_out: 0 };
    let mut usage = tx.get(&USAGE, number(date))?.unwrap_or(nothing);
    count(&mut usage);
    tx.put(&USAGE, number(date), &usage)
}

fn up_to_coming(tx: &impl ReadTransaction) -> Result<RangeToInclusive<u64>> {
    Ok(..=u64::from(draws::coming(tx)?))
}

fn report_place(draw_no: u32) -> String {
    format!("report/{draw_no:06}")
}

fn briefing_place(draw_no: u32) -> String {
    format!("briefing/{draw_no:06}")
}

fn number(day: NaiveDate) -> u64 {
    u64::try_from(day.num_days_from_ce()).unwrap_or(0)
}

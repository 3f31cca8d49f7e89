//! What of the lottery is found by words: notes and numbers of purchases and of what was recommended, and what was written
//! about a draw, by its number (`1246`, `1246회`), its day and the words of its title in both languages.

use chrono::{DateTime, NaiveDate, Utc};

use super::picks::HISTORY;
use super::purchases::PURCHASES;
use super::reports::{BRIEFINGS, REPORTS, REVIEWS};
use hanok_base::{Result, day};
use hanok_calc::lottery::Numbers;
use hanok_calc::lottery::draw::date_of;
use hanok_platform::domain::{Hit, SearchKind, Walk};
use hanok_platform::store::{Order, ReadTx, Reads};

/// The newest first.
pub const SEARCH: &[SearchKind] = &[
    SearchKind { name: "purchase", walk: find_purchases },
    SearchKind { name: "recommendation", walk: find_recommendations },
    SearchKind { name: "lottery_report", walk: find_reports },
    SearchKind { name: "lottery_briefing", walk: find_briefings },
    SearchKind { name: "lottery_review", walk: find_reviews },
];

fn find_purchases(tx: &ReadTx, walk: &mut Walk) -> Result<()> {
    for entry in tx.entries(&PURCHASES, 0.., Order::Descending) {
        let purchase = entry?.value()?;
        let sets: Vec<String> = purchase.sets.iter().map(said).collect();
        let sets = sets.join(" / ");
        let title = || if purchase.note.is_empty() { sets.clone() } else { purchase.note.clone() };
        let hit = || {
            let hit = Hit::of("purchase", purchase.id, title()).made_of(purchase.count);
            hit.done(purchase.prize.is_some()).belonging_to(purchase.draw_no.into())
        };
        if !walk.look(&format!("{} {}회 {sets}", purchase.note, purchase.draw_no), hit) {
            break;
        }
    }
    Ok(())
}

fn find_recommendations(tx: &ReadTx, walk: &mut Walk) -> Result<()> {
    for entry in tx.entries(&HISTORY, 0.., Order::Descending) {
        let given = entry?.value()?;
        let numbers = said(&given.numbers);
        let hit = || Hit::of("recommendation", given.id, &numbers).belonging_to(given.for_draw.into());
        if !walk.look(&format!("{numbers} {}회", given.for_draw), hit) {
            break;
        }
    }
    Ok(())
}

fn find_reports(tx: &ReadTx, walk: &mut Walk) -> Result<()> {
    for entry in tx.entries(&REPORTS, 0.., Order::Descending) {
        let report = entry?.value()?;
        let title = format!("{}회를 앞두고: 주간 리포트", report.drw_no);
        let text = format!("{title} weekly report before draw {}", about(report.drw_no, Some(report.generated_at)));
        if !walk.look(&text, || written("lottery_report", report.drw_no, title)) {
            break;
        }
    }
    Ok(())
}

fn find_briefings(tx: &ReadTx, walk: &mut Walk) -> Result<()> {
    for entry in tx.entries(&BRIEFINGS, 0.., Order::Descending) {
        let briefing = entry?.value()?;
        let about = about(briefing.draw_no, Some(briefing.created_at));
        let text = format!("브리핑 briefing {about} {} {}", briefing.headline_ko, briefing.headline_en);
        if !walk.look(&text, || written("lottery_briefing", briefing.draw_no, briefing.headline_ko)) {
            break;
        }
    }
    Ok(())
}

fn find_reviews(tx: &ReadTx, walk: &mut Walk) -> Result<()> {
    for entry in tx.entries(&REVIEWS, 0.., Order::Descending) {
        let review = entry?.value()?;
        // Made anew with each change of a purchase: the day of the draw is the one that is known.
        let about = about(review.draw_no, None);
        let text = format!("복기 review {about} {} {}", review.sentence_ko, review.sentence_en);
        if !walk.look(&text, || written("lottery_review", review.draw_no, review.sentence_ko)) {
            break;
        }
    }
    Ok(())
}

fn written(kind: &'static str, draw_no: u32, title: String) -> Hit {
    Hit::of(kind, draw_no.into(), title).belonging_to(draw_no.into())
}

/// The draw, its day and the day on which something was made for it, as people write them.
fn about(draw_no: u32, made: Option<DateTime<Utc>>) -> String {
    let days = date_of(draw_no).ok().into_iter().chain(made.map(day::of));
    days.fold(format!("{draw_no}회 draw {draw_no}"), |all, day| format!("{all} {}", in_words(day)))
}

fn in_words(day: NaiveDate) -> String {
    day.format("%Y-%m-%d %Y.%m.%d %Y년 %-m월 %-d일 %-m월%-d일 %B %-d, %Y").to_string()
}

fn said(numbers: &Numbers) -> String {
    numbers.iter().map(|number| number.to_string()).collect::<Vec<_>>().join(" ")
}

//! What of the lottery is found by words: notes and numbers of purchases and of what was recommended, and what was written
//! about a draw, by its number (`1246`, `1246회`), its day and the words of its title in both languages.

use chrono::{DateTime, NaiveDate, Utc};

use super::super::model::{HistoryEntry, Purchase};
use hanok_base::day;
use hanok_calc::lottery::Numbers;
use hanok_calc::lottery::briefing::Briefing;
use hanok_calc::lottery::draw::date_of;
use hanok_calc::lottery::report::Report;
use hanok_calc::lottery::review::Review;
use hanok_platform::search::{Document, Searched};

/// A purchase by its note, its numbers and its draw.
pub(super) const PURCHASES: Searched<Purchase> = Searched::new(|purchase| {
    let sets: Vec<String> = purchase.sets.iter().map(said).collect();
    let sets = sets.join(" / ");
    let (title, text) = match purchase.note.is_empty() {
        true => (sets, String::new()),
        false => (purchase.note.clone(), sets),
    };
    let page = format!("/lottery/purchases?draw={}&purchase={}", purchase.draw_no, purchase.id);
    Document {
        text: format!("{}회 {text}", purchase.draw_no).trim_end().to_owned(),
        day: Some(day::of(purchase.created_at)),
        done: purchase.prize.is_some(),
        count: Some(purchase.count),
        number: Some(purchase.draw_no.into()),
        ..Document::of("purchase", purchase.id, title, page)
    }
});

/// A recommendation by its numbers and the draw that it was for.
pub(super) const RECOMMENDATIONS: Searched<HistoryEntry> = Searched::new(|given| Document {
    text: format!("{}회", given.for_draw),
    day: Some(day::of(given.created_at)),
    number: Some(given.for_draw.into()),
    ..Document::of("recommendation", given.id, said(&given.numbers), "/lottery/history")
});

/// A report by its draw and its day.
pub(super) const REPORTS: Searched<Report> = Searched::new(|report| {
    let title = format!("{}회를 앞두고: 주간 리포트", report.drw_no);
    let about = about(report.drw_no, Some(report.generated_at));
    written("lottery_report", "/lottery/reports", report.drw_no, title, format!("weekly report before draw {about}"))
});

/// A briefing by its draw, its day and its headlines.
pub(super) const BRIEFINGS: Searched<Briefing> = Searched::new(|briefing| {
    let about = about(briefing.draw_no, Some(briefing.created_at));
    let text = format!("{} 브리핑 briefing {about}", briefing.headline_en);
    written("lottery_briefing", "/lottery/reports/briefing", briefing.draw_no, briefing.headline_ko.clone(), text)
});

/// A review by its draw and its sentences. It is made anew with each change of a purchase: the day of the draw is the one
/// that is known.
pub(super) const REVIEWS: Searched<Review> = Searched::new(|review| {
    let text = format!("{} 복기 review {}", review.sentence_en, about(review.draw_no, None));
    written("lottery_review", "/lottery/reports/review", review.draw_no, review.sentence_ko.clone(), text)
});

fn written(kind: &str, page: &str, draw_no: u32, title: String, text: String) -> Document {
    Document {
        text,
        day: date_of(draw_no).ok(),
        number: Some(draw_no.into()),
        ..Document::of(kind, draw_no.into(), title, format!("{page}?draw={draw_no}"))
    }
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

//! Reports and briefings that are made anew, and what they had given before.

use super::super::super::store::reports::{Written, put_briefing, put_report, written_for};
use super::*;
use hanok_calc::lottery::review::PickSource;
use hanok_platform::store::{ReadTx, WriteTx};

/// Which sets a source has given for draw 1246, without doubles, ascending.
async fn given(app: &App, of: PickSource) -> Vec<Numbers> {
    let written = app.data.store.read(|tx| written_for(tx, 1246)).await.unwrap();
    let mut sets: Vec<Numbers> = written.into_iter().filter(|(_, from)| *from == of).map(|(set, _)| set).collect();
    sets.sort_unstable();
    sets.dedup();
    sets
}

/// The same set, moved up by `by` numbers and turned round at the end.
fn moved(set: &Numbers, by: u8) -> Numbers {
    let mask = set.iter().fold(0, |mask, number| mask | 1 << ((number - 1 + by) % 45 + 1));
    Numbers::from_mask(mask).unwrap()
}

#[tokio::test]
async fn the_sets_of_a_report_and_a_briefing_that_are_made_anew_count_in_the_review() {
    let (app, clock) = lottery_on_sunday().await;
    for _ in 0..2 {
        let report = reports::report_now(&app).await.unwrap();
        let briefing = reports::briefing_now(&app).await.unwrap();
        let put = move |tx: &WriteTx| put_report(tx, &report).and_then(|()| put_briefing(tx, &briefing));
        app.data.store.write(put).await.unwrap();
    }
    let (report, briefing) = (given(&app, PickSource::Report).await, given(&app, PickSource::Briefing).await);
    assert!(report.len() > 6 && briefing.len() > 20, "{} {}", report.len(), briefing.len());

    hold_draw_1246(&app, &clock, Published::Prizes).await;
    reports::review_draw(&app, Some(1246)).await.unwrap();
    let review = app.data.store.read(|tx| store::reports::find_review(tx, 1246)).await.unwrap().unwrap();
    let mut different = [report.as_slice(), &briefing].concat();
    different.sort_unstable();
    different.dedup();
    assert_eq!(review.picks.checked, different.len() as u64);
    let performance = fitted_draws::whole_performance(&app).await.unwrap();
    assert_eq!((performance.picks.checked, performance.picks.most_replaced), (review.picks.checked, 50));

    // They stay: a draw that is corrected is reviewed again, and what is told anew replaces nothing.
    let mut other = draw_1246(Published::Prizes);
    other.numbers = Numbers::new([1, 2, 3, 6, 7, 8]).unwrap();
    app.data.store.write(move |tx| store::draws::receive(tx, &[other], DrawSource::Import)).await.unwrap();
    app.data.store.write(|tx| draws::decide_about(tx, 1246, Some(DrawSource::Import), true)).await.unwrap();
    app.data.store.write(store::reports::retell_all).await.unwrap();
    let again = app.data.store.read(|tx| store::reports::find_review(tx, 1246)).await.unwrap().unwrap();
    assert_ne!(again.numbers, review.numbers);
    assert_eq!(again.picks.checked, review.picks.checked);
    assert_eq!(given(&app, PickSource::Briefing).await, briefing);
}

#[tokio::test]
async fn a_report_and_a_briefing_that_were_made_anew_are_found_whole_with_their_time() {
    let (app, clock) = lottery_on_sunday().await;
    let (mut reports, mut briefings) = (Vec::new(), Vec::new());
    for minutes in 0..3 {
        clock.set(sunday() + Duration::minutes(minutes));
        let (report, briefing) = (reports::report_now(&app).await.unwrap(), reports::briefing_now(&app).await.unwrap());
        reports.push(report.text.clone());
        briefings.push(briefing.text.clone());
        let put = move |tx: &WriteTx| put_report(tx, &report).and_then(|()| put_briefing(tx, &briefing));
        app.data.store.write(put).await.unwrap();
    }
    let (newest_report, newest_briefing) = (reports[2].clone(), briefings[2].clone());
    let read = move |tx: &ReadTx| {
        let shown = store::reports::shown_report(tx, newest_report)?;
        let found = shown.replaced.iter().map(|one| store::reports::find_replaced_report(tx, 1246, one.id));
        let found: Vec<_> = found.collect::<hanok_base::Result<_>>()?;
        let briefing = store::reports::shown_briefing(tx, newest_briefing)?;
        let composed = briefing.replaced.iter().map(|one| store::reports::find_replaced_briefing(tx, 1246, one.id));
        let composed: Vec<_> = composed.collect::<hanok_base::Result<_>>()?;
        let foreign = store::reports::find_replaced_report(tx, 1246, briefing.replaced[0].id)?;
        Ok((shown.replaced, found, briefing.replaced, composed, foreign))
    };
    let (shown, found, of_briefing, composed, foreign) = app.data.store.read(read).await.unwrap();
    let at = |minutes| sunday() + Duration::minutes(minutes);
    assert_eq!(shown.iter().map(|one| one.made_at).collect::<Vec<_>>(), [at(1), at(0)]);
    assert_eq!(of_briefing.iter().map(|one| one.made_at).collect::<Vec<_>>(), [at(1), at(0)]);
    assert_eq!(found, [1, 0].map(|place| Some(reports[place].clone())));
    assert_eq!(composed, [1, 0].map(|place| Some(briefings[place].clone())));
    assert_eq!(foreign, None, "a briefing is no report");
}

#[tokio::test]
async fn what_is_made_anew_with_the_same_sets_replaces_none() {
    let (app, _) = lottery_on_sunday().await;
    let Written { text, revision } = reports::report_now(&app).await.unwrap();
    let written = || app.data.store.read(|tx| Ok(written_for(tx, 1246)?.len()));
    for turns in 0..3 {
        let mut report = Written { text: text.clone(), revision };
        report.text.recommended_sets.rotate_left(turns);
        app.data.store.write(move |tx| put_report(tx, &report)).await.unwrap();
        assert_eq!(written().await.unwrap(), 6);
    }
}

#[tokio::test]
async fn of_a_thousand_reports_for_a_draw_the_sets_of_the_fifty_replaced_last_are_kept() {
    let (app, _) = lottery_on_sunday().await;
    let first = reports::report_now(&app).await.unwrap();
    let seven = first.text.recommended_sets[0].numbers;
    let put_all = move |tx: &WriteTx| {
        for by in 0..1_000u32 {
            let mut report = Written { text: first.text.clone(), revision: first.revision };
            report.text.recommended_sets.truncate(1);
            report.text.recommended_sets[0].numbers = moved(&seven, (by % 45) as u8);
            put_report(tx, &report)?;
        }
        written_for(tx, 1246)
    };
    let written = app.data.store.write(put_all).await.unwrap();
    let shown = app.data.store.read(|tx| {
        let report = store::reports::find_report(tx, 1246)?.unwrap();
        let replaced = store::reports::shown_report(tx, report)?.replaced;
        let before = store::reports::find_replaced_report(tx, 1246, replaced[49].id - 1)?;
        Ok((replaced.len(), before))
    });
    assert_eq!(shown.await.unwrap(), (50, None), "and they themselves");
    // 949 to 998 were replaced last, and 999 is there.
    let expected: Vec<_> = (949..1_000).map(|by| (moved(&seven, (by % 45) as u8), PickSource::Report)).collect();
    assert_eq!(written, expected);
}

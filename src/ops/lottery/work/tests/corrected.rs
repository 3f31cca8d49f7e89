//! A corrected draw, and what is stored about it.

use super::super::super::model::Decision;
use super::*;
use hanok_calc::lottery::briefing::Briefing;
use hanok_calc::lottery::report::Report;
use hanok_calc::lottery::review::Review;
use hanok_platform::store::{ReadTx, Schema, Table, WriteTx};

/// What is stored about draw `draw_no`, by the correction or the undo itself and before any job: every purchase is checked
/// against the draw, a review tells of its numbers and is what its picks are counted in, and the report and the briefing
/// for the draw after it name them. Gives the review.
fn everything_names_the_draw(tx: &ReadTx, draw_no: u32) -> Option<Review> {
    let draw = store::draws::find(tx, draw_no).unwrap().unwrap();
    for bought in store::purchases::of_draw(tx, draw_no).unwrap() {
        let mut checked = bought.clone();
        checked.check(Some(&draw));
        assert_eq!(bought, checked);
    }
    let review = store::reports::find_review(tx, draw_no).unwrap();
    if let Some(review) = &review {
        assert_eq!((review.numbers, review.bonus), (draw.numbers, draw.bonus));
        assert!(draw.published >= Published::Prizes);
    }
    let checked = store::reports::checked_picks(tx).unwrap();
    let counted = review.as_ref().map_or((0, 0.0), |review| (review.picks.checked, review.picks.avg_correct.unwrap()));
    assert_eq!((checked.checked, checked.avg_correct), counted);
    texts_name_the_draw(tx, &draw);
    review
}

/// The report and the briefing for the draw after `draw` name its numbers.
fn texts_name_the_draw(tx: &ReadTx, draw: &Draw) {
    let draw_no = draw.draw_no;
    let report = store::reports::find_report(tx, u64::from(draw_no) + 1).unwrap().unwrap();
    assert_eq!((report.based_on_draw, report.recent_pattern.last3_numbers[0]), (draw_no, draw.numbers));
    let briefing = store::reports::find_briefing(tx, draw_no + 1).unwrap().unwrap();
    let named = format!("Draw {draw_no} brought {} and the bonus {}.", draw.numbers, draw.bonus);
    assert!(briefing.narrative_en.contains(&named), "{}", briefing.narrative_en);
}

async fn reviewed_week() -> App {
    let (app, clock) = lottery_on_sunday().await;
    reports::make_report_when_due(&app).await.unwrap();
    reports::compose_briefing_when_due(&app).await.unwrap();
    let own = json!({"draw_no": 1246, "sets": [[3, 11, 17, 24, 38, 44]]});
    let own = serde_json::from_value(own).unwrap();
    app.data
        .store
        .write(move |tx| store::purchases::add(tx, NewPurchase::into_purchase(own, tx.now())?))
        .await
        .unwrap();
    hold_draw_1246(&app, &clock, Published::Prizes).await;
    reports::review_draw(&app, Some(1246)).await.unwrap();
    reports::make_report_when_due(&app).await.unwrap();
    reports::compose_briefing_when_due(&app).await.unwrap();
    app
}

#[tokio::test]
async fn whatever_corrects_a_draw_or_takes_it_back_nothing_that_is_stored_names_other_numbers() {
    let app = reviewed_week().await;
    let review = || app.data.store.read(|tx| Ok(everything_names_the_draw(tx, 1246)));
    let before = review().await.unwrap().unwrap();
    assert!(before.sentence_en.contains("3,006,515,775 won"), "{}", before.sentence_en);
    let picks = || app.data.store.read(|tx| store::reports::written_for(tx, 1247));
    let given = picks().await.unwrap();

    // One line of a file says only numbers, so the prizes of the others are gone and with them the review.
    let numbers_only = async |line: &str| {
        import_csv(&app, format!("1246,2026-10-17,{line}")).await.unwrap();
        app.data.store.write(|tx| draws::decide_about(tx, 1246, Some(DrawSource::Import), true)).await.unwrap();
        app.data.store.read(|tx| Ok(everything_names_the_draw(tx, 1246))).await.unwrap()
    };
    assert_eq!(numbers_only("3,11,17,24,38,45,9").await, None);
    assert_eq!(numbers_only("3,11,17,24,38,45,10").await, None);
    for run in [1, 2] {
        app.data.store.write(|tx| draws::take_back(tx, 1246, None)).await.unwrap();
        let after = review().await.unwrap();
        assert_eq!(after.is_some(), run == 2);
    }
    let restored = review().await.unwrap().unwrap();
    assert_eq!(restored, Review { created_at: restored.created_at, ..before.clone() });

    // A whole row of the operator keeps the review and changes what it says.
    let mut other = draw_1246(Published::Prizes);
    other.numbers = Numbers::new([1, 2, 3, 6, 7, 8]).unwrap();
    let received = ReceivedDraw { dated: other.date, draw: other };
    app.data.store.write(move |tx| draws::take_from_operator(tx, vec![received])).await.unwrap();
    app.data.store.write(|tx| draws::decide_about(tx, 1246, Some(DrawSource::Operator), true)).await.unwrap();
    let after = review().await.unwrap().unwrap();
    assert!(after.sentence_en.contains("brought 0 won"), "{}", after.sentence_en);
    app.data.store.write(|tx| draws::take_back(tx, 1246, None)).await.unwrap();
    assert_eq!(review().await.unwrap().unwrap().purchases, before.purchases);
    assert_eq!(picks().await.unwrap(), given, "what was given stays");
}

#[tokio::test]
async fn a_draw_that_has_no_prizes_any_more_has_no_review_either_whoever_asks_for_one() {
    let app = reviewed_week().await;
    import_csv(&app, "1246,2026-10-17,3,11,17,24,38,45,9".to_owned()).await.unwrap();
    let decision = Decision { source: DrawSource::Import, accept: true };
    app.data.store.write(move |tx| store::corrections::decide(tx, 1246, decision)).await.unwrap();
    reports::review_draw(&app, None).await.unwrap();
    let left = app
        .data
        .store
        .read(|tx| Ok((store::reports::is_reviewed(tx, 1246)?, store::reports::checked_picks(tx)?.checked)));
    assert_eq!(left.await.unwrap(), (false, 0));
}

#[tokio::test]
async fn of_several_draws_that_one_answer_corrects_every_one_is_told_anew() {
    let clock = Clock::fixed(sunday());
    let app = testing::app(&clock, Jobs::new(jobs(Registry::new()), Vec::new()));
    let (before, right) = built_in().split_at(1242);
    app.data.store.write(|tx| store::draws::receive(tx, before, DrawSource::BuiltIn)).await.unwrap();
    let mut wrongs = right.to_vec();
    for (week, wrong) in wrongs.iter_mut().enumerate() {
        (wrong.numbers, wrong.bonus) = (Numbers::new([1, 2, 3, 6, 7, 8 + week as u8]).unwrap(), 45);
        clock.set(sunday() - Duration::weeks(2 - week as i64));
        let imported = wrong.clone();
        app.data.store.write(move |tx| store::draws::receive(tx, &[imported], DrawSource::Import)).await.unwrap();
        reports::make_report_when_due(&app).await.unwrap();
        reports::compose_briefing_when_due(&app).await.unwrap();
        let own = json!({"draw_no": wrong.draw_no, "sets": [[1, 2, 3, 6, 7, 8]]});
        let own = serde_json::from_value(own).unwrap();
        app.data
            .store
            .write(move |tx| store::purchases::add(tx, NewPurchase::into_purchase(own, tx.now())?))
            .await
            .unwrap();
        reports::review_draw(&app, Some(wrong.draw_no)).await.unwrap();
    }
    let everything_tells_of = async |draws: &[Draw]| {
        let draws = draws.to_vec();
        let read = move |tx: &ReadTx| {
            for draw in draws {
                texts_name_the_draw(tx, &draw);
                let review = store::reports::find_review(tx, draw.draw_no)?.unwrap();
                assert_eq!((review.numbers, review.bonus), (draw.numbers, draw.bonus));
            }
            Ok(())
        };
        app.data.store.read(read).await.unwrap();
    };
    everything_tells_of(&wrongs).await;

    // The lowest is neither the first nor the last of the answer.
    let received = [1, 0, 2].map(|week: usize| ReceivedDraw { dated: right[week].date, draw: right[week].clone() });
    let outcome = app.data.store.write(move |tx| draws::take_from_operator(tx, received.to_vec())).await.unwrap();
    assert_eq!(outcome.corrected, 3);
    everything_tells_of(right).await;
}

#[tokio::test]
async fn a_review_of_an_earlier_program_no_longer_says_that_games_without_an_entered_prize_brought_nothing() {
    let (app, _) = lottery_on_sunday().await;
    let own = serde_json::from_value(json!({"draw_no": 1245, "count": 2})).unwrap();
    app.data
        .store
        .write(move |tx| store::purchases::add(tx, NewPurchase::into_purchase(own, tx.now())?))
        .await
        .unwrap();
    reports::review_draw(&app, Some(1245)).await.unwrap();
    let review = || app.data.store.read(|tx| Ok(store::reports::find_review(tx, 1245)?.unwrap().sentence_en));
    let now = review().await.unwrap();
    assert!(now.ends_with("2 games were played for 2,000 won. Their prize is not entered yet."), "{now}");

    const REVIEWS: Table<u64, Review> = Table::new("lottery_reviews-1");
    let older = |tx: &WriteTx| {
        let review = store::reports::find_review(tx, 1245)?.unwrap();
        let sentence_en = review.sentence_en.replace("2,000 won. Their", "2,000 won and brought 0 won. Their");
        tx.put(&REVIEWS, 1245, &Review { sentence_en, ..review })
    };
    app.data.store.write(older).await.unwrap();
    assert_ne!(review().await.unwrap(), now);
    let schema = Schema::default().deriving(store::DERIVATIONS);
    let step = schema.steps().iter().find(|step| step.name.contains("no sum before a prize")).copied().unwrap();
    assert!(app.data.store.read(move |tx| step.is_needed(tx)).await.unwrap());
    app.data.store.write(move |tx| step.apply(tx)).await.unwrap();
    assert_eq!(review().await.unwrap(), now);
}

#[tokio::test]
async fn what_an_earlier_program_counted_in_stored_draws_is_told_in_draws_that_were_held() {
    let clock = Clock::fixed(sunday());
    let app = testing::app(&clock, Jobs::new(jobs(Registry::new()), Vec::new()));
    let mut known = built_in()[..1245].to_vec();
    known.remove(1_242);
    app.data.store.write(move |tx| store::draws::receive(tx, &known, DrawSource::BuiltIn)).await.unwrap();
    reports::make_report_when_due(&app).await.unwrap();
    reports::compose_briefing_when_due(&app).await.unwrap();
    let texts = || {
        let read = |tx: &ReadTx| Ok((store::reports::latest_report(tx)?, store::reports::latest_briefing(tx)?));
        app.data.store.read(read)
    };
    let now = texts().await.unwrap();
    let (report, briefing) = (now.0.clone().unwrap(), now.1.clone().unwrap());
    assert!(report.jackpot.note_en.contains("the 9 known of the last 10 draws"), "{}", report.jackpot.note_en);

    const REPORTS: Table<u64, Report> = Table::new("lottery_reports-1");
    const BRIEFINGS: Table<u64, Briefing> = Table::new("lottery_briefings-1");
    let (mut older, mut older_briefing) = (report.clone(), briefing.clone());
    older.jackpot.note_en = older.jackpot.note_en.replace("the 9 known of the last 10", "the last 10");
    older.overdue_numbers.reverse();
    older_briefing.narrative_en = "As it was told before.".to_owned();
    let put =
        move |tx: &WriteTx| tx.put(&REPORTS, 1246, &older).and_then(|()| tx.put(&BRIEFINGS, 1246, &older_briefing));
    app.data.store.write(put).await.unwrap();
    let schema = Schema::default().deriving(store::DERIVATIONS);
    let step = schema.steps().iter().find(|step| step.name.contains("count the draws held")).copied().unwrap();
    assert!(app.data.store.read(move |tx| step.is_needed(tx)).await.unwrap());
    app.data.store.write(move |tx| step.apply(tx)).await.unwrap();
    assert_eq!(texts().await.unwrap(), now);
}

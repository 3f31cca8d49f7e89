use chrono::{DateTime, Duration, Utc};
use serde_json::json;

use super::super::model::{DrawSource, LotteryToday, NewPurchase, ReceivedDraw, Simulation, SimulationOrder};
use super::super::store;
use super::draws::import_csv;
use super::*;
use hanok_base::{Clock, Page, day};
use hanok_calc::lottery::import::built_in;
use hanok_calc::lottery::{Draw, Numbers, Parameters, Published};
use hanok_platform::app::App;
use hanok_platform::domain::Today;
use hanok_platform::jobs::Jobs;
use hanok_platform::store::ReadTransaction;
use hanok_platform::testing;

const PAGE: Page = Page { limit: 500, offset: 0 };

/// Sunday noon after draw 1245.
fn sunday() -> DateTime<Utc> {
    "2026-10-11T03:00:00Z".parse().unwrap()
}

async fn put_in_built_in(app: &App) -> Option<String> {
    app.data.store.write(draws::put_in_built_in).await.unwrap()
}

async fn lottery_on_sunday() -> (App, Clock) {
    let clock = Clock::fixed(sunday());
    let app = testing::app(&clock, Jobs::new(jobs(Registry::new()), Vec::new()));
    put_in_built_in(&app).await;
    (app, clock)
}

/// Draw 1246 with the prizes of 1245, as far as `published`.
fn draw_1246(published: Published) -> Draw {
    let numbers = Numbers::new([3, 11, 17, 24, 38, 44]).unwrap();
    let mut draw = Draw::with_numbers_only(1246, numbers, 9).unwrap();
    if published >= Published::Prizes {
        draw.prizes = built_in()[1244].prizes;
        draw.total_sales = built_in()[1244].total_sales;
        draw.settle().unwrap();
    }
    draw
}

async fn hold_draw_1246(app: &App, clock: &Clock, published: Published) {
    clock.set(clock.now().max(sunday() + Duration::days(7)));
    let draw = draw_1246(published);
    let received = ReceivedDraw { dated: draw.date, draw };
    app.data.store.write(move |tx| draws::take_from_operator(tx, vec![received])).await.unwrap();
}

async fn simulated(app: &App, seed: u64) -> Simulation {
    let order = SimulationOrder { candidates: 2_000, top_k: 50, best_n: 10, seed: Some(seed) };
    let run = picks::simulate(app, order).await.unwrap();
    app.data.store.write(move |tx| store::picks::add_run(tx, run)).await.unwrap()
}

#[tokio::test]
async fn a_fresh_folder_has_every_draw_at_once_and_a_second_start_has_nothing_to_do() {
    let clock = Clock::fixed(sunday());
    let app = testing::app(&clock, Jobs::default());
    let begun = std::time::Instant::now();
    assert!(put_in_built_in(&app).await.unwrap().starts_with("1245 "));
    println!("built-in draws put in within {:?}", begun.elapsed());
    assert_eq!(put_in_built_in(&app).await, None);
    let latest = app.data.store.read(|tx| store::draws::latest(tx)).await.unwrap();
    assert_eq!((latest.draw.draw_no, latest.missing, latest.next_draw.draw_no), (1245, 0, 1246));
    assert_eq!(latest.as_of, None);
}

#[tokio::test]
async fn the_same_seed_gives_the_same_recommendation_apart_from_its_place_in_the_history() {
    let (app, _) = lottery_on_sunday().await;
    let mut given = Vec::new();
    for _ in 0..2 {
        let mut answer = picks::recommend(&app, Parameters::default(), Some(42)).await.unwrap();
        assert_eq!(answer.history_id, given.len() as u64 + 1);
        (answer.history_id, answer.elapsed_ms) = (0, 0);
        given.push(serde_json::to_string(&answer).unwrap());
    }
    assert_eq!(given[0], given[1]);
    let combined = |answer: hanok_calc::lottery::combined::CombinedRecommendation| {
        serde_json::to_string(&hanok_calc::lottery::combined::CombinedRecommendation { id: 0, ..answer }).unwrap()
    };
    let first = combined(picks::combine(&app, Some(42)).await.unwrap());
    assert_eq!(first, combined(picks::combine(&app, Some(42)).await.unwrap()));
    let (one, other) = (simulated(&app, 42).await, simulated(&app, 42).await);
    assert_eq!((one.top, one.candidates, one.exact), (other.top, 2_000, false));
    assert_eq!((one.run_id, other.run_id, other.best[0].id), (1, 2, 11));
    let (best, total) = app.data.store.read(|tx| store::picks::best(tx, PAGE)).await.unwrap();
    assert_eq!((best, total), (other.best, 10));
}

#[tokio::test]
async fn a_file_is_taken_whole_or_not_at_all() {
    let (app, clock) = lottery_on_sunday().await;
    clock.set(sunday() + Duration::days(7));
    let good = "1246,2026-10-17,3,11,17,24,38,44,9";
    let unborn = "1247,2026-10-24,3,11,17,24,38,44,9";
    for (bad, named) in [("1245,2026-10-10,3,3,17,24,38,44,9", "line 2"), (unborn, "draw 1247")] {
        let error = import_csv(&app, format!("{good}\n{bad}\n")).await.unwrap_err();
        assert_eq!(error.fields.keys().collect::<Vec<_>>(), [named]);
        assert_eq!(app.data.store.read(|tx| store::draws::find(tx, 1246)).await.unwrap(), None);
    }
    let contradicting = "1245,2026-10-10,3,11,17,24,38,44,9";
    let outcome = import_csv(&app, format!("{good}\n{contradicting}\n")).await.unwrap();
    assert_eq!((outcome.added, outcome.conflicts), (1, 1));
    let latest = app.data.store.read(|tx| store::draws::latest(tx)).await.unwrap();
    assert_eq!((latest.draw.draw_no, latest.conflicts.len()), (1246, 2), "its numbers and its bonus");
    let again = import_csv(&app, good.to_owned()).await.unwrap();
    assert_eq!((again.added, again.unchanged), (0, 1));
}

#[tokio::test]
async fn statistics_are_kept_until_the_draws_change() {
    let (app, clock) = lottery_on_sunday().await;
    let before = fitted_draws::all_statistics(&app).await.unwrap();
    assert!(std::sync::Arc::ptr_eq(&before, &fitted_draws::all_statistics(&app).await.unwrap()));
    hold_draw_1246(&app, &clock, Published::Numbers).await;
    assert_eq!((before.draws, fitted_draws::all_statistics(&app).await.unwrap().draws), (1245, 1246));
}

#[tokio::test]
async fn what_the_schedule_writes_is_written_once_for_each_state_of_the_draws() {
    let (app, clock) = lottery_on_sunday().await;
    let written = || async {
        reports::make_report_when_due(&app).await.unwrap();
        reports::compose_briefing_when_due(&app).await.unwrap();
        let read = |tx: &hanok_platform::store::ReadTx| {
            Ok((store::reports::latest_report(tx)?.unwrap(), store::reports::latest_briefing(tx)?.unwrap()))
        };
        app.data.store.read(read).await.unwrap()
    };
    let (report, briefing) = written().await;
    assert_eq!((report.drw_no, briefing.draw_no, report.generated_at), (1246, 1246, sunday()));
    clock.set(sunday() + Duration::days(1));
    assert_eq!(written().await, (report, briefing), "nothing is written twice");
    clock.set(sunday() + Duration::days(7));
    let (without_the_draw, _) = written().await;
    assert_eq!((without_the_draw.drw_no, without_the_draw.based_on_draw), (1247, 1245));
    hold_draw_1246(&app, &clock, Published::Prizes).await;
    let (with_the_draw, briefing) = written().await;
    assert_eq!((with_the_draw.drw_no, with_the_draw.based_on_draw, briefing.based_on_draw), (1247, 1246, 1246));
    assert_eq!(written().await, (with_the_draw, briefing), "nothing is written twice");
    let usage = app.data.store.read(|tx| store::reports::curator_usage(tx, 30)).await.unwrap();
    assert_eq!((usage.runs, usage.failures, usage.by_day.len()), (3, 0, 2));
    assert_eq!(usage.by_day[0].date, day::of(clock.now()));
    assert_eq!(app.data.store.read(|tx| store::reports::curator_usage(tx, 1)).await.unwrap().runs, 2);
}

#[tokio::test]
async fn a_clock_that_ran_ahead_leaves_no_newest_report_briefing_or_picks_behind() {
    let (app, clock) = lottery_on_sunday().await;
    let newest = || async {
        let read = |tx: &hanok_platform::store::ReadTx| {
            let report = store::reports::latest_report(tx)?.map(|report| report.drw_no);
            let briefing = store::reports::latest_briefing(tx)?.map(|briefing| briefing.draw_no);
            let run = store::picks::best(tx, PAGE)?.0.first().map(|pick| pick.run_id);
            Ok((report, briefing, run, store::reports::curator_usage(tx, 30)?.runs))
        };
        app.data.store.read(read).await.unwrap()
    };
    let write = || async {
        reports::make_report_when_due(&app).await.unwrap();
        reports::compose_briefing_when_due(&app).await.unwrap();
    };
    clock.set(sunday() + Duration::days(3_650));
    write().await;
    let ahead = simulated(&app, 1).await.run_id;
    assert_eq!(newest().await, (Some(1767), Some(1767), Some(ahead), 1));
    clock.set(sunday());
    assert_eq!(newest().await, (None, None, None, 0));
    write().await;
    let run = simulated(&app, 2).await.run_id;
    simulated_ahead(&app, &clock).await;
    assert_eq!(newest().await, (Some(1246), Some(1246), Some(run), 1));
}

#[tokio::test]
async fn a_draw_that_is_known_is_not_the_coming_one_and_is_no_days_old_where_the_clock_is_behind() {
    let (app, clock) = lottery_on_sunday().await;
    hold_draw_1246(&app, &clock, Published::Prizes).await;
    // By the clock it is Sunday after draw 1243.
    clock.set(sunday() - Duration::days(14));
    let latest = app.data.store.read(|tx| store::draws::latest(tx)).await.unwrap();
    assert_eq!((latest.draw.draw_no, latest.age_days, latest.missing), (1246, 0, 0));
    assert_eq!((latest.next_draw.draw_no, latest.next_draw.at), (1247, "2026-10-24T11:35:00Z".parse().unwrap()));
    let given = picks::recommend(&app, Parameters::default(), Some(1)).await.unwrap();
    let combined = picks::combine(&app, Some(1)).await.unwrap();
    let run = simulated(&app, 1).await;
    let report = reports::report_now(&app).await.unwrap().text;
    let briefing = reports::briefing_now(&app).await.unwrap().text;
    let for_draw = [given.for_draw, combined.for_draw, run.for_draw, report.drw_no, briefing.draw_no];
    assert_eq!(for_draw, [1247; 5]);
    let today = app.data.store.read(|tx| LotteryToday::read(tx, &hanok_platform::config::Config::default()));
    let today = today.await.unwrap();
    assert_eq!((today.draw.next_draw.draw_no, today.draw.picks.len()), (1247, 3));
}

/// A run of a clock that goes ahead for it alone.
async fn simulated_ahead(app: &App, clock: &Clock) {
    let now = clock.now();
    clock.set(now + Duration::days(3_650));
    simulated(app, 3).await;
    clock.set(now);
}

#[tokio::test]
async fn report_and_briefing_are_made_anew_when_prizes_arrive_and_when_a_gap_fills() {
    let clock = Clock::fixed(sunday() + Duration::days(7));
    let app = testing::app(&clock, Jobs::new(jobs(Registry::new()), Vec::new()));
    let mut known = built_in()[..1245].to_vec();
    let gap = known.remove(1_199);
    known.push(draw_1246(Published::Numbers));
    app.data.store.write(move |tx| store::draws::receive(tx, &known, DrawSource::BuiltIn)).await.unwrap();
    let made_at = || async {
        reports::make_report_when_due(&app).await.unwrap();
        reports::compose_briefing_when_due(&app).await.unwrap();
        let read = |tx: &hanok_platform::store::ReadTx| {
            Ok((store::reports::latest_report(tx)?.unwrap(), store::reports::latest_briefing(tx)?.unwrap()))
        };
        let (report, briefing) = app.data.store.read(read).await.unwrap();
        assert_eq!((report.drw_no, report.based_on_draw, briefing.draw_no), (1247, 1246, 1247));
        (report.generated_at, briefing.created_at, report.jackpot.expected_sales)
    };
    let first = made_at().await;
    clock.set(clock.now() + Duration::hours(1));
    assert_eq!(made_at().await, first);
    hold_draw_1246(&app, &clock, Published::Prizes).await;
    let with_prizes = made_at().await;
    assert_eq!((with_prizes.0, with_prizes.1), (clock.now(), clock.now()));
    assert_ne!(with_prizes.2, first.2, "the sales of the newest draw count");
    clock.set(clock.now() + Duration::hours(1));
    app.data.store.write(move |tx| store::draws::receive(tx, &[gap], DrawSource::Operator)).await.unwrap();
    let with_the_gap = made_at().await;
    assert_eq!((with_the_gap.0, with_the_gap.1), (clock.now(), clock.now()));
}

async fn today(app: &App) -> LotteryToday {
    let config = app.config.clone();
    app.data.store.read(move |tx| LotteryToday::read(tx, &config)).await.unwrap()
}

#[tokio::test]
async fn after_a_draw_every_page_tells_the_same() {
    let (app, clock) = lottery_on_sunday().await;
    reports::make_report_when_due(&app).await.unwrap();
    reports::compose_briefing_when_due(&app).await.unwrap();
    picks::combine(&app, Some(1)).await.unwrap();
    let recommended = picks::recommend(&app, Parameters::default(), Some(1)).await.unwrap();
    simulated(&app, 1).await;
    let bulk = serde_json::from_value(json!({"tier_mode": "core_bonus", "sets": 5})).unwrap();
    let bulk = app.data.store.write(move |tx| purchases::add_bulk(tx, bulk)).await.unwrap();
    assert_eq!((bulk.draw_no, bulk.numbers_known, bulk.sets.len(), bulk.amount), (1246, true, 5, 5_000));
    let own = serde_json::from_value(json!({"sets": [[3, 11, 17, 24, 38, 44], [3, 11, 17, 1, 2, 4]]})).unwrap();
    app.data.store.write(move |tx| purchases::add(tx, NewPurchase::into_purchase(own, tx.now())?)).await.unwrap();
    let LotteryToday { draw, purchases_waiting: waiting, .. } = today(&app).await;
    assert_eq!((draw.picks.len(), draw.next_draw.draw_no), (3, 1246));
    assert_eq!(waiting.map(|waiting| (waiting.draw_no, waiting.games, waiting.amount)), Some((1246, 7, 7_000)));

    clock.set("2026-10-17T12:00:00Z".parse().unwrap());
    let held = today(&app).await;
    assert_eq!((held.draw.next_draw.draw_no, held.purchases_waiting), (1247, None), "held, though nobody knows it yet");

    hold_draw_1246(&app, &clock, Published::Numbers).await;
    reports::review_draw(&app, Some(1246)).await.unwrap();
    assert!(
        !app.data.store.read(|tx| store::reports::is_reviewed(tx, 1246)).await.unwrap(),
        "the prizes are not known"
    );
    assert_eq!(purchases::statistics(&app).await.unwrap().waiting, 0);
    hold_draw_1246(&app, &clock, Published::Prizes).await;
    reports::review_draw(&app, Some(1246)).await.unwrap();

    let review = app.data.store.read(|tx| store::reports::find_review(tx, 1246)).await.unwrap().unwrap();
    let statistics = purchases::statistics(&app).await.unwrap();
    assert_eq!(review.picks.checked, 20 + 6 + 5 + 1 + 10);
    let bought = (statistics.total_games, statistics.total_invested, statistics.total_prize, statistics.net);
    let reviewed = (review.purchases.games, review.purchases.amount, review.purchases.prize, review.purchases.net);
    assert_eq!(bought, reviewed);
    assert!(statistics.total_prize >= draw_1246(Published::Prizes).prizes[0].prize_each.unwrap());
    let (listed, total) = app.data.store.read(|tx| store::purchases::list(tx, Default::default(), PAGE)).await.unwrap();
    assert_eq!((total, listed.iter().map(|one| one.prize.unwrap()).sum::<u64>()), (2, statistics.total_prize));
    let performance = fitted_draws::whole_performance(&app).await.unwrap();
    assert_eq!(performance.picks.checked, review.picks.checked);
    assert!((performance.picks.avg_correct - review.picks.avg_correct.unwrap()).abs() < 1e-9);
    let history = app.data.store.read(|tx| store::picks::history(tx, PAGE)).await.unwrap().0;
    assert_eq!(history[0].result.unwrap().matched, draw_1246(Published::Numbers).matched(&recommended.numbers));
    assert_eq!(purchases::own_pattern(&app).await.unwrap().total_analyzed, 7);

    clock.set(clock.now() + Duration::days(1));
    reports::review_draw(&app, None).await.unwrap();
    let again = app.data.store.read(|tx| store::reports::find_review(tx, 1246)).await.unwrap().unwrap();
    assert_eq!(again, review, "a review that says nothing new stays as it was");

    let asked = app.data.store.read(|tx| hanok_platform::jobs::waiting(tx)).await.unwrap().0;
    let late = |count: u64| serde_json::from_value(json!({"draw_no": 1246, "count": count})).unwrap();
    for count in 1..=9 {
        app.data
            .store
            .write(move |tx| purchases::add(tx, NewPurchase::into_purchase(late(count), tx.now())?))
            .await
            .unwrap();
    }
    let asked_now = app.data.store.read(|tx| hanok_platform::jobs::waiting(tx)).await.unwrap().0;
    assert_eq!(asked_now, asked + 1, "one review for all that is written down before it begins");
}

mod corrected;
mod replaced;

/// For the long suite.
mod long {
    use super::*;

    #[tokio::test]
    async fn the_newest_ten_thousand_recommendations_of_each_kind_are_kept() {
        let (app, _) = lottery_on_sunday().await;
        let single = picks::recommend(&app, Parameters::default(), Some(1)).await.unwrap();
        let combined = picks::combine(&app, Some(1)).await.unwrap();
        let given = app.data.store.write(move |tx| {
            for _ in 1..10_002 {
                store::picks::add(tx, single.clone())?;
                store::picks::add_combined(tx, combined.clone())?;
            }
            let newest = Page { limit: 1, offset: 0 };
            let (single, singles) = store::picks::history(tx, newest)?;
            let (combined, all_combined) = store::picks::combined_history(tx, newest)?;
            Ok((single[0].id, singles, combined[0].id, all_combined))
        });
        assert_eq!(given.await.unwrap(), (10_002, 10_000, 10_002, 10_000));
    }
}

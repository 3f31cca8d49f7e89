use serde_json::json;

use super::*;
use crate::lottery::model::purchases::NewPurchase;

#[test]
fn totals_of_earlier_programs_are_read_and_written_as_they_were() {
    let paid = Paid { records: 2, invested: 8_000, settled_invested: 3_000 };
    let stored = json!({
        "draw_no": 1245, "records": 2, "games": 8, "invested": 8_000, "prize": 5_000, "waiting": 1,
        "settled_invested": 3_000,
    });
    let totals = DrawTotals { draw_no: 1245, paid, games: 8, prize: 5_000, waiting: 1 };
    assert_eq!(serde_json::from_value::<DrawTotals>(stored.clone()).unwrap(), totals);
    assert_eq!(serde_json::to_value(totals).unwrap(), stored);
    let of_a_month = json!({ "records": 2, "invested": 8_000, "settled_invested": 3_000 });
    assert_eq!(serde_json::to_value(paid).unwrap(), of_a_month);
    // Before games were told apart by whether they are settled.
    let ranks = vec![json!({ "count": 0, "prize": 0 }); 5];
    let oldest = json!({
        "records": 2, "games": 8, "invested": 8_000, "prize": 5_000, "prize_count": 1, "waiting": 1,
        "games_checked": 3, "ranks": ranks,
    });
    let totals = serde_json::from_value::<Totals>(oldest).unwrap();
    assert_eq!(totals.paid, Paid { settled_invested: 0, ..paid });
    assert_eq!((totals.games, totals.prize_count, totals.settled_games), (8, 1, 0));
}

#[test]
fn each_purchase_counts_by_how_it_stands_and_is_taken_back_as_it_was_counted() {
    let now = "2026-10-12T03:00:00Z".parse().unwrap();
    let bought = |count: u64, status, prize| Purchase {
        status,
        prize,
        ..serde_json::from_value::<NewPurchase>(json!({ "count": count, "draw_no": 1245 }))
            .unwrap()
            .into_purchase(now)
            .unwrap()
    };
    let waiting = bought(2, PurchaseStatus::Waiting, None);
    let checked = bought(5, PurchaseStatus::Checked, Some(5_000));
    let mut totals = Totals::default();
    let mut draw = DrawTotals::default();
    for purchase in [&waiting, &checked] {
        totals.count(purchase, |before, more| before + more);
        draw.count(purchase, |before, more| before + more);
    }
    let paid = Paid { records: 2, invested: 7_000, settled_invested: 5_000 };
    assert_eq!((totals.paid, totals.games, totals.waiting), (paid, 7, 1));
    assert_eq!((totals.games_checked, totals.settled_games), (5, 5));
    assert_eq!((totals.prize, totals.prize_count), (5_000, 1));
    assert_eq!(draw, DrawTotals { draw_no: 1245, paid, games: 7, prize: 5_000, waiting: 1 });
    for purchase in [&waiting, &checked] {
        totals.count(purchase, |before, less| before - less);
    }
    assert_eq!(totals, Totals::default());
}

#[test]
fn games_whose_prize_was_entered_are_told_also_while_others_wait_for_their_prizes() {
    let now = "2026-10-12T03:00:00Z".parse().unwrap();
    let mut totals = Totals::default();
    for (count, status, prize) in
        [(3, PurchaseStatus::Manual, Some(0)), (2, PurchaseStatus::Manual, None), (5, PurchaseStatus::Checked, None)]
    {
        let bought = serde_json::from_value::<NewPurchase>(json!({ "count": count, "draw_no": 1245 })).unwrap();
        let bought = Purchase { status, prize, ..bought.into_purchase(now).unwrap() };
        totals.count(&bought, |before, more| before + more);
    }
    let PurchaseStatistics { settled_games, waiting_games, chance, .. } = totals.statistics(0, 0.5, &[]);
    assert_eq!((settled_games, waiting_games, chance.games, chance.by_hand), (3, 7, 5, 3));
}

#[test]
fn without_purchases_every_figure_is_zero() {
    let statistics = Totals::default().statistics(0, 0.5, &[]);
    assert_eq!((statistics.return_rate, statistics.net, statistics.chance.expected_prizes), (0.0, 0, 0.0));
    assert_eq!((statistics.chance.percentile, statistics.chance.median_return_rate), (None, None));
    assert_eq!(statistics.by_rank.len(), 5);
}

#[test]
fn the_return_is_in_percent_to_one_decimal() {
    let totals = Totals {
        paid: Paid { records: 2, invested: 8_000, settled_invested: 3_000 },
        games: 8,
        settled_games: 3,
        prize: 5_000,
        tax: 700,
        games_checked: 100,
        ..Totals::default()
    };
    let statistics = totals.statistics(5_000, 0.500_02, &[]);
    assert_eq!((statistics.return_rate, statistics.net, statistics.net_after_tax), (166.7, 2_000, 1_300));
    assert_eq!((statistics.waiting_games, statistics.waiting_invested), (5, 5_000));
    assert_eq!(statistics.chance.expected_return_rate, 50.0);
    assert!((statistics.chance.expected_prizes - 2.38341).abs() < 1e-4);
}

#[test]
fn a_year_of_five_games_a_week_stands_among_random_players_of_as_many() {
    let rank = |count| RankTotal { count, prize: 0 };
    let ranks = [rank(0), rank(0), rank(0), rank(1), rank(6)];
    let chance = Totals { games_checked: 260, ranks, ..Totals::default() }.statistics(0, 0.5, &[]).chance;
    assert_eq!((chance.games, chance.prizes, chance.median_return_rate), (260, 7, Some(13.5)));
    // Binomial of 260 games and 0.0238341, by fractions: 64.6 % with those of exactly 7 counted half.
    assert_eq!(chance.percentile, Some(64.6));
    let (fewer, as_many) = (chance.fewer_percent.unwrap(), chance.as_many_percent.unwrap());
    assert!((fewer + as_many / 2.0 - 64.6).abs() < 0.1, "{fewer} {as_many}");
}

#[test]
fn games_of_draws_that_cost_2_000_won_stand_among_players_who_paid_as_much() {
    let now = "2026-10-12T03:00:00Z".parse().unwrap();
    let mut totals = Totals::default();
    for (draw_no, count) in [(87, 50), (88, 100)] {
        let bought = serde_json::from_value::<NewPurchase>(json!({ "count": count, "draw_no": draw_no })).unwrap();
        let checked = Purchase { status: PurchaseStatus::Checked, ..bought.into_purchase(now).unwrap() };
        totals.count(&checked, |before, more| before + more);
    }
    assert_eq!((totals.games_checked, totals.early_games_checked, totals.paid.invested), (150, 50, 200_000));
    // 25,000 of 200,000 won, by adding one game after the other.
    assert_eq!(totals.statistics(0, 0.5, &[]).chance.median_return_rate, Some(12.5));
}

#[test]
fn one_game_without_a_prize_is_ahead_of_nobody() {
    let chance = Totals { games_checked: 1, ..Totals::default() }.statistics(0, 0.5, &[]).chance;
    assert_eq!((chance.fewer_percent, chance.as_many_percent), (Some(0.0), Some(97.6)));
}

#[test]
fn a_rounded_zero_has_no_sign() {
    assert_eq!(to_one_decimal(-0.04).to_string(), "0");
}

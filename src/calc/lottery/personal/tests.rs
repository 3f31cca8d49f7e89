use proptest::prelude::*;

use super::super::import::built_in;
use super::super::random::SplitMix64;
use super::*;

fn set(numbers: [u8; 6]) -> Numbers {
    Numbers::new(numbers).unwrap()
}

#[test]
fn birthdays_are_recognised() {
    let sets = [set([1, 3, 5, 7, 9, 11]), set([1, 3, 5, 7, 8, 21])];
    let personal = personal(&sets, &CoWinners::fit(built_in()), built_in());
    assert_eq!((personal.total_analyzed, personal.birthday_share), (2, 1.0));
    assert_eq!(personal.top_picks[..4], [1, 3, 5, 7]);
    assert_eq!(personal.pattern.avg_odd_count, 5.5);
    assert_eq!((personal.pattern.avg_sum, personal.pattern.avg_range), (41, 15));
    assert_eq!(personal.pattern.consecutive_rate, 0.5);
    assert_eq!(personal.pattern.zone_avg["1-10"], 5.0);
    assert_eq!(personal.vs_draw_avg.odd_diff, 2.5);
    assert_eq!(personal.vs_draw_avg.sum_diff, -97);
    assert!(personal.co_winners.is_some_and(|co_winners| co_winners.ratio > 1.0));
    assert_eq!(personal.popular_sets, 1, "the first goes in even steps");
}

#[test]
fn sets_that_thousands_play_have_no_part_in_the_mean_of_the_co_winners_and_are_counted() {
    let co_winners = CoWinners::fit(built_in());
    let one = [1, 3, 14, 22, 28, 35];
    let past = *built_in()[1_244].numbers.as_array();
    let told = |sets: &[[u8; 6]]| {
        let sets: Vec<Numbers> = sets.iter().copied().map(set).collect();
        let Personal { co_winners: mean, popular_sets, .. } = personal(&sets, &co_winners, built_in());
        (mean.map(|mean| mean.ratio), popular_sets)
    };
    let ratio = co_winners.ratio(&set(one)).ratio;
    assert!(ratio > 1.01, "{ratio}");
    // By the model alone the column would make it less.
    assert_eq!(told(&[one, [7, 14, 21, 28, 35, 42], past]), (Some(ratio), 2));
    assert_eq!((told(&[past]), told(&[])), ((None, 1), (None, 0)));
}

#[test]
fn a_quarter_of_a_number_in_a_zone_is_told_as_a_quarter() {
    // 16, 3, 4 and 1 numbers of the first four zones in four sets.
    let four = [[1, 2, 3, 4, 5, 11], [1, 2, 3, 4, 11, 21], [1, 2, 3, 12, 21, 22], [1, 2, 3, 4, 21, 31]];
    let zones = personal(&four.map(set), &CoWinners::fit(&[]), &[]).pattern.zone_avg;
    assert_eq!(zones.values().copied().collect::<Vec<_>>(), [4.0, 0.75, 1.0, 0.25, 0.0]);
}

#[test]
fn a_sum_within_ten_of_the_mean_of_all_combinations_is_no_tendency() {
    let tendency = |numbers| personal(&[set(numbers); SETS_FOR_A_TENDENCY], &CoWinners::fit(&[]), &[]).vs_draw_avg;
    let of = |versus: VersusDraws| (versus.sum_diff, versus.sum_tendency);
    assert_eq!(of(tendency([1, 2, 3, 38, 40, 44])), (-10, "보통".into()));
    assert_eq!(of(tendency([1, 2, 3, 38, 39, 44])), (-11, "저합계 선호".into()));
    assert_eq!(of(tendency([10, 13, 20, 25, 37, 43])), (10, "보통".into()));
    assert_eq!(of(tendency([10, 13, 20, 25, 38, 43])), (11, "고합계 선호".into()));
}

#[test]
fn what_was_never_played_is_not_among_what_was_played_most_and_nothing_is_among_both() {
    let of = |sets: &[Numbers]| {
        let personal = personal(sets, &CoWinners::fit(&[]), &[]);
        (personal.top_picks, personal.least_picks)
    };
    assert_eq!(of(&[set([3, 8, 21, 30, 38, 44])]), (vec![3, 8, 21, 30, 38, 44], vec![]));
    // All but 41 to 45, and 1 to 6 twice.
    let mut sets: Vec<Numbers> = (0..6).map(|row| std::array::from_fn(|at| row * 6 + at as u8 + 1)).map(set).collect();
    sets.extend([set([1, 2, 3, 4, 5, 6]), set([1, 37, 38, 39, 40, 2])]);
    let (most, least) = of(&sets);
    assert_eq!(most[..6], [1, 2, 3, 4, 5, 6]);
    assert_eq!(least[..6], [41, 42, 43, 44, 45, 11]);
    assert!(least.iter().all(|number| !most.contains(number)));
}

#[test]
fn few_sets_have_no_tendency_however_far_from_the_average_they_lie() {
    let tendency = |count: usize| {
        let versus = personal(&vec![set([35, 37, 39, 41, 43, 45]); count], &CoWinners::fit(&[]), &[]).vs_draw_avg;
        (versus.odd_tendency, versus.sum_tendency)
    };
    assert_eq!(tendency(SETS_FOR_A_TENDENCY - 1), ("보통".into(), "보통".into()));
    assert_eq!(tendency(SETS_FOR_A_TENDENCY), ("홀수 선호".into(), "고합계 선호".into()));
}

/// How often each total of so many figures with these chances comes, one after the other with its weight.
fn totals(chances: &[f64], weights: &[usize]) -> Vec<f64> {
    weights.iter().fold(vec![1.0], |before, &weight| {
        let mut after = vec![0.0; before.len() + weight * (chances.len() - 1)];
        for (total, chance) in before.iter().enumerate().filter(|(_, chance)| **chance > 1e-15) {
            for (figure, of_figure) in chances.iter().enumerate() {
                after[total + weight * figure] += chance * of_figure;
            }
        }
        after
    })
}

#[test]
fn by_the_exact_distributions_no_more_than_one_in_twenty_is_told_of_a_habit_by_chance() {
    // How many combinations have so many odd numbers, and this sum.
    let mut ways = vec![vec![vec![0u64; 256]; 7]; 7];
    ways[0][0][0] = 1;
    for number in 1..=45usize {
        for chosen in (1..=6).rev() {
            for odd in number % 2..7 {
                for sum in number..256 {
                    ways[chosen][odd][sum] += ways[chosen - 1][odd - number % 2][sum - number];
                }
            }
        }
    }
    let share = |count: u64| count as f64 / 8_145_060.0;
    let odd: Vec<f64> = ways[6].iter().map(|sums| share(sums.iter().sum())).collect();
    let sum: Vec<f64> = (0..256).map(|sum| share(ways[6].iter().map(|sums| sums[sum]).sum())).collect();
    let beyond = |chances: &[f64], weights: &[usize], (mean, variance): (f64, f64)| -> f64 {
        let (all, squares) = weights.iter().fold((0, 0), |(all, squares), one| (all + one, squares + one * one));
        let deviation = (variance * squares as f64).sqrt();
        let is_beyond = |total: usize| (total as f64 - mean * all as f64).abs() / deviation > BEYOND_CHANCE;
        let totals = totals(chances, weights);
        totals.iter().enumerate().filter(|&(total, _)| is_beyond(total)).map(|(_, chance)| chance).sum()
    };
    let played = [10, 14, 15, 19, 23].map(|sets| vec![1; sets]);
    let again = [vec![2, 2, 2, 2, 2, 1, 1, 1, 1, 1], vec![9, 1, 1, 1, 1, 1, 1, 1, 1, 1]];
    for weights in played.into_iter().chain(again) {
        let together = beyond(&odd, &weights, ODD_BY_CHANCE) + beyond(&sum, &weights, SUM_BY_CHANCE);
        assert!((0.035..=0.05).contains(&together), "{weights:?}: {together}");
    }
}

#[test]
fn a_habit_is_told_where_there_is_one_and_nothing_of_few_sets() {
    // All odd, and sums from 228 on.
    let high: Vec<Numbers> = (0..10).map(|one| set([21 + one, 39, 41, 42, 43, 45])).collect();
    let of =
        |sets: &[Numbers]| (versus_draws(sets, &pattern(sets)).odd_habit, versus_draws(sets, &pattern(sets)).sum_habit);
    assert_eq!(of(&high), (Habit::More, Habit::More));
    assert_eq!(of(&high[..9].repeat(9)), (Habit::TooFew, Habit::TooFew), "nine different ones, however often");
    let low: Vec<Numbers> = (0..10).map(|one| set([2, 4, 6, 8, 10, 12 + 2 * one])).collect();
    assert_eq!(of(&low), (Habit::Less, Habit::Less));
}

#[test]
fn nothing_played_is_all_zeros() {
    let personal = personal(&[], &CoWinners::fit(&[]), &[]);
    let json = serde_json::to_value(&personal).unwrap();
    assert_eq!(json["number_frequency"].as_object().map(|all| all.len()), Some(45));
    assert_eq!(json["number_frequency"]["45"], 0);
    assert_eq!((personal.total_analyzed, personal.pattern.avg_sum, personal.vs_draw_avg.sum_diff), (0, 0, 0));
    assert_eq!(personal.vs_draw_avg.sum_tendency, "보통");
    assert!(personal.top_picks.is_empty());
}

proptest! {
    #[test]
    fn every_number_played_is_counted_once(seed in any::<u64>(), count in 0usize..700) {
        let mut generator = SplitMix64::new(seed);
        let sets: Vec<Numbers> = (0..count).map(|_| generator.numbers()).collect();
        let personal = personal(&sets, &CoWinners::fit(&[]), &[]);
        let counted: u32 = personal.number_frequency.values().sum();
        prop_assert_eq!(counted as usize, 6 * count.min(SETS));
        prop_assert_eq!((personal.total_analyzed, personal.is_cut), (count.min(500), count > 500));
        let days: u32 = personal.number_frequency.range(..=31).map(|(_, times)| times).sum();
        prop_assert_eq!(personal.birthday_share, f64::from(days) / f64::from(counted.max(1)), "and so is its share");
    }
}

/// For the long suite.
mod long {
    use super::*;

    #[test]
    fn of_households_that_choose_by_chance_one_in_twenty_is_told_of_a_habit_also_where_sets_are_played_again() {
        let mut generator = SplitMix64::new(20_261_126);
        for (different, times) in [(10, 1), (10, 3), (20, 1), (60, 2), (250, 2)] {
            let told = (0..2_000).filter(|_| {
                let sets: Vec<Numbers> = (0..different).map(|_| generator.numbers()).collect();
                let of = versus_draws(&sets.repeat(times), &pattern(&sets));
                [of.odd_habit, of.sum_habit].iter().any(|habit| matches!(habit, Habit::More | Habit::Less))
            });
            let percent = told.count() as f64 / 20.0;
            assert!((2.5..=6.3).contains(&percent), "{different} sets {times} times: {percent} %");
        }
    }
}

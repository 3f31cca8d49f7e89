use super::super::import::built_in;
use super::super::random::SplitMix64;
use super::*;

fn set(numbers: [u8; 6]) -> Numbers {
    Numbers::new(numbers).unwrap()
}

fn at() -> DateTime<Utc> {
    "2026-10-11T00:00:00Z".parse().unwrap()
}

#[test]
fn picks_and_purchases_are_checked_against_the_draw() {
    let draw = &built_in()[1244];
    let picks = [(set([1, 2, 3, 6, 7, 8]), PickSource::Report), (set([4, 5, 25, 28, 1, 2]), PickSource::Briefing)];
    let played = [
        Played { sets: vec![set([4, 5, 25, 1, 2, 3])], games: 1, amount: 1_000, prize_by_hand: Some(9) },
        Played { sets: vec![], games: 5, amount: 5_000, prize_by_hand: Some(50_000) },
    ];
    let review = review(draw, &picks, &played, at());
    assert_eq!((review.picks.checked, review.picks.avg_correct, review.picks.best_matched), (2, Some(2.0), Some(4)));
    assert_eq!(review.picks.ranks, [RankCount { rank: 4, count: 1 }]);
    assert_eq!(review.picks.sets[0].from, PickSource::Briefing);
    assert_eq!((review.purchases.games, review.purchases.amount), (6, 6_000));
    assert_eq!((review.purchases.prize, review.purchases.net), (55_000, 49_000));
    assert!(review.sentence_ko.contains("6게임: 6,000원을 쓰고 55,000원"), "{}", review.sentence_ko);
    assert!(review.sentence_en.contains("6 games were played for 6,000 won and brought 55,000 won"));
}

#[test]
fn games_whose_prize_is_not_entered_are_no_losses() {
    let played = [
        Played { sets: vec![], games: 5, amount: 5_000, prize_by_hand: None },
        Played { sets: vec![], games: 2, amount: 2_000, prize_by_hand: Some(5_000) },
    ];
    let review = review(&built_in()[1244], &[], &played, at());
    let ReviewedPurchases { games, amount, waiting_games, prize, net, .. } = review.purchases;
    assert_eq!((games, amount, waiting_games, prize, net), (7, 7_000, 5, 5_000, 3_000));
    assert!(
        review.sentence_en.ends_with(
            "7 games were played for 7,000 won and brought 5,000 won so far. The prize of 5 of them is not entered yet."
        ),
        "{}",
        review.sentence_en
    );
    assert!(
        review.sentence_ko.ends_with(
            "구매 7게임: 7,000원을 쓰고 지금까지 5,000원을 받았습니다. 그 가운데 5게임은 당첨금을 아직 적지 않았습니다."
        ),
        "{}",
        review.sentence_ko
    );
}

#[test]
fn a_prize_that_nobody_has_entered_is_not_told_as_nothing() {
    let both = Played { sets: vec![], games: 2, amount: 2_000, prize_by_hand: None };
    let waiting = review(&built_in()[1244], &[], std::slice::from_ref(&both), at());
    assert_eq!(
        waiting.sentence_en,
        "No picks for this draw are on record. 2 games were played for 2,000 won. Their prize is not entered yet."
    );
    assert_eq!(
        waiting.sentence_ko,
        "이 회차의 추천은 남아 있는 것이 없습니다. 구매 2게임: 2,000원을 썼습니다. 당첨금은 아직 적지 않았습니다."
    );
    let nothing = review(&built_in()[1244], &[], &[Played { prize_by_hand: Some(0), ..both }], at());
    assert!(nothing.sentence_en.ends_with("for 2,000 won and brought 0 won."), "{}", nothing.sentence_en);
    assert!(nothing.sentence_ko.ends_with("2,000원을 쓰고 0원을 받았습니다."), "{}", nothing.sentence_ko);
}

#[test]
fn one_pick_and_one_game_are_told_as_one() {
    let one = Played { sets: vec![], games: 1, amount: 1_000, prize_by_hand: None };
    let review = review(&built_in()[1244], &[(set([4, 5, 1, 2, 3, 6]), PickSource::Best)], &[one], at());
    assert_eq!(
        review.sentence_en,
        "1 pick had 2 winning numbers. By chance it has 0.80 on average, and at least 95 times of 100 from 0 to 2: \
         within what chance gives. 1 game was played for 1,000 won. Its prize is not entered yet."
    );
    let one_number = super::review(&built_in()[1244], &[(set([4, 1, 2, 3, 6, 7]), PickSource::Best)], &[], at());
    assert!(one_number.sentence_en.starts_with("1 pick had 1 winning number. By"), "{}", one_number.sentence_en);
}

#[test]
fn luck_is_called_by_its_name_only_outside_of_chance() {
    let draw = &built_in()[1244];
    let verdict = |sets: Vec<Numbers>| {
        let picks: Vec<_> = sets.into_iter().map(|numbers| (numbers, PickSource::Best)).collect();
        review(draw, &picks, &[], at()).lucky_or_not.unwrap()
    };
    let mut generator = SplitMix64::new(2);
    assert_eq!(verdict((0..100).map(|_| generator.numbers()).collect()), Luck::AsExpected);
    assert_eq!(verdict(vec![draw.numbers; 3]), Luck::Above, "all six have a chance of one in eight million");
    assert_eq!(verdict(vec![set([1, 2, 3, 6, 7, 8]); 30]), Luck::AsExpected, "one set often has nothing");
    let others: Vec<u8> = (1..=45).filter(|&number| !draw.numbers.contains(number)).collect();
    let apart = others.chunks_exact(6).map(|six| Numbers::from_mask(six.iter().fold(0, |m, n| m | 1 << n)).unwrap());
    assert_eq!(verdict(apart.collect()), Luck::Below, "36 numbers and not one of them drawn");
    assert_eq!(verdict(vec![set([4, 5, 1, 2, 3, 6])]), Luck::AsExpected, "two of six are the end of the range");
    assert_eq!(verdict(vec![set([4, 5, 25, 1, 2, 3])]), Luck::Above);
}

#[test]
fn without_picks_nothing_is_said_of_luck_or_of_an_average() {
    let nothing = review(&built_in()[1244], &[], &[], at());
    let ReviewedPicks { checked, avg_correct, best_matched, chance_range, ref ranks, .. } = nothing.picks;
    assert_eq!((checked, avg_correct, best_matched, chance_range, ranks.len()), (0, None, None, None, 0));
    assert_eq!(nothing.lucky_or_not, None);
    assert_eq!(nothing.sentence_en, "No picks for this draw are on record.");
    assert_eq!(nothing.sentence_ko, "이 회차의 추천은 남아 있는 것이 없습니다.");
    let played = [Played { sets: vec![], games: 1, amount: 1_000, prize_by_hand: Some(0) }];
    let played = review(&built_in()[1244], &[], &played, at());
    assert_eq!(
        (played.lucky_or_not, played.sentence_en.as_str()),
        (None, "No picks for this draw are on record. 1 game was played for 1,000 won and brought 0 won.")
    );
}

/// The picks of a week as they are given: sets that share the best numbers, some of them twice.
fn picks_of_a_week(generator: &mut SplitMix64) -> Vec<(Numbers, PickSource)> {
    let favourites = generator.choose(&(1..=45).collect::<Vec<u8>>(), 12);
    let mut picks: Vec<_> = (0..30)
        .filter_map(|_| Numbers::from_mask(generator.choose(&favourites, 6).iter().fold(0, |m, n| m | 1 << n)))
        .map(|numbers| (numbers, PickSource::Briefing))
        .collect();
    picks.extend((0..10).map(|_| (generator.numbers(), PickSource::Best)));
    picks.extend_from_within(..8);
    picks
}

#[test]
fn of_two_thousand_fair_weeks_at_most_six_in_a_hundred_are_called_lucky_or_unlucky() {
    let mut generator = SplitMix64::new(20_261_010);
    let mut draw = built_in()[1244].clone();
    let (mut above, mut below) = (0, 0);
    for _ in 0..2_000 {
        let picks = picks_of_a_week(&mut generator);
        draw.numbers = generator.numbers();
        draw.bonus = (1..=45).find(|bonus| !draw.numbers.contains(*bonus)).unwrap();
        match review(&draw, &picks, &[], at()).lucky_or_not.unwrap() {
            Luck::Above => above += 1,
            Luck::Below => below += 1,
            Luck::AsExpected => {}
        }
    }
    assert!(above + below <= 120 && above > 0 && below > 0, "{above} above, {below} below");
}

#[test]
fn a_set_that_is_given_twice_counts_once() {
    let draw = &built_in()[1244];
    let given = [PickSource::Best, PickSource::Briefing, PickSource::Combined];
    let mut picks: Vec<_> = given.map(|from| (draw.numbers, from)).into();
    picks.push((set([1, 2, 3, 6, 7, 8]), PickSource::Best));
    let review = review(draw, &picks, &[], at());
    assert_eq!((review.picks.checked, review.picks.avg_correct), (2, Some(3.0)));
    assert_eq!(review.picks.sets[0].from, PickSource::Briefing);
    assert_eq!(review.picks.ranks, [RankCount { rank: 1, count: 1 }]);
    assert!(review.sentence_en.contains("2 picks had 3.00") && review.sentence_ko.contains("추천 2세트"));
}

#[test]
fn a_review_keeps_the_fifty_that_did_best() {
    let draw = &built_in()[1244];
    let mut generator = SplitMix64::new(9);
    let picks: Vec<_> = (0..200).map(|_| (generator.numbers(), PickSource::Best)).collect();
    let review = review(draw, &picks, &[], at());
    assert_eq!((review.picks.checked, review.picks.sets.len()), (200, 50));
    assert!(review.picks.sets.is_sorted_by_key(|set| std::cmp::Reverse(set.matched)));
}

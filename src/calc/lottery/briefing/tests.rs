use super::super::import::built_in;
use super::*;

fn make(seed: u64) -> Briefing {
    let at = "2026-10-15T00:00:00Z".parse().unwrap();
    briefing(&History::of(built_in()), &CoWinners::fit(built_in()), 1246, seed, at)
}

#[test]
fn four_tiers_hold_twenty_different_picks_with_reasons() {
    let briefing = make(5);
    assert_eq!((briefing.draw_no, briefing.composer.as_str()), (1246, "template"));
    let sizes: Vec<usize> = briefing.tiers.iter().map(|tier| tier.picks.len()).collect();
    assert_eq!(sizes, [3, 2, 5, 10]);
    let mut sets: Vec<Numbers> = briefing.picks_through(Tier::Full).map(|pick| pick.numbers).collect();
    sets.sort();
    sets.dedup();
    assert_eq!(sets.len(), 20);
    assert_eq!(briefing.picks_through(Tier::Bonus).count(), Tier::Bonus.total());
    let reasoned = |pick: &BriefingPick| !pick.reason_ko.is_empty() && !pick.reason_en.is_empty();
    assert!(briefing.picks_through(Tier::Full).all(reasoned));
    assert!(briefing.narrative_ko.ends_with(SENTENCE_KO) && briefing.narrative_en.ends_with(SENTENCE_EN));
}

#[test]
fn a_briefing_names_its_tiers_and_what_the_file_of_draws_says() {
    let briefing = make(5);
    let names: Vec<_> = briefing.tiers.iter().map(|tier| (tier.name_ko.as_str(), tier.name_en.as_str())).collect();
    assert_eq!(names, [("핵심", "Core"), ("보너스", "Bonus"), ("확장", "Extended"), ("전체", "Full")]);
    assert_eq!(briefing.headline_ko, "제1246회 브리핑: 최근 10회 평균 합계 142, 홀수 2.4개");
    let en = &briefing.narrative_en;
    assert!(en.starts_with("Draw 1245 brought 4, 5, 25, 28, 32, 42 and the bonus 12. "), "{en}");
    assert!(
        en.contains("Frequent in the last 50 draws: 31, 38, 13, 1, 15. Away for long: 27, 45, 17, 30, 3. "),
        "{en}"
    );
    let ko = &briefing.narrative_ko;
    assert!(
        ko.contains("자주 나온 번호는 31, 38, 13, 1, 15, 오래 나오지 않은 번호는 27, 45, 17, 30, 3입니다. "),
        "{ko}"
    );
    let ratios = briefing.picks_through(Tier::Full).filter_map(|pick| Some(pick.co_winners?.ratio));
    let fewest = ratios.fold(f64::INFINITY, f64::min);
    assert!(en.contains(&format!(", {fewest:.2} times the average. ")), "{en}");
    assert!(ko.contains(&format!("이며 평균의 {fewest:.2}배입니다. ")), "{ko}");
}

#[test]
fn a_set_that_thousands_play_is_never_called_the_one_with_the_fewest_co_winners() {
    let history = History::of(built_in());
    let co_winners = CoWinners::fit(built_in());
    let told = |numbers: [[u8; 6]; 2]| {
        let picks = numbers.map(|set| pick(&Numbers::new(set).unwrap(), &history, &Parameters::default(), &co_winners));
        let tier = BriefingTier { tier: Tier::Core, name_ko: "".into(), name_en: "".into(), picks: picks.into() };
        let fewest = fewest(std::slice::from_ref(&tier)).map(|fewest| fewest.numbers);
        (fewest, tier.picks[0].co_winners, tier.picks[0].reason_en.clone())
    };
    // By the model alone the column would be shared with fewer than the other set.
    let (column, other) = ([7, 14, 21, 28, 35, 42], [1, 3, 14, 22, 28, 35]);
    assert!(
        co_winners.ratio(&Numbers::new(column).unwrap()).ratio < co_winners.ratio(&Numbers::new(other).unwrap()).ratio
    );
    let (fewest, of_column, why) = told([column, other]);
    assert_eq!((fewest, of_column), (Some(Numbers::new(other).unwrap()), None));
    assert!(why.starts_with("All six go in even steps of 7; many people mark such sets · "), "{why}");
    assert_eq!(told([column, column]).0, None);
}

#[test]
fn a_briefing_says_how_many_draws_it_counted_where_some_are_not_known() {
    let holed: Vec<_> = built_in().iter().filter(|d| !(1_239..1_245).contains(&d.draw_no)).cloned().collect();
    let told = |draws| make(5).retold(&History::of(draws));
    let of_four = told(&holed);
    let start = "Briefing for draw 1246: the 4 known of the last 10 draws average a sum of ";
    assert!(of_four.headline_en.starts_with(start), "{}", of_four.headline_en);
    let start = "제1246회 브리핑: 최근 10회 가운데 알려진 4회 평균 합계 ";
    assert!(of_four.headline_ko.starts_with(start), "{}", of_four.headline_ko);
    let en = &of_four.narrative_en;
    assert!(en.contains(" Frequent in the 44 known of the last 50 draws: "), "{en}");
    assert!(en.contains(" Away for long, by the known draws: 33, 27, 45, 17, 26. "), "{en}");
    let ko = &of_four.narrative_ko;
    assert!(ko.contains(" 최근 50회 가운데 알려진 44회에 자주 나온 번호는 "), "{ko}");
    assert!(ko.contains(", 알려진 추첨에서 오래 나오지 않은 번호는 33, 27, 45, 17, 26입니다. "), "{ko}");
    let of_none = told(&[]);
    assert_eq!(of_none.headline_en, "Briefing for draw 1246: no draw is known yet");
    assert_eq!(of_none.headline_ko, "제1246회 브리핑: 알려진 추첨이 아직 없습니다");
    assert!(!of_none.narrative_en.contains("Frequent") && !of_none.narrative_ko.contains("자주"));
}

#[test]
fn what_is_told_anew_keeps_the_picks_and_what_composing_them_took() {
    let usage = Usage { tokens_in: 1, tokens_out: 2, elapsed_ms: 3 };
    let before = Briefing { usage, ..make(5) };
    let after = before.clone().retold(&History::of(&built_in()[..1244]));
    assert_eq!((&after.tiers, after.usage, after.based_on_draw), (&before.tiers, usage, 1244));
    assert_ne!(after.narrative_en, before.narrative_en);
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let bytes = |seed| serde_json::to_string(&make(seed)).unwrap();
    assert_eq!(bytes(5), bytes(5));
    assert_ne!(bytes(5), bytes(6));
}

/// For the long suite.
mod long {
    use super::*;

    #[test]
    fn of_several_sets_with_the_fewest_co_winners_none_is_called_the_only_one() {
        let mut seen = [false; 2];
        for seed in 0..40 {
            let briefing = make(seed);
            // The model tells sets apart by their months and their far end alone: up to four and up to two numbers.
            let kind = |pick: &&BriefingPick| {
                let of = |is: fn(u8) -> bool| pick.numbers.iter().filter(|&number| is(number)).count();
                (of(|number| number <= 12).min(4), of(|number| number >= 40).min(2))
            };
            let told = || briefing.picks_through(Tier::Full).filter(|pick| pick.co_winners.is_some());
            let ratio = |pick: &BriefingPick| pick.co_winners.unwrap().ratio;
            let fewest = told().min_by(|one, two| ratio(one).total_cmp(&ratio(two))).unwrap();
            let alike = told().filter(|pick| kind(pick) == kind(&fewest)).count();
            let set = fewest.numbers;
            let (ko, en) = match alike {
                1 => (format!("조합은 {set}이며 "), format!("The set with the fewest expected co-winners is {set}, ")),
                _ => (
                    format!("조합은 {set} 등 {alike}개이며 "),
                    format!("One of the {alike} sets with the fewest expected co-winners is {set}, "),
                ),
            };
            assert!(briefing.narrative_ko.contains(&ko), "{ko} {}", briefing.narrative_ko);
            assert!(briefing.narrative_en.contains(&en), "{en} {}", briefing.narrative_en);
            seen[usize::from(alike > 1)] = true;
        }
        assert_eq!(seen, [true; 2], "one and several");
    }
}

//! Why a combination was chosen, in plain words of both languages.

use super::super::co_winners::{Ratio, popular_patterns};
use super::super::draw::Draw;
use super::super::history::{History, NUMBER_IN_DRAW, count_numbers, standard_score};
use super::super::metrics::Metrics;
use super::super::numbers::Numbers;
use super::super::reason::Reason;
use super::{Avoided, Parameters, avoided};

/// Why `numbers` fits the model after `history`: the popular patterns it has on the ticket, which come first so that no
/// short list is without that warning, what in it was frequent lately or away for long, what it avoids, how many it would
/// be shared with where it has no such pattern and there is an estimate, and its shape. Never empty.
pub fn reasons(
    numbers: &Numbers,
    history: &History,
    parameters: &Parameters,
    co_winners: Option<&Ratio>,
) -> Vec<Reason> {
    let mut reasons = popular_patterns(numbers, history.draws());
    let is_ordinary = reasons.is_empty();
    let window = history.recent(parameters.recent_window as usize);
    let counts = count_numbers(window);
    let often: Vec<u8> = numbers
        .iter()
        .filter(|&number| standard_score(counts[usize::from(number)], window.len(), NUMBER_IN_DRAW) >= 1.0)
        .collect();
    if !often.is_empty() && parameters.recent_weight > 0.0 {
        let list = listed(&often);
        let (ko, en) = history.in_words(parameters.recent_window as usize, window.len());
        reasons.push(Reason::new(
            "frequent_recently",
            format!("{ko}에서 자주 나온 번호: {list}"),
            format!("Frequent in {en}: {list}"),
        ));
    }
    let away: Vec<u8> = numbers.iter().filter(|&number| history.gap(number) >= LONG_GAP).collect();
    if !away.is_empty() {
        let list = listed(&away);
        let (ko, en) = match history.gaps_are_certain(&away) {
            true => (format!("{LONG_GAP}회 이상 나오지 않은"), format!("Not drawn for {LONG_GAP} draws or more")),
            false => (
                format!("알려진 추첨만 세어 {LONG_GAP}회 이상 나오지 않은"),
                format!("Not in the last {LONG_GAP} known draws or more"),
            ),
        };
        reasons.push(Reason::new("long_gap", format!("{ko} 번호: {list}"), format!("{en}: {list}")));
    }
    let Avoided { mask: avoided, draws, known } = avoided(history, parameters.avoid_recent_k);
    if known > 0 && numbers.mask() & avoided == 0 {
        let (ko, en) = history.in_words(draws, known);
        reasons.push(Reason::new(
            "avoids_recent",
            format!("{ko} 당첨번호를 피했습니다"),
            format!("Avoids the numbers of {en}"),
        ));
    }
    if is_ordinary {
        reasons.extend(co_winners.and_then(co_winner_reason));
    }
    reasons.push(shape_reason(numbers));
    reasons
}

/// Puts right what an earlier program told of `numbers`, which knew these `draws`: of a set with a popular pattern the
/// warning comes first, there is no estimate, and nothing promises fewer to share with.
pub fn put_right(numbers: &Numbers, draws: &[Draw], co_winners: &mut Option<Ratio>, reasons: &mut Vec<Reason>) {
    let mut told = popular_patterns(numbers, draws);
    if told.is_empty() {
        return;
    }
    let is_new = |code: &str| code != "fewer_co_winners" && told.iter().all(|pattern| pattern.code != code);
    let others: Vec<Reason> = reasons.iter().filter(|reason| is_new(&reason.code)).cloned().collect();
    told.extend(others);
    *reasons = told;
    *co_winners = None;
}

/// A gap of 15 draws or more has a chance of (39/45)^15, about one in nine.
const LONG_GAP: u32 = 15;

/// Says when a combination is expected to be shared with clearly fewer than average.
pub(crate) fn co_winner_reason(co_winners: &Ratio) -> Option<Reason> {
    let fewer = (1.0 - co_winners.ratio) * 100.0;
    (fewer >= 3.0).then(|| {
        Reason::new(
            "fewer_co_winners",
            format!("1등이 되면 나눌 사람이 평균보다 약 {fewer:.0}% 적을 것으로 추정됩니다"),
            format!("A first prize would be shared with about {fewer:.0}% fewer people than average"),
        )
    })
}

/// The shape in plain words. It is common within one standard deviation (30) of the mean sum with two to four odd
/// and low ones, which half of all combinations are; unusual is what no more than one in twenty is by its sum, or one in
/// fifty by its odd or low ones or by its neighbours.
fn shape_reason(numbers: &Numbers) -> Reason {
    let Metrics { sum, odd, even, low, high, consecutive_pairs, .. } = Metrics::of(numbers);
    let is_unusual = !UNUSUAL_BEYOND.contains(&sum) || [odd, even, low, high].contains(&6) || consecutive_pairs >= 3;
    let is_common = (108..=168).contains(&sum) && (2..=4).contains(&odd) && (2..=4).contains(&low);
    let (code, ko, en) = match (is_unusual, is_common) {
        (true, _) => ("unusual_shape", "드문 모양", "An unusual shape"),
        (_, true) => ("balanced_shape", "흔한 모양", "A common shape"),
        _ => ("plain_shape", "모양", "Its shape"),
    };
    Reason::new(
        code,
        format!("{ko}: 합계 {sum}, 홀짝 {odd}:{even}, 저고 {low}:{high}"),
        format!("{en}: sum {sum}, {odd} odd and {even} even, {low} low and {high} high"),
    )
}

/// The sums of the middle 95 % of all combinations.
const UNUSUAL_BEYOND: std::ops::RangeInclusive<u16> = 80..=196;

pub(crate) fn listed(numbers: &[u8]) -> String {
    numbers.iter().map(u8::to_string).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::super::import::built_in;
    use super::*;

    #[test]
    fn reasons_name_what_is_true_of_the_combination() {
        let history = History::of(built_in());
        let fewer = Ratio { ratio: 0.9, low: 0.85, high: 0.95, single_set: None };
        let latest = built_in()[1244].numbers;
        let codes = |numbers: &Numbers, ratio: &Ratio| -> Vec<String> {
            reasons(numbers, &history, &Parameters::default(), Some(ratio))
                .into_iter()
                .map(|reason| reason.code)
                .collect()
        };
        let ordinary = Numbers::new([2, 11, 19, 26, 38, 44]).unwrap();
        let of_latest = codes(&latest, &fewer);
        assert!(!of_latest.contains(&"avoids_recent".into()));
        assert!(of_latest.last().is_some_and(|code| code.ends_with("_shape")));
        let given = reasons(&ordinary, &history, &Parameters::default(), Some(&fewer));
        let text = |code: &str| given.iter().find(|reason| reason.code == code).map(|reason| reason.text_en.as_str());
        assert_eq!(
            text("fewer_co_winners"),
            Some("A first prize would be shared with about 10% fewer people than average")
        );
        assert_eq!(of_latest[0], "past_draw", "many people play past draws again: {of_latest:?}");
        let line = Numbers::new([7, 14, 21, 28, 35, 42]).unwrap();
        assert_eq!(codes(&line, &fewer)[..2], ["even_steps", "column"], "and mark lines on the ticket");
        for popular in [line, latest] {
            assert!(!codes(&popular, &fewer).contains(&"fewer_co_winners".into()), "{popular} is shared with more");
        }
        let average = Ratio { ratio: 1.0, ..fewer };
        assert!(!codes(&ordinary, &average).contains(&"fewer_co_winners".to_string()));
    }

    #[test]
    fn what_was_promised_of_a_set_that_thousands_play_gives_way_to_the_warning() {
        let given = ["avoids_recent", "fewer_co_winners", "past_draw", "plain_shape"];
        let put_right = |numbers: &Numbers| {
            let mut co_winners = Some(Ratio { ratio: 0.9, low: 0.85, high: 0.95, single_set: None });
            let mut reasons: Vec<Reason> = given.iter().map(|code| Reason::new(code, "", "")).collect();
            put_right(numbers, built_in(), &mut co_winners, &mut reasons);
            (co_winners.is_some(), reasons.into_iter().map(|reason| reason.code).collect::<Vec<_>>())
        };
        let of = |codes: &[&str]| codes.iter().map(|code| code.to_string()).collect::<Vec<_>>();
        assert_eq!(
            put_right(&built_in()[1244].numbers),
            (false, of(&["past_draw", "avoids_recent", "plain_shape"])),
            "once"
        );
        let line = Numbers::new([7, 14, 21, 28, 35, 42]).unwrap();
        assert_eq!(put_right(&line).1[..3], of(&["even_steps", "column", "avoids_recent"]));
        assert_eq!(put_right(&Numbers::new([2, 11, 19, 26, 38, 44]).unwrap()), (true, of(&given)));
    }

    #[test]
    fn nothing_is_said_of_recent_draws_that_do_not_count() {
        let history = History::of(built_in());
        let average = Ratio { ratio: 1.0, low: 0.9, high: 1.1, single_set: None };
        // In the last fifty draws 31 and 38 came up eleven times each, 13 ten times; 6.67 are to be expected.
        let numbers = Numbers::new([2, 13, 24, 31, 38, 44]).unwrap();
        let said = |recent_weight| {
            let parameters = Parameters { recent_weight, ..Parameters::default() };
            let reasons = reasons(&numbers, &history, &parameters, Some(&average));
            reasons.into_iter().find(|reason| reason.code == "frequent_recently").map(|reason| reason.text_en)
        };
        assert_eq!(said(0.5).as_deref(), Some("Frequent in the last 50 draws: 13, 31, 38"));
        assert_eq!(said(0.0), None);
    }

    #[test]
    fn avoiding_ten_draws_is_said_with_the_number_that_was_avoided() {
        let history = History::of(built_in());
        let average = Ratio { ratio: 1.0, low: 0.9, high: 1.1, single_set: None };
        let of_ten = Parameters { avoid_recent_k: 10, ..Parameters::default() };
        let left: Vec<u8> = (1..=45u8).filter(|number| avoided(&history, 10).mask & 1 << number == 0).collect();
        let numbers = Numbers::from_mask(left.iter().take(6).fold(0, |mask, number| mask | 1 << number)).unwrap();
        let said = |history: &History| {
            let reasons = reasons(&numbers, history, &of_ten, Some(&average));
            reasons.into_iter().find(|reason| reason.code == "avoids_recent").map(|reason| reason.text_en)
        };
        assert_eq!(said(&history).as_deref(), Some("Avoids the numbers of the last 10 draws"));
        assert_eq!(said(&History::of(&built_in()[..0])), None);
        let holed: Vec<_> = built_in().iter().filter(|draw| draw.draw_no != 1240).cloned().collect();
        assert_eq!(
            said(&History::of(&holed)).as_deref(),
            Some("Avoids the numbers of the 9 known of the last 10 draws")
        );
    }

    #[test]
    fn a_window_with_a_draw_that_is_not_known_says_how_many_it_knows() {
        let of_five = Parameters { recent_window: 5, ..Parameters::default() };
        let average = Ratio { ratio: 1.0, low: 0.9, high: 1.1, single_set: None };
        let holed: Vec<_> = built_in().iter().filter(|draw| draw.draw_no != 1243).cloned().collect();
        let said = |draws: &[Draw]| {
            let reasons = reasons(&built_in()[1244].numbers, &History::of(draws), &of_five, Some(&average));
            let found = reasons.into_iter().find(|reason| reason.code == "frequent_recently").unwrap();
            (found.text_ko, found.text_en)
        };
        let (ko, en) = said(&holed);
        assert!(ko.starts_with("최근 5회 가운데 알려진 4회에서 자주 나온 번호: "), "{ko}");
        assert!(en.starts_with("Frequent in the 4 known of the last 5 draws: "), "{en}");
        assert!(said(built_in()).1.starts_with("Frequent in the last 5 draws: "));
    }

    #[test]
    fn a_number_that_may_have_come_up_in_a_draw_that_is_not_known_is_only_away_from_the_known_ones() {
        let average = Ratio { ratio: 1.0, low: 0.9, high: 1.1, single_set: None };
        let long_gap = |draws: &[Draw], numbers: [u8; 6]| {
            let numbers = Numbers::new(numbers).unwrap();
            let reasons = reasons(&numbers, &History::of(draws), &Parameters::default(), Some(&average));
            reasons.into_iter().find(|reason| reason.code == "long_gap").map(|reason| (reason.text_ko, reason.text_en))
        };
        let said = |ko: &str, en: &str| Some((ko.to_string(), en.to_string()));
        // By the file of draws: 27 and 45 away for 21 draws, 3 for exactly 15, all others for less than 15.
        let away = [1, 3, 4, 5, 27, 45];
        let whole = said("15회 이상 나오지 않은 번호: 3, 27, 45", "Not drawn for 15 draws or more: 3, 27, 45");
        assert_eq!(long_gap(built_in(), away), whole);
        let without = |from: u32, to: u32| -> Vec<Draw> {
            built_in().iter().filter(|draw| !(from..=to).contains(&draw.draw_no)).cloned().collect()
        };
        assert_eq!(long_gap(&without(1_200, 1_201), away), whole, "a hole before they came up last changes nothing");
        let holed = said(
            "알려진 추첨만 세어 15회 이상 나오지 않은 번호: 27, 45",
            "Not in the last 15 known draws or more: 27, 45",
        );
        assert_eq!(long_gap(&without(1_239, 1_244), away), holed);
    }

    #[test]
    fn a_sum_is_unusual_that_no_more_than_five_of_a_hundred_combinations_have() {
        // How many ways there are to choose so many numbers with this sum.
        let mut ways = [[0u64; 256]; 7];
        ways[0][0] = 1;
        for number in 1..=45 {
            for chosen in (1..=6).rev() {
                for sum in number..256 {
                    ways[chosen][sum] += ways[chosen - 1][sum - number];
                }
            }
        }
        let all: u64 = ways[6].iter().sum();
        assert_eq!(all, 8_145_060);
        let (first, last) = (usize::from(*UNUSUAL_BEYOND.start()), usize::from(*UNUSUAL_BEYOND.end()));
        let share = |sums: &[u64]| sums.iter().sum::<u64>() as f64 / all as f64;
        // One sum more on either side, and it were less than half of it there.
        assert!(share(&ways[6][..first]) <= 0.025 && share(&ways[6][..=first]) > 0.025);
        assert!(share(&ways[6][last + 1..]) <= 0.025 && share(&ways[6][last..]) > 0.025);
    }

    #[test]
    fn only_what_is_unusual_is_called_so() {
        let code = |numbers: [u8; 6]| shape_reason(&Numbers::new(numbers).unwrap()).code;
        assert_eq!(code([4, 5, 25, 28, 32, 42]), "balanced_shape");
        assert_eq!(code([1, 2, 30, 31, 39, 45]), "balanced_shape");
        assert_eq!(code([1, 9, 12, 18, 27, 33]), "plain_shape", "a sum of 100 is nothing unusual");
        assert_eq!(code([1, 3, 5, 7, 9, 11]), "unusual_shape");
        assert_eq!(code([10, 11, 12, 13, 30, 41]), "unusual_shape");
        let mut generator = super::super::super::random::SplitMix64::new(8);
        let unusual = (0..10_000).filter(|_| shape_reason(&generator.numbers()).code == "unusual_shape").count();
        assert!((600..1_300).contains(&unusual), "{unusual} of 10,000");
    }
}

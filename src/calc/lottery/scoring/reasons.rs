//! Why a combination was chosen, in plain words of both languages.

use serde::{Deserialize, Serialize};

use super::super::co_winners::Ratio;
use super::super::history::{History, NUMBER_IN_DRAW, count_numbers, standard_score};
use super::super::metrics::Metrics;
use super::super::numbers::Numbers;
use super::{Parameters, avoided};
use hanok_base::schema::ToSchema;

/// One reason, composed in both languages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Reason {
    /// A stable name such as `long_gap`.
    pub code: String,
    /// The reason in Korean.
    pub text_ko: String,
    /// The reason in English.
    pub text_en: String,
}

impl Reason {
    /// A reason from its three parts.
    pub fn new(code: &str, text_ko: impl Into<String>, text_en: impl Into<String>) -> Self {
        Reason { code: code.into(), text_ko: text_ko.into(), text_en: text_en.into() }
    }
}

/// Why `numbers` fits the model after `history`: what in it was frequent lately or away for long,
/// what it avoids, its shape, and how many it would be shared with. Never empty.
pub fn reasons(numbers: &Numbers, history: &History, parameters: &Parameters, co_winners: &Ratio) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let window = history.recent(parameters.recent_window as usize);
    let counts = count_numbers(window);
    let often: Vec<u8> = numbers
        .iter()
        .filter(|&number| standard_score(counts[usize::from(number)], window.len(), NUMBER_IN_DRAW) >= 1.0)
        .collect();
    if !often.is_empty() && parameters.recent_weight > 0.0 {
        let (list, draws) = (listed(&often), window.len());
        reasons.push(Reason::new(
            "frequent_recently",
            format!("최근 {draws}회에서 자주 나온 번호: {list}"),
            format!("Frequent in the last {draws} draws: {list}"),
        ));
    }
    let away: Vec<u8> = numbers.iter().filter(|&number| history.gap(number) >= LONG_GAP).collect();
    if !away.is_empty() {
        let list = listed(&away);
        reasons.push(Reason::new(
            "long_gap",
            format!("{LONG_GAP}회 이상 나오지 않은 번호: {list}"),
            format!("Not drawn for {LONG_GAP} draws or more: {list}"),
        ));
    }
    if parameters.avoid_recent_k > 0 && numbers.mask() & avoided(history, parameters.avoid_recent_k) == 0 {
        let draws = parameters.avoid_recent_k;
        reasons.push(Reason::new(
            "avoids_recent",
            format!("최근 {draws}회 당첨번호를 피했습니다"),
            format!("Avoids the numbers of the last {draws} draws"),
        ));
    }
    reasons.extend(co_winner_reason(co_winners));
    reasons.push(shape_reason(numbers));
    reasons
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
            format!("A first prize would be shared with about {fewer:.0} % fewer people than average"),
        )
    })
}

fn shape_reason(numbers: &Numbers) -> Reason {
    let Metrics { sum, odd, even, low, high, .. } = Metrics::of(numbers);
    // Within one standard deviation (30) of the mean sum, and no side with five or six.
    let balanced = (108..=168).contains(&sum) && (2..=4).contains(&odd) && (2..=4).contains(&low);
    let (code, ko, en) = if balanced {
        ("balanced_shape", "흔한 모양", "A common shape")
    } else {
        ("unusual_shape", "드문 모양", "An unusual shape")
    };
    Reason::new(
        code,
        format!("{ko}: 합계 {sum}, 홀짝 {odd}:{even}, 저고 {low}:{high}"),
        format!("{en}: sum {sum}, {odd} odd and {even} even, {low} low and {high} high"),
    )
}

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
        let fewer = Ratio { ratio: 0.9, low: 0.85, high: 0.95 };
        let latest = built_in()[1244].numbers;
        let codes = |numbers: &Numbers, ratio: &Ratio| -> Vec<String> {
            reasons(numbers, &history, &Parameters::default(), ratio).into_iter().map(|reason| reason.code).collect()
        };
        let of_latest = codes(&latest, &fewer);
        assert!(of_latest.contains(&"fewer_co_winners".to_string()) && !of_latest.contains(&"avoids_recent".into()));
        assert!(of_latest.last().is_some_and(|code| code.ends_with("_shape")));
        let average = Ratio { ratio: 1.0, ..fewer };
        assert!(!codes(&latest, &average).contains(&"fewer_co_winners".to_string()));
    }
}

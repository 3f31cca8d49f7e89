//! What about a combination makes it popular.
//!
//! Players like birthdays (days to 31, months to 12), dislike the far end of the ticket, and like
//! patterns; see Henze and Riedwyl, How to Win More (1998), chapters 3 and 4, and Farrell, Lanot,
//! Hartley and Walker, "The demand for lotto: the role of conscious selection" (2000).

use super::super::numbers::Numbers;

/// The name of a term and what it counts.
#[derive(Debug, Clone, Copy)]
pub struct Term {
    /// Its name in answers.
    pub name: &'static str,
    /// What it counts, in Korean.
    pub text_ko: &'static str,
    /// What it counts, in English.
    pub text_en: &'static str,
}

/// The terms of the model, in the order of its coefficients.
pub const TERMS: [Term; 6] = [
    Term { name: "sum", text_ko: "합계 (138보다 30 클 때마다)", text_en: "sum, per 30 above 138" },
    Term { name: "up_to_12", text_ko: "1–12 번호 개수 (생월)", text_en: "numbers up to 12 (months)" },
    Term { name: "up_to_31", text_ko: "1–31 번호 개수 (생일)", text_en: "numbers up to 31 (days)" },
    Term { name: "from_40", text_ko: "40–45 번호 개수", text_en: "numbers from 40 on" },
    Term { name: "consecutive", text_ko: "연속 번호 쌍", text_en: "pairs of neighbours" },
    Term {
        name: "even_steps", text_ko: "같은 간격으로 이어지는 세 번호", text_en: "three in a row with even steps"
    },
];

/// The place of the pairs of neighbours among [`TERMS`].
pub(super) const CONSECUTIVE: usize = 4;
/// The place of the even steps among [`TERMS`].
pub(super) const EVEN_STEPS: usize = 5;

/// One value a term.
pub(super) type Features = [f64; TERMS.len()];

/// The terms of `numbers`.
pub(super) fn features(numbers: &Numbers) -> Features {
    let mut terms = Features::default();
    for number in numbers.iter() {
        terms.iter_mut().zip(number_features(number)).for_each(|(term, own)| *term += own);
    }
    let six = numbers.as_array();
    let steps: [u8; 5] = std::array::from_fn(|place| six[place + 1] - six[place]);
    terms[CONSECUTIVE] = steps.iter().filter(|&&step| step == 1).count() as f64;
    terms[EVEN_STEPS] = steps.windows(2).filter(|pair| pair[0] == pair[1]).count() as f64;
    terms
}

/// What one number adds to the terms by itself.
pub(super) fn number_features(number: u8) -> Features {
    let one_if = |holds: bool| f64::from(u8::from(holds));
    [(f64::from(number) - 23.0) / 30.0, one_if(number <= 12), one_if(number <= 31), one_if(number >= 40), 0.0, 0.0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_terms_of_a_patterned_set() {
        let numbers = Numbers::new([5, 10, 15, 40, 41, 42]).unwrap();
        let terms = features(&numbers);
        assert!((terms[0] - (153.0 - 138.0) / 30.0).abs() < 1e-12);
        assert_eq!(terms[1..], [2.0, 3.0, 3.0, 2.0, 2.0]);
    }
}

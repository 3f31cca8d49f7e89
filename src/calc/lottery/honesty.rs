//! The sentence that stands next to every recommendation.

/// No method beats chance, in Korean.
pub const SENTENCE_KO: &str =
    "어떤 방법도 무작위보다 낫지 않습니다. 모든 조합의 1등 확률은 똑같이 8,145,060분의 1입니다.";
/// No method beats chance, in English.
pub const SENTENCE_EN: &str =
    "No method is better than chance: every combination has the same chance of 1 in 8,145,060 to win the first prize.";

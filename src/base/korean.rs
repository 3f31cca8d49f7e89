//! Korean particles, whose form follows the last sound of the word before them: 백업을, but 메모를. Figures are taken as they are
//! read, Latin letters as they sound in Korean; the app does the same (`assets/ops/src/lib/particles.ts`).

/// Each after a consonant, and after a vowel.
const PAIRS: [(&str, &str); 10] = [
    ("을", "를"),
    ("이", "가"),
    ("은", "는"),
    ("과", "와"),
    ("으로", "로"),
    ("이어야", "여야"),
    ("이나", "나"),
    ("이라", "라"),
    ("이라고", "라고"),
    ("이며", "며"),
];

/// How a word ends; after ㄹ it is 로, as after a vowel.
#[derive(PartialEq)]
enum Ending {
    Vowel,
    Rieul,
    Consonant,
}

/// Whether two forms are those of one particle: the one after a consonant, then the one after a vowel.
pub fn is_particle(after_consonant: &str, after_vowel: &str) -> bool {
    PAIRS.contains(&(after_consonant, after_vowel))
}

/// The form that follows `word`. Quotes and brackets behind the word do not count.
///
/// ```
/// use hanok_base::korean::particle;
///
/// assert_eq!(particle("백업", "을", "를"), "을");
/// assert_eq!(particle("서울", "으로", "로"), "로");
/// ```
pub fn particle<'a>(word: &str, after_consonant: &'a str, after_vowel: &'a str) -> &'a str {
    match ending(word) {
        Ending::Vowel => after_vowel,
        Ending::Rieul if after_consonant == "으로" => after_vowel,
        Ending::Rieul | Ending::Consonant => after_consonant,
    }
}

fn ending(word: &str) -> Ending {
    let word = word.trim_end_matches(|c: char| !c.is_alphanumeric() && c != '%');
    let mut before = word.chars().rev();
    match before.next() {
        Some(c @ '가'..='힣') => match (u32::from(c) - u32::from('가')) % 28 {
            0 => Ending::Vowel,
            8 => Ending::Rieul,
            _ => Ending::Consonant,
        },
        // 영 (and 십, 백, 천, 만), 일, 이, 삼, 사, 오, 육, 칠, 팔, 구; capital letters by their names: 엘, 엠, 엔, 알.
        Some('1' | '7' | '8' | 'L' | 'R') => Ending::Rieul,
        Some('0' | '3' | '6' | 'M' | 'N') => Ending::Consonant,
        Some(_) if word.ends_with('l') || word.ends_with("le") => Ending::Rieul,
        Some('m' | 'n') => Ending::Consonant,
        Some('e') if word.ends_with("me") || word.ends_with("ne") => Ending::Consonant,
        Some('g') if word.ends_with("ng") => Ending::Consonant,
        Some('b' | 'c' | 'k' | 'p' | 't') => {
            let vowel = before.find(|c| *c != 'c');
            if vowel.is_some_and(|c| "aeiou".contains(c)) { Ending::Consonant } else { Ending::Vowel }
        }
        _ => Ending::Vowel,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_follows_the_last_sound_of_the_word() {
        let said = |words: &[&str], (after_consonant, after_vowel)| {
            let with = |word: &&str| format!("{word}{}", particle(word, after_consonant, after_vowel));
            words.iter().map(with).collect::<Vec<_>>().join(", ")
        };
        let objects = said(&["백업", "메모", "‘서울’", "10월 3일(토)", "12%", ""], ("을", "를"));
        assert_eq!(objects, "백업을, 메모를, ‘서울’을, 10월 3일(토)를, 12%를, 를");
        assert_eq!(said(&["0", "1", "2", "3", "1,000", "9"], ("이", "가")), "0이, 1이, 2가, 3이, 1,000이, 9가");
        let ways = said(&["서울", "집", "바다", "8", "3", "URL"], ("으로", "로"));
        assert_eq!(ways, "서울로, 집으로, 바다로, 8로, 3으로, URL로");
        let names = ["hanok", "Slack", "Google", "Docker", "Chrome", "CSV", "smtp.example.com", "localhost"];
        let expected = "hanok은, Slack은, Google은, Docker는, Chrome은, CSV는, smtp.example.com은, localhost는";
        assert_eq!(said(&names, ("은", "는")), expected);
        assert!(is_particle("이어야", "여야") && !is_particle("task", "tasks"));
    }
}

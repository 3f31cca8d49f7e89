//! Patterns on the ticket that many people play.
//!
//! The ticket shows the numbers in rows of seven. Lines along its rows, columns and diagonals, runs and even steps are
//! marked by thousands in every draw (Henze and Riedwyl, How to Win More, 1998, chapter 3: in one draw there were over
//! four thousand tickets with 7-14-21-28-35-42). The model sees none of them: too few were ever drawn.

use super::super::draw::Draw;
use super::super::numbers::Numbers;
use super::super::reason::Reason;

/// Numbers in one row of the ticket.
const ROW: u8 = 7;
/// From how many in one line a pattern is one.
const IN_LINE: usize = 5;

/// The popular patterns that `numbers` has on the ticket, and whether it once won among `draws`.
pub fn popular_patterns(numbers: &Numbers, draws: &[Draw]) -> Vec<Reason> {
    let six = numbers.as_array();
    let mut patterns = Vec::new();
    let step = six[1] - six[0];
    if six.windows(2).all(|pair| pair[1] - pair[0] == step) {
        patterns.push(Reason::new(
            "even_steps",
            format!("여섯 번호가 같은 간격({step})으로 이어집니다. 많은 사람이 이런 조합을 칠합니다"),
            format!("All six go in even steps of {step}; many people mark such sets"),
        ));
    } else if longest_run(six) >= 4 {
        patterns.push(Reason::new(
            "run",
            "네 개 이상의 번호가 잇달아 있습니다. 많은 사람이 이런 조합을 칠합니다",
            "Four or more numbers follow each other; many people mark such sets",
        ));
    }
    if most_alike(numbers, |number| (number - 1) % ROW) >= IN_LINE {
        patterns.push(Reason::new(
            "column",
            "용지의 한 세로줄에 다섯 개 이상 모여 있습니다",
            "Five or more lie in one column of the ticket",
        ));
    }
    if most_alike(numbers, |number| (number - 1) / ROW) >= IN_LINE {
        patterns.push(Reason::new(
            "row",
            "용지의 한 가로줄에 다섯 개 이상 모여 있습니다",
            "Five or more lie in one row of the ticket",
        ));
    }
    if most_alike(numbers, |number| number % 10) >= IN_LINE - 1 {
        patterns.push(Reason::new(
            "last_digit",
            "끝수가 같은 번호가 네 개 이상입니다",
            "Four or more end in the same digit",
        ));
    }
    if let Some(draw) = draws.iter().rev().find(|draw| draw.numbers == *numbers) {
        let draw_no = draw.draw_no;
        patterns.push(Reason::new(
            "past_draw",
            format!("제{draw_no}회 당첨번호 그대로입니다. 지난 당첨번호는 많은 사람이 다시 칠합니다"),
            format!("These are the numbers of draw {draw_no}; many people play past draws again"),
        ));
    }
    patterns
}

fn longest_run(six: &[u8; 6]) -> usize {
    let mut run = 1;
    let mut longest = 1;
    for pair in six.windows(2) {
        run = if pair[1] == pair[0] + 1 { run + 1 } else { 1 };
        longest = longest.max(run);
    }
    longest
}

/// How many numbers share the most common line.
fn most_alike(numbers: &Numbers, line: fn(u8) -> u8) -> usize {
    numbers.iter().map(|one| numbers.iter().filter(|&other| line(other) == line(one)).count()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::super::import::built_in;
    use super::super::super::random::SplitMix64;
    use super::*;

    fn codes(numbers: [u8; 6]) -> Vec<String> {
        let patterns = popular_patterns(&Numbers::new(numbers).unwrap(), built_in());
        patterns.into_iter().map(|pattern| pattern.code).collect()
    }

    #[test]
    fn lines_steps_and_runs_on_the_ticket_are_seen() {
        assert_eq!(codes([1, 2, 3, 4, 5, 6]), ["even_steps", "row"]);
        assert_eq!(codes([7, 14, 21, 28, 35, 42]), ["even_steps", "column"]);
        assert_eq!(codes([1, 9, 17, 25, 33, 41]), ["even_steps"], "a diagonal");
        assert_eq!(codes([1, 8, 15, 22, 29, 45]), ["column"]);
        assert_eq!(codes([8, 9, 11, 12, 14, 45]), ["row"]);
        assert_eq!(codes([4, 20, 21, 22, 23, 40]), ["run"]);
        assert_eq!(codes([3, 13, 23, 33, 40, 41]), ["last_digit"]);
        assert_eq!(codes([4, 5, 25, 28, 32, 42]), ["past_draw"]);
        assert!(codes([2, 11, 19, 26, 38, 44]).is_empty());
    }

    #[test]
    fn an_ordinary_set_is_not_warned_of() {
        let mut generator = SplitMix64::new(3);
        let warned = (0..10_000).filter(|_| !popular_patterns(&generator.numbers(), &[]).is_empty()).count();
        assert!(warned < 400, "{warned} of 10,000");
    }
}

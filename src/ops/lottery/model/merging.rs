//! What a received draw does to the stored one: it may add what was not published before, and nothing else.

use hanok_calc::lottery::Draw;

/// The outcome of putting a received draw onto the stored one.
#[derive(Debug, Clone, PartialEq)]
pub struct Merged {
    /// The stored draw with what was added to it.
    pub draw: Draw,
    /// Whether anything was added.
    pub completed: bool,
    /// What contradicts the stored draw.
    pub contradictions: Vec<Contradiction>,
}

/// A received value that differs from a stored one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    /// What differs.
    pub field: String,
    /// What is stored.
    pub stored: String,
    /// What was received.
    pub received: String,
}

impl Contradiction {
    /// `field` is stored as `stored` and was received as `received`.
    pub fn new(field: impl Into<String>, stored: impl ToString, received: impl ToString) -> Self {
        Contradiction { field: field.into(), stored: stored.to_string(), received: received.to_string() }
    }
}

/// Puts `received` onto `stored`, the same draw. What is not published in one of them follows the other;
/// what both have and differs is a contradiction, and the stored value stays. A draw with other numbers
/// or another bonus gives nothing at all: its prizes would belong to another draw.
pub fn merge(stored: &Draw, received: &Draw) -> Merged {
    let mut contradictions = Vec::new();
    if stored.numbers != received.numbers {
        contradictions.push(Contradiction::new("numbers", stored.numbers, received.numbers));
    }
    if stored.bonus != received.bonus {
        contradictions.push(Contradiction::new("bonus", stored.bonus, received.bonus));
    }
    let mut draw = stored.clone();
    if contradictions.is_empty() {
        let found = &mut contradictions;
        fill(&mut draw.total_sales, &received.total_sales, found, || "total_sales".to_owned(), u64::to_string);
        for (place, (prize, with)) in draw.prizes.iter_mut().zip(&received.prizes).enumerate() {
            let field = |name: &str| format!("prizes[{place}].{name}");
            fill(&mut prize.winners, &with.winners, found, || field("winners"), u64::to_string);
            fill(&mut prize.prize_each, &with.prize_each, found, || field("prize_each"), u64::to_string);
        }
        let methods = &received.first_prize_methods;
        fill(
            &mut draw.first_prize_methods,
            methods,
            found,
            || "first_prize_methods".to_owned(),
            |split| format!("{} auto, {} manual, {} semi-auto", split.auto, split.manual, split.semi_auto),
        );
    }
    if draw.settle().is_err() {
        // Half of a prize (winners without an amount) waits for its other half.
        draw = stored.clone();
    }
    Merged { completed: draw != *stored, draw, contradictions }
}

/// Takes what is not known yet; notes what differs.
fn fill<T: Clone + PartialEq>(
    stored: &mut Option<T>,
    received: &Option<T>,
    contradictions: &mut Vec<Contradiction>,
    field: impl FnOnce() -> String,
    text: impl Fn(&T) -> String,
) {
    match (&*stored, received) {
        (None, Some(value)) => *stored = Some(value.clone()),
        (Some(known), Some(other)) if known != other => {
            contradictions.push(Contradiction::new(field(), text(known), text(other)));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hanok_calc::lottery::import::built_in;
    use hanok_calc::lottery::{Numbers, Published};

    /// Draw 1200 as it was published at the three stages.
    fn stages() -> [Draw; 3] {
        let complete = built_in()[1199].clone();
        let numbers = Draw::with_numbers_only(1200, complete.numbers, complete.bonus).unwrap();
        let mut prizes = Draw { first_prize_methods: None, ..complete.clone() };
        prizes.settle().unwrap();
        [numbers, prizes, complete]
    }

    #[test]
    fn each_stage_adds_to_the_one_before_and_an_earlier_one_takes_nothing_away() {
        let [numbers, prizes, complete] = stages();
        let second = merge(&numbers, &prizes);
        assert!(second.completed && second.draw.published == Published::Prizes);
        let third = merge(&second.draw, &complete);
        assert!(third.completed && third.draw == complete);
        for earlier in [&numbers, &prizes, &complete] {
            let again = merge(&complete, earlier);
            assert_eq!((again.completed, again.contradictions.len(), &again.draw), (false, 0, &complete));
        }
    }

    #[test]
    fn another_draw_is_kept_aside_whole() {
        let [numbers, prizes, _] = stages();
        let mut other = prizes.clone();
        other.numbers = Numbers::new([1, 2, 3, 4, 5, 6]).unwrap();
        let merged = merge(&numbers, &other);
        assert_eq!((merged.completed, &merged.draw), (false, &numbers));
        assert_eq!(merged.contradictions[0].received, "1, 2, 3, 4, 5, 6");
    }

    #[test]
    fn a_published_prize_that_changes_is_a_contradiction() {
        let [_, prizes, complete] = stages();
        let mut changed = complete.clone();
        changed.prizes[0].winners = Some(99);
        changed.total_sales = Some(1);
        let merged = merge(&prizes, &changed);
        let fields: Vec<&str> = merged.contradictions.iter().map(|found| found.field.as_str()).collect();
        assert_eq!(fields, ["total_sales", "prizes[0].winners"]);
        assert_eq!(merged.draw.prizes, prizes.prizes);
    }
}

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

/// `received` in the place of `stored`, which it contradicts. What it leaves open stays as far as it can still be true:
/// the sales whatever was drawn, prizes with the same numbers, those of the second and the third rank with the same bonus
/// too, and how the winners of the first rank chose with as many of them. The rest goes.
pub fn in_place_of(stored: &Draw, received: &Draw) -> Draw {
    let mut draw = received.clone();
    draw.total_sales = draw.total_sales.or(stored.total_sales);
    if stored.numbers == received.numbers {
        for (prize, before) in draw.prizes.iter_mut().zip(&stored.prizes) {
            let is_open = prize.winners.is_none() && prize.prize_each.is_none();
            if is_open && (stored.bonus == received.bonus || !matches!(prize.rank, 2 | 3)) {
                *prize = *before;
            }
        }
        if draw.first_prize_winners() == stored.first_prize_winners() {
            draw.first_prize_methods = draw.first_prize_methods.or(stored.first_prize_methods);
        }
    }
    if draw.settle().is_ok() { draw } else { received.clone() }
}

/// `now` without what the correction from `before` to `after` brought itself: what it said where nothing was known, and
/// how the winners of the first rank chose when it was the one that said how many they are.
pub fn since(now: &Draw, before: &Draw, after: &Draw) -> Draw {
    let mut since = now.clone();
    if before.total_sales.is_none() && after.total_sales.is_some() {
        since.total_sales = None;
    }
    let mut brought_methods = before.first_prize_methods.is_none() && after.first_prize_methods.is_some();
    for ((prize, before), after) in since.prizes.iter_mut().zip(&before.prizes).zip(&after.prizes) {
        if before.winners.is_none() && after.winners.is_some() {
            (prize.winners, prize.prize_each) = (None, None);
            brought_methods |= prize.rank == 1;
        }
    }
    if brought_methods {
        since.first_prize_methods = None;
    }
    since
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
    use hanok_calc::lottery::draw::Prize;
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
    fn what_a_received_draw_leaves_open_stays_as_far_as_it_can_still_be_true() {
        let [numbers, _, complete] = stages();
        let fits = |bonus: &u8| *bonus != complete.bonus && !complete.numbers.contains(*bonus);
        let other_bonus = Draw { bonus: (1..=45).find(fits).unwrap(), ..numbers.clone() };
        let taken = in_place_of(&complete, &other_bonus);
        assert_eq!(
            (taken.total_sales, taken.first_prize_methods),
            (complete.total_sales, complete.first_prize_methods)
        );
        for place in [0, 3, 4] {
            assert_eq!(taken.prizes[place], complete.prizes[place]);
        }
        assert_eq!((taken.prizes[1].winners, taken.prizes[2].prize_each), (None, None), "they belong to the bonus");
        assert_eq!(taken.published, Published::Numbers);

        let mut fewer = numbers.clone();
        fewer.prizes[0] = Prize { rank: 1, winners: Some(1), prize_each: Some(1_000) };
        let taken = in_place_of(&complete, &fewer);
        assert_eq!((taken.first_prize_winners(), taken.first_prize_methods), (Some(1), None), "of how many others?");

        let other = Draw { numbers: Numbers::new([1, 2, 3, 4, 5, 6]).unwrap(), ..numbers.clone() };
        let sold = Draw { total_sales: complete.total_sales, ..other.clone() };
        assert_eq!(in_place_of(&complete, &other), sold, "the games were sold before anything was drawn");
        assert_eq!(in_place_of(&numbers, &complete), complete);
    }

    #[test]
    fn what_came_since_a_correction_is_told_from_what_it_brought() {
        let [numbers, _, complete] = stages();
        let sold = Draw { total_sales: complete.total_sales, ..numbers.clone() };
        let mut won = numbers.clone();
        won.prizes[0] = complete.prizes[0];
        let in_one_go = |before: &Draw| in_place_of(before, &since(&complete, before, &complete));

        assert_eq!(in_one_go(&numbers), numbers, "the correction brought everything");
        assert_eq!(in_one_go(&sold), sold);
        assert_eq!(in_one_go(&won), won);
        assert_eq!(in_one_go(&complete), complete);

        assert_eq!(since(&complete, &numbers, &numbers), complete, "everything came since");
        let after_sales = since(&complete, &numbers, &sold);
        assert_eq!(after_sales, Draw { total_sales: None, ..complete.clone() });
        let after_winners = since(&complete, &numbers, &won);
        assert_eq!((after_winners.first_prize_winners(), after_winners.first_prize_methods), (None, None));
        assert_eq!(
            (after_winners.total_sales, &after_winners.prizes[1..]),
            (complete.total_sales, &complete.prizes[1..])
        );
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

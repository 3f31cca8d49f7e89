//! The rows of the editor's form: those that were left empty go before the form is read, and the others close up. Of a list that is
//! longer than a quote takes, one row more than that is read, so that it is refused, and no more than that is drawn.

use std::collections::BTreeMap;

use super::super::super::model::Quote;
use hanok_platform::http::Form;

/// What says nothing by itself: a row that has only these counts as not there.
const MARKS: [&str; 5] = ["id", "category", "optional", "recommended", REMOVE];
/// The box by which a row is taken out.
pub const REMOVE: &str = "remove";
/// Fields of won, which people write in groups of three digits.
const WON: [&str; 3] = ["unit_price", "monthly_fee", "discount"];

/// The most lines that a quote takes, as its request says.
pub const MOST_LINES: usize = 100;
/// The most phases.
pub const MOST_PHASES: usize = 30;
/// The most tasks of a phase.
pub const MOST_TASKS: usize = 50;
/// The most plans.
pub const MOST_PLANS: usize = 10;

/// How many rows each list has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rows {
    /// Lines.
    pub items: usize,
    /// The tasks of each phase.
    pub phases: Vec<usize>,
    /// Plans of maintenance.
    pub plans: usize,
}

impl Rows {
    /// Those of a quote.
    pub fn of(quote: &Quote) -> Rows {
        let content = &quote.content;
        let phases = content.wbs.iter().map(|phase| phase.tasks.len()).collect();
        Rows { items: content.items.len(), phases, plans: content.maintenance.len() }
    }
}

/// A list of rows as it was sent, by their places.
#[derive(Default)]
struct SentRows(BTreeMap<usize, Row>);

#[derive(Default)]
struct Row {
    is_filled: bool,
    is_removed: bool,
    tasks: SentRows,
}

/// Where each row that stays moves to, by the place that it was sent at.
#[derive(Default)]
struct Kept(BTreeMap<usize, (usize, Kept)>);

impl SentRows {
    /// Notes a field of a row, which itself may have rows of the list `inner`.
    fn note(&mut self, place: usize, field: &str, value: &str, inner: Option<&str>) {
        let row = self.0.entry(place).or_default();
        if let Some((task, field)) = inner.and_then(|inner| place_in(field, inner)) {
            return row.tasks.note(task, field, value, None);
        }
        row.is_removed |= field == REMOVE;
        row.is_filled |= !value.trim().is_empty() && !MARKS.contains(&field);
    }

    /// The rows that stay; of more than `most`, one more than these.
    fn kept(self, most: usize) -> Kept {
        let mut kept = BTreeMap::new();
        for (place, row) in self.0 {
            if kept.len() > most {
                break;
            }
            let tasks = row.tasks.kept(MOST_TASKS);
            if !row.is_removed && (row.is_filled || !tasks.0.is_empty()) {
                kept.insert(place, (kept.len(), tasks));
            }
        }
        Kept(kept)
    }
}

impl Kept {
    /// The name that the field of a row gets: with its place among those that stay.
    fn renamed(&self, place: usize, field: &str) -> Option<String> {
        let (new, tasks) = self.0.get(&place)?;
        match place_in(field, "tasks") {
            Some((task, field)) => Some(format!("[{new}].tasks{}", tasks.renamed(task, field)?)),
            None => (field != REMOVE).then(|| format!("[{new}].{field}")),
        }
    }

    /// How many rows are drawn, of at most `most`.
    fn drawn(&self, most: usize) -> usize {
        self.0.len().min(most)
    }
}

/// The lists of the form, and the most rows that each takes.
const LISTS: [(&str, usize); 3] = [("items", MOST_LINES), ("wbs", MOST_PHASES), ("maintenance", MOST_PLANS)];

/// The place of a row of the list `list`, and its field, as a name says them: `items[2].name`.
fn place_in<'n>(name: &'n str, list: &str) -> Option<(usize, &'n str)> {
    let (place, field) = name.strip_prefix(list)?.strip_prefix('[')?.split_once("].")?;
    Some((place.parse().ok()?, field))
}

/// The same form without the rows that say nothing and those that are taken out, with what is written as won in digits alone; and
/// how many rows are drawn of it.
pub fn closed_up(form: Form) -> (Form, Rows) {
    let mut sent = LISTS.map(|(list, most)| (list, most, SentRows::default()));
    for (name, value) in form.values() {
        for (list, _, sent) in &mut sent {
            if let Some((place, field)) = place_in(name, list) {
                sent.note(place, field, value, Some("tasks"));
            }
        }
    }
    let lists = sent.map(|(list, most, sent)| (list, sent.kept(most)));
    let form = form.adjusted(|name, value| {
        let row = lists.iter().find_map(|(list, kept)| Some((list, kept, place_in(name, list)?)));
        let name = match row {
            Some((list, kept, (place, field))) => format!("{list}{}", kept.renamed(place, field)?),
            None => name.to_owned(),
        };
        let is_won = WON.iter().any(|won| name.rsplit('.').next() == Some(won));
        let value = if is_won { value.replace(',', "").trim().to_owned() } else { value.to_owned() };
        Some((name, value))
    });
    let [(_, items), (_, wbs), (_, plans)] = lists;
    let phases = wbs.0.values().take(MOST_PHASES).map(|(_, tasks)| tasks.drawn(MOST_TASKS)).collect();
    (form, Rows { items: items.drawn(MOST_LINES), phases, plans: plans.drawn(MOST_PLANS) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(fields: &[(&str, &str)]) -> Kept {
        let mut sent = SentRows::default();
        for (name, value) in fields {
            let (place, field) = place_in(name, "wbs").unwrap();
            sent.note(place, field, value, Some("tasks"));
        }
        sent.kept(MOST_PHASES)
    }

    #[test]
    fn rows_that_say_nothing_go_and_the_others_close_up() {
        let rows = kept(&[
            ("wbs[0].phase", " "),
            ("wbs[0].id", "a"),
            ("wbs[1].phase", ""),
            ("wbs[1].tasks[0].name", ""),
            ("wbs[1].tasks[2].name", "b"),
            ("wbs[2].phase", "c"),
            ("wbs[2].remove", "true"),
            ("wbs[5].phase", "d"),
        ]);
        assert_eq!(rows.0.keys().copied().collect::<Vec<_>>(), [1, 5]);
        assert_eq!(rows.renamed(1, "tasks[2].name").as_deref(), Some("[0].tasks[0].name"));
        assert_eq!(rows.renamed(5, "phase").as_deref(), Some("[1].phase"));
        for (place, field) in [(0, "id"), (1, "tasks[0].name"), (2, "phase"), (5, "remove")] {
            assert_eq!(rows.renamed(place, field), None, "{place} {field}");
        }
    }

    #[test]
    fn of_too_many_rows_one_more_than_the_most_is_read_and_the_most_are_drawn() {
        let names = |row: usize| [format!("wbs[{row}].phase"), format!("wbs[1].tasks[{row}].name")];
        let fields: Vec<String> = (0..2_000).flat_map(names).collect();
        let fields: Vec<(&str, &str)> = fields.iter().map(|name| (name.as_str(), "a")).collect();
        let rows = kept(&fields);
        assert_eq!((rows.0.len(), rows.drawn(MOST_PHASES)), (MOST_PHASES + 1, MOST_PHASES));
        assert_eq!(rows.0[&1].1.0.len(), MOST_TASKS + 1);
        assert_eq!(rows.renamed(MOST_PHASES, "phase").as_deref(), Some("[30].phase"));
        assert_eq!(rows.renamed(MOST_PHASES + 1, "phase"), None);
        let deep = format!("wbs[0].{}name", "tasks[0].".repeat(100_000));
        assert_eq!(kept(&[(&deep, "a")]).renamed(0, &deep["wbs[0].".len()..]), None, "a task has no tasks");
    }

    #[test]
    fn a_name_that_is_no_row_is_none() {
        assert_eq!(place_in("items[3].unit_price", "items"), Some((3, "unit_price")));
        for name in ["items[]", "items[x].name", "items[3]", "item[3].name", "items"] {
            assert_eq!(place_in(name, "items"), None, "{name}");
        }
    }
}

//! The rows of the editor's form: those that were left empty go before the form is read, and the others close up.

use std::collections::BTreeMap;

use super::super::super::model::Quote;
use hanok_platform::http::Form;

/// What says nothing by itself: a row that has only these counts as not there.
const MARKS: [&str; 5] = ["id", "category", "optional", "recommended", REMOVE];
/// The box by which a row is taken out.
pub const REMOVE: &str = "remove";
/// Fields of won, which people write in groups of three digits.
const WON: [&str; 3] = ["unit_price", "monthly_fee", "discount"];

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

/// A list of rows as it was sent: where each row that stays moves to, by its place.
#[derive(Default)]
struct Kept(BTreeMap<usize, Row>);

#[derive(Default)]
struct Row {
    is_filled: bool,
    is_removed: bool,
    tasks: Kept,
}

impl Kept {
    fn note(&mut self, place: usize, field: &str, value: &str) {
        let row = self.0.entry(place).or_default();
        if let Some((task, field)) = place_in(field, "tasks") {
            return row.tasks.note(task, field, value);
        }
        row.is_removed |= field == REMOVE;
        row.is_filled |= !value.trim().is_empty() && !MARKS.contains(&field);
    }

    /// The rows that stay, each by the place that it was sent at.
    fn staying(&self) -> impl Iterator<Item = (usize, &Row)> {
        let stays = |row: &Row| !row.is_removed && (row.is_filled || row.tasks.staying_count() > 0);
        self.0.iter().filter(move |(_, row)| stays(row)).map(|(place, row)| (*place, row))
    }

    fn staying_count(&self) -> usize {
        self.0.values().filter(|row| row.is_filled && !row.is_removed).count()
    }

    /// The name that the field of a row gets: with its place among those that stay.
    fn renamed(&self, place: usize, field: &str) -> Option<String> {
        let (new, (_, row)) = self.staying().enumerate().find(|(_, (old, _))| *old == place)?;
        match place_in(field, "tasks") {
            Some((task, field)) => Some(format!("[{new}].tasks{}", row.tasks.renamed(task, field)?)),
            None => (field != REMOVE).then(|| format!("[{new}].{field}")),
        }
    }
}

/// The place of a row of the list `list`, and its field, as a name says them: `items[2].name`.
fn place_in<'n>(name: &'n str, list: &str) -> Option<(usize, &'n str)> {
    let (place, field) = name.strip_prefix(list)?.strip_prefix('[')?.split_once("].")?;
    Some((place.parse().ok()?, field))
}

/// The same form without the rows that say nothing and those that are taken out, with what is written as won in digits alone; and
/// how many rows it has then.
pub fn closed_up(form: Form) -> (Form, Rows) {
    let mut lists = ["items", "wbs", "maintenance"].map(|name| (name, Kept::default()));
    for (name, value) in form.values() {
        for (list, kept) in &mut lists {
            if let Some((place, field)) = place_in(name, list) {
                kept.note(place, field, value);
            }
        }
    }
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
    let [items, wbs, maintenance] = lists.map(|(_, kept)| kept);
    let phases = wbs.staying().map(|(_, row)| row.tasks.staying_count()).collect();
    (form, Rows { items: items.staying().count(), phases, plans: maintenance.staying().count() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(fields: &[(&str, &str)]) -> Kept {
        let mut kept = Kept::default();
        for (name, value) in fields {
            let (place, field) = place_in(name, "wbs").unwrap();
            kept.note(place, field, value);
        }
        kept
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
        assert_eq!(rows.staying().map(|(place, _)| place).collect::<Vec<_>>(), [1, 5]);
        assert_eq!(rows.renamed(1, "tasks[2].name").as_deref(), Some("[0].tasks[0].name"));
        assert_eq!(rows.renamed(5, "phase").as_deref(), Some("[1].phase"));
        for (place, field) in [(0, "id"), (1, "tasks[0].name"), (2, "phase"), (5, "remove")] {
            assert_eq!(rows.renamed(place, field), None, "{place} {field}");
        }
    }

    #[test]
    fn a_name_that_is_no_row_is_none() {
        assert_eq!(place_in("items[3].unit_price", "items"), Some((3, "unit_price")));
        for name in ["items[]", "items[x].name", "items[3]", "item[3].name", "items"] {
            assert_eq!(place_in(name, "items"), None, "{name}");
        }
    }
}

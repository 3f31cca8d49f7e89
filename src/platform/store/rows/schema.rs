//! What the tables of a program are: their declarations, the steps from earlier versions, and the data that ships with
//! the program. Each domain declares its own; the room at the top gathers them.

use std::path::Path;

use chrono::NaiveDate;
use serde::Serialize;

use super::indexed::Declared;
use super::integrity::IntegrityErrors;
use super::transaction::{ReadTx, WriteTx};
use hanok_base::Result;
use hanok_base::schema::ToSchema;

/// A step to a newer store that changes rows.
///
/// It brings the types of the rows that it reads and writes: those of today may ask for what no row had in its time. So
/// it writes plain tables, and what is derived from them is derived anew afterwards ([`Derivation`]).
#[derive(Clone, Copy)]
pub struct Migration {
    /// The store version that this step leads to, by which earlier programs refuse the store. Steps with the same one
    /// are run in the order of the domains. A step runs whatever version a store has, unless its name is noted there.
    pub to: u32,
    /// Its name: the domain, and what it does in a few words. No other step has it, and it stays for good: stores note it.
    pub name: &'static str,
    /// What it has done, in Korean and in English, as it is told where people read it.
    pub title: (&'static str, &'static str),
    /// Whether there is anything to do.
    pub needed: fn(&ReadTx) -> Result<bool>,
    /// Does it, in one transaction.
    pub apply: fn(&WriteTx) -> Result<()>,
}

/// A step to a newer store that derives anew what follows from rows, with the types and the verbs of today. It runs when
/// every step that changes rows ([`Migration`]) has run.
#[derive(Clone, Copy)]
pub struct Derivation(Step);

impl Derivation {
    /// Derives the indexes, counts and totals of `tables` anew where they do not fit their rows. `to`, `name` and
    /// `title` as of a [`Migration`].
    pub const fn of(
        to: u32,
        name: &'static str,
        title: (&'static str, &'static str),
        tables: &'static [&'static dyn Declared],
    ) -> Derivation {
        Derivation(Step { to, name, title, work: Work::Derive(tables) })
    }

    /// Works out anew what rows say that follows from others. Once it is done, the indexes, counts and totals of `tables`
    /// fit their rows: a step behind it finds nothing to do there.
    pub const fn by(
        to: u32,
        name: &'static str,
        title: (&'static str, &'static str),
        tables: &'static [&'static dyn Declared],
        needed: fn(&ReadTx) -> Result<bool>,
        apply: fn(&WriteTx) -> Result<()>,
    ) -> Derivation {
        Derivation(Step { to, name, title, work: Work::Anew { tables, needed, apply } })
    }
}

/// A step as it is run.
#[derive(Clone, Copy)]
pub struct Step {
    /// The store version that it leads to.
    pub to: u32,
    /// Its name.
    pub name: &'static str,
    title: (&'static str, &'static str),
    work: Work,
}

/// A step that was done, as people are told of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct DoneStep {
    /// Its name.
    pub name: String,
    /// What it has done, in Korean. The name where this program has no such step.
    pub title_ko: String,
    /// What it has done, in English.
    pub title_en: String,
}

#[derive(Clone, Copy)]
enum Work {
    ChangeRows {
        needed: fn(&ReadTx) -> Result<bool>,
        apply: fn(&WriteTx) -> Result<()>,
    },
    Derive(&'static [&'static dyn Declared]),
    Anew {
        tables: &'static [&'static dyn Declared],
        needed: fn(&ReadTx) -> Result<bool>,
        apply: fn(&WriteTx) -> Result<()>,
    },
}

impl Step {
    /// Whether there is anything to do.
    pub fn is_needed(&self, tx: &ReadTx) -> Result<bool> {
        match self.work {
            Work::ChangeRows { needed, .. } | Work::Anew { needed, .. } => needed(tx),
            Work::Derive(_) => self.is_needed_after(&[], tx),
        }
    }

    /// Whether there is anything to do once the steps `before` are done: what they derive anew fits its rows by then.
    pub fn is_needed_after(&self, before: &[Step], tx: &ReadTx) -> Result<bool> {
        let Work::Derive(tables) = self.work else { return self.is_needed(tx) };
        let derived: Vec<_> = before.iter().flat_map(Step::derives).map(|table| table.tables()).collect();
        for table in tables {
            if !derived.contains(&table.tables()) && !table.flaws(tx)?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The tables whose rows it derives everything from anew.
    fn derives(&self) -> &'static [&'static dyn Declared] {
        match self.work {
            Work::Derive(tables) | Work::Anew { tables, .. } => tables,
            Work::ChangeRows { .. } => &[],
        }
    }

    /// Does it, in one transaction.
    pub fn apply(&self, tx: &WriteTx) -> Result<()> {
        match self.work {
            Work::ChangeRows { apply, .. } | Work::Anew { apply, .. } => apply(tx),
            Work::Derive(tables) => tables.iter().try_for_each(|table| table.rebuild(tx)),
        }
    }

    /// What changes rows comes first, then what is derived from them; each from the earliest version on.
    fn place(&self) -> (bool, u32) {
        (!matches!(self.work, Work::ChangeRows { .. }), self.to)
    }
}

/// Data that ships with the program and goes into its tables, once with each of its revisions, whichever version of the
/// program and of the store brings it.
#[derive(Clone, Copy)]
pub struct ShippedData {
    /// Its name: the domain, and what it is in a few words. No other data has it, and it stays for good: stores note it.
    pub name: &'static str,
    /// Which state of the data this is; raised whenever the data change. A store that notes a later one keeps it.
    pub revision: u32,
    /// The last day of which it tells: no clock of whoever has it is rightly before that. None where it tells of no days.
    pub as_of: fn() -> Option<NaiveDate>,
    /// Puts in what is not there yet. Gives a sentence for the log when there was anything to do.
    pub put_in: fn(&WriteTx) -> Result<Option<String>>,
}

/// The state before a restore, as far as it can be told.
#[derive(Clone, Copy)]
pub struct Before<'t> {
    /// The state itself. None where it cannot be read.
    pub state: Option<&'t ReadTx<'t>>,
    /// A page of it is not what was written: what it says may be wrong.
    pub is_damaged: bool,
    /// The folder where words may be noted beside the store.
    pub beside: &'t Path,
}

/// What a restore does not take back.
#[derive(Clone, Copy)]
pub struct PreservedOnRestore {
    /// Puts what the state before says of it into the restored one. Without one that can be read, leaves what may be relied
    /// on all the same.
    pub carry: fn(before: Before<'_>, restored: &WriteTx) -> Result<()>,
    /// Takes out what a file that leaves the house goes without.
    pub forget: fn(&WriteTx) -> Result<()>,
}

/// Everything that is declared of the tables of one program.
#[derive(Clone, Default)]
pub struct Schema {
    tables: Vec<&'static dyn Declared>,
    steps: Vec<Step>,
    shipped: Vec<ShippedData>,
    carried: Vec<PreservedOnRestore>,
    called_off: Vec<fn(&WriteTx) -> Result<()>>,
}

impl Schema {
    /// With what one part of the program declares.
    pub fn with(
        mut self,
        tables: &[&'static dyn Declared],
        migrations: &[Migration],
        shipped: &[ShippedData],
    ) -> Schema {
        self.tables.extend(tables);
        self.shipped.extend(shipped);
        self.with_steps(migrations.iter().map(|&Migration { to, name, title, needed, apply }| Step {
            to,
            name,
            title,
            work: Work::ChangeRows { needed, apply },
        }))
    }

    /// With what one part of the program derives anew.
    pub fn deriving(self, derivations: &[Derivation]) -> Schema {
        self.with_steps(derivations.iter().map(|derivation| derivation.0))
    }

    fn with_steps(mut self, steps: impl Iterator<Item = Step>) -> Schema {
        self.steps.extend(steps);
        self.steps.sort_by_key(Step::place);
        self
    }

    /// With what a restore does not take back.
    pub fn carrying(mut self, carried: &[PreservedOnRestore]) -> Schema {
        self.carried.extend(carried);
        self
    }

    /// With what ends what was under way in a state that is restored, and is not to go on there.
    pub fn calling_off(mut self, call_off: fn(&WriteTx) -> Result<()>) -> Schema {
        self.called_off.push(call_off);
        self
    }

    /// Ends what was under way in a state that is restored, and is not to go on there.
    pub fn call_off(&self, restored: &WriteTx) -> Result<()> {
        self.called_off.iter().try_for_each(|call_off| call_off(restored))
    }

    /// What a restore does not take back.
    pub fn carried(&self) -> impl Iterator<Item = PreservedOnRestore> {
        self.carried.iter().copied()
    }

    /// The store version that this program writes.
    pub fn version(&self) -> u32 {
        self.steps.iter().map(|step| step.to).max().unwrap_or(1)
    }

    /// The steps from earlier stores, in the order in which they are run.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// What people are told of the steps of these names.
    pub fn told(&self, names: &[String]) -> Vec<DoneStep> {
        let told = |name: &String| {
            let step = self.steps.iter().find(|step| step.name == name);
            let (ko, en) = step.map_or((name.as_str(), name.as_str()), |step| step.title);
            DoneStep { name: name.clone(), title_ko: ko.to_owned(), title_en: en.to_owned() }
        };
        names.iter().map(told).collect()
    }

    /// The data that ships with the program.
    pub fn shipped(&self) -> &[ShippedData] {
        &self.shipped
    }

    /// The tables, in the order in which they are declared.
    pub fn tables(&self) -> impl Iterator<Item = &'static dyn Declared> {
        self.tables.iter().copied()
    }

    /// The names of all tables and of what is derived from them, in the order in which they are declared.
    pub fn table_names(&self) -> Vec<&'static str> {
        self.tables().flat_map(|table| table.tables()).collect()
    }

    /// The tables from whose rows anything is derived.
    pub fn with_derived(&self) -> impl Iterator<Item = &'static dyn Declared> {
        self.tables.iter().copied().filter(|table| table.has_derived())
    }

    /// What is wrong with rows, indexes, counts and totals.
    pub fn flaws(&self, tx: &ReadTx) -> Result<IntegrityErrors> {
        self.tables.iter().try_fold(IntegrityErrors::default(), |flaws, table| Ok(flaws.and(table.flaws(tx)?)))
    }
}

//! What the tables of a program are: their declarations, the steps from earlier versions, and the data that ships with
//! the program. Each domain declares its own; the room at the top gathers them.

use super::indexed::Declared;
use super::transaction::{ReadTx, WriteTx};
use hanok_base::Result;

/// One step to a newer store.
#[derive(Clone, Copy)]
pub struct Migration {
    /// The store version that this step leads to, by which earlier programs refuse the store. Steps with the same one
    /// are run in the order of the domains. A step runs whatever version a store has, unless its name is noted there.
    pub to: u32,
    /// Its name: the domain, and what it does in a few words. No other step has it, and it stays for good: stores note it.
    pub name: &'static str,
    /// Whether there is anything to do.
    pub needed: fn(&ReadTx) -> Result<bool>,
    /// Does it, in one transaction.
    pub apply: fn(&WriteTx) -> Result<()>,
}

/// Data that ships with the program and goes into its tables, once with each of its revisions, whichever version of the
/// program and of the store brings it.
#[derive(Clone, Copy)]
pub struct ShippedData {
    /// Its name: the domain, and what it is in a few words. No other data has it, and it stays for good: stores note it.
    pub name: &'static str,
    /// Which state of the data this is; raised whenever the data change. A store that notes a later one keeps it.
    pub revision: u32,
    /// Puts in what is not there yet. Gives a sentence for the log when there was anything to do.
    pub put_in: fn(&WriteTx) -> Result<Option<String>>,
}

/// Everything that is declared of the tables of one program.
#[derive(Clone, Default)]
pub struct Schema {
    tables: Vec<&'static dyn Declared>,
    migrations: Vec<Migration>,
    shipped: Vec<ShippedData>,
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
        self.migrations.extend(migrations);
        self.migrations.sort_by_key(|step| step.to);
        self.shipped.extend(shipped);
        self
    }

    /// The store version that this program writes.
    pub fn version(&self) -> u32 {
        self.migrations.last().map_or(1, |step| step.to)
    }

    /// The steps from earlier stores, in the order in which they are run.
    pub fn migrations(&self) -> &[Migration] {
        &self.migrations
    }

    /// The data that ships with the program.
    pub fn shipped(&self) -> &[ShippedData] {
        &self.shipped
    }

    /// The names of all tables, in the order in which they are declared.
    pub fn table_names(&self) -> Vec<&'static str> {
        self.tables.iter().flat_map(|table| table.tables()).collect()
    }

    /// The tables from whose rows anything is derived.
    pub fn with_derived(&self) -> impl Iterator<Item = &'static dyn Declared> {
        self.tables.iter().copied().filter(|table| table.tables().len() > 1)
    }

    /// What is wrong with rows, indexes, counts and totals, one line each.
    pub fn flaws(&self, tx: &ReadTx) -> Result<Vec<String>> {
        let flaws: Result<Vec<_>> = self.tables.iter().map(|table| table.flaws(tx)).collect();
        Ok(flaws?.concat())
    }
}

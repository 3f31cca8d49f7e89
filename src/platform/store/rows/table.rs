//! Typed tables. A domain writes `const TODOS: Table<u64, Todo> = Table::new("todos-1");` with a
//! comment that says what the table, its key and its value are.

use std::marker::PhantomData;

use redb::TableDefinition;

/// A table with keys of `K` in order and JSON values of `V`. The version stands in the name.
pub struct Table<K: redb::Key + 'static, V> {
    name: &'static str,
    types: PhantomData<fn(K) -> V>,
}

impl<K: redb::Key + 'static, V> Table<K, V> {
    /// A table of this name, such as `todos-1`.
    pub const fn new(name: &'static str) -> Self {
        Table { name, types: PhantomData }
    }

    /// The name with its version.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    pub(in crate::store) fn definition(&self) -> TableDefinition<'static, K, &'static [u8]> {
        TableDefinition::new(self.name)
    }
}

/// What can be read as a table: a plain one, rows with indexes, an index. Only the first is written from outside; the
/// others are written by [`IndexedTable`](super::indexed::IndexedTable), so that none can be forgotten.
pub trait Stored {
    /// What the entries are sorted by.
    type Key: redb::Key + 'static;
    /// What stands under a key.
    type Value;

    /// The table in which it lies.
    fn stored(&self) -> &Table<Self::Key, Self::Value>;
}

/// A key of `T` as it is asked for and found.
pub type KeyOf<'k, T> = <<T as Stored>::Key as redb::Value>::SelfType<'k>;

impl<K: redb::Key + 'static, V> Stored for Table<K, V> {
    type Key = K;
    type Value = V;

    fn stored(&self) -> &Table<K, V> {
        self
    }
}

/// In which direction a range is walked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Smallest key first.
    Ascending,
    /// Largest key first.
    Descending,
}

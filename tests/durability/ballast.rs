//! A store of any size, made in a moment: rows that mean nothing, written directly.

use hanok::appliance::schema::schema;
use hanok::base::Clock;
use hanok::platform::events::Events;
use hanok::platform::store::open::Options;
use hanok::platform::store::{Store, Table};

use crate::installation::Installation;

const BALLAST: Table<u64, String> = Table::new("ladder_ballast-1");
/// So large that rows fill their pages: 32 KiB with what redb and JSON add.
const ROW_BYTES: usize = 32_000;

/// Puts so many mebibytes of rows into the store of an installation that nobody serves from.
pub fn seed(installation: &Installation, mebibytes: usize) {
    let options = Options { cache_bytes: 4 << 20, reserve_bytes: 0 };
    let (store, _) = Store::open(installation.data(), &options, schema(), Clock::system(), Events::default()).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let rows_in_a_mebibyte = (1 << 20) / (ROW_BYTES as u64 + 768);
    for mebibyte in 0..mebibytes as u64 {
        let mut numbers = mebibyte * rows_in_a_mebibyte..(mebibyte + 1) * rows_in_a_mebibyte;
        let rows = move |tx: &hanok::platform::store::WriteTx| {
            numbers.try_for_each(|number| tx.put(&BALLAST, number, &format!("{number:08}").repeat(ROW_BYTES / 8)))
        };
        runtime.block_on(store.write(rows)).unwrap();
    }
    runtime.block_on(store.close()).unwrap();
}

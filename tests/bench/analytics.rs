//! Ten million views in 90 days of a small shop, and as many in the 90 before: how soon the page of visits has its answer,
//! beside a plain walk over the same rows.

use chrono::Datelike;
use hanok::appliance::domains::default_settings;
use hanok::appliance::start::start;
use hanok::base::{Clock, Result, day};
use hanok::ops::lottery::LotterySettings;
use hanok::ops::market::MarketSettings;
use hanok::platform::store::{Order, ReadTransaction, Table, WriteTx};
use hanok::site::analytics::{Channel, Device, Period, report as answer};
use serde::{Deserialize, Serialize};

use crate::house::fresh_folder;
use crate::kernel::fastest;
use crate::report::{Goal, Report};

/// Tables of the product, as `src/site/analytics/store.rs` keeps them.
const DAYS: Table<u64, Day> = Table::new("analytics_days-1");
const COUNTS: Table<(u64, u64, &'static str), Counts> = Table::new("analytics_counts-1");
/// The numbers of the dimensions in the keys.
const CHANNEL: u64 = 0;
const DEVICE: u64 = 1;
const PAGE: u64 = 2;
const REFERRER: u64 = 3;

/// Days of the period; as many before stand beside them.
const PERIOD: u64 = 90;
const VIEWS: u64 = 10_000_000;
/// Different pages of a day, and different referrers.
const NAMES: usize = 60;
const TIMES: usize = 40;

#[derive(Serialize, Deserialize)]
struct Day {
    visitors: u64,
    views: u64,
    dropped: u64,
    pages: u32,
    referrers: u32,
}

#[derive(Serialize, Deserialize)]
struct Counts {
    views: u64,
    visitors: u64,
}

/// Measures the answer for 90 days.
pub fn run(report: &mut Report) {
    report.begin("Visits of 90 days, ten million views");
    let mut config = default_settings();
    config.data.dir = fresh_folder("analytics").join("data");
    config.ops.listen = "127.0.0.1:0".parse().unwrap();
    config.site.listen = "127.0.0.1:0".parse().unwrap();
    config.set(LotterySettings { sync: false, ..LotterySettings::default() });
    config.set(MarketSettings { sync: false, ..MarketSettings::default() });
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let house = runtime.block_on(start(config, Clock::system())).unwrap();
    let app = house.app();
    let today = u64::try_from(day::of(app.clock.now()).num_days_from_ce()).unwrap();
    let first = today + 1 - PERIOD;
    let store = &app.data.store;
    runtime.block_on(async { store.write(move |tx| fill(tx, first - PERIOD..=today)).await }).unwrap();

    let read = || runtime.block_on(answer(app, Period::Quarter)).unwrap();
    let walk = || runtime.block_on(async { store.read(move |tx| walked(tx, first, today)).await }).unwrap();
    let (said, (rows, _)) = (read(), walk());
    assert!(said.views.now >= VIEWS && said.views.before >= VIEWS, "{:?}", said.views);
    assert_eq!((said.pages.len(), said.referrers.len()), (10, 10));
    let (ours, bare) = (fastest(TIMES, read), fastest(TIMES, walk));
    report.line("a plain walk over the same rows", format!("{bare:.2} ms, {rows} rows"));
    report.goal("the answer for 90 days", ours, Goal::AtMost(10.0), "ms", String::new());
    report.goal("the answer against the walk", ours / bare, Goal::AtMost(2.0), "times", String::new());
    runtime.block_on(house.stop()).unwrap();
}

/// What is left of so many days.
fn fill(tx: &WriteTx, days: std::ops::RangeInclusive<u64>) -> Result<()> {
    let views = VIEWS.div_ceil(PERIOD);
    let names = NAMES as u32;
    let channels = Channel::ALL.map(|channel| channel.code().to_owned()).to_vec();
    let devices = Device::ALL.map(|device| device.code().to_owned()).to_vec();
    let pages = (0..NAMES).map(|number| format!("/account/page-{number}")).collect();
    let referrers = (0..NAMES).map(|number| format!("blog-{number}.example")).collect();
    let dimensions: [(u64, Vec<String>); 4] =
        [(CHANNEL, channels), (DEVICE, devices), (PAGE, pages), (REFERRER, referrers)];
    for day in days {
        let sums = Day { visitors: views / 3, views, dropped: 0, pages: names, referrers: names };
        tx.put(&DAYS, day, &sums)?;
        for (number, names) in &dimensions {
            for (place, name) in names.iter().enumerate() {
                // The one in place `n` comes up `1/n` as often as the first.
                let views = views / (place as u64 + 1);
                tx.put(&COUNTS, (day, *number, name.as_str()), &Counts { views, visitors: views / 3 })?;
            }
        }
    }
    Ok(())
}

/// How many rows the answer reads, and the sum of their views: referrers count in the period alone.
fn walked(tx: &impl ReadTransaction, first: u64, today: u64) -> Result<(u64, u64)> {
    let (mut rows, mut views) = (0, 0);
    for day in first - PERIOD..=today {
        let end = if day < first { REFERRER } else { REFERRER + 1 };
        for entry in tx.entries(&COUNTS, (day, 0, "")..(day, end, ""), Order::Ascending) {
            views += entry?.value()?.views;
            rows += 1;
        }
    }
    Ok((rows, views))
}

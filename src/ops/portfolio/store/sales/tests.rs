use proptest::prelude::*;
use tokio::runtime::Runtime;

use super::*;
use hanok_base::Clock;
use hanok_platform::events::Events;
use hanok_platform::store::{Schema, Store};

/// What somebody does with the sales.
#[derive(Debug, Clone)]
enum Step {
    Add { broker: u8, days_ago: u16, quantity: u32, sell: u32, cost: u32, abroad: bool },
    Change { which: usize, broker: u8, days_ago: u16, sell: u32 },
    Remove { which: usize },
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0u8..3, 0u16..800, 1u32..1000, 0u32..100_000, 0u32..100_000, any::<bool>()).prop_map(
            |(broker, days_ago, quantity, sell, cost, abroad)| Step::Add { broker, days_ago, quantity, sell, cost, abroad }
        ),
        2 => (any::<usize>(), 0u8..3, 0u16..800, 0u32..100_000)
            .prop_map(|(which, broker, days_ago, sell)| Step::Change { which, broker, days_ago, sell }),
        1 => any::<usize>().prop_map(|which| Step::Remove { which }),
    ]
}

fn amount(number: u32) -> Amount {
    Amount::new(number.into()).unwrap()
}

fn name(broker: u8) -> String {
    ["가 증권", "A/B", "나"][usize::from(broker)].to_owned()
}

fn take(tx: &WriteTx, step: &Step) -> Result<()> {
    let day = |ago: u16| day::of(tx.now()) - Days::new(ago.into());
    let ids: Vec<u64> = SALES.walk(tx).map(|sale| sale.map(|sale| sale.id)).collect::<Result<_>>()?;
    let find = |which: usize| ids.get(which.checked_rem(ids.len()).unwrap_or(0)).copied();
    match *step {
        Step::Add { broker, days_ago, quantity, sell, cost, abroad } => {
            let currency = if abroad { Currency::USD } else { Currency::KRW };
            // Some abroad have a rate, the others none.
            let fx_rate = Some(amount(1_391)).filter(|_| sell % 2 == 0);
            add(
                tx,
                NewSale {
                    broker: name(broker),
                    symbol: "AAPL".to_owned(),
                    quantity: amount(quantity),
                    sell_price: amount(sell),
                    avg_cost: amount(cost),
                    fees: amount(sell / 100),
                    tax: amount(sell / 200),
                    name: None,
                    market: None,
                    currency: Some(currency),
                    fx_rate,
                    cost_fx_rate: None,
                    sold_at: Some(day(days_ago)),
                    note: String::new(),
                },
            )
            .map(drop)
        }
        Step::Change { which, broker, days_ago, sell } => {
            let Some(id) = find(which) else { return Ok(()) };
            let mut sale = tx.get(&SALES, id)?.unwrap();
            (sale.broker, sale.sold_at, sale.sell_price) = (name(broker), day(days_ago), amount(sell));
            write(tx, sale).map(drop)
        }
        Step::Remove { which } => find(which).map_or(Ok(()), |id| remove(tx, id)),
    }
}

/// What every sale that passes comes to, one by one.
fn counted(all: &[SellRecord], passes: impl Fn(&SellRecord) -> bool) -> (i64, i64, i64, i64, u64, bool) {
    let won = |sum: Option<Krw>| sum.map_or(0, Krw::get);
    let passing: Vec<_> = all.iter().filter(|sale| passes(sale)).collect();
    let sum = |of: fn(&SellRecord) -> Option<Krw>| passing.iter().map(|sale| won(of(sale))).sum();
    (
        sum(|sale| sale.profit_krw),
        sum(|sale| sale.proceeds_krw),
        sum(|sale| sale.fees_krw),
        sum(|sale| sale.tax_krw),
        passing.len() as u64,
        passing.iter().any(|sale| sale.profit_krw.is_none()),
    )
}

fn said(totals: &SaleTotals) -> (i64, i64, i64, i64, u64, bool) {
    let totals = totals.said();
    let won = |sum: Option<Krw>| sum.map_or(i64::MIN, Krw::get);
    (
        won(totals.profit_krw),
        won(totals.proceeds_krw),
        won(totals.fees_krw),
        won(totals.tax_krw),
        totals.count,
        totals.partial,
    )
}

proptest! {
    #[test]
    fn whatever_was_added_changed_and_removed_every_total_is_the_sum_of_its_sales(
        steps in prop::collection::vec(step(), 1..40),
        days in 1u64..800,
    ) {
        let runtime = Runtime::new().unwrap();
        let _inside = runtime.enter();
        let store = Store::memory(Clock::fixed("2026-10-10T12:30:00Z".parse().unwrap()), Events::default()).unwrap();
        for step in steps {
            runtime.block_on(store.write(move |tx| take(tx, &step))).unwrap();
        }
        let check = |tx: &hanok_platform::store::ReadTx| {
            let all: Vec<SellRecord> = SALES.walk(tx).collect::<Result<_>>()?;
            let first = day::of(tx.now()) - Days::new(days - 1);
            let whole = Page { limit: 500, offset: 0 };
            for broker in [None, Some(name(0)), Some(name(1)), Some(name(2))] {
                for days in [None, Some(days)] {
                    let passes = |sale: &SellRecord| {
                        broker.as_ref().is_none_or(|broker| *broker == sale.broker)
                            && (days.is_none() || sale.sold_at >= first)
                    };
                    let (listed, totals) = list(tx, &Filter { broker: broker.clone(), days }, whole)?;
                    assert_eq!(said(&totals), counted(&all, passes));
                    assert_eq!(listed.len() as u64, totals.count);
                    assert!(listed.iter().all(passes) && listed.is_sorted_by(|one, next| one.sold_at >= next.sold_at));
                }
            }
            let ProfitReport { months, years, total_krw: total } = profit(tx)?;
            for period in months.iter().chain(&years) {
                let is_in = |sale: &SellRecord| match &period.month {
                    Some(month) => sale.sold_at.to_string().starts_with(month),
                    None => u64::try_from(sale.sold_at.year()) == Ok(period.year),
                };
                let (profit, .., count, _) = counted(&all, is_in);
                assert_eq!((period.profit_krw.map(Krw::get), period.count), (Some(profit), count));
            }
            assert_eq!(total.map(Krw::get), Some(counted(&all, |_| true).0));
            assert_eq!(months.iter().map(|period| period.count).sum::<u64>(), all.len() as u64);
            Ok(Schema::default().with(super::super::TABLES, &[], &[]).flaws(tx)?.all().len())
        };
        prop_assert_eq!(store.read_now(check).unwrap(), 0);
    }
}

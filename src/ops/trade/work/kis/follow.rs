//! What has become of the orders that the broker has.

use chrono::{DateTime, Duration, NaiveDate, Utc};
use hanok_base::{Message, MessageTemplate, Result};
use hanok_calc::exchange::session;
use hanok_platform::app::App;
use hanok_platform::events::Change;
use hanok_platform::jobs::{Job, Lane, Progress, Timely};
use hanok_platform::store::{ReadTransaction, WriteTx};
use serde::{Deserialize, Serialize};
use tracing::warn;

use super::super::super::model::{Broker, Order, OrderStatus};
use super::super::super::store;
use super::Kis;
use super::answers::BrokerOrder;

const SESSION_ENDED: MessageTemplate =
    MessageTemplate::new("trade.session_over", "the session has ended before all of it could be done");

/// Asks the broker what has become of the open orders.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct FollowOrders {}

impl Job for FollowOrders {
    const KIND: &'static str = "trade_follow_orders";
    const TITLE: (&'static str, &'static str) = ("증권사 체결 확인", "Ask the broker about orders");
    const LANE: Lane = Lane::Outside;
    const UNIQUE: bool = true;

    async fn run(self, app: App, _progress: Progress) -> Result<()> {
        let open = app.data.store.read(|tx| open(tx)).await?;
        let mut days: Vec<NaiveDate> = open.iter().map(|order| order.session).collect();
        days.sort_unstable();
        days.dedup();
        if days.is_empty() {
            return Ok(());
        }
        let kis = Kis::of(&app)?;
        for day in days {
            let listed = kis.orders_of(&app, day).await?;
            let ids: Vec<u64> = open.iter().filter(|order| order.session == day).map(|order| order.id).collect();
            app.data.store.write(move |tx| take(tx, &ids, &listed)).await?;
        }
        Ok(())
    }
}

impl Timely for FollowOrders {
    const ON: Change = store::CHANGED;
    const PAUSE: Duration = Duration::minutes(2);

    fn next(tx: &impl ReadTransaction) -> Result<Option<DateTime<Utc>>> {
        let begins = |order: &Order| session(order.session).map_or(order.created_at, |session| session.opens);
        Ok(open(tx)?.iter().map(begins).min())
    }
}

/// The open orders that the broker has numbered.
fn open(tx: &impl ReadTransaction) -> Result<Vec<Order>> {
    let orders = store::open(tx)?.into_iter();
    Ok(orders.filter(|order| order.broker == Broker::Kis && order.broker_order.is_some()).collect())
}

/// Writes down what the broker's list says of these orders.
fn take(tx: &WriteTx, ids: &[u64], listed: &[BrokerOrder]) -> Result<()> {
    for id in ids {
        let order = store::find(tx, *id)?;
        let numbered = listed.iter().filter(|row| order.broker_order.as_deref() == Some(row.number.as_str()));
        let (fitting, others): (Vec<&BrokerOrder>, Vec<&BrokerOrder>) = numbered.partition(|row| row.is_of(&order));
        if !others.is_empty() {
            warn!(order = order.id, rows = others.len(), "the broker lists another order under its number");
        }
        let row = fitting.first().copied();
        let changed = match row {
            Some(row) => after(&order, row, tx.now()),
            // What the list of a session that is over does not have is not open any more.
            None if is_over(&order, tx.now()) && order.status.is_open() => {
                Some(order.at(OrderStatus::Expired, tx.now(), Some(SESSION_ENDED.into())))
            }
            None => None,
        };
        if let Some(changed) = changed {
            store::put(tx, &changed)?;
        }
    }
    Ok(())
}

fn is_over(order: &Order, now: DateTime<Utc>) -> bool {
    session(order.session).is_none_or(|session| now >= session.closes)
}

/// `order` as the broker's list has it; none when that says nothing new.
fn after(order: &Order, row: &BrokerOrder, now: DateTime<Utc>) -> Option<Order> {
    if !matches!(order.status, OrderStatus::Open | OrderStatus::PartiallyFilled) {
        return None;
    }
    let status = if row.filled >= order.quantity {
        OrderStatus::Filled
    } else if row.cancelled {
        OrderStatus::Cancelled
    } else if is_over(order, now) {
        OrderStatus::Expired
    } else if row.filled > 0 {
        OrderStatus::PartiallyFilled
    } else {
        OrderStatus::Open
    };
    if status == order.status && row.filled == order.filled_quantity {
        return None;
    }
    let reason = (status == OrderStatus::Expired).then(|| Message::from(SESSION_ENDED));
    let cancelling = order.cancelling && status.is_open();
    let changed = order.clone().at(status, now, reason);
    Some(Order { filled_quantity: row.filled, average_price: row.average, cancelling, ..changed })
}

#[cfg(test)]
mod tests {
    use hanok_base::{Krw, Request};
    use serde_json::json;

    use super::super::super::super::model::{NewOrder, Side};
    use super::super::answers;
    use super::*;

    fn order() -> Order {
        let body = json!({"symbol": "005930", "side": "buy", "quantity": 10, "price": 71_200});
        let new = NewOrder::check(serde_json::from_value(body).unwrap()).unwrap();
        let now = DateTime::parse_from_rfc3339("2026-10-12T10:00:00+09:00").unwrap().to_utc();
        Order { session: hanok_base::day::of(now), ..Order::new(1, &new, Krw::new(71_200), now) }
    }

    fn row(filled: &str, left: &str, cancelled: &str) -> BrokerOrder {
        let row = json!({"odno": "1", "pdno": "005930", "sll_buy_dvsn_cd": "02", "ord_qty": "10", "ord_tmd": "100002",
            "tot_ccld_qty": filled, "avg_prvs": "71150.0000", "rmn_qty": left, "cncl_yn": cancelled});
        answers::listed(&json!({"output1": [row, {}]})).remove(0)
    }

    #[test]
    fn an_order_becomes_what_the_list_of_the_broker_says() {
        let during = DateTime::parse_from_rfc3339("2026-10-12T11:00:00+09:00").unwrap().to_utc();
        let closed = DateTime::parse_from_rfc3339("2026-10-12T15:30:00+09:00").unwrap().to_utc();
        let status =
            |row: &BrokerOrder, now| after(&order(), row, now).map(|order| (order.status, order.filled_quantity));
        assert_eq!(status(&row("0", "10", "N"), during), None);
        assert_eq!(status(&row("4", "6", "N"), during), Some((OrderStatus::PartiallyFilled, 4)));
        assert_eq!(status(&row("10", "0", "N"), during), Some((OrderStatus::Filled, 10)));
        assert_eq!(status(&row("4", "0", "Y"), during), Some((OrderStatus::Cancelled, 4)));
        assert_eq!(status(&row("4", "6", "N"), closed), Some((OrderStatus::Expired, 4)));
        assert_eq!(after(&order(), &row("10", "0", "N"), during).unwrap().average_price, Krw::new(71_150));
    }

    #[test]
    fn an_order_that_was_not_answered_is_known_by_what_it_says_and_when_it_was_sent() {
        let order = order();
        let sent = DateTime::parse_from_rfc3339("2026-10-12T10:00:03+09:00").unwrap().to_utc();
        let later = sent + Duration::minutes(1);
        let listed = [row("0", "10", "N")];
        assert!(answers::matching(&listed, &order, sent, &[]).is_some());
        assert!(answers::matching(&listed, &order, later, &[]).is_none());
        assert!(answers::matching(&listed, &order, sent, &["1".to_owned()]).is_none());
        let another = Order { quantity: 9, ..order };
        assert!(answers::matching(&listed, &another, sent, &[]).is_none());
    }

    #[test]
    fn a_row_is_of_an_order_only_where_it_says_the_same_and_no_less_was_done_than_before() {
        let known = Order { filled_quantity: 4, ..order() };
        assert!(row("4", "6", "N").is_of(&known) && row("10", "0", "N").is_of(&known));
        assert!(!row("3", "7", "N").is_of(&known) && !row("9999", "0", "N").is_of(&known));
        let other = |row: BrokerOrder| !row.is_of(&known);
        assert!(other(BrokerOrder { symbol: "000660".to_owned(), ..row("4", "6", "N") }));
        assert!(other(BrokerOrder { side: Side::Sell, ..row("4", "6", "N") }));
        assert!(other(BrokerOrder { quantity: 9, ..row("4", "5", "N") }));
    }
}

//! An order, from its request to its end.

use chrono::{DateTime, NaiveDate, Utc};
use hanok_base::error::{Check, Code};
use hanok_base::message::LocalizedMessage;
use hanok_base::page::Listed;
use hanok_base::schema::ToSchema;
use hanok_base::validated::{IntRange, KrwRange};
use hanok_base::{Error, Kind, Krw, Message, MessageTemplate, Request, Result, validation_messages};
use hanok_calc::exchange::Market;
use serde::{Deserialize, Serialize};

use crate::market::{MarketName, Symbol};

/// The household has stopped trading.
pub const TRADING_STOPPED: Code = Code::new("TRADING_STOPPED", Kind::Conflict);
/// An order at a real broker has to be confirmed.
pub const CONFIRMATION_REQUIRED: Code = Code::new("CONFIRMATION_REQUIRED", Kind::Conflict);
/// The order is not open any more.
pub const NOT_OPEN: Code = Code::new("ORDER_NOT_OPEN", Kind::Conflict);
/// More orders are open than can be kept.
pub const TOO_MANY_ORDERS: Code = Code::new("TOO_MANY_ORDERS", Kind::Conflict);

const TOO_MANY: MessageTemplate =
    MessageTemplate::new("trade.too_many_orders", "{most} orders are open, which is the most: cancel one first");
const ENDED: MessageTemplate = MessageTemplate::new("trade.order_ended", "this order is not open any more");
const NO_PRICE_FOR_MARKET: MessageTemplate =
    MessageTemplate::new("trade.must.no_price", "must be left out of a market order");

/// Open orders of the paper broker at most.
const MOST_OPEN: u64 = 200;
/// The most won that a share may be ordered at.
const HIGHEST_PRICE: u64 = 1_000_000_000;
/// The most shares of one order.
const MOST_SHARES: u64 = 100_000_000;
/// The most won that a paper account begins with.
const MOST_CASH: u64 = 1_000_000_000_000;

/// Whether money is at stake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// None: the paper broker of the house, or the test server of a real one.
    Paper,
    /// Real money.
    Real,
}

/// Who takes orders.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Broker {
    /// The paper broker of the house.
    #[default]
    Paper,
    /// Korea Investment & Securities.
    Kis,
}

/// Which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Shares for cash.
    Buy,
    /// Cash for shares.
    Sell,
}

/// At what price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum OrderType {
    /// At the price that is named, or a better one.
    Limit,
    /// At whatever price there is.
    Market,
}

/// Where an order stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OrderStatus {
    /// It is on its way to the broker.
    Sending,
    /// The broker has it.
    Open,
    /// Part of it was done, and the rest is open.
    PartiallyFilled,
    /// All of it was done.
    Filled,
    /// Somebody has cancelled it, or what was left of it.
    Cancelled,
    /// The broker has refused it.
    Rejected,
    /// Its session has ended before all of it was done.
    Expired,
    /// It may have reached the broker: it is looked up, never sent again.
    Unknown,
}

impl OrderStatus {
    /// Every one, in the order of their numbers.
    pub const ALL: [OrderStatus; 8] = [
        OrderStatus::Sending,
        OrderStatus::Open,
        OrderStatus::PartiallyFilled,
        OrderStatus::Filled,
        OrderStatus::Cancelled,
        OrderStatus::Rejected,
        OrderStatus::Expired,
        OrderStatus::Unknown,
    ];

    /// As a number by which it is found.
    pub fn number(self) -> u64 {
        OrderStatus::ALL.iter().position(|status| *status == self).unwrap_or_default() as u64
    }

    /// Whether something of it may still be done.
    pub fn is_open(self) -> bool {
        matches!(self, OrderStatus::Sending | OrderStatus::Open | OrderStatus::PartiallyFilled | OrderStatus::Unknown)
    }
}

/// An order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Order {
    /// Ever increasing, never reused.
    pub id: u64,
    /// Whether money is at stake.
    pub mode: Mode,
    /// Who has it.
    pub broker: Broker,
    /// What is bought or sold.
    pub symbol: String,
    /// Where it is listed.
    pub market: Market,
    /// What it is called.
    pub name: String,
    /// Which way.
    pub side: Side,
    /// At what price.
    pub order_type: OrderType,
    /// How many shares.
    pub quantity: u64,
    /// Won for one; null for a market order.
    pub price: Option<Krw>,
    /// Where it stands.
    pub status: OrderStatus,
    /// How many shares were bought or sold.
    pub filled_quantity: u64,
    /// Won for one of them on average; null while there are none.
    pub average_price: Option<Krw>,
    /// Won that the broker has taken. A real broker's are not known here and 0.
    pub fees: Krw,
    /// Won of tax on the sale. A real broker's are not known here and 0.
    pub tax: Krw,
    /// Won that are held back for it while it is open.
    pub reserved: Krw,
    /// The day of the session that it takes part in.
    pub session: NaiveDate,
    /// When it was given.
    pub created_at: DateTime<Utc>,
    /// When it changed last.
    pub updated_at: DateTime<Utc>,
    /// Why it stands as it does, where there is something to say.
    pub reason: Option<String>,
    /// How a browser says `reason` in its language.
    pub localized: Option<LocalizedMessage>,
    /// The number that a real broker has given it.
    pub broker_order: Option<String>,
    /// The branch of a real broker that keeps it.
    pub broker_branch: Option<String>,
    /// Whether its cancellation is on its way to a real broker.
    pub cancelling: bool,
}

impl Listed for Order {
    const PLURAL: &'static str = "orders";
}

/// An order to be given.
#[derive(Debug, Clone, Request)]
pub struct NewOrder {
    /// What is bought or sold, such as `005930`.
    #[field(Symbol)]
    pub symbol: String,
    /// Where it is listed; needed for what the shipped list does not know, such as a fund.
    #[field(MarketName)]
    pub market: Option<Market>,
    /// Which way.
    pub side: Side,
    /// How many shares.
    #[field(IntRange<1, MOST_SHARES>)]
    pub quantity: u64,
    /// Won for one, on a tick; left out of a market order.
    #[field(IntRange<1, HIGHEST_PRICE>)]
    pub price: Option<u64>,
    /// At what price; left out it is `limit` with a price and `market` without.
    pub order_type: Option<OrderType>,
    /// True gives it to a real broker.
    pub confirm: Option<bool>,
}

impl NewOrder {
    /// At what price it is meant.
    pub fn kind(&self) -> OrderType {
        self.order_type.unwrap_or(if self.price.is_some() { OrderType::Limit } else { OrderType::Market })
    }

    /// Won for one of a limit order, none of a market order.
    ///
    /// # Errors
    /// `INVALID_INPUT` naming `price` where the two do not go together.
    pub fn limit(&self) -> Result<Option<Krw>> {
        let price = self.price.and_then(|price| Krw::new(i64::try_from(price).ok()?));
        Check::of(|check| match self.kind() {
            OrderType::Limit => {
                check.require(price.is_some(), "price", validation_messages::PRESENT);
                price
            }
            OrderType::Market => {
                check.require(price.is_none(), "price", NO_PRICE_FOR_MARKET);
                None
            }
        })
    }
}

/// Stops trading, or lets it go on.
#[derive(Debug, Request)]
pub struct StopChange {
    /// True refuses every new order from now on.
    pub stopped: bool,
}

/// A paper account that begins anew.
#[derive(Debug, Request)]
pub struct NewAccount {
    /// Won that it begins with.
    #[field(KrwRange<MOST_CASH>)]
    pub cash: u64,
}

impl Order {
    /// The order that `new` asks for at `now`, open at the paper broker; where it is listed is not known yet.
    pub fn new(id: u64, new: &NewOrder, limit: Option<Krw>, now: DateTime<Utc>) -> Order {
        Order {
            id,
            mode: Mode::Paper,
            broker: Broker::Paper,
            symbol: new.symbol.clone(),
            market: new.market.unwrap_or(Market::Other),
            name: new.symbol.clone(),
            side: new.side,
            order_type: new.kind(),
            quantity: new.quantity,
            price: limit,
            status: OrderStatus::Open,
            filled_quantity: 0,
            average_price: None,
            fees: Krw::ZERO,
            tax: Krw::ZERO,
            reserved: Krw::ZERO,
            session: hanok_base::day::of(now),
            created_at: now,
            updated_at: now,
            reason: None,
            localized: None,
            broker_order: None,
            broker_branch: None,
            cancelling: false,
        }
    }

    /// It at `now` as `status`, with what there is to say; nothing is held back for it once it has ended.
    pub fn at(self, status: OrderStatus, now: DateTime<Utc>, reason: Option<Message>) -> Order {
        let (reason, localized) = reason.map(Message::into_parts).unzip();
        let reserved = if status.is_open() { self.reserved } else { Krw::ZERO };
        Order { status, reason, localized: localized.flatten(), reserved, updated_at: now, ..self }
    }

    /// That it is open.
    ///
    /// # Errors
    /// `ORDER_NOT_OPEN`.
    pub fn must_be_open(&self) -> Result<()> {
        if matches!(self.status, OrderStatus::Open | OrderStatus::PartiallyFilled) {
            return Ok(());
        }
        Err(Error::of(NOT_OPEN, ENDED))
    }
}

/// That one more can be open beside so many orders.
///
/// # Errors
/// `TOO_MANY_ORDERS`.
pub fn few_enough(open: u64) -> Result<()> {
    if open < MOST_OPEN {
        return Ok(());
    }
    Err(Error::of(TOO_MANY_ORDERS, TOO_MANY.with([("most", MOST_OPEN.into())])))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn sent(body: serde_json::Value) -> Result<NewOrder> {
        NewOrder::check(serde_json::from_value(body).unwrap())
    }

    #[test]
    fn the_kind_of_an_order_follows_from_its_price_and_must_go_with_it() {
        let order = |more: serde_json::Value| {
            let mut body = json!({"symbol": "005930", "side": "buy", "quantity": 3});
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            sent(body).unwrap()
        };
        assert_eq!(order(json!({"price": 71_200})).kind(), OrderType::Limit);
        assert_eq!(order(json!({"price": 71_200})).limit().unwrap(), Krw::new(71_200));
        assert_eq!(order(json!({})).limit().unwrap(), None);
        let refused = |more| order(more).limit().unwrap_err().fields.contains_key("price");
        assert!(refused(json!({"order_type": "limit"})) && refused(json!({"order_type": "market", "price": 1})));
    }

    #[test]
    fn beside_200_open_orders_there_is_room_for_no_other() {
        assert!(few_enough(199).is_ok());
        assert_eq!(few_enough(200).unwrap_err().code(), "TOO_MANY_ORDERS");
    }

    #[test]
    fn each_status_has_a_number_of_its_own() {
        let numbers = OrderStatus::ALL.map(OrderStatus::number);
        assert_eq!(numbers, [0, 1, 2, 3, 4, 5, 6, 7]);
    }
}

//! What may be ordered, as the exchange, its calendar and the known price have it.

use chrono::{DateTime, NaiveDate, Utc};
use hanok_base::error::{Check, Code};
use hanok_base::message::LocalizedMessage;
use hanok_base::schema::ToSchema;
use hanok_base::{Error, Kind, Krw, Message, MessageTemplate, Result, validation_messages};
use hanok_calc::exchange::{Market, PriceLimits, Session, is_provisional, tick_size};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::account::{Costs, Trade};
use super::order::{Broker, Mode, NewOrder, OrderType, Side};

/// The order would cost more than there is.
pub const ORDER_LACKS_CASH: Code = Code::new("ORDER_LACKS_CASH", Kind::Conflict);
/// More is to be sold than is held.
pub const ORDER_LACKS_SHARES: Code = Code::new("ORDER_LACKS_SHARES", Kind::Conflict);
/// There is no price to reckon with.
pub const ORDER_LACKS_PRICE: Code = Code::new("ORDER_LACKS_PRICE", Kind::Conflict);

const TICK: MessageTemplate =
    MessageTemplate::new("trade.must.on_tick", "must be a multiple of {tick} won, such as {lower} or {upper}");
const LIMITS: MessageTemplate =
    MessageTemplate::new("trade.must.within_limits", "must be between today's limits of {lower} and {upper} won");
const LACKS_CASH: MessageTemplate =
    MessageTemplate::new("trade.lacks_cash", "this costs {cost} won with fees, and {cash} won can be ordered with");
const LACKS_SHARES: MessageTemplate = MessageTemplate::new(
    "trade.lacks_shares",
    "{available} shares can be sold; the others are not there, or in open orders",
);
const LACKS_PRICE: MessageTemplate = MessageTemplate::new(
    "trade.lacks_price",
    "no price of {name} is known: write one down on the market page, or give a limit order",
);
const OLD_PRICE: MessageTemplate = MessageTemplate::new(
    "trade.old_price",
    "the known price of {name} is old, of {day}: write one down on the market page, or give a limit order",
);
const WAITS: MessageTemplate =
    MessageTemplate::new("trade.waits", "the exchange is closed: the order waits for the session of {day}");
const PROVISIONAL: MessageTemplate = MessageTemplate::new(
    "trade.provisional",
    "the closed days of {year} are provisional here: the exchange may be closed on {day}",
);
const STALE: MessageTemplate = MessageTemplate::new("trade.stale_price", "the known price is old: it is of {day}");

/// A price in whole won.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownPrice {
    /// Won for one.
    pub won: i64,
    /// When it was that.
    pub as_of: DateTime<Utc>,
    /// Whether a newer one should be here.
    pub stale: bool,
}

/// What is known of what is to be ordered.
#[derive(Debug, Clone)]
pub struct Terms {
    /// What it is called.
    pub name: String,
    /// Where it is listed.
    pub market: Market,
    /// The price now.
    pub price: Option<KnownPrice>,
    /// Between which prices an order may be, where that is known.
    pub limits: Option<PriceLimits>,
    /// The session that an order takes part in.
    pub session: Session,
    /// This instant.
    pub now: DateTime<Utc>,
    /// The broker's fee in percent.
    pub fee_percent: Decimal,
}

/// Something to know before an order is given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Warning {
    /// In English.
    pub message: String,
    /// How a browser says it in its language.
    pub localized: Option<LocalizedMessage>,
}

impl From<Message> for Warning {
    fn from(said: Message) -> Warning {
        let (message, localized) = said.into_parts();
        Warning { message, localized }
    }
}

/// What an order would come to, in won. Nothing is kept of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Preview {
    /// Whether money is at stake: an order for real money has to be confirmed.
    pub mode: Mode,
    /// Who would take it.
    pub broker: Broker,
    /// What it is called.
    pub name: String,
    /// Where it is listed.
    pub market: Market,
    /// The known price; null where none is.
    pub current_price: Option<Krw>,
    /// Price times quantity; null where no price is known.
    pub amount: Option<Krw>,
    /// The broker's fee.
    pub fees: Option<Krw>,
    /// The tax of a sale.
    pub tax: Option<Krw>,
    /// What is paid, or what is received.
    pub total: Option<Krw>,
    /// Won that can be ordered with; null where the broker was not asked.
    pub orderable_cash: Option<Krw>,
    /// How many shares of it can be sold; null where the broker was not asked.
    pub available: Option<u64>,
    /// The step between two prices of an order.
    pub tick: i64,
    /// The highest price of the session; null where it is not known.
    pub upper_limit: Option<Krw>,
    /// The lowest.
    pub lower_limit: Option<Krw>,
    /// The day of the session that the order takes part in.
    pub session: NaiveDate,
    /// Whether that session is on.
    pub is_open: bool,
    /// What is to be known before it is given.
    pub warnings: Vec<Warning>,
}

impl Preview {
    /// It with what is to be known before all else.
    pub fn warning_first(mut self, first: Option<Message>) -> Preview {
        self.warnings.splice(0..0, first.map(Warning::from));
        self
    }
}

impl Terms {
    /// The price of a limit order, checked; none for a market order.
    ///
    /// # Errors
    /// `INVALID_INPUT` for a price that goes with no such order, lies on no tick, or is beyond the limits of the day.
    pub fn check(&self, new: &NewOrder) -> Result<Option<Krw>> {
        let Some(limit) = new.limit()? else { return Ok(None) };
        let (price, tick) = (limit.get(), tick_size(self.market, limit.get()));
        let below = price - price % tick;
        let on_tick = TICK.with([("tick", said(tick)), ("lower", said(below)), ("upper", said(below + tick))]);
        Check::of(|check| {
            check.require(price % tick == 0, "price", on_tick);
            if let Some(PriceLimits { lower, upper }) = self.limits {
                let within = LIMITS.with([("lower", said(lower)), ("upper", said(upper))]);
                check.require((lower..=upper).contains(&price), "price", within);
            }
            Some(limit)
        })
    }

    /// What the order would come to: at its limit, or at the known price; a market order that waits is reckoned at the highest
    /// price that it may be done at.
    ///
    /// # Errors
    /// `ORDER_LACKS_PRICE` for a market order without a known price; `INVALID_INPUT` where it is too much to reckon with.
    pub fn estimate(&self, new: &NewOrder, limit: Option<Krw>) -> Result<Costs> {
        let highest = self.limits.filter(|_| new.side == Side::Buy && !self.is_on()).map(|limits| limits.upper);
        let known = self.price.map(|price| highest.unwrap_or(price.won).max(price.won));
        let price = limit.map(Krw::get).or(known).ok_or_else(|| self.no_price())?;
        let too_much = || Error::field("quantity", validation_messages::SMALLER);
        self.trade(new.side, new.quantity, price).costs().ok_or_else(too_much)
    }

    /// The trade of so many at this price in the session.
    pub fn trade(&self, side: Side, quantity: u64, price: i64) -> Trade {
        let (market, day, fee_percent) = (self.market, self.session.day, self.fee_percent);
        Trade { market, side, quantity, price, day, fee_percent }
    }

    /// Whether the session is on.
    pub fn is_on(&self) -> bool {
        self.session.is_on(self.now)
    }

    /// That there is no price to reckon with.
    pub fn no_price(&self) -> Error {
        Error::of(ORDER_LACKS_PRICE, LACKS_PRICE.with([("name", self.name.as_str().into())]))
    }

    /// That a market order is done at no old price while the session is on.
    ///
    /// # Errors
    /// `ORDER_LACKS_PRICE`.
    pub fn must_be_new(&self, new: &NewOrder) -> Result<()> {
        match self.price.filter(|price| price.stale && self.is_on() && new.kind() == OrderType::Market) {
            None => Ok(()),
            Some(price) => {
                let day = hanok_base::day::of(price.as_of).to_string();
                Err(Error::of(
                    ORDER_LACKS_PRICE,
                    OLD_PRICE.with([("name", self.name.as_str().into()), ("day", day.into())]),
                ))
            }
        }
    }

    /// What is to be known before it is ordered.
    fn warnings(&self) -> Vec<Message> {
        let day = || ("day", self.session.day.to_string().into());
        let mut warnings = Vec::new();
        if !self.is_on() {
            warnings.push(WAITS.with([day()]));
        }
        if is_provisional(self.session.day) {
            let year = self.session.day.format("%Y").to_string();
            warnings.push(PROVISIONAL.with([("year", year.into()), day()]));
        }
        if let Some(price) = self.price.filter(|price| price.stale) {
            let of = hanok_base::day::of(price.as_of);
            warnings.push(STALE.with([("day", of.to_string().into())]));
        }
        warnings
    }

    /// The preview of an order to an account that has so much cash and so many shares for it, where that is known.
    ///
    /// # Errors
    /// `INVALID_INPUT` as [`Terms::check`] and [`Terms::estimate`].
    pub fn preview(
        &self,
        (mode, broker): (Mode, Broker),
        new: &NewOrder,
        cash: Option<Krw>,
        available: Option<u64>,
    ) -> Result<Preview> {
        let limit = self.check(new)?;
        let mut warnings = self.warnings();
        let costs = match self.estimate(new, limit) {
            Ok(costs) => Some(costs),
            Err(error) if error.fields.is_empty() => {
                warnings.push(error.message);
                None
            }
            Err(error) => return Err(error),
        };
        let lacks = match new.side {
            Side::Buy => costs.zip(cash).and_then(|(costs, cash)| enough_cash(costs, cash).err()),
            Side::Sell => available.and_then(|available| enough_shares(new.quantity, available).err()),
        };
        warnings.extend(lacks.map(|error| error.message));
        let at = limit.or(self.price.and_then(|price| Krw::new(price.won)));
        Ok(Preview {
            mode,
            broker,
            name: self.name.clone(),
            market: self.market,
            current_price: self.price.and_then(|price| Krw::new(price.won)),
            amount: costs.map(|costs| costs.amount),
            fees: costs.map(|costs| costs.fees),
            tax: costs.map(|costs| costs.tax),
            total: costs.map(|costs| costs.total),
            orderable_cash: cash,
            available,
            tick: tick_size(self.market, at.unwrap_or_default().get()),
            upper_limit: self.limits.and_then(|limits| Krw::new(limits.upper)),
            lower_limit: self.limits.and_then(|limits| Krw::new(limits.lower)),
            session: self.session.day,
            is_open: self.is_on(),
            warnings: warnings.into_iter().map(Warning::from).collect(),
        })
    }
}

/// That an order of this cost can be paid.
///
/// # Errors
/// `ORDER_LACKS_CASH`.
pub fn enough_cash(costs: Costs, cash: Krw) -> Result<()> {
    if costs.total <= cash {
        return Ok(());
    }
    Err(Error::of(ORDER_LACKS_CASH, LACKS_CASH.with([("cost", said(costs.total.get())), ("cash", said(cash.get()))])))
}

/// That so many can be sold.
///
/// # Errors
/// `ORDER_LACKS_SHARES`.
pub fn enough_shares(quantity: u64, available: u64) -> Result<()> {
    if quantity <= available {
        return Ok(());
    }
    Err(Error::of(ORDER_LACKS_SHARES, LACKS_SHARES.with([("available", available.into())])))
}

/// The price at which an order of this kind is done while `known` is the price: that one, where its limit allows it.
pub fn fill_price(kind: OrderType, side: Side, limit: Option<Krw>, known: i64) -> Option<i64> {
    let allowed = match (kind, side, limit) {
        (OrderType::Market, ..) => true,
        (OrderType::Limit, Side::Buy, Some(limit)) => known <= limit.get(),
        (OrderType::Limit, Side::Sell, Some(limit)) => known >= limit.get(),
        (OrderType::Limit, _, None) => false,
    };
    allowed.then_some(known)
}

/// A number as sentences say it.
fn said(number: i64) -> hanok_base::message::MessageArg {
    match u64::try_from(number) {
        Ok(number) => number.into(),
        Err(_) => number.to_string().into(),
    }
}

#[cfg(test)]
mod tests {
    use hanok_calc::exchange::{current_or_next_session, price_limits};
    use serde_json::json;

    use super::*;
    use hanok_base::Request;

    fn terms(now: &str, price: Option<i64>) -> Terms {
        let now: DateTime<Utc> = DateTime::parse_from_rfc3339(now).unwrap().to_utc();
        Terms {
            name: "삼성전자".to_owned(),
            market: Market::Kospi,
            price: price.map(|won| KnownPrice { won, as_of: now, stale: false }),
            limits: price_limits(Market::Kospi, 70_000),
            session: current_or_next_session(now).unwrap(),
            now,
            fee_percent: "0.0140527".parse().unwrap(),
        }
    }

    fn order(side: &str, price: Option<u64>) -> NewOrder {
        let body = json!({"symbol": "005930", "side": side, "quantity": 10, "price": price});
        NewOrder::check(serde_json::from_value(body).unwrap()).unwrap()
    }

    #[test]
    fn a_price_must_lie_on_a_tick_and_within_the_limits_of_the_day() {
        let terms = terms("2026-10-12T10:00:00+09:00", None);
        assert_eq!(terms.check(&order("buy", Some(71_200))).unwrap(), Krw::new(71_200));
        let must = |price| terms.check(&order("buy", Some(price))).unwrap_err().fields["price"].text().to_owned();
        assert_eq!(must(71_250), "must be a multiple of 100 won, such as 71200 or 71300");
        // By hand: 30 % of 70,000 is 21,000.
        assert_eq!(must(91_100), "must be between today's limits of 49000 and 91000 won");
        assert!(terms.check(&order("sell", Some(49_000))).is_ok());
    }

    #[test]
    fn a_market_order_is_reckoned_at_the_known_price_or_at_the_highest_when_it_waits() {
        let amount = |now, side| {
            let terms = terms(now, Some(71_200));
            terms.estimate(&order(side, None), None).unwrap().amount.get()
        };
        assert_eq!(amount("2026-10-12T10:00:00+09:00", "buy"), 712_000);
        assert_eq!(amount("2026-10-12T16:00:00+09:00", "buy"), 910_000);
        assert_eq!(amount("2026-10-12T16:00:00+09:00", "sell"), 712_000);
        let none = terms("2026-10-12T10:00:00+09:00", None).estimate(&order("buy", None), None).unwrap_err();
        assert_eq!(none.code(), "ORDER_LACKS_PRICE");
    }

    #[test]
    fn a_limit_order_is_done_at_the_known_price_once_that_is_at_its_limit_or_through_it() {
        let limit = Krw::new(1_000);
        let done = |kind, side, known| fill_price(kind, side, limit, known);
        assert_eq!(
            [999, 1_000, 1_001].map(|known| done(OrderType::Limit, Side::Buy, known)),
            [Some(999), Some(1_000), None]
        );
        assert_eq!(
            [999, 1_000, 1_001].map(|known| done(OrderType::Limit, Side::Sell, known)),
            [None, Some(1_000), Some(1_001)]
        );
        assert_eq!(fill_price(OrderType::Market, Side::Buy, None, 5), Some(5));
    }

    #[test]
    fn a_preview_warns_of_what_would_be_refused_or_has_to_wait() {
        let terms = terms("2026-10-10T21:30:00+09:00", None);
        let seen = terms
            .preview((Mode::Paper, Broker::Paper), &order("buy", Some(71_200)), Krw::new(700_000), Some(0))
            .unwrap();
        let said: Vec<&str> = seen.warnings.iter().map(|warning| warning.message.as_str()).collect();
        let waits = "the exchange is closed: the order waits for the session of 2026-10-12";
        assert_eq!(said, [waits, "this costs 712100 won with fees, and 700000 won can be ordered with"]);
        assert_eq!((seen.amount, seen.tick, seen.is_open), (Krw::new(712_000), 100, false));
        assert_eq!((seen.lower_limit, seen.upper_limit), (Krw::new(49_000), Krw::new(91_000)));
    }
}

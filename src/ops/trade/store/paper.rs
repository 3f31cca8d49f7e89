//! The paper broker: orders are kept, done and ended together with the cash and the holdings that they change.

use chrono::{DateTime, Utc};
use hanok_base::{Krw, Message, MessageTemplate, Result};
use hanok_calc::exchange::{Market, Session, session};
use hanok_platform::store::{Order as Direction, ReadTransaction, WriteTx};
use rust_decimal::Decimal;

use super::super::model::{
    Account, Balance, Broker, Costs, Holding, KnownPrice, Mode, NewOrder, Order, OrderStatus, Position, Preview, Side,
    Terms, Trade, balance, enough_cash, enough_shares, few_enough, fill_price,
};
use super::{ACCOUNT, CHANGED, HOLDINGS, ONLY, is_stopped, known_price, must_go_on, next_id, open, put, terms};
use crate::market;

const WAITS: MessageTemplate = MessageTemplate::new("trade.waits_for_session", "it waits for the session of {day}");
const SESSION_ENDED: MessageTemplate =
    MessageTemplate::new("trade.session_ended", "the session has ended before it could be done");
const NOT_PAID: MessageTemplate =
    MessageTemplate::new("trade.not_paid", "at the price of that moment there was not enough cash");
const BEGUN_ANEW: MessageTemplate = MessageTemplate::new("trade.begun_anew", "the paper account was begun anew");

/// What the settings say of the paper broker.
#[derive(Debug, Clone, Copy)]
pub struct PaperRules {
    /// Won that an account begins with.
    pub cash: Krw,
    /// The fee in percent.
    pub fee_percent: Decimal,
}

/// What is in the account and not held back.
struct Free {
    account: Account,
    cash: Krw,
}

/// Takes an order, and does it at once where it can be done.
///
/// # Errors
/// `TRADING_STOPPED`; `INVALID_INPUT`; `ORDER_LACKS_PRICE`, `ORDER_LACKS_CASH`, `ORDER_LACKS_SHARES`;
/// `TOO_MANY_ORDERS`.
pub fn place(tx: &WriteTx, new: &NewOrder, rules: PaperRules) -> Result<Order> {
    must_go_on(tx)?;
    let terms = terms(tx, new, held_at(tx, new)?, rules.fee_percent)?;
    let limit = terms.check(new)?;
    terms.must_be_new(new)?;
    let costs = terms.estimate(new, limit)?;
    match new.side {
        Side::Buy => enough_cash(costs, free(tx, rules)?.cash)?,
        Side::Sell => enough_shares(new.quantity, available(tx, &new.symbol)?)?,
    }
    few_enough(open_here(tx)?.len() as u64)?;
    market::watch(tx, terms.market, &new.symbol)?;
    let order = Order {
        market: terms.market,
        name: terms.name.clone(),
        reserved: if new.side == Side::Buy { costs.total } else { Krw::ZERO },
        session: terms.session.day,
        ..Order::new(next_id(tx)?, new, limit, tx.now())
    };
    let order = match done_now(tx, &order, terms.session, terms.price, rules)? {
        Some(done) => done,
        None if terms.is_on() => order,
        None => {
            order.at(OrderStatus::Open, tx.now(), Some(WAITS.with([("day", terms.session.day.to_string().into())])))
        }
    };
    put(tx, &order)?;
    Ok(order)
}

/// `order` as it is done now, with the cash and the holdings that it changes; none while it can not be done.
fn done_now(
    tx: &WriteTx,
    order: &Order,
    session: Session,
    price: Option<KnownPrice>,
    rules: PaperRules,
) -> Result<Option<Order>> {
    let at = price.filter(|_| session.is_on(tx.now()));
    let Some(price) = at.and_then(|price| fill_at(order, price)) else { return Ok(None) };
    let Order { market, side, quantity, .. } = *order;
    let trade = Trade { market, side, quantity, price, day: session.day, fee_percent: rules.fee_percent };
    let account = account(tx, rules)?;
    let held = tx.get(&HOLDINGS, order.symbol.as_str())?;
    let empty =
        || Holding { symbol: order.symbol.clone(), market, name: order.name.clone(), quantity: 0, cost: Krw::ZERO };
    let (Some((account, holding)), Some(Costs { fees, tax, .. })) = (account.after(&trade, held, empty), trade.costs())
    else {
        return Ok(Some(order.clone().at(OrderStatus::Rejected, tx.now(), Some(NOT_PAID.into()))));
    };
    tx.put(&ACCOUNT, ONLY, &account)?;
    match holding {
        Some(holding) => tx.put(&HOLDINGS, order.symbol.as_str(), &holding)?,
        None => tx.discard(&HOLDINGS, order.symbol.as_str()).map(drop)?,
    }
    let done = Order { filled_quantity: quantity, average_price: Krw::new(price), fees, tax, ..order.clone() };
    Ok(Some(done.at(OrderStatus::Filled, tx.now(), None)))
}

/// The price at which `order` is done while this one is known; an old one is no price of now.
fn fill_at(order: &Order, price: KnownPrice) -> Option<i64> {
    Some(price)
        .filter(|price| !price.stale)
        .and_then(|price| fill_price(order.order_type, order.side, order.price, price.won))
}

/// Where what `new` sells is held.
fn held_at(tx: &impl ReadTransaction, new: &NewOrder) -> Result<Option<Market>> {
    let held = tx.get(&HOLDINGS, new.symbol.as_str())?;
    Ok(held.filter(|_| new.side == Side::Sell).map(|held| held.market))
}

/// Does and ends what can be done, or has come to its end, of the open orders.
pub fn settle(tx: &WriteTx, rules: PaperRules) -> Result<()> {
    for order in open_here(tx)? {
        let Some(session) = session_of(&order) else { continue };
        if tx.now() >= session.closes {
            put(tx, &order.at(OrderStatus::Expired, tx.now(), Some(SESSION_ENDED.into())))?;
            continue;
        }
        let price = known_price(tx, order.market, &order.symbol)?;
        if let Some(done) = done_now(tx, &order, session, price, rules)? {
            put(tx, &done)?;
        }
    }
    Ok(())
}

/// When [`settle`] has something to do next; none while nothing is open.
pub fn next(tx: &impl ReadTransaction) -> Result<Option<DateTime<Utc>>> {
    let mut next = None;
    for order in open_here(tx)? {
        let Some(session) = session_of(&order) else { continue };
        let price = known_price(tx, order.market, &order.symbol)?;
        let can_be_done = price.and_then(|price| fill_at(&order, price));
        let due = if can_be_done.is_some() { session.opens.max(order.updated_at) } else { session.closes };
        next = next.into_iter().chain([due]).min();
    }
    Ok(next)
}

/// Cancels an open order.
///
/// # Errors
/// `ORDER_NOT_OPEN`.
pub fn cancel(tx: &WriteTx, order: Order) -> Result<Order> {
    order.must_be_open()?;
    let order = order.at(OrderStatus::Cancelled, tx.now(), None);
    put(tx, &order)?;
    Ok(order)
}

/// Begins the account anew with this cash: nothing is held then, and no order is open.
pub fn restart(tx: &WriteTx, cash: Krw) -> Result<()> {
    for order in open_here(tx)? {
        put(tx, &order.at(OrderStatus::Cancelled, tx.now(), Some(Message::from(BEGUN_ANEW))))?;
    }
    tx.clear(&HOLDINGS)?;
    tx.put(&ACCOUNT, ONLY, &Account { cash, started_with: cash, started_at: tx.now() })?;
    tx.announce(CHANGED);
    Ok(())
}

/// What the account holds and is worth.
pub fn read(tx: &impl ReadTransaction, rules: PaperRules) -> Result<Balance> {
    let free = free(tx, rules)?;
    let mut holdings = Vec::new();
    for holding in holdings_of(tx)? {
        holdings.push(Position {
            market: Some(holding.market),
            available: available(tx, &holding.symbol)?,
            avg_price: holding.average_price(),
            cost: Some(holding.cost),
            quantity: holding.quantity,
            price: known_price(tx, holding.market, &holding.symbol)?,
            symbol: holding.symbol,
            name: holding.name,
        });
    }
    let kind = (Mode::Paper, Broker::Paper, is_stopped(tx)?);
    Ok(balance(kind, (free.account.cash, free.cash), holdings, tx.now()))
}

/// What an order would come to.
///
/// # Errors
/// `INVALID_INPUT`.
pub fn preview(tx: &impl ReadTransaction, new: &NewOrder, rules: PaperRules) -> Result<Preview> {
    let terms: Terms = terms(tx, new, held_at(tx, new)?, rules.fee_percent)?;
    terms.preview((Mode::Paper, Broker::Paper), new, Some(free(tx, rules)?.cash), Some(available(tx, &new.symbol)?))
}

fn holdings_of(tx: &impl ReadTransaction) -> Result<Vec<Holding>> {
    tx.values(&HOLDINGS, "".., Direction::Ascending, 0, usize::MAX)
}

fn account(tx: &impl ReadTransaction, rules: PaperRules) -> Result<Account> {
    let begun = || Account { cash: rules.cash, started_with: rules.cash, started_at: tx.now() };
    Ok(tx.get(&ACCOUNT, ONLY)?.unwrap_or_else(begun))
}

/// The account, and what of its cash no open order holds back.
fn free(tx: &impl ReadTransaction, rules: PaperRules) -> Result<Free> {
    let account = account(tx, rules)?;
    let reserved = Krw::sum(open_here(tx)?.into_iter().map(|order| order.reserved));
    let cash = reserved.and_then(|reserved| account.cash.minus(reserved)).unwrap_or_default();
    Ok(Free { account, cash: cash.max(Krw::ZERO) })
}

/// How many shares of `symbol` are held and not in open orders.
fn available(tx: &impl ReadTransaction, symbol: &str) -> Result<u64> {
    let held = tx.get(&HOLDINGS, symbol)?.map_or(0, |holding| holding.quantity);
    let selling = open_here(tx)?.into_iter().filter(|order| order.side == Side::Sell && order.symbol == symbol);
    Ok(held.saturating_sub(selling.map(|order| order.quantity).sum()))
}

/// The open orders of the paper broker of the house.
fn open_here(tx: &impl ReadTransaction) -> Result<Vec<Order>> {
    Ok(open(tx)?.into_iter().filter(|order| order.broker == Broker::Paper).collect())
}

/// The session of an order; one whose day was found to be closed since is over with that day.
fn session_of(order: &Order) -> Option<Session> {
    let day = order.session;
    session(day).or_else(|| {
        let end = hanok_base::day::start(day.succ_opt()?);
        Some(Session { day, opens: end, closes: end })
    })
}

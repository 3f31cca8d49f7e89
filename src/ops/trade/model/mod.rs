//! Orders, the paper account and what may be ordered: pure rules.

mod account;
mod balance;
mod order;
mod terms;

pub use account::{Account, Costs, Holding, Trade};
pub use balance::{Balance, Position, balance};
pub use order::{
    Broker, CONFIRMATION_REQUIRED, Mode, NOT_OPEN, NewAccount, NewOrder, Order, OrderStatus, OrderType, Side,
    StopChange, TOO_MANY_ORDERS, TRADING_STOPPED, few_enough,
};
pub use terms::{
    KnownPrice, ORDER_LACKS_CASH, ORDER_LACKS_PRICE, ORDER_LACKS_SHARES, Preview, Terms, enough_cash, enough_shares,
    fill_price,
};

//! An order on its way to the broker.

use chrono::Duration;
use hanok_base::{Error, Krw, MessageTemplate, Result};
use hanok_calc::exchange::session;
use hanok_platform::app::App;
use hanok_platform::store::{ReadTransaction as _, ReadTx, WriteTx};
use hanok_platform::upstream::{Posted, Provider, WriteRequest};
use hanok_platform::writes::{Found, OutboxEntry, OutboxStatus, Verdict, Write, plan};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::super::super::model::{Broker, CONFIRMATION_REQUIRED, Mode, NewOrder, Order, OrderStatus, OrderType, Side};
use super::super::super::store;
use super::answers::{self, KisResponse, TOKEN_REFUSED, UNCLEAR};
use super::{KIS, Kis};

/// What waits longer than this for its way to the broker is not sent any more: the market is another one by then.
const GOES_OUT_WITHIN: Duration = Duration::minutes(3);

const CONFIRM: MessageTemplate =
    MessageTemplate::new("trade.confirm", "this order is for real money: send it with `confirm: true`");
const TOO_LATE: MessageTemplate =
    MessageTemplate::new("trade.kis.too_late", "it could not be sent in time; it is not sent any more");
const NOT_THERE: MessageTemplate =
    MessageTemplate::new("trade.kis.not_there", "the broker does not have it; it is not sent again");
const NUMBER_TAKEN: MessageTemplate = MessageTemplate::new(
    "trade.kis.number_taken",
    "the broker gave it the number of another order: look there what has become of it",
);
const NOT_LISTED: MessageTemplate = MessageTemplate::new(
    "trade.kis.not_listed",
    "the broker does not list it yet; it is looked up again, and not sent again",
);

/// An order to be sent.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SendOrder {
    /// The id of the order.
    pub order: u64,
    symbol: String,
    side: Side,
    quantity: u64,
    /// Won for one; none of a market order.
    price: Option<Krw>,
}

/// Takes an order for the broker: it is written down, and sent as soon as it is on disk.
///
/// # Errors
/// `TRADING_STOPPED`; `CONFIRMATION_REQUIRED`; `INVALID_INPUT`.
pub fn place(tx: &WriteTx, new: &NewOrder, mode: Mode) -> Result<Order> {
    store::must_go_on(tx)?;
    let terms = store::terms(tx, new, None, Decimal::ZERO)?;
    let limit = terms.check(new)?;
    if mode == Mode::Real && new.confirm != Some(true) {
        return Err(Error::of(CONFIRMATION_REQUIRED, CONFIRM));
    }
    let order = Order {
        mode,
        broker: Broker::Kis,
        market: terms.market,
        name: terms.name,
        session: terms.session.day,
        status: OrderStatus::Sending,
        ..Order::new(store::next_id(tx)?, new, limit, tx.now())
    };
    store::put(tx, &order)?;
    plan(tx, &SendOrder::of(&order))?;
    Ok(order)
}

impl SendOrder {
    fn of(order: &Order) -> SendOrder {
        let Order { id, ref symbol, side, quantity, price, .. } = *order;
        SendOrder { order: id, symbol: symbol.clone(), side, quantity, price }
    }
}

impl Write for SendOrder {
    const KIND: &'static str = "trade_send_order";
    const TITLE: (&'static str, &'static str) = ("주문 전송", "Send an order");
    const PROVIDER: &'static Provider = &KIS;

    fn target(&self) -> String {
        let side = if self.side == Side::Buy { "buy" } else { "sell" };
        format!("{side} {} {}", self.quantity, self.symbol)
    }

    async fn request(&self, app: &App, intent: &OutboxEntry) -> Result<WriteRequest> {
        let token_was_refused = is_refused_token(intent);
        // What was sent once may have been done, whatever is found later: it never goes out a second time.
        let was_sent = intent.first_sent_at.is_some() && !token_was_refused;
        if was_sent {
            return Err(Error::conflict(NOT_THERE));
        }
        if app.clock.now() - intent.planned_at > GOES_OUT_WITHIN {
            return Err(Error::conflict(TOO_LATE));
        }
        let kis = Kis::of(app)?;
        let mut token = kis.token(app).await?;
        if token_was_refused {
            token = kis.token_after(app, &token).await?;
        }
        // Whoever has stopped trading meanwhile means this order too.
        app.data.store.read(|tx| store::must_go_on(tx)).await?;
        let body = json!({
            "CANO": kis.account,
            "ACNT_PRDT_CD": kis.product,
            "PDNO": self.symbol,
            "ORD_DVSN": if self.price.is_some() { "00" } else { "01" },
            "ORD_QTY": self.quantity.to_string(),
            "ORD_UNPR": self.price.unwrap_or_default().get().to_string(),
            "EXCG_ID_DVSN_CD": "KRX",
            "SLL_TYPE": if self.side == Side::Sell { "01" } else { "" },
            "CNDT_PRIC": "",
        });
        let url = format!("{}/uapi/domestic-stock/v1/trading/order-cash", kis.address);
        let number = if self.side == Side::Buy { "TTTC0012U" } else { "TTTC0011U" };
        Ok(kis.signed(WriteRequest::json(url, &body)?, &token, number))
    }

    fn read(&self, posted: &Posted) -> Verdict {
        match KisResponse::of(posted.status, &posted.body) {
            KisResponse::Good(answer) => match answers::order_number(&answer) {
                Some((number, branch)) => Verdict::Done(json!({"number": number, "branch": branch})),
                None => Verdict::Unknown(UNCLEAR.into()),
            },
            KisResponse::TokenRefused => Verdict::Later(TOKEN_REFUSED.into()),
            KisResponse::Unclear => Verdict::Unknown(UNCLEAR.into()),
            other => Verdict::Refused(other.why_not().unwrap_or(UNCLEAR.into())),
        }
    }

    async fn look_up(&self, app: &App, intent: &OutboxEntry) -> Result<Found> {
        let kis = Kis::of(app)?;
        let id = self.order;
        let read = move |tx: &ReadTx| {
            let order = store::find(tx, id)?;
            let known = store::broker_numbers(tx, order.session)?;
            Ok((order, known))
        };
        let (order, known) = app.data.store.read(read).await?;
        let sent = intent.sent_at.unwrap_or(intent.planned_at);
        let listed = kis.orders_of(app, hanok_base::day::of(sent)).await?;
        if let Some(found) = answers::matching(&listed, &order, sent, &known) {
            return Ok(Found::Done(json!({"number": found.number, "branch": found.branch})));
        }
        // As long as the session goes on the list may lag behind.
        let is_over = session(order.session).is_none_or(|session| app.clock.now() >= session.closes);
        Ok(if is_over { Found::NotThere } else { Found::NotYet(NOT_LISTED.into()) })
    }

    fn settled(&self, tx: &WriteTx, intent: &OutboxEntry) -> Result<()> {
        let order = store::find(tx, self.order)?;
        if !matches!(order.status, OrderStatus::Sending | OrderStatus::Unknown) {
            return Ok(());
        }
        let status = match intent.status {
            OutboxStatus::Done => OrderStatus::Open,
            OutboxStatus::Refused | OutboxStatus::Unsent => OrderStatus::Rejected,
            OutboxStatus::DeliveryUnknown => OrderStatus::Unknown,
            OutboxStatus::Planned | OutboxStatus::Sent => return Ok(()),
        };
        let said = |key: &str| intent.answer.as_ref()?.get(key)?.as_str().map(str::to_owned);
        let (broker_order, broker_branch) = (said("number"), said("branch"));
        let taken = store::broker_numbers(tx, order.session)?;
        if broker_order.as_ref().is_some_and(|number| taken.contains(number)) {
            return store::put(tx, &order.at(OrderStatus::Unknown, tx.now(), Some(NUMBER_TAKEN.into())));
        }
        let problem = intent.problem.as_ref();
        let order = Order {
            reason: problem.map(|problem| problem.message.clone()),
            localized: problem.and_then(|problem| problem.localized.clone()),
            broker_order,
            broker_branch,
            ..order.at(status, tx.now(), None)
        };
        store::put(tx, &order)
    }

    fn example(tx: &WriteTx) -> Result<Self> {
        let new = NewOrder {
            symbol: "005930".to_owned(),
            market: None,
            side: Side::Buy,
            quantity: 1,
            price: Some(70_000),
            order_type: Some(OrderType::Limit),
            confirm: None,
        };
        let order = Order {
            status: OrderStatus::Sending,
            broker: Broker::Kis,
            ..Order::new(store::next_id(tx)?, &new, Krw::new(70_000), tx.now())
        };
        store::put(tx, &order)?;
        Ok(SendOrder::of(&order))
    }
}

/// Whether the last attempt came to nothing for want of a good token.
pub(super) fn is_refused_token(intent: &OutboxEntry) -> bool {
    let said = intent.problem.as_ref().and_then(|problem| problem.localized.as_ref());
    intent.status == OutboxStatus::Planned && said.is_some_and(|said| said.key == TOKEN_REFUSED.key())
}

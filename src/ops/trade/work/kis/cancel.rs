//! A cancellation on its way to the broker.

use hanok_base::{Error, MessageTemplate, Result};
use hanok_platform::app::App;
use hanok_platform::store::{ReadTransaction as _, ReadTx, WriteTx};
use hanok_platform::upstream::{Posted, Provider, WriteRequest};
use hanok_platform::writes::{Found, OutboxEntry, OutboxStatus, Verdict, Write, plan};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::super::super::model::{NOT_OPEN, Order};
use super::super::super::store;
use super::answers::{KisResponse, TOKEN_REFUSED, UNCLEAR};
use super::send::{SendOrder, is_refused_token};
use super::{KIS, Kis};

const CANCELLING: MessageTemplate =
    MessageTemplate::new("trade.cancelling", "its cancellation is on its way to the broker");
const IS_CANCELLING: MessageTemplate =
    MessageTemplate::new("trade.is_cancelling", "the cancellation of this order is on its way already");
const NOT_NUMBERED: MessageTemplate =
    MessageTemplate::new("trade.not_numbered", "the number of this order at the broker is not known: cancel it there");
const NOT_CANCELLED_YET: MessageTemplate =
    MessageTemplate::new("trade.kis.not_cancelled", "the broker lists the order as open; it is looked up again");

/// An order to be cancelled.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CancelOrder {
    /// The id of the order.
    order: u64,
    number: String,
    branch: String,
}

/// Has an open order cancelled; it stays open until the broker says that it is.
///
/// # Errors
/// `ORDER_NOT_OPEN`, also while it is being cancelled.
pub fn begin(tx: &WriteTx, order: Order) -> Result<Order> {
    order.must_be_open()?;
    if order.cancelling {
        return Err(Error::of(NOT_OPEN, IS_CANCELLING));
    }
    let number = order.broker_order.clone().ok_or_else(|| Error::of(NOT_OPEN, NOT_NUMBERED))?;
    let branch = order.broker_branch.clone().unwrap_or_default();
    plan(tx, &CancelOrder { order: order.id, number, branch })?;
    let order = Order { cancelling: true, ..order.clone().at(order.status, tx.now(), Some(CANCELLING.into())) };
    store::put(tx, &order)?;
    Ok(order)
}

impl Write for CancelOrder {
    const KIND: &'static str = "trade_cancel_order";
    const TITLE: (&'static str, &'static str) = ("주문 취소", "Cancel an order");
    const PROVIDER: &'static Provider = &KIS;
    const ATTEMPTS: u32 = 10;

    fn target(&self) -> String {
        format!("order {}", self.number)
    }

    async fn request(&self, app: &App, intent: &OutboxEntry) -> Result<WriteRequest> {
        let kis = Kis::of(app)?;
        let mut token = kis.token(app).await?;
        if is_refused_token(intent) {
            token = kis.token_after(app, &token).await?;
        }
        let body = json!({
            "CANO": kis.account,
            "ACNT_PRDT_CD": kis.product,
            "KRX_FWDG_ORD_ORGNO": self.branch,
            "ORGN_ODNO": self.number,
            "ORD_DVSN": "00",
            "RVSE_CNCL_DVSN_CD": "02",
            "ORD_QTY": "0",
            "ORD_UNPR": "0",
            "QTY_ALL_ORD_YN": "Y",
            "EXCG_ID_DVSN_CD": "KRX",
        });
        let url = format!("{}/uapi/domestic-stock/v1/trading/order-rvsecncl", kis.address);
        Ok(kis.signed(WriteRequest::json(url, &body)?, &token, "TTTC0013U"))
    }

    fn read(&self, posted: &Posted) -> Verdict {
        match KisResponse::of(posted.status, &posted.body) {
            KisResponse::Good(_) => Verdict::Done(Value::Null),
            KisResponse::TokenRefused => Verdict::Later(TOKEN_REFUSED.into()),
            KisResponse::Unclear => Verdict::Unknown(UNCLEAR.into()),
            KisResponse::Busy => Verdict::Later(KisResponse::Busy.why_not().unwrap_or(UNCLEAR.into())),
            KisResponse::Refused(why) => Verdict::Refused(why),
        }
    }

    async fn look_up(&self, app: &App, _intent: &OutboxEntry) -> Result<Found> {
        let kis = Kis::of(app)?;
        let id = self.order;
        let order = app.data.store.read(move |tx: &ReadTx| store::find(tx, id)).await?;
        let listed = kis.orders_of(app, order.session).await?;
        let row = listed.iter().find(|row| row.number == self.number && row.is_of(&order));
        // Of what was cancelled or done to the last share nothing is left to be cancelled.
        let is_over = row.is_some_and(|row| row.cancelled || row.filled == order.quantity);
        Ok(if is_over { Found::Done(Value::Null) } else { Found::NotYet(NOT_CANCELLED_YET.into()) })
    }

    fn settled(&self, tx: &WriteTx, intent: &OutboxEntry) -> Result<()> {
        let order = store::find(tx, self.order)?;
        if order.must_be_open().is_err() {
            return Ok(());
        }
        // What was bought or sold before it was cancelled stands in the list of the day, which ends the order.
        if intent.status == OutboxStatus::Done {
            return Ok(());
        }
        let (status, cancelling) = (order.status, intent.status == OutboxStatus::DeliveryUnknown);
        let problem = intent.problem.as_ref();
        let order = Order {
            cancelling,
            reason: problem.map(|problem| problem.message.clone()),
            localized: problem.and_then(|problem| problem.localized.clone()),
            ..order.at(status, tx.now(), None)
        };
        store::put(tx, &order)
    }

    fn example(tx: &WriteTx) -> Result<Self> {
        let sent = SendOrder::example(tx)?;
        Ok(CancelOrder { order: sent.order, number: "0000000001".to_owned(), branch: String::new() })
    }
}

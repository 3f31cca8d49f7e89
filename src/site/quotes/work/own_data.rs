//! The quotes of a customer, as they are told: those that are linked to the account, without what only the desk sees.

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::super::model::{PublicDecision, Quote, QuoteContent, QuoteStatus, Totals, totals};
use super::super::store;
use hanok_base::Result;
use hanok_base::schema::ToSchema;
use hanok_platform::auth::CustomerRow;
use hanok_platform::own_data::OfCustomer;
use hanok_platform::store::{ReadTx, WriteTx};

/// The quotes of a customer.
pub enum Quotes {}

/// A quote, as the customer is told whose account it is linked to.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnQuote {
    /// Its id.
    pub id: String,
    /// Its number.
    pub number: u64,
    /// Where it stands.
    pub status: QuoteStatus,
    /// What it says; what was decided upon, where it was decided.
    pub content: QuoteContent,
    /// What it adds up to without any optional line.
    pub totals: Totals,
    /// Where the customer is written to.
    pub client_email: String,
    /// The customer's telephone number.
    pub client_phone: String,
    /// When it was begun.
    pub created_at: DateTime<Utc>,
    /// When it was sent last.
    pub sent_at: Option<DateTime<Utc>>,
    /// What was decided; null while nothing is.
    pub decision: Option<PublicDecision>,
}

impl OfCustomer for Quotes {
    const FIELD: &'static str = "quotes";
    const TABLES: &'static [&'static str] = &["quotes-1", "quote_revisions-1", "quote_reminders-1"];
    type Told = Vec<OwnQuote>;

    fn told(tx: &ReadTx, customer: &CustomerRow) -> Result<Vec<OwnQuote>> {
        store::linked_to(tx, &customer.id)?.into_iter().map(told).collect()
    }

    /// A quote goes on without an account: whoever has its link sees it.
    fn end(tx: &WriteTx, customer: &CustomerRow) -> Result<()> {
        let linked = store::linked_to(tx, &customer.id)?;
        linked.iter().try_for_each(|quote| store::unlink_customer(tx, &quote.id).map(drop))
    }
}

fn told(quote: Quote) -> Result<OwnQuote> {
    let decision = quote.decision.as_ref().map(PublicDecision::from);
    let content = quote.decision.map_or(quote.content, |decision| decision.content);
    Ok(OwnQuote {
        id: quote.id,
        number: quote.number,
        status: quote.status,
        totals: totals(&content, &[])?,
        content,
        client_email: quote.client_email,
        client_phone: quote.client_phone,
        created_at: quote.created_at,
        sent_at: quote.sent_at,
        decision,
    })
}

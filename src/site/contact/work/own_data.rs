//! What a customer has asked for, as it is told: whatever was sent with the address that the account has confirmed.

use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;

use super::super::model::{Request, RequestDetails, Share, ShareMaker, Status, TrackedStatus};
use super::super::store;
use super::shares;
use hanok_base::Result;
use hanok_base::schema::ToSchema;
use hanok_platform::auth::CustomerRow;
use hanok_platform::own_data::OfCustomer;
use hanok_platform::store::{ReadTx, WriteTx};

/// The requests of a customer.
pub enum Requests {}

/// A request, as the customer is told who sent it. What who keeps the shop has noted is theirs.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnRequest {
    /// Its id.
    pub id: String,
    /// What was written.
    pub details: RequestDetails,
    /// How far it is.
    pub status: Status,
    /// When it came in.
    pub created_at: DateTime<Utc>,
    /// When it was moved last.
    pub updated_at: DateTime<Utc>,
    /// Each state it was in, the first one first.
    pub history: Vec<TrackedStatus>,
    /// The links that are good by which others see it, newest first.
    pub shares: Vec<OwnShare>,
}

/// A share link, as the customer is told of it: without the word by which it opens.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnShare {
    /// Who made it.
    pub by: ShareMaker,
    /// For whom it is; may be empty.
    pub label: String,
    /// The last day on which it opens the request.
    pub until: NaiveDate,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When it was used last, to the minute; null where it never was.
    pub used_at: Option<DateTime<Utc>>,
}

impl From<Share> for OwnShare {
    fn from(Share { by, label, until, created_at, used_at, .. }: Share) -> OwnShare {
        OwnShare { by, label, until, created_at, used_at }
    }
}

impl OfCustomer for Requests {
    const FIELD: &'static str = "requests";
    const TABLES: &'static [&'static str] = &["contact_requests-1", "contact_moves-1"];
    type Told = Vec<OwnRequest>;

    fn told(tx: &ReadTx, customer: &CustomerRow) -> Result<Vec<OwnRequest>> {
        let told = |request: Request| {
            let history = store::history(tx, &request)?.into_iter().map(TrackedStatus::from).collect();
            let shares = shares::shares(tx, &request)?.into_iter().map(OwnShare::from).collect();
            let Request { id, details, status, created_at, updated_at, .. } = request;
            Ok(OwnRequest { id, details, status, created_at, updated_at, history, shares })
        };
        store::list_by_mail(tx, &customer.mail)?.into_iter().map(told).collect()
    }

    /// Work that was asked for goes on without an account: whoever sent a request follows it by its link.
    fn end(_tx: &WriteTx, _customer: &CustomerRow) -> Result<()> {
        Ok(())
    }
}

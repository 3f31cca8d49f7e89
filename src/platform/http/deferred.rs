//! Work that may take longer than a request: its outcome, or that it goes on. Who asks again under the same key waits on,
//! and hears the outcome when it is there; so nobody is told that something failed that is well.

use std::future::Future;
use std::time::Duration;

use salvo::oapi::{Components, EndpointOutRegister, Operation, ToSchema};
use salvo::{Depot, Request, Response, Writer, async_trait};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::answer::WithStatus;
use super::documented::document;
use super::idempotency::IdempotencyKey;
use super::permission::Permission;
use crate::app::App;
use hanok_base::Result;

/// The outcome with `STATUS`, or 202 while the work goes on.
#[derive(Debug)]
pub struct Deferred<T, const STATUS: u16>(pub Option<T>);

/// Work that was begun and goes on.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
pub struct InProgress {
    /// Always true. The same request with the same `Idempotency-Key` waits on, and gives the outcome.
    pub in_progress: bool,
}

/// How long an answer waits: well below the time that a request may take.
pub fn wait_timeout(app: &App) -> Duration {
    Duration::from_millis(app.config.http.request_seconds * 2_000 / 3)
}

impl IdempotencyKey {
    /// [`IdempotencyKey::once_for_good`], heard as long as a request may wait: none when the work goes on then. What comes of
    /// it is kept under the key for some minutes, also where it fails.
    ///
    /// # Errors
    /// As [`IdempotencyKey::once_for_good`].
    pub async fn once_for_good_soon<T, Worked, const STATUS: u16>(
        self,
        app: &App,
        caller: &impl Permission,
        work: impl FnOnce(App) -> Worked,
    ) -> Result<Deferred<T, STATUS>>
    where
        T: Serialize + DeserializeOwned,
        Worked: Future<Output = Result<T>> + Send + 'static,
    {
        Ok(Deferred(self.once_for_good(app, caller, wait_timeout(app), work).await?))
    }
}

#[async_trait]
impl<T: Serialize + Send + 'static, const STATUS: u16> Writer for Deferred<T, STATUS> {
    async fn write(self, req: &mut Request, depot: &mut Depot, res: &mut Response) {
        match self.0 {
            Some(outcome) => WithStatus(STATUS, outcome).write(req, depot, res).await,
            None => WithStatus(202, InProgress { in_progress: true }).write(req, depot, res).await,
        }
    }
}

impl<T: ToSchema, const STATUS: u16> EndpointOutRegister for Deferred<T, STATUS> {
    fn register(components: &mut Components, operation: &mut Operation) {
        document::<T>(components, operation, &STATUS.to_string(), "What came of it");
        let what = "In progress: send the same request with the same key again to go on waiting";
        document::<InProgress>(components, operation, "202", what);
    }
}

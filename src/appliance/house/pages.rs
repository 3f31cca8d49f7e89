//! The files of the household's single-page app, and the OpenAPI documents.

use std::sync::Arc;

use rust_embed::RustEmbed;
use salvo::http::StatusCode;
use salvo::oapi::endpoint;
use salvo::{Depot, Request, Response, Router, Writer};
use serde_json::Value;
use tokio::sync::OnceCell;

use crate::domains;
use hanok_base::{Error, Result};
use hanok_platform::http::{Anyone, HandlerResult, JsonText, asset, page, shown_the_way};

/// The routes of the app besides those of the domains: whatever lies below them is shown by its first page.
const APP_ROUTES: [&str; 4] = ["", "system", "setup", "sign-in"];

/// The built single-page app of the household door.
#[derive(RustEmbed)]
#[folder = "../../assets/ops/dist/"]
struct OpsApp;

/// Everything of the household door that is not its interface: files, and the app's own routes.
pub fn app() -> Router {
    Router::with_path("{**path}").filter_fn(|req, _| is_page(req)).get(app_page)
}

/// Below these, an unknown path is a JSON 404 and a wrong method a 405, never a page.
fn is_page(req: &Request) -> bool {
    let first = req.uri().path().trim_start_matches('/').split('/').next().unwrap_or_default();
    !matches!(first, "api" | "health" | "metrics")
}

/// A file of the app, or its first page.
#[endpoint]
async fn app_page(_caller: Anyone, req: &mut Request, res: &mut Response) -> HandlerResult<()> {
    let path = req.uri().path().trim_start_matches('/').to_owned();
    if path.contains('.') || path.starts_with("assets/") {
        return Ok(asset::<OpsApp>(&path, req, res)?);
    }
    let first = path.split('/').next().unwrap_or_default();
    let is_known = APP_ROUTES.contains(&first) || domains::all().any(|domain| domain.pages.contains(&first));
    if is_known && shown_the_way(req, res)? {
        return Ok(());
    }
    let status = if is_known { StatusCode::OK } else { StatusCode::NOT_FOUND };
    Ok(page::<OpsApp>(status, req, res)?)
}

/// An OpenAPI document, made when it is first asked for. Its door puts it into the depot.
#[derive(Clone)]
pub struct Document {
    make: fn() -> Value,
    kept: Arc<OnceCell<JsonText<Value>>>,
}

impl Document {
    /// The document that `make` gives.
    pub fn of(make: fn() -> Value) -> Self {
        Document { make, kept: Arc::default() }
    }

    async fn kept(&self) -> Result<JsonText<Value>> {
        let make = self.make;
        self.kept.get_or_try_init(|| JsonText::made_by(move || Ok(make()))).await.cloned()
    }
}

/// The OpenAPI document of this door.
#[endpoint]
pub async fn document(_caller: Anyone, depot: &mut Depot) -> HandlerResult<JsonText<Value>> {
    let this_door = depot.get_typed::<Document>().map_err(|_| Error::internal("no document in this door"))?;
    Ok(this_door.kept().await?)
}

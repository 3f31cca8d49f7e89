//! The settings in force, secrets masked.

use salvo::Writer;
use salvo::oapi::endpoint;
use serde::Serialize;

use crate::base::Result;
use crate::base::schema::ToSchema;
use crate::platform::app::App;
use crate::platform::config::SettingRow;
use crate::platform::http::{Household, Json};

/// The settings.
#[derive(Debug, Serialize, ToSchema)]
pub struct Settings {
    /// In the order of `appliance.toml`.
    pub settings: Vec<SettingRow>,
    /// The file that was read.
    pub file: Option<String>,
}

/// Every setting with its value, default and source.
#[endpoint(operation_id = "system_settings", tags("system"))]
pub async fn settings(app: App, _caller: Household) -> Result<Json<Settings>> {
    let file = app.config.file().map(|path| path.display().to_string());
    Ok(Json(Settings { settings: app.config.listing(), file }))
}

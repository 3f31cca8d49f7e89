//! The settings in force, secrets masked.

use salvo::Writer;
use salvo::oapi::endpoint;
use serde::Serialize;

use hanok_base::schema::ToSchema;
use hanok_platform::app::App;
use hanok_platform::config::SettingRow;
use hanok_platform::http::{Answer, Household, Json};

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
pub async fn settings(app: App, _caller: Household) -> Answer<Json<Settings>> {
    let file = app.config.file().map(|path| path.display().to_string());
    Ok(Json(Settings { settings: app.config.listing(), file }))
}

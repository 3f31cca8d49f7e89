//! The services of the site, and switching one on or off.

use std::net::IpAddr;

use super::super::model::Service;
use crate::admin::{AuditAction, note_about};
use hanok_base::{Error, Result};
use hanok_platform::app::App;
use hanok_platform::auth;
use hanok_platform::config::{Config, SettingSource};
use hanok_platform::domain::{Offer, Offers};
use hanok_platform::settings_file;

/// Every service, whether it is on or off.
pub fn list(offers: &Offers, config: &Config) -> Vec<Service> {
    let rows = config.listing();
    let service = |offer: &&Offer| {
        let row = rows.iter().find(|row| row.key == offer.setting);
        let is_fixed = |source| matches!(source, SettingSource::Environment | SettingSource::Flag);
        Service {
            id: offer.id().to_owned(),
            name: offer.name.ko.to_owned(),
            name_en: offer.name.en.to_owned(),
            path: offer.path.to_owned(),
            setting: offer.setting.to_owned(),
            is_active: (offer.is_on)(config),
            fixed_by: row.filter(|row| is_fixed(row.source)).and_then(|row| row.origin.clone()),
        }
    };
    offers.services.iter().map(service).collect()
}

/// Switches the service `id` on or off: its setting is written to the settings file and holds at once, and the deed of the admin `by`
/// is noted. Where it stands so already nothing is done. The note goes when the file cannot be written; a store that fails
/// in the moment after that leaves the switch without its note.
///
/// # Errors
/// `NOT_FOUND` for what is no service; `CONFLICT` where a variable or a flag decides it, or the file cannot be used.
pub async fn switch(
    app: &App,
    offers: &Offers,
    id: &str,
    is_active: bool,
    (by, address): (String, IpAddr),
) -> Result<Service> {
    let offer = offers.services.iter().copied().find(|offer| offer.id() == id);
    let offer = offer.ok_or_else(|| Error::not_found("service"))?;
    if (offer.is_on)(&app.config) != is_active {
        let (config, events) = (app.config.clone(), app.events.clone());
        let switched = app.data.store.write(move |tx| {
            note_about(tx, &by, AuditAction::ServiceSwitched, address, offer.id())?;
            let has_passphrase = auth::is_passphrase_set(tx)?.is_some();
            let change = (offer.setting, if is_active { "true" } else { "false" });
            settings_file::change(&config, &events, change, has_passphrase, |_| true).map(drop)
        });
        switched.await?;
    }
    let services = list(offers, &app.config);
    services.into_iter().find(|service| service.id == id).ok_or_else(|| Error::not_found("service"))
}

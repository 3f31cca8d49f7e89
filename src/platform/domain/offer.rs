//! What a domain of the customer site puts into the navigation: a service that is switched on and off as a whole, so that
//! nowhere a link to it is left over, and the pages of who is signed in.

use crate::config::{BothLanguages, Config};
use crate::store::ReadTx;
use hanok_base::Result;

/// A service of the customer site. Its switch is a setting of its domain that holds at once; the pages and the routes of the
/// domain ask it themselves and are not found while it is off, and navigation, home page and sitemap ask it here.
#[derive(Debug)]
pub struct Offer {
    /// The address of its page, such as `/contact`; of one that is not listed the page of the desk.
    pub path: &'static str,
    /// Whether navigation, home page and sitemap show it. Otherwise customers are sent its addresses, and the desk alone lists
    /// it.
    pub is_listed: bool,
    /// What it is called in the navigation.
    pub name: BothLanguages,
    /// What it does for a customer, in a sentence of the home page.
    pub lead: BothLanguages,
    /// How it goes on from there, step by step.
    pub way: &'static [BothLanguages],
    /// What one does there, as it stands on a button.
    pub call: BothLanguages,
    /// The setting that is its switch, such as `contact.enabled`. What stands before its point is the name of the service.
    pub setting: &'static str,
    /// Whether it is offered.
    pub is_on: fn(&Config) -> bool,
}

impl Offer {
    /// The name of the service: the section of its switch, such as `contact`.
    pub fn id(&self) -> &'static str {
        self.setting.split_once('.').map_or(self.setting, |(section, _)| section)
    }
}

/// Whose navigation an entry stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NavArea {
    /// A customer who is signed in.
    Customer,
    /// An admin who is signed in.
    Admin,
}

/// A page in the navigation of who is signed in. A domain declares its own in one line:
///
/// ```text
/// nav: &[NavEntry::customer("/account/quotes", "견적", "Quotes"), NavEntry::admin("/admin/quotes", "견적", "Quotes")],
/// ```
#[derive(Debug, Clone, Copy)]
pub struct NavEntry {
    /// Whose navigation it stands in.
    pub area: NavArea,
    /// The address of the page, such as `/account/quotes`.
    pub path: &'static str,
    /// What it is called.
    pub name: BothLanguages,
    /// Whether it is there; otherwise the domain is switched off.
    pub is_on: fn(&Config) -> bool,
    /// Whether it stands behind those of other domains.
    pub is_last: bool,
}

impl NavEntry {
    /// An entry that customers see.
    pub const fn customer(path: &'static str, ko: &'static str, en: &'static str) -> NavEntry {
        NavEntry { area: NavArea::Customer, path, name: BothLanguages { ko, en }, is_on: |_| true, is_last: false }
    }

    /// An entry that admins see.
    pub const fn admin(path: &'static str, ko: &'static str, en: &'static str) -> NavEntry {
        NavEntry { area: NavArea::Admin, path, name: BothLanguages { ko, en }, is_on: |_| true, is_last: false }
    }

    /// The same entry while `is_on` says so.
    pub const fn when(self, is_on: fn(&Config) -> bool) -> NavEntry {
        NavEntry { is_on, ..self }
    }

    /// The same entry behind those of other domains.
    pub const fn last(self) -> NavEntry {
        NavEntry { is_last: true, ..self }
    }
}

/// What the customer with this id is called; empty where nothing is known.
pub type CustomerName = fn(&ReadTx, &str) -> Result<String>;

/// Everything that the domains put into the navigation, in the order of the domains.
#[derive(Debug, Clone, Default)]
pub struct Offers {
    /// The services.
    pub services: Vec<&'static Offer>,
    /// The pages of who is signed in.
    pub nav: Vec<&'static NavEntry>,
    /// Who knows what a customer is called.
    pub customer_name: Option<CustomerName>,
}

impl Offers {
    /// The services that are listed and offered under these settings.
    pub fn on<'o>(&'o self, config: &'o Config) -> impl Iterator<Item = &'static Offer> + 'o {
        self.services.iter().copied().filter(|offer| offer.is_listed && (offer.is_on)(config))
    }

    /// The pages of a customer, or of an admin, under these settings.
    pub fn nav_of<'o>(&'o self, is_admin: bool, config: &'o Config) -> impl Iterator<Item = &'static NavEntry> + 'o {
        let area = if is_admin { NavArea::Admin } else { NavArea::Customer };
        let shown = move |entry: &&&NavEntry| entry.area == area && (entry.is_on)(config);
        let part = move |is_last| self.nav.iter().filter(move |entry| entry.is_last == is_last).filter(shown).copied();
        part(false).chain(part(true))
    }
}

//! What a customer's domain offers: switched on and off as a whole, so that nowhere a link to it is left over.

use crate::config::{BothLanguages, Config};

/// A service of the customer site. Its switch is a setting of its domain that holds at once; the pages and the routes of the
/// domain ask it themselves and are not found while it is off, and navigation, home page and sitemap ask it here.
#[derive(Debug)]
pub struct Offer {
    /// The address of its page, such as `/contact`.
    pub path: &'static str,
    /// What it is called in the navigation.
    pub name: BothLanguages,
    /// What it does for a customer, in a sentence of the home page.
    pub lead: BothLanguages,
    /// How it goes on from there, step by step.
    pub way: &'static [BothLanguages],
    /// What one does there, as it stands on a button.
    pub call: BothLanguages,
    /// Whether it is offered.
    pub is_on: fn(&Config) -> bool,
}

/// Everything that the site can offer, in the order in which customers meet it.
#[derive(Debug, Clone, Default)]
pub struct Offers(Vec<&'static Offer>);

impl Offers {
    /// Those that are offered under these settings.
    pub fn on<'o>(&'o self, config: &'o Config) -> impl Iterator<Item = &'static Offer> + 'o {
        self.0.iter().copied().filter(|offer| (offer.is_on)(config))
    }
}

impl FromIterator<&'static Offer> for Offers {
    fn from_iter<I: IntoIterator<Item = &'static Offer>>(offers: I) -> Self {
        Offers(offers.into_iter().collect())
    }
}

//! Who speaks HTTP with the providers.

use std::sync::{Once, OnceLock};
use std::time::Duration;

use reqwest::{Client, ClientBuilder};

use super::AT_ONCE_PER_HOST;
use crate::config;
use hanok_base::{Error, Result};

/// One client for plain http and one for https, which is made for the first such request: to read the root certificates of the
/// machine takes longer than the rest of a start.
pub(super) struct Clients {
    settings: config::Upstream,
    plain: Client,
    secure: OnceLock<Client>,
}

impl Clients {
    /// Clients with these settings. Nothing is connected yet.
    ///
    /// # Errors
    /// `INTERNAL` when no TLS client can be built at all.
    pub fn new(settings: &config::Upstream) -> Result<Clients> {
        static TLS: Once = Once::new();
        // An error means that one is installed already, which is all that is needed.
        TLS.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
        let plain = builder(settings).tls_certs_only([]).build().map_err(Error::internal)?;
        Ok(Clients { settings: settings.clone(), plain, secure: OnceLock::new() })
    }

    /// The client for `url`. On a machine without root certificates there is one, too: everything that works without https
    /// goes on, and https fails by itself.
    pub fn of(&self, url: &str) -> &Client {
        if url.starts_with("http://") {
            return &self.plain;
        }
        self.secure.get_or_init(|| {
            builder(&self.settings).build().unwrap_or_else(|error| {
                tracing::warn!(
                    %error,
                    "no root certificates were found; install ca-certificates to reach https providers"
                );
                self.plain.clone()
            })
        })
    }
}

fn builder(settings: &config::Upstream) -> ClientBuilder {
    Client::builder()
        .user_agent(settings.user_agent.as_str())
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(Duration::from_secs(5))
        .pool_idle_timeout(Duration::from_secs(60))
        .pool_max_idle_per_host(AT_ONCE_PER_HOST)
}

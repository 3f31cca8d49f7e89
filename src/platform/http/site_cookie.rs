//! Small cookies of the customer site beside those of sessions.

use salvo::Request;
use salvo::http::cookie::{Cookie, SameSite, time};

use super::visitors::is_by_tls;
use crate::app::App;

/// A cookie of the customer site. By TLS its name is one that no other host can plant; scripts never see it.
#[derive(Debug, Clone, Copy)]
pub struct SiteCookie {
    /// With the prefix that it has by TLS.
    name: &'static str,
    days: u16,
}

const BY_TLS_ONLY: &str = "__Host-";

impl SiteCookie {
    /// The cookie `name`, which begins with `__Host-` and goes without that where the site is reached without TLS. A browser
    /// keeps it for `days`, and with zero until it is closed.
    pub const fn new(name: &'static str, days: u16) -> SiteCookie {
        SiteCookie { name, days }
    }

    /// What came with the request.
    pub fn sent(&self, app: &App, req: &Request) -> Option<String> {
        Some(req.cookie(self.name(is_by_tls(app, req)))?.value().to_owned())
    }

    /// The cookie that carries `value`; the one that is empty ends it.
    pub fn carrying(&self, app: &App, req: &Request, value: String) -> Cookie<'static> {
        let is_by_tls = is_by_tls(app, req);
        let ends = value.is_empty();
        let cookie = Cookie::build((self.name(is_by_tls), value));
        let cookie = cookie.path("/").http_only(true).same_site(SameSite::Lax).secure(is_by_tls);
        if ends {
            cookie.max_age(time::Duration::ZERO).build()
        } else if self.days > 0 {
            cookie.max_age(time::Duration::days(self.days.into())).build()
        } else {
            cookie.build()
        }
    }

    fn name(&self, is_by_tls: bool) -> &'static str {
        if is_by_tls { self.name } else { self.name.trim_start_matches(BY_TLS_ONLY) }
    }
}

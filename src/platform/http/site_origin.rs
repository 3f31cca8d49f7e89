//! Where customers find the site: what links in mails begin with.

use salvo::Request;
use salvo::http::header::HOST;

use super::peer::came_by_https;
use crate::app::App;

/// The address of the site as customers type it; while none is set, the one that `req` was sent to.
pub fn site_origin(app: &App, req: &Request) -> String {
    let address = app.config.site.address.trim_end_matches('/');
    if !address.is_empty() {
        return address.to_owned();
    }
    let scheme = if came_by_https(req, &app.config.http.trusted_proxies) { "https" } else { "http" };
    let host = req.headers().get(HOST).and_then(|host| host.to_str().ok()).unwrap_or("localhost");
    format!("{scheme}://{host}")
}

//! Light or dark, as the visitor has chosen it. The one form without a seal: what it changes is a colour, and so nobody is given
//! a cookie who only reads.

use salvo::oapi::endpoint;
use salvo::{Request, Writer};

use hanok_platform::app::App;
use hanok_platform::http::{Anyone, Form, HandlerResult, SeeOther, SiteCookie};

const THEME: SiteCookie = SiteCookie::new("__Host-hanok-theme", 365);
/// What may be chosen; anything else leaves it to the system.
const THEMES: [&str; 2] = ["light", "dark"];

/// What the visitor has chosen; none where the system decides.
pub fn chosen(app: &App, req: &Request) -> Option<&'static str> {
    let sent = THEME.sent(app, req)?;
    known(&sent)
}

fn known(theme: &str) -> Option<&'static str> {
    THEMES.into_iter().find(|known| *known == theme)
}

/// Keeps the choice and shows the page again from which it came.
#[endpoint]
pub async fn choose(app: App, _caller: Anyone, form: Form, req: &mut Request) -> HandlerResult<SeeOther> {
    let theme = known(form.value("theme")).unwrap_or_default();
    Ok(SeeOther::to(form.value("back")).with_cookie(THEME.carrying(&app, req, theme.to_owned())))
}

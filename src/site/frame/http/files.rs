//! The style sheet and the script of the site. Their addresses are others as soon as they change, so browsers keep them.

use std::sync::LazyLock;

use salvo::Writer;
use salvo::oapi::endpoint;

use hanok_base::Error;
use hanok_platform::http::{Anyone, HandlerResult, Key, PlainText};

/// A file of the site.
#[derive(Debug)]
pub struct File(LazyLock<(String, PlainText)>);

impl File {
    /// Where it is found.
    pub fn address(&self) -> &str {
        &self.0.0
    }
}

/// The looks of every page.
pub static STYLE: File = File(LazyLock::new(|| {
    let tokens = include_str!("../../../../assets/style/tokens.css");
    let style = include_str!("../../../../assets/site/frame/frame.css");
    kept("site", "css", "text/css; charset=utf-8", format!("{tokens}{style}"))
}));

/// What helps with forms where scripts run.
pub static SCRIPT: File = File(LazyLock::new(|| {
    let script = include_str!("../../../../assets/site/frame/forms.js");
    kept("forms", "js", "text/javascript; charset=utf-8", script.to_owned())
}));

/// The picture in the window's tab.
pub static ICON: File = File(LazyLock::new(|| {
    let icon = include_str!("../../../../assets/ops/public/icon.svg");
    kept("icon", "svg", "image/svg+xml", icon.to_owned())
}));

fn kept(name: &str, ending: &str, content_type: &'static str, text: String) -> (String, PlainText) {
    let file = PlainText::new(content_type, text).for_good();
    (format!("/assets/{name}-{}.{ending}", file.mark()), file)
}

/// A file of the site.
#[endpoint]
pub async fn find(_caller: Anyone, name: Key) -> HandlerResult<PlainText> {
    let address = format!("/assets/{}", name.0);
    let file = [&STYLE, &SCRIPT, &ICON].into_iter().find(|file| file.address() == address);
    Ok(file.map(|file| file.0.1.clone()).ok_or_else(|| Error::not_found("file"))?)
}

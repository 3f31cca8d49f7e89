//! A text as readers will see it, before it is a post.

use hanok_base::Result;
use hanok_calc::markdown::{self, Reading};
use hanok_platform::blocking::{OneByOne, go_on};

/// The turn of what takes much memory only while a text is looked at: it waits for nothing that takes longer.
static LOOKS: OneByOne = OneByOne::free();

/// A text that was looked at.
pub struct Looked {
    /// As HTML that no browser executes.
    pub html: String,
    /// How somebody reads it.
    pub reading: Reading,
}

/// Shows a text. Who stops waiting before it is shown lets the next one in.
///
/// # Errors
/// Those of the thread that does it.
pub async fn look_at(body: String) -> Result<Looked> {
    let look = move |abandoned: &_| {
        let reading = markdown::read(&body);
        go_on(abandoned)?;
        Ok(Looked { html: markdown::html(&body), reading })
    };
    LOOKS.run(look).await
}

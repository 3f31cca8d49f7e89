//! The routes of the mail: what goes out and what became of it, a test, and a decision about what did not.

use salvo::Writer;
use salvo::oapi::endpoint;
use serde::{Deserialize, Serialize};

use hanok_base::error::Check;
use hanok_base::schema::ToSchema;
use hanok_base::validated::Unchecked;
use hanok_base::{Page, Result, Validated};
use hanok_platform::app::App;
use hanok_platform::http::{
    Accepted, Body, Done, HandlerResult, Household, Id, IdempotencyKey, Json, Paging, Query, tx_op,
};
use hanok_platform::mail::{self, Counts, EmailAddress, Language, MailSeen};

/// Mails, and where they go.
#[derive(Debug, Serialize, ToSchema)]
pub struct Mails {
    /// The mail server through which they go; none: they are put into the folder.
    pub server: Option<String>,
    /// The folder, from the root.
    pub folder: String,
    /// The address that they come from; none where it is not set.
    pub from: Option<String>,
    /// How many need time, or somebody.
    pub counts: Counts,
    /// Newest first.
    pub mails: Vec<MailSeen>,
    /// How many there are.
    pub total: u64,
}

/// Where a test goes.
#[derive(Debug, Deserialize, ToSchema)]
pub struct TestMail {
    /// The address.
    pub to: Validated<EmailAddress>,
    /// Its language.
    pub language: Validated<Unchecked<Language>>,
}

/// Mails, newest first, and where they go.
#[endpoint(operation_id = "mails_list", tags("system"))]
pub async fn list(app: App, _caller: Household, paging: Query<Paging<50>>) -> HandlerResult<Json<Mails>> {
    Ok(Json(read(&app, paging.0.page()?).await?))
}

/// Reads a page of the mails, and where they go.
pub async fn read(app: &App, page: Page) -> Result<Mails> {
    let (counts, (mails, total)) =
        app.data.store.read(move |tx| Ok((mail::counts(tx)?, mail::list(tx, page)?))).await?;
    let set = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
    let settings = &app.config.mail;
    Ok(Mails { server: set(&settings.host), folder: folder(app)?, from: set(&settings.from), counts, mails, total })
}

fn folder(app: &App) -> Result<String> {
    let root = std::path::absolute(&app.config.data.dir).map_err(hanok_base::Error::internal)?;
    Ok(hanok_platform::store::DataFolder::at(root).mail().display().to_string())
}

/// Sends a mail by which the household sees that mail arrives.
#[endpoint(operation_id = "mails_test", tags("system"))]
pub async fn test(
    app: App,
    caller: Household,
    key: IdempotencyKey,
    sent: Body<TestMail>,
) -> HandlerResult<Accepted<MailSeen>> {
    let TestMail { to, language } = sent.0;
    let (to, language) = Check::of(|check| (check.take("to", to), check.find("language", language)))?;
    let place = place(&app);
    let write = tx_op(move |tx| {
        let queued = mail::queue_test(tx, language.unwrap_or(Language::Ko), &to, &place)?;
        mail::find(tx, queued.id)
    });
    Ok(Accepted(key.once(&app, &caller, write).await?))
}

/// Queues a test for the command line.
pub async fn send_test(app: &App, language: Language, to: EmailAddress) -> Result<MailSeen> {
    let place = place(app);
    let write = app.data.store.write(move |tx| {
        let queued = mail::queue_test(tx, language, &to, &place)?;
        mail::find(tx, queued.id)
    });
    write.await
}

/// By which name the household knows this house.
fn place(app: &App) -> String {
    app.config.ops.hosts.first().cloned().unwrap_or_else(|| "hanok".to_owned())
}

/// Sends a mail again that is not on its way. One that may have been sent goes out a second time.
#[endpoint(operation_id = "mails_send", tags("system"))]
pub async fn send(app: App, caller: Household, key: IdempotencyKey, id: Id) -> HandlerResult<Done> {
    let write = tx_op(move |tx| mail::send_again(tx, id.0).map(|()| Done::default()));
    Ok(key.once(&app, &caller, write).await?)
}

/// Removes a mail that is not on its way.
#[endpoint(operation_id = "mails_remove", tags("system"))]
pub async fn remove(app: App, caller: Household, key: IdempotencyKey, id: Id) -> HandlerResult<Done> {
    let write = tx_op(move |tx| mail::remove(tx, id.0).map(|()| Done::default()));
    Ok(key.once(&app, &caller, write).await?)
}

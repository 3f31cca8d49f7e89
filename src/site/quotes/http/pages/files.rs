//! A quote as a PDF: behind the customer's link, and at the desk.

use chrono::Duration;
use salvo::Writer;
use salvo::oapi::endpoint;

use super::super::super::model::PublicQuote;
use super::super::super::store;
use super::super::super::work::links;
use super::super::super::work::print::{Letterhead, print};
use crate::frame::Frame;
use hanok_base::day;
use hanok_platform::app::App;
use hanok_platform::auth::RateLimit;
use hanok_platform::http::{Admin, Anyone, FileResponse, HandlerResult, Key, Pdf, Peer};

/// How often one address may have the file of a quote.
const PACE: RateLimit = RateLimit { what: "quote_pdf", most: 20, within: Duration::minutes(1) };

/// The quote that the link opens, as a PDF in the language of the address.
#[endpoint]
pub async fn by_link(
    app: App,
    _caller: Anyone,
    peer: Peer,
    frame: Frame,
    token: Key,
) -> HandlerResult<FileResponse<Pdf>> {
    let today = day::of(app.clock.now());
    let quote = app.data.store.read_inline(move |tx| links::find_by_token(tx, &token.0)?.public(today)).await?;
    app.access.paces.admit(PACE, peer.0, app.clock.moment())?;
    file(frame, quote).await
}

/// A quote at the desk as a PDF, also a draft.
#[endpoint]
pub async fn at_desk(app: App, _caller: Admin, frame: Frame, id: Key) -> HandlerResult<FileResponse<Pdf>> {
    let today = day::of(app.clock.now());
    let quote = app.data.store.read_inline(move |tx| store::find(tx, &id.0)?.public(today)).await?;
    file(frame, quote).await
}

async fn file(frame: Frame, quote: PublicQuote) -> HandlerResult<FileResponse<Pdf>> {
    let name = format!("{}-{}.pdf", frame.say("견적서", "quote"), quote.number);
    let particulars = frame.particulars().into_iter().map(|one| (one.label, one.text.to_owned())).collect();
    let letterhead = Letterhead { name: frame.shop().to_owned(), particulars };
    Ok(FileResponse::own(print(letterhead, quote, frame.language()).await?, name))
}

//! What the forms of a request's page at the desk ask for, and how it is done.

use super::super::super::super::model::{MoveText, NewNote, ShareMaker, Status};
use super::super::super::super::store;
use super::super::super::super::work::follow::{self, Reached};
use super::super::super::super::work::{Desk, shares};
use super::super::super::pages::shares::ShareAct;
use super::super::super::shares::{end_share_at_desk, share_at_desk};
use super::super::{move_at_desk, remove_at_desk, undo_at_desk};
use crate::admin::{AuditAction, note_about};
use hanok_base::{Error, Result, validation_messages};
use hanok_platform::app::App;
use hanok_platform::http::{Admin, Form, Peer, already, tx_op};
use hanok_platform::store::WriteTx;

/// A step of a request, forward or back.
#[derive(hanok_base::Request)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// The state to which it leads.
    status: Status,
    /// What the customer is told with it.
    #[field(MoveText, default)]
    message: String,
}

#[derive(hanok_base::Request)]
#[serde(deny_unknown_fields)]
struct RemoveNote {
    note: u64,
}

/// What became of an act.
pub enum Done {
    /// It is seen on the page of the request.
    Here,
    /// There is no such page any more.
    Removed,
    /// The customer's link.
    Link(String),
}

/// Does what the form asks for, once.
///
/// # Errors
/// `INVALID_INPUT` naming each refused field; those of what it asks for.
pub async fn act(app: &App, caller: &Admin, peer: Peer, id: &str, form: &Form, reached: Reached) -> Result<Done> {
    let (id, by) = (id.to_owned(), caller.clone());
    let noted = move |tx: &WriteTx, id: &str, deed| note_about(tx, &by.name, deed, peer.0, id);
    let by = caller.clone();
    match form.act() {
        act @ ("move" | "undo") => {
            let Step { status, message } = form.checked()?;
            let (desk, is_undo) = (Desk::of(app, &by.name, reached.address), act == "undo");
            let step = if is_undo { undo_at_desk } else { move_at_desk };
            once(app, caller, form, move |tx| step(tx, (&desk, peer), &id, status, &message)).await
        }
        "note" => {
            let NewNote { text } = form.checked()?;
            let add = move |tx: &WriteTx| {
                store::add_note(tx, &id, text, &by.name)?;
                noted(tx, &id, AuditAction::RequestNoted)
            };
            once(app, caller, form, add).await
        }
        "unnote" => {
            let RemoveNote { note } = form.checked()?;
            let remove = move |tx: &WriteTx| {
                let removed = store::remove_note(tx, &id, note);
                already(removed.and_then(|()| noted(tx, &id, AuditAction::RequestNoteRemoved)))
            };
            once(app, caller, form, remove).await
        }
        // The word of a link is written down nowhere: each time that it is asked for, the customer's is another one.
        "link" => {
            form.read_nothing()?;
            renew_link(app, by, peer, id, reached).await
        }
        "unlink" => {
            form.read_nothing()?;
            let end = move |tx: &WriteTx| {
                shares::end_link(tx, &id)?;
                noted(tx, &id, AuditAction::RequestLinkEnded)
            };
            once(app, caller, form, end).await
        }
        "share" | "unshare" => match ShareAct::of(form, ShareMaker::Admin)? {
            ShareAct::Share(new) => {
                once(app, caller, form, move |tx| share_at_desk(tx, (&by, peer), &id, new).map(drop)).await
            }
            ShareAct::End(share) => {
                once(app, caller, form, move |tx| already(end_share_at_desk(tx, (&by, peer), &id, &share))).await
            }
        },
        "remove" => {
            form.read_nothing()?;
            once(app, caller, form, move |tx| already(remove_at_desk(tx, (&by, peer), &id))).await?;
            Ok(Done::Removed)
        }
        _ => Err(Error::field("act", validation_messages::KNOWN)),
    }
}

/// Writes what a form asks for: its key makes one deed of it, however often it is sent.
async fn once(
    app: &App,
    caller: &Admin,
    form: &Form,
    write: impl FnOnce(&WriteTx) -> Result<()> + Send + 'static,
) -> Result<Done> {
    form.key().once(app, caller, tx_op(write)).await?;
    Ok(Done::Here)
}

/// Gives the customer another link in the place of the one before.
async fn renew_link(app: &App, caller: Admin, peer: Peer, id: String, reached: Reached) -> Result<Done> {
    let renewed = app.data.store.write(move |tx| {
        let token = shares::renew_link(tx, &id)?;
        note_about(tx, &caller.name, AuditAction::RequestLinkRenewed, peer.0, &id)?;
        let request = store::find(tx, &id)?;
        let language = request.details.language;
        Ok(Done::Link(follow::page_at(reached.shown(), &token, language)))
    });
    renewed.await
}

//! What the forms of a project's pages at the desk ask for, and how it is done.

use super::super::super::super::model::{MilestoneChanges, MilestoneStatus, NewStep, What};
use super::super::super::super::work::{self, Desk};
use hanok_base::text::{Line, Text};
use hanok_base::validated::IntRange;
use hanok_base::{Error, Result, validation_messages};
use hanok_platform::app::App;
use hanok_platform::http::{Admin, Form, already, tx_op};
use hanok_platform::store::WriteTx;

/// A step to be added.
#[derive(hanok_base::Request)]
#[serde(deny_unknown_fields)]
pub struct AddStep {
    /// What it is called.
    #[field(Line<1, 200>)]
    title: String,
    /// What is done in it.
    #[field(Text<0, 2000>, default)]
    description: String,
    /// Its place; none for the last.
    #[field(IntRange<1, 50>)]
    step_number: Option<u32>,
}

/// A move of a step.
#[derive(hanok_base::Request)]
#[serde(deny_unknown_fields)]
struct MoveStep {
    step: String,
    status: MilestoneStatus,
}

/// Does what a form of a project's page asks for, once.
///
/// # Errors
/// `INVALID_INPUT` naming each refused field; those of what it asks for.
pub async fn act(app: &App, caller: &Admin, desk: Desk, id: &str, form: &Form) -> Result<()> {
    let id = id.to_owned();
    match form.act() {
        "usual" => {
            form.read_nothing()?;
            once(app, caller, form, move |tx| work::add(tx, &desk, &id, What::Usual).map(drop)).await
        }
        "add" => {
            let AddStep { title, description, step_number } = form.checked()?;
            let what = What::Step(NewStep { title, description, step_number });
            once(app, caller, form, move |tx| work::add(tx, &desk, &id, what).map(drop)).await
        }
        "move" => {
            let MoveStep { step, status } = form.checked()?;
            let changes = MilestoneChanges {
                status: Some(status),
                note: None,
                title: None,
                description: None,
                step_number: None,
            };
            once(app, caller, form, move |tx| work::change(tx, &desk, &step, changes).map(drop)).await
        }
        "unlink" => {
            form.read_nothing()?;
            once(app, caller, form, move |tx| already(work::unlink(tx, &desk, &id))).await
        }
        _ => Err(Error::field("act", validation_messages::KNOWN)),
    }
}

/// Does what a form of a step's page asks for, once.
///
/// # Errors
/// `INVALID_INPUT` naming each refused field; those of what it asks for.
pub async fn act_on_step(app: &App, caller: &Admin, desk: Desk, step: &str, form: &Form) -> Result<()> {
    let step = step.to_owned();
    match form.act() {
        "edit" => {
            let changes: MilestoneChanges = form.changes()?;
            once(app, caller, form, move |tx| work::change(tx, &desk, &step, changes).map(drop)).await
        }
        "remove" => {
            form.read_nothing()?;
            once(app, caller, form, move |tx| already(work::remove(tx, &desk, &step))).await
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
) -> Result<()> {
    form.key().once(app, caller, tx_op(write)).await
}

//! What is sent of projects: at the desk, and by who links one.

use super::{MOST_STEPS, MilestoneStatus};
use hanok_base::text::{Line, Text};
use hanok_base::validated::{IntRange, Unchecked};
use hanok_base::{Error, MessageTemplate, Request, Result, validation_messages};

/// The last place that a step can have.
const MOST: u64 = MOST_STEPS as u64;

const ALONE: MessageTemplate =
    MessageTemplate::new("projects.must.alone", "must stand alone, without a title, a description and a step number");

/// Steps to be added to a quote: the usual ones, or one with a title.
#[derive(Debug, Request)]
#[serde(deny_unknown_fields)]
pub struct NewMilestone {
    /// The quote.
    #[serde(alias = "quoteId")]
    #[field(Line<1, 64>)]
    pub quote_id: String,
    /// true adds the seven usual steps, where there are none yet; nothing else is sent then. Left out it is false.
    #[serde(alias = "useDefaults")]
    #[field(Unchecked<bool>, default)]
    pub use_defaults: bool,
    /// What the step is called.
    #[field(Line<1, 200>)]
    pub title: Option<String>,
    /// What is done in it; left out it is empty.
    #[field(Text<0, 2000>)]
    pub description: Option<String>,
    /// Its place, from 1; those from there on move up. Left out it is the last.
    #[field(IntRange<1, MOST>)]
    pub step_number: Option<u32>,
}

/// What is to be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// The usual steps.
    Usual,
    /// One step.
    Step(NewStep),
}

/// A step to be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewStep {
    /// What it is called.
    pub title: String,
    /// What is done in it; may be empty.
    pub description: String,
    /// Its place, from 1; none for the last.
    pub step_number: Option<u32>,
}

/// What changes of a step; the others stay.
#[derive(Debug, Request)]
#[serde(deny_unknown_fields)]
pub struct MilestoneChanges {
    /// How far it is.
    #[field(Unchecked<MilestoneStatus>, change)]
    pub status: Option<MilestoneStatus>,
    /// What the shop writes of it to the customer; null clears it.
    #[field(Text<0, 2000>, clear)]
    pub note: Option<Option<String>>,
    /// What it is called.
    #[field(Line<1, 200>, change)]
    pub title: Option<String>,
    /// What is done in it; null clears it.
    #[field(Text<0, 2000>, clear)]
    pub description: Option<Option<String>>,
    /// Its place, from 1; the others close up.
    #[field(IntRange<1, MOST>, change)]
    pub step_number: Option<u32>,
}

/// A quote to be linked to the account.
#[derive(Debug, Request)]
#[serde(deny_unknown_fields)]
pub struct LinkWanted {
    /// The link of the quote, or the word at its end.
    #[field(Line<1, 1000>)]
    pub token: String,
}

impl NewMilestone {
    /// The quote, and what is to be added to it.
    ///
    /// # Errors
    /// `INVALID_INPUT` naming the title where it is missing, or `use_defaults` where a step is sent with it.
    pub fn parts(self) -> Result<(String, What)> {
        let NewMilestone { quote_id, use_defaults, title, description, step_number } = self;
        let is_alone = title.is_none() && description.is_none() && step_number.is_none();
        match (use_defaults, title) {
            (true, _) if is_alone => Ok((quote_id, What::Usual)),
            (true, _) => Err(Error::field("use_defaults", ALONE)),
            (false, Some(title)) => {
                let description = description.unwrap_or_default();
                Ok((quote_id, What::Step(NewStep { title, description, step_number })))
            }
            (false, None) => Err(Error::field("title", validation_messages::PRESENT)),
        }
    }
}

/// The word of a link to a quote, where a whole address was sent; else what was sent.
///
/// ```text
/// https://shop.example/en/quote/abc.def?x#y → abc.def      abc.def → abc.def
/// ```
pub fn word_in(sent: &str) -> &str {
    let behind = sent.rsplit_once("/quote/").map_or(sent, |(_, behind)| behind);
    behind.split(['/', '?', '#']).next().unwrap_or_default().trim()
}

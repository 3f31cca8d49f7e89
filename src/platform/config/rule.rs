//! What the value of a setting must be beyond its type: the sentence and the check are one thing.

use serde::{Deserialize, Serialize};
use toml::Value;

pub use super::addresses::{is_host, is_host_and_port, is_mail_address, is_origin, is_web_address, without_last_slash};
use super::checks::Changing;
use hanok_base::expected::one_of as one_of_words;
use hanok_base::schema::ToSchema;
use hanok_base::{Message, MessageTemplate, validation_messages};

/// What a value must be.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    form: Form,
    such_as: &'static [&'static str],
    also: Option<MessageTemplate>,
    tidy: fn(&str) -> String,
    reach: Reach,
    changed_by: ChangedBy,
    skip_import_if: fn(&Value, &Here) -> bool,
    refused_when: fn(&Changing) -> Option<Message>,
}

/// What a value from the backup file of another house is held against.
#[derive(Debug, Clone, Copy)]
pub struct Here<'a> {
    /// The value that is in force in this house.
    pub value: &'a Value,
    /// How many bytes of room this machine has, where that is known.
    pub free: Option<u64>,
}

/// Whom a value is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// The household, on whatever machine it lives.
    Household,
    /// This machine alone.
    Machine,
    /// Nobody: it is never shown.
    Secret,
    /// It says where the house is reached and whom it believes: no file from elsewhere decides that.
    Entrance,
}

/// Where a value is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChangedBy {
    /// In the settings file only.
    File,
    /// On the page of the settings, too.
    Page,
    /// The same, and a change there holds at once, not from the next start.
    PageAtOnce,
}

/// How a value is entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Entry {
    /// Yes or no.
    Switch,
    /// A whole number.
    Number,
    /// One word of several.
    Choice,
    /// Several texts, with commas.
    List,
    /// A text.
    Text,
}

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Things, of which the name says what they are.
    Count,
    /// Seconds.
    Seconds,
    /// Minutes.
    Minutes,
    /// Days.
    Days,
    /// Bytes.
    Bytes,
    /// Mebibytes of 1,048,576 bytes.
    Mebibytes,
    /// Won.
    Won,
}

impl Unit {
    /// What stands behind a number of it, in Korean and in English.
    pub(super) fn names(self) -> (&'static str, &'static str) {
        match self {
            Unit::Count => ("개", "count"),
            Unit::Seconds => ("초", "seconds"),
            Unit::Minutes => ("분", "minutes"),
            Unit::Days => ("일", "days"),
            Unit::Bytes => ("바이트", "bytes"),
            Unit::Mebibytes => ("MiB", "MiB"),
            Unit::Won => ("원", "won"),
        }
    }

    /// A whole number of it, as the sentences for whoever starts the appliance call it.
    fn whole(self) -> &'static str {
        match self {
            Unit::Count => "a whole number",
            Unit::Seconds => "whole seconds",
            Unit::Minutes => "whole minutes",
            Unit::Days => "whole days",
            Unit::Bytes => "whole bytes",
            Unit::Mebibytes => "whole mebibytes",
            Unit::Won => "whole won",
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Form {
    /// The type says it all.
    Typed(MessageTemplate),
    /// A text, or each text of a list, that holds this.
    Text(MessageTemplate, fn(&str) -> bool),
    /// A whole number of this unit within these bounds, and what the lowest means.
    Whole { unit: Unit, least: u64, meaning: &'static str, most: u64 },
    /// One of these words, as the type says, too.
    OneOf(&'static [&'static str]),
}

/// Whole seconds of at most a day.
pub const SECONDS: Rule = whole(Unit::Seconds, 1, 86_400);
/// Yes or no.
pub const SWITCH: Rule = typed(validation_messages::TRUE_OR_FALSE);

/// What its type already takes.
pub const fn typed(must: MessageTemplate) -> Rule {
    of(Form::Typed(must))
}

/// One of these words, which its type takes.
pub const fn one_of(words: &'static [&'static str]) -> Rule {
    of(Form::OneOf(words))
}

/// A text, or a list of texts, that `holds`.
pub const fn text(must: MessageTemplate, holds: fn(&str) -> bool) -> Rule {
    of(Form::Text(must, holds))
}

/// A whole number of `unit` from `least` to `most`.
pub const fn whole(unit: Unit, least: u64, most: u64) -> Rule {
    of(Form::Whole { unit, least, meaning: "", most })
}

const fn of(form: Form) -> Rule {
    let (reach, changed_by) = (Reach::Household, ChangedBy::File);
    Rule {
        form,
        such_as: &[],
        also: None,
        tidy: str::to_owned,
        reach,
        changed_by,
        skip_import_if: |_, _| false,
        refused_when: |_| None,
    }
}

impl Rule {
    /// Says what the lowest number means, such as "no limit".
    pub const fn min_label(self, meaning: &'static str) -> Rule {
        match self.form {
            Form::Whole { unit, least, most, .. } => Rule { form: Form::Whole { unit, least, meaning, most }, ..self },
            _ => self,
        }
    }

    /// Gives an example of a list, which the sentence calls `{example}`.
    pub const fn such_as(self, such_as: &'static [&'static str]) -> Rule {
        Rule { such_as, ..self }
    }

    /// Adds what is checked elsewhere: how it stands to another setting.
    pub const fn and(self, also: MessageTemplate) -> Rule {
        Rule { also: Some(also), ..self }
    }

    /// The value is never shown.
    pub const fn secret(self) -> Rule {
        self.reaching(Reach::Secret)
    }

    /// The value means something on this machine only.
    pub const fn local(self) -> Rule {
        self.reaching(Reach::Machine)
    }

    /// The value says where the house is reached, or whom it believes.
    pub const fn entrance(self) -> Rule {
        self.reaching(Reach::Entrance)
    }

    /// The household may change it on the page, too: no value that it takes keeps the household out, or a change of it is
    /// checked for that. Without this it is changed in the settings file only. What is never shown or belongs to the
    /// machine cannot be on the page:
    ///
    /// ```compile_fail
    /// use hanok_platform::config::rule::{Rule, SWITCH};
    ///
    /// const KEPT: Rule = SWITCH.secret().on_page();
    /// ```
    pub const fn on_page(self) -> Rule {
        let changed_by = if self.is_at_once() { ChangedBy::PageAtOnce } else { ChangedBy::Page };
        Rule { changed_by, ..self }.fitting()
    }

    /// The household may change it on the page, and a change there holds at once, for all who hold the settings.
    pub const fn at_once(self) -> Rule {
        Rule { changed_by: ChangedBy::PageAtOnce, ..self }.fitting()
    }

    /// A value that `ends` something which the household counts on is not taken over from the backup file of another house;
    /// beside the value it is told what is here.
    pub const fn skip_import_if(self, ends: fn(&Value, &Here) -> bool) -> Rule {
        Rule { skip_import_if: ends, ..self }
    }

    /// A change on the page is checked for what the value alone does not say; `refused` gives why it is not made.
    pub const fn checked_by(self, refused: fn(&Changing) -> Option<Message>) -> Rule {
        Rule { refused_when: refused, ..self }
    }

    const fn reaching(self, reach: Reach) -> Rule {
        assert!(matches!(self.reach, Reach::Household), "a value is for one of them");
        Rule { reach, ..self }.fitting()
    }

    /// Whatever the order in which it was said.
    const fn fitting(self) -> Rule {
        let is_hidden = matches!(self.reach, Reach::Secret | Reach::Machine);
        assert!(!is_hidden || matches!(self.changed_by, ChangedBy::File), "what nobody may see is not on the page");
        self
    }

    /// Whether the value is never shown.
    pub fn is_secret(&self) -> bool {
        self.reach == Reach::Secret
    }

    /// Whether a backup file carries it to another machine.
    pub(super) fn is_carried(&self) -> bool {
        !matches!(self.reach, Reach::Secret | Reach::Machine)
    }

    /// Whether it is taken over from a backup file of another house: not even the page changes the others.
    pub(super) fn is_taken_over(&self) -> bool {
        self.reach == Reach::Household && self.is_on_page()
    }

    /// Whether this value of it is, in the house that is `here`.
    pub(super) fn takes_over(&self, value: &Value, here: &Here) -> bool {
        self.is_taken_over() && !(self.skip_import_if)(value, here)
    }

    /// Why a change of it on the page is not made.
    pub(super) fn refuses(&self, change: &Changing) -> Option<Message> {
        (self.refused_when)(change)
    }

    /// Whether it can be changed on the page of the settings.
    pub(super) fn is_on_page(&self) -> bool {
        self.changed_by != ChangedBy::File
    }

    /// Whether a change on the page holds at once.
    pub(super) const fn is_at_once(&self) -> bool {
        matches!(self.changed_by, ChangedBy::PageAtOnce)
    }

    /// How a value like `default` is entered.
    pub(super) fn entry(&self, default: &Value) -> Entry {
        match (self.form, default) {
            (Form::OneOf(_), _) => Entry::Choice,
            (_, Value::Boolean(_)) => Entry::Switch,
            (_, Value::Integer(_)) => Entry::Number,
            (_, Value::Array(_)) => Entry::List,
            _ => Entry::Text,
        }
    }

    /// The words that it may be, where these are few.
    pub(super) fn words(&self) -> &'static [&'static str] {
        match self.form {
            Form::OneOf(words) => words,
            _ => &[],
        }
    }

    /// What its number counts.
    pub(super) fn unit(&self) -> Option<Unit> {
        match self.form {
            Form::Whole { unit, .. } => Some(unit),
            _ => None,
        }
    }

    /// The lowest and the highest number.
    pub(super) fn bounds(&self) -> Option<(u64, u64)> {
        match self.form {
            Form::Whole { least, most, .. } => Some((least, most)),
            _ => None,
        }
    }

    /// Forms that mean the same are made the same by `tidy`.
    pub const fn normalize(self, tidy: fn(&str) -> String) -> Rule {
        Rule { tidy, ..self }
    }

    /// What it must be, as the page of the settings takes it: a list is written with commas.
    pub fn said(&self) -> Message {
        let must = self.said_with(self.such_as.join(", "));
        Message::all([must].into_iter().chain(self.also.map(Message::from)))
    }

    /// The same for whoever starts the appliance, with the example as a variable takes it (a list is written with commas
    /// alone), or as the file does.
    pub(super) fn at_a_start(&self, is_variable: bool) -> String {
        let Rule { such_as, .. } = self;
        let example = if is_variable { such_as.join(",") } else { format!("{such_as:?}") };
        let must = match self.form {
            Form::Whole { unit, least, meaning: "", most } => {
                format!("must be {} from {least} to {most}", unit.whole())
            }
            Form::Whole { unit, least, meaning, most } => {
                format!("must be {} from {least} ({meaning}) to {most}", unit.whole())
            }
            _ => self.said_with(example).to_string(),
        };
        self.also.map_or_else(|| must.clone(), |also| format!("{must}; {}", Message::from(also)))
    }

    fn said_with(&self, example: String) -> Message {
        match self.form {
            Form::Typed(must) | Form::Text(must, _) if self.such_as.is_empty() => must.into(),
            Form::Typed(must) | Form::Text(must, _) => must.with([("example", example.into())]),
            Form::Whole { least, most, .. } => validation_messages::between(least, most),
            Form::OneOf(words) => one_of_words(words),
        }
    }

    /// Whether `value` is what it must be, as far as its type does not say so.
    pub(super) fn admits(&self, value: &Value) -> bool {
        match (self.form, value) {
            (Form::Whole { least, most, .. }, Value::Integer(number)) => {
                u64::try_from(*number).is_ok_and(|number| (least..=most).contains(&number))
            }
            (Form::Text(_, holds), Value::String(text)) => holds(text),
            (Form::Text(..), Value::Array(values)) => values.iter().all(|value| self.admits(value)),
            (Form::Typed(_) | Form::OneOf(_), _) => true,
            _ => false,
        }
    }

    /// The form of `value` that is kept.
    pub(super) fn tidied(&self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String((self.tidy)(&text)),
            Value::Array(values) => Value::Array(values.into_iter().map(|value| self.tidied(value)).collect()),
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOOR: MessageTemplate = MessageTemplate::new("house.must.door", "must be a door");

    #[test]
    fn a_value_is_changed_on_the_page_only_where_its_rule_says_so_in_whatever_order() {
        assert!(!SWITCH.is_on_page() && SWITCH.on_page().is_on_page());
        assert!(!SWITCH.is_taken_over() && SWITCH.on_page().is_taken_over());
        for door in [typed(DOOR).entrance().on_page(), typed(DOOR).on_page().entrance()] {
            assert!(door.is_on_page() && door.is_carried() && !door.is_taken_over() && !door.is_at_once());
        }
        for rule in [SWITCH.at_once(), SWITCH.on_page().at_once(), SWITCH.at_once().on_page()] {
            assert!(rule.is_on_page() && rule.is_at_once());
        }
    }
}

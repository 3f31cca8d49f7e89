//! The rules as the page reads them.

use serde::Serialize;
use serde_json::Value;

use super::nodes::{self, Group, Node, Parameter, ParameterKind, Unit};
use super::settings::{arguments, usual, usual_parameters};
use hanok_base::schema::ToSchema;

/// A text in both languages.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct BothLanguages {
    /// In Korean.
    pub ko: &'static str,
    /// In English.
    pub en: &'static str,
}

impl From<(&'static str, &'static str)> for BothLanguages {
    fn from((ko, en): (&'static str, &'static str)) -> BothLanguages {
        BothLanguages { ko, en }
    }
}

/// Every rule.
#[derive(Debug, Serialize, ToSchema)]
pub struct NodeList {
    /// In the order in which they are shown.
    pub nodes: Vec<DescribedNode>,
}

/// A rule.
#[derive(Debug, Serialize, ToSchema)]
pub struct DescribedNode {
    /// What it is called in settings and runs.
    pub id: &'static str,
    /// Its name.
    pub title: BothLanguages,
    /// What it looks at.
    pub about: BothLanguages,
    /// What it stands with.
    pub group: Group,
    /// In what its value is measured.
    pub unit: Unit,
    /// How many bars it needs with its usual parameters.
    pub warm_up: u64,
    /// Its parameters.
    pub parameters: Vec<DescribedParameter>,
}

/// What a parameter may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A number from `minimum` to `maximum`.
    Number,
    /// One of the `choices`.
    Choice,
    /// Yes or no.
    Flag,
    /// Words of at most 200 characters, with commas between them.
    Text,
}

/// A parameter of a rule.
#[derive(Debug, Serialize, ToSchema)]
pub struct DescribedParameter {
    /// What it is called in settings.
    pub name: &'static str,
    /// Its name.
    pub title: BothLanguages,
    /// What it may be.
    pub kind: Kind,
    /// What it is where it is left out.
    pub default: Value,
    /// The least; null of what is no number.
    pub minimum: Option<f64>,
    /// The most.
    pub maximum: Option<f64>,
    /// The step of a field for it; 1 takes whole numbers alone.
    pub step: Option<f64>,
    /// The words that it may be.
    pub choices: Vec<DescribedChoice>,
}

/// A word of a choice.
#[derive(Debug, Serialize, ToSchema)]
pub struct DescribedChoice {
    /// As it is sent.
    pub value: &'static str,
    /// Its name.
    pub title: BothLanguages,
}

/// Every rule.
pub fn all() -> NodeList {
    NodeList { nodes: nodes::all().map(described).collect() }
}

fn described(node: &Node) -> DescribedNode {
    DescribedNode {
        id: node.id,
        title: node.title.into(),
        about: node.about.into(),
        group: node.group,
        unit: node.unit,
        warm_up: (node.warm_up)(&arguments(node, &usual_parameters(node))) as u64,
        parameters: node.parameters.iter().map(parameter).collect(),
    }
}

fn parameter(parameter: &Parameter) -> DescribedParameter {
    let (mut minimum, mut maximum, mut step, mut choices) = (None, None, None, Vec::new());
    let kind = match parameter.kind {
        ParameterKind::Number(_, least, most, by) => {
            (minimum, maximum, step) = (Some(least), Some(most), Some(by));
            Kind::Number
        }
        ParameterKind::Choice(words) => {
            choices = words.iter().map(|(value, title)| DescribedChoice { value, title: (*title).into() }).collect();
            Kind::Choice
        }
        ParameterKind::Flag(_) => Kind::Flag,
        ParameterKind::Words => Kind::Text,
    };
    let default = usual(&parameter.kind);
    DescribedParameter {
        name: parameter.name,
        title: parameter.title.into(),
        kind,
        default,
        minimum,
        maximum,
        step,
        choices,
    }
}

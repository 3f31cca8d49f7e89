//! What is screened by: the rules that are chosen, each with its parameters.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::nodes::{Arguments, Node, ParameterKind, all, find};
use super::said;
use hanok_base::error::Fields;
use hanok_base::list::List;
use hanok_base::schema::{Array, BasicType, Components, Object, RefOr, Schema, ToSchema};
use hanok_base::text::Line;
use hanok_base::validated::{Constraint, IntRange, ValidationErrors};
use hanok_base::{Message, Request, validation_messages};

/// How many rules there may be.
pub const MOST_NODES: usize = 30;
/// Characters of a parameter that is words.
const MOST_CHARACTERS: usize = 200;

/// What it is called.
pub type Name = Line<1, 80>;
/// How many of those that pass a list shows.
pub type MostListed = IntRange<1, 500>;

/// What is screened by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Settings {
    /// What it is called.
    pub name: String,
    /// The rules; a stock passes that passes all of them that are on.
    pub nodes: Vec<NodeSetting>,
    /// How many of those that pass the list of a run shows, the largest first.
    pub limit: u64,
}

/// A rule that is chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct NodeSetting {
    /// Its id.
    pub node: String,
    /// Every parameter by its name: a number, a word or a flag.
    pub parameters: BTreeMap<String, Value>,
    /// Whether it counts.
    pub enabled: bool,
}

/// The fields that are sent; the others stay as they are saved.
#[derive(Debug, Request)]
#[request(changes = Settings)]
pub struct SettingsChanges {
    /// What it is called.
    #[field(Name, change)]
    pub name: Option<String>,
    /// The rules, at most 30; a parameter that is left out is the usual one.
    #[field(Nodes, change)]
    pub nodes: Option<Vec<NodeSetting>>,
    /// How many of those that pass the list of a run shows.
    #[field(MostListed, change)]
    pub limit: Option<u64>,
}

/// A rule that is on, with what it is asked with.
pub type Chosen = (&'static Node, Arguments);

impl Settings {
    /// What is screened by before anybody has chosen: stocks that can be bought and rise.
    pub fn usual() -> Settings {
        let ids = ["market", "kind", "tradable", "price", "market_cap", "liquidity", "ma_position", "momentum", "rsi"];
        let of = |id: &str| {
            let node = find(id)?;
            Some(NodeSetting { node: id.to_owned(), parameters: usual_parameters(node), enabled: true })
        };
        Settings { name: "기본".to_owned(), nodes: ids.into_iter().filter_map(of).collect(), limit: 100 }
    }

    /// The rules that are on. One that this version does not know any more is none.
    pub fn chosen(&self) -> Vec<Chosen> {
        let on = self.nodes.iter().filter(|setting| setting.enabled);
        on.filter_map(|setting| find(&setting.node).map(|node| (node, arguments(node, &setting.parameters)))).collect()
    }
}

/// The usual parameters of a rule.
pub fn usual_parameters(node: &Node) -> BTreeMap<String, Value> {
    node.parameters.iter().map(|parameter| (parameter.name.to_owned(), usual(&parameter.kind))).collect()
}

/// What a parameter is where it is left out.
pub fn usual(kind: &ParameterKind) -> Value {
    match kind {
        ParameterKind::Number(usual, ..) => number(*usual),
        ParameterKind::Choice(choices) => choices.first().map_or(Value::Null, |(word, _)| (*word).into()),
        ParameterKind::Flag(usual) => (*usual).into(),
        ParameterKind::Words => "".into(),
    }
}

/// A number as JSON has it: a whole one without a point.
fn number(number: f64) -> Value {
    if number.fract() == 0.0 { (number as i64).into() } else { number.into() }
}

/// The parameters in their order, the usual one where there is none.
pub fn arguments(node: &Node, parameters: &BTreeMap<String, Value>) -> Arguments {
    let mut arguments = Arguments::default();
    for parameter in node.parameters {
        let sent = parameters.get(parameter.name).and_then(|value| checked(&parameter.kind, value).ok());
        let value = sent.unwrap_or_else(|| usual(&parameter.kind));
        arguments.numbers.push(match &parameter.kind {
            ParameterKind::Number(..) => value.as_f64().unwrap_or_default(),
            ParameterKind::Flag(_) => f64::from(u8::from(value == Value::Bool(true))),
            ParameterKind::Choice(choices) => {
                choices.iter().position(|(word, _)| value == *word).unwrap_or_default() as f64
            }
            ParameterKind::Words => {
                arguments.words.push(value.as_str().unwrap_or_default().to_owned());
                0.0
            }
        });
    }
    arguments
}

/// A parameter as it is kept.
fn checked(kind: &ParameterKind, value: &Value) -> Result<Value, Message> {
    match kind {
        ParameterKind::Number(_, least, most, step) => {
            let sent = value.as_f64().ok_or(validation_messages::FITTING)?;
            let is_whole = step.fract() != 0.0 || *step != 1.0 || sent.fract() == 0.0;
            match (*least..=*most).contains(&sent) {
                _ if !is_whole => Err(validation_messages::WHOLE.into()),
                true => Ok(number(sent)),
                false => Err(between(*least, *most)),
            }
        }
        ParameterKind::Choice(choices) => {
            let is_one = value.as_str().is_some_and(|sent| choices.iter().any(|(word, _)| *word == sent));
            if is_one { Ok(value.clone()) } else { Err(validation_messages::FITTING.into()) }
        }
        ParameterKind::Flag(_) if value.is_boolean() => Ok(value.clone()),
        ParameterKind::Flag(_) => Err(validation_messages::TRUE_OR_FALSE.into()),
        ParameterKind::Words => {
            let sent = value.as_str().ok_or(validation_messages::FITTING)?.to_owned();
            let checked = Line::<0, MOST_CHARACTERS>::check(sent);
            checked.map(Value::from).map_err(|refused| {
                refused.at("").next().map_or_else(|| validation_messages::FITTING.into(), |(_, must)| must)
            })
        }
    }
}

fn between(least: f64, most: f64) -> Message {
    said::BETWEEN.with([("least", least.to_string().into()), ("most", most.to_string().into())])
}

/// A rule as it is sent.
#[derive(Debug, Clone, Deserialize)]
pub struct SentNode {
    node: String,
    #[serde(default)]
    parameters: Option<BTreeMap<String, Value>>,
    #[serde(default)]
    enabled: Option<bool>,
}

/// At most 30 rules. Parameters that a rule does not have say nothing.
#[derive(Debug)]
pub enum Nodes {}

impl Constraint for Nodes {
    type Input = List<SentNode, { MOST_NODES + 1 }>;
    type Value = Vec<NodeSetting>;

    fn check(sent: Self::Input) -> Result<Vec<NodeSetting>, ValidationErrors> {
        if sent.sent() > MOST_NODES {
            return Err(said::MOST_NODES.with([("most", MOST_NODES.into())]).into());
        }
        let (mut nodes, mut refused) = (Vec::new(), Fields::new());
        for (place, sent) in sent.into_kept() {
            let Some(node) = find(&sent.node) else {
                refused.insert(format!("[{place}].node"), said::UNKNOWN_NODE.into());
                continue;
            };
            let mut parameters = usual_parameters(node);
            for (name, value) in sent.parameters.unwrap_or_default() {
                let Some(parameter) = node.parameters.iter().find(|parameter| parameter.name == name) else { continue };
                match checked(&parameter.kind, &value) {
                    Ok(value) => drop(parameters.insert(name, value)),
                    Err(must) => drop(refused.insert(format!("[{place}].parameters.{name}"), must)),
                }
            }
            nodes.push(NodeSetting { node: sent.node, parameters, enabled: sent.enabled.unwrap_or(true) });
        }
        if refused.is_empty() { Ok(nodes) } else { Err(ValidationErrors::parts(refused)) }
    }

    fn schema(_components: &mut Components) -> RefOr<Schema> {
        let ids: Vec<&str> = all().map(|node| node.id).collect();
        let node = Object::new()
            .property("node", Object::with_type(BasicType::String).enum_values(ids))
            .property("parameters", Object::new())
            .property("enabled", Object::with_type(BasicType::Boolean))
            .required("node");
        Array::new().items(node).max_items(MOST_NODES).into()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(sent: Value) -> Result<Vec<NodeSetting>, Vec<String>> {
        let sent = serde_json::from_value(sent).map_err(|error| vec![error.to_string()])?;
        Nodes::check(sent).map_err(|refused| refused.at("nodes").map(|(field, _)| field).collect())
    }

    #[test]
    fn parameters_that_are_left_out_are_the_usual_ones_and_unknown_ones_say_nothing() {
        let nodes = check(json!([{"node": "rsi", "parameters": {"days": 20, "color": "red"}}])).unwrap();
        assert_eq!(
            json!(nodes),
            json!([
                {"node": "rsi", "parameters": {"days": 20, "minimum": 40, "maximum": 70}, "enabled": true}
            ])
        );
        let (node, arguments) = Settings { nodes, ..Settings::usual() }.chosen().remove(0);
        assert_eq!((node.id, arguments.numbers), ("rsi", vec![20.0, 40.0, 70.0]));
    }

    #[test]
    fn every_refused_parameter_is_named_by_its_place() {
        let refused = check(json!([
            {"node": "rsi", "parameters": {"days": 1, "maximum": "high"}},
            {"node": "moon"},
            {"node": "ma_position", "parameters": {"side": "inside", "days": 20.5}},
            {"node": "market", "parameters": {"kospi": 1}},
            {"node": "sector", "parameters": {"words": "가".repeat(201)}},
        ]));
        assert_eq!(
            refused.unwrap_err(),
            [
                "nodes[0].parameters.days",
                "nodes[0].parameters.maximum",
                "nodes[1].node",
                "nodes[2].parameters.days",
                "nodes[2].parameters.side",
                "nodes[3].parameters.kospi",
                "nodes[4].parameters.words",
            ]
        );
        assert_eq!(check(json!(vec![json!({"node": "rsi"}); 31])).unwrap_err(), ["nodes"]);
        assert!(check(json!([7])).is_err());
    }

    #[test]
    fn every_rule_has_an_id_of_its_own_and_usual_parameters_that_are_taken() {
        for (place, node) in all().enumerate() {
            assert!(all().take(place).all(|other| other.id != node.id), "{}", node.id);
            for parameter in node.parameters {
                assert!(checked(&parameter.kind, &usual(&parameter.kind)).is_ok(), "{} {}", node.id, parameter.name);
            }
        }
    }
}

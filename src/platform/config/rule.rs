//! What the value of a setting must be beyond its type: the sentence and the check are one thing.

use toml::Value;

/// What a value must be.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    what: &'static str,
    such_as: &'static [&'static str],
    also: &'static str,
    form: Form,
    tidy: fn(&str) -> String,
    /// Whether the value is never shown.
    pub secret: bool,
    /// Whether it means something on this machine only.
    pub local: bool,
    /// Whether it says where the house is reached and whom it believes: no file from elsewhere decides that.
    pub entrance: bool,
}

#[derive(Debug, Clone, Copy)]
enum Form {
    /// The type says it all.
    Typed,
    /// A text, or each text of a list, that holds this.
    Text(fn(&str) -> bool),
    /// A whole number within these bounds; the word says what the lowest means.
    Whole(u64, &'static str, u64),
}

/// Whole seconds of at most a day.
pub const SECONDS: Rule = whole("whole seconds", 1, 86_400);
/// Yes or no.
pub const SWITCH: Rule = typed("true or false");

/// What its type already takes; `what` completes "must be …".
pub const fn typed(what: &'static str) -> Rule {
    let (secret, local, entrance) = (false, false, false);
    Rule { what, such_as: &[], also: "", form: Form::Typed, tidy: str::to_owned, secret, local, entrance }
}

/// A text, or a list of texts, that `holds`; `what` completes "must be …".
pub const fn text(what: &'static str, holds: fn(&str) -> bool) -> Rule {
    Rule { form: Form::Text(holds), ..typed(what) }
}

/// A whole number from `least` to `most`; `what` says of what, such as "whole seconds".
pub const fn whole(what: &'static str, least: u64, most: u64) -> Rule {
    Rule { form: Form::Whole(least, "", most), ..typed(what) }
}

impl Rule {
    /// Says what the lowest number means, such as "no limit".
    pub const fn lowest_means(self, word: &'static str) -> Rule {
        match self.form {
            Form::Whole(least, _, most) => Rule { form: Form::Whole(least, word, most), ..self },
            _ => self,
        }
    }

    /// Gives an example of a list.
    pub const fn such_as(self, such_as: &'static [&'static str]) -> Rule {
        Rule { such_as, ..self }
    }

    /// Adds to the sentence what is checked elsewhere: how it stands to another setting.
    pub const fn and(self, also: &'static str) -> Rule {
        Rule { also, ..self }
    }

    /// The value is never shown.
    pub const fn secret(self) -> Rule {
        Rule { secret: true, ..self }
    }

    /// The value means something on this machine only.
    pub const fn local(self) -> Rule {
        Rule { local: true, ..self }
    }

    /// The value says where the house is reached, or whom it believes.
    pub const fn entrance(self) -> Rule {
        Rule { entrance: true, ..self }
    }

    /// Forms that mean the same are made the same by `tidy`.
    pub const fn tidied_by(self, tidy: fn(&str) -> String) -> Rule {
        Rule { tidy, ..self }
    }

    /// The end of the sentence "`section.key` must be …".
    pub fn sentence(&self) -> String {
        self.sentence_for(false)
    }

    /// The same with the example as a variable takes it (a list is written with commas alone), or as the file does.
    pub(super) fn sentence_for(&self, is_variable: bool) -> String {
        let Rule { what, also, such_as, .. } = self;
        let example = if is_variable { such_as.join(",") } else { format!("{such_as:?}") };
        match self.form {
            Form::Whole(least, "", most) => format!("{what} from {least} to {most}{also}"),
            Form::Whole(least, meaning, most) => format!("{what} from {least} ({meaning}) to {most}{also}"),
            _ if such_as.is_empty() => format!("{what}{also}"),
            _ => format!("{what}, such as {example}{also}"),
        }
    }

    /// Whether `value` is what it must be, as far as its type does not say so.
    pub(super) fn admits(&self, value: &Value) -> bool {
        match (self.form, value) {
            (Form::Whole(least, _, most), Value::Integer(number)) => {
                u64::try_from(*number).is_ok_and(|number| (least..=most).contains(&number))
            }
            (Form::Text(holds), Value::String(text)) => holds(text),
            (Form::Text(_), Value::Array(values)) => values.iter().all(|value| self.admits(value)),
            (Form::Typed, _) => true,
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

/// A host name or an IP address, without scheme, port or path.
pub fn is_host(text: &str) -> bool {
    let name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let bracketed = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    match bracketed {
        Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
        None => !text.is_empty() && text.len() <= 253 && text.chars().all(name),
    }
}

/// `host:port`.
pub fn is_host_and_port(text: &str) -> bool {
    text.rsplit_once(':').is_some_and(|(host, port)| is_host(host) && port.parse::<u16>().is_ok_and(|port| port > 0))
}

/// `http://` or `https://`, a host and perhaps a port, nothing behind.
pub fn is_origin(text: &str) -> bool {
    without_scheme(text).is_some_and(|rest| is_host(rest) || is_host_and_port(rest))
}

/// An origin, perhaps with a path; no query, no fragment, no user name.
pub fn is_web_address(text: &str) -> bool {
    without_scheme(text).is_some_and(|rest| {
        let (origin, path) = rest.split_once('/').unwrap_or((rest, ""));
        let plain = |c: char| c.is_ascii_graphic() && !matches!(c, '?' | '#' | '@');
        (is_host(origin) || is_host_and_port(origin)) && path.chars().all(plain)
    })
}

/// A web address is written without its last slash.
pub fn without_last_slash(address: &str) -> String {
    address.trim_end_matches('/').to_owned()
}

fn without_scheme(text: &str) -> Option<&str> {
    text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"))
}

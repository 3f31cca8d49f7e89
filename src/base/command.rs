//! The commands that sentences offer. Whoever copies one may paste it anywhere, so each names the data folder that it is for.

use std::path::Path;

use super::message::{LocalizedMessage, Message};

/// How a command stands in a sentence, up to its first word.
const BEGINS: &str = "`hanok ";
/// What works without a data folder, or on another machine.
const PLACELESS: [&str; 4] = ["compute", "completions", "openapi", "config --example"];

/// A command of this program on the data folder at `place`, as it is typed: `backup --list`.
pub fn on(place: &Path, words: &str) -> String {
    format!("hanok {words} --data-dir {}", folder(place))
}

/// The data folder at `place` as a command names it.
pub fn folder(place: &Path) -> String {
    let place = std::path::absolute(place).unwrap_or_else(|_| place.to_owned());
    quoted(&place.to_string_lossy())
}

/// What is said with the data folder at `place` named in every command that it offers, in English and as a browser says it.
/// What offers none does not tell where the folder is.
pub fn placed_said(
    place: &Path,
    message: String,
    localized: Option<LocalizedMessage>,
) -> (String, Option<LocalizedMessage>) {
    let placed = placed(place, &message);
    if placed == message {
        return (message, localized);
    }
    (placed, localized.map(|localized| localized.placed(&folder(place))))
}

/// [`placed_said`] of what is not taken apart yet.
pub fn placed_whole(place: &Path, said: Message) -> Message {
    let (text, localized) = said.into_parts();
    let (text, localized) = placed_said(place, text, localized);
    Message { text, localized: localized.map(Box::new) }
}

/// `sentence` with the data folder at `place` named in every command that it offers, which stands between backticks. One
/// that names a folder already stays as it is.
pub fn placed(place: &Path, sentence: &str) -> String {
    placed_in(&folder(place), sentence)
}

/// Whether `text` offers a command.
pub fn is_offered(text: &str) -> bool {
    text.contains(BEGINS)
}

/// [`placed`] with the folder as it is to stand there.
pub fn placed_in(folder: &str, sentence: &str) -> String {
    let mut placed = String::with_capacity(sentence.len());
    let mut rest = sentence;
    while let Some((before, after)) = rest.split_once(BEGINS) {
        let Some((words, behind)) = after.split_once('`') else { break };
        let is_placeless = PLACELESS.iter().any(|placeless| words.starts_with(placeless));
        let command = match is_placeless || words.contains("--data-dir") {
            true => format!("hanok {words}"),
            false => format!("hanok {words} --data-dir {folder}"),
        };
        placed.extend([before, "`", &command, "`"]);
        rest = behind;
    }
    placed + rest
}

/// A word as a shell takes it, whatever stands in it.
fn quoted(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+,:@%=".contains(&byte);
    if !word.is_empty() && word.bytes().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::super::message::{Message, MessageTemplate};
    use super::*;

    #[test]
    fn every_command_of_a_sentence_names_the_data_folder() {
        let said =
            placed(Path::new("/srv/hanok"), "run `hanok restore --latest`, or look (`hanok backup --list`); or not");
        let both = "run `hanok restore --latest --data-dir /srv/hanok`, or look (`hanok backup --list --data-dir \
                    /srv/hanok`); or not";
        assert_eq!(said, both);
        assert_eq!(placed(Path::new("/srv/hanok"), &said), said, "once is enough");
    }

    #[test]
    fn a_folder_that_a_shell_would_take_apart_is_quoted_and_one_that_is_relative_is_named_from_the_root() {
        let command = on(Path::new("/volume1/the family's house"), "verify");
        assert_eq!(command, r"hanok verify --data-dir '/volume1/the family'\''s house'");
        let here = std::env::current_dir().unwrap();
        assert_eq!(on(Path::new("./data"), "verify"), format!("hanok verify --data-dir {}/data", here.display()));
    }

    #[test]
    fn a_browser_is_told_the_folder_of_the_commands_that_it_is_offered_and_of_nothing_else() {
        const LOST: MessageTemplate = MessageTemplate::new("house.lost", "run `hanok restore --latest`");
        const KEPT: MessageTemplate = MessageTemplate::new("house.kept", "all is there");
        let place = Path::new("/srv/hanok");
        let told = |sentence: MessageTemplate| {
            let (message, localized) = Message::from(sentence).into_parts();
            let (message, localized) = placed_said(place, message, localized);
            (message, localized.unwrap().values.remove("data_dir").map(|folder| folder.to_string()))
        };
        assert_eq!(
            told(LOST),
            ("run `hanok restore --latest --data-dir /srv/hanok`".into(), Some("/srv/hanok".into()))
        );
        assert_eq!(told(KEPT), ("all is there".into(), None));
    }

    #[test]
    fn what_needs_no_data_folder_and_what_is_no_command_stays_as_it_is() {
        for sentence in
            ["start `hanok compute` there", "`hanok config --example` shows all", "the log of hanok", "`hanok "]
        {
            assert_eq!(placed(Path::new("/srv/hanok"), sentence), sentence);
        }
    }
}

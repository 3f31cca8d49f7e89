//! What a post's fields must be as they are sent.

use hanok_base::list::List;
use hanok_base::schema::{Array, BasicType, Components, Object, RefOr, Schema};
use hanok_base::text::Text;
use hanok_base::validated::{Constraint, IntRange, ValidationErrors};
use hanok_base::{MessageTemplate, validation_messages};

/// What a post is called, in at most 300 characters; a draft may have no title yet.
pub type Title = Text<0, 300>;
/// What lists show of a post, in at most 500 characters.
pub type Excerpt = Text<0, 500>;
/// One tag.
pub type Tag = Text<1, 50>;
/// The version of a post that a change was made on.
pub type Version = IntRange<1, 9_007_199_254_740_991>;

const MOST_TAGS: usize = 30;
const MOST_CHARACTERS: usize = 200_000;
/// No control characters but those of lines, however lines end.
const TEXT: &str = r"^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]*$";

const TOO_MANY: MessageTemplate = MessageTemplate::new("blog.must.most_tags", "must be at most {most} tags");

/// Tags in their order; one that is said twice, in whatever letters, counts once.
pub enum Tags {}

impl Constraint for Tags {
    type Input = List<String, { MOST_TAGS + 1 }>;
    type Value = Vec<String>;

    fn check(sent: Self::Input) -> Result<Vec<String>, ValidationErrors> {
        if sent.sent() > MOST_TAGS {
            return Err(TOO_MANY.with([("most", MOST_TAGS.into())]).into());
        }
        let mut tags: Vec<String> = Vec::new();
        let mut refused = hanok_base::error::Fields::new();
        for (place, tag) in sent.into_kept() {
            match Tag::check(tag) {
                Ok(tag) if tags.iter().all(|other| other.to_lowercase() != tag.to_lowercase()) => tags.push(tag),
                Ok(_) => {}
                Err(why) => refused.extend(why.at(&format!("[{place}]"))),
            }
        }
        if refused.is_empty() { Ok(tags) } else { Err(ValidationErrors::parts(refused)) }
    }

    fn schema(components: &mut Components) -> RefOr<Schema> {
        Array::new().items(Tag::schema(components)).max_items(MOST_TAGS).into()
    }
}

/// A text in Markdown, in at most 200,000 characters, kept to the last one: the space at its end as well, which whoever
/// writes has just typed.
pub enum Markdown {}

impl Constraint for Markdown {
    type Input = String;
    type Value = String;

    fn check(sent: String) -> Result<String, ValidationErrors> {
        let length = sent.chars().count();
        if length > MOST_CHARACTERS {
            let bounds = [("least", 0u64.into()), ("most", MOST_CHARACTERS.into()), ("length", length.into())];
            return Err(validation_messages::LENGTH.with(bounds).into());
        }
        if sent.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t' | '\r')) {
            return Err(validation_messages::NO_CONTROL.into());
        }
        Ok(sent)
    }

    fn schema(_components: &mut Components) -> RefOr<Schema> {
        Object::with_type(BasicType::String).max_length(MOST_CHARACTERS).pattern(TEXT).into()
    }
}

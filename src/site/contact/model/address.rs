//! Where a customer is reached: a mail address and a telephone.

use hanok_base::MessageTemplate;
use hanok_base::schema::{BasicType, Components, Object, RefOr, Schema};
use hanok_base::text::Text;
use hanok_base::validated::{Constraint, ValidationErrors};

const MUST_BE_AN_ADDRESS: MessageTemplate =
    MessageTemplate::new("contact.must.address", "must be a mail address such as name@example.com");
const MUST_BE_A_PHONE: MessageTemplate =
    MessageTemplate::new("contact.must.phone", "must be a telephone number such as 010-1234-5678");

/// A mail address of the internet in at most 100 characters; what stands around it is taken away.
pub enum Address {}

/// The form of an address.
const ADDRESS: &str = concat!(
    r"^(?=[^@]{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*",
    r"@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+([A-Za-z]{2,63}|[Xx][Nn]--[A-Za-z0-9-]{0,58}[A-Za-z0-9])$"
);

/// A telephone number in at most 20 characters, with 7 to 15 digits; it may be left empty.
pub enum Phone {}

/// The form of a telephone number.
const PHONE: &str = r"^([ ().+-]*([0-9][ ().+-]*){7,15})?$";

impl Constraint for Address {
    type Input = String;
    type Value = String;

    fn check(sent: String) -> Result<String, ValidationErrors> {
        let text = Text::<1, 100>::check(sent)?;
        if is_address(&text) { Ok(text) } else { Err(MUST_BE_AN_ADDRESS.into()) }
    }

    fn schema(_components: &mut Components) -> RefOr<Schema> {
        Object::with_type(BasicType::String).max_length(100).pattern(ADDRESS).examples(["name@example.com"]).into()
    }
}

impl Constraint for Phone {
    type Input = String;
    type Value = String;

    fn check(sent: String) -> Result<String, ValidationErrors> {
        let text = Text::<0, 20>::check(sent)?;
        let digits = text.chars().filter(char::is_ascii_digit).count();
        let is_phone = text.chars().all(|c| c.is_ascii_digit() || " ().+-".contains(c)) && (7..=15).contains(&digits);
        if text.is_empty() || is_phone { Ok(text) } else { Err(MUST_BE_A_PHONE.into()) }
    }

    fn schema(_components: &mut Components) -> RefOr<Schema> {
        Object::with_type(BasicType::String).max_length(20).pattern(PHONE).examples(["010-1234-5678"]).into()
    }
}

fn is_address(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let is_atom = |atom: &str| {
        !atom.is_empty() && atom.chars().all(|c| c.is_ascii_alphanumeric() || "!#$%&'*+/=?^_`{|}~-".contains(c))
    };
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let Some((_, last)) = domain.rsplit_once('.') else { return false };
    let is_of_letters = last.len() >= 2 && last.chars().all(|c| c.is_ascii_alphabetic());
    let is_encoded = last.len() > 4 && last.get(..4).is_some_and(|head| head.eq_ignore_ascii_case("xn--"));
    local.len() <= 64
        && local.split('.').all(is_atom)
        && domain.split('.').all(is_label)
        && (is_of_letters || is_encoded)
}

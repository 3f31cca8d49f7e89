//! The number of a ticket that a purchase was read from.

use super::super::said;
use hanok_base::schema::{BasicType, Components, Object, RefOr, Schema};
use hanok_base::validated::{Constraint, ValidationErrors};

/// The number of a ticket: its draw, and the ten or eighteen digits that are its own.
pub enum TicketNo {}

impl Constraint for TicketNo {
    type Input = String;
    type Value = String;

    fn check(sent: String) -> Result<String, ValidationErrors> {
        let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let fits = sent.split_once('-').is_some_and(|(draw, own)| {
            draw.len() == 4 && matches!(own.len(), 10 | 18) && is_number(draw) && is_number(own)
        });
        if fits { Ok(sent) } else { Err(said::TICKET.into()) }
    }

    fn schema(_components: &mut Components) -> RefOr<Schema> {
        Object::with_type(BasicType::String).pattern("^[0-9]{4}-([0-9]{10}|[0-9]{18})$").into()
    }
}

/// Whether the number of a ticket begins with this draw.
pub fn is_of_draw(ticket: &str, draw_no: u32) -> bool {
    ticket.split_once('-').and_then(|(draw, _)| draw.parse().ok()) == Some(draw_no)
}

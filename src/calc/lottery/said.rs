//! What the lottery says of numbers that it does not take.

use hanok_base::MessageTemplate;

/// A set has six numbers.
pub const SIX_NUMBERS: MessageTemplate = MessageTemplate::new("lottery.must.six_numbers", "must be six numbers");
/// None of them twice.
pub const DIFFERENT: MessageTemplate = MessageTemplate::new("lottery.must.different", "must not repeat another number");
/// So few cannot be drawn from.
pub const LEAVE: MessageTemplate = MessageTemplate::new("lottery.must.leave", "must leave at least {least} numbers");

//! What the lottery says of requests that it does not take, and of its tasks.

use hanok_base::MessageTemplate;

/// Six numbers in one word.
pub const SIX_WITH_COMMAS: MessageTemplate =
    MessageTemplate::new("lottery.must.six_with_commas", "must be six numbers with commas between them");
/// The number of a ticket as it is written.
pub const TICKET: MessageTemplate =
    MessageTemplate::new("lottery.must.ticket", "must be a draw and the number of a ticket such as 1246-1288760331");
/// A ticket of another draw.
pub const TICKET_OF_ANOTHER_DRAW: MessageTemplate =
    MessageTemplate::new("lottery.ticket_of_another_draw", "the ticket is of another draw than {draw}");
/// How many games one may write down.
pub const GAMES: MessageTemplate = MessageTemplate::new("lottery.must.games", "must be {least} to {most} games");
/// How many sets one may write down.
pub const SETS: MessageTemplate =
    MessageTemplate::new("lottery.must.sets", "must be {least} to {most} sets of six numbers");
/// As many as are bought together.
pub const AS_TIERS: MessageTemplate =
    MessageTemplate::new("lottery.must.as_tiers", "must be {count}, as many as the tiers have");
/// One way to say which games.
pub const ONE_WAY: MessageTemplate =
    MessageTemplate::new("lottery.must.one_way", "must be the only one of sets, numbers and count");
/// No way to say which games.
pub const GAMES_REQUIRED: MessageTemplate = MessageTemplate::new(
    "lottery.must.games_required",
    "is required: a list of sets of six numbers, or how many games",
);
/// A prize beside the numbers that it follows from.
pub const PRIZE_FOLLOWS: MessageTemplate =
    MessageTemplate::new("lottery.must.prize_follows", "must be left out: it is worked out from the sets");
/// A prize for numbers that are known.
pub const PRIZE_IS_WORKED_OUT: MessageTemplate = MessageTemplate::new(
    "lottery.prize_is_worked_out",
    "the prize of numbers that were kept is worked out from the draw",
);
/// A draw too far ahead.
pub const NOT_SOLD: MessageTemplate =
    MessageTemplate::new("lottery.not_sold", "draw {draw} is not sold yet; the coming one is {coming}");
/// A prize before the draw.
pub const NOT_HELD: MessageTemplate =
    MessageTemplate::new("lottery.not_held", "draw {draw} has not been held, so it has no prize yet");
/// Another draw for games whose prize was entered.
pub const PRIZE_OF_ITS_DRAW: MessageTemplate = MessageTemplate::new(
    "lottery.prize_of_its_draw",
    "a prize of {prize} won was entered for draw {draw}; for another draw enter its own, or take it out",
);
/// A draw that cannot be known yet.
pub const HELD: MessageTemplate = MessageTemplate::new("lottery.must.held", "must have been held already");
/// A ticket that is there.
pub const TICKET_KNOWN: MessageTemplate =
    MessageTemplate::new("lottery.ticket_known", "this ticket is written down already");
/// A table with lines that are refused.
pub const LINES_REFUSED: MessageTemplate = MessageTemplate::new(
    "lottery.lines_refused",
    "nothing is written: {count} {count|line is|lines are} refused, {count|which is|the first is} line {line}; the preview says why",
);
/// A table with lines that say the same.
pub const LINES_REPEATED: MessageTemplate = MessageTemplate::new(
    "lottery.lines_repeated",
    "{count} lines say the same as another: add them, or leave them out?",
);
/// A table while another one is written.
pub const IMPORT_UNDER_WAY: MessageTemplate = MessageTemplate::new(
    "lottery.import_under_way",
    "another table is being written down; wait for its end, or stop it",
);
/// An import whose table gave way to another one.
pub const TABLE_NOT_KEPT: MessageTemplate =
    MessageTemplate::new("lottery.table_not_kept", "this table is not kept any more; choose its file again");
/// How far a table is written.
pub const IMPORTING: MessageTemplate =
    MessageTemplate::new("lottery.importing", "{done} of {all} lines are dealt with, {added} written down");
/// What became of a table: lines that are written down.
pub const IMPORTED: MessageTemplate = MessageTemplate::new("lottery.imported", "{added} written down");
/// Lines of it that are not.
pub const IMPORTED_LEFT_OUT: MessageTemplate =
    MessageTemplate::new("lottery.imported.left_out", "{left_out} that {left_out|says|say} the same left out");
/// Prizes that those lines name.
pub const IMPORTED_PRIZES: MessageTemplate =
    MessageTemplate::new("lottery.imported.prizes", "{prizes} {prizes|prize|prizes} taken over");
/// Which of them is meant.
pub const SEVERAL_ASIDE: MessageTemplate =
    MessageTemplate::new("lottery.several_aside", "several are kept aside; name one: {sources}");
/// Nothing to accept.
pub const NOT_KEPT_WHOLE: MessageTemplate =
    MessageTemplate::new("lottery.not_kept_whole", "this draw was not kept whole; fetch or import it again");
/// Another correction came.
pub const NOT_NEWEST_CORRECTION: MessageTemplate =
    MessageTemplate::new("lottery.not_newest_correction", "this is not the newest correction of the draw any more");
/// The compute host has looked and has nothing.
pub const NO_RECOMMENDATION: MessageTemplate = MessageTemplate::new(
    "lottery.no_recommendation",
    "the compute host found no set, so there is no recommendation now",
);
/// What became of an answer of the operator: draws that were not known.
pub const TAKEN_IN: MessageTemplate = MessageTemplate::new("lottery.taken_in", "{added} {added|new draw|new draws}");
/// Draws that it completes.
pub const TAKEN_IN_COMPLETED: MessageTemplate =
    MessageTemplate::new("lottery.taken_in.completed", "{completed} completed");
/// Draws that it corrects.
pub const TAKEN_IN_CORRECTED: MessageTemplate =
    MessageTemplate::new("lottery.taken_in.corrected", "{corrected} corrected");
/// Draws that it contradicts.
pub const TAKEN_IN_ASIDE: MessageTemplate = MessageTemplate::new("lottery.taken_in.aside", "{aside} kept aside");
/// Rows that cannot be used.
pub const TAKEN_IN_REFUSED: MessageTemplate =
    MessageTemplate::new("lottery.taken_in.refused", "{refused} {refused|row is no draw|rows are no draws}");
/// It says what is known.
pub const NOTHING_NEW: MessageTemplate = MessageTemplate::new("lottery.taken_in.nothing", "nothing new");

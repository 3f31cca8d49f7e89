//! What the house does with a state that takes the place of another while it serves: said when the restores of the house
//! are made. The exchange itself does it, whoever waits for it.

use super::super::rows::WriteTx;
use hanok_base::Result;

/// What the house does with a state that is put in the place of the present one.
pub struct Handover {
    /// Makes it ready to be served, in one transaction, before it is put in place: what goes wrong here replaces
    /// nothing, and afterwards no room is needed. Nobody writes meanwhile.
    pub make_ready: Box<MakeReady>,
    /// Goes on with it, once it is in place and before anybody reads it.
    pub go_on: Box<dyn Fn() + Send + Sync>,
}

/// What is written into a state before it is put in place.
type MakeReady = dyn Fn(&WriteTx) -> Result<()> + Send + Sync;

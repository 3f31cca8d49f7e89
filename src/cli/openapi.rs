//! `hanok openapi`

use clap::{Args, ValueEnum};

use super::print;
use hanok_appliance::routes;
use hanok_base::Result;

/// Print the OpenAPI document of a door
///
/// It is the one that the door serves at /api/openapi.json.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  hanok openapi --door ops > openapi.json")]
pub(super) struct Openapi {
    /// Which door
    #[arg(long, value_enum, default_value_t = Door::Ops)]
    door: Door,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Door {
    /// The household door
    Ops,
    /// The customer door
    Site,
}

impl Openapi {
    pub fn run(self) -> Result<()> {
        print::json(&match self.door {
            Door::Ops => routes::ops_document(),
            Door::Site => routes::site_document(),
        })
    }
}

//! `hanok openapi`

use clap::{Args, ValueEnum};

use super::print;
use hanok_appliance::routes;
use hanok_base::Result;

/// Print the OpenAPI document of the household app or the customer site
///
/// It is the one that is served there at /api/openapi.json.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  hanok openapi --door ops > openapi.json")]
pub(super) struct Openapi {
    /// Of which
    #[arg(long, value_enum, default_value_t = Door::Ops)]
    door: Door,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Door {
    /// The household app
    Ops,
    /// The customer site
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

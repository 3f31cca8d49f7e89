//! `hanok config`

use clap::Args;
use serde_json::{Value, json};

use super::GlobalOptions;
use super::print::{self, Column};
use hanok_appliance::domains;
use hanok_base::Result;
use hanok_platform::config::SettingSource;

/// Show the settings in force and where each came from
///
/// The default is shown where it differs. Secrets are masked.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  hanok config\n  hanok config --example > appliance.toml")]
pub(super) struct ShowConfig {
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print the commented appliance.toml with every default instead
    #[arg(long, conflicts_with = "json")]
    example: bool,
}

impl ShowConfig {
    pub fn run(self, options: GlobalOptions) -> Result<()> {
        if self.example {
            return print::text(&domains::default_settings().as_file());
        }
        let config = options.load()?;
        let listing = config.listing();
        if self.json {
            return print::json(&json!({ "settings": listing, "file": config.file() }));
        }
        let rows: Vec<Value> = listing
            .iter()
            .map(|row| {
                let default = if row.source == SettingSource::Default { "" } else { row.default.as_str() };
                let unit = row.unit.as_ref().map_or("", |unit| unit.name.en.as_str());
                json!({ "key": row.key, "value": row.value, "unit": unit, "source": row.source, "default": default })
            })
            .collect();
        print::table(
            &rows,
            &[
                Column::text("setting", "/key"),
                Column::text("value", "/value"),
                Column::text("unit", "/unit"),
                Column::text("source", "/source"),
                Column::text("default", "/default"),
            ],
        )
    }
}

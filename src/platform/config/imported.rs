//! The settings of another machine, as a backup file brings them: what of them may be taken over here.

use std::path::PathBuf;

use toml::{Table, Value};

use super::rule::Here;
use super::sources::{Environment, Flags, Settled};
use super::values::{flat, plain};
use super::{Config, SectionKind, Setting, SettingSource};
use hanok_base::{Error, Kind, Message, Result};

/// Bytes of the longest settings of another machine that are read: reading takes the longer, the more lines there are.
const LONGEST_BROUGHT: usize = 64 << 10;

/// What of the settings of another machine is taken over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToTakeOver {
    /// As the text of an `appliance.toml`.
    pub text: String,
    /// Key and value of each that is taken over.
    pub taken: Vec<(&'static str, String)>,
    /// Key and value of each that is not; a secret is masked.
    pub left: Vec<(&'static str, String)>,
}

impl ToTakeOver {
    /// What of their `text` is not taken over, as it says it: also what is secret.
    pub fn left_of(&self, text: &str) -> String {
        let mut sections: Table = text.parse().unwrap_or_default();
        for (section, keys) in &mut sections {
            if let Value::Table(keys) = keys {
                keys.retain(|key, _| self.left.iter().any(|(left, _)| *left == format!("{section}.{key}")));
            }
        }
        sections.retain(|_, keys| keys.as_table().is_some_and(|keys| !keys.is_empty()));
        sections.to_string()
    }
}

impl Config {
    /// The settings that `text` alone says, which was or would be read at `path`: no flag and no variable of this machine
    /// says anything to it.
    ///
    /// # Errors
    /// Those of [`Config::load`]; `INVALID_INPUT` for a text that is longer than the settings of any house.
    pub fn of_another(&self, text: &str, path: PathBuf) -> Result<Config> {
        if text.len() > LONGEST_BROUGHT {
            let most = LONGEST_BROUGHT >> 10;
            return Err(Error::new(Kind::InvalidInput, Message::english(format!("they are longer than {most} KiB"))));
        }
        let domains: Vec<SectionKind> = self.domains.iter().map(|(kind, _)| *kind).collect();
        let file = Settled { path, text: text.to_owned() };
        Config::of_sources(&domains, &Flags::default(), &Environment::default(), Some(file))
    }

    /// What of these settings is taken over by the house with the settings `house`, whose machine has `free` bytes of room.
    /// What only hands may change is not: paths and secrets, where the house is reached and whom it believes, and limits
    /// that can keep its household out. Nor is what its rule says is not brought: what would end backups, jobs or writes,
    /// remove snapshots, silence the log, or leave the machine too little. That is for the household to say, not for a file.
    pub fn to_take_over(&self, house: &Config, free: Option<u64>) -> ToTakeOver {
        let (values, present) = (flat(self), flat(house));
        let takes = |setting: &Setting| {
            let both = values.get(setting.key).zip(present.get(setting.key));
            both.is_some_and(|(theirs, value)| setting.rule.takes_over(theirs, &Here { value, free }))
        };
        let defaults = flat(&self.defaults());
        // Nobody has to decide about what is the same here.
        let is_said = |setting: &&Setting| {
            let theirs = values.get(setting.key);
            self.source(setting.key) != SettingSource::Default
                && theirs != defaults.get(setting.key)
                && theirs != present.get(setting.key)
        };
        let said = self.settings().filter(is_said);
        let (left, taken): (Vec<_>, Vec<_>) = said
            .map(|setting| (setting, values.get(setting.key).map(plain).unwrap_or_default()))
            .partition(|(setting, _)| !takes(setting));
        let shown =
            |all: Vec<(&Setting, String)>| all.into_iter().map(|(setting, value)| (setting.key, value)).collect();
        ToTakeOver { text: self.text_of(takes), taken: shown(taken), left: shown(left) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{SectionKind, Unit, rule, section};
    use super::*;

    section! {
        /// A domain's provider.
        pub struct Provider("provider", "바깥") {
            /// How often it is asked in a day; 0 asks never.
            #[ko("하루 횟수", "하루에 묻는 횟수입니다. 0이면 묻지 않습니다.")]
            #[en("Times a day")]
            times: u64 = 3, rule::whole(Unit::Count, 0, 24).on_page().skip_import_if(|times, _| times.as_integer() == Some(0));
        }
    }

    #[test]
    fn what_is_the_same_here_is_neither_taken_over_nor_left() {
        let here = Config::of(&[SectionKind::of::<Provider>()]);
        let of = |config: &Config, times: u64| {
            config.of_another(&format!("[provider]\ntimes = {times}\n"), PathBuf::from("theirs.toml")).unwrap()
        };
        let present = of(&here, 5);
        let same = of(&here, 5).to_take_over(&present, None);
        assert_eq!((same.taken, same.left), (vec![], vec![]));
        assert_eq!(of(&here, 6).to_take_over(&present, None).taken, [("provider.times", "6".to_owned())]);
    }

    #[test]
    fn a_domain_says_which_value_of_its_setting_is_not_taken_over_from_another_house() {
        let here = Config::of(&[SectionKind::of::<Provider>()]);
        let of = |times: u64| {
            let theirs = here.of_another(&format!("[provider]\ntimes = {times}\n"), PathBuf::from("theirs.toml"));
            theirs.unwrap().to_take_over(&here, None)
        };
        let (none, some) = (of(0), of(4));
        assert_eq!(none.left_of("[provider]\ntimes = 0 # never\n"), "[provider]\ntimes = 0\n");
        assert_eq!((none.taken.len(), none.left, none.text.as_str()), (0, vec![("provider.times", "0".into())], ""));
        assert_eq!(some.left_of("[provider]\ntimes = 4\n"), "");
        assert_eq!((some.taken, some.left.len()), (vec![("provider.times", "4".into())], 0));
        assert_eq!(some.text, "[provider]\ntimes = 4\n");
    }
}

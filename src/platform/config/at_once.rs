//! Settings that hold as soon as they are changed on the page, without a new start.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::RwLock;
use toml::Table;

use super::section::{Section, Values};
use super::{Config, SectionKind, Setting, SettingSource};

/// What was changed since the start.
#[derive(Debug, Clone, Default)]
pub(super) struct AppliedAtOnce(Arc<RwLock<State>>);

#[derive(Debug, Default)]
struct State {
    /// The present values of the sections of which something was changed.
    sections: BTreeMap<&'static str, Values>,
    /// Where the changed settings stand; nothing for those that are at their default again.
    places: BTreeMap<&'static str, Option<(SettingSource, String)>>,
}

impl AppliedAtOnce {
    pub(super) fn section<S: Section>(&self) -> Option<Arc<S>> {
        let state = self.0.read();
        state.sections.get(S::NAME).and_then(|values| Arc::clone(&values.typed).downcast().ok())
    }

    pub(super) fn shown(&self, section: &str) -> Option<Table> {
        self.0.read().sections.get(section).map(|values| values.shown.clone())
    }

    pub(super) fn place(&self, key: &str) -> Option<Option<(SettingSource, String)>> {
        self.0.read().places.get(key).cloned()
    }
}

impl Config {
    /// Takes over from `next`, which the next start would have, every setting that holds at once. Whoever holds these
    /// settings, or what was cloned from them, has them from now on.
    pub fn take_at_once(&self, next: &Config) {
        for (kind, values) in &self.domains {
            for setting in kind.settings.iter().filter(|setting| setting.rule.is_at_once()) {
                self.take(next, kind, values, setting);
            }
        }
    }

    fn take(&self, next: &Config, kind: &SectionKind, values: &Values, setting: &Setting) {
        let wanted = next.domains.iter().find(|(other, _)| other.name == kind.name);
        let name = setting.key.rsplit('.').next().unwrap_or_default();
        let Some(wanted) = wanted.and_then(|(_, values)| values.shown.get(name)) else { return };
        let mut state = self.at_once.0.write();
        let mut shown = state.sections.get(kind.name).unwrap_or(values).shown.clone();
        shown.insert(name.to_owned(), wanted.clone());
        // It was read so before it was written; what cannot be read stays as it is.
        if let Ok(read) = (kind.read)(shown) {
            state.sections.insert(kind.name, read);
            state.places.insert(setting.key, next.sources.get(setting.key).cloned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{rule, section};
    use super::*;
    use crate::config::Unit;

    section! {
        /// A domain's provider.
        pub struct Provider("provider", "바깥") {
            /// Whether it is asked.
            #[ko("묻기", "그곳에 묻습니다.")]
            #[en("Ask it")]
            sync: bool = true, rule::SWITCH;
            /// How often it is asked in a day.
            #[ko("하루 횟수", "하루에 묻는 횟수입니다. 바꾸면 바로 적용됩니다.")]
            #[en("Times a day")]
            times: u64 = 3, rule::whole(Unit::Count, 0, 24).at_once();
        }
    }

    fn started(text: &str) -> Config {
        Config::of(&[SectionKind::of::<Provider>()]).with_file(text).unwrap()
    }

    #[test]
    fn a_section_of_the_house_can_have_no_setting_that_holds_at_once() {
        assert!(std::panic::catch_unwind(SectionKind::of_the_house::<Provider>).is_err());
    }

    #[test]
    fn what_holds_at_once_is_in_force_for_all_who_hold_the_settings_and_nothing_else_is() {
        let config = started("[provider]\ntimes = 4\n");
        let held_elsewhere = config.clone();
        let row = |config: &Config, key: &str| config.listing().into_iter().find(|row| row.key == key).unwrap();
        let next = config.changed("[provider]\nsync = false\n", "provider.times", "5").unwrap().config;
        assert_eq!(*held_elsewhere.section::<Provider>(), Provider { times: 4, ..Provider::default() });
        config.take_at_once(&next);
        for config in [&config, &held_elsewhere] {
            assert_eq!(*config.section::<Provider>(), Provider { times: 5, ..Provider::default() });
            assert_eq!(
                (row(config, "provider.times").value, row(config, "provider.sync").value),
                ("5".into(), "true".into())
            );
        }
        config.take_at_once(&started(""));
        let at_default = row(&held_elsewhere, "provider.times");
        assert_eq!((at_default.value.as_str(), at_default.source), ("3", SettingSource::Default));
    }
}

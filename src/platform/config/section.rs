//! What a section of the settings is: its keys, each with what it is for, its default and its rule, in one place.
//!
//! The house declares its own in [`super::sections`], a domain one in its folder, both with [`section!`](crate::section).

use std::any::Any;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use toml::{Table, Value};

use super::rule::Rule;

/// One setting.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// `section.key`.
    pub key: &'static str,
    /// What it is called.
    pub name: BothLanguages,
    /// What it is for, line by line, as it stands in `appliance.toml`.
    pub about: &'static [&'static str],
    /// The same in Korean.
    pub about_ko: &'static str,
    /// What its value must be.
    pub rule: Rule,
}

/// A few words in both languages.
#[derive(Debug, Clone, Copy)]
pub struct BothLanguages {
    /// In Korean.
    pub ko: &'static str,
    /// In English.
    pub en: &'static str,
}

/// A section of the settings as a type. [`section!`](crate::section) makes one.
pub trait Section: Default + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// `[name]` in `appliance.toml`.
    const NAME: &'static str;
    /// What it is for.
    const ABOUT: &'static [&'static str];
    /// What it is called in Korean; in English its first line says it.
    const KO: &'static str;
    /// Its settings.
    const SETTINGS: &'static [Setting];
}

/// Declares a section: `key: type = default, rule;` for each setting, under a comment that also stands in
/// `appliance.toml`, its Korean name and explanation, and its English name (the comment explains it).
///
/// ```
/// use hanok_platform::config::{Section, Unit, rule, section};
///
/// section! {
///     /// The shop.
///     pub struct ShopSettings("shop", "가게") {
///         /// Days after which an order that is not paid expires.
///         #[ko("미납 주문의 기한", "돈을 내지 않은 주문은 이 날수가 지나면 없어집니다.")]
///         #[en("Days until an unpaid order expires")]
///         unpaid_days: u32 = 7, rule::whole(Unit::Days, 1, 90).on_page();
///     }
/// }
/// assert_eq!(ShopSettings::default().unpaid_days, 7);
/// assert_eq!(ShopSettings::SETTINGS[0].key, "shop.unpaid_days");
/// ```
#[macro_export]
macro_rules! section {
    (
        $(#[doc = $about:literal])+
        pub struct $Section:ident($name:literal, $section_ko:literal) {
            $( $(#[doc = $line:literal])+ #[ko($ko:literal, $about_ko:literal)] #[en($en:literal)] $key:ident: $kind:ty = $default:expr, $rule:expr; )+
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
        pub struct $Section {
            $( $(#[doc = $line])+ pub $key: $kind, )+
        }

        impl Default for $Section {
            fn default() -> Self {
                $Section { $( $key: $default, )+ }
            }
        }

        impl $crate::config::Section for $Section {
            const NAME: &'static str = $name;
            const ABOUT: &'static [&'static str] = &[$($about),+];
            const KO: &'static str = $section_ko;
            const SETTINGS: &'static [$crate::config::Setting] = &[
                $( $crate::config::Setting {
                    key: concat!($name, ".", stringify!($key)),
                    name: $crate::config::BothLanguages { ko: $ko, en: $en },
                    about: &[$($line),+],
                    about_ko: $about_ko,
                    rule: $rule,
                }, )+
            ];
        }
    };
}

/// What is known of a section without its type.
#[derive(Debug, Clone, Copy)]
pub struct SectionKind {
    /// `[name]` in `appliance.toml`.
    pub name: &'static str,
    /// What it is for.
    pub about: &'static [&'static str],
    /// What it is called in Korean.
    pub ko: &'static str,
    /// Its settings.
    pub settings: &'static [Setting],
    /// What is in force when nothing is given.
    pub(super) default: fn() -> Values,
    /// Reads all of its values.
    pub(super) read: fn(Table) -> Read,
}

type Read = Result<Values, serde_path_to_error::Error<toml::de::Error>>;

/// The values of a section: as their type, and as they are shown, secrets masked.
#[derive(Debug, Clone)]
pub(super) struct Values {
    pub typed: Arc<dyn Any + Send + Sync>,
    pub shown: Table,
}

impl SectionKind {
    /// The section `S`.
    pub const fn of<S: Section>() -> SectionKind {
        SectionKind {
            name: S::NAME,
            about: S::ABOUT,
            ko: S::KO,
            settings: S::SETTINGS,
            default: || Values::of(S::default()),
            read: |values| serde_path_to_error::deserialize(Value::Table(values)).map(Values::of::<S>),
        }
    }
}

impl SectionKind {
    /// The section `S` of the house itself. Its values are fields of [`Config`](super::Config), which nobody changes while
    /// it runs, so that no setting there holds at once.
    pub(super) const fn of_the_house<S: Section>() -> SectionKind {
        let mut rest = S::SETTINGS;
        while let [setting, others @ ..] = rest {
            assert!(!setting.rule.is_at_once(), "a setting of the house holds from the next start");
            rest = others;
        }
        SectionKind::of::<S>()
    }
}

impl Values {
    pub fn of<S: Section>(section: S) -> Values {
        // A plain struct of texts, numbers and lists always has a TOML form.
        let shown = Table::try_from(&section).unwrap_or_default();
        Values { typed: Arc::new(section), shown }
    }
}

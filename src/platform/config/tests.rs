//! The order of the sources, and the shipped `appliance.toml`.

mod refusals;

use std::collections::BTreeSet;
use std::path::PathBuf;

use proptest::prelude::*;

use super::*;
use hanok_base::MessageTemplate;
use hanok_base::error::Kind;

const ADDRESS: MessageTemplate =
    MessageTemplate::new("house.must.address", "must be an address such as https://provider.example");

section! {
    /// A domain's provider.
    pub struct Provider("provider", "바깥") {
        /// Where it is.
        #[ko("주소", "그곳의 주소입니다.")]
        #[en("Address")]
        address: String = "https://provider.example".to_owned(),
            rule::text(ADDRESS, rule::is_web_address)
                .normalize(rule::without_last_slash);
        /// Whether it is asked.
        #[ko("묻기", "그곳에 묻습니다.")]
        #[en("Ask it")]
        sync: bool = true, rule::SWITCH;
    }
}

/// A folder of its own for one test, removed with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("hanok-config-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// A file in the folder with this text.
    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn with_file(folder: &Folder, text: &str) -> hanok_base::Result<Config> {
    Config::load(
        &[SectionKind::of::<Provider>()],
        &Flags { config: Some(folder.file("settings.toml", text)), ..Flags::default() },
        &Environment::default(),
    )
}

fn with_variable(name: &str, value: &str) -> hanok_base::Result<Config> {
    Config::load(&[SectionKind::of::<Provider>()], &Flags::default(), &Environment::of([(name, value)]))
}

fn defaults() -> Config {
    Config::of(&[SectionKind::of::<Provider>()])
}

/// Whether every value in force is what its rule says.
fn is_sound(config: &Config) -> bool {
    let values = values::flat(config);
    config
        .settings()
        .filter(|setting| !setting.rule.is_secret())
        .all(|setting| setting.rule.admits(&values[setting.key]))
}

#[test]
fn the_file_says_every_setting_at_its_default() {
    let folder = Folder::new("whole");
    let said: toml::Table = defaults().as_file().parse().unwrap();
    let keys: BTreeSet<String> = said
        .iter()
        .flat_map(|(section, keys)| keys.as_table().unwrap().keys().map(move |key| format!("{section}.{key}")))
        .collect();
    assert_eq!(keys, defaults().settings().map(|setting| setting.key.to_owned()).collect());
    let read = with_file(&folder, &defaults().as_file()).unwrap();
    assert_eq!((values::flat(&read), read.sources), (values::flat(&defaults()), BTreeMap::new()));
}

#[test]
fn the_list_of_settings_is_complete() {
    let mut listed: Vec<&str> = defaults().settings().map(|setting| setting.key).collect();
    listed.sort_unstable();
    assert_eq!(listed, values::flat(&defaults()).keys().collect::<Vec<_>>());
}

#[test]
fn every_default_is_within_its_own_rules() {
    assert!(is_sound(&defaults()));
    assert!(rule::whole(Unit::Days, 1, 2).admits(&toml::Value::Integer(2)));
    assert!(!rule::whole(Unit::Days, 1, 2).admits(&toml::Value::Integer(3)));
}

#[test]
fn a_domain_gets_its_section_as_its_own_type() {
    let config = with_variable("HANOK_PROVIDER__ADDRESS", "https://nas.lan/api/").unwrap();
    assert_eq!(config.section::<Provider>().address, "https://nas.lan/api");
    assert_eq!(Config::default().section::<Provider>().address, "https://provider.example");
    let mut config = defaults();
    config.set(Provider { sync: false, ..Provider::default() });
    assert_eq!(config.listing().into_iter().find(|row| row.key == "provider.sync").unwrap().value, "false");
}

#[test]
fn a_later_source_wins_and_is_named() {
    let folder = Folder::new("order");
    let flags = Flags {
        config: Some(folder.file("settings.toml", "[ops]\nlisten = \"127.0.0.1:1\"\n[jobs]\nheavy_workers = 3\n")),
        site_listen: Some("127.0.0.1:0".to_owned()),
        ..Flags::default()
    };
    let environment = Environment::of([
        ("HANOK_OPS__LISTEN", "127.0.0.1:2"),
        ("HANOK_SITE__LISTEN", "127.0.0.1:3"),
        ("HANOK_OPS__HOSTS", "Hanok.lan, nas.local"),
        ("HANOK_PROVIDER__SYNC", "false"),
        ("PATH", "/bin"),
    ]);
    let config = Config::load(&[SectionKind::of::<Provider>()], &flags, &environment).unwrap();
    assert_eq!(config.ops.listen.port(), 2);
    assert_eq!(config.site.listen.port(), 0);
    assert_eq!(config.jobs.heavy_workers, 3);
    assert_eq!(config.ops.hosts, ["hanok.lan", "nas.local"]);
    assert!(!config.section::<Provider>().sync);
    let sources: Vec<&str> = ["ops.listen", "site.listen", "jobs.heavy_workers", "jobs.schedule"]
        .map(|key| config.source(key).name())
        .to_vec();
    assert_eq!(sources, ["environment", "flag", "file", "default"]);
    let fixed = ["ops.listen", "site.listen", "jobs.heavy_workers", "jobs.schedule"].map(|key| config.fixed_by(key));
    assert_eq!(fixed, [Some("HANOK_OPS__LISTEN".to_owned()), Some("--site-listen".to_owned()), None, None]);
}

#[test]
fn the_file_in_the_data_folder_is_found() {
    let folder = Folder::new("found");
    folder.file("appliance.toml", "[backup]\ndaily = 99\n");
    let flags = Flags { data_dir: Some(folder.0.clone()), ..Flags::default() };
    let config = Config::load(&[SectionKind::of::<Provider>()], &flags, &Environment::default()).unwrap();
    assert_eq!(config.backup.daily, 99);
    assert_eq!(config.file(), Some(folder.0.join("appliance.toml").as_path()));
}

#[test]
fn a_secret_comes_from_its_file_and_is_never_shown() {
    let folder = Folder::new("secret");
    let token = folder.file("token", "0123456789abcdef0123\n");
    let config = with_variable("HANOK_COMPUTE__TOKEN_FILE", token.to_str().unwrap()).unwrap();
    assert_eq!(config.compute.token.reveal(), "0123456789abcdef0123");
    let row = config.listing().into_iter().find(|row| row.key == "compute.token").unwrap();
    assert_eq!((row.value.as_str(), row.source, row.secret), ("***", SettingSource::File, true));
    let error = with_variable("HANOK_COMPUTE__TOKEN", "short-one").unwrap_err();
    assert!(!error.to_string().contains("short-one"));
    let error = with_variable("HANOK_COMPUTE__TOKEN_FILE", "/nowhere/token").unwrap_err();
    assert!(error.fields["compute.token_file"].contains("cannot be read"), "{error}");
}

#[test]
fn the_listing_gives_every_setting_with_its_default() {
    let config = with_variable("HANOK_HTTP__TRUSTED_PROXIES", "10.0.0.1,fd00::/8").unwrap();
    let rows = config.listing();
    assert_eq!(rows.len(), defaults().settings().count());
    let row = rows.iter().find(|row| row.key == "http.trusted_proxies").unwrap();
    assert_eq!((row.value.as_str(), row.default.as_str()), ("10.0.0.1/32, fd00::/8", ""));
}

#[test]
fn the_explanation_of_the_household_door_names_the_folder_of_its_command_and_no_port_of_its_own() {
    let environment = Environment::of([("HANOK_DATA__DIR", "/srv/hanok"), ("HANOK_OPS__LISTEN", "127.0.0.1:9000")]);
    let config = Config::load(&[], &Flags::default(), &environment).unwrap();
    let row = config.listing().into_iter().find(|row| row.key == "ops.listen").unwrap();
    for about in [&row.about.ko, &row.about.en] {
        assert!(about.contains("`hanok household passphrase --data-dir /srv/hanok`"), "{about}");
        assert!(about.contains("0.0.0.0") && !about.contains("8420"), "{about}");
    }
}

#[test]
fn every_number_says_what_it_counts_and_nothing_else_does() {
    for row in defaults().listing() {
        assert_eq!(row.unit.is_some(), row.entry == Entry::Number, "{}", row.key);
    }
    for kind in defaults().kinds() {
        for setting in kind.settings {
            // Written once: neither explanation says in passing what stands behind the number.
            assert!(!["(초)", "(분)", "(MiB)", "(바이트)"].iter().any(|unit| setting.about_ko.contains(unit)));
            let named = [("_seconds", Unit::Seconds), ("_minutes", Unit::Minutes), ("_days", Unit::Days)];
            let named = named.into_iter().chain([("_bytes", Unit::Bytes), ("_mib", Unit::Mebibytes)]);
            for (_, unit) in named.filter(|(end, _)| setting.key.ends_with(end)) {
                assert_eq!(setting.rule.unit(), Some(unit), "{}", setting.key);
            }
        }
    }
}

#[test]
fn what_a_backup_carries_along_has_no_secret_and_no_path_and_reads_as_settings() {
    let environment = Environment::of([
        ("HANOK_COMPUTE__TOKEN", "0123456789abcdef"),
        ("HANOK_DATA__DIR", "/srv/hanok"),
        ("HANOK_OPS__HOSTS", "hanok.lan"),
        ("HANOK_BACKUP__DAILY", "30"),
    ]);
    let flags = Flags { ops_listen: Some("127.0.0.1:0".to_owned()), ..Flags::default() };
    let portable = Config::load(&[SectionKind::of::<Provider>()], &flags, &environment).unwrap().without_secrets();
    assert!(!portable.contains("0123456789abcdef") && !portable.contains("/srv/hanok"), "{portable}");
    assert!(!portable.contains("listen"), "{portable}");
    let folder = Folder::new("portable");
    let taken_over = with_file(&folder, &portable).unwrap();
    assert_eq!((taken_over.backup.daily, taken_over.ops.hosts), (30, vec!["hanok.lan".to_owned()]));
    assert_eq!(Config::default().without_secrets(), "");
}

/// A value as somebody might write it.
fn any_value() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<i64>().prop_map(|number| number.to_string()),
        any::<u64>().prop_map(|number| number.to_string()),
        any::<f64>().prop_map(|number| number.to_string()),
        any::<String>().prop_map(|text| toml::Value::String(text).to_string()),
        prop::sample::select(vec![
            "true",
            "[]",
            "[1]",
            "[\"a\", 2]",
            "{}",
            "1979-05-27",
            "\"\"",
            "'0.0.0.0:0'",
            "nan",
            "-0",
            "1_0"
        ])
        .prop_map(str::to_owned),
    ]
}

fn any_key() -> impl Strategy<Value = String> {
    let known: Vec<String> = defaults().settings().map(|setting| setting.key.to_owned()).collect();
    prop_oneof![4 => prop::sample::select(known), 1 => "[a-z]{1,8}\\.[a-z_]{1,12}"]
}

proptest! {
    #[test]
    fn any_value_of_any_setting_is_taken_or_refused_by_name(key in any_key(), value in any_value()) {
        let folder = Folder::new("any-value");
        let (section, name) = key.split_once('.').unwrap();
        match with_file(&folder, &format!("[{section}]\n{name} = {value}\n")) {
            Ok(config) => prop_assert!(is_sound(&config)),
            Err(error) => prop_assert_eq!(error.kind, Kind::InvalidInput),
        }
    }

    #[test]
    fn any_text_for_a_settings_file_is_taken_or_refused(text in any::<String>(), bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        let folder = Folder::new("any-text");
        if let Err(error) = with_file(&folder, &text) {
            prop_assert_eq!(error.kind, Kind::InvalidInput);
        }
        let path = folder.file("settings.toml", "");
        std::fs::write(&path, &bytes).unwrap();
        if let Err(error) = Config::load(&[SectionKind::of::<Provider>()], &Flags { config: Some(path), ..Flags::default() }, &Environment::default()) {
            prop_assert_eq!(error.kind, Kind::InvalidInput);
        }
    }

    #[test]
    fn any_variable_is_taken_refused_or_left_to_others(key in any_key(), name in "HANOK_[A-Z_]{0,20}", value in any::<String>()) {
        let variable = format!("HANOK_{}", key.replace('.', "__").to_uppercase());
        for name in [variable, name] {
            match with_variable(&name, &value) {
                Ok(config) => prop_assert!(is_sound(&config)),
                Err(error) => prop_assert_eq!(error.kind, Kind::InvalidInput),
            }
        }
    }
}

#[test]
fn settings_that_are_nested_without_end_are_refused() {
    let folder = Folder::new("nested");
    for nested in [
        format!("[http]\nburst = {}", "[".repeat(200_000)),
        format!("[http]\nburst = {}", "{a=".repeat(200_000)),
        format!("[{}]", "a.".repeat(200_000)),
        "[".repeat(200_000),
    ] {
        assert_eq!(with_file(&folder, &nested).unwrap_err().kind, Kind::InvalidInput);
        assert_eq!(with_variable("HANOK_OPS__HOSTS", &nested).unwrap_err().kind, Kind::InvalidInput);
    }
}

//! What is refused, and what is said of it.

use super::*;

#[test]
fn an_unknown_key_is_refused_and_the_nearest_one_offered() {
    let folder = Folder::new("unknown");
    let error = with_file(&folder, "[ops]\nlissten = \"127.0.0.1:1\"\n[jbos]\nschedule = true\n").unwrap_err();
    assert!(error.fields["ops.lissten"].contains("did you mean ops.listen?"), "{error}");
    assert!(error.fields["jbos.schedule"].contains("did you mean jobs.schedule?"), "{error}");
    let error = with_variable("HANOK_OPS__LISTENN", "127.0.0.1:1").unwrap_err();
    assert!(error.message.contains("did you mean HANOK_OPS__LISTEN?"), "{error}");
    let error = with_variable("HANOK_OPS_LISTEN", "127.0.0.1:1").unwrap_err();
    assert!(error.message.contains("did you mean HANOK_OPS__LISTEN?"), "{error}");
}

#[test]
fn a_setting_of_an_earlier_version_is_passed_over_naming_what_took_its_place() {
    let folder = Folder::new("retired");
    let now = "use jobs.quick_workers, jobs.heavy_workers and jobs.outside_workers";
    let from_file = with_file(&folder, "[jobs]\nworkers = 2\nquick_workers = 5\n").unwrap();
    assert_eq!(from_file.jobs.quick_workers, 5);
    for (config, origin) in
        [(from_file, "settings.toml"), (with_variable("HANOK_JOBS__WORKERS", "2").unwrap(), "HANOK_JOBS__WORKERS")]
    {
        let [said] = config.retired() else { panic!("{:?}", config.retired()) };
        assert!(said.contains("jobs.workers") && said.contains(origin) && said.contains(now), "{said}");
    }
    assert_eq!(with_variable("HANOK_JOBS__QUICK_WORKERS", "2").unwrap().retired(), [""; 0]);
}

#[test]
fn a_setting_by_its_name_of_an_earlier_version_holds_until_the_present_name_says_otherwise() {
    let folder = Folder::new("renamed");
    let earlier = with_file(&folder, "[mail]\nseconds = 7\n").unwrap();
    assert_eq!(earlier.mail.timeout_seconds, 7);
    assert!(
        matches!(earlier.retired(), [said] if said.contains("mail.seconds") && said.contains("mail.timeout_seconds"))
    );
    for both in ["[mail]\nseconds = 7\ntimeout_seconds = 9\n", "[mail]\ntimeout_seconds = 9\nseconds = 7\n"] {
        assert_eq!(with_file(&folder, both).unwrap().mail.timeout_seconds, 9);
    }
    let default = with_file(&folder, "[mail]\ntimeout_seconds = 60\nseconds = 7\n").unwrap();
    assert_eq!(default.mail.timeout_seconds, 60);
    assert_eq!(with_variable("HANOK_MAIL__SECONDS", "8").unwrap().mail.timeout_seconds, 8);
}

#[test]
fn a_variable_that_cannot_be_a_setting_of_ours_is_left_alone() {
    assert!(with_variable("HANOK_HOME", "/srv").is_ok());
}

#[test]
fn a_refused_value_is_named_with_its_key_its_origin_and_what_it_must_be() {
    let refused = [
        ("HANOK_OPS__LISTEN", "localhost", "ops.listen"),
        ("HANOK_OPS__ACCESS", "yes", "ops.access"),
        ("HANOK_OPS__HOSTS", "https://hanok.lan", "ops.hosts"),
        ("HANOK_OPS__SESSION_IDLE_DAYS", "0", "ops.session_idle_days"),
        ("HANOK_OPS__SESSION_ABSOLUTE_DAYS", "7", "ops.session_absolute_days"),
        ("HANOK_SITE__ADDRESS", "https://shop.example/path", "site.address"),
        ("HANOK_HTTP__BODY_LIMIT_BYTES", "-5", "http.body_limit_bytes"),
        ("HANOK_HTTP__REQUEST_SECONDS", "soon", "http.request_seconds"),
        ("HANOK_HTTP__TRUSTED_PROXIES", "router", "http.trusted_proxies"),
        ("HANOK_COMPUTE__ADDRESS", "nas", "compute.address"),
        ("HANOK_JOBS__SCHEDULE", "maybe", "jobs.schedule"),
        ("HANOK_PROVIDER__ADDRESS", "ftp://x", "provider.address"),
        ("HANOK_UPSTREAM__USER_AGENT", "a\u{7f}b", "upstream.user_agent"),
        ("HANOK_LOG__LEVEL", "loud", "log.level"),
    ];
    for (name, value, key) in refused {
        let error = with_variable(name, value).unwrap_err();
        assert_eq!(error.kind, Kind::InvalidInput);
        assert!(error.fields[key].starts_with("must be "), "{error}");
        assert!(error.message.contains(name), "{error}");
    }
}

#[test]
fn the_example_of_a_list_is_one_for_the_place_where_it_was_sent() {
    let folder = Folder::new("examples");
    for (name, key, file, example) in [
        ("HANOK_OPS__HOSTS", "ops.hosts", "[ops]\nhosts = [\"a/b\"]\n", "hanok.lan"),
        ("HANOK_HTTP__TRUSTED_PROXIES", "http.trusted_proxies", "[http]\ntrusted_proxies = [\"a\"]\n", "192.168.0.2"),
    ] {
        let said = with_variable(name, "[\"a\"]").unwrap_err().fields[key].clone();
        assert!(said.contains(&format!(", such as {example},")), "{said}");
        let shown = said.split("such as ").nth(1).unwrap().split(", but is").next().unwrap();
        assert!(with_variable(name, shown).is_ok(), "{shown}");
        let said = with_file(&folder, file).unwrap_err().fields[key].clone();
        assert!(said.contains(&format!(", such as [\"{example}\", ")), "{said}");
    }
}

#[test]
fn a_refused_line_of_the_file_is_named_with_what_stands_there_and_what_may() {
    let folder = Folder::new("lines");
    let file = "# ours\n[jobs]\nheavy_workers = 99999999999999999999 # many\nquick_workers = 2.0\n\n[backup]\ndaily = 99999999999\n[log]\nlevel = \"loud\"\n[ops]\nlissten = 1\n";
    let error = with_file(&folder, file).unwrap_err();
    for (key, is, line) in [
        ("jobs.heavy_workers", "99999999999999999999", 3),
        ("jobs.quick_workers", "2.0", 4),
        ("backup.daily", "99999999999", 7),
        ("log.level", "\"loud\"", 9),
    ] {
        let said = &error.fields[key];
        let rule = defaults().settings().find(|setting| setting.key == key).unwrap().rule.at_a_start(false);
        assert!(said.starts_with(&format!("{rule}, but is {is} in ")), "{said}");
        assert!(said.ends_with(&format!("settings.toml, line {line}")), "{said}");
    }
    assert!(error.fields["ops.lissten"].contains("did you mean ops.listen? ("), "{error}");
    assert!(error.fields["ops.lissten"].ends_with("settings.toml, line 11)"), "{error}");
}

#[test]
fn what_stands_twice_is_named_with_both_lines() {
    let folder = Folder::new("twice");
    let twice = "[jobs]\nheavy_workers = 1\n[compute]\ntoken = \"0123456789abcdef0123\"\ntoken = \"1123456789abcdef0123\"\n[backup]\ndaily = 3\n[compute]\n";
    let error = with_file(&folder, twice).unwrap_err();
    assert_eq!(error.fields.len(), 2, "{error}");
    let said = &error.fields["compute.token"];
    assert!(said.starts_with("must stand once, but stands in line 4 and again in line 5 of "), "{said}");
    let said = &error.fields["compute"];
    assert!(said.starts_with("must stand once, but stands in line 3 and again in line 8 of "), "{said}");
    assert!(!error.message.contains("123456789abcdef"), "{error}");
    let alike = "[compute]\ntoken_file = \"a\"\ntoken = \"0123456789abcdef0123\"\ntoken = \"1123456789abcdef0123\"\n";
    let said = &with_file(&folder, alike).unwrap_err().fields["compute.token"];
    assert!(said.contains("in line 3 and again in line 4 of "), "{said}");
    let section = "[ops]\nlisten = \"127.0.0.1:1\"\n[ ops ]\nlisten = \"127.0.0.1:2\"\naccess = \"\"\naccess = \"\"\n";
    let fields = with_file(&folder, section).unwrap_err().fields;
    assert!(fields["ops"].contains("in line 1 and again in line 3 of "), "{fields:?}");
    assert!(fields.keys().all(|name| name == "ops" || name.starts_with("ops.")), "{fields:?}");
    let error = with_file(&folder, "[jobs]\nheavy_workers = = 1\n").unwrap_err();
    assert!(error.message.contains("settings.toml, line 2 cannot be read"), "{error}");
}

#[test]
fn a_file_that_is_not_toml_or_not_there_is_refused() {
    let folder = Folder::new("broken");
    assert!(with_file(&folder, "[ops\n").unwrap_err().message.contains("settings.toml"));
    assert!(with_file(&folder, "listen = 1\n").unwrap_err().fields.contains_key("listen"));
    let flags = Flags { config: Some(folder.0.join("absent.toml")), ..Flags::default() };
    assert!(
        Config::load(&[SectionKind::of::<Provider>()], &flags, &Environment::default())
            .unwrap_err()
            .message
            .contains("absent.toml")
    );
}

#[test]
fn of_many_unknown_keys_only_as_many_are_looked_for_as_are_named_and_none_that_is_long() {
    let folder = Folder::new("many-unknown");
    let many: String = (0..200).map(|number| format!("hostss{number} = 1\n")).collect();
    let error = with_file(&folder, &format!("[ops]\n{many}")).unwrap_err();
    let offered = error.fields.values().filter(|said| said.contains("did you mean")).count();
    assert_eq!((error.fields.len(), offered), (200, 50));
    assert!(error.message.ends_with("and 150 more"), "{error}");
    let long = format!("{}listen", "listen".repeat(20));
    let near = with_file(&folder, "[ops]\nlistenlisten = 1\n").unwrap_err();
    assert!(near.fields["ops.listenlisten"].contains("did you mean"), "{near}");
    let far = with_file(&folder, &format!("[ops]\n{long} = 1\n")).unwrap_err();
    assert!(far.fields[&format!("ops.{long}")].contains("`hanok config` lists them"), "{far}");
}

#[test]
fn a_mail_server_needs_a_sender_and_a_password_does_not_travel_in_the_open() {
    let folder = Folder::new("mail");
    let refused = |text: &str| with_file(&folder, text).map(drop).unwrap_err().fields.into_keys().collect::<Vec<_>>();
    let server = "[mail]\nhost = \"smtp.example.com\"\n";
    assert_eq!(refused(server), ["mail.from"]);
    let from = format!("{server}from = \"house@example.com\"\n");
    let open = format!("{from}security = \"none\"\nuser = \"house\"\n");
    assert_eq!(refused(&open), ["mail.security"]);
    for fine in [
        from.clone(),
        format!("{from}user = \"house\"\n"),
        open.replace("smtp.example.com", "localhost"),
        open.replace("user = \"house\"\n", ""),
    ] {
        assert!(with_file(&folder, &fine).is_ok(), "{fine}");
    }
    let here = with_file(&folder, &open.replace("smtp.example.com", "127.0.0.1")).unwrap();
    assert_eq!(here.mail.security, crate::config::MailSecurity::None);
}

//! The one list of all settings, in the order of `appliance.toml`: what each must be, and which are secret.

/// One setting.
pub(super) struct Setting {
    /// `section.key`.
    pub key: &'static str,
    /// What its value must be, as the end of the sentence "`section.key` must be …".
    pub must: &'static str,
    /// Whether its value is never shown.
    pub secret: bool,
    /// Whether it means something on this machine only.
    pub local: bool,
}

const fn setting(key: &'static str, must: &'static str) -> Setting {
    Setting { key, must, secret: false, local: false }
}

const fn secret(key: &'static str, must: &'static str) -> Setting {
    Setting { key, must, secret: true, local: false }
}

const fn local(key: &'static str, must: &'static str) -> Setting {
    Setting { key, must, secret: false, local: true }
}

const LISTEN: &str =
    "an address with a port such as 127.0.0.1:8420 (0.0.0.0 for every network card, port 0 for a free one)";
const HOSTS: &str = "a list of host names without scheme or port, such as [\"hanok.lan\"]";
const SECONDS: &str = "whole seconds from 1 to 86400";
const COUNT: &str = "a whole number from 0 to 1000";
const WORKERS: &str = "a whole number from 1 to 64";

/// Every setting there is.
pub(super) const SETTINGS: &[Setting] = &[
    local("data.dir", "the path of a folder"),
    setting("ops.listen", LISTEN),
    setting("ops.hosts", HOSTS),
    setting("ops.access", "empty (a passphrase is needed beyond this machine) or \"open\""),
    setting("ops.session_idle_days", "whole days from 1 to 3650"),
    setting("ops.session_absolute_days", "whole days from 1 to 3650, and not fewer than ops.session_idle_days"),
    setting("site.listen", LISTEN),
    setting("site.address", "empty or an address such as https://shop.example, without a path"),
    setting("site.hosts", HOSTS),
    setting("http.body_limit_bytes", "whole bytes from 1024 to 1073741824"),
    setting("http.request_seconds", SECONDS),
    setting("http.max_connections", "a whole number from 1 to 1000000"),
    setting("http.connections_per_address", "a whole number from 0 (no limit) to 1000000"),
    setting("http.header_seconds", SECONDS),
    setting("http.body_seconds", SECONDS),
    setting("http.idle_seconds", SECONDS),
    setting("http.trusted_proxies", "a list of addresses or ranges such as [\"192.168.0.0/24\"]"),
    setting("http.requests_per_second", "a whole number from 0 (no limit) to 1000000"),
    setting("http.burst", "a whole number from 1 to 1000000"),
    setting("store.cache_mebibytes", "whole mebibytes from 1 to 65536"),
    setting("store.reserve_mebibytes", "whole mebibytes from 1 to 1048576"),
    setting("backup.every_minutes", "whole minutes from 0 (never) to 10080"),
    setting("backup.hourly", COUNT),
    setting("backup.daily", COUNT),
    setting("backup.weekly", COUNT),
    setting("compute.address", "empty (compute here) or host:port of a `hanok compute`, such as 192.168.0.20:8430"),
    secret("compute.token", "a text without spaces, at least 16 characters, the same on both machines"),
    local("compute.token_file", "the path of a readable file that holds compute.token"),
    setting("compute.workers", "a whole number from 0 (every core) to 1024"),
    setting("compute.queue", "a whole number from 1 to 10000"),
    setting("compute.seconds", SECONDS),
    setting("compute.listen", LISTEN),
    setting("jobs.quick_workers", WORKERS),
    setting("jobs.heavy_workers", WORKERS),
    setting("jobs.outside_workers", WORKERS),
    setting("jobs.schedule", "true or false"),
    setting("lottery.operator", "an address such as https://www.dhlottery.co.kr"),
    setting("lottery.timeout_seconds", SECONDS),
    setting("lottery.sync", "true or false"),
    setting("upstream.failures_to_open", "a whole number from 1 to 1000"),
    setting("upstream.open_seconds", SECONDS),
    setting("upstream.user_agent", "a text of 1 to 200 plain ASCII characters"),
    setting("log.format", "\"text\" or \"json\""),
    setting("log.level", "\"error\", \"warn\", \"info\", \"debug\" or \"trace\""),
];

/// Settings of earlier versions, and what to use instead.
pub(super) const RETIRED: &[(&str, &str)] =
    &[("jobs.workers", "jobs.quick_workers, jobs.heavy_workers and jobs.outside_workers")];

/// The setting of that key.
pub(super) fn find(key: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.key == key)
}

//! What the settings of the house must be.

use hanok_base::Sentence;

pub(super) const LISTEN: Sentence = Sentence::new(
    "house.must.listen",
    "must be an address with a port such as 127.0.0.1:8420 (0.0.0.0 for every network card, port 0 for a free one)",
);
pub(super) const HOSTS: Sentence =
    Sentence::new("house.must.hosts", "must be a list of host names without scheme or port, such as {example}");
pub(super) const FOLDER: Sentence = Sentence::new("house.must.folder", "must be the path of a folder");
pub(super) const ACCESS: Sentence =
    Sentence::new("house.must.access", "must be empty (a passphrase is needed beyond this machine) or \"open\"");
pub(super) const NOT_FEWER_DAYS: Sentence =
    Sentence::new("house.must.not_fewer_days", "must not be fewer than ops.session_idle_days");
pub(super) const SITE_ADDRESS: Sentence = Sentence::new(
    "house.must.site_address",
    "must be empty or an address such as https://shop.example, without a path",
);
pub(super) const PROXIES: Sentence =
    Sentence::new("house.must.proxies", "must be a list of addresses or ranges, such as {example}");
pub(super) const COMPUTE_ADDRESS: Sentence = Sentence::new(
    "house.must.compute_address",
    "must be empty (compute here) or host:port of a `hanok compute`, such as 192.168.0.20:8430",
);
pub(super) const TOKEN: Sentence = Sentence::new(
    "house.must.token",
    "must be a text without spaces, at least 16 characters, the same on both machines",
);
pub(super) const TOKEN_FILE: Sentence =
    Sentence::new("house.must.token_file", "must be the path of a readable file that holds compute.token");
pub(super) const USER_AGENT: Sentence =
    Sentence::new("house.must.user_agent", "must be a text of 1 to 200 plain ASCII characters");

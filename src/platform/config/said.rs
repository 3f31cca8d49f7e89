//! What the settings of the house must be.

use hanok_base::MessageTemplate;

pub(super) const LISTEN: MessageTemplate = MessageTemplate::new(
    "house.must.listen",
    "must be an address with a port such as 127.0.0.1:8420 (0.0.0.0 for every network card, port 0 for a free one)",
);
pub(super) const HOSTS: MessageTemplate =
    MessageTemplate::new("house.must.hosts", "must be a list of host names without scheme or port, such as {example}");
pub(super) const FOLDER: MessageTemplate = MessageTemplate::new("house.must.folder", "must be the path of a folder");
pub(super) const ACCESS: MessageTemplate =
    MessageTemplate::new("house.must.access", "must be empty (a passphrase is needed beyond this machine) or \"open\"");
pub(super) const NOT_FEWER_DAYS: MessageTemplate =
    MessageTemplate::new("house.must.not_fewer_days", "must not be fewer than ops.session_idle_days");
pub(super) const SITE_ADDRESS: MessageTemplate = MessageTemplate::new(
    "house.must.site_address",
    "must be empty or an address such as https://shop.example, without a path",
);
pub(super) const PROXIES: MessageTemplate =
    MessageTemplate::new("house.must.proxies", "must be a list of addresses or ranges, such as {example}");
pub(super) const COMPUTE_ADDRESS: MessageTemplate = MessageTemplate::new(
    "house.must.compute_address",
    "must be empty (compute here) or host:port of a `hanok compute`, such as 192.168.0.20:8430",
);
pub(super) const TOKEN: MessageTemplate = MessageTemplate::new(
    "house.must.token",
    "must be a text without spaces, at least 16 characters, the same on both machines",
);
pub(super) const TOKEN_FILE: MessageTemplate =
    MessageTemplate::new("house.must.token_file", "must be the path of a readable file that holds compute.token");
pub(super) const USER_AGENT: MessageTemplate =
    MessageTemplate::new("house.must.user_agent", "must be a text of 1 to 200 plain ASCII characters");
pub(super) const MAIL_HOST: MessageTemplate = MessageTemplate::new(
    "house.must.mail_host",
    "must be empty (mail is put into a folder) or the name of a mail server, such as smtp.example.com",
);
pub(super) const MAIL_IN_THE_OPEN: MessageTemplate = MessageTemplate::new(
    "house.must.mail_in_the_open",
    "must not be none while mail.user signs in to another machine: the mail password could be read on its way",
);
pub(super) const AUTHORITY_FILE: MessageTemplate =
    MessageTemplate::new("house.must.authority_file", "must be empty or the path of a readable file in PEM form");
pub(super) const MAIL_USER: MessageTemplate =
    MessageTemplate::new("house.must.mail_user", "must be a text of at most 320 characters");
pub(super) const MAIL_PASSWORD: MessageTemplate =
    MessageTemplate::new("house.must.mail_password", "must be a text of one line and at most 1,024 characters");
pub(super) const MAIL_PASSWORD_FILE: MessageTemplate = MessageTemplate::new(
    "house.must.mail_password_file",
    "must be the path of a readable file that holds mail.password",
);
pub(super) const MAIL_FROM: MessageTemplate =
    MessageTemplate::new("house.must.mail_from", "must be empty or an address such as house@example.com");
pub(super) const MAIL_NEEDS_FROM: MessageTemplate =
    MessageTemplate::new("house.must.mail_needs_from", "must be set when mail.host is");
pub(super) const MAIL_NAME: MessageTemplate =
    MessageTemplate::new("house.must.mail_name", "must be a text of one line and at most 100 characters");
pub(super) const SIGN_IN_LABEL: MessageTemplate =
    MessageTemplate::new("house.must.sign_in_label", "must be a text of one line and at most 40 characters");
pub(super) const SIGN_IN_ISSUER: MessageTemplate = MessageTemplate::new(
    "house.must.sign_in_issuer",
    "must be empty or an address such as https://accounts.google.com, by https unless it is on this machine",
);
pub(super) const SIGN_IN_CLIENT: MessageTemplate =
    MessageTemplate::new("house.must.sign_in_client", "must be the id that the provider gave, without spaces");
pub(super) const SIGN_IN_NEEDS_CLIENT: MessageTemplate =
    MessageTemplate::new("house.must.sign_in_needs_client", "must be set when the issuer is");
pub(super) const SIGN_IN_SECRET: MessageTemplate =
    MessageTemplate::new("house.must.sign_in_secret", "must be a text of one line and at most 1,024 characters");
pub(super) const SIGN_IN_SECRET_FILE: MessageTemplate = MessageTemplate::new(
    "house.must.sign_in_secret_file",
    "must be the path of a readable file that holds the client secret",
);
pub(super) const SIGN_IN_SCOPES: MessageTemplate =
    MessageTemplate::new("house.must.sign_in_scopes", "must be a list of scopes, such as {example}");

//! Settings of earlier versions.

/// Settings of earlier versions, which are passed over, and what to use instead.
pub(super) const RETIRED: [(&str, &str); 1] =
    [("jobs.workers", "jobs.quick_workers, jobs.heavy_workers and jobs.outside_workers")];

/// Settings by their names in earlier versions, and their names now: what is said there holds as before.
pub(super) const RENAMED: [(&str, &str); 7] = [
    ("compute.seconds", "compute.timeout_seconds"),
    ("contact.on", "contact.enabled"),
    ("mail.seconds", "mail.timeout_seconds"),
    ("backup.upload_mebibytes", "backup.upload_mib"),
    ("store.cache_mebibytes", "store.cache_mib"),
    ("store.reserve_mebibytes", "store.reserved_disk_mib"),
    ("store.upload_mebibytes", "store.upload_mib"),
];

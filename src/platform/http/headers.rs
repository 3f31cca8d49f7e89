//! The headers that every answer of a door carries.

use salvo::http::{HeaderName, HeaderValue};

use super::door_kind::DoorKind;
use crate::config::Config;

/// The headers of every answer of a door.
pub(super) fn headers(config: &Config, door: DoorKind) -> Vec<(HeaderName, HeaderValue)> {
    let https = door == DoorKind::Site && config.site.address.starts_with("https://");
    let mut headers = vec![
        // Scripts, styles and what they ask for are as by default. It goes with each of some forty files of a first visit.
        (
            "content-security-policy",
            "default-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; worker-src 'self' blob:; \
             object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
        ),
        ("x-frame-options", "DENY"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        (
            "permissions-policy",
            "accelerometer=(), camera=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(self), usb=()",
        ),
    ];
    if https {
        headers.push(("strict-transport-security", "max-age=31536000; includeSubDomains"));
    }
    headers.into_iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value))).collect()
}

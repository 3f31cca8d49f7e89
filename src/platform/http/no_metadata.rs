//! What salvo would know of the fields of an extractor: ours read themselves.

use salvo::extract::Metadata;

/// Our extractors need no description of fields.
pub(super) fn none() -> &'static Metadata {
    static METADATA: Metadata = Metadata::new("");
    &METADATA
}

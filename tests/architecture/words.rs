//! Names that the field has a word for: what was once called otherwise here does not come back.

use proc_macro2::{TokenStream, TokenTree};

use crate::tree::{Tree, product_tokens};

/// A name of ours that is gone, and the field's word for it.
const PRIVATE: [(&str, &str); 37] = [
    ("Anew", "UncachedJson"),
    ("Announced", "UploadCreate"),
    ("Answerers", "HttpWorkers"),
    ("Aside", "PreRestore"),
    ("CarriedOver", "PreservedOnRestore"),
    ("Claims", "SingleFlight"),
    ("Clearable", "NullablePatch"),
    ("Deed", "AuditAction"),
    ("Doorway", "Acceptor"),
    ("FarAs", "UploadOffset"),
    ("Faults", "FormErrors"),
    ("Flaws", "IntegrityErrors"),
    ("Foreseen", "MigrationPlan"),
    ("Given", "MessageArg"),
    ("Intent", "OutboxEntry"),
    ("IntentSeen", "WriteSeen"),
    ("KnownBlocks", "PageChecksums"),
    ("MoveMade", "StatusChange"),
    ("Noted", "AuditEntry"),
    ("Paces", "RateLimiter"),
    ("Reads", "ReadTransaction"),
    ("Refusal", "ApiError"),
    ("Said", "Message"),
    ("Seal", "CsrfToken"),
    ("Sent", "Validated"),
    ("Sentence", "MessageTemplate"),
    ("SettingBrought", "ImportedSetting"),
    ("Shares", "Balancer"),
    ("SnapshotBrought", "ImportedSnapshot"),
    ("Soon", "Deferred"),
    ("SpeaksTus", "TusVersion"),
    ("Spoken", "LocalizedMessage"),
    ("Standing", "Status"),
    ("TrackedMove", "TrackedStatus"),
    ("UnderWay", "InProgress"),
    ("Whole", "IntRange"),
    ("to_write", "tx_op"),
];

/// Items that are called by a private name.
pub fn private_names(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (file, text) in tree.files() {
        items(product_tokens(file, text), &mut |name| {
            if let Some((_, word)) = PRIVATE.iter().find(|(private, _)| *private == name) {
                found.push(format!("{file}: `{name}` is a private name; the field says `{word}`"));
            }
        });
    }
    found
}

/// Hands each item's name to `take`.
fn items(stream: TokenStream, take: &mut impl FnMut(String)) {
    const KINDS: [&str; 5] = ["struct", "enum", "trait", "type", "fn"];
    let mut is_named = false;
    for tree in stream {
        match tree {
            TokenTree::Group(group) => items(group.stream(), take),
            TokenTree::Ident(name) if is_named => {
                take(name.to_string());
                is_named = false;
                continue;
            }
            _ => {
                is_named = matches!(&tree, TokenTree::Ident(kind) if KINDS.contains(&kind.to_string().as_str()));
                continue;
            }
        }
        is_named = false;
    }
}

#[test]
fn an_item_with_a_private_name_is_caught() {
    let caught = |text: &str| private_names(&Tree::of(&[("src/base/x.rs", text)])).len();
    assert_eq!(caught("pub struct Sentence; mod inner { pub fn to_write() {} }"), 2);
    assert_eq!(
        caught("pub struct MessageTemplate; impl X { fn answer(sent: Sent) {} }"),
        0,
        "only what is defined counts"
    );
}

//! What the product is made of: where its libraries come from, under which licences they stand, which ones are never
//! taken, which bring code of another language, and why some are there twice.
//!
//! This stands in for cargo-deny, which would have to be built on every machine that runs the tests: version 0.20.2 takes
//! 400 s of one core, so more than three minutes of two, for rules that fit here, where each exception stands beside its
//! reason and each rule beside a planted violation.
//! Advisories change by the day and need a database: `tests/advisories` asks for them.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

/// Licences that ask for no more than their own text.
const LICENCES: [&str; 13] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0", // the list of certificate authorities: data, not code
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Zlib",
];

/// Never taken, and why not.
const BANNED: [(&str, &str); 6] = [
    ("openssl-sys", "one TLS is enough, and it is rustls"),
    ("native-tls", "one TLS is enough, and it is rustls"),
    ("aws-lc-sys", "needs a C compiler and cmake for every processor"),
    ("tikv-jemalloc-sys", "aborts on arm64 kernels with pages of 16 KiB"),
    ("libsqlite3-sys", "the store is redb"),
    ("h2", "without TLS nobody asks for HTTP/2, and its frames would pass our limits by"),
];

/// What a build script compiles, or looks for on the machine, other than Rust.
const BUILDERS: [&str; 7] = ["bindgen", "cc", "cmake", "nasm-rs", "pkg-config", "system-deps", "vcpkg"];

/// The libraries that may bring code of another language, and why.
const NATIVE: [(&str, &str); 1] =
    [("ring", "the cryptography of rustls in assembly and a little C; needs a C compiler and no library")];

/// Libraries of which the product holds more than one version, and who holds the older one.
const TWICE: [(&str, &str); 35] = [
    ("base64", "the web framework's cookies and headers, and the measures, still on 0.22"),
    ("block-buffer", "with digest"),
    ("const-oid", "with digest"),
    ("cpufeatures", "with sha2"),
    ("crypto-common", "with digest"),
    ("darling", "the schedule's parser still on 0.20; it builds the product and is not in it"),
    ("darling_core", "with darling"),
    ("darling_macro", "with darling"),
    ("der", "signing in by a provider: RSA keys still on 0.7, the curves on 0.8"),
    ("digest", "the web framework's cookies still on 0.10"),
    ("getrandom", "ring on 0.2, the rate limiter on 0.3"),
    ("hashbrown", "the rate limiter's map on 0.14, the measures on 0.16"),
    ("hmac", "with digest"),
    ("lock_api", "with parking_lot"),
    ("nom", "the search still on 7, the mail on 8"),
    ("ordered-float", "signing in by a provider still on 2, the search on 5"),
    ("parking_lot", "tokio still on 0.12"),
    ("parking_lot_core", "with parking_lot"),
    ("pem-rfc7468", "with der"),
    ("phf", "the cleaner of HTML still on 0.11, the time zones on 0.12"),
    ("phf_codegen", "with phf; it builds the product and is not in it"),
    ("phf_generator", "with phf; it builds the product and is not in it"),
    ("phf_shared", "with phf"),
    ("pkcs8", "with der"),
    ("rand", "the web framework's cookies on 0.8, the rate limiter on 0.9"),
    ("rand_chacha", "with rand"),
    ("rand_core", "with rand"),
    ("sha1", "the web framework's headers still on 0.10"),
    ("sha2", "the web framework's cookies still on 0.10"),
    ("signature", "with der"),
    ("sketches-ddsketch", "the measures still on 0.3, the search on 0.4"),
    ("spki", "with der"),
    ("syn", "macros of others still on 2; it builds the product and is not in it"),
    ("thiserror", "signing in by a provider still on 1"),
    ("thiserror-impl", "with thiserror"),
];

/// One library that is built into the product or builds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Library {
    name: String,
    version: String,
    licence: String,
    /// Who asks for it.
    users: BTreeSet<String>,
}

/// What the binary is made of and built by on this machine; what only tests use is left out.
pub fn libraries() -> Vec<Library> {
    let words = ["tree", "--locked", "--edges", "normal,build", "--prefix", "depth", "--format", "{p}|{l}"];
    let ran = Command::new(env!("CARGO")).args(words).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    read(&String::from_utf8(ran.stdout).unwrap())
}

/// Lines of `DEPTHname vVERSION …|LICENCE`, each library once, ourselves left out.
fn read(tree: &str) -> Vec<Library> {
    let mut above: Vec<&str> = Vec::new();
    let mut all: BTreeMap<(&str, &str), Library> = BTreeMap::new();
    for (package, licence) in tree.lines().filter_map(|line| line.split_once('|')) {
        let name_at = package.find(|c: char| !c.is_ascii_digit()).unwrap();
        let (depth, package) = package.split_at(name_at);
        let mut words = package.split(' ');
        let (name, version) = (words.next().unwrap(), words.next().unwrap().trim_start_matches('v'));
        above.truncate(depth.parse().unwrap());
        if name != "hanok" && !name.starts_with("hanok-") {
            let user = above.last().copied().unwrap_or("hanok");
            let library = all.entry((name, version)).or_insert_with(|| Library {
                name: name.to_owned(),
                version: version.to_owned(),
                licence: licence.trim_end_matches(" (*)").trim().to_owned(),
                users: BTreeSet::new(),
            });
            library.users.insert((*user).to_owned());
        }
        above.push(name);
    }
    all.into_values().collect()
}

/// Libraries whose licence leaves us no permitted choice.
pub fn foreign_licences(libraries: &[Library]) -> Vec<String> {
    let refused = libraries.iter().filter(|library| !is_permitted(&library.licence));
    refused.map(|library| format!("{} {} stands under {:?}", library.name, library.version, library.licence)).collect()
}

/// Libraries that are never taken.
pub fn banned(libraries: &[Library]) -> Vec<String> {
    let reason = |name: &str| BANNED.iter().find(|(banned, _)| *banned == name).map(|(_, reason)| *reason);
    libraries.iter().filter_map(|library| Some(format!("{}: {}", library.name, reason(&library.name)?))).collect()
}

/// Libraries that bring code of another language without a reason, and reasons that no longer hold.
pub fn native(libraries: &[Library]) -> Vec<String> {
    let builders = libraries.iter().filter(|library| BUILDERS.contains(&library.name.as_str()));
    let found: BTreeSet<&str> = builders
        .flat_map(|builder| builder.users.iter().map(String::as_str))
        .filter(|user| !BUILDERS.contains(user))
        .collect();
    let known: BTreeSet<&str> = NATIVE.iter().map(|(name, _)| *name).collect();
    let new = found.difference(&known).map(|name| format!("{name} is not of Rust alone, without a reason"));
    new.chain(known.difference(&found).map(|name| format!("{name} is of Rust alone: its reason can go"))).collect()
}

/// Libraries that are there twice without a reason, and reasons that no longer hold.
pub fn doubled(libraries: &[Library]) -> Vec<String> {
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for library in libraries {
        versions.entry(&library.name).or_default().insert(&library.version);
    }
    let doubled: BTreeMap<_, _> = versions.into_iter().filter(|(_, versions)| versions.len() > 1).collect();
    let known: BTreeSet<&str> = TWICE.iter().map(|(name, _)| *name).collect();
    let new = doubled.iter().filter(|(name, _)| !known.contains(*name));
    let stale = known.iter().filter(|name| !doubled.contains_key(*name));
    new.map(|(name, versions)| format!("{name} is there as {versions:?} without a reason"))
        .chain(stale.map(|name| format!("{name} is there once only: its reason can go")))
        .collect()
}

/// Entries of `Cargo.lock` that do not come, with their checksum, from the one registry.
pub fn foreign_sources(lock: &str) -> Vec<String> {
    let mut registries = BTreeSet::new();
    let mut found = Vec::new();
    for package in lock.split("[[package]]").skip(1) {
        let value = |key: &str| {
            let start = format!("{key} = \"");
            package.lines().find_map(|line| line.strip_prefix(&start)).map(|rest| rest.trim_end_matches('"'))
        };
        let name = value("name").unwrap_or_default();
        match value("source") {
            None if name == "hanok" || name.starts_with("hanok-") => {}
            Some(source) if source.starts_with("registry+") && value("checksum").is_some() => {
                registries.insert(source);
            }
            source => found.push(format!("{name} comes from {source:?}")),
        }
    }
    if registries.len() > 1 {
        found.push(format!("more than one registry: {registries:?}"));
    }
    found
}

/// Packages of a `package-lock.json` without a checksum, from elsewhere than the registry that npm is set to, or under
/// a licence that is not permitted. What only builds and tests the screens may also stand under licences for such tools.
pub fn foreign_packages(lock: &str) -> Vec<String> {
    const TOOLS: [&str; 6] = ["MPL-2.0", "CC-BY-4.0", "Python-2.0", "BlueOak-1.0.0", "CC0-1.0", "Unlicense"];
    let lock: Value = serde_json::from_str(lock).unwrap();
    let mut found = Vec::new();
    for (path, package) in lock["packages"].as_object().unwrap().iter().filter(|(path, _)| !path.is_empty()) {
        let text = |key: &str| package[key].as_str().unwrap_or_default();
        if !package["resolved"].is_null() || !text("integrity").starts_with("sha512-") {
            found.push(format!("{path} comes from {:?} with checksum {:?}", package["resolved"], text("integrity")));
        }
        let is_fit_for_a_tool = package["dev"] == true && TOOLS.contains(&text("license"));
        if !is_fit_for_a_tool && !is_permitted(text("license")) {
            found.push(format!("{path} stands under {:?}", text("license")));
        }
    }
    found
}

/// Whether a licence expression (SPDX; also the older `/` for `OR`) leaves a permitted choice.
fn is_permitted(expression: &str) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let tokens: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = tokens.as_slice();
    let permitted = either(&mut rest);
    permitted && rest.is_empty()
}

fn either(tokens: &mut &[&str]) -> bool {
    let mut permitted = both(tokens);
    while let ["OR", rest @ ..] = *tokens {
        *tokens = rest;
        permitted |= both(tokens);
    }
    permitted
}

fn both(tokens: &mut &[&str]) -> bool {
    let mut permitted = one(tokens);
    while let ["AND", rest @ ..] = *tokens {
        *tokens = rest;
        permitted &= one(tokens);
    }
    permitted
}

fn one(tokens: &mut &[&str]) -> bool {
    match *tokens {
        ["(", rest @ ..] => {
            *tokens = rest;
            let permitted = either(tokens);
            match *tokens {
                [")", rest @ ..] => *tokens = rest,
                _ => return false,
            }
            permitted
        }
        [licence, "WITH", exception, rest @ ..] => {
            *tokens = rest;
            LICENCES.contains(licence) || LICENCES.contains(&format!("{licence} WITH {exception}").as_str())
        }
        [licence, rest @ ..] => {
            *tokens = rest;
            LICENCES.contains(licence)
        }
        [] => false,
    }
}

#[cfg(test)]
mod plants {
    use super::*;

    #[test]
    fn a_licence_must_leave_a_permitted_choice() {
        for permitted in [
            "MIT",
            "MIT/Apache-2.0",
            "GPL-3.0-only OR MIT",
            "(Apache-2.0 OR MIT) AND BSD-3-Clause",
            "Apache-2.0 WITH LLVM-exception OR GPL-2.0-only",
            "MIT AND (GPL-3.0-only OR ISC)",
        ] {
            assert!(is_permitted(permitted), "{permitted}");
        }
        for refused in
            ["", "GPL-3.0-only", "MIT AND GPL-3.0-only", "(MIT", "MIT)", "LicenseRef-own", "AGPL-3.0 OR SSPL-1.0"]
        {
            assert!(!is_permitted(refused), "{refused}");
        }
        let tree = "0hanok v0.1.0 (/x)|MIT\n1free v1.0.0|MIT\n2unfree v2.0.0|GPL-3.0-only (*)\n";
        assert_eq!(foreign_licences(&read(tree)), ["unfree 2.0.0 stands under \"GPL-3.0-only\""]);
    }

    #[test]
    fn what_is_never_taken_and_what_is_there_twice_is_caught() {
        let ours = "0hanok v0.1.0|MIT\n".to_owned();
        let argued = TWICE.iter().map(|(name, _)| format!("1{name} v1.0.0|MIT\n1{name} v2.0.0|MIT\n"));
        let argued = ours + &argued.collect::<String>();
        assert_eq!(doubled(&read(&argued)), Vec::<String>::new());
        let more = read(&format!("{argued}1openssl-sys v1.0.0|MIT\n1serde v1.0.0|MIT\n1serde v2.0.0|MIT\n"));
        assert_eq!(banned(&more), ["openssl-sys: one TLS is enough, and it is rustls"]);
        assert_eq!(doubled(&more), ["serde is there as {\"1.0.0\", \"2.0.0\"} without a reason"]);
        let fewer = read(&argued.replace("1sha2 v1.0.0|MIT\n", ""));
        assert_eq!(doubled(&fewer), ["sha2 is there once only: its reason can go"]);
    }

    #[test]
    fn code_of_another_language_is_caught_by_who_builds_it() {
        let ring = "0hanok v0.1.0|MIT\n1rustls v1.0.0|MIT\n2ring v1.0.0|MIT\n3cc v1.0.0|MIT\n4shlex v1.0.0|MIT\n";
        assert_eq!(native(&read(ring)), Vec::<String>::new());
        let zlib = format!("{ring}1flate2 v1.0.0|MIT\n2libz-sys v1.0.0|MIT\n3cmake v1.0.0|MIT\n4cc v1.0.0|MIT (*)\n");
        assert_eq!(native(&read(&zlib)), ["libz-sys is not of Rust alone, without a reason"]);
        assert_eq!(native(&read("0hanok v0.1.0|MIT\n")), ["ring is of Rust alone: its reason can go"]);
    }

    #[test]
    fn a_source_other_than_the_registry_is_caught() {
        let lock = |source: &str| format!("[[package]]\nname = \"x\"\nversion = \"1.0.0\"\n{source}\n");
        let registry = lock("source = \"registry+a\"\nchecksum = \"00\"");
        assert!(foreign_sources(&registry).is_empty());
        for source in ["source = \"git+a\"\nchecksum = \"00\"", "source = \"registry+a\"", ""] {
            assert_eq!(foreign_sources(&lock(source)).len(), 1, "{source}");
        }
        assert_eq!(foreign_sources(&format!("{registry}{}", registry.replace("+a", "+b"))).len(), 1);
    }

    #[test]
    fn a_package_of_the_screens_from_elsewhere_is_caught() {
        let lock = |package: Value| serde_json::json!({"packages": {"": {}, "node_modules/x": package}}).to_string();
        let good = serde_json::json!({"integrity": "sha512-00", "license": "MIT"});
        assert!(foreign_packages(&lock(good.clone())).is_empty());
        for (key, value) in [("resolved", "git+ssh://a/x"), ("integrity", "sha1-00"), ("license", "GPL-3.0-only")] {
            let mut planted = good.clone();
            planted[key] = value.into();
            assert_eq!(foreign_packages(&lock(planted)).len(), 1, "{key}");
        }
    }
}

//! The one file that moves a house, over the network: fetched in parts, brought to another house, looked at, restored; and
//! all that is no such file.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::stream;
use hanok::base::Clock;
use hanok::platform::config::Config;
use hanok::platform::store::SnapshotKind;
use hanok::platform::store::retention::Retention;
use hanok::platform::upstream::Upstreams;
use reqwest::{Body, Client, Method};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::command_line::{Appliance, Installation};
use crate::desk::admin;
use crate::house::{Caller, House, answer};
use crate::visitors::word_of_the_last_mail;

const PLACE: &str = "/api/system/restore";

/// What lies in the folder of the house of files that come in.
fn lying(house: &House) -> Vec<String> {
    let run = house.config.data.dir.join("run");
    let names = fs::read_dir(run).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with("upload-")).collect()
}

/// Brings the house's own file: what it is then known by.
pub async fn brought(household: &impl Caller) -> Value {
    let (_, file) = fetched(household).await;
    let brought = answer(household.request(Method::POST, PLACE).body(file)).await;
    assert_eq!(brought.status, 201, "{}", brought.text);
    serde_json::from_str(&brought.text).unwrap()
}

/// Makes a snapshot and fetches its file: the path, and the file.
pub async fn fetched(household: &impl Caller) -> (String, Vec<u8>) {
    let name = household.post("/api/system/backups", Value::Null).await.ok()["name"].as_str().unwrap().to_owned();
    let path = format!("/api/system/backups/{name}/download");
    loop {
        let file = household.request(Method::GET, &path).send().await.unwrap();
        if file.status() == 200 {
            return (path, file.bytes().await.unwrap().to_vec());
        }
        assert_eq!(file.status(), 202);
    }
}

#[tokio::test]
async fn the_file_is_the_same_at_each_request_and_can_be_fetched_in_parts() {
    let house = House::open().await;
    let household = house.household();
    household.rest().await;
    household.post("/api/todos", json!({"title": "우유"})).await.ok();
    let (path, whole) = fetched(&household).await;
    let again = household.request(Method::GET, &path).send().await.unwrap();
    let header = |name: &str| again.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(header("content-disposition"), "attachment; filename=\"hanok-2026-10-10-2130.tar.gz\"");
    assert_eq!(header("content-length"), whole.len().to_string());
    let tag = header("etag");
    assert_eq!(again.bytes().await.unwrap(), whole);
    let part = household.request(Method::GET, &path).header("range", "bytes=100-").header("if-range", &tag);
    let part = part.send().await.unwrap();
    assert_eq!(part.status(), 206);
    assert_eq!(part.bytes().await.unwrap(), whole[100..]);
    let other = household.request(Method::GET, &path).header("range", "bytes=100-").header("if-range", "\"another\"");
    assert_eq!(other.send().await.unwrap().status(), 200, "of another file no part is given");
    let beyond = household.request(Method::GET, &path).header("range", "bytes=999999999-").send().await.unwrap();
    assert_eq!(beyond.status(), 416);
    let known = household.request(Method::GET, &path).header("if-none-match", &tag).send().await.unwrap();
    assert_eq!(known.status(), 304);
    household.get("/api/system/backups/20261010T000000Z-manual/download").await.refused(404, "NOT_FOUND");
    // Pictures of foreign pages make none either.
    let foreign = household.request(Method::GET, &path).header("sec-fetch-site", "cross-site");
    answer(foreign).await.refused(403, "FOREIGN_ORIGIN");
    // A day later it is gone, and is packed anew when it is asked for.
    let files = || {
        let run = fs::read_dir(house.config.data.dir.join("run")).unwrap();
        run.filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("download-")).count()
    };
    assert_eq!(files(), 1);
    house.appliance.app().data.store.clear_downloads(chrono::Utc::now() + chrono::Duration::hours(25)).await.unwrap();
    assert_eq!(files(), 0);
    assert_eq!(household.request(Method::GET, &path).send().await.unwrap().status(), 200);
}

#[tokio::test]
async fn a_download_goes_on_after_a_start_with_the_same_bytes_and_an_upload_is_said_to_be_gone() {
    let house = House::open().await;
    let household = house.household();
    household.rest().await;
    let (path, whole) = fetched(&household).await;
    let tag =
        household.request(Method::GET, &path).send().await.unwrap().headers()["etag"].to_str().unwrap().to_owned();
    let id = answer(household.request(Method::POST, PLACE).body(whole.clone())).await.json()["id"].clone();
    drop(household);
    let house = house.restart().await;
    let household = house.household();
    household.rest().await;
    let rest = household.request(Method::GET, &path).header("range", "bytes=100-").header("if-range", &tag);
    let rest = rest.send().await.unwrap();
    assert_eq!(rest.status(), 206);
    assert_eq!(rest.bytes().await.unwrap(), whole[100..]);
    assert_eq!(lying(&house), [""; 0]);
    let gone = household.post(&format!("{PLACE}/{}", id.as_str().unwrap()), Value::Null).await;
    gone.refused(404, "NOT_FOUND");
    assert!(gone.text.contains("hanok was started again"), "{}", gone.text);
}

#[tokio::test]
async fn settings_that_a_restore_takes_over_are_told_when_they_are_written_and_hold_at_once_where_they_can() {
    const LIMIT: &str = "lottery.monthly_limit";
    let (here, there) = (House::open().await, House::open().await);
    let household = here.household();
    household.rest().await;
    set(&household, LIMIT, "50000").await;
    let (_, file) = fetched(&household).await;
    let household = there.household();
    household.rest().await;
    let brought = answer(household.request(Method::POST, PLACE).body(file)).await.json();
    let mut events = household.events().await;
    household.post(&format!("{PLACE}/{}", brought["id"].as_str().unwrap()), Value::Null).await.ok();
    // Once with everything that the restore has changed, and once more when they are written.
    for _ in 0..2 {
        events.until("changed", |told| told["what"] == "settings").await;
    }
    let shown = household.get("/api/system/settings").await.ok();
    let limit = shown["settings"].as_array().unwrap().iter().find(|one| one["key"] == LIMIT).unwrap().clone();
    assert_eq!(limit["value"], "50000", "{limit}");
    assert!(shown["next"].as_array().unwrap().iter().all(|one| one["key"] != LIMIT), "{shown}");
}

#[tokio::test]
async fn a_file_is_brought_says_what_it_holds_and_is_restored_when_somebody_says_so() {
    let (here, there) = (House::open().await, House::open().await);
    let household = here.household();
    household.rest().await;
    household.post("/api/todos", json!({"title": "우유"})).await.ok();
    let (_, file) = fetched(&household).await;
    let household = there.household();
    household.rest().await;
    household.post("/api/todos", json!({"title": "nur dort"})).await.ok();
    let brought = answer(household.request(Method::POST, PLACE).body(file.clone())).await;
    assert_eq!(brought.status, 201, "{}", brought.text);
    let brought: Value = serde_json::from_str(&brought.text).unwrap();
    assert_eq!(brought["bytes"], file.len());
    assert_eq!((&brought["snapshot"]["kind"], &brought["blobs"]), (&json!("manual"), &json!(0)));
    assert!(brought["snapshot"]["created_at"].is_string() && brought["snapshot"]["rows"].as_u64() > Some(1_245));
    let titles = async || {
        let todos = household.get("/api/todos").await.ok();
        todos["todos"]
            .as_array()
            .unwrap()
            .iter()
            .map(|todo| todo["title"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(titles().await, ["nur dort"], "nothing counts yet");
    let another = household.post(&format!("{PLACE}/another"), Value::Null).await;
    another.refused(404, "NOT_FOUND");
    // Whoever decides on a file while another takes its place is told so.
    assert_eq!(another.json()["localized"]["message_key"], "house.upload_gone");
    // Who has lost the answer finds it among the backups.
    assert_eq!(household.get("/api/system/backups").await.ok()["uploaded"], brought);
    let path = format!("{PLACE}/{}", brought["id"].as_str().unwrap());
    let restore = || household.request(Method::POST, &path).header("idempotency-key", "one");
    let restored = answer(restore()).await.ok();
    let name = format!("upload-{}.tar.gz", brought["id"].as_str().unwrap());
    assert_eq!(restored["restored"]["restored"], name, "no path of the house is told");
    assert_eq!(titles().await, ["우유"]);
    assert_eq!(answer(restore()).await.ok(), restored, "it is done once");
    assert_eq!(lying(&there), [""; 0]);
    assert!(household.get("/api/system/backups").await.ok()["brought"].is_null());
    household.post(&path, Value::Null).await.refused(404, "NOT_FOUND");
    let undo = restored["restored"]["undo"].as_str().unwrap();
    household.post(&format!("/api/system/backups/{undo}/restore"), Value::Null).await.ok();
    assert_eq!(titles().await, ["nur dort"]);
}

#[tokio::test]
async fn what_is_no_whole_backup_file_is_refused_and_leaves_nothing() {
    let house = House::open_with(|config| config.backup.upload_mib = 2).await;
    let household = house.household();
    household.rest().await;
    let (_, file) = fetched(&household).await;
    let middle = file.len() / 2;
    let mut flipped = file.clone();
    flipped[middle] ^= 1;
    let plain = |text: &[u8]| {
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(text).unwrap();
        packed.finish().unwrap()
    };
    for (what, sent) in [
        ("nothing", vec![]),
        ("no archive", b"no archive".to_vec()),
        ("half of it", file[..middle].to_vec()),
        ("all but the end", file[..file.len() - 2_000].to_vec()),
        ("a flipped bit", flipped),
        ("a packed text", plain(b"no archive")),
        ("a way out of the folder", plain(&archive(&[("../../hanok.json", b"{}")]))),
        ("a description alone", plain(&archive(&[("hanok.json", b"{}")]))),
    ] {
        let refused = answer(household.request(Method::POST, PLACE).body(sent)).await;
        assert_eq!(refused.status, 422, "{what}: {}", refused.text);
        assert!(refused.text.contains("\"INVALID_INPUT\""), "{what}: {}", refused.text);
        assert_eq!(lying(&house), [""; 0], "{what}");
    }
    // Larger than the setting allows, said before and not said.
    let large = vec![0u8; 3 << 20];
    let pieces = large.chunks(1 << 16).map(|piece| Ok::<_, std::io::Error>(piece.to_vec())).collect::<Vec<_>>();
    for body in [Body::from(large.clone()), Body::wrap_stream(stream::iter(pieces))] {
        let refused = household.request(Method::POST, PLACE).body(body).send().await;
        // Whoever goes on sending may not hear it.
        assert!(refused.is_err() || refused.is_ok_and(|answer| answer.status() == 413));
        assert_eq!(lying(&house), [""; 0]);
    }
    // One that is broken off, and another meanwhile.
    let (go_on, waits) = tokio::sync::oneshot::channel::<()>();
    let first = file[..middle].to_vec();
    let broken = async move {
        let _ = waits.await;
        Err::<Vec<u8>, _>(std::io::Error::other("broken off"))
    };
    let body = Body::wrap_stream(futures_util::StreamExt::chain(stream::iter([Ok(first)]), stream::once(broken)));
    let breaks_off = household.request(Method::POST, PLACE).body(body).send();
    let meanwhile = async {
        while lying(&house).is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        answer(household.request(Method::POST, PLACE).body(file.clone())).await.refused(409, "CONFLICT");
        go_on.send(()).unwrap();
    };
    let (broken, ()) = tokio::join!(breaks_off, meanwhile);
    assert!(broken.is_err() || broken.is_ok_and(|answer| answer.status() == 422));
    while !lying(&house).is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    // Foreign pages bring none, and one that waits can be thrown away, once.
    let foreign = household.request(Method::POST, PLACE).header("origin", "https://evil.example").body(file.clone());
    answer(foreign).await.refused(403, "FOREIGN_ORIGIN");
    let brought = answer(household.request(Method::POST, PLACE).body(file)).await;
    let brought: Value = serde_json::from_str(&brought.text).unwrap();
    let path = format!("{PLACE}/{}", brought["id"].as_str().unwrap());
    household.delete(&path).await.ok();
    assert_eq!(lying(&house), [""; 0]);
    household.delete(&path).await.refused(404, "NOT_FOUND");
    assert!(household.get("/api/system/backups").await.ok()["undo"].is_null(), "nothing was restored");
}

#[tokio::test]
async fn a_file_that_comes_in_is_ended_by_anybody_who_is_asked_back() {
    let house = House::open().await;
    let household = house.household();
    household.rest().await;
    let (_, file) = fetched(&household).await;
    let coming = format!("{PLACE}/coming");
    household.delete(&coming).await.refused(404, "NOT_FOUND");
    let first = stream::iter([Ok::<_, std::io::Error>(file[..100].to_vec())]);
    let body = Body::wrap_stream(futures_util::StreamExt::chain(first, stream::pending()));
    let sends = household.request(Method::POST, PLACE).body(body).send();
    let meanwhile = async {
        while lying(&house).is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        answer(household.request(Method::POST, PLACE).body("x")).await.refused(409, "CONFLICT");
        household.delete(&coming).await.ok();
    };
    let (ended, ()) = tokio::join!(sends, meanwhile);
    assert!(ended.is_err() || ended.is_ok_and(|answer| answer.status() == 409));
    // Where the connection ended first, what had come is cleared away behind it.
    while !lying(&house).is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(answer(household.request(Method::POST, PLACE).body(file)).await.status, 201);
    // What waits already is thrown away by its own id.
    household.delete(&coming).await.refused(404, "NOT_FOUND");
    assert_eq!(lying(&house).len(), 1);
}

#[tokio::test]
async fn a_file_that_is_brought_says_before_the_decision_what_would_become_of_its_settings() {
    let (here, there) = (House::open().await, House::open().await);
    let household = here.household();
    household.rest().await;
    set(&household, "backup.weekly", "9").await;
    set(&household, "jobs.schedule", "false").await;
    let (_, file) = fetched(&household).await;
    let household = there.household();
    household.rest().await;
    let brought = answer(household.request(Method::POST, PLACE).body(file)).await;
    let brought: Value = serde_json::from_str(&brought.text).unwrap();
    let settings = json!({
        "usable": true,
        "taken": [{"key": "backup.weekly", "value": "9"}],
        "left": [{"key": "jobs.schedule", "value": "false"}],
    });
    assert_eq!((&brought["settings"], &brought["snapshot"]["tables"]), (&settings, &Value::Null));
    household.post(&format!("{PLACE}/{}", brought["id"].as_str().unwrap()), Value::Null).await.ok();
    let own = fs::read_to_string(there.config.data.dir.join("appliance.toml")).unwrap();
    assert_eq!(own.trim(), "[backup]\nweekly = 9");
}

fn archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (name, bytes) in entries {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o600);
        // As no well-behaved program would name it.
        header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_cksum();
        tar.append(&header, *bytes).unwrap();
    }
    tar.into_inner().unwrap()
}

/// The most memory that the process has held so far.
fn peak_mebibytes(appliance: &Appliance) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", appliance.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.split_whitespace().next().unwrap().parse::<u64>().unwrap() / 1024
}

/// A large file of the house: bytes that cannot be packed, under the name that it must have.
fn put_large_file(data: &Path, mebibytes: usize) {
    let mut state = 88_172_645_463_325_252u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let bytes: Vec<u8> = (0..mebibytes << 17).flat_map(|_| next().to_le_bytes()).collect();
    fs::write(data.join("blobs/large"), bytes).unwrap();
    let said = std::process::Command::new("sha256sum").arg(data.join("blobs/large")).output().unwrap();
    let digest = String::from_utf8(said.stdout).unwrap()[..64].to_owned();
    fs::rename(data.join("blobs/large"), data.join("blobs").join(digest)).unwrap();
}

/// The settings that lie in a backup file.
fn carried(file: &[u8]) -> String {
    String::from_utf8(packed(file, "appliance.toml")).unwrap()
}

/// What lies in a backup file under this name.
fn packed(file: &[u8], name: &str) -> Vec<u8> {
    let mut tar = tar::Archive::new(flate2::read::GzDecoder::new(file));
    let mut bytes = Vec::new();
    for entry in tar.entries().unwrap() {
        let mut entry = entry.unwrap();
        if entry.path().unwrap().ends_with(name) {
            std::io::Read::read_to_end(&mut entry, &mut bytes).unwrap();
            break;
        }
    }
    bytes
}

pub async fn set(household: &impl Caller, key: &str, value: &str) {
    let seen = household.get("/api/system/settings").await.ok()["revision"].clone();
    household.put(&format!("/api/system/settings/{key}"), json!({"value": value, "revision": seen})).await.ok();
}

#[tokio::test]
async fn settings_made_on_the_page_since_the_start_are_in_the_file_and_a_restore_leaves_them() {
    let (here, there) = (House::open().await, House::open().await);
    let household = here.household();
    household.rest().await;
    let (path, before) = fetched(&household).await;
    assert_eq!(carried(&before), "");
    set(&household, "backup.weekly", "9").await;
    let (path_after, file) = fetched(&household).await;
    assert_eq!(carried(&file).trim(), "[backup]\nweekly = 9");
    let again = household.request(Method::GET, &path).send().await.unwrap().bytes().await.unwrap();
    assert_eq!(carried(&again).trim(), "[backup]\nweekly = 9", "the snapshot is older, the settings are those of now");
    assert_ne!(path, path_after);

    let household = there.household();
    household.rest().await;
    set(&household, "ops.hosts", "hanok.lan").await;
    set(&household, "backup.daily", "30").await;
    set(&household, "ops.session_idle_days", "9").await;
    let own = there.config.data.dir.join("appliance.toml");
    let made = fs::read_to_string(&own).unwrap();
    let brought = answer(household.request(Method::POST, PLACE).body(file)).await;
    let brought: Value = serde_json::from_str(&brought.text).unwrap();
    let restored = household.post(&format!("{PLACE}/{}", brought["id"].as_str().unwrap()), Value::Null).await.ok();
    assert_eq!(fs::read_to_string(&own).unwrap(), made);
    let aside = there.config.data.dir.join("appliance.restored.toml");
    assert_eq!(fs::read_to_string(&aside).unwrap().trim(), "[backup]\nweekly = 9");
    assert!(restored["settings"].as_str().unwrap().starts_with("those of this house stay"), "{restored}");
    let localized = &restored["settings_localized"];
    assert_eq!(localized["message_key"], "house.settings_stay");
    assert_eq!(localized["params"]["aside"], aside.display().to_string());
}

#[tokio::test]
async fn the_commands_beside_a_running_house_take_the_settings_as_its_page_has_made_them() {
    let (here, there) = (Installation::new(), Installation::new());
    Upstreams::new(&Config::default().upstream, Clock::system()).unwrap();
    let client = Client::new();
    let change = async |door: &str, key: &str, value: &str| {
        let settings = format!("{}/api/system/settings", door.strip_prefix("household ").unwrap());
        let shown: Value = client.get(&settings).send().await.unwrap().json().await.unwrap();
        let body = json!({"value": value, "revision": shown["revision"]});
        assert_eq!(client.put(format!("{settings}/{key}")).json(&body).send().await.unwrap().status(), 200);
    };
    let (appliance, [door, _]) = here.serve();
    change(&door, "backup.weekly", "4").await;
    let file = here.path("house.tar.gz");
    here.run(&["backup", "--to", file.to_str().unwrap()]).ok();
    assert!(carried(&fs::read(&file).unwrap()).contains("[backup]\nweekly = 4\n"));
    assert_eq!(appliance.end().0, 0);

    let (appliance, [door, _]) = there.serve();
    change(&door, "backup.daily", "30").await;
    let said = there.run(&["restore", "--from", file.to_str().unwrap(), "--json"]).json();
    assert!(said["settings"].as_str().unwrap().starts_with("those of this house stay"), "{said}");
    assert_eq!(fs::read_to_string(there.path("data/appliance.toml")).unwrap(), "[backup]\ndaily = 30\n");
    assert_eq!(appliance.end().0, 0);
}

#[tokio::test]
async fn passphrase_and_sessions_move_along_only_where_the_file_was_made_with_access() {
    const PASSPHRASE: &str = "마당에 핀 살구꽃 다섯 송이";
    Upstreams::new(&Config::default().upstream, Clock::system()).unwrap();
    let client = Client::new();
    let sign_in = async |door: &str| {
        let address = format!("{}/api/household/sign-in", door.strip_prefix("household ").unwrap());
        client.post(address).json(&json!({"passphrase": PASSPHRASE})).send().await.unwrap().status()
    };
    let sessions =
        |house: &Installation| house.run(&["household", "sessions", "--json"]).json().as_array().map(Vec::len).unwrap();
    let here = Installation::new();
    here.set_passphrase(PASSPHRASE);
    let (appliance, [door, _]) = here.serve();
    assert_eq!(sign_in(&door).await, 200);
    assert_eq!(appliance.end().0, 0);
    assert_eq!(sessions(&here), 1);

    for (words, moved, answered) in [(&[][..], 0, 409), (&["--with-access"][..], 1, 200)] {
        let there = Installation::new();
        let file = there.path("house.tar.gz");
        let file = file.to_str().unwrap();
        here.run(&[&["backup", "--to", file], words].concat()).ok();
        there.run(&["restore", "--from", file]).ok();
        assert_eq!(sessions(&there), moved, "{words:?}");
        let (appliance, [door, _]) = there.serve();
        assert_eq!(sign_in(&door).await, answered, "{words:?}");
        assert_eq!(appliance.end().0, 0);
    }
}

/// A backup of the house with access: the file.
async fn with_access(house: &House) -> Vec<u8> {
    let (store, beside) = (&house.appliance.app().data.store, TempDir::new().unwrap());
    let keep = Retention { hourly: 1, daily: 1, weekly: 1 };
    let snapshot = store.snapshot(SnapshotKind::Manual, keep).await.unwrap();
    let place = beside.path().join("whole.tar.gz");
    store.pack(&snapshot, "", fs::File::create(&place).unwrap(), true).await.unwrap();
    fs::read(place).unwrap()
}

#[tokio::test]
async fn no_link_that_was_given_out_lies_in_a_file_without_access_and_a_mail_without_its_text_is_not_sent_again() {
    let (house, there) = (House::open().await, House::open().await);
    let (household, door, desk) = (house.household(), house.passer_by(), admin(&house, "minsu").await);
    let forgotten = json!({"mail": "jiwoo@example.com", "language": "en"});
    assert_eq!(door.post("/api/account/forgotten", forgotten).await.status, 202);
    let password = word_of_the_last_mail(&house).await;
    let body = json!({"name": "김지우", "email": "jiwoo@example.com", "message": "홈페이지를 새로 만들고 싶습니다."});
    let asked = door.request(Method::POST, "/api/contact").header("idempotency-key", "k-1").json(&body);
    let asked = answer(asked).await.ok();
    let quote = json!({"title": "누리집 제작", "client_name": "김지우", "client_email": "jiwoo@example.com",
        "valid_until": "2026-10-20", "items": [{"id": "base", "name": "화면 디자인", "unit_price": 1_000_000}]});
    let quote = desk.post("/api/admin/quotes", quote).await.ok();
    let send = format!("/api/admin/quotes/{}/send", quote["id"].as_str().unwrap());
    let send = || desk.request(Method::POST, &send).header("idempotency-key", "k-1").json(&Value::Null);
    let sent = answer(send()).await.ok();
    assert_eq!(answer(send()).await.ok(), sent);
    household.rest().await;
    let (_, of_the_quote) = sent["quote_url"].as_str().unwrap().rsplit_once('/').unwrap();
    let words = [password.as_str(), asked["public_token"].as_str().unwrap(), of_the_quote];
    let holds = |file: &[u8]| {
        let store = packed(file, "hanok.redb");
        let text = String::from_utf8_lossy(&store);
        words.map(|word| text.contains(word))
    };
    assert_eq!(holds(&with_access(&house).await), [true; 3]);
    let (_, file) = fetched(&household).await;
    assert_eq!(holds(&file), [false; 3]);
    // The mails are listed in either house; what they say is there where it was before.
    for (house, status) in [(&house, 200u16), (&there, 409)] {
        let household = house.household();
        household.rest().await;
        let brought = answer(household.request(Method::POST, PLACE).body(file.clone())).await.json();
        household.post(&format!("{PLACE}/{}", brought["id"].as_str().unwrap()), Value::Null).await.ok();
        let newest = || async { household.get("/api/system/mail").await.ok()["mails"][0].clone() };
        let mail = newest().await;
        assert_eq!((&mail["kind"], &mail["status"]), (&json!("quote_sent"), &json!("sent")));
        let again = household.post(&format!("/api/system/mail/{}/send", mail["id"]), Value::Null).await;
        assert_eq!(again.status, status, "{again:?}");
        if status == 409 {
            assert_eq!(again.json()["localized"]["message_key"], "house.mail.left_out");
        }
        household.rest().await;
        assert_eq!(newest().await["status"], "sent");
    }
}

/// For the long suite.
mod long {
    use super::*;

    #[tokio::test]
    async fn the_longest_description_lies_in_little_memory_however_often_it_is_brought() {
        let installation = Installation::new();
        Upstreams::new(&Config::default().upstream, Clock::system()).unwrap();
        let client = Client::new();
        let (appliance, [door, _]) = installation.serve();
        let house = door.strip_prefix("household ").unwrap().to_owned();
        let made: Value =
            client.post(format!("{house}/api/system/backups")).send().await.unwrap().json().await.unwrap();
        // As many blobs as a file may have, and blanks up to the length that a description may have.
        let blobs: Vec<String> = (0..200_000).map(|number| format!("\"{number:064x}\":1")).collect();
        let mut text = format!("{{\"format\":1,\"snapshot\":{made},\"blobs\":{{{}}}}}", blobs.join(","));
        text.extend(std::iter::repeat_n(' ', (32 << 20) - text.len()));
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(&archive(&[("hanok.json", text.as_bytes())])).unwrap();
        let file = packed.finish().unwrap();
        let before = peak_mebibytes(&appliance);
        for _ in 0..4 {
            let sent = client.post(format!("{house}{PLACE}")).body(file.clone()).send().await.unwrap();
            assert_eq!(sent.status(), 422);
        }
        let grown = peak_mebibytes(&appliance) - before;
        assert!(grown < 48, "a description took {grown} MiB of memory");
        assert_eq!(appliance.end().0, 0);
    }

    #[tokio::test]
    async fn a_large_file_goes_out_and_comes_in_without_lying_in_memory_and_holds_nobody_up() {
        const MEBIBYTES: usize = 100;
        let (here, there) = (Installation::new(), Installation::new());
        // It brings what a client needs for TLS.
        Upstreams::new(&Config::default().upstream, Clock::system()).unwrap();
        let client = Client::new();
        let (appliance, [door, _]) = here.serve();
        let house = door.strip_prefix("household ").unwrap().to_owned();
        put_large_file(&here.path("data"), MEBIBYTES);
        let before = peak_mebibytes(&appliance);
        let made: Value =
            client.post(format!("{house}/api/system/backups")).send().await.unwrap().json().await.unwrap();
        let path = format!("{house}/api/system/backups/{}/download", made["name"].as_str().unwrap());
        let mut answer = client.get(&path).send().await.unwrap();
        while answer.status() == 202 {
            answer = client.get(&path).send().await.unwrap();
        }
        let file = here.path("house.tar.gz");
        let mut out = fs::File::create(&file).unwrap();
        while let Some(piece) = answer.chunk().await.unwrap() {
            out.write_all(&piece).unwrap();
        }
        let length = fs::metadata(&file).unwrap().len();
        assert!(length > (MEBIBYTES as u64) << 20, "{length}");
        let grown = peak_mebibytes(&appliance) - before;
        assert!(grown < 48, "sending {MEBIBYTES} MiB took {grown} MiB of memory");
        assert_eq!(appliance.end().0, 0);

        let (appliance, [door, _]) = there.serve();
        let house = door.strip_prefix("household ").unwrap().to_owned();
        let before = peak_mebibytes(&appliance);
        let mut reader = fs::File::open(&file).unwrap();
        let pieces = std::iter::from_fn(move || {
            let mut piece = vec![0u8; 1 << 16];
            let read = std::io::Read::read(&mut reader, &mut piece).unwrap();
            piece.truncate(read);
            (read > 0).then_some(Ok::<_, std::io::Error>(piece))
        });
        let upload = client.post(format!("{house}{PLACE}")).body(Body::wrap_stream(stream::iter(pieces))).send();
        let slowest = async {
            let mut slowest = Duration::ZERO;
            loop {
                let asked = std::time::Instant::now();
                client.get(format!("{house}/api/todos")).send().await.unwrap();
                slowest = slowest.max(asked.elapsed());
                tokio::time::sleep(Duration::from_millis(20)).await;
                if slowest > Duration::from_secs(5) {
                    return slowest;
                }
            }
        };
        let brought = tokio::select! {
            brought = upload => brought.unwrap(),
            slowest = slowest => panic!("somebody waited for {slowest:?}"),
        };
        assert_eq!(brought.status(), 201);
        let brought: Value = brought.json().await.unwrap();
        assert_eq!((brought["bytes"].as_u64(), brought["blobs"].as_u64()), (Some(length), Some(1)));
        let path = format!("{house}{PLACE}/{}", brought["id"].as_str().unwrap());
        loop {
            let restored = client.post(&path).header("idempotency-key", "one").send().await.unwrap();
            if restored.status() == 200 {
                break;
            }
            assert_eq!(restored.status(), 202);
        }
        let grown = peak_mebibytes(&appliance) - before;
        assert!(grown < 48, "taking {MEBIBYTES} MiB in took {grown} MiB of memory");
        assert_eq!(fs::read_dir(there.path("data/blobs")).unwrap().count(), 1);
        println!("{length} bytes out and in, {grown} MiB of memory more at most");
    }

    #[tokio::test]
    async fn whoever_sends_a_file_byte_by_byte_does_not_keep_the_place_of_others() {
        let house = House::open_with(|config| config.http.body_seconds = 1).await;
        let household = house.household();
        household.rest().await;
        let (_, file) = fetched(&household).await;
        let bytes = stream::unfold((), |()| async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            Some((Ok::<_, std::io::Error>(vec![0u8]), ()))
        });
        // Never silent for as long as is granted, and never at an end.
        let slow = household.request(Method::POST, PLACE).body(Body::wrap_stream(bytes)).send().await;
        assert!(slow.is_err() || slow.is_ok_and(|answer| answer.status() == 422));
        while !lying(&house).is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert_eq!(answer(household.request(Method::POST, PLACE).body(file)).await.status, 201);
    }
}

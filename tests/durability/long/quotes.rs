//! SIGKILL while quotes are sent and accepted: each step was done once with its mails, or not at all and neither were they.

use std::collections::BTreeMap;
use std::io;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::appliance::Appliance;
use crate::dice::Dice;
use crate::http::Caller;
use crate::installation::Installation;
use crate::{rounds, tables};

const PASSWORD: &str = "달빛 아래 호랑이 열두 마리";

/// Writes, sends and accepts one quote after the other, each step under a key of its own, until the connection ends.
fn trade_until_the_end(desk: &mut Caller, customer: &mut Caller, serial: &mut u64) -> u64 {
    let mut accepted = 0;
    loop {
        *serial += 1;
        if trade(desk, customer, *serial).is_err() {
            return accepted;
        }
        accepted += 1;
    }
}

fn trade(desk: &mut Caller, customer: &mut Caller, serial: u64) -> io::Result<()> {
    let quote = json!({
        "title": format!("견적 {serial}"), "client_name": "김지우", "client_email": format!("q{serial}@example.com"),
        "items": [{"name": "화면", "unit_price": 1000}, {"name": "관리", "unit_price": 500, "optional": true}],
    });
    let key = |step: &str| format!("{step}-{serial}");
    let made = desk.send("POST", "/api/admin/quotes", Some(&quote), Some(&key("make")))?.ok();
    let send = format!("/api/admin/quotes/{}/send", made["id"].as_str().unwrap());
    let sent = desk.send("POST", &send, Some(&json!({})), Some(&key("send")))?.ok();
    let token = sent["quote_url"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let [high, low] = [serial / 250, serial % 250 + 1];
    customer.forwarded = Some(format!("10.0.{high}.{low}"));
    let shown = customer.get(&format!("/api/quote/{token}"))?.ok();
    let chosen = [shown["items"][1]["id"].clone()];
    let accept = json!({"accept": true, "hash": shown["hash"], "selected_items": chosen});
    let decided = customer.send("POST", &format!("/api/quote/{token}"), Some(&accept), Some(&key("accept")))?.ok();
    assert_eq!(decided["decision"]["totals"]["total"], 1650, "with value added tax");
    Ok(())
}

#[test]
fn killed_while_quotes_are_sent_and_accepted_each_step_was_done_once_with_its_mails_or_not_at_all() {
    let (seed, mut dice) = Dice::of_this_run();
    let rounds = rounds(3, 300);
    let installation =
        Installation::new().with("HANOK_MARKET__SYNC", "false").with("HANOK_HTTP__TRUSTED_PROXIES", "127.0.0.1");
    let mut appliance = installation.serve();
    let cookie = signed_in(&installation, &appliance);
    let (mut serial, mut accepted) = (0, 0);
    for round in 0..rounds {
        let alive = Duration::from_millis(dice.between(20, 600));
        let mut desk = Caller::to(appliance.site()).with(cookie.clone());
        let mut customer = Caller::to(appliance.site());
        let process = Mutex::new(Some(appliance));
        accepted += thread::scope(|scope| {
            let trading = scope.spawn(|| trade_until_the_end(&mut desk, &mut customer, &mut serial));
            thread::sleep(alive);
            process.lock().unwrap().take().unwrap().kill();
            trading.join().unwrap()
        });
        let mut wrong = tables::flaws(&tables::open_file(&installation.store()).unwrap());
        appliance = installation.serve();
        // What was under way is asked for again under its keys: each step that was done gives its answer again.
        let mut desk = Caller::to(appliance.site()).with(cookie.clone());
        trade(&mut desk, &mut Caller::to(appliance.site()), serial).unwrap();
        accepted += 1;
        wrong.extend(wrong_mails(&appliance, &mut desk, accepted));
        assert!(wrong.is_empty(), "seed {seed}, round {round}:\n{}", wrong.join("\n"));
    }
    appliance.end();
    println!("{rounds} rounds of SIGKILL: {accepted} quotes accepted, none lost and none twice; seed {seed}");
}

/// The cookie of an admin.
fn signed_in(installation: &Installation, appliance: &Appliance) -> Option<String> {
    let link = installation.run(&["admin", "create", "minsu", "--json"]).json()["link"].as_str().unwrap().to_owned();
    let token = link.rsplit("token=").next().unwrap().to_owned();
    let setup = json!({"token": token, "password": PASSWORD});
    Caller::to(appliance.site()).post("/api/admin/setup", &setup).unwrap().cookie
}

/// Quotes and mails that do not belong together.
fn wrong_mails(appliance: &Appliance, desk: &mut Caller, accepted: u64) -> Vec<String> {
    let quotes = all(desk, "/api/admin/quotes", "quotes");
    let mut states: BTreeMap<&str, u64> = BTreeMap::new();
    for quote in &quotes {
        *states.entry(quote["status"].as_str().unwrap()).or_default() += 1;
    }
    let mails = all(&mut appliance.caller(), "/api/system/mail", "mails");
    let count = |kind: &str| mails.iter().filter(|mail| mail["kind"] == kind).count() as u64;
    let expected = BTreeMap::from([("accepted", accepted)]);
    let mut wrong = Vec::new();
    wrong.extend((states != expected).then(|| format!("quotes are {states:?}, {accepted} were accepted")));
    for kind in ["quote_sent", "quote_accepted_customer", "quote_decided_owner"] {
        wrong.extend((count(kind) != accepted).then(|| format!("{} mails {kind} of {accepted} quotes", count(kind))));
    }
    wrong
}

/// Every row of a list.
fn all(caller: &mut Caller, path: &str, name: &str) -> Vec<Value> {
    let mut rows: Vec<Value> = Vec::new();
    loop {
        let page = caller.get(&format!("{path}?limit=500&offset={}", rows.len())).unwrap().ok();
        rows.extend(page[name].as_array().unwrap().iter().cloned());
        if rows.len() as u64 >= page["total"].as_u64().unwrap() {
            return rows;
        }
    }
}

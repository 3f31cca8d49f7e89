//! Every route of the household that changes something, done with success. The routes and their requests come from the
//! OpenAPI document; what must have happened before one can succeed is described here.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use hanok::platform::app::App;
use hanok::platform::store::snapshot;

use crate::document::{Document, Operation};
use crate::house::{Answer, Caller, House, Household, answer};
use crate::moving;
use crate::operator::{Mood, Stage};

/// The passphrase of the house whose changes are made.
pub const PASSPHRASE: &str = "마당에 핀 살구꽃 다섯 송이";

/// Does each change `times` times in a house that is kept by [`PASSPHRASE`]; every one must be answered with success.
pub async fn make_every_change(house: &House, times: usize) {
    let mut changes = Changes { house, household: house.signed_in(PASSPHRASE).await, done: BTreeMap::new() };
    let document = Document::of(&changes.household).await;
    let operations = document.operations();
    for operation in operations.iter().filter(|operation| operation.method != Method::GET) {
        for _ in 0..times {
            changes.make(&document, &operations, operation).await;
        }
        let done = changes.done.get(&operation.id).copied().unwrap_or_default();
        assert!(done >= times, "{} succeeded {done} times", operation.id);
    }
}

struct Changes<'h> {
    house: &'h House,
    household: Household<'h>,
    /// How often each operation was answered with success.
    done: BTreeMap<String, usize>,
}

impl Changes<'_> {
    async fn make(&mut self, document: &Document, operations: &[Operation], operation: &Operation) {
        match operation.id.as_str() {
            "household_setup" => {
                let token = self.house.setup_word().await;
                let setup = json!({"token": token, "passphrase": PASSPHRASE});
                self.note(operation, self.house.anonymous().post(&operation.path, setup).await);
                self.household = self.house.signed_in(PASSPHRASE).await;
            }
            "household_sign_in" => {
                let passphrase = json!({"passphrase": PASSPHRASE});
                self.note(operation, self.house.anonymous().post(&operation.path, passphrase).await);
            }
            "household_sign_out" => {
                self.note(operation, self.household.post(&operation.path, Value::Null).await);
                self.household = self.house.signed_in(PASSPHRASE).await;
            }
            "household_passphrase_change" => {
                let change = json!({"present": PASSPHRASE, "passphrase": PASSPHRASE});
                self.note(operation, self.household.put(&operation.path, change).await);
            }
            "system_settings_change" => {
                let seen = self.household.get("/api/system/settings").await.ok()["revision"].clone();
                let daily = (self.done.values().sum::<usize>() % 30).to_string();
                let change = json!({"value": daily, "revision": seen});
                self.ask(operation, &json!("backup.daily"), Some(change)).await;
            }
            "household_end_session" => {
                self.house.signed_in(PASSPHRASE).await;
                let sessions = self.household.get("/api/household/sessions").await.ok();
                let mut others = sessions["sessions"].as_array().unwrap().iter();
                let other = others.find(|session| session["current"] == false).unwrap()["id"].clone();
                self.ask(operation, &other, None).await;
            }
            "backups_restore" => {
                let made = self.household.post("/api/system/backups", Value::Null).await.ok();
                self.ask(operation, &made["name"], None).await;
            }
            "backups_remove" => {
                let made = self.household.post("/api/system/backups", Value::Null).await.ok();
                damage(self.house.appliance.app(), made["name"].as_str().unwrap());
                self.ask(operation, &made["name"], None).await;
            }
            "restore_upload" => {
                let (_, file) = moving::fetched(&self.household).await;
                let request = self.household.request(operation.method.clone(), &operation.path);
                let brought = answer(request.body(file)).await;
                self.note(operation, brought);
            }
            "restore_uploaded" | "restore_forget" => {
                let brought = moving::brought(&self.household).await;
                self.ask(operation, &brought["id"], None).await;
            }
            "schedule_run" => {
                let tasks = self.household.get("/api/system/jobs").await.ok();
                for entry in tasks["schedule"].as_array().unwrap() {
                    self.ask(operation, &entry["name"], None).await;
                }
                self.household.rest().await;
            }
            "jobs_cancel" | "jobs_retry" => {
                // A task of the same kind that is under way would be the one that is given.
                self.household.rest().await;
                self.house.operator.is_always(Mood::Slow);
                let begun = self.household.post("/api/lotto/sync", Value::Null).await.ok();
                let id = begun["task_id"].as_str().unwrap().to_owned();
                let of = |id: &str| operations.iter().find(|operation| operation.id == id).unwrap();
                self.ask(of("jobs_cancel"), &json!(id), None).await;
                self.household.rest().await;
                // What is asked again is answered, so that no failures add up.
                self.house.operator.is_always(Mood::Good);
                self.ask(of("jobs_retry"), &json!(id), None).await;
                self.household.rest().await;
            }
            "mails_send" | "mails_remove" => {
                let test = json!({"to": "jiwoo@example.com", "language": "ko"});
                let queued = self.household.post("/api/system/mail/test", test).await.ok();
                self.household.rest().await;
                self.ask(operation, &queued["id"], None).await;
                self.household.rest().await;
            }
            "writes_decide" | "writes_remove" => {
                let id = crate::writes::left_undone(self.house.appliance.app()).await;
                self.household.rest().await;
                let body = (operation.id == "writes_decide").then(|| json!({"decision": "not_done"}));
                self.ask(operation, &json!(id), body).await;
                self.household.rest().await;
            }
            "chat_send" => {
                self.household.post("/api/system/chat/test", Value::Null).await.ok();
                let undecided = loop {
                    let chat = self.household.get("/api/system/chat").await.ok();
                    if let Some(message) = chat["messages"].get(0) {
                        break message["id"].clone();
                    }
                    tokio::time::sleep(Duration::from_millis(20)).await;
                };
                self.ask(operation, &undecided, None).await;
            }
            "lottery_draw_accept" | "lottery_draw_refuse" => {
                // The operator says something else each time.
                let done = self.done.values().sum::<usize>() as u64 % 30;
                self.house.operator.publish(1245, [1, 2, 3, 6, 7, 10 + done], 45, Stage::Numbers);
                self.household.post("/api/lotto/sync", Value::Null).await.ok();
                self.household.rest().await;
                self.ask(operation, &json!(1245), None).await;
            }
            "lottery_draw_undo" => {
                let done = self.done.values().sum::<usize>() as u64 % 30;
                self.house.operator.publish(1245, [1, 2, 3, 6, 8, 10 + done], 45, Stage::Numbers);
                self.household.post("/api/lotto/sync", Value::Null).await.ok();
                self.household.rest().await;
                self.household.post("/api/lotto/draws/1245/accept?source=operator", Value::Null).await.ok();
                self.household.rest().await;
                self.ask(operation, &json!(1245), None).await;
            }
            "blog_import" => {
                let request = self.household.request(operation.method.clone(), &operation.path);
                let brought = answer(request.body(crate::blog::packed(&[("김장.md", "# 김장\n")]))).await;
                self.note(operation, brought);
            }
            "portfolio_import" | "portfolio_import_preview" => {
                let brought =
                    crate::portfolio::brought(&self.household, &operation.path, crate::portfolio::TABLE).await;
                self.note(operation, brought);
            }
            "portfolio_import_undo" => {
                let done = self.done.values().sum::<usize>();
                let table = crate::portfolio::TABLE.replace("65300", &done.to_string());
                crate::portfolio::brought(&self.household, "/api/portfolio/import", table).await.ok();
                self.ask(operation, &Value::Null, None).await;
            }
            "portfolio_cash_remove" => {
                let cash = json!({"broker": "가/나 증권", "cash": 1});
                self.household.put("/api/portfolio/cash", cash).await.ok();
                self.ask(operation, &json!("%EA%B0%80%2F%EB%82%98%20%EC%A6%9D%EA%B6%8C"), None).await;
            }
            "portfolio_snapshot_remove" => {
                let made = self.household.post("/api/portfolio/snapshot", json!({"total_assets": 1})).await.ok();
                self.ask(operation, &made["date"], None).await;
            }
            "blog_revision_restore" => {
                let post = self.household.post("/api/blog/posts", json!({"title": "글", "status": "draft"})).await.ok();
                let address = format!("/api/blog/posts/{}", post["id"]);
                self.household.put(&address, json!({"status": "published"})).await.ok();
                let path = operation.path.replace("{number}", "1");
                self.ask(&Operation { path, ..operation.clone() }, &post["id"], None).await;
            }
            "trade_order_cancel" => {
                let order = json!({"symbol": "005930", "side": "buy", "quantity": 1, "price": 70_000});
                let open = self.household.post("/api/trade/order", order).await.ok();
                self.ask(operation, &open["id"], None).await;
            }
            "screener_run" | "screener_demo_remove" | "screener_data_remove" => {
                // Where there are data already, these will do.
                self.household.post("/api/stock/screener/demo", Value::Null).await;
                self.ask(operation, &Value::Null, None).await;
            }
            "screener_import" => {
                let request = self.household.request(operation.method.clone(), &operation.path);
                let brought = answer(request.body(crate::screener::table_of_march())).await;
                self.note(operation, brought);
            }
            "screener_run_remove" => {
                self.household.post("/api/stock/screener/demo", Value::Null).await;
                let run = self.household.post("/api/stock/screener/run", json!({})).await.ok();
                self.ask(operation, &run["id"], None).await;
            }
            "stock_price_keep" | "stock_price_clear" | "stock_rate_keep" | "stock_rate_clear" => {
                let path = if operation.path.contains("/rates/") {
                    "/api/stock/rates/USD".to_owned()
                } else {
                    "/api/stock/prices/KOSPI/005930".to_owned()
                };
                let kept = json!({"price": "71000", "rate": "1391.20"});
                self.household.put(&path, kept.clone()).await.ok();
                let body = (operation.method == Method::PUT).then_some(kept);
                self.ask(&Operation { path, ..operation.clone() }, &Value::Null, body).await;
            }
            "lottery_history_remove" => {
                let given = self.household.get("/api/lotto/recommend").await.ok();
                self.ask(operation, &given["history_id"], None).await;
            }
            _ => {
                let id = match operation.path.split_once("/{") {
                    Some((path, _)) => {
                        let is_adding = |other: &&Operation| other.method == Method::POST && other.path == path;
                        let adding = operations.iter().find(is_adding);
                        let adding = adding.unwrap_or_else(|| panic!("nothing is added at {path}: describe it above"));
                        self.ask(adding, &Value::Null, adding.sample(document)).await["id"].clone()
                    }
                    None => Value::Null,
                };
                if operation.answers.iter().any(|(status, _)| status == "202") {
                    // Another task of it that is under way would be in its way.
                    self.household.rest().await;
                }
                self.ask(operation, &id, operation.sample(document)).await;
            }
        }
    }

    /// Asks as the household; the body of the success.
    async fn ask(&mut self, operation: &Operation, id: &Value, body: Option<Value>) -> Value {
        let id = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
        let path = crate::hostile::filled(&operation.path, &id) + &operation.least_query;
        let request = operation.understood(self.household.request(operation.method.clone(), &path));
        let answer = answer(if let Some(body) = body { request.json(&body) } else { request }).await;
        self.note(operation, answer)
    }

    fn note(&mut self, operation: &Operation, answer: Answer) -> Value {
        assert!(answer.status.is_success(), "{}: {answer:?}", operation.id);
        *self.done.entry(operation.id.clone()).or_default() += 1;
        if answer.text.is_empty() { Value::Null } else { answer.json() }
    }
}

/// Changes bytes of a snapshot, and lets a check find it.
pub fn damage(app: &App, name: &str) {
    rot(app, name);
    let folder = app.data.store.folder().unwrap();
    let found = snapshot::find(folder, name).unwrap();
    snapshot::verify(folder, &found, found.verified_at, |_| Ok(())).unwrap_err();
}

/// Changes bytes of a snapshot, and nobody has seen it yet.
pub fn rot(app: &App, name: &str) {
    let folder = app.data.store.folder().unwrap();
    let file = snapshot::file(folder, name);
    let mut bytes = fs::read(&file).unwrap();
    bytes[5000] ^= 1;
    fs::remove_file(&file).unwrap();
    fs::write(&file, bytes).unwrap();
}

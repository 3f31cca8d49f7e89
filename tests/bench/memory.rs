//! Memory through a whole load run: every kind of request in turn, the heavy ones too, then rest.

use std::path::Path;
use std::time::Duration;

use crate::client::{Loop, drive, get, post};
use crate::data;
use crate::house::{House, fresh_folder};
use crate::load::USUAL;
use crate::report::{Goal, Report};

/// Measures memory before, during and after.
pub fn run(report: &mut Report, binary: &Path) {
    report.begin("Memory through a load run");
    let house = House::open(binary, &fresh_folder("memory").join("data"));
    data::add_purchases(house.door, "/api/lotto/purchase", 0..20_000);
    data::add_todos(house.door, 0..5_000);
    let mut most: f64 = house.resident();
    for request in [
        get("/api/lotto/latest"),
        get("/api/lotto/purchase?limit=500"),
        get("/api/todos"),
        get("/api/today"),
        get("/api/lotto/stats"),
        get("/api/lotto/analysis"),
        get("/api/lotto/stats/performance"),
        get("/api/lotto/recommend"),
        post("/api/admin/simulate?n_candidates=20000", ""),
        post("/api/admin/simulate?n_candidates=8145060", ""),
        post("/api/system/backups", ""),
        get("/api/openapi.json"),
        get("/"),
    ] {
        let how = Loop { connections: if request.starts_with(b"POST") { 2 } else { 64 }, ..USUAL };
        drive(house.door, &[request], how);
        most = most.max(house.resident());
    }
    report.line("the most that was seen between the kinds of requests", format!("{most:.0} MB"));
    report.goal("memory after the load run", house.resident(), Goal::AtMost(150.0), "MB", String::new());
    std::thread::sleep(Duration::from_secs(30));
    report.goal("30 s later", house.resident(), Goal::AtMost(60.0), "MB", "at rest before it: under 40".to_owned());
}

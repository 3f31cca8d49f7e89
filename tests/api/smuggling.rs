//! Requests that two servers could read differently, names that are not ours, and what is no request at all.

use crate::house::House;
use crate::raw::{Wire, all_answers, get};

const CLOSE: &str = "Connection: close\r\n";

#[tokio::test]
async fn a_door_answers_to_its_own_names_only() {
    let house = House::open().await;
    let door = house.appliance.ops_address();
    let port = door.port();
    for host in [
        format!("127.0.0.1:{port}"),
        "127.0.0.1".into(),
        "localhost".into(),
        format!("LOCALHOST:{port}"),
        "localhost.".into(),
        format!("[::1]:{port}"),
    ] {
        let answers = all_answers(door, get("/api/todos", &format!("Host: {host}\r\n{CLOSE}"))).await;
        assert_eq!(answers[0].status, 200, "{host}: {answers:?}");
    }
    for lines in [
        "Host: evil.example\r\n".to_owned(),
        "Host: rebound.evil.example:8420\r\n".into(),
        format!("Host: 127.0.0.1:{port}.evil.example\r\n"),
        "Host: 127.0.0.1.evil.example\r\n".into(),
        "Host: localhost@evil.example\r\n".into(),
        "Host: localhost:http\r\n".into(),
        "Host: [::1]evil.example\r\n".into(),
        "Host: 0x7f.0.0.1\r\n".into(),
        "Host:\r\n".into(),
        String::new(),
        format!("Host: 127.0.0.1:{port}\r\nHost: evil.example\r\n"),
        format!("Host: evil.example\r\nHost: 127.0.0.1:{port}\r\n"),
        "Host: localhost\r\nHost: localhost\r\n".into(),
        "Host: localhost, evil.example\r\n".into(),
        "Host: \u{ff4c}ocalhost\r\n".into(),
    ] {
        let answers = all_answers(door, get("/api/todos", &format!("{lines}{CLOSE}"))).await;
        answers[0].refused(403, "FOREIGN_ORIGIN");
    }
    for target in ["http://evil.example/api/todos", "http://localhost.evil.example/api/todos"] {
        let answers = all_answers(door, get(target, &format!("Host: localhost\r\n{CLOSE}"))).await;
        answers[0].refused(403, "FOREIGN_ORIGIN");
    }
    let whole = all_answers(door, get("http://localhost/api/todos", &format!("Host: localhost\r\n{CLOSE}"))).await;
    assert_eq!(whole[0].status, 200, "{whole:?}");
}

#[tokio::test]
async fn pages_of_other_sites_can_neither_change_nor_read_nor_make_the_machine_work() {
    let house = House::open().await;
    let door = house.appliance.ops_address();
    let own = format!("127.0.0.1:{}", door.port());
    let origins = [
        "null".to_owned(),
        format!("http://{own}.evil.example"),
        format!("http://{own}@evil.example"),
        format!("http://evil.example/{own}"),
        format!("http://evil.example#{own}"),
        "http://127.0.0.1:1".into(),
        "http://127.0.0.1".into(),
        "http://localhost".into(),
        format!("file://{own}"),
        "https://evil.example".into(),
        own.clone(),
    ];
    for origin in &origins {
        for path in ["/api/todos", "/api/lotto/recommend?seed=1"] {
            let lines = format!("Host: {own}\r\nOrigin: {origin}\r\n{CLOSE}");
            all_answers(door, get(path, &lines)).await[0].refused(403, "FOREIGN_ORIGIN");
        }
        let post = format!(
            "POST /api/todos HTTP/1.1\r\nHost: {own}\r\nOrigin: {origin}\r\n{CLOSE}Content-Length: 13\r\n\r\n{{\"title\":\"x\"}}"
        );
        all_answers(door, post).await[0].refused(403, "FOREIGN_ORIGIN");
    }
    let twice = format!("Host: {own}\r\nOrigin: http://{own}\r\nOrigin: https://evil.example\r\n{CLOSE}");
    all_answers(door, get("/api/todos", &twice)).await[0].refused(403, "FOREIGN_ORIGIN");
    let embedded = format!("Host: {own}\r\nSec-Fetch-Site: cross-site\r\n{CLOSE}");
    all_answers(door, get("/api/lotto/recommend", &embedded)).await[0].refused(403, "FOREIGN_ORIGIN");
    let followed = all_answers(door, get("/lottery", &embedded)).await;
    assert_eq!(followed[0].status, 200, "a link on another site may lead to the app");
    let ours = format!(
        "Host: {own}\r\nOrigin: http://{own}\r\nReferer: http://{own}/todos\r\nSec-Fetch-Site: same-origin\r\n{CLOSE}"
    );
    assert_eq!(all_answers(door, get("/api/todos", &ours)).await[0].status, 200);
}

#[tokio::test]
async fn a_picture_on_a_foreign_page_writes_nothing_whatever_its_browser_tells_of_it() {
    let house = House::open().await;
    let door = house.appliance.ops_address();
    let own = format!("127.0.0.1:{}", door.port());
    let browser = "User-Agent: Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0\r\nAccept: image/avif,image/webp,*/*\r\n";
    let total = async || {
        let answers = all_answers(door, get("/api/history", &format!("Host: {own}\r\n{CLOSE}"))).await;
        serde_json::from_str::<serde_json::Value>(&answers[0].body).unwrap()["total"].as_u64().unwrap()
    };
    let before = total().await;
    for told in [
        "Sec-Fetch-Site: cross-site\r\n".to_owned(),
        // Another port of the same machine is another site to us, and the same to a browser.
        "Sec-Fetch-Site: same-site\r\n".into(),
        "Referer: https://evil.example/page\r\n".into(),
        format!("Referer: http://{own}.evil.example/\r\n"),
        "Referer: http://127.0.0.1:1/\r\n".into(),
        // Over plain http to a name of the home network a browser tells nothing, when the page wants it so.
        String::new(),
    ] {
        let lines = format!("Host: {own}\r\n{browser}{told}{CLOSE}");
        for path in ["/api/lotto/recommend?seed=1", "/api/lotto/recommend/combined?seed=1"] {
            all_answers(door, get(path, &lines)).await[0].refused(403, "FOREIGN_ORIGIN");
        }
    }
    assert_eq!(total().await, before);
    let told = [
        "Sec-Fetch-Site: same-origin\r\n".to_owned(),
        "Sec-Fetch-Site: none\r\n".into(),
        format!("Referer: http://{own}/lottery\r\n"),
    ];
    for told in told.map(|told| format!("{browser}{told}")).into_iter().chain([String::new()]) {
        let lines = format!("Host: {own}\r\n{told}{CLOSE}");
        assert_eq!(all_answers(door, get("/api/lotto/recommend?seed=1", &lines)).await[0].status, 200, "{told}");
    }
}

#[tokio::test]
async fn a_path_that_is_spelled_unusually_is_no_path_of_ours_whoever_asks() {
    let house = House::open().await;
    let door = house.appliance.ops_address();
    for path in [
        "//api/lotto/recommend",
        "/%61pi/lotto/recommend",
        "/api/./lotto/recommend",
        "/api//lotto/recommend",
        "/api/x/../lotto/recommend",
        "/api/lotto;a=b/recommend",
        "/api/lotto%2frecommend",
        "/api/lotto%5crecommend",
        "/api%2flotto/recommend",
        "/api/lotto/%72ecommend",
        "/api/lotto/recommend%00",
        "/api/lotto/recommend/",
        "/api/todos/",
        "/api/",
        "/health/live/",
        "/metrics/",
        "//health/ready",
        "//",
        "/.",
        "/lottery//",
        "/lottery/./",
        "/lottery%2f",
        "/%2fevil.example/",
        "//evil.example/",
        "/\\evil.example/",
        "//lottery/",
    ] {
        for lines in
            ["Host: localhost\r\n", "Host: evil.example\r\n", "Host: localhost\r\nOrigin: https://evil.example\r\n"]
        {
            let answers = all_answers(door, get(path, &format!("{lines}{CLOSE}"))).await;
            assert_eq!(answers.len(), 1, "{path}");
            answers[0].refused(404, "NOT_FOUND");
        }
    }
}

#[tokio::test]
async fn a_page_whose_path_ends_with_a_slash_is_found_at_its_one_address_and_never_elsewhere() {
    let house = House::open().await;
    let door = house.appliance.ops_address();
    let ask = async |method: &str, target: &str| {
        let asked = get(target, &format!("Host: localhost\r\n{CLOSE}")).replacen("GET", method, 1);
        all_answers(door, asked).await.remove(0)
    };
    for (target, address) in [
        ("/lottery/", "/lottery"),
        ("/lottery/purchases/?month=2026-10&to=//evil.example/", "/lottery/purchases?month=2026-10&to=//evil.example/"),
        ("/sign-in/", "/sign-in"),
        ("http://localhost/todos/", "/todos"),
    ] {
        for method in ["GET", "HEAD"] {
            let answer = ask(method, target).await;
            assert_eq!((answer.status, answer.header("location")), (308, address), "{method} {target}");
            assert_eq!(answer.header("cache-control"), "no-cache");
        }
        ask("POST", target).await.refused(404, "NOT_FOUND");
    }
    // What is no page of ours leads nowhere.
    for target in ["/no-such-page/", "/evil.example/", "/assets/none.js/", "/favicon.ico/"] {
        let answer = ask("GET", target).await;
        assert_eq!((answer.status, answer.header("location")), (404, ""), "{target}");
    }
    let customers = house.appliance.site_address();
    for target in ["/site.css/", "/lottery/"] {
        let answers = all_answers(customers, get(target, &format!("Host: localhost\r\n{CLOSE}"))).await;
        answers[0].refused(404, "NOT_FOUND");
    }
}

/// What follows a request that two servers could read differently. It must never be answered.
const SMUGGLED: &str = "GET /api/system HTTP/1.1\r\nHost: localhost\r\n\r\n";

#[tokio::test]
async fn a_request_that_two_servers_could_read_differently_is_the_last_of_its_connection() {
    let house = House::open().await;
    let door = house.appliance.ops_address();
    let post =
        |lines: &str, body: &str| format!("POST /api/todos HTTP/1.1\r\nHost: localhost\r\n{lines}\r\n{body}{SMUGGLED}");
    let todo = "{\"title\":\"x\"}";
    let shapes = [
        (
            "length and chunks",
            post("Content-Length: 13\r\nTransfer-Encoding: chunked\r\n", "d\r\n{\"title\":\"x\"}\r\n0\r\n\r\n"),
        ),
        ("chunks and length", post("Transfer-Encoding: chunked\r\nContent-Length: 4\r\n", "0\r\n\r\n")),
        ("chunks twice", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", "0\r\n\r\n")),
        ("chunks not last", post("Transfer-Encoding: chunked, gzip\r\n", "0\r\n\r\n")),
        ("unknown coding", post("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n")),
        ("a tab in the coding", post("Transfer-Encoding: \x0bchunked\r\n", "0\r\n\r\n")),
        ("two lengths", post("Content-Length: 13\r\nContent-Length: 0\r\n", todo)),
        ("a list of lengths", post("Content-Length: 13, 0\r\n", todo)),
        ("a signed length", post("Content-Length: +13\r\n", todo)),
        ("a length in words", post("Content-Length: thirteen\r\n", todo)),
        ("a length below zero", post("Content-Length: -13\r\n", todo)),
        ("a huge length", post("Content-Length: 99999999999999999999\r\n", todo)),
        ("a space before the colon", post("Content-Length : 13\r\n", todo)),
        ("a folded line", post("X-Folded: a\r\n b\r\nContent-Length: 13\r\n", todo)),
        ("a bad chunk size", post("Transfer-Encoding: chunked\r\n", "xyz\r\n{}\r\n0\r\n\r\n")),
        ("a signed chunk size", post("Transfer-Encoding: chunked\r\n", "-1\r\n{}\r\n0\r\n\r\n")),
        ("a chunk size in C", post("Transfer-Encoding: chunked\r\n", "0xd\r\n{\"title\":\"x\"}\r\n0\r\n\r\n")),
        ("an endless chunk size", post("Transfer-Encoding: chunked\r\n", "fffffffffffffffff\r\n{}\r\n0\r\n\r\n")),
        (
            "a chunk that is longer than it says",
            post("Transfer-Encoding: chunked\r\n", "2\r\n{\"title\":\"x\"}\r\n0\r\n\r\n"),
        ),
        (
            "chunks of HTTP/1.0",
            post("Transfer-Encoding: chunked\r\n", "0\r\n\r\n")
                .replace("HTTP/1.1\r\nHost: localhost\r\nT", "HTTP/1.0\r\nHost: localhost\r\nT"),
        ),
        ("a NUL", post("X-Nul: a\0b\r\nContent-Length: 13\r\n", todo)),
        ("no name", post(": nothing\r\nContent-Length: 13\r\n", todo)),
        ("another protocol", format!("POST /api/todos HTTP/3.0\r\nHost: localhost\r\n\r\n{SMUGGLED}")),
        ("the preface of HTTP/2", format!("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n{SMUGGLED}")),
    ];
    for (what, bytes) in shapes {
        let answers = all_answers(door, bytes).await;
        assert!(answers.len() <= 1, "{what}: {answers:?}");
        for answer in answers {
            assert!(!answer.body.contains("\"data_dir\""), "{what}: {answer:?}");
            assert_ne!(answer.status, 500, "{what}: {answer:?}");
            if answer.status >= 400 {
                let body: serde_json::Value = serde_json::from_str(&answer.body).unwrap();
                answer.refused(answer.status, body["error"].as_str().unwrap());
            }
        }
    }
    // Equal lengths mean the same to everybody: the second request is one.
    let clear = post("Content-Length: 13\r\n", todo)
        .replace("HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    let answers = all_answers(door, clear).await;
    assert_eq!(answers.iter().map(|answer| answer.status).collect::<Vec<_>>(), [201, 200]);
}

#[tokio::test]
async fn what_is_no_request_gets_the_one_shape_of_errors_and_the_headers_of_every_answer() {
    let house = House::open().await;
    for door in [house.appliance.ops_address(), house.appliance.site_address()] {
        for nonsense in
            ["hello\r\n\r\n", "GET\r\n\r\n", "G\u{e9}T / HTTP/1.1\r\n\r\n", "\x16\x03\x01\x02\0\x01\0\x01\r\n\r\n"]
        {
            let answers = all_answers(door, nonsense).await;
            assert!(!answers.is_empty(), "{nonsense:?} got no answer");
            answers[0].refused(400, "INVALID_JSON");
        }
        let many: String = (0..200).map(|number| format!("X-{number}: a\r\n")).collect();
        all_answers(door, get("/", &format!("Host: localhost\r\n{many}"))).await[0].refused(413, "TOO_LARGE");
        let long = format!("Host: localhost\r\nX-Long: {}\r\n", "a".repeat(100_000));
        for long in [get("/", &long), get(&format!("/{}", "a".repeat(70_000)), "Host: localhost\r\n")] {
            // What the server has not read when it closes may take its last words away.
            for answer in all_answers(door, long).await {
                answer.refused(413, "TOO_LARGE");
            }
        }
    }
}

#[tokio::test]
async fn what_is_no_request_behind_one_that_is_gets_the_one_shape_of_errors() {
    let house = House::open().await;
    for door in [house.appliance.ops_address(), house.appliance.site_address()] {
        for nonsense in ["hello\r\n\r\n", "GET\r\n\r\n", "\x16\x03\x01\x02\0\x01\0\x01\r\n\r\n"] {
            let sent = get("/health/live", "Host: localhost\r\n") + nonsense;
            let answers = all_answers(door, sent).await;
            assert_eq!(answers.len(), 2, "{nonsense:?}: {answers:?}");
            assert_eq!(answers[0].status, 200);
            answers[1].refused(400, "INVALID_JSON");
        }
    }
}

#[tokio::test]
async fn requests_sent_in_one_go_are_answered_in_their_order() {
    let house = House::open().await;
    let mut wire = Wire::to(house.appliance.ops_address()).await;
    let paths = ["/api/todos", "/api/no-such-thing", "/health/live", "/api/todos?limit=0", "/metrics"];
    wire.say(paths.map(|path| get(path, "Host: localhost\r\n")).concat()).await;
    let mut statuses = Vec::new();
    for _ in paths {
        statuses.push(wire.hear().await.unwrap().status);
    }
    assert_eq!(statuses, [200, 404, 200, 422, 200]);
}

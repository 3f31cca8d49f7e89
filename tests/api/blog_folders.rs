//! Posts in folders and zips on the machine, by the command of a person, beside a running house and without one.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

use hanok::base::Clock;
use hanok::platform::config::Config;
use hanok::platform::upstream::Upstreams;
use reqwest::Client;
use serde_json::{Value, json};

use crate::command_line::{Installation, Ran};

/// Every file in a folder by its path in there.
fn files_in(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut folders, mut files) = (vec![root.to_owned()], BTreeMap::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                files.insert(name, fs::read(path).unwrap());
            }
        }
    }
    files
}

#[test]
fn a_folder_comes_into_a_house_with_its_pictures_and_nothing_that_lies_outside_of_it() {
    let house = Installation::with_a_house();
    let write = |name: &str, bytes: &[u8]| {
        let path = house.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    let picture = b"\x89PNG\r\n\x1a\n and what it shows";
    let text = "---\ntitle: 봄\ndate: 2024-03-01\nlayout: post\n---\n![](../사진/봄.png) ![](../../밖.png)\n";
    write("in/글/봄.md", text.as_bytes());
    write("in/글/날.md", "---\ndate: 어제\n---\n".as_bytes());
    write("in/글/큰.md", &vec![b'a'; (1 << 20) + 1]);
    write("in/사진/봄.png", picture);
    write("in/memo.txt", b"neither");
    write("밖.png", picture);
    write("outside/secret.md", b"# secret");
    symlink(house.path("outside"), house.path("in/out")).unwrap();
    symlink(house.path("outside/secret.md"), house.path("in/link.md")).unwrap();

    let taken = house.run(&["blog", "import", "in", "--json"]).json();
    let mut refused: Vec<_> = taken["refused"].as_array().unwrap().clone();
    refused.sort_by_key(|one| one["name"].to_string());
    let expected = [
        json!({"name": "link.md", "reason": "linked"}),
        json!({"name": "out", "reason": "linked"}),
        json!({"name": "글/날.md", "reason": "date"}),
        json!({"name": "글/큰.md", "reason": "too_large"}),
    ];
    assert_eq!(refused, expected);
    for (field, count) in [("added", 1), ("repeated", 0), ("pictures", 1), ("refused_count", 4), ("others", 1)] {
        assert_eq!(taken[field], count, "{field}: {taken}");
    }
    let (appliance, _) = house.serve();
    let again = house.run(&["blog", "import", "in", "--json"]).json();
    assert_eq!((&again["added"], &again["repeated"]), (&json!(0), &json!(1)), "a running house takes it, too");
    let given = house.run(&["blog", "export", "out-of-it", "--json"]).json();
    assert_eq!(given, json!({"posts": 1, "pictures": 1, "missing": 0}));
    assert_eq!(appliance.end().0, 0);
    let files = files_in(&house.path("out-of-it"));
    let pictures: Vec<_> = files.iter().filter(|(name, _)| name.starts_with("pictures/")).collect();
    assert_eq!((files.len(), pictures.len(), pictures[0].1.as_slice()), (2, 1, picture.as_slice()));
    let post = String::from_utf8(files["2024-03-01-봄.md"].clone()).unwrap();
    assert!(post.contains("layout: post\n") && post.ends_with(&format!("![]({}) ![](../../밖.png)\n", pictures[0].0)));
}

#[test]
fn what_went_out_into_a_folder_or_a_zip_comes_into_another_house_and_goes_out_as_it_was() {
    let from = Installation::with_a_house();
    fs::create_dir(from.path("in")).unwrap();
    for (name, text) in [
        ("a.md", "---\ntitle: \"김장: 첫날\"\ndate: 2026-10-01\ntags: [\"겨울, 집\"]\n---\n\n배추\r\n"),
        ("b.md", "---\ntitle: \"김장: 첫날\"\ndate: 2026-10-01\n---\n\n무\n"),
        ("c.md", "---\ntitle: \"\"\ndraft: true\ndate: 2026-10-02\n---\n\n아직"),
    ] {
        fs::write(from.path("in").join(name), text).unwrap();
    }
    assert_eq!(from.run(&["blog", "import", "in", "--json"]).json()["added"], 3);
    for place in ["posts", "posts.zip"] {
        from.run(&["blog", "export", place]).ok();
        let to = Installation::with_a_house();
        let there = from.path(place);
        assert_eq!(to.run(&["blog", "import", there.to_str().unwrap(), "--json"]).json()["added"], 3);
        to.run(&["blog", "export", place]).ok();
        if place == "posts" {
            assert_eq!(files_in(&there).len(), 3);
            assert_eq!(files_in(&to.path(place)), files_in(&there));
        } else {
            assert!(fs::read(to.path(place)).unwrap() == fs::read(there).unwrap());
        }
        let left = fs::read_dir(to.folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        assert_eq!(left.filter(|name| name.to_str().unwrap().contains("partial")).count(), 0);
    }
    // A folder is named with or without its slash.
    from.run(&["blog", "export", "more/"]).ok();
    assert_eq!(files_in(&from.path("more")), files_in(&from.path("posts")));
    let lost = from.run(&["blog", "export", "data/posts"]);
    assert_eq!((lost.code(), lost.complained().contains("must lie outside the data folder")), (2, true));
    // What lies there already stays as it is.
    for taken in ["posts", "posts.zip", "in"] {
        let refused = from.run(&["blog", "export", taken]);
        assert_ne!(refused.code(), 0);
        assert!(refused.complained().contains("nothing lies yet"), "{}", refused.complained());
    }
    for wrong in ["nowhere", "in/a.md"] {
        assert_ne!(from.run(&["blog", "import", wrong]).code(), 0, "{wrong}");
    }
}

#[test]
fn a_folder_with_more_than_a_house_takes_is_refused_before_anything_of_it_is_packed() {
    let house = Installation::with_a_house();
    fs::create_dir(house.path("in")).unwrap();
    for number in 0..300 {
        let picture = fs::File::create(house.path(&format!("in/{number}.png"))).unwrap();
        picture.set_len(1 << 30).unwrap();
    }
    // Whoever packs some of it is ended by this.
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", "ulimit -f 40960; exec \"$0\" blog import in", env!("CARGO_BIN_EXE_hanok")]);
    let ran = Ran(shell.current_dir(house.folder.path()).env_clear().stdin(Stdio::null()).output().unwrap());
    assert_eq!((ran.code(), ran.complained().contains("4096 MiB")), (2, true), "{}", ran.complained());
}

#[test]
fn posts_come_from_and_go_to_the_disks_as_whoever_commands_sees_them_and_not_as_the_running_house_does() {
    let (house, caller) = (Installation::with_a_house(), Installation::new());
    fs::create_dir(caller.path("in")).unwrap();
    fs::write(caller.path("in/a.md"), "---\ntitle: 김장\ndate: 2026-10-01\n---\n\n배추\n").unwrap();
    symlink("a.md", caller.path("in/link.md")).unwrap();
    let data = house.path("data");
    let run = |words: [&str; 3]| caller.run(&[&words[..], &["--json", "--data-dir", data.to_str().unwrap()]].concat());
    let (appliance, _) = house.serve();
    // The path leads to another folder in each process.
    let taken = run(["blog", "import", "/proc/self/cwd/in"]).json();
    assert_eq!((&taken["added"], &taken["refused_count"]), (&json!(1), &json!(1)), "{taken}");
    assert_eq!(taken["refused"], json!([{"name": "link.md", "reason": "linked"}]));
    for place in ["out", "out.zip"] {
        let given = run(["blog", "export", &format!("/proc/self/cwd/{place}")]).json();
        assert_eq!(given, json!({"posts": 1, "pictures": 0, "missing": 0}));
        assert!(caller.path(place).exists() && !house.path(place).exists(), "{place}");
    }
    assert_eq!(run(["blog", "import", "/proc/self/cwd/out.zip"]).json()["repeated"], 1);
    assert_eq!(appliance.end().0, 0);
    let post = files_in(&caller.path("out"))["2026-10-01-김장.md"].clone();
    assert!(String::from_utf8(post).unwrap().ends_with("배추\n"));
}

#[tokio::test]
async fn the_file_that_moves_a_house_brings_posts_and_what_they_show_into_an_empty_folder() {
    Upstreams::new(&Config::default().upstream, Clock::system()).unwrap();
    let client = Client::new();
    let (here, there) = (Installation::with_a_house(), Installation::new());
    let picture = [b"\x89PNG\r\n\x1a\n".as_slice(), &[0u8, 255, 10, 13].repeat(100_000)].concat();
    fs::create_dir(here.path("in")).unwrap();
    fs::write(here.path("in/picture.png"), &picture).unwrap();
    fs::write(here.path("in/post.md"), "---\ntitle: 김장\n---\n![배추](picture.png)").unwrap();
    assert_eq!(here.run(&["blog", "import", "in", "--json"]).json()["pictures"], 1);
    let file = here.path("house.tar.gz");
    here.run(&["backup", "--to", file.to_str().unwrap()]).ok();
    there.run(&["restore", "--from", file.to_str().unwrap()]).ok();

    let (appliance, [door, _]) = there.serve();
    let door = door.strip_prefix("household ").unwrap();
    let posts = client.get(format!("{door}/api/blog/posts")).send().await.unwrap();
    let post = posts.json::<Value>().await.unwrap()["posts"][0].clone();
    let body = post["body"].as_str().unwrap();
    let address = body.strip_prefix("![배추](").unwrap().strip_suffix(')').unwrap();
    let shown = client.get(format!("{door}{address}")).send().await.unwrap();
    assert_eq!((shown.status().as_u16(), &shown.headers()["content-type"].to_str().unwrap()), (200, &"image/png"));
    assert!(shown.bytes().await.unwrap() == picture);
    assert_eq!(appliance.end().0, 0);
}

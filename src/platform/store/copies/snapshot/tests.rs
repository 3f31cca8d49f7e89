//! What of the files beside the snapshots is theirs.

use super::*;

#[test]
fn what_others_have_put_beside_the_snapshots_is_no_finding_and_is_left_alone() {
    let place = tempfile::TempDir::new().unwrap();
    let folder = DataFolder::at(place.path().join("data"));
    fs::create_dir_all(folder.backups()).unwrap();
    let at = "2026-11-20T05:00:00Z".parse().unwrap();
    let name = super::super::super::file::names::name(at, SnapshotKind::Manual, None);
    let theirs = [
        "notes.json",
        "mine.partial",
        "mine.json",
        "old.redb",
        &format!("._{name}.json"),
        &format!("._{name}.redb"),
        &format!("{name}-copy.json"),
        &format!("{name} (1).json"),
        &format!("{name}.redb.bak"),
    ];
    for file in theirs {
        fs::write(folder.backups().join(file), "theirs").unwrap();
    }
    fs::create_dir(folder.backups().join("mine.redb")).unwrap();
    fs::create_dir(folder.backups().join(format!("{name}.partial"))).unwrap();
    assert_eq!(incomplete(&folder).unwrap(), [""; 0]);
    assert_eq!(list(&folder).unwrap(), []);
    sweep(&folder).unwrap();
    assert_eq!(fs::read_dir(folder.backups()).unwrap().count(), theirs.len() + 2);
    // What a killed snapshot of ours has left goes; a description alone is a finding.
    for left in
        ["making.partial", &format!("{name}-2.partial"), &format!("{name}-2.json"), &format!("{name}-3.json.partial")]
    {
        fs::write(folder.backups().join(left), "half").unwrap();
    }
    fs::write(folder.backups().join(format!("{name}-4.json")), "{}").unwrap();
    sweep(&folder).unwrap();
    assert_eq!(fs::read_dir(folder.backups()).unwrap().count(), theirs.len() + 3);
    let [lost] = &incomplete(&folder).unwrap()[..] else { panic!("one is lost") };
    assert!(lost.contains(&format!("{name}-4 is lost")), "{lost}");
}

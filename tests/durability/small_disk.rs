//! A real file system of a test's own, in memory and small, that can be filled or made read-only. It needs root.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A mounted `tmpfs`.
pub struct SmallDisk(TempDir);

impl SmallDisk {
    /// With these limits, such as `size=24m` or `nr_inodes=40`. None where nothing can be mounted; a note says so.
    pub fn mount(limits: &str) -> Option<SmallDisk> {
        let disk = SmallDisk(TempDir::new().unwrap());
        if disk.command("mount", &["-t", "tmpfs", "-o", limits, "tmpfs"]) {
            return Some(disk);
        }
        println!("no small file system can be mounted here (that needs root): this was not tried on a real one");
        None
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Fills it to the last byte.
    pub fn fill(&self) {
        self.fill_but(0);
    }

    /// Fills it so that so many bytes are left.
    pub fn fill_but(&self, left: u64) {
        let mut ballast = File::create(self.ballast()).unwrap();
        for size in [1 << 16, 1 << 12, 1] {
            while ballast.write_all(&vec![1; size]).is_ok() {}
        }
        let length = ballast.metadata().unwrap().len();
        ballast.set_len(length - left).unwrap();
    }

    /// Uses up every inode.
    pub fn fill_inodes(&self) {
        fs::create_dir(self.ballast()).unwrap();
        let mut names = 0..;
        while File::create(self.ballast().join(names.next().unwrap().to_string())).is_ok() {}
    }

    /// Takes away what filled it.
    pub fn empty(&self) {
        let ballast = self.ballast();
        if ballast.is_dir() { fs::remove_dir_all(ballast).unwrap() } else { fs::remove_file(ballast).unwrap() }
    }

    /// Mounts it again with other options, such as `ro`, `rw` or `size=64m`.
    #[track_caller]
    pub fn becomes(&self, options: &str) {
        assert!(self.command("mount", &["-o", &format!("remount,{options}")]), "{options} is refused");
    }

    fn ballast(&self) -> PathBuf {
        self.path().join("ballast")
    }

    fn command(&self, name: &str, words: &[&str]) -> bool {
        Command::new(name).args(words).arg(self.path()).output().is_ok_and(|done| done.status.success())
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        self.command("umount", &["--lazy"]);
    }
}

//! The questionnaires that there are: those that come with the program, and the files of the data folder.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, DirEntry, File, Metadata};
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::SystemTime;

use tracing::warn;

use super::super::model::{
    BrokenFile, FILE_NAME, FILE_SIZE, FILE_UNREADABLE, MOST_FILE_BYTES, Questionnaire, is_type, parse,
};
use hanok_base::Result;
use hanok_base::message::Message;
use hanok_platform::app::App;
use hanok_platform::blocking;

/// Those that come with the program.
const SHIPPED: [(&str, &str); 2] = [
    ("project", include_str!("../../../../assets/site/questionnaire/kinds/project.toml")),
    ("survey", include_str!("../../../../assets/site/questionnaire/kinds/survey.toml")),
];
/// The folder of the owner's own, below the data folder.
const FOLDER: &str = "questionnaires";
/// So many files of that folder are looked at, by their names.
const MOST_FILES: usize = 200;

/// The questionnaires that there are, and the files that are not used.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    /// By their names.
    pub questionnaires: BTreeMap<String, Arc<Questionnaire>>,
    /// Files that cannot be used, each with the reason.
    pub broken: Vec<BrokenFile>,
}

impl Catalogue {
    /// The questionnaire of this name.
    pub fn find(&self, id: &str) -> Option<Arc<Questionnaire>> {
        self.questionnaires.get(id).cloned()
    }
}

/// A file as it was read.
#[derive(Clone)]
struct ReadFile {
    /// When it was changed, and how large it was then: as long as both stay, it is not read again.
    stamp: (Option<SystemTime>, u64),
    read: Result<Arc<Questionnaire>, BrokenFile>,
}

/// Every file that was read, of each house of the process.
static READ: LazyLock<Mutex<HashMap<PathBuf, ReadFile>>> = LazyLock::new(Mutex::default);
static SHIPPED_READ: LazyLock<BTreeMap<String, Arc<Questionnaire>>> = LazyLock::new(|| {
    let read = |(id, text): (&str, &str)| Some((id.to_owned(), Arc::new(parse(id, text).ok()?)));
    SHIPPED.into_iter().filter_map(read).collect()
});

/// The questionnaires as the files say them now.
///
/// # Errors
/// Those of a process that ends.
pub async fn read(app: &App) -> Result<Catalogue> {
    let folder = app.config.data.dir.join(FOLDER);
    blocking::run(move |_| Ok(catalogue(&folder))).await
}

fn catalogue(folder: &Path) -> Catalogue {
    let mut catalogue = Catalogue { questionnaires: SHIPPED_READ.clone(), broken: Vec::new() };
    let Ok(entries) = fs::read_dir(folder) else { return catalogue };
    let is_one = |entry: &DirEntry| entry.path().extension().is_some_and(|extension| extension == "toml");
    let mut paths: Vec<PathBuf> =
        entries.filter_map(|entry| entry.ok().filter(is_one).map(|entry| entry.path())).collect();
    paths.sort();
    paths.truncate(MOST_FILES);
    READ.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .retain(|path, _| path.parent() != Some(folder) || paths.contains(path));
    for path in paths {
        match read_again(&path) {
            Ok(questionnaire) => drop(catalogue.questionnaires.insert(questionnaire.id.clone(), questionnaire)),
            Err(broken) => catalogue.broken.push(broken),
        }
    }
    catalogue
}

/// The questionnaire in the file at `path`, which is read where it is not known as it is.
fn read_again(path: &Path) -> Result<Arc<Questionnaire>, BrokenFile> {
    // Of what lies there itself: a link is no file, and a pipe or a device must not be opened.
    let stamp = match fs::symlink_metadata(path) {
        Ok(known) => (known.modified().ok(), known.len()),
        Err(_) => (None, 0),
    };
    let known = READ.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned();
    if let Some(known) = known.filter(|known| known.stamp == stamp && stamp.0.is_some()) {
        return known.read;
    }
    let read = read_file(path).map(Arc::new);
    if let Err(broken) = &read {
        warn!(file = broken.file, line = broken.line, reason = %broken.reason, "a questionnaire is not used");
    }
    let kept = ReadFile { stamp, read: read.clone() };
    READ.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), kept);
    read
}

fn read_file(path: &Path) -> Result<Questionnaire, BrokenFile> {
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let broken = |reason: Message| BrokenFile { file: file.clone(), line: None, reason };
    let id = path.file_stem().and_then(|stem| stem.to_str()).filter(|id| is_type(id));
    let id = id.ok_or_else(|| broken(FILE_NAME.into()))?;
    let unreadable = || broken(FILE_UNREADABLE.into());
    let there = fs::symlink_metadata(path).ok().filter(Metadata::is_file).ok_or_else(unreadable)?;
    if there.len() > MOST_FILE_BYTES {
        return Err(broken(FILE_SIZE.with([("bytes", MOST_FILE_BYTES.into())])));
    }
    parse(id, &text_of(path, &there).ok_or_else(unreadable)?)
}

/// The text of a file that is still the same once it is open, and no longer than a file may be.
fn text_of(path: &Path, there: &Metadata) -> Option<String> {
    let file = File::open(path).ok()?;
    let opened = file.metadata().ok()?;
    if (opened.dev(), opened.ino()) != (there.dev(), there.ino()) {
        return None;
    }
    let mut text = String::new();
    file.take(MOST_FILE_BYTES + 1).read_to_string(&mut text).ok()?;
    (text.len() as u64 <= MOST_FILE_BYTES).then_some(text)
}

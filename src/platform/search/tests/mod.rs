//! The search on a store of its own, with rows of notes.

mod broken;
mod found;
mod queries;
mod questions;

use std::path::Path;

use serde::{Deserialize, Serialize};
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::{Document, Search, SearchKind, SearchRequest, SearchResults, SearchTerms, Searched};
use crate::events::{Change, Events};
use crate::store::{IndexedTable, Store};
use crate::testing::draw_night;
use hanok_base::{Clock, Page};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Note {
    id: u64,
    title: String,
    text: String,
    tags: Vec<String>,
    day: Option<chrono::NaiveDate>,
}

const NOTES: IndexedTable<u64, Note> = IndexedTable::new("notes-1", |note| note.id, &[&SEARCHED]);
const SEARCHED: Searched<Note> = Searched::new(|note| Document {
    text: note.text.clone(),
    tags: note.tags.clone(),
    day: note.day,
    ..Document::of("note", note.id, &note.title, format!("/notes/{}", note.id))
});
const KINDS: [SearchKind; 1] = [SearchKind { name: "note", walk: |tx, visit| SEARCHED.walk(NOTES.walk(tx), visit) }];
const CHANGED: Change = Change::new("notes");

/// A store with notes, and what follows it.
struct World {
    store: Store,
    events: Events,
    folder: TempDir,
}

/// A search that follows its store until it is stopped.
struct Following {
    search: Search,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

impl World {
    fn new() -> World {
        let events = Events::default();
        let store = Store::memory(clock(), events.clone()).unwrap();
        World { store, events, folder: tempfile::tempdir().unwrap() }
    }

    fn index(&self) -> std::path::PathBuf {
        self.folder.path().join("current")
    }

    fn search(&self) -> Search {
        Search::new(self.store.clone(), clock(), self.folder.path().to_owned(), KINDS.to_vec())
    }

    fn follow(&self) -> Following {
        let (search, stop) = (self.search(), CancellationToken::new());
        let task = tokio::spawn(search.clone().follow(self.events.clone(), stop.clone()));
        Following { search, stop, task }
    }

    async fn write(&self, notes: impl IntoIterator<Item = Note>) {
        let notes: Vec<Note> = notes.into_iter().collect();
        let written = self.store.write(move |tx| {
            tx.announce(CHANGED);
            notes.iter().try_for_each(|note| NOTES.put(tx, note))
        });
        written.await.unwrap();
    }

    async fn remove(&self, id: u64) {
        self.store.write(move |tx| NOTES.remove(tx, id).map(drop)).await.unwrap();
    }
}

impl Following {
    async fn find(&self, line: &str) -> SearchResults {
        self.ask(asked(line)).await
    }

    /// What is found once the index knows everything.
    async fn ask(&self, asked: SearchRequest) -> SearchResults {
        loop {
            let found = self.search.find(asked.clone()).await;
            if let Some(found) = found.ok().filter(|found| found.is_fresh) {
                return found;
            }
        }
    }

    async fn ids(&self, line: &str) -> Vec<u64> {
        self.find(line).await.hits.iter().map(|hit| hit.document.id).collect()
    }

    async fn end(self) {
        self.stop.cancel();
        self.task.await.unwrap();
    }
}

fn clock() -> Clock {
    Clock::fixed(draw_night())
}

fn asked(line: &str) -> SearchRequest {
    SearchRequest {
        words: SearchTerms::of(line),
        kind: None,
        but: Vec::new(),
        tag: None,
        done: None,
        page: Page { offset: 0, limit: 50 },
    }
}

fn note(id: u64, title: &str, text: &str) -> Note {
    Note { id, title: title.to_owned(), text: text.to_owned(), tags: Vec::new(), day: None }
}

/// The files of an index that hold what it has taken.
fn files(index: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(index).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.extension().is_some_and(|end| end == "idx" || end == "pos" || end == "store")).collect()
}

//! The page of the documents: what there is, and how more of it gets there.

use askama::Template;
use salvo::Writer;
use salvo::oapi::endpoint;

use super::super::model::{DocumentFile, MOST_BYTES};
use super::super::work;
use crate::frame::{Frame, Head, Pager};
use hanok_platform::app::App;
use hanok_platform::http::{Admin, HandlerResult, Paging, Query, Shown};

/// How many documents stand on one page.
const ON_A_PAGE: u64 = 100;

#[derive(Template)]
#[template(path = "documents/list.html")]
struct DocumentsPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    documents: Vec<DocumentFile>,
    pager: Pager,
}

impl DocumentsPage<'_> {
    /// Where a document is opened: its name as a part of an address.
    fn address(&self, document: &DocumentFile) -> String {
        let name: String = form_urlencoded::byte_serialize(document.name.as_bytes()).collect();
        format!("/api/admin/documents/{}", name.replace('+', "%20"))
    }

    /// A size as people read it.
    fn size(&self, document: &DocumentFile) -> String {
        match document.bytes {
            bytes if bytes < 1 << 10 => format!("{bytes} B"),
            bytes if bytes < 1 << 20 => format!("{} KiB", bytes.div_ceil(1 << 10)),
            bytes => format!("{} MiB", bytes.div_ceil(1 << 20)),
        }
    }

    /// The largest document that is opened, in MiB.
    fn most(&self) -> u64 {
        MOST_BYTES >> 20
    }
}

/// The documents, newest first.
#[endpoint]
pub async fn list(app: App, _caller: Admin, frame: Frame, paging: Query<Paging<ON_A_PAGE>>) -> HandlerResult<Shown> {
    let page = paging.0.page()?;
    let (documents, total) = work::list(&app, page).await?;
    let head = Head::unlisted(frame.say("프로젝트 문서", "Documents"));
    let pager = frame.pager(total, page.limit, page.offset);
    frame.show(&DocumentsPage { frame: &frame, head, documents, pager })
}

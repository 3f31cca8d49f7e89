//! The routes of the documents.

pub mod pages;

use salvo::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue, X_FRAME_OPTIONS,
};
use salvo::oapi::{
    BasicType, Components, Content, EndpointOutRegister, Object, Operation, Response as Described, endpoint,
};
use salvo::{Depot, Request, Response, Writer, async_trait};

use super::model::DocumentFile;
use super::work;
use crate::admin::{AuditAction, note_about};
use hanok_base::page::Paged;
use hanok_platform::app::App;
use hanok_platform::http::{Admin, HandlerResult, Json, Key, Paging, Peer, Query, SameOrigin};

/// How many documents a list gives when nobody says otherwise.
const USUAL: u64 = 100;
/// Nothing in a document is executed, sent or asked for elsewhere: only its own styles, pictures and fonts are shown.
const SANDBOX: &str = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";
const HTML: &str = "text/html; charset=utf-8";

/// A document as a browser shows it.
pub struct ShownDocument(Vec<u8>);

/// The documents, newest first.
#[endpoint(operation_id = "admin_documents", tags("admin"))]
pub async fn list(app: App, _caller: Admin, paging: Query<Paging<USUAL>>) -> HandlerResult<Json<Paged<DocumentFile>>> {
    Ok(Json(work::list(&app, paging.0.page()?).await?.into()))
}

/// A document, as HTML in a sandbox. That it was opened is noted.
#[endpoint(operation_id = "admin_document", tags("admin"))]
pub async fn find(
    app: App,
    caller: Admin,
    peer: Peer,
    _page: SameOrigin,
    filename: Key,
) -> HandlerResult<ShownDocument> {
    let name = filename.0;
    let document = work::read(&app, &name).await?;
    let noted =
        app.data.store.write(move |tx| note_about(tx, &caller.name, AuditAction::DocumentOpened, peer.0, &name));
    noted.await?;
    Ok(ShownDocument(document))
}

#[async_trait]
impl Writer for ShownDocument {
    async fn write(self, _req: &mut Request, _depot: &mut Depot, res: &mut Response) {
        let mut put = |name: HeaderName, value: &'static str| {
            res.headers_mut().insert(name, HeaderValue::from_static(value));
        };
        put(CONTENT_TYPE, HTML);
        put(CONTENT_SECURITY_POLICY, SANDBOX);
        put(X_FRAME_OPTIONS, "DENY");
        put(CACHE_CONTROL, "no-store");
        put(HeaderName::from_static("x-robots-tag"), "noindex");
        let _ = res.write_body(self.0);
    }
}

impl EndpointOutRegister for ShownDocument {
    fn register(_components: &mut Components, operation: &mut Operation) {
        let text = Content::new(Object::with_type(BasicType::String));
        operation.responses.insert("200", Described::new("The document").add_content("text/html", text));
    }
}

//! JSON as a file that its caller keeps, made for one pair of eyes.

use salvo::http::StatusCode;
use salvo::http::header::{CONTENT_DISPOSITION, HeaderValue};
use salvo::oapi::{Components, EndpointOutRegister, Operation, ToSchema};
use salvo::{Depot, Request, Response, Writer, async_trait};
use serde::Serialize;

use super::api_error::write_error;
use super::documented::document;
use super::packed::Packable;
use super::stored_file::disposition;
use super::written::{NOT_KEPT, Written};
use crate::blocking;
use hanok_base::Error;

/// 200 with JSON, in lines as people read it, that is kept as a file of this name. Nobody on the way keeps it.
#[derive(Debug)]
pub struct JsonFile<T> {
    /// The name under which it is kept.
    pub name: String,
    /// What stands in it.
    pub value: T,
}

#[async_trait]
impl<T: Serialize + Send + 'static> Writer for JsonFile<T> {
    async fn write(self, req: &mut Request, _depot: &mut Depot, res: &mut Response) {
        let JsonFile { name, value } = self;
        // A file may be large: of many that are asked for at once one is written after the other.
        match blocking::run_in_turn(move |_| serde_json::to_vec_pretty(&value).map_err(Error::internal)).await {
            Ok(bytes) => {
                let kept = HeaderValue::from_str(&disposition(Some(&name), true));
                res.headers_mut().insert(CONTENT_DISPOSITION, kept.unwrap_or(HeaderValue::from_static("attachment")));
                let (content_type, body) = (HeaderValue::from_static("application/json"), Packable::new(bytes));
                let written = Written { status: StatusCode::OK, content_type, keep: NOT_KEPT, tag: None, body };
                written.write(req, res).await;
            }
            Err(error) => write_error(error, req, res),
        }
    }
}

impl<T: ToSchema> EndpointOutRegister for JsonFile<T> {
    fn register(components: &mut Components, operation: &mut Operation) {
        document::<T>(components, operation, "200", "A file that is kept; nobody on the way keeps it");
    }
}

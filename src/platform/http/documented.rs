//! How an answer stands in the OpenAPI document.

use salvo::oapi::{BasicType, Components, Content, Object, Operation, Response, ToSchema};

/// Adds the answer `status` with a JSON body of `T` to the operation.
pub(super) fn document<T: ToSchema>(components: &mut Components, operation: &mut Operation, status: &str, what: &str) {
    let content = Content::new(T::to_schema(components));
    operation.responses.insert(status, Response::new(what).add_content("application/json", content));
}

/// A text without further rules.
pub(super) fn text() -> Object {
    Object::with_type(BasicType::String)
}

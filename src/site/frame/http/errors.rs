//! Errors as pages of the site.

use askama::Template;
use salvo::Request;
use salvo::http::StatusCode;

use super::super::model::{not_set_up, say_of};
use super::{Frame, Head};
use hanok_base::Kind;
use hanok_platform::app::App;
use hanok_platform::domain::Offers;
use hanok_platform::http::{ErrorBody, ErrorPages};

/// Where one signs in for what lies below a page.
const ENTRANCES: [(&str, &str); 2] = [("/admin", "/admin"), ("/account", "/account/sign-in")];

#[derive(Template)]
#[template(path = "frame/error.html")]
struct ErrorPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    status: u16,
    message: &'a str,
    advice: &'a str,
    request_id: &'a str,
    /// Where one signs in for this page; empty where that does not help.
    entrance: String,
}

/// How browsers are shown the errors of the customer door.
pub fn error_pages(app: &App, offers: Offers) -> ErrorPages {
    let app = app.clone();
    ErrorPages::new(move |req: &Request, status: StatusCode, error: &ErrorBody| {
        let frame = Frame::of(&app, &offers, req);
        let (title, advice) = words(status.as_u16(), &frame);
        let said = match error.error == Kind::NotConfigured.code() {
            true => not_set_up(frame.language()).to_owned(),
            false => say_of(error.localized.as_ref(), &error.message, frame.language()),
        };
        let is_told = !matches!(status.as_u16(), 404 | 422 | 500);
        let page = ErrorPage {
            frame: &frame,
            head: Head::unlisted(title),
            status: status.as_u16(),
            message: if is_told { &said } else { "" },
            advice,
            entrance: ENTRANCES
                .iter()
                .find(|(below, _)| status == StatusCode::UNAUTHORIZED && frame.is_at(below))
                .map(|(_, entrance)| frame.href(entrance))
                .unwrap_or_default(),
            request_id: if status.is_server_error() { &error.request_id } else { "" },
        };
        page.render().unwrap_or_else(|_| format!("{} {title}", status.as_u16()))
    })
}

/// What an error is called, and what the visitor can do.
fn words(status: u16, frame: &Frame) -> (&'static str, &'static str) {
    let (ko, en) = match status {
        401 => (
            ("로그인이 필요합니다", "로그인한 뒤 다시 열어 주세요."),
            ("Please sign in", "Sign in, then open this page again."),
        ),
        403 => (
            ("보내신 내용을 받을 수 없습니다", "이 사이트의 페이지에서 다시 시도해 주세요."),
            ("This request is not taken", "Try again from a page of this site."),
        ),
        404 => (
            ("찾는 페이지가 없습니다", "주소가 바뀌었거나 링크의 기한이 끝났을 수 있습니다."),
            ("There is no such page", "The address may have changed, or the link may have ended."),
        ),
        405 => (
            ("이 주소에서는 그렇게 할 수 없습니다", "첫 페이지에서 다시 시작해 주세요."),
            ("This address does not take that", "Start again from the home page."),
        ),
        409 => (
            ("이미 다른 내용으로 처리되었습니다", "페이지를 새로 열어 지금 상태를 확인해 주세요."),
            ("This was done otherwise already", "Open the page again to see how things are."),
        ),
        413 => (
            ("보낸 내용이 너무 큽니다", "줄여서 다시 보내 주세요."),
            ("That is too large", "Make it smaller and send it again."),
        ),
        422 => (
            ("내용을 다시 확인해 주세요", "이전 페이지로 돌아가 표시된 칸을 고쳐 주세요."),
            ("Please check what you sent", "Go back and correct the fields."),
        ),
        429 => (
            ("잠시 후 다시 시도해 주세요", "보낸 내용은 저장되지 않았습니다."),
            ("Please try again in a moment", "Nothing was saved."),
        ),
        503 | 507 => (
            ("지금은 할 수 없습니다", "잠시 후 다시 시도해 주세요. 바뀐 것은 없습니다."),
            ("This cannot be done now", "Please try again later. Nothing was changed."),
        ),
        _ => (
            ("문제가 생겼습니다", "저희 쪽의 문제입니다. 잠시 후 다시 시도해 주세요."),
            ("Something went wrong", "The fault is ours. Please try again in a moment."),
        ),
    };
    if frame.is_korean() { ko } else { en }
}

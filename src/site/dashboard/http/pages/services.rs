//! The page on which the services of the site are switched on and off.

use askama::Template;
use salvo::oapi::endpoint;
use salvo::{Depot, Writer};

use super::super::super::model::Service;
use super::super::super::work::services;
use super::super::{ServiceSwitch, offers};
use crate::frame::{Frame, Head, Notice};
use hanok_platform::app::App;
use hanok_platform::domain::Offers;
use hanok_platform::http::{Admin, Form, HandlerResult, Peer, Shown};

/// This page.
const SERVICES: &str = "/admin/services";
const ON: Notice = Notice::new("on", "켰습니다. 고객에게 바로 보입니다.", "Switched on. Customers see it at once.");
const OFF: Notice =
    Notice::new("off", "껐습니다. 저장된 내용은 그대로 있습니다.", "Switched off. What it holds stays as it is.");
const NOTICES: &[Notice] = &[ON, OFF];

#[derive(Template)]
#[template(path = "dashboard/services.html")]
struct ServicesPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    services: Vec<Service>,
}

/// The services, on or off.
#[endpoint]
pub async fn show(app: App, _caller: Admin, frame: Frame, depot: &mut Depot) -> HandlerResult<Shown> {
    page(&app, &frame, offers(depot)?)
}

/// Switches a service. What is refused is said on the page.
#[endpoint]
pub async fn change(
    app: App,
    caller: Admin,
    peer: Peer,
    frame: Frame,
    form: Form,
    depot: &mut Depot,
) -> HandlerResult<Shown> {
    let offers = offers(depot)?;
    let switched = async {
        let ServiceSwitch { id, is_active } = form.checked()?;
        services::switch(&app, offers, &id, is_active, (caller.name, peer.0)).await
    };
    match switched.await {
        Ok(service) => frame.done(SERVICES, if service.is_active { ON } else { OFF }),
        Err(error) => page(&app, &frame.refused(form, error)?, offers),
    }
}

fn page(app: &App, frame: &Frame, offers: &Offers) -> HandlerResult<Shown> {
    let head = Head::unlisted(frame.say("서비스", "Services"));
    frame.show(&ServicesPage { frame, head, services: services::list(offers, &app.config) })
}

//! The routes of the customer door: the JSON interface, where others send customers back to, and the pages.

use salvo::Router;

use super::super::house::{chats, own_data};
use hanok_site::account::http as account;
use hanok_site::admin::http as admin;
use hanok_site::analytics::http as analytics;
use hanok_site::contact::http as contact;
use hanok_site::contact::http::desk;
use hanok_site::dashboard::http as dashboard;
use hanok_site::documents::http as documents;
use hanok_site::front::http as front;
use hanok_site::projects::http as projects;
use hanok_site::questionnaire::http as questionnaire;
use hanok_site::quotes::http as quotes;
use hanok_site::share::http as share;

/// The customer door's interface.
pub fn site() -> Router {
    Router::with_path("api")
        .push(at("account").get(account::find).put(account::change))
        .push(at("account/register").post(account::register))
        .push(at("account/forgotten").post(account::forgotten))
        .push(at("account/password").post(account::set_password).put(account::change_password))
        .push(at("account/sign-in").post(account::sign_in))
        .push(at("account/sign-out").post(account::sign_out))
        .push(at("account/remove").post(account::remove))
        .push(at("account/chat").get(account::chat::find).delete(account::chat::end))
        .push(at("account/chat/code").post(account::chat::fresh_code))
        .push(at("account/export").get(own_data::export))
        .push(at("account/sessions").get(account::sessions).delete(account::end_other_sessions))
        .push(at("account/sessions/{id:num}").delete(account::end_session))
        .push(at("admin/sign-in").post(admin::sign_in))
        .push(at("admin/sign-in/code").post(admin::second_step::sign_in))
        .push(at("admin/sign-out").post(admin::sign_out))
        .push(at("admin/setup").post(admin::set_up))
        .push(at("admin/second-step").get(admin::second_step::find).post(admin::second_step::begin))
        .push(at("admin/second-step/confirm").post(admin::second_step::confirm))
        .push(at("admin/second-step/codes").post(admin::second_step::renew))
        .push(at("admin/second-step/off").post(admin::second_step::turn_off))
        .push(at("admin/session").get(admin::who))
        .push(at("admin/sessions").get(admin::sessions))
        .push(at("admin/sessions/{id:num}").delete(admin::end_session))
        .push(at("admin/audit").get(admin::audit))
        .push(at("admin/analytics").get(analytics::find))
        .push(at("admin/dashboard").get(dashboard::dashboard))
        .push(at("admin/members").get(dashboard::list_members))
        .push(at("admin/members/{id}").get(dashboard::find_member))
        .push(at("admin/services").get(dashboard::list_services).patch(dashboard::switch_service))
        .push(at("admin/mails").get(dashboard::list_mails))
        .push(at("admin/mails/{id:num}/again").post(dashboard::send_mail_again))
        .push(at("admin/documents").get(documents::list))
        .push(at("admin/documents/{filename}").get(documents::find))
        .push(at("admin/portfolio-token").post(share::add))
        .push(at("admin/portfolio-tokens").get(share::list))
        .push(at("admin/portfolio-tokens/{id}").delete(share::end))
        .push(at("admin/contacts").get(desk::list))
        .push(at("admin/contacts/{id}").get(desk::find).patch(desk::change).delete(desk::remove))
        .push(at("admin/contacts/{id}/notes").post(desk::add_note))
        .push(at("admin/contacts/{id}/notes/{note:num}").delete(desk::remove_note))
        .push(at("admin/contacts/{id}/link").post(desk::renew_link).delete(desk::end_link))
        .push(at("chat/hook").post(chats::brought))
        .push(at("admin/contacts/{id}/shares").get(contact::shares::list_at_desk).post(contact::shares::add_at_desk))
        .push(at("admin/contacts/{id}/shares/{share}").delete(contact::shares::end_at_desk))
        .push(at("admin/quotes").get(quotes::desk::list).post(quotes::desk::add).put(quotes::desk::change))
        .push(at("admin/quotes/{id}").get(quotes::desk::find).delete(quotes::desk::remove))
        .push(at("admin/quotes/{id}/send").post(quotes::desk::send))
        .push(at("admin/quotes/{id}/link").post(quotes::desk::renew_link))
        .push(at("admin/quotes/{id}/duplicate").post(quotes::desk::duplicate))
        .push(at("quote/{token}").get(quotes::find).post(quotes::decide))
        .push(at("quote/{token}/total").get(quotes::total))
        .push(at("projects").get(projects::list))
        .push(at("projects/link").post(projects::link))
        .push(at("admin/milestones").get(projects::desk::list).post(projects::desk::add))
        .push(at("admin/milestones/{id}").patch(projects::desk::change).delete(projects::desk::remove))
        .push(at("admin/questionnaires").get(questionnaire::desk::list))
        .push(at("admin/questionnaires/csv").get(questionnaire::desk::csv))
        .push(
            at("admin/questionnaires/{id}")
                .get(questionnaire::desk::find)
                .patch(questionnaire::desk::change)
                .delete(questionnaire::desk::remove),
        )
        .push(at("questionnaire/submit").post(questionnaire::submit))
        .push(at("questionnaire/kinds").get(questionnaire::list_kinds))
        .push(at("questionnaire/kinds/{kind}").get(questionnaire::find_kind))
        .push(at("contact").post(contact::submit))
        .push(at("contact/{token}").get(contact::track))
        .push(at("contact/{token}/shares").get(contact::shares::list).post(contact::shares::add))
        .push(at("contact/{token}/shares/{share}").delete(contact::shares::end))
        .push(at("shared/{token}").get(contact::shares::find))
}

/// Where others send customers back to.
pub fn site_returns() -> Router {
    Router::with_path("auth").push(at("callback").get(account::pages::by_provider::come_back))
}

/// Pages of the specification: those stand in the OpenAPI document, too.
pub fn shared_pages() -> Router {
    at("portfolio/{token}").get(share::pages::show)
}

/// The pages of the customer site, in one language.
pub fn site_pages() -> Router {
    Router::new()
        .hoop(analytics::CountViews)
        .get(front::home)
        .push(at("contact").get(contact::pages::ask).post(contact::pages::send))
        .push(at("contact/{token}").get(contact::pages::tracking::track).post(contact::pages::tracking::change))
        .push(at("shared/{token}").get(contact::pages::shared::show))
        .push(at("questionnaire/{kind}").get(questionnaire::pages::ask).post(questionnaire::pages::send))
        .push(at("questionnaire/{kind}/thanks").get(questionnaire::pages::thank))
        .push(at("admin/questionnaires").get(questionnaire::desk::pages::list))
        .push(at("admin/questionnaires/summary/{kind}").get(questionnaire::desk::pages::summarize))
        .push(
            at("admin/questionnaires/{id}")
                .get(questionnaire::desk::pages::show)
                .post(questionnaire::desk::pages::do_act),
        )
        .push(at("admin/questionnaires/{id}/remove").get(questionnaire::desk::pages::ask_removal))
        .push(at("account").get(account::pages::own::show).post(account::pages::own::acts::change))
        .push(at("account/export").get(account::pages::own::export))
        .push(at("account/sign-in").get(account::pages::sign_in).post(account::pages::signed_in))
        .push(at("account/sign-in/with").post(account::pages::by_provider::begin))
        .push(at("account/sign-out").post(account::pages::sign_out))
        .push(at("account/register").get(account::pages::register).post(account::pages::registered))
        .push(at("account/forgotten").get(account::pages::forgotten).post(account::pages::reminded))
        .push(at("account/password").get(account::pages::password).post(account::pages::password_set))
        .push(at("admin").get(admin::pages::entrance).post(admin::pages::sign_in))
        .push(at("admin/code").get(admin::pages::half_way).post(admin::pages::finish))
        .push(at("admin/second-step").get(admin::pages::own::show).post(admin::pages::own::change))
        .push(at("admin/setup").get(admin::pages::setup).post(admin::pages::set_up))
        .push(at("admin/sign-out").post(admin::pages::sign_out))
        .push(at("admin/desk").get(dashboard::pages::show_desk))
        .push(at("admin/members").get(dashboard::pages::members::list))
        .push(at("admin/members/{id}").get(dashboard::pages::members::show))
        .push(at("admin/services").get(dashboard::pages::services::show).post(dashboard::pages::services::change))
        .push(at("admin/mails").get(dashboard::pages::mails::list).post(dashboard::pages::mails::change))
        .push(at("admin/audit").get(dashboard::pages::show_audit))
        .push(at("admin/documents").get(documents::pages::list))
        .push(at("admin/share").get(share::pages::desk).post(share::pages::change))
        .push(at("admin/analytics").get(analytics::pages::show))
        .push(at("admin/contacts").get(desk::pages::list))
        .push(at("admin/contacts/{id}").get(desk::pages::show).post(desk::pages::change))
        .push(at("admin/contacts/{id}/remove").get(desk::pages::ask_removal))
        .push(at("admin/quotes").get(quotes::pages::list::show))
        .push(at("admin/quotes/new").get(quotes::pages::desk::begin).post(quotes::pages::desk::create))
        .push(at("admin/quotes/{id}").get(quotes::pages::desk::show).post(quotes::pages::desk::change))
        .push(at("admin/quotes/{id}/edit").get(quotes::pages::editor::show).post(quotes::pages::editor::save))
        .push(at("admin/quotes/{id}/preview").get(quotes::pages::desk::preview))
        .push(at("admin/quotes/{id}/pdf").get(quotes::pages::files::at_desk))
        .push(at("admin/quotes/{id}/remove").get(quotes::pages::desk::ask_removal))
        .push(at("quote/{token}").get(quotes::pages::customer::show).post(quotes::pages::customer::change))
        .push(at("quote/{token}/pdf").get(quotes::pages::files::by_link))
        .push(shared_pages())
        .push(at("account/projects").get(projects::pages::list).post(projects::pages::change))
        .push(at("account/projects/{id}").get(projects::pages::show))
        .push(at("admin/projects").get(projects::desk::pages::list))
        .push(at("admin/projects/{id}").get(projects::desk::pages::show).post(projects::desk::pages::change))
        .push(at("admin/projects/{id}/unlink").get(projects::desk::pages::ask_unlinking))
        .push(
            at("admin/projects/{id}/steps/{step}")
                .get(projects::desk::pages::show_step)
                .post(projects::desk::pages::change_step),
        )
        .push(at("admin/projects/{id}/steps/{step}/remove").get(projects::desk::pages::ask_removal))
        .push(at("privacy").get(front::privacy))
        .push(at("terms").get(front::terms))
}

fn at(path: &str) -> Router {
    Router::with_path(path)
}

//! The table of contents: every route of both doors, in the order of the specification.
//! Literals stand before parameters: the first match answers. An id in digits says so (`:num`), so that a
//! literal beside it (`todos/done`) answers a wrong method with its own `Allow`.

mod site;

use salvo::{Router, affix_state};
use serde_json::{Value, json};

use super::domains;
use super::house::{
    backups, chats, events, files, health, household, mails, moving, pages, search, settings, system, tasks, today,
    writes,
};
use hanok_base::Kind;
use hanok_ops::blog::http as blog;
use hanok_ops::lottery::http as lottery;
use hanok_ops::market::http as market;
use hanok_ops::portfolio::http as portfolio;
use hanok_ops::screener::http as screener;
use hanok_ops::todos::http as todos;
use hanok_ops::trade::http as trade;
use hanok_platform::domain::Domain;
use hanok_platform::events::Change;
use hanok_platform::http::openapi;
use hanok_site::frame::http as frame;
use hanok_site::front::http as front;

pub use site::site;
use site::{shared_pages, site_pages, site_returns};

/// The household door's interface.
pub fn ops() -> Router {
    Router::with_path("api")
        .push(at("lotto/latest").get(lottery::draws::latest))
        .push(at("lotto/stats").get(lottery::draws::statistics))
        .push(at("lotto/recommend").get(lottery::picks::recommend))
        .push(at("lotto/recommend/combined").get(lottery::picks::combine))
        .push(at("lotto/recommend/combined/history").get(lottery::picks::combined_history))
        .push(at("history").get(lottery::picks::history))
        .push(at("history/{id:num}").delete(lottery::picks::remove))
        .push(at("lotto/best").get(lottery::picks::best))
        .push(at("lotto/analysis").get(lottery::draws::analysis))
        .push(at("admin/simulate").post(lottery::picks::simulate))
        .push(at("lotto/stats/performance").get(lottery::draws::performance))
        .push(at("lotto/report").post(lottery::reports::make_report))
        .push(at("lotto/report/latest").get(lottery::reports::latest_report))
        .push(at("lotto/report/history").get(lottery::reports::list_reports))
        .push(at("lotto/report/{drw_no:num}").get(lottery::reports::find_report))
        .push(at("lotto/analysis/personal").get(lottery::purchases::own_pattern))
        .push(at("lotto/purchase").get(lottery::purchases::list).post(lottery::purchases::add))
        .push(at("lotto/purchase/stats").get(lottery::purchases::statistics))
        .push(at("lotto/purchase/months").get(lottery::purchases::months))
        .push(at("lotto/purchase/bulk").post(lottery::purchases::add_bulk))
        .push(at("lotto/purchase/export").get(lottery::purchase_table::export))
        .push(at("lotto/purchase/import").post(lottery::purchase_table::import))
        .push(at("lotto/purchase/import/preview").post(lottery::purchase_table::preview))
        .push(at("lotto/purchase/{id:num}").put(lottery::purchases::change).delete(lottery::purchases::remove))
        .push(at("lotto/briefing").post(lottery::reports::compose_briefing))
        .push(at("lotto/briefing/latest").get(lottery::reports::latest_briefing))
        .push(at("lotto/briefing/{draw_no:num}").get(lottery::reports::find_briefing))
        .push(at("lotto/curator/usage").get(lottery::reports::curator_usage))
        .push(at("lotto/review/latest").get(lottery::reports::latest_review))
        .push(at("lotto/review/history").get(lottery::reports::list_reviews))
        .push(at("lotto/review/{draw_no:num}").get(lottery::reports::find_review))
        .push(at("lotto/draws").get(lottery::draws::list))
        .push(at("lotto/draws/decisions").get(lottery::draws::decisions))
        .push(at("lotto/draws/corrections").get(lottery::draws::list_corrections))
        .push(at("lotto/draws/{draw_no:num}").get(lottery::draws::find))
        .push(at("lotto/draws/{draw_no:num}/accept").post(lottery::draws::accept))
        .push(at("lotto/draws/{draw_no:num}/refuse").post(lottery::draws::refuse))
        .push(at("lotto/draws/{draw_no:num}/undo").post(lottery::draws::undo))
        .push(at("lotto/sync").post(lottery::draws::sync))
        .push(at("lotto/co-winners").get(lottery::draws::co_winners))
        .push(at("trade/balance").get(trade::balance))
        .push(at("trade/order").post(trade::order))
        .push(at("trade/order/preview").post(trade::preview))
        .push(at("trade/orders").get(trade::list))
        .push(at("trade/orders/{id:num}").delete(trade::cancel))
        .push(at("trade/stop").put(trade::stop))
        .push(at("trade/paper").put(trade::restart))
        .push(at("portfolio").get(portfolio::items::show).post(portfolio::items::add))
        .push(at("portfolio/{id:num}").put(portfolio::items::change).delete(portfolio::items::remove))
        .push(at("portfolio/{id:num}/sell").post(portfolio::items::sell))
        .push(at("portfolio/snapshot/history").get(portfolio::snapshots::history))
        .push(at("portfolio/snapshot").post(portfolio::snapshots::make))
        .push(at("portfolio/snapshot/{date}").delete(portfolio::snapshots::remove))
        .push(at("portfolio/cash").put(portfolio::items::set_cash))
        .push(at("portfolio/cash/{broker}").delete(portfolio::items::remove_cash))
        .push(at("portfolio/sell-history").get(portfolio::sales::list).post(portfolio::sales::add))
        .push(at("portfolio/sell-history/{id:num}").put(portfolio::sales::change).delete(portfolio::sales::remove))
        .push(at("portfolio/profit").get(portfolio::sales::profit))
        .push(at("portfolio/import").post(portfolio::tables::import))
        .push(at("portfolio/import/preview").post(portfolio::tables::preview))
        .push(at("portfolio/import/undo").post(portfolio::tables::undo))
        .push(at("portfolio/export").get(portfolio::tables::export))
        .push(at("stock/news").get(market::news::list))
        .push(at("stock/indices").get(market::quotes::list_indices))
        .push(at("stock/history/{index}").get(market::quotes::history))
        .push(at("stock/symbols").get(market::quotes::find_symbols))
        .push(
            at("stock/prices/{market}/{symbol}")
                .get(market::prices::find)
                .put(market::prices::keep)
                .delete(market::prices::clear),
        )
        .push(at("stock/rates").get(market::prices::rates))
        .push(at("stock/rates/{currency}").put(market::prices::keep_rate).delete(market::prices::clear_rate))
        .push(at("stock/screener/nodes").get(screener::list_nodes))
        .push(at("stock/screener/settings").get(screener::show_settings).put(screener::change_settings))
        .push(at("stock/screener/run").post(screener::make_run))
        .push(at("stock/screener/snapshot/refresh").post(screener::refresh_snapshot))
        .push(at("stock/screener/runs").get(screener::list_runs))
        .push(at("stock/screener/runs/{id:num}").get(screener::show_run).delete(screener::remove_run))
        .push(at("stock/screener/import").post(screener::import_table))
        .push(at("stock/screener/demo").post(screener::make_demo).delete(screener::remove_demo))
        .push(at("stock/screener/data").delete(screener::remove_data))
        .push(at("stock/bars/{symbol}").get(screener::show_bars))
        .push(at("todos").get(todos::list).post(todos::add))
        .push(at("todos/done").delete(todos::remove_done))
        .push(at("todos/reminders").get(todos::reminded))
        .push(at("todos/{id:num}").put(todos::change).delete(todos::remove))
        .push(at("blog/posts").get(blog::posts::list).post(blog::posts::add))
        .push(at("blog/posts/{id:num}").get(blog::posts::find).put(blog::posts::change).delete(blog::posts::remove))
        .push(at("blog/posts/{id:num}/restore").post(blog::posts::restore))
        .push(at("blog/posts/{id:num}/revisions").get(blog::revisions::list))
        .push(at("blog/posts/{id:num}/revisions/{number:num}").get(blog::revisions::find))
        .push(at("blog/posts/{id:num}/revisions/{number:num}/restore").post(blog::revisions::restore))
        .push(at("blog/removed").get(blog::posts::list_removed))
        .push(at("blog/preview").post(blog::posts::preview))
        .push(at("blog/tags").get(blog::posts::list_tags))
        .push(at("blog/export").get(blog::files::export))
        .push(at("blog/import").post(blog::files::import))
        .push(at("blog/feed.xml").get(blog::files::feed))
        .push(at("today").get(today::today))
        .push(at("search").get(search::search))
        .push(at("files/{id}").get(files::find))
        .push(at("uploads").post(files::begin))
        .push(at("uploads/{id}").get(files::upload).patch(files::go_on).delete(files::end))
        .push(at("events").get(events::stream))
        .push(at("household").get(household::state))
        .push(at("household/sign-in").post(household::sign_in))
        .push(at("household/sign-out").post(household::sign_out))
        .push(at("household/setup").post(household::setup))
        .push(at("household/passphrase").put(household::change_passphrase))
        .push(at("household/sessions").get(household::sessions))
        .push(at("household/sessions/{id:num}").delete(household::end_session))
        .push(at("system").get(system::system))
        .push(at("system/backups").get(backups::list).post(backups::make))
        .push(at("system/backups/{name}").delete(backups::remove))
        .push(at("system/backups/{name}/restore").post(backups::restore))
        .push(at("system/backups/{name}/download").get(moving::download))
        .push(at("system/restore").post(moving::upload))
        .push(at("system/restore/{id}").post(moving::restore).delete(moving::forget))
        .push(at("system/providers").get(system::providers))
        .push(at("system/jobs").get(tasks::list))
        .push(at("system/jobs/{id}/cancel").post(tasks::cancel))
        .push(at("system/jobs/{id}/retry").post(tasks::retry))
        .push(at("system/schedule/{name}/run").post(tasks::run_now))
        .push(at("system/mail").get(mails::list))
        .push(at("system/mail/test").post(mails::test))
        .push(at("system/mail/{id:num}").delete(mails::remove))
        .push(at("system/mail/{id:num}/send").post(mails::send))
        .push(at("system/writes").get(writes::list))
        .push(at("system/writes/{id:num}").delete(writes::remove))
        .push(at("system/writes/{id:num}/decide").post(writes::decide))
        .push(at("system/chat").get(chats::state))
        .push(at("system/chat/code").post(chats::fresh_code))
        .push(at("system/chat/test").post(chats::test))
        .push(at("system/chat/{id:num}/send").post(chats::send))
        .push(at("system/settings").get(settings::settings))
        .push(at("system/settings/{key}").put(settings::change))
}

/// What is passed on from others, beside the household door's interface.
fn relays() -> Router {
    Router::with_path("ext")
        .push(at("feargreed").get(market::relay::sentiment))
        .push(at("vix").get(market::relay::vix))
        .push(at("treasury").get(market::relay::treasury))
        .push(at("wti").get(market::relay::wti))
        .push(at("brent").get(market::relay::brent))
}

/// Everything that answers on the household door.
pub fn ops_door() -> Router {
    Router::new()
        .push(ops().push(document(ops_document)))
        .push(relays())
        .push(health::routes())
        .push(at("metrics").get(health::measures))
        .push(pages::app())
}

/// Everything that answers on the customer door.
pub fn site_door() -> Router {
    Router::new()
        .hoop(affix_state::inject(domains::offers()))
        .push(site().push(document(site_document)))
        .push(site_returns())
        .push(health::site_routes())
        .push(at("assets/{name}").get(frame::files::find))
        .push(at("theme").post(frame::theme::choose))
        .push(at("robots.txt").get(front::robots))
        .push(at("sitemap.xml").get(front::sitemap))
        .push(site_pages())
        .push(at("en").push(site_pages()))
}

/// The OpenAPI document of the household door.
pub fn ops_document() -> Value {
    let routes = Router::new().push(ops()).push(relays()).push(health::routes());
    let title = "hanok, the household door";
    openapi::document(&routes, title, "Part A: the household's operations desk.", &rules_of_ops())
}

/// The OpenAPI document of the customer door.
pub fn site_document() -> Value {
    let routes = Router::new().push(site()).push(site_returns()).push(shared_pages()).push(health::site_routes());
    openapi::document(&routes, "hanok, the customer door", "Part B: the customer site.", &rules_of(domains::SITE))
}

/// What the household door's document says beyond the types.
fn rules_of_ops() -> Vec<Value> {
    let changes: Vec<&str> = domains::changes().map(Change::name).collect();
    let names = json!({"ChangedSubject": {"properties": {"what": {"enum": changes}}}});
    rules_of(domains::OPS).into_iter().chain([names]).collect()
}

/// What a door's domains say beyond the types, and the names that may stand in an error.
fn rules_of(of_the_door: &[&Domain]) -> Vec<Value> {
    // A door without domains has no errors to describe yet.
    if of_the_door.is_empty() {
        return Vec::new();
    }
    let own = of_the_door.iter().flat_map(|domain| domain.codes).map(|code| code.name);
    let codes: Vec<&str> = Kind::all().map(Kind::code).chain(own).collect();
    let names = json!({"ErrorBody": {"properties": {"error": {"enum": codes}}}});
    of_the_door.iter().map(|domain| (domain.document_rules)()).chain([names]).collect()
}

fn document(make: fn() -> Value) -> Router {
    at("openapi.json").hoop(affix_state::inject(pages::Document::of(make))).get(pages::document)
}

fn at(path: &str) -> Router {
    Router::with_path(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_of_a_document_is_for_a_schema_that_is_there() {
        assert_eq!(openapi::unknown_schemas(&ops_document(), &rules_of_ops()), [""; 0]);
        assert_eq!(openapi::unknown_schemas(&site_document(), &rules_of(domains::SITE)), [""; 0]);
    }

    #[test]
    fn no_two_types_fall_on_one_name() {
        for document in [ops_document(), site_document()] {
            let schemas = document["components"]["schemas"].as_object().unwrap().clone();
            let doubled: Vec<String> =
                schemas.into_iter().map(|(name, _)| name).filter(|name| name.contains(openapi::SECOND)).collect();
            assert_eq!(doubled, [""; 0]);
        }
    }
}

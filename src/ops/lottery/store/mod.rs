//! The tables of the lottery and the verbs over a transaction.

pub mod corrections;
pub mod draws;
mod found;
pub mod imports;
pub mod picks;
pub mod purchases;
mod replaced;
pub mod reports;
pub mod search;
mod stored_draws;

use hanok_platform::events::Change;
use hanok_platform::store::{Declared, Derivation, ReadTransaction};

/// What the browsers hear of.
pub const CHANGES: [Change; 4] = [draws::CHANGED, picks::CHANGED, purchases::CHANGED, reports::CHANGED];

/// Every table of the lottery.
pub const TABLES: &[&dyn Declared] = &[
    &stored_draws::DRAWS,
    &stored_draws::STATE,
    &corrections::CONFLICTS,
    &corrections::KEPT_ASIDE,
    &corrections::REFUSED,
    &corrections::CORRECTIONS,
    &corrections::ASIDE_BEFORE,
    &purchases::PURCHASES,
    &imports::IMPORTS,
    &imports::TEXTS,
    &imports::TAKEN,
    &picks::HISTORY,
    &picks::COMBINED,
    &picks::RUNS,
    &picks::BEST,
    &reports::REPORTS,
    &reports::BRIEFINGS,
    &reports::REVIEWS,
    &reports::CHECKED,
    &reports::WRITTEN_FROM,
    &replaced::REPLACED,
    &replaced::TEXTS,
    &reports::USAGE,
];

/// Tables of earlier versions.
pub const RETIRED: &[&str] = &purchases::RETIRED;

/// What follows from the rows of earlier versions.
pub const DERIVATIONS: &[Derivation] = &[
    Derivation::of(
        2,
        "lottery: count purchases that were not counted",
        ("세지 않았던 구매를 셌습니다", "Purchases that were not counted were counted"),
        &[&purchases::PURCHASES],
    ),
    Derivation::of(
        2,
        "lottery: count recommendations that were not counted",
        ("세지 않았던 추천을 셌습니다", "Recommendations that were not counted were counted"),
        &[&picks::HISTORY, &picks::COMBINED],
    ),
    Derivation::by(
        3,
        "lottery: settled games, fixed prizes and tax",
        ("구매에 확정된 게임과 고정 당첨금, 세금을 넣었습니다", "Purchases show settled games, fixed prizes and tax"),
        &[&purchases::PURCHASES],
        |tx| Ok(tx.count(&purchases::PURCHASES)? > 0),
        purchases::check_all,
    ),
    Derivation::by(
        3,
        "lottery: reviews with the exact spread of their sets",
        ("복기에 조합의 정확한 분포를 넣었습니다", "Reviews show the exact spread of their combinations"),
        &[&reports::REVIEWS],
        |tx| Ok(tx.count(&reports::REVIEWS)? > 0),
        reports::review_all_again,
    ),
    Derivation::of(
        3,
        "lottery: add up what each month cost",
        ("다달이 산 금액과 당첨금을 더했습니다", "What each month cost and won was added up"),
        &[&purchases::PURCHASES],
    ),
    Derivation::by(
        3,
        "lottery: note which purchases the lines of a table went with",
        (
            "가져오던 표의 줄마다 어느 구매가 되었는지 적었습니다",
            "The lines of a table on its way in show which purchases they went with",
        ),
        &[],
        |tx| imports::is_without_taken(tx),
        imports::take_anew,
    ),
    Derivation::by(
        3,
        "lottery: reviews that tell no sum before a prize is entered",
        (
            "당첨금을 아직 적지 않은 게임을 복기에서 받은 돈이 없다고 말하지 않게 했습니다",
            "Reviews no longer say of games whose prize is not entered that they brought nothing",
        ),
        &[&reports::REVIEWS],
        |tx| Ok(tx.count(&reports::REVIEWS)? > 0),
        reports::review_all_again,
    ),
    Derivation::of(
        3,
        "lottery: the largest prize of what is settled",
        ("가장 큰 당첨금을 확정된 구매에서만 찾게 했습니다", "The largest prize is that of a purchase that is settled"),
        &[&purchases::PURCHASES],
    ),
    Derivation::by(
        3,
        "lottery: the tax on a sum of several games is the most it can be",
        (
            "여러 게임의 당첨금을 한 금액으로 적은 구매의 세금을 최댓값으로 표시하게 했습니다",
            "The tax on a sum that was entered for several games is told as the most it can be",
        ),
        &[&purchases::PURCHASES],
        |tx| Ok(tx.count(&purchases::PURCHASES)? > 0),
        purchases::check_all,
    ),
    Derivation::by(
        3,
        "lottery: reports and briefings that count the draws held",
        (
            "리포트와 브리핑이 저장된 추첨이 아니라 치러진 추첨을 세게 했습니다",
            "Reports and briefings count the draws that were held, not those that are stored",
        ),
        &[],
        |tx| reports::are_any_written(tx),
        reports::retell_all,
    ),
    Derivation::by(
        3,
        "lottery: reviews without picks that tell of no luck",
        (
            "추천이 없는 회차의 복기에서 운과 평균을 말하지 않게 했습니다",
            "Reviews of draws without picks no longer tell of luck or of an average",
        ),
        &[&reports::REVIEWS],
        |tx| Ok(tx.count(&reports::REVIEWS)? > 0),
        reports::review_all_again,
    ),
    Derivation::by(
        3,
        "lottery: a prize that was entered before its draw was fetched is settled",
        (
            "추첨 결과를 받기 전에 적은 당첨금도 합계에 넣었습니다",
            "Prizes that were entered before their draw was fetched count in the totals",
        ),
        &[&purchases::PURCHASES],
        |tx| Ok(tx.count(&purchases::PURCHASES)? > 0),
        purchases::check_all,
    ),
    Derivation::by(
        3,
        "lottery: reports and briefings that say how many draws are known",
        (
            "리포트와 브리핑이 알려지지 않은 추첨을 센 것으로 말하지 않게 했습니다",
            "Reports and briefings say how many draws are known, and count none that is not",
        ),
        &[],
        |tx| reports::are_any_written(tx),
        reports::retell_all,
    ),
    Derivation::of(
        3,
        "lottery: count the games that cost 2,000 won",
        ("한 게임에 2,000원이던 게임을 따로 셌습니다", "Games that cost 2,000 won were counted"),
        &[&purchases::PURCHASES],
    ),
    Derivation::of(
        3,
        "lottery: count the games that were settled by hand",
        ("당첨금을 직접 적은 게임을 따로 셌습니다", "Games whose prize was entered by hand were counted"),
        &[&purchases::PURCHASES],
    ),
    Derivation::by(
        3,
        "lottery: reports and briefings that say when a number came up last and how many sets are alike",
        (
            "리포트와 브리핑에 오래 쉰 번호가 마지막으로 나온 회차와 같은 조합의 수를 넣었습니다",
            "Reports and briefings say when an overdue number came up last, and how many sets are alike",
        ),
        &[],
        |tx| reports::are_any_written(tx),
        reports::retell_all,
    ),
    Derivation::by(
        3,
        "lottery: sets that many people play are told with that first, and without an estimate",
        (
            "많은 사람이 고르는 조합에는 예상 공동 당첨자 대신 그 경고를 먼저 적었습니다",
            "Sets that many people play are told with that warning first, and promise no fewer co-winners",
        ),
        &[],
        |tx| Ok(picks::are_any_kept(tx)? || reports::are_any_written(tx)?),
        |tx| picks::put_all_right(tx).and_then(|()| reports::retell_all(tx)),
    ),
];

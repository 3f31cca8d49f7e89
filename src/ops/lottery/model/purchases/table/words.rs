//! The words of a table for how a purchase stands and for its tiers, in Korean as the pages say them and in English as the
//! interface names them.

use serde::Serialize;

use super::super::PurchaseStatus;
use super::super::games::TierMode;

/// How a purchase stands.
pub fn of_status(status: PurchaseStatus, in_korean: bool) -> String {
    match status {
        _ if !in_korean => name(&status),
        PurchaseStatus::Waiting => "결과 대기".to_owned(),
        PurchaseStatus::Checked => "확인함".to_owned(),
        PurchaseStatus::Manual => "번호 모름".to_owned(),
    }
}

/// Which tiers were bought together.
pub fn of_tiers(mode: TierMode, in_korean: bool) -> String {
    match mode {
        _ if !in_korean => name(&mode),
        TierMode::Core => "핵심".to_owned(),
        TierMode::CoreBonus => "핵심 + 보너스".to_owned(),
        TierMode::CoreBonusExtended => "핵심 + 보너스 + 확장".to_owned(),
        TierMode::Full => "전체".to_owned(),
    }
}

/// The tiers that a cell names in either language.
pub fn tiers(said: &str) -> Option<TierMode> {
    TierMode::ALL.into_iter().find(|mode| [true, false].iter().any(|in_korean| of_tiers(*mode, *in_korean) == said))
}

/// The word by which one of a few is known.
fn name(one: &impl Serialize) -> String {
    serde_json::to_value(one).ok().and_then(|word| Some(word.as_str()?.to_owned())).unwrap_or_default()
}

//! The settings of the lottery.

use hanok_platform::config::rule::{self, SECONDS, SWITCH};
use hanok_platform::config::section;

section! {
    /// Where new lottery draws come from.
    pub struct LotterySettings("lottery") {
        /// Base address of the operator, from which they are fetched.
        operator: String = "https://www.dhlottery.co.kr".to_owned(),
            rule::text("an address such as https://www.dhlottery.co.kr", rule::is_web_address)
                .entrance()
                .tidied_by(rule::without_last_slash);
        /// How long one answer may take.
        timeout_seconds: u64 = 10, SECONDS;
        /// false never asks the operator; draws can still be imported by hand.
        sync: bool = true, SWITCH;
    }
}

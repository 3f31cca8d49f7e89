//! The settings of the lottery.

use hanok_base::Sentence;
use hanok_platform::config::rule::{self, SECONDS, SWITCH, Unit};
use hanok_platform::config::section;

const OPERATOR: Sentence =
    Sentence::new("lottery.must.operator", "must be an address such as https://www.dhlottery.co.kr");

section! {
    /// Where new lottery draws come from.
    pub struct LotterySettings("lottery", "로또") {
        /// Base address of the operator, from which they are fetched.
        #[ko("동행복권의 주소", "추첨 결과를 가져오는 곳의 주소입니다.")]
        #[en("Address of the operator")]
        operator: String = "https://www.dhlottery.co.kr".to_owned(),
            rule::text(OPERATOR, rule::is_web_address)
                .entrance()
                .tidied_by(rule::without_last_slash);
        /// How long one answer may take.
        #[ko("답을 기다리는 시간", "답 하나를 기다리는 시간입니다.")]
        #[en("Time to wait for an answer")]
        timeout_seconds: u64 = 10, SECONDS.on_page();
        /// false never asks the operator; draws can still be imported by hand.
        #[ko("추첨 결과 가져오기", "끄면 동행복권에 묻지 않습니다. 직접 넣는 것은 언제든 됩니다.")]
        #[en("Fetch draws")]
        sync: bool = true, SWITCH.on_page();
        /// What the household means to spend on games in a month at most, in won (0 = no limit). A change holds at once.
        /// Beyond it the pages say so; nothing is refused.
        #[ko("한 달 한도", "한 달에 복권에 쓰기로 한 금액입니다(0이면 한도 없음). 바꾸면 바로 적용됩니다. 넘으면 알려 줄 뿐 막지 않습니다.")]
        #[en("Monthly limit")]
        monthly_limit: u64 = 0, rule::whole(Unit::Won, 0, 100_000_000).lowest_means("no limit").at_once();
    }
}

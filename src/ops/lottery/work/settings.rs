//! The settings of the lottery.

use hanok_base::MessageTemplate;
use hanok_platform::config::rule::{self, SECONDS, SWITCH, Unit};
use hanok_platform::config::section;

const OPERATOR: MessageTemplate =
    MessageTemplate::new("lottery.must.operator", "must be an address such as https://www.dhlottery.co.kr");

section! {
    /// Where new lottery draws come from.
    pub struct LotterySettings("lottery", "로또") {
        /// Base address of the operator, from which they are fetched.
        #[ko("동행복권 주소", "추첨 결과를 가져오는 곳의 주소입니다.")]
        #[en("Address of the operator")]
        operator: String = "https://www.dhlottery.co.kr".to_owned(),
            rule::text(OPERATOR, rule::is_web_address)
                .entrance()
                .normalize(rule::without_last_slash);
        /// How long one answer may take.
        #[ko("응답 제한 시간", "응답 하나를 기다리는 시간입니다.")]
        #[en("Time to wait for an answer")]
        timeout_seconds: u64 = 10, SECONDS.on_page();
        /// false never asks the operator; draws can still be imported by hand.
        #[ko("추첨 결과 가져오기", "끄면 동행복권에서 가져오지 않습니다. 직접 가져오기는 언제든지 할 수 있습니다.")]
        #[en("Fetch draws")]
        sync: bool = true, SWITCH.on_page();
        /// What the household means to spend on games in a month at most, in won (0 = no limit). A change holds at once.
        /// Beyond it the pages say so; nothing is refused.
        #[ko("월 한도", "한 달 동안 복권을 구매할 수 있는 금액입니다(0이면 한도 없음). 변경하면 바로 적용됩니다. 초과하면 알려 주며, 구매 추가를 막지는 않습니다.")]
        #[en("Monthly limit")]
        monthly_limit: u64 = 0, rule::whole(Unit::Won, 0, 100_000_000).min_label("no limit").at_once();
    }
}

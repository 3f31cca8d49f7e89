//! What a stock is, its size, and how much of it is traded.

use super::super::{Arguments, Bounds, Group, Node, Parameter, ParameterKind, Unit, liquid, listing};
use super::{MAXIMUM, MINIMUM, after_first, days, first, flag, is_not, none, number, second_to_third, word};

/// Those rules.
pub static STANDING: &[Node] = &[
    Node {
        id: "market",
        title: ("시장", "Market"),
        about: ("선택한 시장의 종목만 통과합니다.", "Stocks of the chosen markets pass."),
        group: Group::Listing,
        unit: Unit::Word,
        parameters: &[
            flag("kospi", ("코스피", "KOSPI"), true),
            flag("kosdaq", ("코스닥", "KOSDAQ"), true),
            flag("konex", ("코넥스", "KONEX"), false),
        ],
        warm_up: none,
        bounds: word,
        measure: listing::market,
    },
    Node {
        id: "sector",
        title: ("업종", "Sector"),
        about: (
            "업종 이름에 입력한 단어가 하나라도 있으면 통과합니다. 단어는 쉼표로 구분합니다.",
            "Stocks pass whose sector has one of the words, which have commas between them.",
        ),
        group: Group::Listing,
        unit: Unit::Word,
        parameters: &[
            Parameter { name: "words", title: ("단어", "Words"), kind: ParameterKind::Words },
            flag("exclude", ("이 업종 제외", "Exclude these"), false),
        ],
        warm_up: none,
        bounds: word,
        measure: listing::sector,
    },
    Node {
        id: "kind",
        title: ("우선주·스팩 제외", "Without preferred shares and SPACs"),
        about: (
            "우선주와 스팩을 제외합니다. 값 1은 제외 대상입니다.",
            "Leaves out preferred shares and companies that only look for a merger; 1 is one of them.",
        ),
        group: Group::Listing,
        unit: Unit::Flag,
        parameters: &[
            flag("preferred", ("우선주 제외", "Without preferred shares"), true),
            flag("spac", ("스팩 제외", "Without SPACs"), true),
        ],
        warm_up: none,
        bounds: is_not,
        measure: listing::kind,
    },
    Node {
        id: "tradable",
        title: ("거래정지 제외", "Without halted stocks"),
        about: (
            "데이터 기준일에 거래가 없던 종목을 제외합니다. 값 1은 거래가 없던 종목입니다.",
            "Leaves out stocks without trade on the day of the data; 1 is one of them.",
        ),
        group: Group::Listing,
        unit: Unit::Flag,
        parameters: &[],
        warm_up: none,
        bounds: is_not,
        measure: listing::tradable,
    },
    Node {
        id: "administrative",
        title: ("관리종목 제외", "Without administrative issues"),
        about: (
            "관리종목과 투자주의환기종목을 제외합니다. 코스피는 데이터에 소속부가 없어 ‘데이터 없음’이 됩니다.",
            "Leaves out administrative issues. The data do not say it of the KOSPI, whose stocks count as missing.",
        ),
        group: Group::Listing,
        unit: Unit::Flag,
        parameters: &[flag("unknown_passes", ("알 수 없는 종목은 통과", "Unknown stocks pass"), false)],
        warm_up: none,
        bounds: is_not,
        measure: listing::administrative,
    },
    Node {
        id: "listing_age",
        title: ("상장 기간", "Days since listing"),
        about: (
            "상장한 지 이 일수(달력일) 이상인 종목이 통과합니다. 데이터 첫날부터 있던 종목은 그날부터 셉니다.",
            "Stocks pass that have been listed for so many days; those of the first day of the data count from there.",
        ),
        group: Group::Listing,
        unit: Unit::Days,
        parameters: &[number("minimum", MINIMUM, (180.0, 1.0, 3650.0, 10.0))],
        warm_up: none,
        bounds: |arguments: &Arguments| Bounds::least(arguments.number(0)),
        measure: listing::age,
    },
    Node {
        id: "price",
        title: ("주가", "Price"),
        about: ("기준일 종가가 이 범위에 있으면 통과합니다.", "Stocks pass whose close is within these bounds."),
        group: Group::Size,
        unit: Unit::Won,
        parameters: &[
            number("minimum", MINIMUM, (1_000.0, 0.0, 10_000_000.0, 100.0)),
            number("maximum", MAXIMUM, (10_000_000.0, 0.0, 10_000_000.0, 100.0)),
        ],
        warm_up: none,
        bounds: |arguments: &Arguments| Bounds::between(arguments.number(0), arguments.number(1)),
        measure: liquid::price,
    },
    Node {
        id: "market_cap",
        title: ("시가총액", "Market capitalisation"),
        about: (
            "시가총액이 이 범위(억 원)에 있으면 통과합니다.",
            "Stocks pass whose worth is within these bounds, in 100 million won.",
        ),
        group: Group::Size,
        unit: Unit::HundredMillionWon,
        parameters: &[
            number("minimum", MINIMUM, (500.0, 0.0, 50_000_000.0, 100.0)),
            number("maximum", MAXIMUM, (50_000_000.0, 0.0, 50_000_000.0, 100.0)),
        ],
        warm_up: none,
        bounds: |arguments: &Arguments| Bounds::between(arguments.number(0), arguments.number(1)),
        measure: liquid::market_cap,
    },
    Node {
        id: "liquidity",
        title: ("평균 거래대금", "Mean value traded"),
        about: (
            "기간 평균 거래대금(백만 원)이 이 값 이상이면 통과합니다.",
            "Stocks pass of which so much is traded a day, in million won.",
        ),
        group: Group::Size,
        unit: Unit::MillionWon,
        parameters: &[days(20.0, 1.0, 250.0), number("minimum", MINIMUM, (1_000.0, 0.0, 10_000_000.0, 100.0))],
        warm_up: first,
        bounds: |arguments: &Arguments| Bounds::least(arguments.number(1)),
        measure: liquid::liquidity,
    },
    Node {
        id: "volume_surge",
        title: ("거래량 급증", "Volume surge"),
        about: (
            "기준일 거래량이 직전 기간 평균의 이 배수 범위에 있으면 통과합니다.",
            "Stocks pass whose volume is within these multiples of the mean before.",
        ),
        group: Group::Size,
        unit: Unit::Times,
        parameters: &[
            days(20.0, 2.0, 250.0),
            number("minimum", MINIMUM, (2.0, 0.0, 1_000.0, 0.1)),
            number("maximum", MAXIMUM, (1_000.0, 0.0, 1_000.0, 0.1)),
        ],
        warm_up: after_first,
        bounds: second_to_third,
        measure: liquid::volume_surge,
    },
];

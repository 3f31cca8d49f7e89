//! The same questions where the texts stand among five thousand others that speak of the same things.

use super::*;

const OTHERS: usize = 5_000;

const SUBJECTS: [&str; 48] = [
    "속초 여행",
    "여수 여행",
    "제주 동쪽",
    "부산 출장",
    "경주 나들이",
    "도쿄 출장",
    "캠핑",
    "설악산 등산",
    "자동차 정비",
    "자동차 세차",
    "여행자 보험",
    "운전자보험",
    "치아보험",
    "실손보험",
    "보일러 점검",
    "에어컨 설치",
    "세탁기 수리",
    "화장실 배수구",
    "냉장고 정리",
    "베란다 청소",
    "고양이 예방접종",
    "고양이 화장실",
    "강아지 미용",
    "강아지 사료",
    "토마토 스파게티",
    "김치볶음밥",
    "된장찌개",
    "닭볶음탕",
    "이유식 중기",
    "아이 감기",
    "아이 생일",
    "초등학교 방학",
    "어린이집 상담",
    "엄마 생신",
    "아버지 건강검진",
    "할머니 제사",
    "친구 집들이",
    "회사 회식",
    "월세 이체",
    "전세 대출",
    "적금 가입",
    "연금저축",
    "주식 배당",
    "블로그 글감",
    "NAS 디스크",
    "노트북 구입",
    "아이폰 사진",
    "헬스장 운동",
];
const ASPECTS: [&str; 16] = [
    "기록",
    "준비물",
    "비용 정산",
    "예약",
    "후기",
    "메모",
    "첫날",
    "둘째 날",
    "갱신",
    "환불",
    "비교",
    "견적",
    "일정",
    "사진 정리",
    "다시 할 것",
    "할 일",
];
const SENTENCES: [&str; 60] = [
    "숙소는 바다에서 멀었지만 조용했다.",
    "방이 좁아서 다음에는 다른 펜션을 찾기로 했다.",
    "기차로 {n}시간 걸렸다.",
    "공항에서 렌터카를 빌리는 데 {n}분이 걸렸다.",
    "한 사람에 {n}만 원씩 냈다.",
    "비용은 모두 {n}만 원이 들었다.",
    "수리비가 {n}만 원 나왔다.",
    "출장비는 따로 {n}만 원이었다.",
    "예약은 한 달 전에 해야 한다.",
    "예약하지 않으면 {n}시간을 기다린다.",
    "다음에는 언제 갈지 아직 정하지 못했다.",
    "어디에 두었는지 모르겠다.",
    "얼마였는지 적어 두지 않았다.",
    "어떻게 하는지 영상을 보고 배웠다.",
    "누가 오는지 물어보았다.",
    "왜 안 되는지 알 수 없었다.",
    "아침을 먹고 시장에서 커피를 마셨다.",
    "점심은 순두부, 저녁은 흑돼지를 먹었다.",
    "아이가 잘 먹어서 또 만들기로 했다.",
    "물은 {n}컵, 간장은 {n}숟갈 넣는다.",
    "먼저 고기를 볶고 나중에 두부를 넣는다.",
    "오븐은 {n}0도로 {n}분 굽는다.",
    "서류는 앱에 올리고 영수증은 서랍에 둔다.",
    "만기는 {n}월 30일이다.",
    "보험료가 작년보다 {n}천 원 올랐다.",
    "특약을 빼니 한 달에 {n}만 원이 줄었다.",
    "신청은 홈페이지에서 {n}월 말까지 한다.",
    "사진 두 장과 신분증을 가져간다.",
    "필터는 {n}주마다 물로 씻는다.",
    "모델 번호를 사진으로 찍어 두었다.",
    "정품은 비싸서 호환을 샀다.",
    "기사님이 부품을 갈아 주셨다.",
    "고장이 나서 {n}일을 기다렸다.",
    "베이킹소다로 닦았더니 깨끗해졌다.",
    "병원에서 {n}만 원을 냈고 약은 사흘 치다.",
    "수술은 하지 않아도 된다고 했다.",
    "열이 {n}도까지 올라 해열제를 먹였다.",
    "선생님이 잘 지낸다고 적어 주셨다.",
    "친척 {n}명이 모여 케이크를 잘랐다.",
    "동생이 노래를 불렀다.",
    "식당 창가 자리가 좋았다.",
    "봉투에 {n}만 원을 넣었다.",
    "산책은 {n}분이면 넉넉하다.",
    "여름에는 해가 진 뒤에 나간다.",
    "화분을 그늘로 옮기고 물을 주었다.",
    "겨울에는 물을 조금만 준다.",
    "이자는 세금을 떼고 {n}만 원이다.",
    "환율이 올라 이번 달은 반만 샀다.",
    "매달 {n}일에 자동이체가 나간다.",
    "소득공제가 되는지 확인한다.",
    "제목을 바꾸었더니 방문자가 {n}명 늘었다.",
    "백업은 매일 새벽 {n}시에 돈다.",
    "The backup took {n} hours and the restore was fine.",
    "설정 페이지의 비밀번호를 바꾸었다.",
    "배터리가 {n} 퍼센트밖에 남지 않았다.",
    "신발이 작아서 한 치수 크게 샀다.",
    "기록은 {n}분이었고 무릎이 조금 아팠다.",
    "환불은 쓴 날만큼 빼고 준다고 한다.",
    "책에서 읽은 이야기를 적어 둔다.",
    "보관증은 지갑에 있다.",
];

/// A text that speaks of the same things. The same number gives the same text.
fn other(number: usize) -> Note {
    let title = format!("{} {}", SUBJECTS[number % SUBJECTS.len()], ASPECTS[number / SUBJECTS.len() % ASPECTS.len()]);
    let sentence = |at: usize| {
        let said = SENTENCES[(number * 7 + at * 13 + number / 60 * (at + 3)) % SENTENCES.len()];
        said.replace("{n}", &((number * 31 + at * 17) % 28 + 2).to_string())
    };
    let text = (0..3 + number % 4).map(sentence).collect::<Vec<_>>().join(" ");
    note(1_000 + number as u64, &title, &text)
}

#[tokio::test]
async fn questions_find_their_text_among_five_thousand_that_speak_of_the_same_things() {
    let world = World::new();
    let following = world.follow();
    world.write(texts().chain((0..OTHERS).map(other))).await;
    let recall = recall(&following).await;
    println!("among {OTHERS} others: {recall}");
    assert!(recall.tuned >= 0.95 && recall.aside >= 0.95, "{recall}");
    following.end().await;
}

//! How good the search is: lines as people type them, with the notes that they mean, beside a plain scan that looks for each
//! word as it was typed. The notes are trial data.

use super::*;

const NOTES_OF_TRIAL: [(&str, &str); 40] = [
    ("자동차 보험 갱신", "다음 달 말일까지 보험료를 비교하고 갱신한다. 블랙박스 할인을 확인할 것."),
    ("삼성전자 주가 정리", "반도체 업황이 바뀌면서 삼성전자의 주가가 올랐다. 배당금은 분기마다 나온다."),
    ("블로그 마케팅 시작하기", "키워드를 고르고 제목에 쓴다. 검색량이 많은 말보다 경쟁이 적은 말을 고른다."),
    ("김치찌개 끓이는 법", "묵은지와 돼지고기를 볶다가 물을 붓고 두부를 넣는다. 고춧가루는 나중에."),
    ("제주도 여행 계획", "비행기는 새벽에, 렌터카는 공항에서. 한라산 등산은 날씨를 보고 정한다."),
    ("전세 계약할 때 볼 것", "등기부등본을 떼고 확정일자를 받는다. 보증금 반환 보증에 가입한다."),
    ("연말정산 서류", "의료비와 기부금 영수증을 모은다. 월세 세액공제는 임대차계약서가 있어야 한다."),
    ("로또 당첨번호 통계", "한 번호가 오래 나오지 않아도 다음에 나올 확률은 같다."),
    ("강아지 예방접종", "광견병과 종합백신을 해마다 맞힌다. 동물병원에 전화로 예약한다."),
    ("재택근무 책상 고르기", "높이를 바꿀 수 있는 책상과 허리를 받치는 의자가 필요하다."),
    ("Home server backup with rsync", "Copy the data folder every night and keep seven days. Test the restore."),
    ("NAS 하드디스크 교체", "시놀로지에서 디스크가 죽으면 하나씩 바꾸고 재구성이 끝나기를 기다린다."),
    ("iPhone17에서 사진 옮기기", "케이블로 연결하거나 클라우드에 올린 뒤 컴퓨터에서 내려받는다."),
    ("Kubernetes is too much for a family", "A single binary and a cron job do the same work at home."),
    ("환율과 해외주식", "달러가 비쌀 때 사면 주가가 올라도 손해를 본다. S&P 500 지수를 따라가는 상품."),
    ("아파트 관리비 줄이기", "난방을 켜 두고 외출 모드를 쓰지 않는다. 대기전력을 끄는 멀티탭."),
    ("독서 모임 책 목록", "한강의 소설과 물리학자의 수필을 번갈아 읽는다."),
    ("아이 독감 증상", "열이 38도를 넘고 기침이 심하면 소아과에 간다. 해열제는 네 시간 간격."),
    ("운전면허 갱신", "적성검사 기간 안에 경찰서나 면허시험장에 간다. 사진 두 장."),
    ("베란다 텃밭", "상추와 방울토마토를 심는다. 물은 아침에 준다."),
    ("Sourdough bread recipe", "Feed the starter, fold four times, bake at 230 degrees with steam."),
    ("커피 원두 보관", "볶은 지 이 주일 안에 마신다. 냉동실에 두면 오래 간다."),
    ("중고차 사는 순서", "사고 이력을 조회하고 시운전을 한다. 명의 이전과 보험 가입을 같은 날에."),
    ("헬스장 환불", "계약을 끊으면 쓴 날만큼 빼고 돌려받는다. 위약금은 십 퍼센트까지다."),
    ("영어 공부 습관", "매일 십오 분 소리 내어 읽는다. 모르는 단어는 문장과 함께 적는다."),
    ("Photography in the rain", "Use a slow shutter and look for reflections on the street."),
    ("유튜브 음악 저작권", "만든 곡에 신고가 들어오면 증거를 모아 이의를 제기한다."),
    ("결혼식 축의금", "모르는 사이는 오만 원, 친한 사이는 십만 원이라고들 한다."),
    ("겨울철 수도 동파", "수도계량기를 헌 옷으로 감싸고 물을 조금 틀어 둔다."),
    ("엄마 생신 선물", "안마기와 건강검진 가운데 고른다. 케이크는 미리 주문한다."),
    ("Docker compose notes", "One volume, one user, no root. Health checks belong into the file."),
    ("주택청약 점수", "무주택 기간과 부양가족 수로 점수를 센다. 통장은 오래될수록 좋다."),
    ("고양이 사료 바꾸기", "일주일에 걸쳐 조금씩 섞는다. 물을 많이 마시게 한다."),
    ("여권 재발급", "구청에서 신청하고 일주일 뒤에 찾는다. 사진 규격이 까다롭다."),
    ("Python으로 가계부 만들기", "은행에서 내려받은 표를 읽어 달마다 더한다."),
    ("층간소음 대처", "관리사무소를 거쳐 이야기한다. 매트를 깔고 실내화를 신는다."),
    ("국민연금 수령 나이", "예순다섯부터 받는다. 미루면 해마다 조금씩 늘어난다."),
    ("피아노 조율", "일 년에 한 번 조율사를 부른다. 습도를 맞춘다."),
    ("Quarterly tax payment", "The office expects the estimate before the end of May."),
    ("치과 스케일링", "건강보험이 해마다 한 번 적용된다. 예약은 앱으로 한다."),
];

/// What somebody types, and which notes they mean, by their number from 1.
const ASKED: [(&str, &[u64]); 66] = [
    ("보험", &[1, 23, 40]),
    ("자동차 보험", &[1]),
    ("자동차보험", &[1]),
    ("보험을", &[1, 23, 40]),
    ("보험료를", &[1]),
    ("ㅂㅎ", &[1]),
    ("갱신", &[1, 19]),
    ("운전면허갱신", &[19]),
    ("삼성", &[2]),
    ("삼성전자를", &[2]),
    ("삼성전자 배당", &[2]),
    ("주가", &[2, 15]),
    ("주가에서", &[2, 15]),
    ("블로그", &[3]),
    ("블로그마케팅", &[3]),
    ("블로그마케팅은", &[3]),
    ("ㅂㄹㄱ", &[3]),
    ("마케팅 키워드", &[3]),
    ("검색량", &[3]),
    ("김치", &[4]),
    ("찌개", &[4]),
    ("돼지고기", &[4]),
    ("김치찌개에", &[4]),
    ("제주", &[5]),
    ("제주도여행", &[5]),
    ("한라산", &[5]),
    ("렌터카는", &[5]),
    ("전세계약", &[6]),
    ("등기부", &[6]),
    ("보증금", &[6]),
    ("연말정산", &[7]),
    ("월세 공제", &[7]),
    ("로또", &[8]),
    ("당첨번호를", &[8]),
    ("당첨 번호", &[8]),
    ("ㄷㅊㅂㅎ", &[8]),
    ("강아지는", &[9]),
    ("동물병원", &[9]),
    ("예방 접종", &[9]),
    ("책상", &[10]),
    ("backup", &[11]),
    ("restore", &[11]),
    ("bakcup", &[11]),
    ("rsync", &[11]),
    ("하드 디스크", &[12]),
    ("nas", &[12]),
    ("시놀로지", &[12]),
    ("iphone", &[13]),
    ("아이폰 iPhone17", &[13]),
    ("사진", &[13, 19, 34]),
    ("kubernets", &[14]),
    ("kube", &[14]),
    ("해외 주식", &[15]),
    ("관리비", &[16]),
    ("독감", &[18]),
    ("sourdough", &[21]),
    ("bread recipe", &[21]),
    ("중고차", &[23]),
    ("위약금", &[24]),
    ("저작권은", &[27]),
    ("축의금", &[28]),
    ("docker", &[31]),
    ("청약 점수", &[32]),
    ("여권", &[34]),
    ("python", &[35]),
    ("국민연금은 나이", &[37]),
];

/// The share of the meant notes among the first ten, and one over the place of the first of them.
fn measured(meant: &[u64], found: &[u64]) -> (f64, f64) {
    let among = meant.iter().filter(|id| found.iter().take(10).any(|one| one == *id)).count();
    let first = found.iter().position(|id| meant.contains(id));
    (among as f64 / meant.len() as f64, first.map_or(0.0, |place| 1.0 / (place + 1) as f64))
}

/// Notes in which every word stands as it was typed, in their order.
fn scanned(line: &str) -> Vec<u64> {
    let words: Vec<String> = line.to_lowercase().split_whitespace().map(str::to_owned).collect();
    let says = |(title, text): &(&str, &str)| {
        let said = format!("{title} {text}").to_lowercase();
        words.iter().all(|word| said.contains(word))
    };
    (1..).zip(NOTES_OF_TRIAL.iter()).filter(|(_, note)| says(note)).map(|(id, _)| id).collect()
}

#[tokio::test]
async fn lines_as_people_type_them_find_what_they_mean() {
    let world = World::new();
    let following = world.follow();
    world.write((1..).zip(NOTES_OF_TRIAL).map(|(id, (title, text))| note(id, title, text))).await;
    let (mut index, mut scan, mut missed) = ((0.0, 0.0), (0.0, 0.0), Vec::new());
    for (line, meant) in ASKED {
        let found = following.ids(line).await;
        let ((recall, rank), (by_scan, rank_by_scan)) = (measured(meant, &found), measured(meant, &scanned(line)));
        if recall < 1.0 || rank < 1.0 {
            missed.push(format!("{line}: {found:?} for {meant:?}"));
        }
        index = (index.0 + recall, index.1 + rank);
        scan = (scan.0 + by_scan, scan.1 + rank_by_scan);
    }
    let of = |sum: f64| sum / ASKED.len() as f64;
    println!("recall at 10 {:.3}, mean reciprocal rank {:.3}", of(index.0), of(index.1));
    println!("a plain scan {:.3} and {:.3}; not as meant: {missed:#?}", of(scan.0), of(scan.1));
    assert!(of(index.0) >= 0.97 && of(index.1) >= 0.95, "{missed:#?}");
    assert!(of(index.0) > of(scan.0) && of(index.1) > of(scan.1));
    following.end().await;
}

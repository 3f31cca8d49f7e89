//! The page of visits at the desk.

use askama::Template;
use chrono::{Datelike, NaiveDate};
use salvo::Writer;
use salvo::oapi::endpoint;

use super::super::model::{Analytics, Channel, Compared, DayCount, Device, OTHER, Period};
use super::super::work::{AnalyticsSettings, report};
use super::AnalyticsWanted;
use crate::frame::{Frame, Head};
use hanok_base::text::thousands;
use hanok_platform::app::App;
use hanok_platform::http::{Admin, HandlerResult, Query, Shown};

/// How wide a day stands in the chart, its bar and the chart's height, in the units of the picture.
const DAY: usize = 10;
const BAR: usize = 7;
const HEIGHT: u64 = 1000;

/// Pages as people call them, in Korean and in English.
const PAGES: [(&str, &str, &str); 17] = [
    ("/", "첫 화면", "Home"),
    ("/contact", "의뢰하기", "Request form"),
    ("/contact/{token}", "의뢰 진행 상황", "A request's progress"),
    ("/quote/{token}", "견적", "A quote"),
    ("/questionnaire/{kind}", "질문지", "Questionnaire"),
    ("/questionnaire/{kind}/thanks", "질문지 제출 완료", "Questionnaire sent"),
    ("/shared/{token}", "공유된 의뢰", "A shared request"),
    ("/portfolio/{token}", "포트폴리오", "Portfolio"),
    ("/account", "내 계정", "Account"),
    ("/account/projects", "내 프로젝트", "A customer's projects"),
    ("/account/projects/{id}", "프로젝트 진행 상황", "A project's progress"),
    ("/account/sign-in", "로그인", "Sign in"),
    ("/account/register", "가입", "Sign up"),
    ("/account/forgotten", "비밀번호 찾기", "Forgotten password"),
    ("/account/password", "새 비밀번호 설정", "New password"),
    ("/privacy", "개인정보 처리방침", "Privacy policy"),
    ("/terms", "이용약관", "Terms of use"),
];

#[derive(Template)]
#[template(path = "analytics/page.html")]
struct AnalyticsPage<'a> {
    frame: &'a Frame,
    head: Head<'a>,
    period: Period,
    is_on: bool,
    report: Analytics,
    /// The most views of a day, which the highest bar stands for.
    most: u64,
    bars: Vec<Bar>,
}

/// A day of the chart: how high its views stand, and its visitors in front of them.
struct Bar {
    x: usize,
    views: u64,
    visitors: u64,
}

/// `part` of `whole` as a share of `of`, rounded up so that something is seen of it; zero of nothing.
fn share(part: u64, whole: u64, of: u64) -> u64 {
    let share = (u128::from(part) * u128::from(of)).div_ceil(u128::from(whole.max(1)));
    u64::try_from(share).unwrap_or(of).min(of)
}

fn bars(report: &Analytics, most: u64) -> Vec<Bar> {
    let bar = |(place, day): (usize, &DayCount)| Bar {
        x: place * DAY,
        views: share(day.views, most, HEIGHT),
        visitors: share(day.visitors, most, HEIGHT),
    };
    report.daily.iter().enumerate().map(bar).collect()
}

impl AnalyticsPage<'_> {
    fn periods(&self) -> [Period; 3] {
        Period::ALL
    }

    fn is_shown(&self, period: &Period) -> bool {
        self.period == *period
    }

    fn period_name(&self, period: &Period) -> String {
        if self.frame.is_korean() { format!("{}일", period.days()) } else { format!("{} days", period.days()) }
    }

    fn number(&self, number: &u64) -> String {
        thousands(i64::try_from(*number).unwrap_or(i64::MAX))
    }

    fn date(&self, date: &NaiveDate) -> String {
        match self.frame.is_korean() {
            true => format!("{}월 {}일", date.month(), date.day()),
            false => date.format("%-d %b").to_string(),
        }
    }

    fn whole_date(&self, date: &NaiveDate) -> String {
        match self.frame.is_korean() {
            true => format!("{}년 {}월 {}일", date.year(), date.month(), date.day()),
            false => date.format("%-d %b %Y").to_string(),
        }
    }

    /// How a number has changed since the days before, in a sentence; empty where that says nothing.
    fn change(&self, compared: &Compared) -> String {
        let days = self.period.days();
        let before = self.number(&compared.before);
        let is_whole = self.report.since.is_some_and(|since| since <= self.period.first_before(self.report.to));
        let (ko, en) = match compared.percent() {
            _ if !is_whole => {
                ("비교할 이전 기록이 아직 부족합니다".to_owned(), "Not enough earlier data to compare yet".to_owned())
            }
            None => (format!("이전 {days}일에는 없었습니다"), format!("None in the {days} days before")),
            Some(0) => {
                (format!("이전 {days}일({before})과 비슷합니다"), format!("As in the {days} days before ({before})"))
            }
            Some(up) if up > 0 => (
                format!("이전 {days}일({before})보다 {up}% 늘었습니다"),
                format!("Up {up}% on the {days} days before ({before})"),
            ),
            Some(down) => (
                format!("이전 {days}일({before})보다 {}% 줄었습니다", -down),
                format!("Down {}% on the {days} days before ({before})", -down),
            ),
        };
        if self.frame.is_korean() { ko } else { en }
    }

    fn channel(&self, channel: &Channel) -> &'static str {
        let (ko, en) = channel.names();
        self.frame.say(ko, en)
    }

    fn device(&self, device: &Device) -> &'static str {
        let (ko, en) = device.names();
        self.frame.say(ko, en)
    }

    /// What a page is called; empty where its address says it best.
    fn page_name(&self, path: &str) -> &'static str {
        let known = PAGES.iter().find(|(known, ..)| *known == path);
        known.map_or("", |(_, ko, en)| self.frame.say(ko, en))
    }

    /// A path or a host, and what stands for the rest of them.
    fn named<'n>(&self, name: &'n str) -> &'n str {
        if name == OTHER { self.frame.say("그 밖", "Others") } else { name }
    }

    fn width(&self) -> usize {
        self.bars.len() * DAY
    }

    /// How long the bar beside a number is, out of a thousand: the longest is that of the largest.
    fn of_visitors(&self, visitors: &u64) -> u64 {
        share(*visitors, self.report.visitors.now, HEIGHT)
    }

    fn of_views(&self, views: &u64) -> u64 {
        share(*views, self.report.views.now, HEIGHT)
    }

    /// Where the top of a bar is: a picture counts from above.
    fn top(&self, height: &u64) -> u64 {
        HEIGHT - height
    }
}

/// Visits of the last days.
#[endpoint]
pub async fn show(app: App, _caller: Admin, frame: Frame, wanted: Query<AnalyticsWanted>) -> HandlerResult<Shown> {
    let period = wanted.0.period()?;
    let report = report(&app, period).await?;
    let most = report.daily.iter().map(|day| day.views).max().unwrap_or(0);
    frame.show(&AnalyticsPage {
        frame: &frame,
        head: Head::unlisted(frame.say("방문 통계", "Analytics")),
        period,
        is_on: app.config.section::<AnalyticsSettings>().enabled,
        bars: bars(&report, most),
        most,
        report,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_long_as_its_part_and_never_longer_than_the_picture() {
        assert_eq!([share(0, 9, 1000), share(1, 3, 1000), share(3, 3, 1000), share(5, 3, 1000)], [0, 334, 1000, 1000]);
        assert_eq!([share(0, 0, 1000), share(1, u64::MAX, 1000)], [0, 1]);
    }
}

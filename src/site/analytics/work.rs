//! Taking views in, writing them down, and reading what was counted.

mod salt;

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};

use super::model::{Analytics, Device, Period, Source, View};
use super::store;
use hanok_base::{Result, day};
use hanok_platform::app::App;
use hanok_platform::config::rule::{self, SWITCH, Unit};
use hanok_platform::config::section;

use salt::Salt;

section! {
    /// Visits of the customer site.
    pub struct AnalyticsSettings("analytics", "방문 통계") {
        /// false counts no visits. Takes effect at once.
        #[ko("방문 세기", "고객 사이트의 방문을 쿠키 없이 날짜별로 셉니다. 관리자와 봇, 추적을 거부한 방문은 세지 않습니다. 변경하면 바로 적용됩니다.")]
        #[en("Count visits")]
        enabled: bool = true, SWITCH.at_once();
        /// For how many days the counts of a day are kept.
        #[ko("통계 보관 기간(일)", "날짜별 집계를 보관하는 기간입니다. 방문자 한 사람을 알아볼 수 있는 기록은 그날이 지나면 지워집니다.")]
        #[en("Keep counts for (days)")]
        keep_days: u32 = 400, rule::whole(Unit::Days, 7, 3650).on_page();
    }
}

/// The most views that wait to be written; more are counted as dropped.
const MOST_WAITING: usize = 20_000;

/// A view of a page as the door sees it. Its address and agent go no further than the hash that is made of them.
#[derive(Debug)]
pub struct Visit<'a> {
    /// From where it comes.
    pub address: IpAddr,
    /// What the browser calls itself.
    pub agent: &'a str,
    /// The route of the page.
    pub page: String,
    /// On which kind of device.
    pub device: Device,
    /// From where the visitor came; none where a page of this site led here.
    pub source: Option<Source>,
}

/// Takes views in and writes them down from time to time; clones share it.
#[derive(Clone)]
pub struct Recorder(Arc<Inner>);

struct Inner {
    waiting: Mutex<Waiting>,
    /// Held by who writes down.
    writing: tokio::sync::Mutex<Written>,
    /// Where the salt lies; nowhere for a store in memory.
    file: Option<PathBuf>,
}

#[derive(Default)]
struct Waiting {
    salt: Option<Salt>,
    views: Vec<View>,
    dropped: BTreeMap<u64, u64>,
}

/// What was written down last.
#[derive(Default)]
struct Written {
    /// The day of the salt in the file.
    salt: Option<u64>,
    /// The day on which what is past was removed.
    tidied: Option<u64>,
}

impl Recorder {
    /// One for the house of `app`, which goes on with the salt of today where there is one. Where it cannot be read, there is
    /// another one, and who was here today counts once more.
    pub async fn open(app: &App) -> Recorder {
        let file = app.data.store.folder().map(|folder| folder.run().join(salt::FILE));
        let today = store::day_number(day::of(app.clock.now()));
        let salt = match file.clone() {
            Some(file) => salt::read(file, today).await.unwrap_or_default(),
            None => None,
        };
        let written = Written { salt: salt.as_ref().map(|salt| salt.day), tidied: None };
        let waiting = Mutex::new(Waiting { salt, ..Waiting::default() });
        Recorder(Arc::new(Inner { waiting, writing: tokio::sync::Mutex::new(written), file }))
    }

    /// Takes a view in, in memory alone.
    pub fn note(&self, now: DateTime<Utc>, visit: Visit<'_>) {
        let today = store::day_number(day::of(now));
        let mut waiting = self.waiting();
        if waiting.views.len() >= MOST_WAITING {
            *waiting.dropped.entry(today).or_default() += 1;
            return;
        }
        let salt = waiting.salt.take().filter(|salt| salt.day == today).unwrap_or_else(|| Salt::new(today));
        let Visit { address, agent, page, device, source } = visit;
        let view = View { day: today, visitor: salt.visitor(address, agent), page, device, source };
        waiting.salt = Some(salt);
        waiting.views.push(view);
    }

    /// Writes down what waits, and removes what is kept no longer: salt and visitors of a day that is over, and counts from
    /// before `analytics.keep_days`. What cannot be written waits on.
    ///
    /// # Errors
    /// Those of the store; `INTERNAL` where the salt cannot be written.
    pub async fn flush(&self, app: &App) -> Result<()> {
        let mut written = self.0.writing.lock().await;
        let today = store::day_number(day::of(app.clock.now()));
        self.keep_salt(today, &mut written).await?;
        let keep_days = app.config.section::<AnalyticsSettings>().keep_days;
        let oldest = today.saturating_sub(u64::from(keep_days) - 1);
        let (views, dropped) = self.take();
        let is_idle = views.is_empty() && dropped.is_empty();
        let is_tidy = written.tidied == Some(today)
            || is_idle && !app.data.store.read(move |tx| store::is_past(tx, today, oldest)).await?;
        if is_idle && is_tidy {
            written.tidied = Some(today);
            return Ok(());
        }
        let (views, dropped) = (Arc::new(views), Arc::new(dropped));
        let (of_views, of_dropped) = (views.clone(), dropped.clone());
        let added = app.data.store.write(move |tx| {
            store::add(tx, &of_views, &of_dropped)?;
            if is_tidy { Ok(()) } else { store::forget_past(tx, today, oldest) }
        });
        match added.await {
            Ok(()) => written.tidied = Some(today),
            Err(error) => {
                self.put_back(&views, &dropped);
                return Err(error);
            }
        }
        Ok(())
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self) -> (Vec<View>, BTreeMap<u64, u64>) {
        let mut waiting = self.waiting();
        (std::mem::take(&mut waiting.views), std::mem::take(&mut waiting.dropped))
    }

    /// What could not be written stands before what has come since.
    fn put_back(&self, views: &[View], dropped: &BTreeMap<u64, u64>) {
        let mut waiting = self.waiting();
        let since = std::mem::take(&mut waiting.views);
        waiting.views = views.iter().cloned().chain(since).collect();
        for (day, count) in dropped {
            *waiting.dropped.entry(*day).or_default() += count;
        }
    }

    /// Keeps the salt of today in its file, and removes that of another day.
    async fn keep_salt(&self, today: u64, written: &mut Written) -> Result<()> {
        let salt = {
            let mut waiting = self.waiting();
            waiting.salt = waiting.salt.take().filter(|salt| salt.day == today);
            waiting.salt.clone()
        };
        let day = salt.as_ref().map(|salt| salt.day);
        if day != written.salt
            && let Some(file) = self.0.file.clone()
        {
            salt::keep(file, salt).await?;
        }
        written.salt = day;
        Ok(())
    }
}

/// What was counted in the `period` that ends today, and in as many days before.
///
/// # Errors
/// Those of reading.
pub async fn report(app: &App, period: Period) -> Result<Analytics> {
    let now = app.clock.now();
    let today = day::of(now);
    let counted = app.data.store.read(move |tx| store::counted(tx, period, today)).await?;
    Ok(counted.answer(period, today, now))
}

//! Writes to providers that need somebody.

use serde::{Deserialize, Serialize};

use hanok::base::Result;
use hanok::platform::app::App;
use hanok::platform::store::WriteTx;
use hanok::platform::upstream::{Provider, WriteRequest};
use hanok::platform::writes::{OutboxEntry, Write, plan};

const NOBODY: Provider = Provider { name: "nobody", title_ko: "없음", title_en: "Nobody", setting: "nobody.address" };

/// A write of a kind that the house does not know, as one of another version: it is not carried out.
#[derive(Serialize, Deserialize)]
struct OfAnotherVersion {}

impl Write for OfAnotherVersion {
    const KIND: &'static str = "of_another_version";
    const TITLE: (&'static str, &'static str) = ("다른 버전의 요청", "A write of another version");
    const PROVIDER: &'static Provider = &NOBODY;

    fn target(&self) -> String {
        "nobody".to_owned()
    }

    async fn request(&self, _app: &App, _intent: &OutboxEntry) -> Result<WriteRequest> {
        WriteRequest::json("http://127.0.0.1:9", &"nothing")
    }

    fn example(_tx: &WriteTx) -> Result<Self> {
        Ok(OfAnotherVersion {})
    }
}

/// Plans a write that is not carried out. Gives its number.
pub async fn left_undone(app: &App) -> u64 {
    app.data.store.write(|tx| Ok(plan(tx, &OfAnotherVersion {})?.id)).await.unwrap()
}

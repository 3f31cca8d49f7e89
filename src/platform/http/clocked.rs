//! Callers of a machine whose clock is not set. By a year that cannot be no answer can be dated, and the HTTP library
//! panics of it: so a connection that comes then never reaches it, and is told why. One that was open already ends by that
//! panic: the library asks for the date before it asks anything of ours.

use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;

use super::no_request::in_our_shape;
use hanok_base::{Error, Kind, MessageTemplate};

/// For how long a caller may take to ask and to hear.
const PATIENCE: Duration = Duration::from_secs(5);
/// Bytes that are read at once.
const PIECE: usize = 4096;

const CLOCK_NOT_SET: MessageTemplate = MessageTemplate::new(
    "house.clock_not_set",
    "nothing is served: the clock of this machine says a year before 1971 or after 9998; set it (`date -s`, or a time \
     service)",
);

/// Says to whoever has asked something that nothing is served. `lines` are those of every answer. Who is not there any more
/// needs not be told.
pub(super) async fn tell(mut stream: impl AsyncRead + AsyncWrite + Unpin, lines: String) {
    let refused = Error::new(Kind::NotConfigured, CLOCK_NOT_SET);
    let said = async {
        if stream.read(&mut [0; PIECE]).await.is_ok_and(|read| read > 0) {
            let _ = stream.write_all(&in_our_shape("503 Service Unavailable", refused, &lines)).await;
            let _ = stream.shutdown().await;
            // What is left unread would reset the connection before the words have arrived.
            while stream.read(&mut [0; PIECE]).await.is_ok_and(|read| read > 0) {}
        }
    };
    let _ = timeout(PATIENCE, said).await;
}

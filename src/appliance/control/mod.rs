//! How the command line works on the house: through the control socket when the appliance runs, on the
//! store itself when it does not. Both do the same [`Command`].
//!
//! One connection, one command: the appliance says that it hears, a line of JSON goes there, with an open file where the
//! command is about one, lines of [`Reply`] come back, the last of them the result. An appliance that hangs takes connections all the same: who is not heard says nothing, so
//! that nothing is done later that was given up.

mod command;
mod handed;
mod offline;
mod place;
mod socket;

use std::fs::File;
use std::future::Future;
use std::io::{self, ErrorKind};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::unix::OwnedReadHalf;
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::{info, warn};

pub use command::{Command, Status};
use place::check_owner;
pub use place::{Needs, check_place};

use crate::domains;
use hanok_base::{Clock, Error, Message, Result};
use hanok_platform::app::App;
use hanok_platform::blocking;
use hanok_platform::config::Config;
use hanok_platform::store::DataFolder;

/// The longest command: a CSV file of draws, by hand.
const LONGEST_COMMAND: u64 = 64 << 20;
/// How long a caller may take to say what it wants.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long a caller waits to be heard.
const HEARD_WITHIN: Duration = Duration::from_secs(10);
/// How often to look whether the socket is there.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// No more commands are heard at once.
const MOST_CALLERS: usize = 32;
/// How long nobody is heard after the system gave no connection.
const AFTER_A_FAULT: Duration = Duration::from_secs(1);
/// How long commands under way may take to end when the appliance stops.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(5);

const NOT_HEARD: &str = "the appliance runs and does not answer, so nothing was done; see whether its process is stopped or its \
    disk hangs, or end it and start it again";

/// A line from the appliance.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Reply {
    /// It hears: the command may be said.
    Ready,
    /// How far it is.
    Progress(u8, String),
    /// What came out.
    Done(Value),
    /// Why nothing came out. The cause is for whoever may use the socket, as it is for whoever reads the log.
    Failed {
        code: String,
        message: String,
        #[serde(default)]
        cause: Option<String>,
    },
}

/// What a running command says on its way: percent and what happens now.
pub type Tell = mpsc::UnboundedSender<(u8, String)>;

/// How the house in this data folder is, when it runs.
///
/// # Errors
/// `CONFLICT` when it does not answer.
pub async fn running(config: &Config) -> Result<Option<Status>> {
    if !DataFolder::at(&config.data.dir).is_taken() {
        return Ok(None);
    }
    let status = perform(config, Command::Status, |_, _| ()).await?;
    serde_json::from_value(status).map(Some).map_err(Error::internal)
}

/// Does `command`: in the running appliance when there is one, on the data folder itself when not.
///
/// # Errors
/// Those of the command; `CONFLICT` when a running appliance does not answer.
pub async fn perform(config: &Config, command: Command, progress: impl FnMut(u8, &str)) -> Result<Value> {
    perform_with(config, command, None, progress).await
}

/// The same with an open file that the command is about.
///
/// # Errors
/// Those of [`perform`].
pub async fn perform_with(
    config: &Config,
    command: Command,
    file: Option<File>,
    progress: impl FnMut(u8, &str),
) -> Result<Value> {
    let folder = DataFolder::at(&config.data.dir);
    check_place(config, command.needs())?;
    let placing = command.begin_file(&folder)?;
    let begun = placing.as_ref().map(|placing| placing.file().try_clone()).transpose().map_err(Error::internal)?;
    let file = begun.or(file);
    let mut answer = match socket::connect(&folder).await {
        Ok(stream) => {
            let file = file.map_or_else(|| command.open_file(), |file| Ok(Some(file)))?;
            ask(stream, &command, file, progress).await?
        }
        Err(_) if folder.is_taken() => {
            return Err(Error::conflict(Message::english(
                "the appliance is starting or stopping; try again in a moment",
            )));
        }
        Err(_) => {
            check_owner(&folder)?;
            offline::perform(config.clone(), Clock::system(), command, file, progress).await?
        }
    };
    if let Some(placing) = placing {
        answer["bytes"] = placing.finish()?.into();
    }
    Ok(answer)
}

async fn ask(
    stream: UnixStream,
    command: &Command,
    file: Option<File>,
    mut progress: impl FnMut(u8, &str),
) -> Result<Value> {
    let broken = |error: std::io::Error| {
        Error::conflict(Message::english("the appliance ended in the middle of this")).because(error)
    };
    let (read, mut write) = stream.into_split();
    let mut lines = BufReader::new(read).lines();
    let heard = tokio::time::timeout(HEARD_WITHIN, lines.next_line()).await;
    let heard = heard.map_err(|_| Error::conflict(Message::english(NOT_HEARD)))?.map_err(broken)?;
    if !heard.is_some_and(|line| matches!(serde_json::from_str(&line), Ok(Reply::Ready))) {
        return Err(Error::conflict(Message::english(NOT_HEARD)));
    }
    let mut line = serde_json::to_vec(command).map_err(Error::internal)?;
    line.push(b'\n');
    let sent = match file {
        Some(file) => handed::send(write.as_ref(), &line, &file).await.map_err(broken)?,
        None => 0,
    };
    write.write_all(&line[sent..]).await.map_err(broken)?;
    while let Some(line) = lines.next_line().await.map_err(broken)? {
        match serde_json::from_str(&line).map_err(Error::internal)? {
            Reply::Ready => {}
            Reply::Progress(percent, what) => progress(percent, &what),
            Reply::Done(value) => return Ok(value),
            Reply::Failed { code, message, cause } => {
                return Err(Error { cause, ..domains::error_of(&code, message) });
            }
        }
    }
    Err(Error::conflict(Message::english("the appliance ended in the middle of this")))
}

/// Takes commands on the control socket until `stop`.
///
/// # Errors
/// When the socket cannot be made for another reason than lack of room.
pub(super) fn listen(app: App, stop: CancellationToken) -> Result<impl Future<Output = ()>> {
    let folder = app.data.store.folder().cloned();
    let mut listener = match &folder {
        Some(folder) => socket::bind(folder)?,
        None => None,
    };
    Ok(async move {
        let Some(folder) = folder else { return stop.cancelled().await };
        let mut callers = JoinSet::new();
        let begun_by_them = TaskTracker::new();
        loop {
            tokio::select! {
                () = stop.cancelled() => break,
                Some(_) = callers.join_next() => {}
                caller = next_caller(&mut listener, &folder), if callers.len() < MOST_CALLERS => match caller {
                    Ok(stream) => {
                        let answer = answer(app.clone(), stream, stop.clone());
                        callers.spawn(blocking::owned_by(begun_by_them.clone(), answer));
                    }
                    Err(error) => {
                        warn!(%error, "the control socket does not accept");
                        tokio::time::sleep(AFTER_A_FAULT).await;
                    }
                },
            }
        }
        let ended = async { while callers.join_next().await.is_some() {} };
        if tokio::time::timeout(SHUTDOWN_GRACE, ended).await.is_err() {
            info!("commands that have not ended are broken off");
            callers.shutdown().await;
            blocking::broken_off(&begun_by_them).await;
        }
        let _ = std::fs::remove_file(folder.control_socket());
    })
}

/// Waits for the next caller; without a socket, until there is one again.
async fn next_caller(listener: &mut Option<UnixListener>, folder: &DataFolder) -> io::Result<UnixStream> {
    loop {
        let caller = async {
            match listener {
                Some(listener) => listener.accept().await.map(|(stream, _)| stream),
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            caller = caller => return caller,
            () = tokio::time::sleep(LOOK_EVERY) => {}
        }
        // There was no room for it, or somebody has taken it away.
        if !folder.control_socket().exists() {
            *listener = socket::bind(folder).map_err(io::Error::other)?;
        }
    }
}

async fn answer(app: App, stream: UnixStream, stop: CancellationToken) {
    let (read, mut write) = stream.into_split();
    if send(&mut write, &Reply::Ready).await.is_err() {
        return;
    }
    // Who connects and says nothing must not keep the house from closing.
    let heard = tokio::select! {
        heard = tokio::time::timeout(PATIENCE, hear(read)) => heard,
        () = stop.cancelled() => return,
    };
    let Ok(Ok((line, file, mut read))) = heard else { return };
    if handed::has_gone(read.as_ref()) {
        return;
    }
    let (tell, mut told) = mpsc::unbounded_channel();
    let work = async move {
        let command: Command = serde_json::from_slice(&line).map_err(|error| {
            Error::conflict(Message::english("the command line and the appliance are of different versions"))
                .because(error)
        })?;
        command.run(&app, file, tell).await
    };
    tokio::pin!(work);
    let result = loop {
        tokio::select! {
            // What was told before the end is heard before the end.
            biased;
            Some((percent, what)) = told.recv() => {
                if send(&mut write, &Reply::Progress(percent, what)).await.is_err() {
                    return;
                }
            }
            result = &mut work => break result,
            // Nobody waits for it any more.
            () = gone(&mut read) => return,
        }
    };
    let reply = match result {
        Ok(value) => Reply::Done(value),
        Err(error) => {
            warn!(%error, "a command failed");
            Reply::Failed { code: error.code().to_owned(), message: error.message.to_string(), cause: error.cause }
        }
    };
    let _ = send(&mut write, &reply).await;
}

/// Ends when the caller has gone.
async fn gone(read: &mut OwnedReadHalf) {
    let mut more = [0; 64];
    while read.read(&mut more).await.is_ok_and(|read| read > 0) {}
}

/// The line that a caller says, with the file that comes with it, and the way by which it came.
async fn hear(read: OwnedReadHalf) -> io::Result<(Vec<u8>, Option<File>, OwnedReadHalf)> {
    let (mut line, file) = handed::receive(read.as_ref()).await?;
    let mut rest = BufReader::new(read.take(LONGEST_COMMAND));
    if !line.is_empty() && !line.ends_with(b"\n") {
        rest.read_until(b'\n', &mut line).await?;
    }
    // Who was cut off may have wanted to say more.
    if !line.ends_with(b"\n") {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    Ok((line, file, rest.into_inner().into_inner()))
}

async fn send(write: &mut (impl AsyncWriteExt + Unpin), reply: &Reply) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(reply)?;
    line.push(b'\n');
    write.write_all(&line).await
}

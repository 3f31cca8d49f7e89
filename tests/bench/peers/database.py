"""The database of a twin: SQLite in the folder FOLDER, as its manual advises for a server."""

import os
import sqlite3
import threading
from pathlib import Path

FOLDER = Path(os.environ["FOLDER"])

local = threading.local()
one_writer = threading.Lock()


def database() -> sqlite3.Connection:
    """One connection a thread, as SQLite wants it. What is committed is on disk."""
    if not hasattr(local, "connection"):
        connection = sqlite3.connect(FOLDER / "twin.db", isolation_level=None, timeout=30)
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        local.connection = connection
    return local.connection

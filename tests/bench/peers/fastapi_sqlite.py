"""The twin that hanok is measured against: FastAPI, uvicorn and SQLite, written as their manuals advise.

Three routes of the household door with the same JSON: the newest draw, a purchase that is written down and
checked against its draw, and a list of purchases. Every write is one transaction with synchronous=FULL, so an
answered purchase is on disk, as in hanok.

    FOLDER=folder uvicorn fastapi_sqlite:app --port 8000        # folder/draws.json holds the draws
"""

import json
import sqlite3
from datetime import date, datetime, time, timedelta, timezone
from typing import Annotated, Literal

from fastapi import FastAPI, Query
from pydantic import BaseModel, Field, field_validator

from database import FOLDER, database, one_writer

SEOUL = timezone(timedelta(hours=9))
FIRST_DRAW = date(2002, 12, 7)
RANK_BY_MATCHES = {6: 1, 5: 3, 4: 4, 3: 5}

app = FastAPI()


class Prize(BaseModel):
    rank: int
    winners: int | None
    prize_each: int | None


class Methods(BaseModel):
    auto: int
    manual: int
    semi_auto: int


class NextDraw(BaseModel):
    draw_no: int
    at: datetime
    sales_close_at: datetime


class Latest(BaseModel):
    draw_no: int
    date: date
    numbers: list[int]
    bonus: int
    total_sales: int | None
    prizes: list[Prize]
    first_prize_methods: Methods | None
    published: str
    next_draw: NextDraw
    age_days: int
    missing: int
    source: str
    as_of: datetime | None
    stale: bool
    conflicts: list[dict]


class SetResult(BaseModel):
    numbers: list[int]
    rank: int | None
    matched: list[int]
    bonus_matched: bool
    prize: int | None


class Purchase(BaseModel):
    id: int
    draw_no: int
    sets: list[list[int]]
    count: int
    numbers_known: bool
    amount: int
    note: str
    created_at: datetime
    tier_mode: str | None
    status: Literal["waiting", "checked", "manual"]
    results: list[SetResult]
    prize: int | None
    net: int | None


class Purchases(BaseModel):
    purchases: list[Purchase]
    total: int


class NewPurchase(BaseModel):
    draw_no: int = Field(ge=1, le=5000)
    sets: list[list[int]] = Field(min_length=1, max_length=100)
    amount: int | None = Field(default=None, ge=0, le=10_000_000)
    note: str = Field(default="", max_length=500)

    @field_validator("sets")
    @classmethod
    def six_different_numbers(cls, sets):
        for one in sets:
            if len(set(one)) != 6 or any(not 1 <= number <= 45 for number in one):
                raise ValueError("must be six different numbers from 1 to 45")
        return [sorted(one) for one in sets]


@app.get("/api/lotto/latest")
def latest() -> Latest:
    newest = database().execute("SELECT draw FROM draws ORDER BY draw_no DESC LIMIT 1").fetchone()
    count = database().execute("SELECT count(*) FROM draws").fetchone()[0]
    draw = json.loads(newest[0])
    now = datetime.now(SEOUL)
    coming = (now.date() - FIRST_DRAW).days // 7 + 2
    if now.date() == day_of(coming - 1) and now.time() < time(20, 35):
        coming -= 1
    on = day_of(coming)
    missing = max(coming - 1 - count, 0)
    at = datetime.combine(on, time(20, 35), SEOUL)
    return Latest(
        **draw,
        next_draw=NextDraw(draw_no=coming, at=at, sales_close_at=at - timedelta(minutes=35)),
        age_days=(now.date() - date.fromisoformat(draw["date"])).days,
        missing=missing,
        source="built_in",
        as_of=None,
        stale=missing > 0,
        conflicts=[],
    )


@app.get("/api/lotto/purchase")
def purchases(limit: Annotated[int, Query(ge=1, le=500)] = 100, offset: Annotated[int, Query(ge=0)] = 0) -> Purchases:
    rows = database().execute("SELECT * FROM purchases ORDER BY draw_no DESC, id DESC LIMIT ? OFFSET ?", (limit, offset))
    total = database().execute("SELECT count(*) FROM purchases").fetchone()[0]
    return Purchases(purchases=[of_row(row) for row in rows], total=total)


@app.post("/api/lotto/purchase", status_code=201)
def add_purchase(new: NewPurchase) -> Purchase:
    found = database().execute("SELECT draw FROM draws WHERE draw_no = ?", (new.draw_no,)).fetchone()
    amount = 1000 * len(new.sets) if new.amount is None else new.amount
    results = [compare(one, json.loads(found[0])) for one in new.sets] if found else []
    prize = sum(result["prize"] for result in results) if found else None
    row = {
        "draw_no": new.draw_no,
        "sets": json.dumps(new.sets),
        "count": len(new.sets),
        "numbers_known": True,
        "amount": amount,
        "note": new.note,
        "created_at": datetime.now(timezone.utc).isoformat(),
        "tier_mode": None,
        "status": "checked" if found else "waiting",
        "results": json.dumps(results),
        "prize": prize,
        "net": prize - amount if found else None,
    }
    names = ", ".join(f'"{name}"' for name in row)
    marks = ", ".join("?" for _ in row)
    with one_writer:
        connection = database()
        connection.execute("BEGIN IMMEDIATE")
        cursor = connection.execute(f"INSERT INTO purchases ({names}) VALUES ({marks})", tuple(row.values()))
        connection.execute("COMMIT")
    return Purchase(id=cursor.lastrowid, **{**row, "sets": new.sets, "results": results})


def compare(one: list[int], draw: dict) -> dict:
    matched = [number for number in one if number in draw["numbers"]]
    bonus = draw["bonus"] in one
    rank = 2 if len(matched) == 5 and bonus else RANK_BY_MATCHES.get(len(matched))
    prize = draw["prizes"][rank - 1]["prize_each"] or 0 if rank else 0
    return {"numbers": one, "rank": rank, "matched": matched, "bonus_matched": bonus, "prize": prize}


def of_row(row: sqlite3.Row) -> Purchase:
    return Purchase(**{**dict(row), "sets": json.loads(row["sets"]), "results": json.loads(row["results"])})


def day_of(draw_no: int) -> date:
    return FIRST_DRAW + timedelta(weeks=draw_no - 1)


def prepare() -> None:
    database().executescript(
        """
        CREATE TABLE IF NOT EXISTS draws (draw_no INTEGER PRIMARY KEY, draw TEXT NOT NULL);
        CREATE TABLE IF NOT EXISTS purchases (
            id INTEGER PRIMARY KEY AUTOINCREMENT, draw_no INTEGER NOT NULL, sets TEXT NOT NULL, count INTEGER NOT NULL,
            numbers_known BOOLEAN NOT NULL, amount INTEGER NOT NULL, note TEXT NOT NULL, created_at TEXT NOT NULL,
            tier_mode TEXT, status TEXT NOT NULL, results TEXT NOT NULL, prize INTEGER, net INTEGER);
        CREATE INDEX IF NOT EXISTS purchases_by_draw ON purchases (draw_no DESC, id DESC);
        CREATE INDEX IF NOT EXISTS purchases_by_time ON purchases (created_at);
        CREATE INDEX IF NOT EXISTS purchases_by_prize ON purchases (prize);
        """
    )
    draws = json.loads((FOLDER / "draws.json").read_text(encoding="utf-8"))
    database().execute("BEGIN IMMEDIATE")
    rows = [(draw["draw_no"], json.dumps(draw)) for draw in draws]
    database().executemany("INSERT OR REPLACE INTO draws VALUES (?, ?)", rows)
    database().execute("COMMIT")


prepare()

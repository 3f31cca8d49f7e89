"""The twin of search and customer site: FastAPI, Jinja2 and SQLite, written as their manuals advise.

The first page of the site, written from a template for each visitor; posts found by what stands in title or body, which
is a LIKE, as the filter `~` of Ghost's interface is; and the form of a request, which is checked and saved. Every write is
one transaction with synchronous=FULL. No mails go out, nobody is slowed down, nothing else is noted: it does less than
hanok does for the same request.

    FOLDER=folder uvicorn site_sqlite:app --port 8000        # folder/posts.json holds the posts
"""

import hashlib
import json
import secrets
import uuid
from datetime import datetime, timezone
from pathlib import Path
from typing import Annotated, Literal

from fastapi import FastAPI, Query, Request
from fastapi.responses import HTMLResponse
from fastapi.templating import Jinja2Templates
from pydantic import BaseModel, ConfigDict, Field

from database import FOLDER, database, one_writer

WHERE = r"title LIKE :part ESCAPE '\' OR body LIKE :part ESCAPE '\'"

app = FastAPI()
templates = Jinja2Templates(directory=Path(__file__).parent / "templates")

SHOP = {
    "name": "hanok",
    "lead": "필요한 일을 함께 정리하고, 끝까지 만들어 드립니다.",
    "offers": [
        {
            "path": "/contact",
            "name": "의뢰하기",
            "lead": "무엇이 필요한지 몇 가지만 골라 적어 주세요. 접수하면 진행 상황을 볼 수 있는 링크를 메일로 보내 드립니다.",
            "way": [
                "의뢰를 보내면 바로 접수되고, 링크를 메일로 받습니다.",
                "내용을 검토하고 견적을 보내 드립니다.",
                "견적을 받아들이시면 일을 시작합니다.",
                "끝날 때까지 링크에서 진행 상황을 봅니다.",
            ],
            "call": "의뢰 시작하기",
        }
    ],
    "particulars": [],
}


class Post(BaseModel):
    id: int
    title: str
    body: str


class Found(BaseModel):
    results: list[Post]
    total: int


class NewRequest(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    name: str = Field(min_length=1, max_length=50)
    email: str = Field(max_length=100, pattern=r"^[^@\s]{1,64}@([A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,63}$")
    message: str = Field(min_length=1, max_length=3000)
    phone: str = Field(default="", pattern=r"^([0-9 ().+-]{7,20})?$")
    service: str = Field(default="", max_length=100)
    project_type: str = Field(default="", max_length=100)
    budget: str = Field(default="", max_length=100)
    timeline: str = Field(default="", max_length=100)
    language: Literal["ko", "en"] = "ko"


class Received(BaseModel):
    id: str
    status: str
    public_token: str
    track_url: str
    created_at: datetime


@app.get("/", response_class=HTMLResponse)
async def home(request: Request):
    return templates.TemplateResponse(
        request=request,
        name="home.html",
        context={"shop": SHOP, "path": "/", "origin": str(request.base_url).rstrip("/"), "theme": None},
    )


@app.get("/api/search")
def search(
    q: Annotated[str, Query(min_length=1, max_length=200)],
    limit: Annotated[int, Query(ge=1, le=500)] = 20,
    offset: Annotated[int, Query(ge=0)] = 0,
) -> Found:
    escaped = q.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    sought = {"part": f"%{escaped}%", "limit": limit, "offset": offset}
    page = f"SELECT id, title, body FROM posts WHERE {WHERE} ORDER BY id DESC LIMIT :limit OFFSET :offset"
    rows = database().execute(page, sought).fetchall()
    total = database().execute(f"SELECT count(*) FROM posts WHERE {WHERE}", {"part": sought["part"]}).fetchone()[0]
    return Found(results=[Post(**dict(row)) for row in rows], total=total)


@app.post("/api/contact", status_code=201)
def submit(new: NewRequest, request: Request) -> Received:
    token = secrets.token_urlsafe(24)
    row = {
        **new.model_dump(),
        "id": str(uuid.uuid4()),
        "status": "pending",
        "token_hash": hashlib.sha256(token.encode()).hexdigest(),
        "created_at": datetime.now(timezone.utc).isoformat(),
    }
    names = ", ".join(row)
    marks = ", ".join(f":{name}" for name in row)
    with one_writer:
        connection = database()
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(f"INSERT INTO requests ({names}) VALUES ({marks})", row)
        connection.execute("COMMIT")
    return Received(**row, public_token=token, track_url=f"{request.base_url}contact/{token}")


def prepare() -> None:
    database().executescript(
        """
        CREATE TABLE IF NOT EXISTS posts (id INTEGER PRIMARY KEY, title TEXT NOT NULL, body TEXT NOT NULL);
        CREATE TABLE IF NOT EXISTS requests (
            id TEXT PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, message TEXT NOT NULL, phone TEXT NOT NULL,
            service TEXT NOT NULL, project_type TEXT NOT NULL, budget TEXT NOT NULL, timeline TEXT NOT NULL,
            language TEXT NOT NULL, status TEXT NOT NULL, token_hash TEXT NOT NULL, created_at TEXT NOT NULL);
        CREATE UNIQUE INDEX IF NOT EXISTS requests_by_token ON requests (token_hash);
        CREATE INDEX IF NOT EXISTS requests_by_status ON requests (status, created_at);
        CREATE INDEX IF NOT EXISTS requests_by_mail ON requests (email);
        """
    )
    posts = json.loads((FOLDER / "posts.json").read_text(encoding="utf-8"))
    rows = [(number, post["title"], post["body"]) for number, post in enumerate(posts, start=1)]
    database().execute("BEGIN IMMEDIATE")
    database().executemany("INSERT OR REPLACE INTO posts VALUES (?, ?, ?)", rows)
    database().execute("COMMIT")


prepare()

"""Makes listings.csv and indices.csv. Run as: python3 make.py FOLDER, which holds the files named in README.md."""

import csv
import gzip
import pathlib
import sys

SOURCE = pathlib.Path(sys.argv[1])
HERE = pathlib.Path(__file__).parent
FIRST_DAY = "2021-03-22"


def rows(name):
    with gzip.open(SOURCE / name, "rt", encoding="utf-8-sig", newline="") as file:
        yield from csv.DictReader(file)


def market(name):
    return "KOSDAQ" if name.startswith("KOSDAQ") else name


listings = {}
for row in rows("companies-2026-03-18.csv.gz"):
    listings[row["Code"]] = (row["Name"].strip(), market(row["Market"]), row["Industry"].strip())
for row in rows("2026-03-18.csv.gz"):
    code = row["Code"]
    listings.setdefault(code, (row["Name"].strip(), market(row["Market"]), ""))
# A preferred share is of the sector of its company, whose common share ends in 0.
for code, (name, where, sector) in listings.items():
    if not sector:
        listings[code] = (name, where, listings.get(code[:5] + "0", ("", "", ""))[2])
with open(HERE / "listings.csv", "w", encoding="utf-8", newline="") as file:
    out = csv.writer(file, lineterminator="\n")
    out.writerow(["code", "name", "market", "sector"])
    out.writerows([code, *listings[code]] for code in sorted(listings))

closes = {}
for column, name in enumerate(["ks11", "kq11", "ks200"]):
    for row in rows(f"index-{name}.csv.gz"):
        if row["Date"] >= FIRST_DAY:
            closes.setdefault(row["Date"], ["", "", ""])[column] = row["Close"]
with open(HERE / "indices.csv", "w", encoding="utf-8", newline="") as file:
    out = csv.writer(file, lineterminator="\n")
    out.writerow(["date", "KOSPI", "KOSDAQ", "KOSPI200"])
    out.writerows([day, *closes[day]] for day in sorted(closes))

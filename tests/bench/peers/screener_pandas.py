"""The ten rules of the screener in pandas, over one wide frame for each column, as its manual advises.

python screener_pandas.py bars.csv 20: the median milliseconds of twenty times, without reading the table, and how many pass.
"""

import sys
import time

import numpy as np
import pandas as pd

bars = pd.read_csv(sys.argv[1], usecols=["Date", "Code", "Close", "High", "Low", "Amount", "Stocks"], dtype={"Code": str})
close, high, low, amount, stocks = (
    bars.pivot(index="Date", columns="Code", values=name).astype(float) for name in ["Close", "High", "Low", "Amount", "Stocks"]
)


def wilder(frame, days):
    return frame.ewm(alpha=1 / days, adjust=False, min_periods=days).mean()


def screen():
    last = close.iloc[-1]
    change = close.diff()
    gain, loss = wilder(change.clip(lower=0), 14).iloc[-1], wilder(-change.clip(upper=0), 14).iloc[-1]
    rsi = 100 * gain / (gain + loss)
    line = close.ewm(span=12, adjust=False).mean() - close.ewm(span=26, adjust=False).mean()
    histogram = (line - line.ewm(span=9, adjust=False).mean()).iloc[-1]
    window = close.tail(20)
    middle, deviation = window.mean(), window.std(ddof=0)
    place = (last - middle + 2 * deviation) / (4 * deviation) * 100
    before = close.shift()
    ranges = np.fmax(np.fmax(high - low, (high - before).abs()), (low - before).abs())
    atr = wilder(ranges, 14).iloc[-1] / last * 100
    return (
        (last >= 1_000)
        & (last * stocks.iloc[-1] >= 1e10)
        & (amount.tail(20).mean() >= 1e8)
        & (last >= close.tail(60).mean())
        & (last >= close.iloc[-61])
        & rsi.between(30, 80)
        & (histogram >= 0)
        & place.between(0, 120)
        & (atr <= 20)
        & last.notna()
    )


times = []
for _ in range(int(sys.argv[2])):
    begun = time.perf_counter()
    passed = screen()
    times.append(time.perf_counter() - begun)
print(f"{sorted(times)[len(times) // 2] * 1000:.3f} {int(passed.sum())}")

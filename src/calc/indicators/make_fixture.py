"""Makes fixture.csv: what TA-Lib says of 300 closes of the KOSPI index.

pip install TA-Lib==0.8.2 pandas==3.1.1
python make_fixture.py index-ks11.csv.gz > fixture.csv

The table that goes in has the columns Date, Open, High, Low, Close. A cell is empty in the warm-up.
"""

import sys

import pandas as pd
import talib

bars = pd.read_csv(sys.argv[1]).tail(300)
high, low, close = (bars[name].to_numpy(float) for name in ("High", "Low", "Close"))
table = {"date": bars["Date"].to_numpy(), "high": high, "low": low, "close": close}
table["sma20"] = talib.SMA(close, 20)
table["ema20"] = talib.EMA(close, 20)
table["rsi14"] = talib.RSI(close, 14)
table["macd"], table["signal"], table["histogram"] = talib.MACD(close, 12, 26, 9)
table["upper"], table["middle"], table["lower"] = talib.BBANDS(close, 20, 2, 2)
table["atr14"] = talib.ATR(high, low, close, 14)
table["roc20"] = talib.ROC(close, 20)
pd.DataFrame(table).round(8).to_csv(sys.stdout, index=False)

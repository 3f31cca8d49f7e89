import { expect, test } from 'vitest';
import { readQuote, readSentiment } from './quote';

const chart = (meta: object) => ({ chart: { result: [{ meta }], error: null } });
const said = (meta: object) => {
  const quote = readQuote(chart(meta));
  return quote && [quote.value, quote.change, quote.changePercent];
};

test.each([
  // Worked out by hand: 4012.37 − 3990.11 = 22.26; 22.26 / 3990.11 = 0.5578793… %.
  ['the change is since the previous close', { regularMarketPrice: 4012.37, previousClose: 3990.11 }, [4012.37, 22.26, 0.56]],
  ['a fall is below zero', { regularMarketPrice: 97, previousClose: 100 }, [97, -3, -3]],
  ['no change is zero, which is known', { regularMarketPrice: 100, previousClose: 100 }, [100, 0, 0]],
  ['the close before the chart stands in for the previous close', { regularMarketPrice: 16.5, chartPreviousClose: 15 }, [16.5, 1.5, 10]],
  ['the previous close goes before that of the chart', { regularMarketPrice: 16.5, previousClose: 16, chartPreviousClose: 15 }, [16.5, 0.5, 3.13]],
  ['without either nothing is said of a change', { regularMarketPrice: 78.3 }, [78.3, null, null]],
  ['null and zero are no close', { regularMarketPrice: 78.3, previousClose: null, chartPreviousClose: 0 }, [78.3, null, null]],
  ['halves go away from zero, as they are spelled', { regularMarketPrice: 1.005, previousClose: 2.68 }, [1.01, -1.67, -62.31]],
  ['a price of zero is a price', { regularMarketPrice: 0, previousClose: 4 }, [0, -4, -100]],
  ['a number in quotes is one', { regularMarketPrice: '4.25', previousClose: '4.2' }, [4.25, 0.05, 1.19]],
])('%s', (_, meta, expected) => {
  expect(said(meta)).toEqual(expected);
});

test.each([[{ previousClose: 3 }], [{ regularMarketPrice: null }], [{ regularMarketPrice: 'n/a' }]])('without a price there is no quote: %j', (meta) => {
  expect(readQuote(chart(meta))).toBeUndefined();
});

test('what is no chart is no quote', () => {
  for (const answer of [null, 'text', {}, { chart: { result: null, error: { code: 'Not Found' } } }, { chart: { result: [] } }]) expect(readQuote(answer)).toBeUndefined();
});

test('the time of the last trade is an instant', () => {
  expect(readQuote(chart({ regularMarketPrice: 1, regularMarketTime: 1_764_300_000 }))?.asOf).toBe('2025-11-28T03:20:00.000Z');
  expect(readQuote(chart({ regularMarketPrice: 1 }))?.asOf).toBeNull();
});

test('sentiment is the word of its provider, or the part of the scale in which its score lies', () => {
  const mood = (score: number | null, rating?: string) => readSentiment({ fear_and_greed: { score, rating, previous_close: 50.2 } })?.mood;
  expect([mood(12.4, 'extreme fear'), mood(60, 'greed'), mood(12), mood(30), mood(50), mood(70), mood(90)])
    .toEqual(['extreme_fear', 'greed', 'extreme_fear', 'fear', 'neutral', 'greed', 'extreme_greed']);
  expect(mood(null)).toBeUndefined();
  expect(readSentiment({})).toBeUndefined();
});

import { expect, test } from 'vitest';
import { inLanguage } from '../../../lib/catalogue';
import { fill } from '../../../lib/i18n.svelte';
import all from '../messages.json';
import { evenness, pValue } from './evenness';

const [korean, english] = [inLanguage(all.statistics, 'ko'), inLanguage(all.statistics, 'en')];
const said = (catalogue: typeof english, p: number) => fill(catalogue[p < 0.01 ? 'uniformity.suspicious' : 'uniformity.uniform'], evenness(p));

test('counts that a fair draw hardly gives are never told as none in a hundred', () => {
  for (const [p, rare, hardly, value] of [
    [0.0099, 'once in 100 (', ' 100번에 한 번도', '(p = 0.0099)'],
    [0.004, 'once in 100 (', ' 100번에 한 번도', '(p = 0.0040)'],
    [0.001, 'once in 100 (', ' 100번에 한 번도', '(p = 0.0010)'],
    [0.00099, 'once in 1,000 (', ' 1,000번에 한 번도', '(p = 0.0010)'],
    [0.00004, 'once in 10,000 (', ' 10,000번에 한 번도', '(p < 0.0001)'],
    [0, 'once in 10,000 (', ' 10,000번에 한 번도', '(p < 0.0001)'],
  ] as const) {
    expect(said(english, p)).toContain(`less than ${rare}`);
    expect(said(korean, p)).toContain(hardly);
    for (const catalogue of [english, korean]) expect(said(catalogue, p)).toContain(value);
  }
});

test('counts that a fair draw often gives are told in a hundred times', () => {
  expect(said(english, 0.412)).toContain('41 times in 100 (p = 0.412)');
  expect(said(english, 0.01)).toContain(' 1 time in 100 (p = 0.010)');
  expect(said(korean, 0.412)).toContain('100번 중 41번꼴로 생깁니다(p = 0.412)');
  expect([pValue(1), pValue(0.0001), pValue(0.00009)]).toEqual(['1.000', '0.0001', '< 0.0001']);
});

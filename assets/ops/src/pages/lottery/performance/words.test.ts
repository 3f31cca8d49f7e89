import { expect, test } from 'vitest';
import { fill } from '../../../lib/i18n.svelte';
import english from '../messages/performance.en.json';
import korean from '../messages/performance.ko.json';
import { countOutside } from './outside';

const needed = { edge: '10', games: '33,071', matches: '754' };

test('the years that a proof takes name their measure, and the games of the picture theirs', () => {
  expect([fill(english['performance.years'], { years: '127' }), fill(english['performance.proof.text'], needed)]).toEqual([
    '127 years',
    'By the rate of any prize, to prove that a method is 10% better takes 33,071 games: this long at five a week. By the mean number of matches, which the picture shows, it takes 754 games.',
  ]);
  expect([fill(korean['performance.years'], { years: '127' }), fill(korean['performance.proof.text'], needed)]).toEqual([
    '127년',
    '등수를 가리지 않은 당첨률로 10% 나은 방법임을 보이려면 33,071게임, 주 5게임으로 이만큼 걸립니다. 그림의 잣대인 평균 적중 개수로는 754게임이 듭니다.',
  ]);
});

test('what the methods have matched is compared with chance, and so is how far fair histories stray', () => {
  const beside = (words: Record<string, string>) => `${words['performance.against']} −3.1%, ${fill(words['performance.band'] ?? '', { band: '2.9' })}`;
  expect(beside(english)).toBe('Mean matches against chance −3.1%, 95 of 100 fair histories stay within ±2.9% of chance');
  expect(beside(korean)).toBe('평균 적중을 우연과 비교 −3.1%, 공정한 추첨 100번 가운데 95번은 우연에서 ±2.9% 안에 듭니다');
});

test('the picks that were given are those that were kept, and which are is said', () => {
  const said = { count: '47', average: '0.83', replaced: '50' };
  expect(fill(english['performance.picks'], said)).toBe(
    'Of the picks really given, the 47 that were kept matched 0.83 on average. Where a report or briefing is made anew, what it had counts too, for each draw that of the 50 replaced last; earlier versions of the app did not keep it.',
  );
  expect(fill(korean['performance.picks'], said)).toContain('남아 있는 47조합은 평균 0.83개를 맞혔습니다. 리포트나 브리핑을 다시 만들면 앞선 것의 조합도 회차마다 마지막으로 바뀐 50건까지 셉니다. 이전 버전에서는 남겨 두지 않았습니다.');
});

test('a method outside of chance is named in the heading, with how often chance alone does that', () => {
  const of = (low: number, high: number) => ({ ratio_to_chance: { ratio: (low + high) / 2, low, high } });
  expect([countOutside([of(0.9, 1.1), of(0.8, 1)]), countOutside([of(1.01, 1.2), of(0.9, 1.1)]), countOutside([of(0.8, 0.99), of(1.01, 1.1)])]).toEqual([0, 1, 2]);
  const said = { count: 1, of: 6, share: '23%' };
  expect(fill(english['performance.outside'], said)).toBe('1 of 6 methods stands outside the 95% range of chance, and chance alone puts one or more there 23% of the time');
  expect(fill(korean['performance.outside'], said)).toBe('6가지 가운데 1가지가 우연의 95% 범위를 벗어났습니다. 우연만으로도 하나 이상은 23%의 경우에 그렇습니다');
});

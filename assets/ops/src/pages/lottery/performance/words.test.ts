import { expect, test } from 'vitest';
import { inLanguage } from '../../../lib/catalogue';
import { fill } from '../../../lib/i18n.svelte';
import all from '../messages.json';
import { outside } from './outside';

const [korean, english] = [inLanguage(all.performance, 'ko'), inLanguage(all.performance, 'en')];
const needed = { edge: '10', games: '33,071', matches: '754' };

test('the years that a proof takes name their measure, and the games of the picture theirs', () => {
  expect([fill(english['performance.years'], { years: '127' }), fill(english['performance.proof.text'], needed)]).toEqual([
    '127 years',
    'To prove by the rate of any prize that a method is 10% better takes 33,071 games: this long at five a week. By the average number of matches it takes 754 games.',
  ]);
  expect([fill(korean['performance.years'], { years: '127' }), fill(korean['performance.proof.text'], needed)]).toEqual([
    '127년',
    '전체 당첨률로 10% 나은 방법임을 증명하려면 33,071게임이 필요합니다. 주 5게임으로 이만큼 걸립니다. 평균 일치 개수로는 754게임이 필요합니다.',
  ]);
});

test('what the methods have matched is compared with chance, and so is how far fair histories stray', () => {
  const beside = (words: Record<string, string>) => `${words['performance.against']} −3.1%, ${fill(words['performance.band'] ?? '', { band: '2.9' })}`;
  expect(beside(english)).toBe('Mean matches against chance −3.1%, 95 of 100 fair histories stay within ±2.9% of chance');
  expect(beside(korean)).toBe('평균 일치 개수를 우연과 비교 −3.1%, 공정한 추첨 100번 중 95번은 우연의 ±2.9% 안에 있습니다');
});

test('what chance gives is said to be an average, most of it first prizes, so that most replays get less', () => {
  expect(fill(english['performance.money.line'], { share: '56%' })).toContain('on average: 56%, the odds of each rank times what it paid. More than half of that comes from first prizes, which hardly ever occur: most replays get far less.');
  expect(fill(korean['performance.money.line'], { share: '56%' })).toContain('평균적으로 돌려받는 비율 56%로, 등수별 당첨 확률에 그 회차의 당첨금을 곱해 더한 값입니다. 그중 절반 이상은 거의 나오지 않는 1등의 몫이라 대개는 훨씬 적게 돌려받습니다.');
});

test('the picks that were given are those that were kept, and which are is said', () => {
  const said = { count: '47', average: '0.83', replaced: '50' };
  expect(fill(english['performance.picks'], said)).toBe(
    'The 47 saved picks matched 0.83 on average. Where a report or briefing was created again, the last 50 earlier versions of each draw count too; earlier versions of the app did not save them.',
  );
  expect(fill(korean['performance.picks'], said)).toContain('저장된 47개는 평균 0.83개가 일치했습니다. 리포트나 브리핑을 다시 만든 경우, 이전 버전의 조합도 회차마다 최근 50건까지 포함합니다. 이전 버전의 앱에서는 저장하지 않았습니다.');
});

test('the methods outside of chance are named in the heading, with how often chance alone puts as many there', () => {
  const of = (low: number, high: number) => ({ ratio_to_chance: { ratio: (low + high) / 2, low, high } });
  const [within, above, below] = [of(0.9, 1.1), of(1.01, 1.2), of(0.8, 0.99)];
  const fair = { none: 0.74, one: 0.21, more: 0.05 };
  expect(outside([within, of(0.8, 1)], fair)).toBeNull();
  expect(outside([above, within], fair)).toMatchObject({ methods: [above], least: 1, share: 0.26 });
  expect(outside([above, within, below], fair)).toMatchObject({ methods: [above, below], least: 2, share: 0.05 });
  expect(outside([above, below, above], fair)).toMatchObject({ least: 2, share: 0.05 });
  const one = { names: 'Random', least: 1, of: 6, share: '26%' };
  expect(fill(english['performance.outside'], one)).toBe('Outside the 95% range of chance: Random. By chance alone at least 1 of 6 methods lies there 26% of the time');
  const two = { names: '무작위, 균형', least: 2, of: 6, share: '5%' };
  expect(fill(korean['performance.outside'], two)).toBe('우연의 95% 범위를 벗어난 방법: 무작위, 균형. 우연만으로도 6가지 중 2가지 이상이 벗어날 확률은 5%입니다');
  expect(fill(english['performance.outside'], { ...one, least: 2, share: '5%' })).toContain('at least 2 of 6 methods lie there 5% of the time');
});

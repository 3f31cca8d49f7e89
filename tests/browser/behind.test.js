/** What was picked before newer draws came in, and what was made before it was made anew: both are told as what they are. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newVisitor, openBrowser, settled, sticksOut, violations, visit } from './browser.js';
import { get, openHouse, post, sentences } from './house.js';
import { openOperator } from './operator.js';

let browser;
const say = await sentences('ko');

before(async () => (browser = await openBrowser()));
after(() => browser?.close());

test('picks that do not know the newest draws say so wherever they are shown, until they are picked anew', async (t) => {
  const operator = await openOperator(t);
  const house = await openHouse(t, { settings: { HANOK_LOTTERY__OPERATOR: operator.address } });
  const { page, flaws } = await newVisitor(t, browser, house, { width: 390, height: 844 });
  await get(house, '/api/lotto/recommend?seed=7');
  await get(house, '/api/lotto/recommend/combined?seed=7');
  await post(house, '/api/admin/simulate?n_candidates=1000&seed=7');
  await visit(page, '/lottery');
  await settled(page);
  const newest = (await get(house, '/api/lotto/latest')).next_draw.draw_no - 1;
  const told = page.getByText(say('lottery', 'behind', { draw: 1245, count: newest - 1245 }));
  assert.equal(await told.count(), 0);

  // In the last three draws there are the numbers that were picked because they were not in the three before.
  const { history: [{ numbers }] } = await get(house, '/api/history');
  const bonus = [45, 44, 43, 42, 41, 40, 39].find((number) => !numbers.includes(number));
  for (let draw = 1246; draw <= newest; draw += 1) operator.publish(draw, numbers, bonus);
  await post(house, '/api/lotto/sync');
  await page.getByText(say('lottery', 'current')).waitFor();
  await told.nth(2).waitFor();
  assert.equal(await told.count(), 3, 'the recommendation, the combined sets and the best picks');
  const reasons = (await page.locator('ul.say li').allInnerTexts()).filter((reason) => reason.includes('당첨번호를 피했습니다'));
  assert.deepEqual(reasons, [say('lottery', 'behind.reason', { draw: 1245, text: '최근 3회 당첨번호를 피했습니다' })]);
  assert.deepEqual([await sticksOut(page), await violations(page)], [[], []]);

  await visit(page, '/');
  await page.getByText(say('lottery', 'today.picks.behind', { draw: 1245 })).waitFor();
  await visit(page, '/lottery');
  for (const [key, left] of [['recommend', 2], ['combined', 1]]) {
    const card = page.getByRole('region', { name: say('lottery', key), exact: true }).or(page.locator('section').filter({ has: page.getByRole('heading', { name: say('lottery', key), exact: true }) })).first();
    await told.nth(left).waitFor();
    await card.locator('.behind').getByRole('button', { name: say('lottery', 'recommend.again') }).click();
    await told.nth(left).waitFor({ state: 'detached' });
    assert.equal(await told.count(), left);
  }
  await page.locator('.behind').getByRole('link', { name: say('lottery', 'recommend.again') }).click();
  await told.waitFor();
  await page.locator('.behind').getByRole('button', { name: say('lottery', 'recommend.again') }).click();
  await page.getByText(say('lottery', 'simulate.best.title')).waitFor();
  assert.equal(await told.count(), 0);
  await visit(page, '/lottery');
  await page.getByText(say('lottery', 'best.text', { draw: newest + 1, based: newest })).waitFor();
  assert.equal(await told.count(), 0);
  assert.deepEqual(flaws, []);
});

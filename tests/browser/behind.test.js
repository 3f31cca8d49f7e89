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

test('a report and a briefing are made anew once that is asked back, and what was there can be seen and written down', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house, { width: 390, height: 844 });
  await post(house, '/api/lotto/report');
  await post(house, '/api/lotto/briefing');
  const made = { report: await get(house, '/api/lotto/report/latest'), briefing: await get(house, '/api/lotto/briefing/latest') };

  for (const [kind, path, sets] of [
    ['report', '/lottery/reports', (one) => one.recommended_sets],
    ['briefing', '/lottery/reports/briefing', (one) => one.tiers[0].picks],
  ]) {
    await visit(page, path);
    const anew = say('lottery', `${kind}.make`);
    const dialog = page.getByRole('dialog', { name: say('lottery', `${kind}.make.ask`) });
    await page.getByRole('button', { name: anew, exact: true }).click();
    await dialog.getByRole('button', { name: say('shell', 'cancel') }).click();
    assert.deepEqual(await get(house, `/api/lotto/${kind}/latest`), made[kind]);
    await page.getByRole('button', { name: anew, exact: true }).click();
    await dialog.getByText(say('lottery', 'replaced.ask')).waitFor();
    assert.deepEqual([await sticksOut(page), await violations(page)], [[], []]);
    await dialog.getByRole('button', { name: anew, exact: true }).click();

    const choice = page.getByLabel(say('lottery', 'replaced.choose'));
    const record = (set) => page.getByRole('button', { name: say('lottery', 'record.these', { numbers: set.numbers.join(', ') }) });
    await choice.locator('option').nth(made[kind].replaced.length + 1).waitFor({ state: 'attached' });
    const now = await get(house, `/api/lotto/${kind}/latest`);
    assert.deepEqual(now.replaced.slice(1), made[kind].replaced);
    await record(sets(now)[0]).waitFor();
    await choice.selectOption(String(now.replaced[0].id));
    for (const set of sets(made[kind])) await record(set).waitFor();
    await page.locator('p.earlier').waitFor();
    assert.deepEqual([await sticksOut(page), await violations(page)], [[], []]);
    await choice.selectOption(say('lottery', 'replaced.standing'));
    await record(sets(now)[0]).waitFor();
    await page.locator('p.earlier').waitFor({ state: 'detached' });
  }

  await visit(page, '/lottery/purchases');
  await page.getByRole('button', { name: say('lottery', 'purchase.by_tier') }).click();
  const { replaced: [{ id }] } = await get(house, '/api/lotto/briefing/latest');
  await page.getByRole('dialog').getByLabel(say('lottery', 'replaced.choose')).selectOption(String(id));
  await page.getByRole('button', { name: say('lottery', 'purchase.save', { count: 5 }) }).click();
  await page.getByText(say('lottery', 'purchase.saved', { draw: made.briefing.draw_no, count: 5 })).waitFor();
  const { purchases: [bought] } = await get(house, '/api/lotto/purchase');
  assert.deepEqual(bought.sets, made.briefing.tiers.slice(0, 2).flatMap(({ picks }) => picks.map(({ numbers }) => numbers)));
  assert.deepEqual(flaws, []);
});

/** The household's first evening: a recommendation, a ticket and what became of it; todos and tickets without a mouse. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { focused, newVisitor, openBrowser, settled, tabTo, visit } from '../browser.js';
import { NOBODY, openHouse, sentences } from '../house.js';
import { openOperator } from '../operator.js';

let browser;
const say = await sentences('ko');

before(async () => (browser = await openBrowser()));
after(() => browser?.close());

/** The numbers of the first row of balls with this label. */
async function ballsOf(page, label) {
  const balls = page.getByRole('img', { name: label }).or(page.getByLabel(label)).first();
  await balls.waitFor();
  return (await balls.innerText()).match(/\d+/g).map(Number);
}

test('from the first start to a recommendation, a ticket and its result', async (t) => {
  const operator = await openOperator(t);
  const house = await openHouse(t, { settings: { HANOK_LOTTERY__OPERATOR: operator.address } });
  const { page, flaws } = await newVisitor(t, browser, house);

  await visit(page, '/');
  await page.getByRole('navigation').getByRole('link', { name: say('lottery', 'name') }).click();
  await settled(page);
  assert.deepEqual(await ballsOf(page, say('lottery', 'latest.balls', { draw: 1245 })), [4, 5, 25, 28, 32, 42, 12]);
  const next = (await (await fetch(`${house.household}/api/lotto/latest`)).json()).next_draw.draw_no;
  const numbers = await ballsOf(page, say('lottery', 'recommend.balls', { draw: next }));
  assert.equal(new Set(numbers).size, 6);
  assert.ok(numbers.every((number) => number >= 1 && number <= 45), String(numbers));
  await page.getByText(say('lottery', 'honest.odds')).first().waitFor();

  // The ticket is for the first draw that the house does not know yet.
  await page.getByRole('button', { name: say('lottery', 'record'), exact: true }).first().click();
  await page.getByLabel(say('lottery', 'purchase.draw'), { exact: true }).fill('1246');
  await page.getByRole('button', { name: say('lottery', 'purchase.save', { count: 1 }) }).click();
  await page.getByText(say('lottery', 'purchase.saved', { draw: 1246, count: 1 })).waitFor();
  await visit(page, '/lottery/purchases');
  // It has been drawn; what came of it has not been heard yet.
  await page.getByText(say('lottery', 'result_awaited'), { exact: true }).first().waitFor();

  const bonus = [45, 44, 43, 42, 41, 40, 39].find((number) => !numbers.includes(number));
  operator.publish(1246, numbers, bonus);
  for (let draw = 1247; draw < next; draw += 1) operator.publish(draw, [1, 2, 3, 4, 5, 6], 45);
  await visit(page, '/lottery');
  await page.getByRole('button', { name: say('lottery', 'sync') }).click();
  await page.getByText(say('lottery', 'current')).waitFor();
  await visit(page, '/lottery/purchases');
  await page.getByText(say('lottery', 'rank', { rank: 1 })).first().waitFor();

  assert.equal(await house.stop(), 0);
  assert.deepEqual(flaws, []);
});

test('when the compute host is away the browser computes by itself and says so', async (t) => {
  const settings = { HANOK_COMPUTE__ADDRESS: NOBODY, HANOK_COMPUTE__TOKEN: 'a-word-of-two-machines' };
  const house = await openHouse(t, { settings });
  const { page, flaws } = await newVisitor(t, browser, house);
  await visit(page, '/lottery');
  await page.locator('[data-local]').waitFor();
  await page.getByText(say('lottery', 'local.why')).waitFor();
  const numbers = await ballsOf(page, say('lottery', 'local'));
  assert.equal(new Set(numbers).size, 6);
  assert.deepEqual(flaws, []);
});

test('todos go the whole way without a mouse', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  await visit(page, '/');

  await page.keyboard.press('Tab');
  assert.equal(await focused(page), say('shell', 'skip'));
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'main');

  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await page.waitForURL('**/todos');
  await settled(page);
  // The address changes before the page stands, and its keys come with it.
  const line = page.getByRole('textbox', { name: say('todos', 'add'), exact: true });
  await line.waitFor();
  await page.keyboard.press('n');
  await page.waitForFunction((label) => document.activeElement?.getAttribute('aria-label') === label, say('todos', 'add'));
  await page.keyboard.type('베란다 화분에 물 주기');
  await page.keyboard.press('Enter');
  const row = page.locator('[data-todo]').filter({ hasText: '베란다 화분에 물 주기' });
  await row.waitFor();
  await tabTo(page, say('todos', 'done_of', { title: '베란다 화분에 물 주기' }));
  await page.keyboard.press('Space');
  await page.getByText(say('todos', 'group.done', { count: 1 })).waitFor();

  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: say('shell', 'shortcuts.title') });
  await keys.getByText(say('todos', 'keys.delete'), { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').waitFor();
  await page.keyboard.type('1245');
  await page.getByRole('option').filter({ hasText: '1245' }).first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/lottery/**');
  assert.deepEqual(flaws, []);
});

test('a ticket is recorded without a mouse', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  await visit(page, '/lottery/purchases');
  await tabTo(page, say('lottery', 'purchase.add'));
  await page.keyboard.press('Enter');
  await tabTo(page, say('lottery', 'purchase.numbers'));
  await page.keyboard.type('1 9 17 25 33 41');
  await tabTo(page, say('lottery', 'purchase.save', { count: 1 }));
  await page.keyboard.press('Enter');
  await page.getByText(say('lottery', 'purchase.waiting')).first().waitFor();
  assert.deepEqual(flaws, []);
});

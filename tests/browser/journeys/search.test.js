/** The palette finds what there is by words, and marks them. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newVisitor, openBrowser, visit } from '../browser.js';
import { openHouse, post } from '../house.js';

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser?.close());

test('what was looked for is marked in what was found, and a note shows where it says it', async (t) => {
  const house = await openHouse(t);
  await post(house, '/api/todos', { title: '자동차 보험 갱신', note: '설계사에게 전화', done: true });
  const { page, flaws } = await newVisitor(t, browser, house, { width: 390, height: 800 });
  await visit(page, '/');
  await page.keyboard.press('Control+k');
  const line = page.getByRole('combobox');
  const option = page.getByRole('option').filter({ hasText: '자동차 보험 갱신' });
  await line.fill('보험을');
  await option.locator('mark').waitFor();
  assert.deepEqual(await option.locator('mark').allTextContents(), ['보험']);
  await line.fill('설계사');
  await option.locator('small mark').waitFor();
  assert.equal(await option.locator('small').textContent(), '설계사에게 전화');
  assert.deepEqual(await option.locator('mark').allTextContents(), ['설계사']);
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/palette-marked.png` });
  assert.deepEqual(flaws, []);
});

/** The bar of what is brought to mind, with the keyboard. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { focused, newVisitor, openBrowser, settled, violations, visit, watchShifts } from './browser.js';
import { openHouse, sentences } from './house.js';

let browser;
const say = await sentences('ko');

before(async () => (browser = await openBrowser()));
after(() => browser?.close());

test('what is brought to mind moves nothing of the page, and whatever is done with it, the focus goes to the next, after the last to the page, and what is done can be taken back', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  const past = new Date(Date.now() - 60_000).toISOString().replace(/\.\d+Z/, 'Z');
  for (const title of ['약 먹기', '전화하기', '물 주기']) {
    await fetch(`${house.household}/api/todos`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ title, remind_at: past, due: '2030-01-01', repeat: { every: 'day' } }) });
  }
  await page.addInitScript(watchShifts);
  await visit(page, '/system');
  await settled(page);
  const before = (await page.evaluate(() => window.shifts())).length;
  const bar = page.getByLabel(say('todos', 'reminder.label'), { exact: true });
  const rows = bar.getByRole('listitem');
  await rows.nth(2).waitFor({ timeout: 90_000 });
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  const shifts = (await page.evaluate(() => window.shifts())).slice(before);
  assert.ok(shifts.reduce((sum, { value }) => sum + value, 0) < 0.02, JSON.stringify(shifts));
  assert.deepEqual(await violations(page), []);
  const title = await rows.first().getByRole('link').textContent();
  for (const act of ['done_of', 'later_of', 'hide_of']) {
    const row = rows.first();
    const name = await row.getByRole('link').textContent();
    const following = rows.nth(1);
    const next = (await following.count()) > 0 ? await following.getByRole('link').textContent() : undefined;
    await row.getByRole('button', { name: say('todos', `reminder.${act}`, { title: name }) }).press('Enter');
    await bar.getByRole('link', { name, exact: true }).waitFor({ state: 'detached' });
    const has = await focused(page);
    if (next) assert.ok(has.startsWith(next), `${act}: the focus is on "${has}"`);
    else assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'H1');
  }
  await page.getByRole('button', { name: say('shell', 'undo') }).click();
  await bar.getByRole('link', { name: title, exact: true }).waitFor();
  const { todos } = await (await fetch(`${house.household}/api/todos`)).json();
  assert.deepEqual(todos.filter((todo) => todo.title === title).map(({ done }) => done), [false]);
  assert.deepEqual(flaws, []);
});

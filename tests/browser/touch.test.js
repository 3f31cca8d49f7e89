/** What is done and read with a finger, on a narrow screen. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newVisitor, openBrowser, visit } from './browser.js';
import { openHouse, post, sentences } from './house.js';

let browser;
let house;
const say = await sentences('en');

before(async () => {
  house = await openHouse();
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await house?.stop();
});

test('a number that is tapped tells its values, and goes on telling them when the finger is lifted', async (t) => {
  const { page, flaws } = await newVisitor(t, browser, house, { language: 'en', width: 390 });
  await visit(page, '/lottery/statistics');
  const strip = page.getByRole('grid').first();
  const shown = strip.locator('xpath=following-sibling::p');
  for (const index of [16, 30]) {
    const cell = strip.getByRole('gridcell').nth(index);
    const told = await cell.locator('.unseen').textContent();
    const { x, y, width, height } = await cell.boundingBox();
    // The finger comes and goes without a focus, as where the browser gives none for a tap.
    await cell.evaluate((element, [clientX, clientY]) => {
      const from = { pointerType: 'touch', bubbles: true, clientX, clientY };
      const send = (name, target = element) => target.dispatchEvent(new PointerEvent(name, from));
      send('pointerenter'), send('pointerdown'), send('pointerup');
      send('pointerleave', element.closest('[role=grid]'));
    }, [x + width / 2, y + height / 2]);
    assert.equal(await shown.textContent(), told);
  }
  assert.deepEqual(flaws, []);
});

test('on a phone what was spent and won with each method stands on the screen', async (t) => {
  const { page, flaws } = await newVisitor(t, browser, house, { language: 'en', width: 390 });
  await visit(page, '/lottery/performance');
  const table = page.getByRole('region', { name: say('lottery', 'performance.money') });
  const cells = table.locator('tbody tr').first().locator('td');
  await cells.first().waitFor();
  for (const cell of await cells.all()) {
    const { x, width } = await cell.boundingBox();
    assert.ok(x >= 0 && x + width <= 390, `${x} to ${x + width}`);
    assert.ok(await cell.getAttribute('data-name'));
  }
  assert.deepEqual(flaws, []);
});

test('the links below the heading of the system can be hit with a finger', async (t) => {
  const { page, flaws } = await newVisitor(t, browser, house, { language: 'en', width: 390 });
  await visit(page, '/system');
  const link = page.locator('.head p a').first();
  await link.waitFor();
  const { height } = await link.boundingBox();
  assert.ok(height >= 44, `${height}`);
  assert.deepEqual(flaws, []);
});

test('a todo that is tapped opens for changing, and its box and its buttons do what they say', async (t) => {
  for (const title of ['water the plants', 'call the bank']) await post(house, '/api/todos', { title });
  const { page, flaws } = await newVisitor(t, browser, house, { language: 'en', width: 390 });
  await visit(page, '/todos');
  assert.equal(await page.getByText(say('todos', 'keys.help')).isVisible(), false);
  const row = (title) => page.locator('[data-todo]').filter({ hasText: title });
  await row('call the bank').getByRole('checkbox').tap();
  await page.getByText(say('todos', 'done_said', { title: 'call the bank' })).waitFor();
  await page.getByRole('button', { name: say('shell', 'undo'), exact: true }).tap();
  await row('call the bank').getByRole('checkbox', { checked: false }).waitFor();
  assert.equal(await page.locator('[data-todo] form').count(), 0);
  await row('water the plants').getByText('water the plants').tap();
  const field = page.locator('[data-todo] form').getByLabel(say('todos', 'field.title'));
  assert.equal(await field.inputValue(), 'water the plants');
  await page.getByRole('button', { name: say('shell', 'cancel') }).tap();
  await row('water the plants').getByRole('button', { name: say('todos', 'delete_of', { title: 'water the plants' }) }).tap();
  await row('water the plants').waitFor({ state: 'detached' });
  assert.equal(await page.locator('[data-todo] form').count(), 0);
  assert.deepEqual(flaws, []);
});

/** What is typed is not lost by going back, by loading the page anew, or by a new version. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newVisitor, openBrowser, settled, visit } from './browser.js';
import { openHouse, sentences } from './house.js';

let browser;
const say = await sentences('ko');

before(async () => (browser = await openBrowser()));
after(() => browser?.close());

const unsaved = (dialog) => dialog.getByText(say('shell', 'unsaved'));

/** Goes to the purchases from another page, and opens the window for one. */
async function openWindow(page) {
  await visit(page, '/lottery');
  await page.locator('a[href="/lottery/purchases"]').first().click();
  await page.waitForURL('**/lottery/purchases');
  await settled(page);
  await page.getByRole('button', { name: say('lottery', 'purchase.add'), exact: true }).first().click();
  return page.getByRole('dialog');
}

/** The reader's way back; nothing tells when a page that stays has done with it but its own address. */
async function goBack(page) {
  await page.evaluate(() => new Promise((resolve) => {
    addEventListener('popstate', resolve, { once: true });
    history.back();
  }));
}

test('going back asks as Escape does, as often as it is tried, and leaves the page behind the window alone', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house, { width: 390, height: 844 });
  const dialog = await openWindow(page);
  const numbers = dialog.getByLabel(say('lottery', 'purchase.numbers'), { exact: true });
  await numbers.fill('1 2 3 4 5 6');
  await goBack(page);
  await unsaved(dialog).waitFor();
  await page.waitForURL('**/lottery/purchases');
  await goBack(page);
  await unsaved(dialog).waitFor({ state: 'detached' });
  await page.waitForURL('**/lottery/purchases');
  assert.equal(await numbers.inputValue(), '1 2 3 4 5 6');
  await page.getByRole('heading', { name: say('lottery', 'page.purchases'), includeHidden: true }).waitFor({ state: 'attached' });
  await numbers.fill('');
  await goBack(page);
  await dialog.waitFor({ state: 'hidden' });
  await page.waitForURL('**/lottery/purchases');
  await page.goBack();
  await page.waitForURL('**/lottery');
  assert.deepEqual(flaws, []);
});

test('a purchase that is being typed is there again when the page is loaded anew, until it is given up', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  const dialog = await openWindow(page);
  const numbers = dialog.getByLabel(say('lottery', 'purchase.numbers'), { exact: true });
  await numbers.fill('1 2 3 4 5 6');
  await dialog.getByLabel(say('lottery', 'purchase.note')).fill('동네 가게');
  await dialog.getByRole('button', { name: say('lottery', 'grid.open') }).click();
  await dialog.getByRole('toolbar').getByRole('button', { name: '44', exact: true }).click();
  await page.reload();
  await numbers.waitFor();
  assert.deepEqual([await numbers.inputValue(), await dialog.getByLabel(say('lottery', 'purchase.note')).inputValue()], ['1 2 3 4 5 6', '동네 가게']);
  assert.equal(await dialog.getByRole('toolbar').getByRole('button', { name: '44', exact: true }).getAttribute('aria-pressed'), 'true');
  await page.keyboard.press('Escape');
  await unsaved(dialog).waitFor();
  await dialog.getByRole('button', { name: say('shell', 'unsaved.discard') }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.reload();
  await page.getByRole('heading', { name: say('lottery', 'page.purchases') }).waitFor();
  await settled(page);
  assert.equal(await dialog.count(), 0);
  assert.deepEqual(flaws, []);
});

test('a todo that is being changed is there again when the page is loaded anew, and is saved as it was typed', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  const response = await fetch(`${house.household}/api/todos`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ title: '장보기' }) });
  const { id } = await response.json();
  await visit(page, '/todos');
  const row = page.locator(`[data-todo="${id}"]`);
  await row.getByRole('button', { name: say('todos', 'edit_of', { title: '장보기' }) }).click();
  await row.getByLabel(say('todos', 'field.note')).fill('두부, 대파');
  await row.getByLabel(say('todos', 'field.due')).fill('2030-01-02');
  await page.reload();
  await row.getByLabel(say('todos', 'field.note')).waitFor();
  assert.deepEqual([await row.getByLabel(say('todos', 'field.note')).inputValue(), await row.getByLabel(say('todos', 'field.due')).inputValue()], ['두부, 대파', '2030-01-02']);
  await row.getByRole('button', { name: say('shell', 'save') }).click();
  await row.getByText('두부, 대파').waitFor();
  const { todos } = await (await fetch(`${house.household}/api/todos`)).json();
  assert.deepEqual(todos.map(({ note, due }) => [note, due]), [['두부, 대파', '2030-01-02']]);
  await page.reload();
  await row.getByText('두부, 대파').waitFor();
  assert.equal(await row.getByLabel(say('todos', 'field.note')).count(), 0);
  assert.deepEqual(flaws, []);
});

/** What the palette offers to do in a window opens that window, wherever one is. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeBoth, newVisitor, openBoth, settled, visit } from './browser.js';
import { sentences } from './house.js';

let house;
let browser;
const say = await sentences('ko');

before(async () => ({ house, browser } = await openBoth()));
after(() => closeBoth({ house, browser }));

async function act(page, name) {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: say('shell', 'palette.title') }).fill(name);
  await page.getByRole('option').filter({ hasText: name }).first().waitFor();
  await page.keyboard.press('Enter');
}

const WINDOWS = [
  { action: 'action.scan', title: 'ticket.scan' },
  { action: 'action.table', title: 'table.import' },
];

for (const { action, title } of WINDOWS) {
  test(`the window of ${action} is opened by keyboard from another page, and going back closes it, then the page`, async (t) => {
    const { page, flaws } = await newVisitor(t, browser, house);
    await visit(page, '/todos');
    await act(page, say('lottery', action));
    const window_ = page.getByRole('dialog', { name: say('lottery', title) });
    await window_.waitFor();
    assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, '/lottery/purchases');
    assert.ok(await window_.evaluate((dialog) => dialog.contains(document.activeElement)));
    await page.goBack();
    await window_.waitFor({ state: 'hidden' });
    // The browser has gone back already, and is sent on again.
    await page.waitForURL((url) => url.pathname === '/lottery/purchases');
    // Who has closed it stands where they could open it again.
    await page.waitForFunction((name) => document.activeElement?.textContent?.trim() === name, say('lottery', title));
    await page.goBack();
    await page.waitForURL('**/todos');
    // It is not opened by coming back.
    await page.goForward();
    await page.getByRole('heading', { name: say('lottery', 'page.purchases') }).waitFor();
    await settled(page);
    assert.equal(await page.getByRole('dialog').count(), 0);
    assert.deepEqual(flaws, []);
  });

  test(`the window of ${action} is opened on its own page without another step to go back`, async (t) => {
    const { page, flaws } = await newVisitor(t, browser, house);
    await visit(page, '/todos');
    await page.getByRole('navigation', { name: say('shell', 'menu') }).getByRole('link', { name: say('lottery', 'name') }).click();
    await page.getByRole('link', { name: say('lottery', 'page.purchases') }).click();
    await page.getByRole('heading', { name: say('lottery', 'page.purchases') }).waitFor();
    await settled(page);
    const window_ = page.getByRole('dialog', { name: say('lottery', title) });
    for (let time = 0; time < 2; time += 1) {
      await act(page, say('lottery', action));
      await window_.waitFor();
      await page.keyboard.press('Escape');
      await window_.waitFor({ state: 'hidden' });
    }
    await page.goBack();
    await page.waitForURL(/\/lottery$/);
    assert.deepEqual(flaws, []);
  });
}

test('the cards of Today are arranged from the palette, from another page and on its own', async (t) => {
  const { page, flaws } = await newVisitor(t, browser, house);
  await visit(page, '/todos');
  const window_ = page.getByRole('dialog', { name: say('today', 'cards'), exact: true });
  for (let time = 0; time < 2; time += 1) {
    await act(page, say('today', 'action.arrange'));
    await window_.waitFor();
    assert.deepEqual([new URL(page.url()).pathname, new URL(page.url()).search], ['/', '']);
    await page.keyboard.press('Escape');
    await window_.waitFor({ state: 'hidden' });
  }
  await page.goBack();
  await page.waitForURL('**/todos');
  assert.deepEqual(flaws, []);
});

test('the methods are combined from the palette: their card is in sight, and its button has the focus', async (t) => {
  const { page, flaws } = await newVisitor(t, browser, house);
  await visit(page, '/todos');
  await act(page, say('lottery', 'action.combine'));
  const button = page.getByRole('button', { name: say('lottery', 'combined.make') });
  await button.waitFor();
  await page.waitForFunction((name) => document.activeElement?.textContent?.trim() === name, say('lottery', 'combined.make'));
  assert.equal(await button.evaluate((button) => button.getBoundingClientRect().bottom <= innerHeight), true);
  assert.equal(new URL(page.url()).search, '');
  assert.deepEqual(flaws, []);
});

test('purchases are exported from the palette at once', async (t) => {
  const { page, flaws } = await newVisitor(t, browser, house);
  await visit(page, '/todos');
  const coming = page.waitForEvent('download');
  await act(page, say('lottery', 'action.export'));
  assert.match((await coming).suggestedFilename(), /^hanok-purchases-\d{4}-\d{2}-\d{2}\.csv$/);
  assert.equal(new URL(page.url()).search, '');
  assert.deepEqual(flaws, []);
});

test('a todo that is begun on the page of todos adds no step to go back', async (t) => {
  const { page, flaws } = await newVisitor(t, browser, house);
  await visit(page, '/');
  await page.getByRole('navigation', { name: say('shell', 'menu') }).getByRole('link', { name: say('todos', 'name') }).click();
  await page.getByRole('heading', { level: 1, name: say('todos', 'name') }).waitFor();
  await settled(page);
  await page.keyboard.press('n');
  await page.waitForFunction(() => document.activeElement?.matches('main input'));
  await page.goBack();
  await page.waitForURL((url) => url.pathname === '/');
  assert.deepEqual(flaws, []);
});

/** A page that is open while its server cannot be reached: what comes in a file of its own. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeBoth, focused, neverIdle, newVisitor, openBoth, visit } from './browser.js';
import { sentences } from './house.js';

let house;
let browser;
const say = await sentences('ko');

before(async () => ({ house, browser } = await openBoth()));
after(() => closeBoth({ house, browser }));

/** A visitor whose browser never has time for what nobody waits for. */
async function busyVisitor(t) {
  const visitor = await newVisitor(t, browser, house);
  await visitor.page.addInitScript(neverIdle);
  return visitor;
}

const find = (page) => page.getByRole('banner').getByRole('button', { name: say('shell', 'palette.title') });

test('the windows of the shell open without it, because they came while nobody waited', async (t) => {
  const { context, page, flaws } = await newVisitor(t, browser, house);
  const files = ['Palette', 'Activity', 'ShortcutList', 'Sessions'].map((name) =>
    page.waitForEvent('requestfinished', (request) => request.url().includes(`/${name}-`) && request.url().endsWith('.js')));
  await visit(page, '/todos');
  await Promise.all(files);
  await context.setOffline(true);
  await find(page).click();
  await page.getByRole('combobox').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('a');
  await page.getByRole('dialog', { name: say('shell', 'activity.title') }).waitFor();
  assert.deepEqual(flaws, []);
});

test('a window that does not come says so, and trying again brings a new page in which it opens', async (t) => {
  const { context, page, flaws } = await busyVisitor(t);
  await visit(page, '/todos');
  // A file alone that does not come is no new version.
  await page.route(/ShortcutList/, (route) => route.abort());
  await Promise.all([page.waitForResponse('**/api/household'), page.keyboard.press('?')]);
  await page.getByRole('dialog', { name: say('shell', 'shortcuts.title') }).getByText(say('shell', 'not_loaded')).waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await page.getByText(say('shell', 'banner.outdated')).count(), 0);

  await context.setOffline(true);
  await find(page).click();
  const dialog = page.getByRole('dialog', { name: say('shell', 'palette.title') });
  await dialog.getByText(say('shell', 'not_loaded')).waitFor();
  await dialog.getByText(say('shell', 'problem.OFFLINE')).waitFor();
  assert.equal(await page.getByText(say('shell', 'banner.outdated')).count(), 0);
  await dialog.getByRole('button', { name: say('shell', 'retry') }).click();
  await dialog.getByText(say('shell', 'not_loaded')).waitFor();

  await context.setOffline(false);
  await Promise.all([page.waitForEvent('load'), dialog.getByRole('button', { name: say('shell', 'retry') }).click()]);
  await find(page).click();
  await page.getByRole('combobox').waitFor();
  assert.deepEqual(flaws, []);
});

test('a page that does not come says so, and comes when it is asked for again', async (t) => {
  const { context, page, flaws } = await busyVisitor(t);
  await visit(page, '/todos');
  await page.locator('.toasts').waitFor({ state: 'attached' });
  await context.setOffline(true);
  const link = page.getByRole('navigation').getByRole('link', { name: say('system', 'name') });
  await link.click();
  await page.getByRole('status').getByText(say('shell', 'not_loaded')).waitFor();
  assert.equal(new URL(page.url()).pathname, '/todos');
  assert.equal(await focused(page), say('system', 'name'));
  await context.setOffline(false);
  await link.click();
  await page.getByRole('link', { name: say('system', 'tab.overview') }).waitFor();
  const display = await page.getByRole('navigation', { name: say('system', 'tab.label') }).evaluate((element) => getComputedStyle(element).display);
  assert.equal(display, 'flex', 'it came without its styles');
  assert.deepEqual(flaws, []);
});

/** Lets the page of the lottery not come, once. */
async function withoutLottery(context) {
  let missing = true;
  await context.route(/\/Recommend-[^/]*\.js$/, (route) => (missing ? route.abort() : route.continue()));
  return () => (missing = false);
}

test('a page that does not come when it is opened by its address says what is away, and comes with the whole address', async (t) => {
  const { context, page, flaws } = await busyVisitor(t);
  const come = await withoutLottery(context);
  const address = '/lottery?from=here#there';
  await page.goto(address);
  const main = page.getByRole('main');
  await main.getByText(say('shell', 'problem.FILE_MISSING')).waitFor();
  await main.getByRole('heading', { name: say('lottery', 'name') }).waitFor();
  assert.equal(await page.getByText(say('shell', 'problem.OFFLINE')).count(), 0);
  come();
  await Promise.all([page.waitForEvent('load'), main.getByRole('button', { name: say('shell', 'retry') }).click()]);
  await main.getByRole('heading', { name: say('lottery', 'recommend') }).waitFor();
  const { pathname, search, hash } = new URL(page.url());
  assert.equal(pathname + search + hash, address);
  assert.deepEqual(flaws, []);
});

test('a page that does not come on the way back says so under its address, and the way on leads on', async (t) => {
  const { context, page, flaws } = await busyVisitor(t);
  const come = await withoutLottery(context);
  await page.goto('/lottery');
  const main = page.getByRole('main');
  await main.getByText(say('shell', 'problem.FILE_MISSING')).waitFor();
  const link = page.getByRole('navigation').getByRole('link', { name: say('todos', 'name') });
  await link.click();
  await main.getByRole('heading', { name: say('todos', 'title') }).waitFor();
  assert.equal(await main.getByText(say('shell', 'not_loaded')).count(), 0);
  await page.goBack();
  await main.getByText(say('shell', 'problem.FILE_MISSING')).waitFor();
  assert.equal(new URL(page.url()).pathname, '/lottery');
  assert.equal(await page.getByRole('heading', { name: say('todos', 'title') }).isVisible(), false);
  await page.goForward();
  await main.getByRole('heading', { name: say('todos', 'title') }).waitFor();
  await page.goBack();
  await main.getByText(say('shell', 'problem.FILE_MISSING')).waitFor();
  come();
  await main.getByRole('button', { name: say('shell', 'retry') }).click();
  await main.getByRole('heading', { name: say('lottery', 'recommend') }).waitFor();
  assert.deepEqual(flaws, []);
});

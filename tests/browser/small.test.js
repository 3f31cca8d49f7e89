/** Small things that are right from the first moment on. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newVisitor, openBrowser, visit } from './browser.js';
import { openHouse, sentences } from './house.js';

let browser;
const say = await sentences('ko');

before(async () => (browser = await openBrowser()));
after(() => browser?.close());

test('letters that are typed before the palette is here are in it, and do nothing else', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  let come;
  const told = new Promise((resolve) => (come = resolve));
  await page.route('**/assets/Palette-*.js', async (route) => {
    await told;
    await route.continue();
  });
  await visit(page, '/');
  await page.keyboard.press('Control+k');
  await page.getByRole('status').filter({ hasText: say('shell', 'loading') }).waitFor();
  await page.keyboard.type('gt12');
  come();
  const line = page.getByRole('combobox', { name: say('shell', 'palette.title') });
  await line.waitFor();
  await page.keyboard.type('45');
  assert.equal(await line.inputValue(), 'gt1245');
  assert.equal(new URL(page.url()).pathname, '/');
  assert.deepEqual(flaws, []);
});

test('a todo that is not saved yet is counted with those that are open', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  await visit(page, '/todos');
  await page.route('**/api/todos', (route) => (route.request().method() === 'POST' ? undefined : route.continue()));
  const line = page.getByRole('textbox', { name: say('todos', 'add'), exact: true });
  await line.fill('아직 저장되지 않은 일');
  await line.press('Enter');
  await page.locator('main').getByText('아직 저장되지 않은 일').waitFor();
  await page.getByText(say('todos', 'open', { count: 1 }), { exact: true }).waitFor();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  assert.deepEqual(flaws, []);
});

test('who wrote a briefing is said in the language of the page', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  const headers = { accept: 'application/json' };
  await fetch(`${house.household}/api/lotto/recommend`);
  const made = await fetch(`${house.household}/api/lotto/briefing`, { method: 'POST', headers });
  assert.ok(made.ok, `${made.status}`);
  await visit(page, '/lottery/reports/briefing');
  await page.locator('.written').waitFor();
  assert.ok(!/[a-z]/.test(await page.locator('.written').innerText()));
  // In English its words are longer: what it cost stays in one line, and the marks of a scale are clear of the text around it.
  const english = await newVisitor(t, browser, house, { language: 'en' });
  await visit(english.page, '/lottery/reports/briefing');
  const lines = await english.page.locator('.facts dd').evaluateAll((figures) => figures.map((figure) => {
    const words = document.createRange();
    words.selectNodeContents(figure);
    return new Set([...words.getClientRects()].map(({ top }) => Math.round(top))).size;
  }));
  assert.deepEqual(lines, lines.map(() => 1));
  assert.ok(lines.length > 3);
  const rooms = await english.page.locator('.gauge .scale').evaluateAll((scales) => scales.flatMap((scale) => {
    const marks = scale.querySelector('.point').getBoundingClientRect();
    const below = [...scale.parentElement.children].slice([...scale.parentElement.children].indexOf(scale) + 1).find((part) => !part.matches('.unseen'));
    const above = marks.top - scale.previousElementSibling.getBoundingClientRect().bottom;
    return below ? [above, below.getBoundingClientRect().top - marks.bottom] : [above];
  }));
  assert.ok(rooms.length > 0 && rooms.every((room) => room >= 3), rooms.join());
  assert.deepEqual([flaws, english.flaws], [[], []]);
});

test('Today that cannot be loaded has a heading of words beside what is said of it', async (t) => {
  const house = await openHouse(t);
  const { page } = await newVisitor(t, browser, house);
  await page.route('**/api/today', (route) => route.fulfill({ status: 500, contentType: 'application/json', body: '{"error":"INTERNAL","message":"planted"}' }));
  await page.goto('/');
  const main = page.getByRole('main');
  await main.getByRole('alert').waitFor();
  assert.equal(await main.locator('h1 .skeleton').count(), 0);
  assert.equal((await main.locator('h1').innerText()).trim(), say('today', 'name'));
  assert.ok((await main.getByRole('alert').innerText()).includes(say('shell', 'problem.INTERNAL')));
});

test('of the statistics what could not be loaded says so, and what could stands beside it', async (t) => {
  const house = await openHouse(t);
  const fail = (route) => route.fulfill({ status: 500, contentType: 'application/json', body: '{"error":"INTERNAL","message":"planted"}' });
  async function without(address) {
    const { page } = await newVisitor(t, browser, house);
    await page.route(address, fail);
    await page.goto('/lottery/statistics');
    const main = page.getByRole('main');
    const alert = (hasText) => main.getByRole('alert').filter({ hasText });
    return { page, sharing: main.getByRole('heading', { name: say('lottery', 'sharing') }), ofAll: alert(say('lottery', 'statistics.failed')), ofSharing: alert(say('lottery', 'sharing')) };
  }

  const stats = await without('**/api/lotto/stats');
  await stats.ofAll.waitFor();
  await stats.sharing.waitFor();

  const analysis = await without('**/api/lotto/analysis');
  await analysis.ofSharing.waitFor();
  assert.equal(await analysis.ofAll.count(), 0);
  await analysis.page.unroute('**/api/lotto/analysis');
  await analysis.ofSharing.getByRole('button', { name: say('shell', 'retry') }).click();
  await analysis.sharing.waitFor();
  assert.equal(await analysis.ofSharing.count(), 0);
});

test('of a store whose file is away no size is said', async (t) => {
  const house = await openHouse(t);
  const { page } = await newVisitor(t, browser, house);
  await page.route('**/api/system', async (route) => {
    const response = await route.fetch();
    const system = await response.json();
    await route.fulfill({ response, json: { ...system, storage: { ...system.storage, state: 'away', store_bytes: 0 } } });
  });
  await visit(page, '/system');
  const size = page.locator('dt').filter({ hasText: new RegExp(`^${say('system', 'storage.store')}$`) }).locator('xpath=following-sibling::dd[1]');
  assert.equal(await size.innerText(), '–');
});

test('a page that is loaded anew stands where it stood, and one that is opened begins at its top', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house, { height: 500 });
  await visit(page, '/system/settings');
  await page.evaluate(() => scrollTo(0, 900));
  await page.waitForFunction(() => scrollY === 900);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await page.reload();
  await page.waitForFunction(() => scrollY === 900);
  await visit(page, '/system/settings?find=ops');
  assert.equal(await page.evaluate(() => scrollY), 0);
  assert.deepEqual(flaws, []);
});

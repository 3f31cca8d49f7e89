/** Nothing jumps: how far each page moves while its answers come slowly and one after the other. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newVisitor, openBrowser, PAGES, settled, until, visit, watchShifts, whole } from './browser.js';
import { get, importDraws, openHouse, sentences } from './house.js';

/** What nobody notices, as the sum of all shifts (the web's own measure calls less than 0.1 good). */
const MOST = 0.02;
/** Between one answer and the next. */
const APART_MS = 150;

let house;
let browser;
const say = await sentences('ko');

before(async () => {
  house = await openHouse(undefined);
  browser = await openBrowser();
  for (let day = 10; day < 16; day += 1) await post('/api/todos', { title: `할 일 ${day}`, due: `2026-10-${day}` });
  await post('/api/lotto/purchase', { draw_no: 1245, sets: [[4, 5, 25, 28, 32, 42], [1, 2, 3, 4, 5, 6]], note: '동네' });
  for (const draw_no of [1244, 1243, 1240]) await post('/api/lotto/purchase', { draw_no, count: 5, prize: 5000 });
  await post('/api/admin/simulate?n_candidates=2000&seed=1');
  await post('/api/lotto/report');
  await post('/api/lotto/briefing');
  await post('/api/system/backups');
  // A draw that contradicts the stored one waits for a decision.
  const { draws } = await (await fetch(`${house.household}/api/lotto/draws?limit=30`)).json();
  await importDraws(house, [{ ...draws.find(({ draw_no }) => draw_no === 1240), numbers: [1, 2, 3, 4, 5, 6], bonus: 7 }]);
  await fetch(`${house.household}/api/lotto/recommend`);
  await fetch(`${house.household}/api/lotto/recommend/combined`);
});

after(async () => {
  await browser?.close();
  await house?.stop();
});

async function post(path, body) {
  const headers = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) };
  const response = await fetch(house.household + path, { method: 'POST', headers, body: body && JSON.stringify(body) });
  assert.ok(response.ok, `${path}: ${response.status} ${await response.text()}`);
}

for (const width of [1280, 390, 360]) {
  test(`no page shifts while a slow server answers, at ${width} pixels`, async (t) => {
    assert.deepEqual(await overMost(t, house, width, PAGES, answerSlowly), []);
  });

  for (const furnished of [true, false]) {
    test(`Today of ${furnished ? 'a furnished' : 'an empty'} house does not shift however fast it answers, at ${width} pixels`, async (t) => {
      const shown = furnished ? house : await openHouse(t);
      await nothingUnderWay(shown);
      assert.deepEqual(await overMost(t, shown, width, ['/'], undefined), []);
      assert.deepEqual(await overMost(t, shown, width, ['/'], answerSlowly), []);
    });
  }
}

for (const width of [1280, 412, 390]) {
  test(`the providers stay in their places when it comes later who can be asked again, at ${width} pixels`, async (t) => {
    const failing = await openHouse(t);
    await until(async () => (await get(failing, '/api/system/providers')).providers.some(({ state }) => state === 'failing'));
    const { context, page } = await newVisitor(undefined, browser, failing, { width, height: 800 });
    await page.addInitScript(watchShifts);
    await page.addInitScript(idleWhenTold);
    await visit(page, '/system/providers');
    await page.getByRole('listitem').filter({ hasText: '동행복권' }).waitFor();
    const again = page.getByRole('button', { name: say('system', 'provider.fetch_of', { name: '동행복권' }) });
    assert.equal(await again.count(), 0);
    await page.evaluate(() => window.beIdle());
    await again.waitFor();
    await whole(page);
    const over = tooMuch(t, '/system/providers', await page.evaluate(() => window.shifts()));
    await context.close();
    assert.deepEqual(over, []);
  });
}

for (const width of [1280, 390]) {
  test(`what the operator failed with is said in its place, however late the words for it come, at ${width} pixels`, async (t) => {
    const resting = await openHouse(t, { settings: { HANOK_UPSTREAM__FAILURES_TO_OPEN: '1' } });
    await until(async () => (await get(resting, '/api/system/providers')).providers.some(({ state }) => state === 'open'));
    const wordsLate = (page) => page.route(/\/said-.*\.js/, async (route) => {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await new Promise((resolve) => setTimeout(resolve, 2 * APART_MS));
      await route.continue();
    });
    assert.deepEqual(await overMost(t, resting, width, ['/lottery'], wordsLate), []);
  });

  test(`no page shifts when its server falls silent, nor when it is heard again, at ${width} pixels`, async (t) => {
    const silent = await openHouse(t);
    await nothingUnderWay(silent);
    const over = [];
    for (const path of ['/', '/todos', '/lottery', '/lottery/purchases']) {
      const { context, page } = await newVisitor(undefined, browser, silent, { width, height: 800 });
      await page.addInitScript(watchShifts);
      await visit(page, path);
      await whole(page);
      const before = (await page.evaluate(() => window.shifts())).length;
      const away = page.getByRole('button', { name: say('shell', 'banner.reconnect') });
      silent.signal('SIGSTOP');
      await away.waitFor();
      silent.signal('SIGCONT');
      await away.waitFor({ state: 'detached' });
      await settled(page);
      over.push(...tooMuch(t, path, (await page.evaluate(() => window.shifts())).slice(before)));
      await context.close();
    }
    assert.deepEqual(over, []);
  });
}

/** In a page: the browser has no time for what nobody waits for until `beIdle` is called. */
function idleWhenTold() {
  const waiting = [];
  const run = (work) => work({ didTimeout: false, timeRemaining: () => 50 });
  window.requestIdleCallback = (work) => waiting.push(work);
  window.beIdle = () => {
    window.requestIdleCallback = (work) => setTimeout(run, 0, work);
    waiting.splice(0).forEach(run);
  };
}

/** Waits until a house has done what it begins with: its first backup takes a line off Today. */
async function nothingUnderWay(shown) {
  await until(async () => {
    const { tasks, last_verified_backup } = await (await fetch(`${shown.household}/api/today`)).json();
    return tasks.length === 0 && last_verified_backup;
  });
}

/** Answers one question after the other, each some time after the one before it. */
async function answerSlowly(page) {
  let turn = Promise.resolve();
  await page.route(/\/api\/(?!events)/, async (route) => {
    const response = await route.fetch();
    turn = turn.then(() => new Promise((resolve) => setTimeout(resolve, APART_MS)));
    await turn;
    await route.fulfill({ response });
  });
}

/** The pages that move further than they may, each with what moved. */
async function overMost(t, shown, width, paths, hold) {
  const over = [];
  for (const path of paths) {
    const { context, page } = await newVisitor(undefined, browser, shown, { width, height: 800 });
    await page.addInitScript(watchShifts);
    await hold?.(page);
    await visit(page, path);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    await settled(page);
    const shifts = await page.evaluate(() => window.shifts());
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
    over.push(...tooMuch(t, path, shifts));
  }
  return over;
}

/** The page with these shifts when they are more than it may have. */
function tooMuch(t, path, shifts) {
  const total = shifts.reduce((sum, { value }) => sum + value, 0);
  t.diagnostic(`${path}: ${total.toFixed(4)}`);
  return total > MOST ? [`${path}: ${total.toFixed(4)}\n${shifts.map(({ value, moved }) => `  ${value.toFixed(4)} ${moved.join('\n         ')}`).join('\n')}`] : [];
}

/** The app while its server is away: it opens, shows what was last seen and of when, and keeps nothing of a session that ended. */

import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import { after, before, test } from 'node:test';
import { newVisitor, openBrowser, settled, until, violations, visit } from './browser.js';
import { answered, get, newFolder, openHouse, sentences } from './house.js';
import { openOperator } from './operator.js';

const PASSPHRASE = 'five apricot blossoms in the yard';
let browser;
const say = await sentences('ko');

before(async () => (browser = await openBrowser()));
after(() => browser?.close());

const banner = (page) => page.getByText(new RegExp(say('shell', 'banner.lost').replace('{time}', '\\d\\d:\\d\\d')));
const reading = (page) => page.getByText(new RegExp(say('shell', 'banner.reading').replace('{time}', '\\d\\d:\\d\\d')));
const link = (page, section) => page.getByRole('navigation').getByRole('link', { name: say(section, 'name') }).first();

/** A house whose visitor has seen the todos and Today, with all that is needed to see them again without it. */
async function seenHouse(t, { passphrase, settings = {} } = {}) {
  const folder = await newFolder(t);
  if (passphrase) await answered(folder, `${passphrase}\n`, 'household', 'passphrase', '--new');
  const house = await openHouse(t, { folder, settings, ...(passphrase && { listen: '0.0.0.0:0' }) });
  const port = new URL(house.household).port;
  const visitor = await newVisitor(t, browser, house, { keepsShell: true });
  const { page } = visitor;
  if (passphrase) {
    await page.goto('/todos');
    await page.getByLabel(say('shell', 'sign_in.passphrase')).fill(passphrase);
    await page.keyboard.press('Enter');
  } else await visit(page, '/todos');
  const line = page.getByRole('textbox', { name: say('todos', 'add'), exact: true });
  await line.fill('기억할 일');
  await line.press('Enter');
  await page.locator('[data-todo]').filter({ hasText: '기억할 일' }).waitFor();
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  await filesAreKept(page);
  await isKept(page, '/api/todos', '기억할 일');
  return { ...visitor, house, line, again: () => openHouse(t, { folder, settings, listen: `${passphrase ? '0.0.0.0' : '127.0.0.1'}:${port}` }) };
}

/** Waits until all that this page has come with is kept. */
async function filesAreKept(page) {
  await until(() => page.evaluate(async () => {
    const files = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname).filter((name) => name.startsWith('/assets/'));
    const kept = await Promise.all(files.map((file) => caches.match(file)));
    return kept.every((file) => file);
  }));
}

/** Waits until what is read at this address was kept with this text. */
async function isKept(page, address, text) {
  await until(() => page.evaluate(async ([address, text]) => {
    const answer = await caches.match(`/seen?${new URLSearchParams({ key: address })}`);
    return (await answer?.text())?.includes(text);
  }, [address, text]));
}

/** Whether nothing of what people read is kept; a page that is just being loaded anew cannot be asked. */
function nothingIsKept(page) {
  return page.evaluate(async () => !(await caches.keys()).some((name) => name.startsWith('hanok-seen-'))).catch(() => false);
}

/** All that the browser has kept of what people read. */
function keptWords(page) {
  return page.evaluate(async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith('hanok-seen-'));
    const all = await Promise.all(names.map(async (name) => {
      const cache = await caches.open(name);
      return Promise.all((await cache.keys()).map(async (key) => (await cache.match(key)).text()));
    }));
    return all.flat().join('\n');
  });
}

test('it opens without its server with what was last seen, says as of when, and goes on when the server is there again', async (t) => {
  const { house, page, line, again, flaws } = await seenHouse(t);
  await house.stop();
  await page.reload();
  await page.locator('[data-todo]').filter({ hasText: '기억할 일' }).waitFor();
  await banner(page).waitFor();
  await settled(page);
  assert.deepEqual(await violations(page), []);
  if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/offline.png` });

  // What was never seen says why it is not there, and that it is a new version nobody says.
  await link(page, 'system').click();
  await page.getByText(say('shell', 'problem.OFFLINE')).first().waitFor();
  assert.equal(await page.getByText(say('shell', 'banner.outdated')).count(), 0);
  await link(page, 'todos').click();
  await line.fill('서버 없이 적은 일');
  await line.press('Enter');
  await page.locator('[data-addition]').filter({ hasText: '서버 없이 적은 일' }).waitFor();
  await page.reload();
  await page.locator('[data-addition]').filter({ hasText: '서버 없이 적은 일' }).waitFor();

  await again();
  await banner(page).waitFor({ state: 'detached' });
  await page.locator('[data-todo]').filter({ hasText: '서버 없이 적은 일' }).waitFor();
  assert.equal(await page.getByText(say('shell', 'banner.outdated')).count(), 0);
  assert.deepEqual(flaws, []);
});

test('a page that was opened while its server was away comes by itself when that is there again', async (t) => {
  const { house, page, again, flaws } = await seenHouse(t);
  await house.stop();
  await page.goto('/lottery/purchases');
  await page.getByRole('main').getByText(say('shell', 'not_loaded')).waitFor();
  await again();
  await page.getByRole('heading', { name: say('lottery', 'purchases'), exact: true }).waitFor();
  await banner(page).waitFor({ state: 'detached' });
  assert.deepEqual(flaws, []);
});

test('on a slow line what was last seen is called that, and nobody says that the line is lost', async (t) => {
  const { page, context, flaws } = await seenHouse(t);
  let answer;
  const answers = new Promise((resolve) => (answer = resolve));
  await context.route(/\/api\//, async (route) => {
    await answers;
    await route.continue();
  });
  await page.addInitScript(() => {
    window.said = [];
    new MutationObserver(() => window.said.push(document.body?.innerText ?? '')).observe(document, { childList: true, subtree: true, characterData: true });
  });
  await page.goto('/todos');
  await reading(page).waitFor();
  answer();
  await reading(page).waitFor({ state: 'detached' });
  assert.equal(await page.evaluate((lost) => window.said.some((said) => said.includes(lost)), say('shell', 'banner.reconnect')), false);
  assert.deepEqual(flaws, []);
});

test('what was last seen is never shown unmarked, and is not said of a page that has been asked for again', async (t) => {
  const operator = await openOperator(t);
  const { house, page, again, flaws } = await seenHouse(t, { settings: { HANOK_LOTTERY__OPERATOR: operator.address } });
  await link(page, 'system').click();
  await page.getByRole('heading', { name: say('system', 'well'), exact: true }).waitFor();
  await isKept(page, '/api/system/providers', 'lottery_operator');
  await isKept(page, '/api/system/jobs?limit=20&offset=0', 'failing');
  await isKept(page, '/api/system', 'health');
  await isKept(page, '/api/system/backups', 'backups');
  await house.stop();
  // All that is ever shown of the headline, from the first moment on.
  await page.addInitScript(() => {
    window.headlines = [];
    new MutationObserver(() => window.headlines.push(document.querySelector('main h1')?.textContent ?? '')).observe(document, { childList: true, subtree: true, characterData: true });
  });
  await page.reload();
  await page.getByRole('heading', { name: new RegExp(say('system', 'well_then').replace('{time}', '\\d\\d:\\d\\d')) }).waitFor();
  await banner(page).waitFor({ timeout: 1_000 });
  assert.equal(await page.evaluate((well) => window.headlines.filter((headline) => headline === well).length, say('system', 'well')), 0);
  await again();
  await page.getByRole('heading', { name: say('system', 'well'), exact: true }).waitFor();
  await banner(page).waitFor({ state: 'detached' });
  assert.deepEqual(flaws, []);
});

test('at a first visit no file is fetched but what is shown, and each once', async (t) => {
  const house = await openHouse(t);
  const asked = [];
  const server = createServer((req, res) => {
    if (req.url.startsWith('/assets/')) asked.push(req.url);
    const sent = request(house.household + req.url, { method: req.method, headers: req.headers }, (answer) => {
      res.writeHead(answer.statusCode, answer.headers);
      answer.pipe(res);
    });
    sent.on('error', () => res.destroy());
    res.on('close', () => sent.destroy());
    req.pipe(sent);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const { page, flaws } = await newVisitor(t, browser, { household: `http://127.0.0.1:${server.address().port}` }, { keepsShell: true });
  await visit(page, '/todos');
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  await filesAreKept(page);
  assert.deepEqual(asked.filter((file, index) => asked.indexOf(file) < index), []);
  assert.deepEqual(asked.filter((file) => /\/(Lottery|Recommend|Statistics|System|Backups|charts)-/.test(file)), []);
  // A page that is visited is kept from then on.
  await link(page, 'system').click();
  await page.getByRole('link', { name: say('system', 'tab.overview') }).waitFor();
  await filesAreKept(page);
  assert.ok(asked.some((file) => /\/System-/.test(file)));
  assert.deepEqual(flaws, []);
});

test('it opens also while the server hangs', async (t) => {
  const { house, page, flaws } = await seenHouse(t);
  house.signal('SIGSTOP');
  // That it opens is seen in the page: a file that it needs no more may wait for the server beyond the load.
  await page.reload({ waitUntil: 'commit' });
  await page.locator('[data-todo]').filter({ hasText: '기억할 일' }).waitFor();
  await banner(page).waitFor();
  house.signal('SIGCONT');
  await banner(page).waitFor({ state: 'detached' });
  assert.deepEqual(flaws, []);
});

test('while the server hangs what was last seen is there, marked, within five seconds', async (t) => {
  const { house, page, flaws } = await seenHouse(t);
  house.signal('SIGSTOP');
  const patience = { timeout: 5_000 };
  const asked = performance.now();
  await page.goto('/todos', { waitUntil: 'commit', ...patience });
  await page.locator('[data-todo]').filter({ hasText: '기억할 일' }).waitFor(patience);
  await banner(page).or(reading(page)).waitFor(patience);
  assert.ok(performance.now() - asked < patience.timeout, `it took ${performance.now() - asked} ms`);
  await banner(page).waitFor();
  house.signal('SIGCONT');
  await banner(page).waitFor({ state: 'detached' });
  assert.deepEqual(flaws, []);
});

test('while a first word is only slow in coming, nothing is called lost, and there is nothing to press', async (t) => {
  const { house, page, flaws } = await seenHouse(t);
  await page.addInitScript((words) => {
    window.calledLost = 0;
    new MutationObserver(() => (window.calledLost += Number(document.body?.textContent?.includes(words) ?? 0))).observe(document, { childList: true, subtree: true, characterData: true });
  }, say('shell', 'banner.lost').split('.')[0]);
  house.signal('SIGSTOP');
  await page.reload({ waitUntil: 'commit' });
  await reading(page).waitFor();
  assert.equal(await page.getByRole('button', { name: say('shell', 'banner.reconnect') }).count(), 0);
  house.signal('SIGCONT');
  await reading(page).waitFor({ state: 'detached' });
  assert.equal(await page.evaluate(() => window.calledLost), 0);
  assert.deepEqual(flaws, []);
});

test('a server with a new version is never answered for with the old one', async (t) => {
  const { house, page } = await seenHouse(t);
  const port = Number(new URL(house.household).port);
  await house.stop();
  const server = createServer((req, res) => {
    res.setHeader('content-type', 'text/html').end('<!doctype html><title>new</title><main><h1>a new version</h1></main>');
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  await page.goto('/todos');
  await page.getByRole('heading', { name: 'a new version' }).waitFor();
});

test('a page that was opened without its server says that it is an older one, once the server has a newer', async (t) => {
  const { house, page, again, flaws } = await seenHouse(t);
  await house.stop();
  await page.reload();
  await banner(page).waitFor();
  // The next shell is another one: the file that this page was begun with is not in it.
  await page.evaluate(() => document.querySelector('script[type="module"]').setAttribute('src', '/assets/index-older.js'));
  await again();
  await page.getByText(say('shell', 'banner.outdated')).waitFor();
  assert.deepEqual(flaws, []);
});

test('signing out leaves nothing of what was seen, and without its server the app shows nothing of it', async (t) => {
  const { house, page, flaws } = await seenHouse(t, { passphrase: PASSPHRASE });
  assert.match(await keptWords(page), /기억할 일/);
  await page.getByRole('button', { name: say('shell', 'preferences.title') }).click();
  await page.getByRole('button', { name: say('shell', 'sign_out') }).click();
  await page.getByLabel(say('shell', 'sign_in.passphrase')).waitFor();
  await until(() => nothingIsKept(page));
  await house.stop();
  await page.reload();
  await page.getByText(say('shell', 'door.unreachable')).waitFor();
  assert.equal(await page.getByText('기억할 일').count(), 0);
  assert.deepEqual(flaws, []);
});

test('a session that was ended elsewhere leaves nothing either, in a page that is open', async (t) => {
  const { context, house, page, flaws } = await seenHouse(t, { passphrase: PASSPHRASE });
  const [{ name, value }] = await context.cookies();
  const cookie = `${name}=${value}`;
  const away = await context.newPage();
  await away.goto('/todos');
  await away.locator('[data-todo]').waitFor();
  await page.goto('about:blank');
  await fetch(`${house.household}/api/household/sign-out`, { method: 'POST', headers: { cookie } });
  await away.getByLabel(say('shell', 'sign_in.passphrase')).waitFor();
  await until(() => nothingIsKept(away));
  assert.deepEqual(flaws, []);
});

test('while the server hangs the lottery page keeps the numbers that were last recommended, and asks for none', async (t) => {
  const { house, page, flaws } = await seenHouse(t);
  await visit(page, '/lottery');
  const card = page.locator('section').filter({ has: page.getByRole('heading', { name: say('lottery', 'recommend'), exact: true }) });
  let numbers;
  await until(async () => {
    const { history } = await get(house, '/api/history');
    numbers = history[0]?.numbers;
    return numbers;
  });
  await isKept(page, '/api/history?limit=30', `"numbers":[${numbers}]`);
  await isKept(page, '/api/lotto/latest', 'next_draw');
  await filesAreKept(page);
  house.signal('SIGSTOP');
  await page.goto('/lottery', { waitUntil: 'commit' });
  await card.getByText(new RegExp(`^${numbers[0]}$`)).first().waitFor({ timeout: 5_000 });
  await banner(page).waitFor();
  assert.equal(await page.getByText(say('lottery', 'recommend.failed')).count(), 0);
  house.signal('SIGCONT');
  await banner(page).waitFor({ state: 'detached' });
  assert.deepEqual(flaws, []);
});

/** The line between a page and its server: silent, broken, shared by several tabs. */

import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { after, before, test } from 'node:test';
import { neverIdle, newVisitor, openBrowser, settled, violations, visit, whole } from './browser.js';
import { answered, newFolder, openHouse, sentences, through } from './house.js';

const PASSPHRASE = 'five apricot blossoms in the yard';
let browser;
const say = await sentences('ko');

before(async () => (browser = await openBrowser()));
after(() => browser?.close());

const banner = (page) => page.getByText(new RegExp(say('shell', 'banner.lost').replace('{time}', '\\d\\d:\\d\\d')));

test('a server that hangs is noticed within five seconds, and so is its return', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  await Promise.all([page.waitForResponse('**/api/events'), visit(page, '/todos')]);
  await whole(page);
  house.signal('SIGSTOP');
  await banner(page).waitFor({ timeout: 5_000 });
  house.signal('SIGCONT');
  await banner(page).waitFor({ state: 'detached' });
  assert.deepEqual(flaws, []);
});

test('what was to be changed while the server hung says that it may have been done, and is done once when it is tried again', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  await Promise.all([page.waitForResponse('**/api/events'), visit(page, '/lottery/purchases')]);
  await page.getByRole('button', { name: say('lottery', 'purchase.add') }).first().click();
  await page.getByLabel(say('lottery', 'purchase.numbers')).fill('3 9 17 25 33 41');
  // What is asked before it is written down has been heard; the writing itself is not answered.
  await page.route('**/api/lotto/purchase?*', (route) => route.fulfill({ json: { purchases: [], total: 0 } }));
  const spent = await (await fetch(`${house.household}/api/lotto/purchase/months?limit=1`)).json();
  await page.route('**/api/lotto/purchase/months?*', (route) => route.fulfill({ json: spent }));
  house.signal('SIGSTOP');
  const save = page.getByRole('button', { name: say('lottery', 'purchase.save', { count: 1 }) });
  await save.click();
  await page.getByText(say('shell', 'problem.UNANSWERED')).waitFor({ timeout: 6_000 });
  assert.equal(await page.getByLabel(say('lottery', 'purchase.numbers')).inputValue(), '3 9 17 25 33 41');
  house.signal('SIGCONT');
  await banner(page).waitFor({ state: 'detached' });
  await save.click();
  await save.waitFor({ state: 'detached' });
  const { total } = await (await fetch(`${house.household}/api/lotto/purchase`)).json();
  assert.equal(total, 1, 'what the server had heard before it hung was done a second time');
  assert.deepEqual(flaws, []);
});

test('two tabs share one stream of events, and the other takes it over within a second when the one that holds it goes', async (t) => {
  const house = await openHouse(t);
  const streams = await countStreams(t, house);
  const { context, page: one, flaws } = await newVisitor(t, browser, streams);
  const other = await context.newPage();
  await visit(one, '/todos');
  await streams.become(1);
  await visit(other, '/todos');
  await streams.become(1);
  await seesAdded(house, [one, other], '둘 다 듣는 일');
  assert.equal(streams.open.size, 1);

  const [first] = streams.open;
  const left = performance.now();
  await one.close();
  await streams.become(1, (stream) => stream !== first);
  assert.ok(performance.now() - left < 1_000, `it took ${performance.now() - left} ms`);
  await seesAdded(house, [other], '혼자 듣는 일');

  const third = await context.newPage();
  await visit(third, '/todos');
  await seesAdded(house, [other, third], '셋째와 듣는 일');
  await streams.become(1);
  assert.deepEqual(flaws, []);
});

test('without a way to speak with each other, each tab has its own stream', async (t) => {
  const house = await openHouse(t);
  const streams = await countStreams(t, house);
  const { context, page: one, flaws } = await newVisitor(t, browser, streams);
  await context.addInitScript(() => delete window.BroadcastChannel);
  const other = await context.newPage();
  for (const page of [one, other]) await visit(page, '/todos');
  await streams.become(2);
  await seesAdded(house, [one, other], '각자 듣는 일');
  assert.deepEqual(flaws, []);
});

test('who comes back to a page sees at once what was seen there, and then what is new', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  await visit(page, '/todos');
  await seesAdded(house, [page], '그대로 보이는 일');
  const link = (section) => page.getByRole('navigation').getByRole('link', { name: say(section, 'name') }).first();
  await link('system').click();
  await page.getByRole('link', { name: say('system', 'tab.overview') }).waitFor();
  let answer;
  const held = new Promise((resolve) => (answer = resolve));
  await page.route('**/api/todos?*', async (route) => {
    await held;
    await route.continue();
  });
  await link('todos').click();
  await page.getByText('그대로 보이는 일').waitFor();
  const headers = { 'content-type': 'application/json' };
  await fetch(`${house.household}/api/todos`, { method: 'POST', headers, body: JSON.stringify({ title: '새로 온 일' }) });
  answer();
  await page.getByText('새로 온 일').waitFor();
  assert.deepEqual(flaws, []);
});

test('a todo that is added while the server is away stays, also in a page that is loaded anew, and is saved once when it is there again', async (t) => {
  const folder = await newFolder(t);
  const house = await openHouse(t, { folder });
  const { page, flaws } = await newVisitor(t, browser, house);
  await Promise.all([page.waitForResponse('**/api/events'), visit(page, '/todos')]);
  const line = page.getByRole('textbox', { name: say('todos', 'add'), exact: true });
  const addition = page.locator('[data-addition]').filter({ hasText: '서버가 없을 때 적은 일' });

  // The server has heard it, and hangs before it answers.
  house.signal('SIGSTOP');
  await line.fill('서버가 없을 때 적은 일');
  await line.press('Enter');
  await addition.getByText(say('todos', 'addition.unsaved')).waitFor();
  assert.equal(await line.inputValue(), '');
  await line.fill('반쯤 적은');
  assert.deepEqual(await violations(page), []);
  if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/addition.png` });
  await house.stop();

  const again = await openHouse(t, { folder, listen: new URL(house.household).host });
  await page.reload();
  await page.locator('[data-todo]').filter({ hasText: '서버가 없을 때 적은 일' }).waitFor();
  await addition.waitFor({ state: 'detached' });
  assert.equal(await line.inputValue(), '반쯤 적은');
  const { todos } = await (await fetch(`${again.household}/api/todos`)).json();
  assert.deepEqual(todos.map(({ title }) => title), ['서버가 없을 때 적은 일']);
  assert.deepEqual(flaws, []);
});

test('a todo that is added while the server is known to be away is marked before its attempt has ended', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  await Promise.all([page.waitForResponse('**/api/events'), visit(page, '/todos')]);
  await whole(page);
  const ended = [];
  page.on('requestfailed', (request) => request.method() === 'POST' && ended.push(request.url()));
  house.signal('SIGSTOP');
  await banner(page).waitFor();
  const line = page.getByRole('textbox', { name: say('todos', 'add'), exact: true });
  await line.fill('없는 줄 알고 적은 일');
  await line.press('Enter');
  const addition = page.locator('[data-addition]').filter({ hasText: '없는 줄 알고 적은 일' });
  await addition.getByText(say('todos', 'addition.unsaved')).waitFor();
  assert.deepEqual(ended, []);
  house.signal('SIGCONT');
  await addition.waitFor({ state: 'detached' });
  await page.locator('[data-todo]').filter({ hasText: '없는 줄 알고 적은 일' }).waitFor();
  assert.deepEqual(flaws, []);
});

test('a todo that is deleted on its way does not come back, and who takes that back has it once', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  await visit(page, '/todos');
  const line = page.getByRole('textbox', { name: say('todos', 'add'), exact: true });
  const addition = page.locator('[data-addition]');
  const todo = page.locator('[data-todo]').filter({ hasText: '잘못 적은 일' });
  let held;
  await page.route('**/api/todos', async (route) => {
    if (route.request().method() === 'POST') await held;
    await route.continue();
  });
  /** Holds the next answers until what it gives is called. */
  const holdAnswers = () => {
    let answer;
    held = new Promise((resolve) => (answer = resolve));
    return answer;
  };
  const remove = async () => {
    await line.fill('잘못 적은 일');
    await line.press('Enter');
    await addition.getByRole('button', { name: say('todos', 'delete_of', { title: '잘못 적은 일' }) }).click();
    await addition.waitFor({ state: 'detached' });
  };

  const answer = holdAnswers();
  await remove();
  await Promise.all([page.waitForResponse((response) => response.request().method() === 'DELETE' && response.ok()), answer()]);
  await todo.waitFor({ state: 'detached' });
  assert.deepEqual((await (await fetch(`${house.household}/api/todos`)).json()).todos, []);
  await page.getByRole('button', { name: say('shell', 'undo') }).click();
  await todo.waitFor();
  await addition.waitFor({ state: 'detached' });
  assert.equal(await todo.count(), 1);

  const answerNext = holdAnswers();
  await remove();
  await page.getByRole('button', { name: say('shell', 'undo') }).click();
  await addition.waitFor();
  answerNext();
  await addition.waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.querySelectorAll('[data-todo]').length === 2);
  assert.deepEqual(flaws, []);
});

test('a todo that found no room goes out by itself when there is room, and none goes with the session without a word', async (t) => {
  const folder = await newFolder(t);
  await answered(folder, `${PASSPHRASE}\n`, 'household', 'passphrase', '--new');
  const house = await openHouse(t, { folder, listen: '0.0.0.0:0' });
  const { page, flaws } = await newVisitor(t, browser, house, { width: 360, height: 740 });
  let storage = 'ok';
  await page.route('**/api/system', async (route) => {
    const response = await route.fetch();
    const system = await response.json();
    await route.fulfill({ response, json: { ...system, storage: { ...system.storage, state: storage } } });
  });
  await page.route('**/api/todos', async (route) => {
    if (storage === 'ok' || route.request().method() !== 'POST') return route.continue();
    return route.fulfill({ status: 507, json: { error: 'STORAGE_FULL', message: 'full', retry_after: 3600 } });
  });
  const enter = async () => {
    await page.getByLabel(say('shell', 'sign_in.passphrase')).fill(PASSPHRASE);
    await page.keyboard.press('Enter');
  };
  const line = page.getByRole('textbox', { name: say('todos', 'add'), exact: true });
  const add = async (title) => {
    await line.fill(title);
    await line.press('Enter');
    await page.locator('[data-addition]').getByText(say('todos', 'addition.unsaved')).waitFor();
  };
  const look = (section) => page.getByRole('navigation').getByRole('link', { name: say(section, 'name') }).first().click();
  await page.goto('/todos');
  await enter();
  await line.waitFor();

  storage = 'full';
  await look('system');
  await page.getByText(say('shell', 'banner.full')).waitFor();
  await look('todos');
  await add('자리가 나면 갈 일');
  storage = 'ok';
  await look('system');
  await page.getByText(say('shell', 'banner.full')).waitFor({ state: 'detached' });
  await look('todos');
  await page.locator('[data-todo]').filter({ hasText: '자리가 나면 갈 일' }).waitFor();

  storage = 'full';
  await add('아직 저장되지 않은 일');
  const signOut = async () => {
    await page.getByRole('button', { name: say('shell', 'preferences.title') }).click();
    await page.getByRole('button', { name: say('shell', 'sign_out') }).click();
  };
  const asked = page.getByRole('dialog').filter({ hasText: say('shell', 'leaving.title') });
  await signOut();
  await asked.getByText('아직 저장되지 않은 일').waitFor();
  await settled(page);
  assert.deepEqual(await violations(page), []);
  if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/leaving.png` });
  await asked.getByRole('button', { name: say('shell', 'cancel') }).click();
  await page.locator('[data-addition]').filter({ hasText: '아직 저장되지 않은 일' }).waitFor();

  await signOut();
  await asked.getByRole('button', { name: say('shell', 'leaving.do') }).click();
  await enter();
  await page.locator('[data-todo]').filter({ hasText: '자리가 나면 갈 일' }).waitFor();
  assert.equal(await page.getByText('아직 저장되지 않은 일').count(), 0);
  assert.equal(await asked.count(), 0);
  assert.deepEqual(flaws.filter((flaw) => !flaw.includes('507')), []);
});

test('a page that takes longer than a moment shows that it is on its way', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  await page.addInitScript(neverIdle);
  await visit(page, '/todos');
  let come;
  const held = new Promise((resolve) => (come = resolve));
  await page.route(/assets\/System-.*js/, async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('navigation').getByRole('link', { name: say('system', 'name') }).first().click();
  const going = page.getByRole('status').filter({ hasText: say('shell', 'loading') });
  await going.waitFor();
  come();
  await page.getByRole('link', { name: say('system', 'tab.overview') }).waitFor();
  await going.waitFor({ state: 'detached' });
  assert.deepEqual(flaws, []);
});

/** Adds a todo behind the back of these pages, and waits until each shows it. */
async function seesAdded(house, pages, title) {
  const headers = { 'content-type': 'application/json' };
  await fetch(`${house.household}/api/todos`, { method: 'POST', headers, body: JSON.stringify({ title }) });
  await Promise.all(pages.map((page) => page.getByText(title).first().waitFor()));
}

/** The house behind a proxy that knows which streams of events are open at the server. */
async function countStreams(t, house) {
  const open = new Set();
  const changes = new EventEmitter();
  const way = await through(house, {
    hears(address, answer) {
      if (address !== '/api/events') return;
      open.add(answer);
      answer.once('close', () => {
        open.delete(answer);
        changes.emit('change');
      });
      changes.emit('change');
    },
  });
  t.after(way.close);
  return {
    household: way.household,
    open,
    /** Waits until so many are open, all of which are as wanted. */
    async become(count, isWanted = () => true) {
      while (open.size !== count || ![...open].every(isWanted)) await once(changes, 'change', { signal: AbortSignal.timeout(10_000) });
    },
  };
}

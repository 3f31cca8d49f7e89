/** What is done in a tab: seen in the others at once, never losing the focus, and done also when the page is left. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeBoth, focused, holdEvents, newVisitor, openBoth, tabTo, until, visit } from './browser.js';
import { get, openHouse, post, sentences } from './house.js';

let house;
let browser;
let say;

before(async () => {
  ({ house, browser } = await openBoth());
  say = await sentences('ko');
  await post(house, '/api/lotto/purchase', { draw_no: 1245, sets: [[4, 5, 25, 28, 32, 42]], note: '동네' });
  await get(house, '/api/lotto/recommend');
});

after(() => closeBoth({ house, browser }));

test('what is done to a todo or a purchase in one tab is seen in the other', async (t) => {
  const { context, page: one, flaws } = await newVisitor(t, browser, house);
  const other = await context.newPage();
  await Promise.all([one, other].map((tab) => visitLive(tab, '/todos')));
  await one.getByRole('textbox', { name: say('todos', 'add'), exact: true }).fill('두 창에서 보는 일');
  await one.keyboard.press('Enter');
  await other.getByRole('checkbox', { name: say('todos', 'done_of', { title: '두 창에서 보는 일' }) }).click();
  await one.getByText(say('todos', 'group.done', { count: 1 })).waitFor();

  await Promise.all([one, other].map((tab) => visitLive(tab, '/lottery/purchases')));
  await one.getByRole('button', { name: say('lottery', 'purchase.add') }).click();
  await one.getByLabel(say('lottery', 'purchase.numbers')).fill('3 9 17 25 33 41');
  await one.getByLabel(say('lottery', 'purchase.note')).fill('두 창에서 보는 표');
  await one.getByRole('button', { name: say('lottery', 'purchase.save', { count: 1 }) }).click();
  await other.getByText('두 창에서 보는 표').waitFor();
  assert.deepEqual(flaws, []);
});

test('what is done between the load of a page and the opening of its stream of events is seen', async (t) => {
  const { page, flaws } = await newVisitor(t, browser, house);
  const open = await holdEvents(page);
  await visit(page, '/todos');
  await post(house, '/api/todos', { title: '문이 열리기 전의 일' });
  open();
  await page.getByRole('checkbox', { name: say('todos', 'done_of', { title: '문이 열리기 전의 일' }) }).waitFor();
  assert.deepEqual(flaws, []);
});

test('what is done to a long list from the keyboard says beside the button what failed, and goes on at the first row that it brought', async (t) => {
  const { page, flaws } = await newVisitor(t, browser, house);
  const [{ purchases: [purchase] }, { history: [entry] }] = await Promise.all(['/api/lotto/purchase', '/api/history'].map((path) => get(house, path)));
  const todo = { title: '', note: '', due: null, done: true, created_at: '2026-10-01T00:00:00Z', done_at: '2026-10-02T00:00:00Z' };
  const review = { date: '2026-10-10', sentence_ko: '', sentence_en: '', picks: { checked: 0 }, purchases: { games: 0, net: null } };
  const lists = [
    { path: '/todos', rows: 'details [data-todo] input', api: /\/api\/todos\?/, field: 'todos', one: todo, shown: 500, more: say('todos', 'more', { shown: 500, count: 505 }) },
    { path: '/lottery/purchases', rows: 'li[tabindex]', api: /\/api\/lotto\/purchase\?/, field: 'purchases', one: purchase, shown: 50, more: say('lottery', 'more') },
    { path: '/lottery/history', rows: 'li[tabindex]', api: /\/api\/history\?/, field: 'history', one: entry, shown: 30, more: say('lottery', 'more') },
    { path: '/lottery/reports/review', rows: 'tbody tr[tabindex]', api: /\/api\/lotto\/review\/history\?/, field: 'reviews', one: review, key: 'draw_no', shown: 8, more: say('lottery', 'more') },
  ];
  for (const { path, rows, api, field, one, key = 'id', shown, more } of lists) {
    const all = Array.from({ length: shown + 5 }, (_, index) => ({ ...one, [key]: 10_000 - index }));
    let full = false;
    await page.route(api, (route) => {
      if (full) return route.fulfill({ status: 507, json: { error: 'STORAGE_FULL', message: 'full' } });
      const { searchParams } = new URL(route.request().url());
      const [limit, offset] = ['limit', 'offset'].map((name) => Number(searchParams.get(name)));
      return route.fulfill({ json: { [field]: all.slice(offset, offset + limit), total: all.length } });
    });
    await visit(page, path);
    await page.getByRole('button', { name: more, exact: true }).focus();
    full = true;
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: say('shell', 'more_failed') }).waitFor();
    assert.equal(await focused(page), say('shell', 'retry'));
    assert.equal(await page.getByRole('alert').count(), 1);
    full = false;
    await page.keyboard.press('Enter');
    const isThere = ({ rows, shown }) => document.querySelectorAll(rows)[shown]?.matches(':focus');
    await page.waitForFunction(isThere, { rows, shown });
  }
  assert.deepEqual(flaws, []);
});

test('what is done to the rows of a list with the mouse leaves the focus at the next one, and at the heading when none is left', async (t) => {
  const { page, flaws } = await newVisitor(t, browser, house);
  const [{ purchases: [purchase] }, { history: [entry] }] = await Promise.all(['/api/lotto/purchase', '/api/history'].map((path) => get(house, path)));
  const todo = { title: '마우스로 지우는 일', note: '', due: null, done: false, created_at: '2026-10-01T00:00:00Z', done_at: null };
  const lists = [
    { path: '/todos', rows: '[data-todo]', api: /\/api\/todos\?/, field: 'todos', one: todo, button: say('todos', 'delete_of', { title: todo.title }) },
    { path: '/lottery/purchases', rows: 'li[tabindex]', api: /\/api\/lotto\/purchase\?/, field: 'purchases', one: purchase, button: say('lottery', 'purchase.remove.this', { draw: purchase.draw_no, count: purchase.count }) },
    { path: '/lottery/history', rows: 'li[tabindex]', api: /\/api\/history\?/, field: 'history', one: entry, button: say('lottery', 'history.remove', { numbers: entry.numbers.join(', ') }) },
  ];
  for (const { path, rows, api, field, one, button } of lists) {
    const all = Array.from({ length: 3 }, (_, index) => ({ ...one, id: 10_000 - index }));
    await page.route(api, (route) => route.fulfill({ json: { [field]: all, total: all.length } }));
    await visit(page, path);
    const remove = page.getByRole('button', { name: button, exact: true });
    const isAtRow = ({ rows, at }) => document.querySelectorAll(rows)[at]?.contains(document.activeElement);
    await remove.nth(1).click();
    await page.waitForFunction(isAtRow, { rows, at: 1 });
    await remove.nth(1).click();
    await page.waitForFunction(isAtRow, { rows, at: 0 });
    await remove.click();
    await page.waitForFunction(() => document.activeElement?.matches('main h1, main h2'));
  }
  assert.deepEqual(flaws, []);
});

test('what is done on Today with the mouse leaves the focus in the list', async (t) => {
  const { page, flaws } = await newVisitor(t, browser, house);
  for (const title of ['오늘 할 일 하나', '오늘 할 일 둘']) await post(house, '/api/todos', { title, due: '2026-10-01' });
  await visit(page, '/');
  await page.getByRole('button', { name: say('todos', 'today.do.done_of', { title: '오늘 할 일 둘' }) }).click();
  await page.waitForFunction(() => document.activeElement?.matches('main li'));
  await page.getByText(say('todos', 'done_said', { title: '오늘 할 일 둘' })).waitFor();
  await page.locator('main label').getByRole('checkbox').first().click();
  await page.waitForFunction(() => document.activeElement?.matches('main li input, main li'));
  assert.deepEqual(flaws, []);
});

test('what is done to a task, stopping it and trying it again, works without a mouse', async (t) => {
  const { page, flaws } = await newVisitor(t, browser, house);
  const { schedule } = await get(house, '/api/system/jobs');
  const later = schedule.find(({ name }) => name === 'lottery_sync');
  await visit(page, '/system/jobs');
  await tabTo(page, say('system', 'schedule.run_of', { name: later.title_ko }));
  await page.keyboard.press('Enter');
  // The task is called what it does, not when; the operator is away, and it waits to ask again.
  let begun;
  await until(async () => (begun = (await get(house, '/api/system/jobs')).jobs.find(({ kind }) => kind === 'lottery_sync')));
  await page.locator('#jobs-list').getByText(new RegExp(say('shell', 'task.again').replace('{wait}', '.+'))).first().waitFor();
  await tabTo(page, say('shell', 'task.cancel', { name: begun.title_ko }));
  await page.keyboard.press('Enter');
  const line = page.locator('#jobs-list').getByRole('listitem').filter({ has: page.getByText(begun.title_ko, { exact: true }) });
  await line.getByText(say('shell', 'task.cancelled')).waitFor();
  // The button has gone with the work: its row has the focus.
  await page.waitForFunction(() => document.activeElement?.matches('#jobs-list li'));

  // What is asked for by hand is another task, of another name.
  await post(house, '/api/lotto/sync');
  const { jobs } = await get(house, '/api/system/jobs');
  const { title_ko } = jobs.find(({ kind }) => kind === 'lottery_sync_now');
  assert.notEqual(title_ko, begun.title_ko);
  const asked = page.locator('#jobs-list').getByRole('listitem').filter({ has: page.getByText(title_ko, { exact: true }) });
  await asked.getByRole('button', { name: say('shell', 'task.retry', { name: title_ko }) }).waitFor();
  await tabTo(page, say('shell', 'task.retry', { name: title_ko }));
  await page.keyboard.press('Enter');
  await asked.getByText(say('shell', 'task.attempts', { count: 2 })).waitFor();
  await page.waitForFunction(() => document.activeElement?.matches('#jobs-list li'));
  assert.deepEqual(flaws, []);
});

test('a job that was run by hand has run', async (t) => {
  const own = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, own);
  const { schedule } = await get(own, '/api/system/jobs');
  const unrun = schedule.find(({ last_run_at }) => last_run_at === null);
  await visit(page, '/system/jobs');
  const entry = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: say('system', 'schedule.run_of', { name: unrun.title_ko }) }) });
  await entry.getByText(say('system', 'schedule.never'), { exact: true }).waitFor();
  await entry.getByRole('button').click();
  await entry.getByText(new RegExp(`^${say('system', 'schedule.last').replace('{age}', '.+')}$`)).waitFor();
  assert.equal(await entry.getByText(say('system', 'schedule.never'), { exact: true }).count(), 0);
  assert.deepEqual(flaws, []);
});

test('what is done to delete something holds when the page is left while it could still be taken back', async (t) => {
  const { context, page, flaws } = await newVisitor(t, browser, house);
  const other = await context.newPage();
  await post(house, '/api/todos', { title: '지우고 떠나는 일' });
  await post(house, '/api/lotto/purchase', { draw_no: 1244, count: 3 });
  const { history: [{ numbers }] } = await get(house, '/api/history');
  const deletions = [
    { path: '/todos', button: say('todos', 'delete_of', { title: '지우고 떠나는 일' }) },
    { path: '/lottery/purchases', button: say('lottery', 'purchase.remove.this', { draw: 1244, count: 3 }) },
    { path: '/lottery/history', button: say('lottery', 'history.remove', { numbers: numbers.join(', ') }) },
  ];
  // A slow uplink: the page has long gone when the request would come to its turn.
  const network = await context.newCDPSession(page);
  await network.send('Network.enable');
  for (const { path, button } of deletions) {
    await network.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });
    await Promise.all([visit(page, path), visitLive(other, path)]);
    const rest = other.getByRole('button', { name: button, exact: true });
    const before = await rest.count();
    await page.getByRole('button', { name: button, exact: true }).first().click();
    await page.getByRole('button', { name: say('shell', 'undo'), exact: true }).waitFor();
    await network.send('Network.emulateNetworkConditions', { offline: false, latency: 500, downloadThroughput: -1, uploadThroughput: -1 });
    await page.goto('about:blank');
    await rest.nth(before - 1).waitFor({ state: 'detached' });
  }
  assert.deepEqual(flaws, []);
});

/** Visits a page whose tab hears what changes on the server from then on: one of the tabs tells all others what it hears. */
async function visitLive(page, path) {
  await visit(page, path);
  await page.evaluate(() => new Promise((resolve) => {
    new BroadcastChannel('hanok.events').addEventListener('message', ({ data }) => data.kind === 'beat' && resolve());
  }));
}

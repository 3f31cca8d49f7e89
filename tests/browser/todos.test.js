/** The todos' quick line: what it reads is shown before it counts, and one key takes it back. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newVisitor, openBrowser, sticksOut, violations, visit } from './browser.js';
import { openHouse, post, sentences } from './house.js';

let browser;
const say = await sentences('ko');

before(async () => (browser = await openBrowser()));
after(() => browser?.close());

const todosOf = async (house) => (await (await fetch(`${house.household}/api/todos`)).json()).todos;

test('what the line reads as a day is shown, and Escape makes it plain text again', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  await visit(page, '/todos');
  const line = page.getByRole('textbox', { name: say('todos', 'add'), exact: true });
  const ignore = page.getByRole('button', { name: say('todos', 'add.ignore') });

  await line.fill('다음 주 금요일 회의');
  await ignore.waitFor();
  await line.press('Escape');
  await ignore.waitFor({ state: 'detached' });
  assert.equal(await line.inputValue(), '다음 주 금요일 회의');
  await line.press('Escape');
  assert.equal(await line.inputValue(), '다음 주 금요일 회의');
  await line.press('Enter');
  await page.locator('[data-todo]').filter({ hasText: '다음 주 금요일 회의' }).waitFor();

  await line.fill('다음 주 금요일 점심');
  await ignore.waitFor();
  await line.press('Enter');
  await page.locator('[data-todo]').filter({ hasText: /^\s*점심/ }).waitFor();
  const [lunch, meeting] = (await todosOf(house)).sort((a, b) => b.id - a.id);
  assert.deepEqual([meeting.title, meeting.due], ['다음 주 금요일 회의', null]);
  assert.equal(lunch.title, '점심');
  const weekday = new Date(`${lunch.due}T00:00:00Z`).getUTCDay();
  assert.equal(weekday, 5);
  assert.deepEqual(flaws, []);
});

test('one that is added out of sight says so, and its message leads to it', async (t) => {
  const house = await openHouse(t);
  for (let number = 1; number <= 30; number += 1) await post(house, '/api/todos', { title: `${number}번째 일`, due: '2026-01-01' });
  const { page, flaws } = await newVisitor(t, browser, house, { width: 390 });
  await visit(page, '/todos');
  const line = page.getByRole('textbox', { name: say('todos', 'add'), exact: true });
  await line.fill('양초 사기');
  await line.press('Enter');
  const row = page.locator('[data-todo]').filter({ hasText: '양초 사기' });
  await page.getByText(say('todos', 'added', { title: '양초 사기' })).waitFor();
  await page.getByRole('button', { name: say('todos', 'show') }).click();
  await row.getByRole('checkbox').and(page.locator(':focus')).waitFor();
  const { y } = await row.boundingBox();
  assert.ok(y > 0 && y < page.viewportSize().height, `${y}`);
  assert.deepEqual(flaws, []);
});

test('one that is done is unfolded and has the focus when its address is opened', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  await post(house, '/api/todos', { title: '우유 사기' });
  await post(house, '/api/todos', { title: '빵 사기' });
  const milk = (await todosOf(house)).find(({ title }) => title === '우유 사기');
  const body = JSON.stringify({ done: true });
  await fetch(`${house.household}/api/todos/${milk.id}`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body });
  await visit(page, `/todos?todo=${milk.id}`);
  const row = page.locator(`[data-todo="${milk.id}"]`);
  await row.waitFor();
  await page.waitForFunction((id) => document.activeElement?.closest('[data-todo]')?.getAttribute('data-todo') === String(id), milk.id);
  assert.ok(await row.isVisible());
  assert.deepEqual(flaws, []);
});

test('what is done stays unfolded while other things change', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  await post(house, '/api/todos', { title: '우유 사기' });
  await post(house, '/api/todos', { title: '빵 사기' });
  const milk = (await todosOf(house)).find(({ title }) => title === '우유 사기');
  const body = JSON.stringify({ done: true });
  await fetch(`${house.household}/api/todos/${milk.id}`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body });
  await visit(page, '/todos');
  const box = (title) => page.locator('[data-todo]').filter({ hasText: title }).getByRole('checkbox');
  await page.locator('details summary').click();
  await box('우유 사기').waitFor();
  await post(house, '/api/todos', { title: '양초 사기' });
  await box('양초 사기').waitFor();
  assert.ok(await box('우유 사기').isVisible());
  assert.deepEqual(flaws, []);
});

test('a time alone is read as its next one, and two days as no day', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house, { width: 360, height: 740 });
  await visit(page, '/todos');
  const line = page.getByRole('textbox', { name: say('todos', 'add'), exact: true });
  await line.fill('수요일 말고 목요일 회의');
  await line.press('Enter');
  await page.locator('[data-todo]').filter({ hasText: '수요일 말고 목요일 회의' }).waitFor();
  await line.fill('오후 3시 미팅');
  await page.getByText(say('todos', 'add.read_reminder')).waitFor();
  await line.press('Enter');
  await page.locator('[data-todo]').filter({ hasText: /^\s*미팅/ }).waitFor();
  const [meeting, several] = (await todosOf(house)).sort((a, b) => b.id - a.id);
  assert.deepEqual([several.title, several.due], ['수요일 말고 목요일 회의', null]);
  assert.deepEqual([meeting.title, meeting.time], ['미팅', '15:00']);
  const due = Date.parse(`${meeting.due}T15:00:00+09:00`);
  assert(due > Date.now() && due <= Date.now() + 86_400_000, meeting.due);
  assert.deepEqual(flaws, []);
});

test('one that repeats is read, shown, ticked and followed by the next', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house, { width: 360, height: 740 });
  await visit(page, '/todos');
  const line = page.getByRole('textbox', { name: say('todos', 'add'), exact: true });
  await line.fill('매주 월요일 오후 3시 분리수거');
  await page.getByText(say('todos', 'add.read_reminder')).waitFor();
  await line.press('Enter');
  const row = page.locator('[data-todo]').filter({ hasText: '분리수거' });
  await row.getByText('매주 월').waitFor();
  const [first] = await todosOf(house);
  assert.deepEqual([first.title, first.time, first.remind_before], ['분리수거', '15:00', 0]);

  // The next one stands there at once, so the box is pressed and not looked at again.
  await row.getByRole('checkbox').click();
  await page.getByText(say('todos', 'group.done', { count: 1 })).waitFor();
  await page.locator('section [data-todo]').filter({ hasText: '분리수거' }).waitFor();
  const [next, done] = await todosOf(house);
  assert.deepEqual([next.id, next.done, done.done], [done.followed_by, false, true]);
  assert.equal((Date.parse(next.due) - Date.parse(done.due)) / 86_400_000, 7);
  assert.deepEqual(flaws, []);
});

test('the time, the reminder and the repetition are set in the row, without leaving the page too wide', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house, { width: 360, height: 740 });
  await fetch(`${house.household}/api/todos`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ title: '관리비', due: '2027-01-31' }) });
  await visit(page, '/todos');
  await page.getByRole('button', { name: say('todos', 'edit_of', { title: '관리비' }) }).click();
  await page.getByLabel(say('todos', 'field.time'), { exact: true }).fill('10:00');
  await page.getByRole('combobox', { name: say('todos', 'field.remind'), exact: true }).selectOption('60');
  await page.getByRole('combobox', { name: say('todos', 'field.repeat'), exact: true }).selectOption('month_last');
  assert.deepEqual(await sticksOut(page), []);
  assert.deepEqual(await violations(page), []);
  await page.getByRole('button', { name: say('shell', 'save') }).click();
  await page.getByText('매월 말일').waitFor();
  const [todo] = await todosOf(house);
  assert.deepEqual([todo.time, todo.remind_before, todo.repeat.day, todo.remind_at], ['10:00', 60, 31, '2027-01-31T00:00:00Z']);
  assert.deepEqual(flaws, []);
});

test('a repetition in the same week of the month counts the weeks of its day, the fifth as the last', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house, { width: 360, height: 740 });
  // The second Tuesday and the fifth Friday of January 2027.
  const added = [['모임', '2027-01-12', '매월 둘째 주 화요일', 2, 'tue'], ['회식', '2027-01-29', '매월 마지막 주 금요일', 5, 'fri']];
  for (const [title, due] of added) await fetch(`${house.household}/api/todos`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ title, due }) });
  await visit(page, '/todos');
  for (const [title, , said] of added) {
    await page.getByRole('button', { name: say('todos', 'edit_of', { title }) }).click();
    await page.getByRole('combobox', { name: say('todos', 'field.repeat'), exact: true }).selectOption('month_week');
    await page.getByRole('button', { name: say('shell', 'save') }).click();
    await page.locator('[data-todo]').filter({ hasText: title }).getByText(said).waitFor();
  }
  const todos = await todosOf(house);
  for (const [title, , , week, weekday] of added) {
    const { repeat } = todos.find((todo) => todo.title === title);
    assert.deepEqual([repeat.every, repeat.week, repeat.weekdays], ['month', week, [weekday]]);
  }
  assert.deepEqual(flaws, []);
});

test('what repeats from Monday to Friday of every second week shows its interval and its weekdays', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house, { width: 360, height: 740 });
  const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri'];
  const added = { title: '당번', due: '2027-01-04', repeat: { every: 'week', interval: 2, weekdays } };
  await fetch(`${house.household}/api/todos`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(added) });
  await visit(page, '/todos');
  await page.getByText('2주마다 월·화·수·목·금').waitFor();
  await page.getByRole('button', { name: say('todos', 'edit_of', { title: '당번' }) }).click();
  const kind = page.getByRole('combobox', { name: say('todos', 'field.repeat'), exact: true });
  assert.equal(await kind.inputValue(), 'week');
  assert.equal(await page.getByLabel(say('todos', 'field.interval'), { exact: true }).inputValue(), '2');
  assert.equal(await page.getByRole('group', { name: say('todos', 'field.weekdays') }).locator('[aria-pressed=true]').count(), weekdays.length);
  await kind.selectOption('workdays');
  await page.getByLabel(say('todos', 'field.interval'), { exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: say('shell', 'save') }).click();
  await page.getByText(say('todos', 'repeat.workdays'), { exact: true }).waitFor();
  const [{ repeat }] = await todosOf(house);
  assert.deepEqual([repeat.interval, repeat.weekdays], [1, weekdays]);
  assert.deepEqual(flaws, []);
});

test('a reminder is shown on every page, put off, and put away on this device only', async (t) => {
  const house = await openHouse(t);
  const past = new Date(Date.now() - 60_000).toISOString();
  const { page, flaws } = await newVisitor(t, browser, house, { width: 360, height: 740 });
  await visit(page, '/');
  await fetch(`${house.household}/api/todos`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ title: '약 먹기', remind_at: past }) });
  const shown = (on) => on.getByLabel(say('todos', 'reminder.label')).getByText('약 먹기');
  await shown(page).waitFor({ timeout: 90_000 });
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(await sticksOut(page), []);
  await page.getByRole('button', { name: say('todos', 'reminder.hide_of', { title: '약 먹기' }) }).click();
  await shown(page).waitFor({ state: 'detached' });
  await visit(page, '/todos');
  assert.equal(await shown(page).count(), 0);

  const other = await newVisitor(t, browser, house);
  await visit(other.page, '/lottery');
  await shown(other.page).waitFor();
  await other.page.getByRole('button', { name: say('todos', 'reminder.later_of', { title: '약 먹기' }) }).click();
  await shown(other.page).waitFor({ state: 'detached' });
  await other.page.getByText(say('todos', 'reminder.later_said')).waitFor();
  const [todo] = await todosOf(house);
  assert.ok(Date.parse(todo.remind_at) > Date.now() + 50 * 60_000);
  assert.deepEqual([...flaws, ...other.flaws], []);
});

test('a reminder that was put off is named by its day and time, and none that is stored loses the page', async (t) => {
  const house = await openHouse(t);
  const add = async (todo) => (await fetch(`${house.household}/api/todos`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(todo) })).json();
  const change = (id, body) => fetch(`${house.household}/api/todos/${id}`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const { id } = await add({ title: '치과', due: '2098-11-24', time: '15:00', remind_before: 1_440 });
  await add({ title: '끝', remind_at: '9999-12-31T23:59:59Z' });
  const { page, flaws } = await newVisitor(t, browser, house, { width: 360, height: 740 });
  await visit(page, '/todos');
  const row = page.locator(`[data-todo="${id}"]`);
  const rule = say('todos', 'remind.days', { count: 1 });
  await row.getByText(rule).waitFor();
  await page.getByText('9999-12-31T23:59:59Z').waitFor();
  await change(id, { remind_at: '2098-11-23T07:30:00Z' });
  await row.getByText('11월 23일 (일) 16:30').waitFor();
  assert.equal(await row.getByText(rule).count(), 0);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(await sticksOut(page), []);
  assert.deepEqual(flaws, []);
});

test('a todo that could not be saved stands above all others, whenever it is due', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  for (let count = 1; count <= 30; count += 1) await post(house, '/api/todos', { title: `밀린 일 ${count}`, due: '2026-10-01' });
  await visit(page, '/todos');
  await page.route('**/api/todos', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
  const line = page.getByRole('textbox', { name: say('todos', 'add'), exact: true });
  await line.fill('12월 31일 못 보낸 일');
  await line.press('Enter');
  const addition = page.locator('[data-addition]').filter({ hasText: '못 보낸 일' });
  await addition.getByText(say('todos', 'addition.unsaved')).waitFor();
  const [box, first] = await Promise.all([addition, page.locator('[data-todo]').first()].map((row) => row.boundingBox()));
  assert.ok(box.y < first.y, `${box.y}, ${first.y}`);
  assert.deepEqual(await violations(page), []);
  await page.unroute('**/api/todos');
  await addition.getByRole('button', { name: say('todos', 'addition.retry_of', { title: '못 보낸 일' }) }).click();
  await addition.waitFor({ state: 'detached' });
  await page.locator('[data-todo]').filter({ hasText: '못 보낸 일' }).waitFor();
  assert.deepEqual(flaws, []);
});

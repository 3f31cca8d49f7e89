/** What somebody types stays until it is saved or given up, whatever happens around it. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { focused, newVisitor, openBrowser, settled, visit } from './browser.js';
import { answered, newFolder, openHouse, sentences } from './house.js';

let browser;
const say = await sentences('ko');
const PASSPHRASE = 'five apricot blossoms in the yard';
const FULL = { status: 507, contentType: 'application/json', body: '{"error":"STORAGE_FULL","message":"full"}' };

before(async () => (browser = await openBrowser()));
after(() => browser?.close());

/** A request as another device of the household makes it; gives the answer. */
async function elsewhere(house, method, path, body) {
  const init = body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {};
  const response = await fetch(house.household + path, { method, ...init });
  assert.ok(response.ok, `${method} ${path} ${response.status}`);
  return response.json();
}

/** The page of the todos with the form of one of them open, and a note typed into it. */
async function typing(t, house, page, note) {
  const todo = await elsewhere(house, 'POST', '/api/todos', { title: '장보기' });
  await visit(page, '/todos');
  const row = page.locator(`[data-todo="${todo.id}"]`);
  await row.getByRole('button', { name: say('todos', 'edit_of', { title: '장보기' }) }).click();
  const field = row.getByLabel(say('todos', 'field.note'));
  await field.click();
  await page.keyboard.type(note);
  return { todo, row, field };
}

test('what is typed into a todo stays where it is while others change the list', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  const { todo, row, field } = await typing(t, house, page, '두부, 대파');
  await elsewhere(house, 'POST', '/api/todos', { title: '다른 기기에서 더한 일' });
  await page.getByText('다른 기기에서 더한 일').waitFor();
  await page.keyboard.type(', 계란');
  // Moved to another part of the list, and done: the form stays, and nothing of theirs is taken back.
  await elsewhere(house, 'PUT', `/api/todos/${todo.id}`, { due: '2020-01-01', done: true });
  await elsewhere(house, 'POST', '/api/todos', { title: '또 하나' });
  await page.getByText('또 하나').waitFor();
  await page.keyboard.type(', 전구');
  assert.equal(await field.inputValue(), '두부, 대파, 계란, 전구');
  await row.getByRole('button', { name: say('shell', 'save') }).click();
  await field.waitFor({ state: 'detached' });
  const [saved] = (await elsewhere(house, 'GET', '/api/todos?limit=500&offset=0')).todos.filter(({ id }) => id === todo.id);
  assert.deepEqual([saved.note, saved.due, saved.done], ['두부, 대파, 계란, 전구', '2020-01-01', true]);
  assert.deepEqual(flaws, []);
});

test('a todo that could not be saved stays open with what was typed and the reason, and is saved when it is asked again', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  const { row, field } = await typing(t, house, page, '길게 적은 메모');
  await page.route('**/api/todos/*', (route) => (route.request().method() === 'PUT' ? route.fulfill(FULL) : route.continue()));
  await row.getByRole('button', { name: say('shell', 'save') }).click();
  await row.getByText(say('shell', 'problem.STORAGE_FULL')).waitFor();
  assert.equal(await field.inputValue(), '길게 적은 메모');
  await page.unroute('**/api/todos/*');
  await row.getByRole('button', { name: say('shell', 'save') }).click();
  await row.getByText('길게 적은 메모').waitFor();
  assert.equal(await focused(page), say('todos', 'done_of', { title: '장보기' }));
  assert.deepEqual(flaws, []);
});

test('a todo that is deleted while it is changed says so, keeps what was typed and can be added anew', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  const { todo, row, field } = await typing(t, house, page, '지워져도 남을 메모');
  await elsewhere(house, 'DELETE', `/api/todos/${todo.id}`);
  await row.getByText(say('todos', 'gone')).waitFor();
  assert.equal(await field.inputValue(), '지워져도 남을 메모');
  await row.getByRole('button', { name: say('todos', 'save.anew') }).click();
  await row.waitFor({ state: 'detached' });
  await page.getByText('지워져도 남을 메모').waitFor();
  const { todos } = await elsewhere(house, 'GET', '/api/todos?limit=500&offset=0');
  assert.deepEqual(todos.map(({ title, note }) => [title, note]), [['장보기', '지워져도 남을 메모']]);
  await settled(page);
  assert.deepEqual(flaws, []);
});

/** Lets every change of a todo wait until `answer` is called; gives that. */
async function held(page) {
  let answer;
  const told = new Promise((resolve) => (answer = resolve));
  await page.route('**/api/todos/*', async (route) => {
    if (route.request().method() === 'PUT') await told;
    await route.continue();
  });
  return answer;
}

test('nothing can be typed into a todo while it is being saved, and nobody leaves its form before the answer', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  const { todo, row, field } = await typing(t, house, page, '두부');
  await row.getByLabel(say('todos', 'field.due')).fill('2030-01-02');
  const answer = await held(page);
  const asked = page.waitForRequest((request) => request.method() === 'PUT');
  await row.getByRole('button', { name: say('shell', 'save') }).click();
  await asked;
  await field.click();
  await page.keyboard.press('End');
  await page.keyboard.type(', 대파 한 단');
  await row.getByLabel(say('todos', 'field.title')).press('x');
  await row.getByRole('button', { name: say('todos', 'due.clear') }).dispatchEvent('click');
  assert.ok(await row.getByLabel(say('todos', 'field.repeat')).isDisabled());
  await page.keyboard.press('Escape');
  await row.getByRole('button', { name: say('shell', 'cancel') }).dispatchEvent('click');
  assert.equal(await row.getByText(say('todos', 'unsaved')).count(), 0);
  assert.deepEqual([await field.inputValue(), await row.getByLabel(say('todos', 'field.due')).inputValue()], ['두부', '2030-01-02']);
  answer();
  await field.waitFor({ state: 'detached' });
  const [saved] = (await elsewhere(house, 'GET', '/api/todos?limit=500&offset=0')).todos;
  assert.deepEqual([saved.id, saved.title, saved.note, saved.due], [todo.id, '장보기', '두부', '2030-01-02']);
  assert.deepEqual(flaws, []);
});

test('a refusal that comes after somebody has tried to leave the form is said in it, with what was typed', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  const { row, field } = await typing(t, house, page, '새로 적은 긴 메모');
  let refuse;
  const told = new Promise((resolve) => (refuse = resolve));
  await page.route('**/api/todos/*', async (route) => {
    if (route.request().method() !== 'PUT') return route.continue();
    await told;
    return route.fulfill(FULL);
  });
  await row.getByRole('button', { name: say('shell', 'save') }).click();
  await page.keyboard.press('Escape');
  await row.getByRole('button', { name: say('shell', 'cancel') }).dispatchEvent('click');
  refuse();
  await row.getByText(say('shell', 'problem.STORAGE_FULL')).waitFor();
  assert.equal(await field.inputValue(), '새로 적은 긴 메모');
  // Now it can be typed into again, and left.
  await field.press('End');
  await page.keyboard.type('!');
  assert.equal(await field.inputValue(), '새로 적은 긴 메모!');
  await row.getByRole('button', { name: say('shell', 'cancel') }).click();
  await field.waitFor({ state: 'detached' });
  assert.deepEqual(flaws, []);
});

for (const gone of [false, true]) {
  test(`a todo ${gone ? 'that is added anew' : 'whose change is saved'} while its page is left is saved once, and its form is closed`, async (t) => {
    const house = await openHouse(t);
    const { page, flaws } = await newVisitor(t, browser, house);
    const { todo, row, field } = await typing(t, house, page, '두부');
    if (gone) {
      await elsewhere(house, 'DELETE', `/api/todos/${todo.id}`);
      await row.getByText(say('todos', 'gone')).waitFor();
    }
    let answer;
    const told = new Promise((resolve) => (answer = resolve));
    await page.route('**/api/todos{,/*}', async (route) => {
      if (route.request().method() !== 'GET') await told;
      await route.continue();
    });
    await row.getByRole('button', { name: gone ? say('todos', 'save.anew') : say('shell', 'save') }).click();
    await page.locator('a[href="/system"]').first().click();
    await page.waitForURL('**/system');
    const answered = page.waitForResponse((response) => response.request().method() === (gone ? 'POST' : 'PUT'));
    answer();
    await (await answered).finished();
    await settled(page);
    await page.locator('a[href="/todos"]').first().click();
    await page.getByText('두부').first().waitFor();
    assert.deepEqual([await field.count(), await page.getByText(say('todos', 'save.failed')).count()], [0, 0]);
    const { todos } = await elsewhere(house, 'GET', '/api/todos?limit=500&offset=0');
    assert.deepEqual(todos.map(({ title, note }) => [title, note]), [['장보기', '두부']]);
    assert.deepEqual(flaws, []);
  });
}

test('a todo that is added while the list cannot be loaded is shown', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  await page.route('**/api/events', (route) => route.abort());
  let away = true;
  await page.route('**/api/todos?*', (route) => (away ? route.abort() : route.continue()));
  await page.goto('/todos');
  await page.getByText(say('todos', 'failed')).waitFor();
  away = false;
  await page.getByLabel(say('todos', 'add'), { exact: true }).fill('목록 없이 더한 일');
  await page.keyboard.press('Enter');
  await page.locator('[data-todo]').getByText('목록 없이 더한 일').waitFor();
  assert.equal(await page.getByText(say('todos', 'failed')).count(), 0);
  assert.deepEqual(flaws, []);
});

test('a todo that is refused after the page was left and come back to stands in the line again, with the reason', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  await visit(page, '/todos');
  let refuse;
  const told = new Promise((resolve) => (refuse = resolve));
  await page.route('**/api/todos', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await told;
    return route.fulfill({ status: 422, contentType: 'application/json', body: '{"error":"INVALID","message":"planted"}' });
  });
  const line = page.getByLabel(say('todos', 'add'), { exact: true });
  const go = async (path) => {
    await page.locator(`a[href="${path}"]`).first().click();
    await page.waitForURL(`**${path}`);
    await settled(page);
  };
  await line.fill('길게 적은 할 일');
  await page.keyboard.press('Enter');
  await go('/system');
  await go('/todos');
  await line.waitFor();
  refuse();
  await page.getByText(say('todos', 'add.failed')).waitFor();
  assert.equal(await line.inputValue(), '길게 적은 할 일');
  await go('/system');
  await go('/todos');
  assert.equal(await line.inputValue(), '길게 적은 할 일');
  assert.deepEqual(flaws.filter((flaw) => !flaw.includes('422')), []);
});

test('a combination that is made while the earlier ones cannot be loaded is shown, and what failed is called by its name', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  await page.route('**/api/events', (route) => route.abort());
  await page.route('**/combined/history*', (route) => route.abort());
  await page.goto('/lottery');
  const card = page.locator('section.card').filter({ hasText: say('lottery', 'combined') });
  await card.getByText(say('lottery', 'combined.history_failed')).waitFor();
  await card.getByRole('button', { name: say('lottery', 'combined.make') }).click();
  await card.getByText(say('lottery', 'combined.methods', { count: 6 })).waitFor();
  assert.equal(await card.getByText(say('lottery', 'combined.failed')).count(), 0);
  assert.deepEqual(flaws, []);
});

test('a recommendation that comes after all takes the sentence away that there was none', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  const { for_draw } = await elsewhere(house, 'GET', '/api/lotto/recommend');
  const failing = (route) => route.fulfill({ status: 500, contentType: 'application/json', body: '{"error":"INTERNAL","message":"planted"}' });
  const asked = [/api\/lotto\/latest$/, /api\/history\?/, /api\/lotto\/recommend(\?|$)/];
  for (const path of asked) await page.route(path, failing);
  await page.goto('/lottery');
  const failed = page.getByRole('alert').filter({ hasText: say('lottery', 'recommend.failed') });
  const balls = page.getByLabel(say('lottery', 'recommend.balls', { draw: for_draw })).first();
  await failed.waitFor();
  await failed.getByRole('button', { name: say('shell', 'retry') }).waitFor();
  // The coming draw is known after all, and with it the recommendation that there is for it.
  for (const path of asked.slice(0, 2)) await page.unroute(path, failing);
  await page.getByRole('alert').filter({ hasText: say('lottery', 'latest.failed') }).getByRole('button', { name: say('shell', 'retry') }).click();
  await balls.waitFor();
  assert.equal(await failed.count(), 0);
  // Asked by hand and refused, it is asked again by the button beside the sentence.
  await page.getByRole('button', { name: say('lottery', 'recommend.again') }).click();
  await failed.waitFor();
  await page.unroute(asked[2], failing);
  await failed.getByRole('button', { name: say('shell', 'retry') }).click();
  await failed.waitFor({ state: 'detached' });
  assert.deepEqual(flaws, []);
});

test('a session that ends elsewhere locks the door, and what stood in the line is there again after the sign-in', async (t) => {
  const folder = await newFolder(t);
  await answered(folder, `${PASSPHRASE}\n`, 'household', 'passphrase', '--new');
  const house = await openHouse(t, { listen: '0.0.0.0:0', folder });
  const { page, flaws } = await newVisitor(t, browser, house);
  const enter = async () => {
    await page.getByLabel(say('shell', 'sign_in.passphrase')).fill(PASSPHRASE);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: say('todos', 'title') }).waitFor();
  };
  await page.goto('/todos');
  await enter();
  const line = page.getByLabel(say('todos', 'add'), { exact: true });
  await line.fill('쓰다 만 할 일');
  // The sessions are gone when the house is here again; nothing but the stream tells of it.
  await page.context().clearCookies();
  await house.stop();
  const again = await openHouse(t, { listen: `0.0.0.0:${new URL(house.household).port}`, folder });
  await page.getByLabel(say('shell', 'sign_in.passphrase')).waitFor();
  await enter();
  assert.equal(await line.inputValue(), '쓰다 만 할 일');
  await again.stop();
  assert.deepEqual(flaws, []);
});

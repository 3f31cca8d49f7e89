/** Two screens at once: what is saved on one is not lost to what is under way on the other. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeBoth, newVisitor, openBoth, visit } from './browser.js';
import { get, post, sentences } from './house.js';

let house;
let browser;
const say = await sentences('ko');

before(async () => ({ house, browser } = await openBoth()));
after(() => closeBoth({ house, browser }));

/** Two visitors with the same page open. */
async function both(t, path) {
  const [mine, theirs] = [await newVisitor(t, browser, house), await newVisitor(t, browser, house)];
  await visit(mine.page, path);
  await visit(theirs.page, path);
  return { mine: mine.page, theirs: theirs.page, flaws: () => [...mine.flaws, ...theirs.flaws] };
}

const titles = async () => (await get(house, '/api/todos')).todos.map(({ title }) => title);
const notes = async () => (await get(house, '/api/lotto/purchase')).purchases.map(({ note }) => note);

const titleField = (page) => page.locator('[data-todo] form').getByRole('textbox', { name: say('todos', 'field.title') });

/** Closes every message, which carries out what was only announced. */
async function endMessages(page) {
  const close = page.locator('.toasts').getByRole('button', { name: say('shell', 'close') });
  while ((await close.count()) > 0) await close.first().click();
}

test('a todo that is saved on one screen is not deleted by another, where its message is still shown', async (t) => {
  await post(house, '/api/todos', { title: '우유 사기' });
  const { mine, theirs, flaws } = await both(t, '/todos');
  await mine.getByRole('button', { name: say('todos', 'edit_of', { title: '우유 사기' }) }).click();
  const title = titleField(mine);
  await title.fill('우유 두 통 사기');
  await theirs.getByRole('button', { name: say('todos', 'delete_of', { title: '우유 사기' }) }).click();
  await theirs.getByText(say('todos', 'deleted', { title: '우유 사기' })).waitFor();
  await title.press('Enter');
  await theirs.getByText(say('todos', 'not_deleted', { title: '우유 두 통 사기' })).waitFor();
  await theirs.locator('[data-todo]').filter({ hasText: '우유 두 통 사기' }).waitFor();
  await endMessages(theirs);
  await theirs.reload();
  await theirs.locator('[data-todo]').filter({ hasText: '우유 두 통 사기' }).waitFor();
  assert.deepEqual(await titles(), ['우유 두 통 사기']);
  assert.deepEqual(flaws(), []);
});

test('the same when the page was left where it was deleted', async (t) => {
  await post(house, '/api/todos', { title: '화분에 물 주기' });
  const { mine, theirs, flaws } = await both(t, '/todos');
  await theirs.getByRole('button', { name: say('todos', 'delete_of', { title: '화분에 물 주기' }) }).click();
  await theirs.getByRole('navigation').getByRole('link', { name: say('system', 'name') }).click();
  await theirs.getByRole('navigation', { name: say('system', 'tab.label') }).waitFor();
  await mine.getByRole('button', { name: say('todos', 'edit_of', { title: '화분에 물 주기' }) }).click();
  await titleField(mine).fill('화분마다 물 주기');
  await mine.keyboard.press('Enter');
  await theirs.getByText(say('todos', 'not_deleted', { title: '화분마다 물 주기' })).waitFor();
  assert.ok((await titles()).includes('화분마다 물 주기'));
  assert.deepEqual(flaws(), []);
});

test('a purchase that is saved on one screen is not deleted by another, where its message is still shown', async (t) => {
  await post(house, '/api/lotto/purchase', { draw_no: 1245, sets: [[4, 5, 25, 28, 32, 42]], note: '' });
  const { mine, theirs, flaws } = await both(t, '/lottery/purchases');
  await mine.getByRole('button', { name: say('lottery', 'purchase.change.this', { draw: 1245, count: 1 }) }).click();
  await mine.getByRole('textbox', { name: say('lottery', 'purchase.note') }).fill('역 앞에서');
  await theirs.getByRole('button', { name: say('lottery', 'purchase.remove.this', { draw: 1245, count: 1 }) }).click();
  await theirs.getByText(say('lottery', 'purchase.removed', { draw: 1245, count: 1 })).waitFor();
  await mine.getByRole('button', { name: say('lottery', 'purchase.save', { count: 1 }) }).click();
  await theirs.getByText(say('lottery', 'purchase.not_removed', { draw: 1245, count: 1 })).waitFor();
  await theirs.getByText('역 앞에서').waitFor();
  await endMessages(theirs);
  assert.deepEqual(await notes(), ['역 앞에서']);
  assert.deepEqual(flaws(), []);
});

test('a todo that is being changed says beside each field what somebody else has made of it, before it is saved', async (t) => {
  await post(house, '/api/todos', { title: '전구 사기', due: '2026-12-01', note: '거실' });
  const { mine, theirs, flaws } = await both(t, '/todos');
  const edit = say('todos', 'edit_of', { title: '전구 사기' });
  await mine.getByRole('button', { name: edit }).click();
  await titleField(mine).fill('전구 두 개 사기');
  await theirs.getByRole('button', { name: edit }).click();
  await titleField(theirs).fill('전구 세 개 사기');
  await theirs.getByRole('textbox', { name: say('todos', 'field.note') }).fill('부엌');
  await theirs.getByRole('button', { name: say('shell', 'save') }).click();
  const said = mine.locator('[data-todo] form');
  await said.getByText(say('shell', 'elsewhere.replaced', { words: '전구 세 개 사기' })).waitFor();
  await said.getByText(say('shell', 'elsewhere.stays', { words: '부엌' })).waitFor();
  assert.equal(await titleField(mine).inputValue(), '전구 두 개 사기');
  await mine.getByRole('button', { name: say('shell', 'save') }).click();
  await mine.locator('[data-todo]').filter({ hasText: '전구 두 개 사기' }).waitFor();
  const saved = (await get(house, '/api/todos')).todos.find(({ title }) => title === '전구 두 개 사기');
  assert.deepEqual([saved.note, saved.due], ['부엌', '2026-12-01']);
  assert.deepEqual(flaws(), []);
});

test('the note of a purchase that is being changed says what somebody else has made of it, before it is saved', async (t) => {
  await post(house, '/api/lotto/purchase', { draw_no: 1244, sets: [[4, 5, 25, 28, 32, 42]], note: '동네' });
  const { mine, theirs, flaws } = await both(t, '/lottery/purchases');
  const note = say('lottery', 'purchase.note');
  const save = say('lottery', 'purchase.save', { count: 1 });
  for (const page of [mine, theirs]) await page.getByRole('button', { name: say('lottery', 'purchase.change.this', { draw: 1244, count: 1 }) }).click();
  await theirs.getByRole('textbox', { name: note }).fill('역 앞에서');
  await theirs.getByRole('button', { name: save }).click();
  const window = mine.getByRole('dialog');
  await window.getByText(say('shell', 'elsewhere.stays', { words: '역 앞에서' })).waitFor();
  await mine.getByRole('textbox', { name: note }).fill('시장에서');
  await window.getByText(say('shell', 'elsewhere.replaced', { words: '역 앞에서' })).waitFor();
  await mine.getByRole('button', { name: save }).click();
  await window.waitFor({ state: 'hidden' });
  assert.ok((await notes()).includes('시장에서'));
  assert.deepEqual(flaws(), []);
});

/** The window of a purchase: what is typed into it is saved or still there, and what it asks back is in sight. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newVisitor, openBrowser, sticksOut, violations, visit } from './browser.js';
import { openHouse, sentences } from './house.js';

let browser;
const say = await sentences('ko');

before(async () => (browser = await openBrowser()));
after(() => browser?.close());

const purchasesOf = async (house) => (await (await fetch(`${house.household}/api/lotto/purchase`)).json()).purchases;
const numbersIn = (dialog) => dialog.getByLabel(say('lottery', 'purchase.numbers'), { exact: true });
const saving = (dialog, count) => dialog.getByRole('button', { name: say('lottery', 'purchase.save', { count }) });

async function buy(house, purchase) {
  const response = await fetch(`${house.household}/api/lotto/purchase`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(purchase) });
  assert.ok(response.ok, `${response.status}`);
}

async function openWindow(page) {
  await visit(page, '/lottery/purchases');
  await page.getByRole('button', { name: say('lottery', 'purchase.add'), exact: true }).first().click();
  return page.getByRole('dialog');
}

/** Lets every request of a method wait until `answer` is called; gives that. */
async function held(page, method, path) {
  let answer;
  const told = new Promise((resolve) => (answer = resolve));
  await page.route(path, async (route) => {
    if (route.request().method() === method) await told;
    await route.continue();
  });
  return answer;
}

for (const [what, method] of [['is being saved', 'POST'], ['is asked back about', 'GET']]) {
  test(`nothing can be typed into a purchase while it ${what}, and nobody leaves its window before the answer`, async (t) => {
    const house = await openHouse(t);
    const { page, flaws } = await newVisitor(t, browser, house);
    const dialog = await openWindow(page);
    await numbersIn(dialog).fill('1 2 3 4 5 6');
    await dialog.getByRole('button', { name: say('lottery', 'grid.open') }).click();
    const answer = await held(page, method, /\/api\/lotto\/purchase(\?draw_no.*)?$/);
    const asked = page.waitForRequest((request) => request.method() === method && /\/purchase(\?draw_no.*)?$/.test(request.url()));
    await saving(dialog, 1).click();
    await asked;
    await numbersIn(dialog).press('Control+End');
    await page.keyboard.type('\n7 8 9 10 11 12');
    await dialog.getByLabel(say('lottery', 'purchase.note')).press('x');
    await dialog.getByRole('toolbar').getByRole('button', { name: '45', exact: true }).dispatchEvent('click');
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: say('shell', 'cancel') }).dispatchEvent('click');
    assert.deepEqual([await numbersIn(dialog).inputValue(), await dialog.getByText(say('shell', 'unsaved')).count()], ['1 2 3 4 5 6', 0]);
    answer();
    await dialog.waitFor({ state: 'hidden' });
    const [one, ...others] = await purchasesOf(house);
    assert.deepEqual([one.sets, one.note, others], [[[1, 2, 3, 4, 5, 6]], '', []]);
    assert.deepEqual(flaws, []);
  });
}

test('a purchase that is refused stays in its window, which can be typed into and left again', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  await buy(house, { draw_no: 1245, sets: [[1, 7, 15, 24, 33, 45]], note: '가게' });
  await visit(page, '/lottery/purchases');
  await page.getByRole('button', { name: say('lottery', 'purchase.change.this', { draw: 1245, count: 1 }) }).click();
  const dialog = page.getByRole('dialog');
  const note = dialog.getByLabel(say('lottery', 'purchase.note'));
  await note.fill('동네 가게');
  let refuse;
  const told = new Promise((resolve) => (refuse = resolve));
  await page.route('**/api/lotto/purchase/*', async (route) => {
    if (route.request().method() !== 'PUT') return route.continue();
    await told;
    return route.fulfill({ status: 507, contentType: 'application/json', body: '{"error":"STORAGE_FULL","message":"full"}' });
  });
  const asked = page.waitForRequest((request) => request.method() === 'PUT');
  await saving(dialog, 1).click();
  await asked;
  await note.press('End');
  await page.keyboard.type('에서');
  await page.keyboard.press('Escape');
  refuse();
  await dialog.getByText(say('shell', 'problem.STORAGE_FULL')).waitFor();
  assert.equal(await note.inputValue(), '동네 가게');
  await note.press('End');
  await page.keyboard.type('!');
  assert.equal(await note.inputValue(), '동네 가게!');
  await dialog.getByRole('button', { name: say('shell', 'cancel') }).click();
  await dialog.waitFor({ state: 'hidden' });
  assert.deepEqual(flaws, []);
});

test('a game of which only some numbers are tapped, and typed games that the choice hides, are asked about before the window closes', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  const dialog = await openWindow(page);
  const unsaved = dialog.getByText(say('shell', 'unsaved'));
  await dialog.getByRole('button', { name: say('lottery', 'grid.open') }).click();
  for (const number of [3, 9, 12, 30, 44]) await dialog.getByRole('toolbar').getByRole('button', { name: String(number), exact: true }).click();
  await page.keyboard.press('Escape');
  await unsaved.waitFor();
  await dialog.getByRole('button', { name: say('shell', 'unsaved.stay') }).click();
  await dialog.getByRole('toolbar').getByRole('button', { name: '45', exact: true }).click();
  assert.equal(await numbersIn(dialog).inputValue(), '3 9 12 30 44 45');
  await dialog.getByLabel(say('lottery', 'purchase.kept.no')).check();
  await page.keyboard.press('Escape');
  await unsaved.waitFor();
  await dialog.getByRole('button', { name: say('shell', 'unsaved.discard') }).click();
  await dialog.waitFor({ state: 'hidden' });
  assert.deepEqual(flaws, []);
});

for (const [width, height] of [[390, 844], [1280, 800]]) {
  test(`what is asked back, and the button that means it, are in sight at ${width} by ${height}`, async (t) => {
    const house = await openHouse(t);
    const { page, flaws } = await newVisitor(t, browser, house, { width, height });
    const { next_draw } = await (await fetch(`${house.household}/api/lotto/latest`)).json();
    const sets = [1, 2, 3, 4, 5].map((first) => [first, 11, 22, 33, 44, 45]);
    await buy(house, { draw_no: next_draw.draw_no, sets });
    const dialog = await openWindow(page);
    await numbersIn(dialog).fill(sets.map((set) => set.join(' ')).join('\n'));
    await saving(dialog, 5).click();
    const again = dialog.getByRole('button', { name: say('lottery', 'doubt.save', { count: 5 }) });
    await again.waitFor();
    for (const part of [again, dialog.getByText(say('lottery', 'doubt.written', { count: 5 }))]) {
      const box = await part.boundingBox();
      assert.ok(box && box.y >= 0 && box.y + box.height <= height, JSON.stringify(box));
      const seen = await part.evaluate((element) => {
        const { x, y, width: wide, height: high } = element.getBoundingClientRect();
        return element.contains(document.elementFromPoint(x + wide / 2, y + high - 3));
      });
      assert.ok(seen, 'something covers it');
    }
    assert.deepEqual([await violations(page), await sticksOut(page)], [[], []]);
    await again.click();
    await dialog.waitFor({ state: 'hidden' });
    assert.equal((await purchasesOf(house)).length, 2);
    assert.deepEqual(flaws, []);
  });
}

for (const way of ['link', 'page']) {
  test(`a purchase that was begun with a key on a ${way} leaves the focus there once it is saved`, async (t) => {
    const house = await openHouse(t);
    const { page, flaws } = await newVisitor(t, browser, house);
    await visit(page, '/lottery/purchases');
    const place = way === 'link' ? page.getByRole('link', { name: say('lottery', 'page.history') }) : page.getByRole('main');
    await place.focus();
    await page.keyboard.press('b');
    const dialog = page.getByRole('dialog');
    await numbersIn(dialog).fill('3 9 12 30 44 45');
    await page.keyboard.press('Tab');
    await saving(dialog, 1).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText(say('lottery', 'purchase.saved', { count: 1, draw: (await purchasesOf(house))[0].draw_no })).waitFor();
    assert.ok(await place.evaluate((element) => element === document.activeElement), await page.evaluate(() => document.activeElement.outerHTML.slice(0, 200)));
    assert.deepEqual(flaws, []);
  });
}

test('a half-typed purchase stands in no way: the table that is asked for opens, and the purchase is offered', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  const dialog = await openWindow(page);
  await numbersIn(dialog).fill('3 9 12 30 44');
  await page.evaluate(() => addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), true));
  await page.goto('/lottery/purchases?add=table');
  const table = page.getByRole('dialog', { name: say('lottery', 'table.import') });
  await table.waitFor();
  assert.equal(await page.locator('dialog[open]').count(), 1);
  await page.keyboard.press('Escape');
  await table.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: say('lottery', 'purchase.by_tier') }).first().click();
  await dialog.getByText('3 9 12 30 44').waitFor();
  await dialog.getByRole('button', { name: say('lottery', 'purchase.draft.resume') }).click();
  assert.equal(await numbersIn(dialog).inputValue(), '3 9 12 30 44');
  assert.equal(await numbersIn(dialog).evaluate((element) => element === document.activeElement), true);
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(flaws, []);
});

test('a draw that is too far ahead is refused beside its field, before anything can be pressed', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  const dialog = await openWindow(page);
  await numbersIn(dialog).fill('1 2 3 4 5 6');
  const draw = dialog.getByLabel(say('lottery', 'purchase.draw'), { exact: true });
  const most = Number(await draw.getAttribute('max'));
  await draw.fill('99999');
  await dialog.getByText(say('lottery', 'purchase.too_far', { most })).waitFor();
  assert.equal(await saving(dialog, 1).isDisabled(), true);
  assert.deepEqual(await violations(page), []);
  await draw.fill(String(most));
  await dialog.getByText(say('lottery', 'purchase.too_far', { most })).waitFor({ state: 'detached' });
  assert.equal(await saving(dialog, 1).isDisabled(), false);
  assert.deepEqual(flaws, []);
});

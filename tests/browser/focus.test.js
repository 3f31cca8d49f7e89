/** Where the focus is can be seen: nothing that floats over a page hides it. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeBoth, newVisitor, openBoth, PAGES, visit } from './browser.js';
import { post, sentences } from './house.js';

/** More than any page has. */
const MOST_STOPS = 400;

let house;
let browser;
const say = await sentences('ko');

before(async () => {
  ({ house, browser } = await openBoth());
  for (let day = 10; day < 26; day += 1) await post(house, '/api/todos', { title: `할 일 ${day}`, due: `2026-10-${day}` });
  await post(house, '/api/lotto/purchase', { draw_no: 1245, sets: [[4, 5, 25, 28, 32, 42], [1, 2, 3, 4, 5, 6]], note: '동네' });
  for (const draw_no of [1244, 1243, 1240]) await post(house, '/api/lotto/purchase', { draw_no, count: 5, prize: 5000 });
});
after(() => closeBoth({ house, browser }));

/** What has the focus, in the page: undefined at the page's end, and whether any point of it is seen. */
async function stop() {
  const element = document.activeElement;
  if (!element || element === document.body) return undefined;
  await Promise.all(element.getAnimations().map(({ finished }) => finished));
  const { left, top, width, height } = element.getBoundingClientRect();
  const isOwn = (found) => found && (element.contains(found) || found.contains(element) || [...(element.labels ?? [])].some((label) => label.contains(found)));
  const parts = [0.02, 0.25, 0.5, 0.75, 0.98];
  const seen = parts.some((x) => parts.some((y) => isOwn(document.elementFromPoint(left + width * x, top + height * y))));
  return { seen, name: `${element.tagName} "${(element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40)}" at ${Math.round(top)} to ${Math.round(top + height)}` };
}

for (const [width, height] of [[390, 700], [640, 430]]) {
  test(`whatever takes the focus on the way through a page of ${width} by ${height} pixels is seen`, async (t) => {
    const { page, flaws } = await newVisitor(t, browser, house, { width, height });
    const hidden = [];
    for (const path of PAGES) {
      await visit(page, path);
      for (let stops = 0; ; stops += 1) {
        assert.ok(stops < MOST_STOPS, `${path} has no end`);
        await page.keyboard.press('Tab');
        const found = await page.evaluate(stop);
        if (!found) break;
        if (!found.seen) hidden.push(`${path}: ${found.name}`);
      }
    }
    assert.deepEqual(hidden, []);
    assert.deepEqual(flaws, []);
  });
}

test('a setting that is opened on a phone shows its whole form above the tabs', async (t) => {
  const { page, flaws } = await newVisitor(t, browser, house, { width: 390, height: 700 });
  await visit(page, '/system/settings');
  const bar = await page.getByRole('navigation', { name: say('shell', 'menu') }).boundingBox();
  const openers = page.getByRole('main').getByRole('button', { name: say('system', 'settings.change') });
  const opener = openers.nth(3);
  // At the lower edge, where a thumb finds it.
  await opener.evaluate((element, edge) => scrollBy(0, element.getBoundingClientRect().bottom - edge), bar.y);
  await opener.click();
  const save = page.getByRole('button', { name: say('shell', 'save'), exact: true });
  const { y, height } = await save.boundingBox();
  assert.ok(y + height <= bar.y, `${y + height} px, and the tabs begin at ${bar.y}`);
  assert.deepEqual(flaws, []);
});

/** What has the focus, by its name. */
const nameOfFocused = (page) => page.evaluate(() => document.activeElement.name ?? document.activeElement.tagName);

test('the focus stays where the language is chosen with the keyboard, each time', async (t) => {
  const { page, flaws } = await newVisitor(t, browser, house);
  await visit(page, '/todos');
  await page.getByRole('button', { name: say('shell', 'preferences.title') }).press('Enter');
  await page.getByRole('radio', { name: '한국어' }).focus();
  for (const [key, language] of [['ArrowRight', 'en'], ['ArrowLeft', 'ko']]) {
    await page.keyboard.press(key);
    await page.locator(`html[lang=${language}]`).waitFor();
    // Whatever is shown anew is shown with the next frame.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    assert.equal(await nameOfFocused(page), 'language');
  }
  assert.deepEqual(flaws, []);
});

for (const [path, name, row] of [
  ['/todos', say('todos', 'delete_of', { title: '할 일 12' }), '할 일 12'],
  ['/lottery/purchases', say('lottery', 'purchase.remove.this', { draw: 1243, count: 5 }), '5'],
]) {
  test(`a row of ${path} that is deleted and taken back with the keyboard has the focus`, async (t) => {
    const { page, flaws } = await newVisitor(t, browser, house);
    await visit(page, path);
    const rows = page.getByRole('main').locator('li[tabindex]');
    const [button] = await rows.getByRole('button', { name }).all();
    const at = await button.evaluate((element) => [...document.querySelectorAll('main li[tabindex]')].indexOf(element.closest('li[tabindex]')));
    await button.press('Enter');
    await page.locator('.toasts').getByRole('button', { name: say('shell', 'undo') }).press('Enter');
    await rows.getByRole('button', { name }).first().waitFor();
    const focused = await page.evaluate(() => [...document.querySelectorAll('main li[tabindex]')].indexOf(document.activeElement.closest('li[tabindex]')));
    assert.equal(focused, at);
    assert.ok((await rows.nth(focused).textContent()).includes(row));
    assert.deepEqual(flaws, []);
  });
}

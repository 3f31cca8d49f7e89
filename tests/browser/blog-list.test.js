/** The list of posts: gone through with the keyboard, and what is looked for stands in its address. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newVisitor, openBrowser, until, visit } from './browser.js';
import { openHouse, post, sentences } from './house.js';

let house;
let browser;
const say = await sentences('ko');

before(async () => {
  [house, browser] = [await openHouse(undefined), await openBrowser()];
  for (const [title, status, date] of [['양파 수프', 'published', '2026-10-03'], ['배추 수프', 'draft', '2026-10-02'], ['여행', 'published', '2026-10-01']]) {
    await post(house, '/api/blog/posts', { title, status, date, tags: title.includes('수프') ? ['부엌'] : [], body: '본문' });
  }
});

after(async () => {
  await browser?.close();
  await house?.stop();
});

const names = (page) => page.locator('main li b').allInnerTexts();
const search = (page) => page.getByRole('searchbox', { name: say('blog', 'search') });
const status = (page) => page.getByRole('combobox', { name: say('blog', 'field.status') });
const address = (page) => decodeURIComponent(new URL(page.url()).search);
/** Waits until the list names just these, in whatever order. */
const lists = (page, ...titles) => until(async () => (await names(page)).toSorted().join() === titles.toSorted().join());

test('what is looked for stands in the address, so that whoever comes back or loads the page anew finds it', async (t) => {
  const { page, flaws } = await newVisitor(t, browser, house);
  await visit(page, '/blog');
  await lists(page, '양파 수프', '배추 수프', '여행');
  const entries = await page.evaluate(() => history.length);
  await search(page).fill('수프');
  await lists(page, '양파 수프', '배추 수프');
  assert.equal(address(page), '?q=수프');
  await status(page).selectOption('draft');
  await lists(page, '배추 수프');
  assert.equal(await page.evaluate(() => history.length), entries, 'a key that is typed is no step back');
  await page.getByRole('link', { name: /배추 수프/ }).click();
  await page.getByRole('textbox', { name: say('blog', 'field.body') }).waitFor();
  await page.goBack();
  for (const comes of [() => undefined, () => page.reload()]) {
    await comes();
    await lists(page, '배추 수프');
    assert.deepEqual([await search(page).inputValue(), await status(page).inputValue(), address(page)], ['수프', 'draft', '?q=수프&status=draft']);
  }
  await search(page).fill('');
  await status(page).selectOption('');
  await lists(page, '양파 수프', '배추 수프', '여행');
  assert.equal(address(page), '');
  // What a link says is narrowed by; what it says wrongly is not.
  await visit(page, '/blog?tag=%EB%B6%80%EC%97%8C&status=lost');
  await lists(page, '양파 수프', '배추 수프');
  assert.deepEqual(flaws, []);
});

test('the keyboard goes from post to post and opens one', async (t) => {
  const { page, flaws } = await newVisitor(t, browser, house);
  await visit(page, '/blog');
  await lists(page, '양파 수프', '배추 수프', '여행');
  const focused = () => page.evaluate(() => document.activeElement?.querySelector('b')?.textContent ?? document.activeElement?.getAttribute('type'));
  const pressed = [['j', '양파 수프'], ['j', '배추 수프'], ['ArrowDown', '여행'], ['ArrowDown', '여행'], ['k', '배추 수프'], ['ArrowUp', '양파 수프'], ['ArrowUp', 'search']];
  for (const [key, expected] of pressed) {
    await page.keyboard.press(key);
    assert.equal(await focused(), expected, key);
  }
  await page.keyboard.type('jk');
  assert.equal(await search(page).inputValue(), 'jk', 'who types is typing');
  await search(page).fill('');
  await lists(page, '양파 수프', '배추 수프', '여행');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await until(async () => (await page.getByRole('textbox', { name: say('blog', 'field.title') }).inputValue()) === '배추 수프');
  assert.deepEqual(flaws, []);
});

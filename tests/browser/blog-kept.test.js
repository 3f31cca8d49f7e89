/** What was written stays until the server has it, whatever becomes of the page; nothing is cut and nothing overwritten. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newVisitor, openBrowser, until, violations, visit } from './browser.js';
import { get, newFolder, openHouse, post, sentences } from './house.js';

let browser;
const say = await sentences('ko');
before(async () => (browser = await openBrowser()));
after(() => browser?.close());

const PHONE = { width: 390, height: 800 };
const title = (page) => page.getByRole('textbox', { name: say('blog', 'field.title') });
const body = (page) => page.getByRole('textbox', { name: say('blog', 'field.body') });
const standing = (page, name) => page.getByText(say('blog', `standing.${name}`), { exact: true }).waitFor();

async function written(house, fields) {
  await post(house, '/api/blog/posts', fields);
  return (await get(house, '/api/blog/posts')).posts[0].id;
}

const change = (house, id, fields) =>
  fetch(`${house.household}/api/blog/posts/${id}`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) });

test('a post that was left while the server was away goes out by itself once it answers', async (t) => {
  const folder = await newFolder(t);
  const house = await openHouse(t, { folder, listen: '127.0.0.1:0' });
  const id = await written(house, { title: '여행', body: '첫날' });
  const { page } = await newVisitor(t, browser, house, PHONE);
  await visit(page, '/blog');
  await page.getByRole('link', { name: /여행/ }).click();
  await body(page).waitFor();
  await house.stop();
  await body(page).fill('첫날은 비가 왔다');
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox').waitFor();
  const again = await openHouse(t, { folder, listen: new URL(house.household).host });
  await until(async () => (await get(again, `/api/blog/posts/${id}`)).body === '첫날은 비가 왔다');
});

test('a post that a page could not send before it was closed goes out from any other page', async (t) => {
  const house = await openHouse(t);
  const id = await written(house, { title: '장', body: '두부' });
  const { page, flaws } = await newVisitor(t, browser, house, PHONE);
  await page.clock.install();
  await visit(page, `/blog/write?post=${id}`);
  await page.route('**/api/blog/posts/*', (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()));
  await body(page).fill('두부 두 모');
  await page.clock.runFor(2_000);
  await standing(page, 'away');
  await page.goto('/todos');
  await page.unrouteAll();
  await until(async () => {
    await page.clock.runFor(5_000);
    return (await get(house, `/api/blog/posts/${id}`)).body === '두부 두 모';
  });
  assert.deepEqual(flaws, []);
});

test('on a phone the message of a post that waits for a choice stands above what opens it', async (t) => {
  const house = await openHouse(t);
  const id = await written(house, { title: '수프', body: '물' });
  const { page } = await newVisitor(t, browser, house, PHONE);
  await page.clock.install();
  await visit(page, `/blog/write?post=${id}`);
  await page.route('**/api/blog/posts/*', (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()));
  await body(page).fill('양파');
  await page.clock.runFor(2_000);
  await standing(page, 'away');
  await page.goto('/todos');
  await change(house, id, { body: '대파' });
  await page.unrouteAll();
  const message = page.locator('.toast', { hasText: say('blog', 'undecided', { title: '수프' }) });
  await until(async () => {
    await page.clock.runFor(1_000);
    return message.isVisible();
  });
  const { text, button } = await message.evaluate((shown) => {
    const [text, button] = [shown.querySelector('p'), shown.querySelector('button')].map((part) => part.getBoundingClientRect());
    return { text, button };
  });
  assert.ok(text.width > 220 && button.top >= text.bottom, JSON.stringify({ text, button }));
});

test('what is on this device alone is named above the list, and of two texts neither is overwritten however often the page is loaded', async (t) => {
  const house = await openHouse(t);
  const id = await written(house, { title: '수프', body: '물' });
  const { page } = await newVisitor(t, browser, house, PHONE);
  await page.clock.install();
  await visit(page, `/blog/write?post=${id}`);
  await page.route('**/api/blog/posts/*', (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()));
  await body(page).fill('양파');
  await page.clock.runFor(2_000);
  await standing(page, 'away');
  await change(house, id, { body: '대파' });
  await page.unrouteAll();
  for (let time = 0; time < 3; time += 1) {
    await page.reload();
    await standing(page, 'changed_elsewhere');
    await page.clock.runFor(2_000);
    assert.deepEqual([await body(page).inputValue(), (await get(house, `/api/blog/posts/${id}`)).body], ['양파', '대파']);
  }
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox').waitFor();
  await page.clock.runFor(40_000);
  await page.getByText(say('blog', 'kept')).getByRole('link', { name: '수프' }).waitFor();
  await page.getByText(say('blog', 'kept.undecided')).waitFor();
  assert.deepEqual(await violations(page), []);
  await page.getByText(say('blog', 'kept')).getByRole('link', { name: '수프' }).click();
  await page.getByRole('button', { name: say('blog', 'theirs.take') }).click();
  await until(async () => (await body(page).inputValue()) === '대파');
  await page.getByRole('button', { name: say('blog', 'theirs.back') }).click();
  assert.equal(await body(page).inputValue(), '양파');
});

test('a text that is too long is not cut, and nothing goes to readers without a title', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  await visit(page, '/blog/write');
  await body(page).fill('양파');
  await page.keyboard.press('Control+Enter');
  await until(() => title(page).evaluate((field) => field === document.activeElement));
  await standing(page, 'saved');
  assert.equal((await get(house, '/api/blog/posts')).posts[0].status, 'draft');
  await body(page).fill('가'.repeat(200_001));
  await standing(page, 'refused');
  assert.equal((await body(page).inputValue()).length, 200_001);
  await body(page).fill('양파 세 개');
  await standing(page, 'saved');
  assert.deepEqual(flaws, []);
});

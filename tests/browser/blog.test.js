/** A post is written, kept, found, read by two at once, deleted and taken back. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newVisitor, openBrowser, sticksOut, until, violations, visit } from './browser.js';
import { get, newFolder, openHouse, post, sentences } from './house.js';

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser?.close());

const PHONE = { width: 390, height: 800 };
const picture = async (page, name) => process.env['PICTURES'] && (await page.screenshot({ path: `${process.env['PICTURES']}/${name}.png`, fullPage: true }));

/** The fields and words of the editor in one language. */
async function words(language = 'ko') {
  const say = await sentences(language);
  return {
    say,
    title: (page) => page.getByRole('textbox', { name: say('blog', 'field.title') }),
    body: (page) => page.getByRole('textbox', { name: say('blog', 'field.body') }),
    standing: (page, name) => page.getByText(say('blog', `standing.${name}`), { exact: true }).waitFor(),
  };
}

for (const [language, theme, size] of [['ko', 'dark', PHONE], ['en', 'light', { width: 1280, height: 800 }]]) {
  test(`a post is written with the keyboard alone, saved by itself, published and found (${language})`, async (t) => {
    const house = await openHouse(t);
    const { page, flaws } = await newVisitor(t, browser, house, { language, theme, ...size });
    const { say, title, body, standing } = await words(language);
    await visit(page, '/blog');
    await page.getByText(say('blog', 'none.text')).waitFor();
    assert.deepEqual(await violations(page), []);
    await picture(page, `blog-empty-${language}`);
    await page.keyboard.press('w');
    await title(page).waitFor();
    await until(() => title(page).evaluate((field) => field === document.activeElement));
    await page.keyboard.type('양파 수프');
    await page.keyboard.press('Tab');
    await page.keyboard.type('# 재료\n\n- 양파 **여섯** 개\n- <script>alert(1)</script>버터');
    await standing(page, 'saved');
    const { posts: [draft] } = await get(house, '/api/blog/posts');
    assert.deepEqual([draft.title, draft.status], ['양파 수프', 'draft']);
    assert.equal(new URL(page.url()).search, `?post=${draft.id}`);
    await page.keyboard.press('Control+e');
    const preview = page.getByRole('article', { name: say('blog', 'write.preview') });
    await preview.getByRole('heading', { name: '재료' }).waitFor();
    assert.equal(await preview.locator('strong').textContent(), '여섯');
    assert.equal(await preview.locator('script').count(), 0);
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(await sticksOut(page), []);
    await picture(page, `blog-write-${language}`);
    await page.keyboard.press('Control+e');
    await body(page).focus();
    await page.keyboard.press('Control+Enter');
    await until(async () => (await get(house, `/api/blog/posts/${draft.id}`)).status === 'published');
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox').fill('여섯');
    await page.locator('li mark').first().waitFor();
    assert.deepEqual(await page.locator('li mark').allTextContents(), ['여섯']);
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(await sticksOut(page), []);
    await picture(page, `blog-list-${language}`);
    assert.deepEqual(flaws, []);
  });
}

test('nothing that was typed is lost while the server is away, the page is loaded anew and the server starts again', async (t) => {
  const folder = await newFolder(t);
  const listen = '127.0.0.1:0';
  const house = await openHouse(t, { folder, listen });
  const { page } = await newVisitor(t, browser, house, PHONE);
  const { title, body, standing } = await words();
  await visit(page, '/blog/write');
  await title(page).fill('여행');
  await standing(page, 'saved');
  const address = new URL(house.household).host;
  await house.stop();
  await body(page).fill('첫날은 비가 왔다');
  await standing(page, 'away');
  const again = await openHouse(t, { folder, listen: address });
  await standing(page, 'saved');
  assert.equal((await get(again, '/api/blog/posts')).posts[0].body, '첫날은 비가 왔다');
  await page.route('**/api/blog/posts/*', (route) => (route.request().method() === 'PUT' ? route.abort() : route.continue()));
  await body(page).fill('첫날은 비가 왔다. 둘째 날은 맑았다');
  await standing(page, 'away');
  await page.unrouteAll();
  await page.reload();
  await standing(page, 'saved');
  assert.equal(await body(page).inputValue(), '첫날은 비가 왔다. 둘째 날은 맑았다');
  await until(async () => (await get(again, '/api/blog/posts')).posts[0].body.endsWith('맑았다'));
});

test('of two who write the same text the later one is told, and decides', async (t) => {
  const house = await openHouse(t);
  await post(house, '/api/blog/posts', { title: '수프', body: '물' });
  const { id } = (await get(house, '/api/blog/posts')).posts[0];
  const { page: mine, flaws } = await newVisitor(t, browser, house, PHONE);
  const { page: theirs } = await newVisitor(t, browser, house, PHONE);
  const { say, body, standing } = await words();
  for (const page of [mine, theirs]) await visit(page, `/blog/write?post=${id}`);
  // Mine does not hear of theirs before it is sent.
  const held = [];
  await mine.route('**/api/blog/posts/*', (route) => (route.request().method() === 'GET' ? held.push(route) : route.continue()));
  await body(theirs).fill('대파');
  await standing(theirs, 'saved');
  await body(mine).fill('양파');
  await until(() => held.length > 0);
  await mine.unrouteAll();
  await Promise.all(held.map((route) => route.continue().catch(() => undefined)));
  await standing(mine, 'changed_elsewhere');
  assert.equal((await get(house, `/api/blog/posts/${id}`)).body, '대파');
  assert.deepEqual(await violations(mine), []);
  await picture(mine, 'blog-two');
  await mine.getByRole('button', { name: say('blog', 'theirs.mine') }).click();
  await standing(mine, 'saved');
  assert.equal((await get(house, `/api/blog/posts/${id}`)).body, '양파');
  await until(async () => (await body(theirs).inputValue()) === '양파');
  flaws.length = 0;
});

test('a post is deleted and taken back, and what it said before is shown and brought back', async (t) => {
  const house = await openHouse(t);
  await post(house, '/api/blog/posts', { title: '수프', body: '양파 두 개', status: 'draft' });
  const { id } = (await get(house, '/api/blog/posts')).posts[0];
  // What was there before readers had it is kept.
  const published = { body: '양파 세 개', status: 'published' };
  await fetch(`${house.household}/api/blog/posts/${id}`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(published) });
  const { page, flaws } = await newVisitor(t, browser, house, PHONE);
  const { say, body, standing } = await words();
  await visit(page, '/blog');
  await page.getByRole('button', { name: say('blog', 'remove_of', { title: '수프' }) }).click();
  await page.getByRole('button', { name: say('shell', 'undo') }).click();
  await page.getByRole('link', { name: /수프/ }).click();
  await page.getByRole('button', { name: say('blog', 'revisions') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('ins').waitFor();
  assert.deepEqual([await dialog.locator('del').allTextContents(), await dialog.locator('ins').allTextContents()], [['두'], ['세']]);
  assert.deepEqual(await violations(page), []);
  await picture(page, 'blog-revisions');
  await dialog.getByRole('button', { name: say('blog', 'revision.restore') }).click();
  await until(async () => (await body(page).inputValue()) === '양파 두 개');
  await standing(page, 'saved');
  assert.deepEqual(flaws, []);
});

test('posts come in from a zip of files that they went out to', async (t) => {
  const [from, to] = [await openHouse(t), await openHouse(t)];
  await post(from, '/api/blog/posts', { title: '수프', body: '양파', tags: ['겨울'] });
  const { page, flaws } = await newVisitor(t, browser, to, PHONE);
  const { say } = await words();
  const zip = Buffer.from(await (await fetch(`${from.household}/api/blog/export`)).arrayBuffer());
  await visit(page, '/blog');
  await page.getByRole('button', { name: say('blog', 'files'), exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(say('blog', 'files.choose')).setInputFiles({ name: 'posts.zip', mimeType: 'application/zip', buffer: zip });
  await dialog.getByText(say('blog', 'files.added', { count: 1 })).waitFor();
  assert.deepEqual(await violations(page), []);
  await picture(page, 'blog-files');
  await dialog.getByRole('button', { name: say('shell', 'close') }).last().click();
  await page.getByRole('link', { name: /수프/ }).waitFor();
  assert.deepEqual(flaws, []);
});

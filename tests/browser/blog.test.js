/** A post is written, kept, found, read by two at once, deleted and taken back. */

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
  await post(house, '/api/blog/posts', { title: '수프', body: '양파 두 개', status: 'draft', tags: ['겨울', '부엌'] });
  const { id } = (await get(house, '/api/blog/posts')).posts[0];
  // What was there before readers had it is kept.
  const published = { body: '양파 세 개', status: 'published', tags: ['부엌', '저녁'], excerpt: '세 개' };
  await fetch(`${house.household}/api/blog/posts/${id}`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(published) });
  const { page, flaws } = await newVisitor(t, browser, house, PHONE);
  const { say, body, standing } = await words();
  await visit(page, '/blog');
  await page.getByRole('button', { name: say('blog', 'remove_of', { title: '수프' }) }).click();
  await page.getByRole('button', { name: say('shell', 'undo') }).click();
  await page.getByRole('link', { name: /수프/ }).click();
  await page.getByText(say('blog', 'read.who.published')).waitFor();
  await page.getByText('양파 세 개', { exact: true }).waitFor();
  await page.getByRole('link', { name: say('blog', 'read.edit') }).click();
  await page.getByRole('button', { name: say('blog', 'revisions') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('ins').first().waitFor();
  assert.deepEqual([await dialog.locator('del').allTextContents(), await dialog.locator('ins').allTextContents()], [
    ['겨울', '두'], ['저녁', '세 개', '세'],
  ]);
  const [then, now] = [say('blog', 'status.draft'), say('blog', 'status.published')];
  await dialog.getByText(say('blog', 'revision.status_stays', { then, now })).waitFor();
  assert.deepEqual(await violations(page), []);
  await picture(page, 'blog-revisions');
  await dialog.getByRole('button', { name: say('blog', 'revision.restore') }).click();
  await until(async () => (await body(page).inputValue()) === '양파 두 개');
  await standing(page, 'saved');
  const back = await get(house, `/api/blog/posts/${id}`);
  // Who reads it goes on reading it.
  assert.deepEqual([back.tags, back.status, back.excerpt_given], [['겨울', '부엌'], 'published', false]);
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
  // A folder of another program, with the folders in it.
  const folder = await newFolder(t);
  await mkdir(join(folder, '글'));
  await writeFile(join(folder, '글', '국.md'), '---\ntitle: 콩나물국\n---\n무\n');
  await writeFile(join(folder, '날.md'), '---\ndate: 어제\n---\n');
  await dialog.getByLabel(say('blog', 'files.folder')).setInputFiles(folder);
  await dialog.getByText(say('blog', 'files.reason.date')).waitFor();
  // What is dropped while another comes in is said not to be taken.
  const held = [];
  await page.route('**/api/blog/import', (route) => held.push(route));
  await dialog.getByLabel(say('blog', 'files.choose')).setInputFiles({ name: 'posts.zip', mimeType: 'application/zip', buffer: zip });
  await until(() => held.length > 0);
  const drag = (kind, on) => on.evaluate((element, kind) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['국'], '국.md'));
    const event = new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true });
    element.dispatchEvent(event);
    return event.defaultPrevented;
  }, kind);
  assert.ok(await drag('drop', dialog.getByRole('group', { name: say('blog', 'files.drop') })));
  await dialog.getByText(say('blog', 'files.was_busy')).waitFor();
  // It can be called off, and goes on when its window is closed.
  await dialog.getByRole('button', { name: say('shell', 'cancel') }).click();
  await dialog.getByRole('progressbar').waitFor({ state: 'detached' });
  await dialog.getByLabel(say('blog', 'files.choose')).setInputFiles({ name: 'posts.zip', mimeType: 'application/zip', buffer: zip });
  await until(() => held.length > 1);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: say('blog', 'files'), exact: true }).click();
  await dialog.getByRole('progressbar').waitFor();
  await held[1].continue();
  await dialog.getByText(say('blog', 'files.repeated', { count: 1 })).waitFor();
  // A file that is let go beside everything that takes one does not take the place of the app.
  assert.ok(await drag('dragover', page.locator('body')));
  await dialog.getByRole('button', { name: say('shell', 'close') }).last().click();
  await page.getByRole('link', { name: /수프/ }).waitFor();
  await page.getByRole('link', { name: /콩나물국/ }).waitFor();
  assert.deepEqual(flaws, []);
});

test('two files of one name that are not taken are both named, and one that is passed over is counted as one', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house, { language: 'en', ...PHONE });
  const { say } = await words('en');
  await visit(page, '/blog');
  await page.getByRole('button', { name: say('blog', 'files'), exact: true }).click();
  const dialog = page.getByRole('dialog');
  const refused = [{ name: '날.md', reason: 'date' }, { name: '날.md', reason: 'title' }];
  await page.route('**/api/blog/import', (route) => route.fulfill({ json: { added: 0, repeated: 0, pictures: 0, refused, refused_count: 2, others: 1 } }));
  await dialog.getByLabel(say('blog', 'files.choose')).setInputFiles({ name: 'posts.zip', mimeType: 'application/zip', buffer: Buffer.from('zip') });
  await dialog.getByText(say('blog', 'files.refused', { count: 2 })).waitFor();
  await dialog.getByText('1 other file was skipped.', { exact: true }).waitFor();
  const named = ['date', 'title'].map((reason) => `날.md: ${say('blog', `files.reason.${reason}`)}`);
  assert.deepEqual(await dialog.getByRole('listitem').allTextContents(), named);
  assert.deepEqual(flaws, []);
});

test('on a phone what becomes of a new post stands in a line of its own', async (t) => {
  const house = await openHouse(t);
  for (const language of ['ko', 'en']) {
    const { page } = await newVisitor(t, browser, house, { language, ...PHONE });
    const { say } = await words(language);
    await visit(page, '/blog/write');
    const state = page.getByText(say('blog', 'standing.empty'), { exact: true });
    await state.waitFor();
    for (const width of [360, 390, 412]) {
      await page.setViewportSize({ width, height: 800 });
      const box = await state.boundingBox();
      assert.ok(box.width > width * 0.8 && box.height < 50, `${language}, ${width}: ${JSON.stringify(box)}`);
      assert.deepEqual(await sticksOut(page), []);
    }
  }
});

/** Pictures in a post: chosen, seen as readers see them, there after the page is loaded anew, and refused where none is one. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newVisitor, openBrowser, sticksOut, until, violations, visit } from './browser.js';
import { get, openHouse, sentences } from './house.js';

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser?.close());

const PHONE = { width: 390, height: 800 };
const say = await sentences('ko');
const body = (page) => page.getByRole('textbox', { name: say('blog', 'field.body') });
const preview = (page) => page.getByRole('article', { name: say('blog', 'write.preview') });
const standing = (page, name) => page.getByText(say('blog', `standing.${name}`), { exact: true }).waitFor();
const choose = (page, ...files) => page.getByLabel(say('blog', 'picture.choose')).setInputFiles(files);
const shows = (page, name) => page.getByRole('button', { name: say('blog', `write.${name}`), exact: true }).click();

/** A picture of four by three dots. */
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAQAAAADCAIAAAA7ljmRAAAAEElEQVR4nGOI6rGBIwacHAAKsg2ZYpRCpwAAAABJRU5ErkJggg==', 'base64');
const of = (name, mimeType, buffer) => ({ name, mimeType, buffer });

/** Whether every picture of the preview has come, with the size that it has. */
const sizes = (page) => preview(page).locator('img').evaluateAll((pictures) => pictures.map((picture) => picture.complete && [picture.naturalWidth, picture.naturalHeight]));

test('a picture that is chosen stands in the text, is seen in the preview and is still there after the page is loaded anew', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house, PHONE);
  await visit(page, '/blog/write');
  await body(page).fill('김장하는 날');
  await choose(page, of('배추 1.png', 'image/png', PNG));
  await until(async () => /^김장하는 날\n\n!\[.+\]\(\/api\/files\/[0-9a-f]{64}\)\n$/.test(await body(page).inputValue()));
  // The words for who does not see it are there to be typed over.
  await page.keyboard.type('절인 배추');
  await standing(page, 'saved');
  await shows(page, 'preview');
  await preview(page).getByRole('img', { name: '절인 배추' }).waitFor();
  await until(async () => JSON.stringify(await sizes(page)) === '[[4,3]]');
  assert.deepEqual([await violations(page), await sticksOut(page)], [[], []]);

  await page.reload();
  await until(async () => (await body(page).inputValue()).includes('![절인 배추](/api/files/'));
  await shows(page, 'preview');
  await until(async () => JSON.stringify(await sizes(page)) === '[[4,3]]');
  const [post] = (await get(house, '/api/blog/posts')).posts;
  assert.ok(post.body.includes('![절인 배추](/api/files/'));
  assert.deepEqual(flaws, []);
});

test('what is no picture says so beside the text, which stays as it is, and the others come', async (t) => {
  const house = await openHouse(t);
  const { page } = await newVisitor(t, browser, house, PHONE);
  await visit(page, '/blog/write');
  await body(page).fill('김장하는 날');
  // One by its kind; one by what it is, whatever it calls itself.
  await choose(page, of('견적서.pdf', 'application/pdf', Buffer.from('%PDF-1.7')), of('배추.png', 'image/png', Buffer.from('<script>alert(1)</script>')), of('무.png', 'image/png', PNG));
  for (const name of ['견적서.pdf', '배추.png']) {
    const refused = page.getByRole('alert').filter({ hasText: say('blog', 'picture.none', { name }) });
    await refused.waitFor();
    assert.equal(await body(page).inputValue(), '김장하는 날');
    assert.deepEqual([await violations(page), await sticksOut(page)], [[], []]);
    await refused.getByRole('button', { name: say('blog', 'picture.leave') }).click();
  }
  await until(async () => (await body(page).inputValue()).includes('](/api/files/'));
  await standing(page, 'saved');
  const [post] = (await get(house, '/api/blog/posts')).posts;
  assert.equal(post.body.match(/\/api\/files\//g).length, 1);
});

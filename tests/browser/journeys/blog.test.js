/** A post is written, published and found. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newVisitor, openBrowser, sticksOut, until, violations, visit } from '../browser.js';
import { get, openHouse, sentences } from '../house.js';

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

test('a post is written with the keyboard alone, saved by itself, published and found', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house, { theme: 'dark', ...PHONE });
  const { say, title, body, standing } = await words();
  await visit(page, '/blog');
  await page.getByText(say('blog', 'none.text')).waitFor();
  assert.deepEqual(await violations(page), []);
  await picture(page, 'blog-empty');
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
  await picture(page, 'blog-write');
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
  await picture(page, 'blog-list');
  assert.deepEqual(flaws, []);
});

/** What breaks breaks alone: made-up sections that throw, in front of a real house. And the household's own order of the cards. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { buildApp, section, showApp } from './app.js';
import { focused, newVisitor, openBrowser, sticksOut, tabTo, violations, visit } from './browser.js';
import { openHouse, sentences } from './house.js';

let house;
let browser;
let app;
let say;

before(async (t) => {
  house = await openHouse(undefined);
  browser = await openBrowser();
  say = await sentences('ko');
  const throwing = "<script lang=\"ts\">if (!('mended' in window)) throw new Error('planted');</script>";
  app = await buildApp(t, {
    ...section('broken', { name: '고장', order: 50, keys: 'g 1', more: "inner: [{ path: '/part', name: '고장난 갈래', page: () => import('./Part.svelte') }], frame: () => import('./Frame.svelte')," }),
    ...section('crooked', {
      name: '기울기', order: 51, keys: 'g 2', more: "inner: [{ path: '/:id', name: '기운 것', page: () => import('./One.svelte') }],",
      offers: "companion: () => { throw new Error('planted'); }, warning: () => { throw new Error('planted'); }",
    }),
    'pages/crooked/One.svelte': `<script lang="ts">
      import { untrack } from 'svelte';
      import { pageTitle } from '../../lib/page-title.svelte';
      let { id } = $props();
      const first = untrack(() => id);
      pageTitle(() => (first === '7' ? 'seven' : undefined));
    </script><h1>one {first}</h1><p><a href="/crooked/8">next</a></p>`,
    'pages/broken/Frame.svelte': '<script lang="ts">let { children } = $props();</script><p>frame</p>{@render children()}',
    'pages/broken/Part.svelte': `${throwing}<h1>mended part</h1>`,
    'pages/broken/Card.svelte': `${throwing}<section class="card"><h2>mended card</h2></section>`,
    'pages/broken/today.ts': `export default {
      changes: [],
      needs: () => { if (!('mended' in window)) throw new Error('planted'); return []; },
      cards: [{ id: 'card', name: '고장난 카드', card: () => import('./Card.svelte') }],
    };`,
  });
});

after(async () => {
  await browser?.close();
  await house?.stop();
});

async function visitor(t, options) {
  const opened = await newVisitor(t, browser, house, options);
  await showApp(opened.context, app);
  return opened;
}

async function picture(page, name) {
  if (process.env['PICTURES']) await page.screenshot({ path: join(process.env['PICTURES'], `${name}.png`), fullPage: true });
}

const titles = (page) => page.locator('main .cards h2').allInnerTexts();

test('a card and needs that throw say so in their places, the others go on, and trying again brings them back', async (t) => {
  const { page, flaws } = await visitor(t, {});
  await visit(page, '/');
  const broken = page.getByRole('main').getByRole('alert').filter({ hasText: say('shell', 'broken') });
  await broken.filter({ hasText: '고장난 카드' }).waitFor();
  assert.equal(await broken.count(), 2);
  await page.getByRole('heading', { name: say('system', 'today.backup') }).waitFor();
  await page.getByRole('heading', { name: say('todos', 'today.title') }).waitFor();
  assert.deepEqual([await violations(page), await sticksOut(page)], [[], []]);
  await picture(page, 'broken-card');
  assert.ok(flaws.length > 0 && flaws.every((flaw) => flaw.includes('planted')), flaws.join('\n'));

  await page.evaluate(() => (window.mended = true));
  await broken.filter({ hasText: '고장난 카드' }).getByRole('button', { name: say('shell', 'retry') }).click();
  await page.getByRole('heading', { name: 'mended card' }).waitFor();
  await broken.first().waitFor({ state: 'detached' });
});

test('a page that throws says so inside its frame, and the rest of the house is a click away', async (t) => {
  const { page } = await visitor(t, {});
  await page.goto('/broken/part');
  const broken = page.getByRole('main').getByRole('alert');
  await broken.getByText(say('shell', 'broken')).waitFor();
  await page.getByRole('main').getByText('frame').waitFor();
  await picture(page, 'broken-page');
  await page.getByRole('navigation').getByRole('link', { name: say('todos', 'name') }).click();
  await page.getByRole('heading', { name: say('todos', 'title'), level: 1 }).waitFor();
  await page.goBack();
  await page.evaluate(() => (window.mended = true));
  await broken.getByRole('button', { name: say('shell', 'retry') }).click();
  await page.getByRole('heading', { name: 'mended part' }).waitFor();
});

test('a companion and a mark that throw take nothing else with them, and a page is told what stands in its address', async (t) => {
  const { page, flaws } = await visitor(t, {});
  await visit(page, '/crooked/7');
  await page.getByRole('heading', { name: 'one 7' }).waitFor();
  await page.waitForFunction(() => document.title === 'seven · hanok');
  await page.getByRole('alert').filter({ hasText: '기울기' }).getByText(say('shell', 'broken')).waitFor();
  await page.getByRole('link', { name: 'next' }).click();
  await page.getByRole('heading', { name: 'one 8' }).waitFor();
  await page.waitForFunction(() => document.title === '기운 것 · hanok');
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: '기울기' }).waitFor();
  assert.equal(await page.getByRole('option', { name: '기운 것' }).count(), 0);
  assert.ok(flaws.length > 0 && flaws.every((flaw) => flaw.includes('planted')), flaws.join('\n'));
});

test('what the server could not read of the day is no zero: its card says so, the others are shown', async (t) => {
  const { page } = await visitor(t, {});
  let unread = ['todos'];
  await page.route('**/api/today', async (route) => {
    const day = await (await route.fetch()).json();
    for (const field of unread) delete day[field];
    await route.fulfill({ json: { ...day, unread } });
  });
  await visit(page, '/');
  const broken = page.getByRole('alert').filter({ hasText: say('todos', 'today.title') });
  await broken.waitFor();
  await page.getByRole('heading', { name: say('system', 'today.backup') }).waitFor();
  unread = [];
  await broken.getByRole('button', { name: say('shell', 'retry') }).click();
  await page.getByRole('heading', { name: say('todos', 'today.title') }).waitFor();
  // What is right again with the next change needs nobody to try it again.
  const add = (title) => page.evaluate(async (body) => {
    const sent = await fetch('/api/todos', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return sent.status;
  }, JSON.stringify({ title }));
  unread = ['todos'];
  assert.equal(await add('메주'), 201);
  await broken.waitFor();
  unread = [];
  assert.equal(await add('김장'), 201);
  await page.getByRole('heading', { name: say('todos', 'today.title') }).waitFor();
  await broken.waitFor({ state: 'detached' });
});

for (const width of [1280, 360]) {
  test(`the cards are put in order and hidden from the keyboard, which can be taken back and stays, at ${width} pixels`, async (t) => {
    const { page } = await visitor(t, { width, height: 700 });
    await page.addInitScript(() => (window.mended = true));
    await visit(page, '/');
    const before = await titles(page);
    await page.getByRole('button', { name: say('today', 'cards') }).focus();
    await page.keyboard.press('Enter');
    const [name, blog] = [say('system', 'today.backup'), say('blog', 'today.title')];
    await tabTo(page, say('today', 'cards.up', { name }));
    await page.keyboard.press('Enter');
    assert.equal(await focused(page), say('today', 'cards.up', { name }));
    for (let times = 1; times < 4; times += 1) await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText(say('today', 'cards.place', { name, place: 2 })).waitFor({ state: 'attached' });
    assert.deepEqual([await violations(page), await sticksOut(page)], [[], []]);
    await picture(page, `arrange-${width}`);
    const box = page.getByRole('dialog').getByRole('checkbox', { name: say('todos', 'today.title') });
    await box.uncheck();
    await page.keyboard.press('Escape');
    assert.equal(await focused(page), say('today', 'cards'));
    assert.deepEqual(await titles(page), [before[0], name, blog, 'mended card']);

    await visit(page, '/');
    assert.deepEqual(await titles(page), [before[0], name, blog, 'mended card']);
    await page.getByRole('button', { name: say('today', 'cards') }).click();
    await box.check();
    await page.getByRole('dialog').getByRole('button', { name: say('shell', 'undo') }).click();
    assert.equal(await box.isChecked(), false);
    await box.check();
    await page.keyboard.press('Escape');
    assert.deepEqual((await titles(page)).toSorted(), before.toSorted());
  });
}

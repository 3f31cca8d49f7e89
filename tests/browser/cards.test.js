/** Today with nine cards: an app with six made-up sections, built for this test, in front of a real house. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { newVisitor, openBrowser, sticksOut, violations, visit } from './browser.js';
import { newFolder, openHouse } from './house.js';

const ASSETS = new URL('../../assets/', import.meta.url).pathname;
const SOURCES = ['build', 'index.html', 'package.json', 'public', 'src', 'svelte.config.js', 'tsconfig.json', 'vite.config.ts'];
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
/** How high the made-up cards are inside, in pixels. */
const HEIGHTS = [90, 260, 40, 330, 150, 210];

let house;
let browser;

before(async () => {
  house = await openHouse(undefined);
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  await house?.stop();
});

test('nine cards stand in the order of the sections, from left to right and then down, and end near each other', async (t) => {
  const app = await appWithCards(t);
  for (const [width, columns] of [[1280, 3], [900, 2], [390, 1]]) {
    const { page, flaws } = await newVisitor(t, browser, house, { width });
    await page.route((url) => url.pathname === '/' || url.pathname.startsWith('/assets/'), async (route) => {
      const { pathname } = new URL(route.request().url());
      const file = join(app, pathname === '/' ? 'index.html' : pathname);
      await route.fulfill({ body: await readFile(file), contentType: TYPES[extname(file)] });
    });
    await visit(page, '/');
    // What has come since the last picture has its place with the next one.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    const cards = await page.locator('main section.card').evaluateAll((all) =>
      all.map((card) => ({ ...card.getBoundingClientRect().toJSON(), title: card.querySelector('h2').textContent })));
    assert.equal(cards.length, 9);
    assert.deepEqual(cards.slice(2, 8).map(({ title }) => title), HEIGHTS.map((_, index) => `card ${index + 1}`));

    const isBefore = (one, other) => one.top < other.top || (Math.abs(one.top - other.top) < 1 && one.left < other.left);
    const misplaced = cards.slice(1).filter((card, index) => !isBefore(cards[index], card)).map(({ title }) => title);
    assert.deepEqual(misplaced, [], `at ${width} pixels`);
    const lefts = [...new Set(cards.map(({ left }) => Math.round(left)))];
    assert.equal(lefts.length, columns, `at ${width} pixels`);
    // Below each card the next one of its column follows, or nothing.
    for (const card of cards) {
      const below = cards.filter(({ left, right, top }) => left < card.right && right > card.left && top >= card.bottom);
      const gap = Math.min(...below.map(({ top }) => top)) - card.bottom;
      assert.ok(gap === Infinity || (gap >= 11 && gap < 18), `${card.title} at ${width} pixels: ${gap} pixels below it`);
    }
    const ends = lefts.map((left) => Math.max(...cards.filter((card) => card.left <= left + 1 && card.right > left + 1).map(({ bottom }) => bottom)));
    assert.ok(Math.max(...ends) - Math.min(...ends) < Math.max(...HEIGHTS), `at ${width} pixels the columns end at ${ends}`);
    assert.deepEqual([await violations(page), await sticksOut(page)], [[], []]);
    assert.deepEqual(flaws, []);
    if (process.env['PICTURES']) await page.screenshot({ path: join(process.env['PICTURES'], `cards-${width}.png`), fullPage: true });
  }
});

/** The folder of an app whose made-up sections have a card each. */
async function appWithCards(t) {
  const folder = await newFolder(t);
  const app = join(folder, 'ops');
  await Promise.all(SOURCES.map((name) => cp(join(ASSETS, 'ops', name), join(app, name), { recursive: true })));
  await cp(join(ASSETS, 'style'), join(folder, 'style'), { recursive: true });
  await symlink(join(ASSETS, 'ops/node_modules'), join(app, 'node_modules'));
  for (const [index, height] of HEIGHTS.entries()) {
    const section = join(app, `src/pages/section${index}`);
    await mkdir(section);
    await writeFile(join(section, 'section.ts'), `export default {
      path: '/section${index}', name: 'card ${index + 1}', icon: 'M4 4h16v16H4z', order: ${100 + index}, keys: 'g ${index}', page: () => import('./Card.svelte'),
    };`);
    await writeFile(join(section, 'today.ts'), "import Card from './Card.svelte';\nexport default { changes: [], cards: [{ card: Card }] };");
    await writeFile(join(section, 'Card.svelte'), `<script lang="ts">import Card from '../../lib/components/Card.svelte';</script>
      <Card title="card ${index + 1}"><p>${index + 1}</p></Card>
      <style>p { height: ${height}px; }</style>`);
  }
  await promisify(execFile)(process.execPath, ['node_modules/vite/bin/vite.js', 'build'], { cwd: app });
  return join(app, 'dist');
}

/** Today with many cards: an app with six made-up sections, built for this test, in front of a real house. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { buildApp, section, showApp } from './app.js';
import { closeBoth, newVisitor, openBoth, sticksOut, violations, visit } from './browser.js';
import { sentences } from './house.js';

/** How high the made-up cards are inside, in pixels. */
const HEIGHTS = [90, 260, 40, 330, 150, 210];

let house;
let browser;

before(async () => ({ house, browser } = await openBoth()));
after(() => closeBoth({ house, browser }));

test('cards stand in the order of the sections, from left to right and then down, and end near each other', async (t) => {
  const app = await appWithCards(t);
  const own = await ownTitles(t);
  // The made-up sections are the last of their group: what stands behind all groups comes after them.
  const at = own.indexOf((await sentences('ko'))('system', 'today.backup'));
  const titles = [...own.slice(0, at), ...HEIGHTS.map((_, index) => `card ${index + 1}`), ...own.slice(at)];
  for (const [width, columns] of [[1280, 3], [900, 2], [390, 1]]) {
    const { context, page, flaws } = await newVisitor(t, browser, house, { width });
    await showApp(context, app);
    await visit(page, '/');
    // What has come since the last picture has its place with the next one.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    const cards = await page.locator('main section.card').evaluateAll((all) =>
      all.map((card) => ({ ...card.getBoundingClientRect().toJSON(), title: card.querySelector('h2').textContent })));
    assert.deepEqual(cards.map(({ title }) => title), titles);

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

/** The cards that the house itself has. */
async function ownTitles(t) {
  const { page } = await newVisitor(t, browser, house);
  await visit(page, '/');
  return page.locator('main section.card h2').allTextContents();
}

/** The folder of an app whose made-up sections have a card each. */
function appWithCards(t) {
  const files = HEIGHTS.map((height, index) => ({
    ...section(`section${index}`, { name: `card ${index + 1}`, order: 100 + index, keys: `g ${index}` }),
    [`pages/section${index}/today.ts`]: `export default { changes: [], cards: [{ id: 'card', name: 'card ${index + 1}', card: () => import('./Card.svelte') }] };`,
    [`pages/section${index}/Card.svelte`]: `<script lang="ts">import Card from '../../lib/components/Card.svelte';</script>
      <Card title="card ${index + 1}"><p>${index + 1}</p></Card>
      <style>p { height: ${height}px; }</style>`,
  }));
  return buildApp(t, Object.assign({}, ...files));
}

/** What the app asks its server for: nothing twice at a load, and nothing twice for one change. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closeBoth, holdEvents, newVisitor, openBoth, PAGES, visit, whole } from './browser.js';
import { sentences } from './house.js';

const say = await sentences('ko');
let house;
let browser;

before(async () => ({ house, browser } = await openBoth()));
after(() => closeBoth({ house, browser }));

/** Collects the addresses that the page reads from the server, but for its stream, until `take` gives them away. */
function collect(page) {
  let asked = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (request.method() === 'GET' && pathname.startsWith('/api/') && pathname !== '/api/events') asked.push(pathname + search);
  });
  return { take: () => asked.splice(0) };
}

const twice = (asked) => asked.filter((address, index) => asked.indexOf(address) !== index);

async function add(title) {
  const body = JSON.stringify({ title, due: '2026-10-01' });
  const answer = await fetch(`${house.household}/api/todos`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  assert.equal(answer.status, 201);
}

test('no page asks for anything twice at its load', async (t) => {
  const found = [];
  for (const path of PAGES) {
    const { context, page } = await newVisitor(undefined, browser, house);
    const { take } = collect(page);
    // A stream that opens late has everything asked for again: what happened before it opened was not heard.
    await holdEvents(page);
    await visit(page, path);
    await whole(page);
    const asked = take();
    found.push(...twice(asked).map((address) => `${path}: ${address}`));
    // The cards of Today show one answer: none of them asks for a part of its own.
    if (path === '/') found.push(...asked.filter((address) => /^\/api\/(?:today.|todos(?:\?|$)|lotto|blog)/.test(address)));
    await context.close();
  }
  assert.deepEqual(found, []);
});

for (const path of ['/', '/todos']) {
  test(`nothing is asked for twice on ${path} when a todo comes`, async (t) => {
    const { page, flaws } = await newVisitor(t, browser, house);
    const { take } = collect(page);
    await visit(page, path);
    await page.evaluate(() => new Promise((resolve) => {
      new BroadcastChannel('hanok.events').addEventListener('message', ({ data }) => data.kind === 'beat' && resolve());
    }));
    for (const title of ['하나', '둘', '셋']) {
      take();
      await add(`${title} ${path}`);
      await page.locator('main').getByText(`${title} ${path}`).first().waitFor();
      const entry = page.getByRole('navigation', { name: say('shell', 'menu') }).getByRole('link', { name: say('todos', 'name') });
      const { todos } = await (await fetch(`${house.household}/api/today`)).json();
      await entry.getByText(say('todos', 'badge', { count: todos.due_count })).waitFor();
      const asked = take();
      assert.ok(asked.includes('/api/today'), String(asked));
      assert.deepEqual(twice(asked), []);
    }
    assert.deepEqual(flaws, []);
  });
}

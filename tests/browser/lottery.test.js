/** What the lottery's pages decide, keep and estimate, also where the house does not answer or nothing is heard of it. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newVisitor, openBrowser, settled, sticksOut, tabTo, violations, visit } from './browser.js';
import { importDraws, openHouse, sentences } from './house.js';

let browser;
const say = await sentences('ko');

before(async () => (browser = await openBrowser()));
after(() => browser?.close());

/** Asks the house `house` itself. */
async function ask(house, path, method = 'GET', body = undefined) {
  const headers = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) };
  const response = await fetch(house.household + path, { method, headers, body: body && JSON.stringify(body) });
  assert.ok(response.ok, `${method} ${path}: ${response.status}`);
  return response.json();
}

test('a changed note leaves the entered prize alone, whatever else is away', async (t) => {
  const house = await openHouse(t);
  await ask(house, '/api/lotto/purchase', 'POST', { draw_no: 1245, count: 5, prize: 55_000 });
  const { page, flaws } = await newVisitor(t, browser, house);
  await page.route('**/api/lotto/latest', (route) => route.abort());
  await visit(page, '/lottery/purchases');
  await page.getByRole('button', { name: say('lottery', 'purchase.change.this', { draw: 1245, count: 5 }) }).click();
  assert.equal(await page.getByLabel(say('lottery', 'purchase.prize')).inputValue(), '55000');
  await page.getByLabel(say('lottery', 'purchase.note')).fill('동네');
  await page.getByRole('button', { name: say('lottery', 'purchase.save', { count: 5 }) }).click();
  await page.getByText(say('lottery', 'purchase.changed', { draw: 1245, count: 5 })).waitFor();
  const { purchases: [purchase] } = await ask(house, '/api/lotto/purchase');
  assert.deepEqual([purchase.note, purchase.prize], ['동네', 55_000]);
  assert.deepEqual(flaws, []);
});

test('a purchase is for the coming draw also while the house is away', async (t) => {
  const house = await openHouse(t);
  const { next_draw } = await ask(house, '/api/lotto/latest');
  const { page } = await newVisitor(t, browser, house);
  await visit(page, '/lottery/purchases');
  await page.route('**/api/**', (route) => route.abort());
  await page.getByRole('button', { name: say('lottery', 'purchase.add') }).first().click();
  assert.equal(await page.getByRole('dialog').getByLabel(say('lottery', 'purchase.draw'), { exact: true }).inputValue(), String(next_draw.draw_no));
});

test('draws that were kept aside are decided about from the keyboard, and nothing need be heard of it', async (t) => {
  const house = await openHouse(t);
  const { draws } = await ask(house, '/api/lotto/draws?limit=10');
  const [newest, before] = [1245, 1244].map((draw_no) => draws.find((draw) => draw.draw_no === draw_no));
  await importDraws(house, [{ ...newest, bonus: 13 }, { ...before, numbers: [1, 2, 3, 6, 7, 8], bonus: 45 }]);
  const { page, flaws } = await newVisitor(t, browser, house, { width: 360, height: 740 });
  await page.route('**/api/events', (route) => route.abort());

  await visit(page, '/');
  await page.getByText(say('lottery', 'today.undecided', { count: 2 })).waitFor();
  await visit(page, '/lottery');
  await page.getByRole('heading', { name: say('lottery', 'conflicts', { count: 2 }) }).waitFor();
  assert.deepEqual([await sticksOut(page), await violations(page)], [[], []]);

  const named = (key, draw) => say('lottery', key, { draw, source: say('lottery', 'source.import') });
  await tabTo(page, named('conflicts.accept.this', 1245));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: say('lottery', 'conflicts.losing', { draw: 1245 }) });
  assert.deepEqual(await dialog.locator('dt').allInnerTexts(), [2, 3].flatMap((rank) => [say('lottery', 'field.winners', { rank }), say('lottery', 'field.prize', { rank })]));
  await tabTo(page, say('lottery', 'conflicts.accept'));
  await page.keyboard.press('Enter');
  // The row has gone with what is answered: the next one has the focus.
  await page.waitForFunction(() => document.activeElement?.id === 'kept-1244/import');
  assert.deepEqual(await prizesOf(house), [newest.prizes[0].winners, null, null, newest.prizes[3].winners, newest.prizes[4].winners]);
  await tabTo(page, named('conflicts.refuse.this', 1244));
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.matches('h1'));
  assert.equal(await page.getByRole('heading', { name: say('lottery', 'conflicts', { count: 1 }) }).count(), 0);

  await page.getByText(say('lottery', 'corrections'), { exact: true }).click();
  const correction = page.locator('details li');
  for (const said of [say('lottery', 'field.bonus'), String(newest.bonus), '13', say('lottery', 'corrections.by.household')]) {
    assert.ok((await correction.innerText()).includes(said), said);
  }
  assert.ok(!(await correction.innerText()).includes(say('lottery', 'field.numbers')), 'the numbers did not change');
  assert.deepEqual([await sticksOut(page), await violations(page)], [[], []]);
  await tabTo(page, say('lottery', 'corrections.undo.this', { draw: 1245 }));
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.id === 'kept-1245/import');
  assert.deepEqual(await prizesOf(house), newest.prizes.map(({ winners }) => winners));
  assert.deepEqual(flaws, []);
});

async function prizesOf(house) {
  const { prizes } = await ask(house, '/api/lotto/draws/1245');
  return prizes.map(({ winners }) => winners);
}

test('a decision that was made elsewhere meanwhile is shown as it is', async (t) => {
  const house = await openHouse(t);
  const { draws: [newest] } = await ask(house, '/api/lotto/draws?limit=1');
  await importDraws(house, [{ ...newest, bonus: 13 }]);
  const { page } = await newVisitor(t, browser, house);
  await page.route('**/api/events', (route) => route.abort());
  await visit(page, '/lottery');
  const refuse = page.getByRole('button', { name: say('lottery', 'conflicts.refuse.this', { draw: 1245, source: say('lottery', 'source.import') }) });
  await refuse.waitFor();
  await ask(house, '/api/lotto/draws/1245/refuse', 'POST');
  await refuse.click();
  await refuse.waitFor({ state: 'detached' });
});

test('a set of one\'s own is typed like a ticket, and the estimate is given only where it holds', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house, { width: 360, height: 740 });
  await visit(page, '/lottery/statistics');
  const line = page.getByLabel(say('lottery', 'sharing.own'));
  const answer = page.getByText(/1,000원 가운데 약/);
  assert.equal(await line.getAttribute('inputmode'), 'text');
  await line.fill('14 21 27');
  const description = await line.getAttribute('aria-describedby');
  assert.equal(await page.locator(`#${description}`).innerText(), say('lottery', 'typed.count', { detail: 3 }));
  assert.equal(await line.getAttribute('aria-invalid'), 'false');

  await line.fill('142127334144');
  await tabTo(page, say('lottery', 'sharing.own.ask'));
  await page.keyboard.press('Enter');
  await answer.waitFor();
  assert.deepEqual((await page.getByLabel(say('lottery', 'sharing.own.balls')).innerText()).match(/\d+/g), ['14', '21', '27', '33', '41', '44']);
  assert.ok(await page.evaluate((name) => document.activeElement?.textContent === name, say('lottery', 'sharing.own.ask')));
  assert.deepEqual([await sticksOut(page), await violations(page)], [[], []]);
  await line.press('End');
  await line.press('Backspace');
  assert.equal(await answer.count(), 0, 'it was about another set');

  await line.fill('7,14,21,28,35,42');
  await line.press('Enter');
  await page.getByText(say('lottery', 'sharing.own.popular')).waitFor();
  assert.equal(await answer.count(), 0, 'nothing is promised of the most popular set');
  assert.deepEqual([await sticksOut(page), await violations(page)], [[], []]);

  await page.route('**/api/lotto/co-winners*', (route) => route.abort());
  await line.press('Enter');
  await page.getByText(say('lottery', 'sharing.own.failed')).waitFor();
  assert.equal(await page.getByText(say('lottery', 'sharing.own.popular')).count(), 0);
  assert.deepEqual(flaws, []);
});

test('money is told as the games that are settled say it', async (t) => {
  const house = await openHouse(t);
  await ask(house, '/api/lotto/purchase', 'POST', { draw_no: 1245, count: 5 });
  const { page, flaws } = await newVisitor(t, browser, house);
  await visit(page, '/lottery/purchases');
  await page.getByText(say('lottery', 'money.waiting', { count: 5, won: '5,000원' })).waitFor();
  assert.equal(await page.getByText(say('lottery', 'money.rate'), { exact: true }).count(), 0, 'nothing is settled');
  await ask(house, '/api/lotto/purchase', 'POST', { draw_no: 1245, sets: [[1, 2, 3, 6, 7, 8]] });
  await visit(page, '/lottery/purchases');
  await page.getByText(say('lottery', 'money.rate'), { exact: true }).waitFor();
  await settled(page);
  const text = await page.locator('main').innerText();
  assert.ok(text.includes('0.0%는 이보다 적게, 97.6%는 똑같이'), text);
  assert.match(text, new RegExp(`${say('lottery', 'money.settled_invested')}\\s*1,000원`));
  assert.deepEqual(flaws, []);
});

test('what was deleted is not found by who comes back while it can still be taken back', async (t) => {
  const house = await openHouse(t);
  await ask(house, '/api/lotto/purchase', 'POST', { draw_no: 1245, count: 3 });
  const { page, flaws } = await newVisitor(t, browser, house);
  await visit(page, '/lottery/purchases');
  const remove = page.getByRole('button', { name: say('lottery', 'purchase.remove.this', { draw: 1245, count: 3 }) });
  await remove.click();
  const undo = page.getByRole('button', { name: say('shell', 'undo'), exact: true });
  await undo.hover(); // The message stays as long as it is pointed at.
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await page.waitForURL('**/todos');
  await page.goBack();
  await page.getByText(say('lottery', 'purchases.none'), { exact: true }).waitFor();
  assert.equal(await remove.count(), 0);
  await undo.click();
  await remove.waitFor();
  assert.deepEqual(flaws, []);
});

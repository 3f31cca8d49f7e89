/** What the lottery's pages decide, keep and estimate, also where the house does not answer or nothing is heard of it. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { focused, newVisitor, openBrowser, settled, sticksOut, tabTo, until, violations, visit } from './browser.js';
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
  await dialog.waitFor();
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

  await page.getByText(say('lottery', 'corrections', { count: 1 }), { exact: true }).click();
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

for (const fails of [true, false]) {
  test(`a decision is shown while the list of them ${fails ? 'cannot be had, which is said, and then asked again' : 'does not answer, and the next one can be made'}`, async (t) => {
    const house = await openHouse(t);
    const { draws } = await ask(house, '/api/lotto/draws?limit=2');
    await importDraws(house, draws.map((draw) => ({ ...draw, bonus: [43, 44, 45].find((bonus) => bonus !== draw.bonus && !draw.numbers.includes(bonus)) })));
    const { page } = await newVisitor(t, browser, house);
    await page.route('**/api/events', (route) => route.abort());
    await visit(page, '/lottery');
    await settled(page);
    const rows = page.locator('li[id^="kept-"]');
    const refuse = (draw) => page.getByRole('button', { name: say('lottery', 'conflicts.refuse.this', { draw, source: say('lottery', 'source.import') }) });
    await refuse(draws[0].draw_no).waitFor();
    const lists = '**/api/lotto/draws/decisions*';
    await page.route(lists, (route) => (fails ? route.fulfill({ status: 503, contentType: 'application/json', body: '{"error":"INTERNAL","message":"planted"}' }) : undefined));
    await refuse(draws[0].draw_no).click();
    await refuse(draws[0].draw_no).waitFor({ state: 'detached' });
    assert.equal(await rows.count(), 1);
    await page.getByRole('heading', { name: say('lottery', 'conflicts', { count: 1 }) }).waitFor();
    if (fails) {
      const problem = page.getByRole('alert').filter({ hasText: say('shell', 'more_failed') });
      await problem.waitFor();
      await page.unroute(lists);
      await problem.getByRole('button', { name: say('shell', 'retry') }).click();
      await problem.waitFor({ state: 'detached' });
      assert.equal(await rows.count(), 1);
    }
    await refuse(draws[1].draw_no).click();
    await rows.first().waitFor({ state: 'detached' });
    assert.equal((await ask(house, '/api/lotto/latest')).decisions, 0);
  });
}

test('of many decisions every one can be reached, and a page that is behind takes no other correction back', async (t) => {
  const house = await openHouse(t);
  const { draws } = await ask(house, '/api/lotto/draws?limit=12');
  const others = draws.map((draw) => ({ ...draw, bonus: [43, 44, 45].find((bonus) => bonus !== draw.bonus && !draw.numbers.includes(bonus)) }));
  await importDraws(house, others);
  const { page, flaws } = await newVisitor(t, browser, house, { width: 360, height: 740 });
  await page.route('**/api/events', (route) => route.abort());
  await visit(page, '/lottery');
  await page.getByRole('heading', { name: say('lottery', 'conflicts', { count: 12 }) }).waitFor();
  const rows = page.locator('li[id^="kept-"]');
  assert.equal(await rows.count(), 10);
  await tabTo(page, say('lottery', 'more'));
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.id === 'kept-1235/import');
  assert.equal(await rows.count(), 12);
  assert.deepEqual([await sticksOut(page), await violations(page)], [[], []]);

  for (const { draw_no } of draws) await ask(house, `/api/lotto/draws/${draw_no}/accept`, 'POST');
  await visit(page, '/lottery');
  await page.getByText(say('lottery', 'corrections', { count: 12 }), { exact: true }).click();
  assert.equal(await page.locator('details li').count(), 10);
  await page.locator('details').getByRole('button', { name: say('lottery', 'more') }).click();
  await page.locator('details li').nth(11).waitFor();
  await importDraws(house, [{ ...draws[0], bonus: others[0].bonus === 45 ? 44 : 45 }]);
  await ask(house, '/api/lotto/draws/1245/accept', 'POST');
  await page.getByRole('button', { name: say('lottery', 'corrections.undo.this', { draw: 1245 }) }).click();
  await page.getByText(say('lottery', 'conflicts.failed')).waitFor();
  assert.equal((await ask(house, '/api/lotto/latest')).corrected, 13, 'nothing was taken back');
  assert.deepEqual(flaws.filter((flaw) => !flaw.includes('409')), []);
});

test('missing draws are named where they are, also below the newest, and looking one up says that it was held', async (t) => {
  const house = await openHouse(t);
  await importDraws(house, [{ draw_no: 1250, date: '2026-11-14', numbers: [1, 2, 3, 6, 7, 8], bonus: 45 }]);
  const { missing, next_draw } = await ask(house, '/api/lotto/latest');
  const last = next_draw.draw_no - 1;
  assert.equal(missing, last - 1246);
  const behind = last > 1251 ? `, 1251–${last}` : last === 1251 ? ', 1251' : '';
  const { page, flaws } = await newVisitor(t, browser, house, { width: 360, height: 740 });
  await visit(page, '/lottery');
  await page.getByText(say('lottery', 'missing', { count: missing, range: `1246–1249${behind}` })).waitFor();
  await page.getByText(say('lottery', 'missing.without', { draw: 1250 })).waitFor();
  assert.deepEqual([await sticksOut(page), await violations(page)], [[], []]);
  await visit(page, '/lottery/statistics?draw=1248');
  await page.getByText(say('lottery', 'lookup.missing', { draw: 1248 })).waitFor();
  await visit(page, '/lottery/statistics?draw=9000');
  await page.getByText(say('lottery', 'lookup.absent', { draw: 9000, last: 1250 })).waitFor();
  // Its first prize was won by nobody.
  await visit(page, '/lottery/statistics?draw=289');
  await page.getByRole('cell', { name: say('lottery', 'lookup.nobody'), exact: true }).waitFor();
  assert.deepEqual(flaws.filter((flaw) => !flaw.includes('404')), []);
});

test('a field that names no draw gives the newest, and nothing is left of one that was refused', async (t) => {
  const house = await openHouse(t);
  const { page } = await newVisitor(t, browser, house);
  await visit(page, '/lottery/statistics');
  const field = page.getByLabel(say('lottery', 'lookup.draw'), { exact: true });
  const newest = String((await ask(house, '/api/lotto/draws?limit=1')).draws[0].draw_no);
  for (const nothing of ['0', '', '1.5']) {
    await field.fill('99999');
    await field.press('Enter');
    const refused = page.getByText(say('lottery', 'lookup.absent', { draw: 99_999, last: newest }));
    await refused.waitFor();
    await field.fill(nothing);
    await field.press('Enter');
    await refused.waitFor({ state: 'detached' });
    await until(async () => (await field.inputValue()) === newest);
    await field.fill(nothing);
    await field.press('Enter');
    await until(async () => (await field.inputValue()) === newest);
  }
});

for (const width of [768, 1_100, 1_280]) {
  test(`what comes back by each method, and by chance, stands inside its box on a screen of ${width} pixels`, async (t) => {
    const [house, english] = [await openHouse(t), await sentences('en')];
    const { page, flaws } = await newVisitor(t, browser, house, { language: 'en', width });
    await visit(page, '/lottery/performance');
    const box = page.getByRole('region', { name: english('shell', 'chart.table_of', { title: english('lottery', 'performance.money') }) });
    const last = box.locator('tbody td:last-child .back');
    await last.first().waitFor();
    const { right } = await box.evaluate((element) => element.getBoundingClientRect().toJSON());
    const rights = await last.locator('.bar, b, span').evaluateAll((all) => all.map((element) => element.getBoundingClientRect().right));
    assert.ok(rights.every((one) => one <= right), `${rights} of ${right}`);
    assert.deepEqual(flaws, []);
  });
}

test('a set of one\'s own is typed like a ticket, and the estimate is given only where it holds', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house, { width: 360, height: 740 });
  await visit(page, '/lottery/statistics');
  const line = page.getByLabel(say('lottery', 'sharing.own'));
  const answer = page.getByText(/1,000원 중 약/);
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
  // Beside the range of its kind stands that of a single set, and how far one strays.
  const { co_winners: own } = await ask(house, '/api/lotto/co-winners?numbers=14,21,27,33,41,44');
  const { co_winner_model: model } = await ask(house, '/api/lotto/analysis');
  const two = (value) => new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(value);
  const gauge = await page.locator('.gauge').innerText();
  assert.ok(own.single_set.low < own.low && own.high < own.single_set.high, JSON.stringify(own));
  assert.ok(gauge.includes(`${two(own.low)}–${two(own.high)}`), gauge);
  assert.ok(gauge.includes(say('lottery', 'cowinners.single', { low: two(own.single_set.low), high: two(own.single_set.high) })), gauge);
  assert.equal(await page.getByText(say('lottery', 'sharing.single', { spread: `${Math.round(100 * model.single_set_spread)}%` })).count(), 1);
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

test('of more recommendations for a draw than are loaded, those that are there are called the latest', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  await visit(page, '/lottery');
  await until(async () => (await ask(house, '/api/history')).total === 1);
  await page.route('**/api/history?*', async (route) => {
    const answer = await route.fetch();
    const { history: [newest], ...rest } = await answer.json();
    const history = [...Array(30).keys()].map((index) => ({ ...newest, id: 39 - index, method: index % 3 === 0 ? 'monte_carlo' : 'weighted' }));
    await route.fulfill({ response: answer, json: { ...rest, history, total: 39 } });
  });
  await visit(page, '/lottery');
  await page.getByLabel(say('lottery', 'recommend.given.latest', { count: 20 })).waitFor();
  assert.deepEqual(flaws, []);
});

test('both histories say how many they hold and how many the house keeps', async (t) => {
  const house = await openHouse(t);
  for (let made = 0; made < 2; made += 1) await ask(house, '/api/lotto/recommend/combined');
  await ask(house, '/api/lotto/recommend');
  const [given, { most_kept }] = [await ask(house, '/api/history'), await ask(house, '/api/lotto/recommend/combined/history')];
  assert.deepEqual([given.most_kept, most_kept], [10_000, 10_000]);
  const { page, flaws } = await newVisitor(t, browser, house);
  await visit(page, '/lottery/history');
  await page.getByText(say('lottery', 'history.total', { count: given.total, most: '10,000' })).waitFor();
  await visit(page, '/lottery');
  await page.getByLabel(say('lottery', 'combined.history', { count: 2, most: '10,000' })).waitFor();
  assert.deepEqual(flaws, []);
});

test('drawing anew brings new numbers and keeps those before on the page, also for who comes back, and the focus where it was', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house, { width: 360, height: 740 });
  await visit(page, '/lottery');
  const { next_draw } = await ask(house, '/api/lotto/latest');
  const balls = page.getByRole('list', { name: say('lottery', 'recommend.balls', { draw: next_draw.draw_no }) });
  const shown = async () => (await balls.innerText()).match(/\d+/g).join(', ');
  const again = page.getByRole('button', { name: say('lottery', 'recommend.again') });
  const first = await shown();
  const { history } = await ask(house, '/api/history');
  assert.equal(history[0].numbers.join(', '), first);
  const given = page.getByLabel(say('lottery', 'recommend.given', { count: 2 }));
  assert.equal(await given.count(), 0);

  await again.focus();
  await page.keyboard.press('Enter');
  await given.waitFor();
  await until(async () => (await shown()) !== first);
  assert.equal(await focused(page), say('lottery', 'recommend.again'));
  const second = await shown();
  assert.deepEqual(await given.getByRole('option').allInnerTexts(), [second, first]);
  assert.deepEqual(await sticksOut(page), []);
  assert.deepEqual(await violations(page), []);
  if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/drawn-anew.png`, fullPage: true });
  await given.focus();
  await page.keyboard.press('ArrowDown');
  await until(async () => (await shown()) === first);
  assert.equal(await given.evaluate((field) => field === document.activeElement), true);

  await visit(page, '/lottery');
  await given.waitFor();
  assert.deepEqual(await given.getByRole('option').allInnerTexts(), [second, first]);
  assert.equal(await shown(), second);
  await given.selectOption({ label: first });
  await until(async () => (await shown()) === first);
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
  assert.ok(text.includes(say('lottery', 'money.no_prize')), text);

  // A rank whose prize is not published is won all the same.
  const { draws: [newest] } = await ask(house, '/api/lotto/draws?limit=1');
  const [last, ...others] = newest.numbers.toReversed();
  const numbers = [...others.reverse(), [43, 44, 45].find((number) => number !== last && number !== newest.bonus)];
  await importDraws(house, [{ ...newest, numbers }]);
  await ask(house, '/api/lotto/draws/1245/accept', 'POST');
  await ask(house, '/api/lotto/purchase', 'POST', { draw_no: 1245, sets: [newest.numbers] });
  // And what was settled by hand is told of, however many games wait for that prize.
  await ask(house, '/api/lotto/purchase', 'POST', { draw_no: 1244, count: 2, prize: 5_000 });
  await visit(page, '/lottery/purchases');
  const [rank, largest] = [say('lottery', 'money.rank', { rank: 3, count: 1 }), say('lottery', 'money.largest', { won: '5,000원' })];
  await page.getByText(`${rank} · ${largest}`).waitFor();
  await page.getByText(say('lottery', 'money.chance.by_hand', { count: 2 })).waitFor();
  assert.equal(await page.getByText(say('lottery', 'money.no_prize')).count(), 0);
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

test('the button that begins a simulation keeps the focus, while it can be called off and when it is done', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  await visit(page, '/lottery/simulate');
  let answer;
  const told = new Promise((resolve) => (answer = resolve));
  await page.route('**/api/admin/simulate*', async (route) => {
    await told;
    await route.continue();
  });
  await page.getByRole('button', { name: say('lottery', 'simulate.run') }).focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction((words) => document.activeElement?.textContent.trim() === words, say('shell', 'cancel'));
  answer();
  await page.waitForFunction((words) => document.activeElement?.textContent.trim() === words, say('lottery', 'simulate.run'));
  assert.deepEqual(flaws, []);
});

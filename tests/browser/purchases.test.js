/** The household's purchases: to and from a file, by the code of a ticket, and what is asked back before one is written. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { newVisitor, openBrowser, sticksOut, violations, visit } from './browser.js';
import encode from 'qr';
import { openHouse, sentences } from './house.js';

let browser;
const say = await sentences('ko');

before(async () => (browser = await openBrowser()));
after(() => browser?.close());

const PHONE = { width: 360, height: 740 };
const purchasesOf = async (house) => (await (await fetch(`${house.household}/api/lotto/purchase`)).json()).purchases;
/** What became of a file: only what happened. */
const outcome = (counts) => [['added', 'imported'], ['left_out', 'imported.left_out'], ['prizes', 'imported.prizes']]
  .filter(([name]) => counts[name]).map(([name, key]) => say('lottery', key, counts)).join(' ');
const file = (name, mimeType, buffer) => ({ name, mimeType, buffer });

test('a file of purchases is looked at first, and every bad line is named', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house, PHONE);
  await visit(page, '/lottery/purchases');
  await page.getByRole('button', { name: say('lottery', 'table.import') }).click();
  const dialog = page.getByRole('dialog');
  const choose = (text) => dialog.getByLabel(say('lottery', 'table.file')).setInputFiles(file('복권.csv', 'text/csv', Buffer.from(text)));
  const confirm = (count) => dialog.getByRole('button', { name: say('lottery', 'table.confirm', { count }) });

  await choose('회차,번호\n1245,1 2 3 4 5 6\n1245,1 2 3 4 5 46\n');
  await dialog.getByText(say('lottery', 'table.line', { line: 3 })).waitFor();
  await dialog.getByText(say('lottery', 'table.reason.numbers')).waitFor();
  assert.equal(await confirm(1).getAttribute('aria-disabled'), 'true');
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(await sticksOut(page), []);

  await choose('회차,번호,메모\n1245,1 2 3 4 5 6,가게\n1245,6 5 4 3 2 1,가게\n');
  await dialog.getByText(say('lottery', 'table.same', { count: 1 })).waitFor();
  assert.deepEqual(await purchasesOf(house), []);
  await confirm(1).click();
  await page.getByText(outcome({ added: 1, left_out: 1 }), { exact: true }).waitFor();
  assert.equal((await purchasesOf(house)).length, 1);

  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: say('lottery', 'table.export') }).click()]);
  const bytes = await readFile(await download.path());
  assert.match(download.suggestedFilename(), /^hanok-purchases-\d{4}-\d{2}-\d{2}\.csv$/);
  assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
  assert.match(bytes.toString(), /1245,1 2 3 4 5 6,1,1000,0,0,가게,확인함/);
  assert.deepEqual(flaws, []);
});

test('a prize that was entered in the table is shown beside what is written down, and taken over', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house, PHONE);
  const bundle = { draw_no: 1245, count: 5 };
  await fetch(`${house.household}/api/lotto/purchase`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(bundle) });
  await visit(page, '/lottery/purchases');
  await page.getByRole('button', { name: say('lottery', 'table.import') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(say('lottery', 'table.file')).setInputFiles(file('복권.csv', 'text/csv', Buffer.from('회차,게임 수,당첨금\n1245,5,50000\n')));
  await dialog.getByText(say('lottery', 'table.written.no_prize')).waitFor();
  await dialog.getByRole('cell', { name: '50,000원' }).waitFor();
  assert.ok(await dialog.getByLabel(say('lottery', 'table.same.take_prizes', { count: 1 })).isChecked());
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(await sticksOut(page), []);
  await dialog.getByRole('button', { name: say('lottery', 'table.confirm.prizes', { count: 0, prizes: 1 }) }).click();
  await page.getByText(outcome({ left_out: 1, prizes: 1 }), { exact: true }).waitFor();
  assert.deepEqual((await purchasesOf(house)).map(({ prize }) => prize), [50_000]);
  assert.deepEqual(flaws, []);
});

test('a file of two lines, of which one won, is written to its end, and one whose lines end as on an old Macintosh is read', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house, PHONE);
  await visit(page, '/lottery/purchases');
  const dialog = page.getByRole('dialog');
  const open = () => page.getByRole('button', { name: say('lottery', 'table.import') }).click();
  const choose = (text) => dialog.getByLabel(say('lottery', 'table.file')).setInputFiles(file('복권.csv', 'text/csv', Buffer.from(text)));
  await open();
  await choose('draw_no,count\r1241,5\r1243,x\r1244,y\r');
  for (const line of [3, 4]) await dialog.getByText(say('lottery', 'table.line', { line }), { exact: true }).waitFor();

  const two = 'draw_no,count,amount,prize\n1239,5,5000,0\n1239,5,5000,5000\n';
  await choose(two);
  await dialog.getByText(say('lottery', 'table.read', { count: 2 })).waitFor();
  assert.equal(await dialog.getByRole('radio').count(), 0);
  await dialog.getByRole('button', { name: say('lottery', 'table.confirm', { count: 2 }) }).click();
  await page.getByText(outcome({ added: 2 }), { exact: true }).waitFor();
  await dialog.waitFor({ state: 'hidden' });
  assert.deepEqual((await purchasesOf(house)).map(({ prize }) => prize).sort(), [0, 5_000]);

  // A third line gives its prize to a purchase that is there; the two are there already.
  await fetch(`${house.household}/api/lotto/purchase`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ draw_no: 1240, count: 5 }) });
  await open();
  await choose(`${two}1240,5,5000,50000\n1238,5,5000,\n`);
  const confirm = dialog.getByRole('button', { name: say('lottery', 'table.confirm.prizes', { count: 1, prizes: 1 }) });
  await confirm.waitFor();
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(await sticksOut(page), []);
  await confirm.click();
  await page.getByText(outcome({ added: 1, left_out: 3, prizes: 1 }), { exact: true }).waitFor();
  assert.deepEqual((await purchasesOf(house)).map(({ draw_no, prize }) => [draw_no, prize]).sort(), [[1238, null], [1239, 0], [1239, 5_000], [1240, 50_000]]);
  assert.deepEqual(flaws, []);
});

test('what says the same by the time of the confirmation is asked back with the choice', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house, PHONE);
  await visit(page, '/lottery/purchases');
  await page.getByRole('button', { name: say('lottery', 'table.import') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(say('lottery', 'table.file')).setInputFiles(file('복권.csv', 'text/csv', Buffer.from('회차,게임 수\n1240,5\n1241,5\n')));
  const confirm = (count) => dialog.getByRole('button', { name: say('lottery', 'table.confirm', { count }) });
  await confirm(2).waitFor();
  await fetch(`${house.household}/api/lotto/purchase`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ draw_no: 1240, count: 5 }) });
  await confirm(2).click();
  await dialog.getByLabel(say('lottery', 'table.same.leave_out')).waitFor();
  flaws.length = 0;
  await confirm(1).click();
  await page.getByText(outcome({ added: 1, left_out: 1 }), { exact: true }).waitFor();
  assert.equal((await purchasesOf(house)).length, 2);
  assert.deepEqual(flaws, []);
});

test('a file of any length is looked at and written whole, and a confirmation that is lost is sent again', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house, PHONE);
  await visit(page, '/lottery/purchases');
  await page.getByRole('button', { name: say('lottery', 'table.import') }).click();
  const dialog = page.getByRole('dialog');
  const numbers = (line) => [1 + (line % 10), 11 + (Math.floor(line / 10) % 10), 21 + Math.floor(line / 100), 43, 44, 45].join(' ');
  const lines = Array.from({ length: 600 }, (_, line) => `1245,${numbers(line)},"가게 ${line}\n둘째 줄"\n`);
  const text = `회차,번호,메모\n${lines.join('')}${lines[1]}1245,1 2 3 4 5 46,\n`;
  const choose = (text) => dialog.getByLabel(say('lottery', 'table.file')).setInputFiles(file('복권.csv', 'text/csv', Buffer.from(text)));
  await choose(text);
  await dialog.getByText(say('lottery', 'table.line', { line: 2 + 2 * 601 })).waitFor();
  await choose(text.replace('1245,1 2 3 4 5 46,\n', ''));
  await dialog.getByText(say('lottery', 'table.same', { count: 1 })).waitFor();
  const confirm = dialog.getByRole('button', { name: say('lottery', 'table.confirm', { count: 600 }) });
  // The answer to the first is lost, which nobody here can know: the second is the same request.
  const keys = [];
  await page.route('**/api/lotto/purchase/import', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length > 1) return route.continue();
    await route.fetch();
    return route.abort();
  });
  await confirm.click();
  await dialog.getByText(say('shell', 'problem.UNANSWERED')).waitFor();
  flaws.length = 0;
  await confirm.click();
  await page.getByText(outcome({ added: 600, left_out: 1 }), { exact: true }).waitFor();
  assert.equal(new Set(keys).size, 1);
  const { total } = await (await fetch(`${house.household}/api/lotto/purchase`)).json();
  assert.equal(total, 600);
  assert.deepEqual(flaws, []);
});

test('a ticket is read from a picture, shown, written down once, and said when it is scanned again', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house, PHONE);
  await visit(page, '/lottery/purchases');
  await page.getByRole('button', { name: say('lottery', 'ticket.scan') }).click();
  const dialog = page.getByRole('dialog');
  const choose = (code) => dialog.getByLabel(say('lottery', 'ticket.picture')).setInputFiles(file('ticket.gif', 'image/gif', Buffer.from(encode(code, 'gif', { scale: 4 }))));
  const save = (count) => dialog.getByRole('button', { name: say('lottery', 'purchase.save', { count }) });

  await choose('https://example.org/?v=1245q010715243345');
  await dialog.getByText(say('lottery', 'ticket.why.foreign')).waitFor();
  assert.equal(await save(0).getAttribute('aria-disabled'), 'true');

  const code = 'http://m.dhlottery.co.kr/?v=1245q010715243345m020816253444n000000000000n000000000000n0000000000001288760331';
  await choose(code);
  await dialog.getByText(say('lottery', 'ticket.mark.manual'), { exact: true }).waitFor();
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(await sticksOut(page), []);
  assert.deepEqual(await purchasesOf(house), []);
  await save(2).click();
  await page.getByText(say('lottery', 'purchase.saved', { draw: 1245, count: 2 })).waitFor();
  const [purchase] = await purchasesOf(house);
  assert.deepEqual([purchase.draw_no, purchase.sets, purchase.amount, purchase.ticket], [1245, [[1, 7, 15, 24, 33, 45], [2, 8, 16, 25, 34, 44]], 2_000, '1245-1288760331']);

  await page.getByRole('button', { name: say('lottery', 'ticket.scan') }).click();
  await choose(code);
  await dialog.getByText(say('lottery', 'ticket.written')).waitFor();
  assert.equal(await save(2).getAttribute('aria-disabled'), 'true');
  assert.equal((await purchasesOf(house)).length, 1);
  // The address in the code was never opened: that would be a third party.
  assert.deepEqual(flaws, []);
});

test('numbers that are written down already, and a draw that is far off, are asked back before they are written', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house, PHONE);
  const next = (await (await fetch(`${house.household}/api/lotto/latest`)).json()).next_draw.draw_no;
  await fetch(`${house.household}/api/lotto/purchase`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ draw_no: next + 10, sets: [[1, 7, 15, 24, 33, 45]] }) });
  await visit(page, '/lottery/purchases');
  await page.getByRole('button', { name: say('lottery', 'purchase.add'), exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(say('lottery', 'purchase.draw')).fill(String(next + 10));
  await dialog.getByLabel(say('lottery', 'purchase.numbers'), { exact: true }).fill('45 33 24 15 7 1');
  await dialog.getByRole('button', { name: say('lottery', 'purchase.save', { count: 1 }) }).click();
  await dialog.getByText(say('lottery', 'doubt.written', { count: 1 })).waitFor();
  await dialog.getByText(say('lottery', 'doubt.far_off', { draw: next + 10, weeks: 10 })).waitFor();
  assert.equal((await purchasesOf(house)).length, 1);
  assert.deepEqual(await violations(page), []);
  await dialog.getByRole('button', { name: say('lottery', 'doubt.save', { count: 1 }) }).click();
  await page.getByText(say('lottery', 'purchase.saved', { draw: next + 10, count: 1 })).waitFor();
  assert.equal((await purchasesOf(house)).length, 2);
  assert.deepEqual(flaws, []);
});

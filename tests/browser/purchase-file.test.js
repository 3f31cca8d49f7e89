/** Purchases from a file: what the window says is about the file that it names, and about nothing else. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newVisitor, openBrowser, sticksOut, until, violations, visit } from './browser.js';
import { get, openHouse, post, sentences } from './house.js';

let browser;
const say = await sentences('ko');

before(async () => (browser = await openBrowser()));
after(() => browser?.close());

const ONE = '회차,번호\n1245,1 2 3 4 5 6\n';
const TWO = `${ONE}1244,7 8 9 10 11 12\n`;
const csv = (name, text) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
const fileOf = (dialog) => dialog.getByLabel(say('lottery', 'table.file'));
const confirm = (dialog, count) => dialog.getByRole('button', { name: say('lottery', 'table.confirm', { count }) });
const read = (dialog, count) => dialog.getByText(say('lottery', 'table.read', { count }));

async function openWindow(page) {
  await visit(page, '/lottery/purchases');
  await page.getByRole('button', { name: say('lottery', 'table.import') }).click();
  return page.getByRole('dialog');
}

test('of two files that are chosen one after the other the last one is shown, whichever is read first', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  const dialog = await openWindow(page);
  const answers = [];
  const path = '**/api/lotto/purchase/import/preview';
  await page.route(path, (route) => answers.push(() => route.continue()));
  let asked = page.waitForRequest(path);
  await fileOf(dialog).setInputFiles(csv('two.csv', TWO));
  await asked;
  asked = page.waitForRequest(path);
  await fileOf(dialog).setInputFiles(csv('one.csv', ONE));
  await asked;
  for (const answer of answers) {
    const answered = page.waitForResponse(path);
    await answer();
    await (await answered).finished();
  }
  await read(dialog, 1).waitFor();
  await dialog.getByText('one.csv').waitFor();
  assert.equal(await read(dialog, 2).count(), 0);
  assert.deepEqual(flaws, []);
});

test('a corrected file of the same name is read anew, and a file can be dropped', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  const dialog = await openWindow(page);
  await fileOf(dialog).setInputFiles(csv('복권.csv', ONE.replace('6', '46')));
  await dialog.getByText(say('lottery', 'table.line', { line: 2 })).waitFor();
  // A browser tells of a choice only when it differs from the one before.
  assert.equal(await fileOf(dialog).evaluate((input) => input.files.length), 0);
  await dialog.getByText('복권.csv').waitFor();
  await fileOf(dialog).setInputFiles(csv('복권.csv', ONE));
  await read(dialog, 1).waitFor();
  await dialog.evaluate((window_, text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], '끌어온.csv', { type: 'text/csv' }));
    window_.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, TWO);
  await read(dialog, 2).waitFor();
  await dialog.getByText('끌어온.csv').waitFor();
  const box = await dialog.locator('label.button').boundingBox();
  assert.ok(box.height >= 44, `${box.height}`);
  assert.deepEqual(flaws, []);
});

test('nobody leaves the window while its file is written down, and a refusal is said of that', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  const dialog = await openWindow(page);
  await fileOf(dialog).setInputFiles(csv('one.csv', ONE));
  let refuse;
  const told = new Promise((resolve) => (refuse = resolve));
  await page.route('**/api/lotto/purchase/import', async (route) => {
    await told;
    await route.fulfill({ status: 507, contentType: 'application/json', body: '{"error":"STORAGE_FULL","message":"full"}' });
  });
  const asked = page.waitForRequest('**/api/lotto/purchase/import');
  await confirm(dialog, 1).click();
  await asked;
  await dialog.getByRole('button', { name: say('shell', 'cancel') }).dispatchEvent('click');
  await page.keyboard.press('Escape');
  refuse();
  await dialog.getByText(say('lottery', 'table.failed')).waitFor();
  await dialog.getByRole('button', { name: say('shell', 'cancel') }).click();
  await dialog.waitFor({ state: 'hidden' });
  assert.equal(await page.getByText(say('lottery', 'table.export.failed')).count(), 0);
  assert.deepEqual(flaws, []);
});

test('whoever stops in the middle keeps the focus in the window, reads how many were written down, and has the rest written', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  const dialog = await openWindow(page);
  const many = Array.from({ length: 30_000 }, (_, line) => `1245,1,n${line}\n`).join('');
  await fileOf(dialog).setInputFiles(csv('many.csv', `회차,게임 수,메모\n${many}`));
  await confirm(dialog, '30,000').click();
  await dialog.getByRole('button', { name: say('lottery', 'table.stop') }).press('Enter');
  const close = dialog.getByRole('button', { name: say('shell', 'close') }).last();
  const said = dialog.locator('[role=alert].refused');
  await said.waitFor();
  await close.waitFor();
  assert.ok(await close.evaluate((button) => button === document.activeElement), 'the focus is where it was');
  const { total } = await page.evaluate(async () => (await fetch('/api/lotto/purchase?limit=1')).json());
  const written = say('lottery', 'table.stopped', { count: total.toLocaleString('ko') });
  assert.equal((await said.textContent()).trim(), written);
  await dialog.getByRole('button', { name: say('lottery', 'table.go_on') }).click();
  await until(async () => (await get(house, '/api/lotto/purchase?limit=1')).total > total);
  assert.deepEqual(flaws, []);
});

test('a game of another purchase is marked in its line and asked back', async (t) => {
  const house = await openHouse(t);
  await post(house, '/api/lotto/purchase', { draw_no: 1245, sets: [[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]] });
  const { page, flaws } = await newVisitor(t, browser, house, { width: 390, height: 800 });
  const dialog = await openWindow(page);
  await fileOf(dialog).setInputFiles(csv('one.csv', ONE));
  await dialog.getByText(say('lottery', 'table.known_games', { count: 1 })).waitFor();
  await confirm(dialog, 1).click();
  await dialog.getByText(say('lottery', 'doubt.written', { count: 1 })).waitFor();
  assert.equal((await get(house, '/api/lotto/purchase')).total, 1);
  assert.deepEqual(await violations(page), []);
  await dialog.getByRole('button', { name: say('lottery', 'table.confirm.anyway', { count: 1 }) }).click();
  await until(async () => (await get(house, '/api/lotto/purchase')).total === 2);
  assert.deepEqual(flaws, []);
});

test('a spreadsheet that is no table is refused by what it is', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  const dialog = await openWindow(page);
  await fileOf(dialog).setInputFiles({ name: '복권.xlsx', mimeType: 'application/zip', buffer: Buffer.from([0x50, 0x4b, 3, 4, 20, 0]) });
  await dialog.getByText(say('lottery', 'table.workbook', { name: '복권.xlsx' })).waitFor();
  await fileOf(dialog).setInputFiles(csv('one.csv', ONE));
  await read(dialog, 1).waitFor();
  assert.equal(await dialog.getByText('.xlsx').count(), 0);
  assert.deepEqual(flaws, []);
});

test('the buttons for files keep their distance from the card above them', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  await visit(page, '/lottery/purchases');
  const below = await page.getByRole('button', { name: say('lottery', 'table.import') }).boundingBox();
  const cards = await page.locator('main .card').evaluateAll((all) => all.map((card) => card.getBoundingClientRect().bottom));
  const gap = Math.min(...cards.map((bottom) => below.y - bottom).filter((distance) => distance > -2));
  assert.ok(gap >= 8, `${gap}`);
  assert.deepEqual(flaws, []);
});

for (const language of ['ko', 'en']) {
  test(`what a file says is read on a phone without scrolling sideways, its notes below its numbers (${language})`, async (t) => {
    const house = await openHouse(t);
    const words = await sentences(language);
    const { page, flaws } = await newVisitor(t, browser, house, { language, width: 360, height: 740 });
    await visit(page, '/lottery/purchases');
    await page.getByRole('button', { name: words('lottery', 'table.import') }).click();
    const dialog = page.getByRole('dialog');
    const long = 'https://shop.example/a-long-address-without-any-space-in-it-that-must-be-broken';
    const text = `회차,게임 수,금액,당첨금,메모\n1239,100,100000,2000000000,역 앞 복권방에서 산 것\n1240,5,5000,0,${long}\n1240,5,5000,0,${long}\n1241,5,5000,,\n`;
    await dialog.getByLabel(words('lottery', 'table.file')).setInputFiles(csv('복권.csv', text));
    await dialog.getByRole('cell', { name: long }).first().waitFor();
    const region = dialog.locator('[role="region"]');
    assert.deepEqual(await region.evaluate((one) => [one.scrollWidth - one.clientWidth, one.scrollLeft]), [0, 0]);
    assert.deepEqual(await sticksOut(page), []);
    const rows = await dialog.locator('tbody tr').evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => {
      const { left, right, top } = cell.getBoundingClientRect();
      return { left, right, top };
    })));
    const heads = await dialog.locator('thead th').evaluateAll((all) => all.map((head) => head.getBoundingClientRect().left));
    for (const [line, draw, games, amount, prize, note] of rows) {
      assert.deepEqual([line, draw, games, amount, prize].map(({ left }) => left), heads.slice(0, 5), 'the numbers stand in their columns');
      assert.ok(note.top > prize.top && note.left === line.left, 'the note stands below them');
    }
    assert.ok(rows[0][4].right <= 360);
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(flaws, []);
  });
}

test('of a file with lines that cannot be read the good ones can be taken alone, and which are left out is said', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  const dialog = await openWindow(page);
  await fileOf(dialog).setInputFiles(csv('some.csv', '회차,번호\n1245,1 2 3 4 5 46\n1244,7 8 9 10 11 12\n1243,"1 2 3\n1242,3 9 12 30 44 45\n'));
  await dialog.getByText(say('lottery', 'table.line', { line: 2 })).waitFor();
  await dialog.getByRole('button', { name: say('lottery', 'table.leave_out', { bad: 2 }) }).click();
  await dialog.getByText(say('lottery', 'table.left_out', { count: 2 })).waitFor();
  for (const line of [2, 4]) await dialog.getByText(say('lottery', 'table.line', { line }), { exact: true }).waitFor();
  assert.deepEqual([await violations(page), await sticksOut(page)], [[], []]);
  await confirm(dialog, 2).click();
  await dialog.waitFor({ state: 'hidden' });
  const { purchases } = await get(house, '/api/lotto/purchase');
  assert.deepEqual(purchases.map(({ draw_no, sets }) => [draw_no, sets]).sort(), [[1242, [[3, 9, 12, 30, 44, 45]]], [1244, [[7, 8, 9, 10, 11, 12]]]]);
  assert.deepEqual(flaws, []);
});

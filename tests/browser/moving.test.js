/** The one file that moves a house, in the browser: kept on the visitor's disk, brought to the house again. */

import assert from 'node:assert/strict';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { newVisitor, openBrowser, settled, sticksOut, until, violations, visit } from './browser.js';
import { command, newFolder, openHouse, sentences } from './house.js';

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser?.close());

const LOOKS = [
  { language: 'ko', theme: 'light', width: 1280 },
  { language: 'en', theme: 'dark', width: 360 },
];

async function add(house, title) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${house.household}/api/todos`, { method: 'POST', headers, body: JSON.stringify({ title }) });
  assert.equal(answer.status, 201);
}

const titles = async (house) => (await (await fetch(`${house.household}/api/todos`)).json()).todos.map(({ title }) => title);
const lying = async (house) => (await readdir(join(house.data, 'run'))).filter((name) => name.startsWith('upload-'));

for (const look of LOOKS) {
  test(`the whole house is kept as a file, and comes back from it when that is confirmed (${look.language}, ${look.width} px)`, async (t) => {
    const house = await openHouse(t);
    const say = await sentences(look.language);
    const folder = await newFolder(t);
    const { page, flaws } = await newVisitor(t, browser, house, look);
    await add(house, '먼저');
    await visit(page, '/system/backups');
    const button = (area, key) => page.getByRole('button', { name: say(area, key), exact: true });
    await button('system', 'file.bring').waitFor();
    await settled(page);
    await page.getByText(`--data-dir ${house.data}`).waitFor();

    const coming = page.waitForEvent('download');
    await button('system', 'file.download').click();
    const download = await coming;
    assert.match(download.suggestedFilename(), /^hanok-\d{4}-\d\d-\d\d-\d{4}\.tar\.gz$/);
    const file = join(folder, 'house.tar.gz');
    await download.saveAs(file);
    assert.ok((await stat(file)).size > 10_000);
    // The button is there again, and has the focus.
    await page.waitForFunction((name) => document.activeElement?.textContent.trim() === name, say('system', 'file.download'));
    await add(house, '나중');
    // Made since the start, it is neither read yet nor in the file.
    await writeFile(join(house.data, 'appliance.toml'), '[backup]\nhourly = 48\n');

    const input = page.locator('input[type=file]');
    await writeFile(join(folder, 'picture.gz'), 'no archive');
    await input.setInputFiles(join(folder, 'picture.gz'));
    const refused = page.getByRole('alert').filter({ hasText: say('system', 'file.refused') });
    await refused.waitFor();
    // All of it is seen, above the tabs of a phone.
    await page.waitForFunction((text) => {
      const alert = [...document.querySelectorAll('[role=alert]')].find((one) => one.textContent.includes(text)).getBoundingClientRect();
      const dock = document.querySelector('.dock')?.getBoundingClientRect();
      return alert.top >= 0 && alert.bottom <= (dock && dock.height > 0 ? Math.min(dock.top, innerHeight) : innerHeight);
    }, say('system', 'file.refused'));
    assert.deepEqual(await sticksOut(page), []);

    const dialog = page.getByRole('dialog');
    const title = dialog.getByRole('heading', { name: say('system', 'restore.title') });
    await input.setInputFiles(file);
    await title.waitFor();
    const [holds] = say('system', 'file.holds').split('{');
    await dialog.getByText(holds.trim()).waitFor();
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(await sticksOut(page), []);
    if (process.env['SHOTS']) await page.screenshot({ path: join(process.env['SHOTS'], `file-${look.language}-${look.width}.png`), fullPage: true });
    // Who comes back finds it still there.
    await page.reload();
    const [waits] = say('system', 'file.waits').split('{time}').filter((part) => part);
    const goOn = page.getByRole('button', { name: waits.trim() });
    await goOn.waitFor();
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(await sticksOut(page), []);
    if (process.env['SHOTS']) await page.screenshot({ path: join(process.env['SHOTS'], `waits-${look.language}-${look.width}.png`), fullPage: true });
    await goOn.click();
    await title.waitFor();
    // Who closes the window has lost nothing; what is thrown away is thrown away by its name, and leaves nothing behind.
    await page.keyboard.press('Escape');
    await title.waitFor({ state: 'detached' });
    await goOn.click();
    await title.waitFor();
    await dialog.getByRole('button', { name: say('system', 'file.later') }).click();
    await title.waitFor({ state: 'detached' });
    assert.equal((await lying(house)).length, 1);
    await goOn.click();
    await dialog.getByRole('button', { name: say('system', 'file.discard') }).click();
    await title.waitFor({ state: 'detached' });
    assert.equal(await goOn.count(), 0);
    await assert.doesNotReject(until(async () => (await lying(house)).length === 0));
    assert.deepEqual((await titles(house)).sort(), ['나중', '먼저']);
    if (process.env['SHOTS']) await page.screenshot({ path: join(process.env['SHOTS'], `page-${look.language}-${look.width}.png`), fullPage: true });

    await input.setInputFiles(file);
    await dialog.getByRole('checkbox').check();
    await dialog.getByRole('button', { name: say('system', 'restore.do') }).click();
    await dialog.getByRole('heading', { name: say('system', 'restore.done') }).waitFor();
    // Its settings are those of this house: nobody has to decide about them, and nothing is laid beside them.
    assert.equal(await dialog.getByText('appliance.restored.toml').count(), 0);
    assert.equal(await readFile(join(house.data, 'appliance.toml'), 'utf8'), '[backup]\nhourly = 48\n');
    assert.deepEqual([await violations(page), await sticksOut(page)], [[], []]);
    if (process.env['SHOTS']) await page.screenshot({ path: join(process.env['SHOTS'], `done-${look.language}-${look.width}.png`), fullPage: true });
    assert.deepEqual(await titles(house), ['먼저']);
    assert.deepEqual(flaws.filter((flaw) => !flaw.includes('422')), []);
  });
}

test('sending a file can be called off, and leaves nothing', async (t) => {
  const house = await openHouse(t);
  const say = await sentences('ko');
  const folder = await newFolder(t);
  const { page } = await newVisitor(t, browser, house);
  await visit(page, '/system/backups');
  await page.route('**/api/system/restore', () => undefined);
  await writeFile(join(folder, 'large.gz'), Buffer.alloc(1 << 20));
  await page.locator('input[type=file]').setInputFiles(join(folder, 'large.gz'));
  await page.getByRole('progressbar', { name: say('system', 'file.sending') }).or(page.getByRole('progressbar', { name: say('system', 'file.checking') })).waitFor();
  await page.getByRole('main').getByRole('button', { name: say('shell', 'cancel') }).click();
  await page.getByRole('button', { name: say('system', 'file.bring') }).waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
  assert.deepEqual(await lying(house), []);
});

test('a file goes on being sent while another page is read, and says there how far it is and that it waits', async (t) => {
  const house = await openHouse(t);
  const say = await sentences('ko');
  const folder = await newFolder(t);
  const { page, flaws } = await newVisitor(t, browser, house, { width: 390, height: 844 });
  const file = join(folder, 'house.tar.gz');
  await command(house.data, 'backup', '--to', file);
  await visit(page, '/system/backups');
  let goOn;
  const held = new Promise((resolve) => (goOn = resolve));
  await page.route('**/api/system/restore', async (route) => {
    await held;
    await route.continue();
  });
  await page.locator('input[type=file]').setInputFiles(file);
  const going = new RegExp(`${say('system', 'file.sending')}|${say('system', 'file.checking')}`);
  await page.getByRole('progressbar', { name: going }).waitFor();
  await page.getByRole('navigation').getByRole('link', { name: say('todos', 'name') }).first().click();
  await page.getByRole('heading', { name: say('todos', 'title') }).waitFor();
  await page.keyboard.press('a');
  const drawer = page.getByRole('dialog', { name: say('shell', 'activity.title') });
  await drawer.getByRole('progressbar', { name: going }).waitFor();
  assert.deepEqual(await violations(page), []);
  if (process.env['SHOTS']) await page.screenshot({ path: join(process.env['SHOTS'], 'sending-390.png') });
  goOn();
  const waits = drawer.getByRole('link', { name: say('system', 'file.ready') });
  await waits.waitFor();
  assert.ok((await waits.boundingBox()).height >= 44, 'a finger hits it');
  await page.getByText(say('system', 'file.ready')).nth(1).waitFor();
  await waits.click();
  const dialog = page.getByRole('dialog').filter({ has: page.getByRole('heading', { name: say('system', 'restore.title') }) });
  await dialog.waitFor();
  // Somebody else throws the file away, or brings another one: that is what is said, and the window closes by its button.
  const { brought } = await (await fetch(`${house.household}/api/system/backups`)).json();
  await fetch(`${house.household}/api/system/restore/${brought.id}`, { method: 'DELETE' });
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: say('system', 'restore.do') }).click();
  await dialog.getByText('이 백업 파일은 더 이상 없습니다.').waitFor();
  if (process.env['SHOTS']) await page.screenshot({ path: join(process.env['SHOTS'], 'gone-390.png') });
  await dialog.getByRole('button', { name: say('system', 'file.discard') }).click();
  await dialog.waitFor({ state: 'detached' });
  await until(async () => (await lying(house)).length === 0);
  assert.notEqual(await page.evaluate(() => document.activeElement?.tagName), 'BODY');
  assert.deepEqual(flaws, []);
});

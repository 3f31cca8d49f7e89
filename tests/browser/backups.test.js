/** Going back to a backup, taking that back, and what to do about a damaged one. */

import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { newVisitor, openBrowser, settled, sticksOut, violations, visit } from './browser.js';
import { command, openHouse, sentences } from './house.js';

let browser;
const say = await sentences('ko');

before(async () => (browser = await openBrowser()));
after(() => browser?.close());

async function post(house, path, body) {
  const init = body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {};
  const response = await fetch(house.household + path, { method: 'POST', ...init });
  assert.ok(response.ok, `${path} ${response.status}`);
  return response.json();
}

const listed = async (house) => (await fetch(`${house.household}/api/system/backups`)).json();

/** Changes a byte of the newest backup, and lets a check find it. */
async function damage(house) {
  const [{ name }] = (await listed(house)).backups;
  const file = join(house.data, 'backups', `${name}.redb`);
  const bytes = await readFile(file);
  bytes[5000] ^= 1;
  await rm(file);
  await writeFile(file, bytes);
  await command(house.data, 'verify').then(() => assert.fail('it was not found'), () => undefined);
  return name;
}

async function openBackups(page) {
  await visit(page, '/system/backups');
  await page.getByRole('heading', { name: say('system', 'backup.list') }).waitFor();
  await settled(page);
}

test('a damaged backup is told with what to do, and is cleared away', async (t) => {
  // Draws that could not be fetched would need care, too.
  const house = await openHouse(t, { settings: { HANOK_JOBS__SCHEDULE: 'false' } });
  const { page, flaws } = await newVisitor(t, browser, house, { width: 360, height: 740 });
  await post(house, '/api/system/backups');
  await post(house, '/api/system/backups');
  const name = await damage(house);
  await visit(page, '/');
  const need = page.getByRole('listitem').filter({ has: page.getByText(say('system', 'today.need.backup'), { exact: true }) });
  await need.getByText(say('system', 'today.others_sound')).waitFor();
  assert.equal(await page.getByText(name).count(), 0);
  await need.getByRole('button', { name: say('system', 'today.do.back_up') }).click();
  await need.getByRole('link').waitFor();
  assert.deepEqual(await sticksOut(page), []);

  await openBackups(page);
  const note = page.getByText(say('system', 'backup.damaged_note', { count: 1 }));
  // A newer one has just been made.
  assert.equal(await note.innerText(), [say('system', 'backup.damaged_note', { count: 1 }), say('system', 'backup.others_sound')].join(' '));
  await page.getByRole('heading', { name: say('system', 'unwell', { count: 1 }) }).waitFor();
  assert.deepEqual(await sticksOut(page), []);
  assert.deepEqual(await violations(page), []);
  const removed = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await page.getByRole('button', { name: say('system', 'backup.remove'), exact: false }).click();
  // A message that the mouse rests on stays, and what can be taken back waits for it.
  await page.mouse.move(0, 0);
  await note.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: say('system', 'well') }).waitFor();
  assert.equal((await removed).status(), 200);
  assert.ok((await listed(house)).backups.every((backup) => backup.name !== name));
  await visit(page, '/');
  assert.equal(await need.count(), 0);
  assert.deepEqual(flaws, []);
});

test('how often backups are made by themselves and how many are kept is said as it is set', async (t) => {
  const house = await openHouse(t, { settings: { HANOK_BACKUP__EVERY_MINUTES: '720', HANOK_BACKUP__HOURLY: '3', HANOK_BACKUP__WEEKLY: '0' } });
  const { page, flaws } = await newVisitor(t, browser, house, { width: 360, height: 740 });
  await openBackups(page);
  const every = say('system', 'every.hours', { count: 12 });
  const parts = [say('system', 'backup.keep.hourly', { count: 3 }), say('system', 'backup.keep.daily', { count: 14 })].join(', ');
  await page.getByText(`${say('system', 'backup.made_every', { every })} ${say('system', 'backup.keep', { parts })}`).waitFor();
  assert.deepEqual(await sticksOut(page), []);
  assert.deepEqual(flaws, []);
});

test('where no backups are made by themselves nothing promises any, and Today leads to what to change, also once one was made by hand', async (t) => {
  const house = await openHouse(t, { settings: { HANOK_BACKUP__EVERY_MINUTES: '0' } });
  const { page, flaws } = await newVisitor(t, browser, house, { width: 360, height: 740 });
  await visit(page, '/');
  await page.getByText(say('system', 'today.backup.none_by_hand')).waitFor();
  await openBackups(page);
  await page.getByText(say('system', 'backup.made_by_hand')).waitFor();
  await page.getByText(say('system', 'backup.empty.text_by_hand')).waitFor();
  await post(house, '/api/system/backups');

  await visit(page, '/');
  const need = page.getByRole('listitem').filter({ hasText: say('system', 'today.by_hand') });
  await need.getByRole('link').click();
  await page.getByRole('main').getByText('backup.every_minutes').first().waitFor();
  assert.equal(await page.getByRole('searchbox', { name: say('system', 'settings.find') }).inputValue(), 'backup.every_minutes');
  assert.deepEqual(await sticksOut(page), []);
  assert.deepEqual(flaws, []);
});

test('a state that was kept without its last write says so, and stays one that can be returned to', async (t) => {
  const house = await openHouse(t, { settings: { HANOK_JOBS__SCHEDULE: 'false' } });
  await post(house, '/api/system/backups');
  const [{ name }] = (await listed(house)).backups;
  const file = join(house.data, 'backups', `${name}.json`);
  const description = JSON.parse(await readFile(file, 'utf8'));
  await rm(file);
  await writeFile(file, JSON.stringify({ ...description, last_write_left_out: true }));
  const { page, flaws } = await newVisitor(t, browser, house, { width: 360, height: 740 });
  await openBackups(page);
  const kept = page.getByRole('listitem').filter({ hasText: say('system', 'backup.in_part') });
  await kept.getByText(say('system', 'backup.in_part_text')).waitFor();
  if (process.env['PICTURES']) await page.screenshot({ path: join(process.env['PICTURES'], 'backup-in-part.png'), fullPage: true });
  assert.deepEqual([await violations(page), await sticksOut(page)], [[], []]);
  await kept.getByRole('button').click();
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: say('system', 'restore.do'), exact: true }).click();
  const done = page.getByRole('dialog', { name: say('system', 'restore.done') });
  await done.getByText(say('system', 'backup.in_part_text')).waitFor();
  assert.deepEqual(flaws, []);
});

test('where the only backup is damaged, no others are localized of, one is asked for, once', async (t) => {
  const house = await openHouse(t, { settings: { HANOK_JOBS__SCHEDULE: 'false' } });
  const { page, flaws } = await newVisitor(t, browser, house, { width: 360, height: 740 });
  await post(house, '/api/system/backups');
  assert.equal((await listed(house)).backups.length, 1);
  await damage(house);
  await openBackups(page);
  const note = page.getByText(say('system', 'backup.damaged_note', { count: 1 }));
  await note.waitFor();
  assert.equal(await note.innerText(), [say('system', 'backup.damaged_note', { count: 1 }), say('system', 'backup.make_one')].join(' '));
  await page.getByRole('heading', { name: say('system', 'unwell', { count: 1 }) }).waitFor();
  await visit(page, '/');
  await page.getByText(say('system', 'today.none_sound')).waitFor();
  assert.equal(await page.getByRole('button', { name: say('system', 'today.do.back_up') }).count(), 1);
  assert.equal(await page.getByText(say('system', 'today.no_backup')).count(), 0);
  await page.getByRole('button', { name: say('system', 'today.do.back_up') }).click();
  await page.getByText(say('system', 'today.none_sound')).waitFor({ state: 'detached' });
  await openBackups(page);
  assert.equal(await note.innerText(), [say('system', 'backup.damaged_note', { count: 1 }), say('system', 'backup.others_sound')].join(' '));
  assert.deepEqual(flaws, []);
});

test('"back up now" backs up what is there now, whatever became of the last one; only the message asks for that one again', async (t) => {
  // Nothing but a press makes one.
  const house = await openHouse(t, { settings: { HANOK_JOBS__SCHEDULE: 'false' } });
  const { page, flaws } = await newVisitor(t, browser, house);
  const count = async () => (await listed(house)).backups.length;
  await openBackups(page);
  const before = await count();
  /** It is made, and a proxy on the way gives up before the answer. */
  let loses = false;
  await page.route('**/api/system/backups', async (route) => {
    if (!loses || route.request().method() !== 'POST') return route.fallback();
    loses = false;
    assert.equal((await route.fetch()).status(), 201);
    return route.fulfill({ status: 504, contentType: 'text/html', body: '<html>gateway timeout</html>' });
  });
  const press = (name) => page.getByRole('main').getByRole('button', { name, exact: true }).click();
  const failed = page.getByRole('alert').filter({ hasText: say('shell', 'problem.UNANSWERED') });

  loses = true;
  await press(say('system', 'backup.make'));
  await failed.waitFor();
  assert.equal(await page.getByText(say('system', 'backup.failed')).count(), 0, 'nobody knows that');
  assert.equal(await count(), before + 1);
  await press(say('shell', 'retry'));
  await page.getByText(say('system', 'backup.made')).waitFor();
  assert.equal(await count(), before + 1);

  loses = true;
  await press(say('system', 'backup.make'));
  await failed.waitFor();
  await post(house, '/api/todos', { title: '그 사이에' });
  const answered = page.waitForResponse((response) => response.request().method() === 'POST' && response.ok());
  await press(say('system', 'backup.make'));
  const { rows } = await (await answered).json();
  await failed.waitFor({ state: 'detached' });
  const { backups } = await listed(house);
  assert.equal(backups.length, before + 3);
  assert.ok(rows > backups[1].rows, 'the todo is in it');
  assert.deepEqual(flaws, []);
});

/** A setting is found and changed; the house goes back to a backup, and takes that back. */

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { focused, newVisitor, openBrowser, settled, sticksOut, violations, visit } from '../browser.js';
import { openHouse, post, sentences } from '../house.js';

let browser;
const say = await sentences('ko');
before(async () => (browser = await openBrowser()));
after(() => browser?.close());

const line = (page, name) => page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) });

async function openBackups(page) {
  await visit(page, '/system/backups');
  await page.getByRole('heading', { name: say('system', 'backup.list') }).waitFor();
  await settled(page);
}

test('a setting is found by a word of either language, changed by keyboard, and waits for the next start', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house, { width: 360 });
  await writeFile(join(house.data, 'appliance.toml'), '# 우리 집\n[backup]\nhourly = 24 # 넉넉하게\n');
  await visit(page, '/system/settings');
  await page.getByRole('searchbox').fill('hourly backups');
  const hourly = line(page, '시간별 백업 보관 개수');
  await hourly.getByRole('button', { name: say('system', 'settings.change_of', { name: '시간별 백업 보관 개수' }) }).press('Enter');
  const field = page.getByRole('textbox', { name: '시간별 백업 보관 개수' });
  assert.ok(await field.evaluate((element) => element === document.activeElement));
  await field.fill('1001');
  await page.keyboard.press('Enter');
  await hourly.getByRole('alert').getByText('값: 0~1,000 범위여야 합니다.').waitFor();
  assert.equal(await field.inputValue(), '1001', 'what was typed stays');
  await field.fill('48');
  await page.keyboard.press('Enter');
  await hourly.getByText(say('system', 'settings.next', { value: '48' })).waitFor();
  await page.getByText(say('system', 'settings.restart', { count: 1 })).waitFor();
  assert.equal(await readFile(join(house.data, 'appliance.toml'), 'utf8'), '# 우리 집\n[backup]\nhourly = 48 # 넉넉하게\n');
  assert.deepEqual([await violations(page), await sticksOut(page), flaws], [[], [], []]);
});

test('a restore and its undoing are told apart, and each says what it does; the focus goes to what is next', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  await post(house, '/api/todos', { title: '먼저' });
  await post(house, '/api/system/backups');
  await post(house, '/api/system/backups');
  await post(house, '/api/todos', { title: '나중' });
  await openBackups(page);
  const restores = page.locator(`main li button[aria-label^="${say('system', 'backup.restore_of', { time: '' }).trim()}"]`);
  const labels = await restores.evaluateAll((all) => all.map((button) => button.getAttribute('aria-label')));
  assert.ok(labels.length >= 2, String(labels));
  assert.equal(new Set(labels).size, labels.length, String(labels));

  const dialog = page.getByRole('dialog');
  await restores.first().click();
  await dialog.getByRole('heading', { name: say('system', 'restore.title') }).waitFor();
  await dialog.getByRole('checkbox').check();
  await page.route('**/restore', (route) => route.abort());
  await dialog.getByRole('button', { name: say('system', 'restore.do') }).click();
  await dialog.getByText(say('system', 'restore.unknown_text')).waitFor();
  assert.equal(await focused(page), say('system', 'restore.ask'));
  await page.unroute('**/restore');
  await page.keyboard.press('Enter');
  await dialog.getByRole('heading', { name: say('system', 'restore.done') }).waitFor();
  assert.equal(await focused(page), say('system', 'restore.open'));
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);

  await openBackups(page);
  await page.getByRole('button', { name: say('system', 'backup.undo') }).click();
  await dialog.getByRole('heading', { name: say('system', 'undo.title') }).waitFor();
  await dialog.getByLabel(say('system', 'undo.understood')).check();
  await dialog.getByRole('button', { name: say('system', 'undo.do') }).click();
  await dialog.getByRole('heading', { name: say('system', 'undo.done') }).waitFor();
  await visit(page, '/todos');
  await page.getByText('나중').waitFor();
  assert.deepEqual(flaws, []);
});

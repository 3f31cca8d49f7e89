/** Nobody loses something by signing out without having been asked. */

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { newVisitor, openBrowser, settled, sticksOut, violations } from './browser.js';
import { answered, newFolder, openHouse, sentences } from './house.js';

let browser;
const say = await sentences('ko');
const PASSPHRASE = 'five apricot blossoms in the yard';

before(async () => (browser = await openBrowser()));
after(() => browser?.close());

test('who signs out is asked about what is half typed and what is being sent, until nothing of it would be lost', async (t) => {
  const folder = await newFolder(t);
  await answered(folder, `${PASSPHRASE}\n`, 'household', 'passphrase', '--new');
  const house = await openHouse(t, { folder, listen: '0.0.0.0:0' });
  const { page } = await newVisitor(t, browser, house, { width: 360, height: 740, theme: 'dark' });
  const enter = async () => {
    await page.getByLabel(say('shell', 'sign_in.passphrase')).fill(PASSPHRASE);
    await page.keyboard.press('Enter');
  };
  const signOut = async () => {
    await page.getByRole('button', { name: say('shell', 'preferences.title') }).click();
    await page.getByRole('button', { name: say('shell', 'sign_out') }).click();
  };
  const line = page.getByRole('textbox', { name: say('todos', 'add'), exact: true });
  await page.goto('/todos');
  await enter();
  await line.fill('우유랑 빵');
  // The page with the line is not even loaded any more.
  await page.goto('/system/backups');
  let refuse;
  const held = new Promise((resolve) => (refuse = resolve));
  await page.route('**/api/system/restore', async (route) => {
    await held;
    await route.fulfill({ status: 409, json: { error: 'CONFLICT', message: 'ended', localized: { message_key: 'house.upload_ended', params: {} } } });
  });
  const file = join(await newFolder(t), 'large.gz');
  await writeFile(file, Buffer.alloc(1 << 20));
  await page.locator('input[type=file]').setInputFiles(file);
  const going = new RegExp(`${say('system', 'file.sending')}|${say('system', 'file.checking')}`);
  await page.getByRole('progressbar', { name: going }).waitFor();

  const asked = page.getByRole('dialog').filter({ has: page.getByRole('heading', { name: say('shell', 'leaving.title') }) });
  await signOut();
  await asked.getByText(say('shell', 'leaving.text', { count: 2 })).waitFor();
  await asked.getByRole('listitem').filter({ hasText: '우유랑 빵' }).waitFor();
  await asked.getByRole('listitem').filter({ hasText: going }).waitFor();
  await settled(page);
  assert.deepEqual([await violations(page), await sticksOut(page)], [[], []]);
  if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/losses.png` });
  // What ends meanwhile is not asked about any more.
  refuse();
  await asked.getByText(say('shell', 'leaving.text', { count: 1 })).waitFor();
  await asked.getByRole('button', { name: say('shell', 'cancel') }).click();
  await asked.waitFor({ state: 'detached' });
  await page.goto('/todos');
  assert.equal(await line.inputValue(), '우유랑 빵');
  // The same where the page with the line is not loaded: nothing of it is left to who comes next.
  await page.goto('/system');
  await signOut();
  await asked.getByRole('button', { name: say('shell', 'leaving.do') }).click();
  await enter();
  await page.locator('main .head h1').waitFor();
  await page.goto('/todos');
  await line.waitFor();
  assert.equal(await line.inputValue(), '');
  await signOut();
  await page.getByLabel(say('shell', 'sign_in.passphrase')).waitFor();
});

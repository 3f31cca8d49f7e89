/** A file on its way to the house goes with its tab: the browser asks before that is closed, and only then. */

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { newVisitor, openBrowser, visit } from './browser.js';
import { newFolder, openHouse, sentences } from './house.js';

let browser;
const say = await sentences('ko');

before(async () => (browser = await openBrowser()));
after(() => browser?.close());

/** Lets every `POST` to a path wait until `answer` is called; `come` is settled when the first is there. */
async function held(page, path) {
  let answer;
  const told = new Promise((resolve) => (answer = resolve));
  const come = page.waitForRequest((request) => request.method() === 'POST' && new URL(request.url()).pathname === path);
  await page.route(`**${path}`, async (route) => {
    await told;
    await route.continue();
  });
  return { answer, come };
}

/** Closes the tab as its visitor would. Gives what the browser asked, which keeps the tab, or undefined when it is gone. */
async function closeTab(page) {
  const asked = new Promise((resolve) => page.once('dialog', async (dialog) => {
    await dialog.dismiss();
    resolve(dialog.type());
  }));
  const gone = page.waitForEvent('close').then(() => undefined);
  await page.close({ runBeforeUnload: true });
  return Promise.race([asked, gone]);
}

test('the browser asks before a tab is closed that sends a backup file, and not after it was answered', async (t) => {
  const house = await openHouse(t);
  const folder = await newFolder(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  await visit(page, '/system/backups');
  const { answer, come } = await held(page, '/api/system/restore');
  await writeFile(join(folder, 'picture.gz'), 'no archive');
  const choose = page.getByRole('button', { name: say('system', 'file.bring') });
  const chooser = page.waitForEvent('filechooser');
  await choose.click();
  await (await chooser).setFiles(join(folder, 'picture.gz'));
  await come;
  assert.equal(await closeTab(page), 'beforeunload');
  answer();
  await page.getByText(say('system', 'file.refused')).waitFor();
  assert.equal(await closeTab(page), undefined);
  assert.deepEqual(flaws, []);
});

test('the browser asks before a tab is closed that sends a file of purchases, and not while the house writes it down', async (t) => {
  const house = await openHouse(t);
  const { page, flaws } = await newVisitor(t, browser, house);
  await visit(page, '/lottery/purchases');
  await page.getByRole('button', { name: say('lottery', 'table.import') }).click();
  const dialog = page.getByRole('dialog');
  const table = { name: 'one.csv', mimeType: 'text/csv', buffer: Buffer.from('회차,번호\n1245,1 2 3 4 5 6\n') };
  await dialog.getByLabel(say('lottery', 'table.file')).setInputFiles(table);
  const { answer, come } = await held(page, '/api/lotto/purchase/import');
  await dialog.getByRole('button', { name: say('lottery', 'table.confirm', { count: 1 }) }).click();
  await come;
  assert.equal(await closeTab(page), 'beforeunload');
  answer();
  await page.getByText(say('lottery', 'imported', { added: 1 })).waitFor();
  assert.equal(await closeTab(page), undefined);
  assert.deepEqual(flaws, []);
});

/** A house on the network: nobody comes in without the household's passphrase. */

import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { newVisitor, openBrowser, overflow, settled, violations } from './browser.js';
import { answered, newFolder, openHouse, sentences } from './house.js';

const PASSPHRASE = 'five apricot blossoms in the yard';
let browser;
const say = await sentences('ko');

before(async () => (browser = await openBrowser()));
after(() => browser?.close());

test('a passphrase from the command line opens the door on every address', async () => {
  const folder = await newFolder();
  await answered(folder, `${PASSPHRASE}\n`, 'household', 'passphrase');
  const house = await openHouse({ listen: '0.0.0.0:0', folder });
  const { context, page, flaws, close } = await newVisitor(browser, house, { width: 360, height: 740 });

  assert.equal((await fetch(`${house.household}/api/todos`)).status, 401);
  await page.goto('/todos');
  const field = page.getByLabel(say('shell', 'sign_in.passphrase'));
  await field.waitFor();
  assert.equal(await overflow(page), 0);
  assert.deepEqual(await violations(page), []);
  await field.fill('not this one');
  await field.press('Enter');
  await page.getByText(say('shell', 'sign_in.wrong')).waitFor();
  await field.fill(PASSPHRASE);
  await field.press('Enter');
  await page.getByRole('heading', { name: say('todos', 'title') }).waitFor();
  await settled(page);
  const [cookie] = await context.cookies();
  assert.deepEqual([cookie.httpOnly, cookie.sameSite], [true, 'Strict']);

  await page.reload();
  await page.getByRole('heading', { name: say('todos', 'title') }).waitFor();
  await close();
  assert.equal(await house.stop(), 0);
  await rm(folder, { recursive: true });
  assert.deepEqual(flaws, []);
});

test('the one-time link from the log sets the first passphrase, once', async () => {
  const folder = await newFolder();
  const house = await openHouse({ listen: '0.0.0.0:0', folder }).catch((error) => error);
  const log = house instanceof Error ? house.message : house.log.join('\n');
  const token = /\/setup#([\w-]+)/.exec(log)?.[1];
  assert.ok(token, `no set-up link in the log:\n${log}`);
  const { page, flaws, close } = await newVisitor(browser, house);
  await page.goto(`/setup#${token}`);
  await page.getByRole('textbox').first().fill(PASSPHRASE);
  await page.getByRole('textbox').nth(1).fill(PASSPHRASE);
  await page.getByRole('button', { name: say('shell', 'setup.save') }).click();
  await page.getByText(say('shell', 'setup.done')).waitFor();
  const again = await fetch(`${house.household}/api/household/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, passphrase: 'another one that is long enough' }),
  });
  assert.ok(again.status >= 400 && again.status < 500, `the link worked twice: ${again.status}`);
  await close();
  await house.stop();
  await rm(folder, { recursive: true });
  assert.deepEqual(flaws, []);
});

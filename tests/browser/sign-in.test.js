/** A house on the network: nobody comes in without the household's passphrase. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newVisitor, openBrowser } from './browser.js';
import { newFolder, openHouse, sentences } from './house.js';

const PASSPHRASE = 'five apricot blossoms in the yard';
let browser;
const say = await sentences('ko');

before(async () => (browser = await openBrowser()));
after(() => browser?.close());

test('the one-time link from the log sets the first passphrase, once', async (t) => {
  const folder = await newFolder(t);
  const alone = await openHouse(t, { folder });
  const link = alone.log.map((line) => /http:\/\/\S+\/setup#[\w-]+/.exec(line)?.[0]).find(Boolean);
  assert.ok(link, `no set-up link in the log:\n${alone.log.join('\n')}`);
  const { page, flaws } = await newVisitor(t, browser, alone);
  await page.goto(new URL(link).pathname + new URL(link).hash);
  await page.getByLabel(say('shell', 'setup.passphrase', { count: 8 })).fill(PASSPHRASE);
  await page.getByLabel(say('shell', 'setup.again')).fill(PASSPHRASE);
  await page.getByRole('button', { name: say('shell', 'setup.save') }).click();
  await page.getByText(say('shell', 'setup.done')).waitFor();
  // The way on has the focus, and no line of a settings file is guessed: Today knows how this door was opened.
  const on = page.getByRole('button', { name: say('shell', 'setup.go_on') });
  await on.and(page.locator(':focus')).waitFor();
  assert.equal(await page.getByText('listen =').count(), 0);
  await on.click();
  await on.waitFor({ state: 'detached' });
  await page.getByRole('navigation', { name: say('shell', 'menu') }).first().waitFor();
  const body = { token: new URL(link).hash.slice(1), passphrase: 'another one that is long enough' };
  assert.equal((await post(alone, '/api/household/setup', body)).status, 401, 'the link worked twice');
  await alone.stop();

  const open = await openHouse(t, { listen: '0.0.0.0:0', folder });
  assert.equal((await post(open, '/api/household/sign-in', { passphrase: PASSPHRASE })).status, 200);
  await open.stop();
  assert.deepEqual(flaws, []);
});

test('without a passphrase the door does not open to the network, and says what to do', async (t) => {
  const refusal = await openHouse(t, { listen: '0.0.0.0:0' }).catch((error) => error);
  assert.ok(refusal instanceof Error, 'it opened');
  assert.match(refusal.message, /hanok household passphrase/);
});

function post(house, path, body) {
  const headers = { 'content-type': 'application/json' };
  return fetch(house.household + path, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** A house on the network: nobody comes in without the household's passphrase. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newVisitor, openBrowser, settled, sticksOut, violations } from '../browser.js';
import { answered, newFolder, openHouse, sentences } from '../house.js';

const PASSPHRASE = 'five apricot blossoms in the yard';
let browser;
const say = await sentences('ko');

before(async () => (browser = await openBrowser()));
after(() => browser?.close());

test('a passphrase from the command line opens the door on every address, and a wrong one moves nothing', async (t) => {
  const folder = await newFolder(t);
  await answered(folder, `${PASSPHRASE}\n`, 'household', 'passphrase', '--new');
  const house = await openHouse(t, { listen: '0.0.0.0:0', folder });
  const { context, page, flaws } = await newVisitor(t, browser, house, { width: 360, height: 740 });

  assert.equal((await fetch(`${house.household}/api/todos`)).status, 401);
  await page.goto('/todos');
  const field = page.getByLabel(say('shell', 'sign_in.passphrase'));
  await field.waitFor();
  assert.deepEqual(await sticksOut(page), []);
  assert.deepEqual(await violations(page), []);
  const placeOf = () => field.evaluate((element) => element.getBoundingClientRect().top);
  const before = await placeOf();
  await field.fill('not this one');
  await field.press('Enter');
  await page.getByText(say('shell', 'sign_in.wrong')).waitFor();
  assert.equal(await placeOf(), before, 'the card has moved');
  await field.fill(PASSPHRASE);
  await field.press('Enter');
  await page.getByRole('heading', { name: say('todos', 'title') }).waitFor();
  await page.waitForFunction(() => document.activeElement?.matches('main'));
  await settled(page);
  const [cookie] = await context.cookies();
  assert.deepEqual([cookie.httpOnly, cookie.sameSite], [true, 'Strict']);

  await page.reload();
  await page.getByRole('heading', { name: say('todos', 'title') }).waitFor();
  assert.equal(await house.stop(), 0);
  assert.deepEqual(flaws, []);
});

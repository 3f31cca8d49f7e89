/** The first days of a house: what is worth doing stands on Today until it is done or skipped. */

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { closeBoth, focused, newVisitor, openBoth, sticksOut, violations, visit } from './browser.js';
import { newFolder, openHouse, sentences } from './house.js';

let both;
before(async () => (both = await openBoth()));
after(() => closeBoth(both));

async function picture(page, name) {
  if (process.env['PICTURES']) await page.screenshot({ path: join(process.env['PICTURES'], `${name}.png`) });
}

test('each first step leads to where it is done or is skipped, and the guide is gone with the last', async (t) => {
  const folder = await newFolder(t);
  await writeFile(join(folder, 'appliance.toml'), '[ops]\nlisten = "127.0.0.1:0"\n');
  // Nobody asks the operator, so nothing is said of him.
  const house = await openHouse(t, { folder, listen: null, settings: { HANOK_LOTTERY__SYNC: 'false' } });
  const { context, page, flaws } = await newVisitor(t, both.browser, house, { width: 360, height: 900 });
  const say = await sentences('ko');
  const names = ['fetch'].map((step) => say('lottery', `step.${step}`)).concat(['passphrase', 'network', 'backup'].map((step) => say('system', `first.${step}`)));
  const guide = page.getByRole('region', { name: say('today', 'steps') });
  await visit(page, '/');
  assert.deepEqual(await guide.getByRole('listitem').locator('b').allInnerTexts(), names);
  assert.deepEqual([await violations(page), await sticksOut(page), flaws], [[], [], []]);
  await guide.getByText(say('system', 'first.network.text', { port: new URL(house.household).port })).waitFor();
  await guide.scrollIntoViewIfNeeded();
  await picture(page, 'steps-ko-phone');

  await guide.getByRole('link', { name: names[1] }).click();
  await page.getByLabel(say('system', 'passphrase.new', { count: 8 })).and(page.locator(':focus')).waitFor();
  await page.getByLabel(say('system', 'passphrase.new', { count: 8 })).fill('마당에 핀 살구꽃');
  await page.getByLabel(say('system', 'passphrase.again')).fill('마당에 핀 살구꽃');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: say('system', 'passphrase.change') }).waitFor();
  await page.goBack();
  await guide.getByText(names[2], { exact: true }).waitFor();
  assert.equal(await guide.getByText(names[1], { exact: true }).count(), 0, 'what is done is gone');

  await guide.getByRole('link', { name: names[2] }).click();
  await page.getByRole('button', { name: say('system', 'settings.change_of', { name: '가정용 주소' }) }).waitFor();
  assert.equal(await page.getByRole('searchbox').inputValue(), 'ops.listen');
  await page.goBack();
  for (const name of [names[0], names[2]]) {
    await guide.getByRole('button', { name: say('today', 'steps.skip_of', { name }) }).press('Enter');
    await guide.getByText(name, { exact: true }).waitFor({ state: 'detached' });
  }
  assert.ok((await focused(page)).includes(names[3]), 'the focus stays near');
  await page.reload();
  await guide.getByText(names[3], { exact: true }).waitFor();
  assert.deepEqual(await guide.getByRole('listitem').locator('b').allInnerTexts(), [names[3]]);
  await guide.getByRole('button', { name: say('today', 'steps.did_of', { name: names[3] }) }).click();
  await guide.waitFor({ state: 'detached' });
  const other = await context.newPage();
  await visit(other, '/');
  assert.equal(await other.getByRole('region', { name: say('today', 'steps') }).count(), 0);
});

test('a house whose address a flag has fixed says so and offers no way to a setting that changes nothing', async (t) => {
  const house = await openHouse(t, { settings: { HANOK_LOTTERY__SYNC: 'false' } });
  const { page } = await newVisitor(t, both.browser, house);
  const say = await sentences('ko');
  await visit(page, '/');
  const name = say('system', 'first.network');
  const step = page.getByRole('region', { name: say('today', 'steps') }).getByRole('listitem').filter({ hasText: name });
  await step.getByText(say('system', 'first.network.text_fixed', { port: new URL(house.household).port, place: '--ops-listen' })).waitFor();
  assert.equal(await step.getByRole('link').count(), 0);
});

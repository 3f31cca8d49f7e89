/** The outside providers: how each is, what helps when one fails, and asking it again. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newVisitor, openBrowser, settled, sticksOut, violations, visit } from './browser.js';
import { openHouse, sentences } from './house.js';

let browser;
const say = await sentences('ko');

before(async () => (browser = await openBrowser()));
after(() => browser?.close());

test('a provider that fails says what helps and when it failed, and is asked again there', async (t) => {
  const house = await openHouse(t);
  for (const [width, theme] of [[360, 'dark'], [1200, 'light']]) {
    const { page, flaws } = await newVisitor(t, browser, house, { width, theme });
    await visit(page, '/system/providers');
    const row = page.getByRole('listitem').filter({ hasText: '동행복권' });
    await row.getByText('네트워크를 확인하고 다시 가져와 주세요.').waitFor();
    await row.getByText(say('system', 'provider.last_failure')).locator('time').waitFor();
    if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/provider-${width}.png` });
    assert.deepEqual([await violations(page), await sticksOut(page)], [[], []]);
    await row.getByRole('button', { name: say('system', 'provider.fetch_of', { name: '동행복권' }) }).click();
    await page.getByText(say('lottery', 'action.syncing')).waitFor();
    await row.getByText(say('system', 'provider.failure', { count: width === 360 ? 2 : 3 })).waitFor();
    // Also when the button has gone, for one that rests is not asked.
    await settled(page);
    assert.notEqual(await page.evaluate(() => document.activeElement?.tagName), 'BODY');
    assert.deepEqual(flaws, []);
  }
});

/** The headline of the system pages: it never says of more that it is well than it knows to be well. */

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { newVisitor, openBrowser, sticksOut, until, violations, visit } from './browser.js';
import { get, openHouse, post, sentences } from './house.js';

let browser;
const say = await sentences('ko');

before(async () => (browser = await openBrowser()));
after(() => browser?.close());

const TIME = '\\d\\d:\\d\\d';
/** The sentence with this many things, at whatever time. */
const said = (key, count) => new RegExp(`^${say('system', key).replace('{count}', count).replace('{time}', TIME)}$`);
const headline = (page, key, count) => page.getByRole('heading', { name: said(key, count) });

test('what fails needs care in the headline, and is named beside it, also when the server is not heard any more', async (t) => {
  // Its operator is away.
  const house = await openHouse(t);
  for (const width of [360, 1200]) {
    const { page, flaws } = await newVisitor(t, browser, house, { width });
    await visit(page, '/system/providers');
    await page.locator('.failure').first().waitFor();
    await headline(page, 'unwell', 1).waitFor();
    await page.goto('/system');
    await headline(page, 'unwell', 1).waitFor();
    if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/standing-${width}.png` });
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(await sticksOut(page), []);
    await page.locator('main .head').getByRole('link', { name: '동행복권' }).click();
    await page.locator('.failure').first().waitFor();

    house.signal('SIGSTOP');
    await headline(page, 'unwell_then', 1).waitFor();
    house.signal('SIGCONT');
    await headline(page, 'unwell', 1).waitFor();
    assert.deepEqual(flaws, []);
  }
});

test('without an answer the headline says that it does not know', async (t) => {
  const house = await openHouse(t);
  const { page } = await newVisitor(t, browser, house);
  await page.route('**/api/system/providers', (route) => route.abort());
  await visit(page, '/system');
  await page.getByRole('heading', { level: 1, name: new RegExp(`^(?:${say('system', 'unknown')}|${said('unknown_since').source.slice(1, -1)})$`) }).waitFor();
});

test('who is left alone is one thing, and until it can be asked again no page offers to ask', async (t) => {
  // One failure is enough, and the job that asks next meets the pause.
  const house = await openHouse(t, { settings: { HANOK_UPSTREAM__FAILURES_TO_OPEN: '1' } });
  const rests = new RegExp(say('shell', 'upstream.left_alone').replace('{time}', TIME));
  const again = say('lottery', 'sync');
  await until(async () => (await get(house, '/api/system/providers')).providers.some(({ state }) => state === 'open'));
  await post(house, '/api/lotto/sync');
  await until(async () => (await get(house, '/api/system/jobs')).failing.some(({ localized }) => localized?.message_key === 'house.upstream.left_alone'));
  for (const [width, theme] of [[360, 'dark'], [1200, 'light']]) {
    const { page, flaws } = await newVisitor(t, browser, house, { width, theme });
    const picture = async (name) => process.env['PICTURES'] && (await page.screenshot({ path: `${process.env['PICTURES']}/rests-${name}-${width}.png` }));
    await visit(page, '/');
    await page.getByText(rests).first().waitFor();
    assert.equal(await page.getByRole('button', { name: say('lottery', 'today.do.sync_again') }).count(), 0);
    await picture('today');
    await page.goto('/lottery');
    await page.getByText(rests).first().waitFor();
    assert.equal(await page.getByRole('button', { name: again }).count(), 0);
    await picture('lottery');
    assert.deepEqual(await sticksOut(page), []);
    await page.goto('/system/providers');
    await page.getByText(rests).first().waitFor();
    await headline(page, 'unwell', 1).waitFor();
    await picture('providers');
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(flaws, []);
  }
});

test('a settings file that the next start cannot use is told in the headline, on Today and by what is to be mended', async (t) => {
  const house = await openHouse(t);
  const file = join(house.data, 'appliance.toml');
  for (const [width, language, theme, keys] of [[360, 'ko', 'dark', '고칠 곳: backup.hourly, lottery.monthly_limit. '], [1200, 'en', 'light', 'To be mended: backup.hourly, lottery.monthly_limit. ']]) {
    const say = await sentences(language);
    await writeFile(file, '');
    const { page, flaws } = await newVisitor(t, browser, house, { width, language, theme });
    await visit(page, '/system');
    const link = page.locator('main .head').getByRole('link', { name: say('system', 'tab.settings') });
    assert.equal(await link.count(), 0);
    await writeFile(file, '[backup]\nhourly = "viele"\n[lottery]\nmonthly_limit = true\n');
    // The page that has read the file and the headline above it say the same.
    await page.locator('main').getByRole('link', { name: say('system', 'tab.settings') }).click();
    await page.getByRole('alert').filter({ hasText: keys }).waitFor();
    await link.waitFor();
    if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/unfit-${width}.png` });
    assert.deepEqual([await violations(page), await sticksOut(page)], [[], []]);
    await visit(page, '/');
    const need = page.getByRole('listitem').filter({ hasText: say('system', 'today.need.settings') }).filter({ hasText: keys.trim() });
    await need.waitFor();
    if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/unfit-today-${width}.png` });
    assert.deepEqual([await violations(page), await sticksOut(page)], [[], []]);
    await need.getByRole('link').click();
    await page.waitForURL('**/system/settings');
    await writeFile(file, '');
    await visit(page, '/system');
    await page.getByRole('heading', { level: 1 }).waitFor();
    assert.equal(await link.count(), 0);
    assert.deepEqual(flaws, []);
  }
});

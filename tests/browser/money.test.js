/** What is spent in a month: the line, and the limit that the household sets for itself; told, asked back, never refused. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newVisitor, openBrowser, settled, sticksOut, violations, visit } from './browser.js';
import { get, openHouse, post, sentences } from './house.js';

let browser;
const say = await sentences('ko');
const won = (sum) => `${sum.toLocaleString('en-US')}원`;

before(async () => (browser = await openBrowser()));
after(() => browser?.close());

const card = (page) => page.getByRole('region', { name: say('lottery', 'months'), exact: true });
const records = async (house) => (await get(house, '/api/lotto/purchase')).total;

test('a limit is set beside the line, and what goes beyond it is asked back, written down all the same and told on Today', async (t) => {
  const house = await openHouse(t);
  await post(house, '/api/lotto/purchase', { count: 12 });
  const { page, flaws } = await newVisitor(t, browser, house);
  await visit(page, '/lottery/purchases');
  await card(page).getByText(say('lottery', 'months.now', { spent: won(12_000) })).waitFor();
  await card(page).getByRole('button', { name: say('lottery', 'limit.set') }).press('Enter');
  await page.keyboard.type('20,000');
  await page.keyboard.press('Enter');
  await card(page).getByText(say('lottery', 'months.now.of', { spent: won(12_000), limit: won(20_000) })).waitFor();
  await page.waitForFunction((name) => document.activeElement?.textContent === name, say('lottery', 'limit.change'));

  await page.getByRole('button', { name: say('lottery', 'purchase.add'), exact: true }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(say('lottery', 'purchase.kept.no')).check();
  await dialog.getByLabel(say('lottery', 'purchase.count')).fill('11');
  await dialog.getByRole('button', { name: say('lottery', 'purchase.save', { count: 11 }), exact: true }).click();
  await dialog.getByText(say('lottery', 'doubt.limit', { spent: won(23_000), over: won(3_000) })).waitFor();
  assert.equal(await records(house), 1);
  await dialog.getByRole('button', { name: say('lottery', 'doubt.save', { count: 11 }), exact: true }).click();
  await card(page).getByText(say('lottery', 'months.over', { over: won(3_000) })).waitFor();
  assert.equal(await records(house), 2);
  await visit(page, '/');
  await page.getByText(say('lottery', 'today.over', { spent: won(23_000), limit: won(20_000) })).waitFor();
  assert.deepEqual(flaws, []);
});

test('a bundle by tier and a table are asked back about the limit, too', async (t) => {
  const house = await openHouse(t, { settings: { HANOK_LOTTERY__MONTHLY_LIMIT: '2000' } });
  const { page, flaws } = await newVisitor(t, browser, house);
  await visit(page, '/lottery/purchases');
  await page.getByRole('button', { name: say('lottery', 'purchase.by_tier') }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: say('lottery', 'purchase.save', { count: 5 }), exact: true }).click();
  await dialog.getByText(say('lottery', 'doubt.limit', { spent: won(5_000), over: won(3_000) })).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });

  await page.getByRole('button', { name: say('lottery', 'table.import') }).click();
  const { draw_no } = (await get(house, '/api/lotto/latest')).next_draw;
  // The other line is of December 2002.
  const text = `draw_no,count\n${draw_no},4\n1,90\n`;
  await dialog.locator('input[type=file]').setInputFiles({ name: 'bought.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await dialog.getByRole('button', { name: say('lottery', 'table.confirm', { count: 2 }), exact: true }).click();
  await dialog.getByText(say('lottery', 'doubt.limit', { spent: won(4_000), over: won(2_000) })).waitFor();
  assert.equal(await records(house), 0);
  await dialog.getByRole('button', { name: say('lottery', 'table.confirm.anyway', { count: 2 }), exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  assert.equal(await records(house), 2);
  assert.deepEqual(flaws, []);
});

for (const language of ['ko', 'en']) {
  for (const [width, theme] of [[1280, 'light'], [360, 'dark']]) {
    test(`the months are lines with a table, readable at ${width} pixels in ${language} (${theme})`, async (t) => {
      const words = await sentences(language);
      const house = await openHouse(t, { settings: { HANOK_LOTTERY__MONTHLY_LIMIT: '20000' } });
      for (let draw_no = 1170; draw_no < 1246; draw_no += 4) await post(house, '/api/lotto/purchase', { draw_no, count: 1 + (draw_no % 5), prize: draw_no % 3 ? 0 : 5_000 });
      await post(house, '/api/lotto/purchase', { count: 23 });
      const { page, flaws } = await newVisitor(t, browser, house, { language, width, theme });
      await visit(page, '/lottery/purchases');
      const months = page.getByRole('region', { name: words('lottery', 'months'), exact: true });
      await months.getByText(words('lottery', 'months.counted')).scrollIntoViewIfNeeded();
      await months.getByRole('slider', { name: words('lottery', 'months.so_far') }).waitFor();
      const all = await get(house, '/api/lotto/purchase/months?limit=500');
      await months.getByLabel(words('lottery', 'months.span')).selectOption({ label: words('lottery', 'months.span.all', { count: all.total }) });
      await months.getByText(words('shell', 'chart.table')).last().click();
      const rows = months.locator('table').last().locator('tbody tr');
      await page.waitForFunction(([table, count]) => table.querySelectorAll('tbody tr').length === count, [await months.locator('table').last().elementHandle(), all.total]);
      const exact = (sum) => (language === 'ko' ? won(sum) : `₩${sum.toLocaleString('en-US')}`);
      const { invested_so_far, prize_so_far } = all.months[0];
      assert.deepEqual((await rows.last().locator('td').allTextContents()), [exact(prize_so_far), exact(invested_so_far)]);
      const ofMonths = months.getByRole('slider', { name: words('lottery', 'months.each'), exact: true });
      const named = all.months.toReversed().flatMap(({ month }) => {
        if (month.endsWith('-01')) return [language === 'ko' ? `${month.slice(0, 4)}년` : month.slice(0, 4)];
        return month.endsWith('-07') ? [language === 'ko' ? '7월' : 'Jul'] : [];
      });
      assert.ok(all.total > 12 && all.total <= 24);
      const soFar = months.getByRole('slider', { name: words('lottery', 'months.so_far'), exact: true });
      if (width === 360) assert.deepEqual(await ofMonths.locator('text.label').allTextContents(), named);
      // Both pictures name the same months, and what was spent has one colour.
      assert.deepEqual(await soFar.locator('text.label').allTextContents(), await ofMonths.locator('text.label').allTextContents());
      const [bars, line] = await Promise.all([
        ofMonths.locator('.expected').first().evaluate((mark) => getComputedStyle(mark).stroke),
        soFar.locator('.line.l1').first().evaluate((path) => getComputedStyle(path).stroke),
      ]);
      assert.equal(line, bars);
      if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/months-${width}-${language}-${theme}.png`, fullPage: true });
      assert.deepEqual(await violations(page), []);
      assert.deepEqual(await sticksOut(page), []);
      assert.deepEqual(flaws, []);
    });
  }
}

test('the tax on a prize stands beside the gross, at the purchase and in the sum, and nothing is said of none', async (t) => {
  const house = await openHouse(t);
  // 22 % of what a prize of 2026 is above its ticket of 1,000 won; below 2,000,000 won nothing is taxed. A sum for five games
  // may be several prizes: it is taxed by no more than that.
  await post(house, '/api/lotto/purchase', { draw_no: 1245, count: 5, prize: 10_000_000 });
  await post(house, '/api/lotto/purchase', { draw_no: 1244, count: 3, prize: 50_000 });
  const { page, flaws } = await newVisitor(t, browser, house);
  await visit(page, '/lottery/purchases');
  const row = (draw, count) => page.getByRole('listitem').filter({ has: page.getByRole('button', { name: say('lottery', 'purchase.change.this', { draw, count }) }) });
  const prize = (sum) => say('lottery', 'purchase.prize_of', { won: won(sum) });
  await row(1245, 5).getByText(`${prize(10_000_000)} · ${say('lottery', 'purchase.tax_at_most', { won: won(2_199_780) })}`, { exact: true }).waitFor();
  await row(1244, 3).getByText(prize(50_000), { exact: true }).waitFor();
  const net = 10_050_000 - 8_000 - 2_199_780;
  await page.getByText(say('lottery', 'money.tax_at_most', { tax: won(2_199_780), net: `+${won(net)}` })).waitFor();
  assert.deepEqual(flaws, []);
});

test('charts whose file does not come say so in their place, and come with another try', async (t) => {
  const house = await openHouse(t);
  await post(house, '/api/lotto/purchase', { draw_no: 1200, count: 3 });
  const { page } = await newVisitor(t, browser, house);
  let broken = true;
  await page.route('**/MonthsCharts*.js', (route) => (broken ? route.abort() : route.continue()));
  await visit(page, '/lottery/purchases');
  await card(page).getByText(say('lottery', 'months.counted')).scrollIntoViewIfNeeded();
  const alert = card(page).getByRole('alert').filter({ hasText: say('lottery', 'months.charts_failed') });
  await alert.waitFor();
  assert.deepEqual([await violations(page), await sticksOut(page)], [[], []]);
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/charts-failed.png`, fullPage: true });
  // A browser asks once for a file: another try is a new page.
  broken = false;
  await Promise.all([page.waitForEvent('load'), alert.getByRole('button', { name: say('shell', 'retry') }).click()]);
  await settled(page);
  await card(page).getByText(say('lottery', 'months.counted')).scrollIntoViewIfNeeded();
  await card(page).getByRole('slider', { name: say('lottery', 'months.so_far') }).waitFor();
  assert.equal(await alert.count(), 0);
});

test('months that do not come are told beside those that are shown', async (t) => {
  const house = await openHouse(t);
  for (const draw_no of [1120, 1200]) await post(house, '/api/lotto/purchase', { draw_no, count: 3 });
  const { page } = await newVisitor(t, browser, house, { width: 360, height: 740, theme: 'dark' });
  let isBroken = true;
  await page.route('**/api/lotto/purchase/months?limit=24', (route) => (isBroken ? route.fulfill({ status: 500, contentType: 'application/json', body: '{}' }) : route.continue()));
  await visit(page, '/lottery/purchases');
  const span = card(page).getByLabel(say('lottery', 'months.span'));
  await span.selectOption({ label: say('lottery', 'months.span.last', { count: 24 }) });
  const alert = card(page).getByRole('alert').filter({ hasText: say('lottery', 'months.failed') });
  await alert.waitFor();
  await card(page).getByText(say('lottery', 'months.counted')).scrollIntoViewIfNeeded();
  await card(page).getByRole('slider', { name: say('lottery', 'months.so_far') }).waitFor();
  assert.deepEqual([await violations(page), await sticksOut(page)], [[], []]);
  if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/months-failed.png`, fullPage: true });
  isBroken = false;
  await alert.getByRole('button', { name: say('shell', 'retry') }).click();
  await alert.waitFor({ state: 'detached' });
  await card(page).getByText(say('shell', 'chart.table')).last().click();
  assert.equal(await card(page).locator('table').last().locator('tbody tr').count(), 24);
});

test('counts are written alike wherever they stand', async (t) => {
  const house = await openHouse(t);
  await post(house, '/api/lotto/purchase', { draw_no: 1200, count: 3 });
  const { page, flaws } = await newVisitor(t, browser, house);
  const many = async (route, changes) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), ...changes } });
  };
  await page.route('**/api/lotto/purchase/stats', (route) => many(route, { total_records: 9_000, total_games: 27_000, waiting_games: 33_750, waiting_invested: 36_330_000, prize_count: 1_200 }));
  await page.route('**/api/lotto/purchase?*', (route) => many(route, { total: 9_000 }));
  await visit(page, '/lottery/purchases');
  for (const words of ['9,000건, 27,000게임', '33,750게임(36,330,000원)', '1,200건', '9,000건']) await page.getByText(words).first().waitFor();
  assert.deepEqual(flaws, []);
});

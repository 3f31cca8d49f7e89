/** A chart of values over days, on a page made up for this test: gaps stay gaps, and everybody can read it. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { buildApp, section, showApp } from './app.js';
import { newVisitor, openBrowser, sticksOut, violations, visit } from './browser.js';
import { openHouse } from './house.js';

let house;
let browser;
let app;

before(async (t) => {
  house = await openHouse(undefined);
  browser = await openBrowser();
  app = await buildApp(t, {
    ...section('worth', { name: 'worth', group: 'money', order: 60, keys: 'g w' }),
    'pages/worth/Page.svelte': `<script lang="ts">
      import TimeSeries from '../../lib/charts/TimeSeries.svelte';
      import { money } from '../../lib/say';
      const days = [...Array(60).keys()].map((index) => new Date(Date.parse('2026-09-20') + index * 86_400_000).toISOString().slice(0, 10));
      const worth = days.flatMap((day, index) => (index > 20 && index < 26) || index === 40 || index === 42 ? [] : [{ day, value: 1200 + index * 3.5 + (index % 7) * 9 }]);
      const paid = days.filter((_, index) => index % 10 === 0).map((day, index) => ({ day, value: 1000 + index * 50 }));
    </script>
    <h1>worth</h1>
    <div class="cols"><section style="grid-column: span 2">
    <TimeSeries title="Worth" summary="It grew." lines={[{ name: 'worth', points: worth }, { name: 'paid', points: paid }]} write={(value) => money(value, 'USD')} level={2} />
    </section><section><TimeSeries title="Nothing" summary="Nothing is known." lines={[{ name: 'worth', points: [] }]} write={(value) => money(value, 'KRW')} level={2} /></section></div>`,
  });
});

after(async () => {
  await browser?.close();
  await house?.stop();
});

for (const [language, width, theme] of [['ko', 360, 'light'], ['en', 1280, 'dark']]) {
  test(`a line breaks where days are missing, and its values are read without seeing it, in ${language} at ${width} pixels`, async (t) => {
    const { context, page, flaws } = await newVisitor(t, browser, house, { language, width, theme });
    await showApp(context, app);
    await visit(page, '/worth');
    const chart = page.getByRole('slider', { name: 'Worth' });
    // Days 0 to 20, 26 to 39, 41 alone, 43 to 59.
    assert.deepEqual([await chart.locator('path.l0').count(), await chart.locator('circle.alone.l0').count()], [3, 1]);
    assert.deepEqual([await chart.locator('path.l1').count(), await chart.locator('circle.alone.l1').count()], [0, 6]);
    const axis = await chart.locator('.label').allTextContents();
    assert.deepEqual(axis, language === 'ko' && width === 360 ? ['10월', '11월'] : axis);
    if (language === 'en') assert.ok(axis.length > 2 && axis.every((name) => /^(Sep|Oct|Nov) \d+$/.test(name)), axis.join());
    if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/series-${width}.png`, fullPage: true });

    const said = () => chart.getAttribute('aria-valuetext');
    await chart.focus();
    await page.keyboard.press('Home');
    const [first, nothing] = language === 'ko' ? ['9월 20일 (일): worth $1,200.00, paid $1,000.00', '값 없음'] : ['Sun, Sep 20: worth $1,200.00, paid $1,000.00', 'no value'];
    assert.equal(await said(), first);
    await chart.locator('.tip').getByText(first).waitFor();
    for (let step = 0; step < 21; step += 1) await page.keyboard.press('ArrowRight');
    assert.ok((await said()).includes(`worth ${nothing}`), await said());
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowRight');
    assert.match(await said(), /\$1,433\.50/);

    const figure = page.getByRole('figure').first();
    await figure.locator('summary').click();
    const rows = await figure.getByRole('row').allInnerTexts();
    // The head, 54 days with a value, and two gaps: of five days, and of one.
    assert.equal(rows.length, 1 + 54 + 2);
    assert.equal(rows.filter((row) => row.split(nothing).length === 3).length, 2);
    assert.deepEqual([await violations(page), await sticksOut(page)], [[], []]);
    assert.deepEqual(flaws, []);
  });
}

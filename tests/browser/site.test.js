/** The pages of the customer site: the first visit, a request from the form to the page behind its link, the legal pages. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openBrowser, until } from './browser.js';
import { openHouse } from './house.js';
import { isAtRest, looksRight, prefix, visitor, VISITORS } from './site.js';

/** A first page with all that belongs to it, compressed. */
const MOST_BYTES = 50_000;
const MOST_PAINT_MS = 1_000;

const WORDS = {
  ko: { next: '다음', send: '의뢰 보내기', service: '봇', message: '예약을 대신 받는 봇이 필요합니다.', sent: '의뢰를 받았습니다', address: '메일 주소여야 합니다', home: '의뢰 시작하기', share: '공유 링크 만들기', other: 'English' },
  en: { next: 'Next', send: 'Send request', service: 'Bot', message: 'We need a bot that takes bookings.', sent: 'We received your request', address: 'mail address such as', home: 'Start a request', share: 'Make a share link', other: '한국어' },
};

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser?.close());

/** How long the largest paint of this page took, in milliseconds. */
function largestPaint(page) {
  return page.evaluate(() => new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime)).observe({ type: 'largest-contentful-paint', buffered: true });
  }));
}

test('every page is at rest, quick, small and open to everybody, in both languages and themes, on a phone and on a desktop', async (t) => {
  const house = await openHouse(t);
  for (const how of VISITORS) {
    const { page, flaws } = await visitor(t, browser, house, how);
    let bytes = 0;
    page.on('response', async (response) => { bytes += gzipSync(await response.body().catch(() => Buffer.alloc(0))).length + 800; });
    for (const path of ['/', '/contact', '/privacy', '/terms', '/nothing-here', '/account/sign-in', '/account/register', '/account/forgotten', '/account/password?token=used']) {
      await page.goto(`${prefix(how.language)}${path === '/' && how.language === 'en' ? '' : path}`);
      await page.locator('main h1').waitFor();
      if (path === '/') {
        const paint = await largestPaint(page);
        assert.ok(paint < MOST_PAINT_MS, `${paint} ms`);
        await until(() => bytes > 0);
        assert.ok(bytes < MOST_BYTES, `${bytes} bytes`);
      }
      assert.equal(await page.locator('html').getAttribute('lang'), how.language);
      const name = `${path.slice(1).replaceAll(/\W/g, '-') || 'home'}-${how.language}-${how.width}`;
      await isAtRest(page, name);
      await looksRight(page, name);
    }
    assert.deepEqual(flaws, []);
  }
});

test('what the server refuses is said beside its field, where the visitor goes on', async (t) => {
  const house = await openHouse(t);
  for (const how of VISITORS) {
    const say = WORDS[how.language];
    const { page, flaws } = await visitor(t, browser, house, how);
    await page.goto(`${prefix(how.language)}/contact`);
    // An address that a browser lets pass and a mail server does not.
    await page.evaluate((words) => {
      for (const [id, value] of Object.entries(words)) document.getElementById(id).value = value;
      document.querySelector('form.steps').submit();
    }, { message: say.message, name: '김지우', email: 'jiwoo@localhost' });
    await page.getByText(say.address).waitFor();
    await page.locator('#email:focus').waitFor();
    assert.equal(await page.locator('#name').inputValue(), '김지우');
    await isAtRest(page, 'refused');
    await looksRight(page, `refused-${how.language}-${how.width}`);
    assert.deepEqual(flaws, []);
  }
});

test('everything works without scripts, and a chosen appearance and language stay', async (t) => {
  const house = await openHouse(t);
  const context = await browser.newContext({ baseURL: house.customers, javaScriptEnabled: false, locale: 'en-GB', viewport: { width: 360, height: 740 } });
  t.after(() => context.close());
  const page = await context.newPage();
  await page.goto('/');
  assert.equal(new URL(page.url()).pathname, '/en');
  await page.getByRole('button', { name: 'Dark' }).click();
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
  await page.getByRole('link', { name: '한국어' }).click();
  assert.equal(new URL(page.url()).pathname, '/');
  await page.goto('/');
  assert.equal(await page.locator('html').getAttribute('lang'), 'ko');
  await page.getByRole('link', { name: WORDS.ko.home }).click();
  await page.getByRole('radio', { name: WORDS.ko.service, exact: true }).check();
  await page.locator('#message').fill(WORDS.ko.message);
  await page.locator('#name').fill('김지우');
  await page.locator('#email').fill('jiwoo@example.com');
  await page.getByRole('button', { name: WORDS.ko.send }).click();
  await page.getByRole('heading', { name: WORDS.ko.sent }).waitFor();
  if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/site-no-script.png`, fullPage: true });
});

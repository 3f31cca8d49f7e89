/** The pages of the customer site: the first visit, a request from the form to the page behind its link, the legal pages. */

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { newVisitor, openBrowser, sticksOut, until, violations, watchShifts } from './browser.js';
import { openHouse } from './house.js';

/** Both languages, both themes, a phone and a desktop. */
const VISITORS = [
  { language: 'ko', theme: 'light', width: 360, height: 740 },
  { language: 'en', theme: 'dark', width: 360, height: 740 },
  { language: 'ko', theme: 'dark', width: 1280, height: 900 },
  { language: 'en', theme: 'light', width: 1280, height: 900 },
];
/** A first page with all that belongs to it, compressed. */
const MOST_BYTES = 50_000;
const MOST_PAINT_MS = 1_000;

const WORDS = {
  ko: { next: '다음', send: '의뢰 보내기', service: '봇', message: '예약을 대신 받는 봇이 필요합니다.', sent: '의뢰를 받았습니다', address: '메일 주소여야 합니다', home: '의뢰 시작하기', other: 'English' },
  en: { next: 'Next', send: 'Send request', service: 'Bot', message: 'We need a bot that takes bookings.', sent: 'Your request has come in', address: 'mail address such as', home: 'Start a request', other: '한국어' },
};

let browser;
before(async () => (browser = await openBrowser()));
after(() => browser?.close());

const prefix = (language) => (language === 'en' ? '/en' : '');

/** A visitor of the customer site. */
async function visitor(t, house, how) {
  const come = await newVisitor(t, browser, { household: house.customers }, how);
  await come.page.addInitScript(watchShifts);
  return come;
}

async function looksRight(page, name) {
  if (process.env['PICTURES']) await page.screenshot({ path: `${process.env['PICTURES']}/site-${name}.png`, fullPage: true });
  assert.deepEqual([await violations(page), await sticksOut(page)], [[], []], name);
}

/** Nothing has moved since the page was opened, before anybody touched it. */
async function isAtRest(page, name) {
  assert.deepEqual(await page.evaluate(() => window.shifts()), [], name);
}

/** How long the largest paint of this page took, in milliseconds. */
function largestPaint(page) {
  return page.evaluate(() => new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime)).observe({ type: 'largest-contentful-paint', buffered: true });
  }));
}

test('every page is at rest, quick, small and open to everybody, in both languages and themes, on a phone and on a desktop', async (t) => {
  const house = await openHouse(t);
  for (const how of VISITORS) {
    const { page, flaws } = await visitor(t, house, how);
    let bytes = 0;
    page.on('response', async (response) => { bytes += gzipSync(await response.body().catch(() => Buffer.alloc(0))).length + 800; });
    for (const path of ['/', '/contact', '/privacy', '/terms', '/nothing-here']) {
      await page.goto(`${prefix(how.language)}${path === '/' && how.language === 'en' ? '' : path}`);
      await page.locator('main h1').waitFor();
      if (path === '/') {
        const paint = await largestPaint(page);
        assert.ok(paint < MOST_PAINT_MS, `${paint} ms`);
        await until(() => bytes > 0);
        assert.ok(bytes < MOST_BYTES, `${bytes} bytes`);
      }
      assert.equal(await page.locator('html').getAttribute('lang'), how.language);
      const name = `${path.slice(1) || 'home'}-${how.language}-${how.width}`;
      await isAtRest(page, name);
      await looksRight(page, name);
    }
    assert.deepEqual(flaws, []);
  }
});

test('a request goes from the form in steps to a mail and to the page behind its link', async (t) => {
  for (const how of VISITORS) {
    const house = await openHouse(t);
    const say = WORDS[how.language];
    const { page, flaws } = await visitor(t, house, how);
    await page.goto(prefix(how.language) || '/');
    await page.getByRole('link', { name: say.home }).click();
    await page.getByRole('radio', { name: say.service, exact: true }).check();
    await page.getByRole('button', { name: say.next }).click();
    await page.getByRole('button', { name: say.next }).click();
    await page.locator('#message').fill(say.message);
    // What was typed outlives a reload, and the visitor goes on at the same step.
    await page.reload();
    await until(async () => (await page.locator('#message').inputValue()) === say.message);
    await isAtRest(page, 'a form that goes on');
    await page.getByRole('button', { name: say.next }).click();
    await page.locator('#name').fill('김지우');
    await page.locator('#email').fill('jiwoo@example.com');
    await looksRight(page, `last-step-${how.language}-${how.width}`);
    await page.getByRole('button', { name: say.send }).click();
    await page.getByRole('heading', { name: say.sent }).waitFor();
    await isAtRest(page, 'receipt');
    await looksRight(page, `receipt-${how.language}-${how.width}`);
    assert.equal(await page.evaluate(() => localStorage.length), 0);
    const link = await page.locator('.address').getAttribute('href');
    const folder = join(house.data, 'mail');
    const mails = async () => {
      const names = await readdir(folder).catch(() => []);
      return Promise.all(names.filter((name) => name.endsWith('.eml')).map((name) => readFile(join(folder, name), 'utf8')));
    };
    await until(async () => (await mails()).length === 2);
    assert.ok((await mails()).some((mail) => mail.includes('jiwoo@example.com')));
    await page.goto(link);
    await page.locator('.way [aria-current]').waitFor();
    await isAtRest(page, 'tracking');
    await looksRight(page, `tracking-${how.language}-${how.width}`);
    assert.deepEqual(flaws, []);
  }
});

test('what the server refuses is said beside its field, where the visitor goes on', async (t) => {
  const house = await openHouse(t);
  for (const how of VISITORS) {
    const say = WORDS[how.language];
    const { page, flaws } = await visitor(t, house, how);
    await page.goto(`${prefix(how.language)}/contact`);
    // An address that a browser lets pass and a mail server does not.
    await page.evaluate((words) => {
      for (const [id, value] of Object.entries(words)) document.getElementById(id).value = value;
      document.querySelector('form.steps').submit();
    }, { message: say.message, name: '김지우', email: 'jiwoo@localhost' });
    await page.getByText(say.address).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.id), 'email');
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

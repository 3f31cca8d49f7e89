/** The shared parts of the app in all their states (`/dev/parts`), built and served under the page policy of the house. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { focused, newVisitor, openBrowser, sticksOut, violations } from './browser.js';
import { newFolder } from './house.js';

const ROOT = new URL('../../assets/ops/', import.meta.url).pathname;
const POLICY = "default-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:";
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
const PARTS = ['tables', 'forms', 'charts', 'files', 'boards'];

let browser;
let server;
let origin;

before(async (t) => {
  browser = await openBrowser();
  const { build } = await import(join(ROOT, 'node_modules/vite/dist/node/index.js'));
  const folder = await newFolder(t);
  process.chdir(ROOT);
  await build({ root: ROOT, logLevel: 'error', build: { outDir: relative(ROOT, folder), emptyOutDir: true, rolldownOptions: { input: 'dev/parts.html' } } });
  server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://parts');
    const name = pathname === '/dev/parts' ? `${pathname}.html` : pathname;
    const body = await readFile(join(folder, name)).catch(() => undefined);
    response.writeHead(body ? 200 : 404, { 'Content-Type': TYPES[extname(name)] ?? 'text/plain', 'Content-Security-Policy': POLICY }).end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${server.address().port}`;
});

after(async () => {
  await browser?.close();
  server?.close();
});

async function open(t, part, options) {
  const opened = await newVisitor(t, browser, { household: origin }, options);
  await opened.page.goto(`/dev/parts#${part}`);
  await opened.page.locator('main section').first().waitFor();
  return opened;
}

for (const part of PARTS) {
  for (const [width, theme, language] of [[390, 'light', 'ko'], [1280, 'dark', 'en']]) {
    test(`the parts of ${part} can be used by everybody, ${theme} at ${width} pixels, and ask the policy for nothing`, async (t) => {
      const { page, flaws } = await open(t, part, { width, theme, language });
      if (part === 'files') {
        await page.getByRole('button', { name: 'some files' }).click();
        await page.getByRole('button', { name: 'play', exact: true }).click();
      }
      if (part === 'charts') await page.locator('canvas').nth(4).waitFor();
      // What a part says comes with the first one that says something.
      await page.waitForFunction(() => [...document.querySelectorAll('main button')].every((button) => button.textContent.trim() || button.ariaLabel));
      assert.deepEqual([await violations(page), await sticksOut(page), flaws], [[], [], []]);
    });
  }
}

test('a head sorts its column and says so; the pages of a list lie in the history', async (t) => {
  const { page } = await open(t, 'tables', {});
  const table = page.getByRole('table').first();
  await table.getByRole('button', { name: '현재가' }).click();
  assert.equal(await table.getByRole('columnheader', { name: '현재가' }).getAttribute('aria-sort'), 'descending');
  const prices = (await table.getByRole('cell').filter({ hasText: /^현재가/ }).allInnerTexts()).map((text) => Number(text.replaceAll(/\D/g, '')));
  assert.deepEqual(prices, prices.toSorted((a, b) => b - a));
  const shown = page.getByRole('navigation').first().locator('p');
  const before = await shown.innerText();
  await page.getByRole('link', { name: '다음' }).click();
  await page.waitForURL('**?offset=40');
  assert.notEqual(await shown.innerText(), before);
  await page.goBack();
  assert.equal(await shown.innerText(), before);
});

test('what is refused stands beside its field, the first of them has the focus, and it goes once it is changed', async (t) => {
  const { page } = await open(t, 'forms', {});
  await page.getByRole('button', { name: '저장' }).click();
  const title = page.getByRole('textbox', { name: '이름' });
  await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'title');
  const described = (await title.getAttribute('aria-describedby')).split(' ');
  assert.ok((await page.locator(`[id="${described[0]}"]`).innerText()).includes('1자 이상'));
  await page.getByRole('alert').getByText('owner').waitFor();
  await title.fill('몬스테라');
  assert.equal(await title.getAttribute('aria-invalid'), null);
  const price = page.getByRole('textbox', { name: '가격' });
  await price.fill('1,250,000');
  await page.getByText('125만 원').waitFor();
  await page.getByRole('button', { name: '저장' }).click();
  await page.getByText('as it started').waitFor();
  assert.deepEqual([await title.inputValue(), await price.inputValue()], ['', '12,340,000']);
});

test('a question says what comes of it, waits for the word, tells why it was not done, and gives the focus back', async (t) => {
  const { page } = await open(t, 'forms', {});
  const opener = page.getByRole('button', { name: 'danger, a word, refused' });
  await opener.click();
  const dialog = page.getByRole('dialog', { name: '작업 공간 지우기' });
  const word = dialog.getByRole('textbox');
  await dialog.getByText('글 12개').waitFor();
  await page.waitForFunction(() => document.activeElement?.matches('dialog input'));
  assert.equal(await dialog.getByRole('button', { name: '모두 지우기' }).getAttribute('aria-disabled'), 'true');
  await word.fill('지우기');
  await page.keyboard.press('Enter');
  await dialog.getByRole('alert').getByText('지우지 못했습니다.').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await focused(page), 'danger, a word, refused');
});

test('a card is moved with the keyboard, takes the focus along, and is back when that is refused', async (t) => {
  const { page } = await open(t, 'boards', {});
  const column = (name) => page.getByRole('region', { name }).getByRole('listitem');
  await page.getByRole('button', { name: /김장 재료 고르기$/ }).focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.role === 'menuitem');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await column('검토').filter({ hasText: '김장' }).waitFor();
  assert.match(await focused(page), /김장 재료 고르기$/);
  await page.getByRole('button', { name: /발행으로는 옮길 수 없는 글$/ }).click();
  await page.getByRole('menuitem', { name: '발행' }).click();
  await page.locator('.toasts').getByText('이동하지 못해').waitFor();
  await column('검토').filter({ hasText: '옮길 수 없는' }).waitFor();
});

test('a chart is drawn anew for a theme and a width, and its values are read by keys', async (t) => {
  const { page } = await open(t, 'charts', {});
  const chart = page.getByRole('slider', { name: '예시전자', exact: true });
  const picture = () => chart.locator('canvas').evaluate((canvas) => canvas.toDataURL());
  await chart.locator('canvas').waitFor();
  const light = await picture();
  await page.getByRole('button', { name: 'dark' }).click();
  await page.waitForFunction((before) => document.querySelector('[aria-label="예시전자"] canvas')?.toDataURL() !== before, light);
  await page.setViewportSize({ width: 900, height: 900 });
  await page.waitForFunction(() => [...document.querySelectorAll('.uplot')].every((one) => one.clientWidth === one.closest('[role=slider]').clientWidth));
  await chart.focus();
  await page.keyboard.press('ArrowLeft');
  assert.match(await chart.getAttribute('aria-valuetext'), /^11월 19일 \(목\): .+ 68,453원, .+ 6,173,444$/);
});

/** Every page, in both themes, both languages and at 360 pixels: readable by everyone, never wider than its window, quick to come. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { LOOKED_AT, newVisitor, openBrowser, PAGES, SECTIONS, settled, sticksOut, until, violations, visit } from './browser.js';
import { get, importDraws, openHouse, post, sentences, through } from './house.js';

/**
 * What a first visit of each page may take over the wire: files, and the compressed bytes of these and of what the server
 * answers, up to where the browser has nothing else to do, all as another device takes it: a browser asks for Brotli only of
 * its own machine or over TLS. A phone behind a slow uplink waits for the bytes, and HTTP/1.1 asks for six files at a time, so
 * both are kept. The figures are what was measured, with room for 1 % more bytes, since
 * answers differ from house to house, and for no more files: whoever needs more says so here. What the sections declared
 * then is in them; what is declared beside it has its allowance (`DECLARED`).
 */
const FIRST_VISIT = {
  '/blog': [13, 77_000],
  '/blog/write': [13, 76_900],
  '/lottery': [22, 102_500],
  '/lottery/statistics': [20, 102_400],
  '/lottery/performance': [18, 86_900],
  '/lottery/reports': [18, 85_100],
  '/lottery/reports/briefing': [18, 84_100],
  '/lottery/reports/review': [17, 83_900],
  '/lottery/purchases': [20, 100_900],
  '/lottery/simulate': [18, 85_600],
  '/lottery/history': [18, 81_800],
  '/system': [15, 80_600],
  '/system/backups': [15, 84_000],
  '/system/providers': [16, 79_800],
  '/system/jobs': [16, 79_300],
  '/system/mail': [15, 80_700],
  '/system/settings': [15, 90_600],
  '/': [26, 89_300],
  '/todos': [14, 90_200],
  '/portfolio': [18, 100_000],
  '/portfolio/sales': [18, 96_600],
  '/portfolio/import': [17, 92_600],
  '/market': [17, 94_200],
  '/market/prices': [16, 91_300],
  '/trade': [15, 96_600],
  '/screener': [18, 98_100],
  '/screener/runs': [17, 93_600],
};
/**
 * What a section, a page and a card take by being declared. The shell, which comes before every page, knows each section by
 * its icon and its keys, and each page by the files that come with it (`shell.test.js` builds it with thirteen). Today shows
 * each card, which comes in a file of its own.
 */
const DECLARED = {
  sections: { then: 5, bytes: 120 },
  pages: { then: 19, bytes: 45 },
  cards: { then: 4, files: 1, bytes: 2_000 },
};
/** What the scripts and styles of the shell may take; the sentences of one language come on top. */
const MOST_OF_SHELL = 43_600;
/** The same however many sections there are. */
const MOST_OF_ANY_SHELL = 45_600;
/** What any page may take, whatever is said above, and however many sections there are. */
const MOST_OF_ANY = 103_000;
/** The same with what comes when the browser has nothing else to do: windows and the palette, before somebody wants them. */
const MOST_WHEN_IDLE = 153_000;
/** A page that is new. */
const FIRST_VISIT_OF_ANOTHER = [18, 83_100];

let house;
let browser;

before(async () => {
  house = await openHouse(undefined);
  browser = await openBrowser();
  await furnish();
});

after(async () => {
  await browser?.close();
  await house?.stop();
});

/** What is declared beside what was on the day of the figures. */
const more = {
  sections: SECTIONS.length - DECLARED.sections.then,
  pages: PAGES.length - DECLARED.pages.then,
  cards: SECTIONS.reduce((sum, { cards }) => sum + cards, 0) - DECLARED.cards.then,
};
const moreOfShell = more.sections * DECLARED.sections.bytes + more.pages * DECLARED.pages.bytes;

/** What a first visit of this page may take. */
function mostOf(path) {
  const [files, bytes] = FIRST_VISIT[path] ?? FIRST_VISIT_OF_ANOTHER;
  const cards = path === '/' ? more.cards : 0;
  return [files + cards * DECLARED.cards.files, Math.min(bytes + moreOfShell + cards * DECLARED.cards.bytes, MOST_OF_ANY)];
}

/** Something to see on each page. */
async function furnish() {
  await post(house, '/api/todos', { title: '베란다 화분에 물 주기', due: '2026-10-12', note: '작은 것부터' });
  await post(house, '/api/todos', { title: 'A title of many words that goes on until it must wrap at the end of a narrow line' });
  await post(house, '/api/lotto/purchase', { draw_no: 1245, sets: [[4, 5, 25, 28, 32, 42], [1, 2, 3, 4, 5, 6]], note: '동네' });
  await post(house, '/api/lotto/purchase', { draw_no: 1245, count: 5, prize: 5000 });
  await post(house, '/api/admin/simulate?n_candidates=2000&seed=1');
  await post(house, '/api/lotto/report');
  await post(house, '/api/lotto/briefing');
  await post(house, '/api/system/backups');
  for (const path of ['/api/lotto/recommend?recent_window=50&recent_weight=0.5&avoid_recent_k=3', '/api/lotto/recommend/combined']) {
    await get(house, path);
  }
  // A draw that contradicts the stored one, and one that gave way.
  const { draws } = await get(house, '/api/lotto/draws?limit=30');
  const [aside, corrected] = [1240, 1244].map((draw_no) => draws.find((draw) => draw.draw_no === draw_no));
  await importDraws(house, [{ ...aside, numbers: [1, 2, 3, 4, 5, 6], bonus: 7 }, { ...corrected, bonus: 45 }]);
  await post(house, '/api/lotto/draws/1244/accept');
}

/** Opens a page with everything on it that can be opened or asked for. */
async function visitOpened(page, path) {
  await visit(page, path);
  if (path === '/lottery') await page.locator('main [id^="kept-"]').first().waitFor();
  if (path === '/lottery/statistics') {
    await page.locator('main form input').last().fill('7 14 21 28 35 42');
    await page.locator('main form input').last().press('Enter');
    await page.locator('main [aria-live] .balls').waitFor();
  }
  await page.evaluate(() => document.querySelectorAll('main details').forEach((details) => (details.open = true)));
  await settled(page);
}

for (const theme of ['light', 'dark']) {
  for (const width of [1280, 360]) {
    test(`every page is accessible in the ${theme} theme at ${width} pixels`, async (t) => {
      const { page, flaws } = await newVisitor(t, browser, house, { theme, width });
      const found = [];
      for (const path of LOOKED_AT) {
        await visitOpened(page, path);
        found.push(...(await violations(page)).map((violation) => `${path}: ${violation}`));
      }
      assert.deepEqual(found, []);
      assert.deepEqual(flaws, []);
    });
  }
}

for (const language of ['ko', 'en']) {
  test(`no page is wider than 360 pixels in ${language}`, async (t) => {
    const { page, flaws } = await newVisitor(t, browser, house, { language, width: 360, height: 740 });
    const wider = [];
    for (const path of LOOKED_AT) {
      await visitOpened(page, path);
      wider.push(...(await sticksOut(page)).map((element) => `${path}: ${element}`));
    }
    assert.deepEqual(wider, []);
    assert.deepEqual(flaws, []);
  });

  test(`every page speaks ${language}`, async (t) => {
    const say = await sentences(language);
    const { page } = await newVisitor(t, browser, house, { language });
    for (const path of LOOKED_AT) {
      await visitOpened(page, path);
      assert.equal(await page.locator('html').getAttribute('lang'), language, path);
      const text = await page.locator('body').innerText();
      assert.doesNotMatch(text, /\{\w+\}|undefined|NaN|\[object/, path);
      assert.ok(text.includes(say('lottery', 'name')), `${path}: the navigation does not speak ${language}`);
      if (language === 'en') assert.doesNotMatch(withoutData(text), /[가-힣]{2,}/, `${path} shows Korean`);
    }
  });
}

/** What the household typed itself stays as it was typed. */
function withoutData(text) {
  return text.replaceAll('베란다 화분에 물 주기', '').replaceAll('작은 것부터', '').replaceAll('동네', '').replaceAll('한국어', '');
}

/** Weighs what a page asks for: files and answers, but for the stream of events, which does not end. */
function weigh(page) {
  const sizes = [];
  let [files, underWay] = [0, 0];
  const isWeighed = (request) => !new URL(request.url()).pathname.startsWith('/api/events');
  const isFile = (request) => !new URL(request.url()).pathname.startsWith('/api/');
  const listeners = {
    request: (request) => (underWay += Number(isWeighed(request))),
    requestfailed: (request) => (underWay -= Number(isWeighed(request))),
    requestfinished: (request) => {
      if (!isWeighed(request)) return;
      underWay -= 1;
      files += Number(isFile(request));
      sizes.push(request.sizes());
    },
  };
  Object.entries(listeners).forEach(([name, listener]) => page.on(name, listener));
  return {
    hasAll: () => underWay === 0,
    stop: () => Object.entries(listeners).forEach(([name, listener]) => page.off(name, listener)),
    async weighed() {
      const bytes = (await Promise.all(sizes)).map(({ responseBodySize }) => responseBodySize);
      return { files, bytes: bytes.reduce((sum, size) => sum + size, 0) };
    },
  };
}

/** Two frames later, in the page. */
async function twoFrames() {
  for (const _ of [1, 2]) await new Promise((resolve) => requestAnimationFrame(resolve));
  return true;
}

/** Lets the page do what it has put off, in the page. Whether there was nothing, also two frames later. */
async function becomesIdle() {
  const put = window.whenIdle.splice(0);
  put.forEach((work) => work({ didTimeout: false, timeRemaining: () => 50 }));
  for (const _ of [1, 2]) await new Promise((resolve) => requestAnimationFrame(resolve));
  return put.length === 0 && window.whenIdle.length === 0;
}

test('a first visit of every page stays within its files and bytes', async (t) => {
  const over = [];
  const wire = await through(house, { asks: (headers) => ({ ...headers, host: new URL(house.household).host, 'accept-encoding': 'gzip, deflate' }) });
  t.after(wire.close);
  for (const path of LOOKED_AT) {
    const { context, page } = await newVisitor(undefined, browser, wire);
    // Nobody waits for what comes when the browser has nothing else to do.
    await page.addInitScript(() => {
      window.whenIdle = [];
      window.requestIdleCallback = (work) => window.whenIdle.push(work);
    });
    const { weighed, hasAll, stop } = weigh(page);
    await page.goto(path);
    await page.locator('main h1').first().waitFor();
    await page.waitForFunction(() => !document.querySelector('main :is(.skeleton, [aria-busy="true"]):not([data-idle] *)'));
    await until(async () => (await page.evaluate(twoFrames)) && hasAll());
    const { files, bytes } = await weighed();
    const [mostFiles, mostBytes] = mostOf(path);
    if (files > mostFiles || bytes > mostBytes) over.push(`${path}: ${files} files of ${mostFiles}, ${bytes} bytes of ${mostBytes}`);
    await until(async () => (await page.evaluate(becomesIdle)) && hasAll());
    const idle = await weighed();
    // What ends while the page is closed cannot be weighed any more.
    stop();
    await context.close();
    if (idle.bytes > MOST_WHEN_IDLE) over.push(`${path}: ${idle.bytes} bytes of ${MOST_WHEN_IDLE} with what comes at idle`);
    t.diagnostic(`${path}: ${files} files, ${bytes} bytes; with what comes at idle ${idle.files} files, ${idle.bytes} bytes`);
  }
  assert.deepEqual(over, []);
});

test('what stands before the first page stays small, whatever sections there are', async (t) => {
  const html = await (await fetch(house.household)).text();
  const files = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file]) => file);
  const sizes = await Promise.all(files.map(async (file) => {
    const response = await fetch(house.household + file, { headers: { 'accept-encoding': 'br' } });
    return Number(response.headers.get('content-length'));
  }));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  t.diagnostic(`${files.join(', ')}: ${total} bytes`);
  assert.ok(files.length > 1 && sizes.every((size) => size > 0));
  const most = Math.min(MOST_OF_SHELL + moreOfShell, MOST_OF_ANY_SHELL);
  assert.ok(total < most, `${total} bytes of ${most}`);
});

describe('the language', () => {
  test('can be switched by hand and stays', async (t) => {
    const { page } = await newVisitor(t, browser, house, { language: 'ko' });
    await visit(page, '/');
    const [ko, en] = [await sentences('ko'), await sentences('en')];
    await page.keyboard.press('Control+k');
    // Pages, and what each section can find, once.
    const found = new Set(['shell.palette.example', ...SECTIONS.flatMap(({ finds }) => finds)].map((key) => {
      const [area, ...rest] = key.split('.');
      return ko(area, rest.join('.'));
    }));
    const said = await page.getByRole('combobox').getAttribute('placeholder');
    assert.deepEqual(said.split(', ').toSorted(), [...found].toSorted());
    await page.getByRole('combobox').fill('English');
    await page.getByRole('option', { name: ko('shell', 'action.language') }).click();
    await page.getByRole('link', { name: en('todos', 'name') }).first().waitFor();
    await page.reload();
    await settled(page);
    assert.equal(await page.locator('html').getAttribute('lang'), 'en');
  });
});
